use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::paint;

const SIZE: Rect = Rect { x: 0, y: 0, width: 24, height: 5 };

fn grid(texts: &[(u16, u16, String, u8)]) -> Buffer {
    let mut buffer = Buffer::empty(SIZE);
    for (x, y, text, look) in texts {
        buffer.set_stringn(*x, *y, text, 24, style(*look));
    }
    buffer
}

fn style(look: u8) -> Style {
    let colours = [Color::Reset, Color::Red, Color::White, Color::Indexed(200), Color::Rgb(1, 2, 3)];
    let colour = |n: u8| colours[usize::from(n) % colours.len()];
    let plain = Style::new().fg(colour(look)).bg(colour(look / 5));
    match look % 4 {
        0 => plain,
        1 => plain.add_modifier(Modifier::BOLD),
        2 => plain.add_modifier(Modifier::UNDERLINED | Modifier::ITALIC),
        _ => plain.add_modifier(Modifier::REVERSED | Modifier::BOLD),
    }
}

/// What a terminal shows of it: text and looks of every cell.
fn seen(screen: &vt100::Screen) -> Vec<String> {
    let cells = (0..SIZE.height).flat_map(|y| (0..SIZE.width).map(move |x| (y, x)));
    cells
        .map(|(y, x)| {
            let cell = screen.cell(y, x).expect("a cell");
            let text = if cell.has_contents() { cell.contents() } else { " " };
            let (bold, italic, under, inverse) =
                (cell.bold(), cell.italic(), cell.underline(), cell.inverse());
            // The second half of a wide character has no look of its own.
            if cell.is_wide_continuation() {
                return String::new();
            }
            format!("{text} {:?} {:?} {bold}{italic}{under}{inverse}", cell.fgcolor(), cell.bgcolor())
        })
        .collect()
}

fn blank() -> vt100::Parser {
    vt100::Parser::new(size(SIZE.height), size(SIZE.width), 0)
}

fn shown(bytes: &[u8]) -> vt100::Parser {
    let mut terminal = blank();
    terminal.process(bytes);
    terminal
}

/// Texts whose widths the terminal of the test knows.
fn texts() -> impl Strategy<Value = Vec<(u16, u16, String, u8)>> {
    let text = prop::sample::select(vec!["a", "plain text", "  ", "✓→✗ ─█", "東京", "é", "x東y", "Ω→Ж", "…"]);
    let one = (0..24u16, 0..5u16, text.prop_map(str::to_owned), any::<u8>());
    prop::collection::vec(one, 0..12)
}

proptest! {
    #[test]
    fn the_difference_turns_one_screen_into_the_other(before in texts(), after in texts()) {
        let (before, after) = (grid(&before), grid(&after));
        let mut first = Vec::new();
        paint(&mut first, &Buffer::empty(SIZE), &before, true);
        let mut terminal = shown(&first);
        let mut second = Vec::new();
        paint(&mut second, &before, &after, false);
        terminal.process(&second);
        let mut whole = Vec::new();
        paint(&mut whole, &Buffer::empty(SIZE), &after, true);
        prop_assert_eq!(seen(terminal.screen()), seen(shown(&whole).screen()));
    }

    #[test]
    fn what_is_whole_is_what_was_drawn(texts in texts()) {
        let grid = grid(&texts);
        let mut bytes = Vec::new();
        paint(&mut bytes, &Buffer::empty(SIZE), &grid, true);
        let terminal = shown(&bytes);
        for y in 0..SIZE.height {
            let mut x = 0;
            while x < SIZE.width {
                let symbol = grid[(x, y)].symbol();
                let cell = terminal.screen().cell(y, x).expect("a cell");
                let text = if cell.has_contents() { cell.contents() } else { " " };
                prop_assert_eq!(text, symbol);
                x += crate::text::width(symbol).max(1) as u16;
            }
        }
    }
}

#[test]
fn nothing_is_sent_for_nothing() {
    let grid = grid(&[(2, 1, "some 東京 text".into(), 7)]);
    let mut bytes = Vec::new();
    assert!(!paint(&mut bytes, &grid, &grid, false));
    assert!(bytes.is_empty(), "{bytes:?}");
}

#[test]
fn one_letter_costs_few_bytes() {
    let before = grid(&[(0, 0, "the same line".into(), 0)]);
    let after = grid(&[(0, 0, "the sane line".into(), 0)]);
    let mut bytes = Vec::new();
    assert!(paint(&mut bytes, &before, &after, false));
    assert_eq!(bytes, b"\x1b[1;7Hn");
}

#[test]
fn near_changes_are_joined_and_looks_end_with_the_frame() {
    let before = grid(&[(0, 0, "abcdefg".into(), 0)]);
    let mut after = before.clone();
    after.set_string(0, 0, "A", Style::new().fg(Color::Red));
    after.set_string(2, 0, "C", Style::new());
    after.set_string(5, 0, "F", Style::new());
    let mut bytes = Vec::new();
    paint(&mut bytes, &before, &after, false);
    assert_eq!(String::from_utf8_lossy(&bytes), "\x1b[1;1H\x1b[31mA\x1b[1;3H\x1b[0mCdeF");
}

fn size(n: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(n).expect("a size")
}
