//! A drawing area with the few things that figures are drawn with.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea as _};
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, FontFamily, FontStyle, IntoFont as _, RGBColor, ShapeStyle, TextStyle};

use crate::figures::Figure;

use super::{Colours, Ink};

/// Width of every figure in pixels.
pub(super) const WIDTH: i32 = 640;
/// Space at the sides.
pub(super) const MARGIN: i32 = 16;
/// Size of most text in pixels.
pub(super) const TEXT: i32 = 14;
/// From one line of text to the next.
pub(super) const LINE: i32 = 20;

/// The area type that plots are built on.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Where text stands on its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stand {
    /// The point is at its left.
    Left,
    /// In its middle.
    Middle,
}

/// A figure being drawn. Drawing goes to memory and cannot fail, so results are not looked at.
pub(super) struct Canvas<'a> {
    pub(super) area: Area<'a>,
    dark: bool,
}

/// Lines of a text cut at spaces to the width of a figure; words too long for one are cut, too.
pub(super) fn lines(text: &str) -> Vec<String> {
    let most = (f64::from(WIDTH - 2 * MARGIN) / (f64::from(TEXT) * 0.56)) as usize;
    let lines = crate::text::wrap(text, most);
    lines.into_iter().filter_map(|range| text.get(range)).map(|line| line.trim_end().to_owned()).collect()
}

/// What stands above and below the drawing itself.
pub(super) struct Frame {
    above: Vec<(String, bool)>,
    below: Vec<String>,
}

impl Frame {
    pub(super) fn of(figure: &Figure, caption: &str) -> Self {
        let above = lines(figure.id.title()).into_iter().map(|l| (l, true));
        Self {
            above: above.chain(lines(caption).into_iter().map(|l| (l, false))).collect(),
            below: figure.notes.iter().flat_map(|n| lines(n)).collect(),
        }
    }

    /// Height of what stands above.
    pub(super) fn top(&self) -> i32 {
        MARGIN + LINE * self.above.len() as i32 + 8
    }

    /// Height with a drawing of `inner` pixels.
    pub(super) fn height(&self, inner: i32) -> i32 {
        self.top() + inner + LINE * self.below.len() as i32 + MARGIN
    }
}

/// Draws a figure with `inner` pixels between what stands above and below. The drawing is given the first line of them.
pub(super) fn drawing(
    frame: &Frame,
    inner: i32,
    colours: Colours,
    draw: impl FnOnce(&Canvas<'_>, i32),
) -> String {
    let mut out = String::new();
    {
        let height = frame.height(inner);
        let area = SVGBackend::with_string(&mut out, (WIDTH as u32, height as u32)).into_drawing_area();
        let canvas = Canvas { area, dark: colours == Colours::Dark };
        let _ = canvas.area.fill(&canvas.colour(Ink::Ground));
        let mut y = MARGIN;
        for (text, heading) in &frame.above {
            let ink = if *heading { Ink::Text } else { Ink::Dim };
            canvas.write(text, (MARGIN, y), Stand::Left, ink, *heading);
            y += LINE;
        }
        draw(&canvas, frame.top());
        let mut y = frame.top() + inner;
        for text in &frame.below {
            canvas.write(text, (MARGIN, y), Stand::Left, Ink::Dim, false);
            y += LINE;
        }
        let _ = canvas.area.present();
    }
    responsive(&out)
}

/// The drawing scales with its place: fonts that every system has, a picture's role, no fixed size in a narrow page.
fn responsive(svg: &str) -> String {
    svg.replacen("<svg ", "<svg role=\"img\" ", 1)
        .replace("font-family=\"sans-serif\"", "font-family=\"system-ui, Helvetica, Arial, sans-serif\"")
}

impl Canvas<'_> {
    pub(super) fn colour(&self, ink: Ink) -> RGBColor {
        let (r, g, b) = ink.rgb(self.dark);
        RGBColor(r, g, b)
    }

    pub(super) fn style(&self, stand: Stand, ink: Ink, bold: bool) -> TextStyle<'static> {
        let h = match stand {
            Stand::Left => HPos::Left,
            Stand::Middle => HPos::Center,
        };
        let weight = if bold { FontStyle::Bold } else { FontStyle::Normal };
        // The backend divides sizes by 1.24 to turn heights of boxes into sizes of letters.
        let font = (FontFamily::SansSerif, f64::from(TEXT) * 1.24, weight).into_font();
        let mut style = TextStyle::from(font).pos(Pos::new(h, VPos::Top));
        style.color = self.colour(ink).to_backend_color();
        style
    }

    /// Writes a line; the point is at its top.
    pub(super) fn write(&self, text: &str, at: (i32, i32), stand: Stand, ink: Ink, bold: bool) {
        let _ = self.area.draw_text(text, &self.style(stand, ink, bold), at);
    }

    pub(super) fn fill(&self, from: (i32, i32), to: (i32, i32), ink: Ink) {
        let _ = self.area.draw(&Rectangle::new([from, to], self.colour(ink).filled()));
    }

    pub(super) fn outline(&self, from: (i32, i32), to: (i32, i32), ink: Ink) {
        let _ = self.area.draw(&Rectangle::new([from, to], self.stroke(ink, 1)));
    }

    pub(super) fn line(&self, points: &[(i32, i32)], ink: Ink, width: u32) {
        let _ = self.area.draw(&PathElement::new(points.to_vec(), self.stroke(ink, width)));
    }

    pub(super) fn dot(&self, at: (i32, i32), size: i32, ink: Ink) {
        let _ = self.area.draw(&Circle::new(at, size, self.colour(ink).filled()));
    }

    pub(super) fn stroke(&self, ink: Ink, width: u32) -> ShapeStyle {
        self.colour(ink).stroke_width(width)
    }
}
