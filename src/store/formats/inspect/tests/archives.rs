//! Containers: methods, names, limits, damage, chunks.

use std::path::Path;

use serde_json::json;
use zip::CompressionMethod;

use super::super::super::{Foreign, Format, Head};
use super::super::Inspect;
use super::super::archive::Limits;
use super::{Kept, header, read, read_within, sample, zip};
use crate::record::Condition;
use crate::store::table::Severity;

const STORED: CompressionMethod = CompressionMethod::Stored;

fn members() -> Vec<(String, String)> {
    let mut all = vec![("_journal/start.json".to_owned(), header().to_string())];
    for id in ["q1", "q2", "q3"] {
        all.push((format!("samples/{id}_epoch_1.json"), sample(id, "Ada").to_string()));
    }
    all.push(("header.json".to_owned(), header().to_string()));
    all
}

fn borrowed(all: &[(String, String)]) -> Vec<(&str, &str)> {
    all.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect()
}

#[test]
fn stored_deflated_and_zstd_members_are_read() {
    for method in [STORED, CompressionMethod::Deflated, CompressionMethod::Zstd] {
        let kept = read(zip(&borrowed(&members()), method));
        assert_eq!(kept.ids(), ["q1", "q2", "q3"], "{method}");
        assert!(kept.problems.is_empty(), "{:?}", kept.problems);
    }
}

#[test]
fn a_name_that_leads_outside_is_only_a_name() {
    let log = zip(
        &[
            ("header.json", &header().to_string()),
            ("../../escaped.json", &"{}".to_owned()),
            ("/etc/escaped.json", &"{}".to_owned()),
            ("samples/../../../escaped_epoch_1.json", &sample("inside", "Ada").to_string()),
        ],
        CompressionMethod::Deflated,
    );
    let kept = read(log);
    assert_eq!(kept.ids(), ["inside"]);
    assert_eq!(kept.entries, ["samples/../../../escaped_epoch_1.json"]);
    assert!(kept.problems.is_empty(), "{:?}", kept.problems);
    assert!(
        !Path::new("../../escaped.json").exists() && !Path::new("../../../escaped_epoch_1.json").exists()
    );
}

#[test]
fn of_members_with_one_name_the_last_counts() {
    // A zip writer refuses a second member of the same name, so it gets another of the same length first.
    let (old, new) = (sample("q1", "Ada").to_string(), sample("q1", "Bob").to_string());
    let log = zip(
        &[
            ("header.json", &header().to_string()),
            ("samples/q1_epoch_1.json", &old),
            ("samples/qX_epoch_1.json", &new),
        ],
        STORED,
    );
    let log = replaced(log, b"qX_epoch_1", b"q1_epoch_1");
    let kept = read(log.clone());
    assert_eq!((kept.attempts.len(), kept.attempts[0].answer.as_deref()), (1, Some("Bob")));
    // Without the directory too.
    let kept = read(log[..log.len() - 40].to_vec());
    assert_eq!((kept.attempts.len(), kept.attempts[0].answer.as_deref()), (1, Some("Bob")));
}

fn replaced(bytes: Vec<u8>, old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut out = bytes;
    let places: Vec<usize> = memchr::memmem::find_iter(&out, old).collect();
    assert!(!places.is_empty());
    for at in places {
        out[at..at + new.len()].copy_from_slice(new);
    }
    out
}

#[test]
fn a_member_that_inflates_without_end_costs_only_itself() {
    let mut all = members();
    all[2].1 = format!("{{\"id\":\"q2\",\"pad\":\"{}\"}}", "0".repeat(4 << 20));
    for method in [CompressionMethod::Deflated, CompressionMethod::Zstd] {
        let log = zip(&borrowed(&all), method);
        assert!(log.len() < 64 << 10);
        let limits = Limits { member: 1 << 20, ..Limits::LOG };
        let kept = read_within(log.clone(), Some(Condition::NoSearch), limits);
        assert_eq!(kept.ids(), ["q1", "q3"]);
        let [only] = &kept.problems[..] else { panic!("{:?}", kept.problems) };
        assert_eq!(only.entry.as_deref(), Some("samples/q2_epoch_1.json"));
        assert!(only.severity == Severity::Error && only.message.contains("more than 1 MiB"), "{only}");
        // What the zip says of the size is not asked: with the header's size changed it ends the same way.
        let size = u32::try_from(all[2].1.len()).unwrap().to_le_bytes();
        let kept = read_within(replaced(log, &size, &9_u32.to_le_bytes()), Some(Condition::NoSearch), limits);
        assert_eq!(kept.ids(), ["q1", "q3"]);
    }
}

#[test]
fn all_members_together_inflate_to_a_limit() {
    let mut all = members();
    for member in &mut all[1..4] {
        member.1.insert_str(1, &format!("\"pad\":\"{}\",", "0".repeat(600 << 10)));
    }
    let log = zip(&borrowed(&all), CompressionMethod::Deflated);
    let limits = Limits { member: 1 << 20, ratio: 1, floor: 1 << 20 };
    let kept = read_within(log, Some(Condition::NoSearch), limits);
    assert_eq!(kept.ids(), ["q1"]);
    assert_eq!(kept.said(Severity::Error).len(), 2);
    assert!(kept.problems.iter().all(|p| p.message.contains("times its size")), "{:?}", kept.problems);
}

#[test]
fn a_cut_zip_gives_what_is_before_the_cut() {
    let whole = zip(&borrowed(&members()), STORED);
    let mut most = 0;
    for len in (0..whole.len()).step_by(7) {
        let kept = read(whole[..len].to_vec());
        assert!(kept.problems.iter().any(|p| p.line == 0), "{len}: said nothing");
        assert!(kept.attempts.len() >= most.min(3), "{len}: {} after {most}", kept.attempts.len());
        most = most.max(kept.attempts.len());
    }
    assert_eq!(most, 3);
}

#[test]
fn a_damaged_member_is_one_problem_and_the_others_go_on() {
    let mut all = members();
    all[1].1 = "{\"id\": \"q1\", ".to_owned();
    all[2].1 = "[1, 2]".to_owned();
    let kept = read(zip(&borrowed(&all), CompressionMethod::Deflated));
    assert_eq!(kept.ids(), ["q3"]);
    let entries: Vec<_> = kept.problems.iter().filter_map(|p| p.entry.as_deref()).collect();
    assert_eq!(entries, ["samples/q1_epoch_1.json", "samples/q2_epoch_1.json"]);
    // A bit turned over inside a member is found by its checksum.
    let bytes = zip(&borrowed(&members()), STORED);
    let at = memchr::memmem::find(&bytes, b"Who?").unwrap();
    let mut turned = bytes;
    turned[at] ^= 1;
    let kept = read(turned);
    assert_eq!(kept.ids(), ["q2", "q3"]);
    assert_eq!(kept.said(Severity::Error).len(), 1);
}

#[test]
fn names_in_problems_cannot_speak_to_the_terminal() {
    let kept = read(zip(
        &[("header.json", header().to_string().as_str()), ("samples/\u{1b}[2Jx\u{202e}_epoch_1.json", "{}")],
        STORED,
    ));
    let said = kept.problems[0].to_string();
    assert!(said.contains("␛[2Jx⟨U+202E⟩_epoch_1.json") && !said.contains('\u{1b}'), "{said}");
}

#[test]
fn a_damaged_header_leaves_the_journals() {
    let mut all = members();
    all[4].1 = "{".to_owned();
    let kept = read(zip(&borrowed(&all), STORED));
    assert_eq!(kept.ids(), ["q1", "q2", "q3"]);
    assert_eq!(kept.attempts[0].model, "openai/gpt-x");
    assert_eq!(kept.said(Severity::Warning).len(), 1);
    // With neither, the samples' own word for the model is taken.
    let kept = read(zip(&borrowed(&all[1..4]), STORED));
    assert_eq!(kept.attempts[0].model, "gpt-x");
    assert_eq!(kept.attempts[0].run_id, None);
}

#[test]
fn tokens_that_are_no_numbers_hide_nothing() {
    let mut all = members();
    all[4].1 = all[4].1.replace("\"config\":{}", "\"config\":{\"x\":NaN,\"y\":[-Infinity]}");
    all[1].1 = all[1].1.replace("\"value\":\"C\"", "\"value\":NaN").replace("Who?", "Who is NaN?");
    let kept = read(zip(&borrowed(&all), STORED));
    assert!(kept.problems.is_empty(), "{:?}", kept.problems);
    assert_eq!(kept.attempts[0].correct, None);
    assert_eq!(kept.attempts[0].question.as_deref(), Some("Who is NaN?"));
    assert_eq!(kept.attempts[1].correct, Some(true));
}

#[test]
fn text_that_is_no_unicode_is_not_lost() {
    // Half a surrogate pair, as Python writes one.
    let half = sample("q1", "Ada").to_string().replace("Ada", "Ada \\ud83d!");
    // Bytes that are no UTF-8.
    let mut bytes = sample("q2", "Ada").to_string().into_bytes();
    let at = memchr::memmem::find(&bytes, b"Who?").unwrap();
    bytes[at + 3] = 0xff;
    let log = zip(
        &[
            ("header.json", header().to_string().into_bytes()),
            ("samples/q1_epoch_1.json", half.into_bytes()),
            ("samples/q2_epoch_1.json", bytes),
        ],
        STORED,
    );
    let kept = read(log);
    assert!(kept.problems.is_empty(), "{:?}", kept.problems);
    assert_eq!(kept.attempts[0].answer.as_deref(), Some("Ada \u{fffd}!"));
    assert_eq!(kept.attempts[1].question.as_deref(), Some("Who\u{fffd}"));
}

#[test]
fn chunks_are_put_together_by_their_ranges() {
    let message = |text: &str| json!({"role": "assistant", "content": text});
    let call = json!({"role": "assistant", "content": "", "tool_calls": [
        {"id": "c", "function": "web_search", "arguments": {"query": "q"}, "type": "function"}]});
    let found = json!({"role": "tool", "tool_call_id": "c", "content": "attachment://1"});
    let mut parts = sample("q1", "Ada");
    parts.as_object_mut().unwrap().remove("messages");
    parts["message_refs"] = json!([[1, 3], [11, 12]]);
    let many: Vec<_> = (0..7).map(|n| message(&format!("stray {n}"))).collect();
    let folder = |file: &str| format!("samples/a/b_epoch_1/{file}");
    let all = vec![
        ("header.json".to_owned(), header().to_string()),
        (folder("sample.json"), parts.to_string()),
        (folder("metadata.json"), json!({"split": "static"}).to_string()),
        // Ten comes after two, and the last chunk holds the answer.
        (folder("messages/10.json"), json!([message("Ada")]).to_string()),
        (folder("messages/2.json"), serde_json::to_string(&many).unwrap()),
        (folder("messages/0.json"), json!([message("stray"), call, found, message("stray")]).to_string()),
        (folder("attachments/0.json"), json!(["none"]).to_string()),
        (
            folder("attachments/1.json"),
            json!(["[{\"url\":\"https://a.org/x\",\"title\":\"X\"}]"]).to_string(),
        ),
        (folder("events/0.json"), "broken".to_owned()),
    ];
    let kept = read(zip(&borrowed(&all), CompressionMethod::Zstd));
    assert!(kept.problems.is_empty(), "{:?}", kept.problems);
    let attempt = &kept.attempts[0];
    assert_eq!((attempt.calls(), attempt.split.as_deref()), (1, Some("static")));
    assert_eq!(attempt.search_calls[0].results[0].url, "https://a.org/x");

    // A range that leads nowhere is said, not guessed at.
    let cut: Vec<_> = all.into_iter().filter(|(n, _)| !n.ends_with("messages/10.json")).collect();
    let kept = read(zip(&borrowed(&cut), CompressionMethod::Zstd));
    assert!(kept.attempts.is_empty());
    assert!(kept.problems[0].message.contains("[11,12]"), "{}", kept.problems[0]);
}

#[test]
fn one_zip_may_mix_both_layouts() {
    let mut all = members();
    all.push(("samples/q4_epoch_1/sample.json".to_owned(), sample("q4", "Ada").to_string()));
    // The same sample once more, as a folder: the later one counts.
    all.push(("samples/q2_epoch_1/sample.json".to_owned(), sample("q2", "Bob").to_string()));
    let kept = read(zip(&borrowed(&all), STORED));
    assert_eq!(kept.ids(), ["q1", "q2", "q3", "q4"]);
    assert_eq!(kept.attempts[1].answer.as_deref(), Some("Bob"));
}

#[test]
fn a_log_in_one_text_is_read_up_to_its_damage() {
    let mut log = header();
    log["samples"] = json!([sample("q1", "Ada"), sample("q2", "Ada"), sample("q3", "Ada")]);
    let text = log.to_string();
    assert_eq!(read(text.clone().into_bytes()).ids(), ["q1", "q2", "q3"]);
    let with_bom = format!("\u{feff}{}", text.replace("\"value\":\"C\"", "\"value\":NaN"));
    let kept = read(with_bom.into_bytes());
    assert_eq!((kept.attempts.len(), kept.attempts[2].correct), (3, None));

    let cut = text.find("\"id\":\"q3\"").unwrap();
    let kept = read(text.as_bytes()[..cut].to_vec());
    assert_eq!(kept.ids(), ["q1", "q2"]);
    assert!(kept.said(Severity::Error)[0].contains("damaged after 2 samples"), "{:?}", kept.problems);

    // Order of the members does not matter.
    let turned =
        json!({"samples": log["samples"], "plan": log["plan"], "eval": log["eval"], "status": "success"});
    let kept = read(turned.to_string().into_bytes());
    assert_eq!((kept.attempts.len(), kept.attempts[0].model.as_str()), (3, "openai/gpt-x"));
}

#[test]
fn logs_are_told_from_other_files_by_their_content() {
    let is = |bytes: &[u8], name: &str| {
        let cut = &bytes[..bytes.len().min(64 << 10)];
        Inspect.recognises(&Head { bytes: cut, len: bytes.len() as u64, path: Path::new(name) })
    };
    let mut log = header();
    log["samples"] = json!([sample("q1", "Ada")]);
    assert!(is(log.to_string().as_bytes(), "x.json"));
    assert!(is(serde_json::to_string_pretty(&log).unwrap().as_bytes(), "x.json"));
    log["eval"]["model_args"] = json!({"text": "a".repeat(100 << 10)});
    assert!(is(log.to_string().as_bytes(), "x.json"), "a header longer than what is looked at");
    assert!(is(&zip(&borrowed(&members()), CompressionMethod::Zstd), "renamed.bin"));
    assert!(is(b"PK\x05\x06\0\0\0\0", "empty.eval"));

    assert!(!is(&zip(&[("word/document.xml", "<w/>")], STORED), "x.docx"));
    assert!(!is(b"", "x.eval"));
    assert!(!is(br#"{"evalId":"e","results":{},"config":{"task":"t"}}"#, "x.json"));
    assert!(!is(br#"{"eval":"yes","task":"t"}"#, "x.json"));
    assert!(!is(br#"{"a":{"eval":{"task":"t"}}}"#, "x.json"));
    assert!(!is(br#"{"a":{"eval":{"task":"t","#, "x.json"));
    assert!(!is(br#"{"schema":"lookitup.attempt/1","raw":"the \"eval\" of a \"task\""}"#, "x.jsonl"));
    assert!(!is(b"[{\"eval\":{\"task\":\"t\"}}]", "x.json"));
}

#[test]
fn going_on_to_something_else_ends_the_reading() {
    let bytes = zip(&borrowed(&members()), STORED);
    let mut kept = Kept { enough: Some(2), ..Kept::default() };
    let len = bytes.len() as u64;
    let input = Foreign { path: Path::new("run.eval"), len, bytes: Box::new(std::io::Cursor::new(bytes)) };
    super::super::log::convert(input, Some(Condition::NoSearch), Limits::LOG, &mut kept);
    assert_eq!((kept.attempts.len(), kept.problems.len()), (2, 0));
}

#[test]
fn what_is_no_log_is_one_problem() {
    for bytes in [&b"PK\x03\x04 and nothing more"[..], b"PK\x05\x06", b"", b"not json", b"{", b"\x00\x01\x02"]
    {
        let kept = read(bytes.to_vec());
        assert!(kept.attempts.is_empty());
        assert!(!kept.problems.is_empty(), "{bytes:?}");
    }
}

#[test]
fn a_part_too_large_is_left_out_and_said() {
    let mut all = members();
    all[2].1 =
        all[2].1.replace("\"metadata\":{}", &format!("\"metadata\":{{\"m\":\"{}\"}}", "x".repeat(17 << 20)));
    let kept = read(zip(&borrowed(&all), CompressionMethod::Zstd));
    assert_eq!(kept.ids(), ["q1", "q2", "q3"]);
    assert!(!kept.attempts[1].extra.contains_key("m"));
    let [only] = &kept.problems[..] else { panic!("{:?}", kept.problems) };
    assert!(only.message.contains("16 MiB: metadata") && only.severity == Severity::Warning, "{only}");
}

#[test]
fn a_log_without_samples_says_so() {
    let only = |text: String, asked| {
        let kept = read_within(zip(&[("header.json", &text)], STORED), asked, Limits::LOG);
        let [only] = &kept.problems[..] else { panic!("{:?}", kept.problems) };
        only.message.clone()
    };
    for asked in [None, Some(Condition::WithSearch)] {
        assert!(only(header().to_string(), asked).contains("no samples"));
        let going = header().to_string().replace("success", "started");
        assert!(only(going, asked).contains("finished yet"));
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn no_damage_whatsoever_does_harm(
        changes in proptest::collection::vec((0_usize..20_000, proptest::num::u8::ANY), 1..12),
        method in 0..3_usize,
        cut in proptest::option::of(0_usize..20_000),
    ) {
        let method = [STORED, CompressionMethod::Deflated, CompressionMethod::Zstd][method];
        let mut bytes = zip(&borrowed(&members()), method);
        let len = bytes.len();
        for (at, byte) in changes {
            bytes[at % len] = byte;
        }
        if let Some(at) = cut {
            bytes.truncate(at % len);
        }
        let kept = read(bytes);
        proptest::prop_assert!(kept.attempts.len() <= 3);
    }

    #[test]
    fn no_text_whatsoever_does_harm(
        at in 0_usize..2_000,
        with in "[\\[\\]{}\":,a0\\\\-]{0,4}|NaN|null|true|\"\\\\ud800\"",
        take in 0_usize..40,
    ) {
        let mut log = header();
        log["samples"] = json!([sample("q1", "Ada"), sample("q2", "Bob")]);
        let mut text = log.to_string();
        let at = at % text.len();
        let end = (at + take).min(text.len());
        text.replace_range(at..end, &with);
        let kept = read(text.into_bytes());
        proptest::prop_assert!(kept.attempts.len() <= 2);
    }
}
