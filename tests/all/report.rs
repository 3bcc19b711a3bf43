//! The report in every format: the same numbers, safe text, pictures that can be read.

use std::process::Command;
use std::sync::atomic::AtomicBool;

use lookitup::record::{Errors, Scorer};
use lookitup::report::{self, Provenance, svg};
use lookitup::stats::{self, Group, Options};
use lookitup::store::{OpenOptions, Store};
use serde_json::Value;

use crate::cli::{attempt, file, lookitup};
use crate::schemas::validator;

fn of_sample() -> (Vec<Group>, Provenance) {
    let table = Store::open(lookitup::store::sample(), OpenOptions::default(), || {}).wait();
    let rows: Vec<u32> = (0..table.pairs.len() as u32).collect();
    let never = AtomicBool::new(false);
    let options = Options { scorer: Scorer::Normalized, ..Options::default() };
    let groups = stats::groups(&table, &rows, &options, &never).unwrap();
    let provenance = Provenance::of(&table, &rows, "", Scorer::Normalized, Errors::Drop, &never).unwrap();
    (groups, provenance)
}

#[test]
fn every_format_has_the_same_numbers_and_says_that_they_are_simulated() {
    let folder = tempfile::tempdir().unwrap();
    let json: Value =
        serde_json::from_str(&lookitup(folder.path(), &["report", "--format", "json"]).out).unwrap();
    let [md, csv, html] =
        ["md", "csv", "html"].map(|f| lookitup(folder.path(), &["report", "--format", f]).out);
    for (name, group) in json.as_object().unwrap() {
        assert_eq!(group["provenance"]["mark"], "SIMULATED");
        let hash = group["provenance"]["files"][0]["sha256"].as_str().unwrap();
        assert_eq!(hash.len(), 64);
        for text in [&md, &html] {
            assert!(text.contains(name.as_str()) && text.contains("SIMULATED") && text.contains(hash));
        }
        for value in [
            &group["with_search"]["accuracy"],
            &group["with_search"]["wilson95"][0],
            &group["calibration"]["with_search"]["ece"],
            &group["calibration"]["with_search"]["auroc"],
            &group["gating"]["best"]["accuracy"],
            &group["net_effect"]["delta"],
        ] {
            let Some(value) = value.as_f64() else { continue };
            let three = lookitup::figures::three(value);
            assert!(md.contains(&three) && html.contains(&three) && csv.contains(&three), "{name}: {three}");
        }
        let accuracy = group["with_search"]["accuracy"].as_f64().unwrap();
        let line =
            csv.lines().find(|l| l.starts_with(&format!("{name},summary,accuracy with search,value,")));
        let value: f64 = line.unwrap().split(',').nth(4).unwrap().parse().unwrap();
        assert!((value - accuracy).abs() < 1e-15);
    }
    assert!(csv.lines().skip(1).all(|l| l.ends_with(",simulated")));
    assert!(csv.contains("\r\n"));
    // The same input gives the same report.
    assert_eq!(md, lookitup(folder.path(), &["report"]).out);
}

#[test]
fn the_json_report_follows_its_schema() {
    let folder = tempfile::tempdir().unwrap();
    let schema = validator("report");
    for by in ["model", "run", "all"] {
        let ran = lookitup(folder.path(), &["report", "--format", "json", "--by", by]);
        let json: Value = serde_json::from_str(&ran.out).unwrap();
        let wrong: Vec<String> =
            schema.iter_errors(&json).map(|e| format!("{}: {e}", e.instance_path)).collect();
        assert!(wrong.is_empty(), "{by}: {wrong:?}");
        let counted: u64 = json.as_object().unwrap().values().map(|g| g["rows"].as_u64().unwrap()).sum();
        assert_eq!(counted, json.as_object().unwrap().values().next().unwrap()["provenance"]["rows"]["all"]);
    }
}

#[test]
fn a_filter_narrows_the_report_and_stands_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let ran = lookitup(
        folder.path(),
        &["report", "--filter", "model:sim-large transition:broken", "--format", "json"],
    );
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    let group = &json["sim-large/static"];
    assert_eq!(group["provenance"]["filter"], "model:sim-large transition:broken");
    assert_eq!(group["transitions"]["counts"]["broken"], group["pairs"]);
    assert_eq!(group["provenance"]["rows"]["shown"], group["rows"]);
    let none = lookitup(folder.path(), &["report", "--filter", "model:nobody"]);
    assert_eq!(none.code, 0);
    assert!(none.err.contains("no row matches"), "{}", none.err);
    let bad = lookitup(folder.path(), &["report", "--filter", "conf:high"]);
    assert_eq!(bad.code, 2);
    assert!(bad.err.contains('^'), "{}", bad.err);
}

/// Names that would leave the page, the folder, the cell or the line.
const HOSTILE: &str = "../..//m\"><script>alert(1)</script>|=x\u{202e}\u{1b}[31m & ünï";

#[test]
fn hostile_names_act_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = Vec::new();
    for n in 0..25 {
        for (condition, answer) in [("no_search", "no"), ("with_search", "yes")] {
            let mut line = attempt(&format!("Q{n}"), condition, answer, 0.5);
            line["model"] = HOSTILE.into();
            line["split"] = "=cmd".into();
            line["correct"] = (n % 2 == 0).into();
            lines.push(line);
        }
    }
    let path = file(&folder, "a.jsonl", &lines);
    let path = path.to_str().unwrap();
    let html = lookitup(folder.path(), &["report", path, "--format", "html"]).out;
    // The page's own script is the only one.
    assert_eq!(html.matches("<script").count(), 1);
    assert!(!html.contains("alert(1)</script>") && !html.contains('\u{202e}') && !html.contains('\u{1b}'));
    let md = lookitup(folder.path(), &["report", path]).out;
    assert!(!md.contains("<script") && !md.contains('\u{1b}'));
    let csv = lookitup(folder.path(), &["report", path, "--format", "csv"]).out;
    let mut reader = ::csv::Reader::from_reader(csv.as_bytes());
    for record in reader.records() {
        for cell in &record.unwrap() {
            // A negative number is a number.
            let safe = !cell.starts_with(['=', '+', '-', '@']) || cell.parse::<f64>().is_ok();
            assert!(safe, "{cell}");
        }
    }
    let out = folder.path().join("out");
    let ran = lookitup(folder.path(), &["report", path, "--format", "svg", "--out", out.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut files = 0;
    for entry in std::fs::read_dir(&out).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!text.contains("<script") && !text.contains('\u{1b}'));
        files += 1;
    }
    assert!(files >= 10, "{files}");
    // Nothing was written beside.
    let beside: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(beside.len(), 2, "{beside:?}");
}

#[test]
fn files_are_written_whole_into_the_folder_named() {
    let folder = tempfile::tempdir().unwrap();
    for (format, name) in
        [("md", "report.md"), ("csv", "report.csv"), ("json", "report.json"), ("html", "report.html")]
    {
        let ran = lookitup(folder.path(), &["report", "--format", format, "--out", "deep/er"]);
        assert_eq!((ran.code, ran.out.as_str()), (0, ""));
        let written = std::fs::read_to_string(folder.path().join("deep/er").join(name)).unwrap();
        assert_eq!(written, lookitup(folder.path(), &["report", "--format", format]).out);
    }
    std::fs::write(folder.path().join("file"), "x").unwrap();
    let ran = lookitup(folder.path(), &["report", "--out", "file/sub"]);
    assert_ne!(ran.code, 0);
    assert!(ran.err.contains("report.md could not be written"), "{}", ran.err);
}

/// A text of a picture: left, top, right, bottom, words.
type Placed = (f64, f64, f64, f64, String);

/// The texts of an SVG with the boxes that they take at most.
fn texts(svg: &str) -> Vec<Placed> {
    let mut out = Vec::new();
    for part in svg.split("<text ").skip(1) {
        let (head, rest) = part.split_once('>').unwrap();
        let words = rest.split_once("</text>").unwrap().0.trim().to_owned();
        let attribute = |name: &str| {
            let from = head.split_once(&format!("{name}=\""))?.1;
            Some(from.split_once('"')?.0.to_owned())
        };
        let number = |name: &str| attribute(name).and_then(|v| v.parse::<f64>().ok());
        if attribute("transform").is_some_and(|t| t.contains("rotate")) {
            continue;
        }
        let (x, y, size) = (number("x").unwrap(), number("y").unwrap(), number("font-size").unwrap());
        let letters =
            words.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").chars().count() as f64;
        let width = letters * size * 0.55;
        let left = match attribute("text-anchor").as_deref() {
            Some("middle") => x - width / 2.0,
            Some("end") => x - width,
            _ => x,
        };
        let shift = attribute("dy").and_then(|d| d.strip_suffix("em").and_then(|d| d.parse::<f64>().ok()));
        let base = y + shift.unwrap_or(0.0) * size;
        out.push((left, base - size * 0.75, left + width, base + size * 0.2, words));
    }
    out
}

#[test]
fn texts_of_pictures_do_not_overlap_and_stay_inside() {
    let (groups, provenance) = of_sample();
    let mut pictures = 0;
    for chapter in report::chapters(&groups, Errors::Drop) {
        let caption = report::caption(&chapter, &provenance);
        assert!(caption.contains("SIMULATED"));
        for figure in &chapter.figures {
            let Some(picture) = svg::svg(figure, &caption, svg::Colours::Light) else { continue };
            let name = format!("{} {}", chapter.name, figure.id.name());
            let size = |of: &str| -> f64 {
                picture.split_once(&format!("{of}=\"")).unwrap().1.split_once('"').unwrap().0.parse().unwrap()
            };
            let (width, height) = (size("width"), size("height"));
            let placed = texts(&picture);
            assert!(placed.len() > 4, "{name}: {}", placed.len());
            assert!(placed.iter().any(|p| p.4.contains("SIMULATED")), "{name}");
            for (at, a) in placed.iter().enumerate() {
                assert!(
                    a.0 >= -1.0 && a.1 >= 0.0 && a.2 <= width + 1.0 && a.3 <= height,
                    "{name}: {a:?} outside"
                );
                for b in placed.iter().skip(at + 1) {
                    let apart = a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1;
                    assert!(apart, "{name}: {a:?} and {b:?}");
                }
            }
            pictures += 1;
        }
    }
    assert!(pictures >= 15, "{pictures}");
}

#[test]
fn colours_of_pictures_can_be_told_from_their_ground_and_from_each_other() {
    let luminance = |(r, g, b): (u8, u8, u8)| {
        let part = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
    };
    for dark in [false, true] {
        let ground = luminance(svg::Ink::Ground.rgb(dark));
        let mut seen = Vec::new();
        for ink in svg::Ink::ALL {
            let rgb = ink.rgb(dark);
            assert!(!seen.contains(&rgb), "{ink:?}");
            seen.push(rgb);
            let own = luminance(rgb);
            let contrast = (own.max(ground) + 0.05) / (own.min(ground) + 0.05);
            let least = match ink {
                svg::Ink::Text | svg::Ink::Dim => 4.5,
                svg::Ink::Ground | svg::Ink::Grid | svg::Ink::Idle | svg::Ink::Preserved => 1.0,
                _ => 3.0,
            };
            assert!(contrast >= least, "{ink:?} dark {dark}: {contrast:.2}");
        }
    }
}

#[test]
fn the_page_needs_nothing_else() {
    let (groups, provenance) = of_sample();
    let page = report::html(&report::chapters(&groups, Errors::Drop), &provenance);
    assert!(page.contains("default-src 'none'"));
    for outside in ["http://", "https://", "<link", "<img", "@import", "url("] {
        // The name of SVG is an address, and is never fetched.
        let found = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!found.contains(outside), "{outside}");
    }
    // Both kinds of page have every colour.
    for ink in svg::Ink::ALL {
        assert_eq!(page.matches(&format!("--{}:#", ink.name())).count(), 3, "{ink:?}");
    }
    assert!(page.matches("<svg").count() >= 15);
    assert!(!page.contains("<?xml"));
    let opened = page.matches("<details>").count();
    assert_eq!(opened, page.matches("</details>").count());
}

#[test]
fn the_page_opens_in_a_browser() {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let Some(browser) = names.into_iter().find(|n| Command::new(n).arg("--version").output().is_ok()) else {
        println!("skipped: no Chromium is installed, so the HTML page was not opened in one");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (groups, provenance) = of_sample();
    let page = report::html(&report::chapters(&groups, Errors::Drop), &provenance);
    let file = folder.path().join("report.html");
    std::fs::write(&file, page).unwrap();
    for (name, width, dark) in [("light", 1_280, false), ("dark", 1_280, true), ("phone", 360, false)] {
        let picture = folder.path().join(format!("{name}.png"));
        let mut command = Command::new(browser);
        command
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
            .arg(format!("--window-size={width},2000"))
            .arg(format!("--screenshot={}", picture.display()));
        if dark {
            command.arg("--force-dark-mode").arg("--blink-settings=preferredColorScheme=0");
        }
        let ran = command.arg(format!("file://{}", file.display())).output().unwrap();
        assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
        assert!(std::fs::metadata(&picture).unwrap().len() > 10_000, "{name}: an empty picture");
    }
}

#[test]
fn out_is_a_file_where_it_ends_like_one_and_never_a_folder_over_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let ran = lookitup(folder.path(), &["report", "--format", "html", "--out", "new/Paper.HTML"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(folder.path().join("new/Paper.HTML").is_file());
    std::fs::create_dir(folder.path().join("old.html")).unwrap();
    let ran = lookitup(folder.path(), &["report", "--format", "html", "--out", "old.html"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(folder.path().join("old.html/report.html").is_file());
    std::fs::write(folder.path().join("notes.txt"), "kept").unwrap();
    for format in ["md", "svg"] {
        let ran = lookitup(folder.path(), &["report", "--format", format, "--out", "notes.txt"]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("notes.txt is a file"), "{}", ran.err);
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("notes.txt")).unwrap(), "kept");
}

#[test]
fn a_long_name_is_wrapped_in_a_picture_not_cut_off() {
    let name = format!("{} end", "長い名前".repeat(60));
    let group = lookitup::stats::Group { model: name, rows: 1, pairs: 1, ..Default::default() };
    let figure = lookitup::figures::figure(
        lookitup::figures::Id::Transitions,
        &group,
        &lookitup::figures::Scope::default(),
    );
    let picture =
        lookitup::report::svg::svg(&figure, &group.model, lookitup::report::svg::Colours::Light).unwrap();
    let words: String = texts(&picture).into_iter().map(|t| t.4).collect();
    assert!(words.contains("end") && words.matches('長').count() == 60, "{words}");
}
