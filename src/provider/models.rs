//! Models: prices, ends, refused parameters, presets; and servers of one's own.
//!
//! The figures come from `data/models.toml`, which names the day they were read, and from the user's file of the same
//! form. No figure stands in code.

use std::path::Path;

use jiff::civil::Date;
use serde::Deserialize;

use super::model::Model;
use super::{Ask, Dialect, Endpoint};

const BUILT_IN: &str = include_str!("../../data/models.toml");

/// A model with its settings, under a name.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The name.
    pub name: String,
    /// What it is.
    pub title: String,
    /// The endpoint's name.
    pub provider: String,
    /// The model.
    pub model: String,
    /// The temperature, where the model takes one.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// The search cap.
    #[serde(default = "two")]
    pub max_searches: u32,
    /// Whether it is the provider's default.
    #[serde(default)]
    pub default: bool,
}

const fn two() -> u32 {
    Ask::MAX_SEARCHES
}

/// A server that speaks one of the dialects.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// The name that it is asked by.
    pub name: String,
    /// `openai` or `anthropic`.
    pub dialect: String,
    /// Its base URL.
    pub base_url: String,
    /// The variable that holds its key; empty for none.
    #[serde(default)]
    pub key_env: String,
}

/// Everything that is known of models.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Models {
    /// The models, in the order of the files.
    pub models: Vec<Model>,
    /// The presets.
    pub presets: Vec<Preset>,
    /// Servers of one's own.
    pub servers: Vec<Server>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    read: Option<Date>,
    #[serde(default)]
    model: Vec<Model>,
    #[serde(default)]
    preset: Vec<Preset>,
    #[serde(default)]
    server: Vec<Server>,
}

/// Why a file of models cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {message}", line.map_or_else(String::new, |n| format!(":{n}")))]
pub struct ModelsError {
    /// The file.
    pub file: String,
    /// The line, from 1, where there is one.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl Models {
    /// What ships.
    pub fn built_in() -> Self {
        let mut models = Self::default();
        // A test holds the file to its form.
        _ = models.add("data/models.toml", BUILT_IN);
        models
    }

    /// What ships, with the user's file over it. A file that is not there is none.
    ///
    /// # Errors
    /// It cannot be read or has a fault.
    pub fn load(user: Option<&Path>) -> Result<Self, ModelsError> {
        let mut models = Self::built_in();
        let Some(path) = user else { return Ok(models) };
        let file = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => models.add(&file, &text)?,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            Err(e) => return Err(ModelsError { file, line: None, message: e.to_string() }),
        }
        Ok(models)
    }

    /// Adds the tables of a file; what has the name of something known takes its place.
    ///
    /// # Errors
    /// The text has a fault; nothing is added then.
    pub fn add(&mut self, file: &str, text: &str) -> Result<(), ModelsError> {
        let fault = |line, message: String| ModelsError { file: file.to_owned(), line, message };
        let read: File = toml::from_str(text).map_err(|e| {
            let before = e.span().and_then(|s| text.get(..s.start));
            fault(before.map(|b| b.matches('\n').count() + 1), e.message().trim().replace('\n', ", "))
        })?;
        if let Some(server) = read.server.iter().find(|s| Dialect::parse(&s.dialect).is_none()) {
            let message =
                format!("server {}: dialect is openai or anthropic, not '{}'", server.name, server.dialect);
            return Err(fault(None, message));
        }
        for mut model in read.model {
            model.read = model.read.or(read.read);
            put(&mut self.models, model, |a, b| a.id == b.id && a.provider == b.provider);
        }
        for preset in read.preset {
            if preset.default {
                for other in self.presets.iter_mut().filter(|p| p.provider == preset.provider) {
                    other.default = false;
                }
            }
            put(&mut self.presets, preset, |a, b| a.name == b.name);
        }
        for server in read.server {
            put(&mut self.servers, server, |a, b| a.name == b.name);
        }
        Ok(())
    }

    /// What a search call costs, in US dollars, of each model that has a price for it.
    pub fn search_prices(&self) -> std::collections::HashMap<String, f64> {
        self.models.iter().filter_map(|m| Some((m.id.clone(), m.search? / 1_000.0))).collect()
    }

    /// A model of an endpoint: by its name, or the name of one of its snapshots (`gpt-5-mini-2025-08-07`,
    /// `claude-haiku-4-5-20251001`).
    pub fn find(&self, provider: &str, name: &str) -> Option<&Model> {
        let of = |id: &str| self.models.iter().find(|m| m.provider == provider && m.id == id);
        of(name).or_else(|| of(without_date(name)))
    }

    /// The preset of a name.
    pub fn preset(&self, name: &str) -> Option<&Preset> {
        self.presets.iter().find(|p| p.name == name)
    }

    /// The default of an endpoint.
    pub fn default_of(&self, provider: &str) -> Option<&Preset> {
        self.presets.iter().find(|p| p.provider == provider && p.default)
    }

    /// The endpoint of a name: one of the two providers, or a server of one's own. `env` reads a variable.
    pub fn endpoint(&self, name: &str, env: &dyn Fn(&str) -> Option<String>) -> Option<Endpoint> {
        if let Some(server) = self.servers.iter().find(|s| s.name == name) {
            let dialect = Dialect::parse(&server.dialect)?;
            return Some(Endpoint::custom(name, dialect, &server.base_url, &server.key_env, env));
        }
        Dialect::parse(name).map(|dialect| Endpoint::of(dialect, env))
    }
}

fn put<T>(list: &mut Vec<T>, new: T, same: impl Fn(&T, &T) -> bool) {
    match list.iter_mut().find(|old| same(old, &new)) {
        Some(old) => *old = new,
        None => list.push(new),
    }
}

/// A name without the date of a snapshot, or `-latest`.
fn without_date(name: &str) -> &str {
    if let Some(id) = name.strip_suffix("-latest") {
        return id;
    }
    let digits = |s: &str, n: usize| s.len() == n && s.bytes().all(|b| b.is_ascii_digit());
    if let Some((id, _)) = name.rsplit_once('-').filter(|(_, date)| digits(date, 8)) {
        return id;
    }
    let mut parts = name.rsplitn(4, '-');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(d), Some(m), Some(y), Some(id)) if digits(d, 2) && digits(m, 2) && digits(y, 4) => id,
        _ => name,
    }
}

impl Preset {
    /// A question with the preset's settings.
    pub fn ask(&self, condition: crate::record::Condition, prompt: impl Into<String>) -> Ask {
        Ask {
            temperature: self.temperature,
            max_searches: self.max_searches,
            ..Ask::new(self.model.clone(), condition, prompt)
        }
    }
}
