//! Prices, ends, presets, prompts.

use jiff::civil::date;
use lookitup::provider::{Ask, Dialect, Models, PROMPTS, Style, fill, prompt_for};
use lookitup::record::{Condition, Usage};
use lookitup::score::parse_answer;

use crate::common::root;

#[test]
fn the_models_that_ship_are_read_and_dated() {
    let text = std::fs::read_to_string(root().join("data/models.toml")).unwrap();
    let mut own = Models::default();
    own.add("data/models.toml", &text).unwrap();
    assert_eq!(own, Models::built_in());
    assert!(own.models.len() >= 40);
    for model in &own.models {
        assert!(model.read.is_some(), "{}", model.id);
        assert!(Dialect::parse(&model.provider).is_some(), "{}", model.id);
        let prices = [model.input, model.cached, model.output, model.search];
        assert!(prices.iter().all(Option::is_some) || prices.iter().all(Option::is_none), "{}", model.id);
        assert!(model.cached <= model.input && model.input <= model.output, "{}", model.id);
        assert!(model.id.starts_with("claude-") == (model.provider == "anthropic"), "{}", model.id);
    }
    for name in ["gpt-5-mini-2025-08-07", "gpt-5-nano", "gpt-6.1-sol", "gpt-4o-mini", "o3", "gpt-5.6-luna"] {
        assert!(own.find("openai", name).is_some_and(|m| m.input.is_some()), "{name}");
    }
    for name in ["claude-haiku-4-5-20251001", "claude-haiku-5-5", "claude-opus-4-5", "claude-fable-5-1"] {
        assert!(own.find("anthropic", name).is_some_and(|m| m.input.is_some()), "{name}");
    }
    assert!(own.find("openai", "claude-haiku-4-5").is_none() && own.find("mine", "gpt-4o").is_none());
}

#[test]
fn the_models_file_is_valid_against_its_schema() {
    let text = std::fs::read_to_string(root().join("data/models.toml")).unwrap();
    let value: toml::Value = toml::from_str(&text).unwrap();
    let value = serde_json::to_value(value).unwrap();
    let validator = crate::schemas::validator("models");
    let faults: Vec<String> =
        validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for bad in ["[[model]]\nid = \"a\"", "[[model]]\nid = \"a\"\nprovider = \"b\"\nprice = 1", "colour = 1"] {
        let value: toml::Value = toml::from_str(bad).unwrap();
        assert!(!validator.is_valid(&serde_json::to_value(value).unwrap()), "{bad}");
        assert!(Models::default().add("models.toml", bad).is_err(), "{bad}");
    }
}

#[test]
fn presets_have_the_settings_of_the_paper() {
    let models = Models::built_in();
    for (name, provider, model) in [
        ("paper-openai", "openai", "gpt-5-mini-2025-08-07"),
        ("paper-anthropic", "anthropic", "claude-haiku-4-5-20251001"),
    ] {
        let preset = models.preset(name).unwrap();
        assert_eq!((preset.provider.as_str(), preset.model.as_str()), (provider, model));
        let ask = preset.ask(Condition::WithSearch, "Who?");
        assert_eq!((ask.temperature, ask.max_searches, ask.model.as_str()), (Some(0.0), 2, model));
    }
    let today = date(2026, 11, 29);
    for dialect in Dialect::ALL {
        let preset = models.default_of(dialect.name()).unwrap();
        let model = models.find(dialect.name(), &preset.model).unwrap();
        assert_eq!(model.warning(today), None, "a default is current");
    }
    assert!(models.find("openai", "gpt-5-mini-2025-08-07").unwrap().refuses("temperature", None));
    assert!(!models.find("anthropic", "claude-haiku-4-5-20251001").unwrap().refuses("temperature", None));
    let newer = models.find("openai", "gpt-5.2").unwrap();
    assert!(newer.refuses("temperature", Some("low")) && !newer.refuses("temperature", Some("none")));
}

#[test]
fn costs_follow_the_provider_s_way_of_counting() {
    let models = Models::built_in();
    let cost = |provider: &str, model: &str, usage: Usage| models.find(provider, model).unwrap().cost(&usage);
    let usage = |input, output, cached, searches| Usage {
        input_tokens: Some(input),
        output_tokens: Some(output),
        cached_tokens: cached,
        search_requests: searches,
        ..Usage::default()
    };
    let near = |have: Option<f64>, want: f64| assert!((have.unwrap() - want).abs() < 1e-9, "{have:?} {want}");
    near(
        cost("openai", "gpt-5-mini", usage(1_000_000, 1_000_000, Some(400_000), Some(3))),
        0.15 + 0.01 + 2.0 + 0.03,
    );
    near(cost("anthropic", "claude-haiku-4-5", usage(1_000_000, 0, Some(400_000), None)), 1.0 + 0.04);
    let mut written = usage(0, 0, None, None);
    written.extra.insert("cache_write_tokens".into(), 1_000_000.into());
    near(cost("anthropic", "claude-haiku-4-5", written), 1.25);
    near(cost("openai", "gpt-5.4", usage(300_000, 1_000_000, None, None)), 1.5 + 22.5);
    near(cost("openai", "gpt-5.4", usage(272_000, 0, None, None)), 0.68);
    near(cost("anthropic", "claude-haiku-5-5", usage(50_000, 0, Some(60_000), None)), 0.025 + 0.003);
    near(cost("openai", "gpt-4o-mini", usage(0, 0, None, Some(1))), 0.01 + 0.0012);
    assert_eq!(cost("openai", "gpt-6.1-terra", usage(1, 1, None, None)), None, "no price is known");
    assert_eq!(cost("openai", "gpt-4o", Usage::default()), None, "no count is known");
    let model = models.find("openai", "gpt-5-mini").unwrap();
    let without = model.estimate(&Ask::new("gpt-5-mini", Condition::NoSearch, "Who?")).unwrap();
    let with = model.estimate(&Ask::new("gpt-5-mini", Condition::WithSearch, "Who?")).unwrap();
    assert!(without > 0.0 && with > without + 0.02, "{without} {with}");
}

#[test]
fn ends_are_warned_of_in_time() {
    let models = Models::built_in();
    let model = models.find("openai", "gpt-5-mini-2025-08-07").unwrap();
    assert_eq!(model.warning(date(2026, 9, 11)), None);
    assert_eq!(
        model.warning(date(2026, 9, 12)).unwrap(),
        "gpt-5-mini will be shut down on 2026-12-11, in 90 days"
    );
    assert_eq!(
        model.warning(date(2026, 12, 10)).unwrap(),
        "gpt-5-mini will be shut down tomorrow, on 2026-12-11"
    );
    assert_eq!(model.warning(date(2027, 1, 1)).unwrap(), "gpt-5-mini was to be shut down on 2026-12-11");
    assert_eq!(models.find("anthropic", "claude-haiku-4-5").unwrap().warning(date(2030, 1, 1)), None);
}

#[test]
fn a_file_of_one_s_own_adds_and_replaces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("models.toml");
    assert_eq!(Models::load(Some(&path)).unwrap(), Models::built_in(), "no file is no fault");
    std::fs::write(
        &path,
        "read = \"2027-01-02\"\n[[model]]\nid = \"gpt-5-mini\"\nprovider = \"openai\"\ninput = 9.0\noutput = 9.0\n\
         [[server]]\nname = \"box\"\ndialect = \"anthropic\"\nbase_url = \"http://localhost:1234\"\n\
         [[preset]]\nname = \"mine\"\ntitle = \"t\"\nprovider = \"openai\"\nmodel = \"m\"\ndefault = true\n",
    )
    .unwrap();
    let models = Models::load(Some(&path)).unwrap();
    let mini = models.find("openai", "gpt-5-mini").unwrap();
    assert_eq!((mini.input, mini.read), (Some(9.0), Some(date(2027, 1, 2))));
    assert_eq!(models.models.len(), Models::built_in().models.len());
    assert_eq!(models.default_of("openai").unwrap().name, "mine");
    let server = models.endpoint("box", &|_| None).unwrap();
    assert_eq!((server.dialect, server.is_ready()), (Dialect::Anthropic, true));
    assert!(models.endpoint("openai", &|_| None).is_some() && models.endpoint("nobody", &|_| None).is_none());
    std::fs::write(&path, "[[model]]\nid = \"a\"\nprovider = 3\n").unwrap();
    let e = Models::load(Some(&path)).unwrap_err();
    assert_eq!(e.line, Some(3));
    assert!(e.to_string().contains("models.toml:3: "), "{e}");
}

#[test]
fn prompts_fit_split_and_condition_and_what_they_ask_for_is_read() {
    let id = |split, condition| prompt_for(Style::ByCondition, split, condition).id;
    assert_eq!(id(Some("static"), Condition::NoSearch), "static-no-search");
    assert_eq!(id(None, Condition::WithSearch), "static-with-search");
    assert_eq!(id(Some("static"), Condition::EvidenceBlocked), "static-with-search");
    assert_eq!(id(Some("Dynamic"), Condition::WithSearch), "dynamic");
    assert_eq!(prompt_for(Style::TwoLines, Some("dynamic"), Condition::NoSearch).id, "two-lines");
    for prompt in PROMPTS {
        assert_eq!(prompt.text.matches("{question}").count(), 1, "{}", prompt.id);
        let spoken = parse_answer(prompt.text);
        assert_eq!(
            spoken.confidence, None,
            "{}: a model that repeats the prompt has stated nothing",
            prompt.id
        );
        assert_eq!(Style::parse(Style::TwoLines.name()), Some(Style::TwoLines));
    }
    assert_eq!(fill("A {question} B\n", "what is {question}?"), "A what is {question}? B");
    assert_eq!(fill("Be short.", "Who?"), "Be short.\n\nWho?");
    assert_eq!(fill("", "Who?"), "Who?");
    for (text, answer) in [
        ("{\"answer\": \"1981\", \"confidence\": 0.92}", "1981"),
        ("1981 ([a.org](https://a.org?utm_source=openai))\nConfidence: 92%", "1981"),
        ("I thought about it.\n\n**Answer:** 1981\n**Confidence:** 92%", "1981"),
    ] {
        let spoken = parse_answer(text);
        assert_eq!((spoken.answer.as_deref(), spoken.confidence), (Some(answer), Some(0.92)), "{text}");
    }
}
