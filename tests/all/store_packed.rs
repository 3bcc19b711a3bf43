//! Compressed files.

use std::io::Write;

use super::store::{folder, line, open, problems, write};

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

fn lines(from: u32, to: u32) -> Vec<u8> {
    (from..to)
        .map(|n| line(&format!("q{n}"), "no_search", &format!(r#""answer":"{n}""#)) + "\n")
        .collect::<String>()
        .into_bytes()
}

#[test]
fn gzip_and_zstd_of_one_or_many_parts_are_read() {
    let folder = folder();
    let many: Vec<u8> = (0..10).flat_map(|k| gz(&lines(k * 100, k * 100 + 100))).collect();
    let frames: Vec<u8> = (0..10).flat_map(|k| zst(&lines(k * 100, k * 100 + 100))).collect();
    for (name, bytes) in
        [("a.gz", gz(&lines(0, 1_000))), ("b.gz", many), ("c.zst", zst(&lines(0, 1_000))), ("d", frames)]
    {
        let path = write(&folder, name, bytes);
        let (store, table) = open(&[path]);
        assert_eq!(problems(&table), Vec::<String>::new(), "{name}");
        assert_eq!(table.attempts.len(), 1_000);
        assert_eq!(store.reader().attempt(&table, 999).unwrap().answer.as_deref(), Some("999"));
        assert_eq!(table.files[0].kind, "attempts");
    }
    let questions =
        write(&folder, "q.gz", gz(b"{\"id\":\"q1\",\"question\":\"Who?\",\"references\":[\"1\"]}\n"));
    let attempts = write(&folder, "a.jsonl", lines(0, 3));
    let (_store, table) = open(&[attempts, questions]);
    assert_eq!(table.attempts.iter().map(|a| a.scored).collect::<Vec<_>>(), [0, 0xee, 0]);
}

#[test]
fn a_cut_stream_gives_what_came_before() {
    let folder = folder();
    // Incompressible enough for the cut to lie behind many lines.
    let text: Vec<u8> = (0..20_000u64)
        .flat_map(|n| {
            let noise = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (line(
                &format!("q{n}"),
                "no_search",
                &format!(r#""answer":"{noise:x}{:x}""#, noise.rotate_left(17)),
            ) + "\n")
                .into_bytes()
        })
        .collect();
    for (name, bytes) in [("a.gz", gz(&text)), ("b.zst", zst(&text))] {
        let path = write(&folder, name, &bytes[..bytes.len() / 2]);
        let (store, table) = open(&[path]);
        let n = table.attempts.len();
        assert!(n > 100 && n < 20_000, "{name}: {n}");
        let told = problems(&table);
        assert!(
            told.contains(&format!("error {name}: the compressed data is cut; what came before is shown")),
            "{told:?}"
        );
        store.reader().attempt(&table, n as u32 - 1).unwrap();
    }
    let mut bytes = gz(&text);
    let middle = bytes.len() / 2;
    bytes[middle..middle + 64].fill(0xaa);
    let (_store, table) = open(&[write(&folder, "c.gz", bytes)]);
    assert!(problems(&table).iter().any(|p| p.contains("damaged")), "{:?}", problems(&table));
    // Garbage after the end.
    let (_store, table) = open(&[write(&folder, "d.gz", [gz(&lines(0, 10)), b"garbage".to_vec()].concat())]);
    assert_eq!(table.attempts.len(), 10);
    assert!(table.problems.errors > 0);
    let (_store, table) = open(&[write(&folder, "e.gz", &gz(&text)[..12])]);
    assert_eq!(problems(&table).len(), 1);
    let (_store, table) = open(&[write(&folder, "f.gz", gz(&gz(&text)))]);
    assert!(problems(&table)[0].contains("compressed twice"));
    let (_store, table) = open(&[write(&folder, "g.gz", gz(b"hello"))]);
    assert!(problems(&table)[0].contains("text of an unknown kind inside gzip"));
}

#[test]
fn a_bomb_is_stopped() {
    let folder = folder();
    let mut out = zstd::Encoder::new(Vec::new(), 1).unwrap();
    out.write_all(&lines(0, 10)).unwrap();
    // A gigabyte of nothing takes some 100 KB.
    let nothing = vec![b' '; 1 << 20];
    for _ in 0..1_024 {
        out.write_all(&nothing).unwrap();
    }
    let bytes = out.finish().unwrap();
    assert!(bytes.len() < 1 << 18);
    let (_store, table) = open(&[write(&folder, "bomb.zst", bytes)]);
    assert_eq!(table.attempts.len(), 10);
    assert!(problems(&table).iter().any(|p| p.contains("expands without end")), "{:?}", problems(&table));
}
