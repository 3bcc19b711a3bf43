//! The columns that a list can have.

/// A column of the list, of `lookitup list` and of its CSV.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Column {
    /// What search did: glyph and word.
    Transition,
    /// Question id.
    Id,
    /// The question's text.
    Question,
    /// Accepted answers.
    References,
    /// Answer without search, its verdict before it.
    AnswerNo,
    /// Answer with search, its verdict before it.
    AnswerWith,
    /// Stated confidence, without → with.
    Conf,
    /// Confidence with minus confidence without.
    Dconf,
    /// Calls of the with-search attempt.
    Calls,
    /// Model.
    Model,
    /// Run.
    Run,
    /// Split.
    Split,
    /// Topic.
    Topic,
    /// Date that the answer depends on.
    KeyDate,
    /// Attempt number.
    Attempt,
    /// Seconds, without → with.
    Latency,
    /// US dollars, without → with.
    Cost,
    /// Tokens in and out, without → with.
    Tokens,
    /// Verdicts, without → with.
    Verdict,
    /// Kind of error, without → with.
    Error,
    /// Where the answers come from (`live`, `simulated`, …).
    Source,
    /// Codes that a person gave, the primary one first.
    Codes,
    /// What a person wrote.
    Note,
}

impl Column {
    /// Every column, in the order that a chooser lists them.
    pub const ALL: [Self; 23] = [
        Self::Transition,
        Self::Id,
        Self::Question,
        Self::References,
        Self::AnswerNo,
        Self::AnswerWith,
        Self::Conf,
        Self::Dconf,
        Self::Calls,
        Self::Model,
        Self::Run,
        Self::Split,
        Self::Topic,
        Self::KeyDate,
        Self::Attempt,
        Self::Latency,
        Self::Cost,
        Self::Tokens,
        Self::Verdict,
        Self::Error,
        Self::Source,
        Self::Codes,
        Self::Note,
    ];

    /// The columns of a list that nobody has chosen columns for.
    pub const DEFAULT: [Self; 8] = [
        Self::Transition,
        Self::Id,
        Self::Question,
        Self::AnswerNo,
        Self::AnswerWith,
        Self::Conf,
        Self::Calls,
        Self::Model,
    ];

    /// The name in `--columns`, in the config file and as a CSV head; that of the filter field where there is one.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Transition => "transition",
            Self::Id => "id",
            Self::Question => "question",
            Self::References => "references",
            Self::AnswerNo => "answer.no",
            Self::AnswerWith => "answer.with",
            Self::Conf => "conf",
            Self::Dconf => "dconf",
            Self::Calls => "calls",
            Self::Model => "model",
            Self::Run => "run",
            Self::Split => "split",
            Self::Topic => "topic",
            Self::KeyDate => "key_date",
            Self::Attempt => "attempt",
            Self::Latency => "latency",
            Self::Cost => "cost",
            Self::Tokens => "tokens",
            Self::Verdict => "verdict",
            Self::Error => "error",
            Self::Source => "source",
            Self::Codes => "codes",
            Self::Note => "note",
        }
    }

    /// The names of the plain values that `fields` gives for this column: one, or two where the
    /// list shows `a→b` in one cell.
    pub const fn field_names(self) -> &'static [&'static str] {
        match self {
            Self::Transition => &["transition", "outcome"],
            Self::Id => &["question_id"],
            Self::Question => &["question"],
            Self::References => &["references"],
            Self::AnswerNo => &["answer.no"],
            Self::AnswerWith => &["answer.with"],
            Self::Conf => &["conf.no", "conf.with"],
            Self::Dconf => &["dconf"],
            Self::Calls => &["calls"],
            Self::Model => &["model"],
            Self::Run => &["run"],
            Self::Split => &["split"],
            Self::Topic => &["topic"],
            Self::KeyDate => &["key_date"],
            Self::Attempt => &["attempt"],
            Self::Latency => &["latency_ms.no", "latency_ms.with"],
            Self::Cost => &["cost_usd.no", "cost_usd.with"],
            Self::Tokens => &["tokens.no", "tokens.with"],
            Self::Verdict => &["verdict.no", "verdict.with"],
            Self::Error => &["error.no", "error.with"],
            Self::Source => &["source"],
            Self::Codes => &["codes"],
            Self::Note => &["note"],
        }
    }

    /// Reads an [`id`](Self::id), or the short forms `q`, `ref` and `answer` of the filter language.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "q" => Some(Self::Question),
            "ref" | "refs" => Some(Self::References),
            "answer" => Some(Self::AnswerNo),
            _ => Self::ALL.into_iter().find(|c| c.id() == word),
        }
    }

    /// Reads a column with its width, such as `question:40`; without one the width is found by what there is room for.
    pub fn parse_sized(word: &str) -> Option<(Self, Option<u16>)> {
        match word.rsplit_once(':') {
            None => Self::parse(word).map(|c| (c, None)),
            Some((name, width)) => {
                let width = width.trim().parse().ok().filter(|w| Self::WIDTHS.contains(w))?;
                Self::parse(name.trim()).map(|c| (c, Some(width)))
            }
        }
    }

    /// The widths that a person can give a column.
    pub const WIDTHS: std::ops::RangeInclusive<u16> = 3..=200;

    /// The head of the column.
    pub const fn title(self) -> &'static str {
        match self {
            Self::AnswerNo => "without",
            Self::AnswerWith => "with search",
            Self::Dconf => "Δconf",
            Self::KeyDate => "date",
            Self::Attempt => "try",
            _ => self.id(),
        }
    }

    /// The width that usually holds its cells, in terminal cells.
    pub const fn width_hint(self) -> u16 {
        match self {
            Self::Attempt => 3,
            Self::Calls | Self::Dconf => 5,
            Self::Conf | Self::Verdict => 7,
            Self::Id | Self::Split | Self::KeyDate => 10,
            Self::Tokens | Self::Topic | Self::Source => 12,
            Self::Latency => 13,
            Self::Cost => 15,
            Self::Transition | Self::Run | Self::Error => 16,
            Self::Model => 18,
            Self::AnswerNo | Self::AnswerWith | Self::References | Self::Codes | Self::Note => 24,
            Self::Question => 48,
        }
    }

    /// Whether room to spare goes to this column, and want of room is taken from it first.
    pub const fn grows(self) -> bool {
        matches!(
            self,
            Self::Question | Self::AnswerNo | Self::AnswerWith | Self::References | Self::Codes | Self::Note
        )
    }

    /// Whether its cells stand at the right edge.
    pub const fn right(self) -> bool {
        matches!(self, Self::Dconf | Self::Calls | Self::Attempt)
    }

    /// The field to sort by for this column; `None` where no order makes sense.
    pub const fn sort_field(self) -> Option<&'static str> {
        match self {
            Self::References | Self::Verdict | Self::Error | Self::Source | Self::Codes | Self::Note => None,
            Self::AnswerNo => Some("answer"),
            _ => Some(self.id()),
        }
    }

    /// Whether an order by the field called `name` is one by what this column shows: a column of both sides shows either.
    pub fn shows_order_of(self, name: &str) -> bool {
        self.sort_field() == Some(name) || (self == Self::Conf && name == "conf.with")
    }
}
