//! The screen without a terminal: keys in, model and cells out.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lookitup::app::coding::{CountRequest, Lines, NotesNews, Said, Undone};
use lookitup::app::{Answer, Effect, Found, Model, Msg, Read, Request, Rows, Session, Start, update};
use lookitup::keymap::{Key, Keymap};
use lookitup::query::{self, Settings};
use lookitup::record::Errors;
use lookitup::record::Scorer;
use lookitup::review::{
    Act, Axis, Basis, Codebook, Notes, Origin, Stamp, Tally, Which, entry_id, place_codings,
};
use lookitup::stats::Options;
use lookitup::store::{OpenOptions, ReadError, Reader, Store, Table};
use lookitup::theme::{Theme, shipped};
use lookitup::ui::{Cache, draw};
use lookitup::view::Column;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// A screen under test. Effects are carried out at once, in the test's own thread.
pub(crate) struct Bench {
    pub(crate) model: Model,
    pub(crate) reader: Reader,
    pub(crate) theme: Theme,
    /// Notes, as their thread would keep them; nothing is written.
    pub(crate) notes: Notes,
    /// The codebook.
    pub(crate) book: Arc<Codebook>,
    /// How many of the things said are written.
    pub(crate) written: u64,
    /// Why nothing is written, while it is not: what is said waits.
    pub(crate) full: Option<String>,
    waiting: Vec<Said>,
    /// What was kept aside last.
    pub(crate) draft: Option<Said>,
    /// Effects that only a terminal could carry out, in order.
    pub(crate) left: Vec<Effect>,
    cache: Cache,
    store: Option<Store>,
}

impl Bench {
    /// The sample that is compiled in.
    pub(crate) fn sample(size: (u16, u16)) -> Self {
        let store = Store::open(lookitup::store::sample(), OpenOptions::default(), || {});
        let table = store.wait();
        let mut bench = Self::of(table, store.reader(), size, "sample");
        bench.store = Some(store);
        bench
    }

    /// A table.
    pub(crate) fn of(table: Arc<Table>, reader: Reader, size: (u16, u16), label: &str) -> Self {
        let model = Model::new(Start {
            size,
            keymap: Arc::new(Keymap::default()),
            columns: Column::DEFAULT.to_vec(),
            widths: Vec::new(),
            sort: Vec::new(),
            filter: String::new(),
            scorer: Scorer::default(),
            errors: Errors::Drop,
            themes: vec!["dark".into(), "light".into()],
            theme: "dark".into(),
            mouse: true,
            label: label.into(),
            paths: Vec::new(),
            views: Vec::new(),
            config_errors: Vec::new(),
            open: None,
            session: Session::default(),
        });
        let theme = shipped("dark").expect("a shipped theme");
        let mut bench = Self {
            model,
            reader,
            theme,
            notes: Notes::default(),
            book: Arc::new(Codebook::starter()),
            written: 0,
            full: None,
            waiting: Vec::new(),
            draft: None,
            left: Vec::new(),
            cache: Cache::default(),
            store: None,
        };
        bench.send(Msg::Table(table));
        bench
    }

    /// A message, and all that follows from it.
    pub(crate) fn send(&mut self, msg: Msg) {
        let mut inbox = vec![msg];
        while let Some(msg) = inbox.pop() {
            for effect in update(&mut self.model, msg) {
                match effect {
                    Effect::Query(request) => {
                        inbox.push(Msg::Answer(Box::new(answer(&request, &self.reader))));
                    }
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
                    Effect::Note(said) => {
                        let before = self.notes.len();
                        self.waiting.extend(said);
                        if self.full.is_none() {
                            for said in std::mem::take(&mut self.waiting) {
                                self.written += 1;
                                self.say(said, "ann");
                            }
                        }
                        // News come in order.
                        inbox.insert(0, self.more(before, None));
                    }
                    Effect::Undo(back) => {
                        let before = self.notes.len();
                        let notes = self.notes.clone();
                        let step = if back { notes.undo("ann") } else { notes.redo("ann") };
                        let of = step.as_ref().map(|s| s.of.clone());
                        if let Some(step) = step {
                            let (key, answer) = (step.of.key.clone(), step.of.answer.clone());
                            self.say(Said { key, answer, act: step.act }, "ann");
                        }
                        inbox.insert(0, self.more(before, Some(Undone { back, of })));
                    }
                    Effect::Review(graded, notes) => {
                        let overlay = lookitup::review::overlay(&graded, &self.reader, &notes);
                        let reviewed =
                            lookitup::app::Reviewed { graded, judgements: notes.judgements(), overlay };
                        inbox.push(Msg::Reviewed(Box::new(reviewed)));
                    }
                    Effect::Count(request) => {
                        inbox.push(Msg::Counted(request.id, Ok(counted(&request, &self.reader))));
                    }
                    Effect::Draft(said) => self.draft = said.map(|s| *s),
                    Effect::Theme(name) => self.theme = shipped(&name).expect("a shipped theme"),
                    other => self.left.push(other),
                }
            }
        }
    }

    /// The notes are read: there is a place for them.
    pub(crate) fn with_notes(mut self) -> Self {
        let news = self.news();
        self.send(news);
        self
    }

    /// A person says something, a second after what was said before.
    pub(crate) fn say(&mut self, said: Said, by: &str) {
        let n = self.notes.len() as i64;
        let at = jiff::Timestamp::from_second(1_790_000_000 + n).unwrap();
        let stamp = Stamp { id: entry_id(at, n as u64), at, by: by.to_owned() };
        let entry = self.notes.entry(stamp, said.key, said.answer, said.act);
        self.notes.add(entry).unwrap();
    }

    /// What the notes' thread would tell.
    pub(crate) fn news(&self) -> Msg {
        self.tells(Lines::All(Arc::new(self.notes.clone())), None)
    }

    fn more(&self, before: usize, undone: Option<Undone>) -> Msg {
        self.tells(Lines::More(self.notes.taken_since(before).to_vec()), undone)
    }

    fn tells(&self, lines: Lines, undone: Option<Undone>) -> Msg {
        Msg::Notes(Box::new(NotesNews {
            lines,
            book: self.book.clone(),
            by: "ann".to_owned(),
            left: Vec::new(),
            place: "results/sample.notes.jsonl".to_owned(),
            written: self.written,
            failing: self.full.clone(),
            undone,
        }))
    }

    /// Keys with spaces between, as the key map spells them.
    pub(crate) fn press(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            let key: Key = key.parse().unwrap_or_else(|e| panic!("{key}: {e}"));
            self.send(Msg::Key(key));
            self.frame();
        }
    }

    /// Types a text, key by key.
    pub(crate) fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            self.send(Msg::Key(Key::char(c)));
        }
        self.frame();
    }

    /// Draws a frame.
    pub(crate) fn frame(&mut self) -> Buffer {
        let (width, height) = self.model.size;
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        let drawn = draw(&self.model, &self.theme, &mut self.cache, &mut buffer);
        self.model.hits = drawn.hits;
        self.model.detail.lines = drawn.detail_lines;
        self.model.detail.cut = drawn.detail_cut;
        buffer
    }

    /// The frame as lines of text, without trailing spaces.
    pub(crate) fn text(&mut self) -> String {
        text_of(&self.frame())
    }

    /// The id of the selected question.
    pub(crate) fn id(&self) -> String {
        self.model.selected_key().map(|k| k.0).unwrap_or_default()
    }
}

/// What the worker would answer.
pub(crate) fn answer(request: &Request, reader: &Reader) -> Answer {
    let table = &*request.table;
    let cancel = AtomicBool::new(false);
    let settings = Settings { scorer: request.scorer };
    let mut rows = match &request.filter {
        None => (0..table.pairs.len() as u32).collect(),
        Some(expr) => {
            query::run(table, reader, expr, &settings, &cancel, &mut |_| {}).expect("not cancelled")
        }
    };
    rows.retain(|&p| {
        let t = table.pairs.get(p as usize).map(|r| r.transitions[request.scorer as usize]);
        t.is_some_and(|t| request.toggles.passes(t))
    });
    if !request.sort.is_empty() {
        assert!(query::sort(table, &mut rows, &request.sort, request.scorer, &cancel));
    }
    let summary = lookitup::stats::summary(table, &rows, request.scorer, request.errors);
    let bins = request
        .bins
        .map(|b| (b, Arc::new(lookitup::stats::bins(table, &rows, request.scorer, b.condition, b.binning))));
    let groups = request.groups.as_ref().map(|g| {
        let options =
            Options { scorer: request.scorer, errors: request.errors, by: g.by, prices: (*g.prices).clone() };
        let found = lookitup::stats::groups(table, &rows, &options, &cancel).expect("not cancelled");
        (g.clone(), Arc::new(found))
    });
    let rows =
        if request.sort.is_empty() { Rows::Filtered(Arc::new(rows)) } else { Rows::Sorted(Arc::new(rows)) };
    Answer {
        id: request.id,
        generation: table.generation,
        rows,
        complete: true,
        refresh: request.refresh,
        summary: Some(Arc::new(summary)),
        bins,
        groups,
    }
}

/// What counting codes would tell.
fn counted(request: &CountRequest, reader: &Reader) -> Vec<Tally> {
    let (table, notes, by) = (&*request.table, &request.notes, request.by.as_deref());
    let shown = |row| request.rows.position(row).is_some();
    let placed = place_codings(table, reader, notes, by, shown).expect("records");
    let origin = Origin::of(notes, by, |filter| {
        let settings = Settings { scorer: request.scorer };
        let expr = query::parse(filter).ok()?;
        query::run(table, reader, &expr, &settings, &AtomicBool::new(false), &mut |_| {})
    });
    let basis = Basis::of(table, &placed, &request.book, origin.as_ref(), request.scorer, shown);
    let ways = Axis::ALL.into_iter().flat_map(|axis| [(axis, Which::Primary), (axis, Which::Any)]);
    ways.map(|(axis, which)| basis.count(axis, which)).collect()
}

/// A buffer as lines of text, without trailing spaces.
pub(crate) fn text_of(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..buffer.area.width {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let symbol = buffer[(x, y)].symbol();
            skip = lookitup::text::width(symbol).saturating_sub(1);
            line.push_str(symbol);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn read<T>(table: &Table, pairs: Vec<u32>, of: impl Fn(u32) -> Result<T, ReadError>) -> Vec<Read<T>> {
    let sides = |pair: u32| table.pairs.get(pair as usize).unwrap().sides;
    let one =
        |pair| Read { pair, sides: sides(pair), bytes: 1_000, record: of(pair).map_err(|e| e.to_string()) };
    pairs.into_iter().map(one).collect()
}

/// A coding with one code and a note.
pub(crate) fn coding_of(code: &str, note: &str) -> Act {
    Act::Coded {
        primary: Some(code.into()),
        others: Vec::new(),
        note: note.into(),
        codebook: 1,
        settles: Vec::new(),
    }
}
