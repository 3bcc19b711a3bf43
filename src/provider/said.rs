//! Reading what a server says of a failure: either dialect's error object, a framework's, a page of a proxy.

use serde_json::Value;

use super::fault::{Fault, Kind};

/// What an error object says, whichever of its spellings.
#[derive(Debug, Default)]
struct Said {
    message: String,
    kind: String,
    code: String,
    parameter: Option<String>,
}

fn word(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(s)) => s.clone(),
        Some(Value::Number(n)) => n.to_string(),
        _ => String::new(),
    }
}

impl Said {
    fn of(value: &Value) -> Option<Self> {
        let error = match value.get("error") {
            Some(Value::String(message)) => {
                return Some(Self { message: message.clone(), ..Self::default() });
            }
            Some(error @ Value::Object(_)) => error,
            // The flat form of a stream's error event, and what frameworks write.
            _ if ["message", "detail"].iter().any(|k| value.get(k).is_some_and(Value::is_string)) => value,
            _ => return None,
        };
        let details = error.pointer("/details/error_code");
        let code = word(details.or_else(|| error.get("code")));
        Some(Self {
            message: word(error.get("message").or_else(|| error.get("detail"))),
            kind: word(error.get("type")),
            code,
            parameter: error.get("param").and_then(Value::as_str).map(str::to_owned),
        })
    }

    fn kind(&self, status: Option<u16>) -> Kind {
        let words = [self.kind.as_str(), self.code.as_str()];
        let is = |names: &[&str]| words.iter().any(|w| names.contains(w));
        let message = self.message.to_lowercase();
        let status = status.unwrap_or_else(|| self.code.parse().unwrap_or(0));
        // Gateways keep the words and lose the code; waiting for money helps no more for that.
        let says_money = ["credit balance is too low", "insufficient_quota", "exceeded your current quota"];
        if is_money(&words) || status == 402 || says_money.iter().any(|w| message.contains(w)) {
            return Kind::NoQuota;
        }
        if is(&["invalid_api_key", "authentication_error"]) || status == 401 {
            return Kind::BadKey;
        }
        if is(&["permission_error"]) || status == 403 {
            return Kind::Permission;
        }
        let of_model = self.parameter.as_deref() == Some("model") || message.starts_with("model");
        if is(&["model_not_found"]) || ((is(&["not_found_error"]) || status == 404) && of_model) {
            return Kind::ModelUnknown;
        }
        if is(&["not_found_error"]) || status == 404 || status == 405 {
            return Kind::NotFound;
        }
        if is(&["context_length_exceeded", "request_too_large"])
            || status == 413
            || message.starts_with("prompt is too long")
        {
            return Kind::TooLarge;
        }
        if is(&["rate_limit_exceeded", "rate_limit_error", "tokens", "requests"]) || status == 429 {
            return Kind::RateLimited;
        }
        if is(&["overloaded_error", "slow_down", "server_is_overloaded"]) || matches!(status, 503 | 529) {
            return Kind::Overloaded;
        }
        if is(&["timeout_error"]) || matches!(status, 408 | 504) {
            return Kind::Timeout;
        }
        if is(&["server_error", "api_error", "conflict_error"]) || status >= 500 || status == 409 {
            return Kind::Server;
        }
        if (300..400).contains(&status) {
            return Kind::NotTheApi;
        }
        if is(&["content_policy_violation", "content_filter"]) {
            return Kind::Refusal;
        }
        let is_about_one = self.parameter.as_deref().is_some_and(|p| p != "input" && p != "messages");
        let says_so = ["unsupported parameter", "unsupported value", "extra inputs are not permitted"]
            .iter()
            .chain(&["does not support", "not supported", "is deprecated for this model"])
            .any(|w| message.contains(w));
        if is_about_one || says_so && self.code != "unsupported_file" {
            return Kind::RefusedParameter;
        }
        // Within an answer that began well the fault is the server's.
        if status == 0 && !is(&["invalid_request_error"]) { Kind::Server } else { Kind::BadRequest }
    }
}

fn is_money(words: &[&str]) -> bool {
    words.iter().any(|w| {
        matches!(
            *w,
            "insufficient_quota"
                | "credit_balance_exhausted"
                | "billing_error"
                | "billing_hard_limit_reached"
                | "billing_not_active"
        ) || w.ends_with("spend_limit_reached")
    })
}

/// The failure that an error object tells, in either dialect's shape or a framework's; `None` if it is none.
pub(super) fn of_json(value: &Value, status: Option<u16>) -> Option<Fault> {
    let said = Said::of(value)?;
    let mut fault = Fault::new(said.kind(status), &said.message);
    if fault.message.is_empty() {
        let word = if said.code.is_empty() { said.kind } else { said.code };
        fault.message = if word.is_empty() { "the provider gave no reason".to_owned() } else { word };
    }
    fault.status = status;
    fault.request_id = value.get("request_id").and_then(Value::as_str).map(str::to_owned);
    // Anthropic names the parameter at the beginning of its sentence only.
    fault.parameter = said.parameter.or_else(|| {
        let (name, _) = fault.message.split_once(':')?;
        let is_name =
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._[]".contains(&b));
        is_name.then(|| name.to_owned())
    });
    Some(fault)
}

/// The failure that the body of an HTTP answer tells: JSON, a stream with an error in it, a page of a proxy, anything.
pub(super) fn of_body(status: u16, body: &str) -> Fault {
    let json = serde_json::from_str::<Value>(body).ok().or_else(|| {
        let data = body.lines().find_map(|l| l.strip_prefix("data:"))?;
        serde_json::from_str(data.trim()).ok()
    });
    if let Some(fault) = json.as_ref().and_then(|v| of_json(v, Some(status))) {
        return fault;
    }
    let said = Said::default();
    let mut fault = Fault::new(said.kind(Some(status)), excerpt(body, status));
    fault.status = Some(status);
    fault
}

/// A page's title, or the beginning of a text.
pub(super) fn excerpt(body: &str, status: u16) -> String {
    const LONGEST: usize = 200;
    let lower = body.to_ascii_lowercase();
    if let Some(start) = lower.find("<title") {
        let inner = lower.get(start..).and_then(|t| Some(start + t.find('>')? + 1));
        let title = inner.and_then(|at| body.get(at..at + lower.get(at..)?.find('<')?));
        if let Some(title) = title {
            return format!(
                "HTTP {status}, a web page: {}",
                title.trim().chars().take(LONGEST).collect::<String>()
            );
        }
    }
    if lower.trim_start().starts_with('<') {
        return format!("HTTP {status}, a web page");
    }
    let line = body.trim().lines().next().unwrap_or_default();
    if line.is_empty() {
        return format!("HTTP {status}");
    }
    format!("HTTP {status}: {}", line.chars().take(LONGEST).collect::<String>())
}
