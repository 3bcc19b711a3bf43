//! Whom a question goes to, and what stands in the way.

use crate::provider::{Dialect, Endpoint, Fault, Kind, Models, Replay};
use crate::text::sanitize_line;

use super::super::Error;
use super::super::args::AskArgs;
use super::variable;

/// Who is asked.
pub(super) struct Whom {
    /// The endpoint's name, or `replay`.
    pub(super) provider: String,
    /// Nothing for the replay.
    pub(super) endpoint: Option<Endpoint>,
    /// Why it cannot be asked, where that is to be told as a record and not as a message alone.
    pub(super) fault: Option<Fault>,
}

/// As named, else as the preset or the model says, else the only one whose key is set.
pub(super) fn whom(args: &AskArgs, models: &Models) -> Result<Whom, Error> {
    let (provider, mut fault) = match &args.provider {
        Some(name) => (name.clone(), None),
        None => chosen(args.model.as_deref(), models)?,
    };
    if let Some(preset) = args.model.as_deref().and_then(|m| models.preset(m))
        && preset.provider != provider
        && provider != Replay::NAME
        && models.find(&provider, &preset.name).is_none()
    {
        return Err(Error::Usage(format!(
            "the preset {} is one of {}, not of {}",
            preset.name,
            preset.provider,
            sanitize_line(&provider)
        )));
    }
    if provider == Replay::NAME {
        return Ok(Whom { provider, endpoint: None, fault: None });
    }
    let endpoint = endpoint(models, &provider)?;
    if fault.is_none() {
        fault = endpoint.ready().err();
    }
    match fault {
        Some(fault) if !args.json => Err(refused(&fault)),
        fault => Ok(Whom { provider, endpoint: Some(endpoint), fault }),
    }
}

/// The message of what stands in the way, with what to do.
pub(super) fn refused(fault: &Fault) -> Error {
    if fault.message.contains("--provider") {
        // It says what to do itself.
        return Error::Provider(fault.message.clone());
    }
    let between = if fault.message.ends_with('?') { " " } else { ": " };
    Error::Provider(format!("{}{between}{}", fault.message, fault.kind.hint()))
}

/// Whom to take where nobody is named. Without any key one that the record can speak of, and why it is not asked.
fn chosen(model: Option<&str>, models: &Models) -> Result<(String, Option<Fault>), Error> {
    let of_preset = model.and_then(|m| models.preset(m)).map(|p| p.provider.clone());
    let of_model = || {
        let knows = |d: &Dialect| model.is_some_and(|m| models.find(d.name(), m).is_some());
        Dialect::ALL.into_iter().find(knows).map(|d| d.name().to_owned())
    };
    let set: Vec<&str> = Dialect::ALL
        .into_iter()
        .filter(|d| Endpoint::of(*d, &variable).is_ready())
        .map(Dialect::name)
        .collect();
    match (of_preset, set.as_slice()) {
        (Some(preset), _) => Ok((preset, None)),
        (None, [one]) => Ok(((*one).to_owned(), None)),
        (None, []) => {
            let name = of_model().unwrap_or_else(|| Dialect::OpenAi.name().to_owned());
            let why = "no key is set: set OPENAI_API_KEY or ANTHROPIC_API_KEY, or use --provider replay, which needs none";
            Ok((name, Some(Fault::new(Kind::NoKey, why))))
        }
        (None, _) => of_model().map(|name| (name, None)).ok_or_else(|| {
            Error::Usage("keys of both providers are set: choose one with --provider".to_owned())
        }),
    }
}

fn endpoint(models: &Models, name: &str) -> Result<Endpoint, Error> {
    models.endpoint(name, &variable).ok_or_else(|| {
        let own: Vec<&str> = models.servers.iter().map(|s| s.name.as_str()).collect();
        let own = if own.is_empty() { String::new() } else { format!(", {}", own.join(", ")) };
        Error::Usage(format!("nobody is called '{}': openai, anthropic, replay{own}", sanitize_line(name)))
    })
}
