//! What a figure is made of, whoever draws it.

use crate::record::Transition;

/// Whose colour something has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tone {
    /// The answers without search.
    Without,
    /// The answers with search.
    With,
    /// What something is compared with: a diagonal, a line of chance.
    Reference,
    /// What stands out: the best threshold, the oracle.
    Accent,
    /// A transition.
    Of(Transition),
}

/// One countable thing of a figure: a bar, a cell, a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// What it is, in a few words.
    pub label: String,
    /// Its numbers: name and value.
    pub facts: Vec<(&'static str, String)>,
    /// How many rows it counts.
    pub n: u64,
    /// Whether they are too few to say much.
    pub small: bool,
    /// The filter that shows exactly those rows.
    pub term: String,
    /// Line and column among the figure's marks, for a cursor.
    pub place: (usize, usize),
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// As shown.
    pub text: String,
    /// As a number, where it is one: shares 0 to 1, US dollars, counts.
    pub value: Option<f64>,
    /// Its mark, by number.
    pub mark: Option<usize>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    /// What it is about.
    pub label: String,
    /// One cell a column.
    pub cells: Vec<Cell>,
    /// Its mark, when it has one as a whole.
    pub mark: Option<usize>,
}

/// A field of the transition matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The transition.
    pub transition: Transition,
    /// Pairs.
    pub n: u64,
    /// Of the pairs that began so, 0 to 1.
    pub share: Option<f64>,
    /// Its mark.
    pub mark: usize,
}

/// A bar with its interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// What it stands for.
    pub label: String,
    /// Its length, 0 to 1; `None`: nothing to measure.
    pub value: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<(f64, f64)>,
    /// How many it is made of.
    pub n: u64,
    /// Its mark.
    pub mark: Option<usize>,
}

/// A bar made of parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Stack {
    /// What it stands for.
    pub label: String,
    /// Transition, rows, mark.
    pub parts: Vec<(Transition, u64, usize)>,
}

/// A box: quantiles of a difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantiles {
    /// The transition.
    pub transition: Transition,
    /// 10th, 25th, 50th, 75th and 90th percentile.
    pub at: [f64; 5],
    /// The mean.
    pub mean: f64,
    /// Its mark.
    pub mark: usize,
}

/// A point of a plot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Across, in the unit of the axis.
    pub x: f64,
    /// Upwards.
    pub y: f64,
    /// Its 95 % interval upwards.
    pub interval: Option<(f64, f64)>,
    /// Its mark.
    pub mark: Option<usize>,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    /// Points joined by lines.
    Line,
    /// Points alone, with intervals where they have one.
    Points,
    /// A thin line without points: something to compare with.
    Guide,
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its colour.
    pub tone: Tone,
    /// How it is drawn.
    pub stroke: Stroke,
    /// The points, from left to right.
    pub points: Vec<Point>,
}

/// An axis of a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it measures.
    pub title: &'static str,
    /// Lower end.
    pub from: f64,
    /// Upper end.
    pub to: f64,
}

/// The figure itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Nothing to show, and why.
    Empty(String),
    /// Numbers in rows; `columns` are the titles of the cells, labels come first.
    Table {
        /// Titles of the cells' columns.
        columns: Vec<&'static str>,
        /// The rows.
        rows: Vec<Row>,
    },
    /// Before down, after across.
    Matrix {
        /// What the lines are.
        rows: Vec<&'static str>,
        /// What the columns are.
        columns: Vec<&'static str>,
        /// Line by line.
        fields: Vec<Vec<Field>>,
    },
    /// Bars from 0 to 1.
    Bars {
        /// What they measure.
        axis: &'static str,
        /// From top to bottom.
        bars: Vec<Bar>,
    },
    /// Bars made of parts, in counts.
    Stacks {
        /// What the bars are.
        axis: &'static str,
        /// From top to bottom.
        stacks: Vec<Stack>,
    },
    /// Differences from −1 to 1.
    Boxes {
        /// What they measure.
        axis: &'static str,
        /// From top to bottom.
        boxes: Vec<Quantiles>,
    },
    /// Lines and points.
    Plot {
        /// Across.
        x: Axis,
        /// Upwards.
        y: Axis,
        /// Later ones lie on top.
        series: Vec<Series>,
    },
}

/// A figure of one group.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Which one.
    pub id: super::Id,
    /// Rows of the group.
    pub rows: u64,
    /// The figure.
    pub body: Body,
    /// Everything in it that counts rows.
    pub marks: Vec<Mark>,
    /// What has to be said beside it.
    pub notes: Vec<String>,
    /// The mark that a reader looks at first.
    pub first: usize,
}

impl Figure {
    /// Leaves at most about `most` points of each series: the ends, those with a mark, and even steps between. More cannot be told
    /// apart on a screen, and each costs time in every frame.
    pub fn thin(&mut self, most: usize) {
        let Body::Plot { series, .. } = &mut self.body else { return };
        for s in series.iter_mut().filter(|s| s.points.len() > most) {
            let stride = s.points.len().div_ceil(most.max(1));
            let last = s.points.len() - 1;
            let mut at = 0;
            s.points.retain(|p| {
                let kept = at % stride == 0 || at == last || p.mark.is_some();
                at += 1;
                kept
            });
            s.points.shrink_to_fit();
        }
    }
}
