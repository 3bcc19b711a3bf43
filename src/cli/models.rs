//! `models`: what is known of models, and since when.

use serde_json::{Value, json};

use crate::provider::Model;

use super::args::{ModelsArgs, ModelsFormat};
use super::ask::models;
use super::{Error, Io, exit};

pub(super) fn run(args: &ModelsArgs, io: &mut Io) -> Result<u8, Error> {
    let known = models()?;
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let wanted = |provider: &str| args.provider.as_deref().is_none_or(|p| p == provider);
    let chosen: Vec<&Model> = known.models.iter().filter(|m| wanted(&m.provider)).collect();
    let presets: Vec<_> = known.presets.iter().filter(|p| wanted(&p.provider)).collect();
    match args.format {
        ModelsFormat::Json => {
            let models: Vec<Value> = chosen
                .iter()
                .map(|m| {
                    json!({
                        "id": m.id, "provider": m.provider, "input": m.input, "cached": m.cached, "output": m.output,
                        "search": m.search, "refuses": m.refuses.clone(),
                        "shutdown": m.shutdown.map(|d| d.to_string()), "warning": m.warning(today),
                        "read": m.read.map(|d| d.to_string()),
                    })
                })
                .collect();
            let presets: Vec<Value> = presets
                .iter()
                .map(|p| {
                    json!({ "name": p.name, "provider": p.provider, "model": p.model, "temperature": p.temperature,
                            "max_searches": p.max_searches, "default": p.default })
                })
                .collect();
            let servers: Vec<Value> = known
                .servers
                .iter()
                .map(|s| json!({ "name": s.name, "dialect": s.dialect, "key_env": s.key_env }))
                .collect();
            writeln!(io.out, "{:#}", json!({ "models": models, "presets": presets, "servers": servers }))?;
        }
        ModelsFormat::Table => {
            writeln!(
                io.out,
                "US dollars per million tokens, per thousand searches; prices as read on the day named"
            )?;
            let wide = chosen.iter().map(|m| m.id.len()).max().unwrap_or(5).max(5);
            writeln!(
                io.out,
                "{:wide$}  {:9}  {:>8} {:>8} {:>8} {:>7}  {:10}  notes",
                "model", "provider", "input", "cached", "output", "search", "read"
            )?;
            let price = |p: Option<f64>| p.map_or_else(|| "–".to_owned(), |p| format!("{p}"));
            for m in &chosen {
                let mut notes: Vec<String> = m.warning(today).into_iter().collect();
                if let (Some(day), true) = (m.shutdown, notes.is_empty()) {
                    notes.push(format!("until {day}"));
                }
                let refused = m.refuses.clone();
                if !refused.is_empty() {
                    notes.push(format!("refuses {}", refused.join(", ")));
                }
                let read = m.read.map_or_else(|| "–".to_owned(), |d| d.to_string());
                writeln!(
                    io.out,
                    "{:wide$}  {:9}  {:>8} {:>8} {:>8} {:>7}  {read:10}  {}",
                    m.id,
                    m.provider,
                    price(m.input),
                    price(m.cached),
                    price(m.output),
                    price(m.search),
                    notes.join("; ")
                )?;
            }
            writeln!(io.out, "\npresets")?;
            for p in &presets {
                let default = if p.default { "  (default)" } else { "" };
                writeln!(io.out, "{:16}  {:9}  {}{default}  {}", p.name, p.provider, p.model, p.title)?;
            }
            for s in &known.servers {
                writeln!(io.out, "server {}  speaks {}", s.name, s.dialect)?;
            }
        }
    }
    Ok(exit::DONE)
}
