use super::*;

#[test]
fn notes_lie_beside_what_was_asked_again() {
    let here = tempfile::tempdir().unwrap();
    let data = Path::new("/somewhere/data");
    let of = |paths: &[&str], named| {
        let paths: Vec<String> = paths.iter().map(|p| (*p).to_owned()).collect();
        let notes = notes_of(here.path(), Some(data), &paths, named).unwrap();
        let journal = journal_of(here.path(), Some(data), &paths, named).unwrap();
        assert_eq!(notes.parent(), journal.parent());
        assert_eq!(codebook_of(&notes), journal.with_file_name("codebook.toml"));
        notes
    };
    assert_eq!(of(&[], true), data.join("results/sample.notes.jsonl"));
    let a = of(&["x/haiku.results.jsonl"], true);
    let name = a.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("haiku-") && name.ends_with(".notes.jsonl") && !name.contains("live"), "{name}");
    assert_ne!(a, of(&["y/haiku.results.jsonl"], true));
    assert_eq!(of(&["b", "a"], true), of(&["a", "b"], true));
    std::fs::create_dir(here.path().join("results")).unwrap();
    assert_eq!(of(&["results"], false), here.path().join("results/live.notes.jsonl"));
    assert_eq!(notes_of(Path::new("/none"), None, &[], true), None);
    assert_eq!(load_codebook(&codebook_of(&a)).unwrap(), Codebook::starter());
}
