//! One model: what it costs, what it refuses, when it ends.

use jiff::civil::Date;
use serde::Deserialize;

use super::{Ask, Dialect};
use crate::record::Usage;

/// Days before a shutdown from which it is warned of.
const NEAR_DAYS: i32 = 90;

/// Tokens that a search adds to the prompt: recorded answers with one search read 8,000 to 18,000.
const TOKENS_A_SEARCH: f64 = 12_000.0;

/// Tokens that an answer to a short question takes, reasoning included: recorded ones wrote 100 to 1,600.
const TOKENS_AN_ANSWER: f64 = 800.0;

/// US dollars per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// Tokens of the prompt from which these prices hold; nothing where they hold always.
    #[serde(default)]
    pub tokens: u64,
    /// Read.
    pub input: f64,
    /// Read from the provider's cache.
    pub cached: f64,
    /// Written.
    pub output: f64,
}

/// One model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Its name at the provider, without the date of a snapshot.
    pub id: String,
    /// The endpoint's name.
    pub provider: String,
    /// US dollars per million tokens read; nothing where no price is known.
    #[serde(default)]
    pub input: Option<f64>,
    /// US dollars per million tokens read from the provider's cache.
    #[serde(default)]
    pub cached: Option<f64>,
    /// US dollars per million tokens written.
    #[serde(default)]
    pub output: Option<f64>,
    /// US dollars per thousand searches.
    #[serde(default)]
    pub search: Option<f64>,
    /// Input tokens billed for each search.
    #[serde(default)]
    pub search_tokens: u64,
    /// Other prices of long prompts.
    #[serde(default)]
    pub above: Option<Prices>,
    /// The day from which it is gone, `YYYY-MM-DD`.
    #[serde(default)]
    pub shutdown: Option<Date>,
    /// Parameters that it refuses; `web_search` where it has none.
    #[serde(default)]
    pub refuses: Vec<String>,
    /// With effort `none` it refuses nothing.
    #[serde(default)]
    pub unless_effort_none: bool,
    /// The day its prices were read; the file's where it has none of its own.
    #[serde(default)]
    pub read: Option<Date>,
}

impl Model {
    /// Whether it refuses a parameter, asked with an effort.
    pub fn refuses(&self, parameter: &str, effort: Option<&str>) -> bool {
        !(self.unless_effort_none && effort == Some("none")) && self.refuses.iter().any(|p| p == parameter)
    }

    fn prices(&self, prompt: u64) -> Option<Prices> {
        let long = self.above.filter(|above| prompt > above.tokens);
        long.or_else(|| {
            let (input, output) = (self.input?, self.output?);
            Some(Prices { tokens: 0, input, cached: self.cached.unwrap_or(input), output })
        })
    }

    /// What an answer cost, US dollars, tokens and searches together; `None` where prices or counts are not known.
    /// Anthropic counts cached tokens beside the input, OpenAI within it.
    pub fn cost(&self, usage: &Usage) -> Option<f64> {
        const MILLION: f64 = 1e6;
        /// Anthropic's factor on the input price for what it writes into its cache for five minutes.
        const WRITING: f64 = 1.25;
        let (input, output) = (usage.input_tokens?, usage.output_tokens?);
        let cached = usage.cached_tokens.unwrap_or(0);
        let apart = self.provider == Dialect::Anthropic.name();
        let written = usage.extra.get("cache_write_tokens").and_then(serde_json::Value::as_u64);
        let written = written.filter(|_| apart).unwrap_or(0);
        let (fresh, prompt) =
            if apart { (input, input + cached + written) } else { (input.saturating_sub(cached), input) };
        let prices = self.prices(prompt)?;
        let searches = usage.search_requests.unwrap_or(0);
        let fresh = fresh + searches * self.search_tokens;
        let tokens = fresh as f64 * prices.input
            + cached as f64 * prices.cached
            + written as f64 * prices.input * WRITING
            + output as f64 * prices.output;
        let search = if searches == 0 { 0.0 } else { searches as f64 * self.search? / 1_000.0 };
        // A billionth of a dollar is below every price; what lies below it is the machine's noise.
        Some(((tokens / MILLION + search) * 1e9).round() / 1e9)
    }

    /// What a question will cost at most by the usual measure, US dollars: every search made that may be. A rough figure;
    /// `None` where prices are not known.
    pub fn estimate(&self, ask: &Ask) -> Option<f64> {
        /// Letters a token, in English.
        const LETTERS: f64 = 4.0;
        let instructions = ask.instructions.as_deref().map_or(0, str::len);
        let searches = if ask.searches() { u64::from(ask.max_searches.max(1)) } else { 0 };
        let input = (ask.prompt.len() + instructions) as f64 / LETTERS + searches as f64 * TOKENS_A_SEARCH;
        self.cost(&Usage {
            input_tokens: Some(input as u64),
            output_tokens: Some(TOKENS_AN_ANSWER as u64),
            search_requests: Some(searches),
            ..Usage::default()
        })
    }

    /// What to say of its end, if that is past or near.
    pub fn warning(&self, today: Date) -> Option<String> {
        let end = self.shutdown?;
        let days = today.until(end).ok()?.get_days();
        match days {
            ..=0 => Some(format!("{} was to be shut down on {end}", self.id)),
            1 => Some(format!("{} will be shut down tomorrow, on {end}", self.id)),
            2..=NEAR_DAYS => Some(format!("{} will be shut down on {end}, in {days} days", self.id)),
            _ => None,
        }
    }
}
