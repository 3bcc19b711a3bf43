//! Arithmetic of colours: spelling, contrast, and the nearest one that a terminal has.

use std::sync::LazyLock;

use ratatui::style::Color;

/// Red, green, blue, 0 to 255 each.
pub type Rgb = (u8, u8, u8);

/// The sixteen colours as xterm draws them unless told otherwise: for contrast and for nearest colours. Every terminal
/// may draw them differently. Source: xterm's default resources.
pub const ANSI: [Rgb; 16] = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
];

const NAMES: [(&str, Color); 17] = [
    ("default", Color::Reset),
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("white", Color::Gray),
    ("bright-black", Color::DarkGray),
    ("bright-red", Color::LightRed),
    ("bright-green", Color::LightGreen),
    ("bright-yellow", Color::LightYellow),
    ("bright-blue", Color::LightBlue),
    ("bright-magenta", Color::LightMagenta),
    ("bright-cyan", Color::LightCyan),
    ("bright-white", Color::White),
];

/// Reads `#rrggbb`, `#rgb`, a colour of the terminal (`red`, `bright-red`, `default`) or its number (`0` to `255`).
pub fn parse(text: &str) -> Option<Color> {
    let text = text.trim();
    if let Some(hex) = text.strip_prefix('#') {
        return hex_rgb(hex).map(|(r, g, b)| Color::Rgb(r, g, b));
    }
    if let Some((_, color)) = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        return Some(*color);
    }
    text.parse::<u8>().ok().map(Color::Indexed)
}

/// The names that [`parse`] knows beside numbers.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

/// Reads `rrggbb` or `rgb`.
pub fn hex_rgb(hex: &str) -> Option<Rgb> {
    if !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let n = u32::from_str_radix(hex, 16).ok()?;
    match hex.len() {
        6 => Some(((n >> 16) as u8, (n >> 8) as u8, n as u8)),
        3 => Some((((n >> 8 & 15) * 17) as u8, ((n >> 4 & 15) * 17) as u8, ((n & 15) * 17) as u8)),
        _ => None,
    }
}

/// What a colour looks like, where that is known: the terminal's own default is not.
pub fn rgb(color: Color) -> Option<Rgb> {
    let index = match color {
        Color::Reset => return None,
        Color::Rgb(r, g, b) => return Some((r, g, b)),
        Color::Indexed(n) => n,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
    };
    Some(indexed(index))
}

/// A colour of the table of 256: sixteen, a cube of six steps, 24 greys.
pub fn indexed(n: u8) -> Rgb {
    let step = |s: u8| if s == 0 { 0 } else { 55 + 40 * s };
    match n {
        0..=15 => ANSI.get(usize::from(n)).copied().unwrap_or_default(),
        16..=231 => (step((n - 16) / 36), step((n - 16) / 6 % 6), step((n - 16) % 6)),
        232..=255 => {
            let grey = 8 + 10 * (n - 232);
            (grey, grey, grey)
        }
    }
}

fn linear(channel: u8) -> f64 {
    let c = f64::from(channel) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

fn gamma(c: f64) -> u8 {
    let c = c.clamp(0.0, 1.0);
    let c = if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
    (c * 255.0).round() as u8
}

/// Relative luminance, 0 (black) to 1 (white). Source: WCAG 2.2, "relative luminance".
pub fn luminance((r, g, b): Rgb) -> f64 {
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/// Contrast ratio of two colours, 1 to 21, whichever is lighter. Source: WCAG 2.2, "contrast ratio".
pub fn contrast(a: Rgb, b: Rgb) -> f64 {
    ratio_of(luminance(a), luminance(b))
}

fn ratio_of(a: f64, b: f64) -> f64 {
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Lightness, green–red, blue–yellow of Oklab, in which distance is about what the eye sees. Source: Björn Ottosson,
/// "A perceptual color space for image processing", 2020.
pub fn oklab((red, green, blue): Rgb) -> [f64; 3] {
    const CONES: [[f64; 3]; 3] = [
        [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
        [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
        [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
    ];
    const LAB: [[f64; 3]; 3] = [
        [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
        [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
        [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
    ];
    let cones = times(&CONES, [linear(red), linear(green), linear(blue)]).map(f64::cbrt);
    times(&LAB, cones)
}

fn times(matrix: &[[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(vector).map(|(m, v)| m * v).sum())
}

/// Distance of two colours in Oklab; 0 the same, 1 black to white.
pub fn distance(a: Rgb, b: Rgb) -> f64 {
    apart(oklab(a), oklab(b))
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
}

/// A colour between two, `share` of the way from `a` to `b`, mixed as light is.
pub fn mix(a: Rgb, b: Rgb, share: f64) -> Rgb {
    let channel = |a: u8, b: u8| gamma(linear(a) * (1.0 - share) + linear(b) * share);
    (channel(a.0, b.0), channel(a.1, b.1), channel(a.2, b.2))
}

/// `color` moved towards white or black, as little as needed, until it has `ratio` on every ground.
///
/// Where no such colour exists it is the better of black and white.
pub fn readable(color: Rgb, grounds: &[Rgb], ratio: f64) -> Rgb {
    let worst = |c: Rgb| grounds.iter().map(|g| contrast(c, *g)).fold(f64::INFINITY, f64::min);
    if worst(color) >= ratio {
        return color;
    }
    let (black, white) = ((0, 0, 0), (255, 255, 255));
    let pole = if worst(white) >= worst(black) { white } else { black };
    (1..=50).map(|step| mix(color, pole, f64::from(step) / 50.0)).find(|c| worst(*c) >= ratio).unwrap_or(pole)
}

/// The nearest colour of the cube and the greys, 16 to 255: the first sixteen are the user's own and unknown.
pub fn nearest_indexed(color: Rgb) -> u8 {
    nearest_readable(color, &[], 0.0).unwrap_or(16)
}

/// The nearest of those that have `ratio` on every ground; `None` when none has.
pub fn nearest_readable(color: Rgb, grounds: &[Rgb], ratio: f64) -> Option<u8> {
    /// Luminance and place in Oklab of every colour: cube roots take time.
    static TABLE: LazyLock<Vec<(u8, f64, [f64; 3])>> =
        LazyLock::new(|| (16..=255).map(|n| (n, luminance(indexed(n)), oklab(indexed(n)))).collect());
    let grounds: Vec<f64> = grounds.iter().map(|g| luminance(*g)).collect();
    let lab = oklab(color);
    TABLE
        .iter()
        .filter(|(_, light, _)| grounds.iter().all(|g| ratio_of(*light, *g) >= ratio))
        .map(|(n, _, there)| (n, apart(*there, lab)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(n, _)| *n)
}

#[cfg(test)]
#[path = "color_tests.rs"]
mod tests;
