//! The one loop: terminal, threads, clipboard, effects.
//!
//! Owns everything that is not pure: it turns keys, signals, the loader's tables and the worker's answers into
//! messages, carries out the effects that come back, and draws a frame only when something asked for one.

mod asking;
mod begin;
mod browser;
mod checking;
mod clipboard;
mod counting;
mod editor;
mod effects;
mod exporting;
mod fetch;
mod input;
mod looks;
mod noting;
mod paint;
mod screen;
mod signals;
mod state;
mod terminal;
mod worker;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::Event;
use tokio::sync::Notify;
use tokio::sync::mpsc::unbounded_channel;

use crate::app::reask::News;
use crate::app::{Model, Msg, update};
use crate::config::{Config, Errors};
use crate::keymap::Key;
use crate::record::Scorer;
use crate::store::{Input, OpenOptions, Store};
use crate::ui::{Cache, draw};

pub use clipboard::route as clipboard_route;
pub use terminal::install_panic_hook;

/// What the screen is opened with.
#[derive(Debug)]
pub struct Session {
    /// What to open.
    pub inputs: Vec<Input>,
    /// What is open, in words for the header.
    pub label: String,
    /// The paths as given, for deep links and for finding the last session; empty for the sample.
    pub paths: Vec<String>,
    /// How to open it.
    pub options: OpenOptions,
    /// `--filter`; it wins over the last session's.
    pub filter: Option<String>,
    /// `--sort`; it wins over the last session's.
    pub sort: Option<String>,
    /// `--scorer`; it wins over the last session's.
    pub scorer: Option<Scorer>,
    /// `--errors`; it wins over the last session's.
    pub errors: Option<Errors>,
    /// `--open`: question id and attempt number.
    pub open: Option<(String, Option<u32>)>,
    /// Where re-asked attempts are kept.
    pub journal: Option<PathBuf>,
    /// Where notes are kept.
    pub notes: Option<PathBuf>,
    /// Settings.
    pub config: Config,
    /// What was wrong with them, ready to show.
    pub config_errors: Vec<String>,
}

/// How long the first frame waits for data: longer, and an empty screen is better than none.
const FIRST_DATA: Duration = Duration::from_millis(40);
/// How long a frame waits for the rows or the records it is to show: most filters and a warm disk answer in a tenth
/// of it, and one frame is there sooner than two.
const ANSWER: Duration = Duration::from_millis(3);

/// Time between frames that only show how an answer goes on.
const FRAME: Duration = Duration::from_millis(33);

/// Opens the screen and stays until the user leaves.
///
/// # Errors
/// When there is no terminal, or it cannot be written to.
pub fn run(session: Session) -> io::Result<ExitCode> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(stay(session))
}

async fn stay(session: Session) -> io::Result<ExitCode> {
    let loaded = Arc::new(Notify::new());
    let told = loaded.clone();
    let Session { inputs, options, .. } = &session;
    let store = Arc::new(Store::open(inputs.clone(), options.clone(), move || told.notify_one()));
    let folder = crate::config::paths::Paths::find().map(|p| p.themes()).unwrap_or_default();
    let (themes, wrong) = crate::theme::Themes::load(&folder);
    let mut session = session;
    session.config_errors.extend(wrong.iter().map(ToString::to_string));
    let mut looks = looks::Looks::new(&session.config, themes);
    let mut signals = signals::Signals::new()?;
    let guard = terminal::Guard::new(session.config.mouse)?;
    let (width, height) = crossterm::terminal::size().unwrap_or((80, 24));
    let mut model = Model::new(begin::model(&session, &looks, (width, height)));
    model.prepared = false;
    let mut screen = screen::Screen::new(width, height);
    let (send, mut inbox) = unbounded_channel();
    let mut hands = effects::Hands::new(&session, store.clone(), send)?;
    let (typed, mut events) = unbounded_channel();
    let mut keys = input::start(typed)?;
    let mut cache = Cache::default();

    let _ = tokio::time::timeout(FIRST_DATA, loaded.notified()).await;
    let mut pending = vec![Msg::Table(store.table())];
    let mut painted = Instant::now();
    loop {
        // Everything that is there is taken before a frame is drawn: a paste or a held key is one frame.
        let mut expected = None;
        let mut progress = !pending.is_empty();
        while !pending.is_empty() {
            for msg in std::mem::take(&mut pending) {
                progress &= matches!(msg, Msg::Job(_, News::Event(..)));
                for effect in update(&mut model, msg) {
                    match hands.carry_out(effect, &mut model, &mut looks) {
                        effects::Then::Go => {}
                        effects::Then::Expect(what) => expected = Some(what),
                        effects::Then::Stop => {
                            drop(guard);
                            hands.finish();
                            // Nothing here needs its destructor, and freeing a large table takes longer than leaving.
                            std::mem::forget((store, model, hands));
                            return Ok(ExitCode::SUCCESS);
                        }
                        effects::Then::Edit(text) => {
                            let edited = edit(&mut keys, &mut signals, &session, &text, &mut screen).await?;
                            pending.extend([resized(), Msg::Edited(edited)]);
                        }
                        effects::Then::Suspend => {
                            suspend(&mut screen)?;
                            pending.push(resized());
                        }
                    }
                }
            }
            while let Ok(input) = events.try_recv() {
                let input::Input::Event(event) = input else {
                    hands.save(&model);
                    hands.finish();
                    return Ok(hang_up(guard));
                };
                take(event, &mut pending);
            }
            while let Ok(msg) = inbox.try_recv() {
                expected = expected.filter(|e| !e.is(&msg));
                pending.push(msg);
            }
            if pending.is_empty()
                && let Some(what) = expected
            {
                let came = tokio::time::timeout(ANSWER, inbox.recv()).await.ok().flatten();
                expected = came.as_ref().filter(|msg| !what.is(msg)).map(|_| what);
                pending.extend(came);
            }
        }
        // An answer that arrives letter by letter needs no frame for each.
        let wait = FRAME.saturating_sub(painted.elapsed());
        let later = progress && !wait.is_zero();
        if !later {
            let theme = looks.theme();
            let drawn = draw(&model, theme, &mut cache, screen.buffer());
            model.hits = drawn.hits;
            model.detail.lines = drawn.detail_lines;
            model.detail.cut = drawn.detail_cut;
            screen.show(drawn.cursor)?;
            painted = Instant::now();
        }

        tokio::select! {
            biased;
            signal = signals.next() => match signal {
                signals::Signal::Stop if !signals::can_stop() => {}
                signals::Signal::Stop => {
                    suspend(&mut screen)?;
                    pending.push(resized());
                }
                signals::Signal::Size => {
                    if let Ok((width, height)) = crossterm::terminal::size() {
                        screen.resize(width, height);
                        pending.push(Msg::Resize(width, height));
                    }
                }
                signals::Signal::End(code) => {
                    hands.save(&model);
                    drop(guard);
                    hands.finish();
                    std::mem::forget((store, model, hands));
                    return Ok(ExitCode::from(code));
                }
            },
            input = events.recv() => {
                let Some(input::Input::Event(event)) = input else {
                    hands.save(&model);
                    hands.finish();
                    return Ok(hang_up(guard));
                };
                take(event, &mut pending);
            }
            Some(msg) = inbox.recv() => pending.push(msg),
            () = tokio::time::sleep(wait), if later => {}
            () = loaded.notified() => pending.push(Msg::Table(store.table())),
        }
    }
}

fn hang_up(guard: terminal::Guard) -> ExitCode {
    drop(guard);
    ExitCode::from(129)
}

fn take(event: Event, pending: &mut Vec<Msg>) {
    match event {
        Event::Key(key) => pending.extend(Key::from_event(&key).map(Msg::Key)),
        Event::Paste(text) => pending.push(Msg::Paste(text)),
        Event::Mouse(mouse) => pending.push(Msg::Mouse(mouse)),
        Event::Resize(..) | Event::FocusGained | Event::FocusLost => {}
    }
}

/// Lets the user's editor have the terminal.
async fn edit(
    keys: &mut input::Keys,
    signals: &mut signals::Signals,
    session: &Session,
    text: &str,
    screen: &mut screen::Screen,
) -> io::Result<Result<Option<String>, String>> {
    let held = keys.hold();
    terminal::restore();
    let edited = editor::edit(session.config.editor.as_deref(), text);
    terminal::enter()?;
    signals.forget().await;
    drop(held);
    let (width, height) = crossterm::terminal::size().unwrap_or((80, 24));
    screen.resize(width, height);
    Ok(edited)
}

/// Gives the terminal back, stops until continued, takes it again.
fn suspend(screen: &mut screen::Screen) -> io::Result<()> {
    terminal::restore();
    signals::stop_self()?;
    terminal::enter()?;
    let (width, height) = crossterm::terminal::size().unwrap_or((80, 24));
    screen.resize(width, height);
    Ok(())
}

fn resized() -> Msg {
    let (width, height) = crossterm::terminal::size().unwrap_or((80, 24));
    Msg::Resize(width, height)
}
