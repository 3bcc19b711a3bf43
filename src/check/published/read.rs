//! Reads a file of printed figures, and says of every line what is wrong with it.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config::source::{Problem, Source, in_order};

use super::{Fact, Group, Printed, Shape, Tables};

/// The only schema there is.
const SCHEMA: &str = "lookitup.tables/1";
/// The most that a figure may be: every whole number up to it has a float of its own.
const MOST: f64 = 1e12;

/// Reads `text`, the contents of `file`.
///
/// # Errors
/// Everything that is wrong with it, in the order of its lines. Nothing of such a file is used: figures that are left
/// out could hide or make a contradiction.
pub fn read(file: &str, text: &str) -> Result<Tables, Vec<Problem>> {
    let (mut source, root) = Source::parse(file, text);
    let mut tables = Tables { file: file.to_owned(), ..Tables::default() };
    let mut named = false;
    for (key, at, value) in in_order(&root) {
        match key {
            "schema" => {
                named = true;
                if let Some(schema) = source.string(key, value, SCHEMA)
                    && schema != SCHEMA
                {
                    let hint = format!("this program reads {SCHEMA}");
                    source.complain(value.span(), format!("schema \"{schema}\" is not known"), hint);
                }
            }
            "title" => tables.title = source.string(key, value, "Name").unwrap_or_default(),
            "source" => {
                source.string(key, value, "Where it can be found");
            }
            "table" => entries(&mut source, &mut tables, value),
            _ => source.unknown(at, "setting", key, &["schema", "title", "source", "table"]),
        }
    }
    if !named {
        source.complain_at(1, "the schema is missing", format!("begin with schema = \"{SCHEMA}\""));
    }
    if tables.figures() == 0 && source.problems.is_empty() {
        source.complain_at(1, "there is no figure in it", "write figures under [[table]]");
    }
    source.problems.sort_by_key(|p| p.line);
    if source.problems.is_empty() { Ok(tables) } else { Err(source.problems) }
}

fn entries(source: &mut Source<'_>, tables: &mut Tables, value: &Spanned<DeValue<'_>>) {
    let Some(list) = value.get_ref().as_array() else {
        source.complain(value.span(), "table must be a list of tables", "write [[table]] over each");
        return;
    };
    for item in list {
        if let Some(table) = source.table("table", item) {
            entry(source, tables, table, item.span());
        }
    }
}

fn entry(source: &mut Source<'_>, tables: &mut Tables, table: &DeTable<'_>, at: std::ops::Range<usize>) {
    let (mut from, mut model, mut split) = (None, None, None);
    let mut found: Vec<(Fact, Printed)> = Vec::new();
    // A field that is there and of the wrong kind has been complained of: it is not missing, too.
    let mut there = [false; 2];
    for (key, span, value) in in_order(table) {
        match key {
            "source" => {
                there[0] = true;
                from = source.string(key, value, "table 1");
            }
            "model" => {
                there[1] = true;
                model = source.string(key, value, "Name of the model");
            }
            "split" => split = source.string(key, value, "static"),
            _ => {
                if let Some(&fact) = Fact::ALL.iter().find(|f| f.name() == key) {
                    found.extend(number(source, fact, value).map(|n| (fact, n)));
                } else {
                    let names = ["source", "model", "split"];
                    let known: Vec<&str> =
                        names.into_iter().chain(Fact::ALL.iter().map(|f| f.name())).collect();
                    source.unknown(span, "figure", key, &known);
                }
            }
        }
    }
    for (there, (name, example)) in there.iter().zip([("source", "table 1"), ("model", "Name of the model")])
    {
        if !there {
            let hint = format!("write {name} = {example:?}");
            source.complain(at.clone(), format!("this table has no {name}"), hint);
        }
    }
    let (Some(from), Some(model)) = (from, model) else { return };
    let split = split.unwrap_or_default();
    let place = tables.groups.iter().position(|g| g.model == model && g.split == split);
    let place = place.unwrap_or_else(|| {
        tables.groups.push(Group { model, split, ..Group::default() });
        tables.groups.len() - 1
    });
    let Some(group) = tables.groups.get_mut(place) else { return };
    for (fact, printed) in found {
        group.put(fact, Printed { source: from.clone(), ..printed });
    }
}

/// The number that a figure must be, with the digits that it was written with.
fn number(source: &mut Source<'_>, fact: Fact, value: &Spanned<DeValue<'_>>) -> Option<Printed> {
    let digits = match value.get_ref() {
        DeValue::Integer(n) if n.radix() == 10 => Some(n.as_str().replace('_', "")),
        DeValue::Float(n) if fact.shape() != Shape::Count => Some(n.as_str().replace('_', "")),
        _ => None,
    };
    let text = digits.unwrap_or_default();
    let (most, want) = match fact.shape() {
        Shape::Count => (MOST, "a whole number, 0 or more"),
        Shape::Share => (1.0, "a number from 0 to 1"),
        Shape::Dollars => (MOST, "US dollars, 0 or more"),
    };
    match text.parse::<f64>() {
        Ok(number) if (0.0..=most).contains(&number) => {
            let half = if fact.shape() == Shape::Count { 0.0 } else { half_unit(&text) };
            let line = source.line(value.span().start) as u64;
            Some(Printed { value: number, half, text, source: String::new(), line })
        }
        _ if value.span().is_empty() => None,
        _ => {
            let name = fact.name();
            let example = if fact.shape() == Shape::Count { "783" } else { "0.523" };
            source.complain(
                value.span(),
                format!("{name} must be {want}"),
                format!("write it as it is printed, such as {name} = {example}"),
            );
            None
        }
    }
}

/// Half a unit of the last digit.
fn half_unit(text: &str) -> f64 {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let places = mantissa.split_once('.').map_or(0, |(_, after)| after.len());
    let exponent: i32 = exponent.parse().unwrap_or(0);
    0.5 * 10f64.powi(exponent.saturating_sub(i32::try_from(places).unwrap_or(i32::MAX)))
}
