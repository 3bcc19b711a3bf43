//! The arguments, as clap reads them.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};

use crate::record::Errors;
use crate::record::{Condition, Scorer};
use crate::view::Column;

pub use super::rows_args::{ExportArgs, ExportFormat, ListArgs, ListFormat};

/// `lookitup` and what stands behind it.
#[derive(Debug, Parser)]
#[command(
    name = "lookitup",
    version,
    about = "Terminal workbench for error analysis of search-augmented LLM evaluations",
    long_about = "Opens result files, joins what a model answered without and with its web search, and shows what \
                  search did to each question. Without PATH: ./results and ./data when they hold anything, else \
                  the sample compiled in (its run is simulated).",
    after_help = SCREEN_EXAMPLES,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// What to do; the screen when nothing is named.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The screen's arguments.
    #[command(flatten)]
    pub screen: ScreenArgs,
}

const SCREEN_EXAMPLES: &str = "\
Examples:
  lookitup                                   the sample, or what ./results and ./data hold
  lookitup results/ data/                    folders; files are joined by question id
  lookitup nosearch.eval search.eval         two Inspect logs side by side
  lookitup --as no_search=a.jsonl --as with_search=b.jsonl
  lookitup run.jsonl --filter 'transition:broken conf>=0.9' --sort -conf
  lookitup run.jsonl --open Q4S1C3R5:2       straight to the second attempt of a question";

/// The sub-commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the rows, a row a pair, for scripts
    List(ListArgs),
    /// Print one question with everything
    Show(ShowArgs),
    /// Write the attempts behind the rows to a file that can be read again
    Export(ExportArgs),
    /// Write every figure: Markdown, CSV, JSON, SVG or one HTML page
    Report(super::report::ReportArgs),
    /// Count what people found to have gone wrong
    Codes(super::codes::CodesArgs),
    /// Write the coded rows, verdicts and added answers: a spreadsheet, a page, JSON lines, a patch
    Notes(super::notes::NotesExportArgs),
    /// Compare what two people coded: agreement, kappa, AC1, and the rows to settle
    Agreement(super::agreement::AgreementArgs),
    /// Ask a model a question, stored or new, and keep its answer
    Ask(AskArgs),
    /// List the models, their prices and ends
    Models(ModelsArgs),
    /// Look for contradictions in the files; exit 1 when there are any
    Check(CheckArgs),
    /// List the themes, or show one
    Themes(ThemesArgs),
    /// Print every key
    Keys(KeysArgs),
    /// Print a configuration file with every setting, its meaning and its default
    #[command(after_help = "Examples:\n  lookitup config > ~/.config/lookitup/config.toml")]
    Config,
    /// Tell what this terminal can do and what is set up
    Doctor(DoctorArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// What is opened.
#[derive(Debug, Clone, Default, Args)]
pub struct InputArgs {
    /// Files and folders with results and questions; formats are recognised by content
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// Judge a file's attempts as asked under CONDITION (no_search, with_search, evidence_blocked); may be repeated
    #[arg(long = "as", value_name = "CONDITION=FILE", value_parser = condition_file, help_heading = "Input")]
    pub conditions: Vec<(Condition, PathBuf)>,
}

/// How answers are judged.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct JudgeArgs {
    /// How answers are compared with references
    #[arg(long, value_name = "SCORER", default_value = "normalized", value_parser = scorer(), help_heading = "Judging")]
    pub scorer: Scorer,
}

/// The screen's arguments.
#[derive(Debug, Clone, Default, Args)]
pub struct ScreenArgs {
    /// What is opened.
    #[command(flatten)]
    pub input: InputArgs,
    /// Don't look for lines that are added while the file is open
    #[arg(long, help_heading = "Input")]
    pub no_follow: bool,
    /// Start with this filter
    #[arg(long, short, value_name = "EXPR", allow_hyphen_values = true, help_heading = "Rows")]
    pub filter: Option<String>,
    /// Start with this order: fields, the first counts most, '-' for descending
    #[arg(long, short, value_name = "KEY,-KEY", allow_hyphen_values = true, help_heading = "Rows")]
    pub sort: Option<String>,
    /// Start at this question, at this attempt of it
    #[arg(long, value_name = "ID[:ATTEMPT]", help_heading = "Rows")]
    pub open: Option<String>,
    /// How answers are compared with references [default: as last time, else normalized]
    #[arg(long, value_name = "SCORER", value_parser = scorer(), help_heading = "Judging")]
    pub scorer: Option<Scorer>,
    /// Leave attempts in error out of accuracy, or count them as wrong [default: as last time, else drop]
    #[arg(long, value_name = "HOW", value_parser = errors(), help_heading = "Judging")]
    pub errors: Option<Errors>,
    /// Theme by name
    #[arg(long, value_name = "NAME", help_heading = "Screen")]
    pub theme: Option<String>,
    /// Leave the mouse to the terminal
    #[arg(long, help_heading = "Screen")]
    pub no_mouse: bool,
    /// Read this configuration file instead of the usual one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Screen")]
    pub config: Option<PathBuf>,
    /// Neither read nor keep selection, filter, order and columns of last time
    #[arg(long, help_heading = "Screen")]
    pub no_state: bool,
}

/// `show`.
#[derive(Debug, Args)]
#[command(after_help = SHOW_EXAMPLES)]
pub struct ShowArgs {
    /// Question id; with :ATTEMPT only that attempt
    #[arg(value_name = "ID[:ATTEMPT]")]
    pub id: String,
    /// What is opened.
    #[command(flatten)]
    pub input: InputArgs,
    /// How it is judged.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// How it is printed
    #[arg(long, value_name = "FORMAT", default_value = "md", value_enum, help_heading = "Output")]
    pub format: ShowFormat,
}

const SHOW_EXAMPLES: &str = "\
Examples:
  lookitup show Q4S1C3R5                     from ./results and ./data, or the sample
  lookitup show Q4S1C3R5:2 run.jsonl         the second attempt only
  lookitup show Q4S1C3R5 run.jsonl --format json | jq '.pairs[].with.search_calls[].query'";

/// How `show` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    /// A Markdown page
    #[value(alias = "markdown")]
    Md,
    /// One JSON object, the attempts whole
    Json,
}

/// `check`.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// What is opened.
    #[command(flatten)]
    pub input: InputArgs,
    /// Test the figures that a publication prints, written down in FILE, instead of results (data/paper.toml is one)
    #[arg(long, value_name = "FILE.toml", value_hint = ValueHint::FilePath, help_heading = "Input")]
    #[arg(conflicts_with_all = ["paths", "conditions"])]
    pub tables: Option<PathBuf>,
    /// How it is judged.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// How findings are printed
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, help_heading = "Output")]
    pub format: CheckFormat,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  lookitup check results/ data/
  lookitup check run.jsonl questions.jsonl --format json | jq '.findings[].kind'
  lookitup check --tables data/paper.toml
Exit code: 0 nothing contradicts, 1 something does, 3 nothing could be read.";

/// How `check` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// A line a finding
    Text,
    /// One JSON object (data/schema/check.schema.json)
    Json,
}

/// `ask`.
#[derive(Debug, Args)]
#[command(after_help = ASK_EXAMPLES)]
pub struct AskArgs {
    /// The question's id
    #[arg(conflicts_with = "question")]
    pub id: Option<String>,
    /// What is opened.
    #[command(flatten)]
    pub input: InputArgs,
    /// Ask this question, which is in no file
    #[arg(long, value_name = "TEXT", help_heading = "Question")]
    pub question: Option<String>,
    /// An accepted answer; may be repeated
    #[arg(long = "reference", value_name = "R", help_heading = "Question")]
    pub references: Vec<String>,
    /// Whom to ask: openai, anthropic, replay (the stored answer again), or a server of models.toml
    #[arg(long, value_name = "NAME", help_heading = "Asking")]
    pub provider: Option<String>,
    /// Which model, or the name of a preset [default: the provider's, see `lookitup models`]
    #[arg(long, value_name = "M", help_heading = "Asking")]
    pub model: Option<String>,
    /// Under which condition
    #[arg(long, value_enum, default_value_t = Wanted::WithSearch, help_heading = "Asking")]
    pub condition: Wanted,
    /// Searches that the model may make [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100), help_heading = "Asking")]
    pub max_searches: Option<u32>,
    /// How often to ask
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Asking")]
    pub repeat: u32,
    /// The prompt, with {question} where the question goes; - reads it from standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Asking")]
    pub prompt: Option<PathBuf>,
    /// Which of the prompts that ship
    #[arg(long, value_name = "STYLE", default_value = "by-condition", value_parser = PossibleValuesParser::new(["by-condition", "two-lines"]), help_heading = "Asking")]
    pub style: String,
    /// A domain that searches leave out under evidence_blocked, in place of those that the stored answer cites; may be repeated
    #[arg(long, value_name = "DOMAIN", help_heading = "Asking")]
    pub block: Vec<String>,
    /// Wait for the whole answer instead of having it arrive as it is written
    #[arg(long, help_heading = "Asking")]
    pub no_stream: bool,
    /// Print nothing but the records, one a line (data/schema/attempt.schema.json)
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Add the records to this file [default: ./results, else the user's data folder]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "no_save", help_heading = "Output")]
    pub save: Option<PathBuf>,
    /// Keep nothing
    #[arg(long, help_heading = "Output")]
    pub no_save: bool,
    /// How it is judged.
    #[command(flatten)]
    pub judge: JudgeArgs,
}

const ASK_EXAMPLES: &str = "\
Examples:
  lookitup ask Q4S1C3R5 --provider replay           the stored answer again; needs no key
  lookitup ask Q4S1C3R5 run.jsonl --condition both  a new pair, added beside the stored ones
  lookitup ask Q4S1C3R5 --condition evidence_blocked --repeat 5
  lookitup ask --question 'Who won?' --reference Ann --json --no-save
Keys come from OPENAI_API_KEY and ANTHROPIC_API_KEY, base URLs from OPENAI_BASE_URL and ANTHROPIC_BASE_URL.
Exit code: 0 done, 1 an attempt failed, 4 the provider refused or could not be reached, 130 interrupted.";

/// Which conditions are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Wanted {
    /// Without search
    NoSearch,
    /// With search
    WithSearch,
    /// Without, then with
    Both,
    /// With search, but without the domains that the stored answer leaned on
    EvidenceBlocked,
}

/// `models`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lookitup models
  lookitup models --provider anthropic
  lookitup models --format json | jq '.models[] | select(.warning)'")]
pub struct ModelsArgs {
    /// Only those of this provider
    #[arg(long, value_name = "NAME")]
    pub provider: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = ModelsFormat::Table)]
    pub format: ModelsFormat,
}

/// How `models` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModelsFormat {
    /// A line a model
    Table,
    /// One JSON object
    Json,
}

/// `themes`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  lookitup themes
  lookitup themes show NAME > ~/.config/lookitup/themes/mine.toml"
)]
pub struct ThemesArgs {
    /// What to do; list them when nothing is named.
    #[command(subcommand)]
    pub command: Option<ThemesCommand>,
    /// Read this configuration file instead of the usual one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
}

/// `themes …`.
#[derive(Debug, Subcommand)]
pub enum ThemesCommand {
    /// List them: name, light or dark, where it comes from
    #[command(after_help = "Examples:\n  lookitup themes list")]
    List,
    /// Print one as TOML, to start one of your own from
    #[command(after_help = "Examples:\n  lookitup themes show NAME")]
    Show {
        /// Theme by name
        name: String,
    },
}

/// `keys`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lookitup keys
  lookitup keys --markdown
  lookitup keys --config mine.toml           with that file's bindings")]
pub struct KeysArgs {
    /// Print Markdown tables
    #[arg(long)]
    pub markdown: bool,
    /// Read this configuration file instead of the usual one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
}

/// `doctor`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lookitup doctor
  lookitup doctor --config mine.toml         check that file
  lookitup doctor --online                   ask both providers' hosts whether they answer")]
pub struct DoctorArgs {
    /// Ask the providers' hosts whether they answer; sends no key
    #[arg(long)]
    pub online: bool,
    /// Read this configuration file instead of the usual one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub config: Option<PathBuf>,
}

/// `completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lookitup completions bash > ~/.local/share/bash-completion/completions/lookitup
  lookitup completions zsh > ~/.zfunc/_lookitup
  lookitup completions fish > ~/.config/fish/completions/lookitup.fish")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

fn condition_file(text: &str) -> Result<(Condition, PathBuf), String> {
    let (word, file) =
        text.split_once('=').ok_or("write it as CONDITION=FILE, for example no_search=a.eval")?;
    let condition = Condition::parse(word)
        .ok_or_else(|| format!("'{word}' is no condition: no_search, with_search or evidence_blocked"))?;
    if file.is_empty() {
        return Err("no file after '='".to_owned());
    }
    Ok((condition, PathBuf::from(file)))
}

fn scorer() -> impl TypedValueParser<Value = Scorer> {
    PossibleValuesParser::new(Scorer::ALL.map(Scorer::name))
        .map(|word| Scorer::parse(&word).unwrap_or_default())
}

pub(super) fn errors() -> impl TypedValueParser<Value = Errors> {
    PossibleValuesParser::new(["drop", "wrong"])
        .map(|word| if word == "wrong" { Errors::Wrong } else { Errors::Drop })
}

pub(super) fn column() -> impl TypedValueParser<Value = Column> {
    let names = Column::ALL.map(Column::id).into_iter().chain(["q", "ref", "refs", "answer"]);
    PossibleValuesParser::new(names.map(|name| {
        let value = clap::builder::PossibleValue::new(name);
        // The filter's short names work too, yet would only lengthen the list in the help.
        if Column::ALL.iter().any(|c| c.id() == name) { value } else { value.hide(true) }
    }))
    .try_map(|word| Column::parse(&word).ok_or("no such column"))
}
