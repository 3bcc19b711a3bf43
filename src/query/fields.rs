//! The fields of the filter language: names, kinds, help. The help page and the docs are made from here.

use std::fmt::Write as _;

use crate::record::Condition;

/// A field as a filter names it: `conf`, `answer.with`, `meta.difficulty`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// Which.
    pub base: Base,
    /// The side asked for by a suffix; `None` is what the field's help says. Only where [`FieldInfo::sides`].
    pub side: Option<Condition>,
    /// NAME of `meta.NAME`; empty for every other field.
    pub name: String,
}

impl From<Base> for Field {
    fn from(base: Base) -> Self {
        Self { base, side: None, name: String::new() }
    }
}

impl Field {
    /// A field of one side: `answer.with`.
    pub fn of(base: Base, side: Condition) -> Self {
        Self { side: Some(side), ..base.into() }
    }

    /// What is known of it.
    pub fn info(&self) -> &'static FieldInfo {
        self.base.info()
    }

    /// The kind of its values.
    pub fn kind(&self) -> Kind {
        self.info().kind
    }

    /// Whether it has names that `==` tells apart by their spelling: those that make groups, and their like.
    pub const fn has_exact(&self) -> bool {
        use Base::{Model, Provider, Run, Source, Split, Topic};
        matches!(self.base, Model | Provider | Run | Source | Split | Topic)
    }
}

/// The fields without their suffixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is described in FIELDS")]
pub enum Base {
    Id,
    Question,
    Ref,
    Answer,
    Query,
    Split,
    Topic,
    KeyDate,
    Model,
    Provider,
    Run,
    Condition,
    Attempt,
    Transition,
    Outcome,
    Verdict,
    Conf,
    Dconf,
    Calls,
    Latency,
    Cost,
    Tokens,
    Stop,
    Error,
    Source,
    Scorer,
    Near,
    Disagrees,
    Url,
    Domain,
    Text,
    Code,
    Primary,
    Note,
    Review,
    Meta,
}

impl Base {
    /// What is known of it.
    pub fn info(self) -> &'static FieldInfo {
        // The table has every base (a test says so), hence the fallback is never taken.
        FIELDS.iter().find(|f| f.base == self).unwrap_or(&META)
    }
}

/// What a number counts, and so how it may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// 0 to 1; `80%` is 0.8.
    Share,
    /// −1 to 1; `-5%` is −0.05.
    Change,
    /// Things; `2k` is 2,000 and `1M` 1,000,000.
    Count,
    /// Milliseconds; `2s`, `1.5min`, `500ms` too.
    Millis,
    /// US dollars; `$0.01` too.
    Dollars,
}

/// The kind of a field's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Free text: `:` substring, `=` the whole, `~/…/`.
    Text,
    /// One of the names in the files: as [`Kind::Text`], and completed with counts.
    Name,
    /// A date as `2024`, `2024-09` or `2024-09-30`: as [`Kind::Name`], and `<`, `a..b`.
    Date,
    /// A number: `:` and `=` equality or range, and `<`.
    Number(Unit),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Whatever the file has: text, or number where both sides are numbers.
    Meta,
}

/// A field's documentation.
#[derive(Debug, Clone, Copy)]
pub struct FieldInfo {
    /// As written, without suffix.
    pub name: &'static str,
    /// Other spellings that are understood.
    pub also: &'static [&'static str],
    /// Which.
    pub base: Base,
    /// The kind of its values.
    pub kind: Kind,
    /// Whether `.no`, `.with` and `.blocked` may follow.
    pub sides: bool,
    /// One line.
    pub help: &'static str,
    /// A filter with it.
    pub example: &'static str,
}

/// The suffixes that name a side.
pub const SIDES: [(&str, Condition); 3] =
    [("no", Condition::NoSearch), ("with", Condition::WithSearch), ("blocked", Condition::EvidenceBlocked)];

/// The words of `condition`, by the number of the [`Condition`].
const CONDITIONS: &[&str] = &["no_search", "with_search", "evidence_blocked"];
/// The words of `transition`, by the number of the [`crate::record::Transition`].
const TRANSITIONS: &[&str] =
    &["corrected", "preserved", "broken", "unresolved", "not_searched", "unpaired", "incomplete"];
/// The words of `outcome`.
const OUTCOMES: &[&str] = &["harmful", "beneficial", "flipped"];
/// The words of `verdict`, by the number of the [`crate::record::Verdict`].
const VERDICTS: &[&str] = &["right", "wrong", "ungraded", "error", "truncated", "refused", "paused"];
/// The words of `scorer`, by the number of the [`crate::record::Scorer`].
const SCORERS: &[&str] = &["recorded", "strict", "normalized", "contains"];
/// The words of `review`.
const REVIEWS: &[&str] = &["coded", "deferred", "reviewed", "open", "disputed"];
/// The words of yes-or-no fields.
const YES_NO: &[&str] = &["yes", "no"];

const fn field(
    name: &'static str,
    base: Base,
    kind: Kind,
    sides: bool,
    help: &'static str,
    example: &'static str,
) -> FieldInfo {
    FieldInfo { name, also: &[], base, kind, sides, help, example }
}

const META: FieldInfo = field(
    "meta",
    Base::Meta,
    Kind::Meta,
    false,
    "any other field of question or attempt, meta.outer.inner too; read from the records",
    "meta.difficulty>=3",
);

/// Every field, in the order of the help page.
pub static FIELDS: &[FieldInfo] = &[
    field("id", Base::Id, Kind::Text, false, "the question's id", "id:Q4S1C3R5"),
    FieldInfo {
        also: &["question"],
        ..field("q", Base::Question, Kind::Text, false, "the question's text", "q:\"prime minister\"")
    },
    FieldInfo {
        also: &["reference", "references", "refs"],
        ..field("ref", Base::Ref, Kind::Text, false, "any accepted answer", "ref=1981")
    },
    field("answer", Base::Answer, Kind::Text, true, "the answer, of any side", "answer.with:unknown"),
    FieldInfo {
        also: &["queries"],
        ..field("query", Base::Query, Kind::Text, true, "any search query", "query~/\\b(19|20)\\d\\d\\b/")
    },
    field("split", Base::Split, Kind::Name, false, "the split of the question", "split:static"),
    field("topic", Base::Topic, Kind::Name, false, "the topic of the question", "topic=sport"),
    field(
        "key_date",
        Base::KeyDate,
        Kind::Date,
        false,
        "the date that the answer hangs on",
        "key_date:2020..2024",
    ),
    field("model", Base::Model, Kind::Name, false, "the model's name", "model:haiku"),
    field("provider", Base::Provider, Kind::Name, true, "the provider", "provider:openai"),
    field("run", Base::Run, Kind::Name, true, "the run's id, of any side", "run=2026-01-15"),
    field(
        "condition",
        Base::Condition,
        Kind::Choice(CONDITIONS),
        false,
        "there is an attempt under this condition",
        "condition:evidence_blocked",
    ),
    field(
        "attempt",
        Base::Attempt,
        Kind::Number(Unit::Count),
        false,
        "the number of the attempt, from 1",
        "attempt:1",
    ),
    FieldInfo {
        also: &["t"],
        ..field(
            "transition",
            Base::Transition,
            Kind::Choice(TRANSITIONS),
            false,
            "what search did to the answer, under the chosen scorer",
            "transition:broken",
        )
    },
    field(
        "outcome",
        Base::Outcome,
        Kind::Choice(OUTCOMES),
        false,
        "harmful is broken or unresolved, beneficial corrected or preserved, flipped broken or corrected",
        "outcome:harmful",
    ),
    field(
        "verdict",
        Base::Verdict,
        Kind::Choice(VERDICTS),
        true,
        "the verdict under the chosen scorer, of any side",
        "verdict.with:wrong",
    ),
    FieldInfo {
        also: &["confidence"],
        ..field(
            "conf",
            Base::Conf,
            Kind::Number(Unit::Share),
            true,
            "stated confidence; without suffix that of the no-search side",
            "conf:0.8..1",
        )
    },
    field(
        "dconf",
        Base::Dconf,
        Kind::Number(Unit::Change),
        false,
        "confidence with search minus confidence without",
        "dconf>=0.2",
    ),
    FieldInfo {
        also: &["searches"],
        ..field(
            "calls",
            Base::Calls,
            Kind::Number(Unit::Count),
            true,
            "search calls; without suffix those of the with-search side",
            "calls>=2",
        )
    },
    field(
        "latency",
        Base::Latency,
        Kind::Number(Unit::Millis),
        true,
        "time of the request; without suffix that of the with-search side, else of the other",
        "latency>20s",
    ),
    field(
        "cost",
        Base::Cost,
        Kind::Number(Unit::Dollars),
        true,
        "cost in US dollars; without suffix that of the with-search side, else of the other",
        "cost>$0.05",
    ),
    field(
        "tokens",
        Base::Tokens,
        Kind::Number(Unit::Count),
        true,
        "tokens in and out; without suffix those of the with-search side, else of the other",
        "tokens>10k",
    ),
    field(
        "stop",
        Base::Stop,
        Kind::Name,
        true,
        "why the model stopped, in the provider's word",
        "stop:max_tokens",
    ),
    field("error", Base::Error, Kind::Name, true, "kind or message of an error", "error:rate"),
    field("source", Base::Source, Kind::Name, true, "where an attempt comes from", "source:simulated"),
    field(
        "scorer",
        Base::Scorer,
        Kind::Choice(SCORERS),
        true,
        "an answer that this scorer accepts, whatever the chosen one says",
        "verdict.with:wrong scorer.with:contains",
    ),
    field(
        "near",
        Base::Near,
        Kind::Choice(YES_NO),
        false,
        "an answer that the chosen scorer rejects and another accepts",
        "near:yes",
    ),
    field(
        "disagrees",
        Base::Disagrees,
        Kind::Choice(YES_NO),
        false,
        "an answer whose recorded verdict is not ours",
        "disagrees:yes",
    ),
    field(
        "url",
        Base::Url,
        Kind::Text,
        true,
        "any address found, opened or cited; read from the records, diacritics count",
        "url:wikipedia.org/wiki",
    ),
    field(
        "domain",
        Base::Domain,
        Kind::Text,
        true,
        "the host of any address, without www.; read from the records",
        "domain=en.wikipedia.org",
    ),
    FieldInfo {
        also: &["codes"],
        ..field("code", Base::Code, Kind::Name, false, "a code that a person gave the row", "code:bad-query")
    },
    field(
        "primary",
        Base::Primary,
        Kind::Name,
        false,
        "the primary one of the codes: what went wrong first",
        "primary=over-trust",
    ),
    FieldInfo {
        also: &["notes"],
        ..field("note", Base::Note, Kind::Name, false, "what a person wrote about the row", "note:unsure")
    },
    field(
        "review",
        Base::Review,
        Kind::Choice(REVIEWS),
        false,
        "coded or noted, left for later, its verdict reviewed, none of them; people's primary codes differ",
        "review:disputed",
    ),
    field(
        "text",
        Base::Text,
        Kind::Text,
        false,
        "anything in the stored records, raw text and titles too; diacritics count there",
        "text:\"as of my knowledge\"",
    ),
    META,
];

/// The grammar in short: what is written, and what it means. Shown above the fields on the help page.
pub static GRAMMAR: &[(&str, &str)] = &[
    ("word", "in question, answers, references or queries; case and diacritics do not matter"),
    ("\"a phrase\"", "the same for several words; \\\" is a quote, \\\\ a backslash"),
    ("~/regex/", "the same for a regular expression"),
    ("field:value", "text fields contain it; numbers equal it; names contain it"),
    ("field=value", "equals it; != has another value; == a name spelt just so, and of run the row's own"),
    ("field>=0.8", "also <, <=, >, for numbers and dates"),
    ("field:0.3..0.7", "from, to, both included; 0.8.. and ..0.3 are open"),
    ("field:a,b", "any of them"),
    ("field~/regex/", "matches it"),
    ("field:none", "has no value; every other test fails where there is none"),
    ("a b, a and b", "both"),
    ("a or b", "any; binds weaker than and"),
    ("not a, -a, !a", "everything that a leaves out"),
    ("( )", "groups"),
];

/// Everything about the language as Markdown, for the docs.
pub fn describe() -> String {
    let mut out = String::from("| written | means |\n|---|---|\n");
    let cell = |s: &str| s.replace('|', "\\|");
    for (form, meaning) in GRAMMAR {
        let _ = writeln!(out, "| `{}` | {} |", cell(form), cell(meaning));
    }
    out.push_str("\n| field | means | example |\n|---|---|---|\n");
    for f in FIELDS {
        let sides = if f.sides { " `.no` `.with` `.blocked`" } else { "" };
        let words = match f.kind {
            Kind::Choice(words) => format!(" ({})", words.join(", ")),
            _ => String::new(),
        };
        let _ = writeln!(out, "| `{}`{sides} | {}{words} | `{}` |", f.name, cell(f.help), cell(f.example));
    }
    out
}
