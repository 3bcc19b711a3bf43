//! Adding up what Anthropic reports of tokens and searches.

use serde_json::Value;

use crate::record::Usage;

/// Usage under the provider's names. What is absent in a later report keeps its value.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Counts {
    input: Option<u64>,
    output: Option<u64>,
    thinking: Option<u64>,
    cache_read: Option<u64>,
    cache_written: Option<u64>,
    searches: Option<u64>,
}

impl Counts {
    pub(super) fn update(&mut self, usage: &Value) {
        let of = |path: &str| usage.pointer(path).and_then(Value::as_u64);
        self.input = of("/input_tokens").or(self.input);
        self.output = of("/output_tokens").or(self.output);
        self.thinking = of("/output_tokens_details/thinking_tokens").or(self.thinking);
        self.cache_read = of("/cache_read_input_tokens").or(self.cache_read);
        self.cache_written = of("/cache_creation_input_tokens").or(self.cache_written);
        self.searches = of("/server_tool_use/web_search_requests").or(self.searches);
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let add = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        Self {
            input: add(self.input, other.input),
            output: add(self.output, other.output),
            thinking: add(self.thinking, other.thinking),
            cache_read: add(self.cache_read, other.cache_read),
            cache_written: add(self.cache_written, other.cache_written),
            searches: add(self.searches, other.searches),
        }
    }

    pub(super) fn usage(self) -> Usage {
        let mut usage = Usage {
            input_tokens: self.input,
            output_tokens: self.output,
            reasoning_tokens: self.thinking,
            cached_tokens: self.cache_read,
            search_requests: self.searches,
            ..Usage::default()
        };
        if let Some(written) = self.cache_written.filter(|n| *n > 0) {
            usage.extra.insert("cache_write_tokens".into(), written.into());
        }
        usage
    }
}
