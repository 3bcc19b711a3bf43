//! Any figure as one table of numbers: what a spreadsheet, a Markdown file and a reader without pictures need.

use crate::text::count;

use super::shape::{Body, Cell, Figure, Point, Row, Stroke};
use super::words::{NONE, change, or_none, three};

/// A table: titles, the first one for the labels, and rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Flat {
    /// Titles of all columns.
    pub columns: Vec<String>,
    /// The rows; each has as many cells as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

fn text(text: impl Into<String>) -> Cell {
    Cell { text: text.into(), ..Cell::default() }
}

fn share(value: Option<f64>) -> Cell {
    Cell { text: or_none(value, three), value, mark: None }
}

fn counted(n: u64) -> Cell {
    Cell { text: count(n), value: Some(n as f64), mark: None }
}

fn ends(ends: Option<(f64, f64)>) -> [Cell; 2] {
    [share(ends.map(|e| e.0)), share(ends.map(|e| e.1))]
}

/// The numbers of a figure; without rows where it is empty.
pub fn flat(figure: &Figure) -> Flat {
    let columns = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
    match &figure.body {
        Body::Empty(_) => Flat::default(),
        Body::Table { columns, rows } => Flat {
            columns: std::iter::once(String::new()).chain(columns.iter().map(|c| (*c).to_owned())).collect(),
            rows: rows.iter().map(table_row).collect(),
        },
        Body::Matrix { rows, columns: across, fields } => {
            let row = |(before, line): (&&str, &Vec<super::Field>)| {
                line.iter()
                    .zip(across)
                    .map(|(f, after)| {
                        vec![
                            text(f.transition.name().replace('_', " ")),
                            text(*before),
                            text(*after),
                            counted(f.n),
                            share(f.share),
                        ]
                    })
                    .collect::<Vec<_>>()
            };
            Flat {
                columns: columns(&["transition", "before", "after", "pairs", "share of those so before"]),
                rows: rows.iter().zip(fields).flat_map(row).collect(),
            }
        }
        Body::Bars { axis, bars } => Flat {
            columns: columns(&["", axis, "95 % low", "95 % high", "n"]),
            rows: bars
                .iter()
                .map(|b| {
                    let [low, high] = ends(b.interval);
                    vec![text(&b.label), share(b.value), low, high, counted(b.n)]
                })
                .collect(),
        },
        Body::Stacks { axis, stacks } => {
            let names = stacks.first().map(|s| s.parts.iter().map(|p| p.0.name().replace('_', " ")));
            Flat {
                columns: std::iter::once((*axis).to_owned()).chain(names.into_iter().flatten()).collect(),
                rows: stacks
                    .iter()
                    .map(|s| {
                        let counts = s.parts.iter().map(|p| counted(p.1));
                        std::iter::once(text(&s.label)).chain(counts).collect()
                    })
                    .collect(),
            }
        }
        Body::Boxes { boxes, .. } => Flat {
            columns: columns(&["transition", "mean", "10 %", "25 %", "median", "75 %", "90 %", "pairs"]),
            rows: boxes
                .iter()
                .map(|b| {
                    let change = |x: f64| Cell { text: change(x), value: Some(x), mark: None };
                    let n = figure.marks.get(b.mark).map_or(0, |m| m.n);
                    let head = [text(b.transition.name().replace('_', " ")), change(b.mean)];
                    head.into_iter().chain(b.at.map(change)).chain([counted(n)]).collect()
                })
                .collect(),
        },
        Body::Plot { x, y, series } => Flat {
            columns: columns(&["series", x.title, y.title, "95 % low", "95 % high", "n", "point"]),
            // Lines to compare with are no numbers of the data.
            rows: series
                .iter()
                .filter(|s| s.stroke != Stroke::Guide)
                .flat_map(|s| s.points.iter().map(|p| point(figure, &s.name, p)))
                .collect(),
        },
    }
}

fn table_row(row: &Row) -> Vec<Cell> {
    std::iter::once(text(row.label.trim_start())).chain(row.cells.iter().cloned()).collect()
}

fn point(figure: &Figure, series: &str, p: &Point) -> Vec<Cell> {
    let mark = p.mark.and_then(|m| figure.marks.get(m));
    let [low, high] = ends(p.interval);
    vec![
        text(series),
        share(Some(p.x)),
        share(Some(p.y)),
        low,
        high,
        mark.map_or_else(|| text(NONE), |m| counted(m.n)),
        text(mark.map_or(NONE, |m| &m.label)),
    ]
}
