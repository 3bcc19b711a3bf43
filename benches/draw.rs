//! Drawing the list and the detail of the sample into cells, at three sizes.
//!
//! `cargo bench --bench draw`. The painter, which turns cells into bytes for the terminal, is no part of the library's
//! face: what is timed is [`lookitup::ui::draw`], and in place of bytes stand the cells that differ from the frame
//! before, which is what the painter has to send.
#![allow(clippy::indexing_slicing, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use lookitup::app::{Answer, Effect, Found, Model, Msg, Read, Request, Rows, Session, Start, update};
use lookitup::keymap::{Key, Keymap};
use lookitup::record::{Errors, Scorer};
use lookitup::store::{OpenOptions, ReadError, Reader, Store, Table};
use lookitup::theme::{Theme, shipped};
use lookitup::ui::{Cache, draw};
use lookitup::view::Column;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const SIZES: [(u16, u16); 3] = [(80, 24), (160, 48), (200, 60)];
/// What is timed, and the keys that come before each frame of it.
const STEPS: [(&str, &[&str]); 3] =
    [("nothing changed", &[]), ("cursor by one", &["j", "k"]), ("page jump", &["page-down", "page-up"])];
const FRAMES: usize = 400;

struct Screen {
    model: Model,
    theme: Theme,
    cache: Cache,
    reader: Reader,
    buffers: [Buffer; 2],
}

impl Screen {
    fn new(table: Arc<Table>, reader: Reader, size: (u16, u16)) -> Self {
        let model = Model::new(Start {
            size,
            keymap: Arc::new(Keymap::default()),
            columns: Column::DEFAULT.to_vec(),
            widths: Vec::new(),
            sort: Vec::new(),
            filter: String::new(),
            scorer: Scorer::default(),
            errors: Errors::Drop,
            themes: vec!["dark".into()],
            theme: "dark".into(),
            mouse: true,
            label: "sample".into(),
            paths: Vec::new(),
            views: Vec::new(),
            config_errors: Vec::new(),
            open: None,
            session: Session::default(),
        });
        let empty = || Buffer::empty(Rect::new(0, 0, size.0, size.1));
        let theme = shipped("dark").unwrap();
        let mut screen = Self { model, theme, cache: Cache::default(), reader, buffers: [empty(), empty()] };
        screen.send(Msg::Table(table));
        screen
    }

    /// A message and what follows from it; records are there at once.
    fn send(&mut self, msg: Msg) {
        let mut inbox = vec![msg];
        while let Some(msg) = inbox.pop() {
            for effect in update(&mut self.model, msg) {
                match effect {
                    Effect::Query(request) => inbox.push(Msg::Answer(Box::new(answer(&request)))),
                    Effect::Fetch(wanted) => {
                        let table = self.model.table.clone();
                        for rows in [wanted.now, wanted.ahead] {
                            let found = Found {
                                brief: read(&table, rows.brief, |pair| self.reader.brief(&table, pair)),
                                whole: read(&table, rows.whole, |pair| self.reader.bundle(&table, pair)),
                            };
                            inbox.push(Msg::Records(table.generation, found));
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// The time of one frame, and how many cells differ from the one before.
    fn frame(&mut self) -> (Duration, usize) {
        let [before, now] = &mut self.buffers;
        let start = Instant::now();
        let drawn = draw(&self.model, &self.theme, &mut self.cache, now);
        let took = start.elapsed();
        self.model.hits = drawn.hits;
        self.model.detail.lines = drawn.detail_lines;
        let changed = before.diff(now).len();
        self.buffers.swap(0, 1);
        (took, changed)
    }
}

fn main() {
    let store = Store::open(lookitup::store::sample(), OpenOptions::default(), || {});
    let table = store.wait();
    println!("one frame of list and detail, {} rows, {FRAMES} frames each", table.pairs.len());
    println!("{:>8}  {:<16} {:>10} {:>10} {:>10}", "size", "before it", "median µs", "95 % µs", "cells");
    for size in SIZES {
        for (name, keys) in STEPS {
            let mut screen = Screen::new(table.clone(), store.reader(), size);
            screen.frame();
            let keys: Vec<Key> = keys.iter().map(|k| k.parse().unwrap()).collect();
            let mut times = Vec::new();
            let mut cells = 0;
            for at in 0..FRAMES {
                if !keys.is_empty() {
                    screen.send(Msg::Key(keys[at % keys.len()]));
                }
                let (took, changed) = screen.frame();
                times.push(took);
                cells += changed;
            }
            times.sort_unstable();
            let micros = |share: usize| times[(FRAMES - 1) * share / 100].as_secs_f64() * 1e6;
            println!(
                "{:>8}  {name:<16} {:>10.0} {:>10.0} {:>10}",
                format!("{}×{}", size.0, size.1),
                micros(50),
                micros(95),
                cells / FRAMES
            );
        }
    }
}

/// All rows, in the order of the files.
fn answer(request: &Request) -> Answer {
    let table = &*request.table;
    let rows: Vec<u32> = (0..table.pairs.len() as u32).collect();
    let summary = lookitup::stats::summary(table, &rows, request.scorer, request.errors);
    Answer {
        id: request.id,
        generation: table.generation,
        rows: Rows::All(rows.len() as u32),
        complete: true,
        refresh: request.refresh,
        summary: Some(Arc::new(summary)),
        bins: None,
        groups: None,
    }
}

fn read<T>(table: &Table, pairs: Vec<u32>, of: impl Fn(u32) -> Result<T, ReadError>) -> Vec<Read<T>> {
    let sides = |pair: u32| table.pairs.get(pair as usize).unwrap().sides;
    let one =
        |pair| Read { pair, sides: sides(pair), bytes: 1_000, record: of(pair).map_err(|e| e.to_string()) };
    pairs.into_iter().map(one).collect()
}
