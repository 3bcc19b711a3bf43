//! Lines and points.

use plotters::chart::ChartBuilder;
use plotters::element::{Circle, ErrorBar, PathElement};
use plotters::series::LineSeries;
use plotters::style::Color as _;

use crate::figures::{Axis, Figure, Series, Stroke};

use super::canvas::{Canvas, Frame, LINE, MARGIN, Stand, drawing};
use super::{Colours, Ink};

/// The most points of a curve that are drawn: several for each dot across.
const POINTS: usize = 2_000;
/// Height of the plot with its axes.
const HEIGHT: i32 = 380;

pub(super) fn plot(
    figure: &Figure,
    caption: &str,
    colours: Colours,
    axes: (&Axis, &Axis),
    series: &[Series],
) -> String {
    let legend = LINE * series.len() as i32 + 12;
    drawing(&Frame::of(figure, caption), HEIGHT + legend, colours, |canvas, top| {
        axes_and_series(canvas, top, axes, series);
        for (at, s) in series.iter().enumerate() {
            let y = top + HEIGHT + 4 + LINE * at as i32;
            let (ink, middle) = (Ink::of(s.tone), y + 7);
            let x = MARGIN + 44;
            match s.stroke {
                Stroke::Points => canvas.dot((x + 12, middle), 5, ink),
                Stroke::Line => canvas.line(&[(x, middle), (x + 24, middle)], ink, 3),
                Stroke::Guide => canvas.line(&[(x, middle), (x + 24, middle)], ink, 1),
            }
            canvas.write(&s.name, (x + 34, y), Stand::Left, Ink::Text, false);
        }
    })
}

fn axes_and_series(canvas: &Canvas<'_>, top: i32, (x, y): (&Axis, &Axis), series: &[Series]) {
    let place = canvas.area.clone().margin(top as u32, 0, MARGIN as u32, MARGIN as u32);
    let (place, _) = place.split_vertically(HEIGHT as u32);
    // A little beyond the ends, so that points on them are whole.
    let room = |a: &Axis| (a.to - a.from) * 0.02;
    let chart = ChartBuilder::on(&place)
        .x_label_area_size(46)
        .y_label_area_size(58)
        .margin_right(14)
        .margin_top(6)
        .build_cartesian_2d(x.from - room(x)..x.to + room(x), y.from - room(y)..y.to + room(y));
    let Ok(mut chart) = chart else { return };
    let text = canvas.style(Stand::Middle, Ink::Dim, false);
    let _ = chart
        .configure_mesh()
        .x_labels(6)
        .y_labels(6)
        .x_label_formatter(&|v| format!("{v:.1}").replace('-', "−"))
        .y_label_formatter(&|v| format!("{v:.2}").replace('-', "−"))
        .x_desc(x.title)
        .y_desc(y.title)
        .bold_line_style(canvas.stroke(Ink::Grid, 1))
        .light_line_style(canvas.colour(Ink::Grid).mix(0.0))
        .axis_style(canvas.stroke(Ink::Dim, 1))
        .label_style(text.clone())
        .axis_desc_style(text)
        .draw();
    for s in series {
        let ink = Ink::of(s.tone);
        let stride = s.points.len().div_ceil(POINTS).max(1);
        let last = s.points.len().saturating_sub(1);
        let drawn = |at: usize| at.is_multiple_of(stride) || at == last;
        let points = || s.points.iter().enumerate().filter(|(at, _)| drawn(*at)).map(|(_, p)| (p.x, p.y));
        match s.stroke {
            Stroke::Guide => {
                let _ = chart.draw_series(LineSeries::new(points(), canvas.stroke(ink, 1)));
            }
            Stroke::Line => {
                let _ = chart.draw_series(LineSeries::new(points(), canvas.stroke(ink, 3)));
            }
            Stroke::Points => {
                let bars = s.points.iter().filter_map(|p| p.interval.map(|(low, high)| (p, low, high)));
                let _ = chart.draw_series(bars.map(|(p, low, high)| {
                    ErrorBar::new_vertical(p.x, low, p.y, high, canvas.stroke(ink, 2), 10)
                }));
                let _ = chart.draw_series(points().map(|p| Circle::new(p, 5, canvas.colour(ink).filled())));
                if s.points.len() > 1 {
                    let path: Vec<(f64, f64)> = points().collect();
                    let _ = chart.draw_series([PathElement::new(path, canvas.stroke(ink, 1))]);
                }
            }
        }
    }
}
