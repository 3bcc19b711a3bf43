//! How often a suggestion is right, on the sample, whose simulated causes are known.

use std::collections::{BTreeMap, HashMap};

use lookitup::record::{Attempt, Condition, Question, Scorer, SearchCall};
use lookitup::review::{Neighbours, Sign, Trace, suggest};
use serde_json::Value;

use super::common::{beside, root};

fn lines<T: serde::de::DeserializeOwned>(path: &std::path::Path) -> Vec<T> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

/// What the sample was made of, for one question.
struct Cause(Value);

impl Cause {
    fn texts(&self, name: &str) -> Vec<&str> {
        self.0[name].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    fn wrong(&self) -> impl Iterator<Item = (&str, &str)> {
        let list = self.0["wrong"].as_array().into_iter().flatten();
        list.filter_map(|w| Some((w["answer"].as_str()?, w["cause"].as_str()?)))
    }

    fn of(&self, answer: &str) -> Option<&str> {
        self.wrong().find(|(a, _)| *a == answer).map(|(_, cause)| cause)
    }
}

/// Whether a suggestion is right; `None` where the sample has no other truth than what the sign itself is made of.
fn is_right(sign: Sign, cause: &Cause, with: &Attempt) -> Option<bool> {
    let answer = with.answer.as_deref().unwrap_or_default();
    let queries: Vec<&str> = with.search_calls.iter().flat_map(SearchCall::all_queries).collect();
    let weak = cause.texts("query_weak");
    match sign {
        Sign::LostTime => Some(queries.iter().any(|q| weak.contains(q))),
        Sign::Seeded => Some(queries.iter().any(|q| {
            weak.contains(q) && cause.wrong().any(|(a, _)| a.split(' ').any(|w| w.len() > 3 && q.contains(w)))
        })),
        Sign::Rephrased => Some(queries.iter().filter(|q| weak.contains(q)).count() > 1),
        Sign::StalePage => {
            let times = ["stale", "predecessor", "successor", "near_miss_date", "acting_holder"];
            Some(cause.of(answer).is_some_and(|c| times.contains(&c)))
        }
        Sign::Neighbour => {
            Some(cause.of(answer).is_some_and(|c| c != "near_miss_date" && c != "over_specific"))
        }
        Sign::FormatMiss => Some(cause.texts("format_miss").contains(&answer)),
        // The sample's references are right.
        Sign::BothAgree => Some(false),
        _ => None,
    }
}

#[test]
fn precision_of_suggestions_on_the_sample() {
    let Some(path) = beside("starter/ingredients.jsonl") else { return };
    let causes: HashMap<String, Cause> =
        lines::<Value>(&path).into_iter().map(|v| (v["id"].as_str().unwrap().to_owned(), Cause(v))).collect();
    let mut questions: Vec<Question> = lines(&root().join("data/static.jsonl"));
    questions.extend(lines::<Question>(&root().join("data/dynamic.jsonl")));
    let attempts: Vec<Attempt> = lines(&root().join("results/sample.results.jsonl"));
    let neighbours = Neighbours::new(&questions);
    let by_id: HashMap<&str, &Question> = questions.iter().map(|q| (q.id.as_str(), q)).collect();
    let mut pairs: BTreeMap<(&str, &str, u32), [Option<&Attempt>; 2]> = BTreeMap::new();
    for a in attempts.iter().filter(|a| a.condition != Condition::EvidenceBlocked) {
        pairs.entry((&a.question_id, &a.model, a.attempt)).or_default()[a.condition as usize] = Some(a);
    }
    // Suggested, of them judged, of them right; rows of which the truth holds, suggested or not.
    let mut table: BTreeMap<Sign, [usize; 4]> = BTreeMap::new();
    let mut rows = 0;
    for ((id, ..), [no, with]) in &pairs {
        let (Some(question), Some(cause), Some(attempt)) = (by_id.get(id), causes.get(*id), with) else {
            continue;
        };
        let trace = Trace::new(question, *no, *with, Scorer::Normalized);
        let found = suggest(&trace, &neighbours);
        if trace.right[1] == Some(true) {
            assert_eq!(found, []);
            continue;
        }
        rows += 1;
        for sign in Sign::ALL {
            let line = table.entry(sign).or_default();
            let truth = is_right(sign, cause, attempt);
            let hit = found.iter().find(|s| s.sign == sign);
            line[3] += usize::from(truth == Some(true));
            if let Some(hit) = hit {
                assert!(!hit.evidence.is_empty() && !hit.evidence.contains('\n'));
                line[0] += 1;
                line[1] += usize::from(truth.is_some());
                line[2] += usize::from(truth == Some(true));
                if std::env::var_os("LOOKITUP_SHOW").is_some() {
                    println!("{sign:?} {truth:?} {id} {}", hit.evidence);
                }
            }
        }
    }
    println!("{rows} rows not right with search");
    println!("{:44} {:>9} {:>6} {:>6} {:>6}", "sign", "suggested", "judged", "right", "of");
    for (sign, [suggested, judged, right, of]) in &table {
        println!("{:44} {suggested:>9} {judged:>6} {right:>6} {of:>6}", sign.name());
    }
    // What is right by more than its own definition stays so.
    for (sign, least) in
        [(Sign::LostTime, 0.9), (Sign::Rephrased, 0.9), (Sign::FormatMiss, 0.9), (Sign::Seeded, 0.9)]
    {
        let [_, judged, right, _] = table[&sign];
        assert!(judged > 0 && right as f64 >= least * judged as f64, "{sign:?}: {right} of {judged}");
    }
}
