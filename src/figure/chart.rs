//! A figure made ready for drawing: columns, lines, marks, axis, words. Presentation-neutral: it knows
//! positions in data terms, never pixels, SVG or colours.
//!
//! A [`Chart`] is derived from a plot document and from nothing else; that is why a saved document draws
//! exactly as the site did.

use super::flame::Flame;
use crate::evidence::plot::Plot;
use crate::evidence::row::Shared;
use crate::evidence::{Name, Number};

/// A figure, of lines over targets unless its body says otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Plot id.
    pub id: String,
    /// Kind of the plot document.
    pub kind: String,
    /// Heading beside other figures, such as "Four metrics at 14 releases".
    pub heading: String,
    /// Accessible name.
    pub title: String,
    /// Accessible description: what the figure says, statistic, reference, units, unavailable count.
    pub description: String,
    /// Value axis.
    pub axis: Axis,
    /// One column per target, in order.
    pub columns: Vec<Column>,
    /// Rules between columns, in order.
    pub boundaries: Vec<Boundary>,
    /// Horizontal reference line.
    pub reference: Option<ReferenceLine>,
    /// One line per metric.
    pub lines: Vec<Line>,
    /// What is drawn from the lines, beyond their marks.
    pub body: Body,
    /// The largest step of the main line, when it is worth a label.
    pub step: Option<StepLabel>,
    /// Strips under the axis: one per named dependency.
    pub ribbons: Vec<Ribbon>,
    /// Number of resolved packages per column; empty when unknown everywhere.
    pub package_counts: Vec<Option<u64>>,
    /// Words under the figure.
    pub caption: Caption,
    /// What the reading line says before a point is chosen.
    pub rest: String,
    /// The table for people.
    pub table: Table,
    /// Every row of the document for machines: what the CSV holds.
    pub data: DataTable,
    /// Where the numbers come from, as label and text, for exports.
    pub provenance: Vec<(String, String)>,
}

/// Most lines that a drawing in a page can show.
const MOST_LINES: usize = 24;
/// Fewest lines that such a drawing can show, however many targets there are.
const FEW_LINES: usize = 6;
/// About how many marks such a drawing may have; more lines than that allows are in the table only.
const MOST_MARKS: usize = 2400;

/// How many of `lines` a drawing of so many targets in a page can show.
pub fn drawable(lines: usize, targets: usize) -> usize {
    lines.min((MOST_MARKS / targets.max(1)).clamp(FEW_LINES, MOST_LINES))
}

impl Chart {
    /// A chart that has nothing but a body: no targets, no lines and no axis of its own.
    pub(super) fn bare(plot: &Plot, body: Body) -> Self {
        Self {
            id: plot.id.clone(),
            kind: plot.kind.clone(),
            heading: String::new(),
            title: String::new(),
            description: String::new(),
            axis: Axis { title: String::new(), scale: Scale::Linear, low: 0.0, high: 1.0, ticks: Vec::new() },
            columns: Vec::new(),
            boundaries: Vec::new(),
            reference: None,
            lines: Vec::new(),
            body,
            step: None,
            ribbons: Vec::new(),
            package_counts: Vec::new(),
            caption: Caption::default(),
            rest: String::new(),
            table: Table::default(),
            data: DataTable::default(),
            provenance: Vec::new(),
        }
    }

    /// How many of the lines, from the first, are drawn in a page and can be switched; the others are in the
    /// table.
    pub fn drawable(&self) -> usize {
        drawable(self.lines.len(), self.columns.len())
    }

    /// What the lines are, in many: metrics, or features where one metric of several is shown.
    pub fn lines_are(&self) -> &'static str {
        if self.kind == super::overlay::KIND { "features" } else { "metrics" }
    }
}

/// What a figure draws from its lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Body {
    /// Lines through the marks.
    #[default]
    Lines,
    /// Samples with a box over them, one entry per column; none where nothing was measured. There is one
    /// line, and its marks are the medians.
    Spreads(Vec<Option<Spread>>),
    /// Bars from the reference line to each mark. There is one line.
    Bars(Directions),
    /// Marks anywhere in the plot, which has two axes of values. There is one line.
    Cloud(Box<Cloud>),
    /// Panels, each of one quantity. There are no targets and no lines.
    Panels(Vec<super::panels::Panel>),
    /// Source lines against targets. There are no lines.
    Heat(Box<super::heat::Heat>),
    /// Frames of call paths. There are no columns and no lines.
    Flame(Box<Flame>),
}

/// Where the marks of a figure with two axes of values stand across. Their heights are the values of the one
/// line.
#[derive(Debug, Clone, PartialEq)]
pub struct Cloud {
    /// The axis across; its position 0 is the left edge.
    pub across: Axis,
    /// Metric id of the values across.
    pub key: String,
    /// Name of the metric for people.
    pub name: String,
    /// Unit of the values across as people read it; empty for plain counts.
    pub unit: String,
    /// Value across per column; none where the mark has no value.
    pub places: Vec<Option<f64>>,
    /// Whether a path joins the marks in the order of the columns.
    pub joined: bool,
    /// The mark at which the path starts; none when there is no other.
    pub first: Option<End>,
    /// The mark at which the path ends.
    pub newest: Option<End>,
}

/// An end of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// Its column.
    pub column: usize,
    /// What it is: `first`, `newest`.
    pub word: String,
    /// Both values in words.
    pub note: String,
}

/// What the two directions of bars mean: each in a word, and what is to be said about it, which may be nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directions {
    /// Above the reference line, such as "higher".
    pub up: (String, String),
    /// Below the reference line, such as "lower" and "preferred".
    pub down: (String, String),
}

/// The samples of one column, in the unit of the axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spread {
    /// Every sample, in the recorded order.
    pub samples: Vec<f64>,
    /// Positions in `samples` of those that have a dot, rising: all of them, unless there are too many.
    pub dots: Vec<usize>,
    /// First quartile, median and third quartile (type 7); none for a single sample, which has no spread.
    pub quartiles: Option<[f64; 3]>,
    /// The smallest and the largest sample within 1.5 times the distance of the quartiles around the box.
    pub whiskers: Option<[f64; 2]>,
}

impl Spread {
    /// Where the dot of the sample at a position stands across its column, from −½ to ½: by the golden section,
    /// so that neighbours in the recorded order are far apart and any number of dots fills the width evenly.
    pub fn across(position: usize) -> f64 {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        ((position + 1) as f64 * GOLDEN).fract() - 0.5
    }
}

/// How values map to height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally far apart.
    Linear,
    /// Equal factors are equally far apart.
    Log,
}

/// The value axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it shows: quantity, unit, scale.
    pub title: String,
    /// How values map to height.
    pub scale: Scale,
    /// Value at the bottom edge; above zero when `scale` is log.
    pub low: f64,
    /// Value at the top edge; above `low`.
    pub high: f64,
    /// Labelled values, rising.
    pub ticks: Vec<Tick>,
}

impl Axis {
    /// Where `value` lies between the bottom (0) and the top (1); values outside are beyond that range.
    /// On a log axis zero and negative values lie at the bottom, where they are marked as zeros.
    pub fn position(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear if (self.high - self.low).is_finite() => {
                (value - self.low) / (self.high - self.low)
            }
            // The difference of two finite numbers need not be finite; that of their halves is.
            Scale::Linear => (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0),
            Scale::Log if value <= 0.0 => 0.0,
            Scale::Log => (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
        }
    }
}

/// A labelled value of the axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// The value.
    pub value: f64,
    /// Its text.
    pub label: String,
}

/// One target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Target label.
    pub label: String,
    /// `YYYY-MM-DD`, when known.
    pub date: Option<String>,
    /// Target kind in words.
    pub kind: String,
}

/// A rule before column `before`, or the start of a labelled band.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boundary {
    /// The column that the rule stands before; 0 draws no rule (a band that starts at the edge).
    pub before: usize,
    /// Text at the top of the rule or band.
    pub label: Option<Label>,
    /// Drawn in ink and bold: the newest change of a named dependency.
    pub strong: bool,
}

/// Text of a boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The text.
    pub text: String,
    /// First column after the band that the text belongs to; the text is dropped when it does not fit.
    pub until: usize,
    /// Centred over the band, or at the right of the rule.
    pub centred: bool,
}

/// A dashed horizontal line.
#[derive(Debug, Clone, PartialEq)]
pub struct ReferenceLine {
    /// Where.
    pub value: f64,
    /// What it means.
    pub label: String,
}

/// The values of one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Metric id.
    pub key: String,
    /// Name for people.
    pub name: String,
    /// Slot from 1: fixes colour, dash and shape; the same metric has the same slot on every page.
    pub slot: usize,
    /// Unit of the values as people read it, such as `µs`; empty for plain counts.
    pub unit: String,
    /// Whether it is drawn at first.
    pub shown: bool,
    /// Last value in words for the end label and the legend, such as "3.8 µs".
    pub last: String,
    /// What the end label adds, such as "1 ×" or "shown at 1".
    pub last_note: String,
    /// One mark per column.
    pub marks: Vec<Mark>,
}

/// One cell of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Where it is drawn; none leaves a gap.
    pub value: Option<f64>,
    /// How it is drawn.
    pub form: Form,
    /// Everything about the point in one sentence, for the reading line.
    pub reading: String,
}

/// How a mark is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A measured value.
    Measured,
    /// Drawn by convention (both zero, shown at 1): hollow.
    Convention,
    /// A zero on a log axis: hollow, at the bottom.
    ZeroOnLog,
    /// No value or no ratio: an open mark on the axis with this short reason.
    Absent(String),
}

/// The largest step of the main line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepLabel {
    /// The column that the step leads to.
    pub column: usize,
    /// Position of the line in [`Chart::lines`].
    pub line: usize,
    /// Such as "−47 %".
    pub text: String,
}

/// A strip of one dependency's versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ribbon {
    /// Package name.
    pub name: String,
    /// Spans of equal version, in order.
    pub spans: Vec<Span>,
}

/// Columns with one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// First column.
    pub from: usize,
    /// First column after it.
    pub to: usize,
    /// The version; none where it is not known.
    pub text: Option<String>,
    /// Whether only the newest target has it.
    pub newest: bool,
}

/// Words under a figure, computed from the data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caption {
    /// What the figure says: lowest, highest, largest step.
    pub says: String,
    /// How to read it: statistic, reference, zero policy, unavailable count, clock step, scale.
    pub fine: String,
}

/// The value table for people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Text of the closed disclosure, such as "Values, 4 metrics at 14 releases".
    pub summary: String,
    /// What the table shows.
    pub caption: String,
    /// Column heads; the first is the target.
    pub head: Vec<String>,
    /// One row per target.
    pub rows: Vec<TableRow>,
}

/// One target's row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableRow {
    /// Target label.
    pub target: String,
    /// Whether a rule stands above it (a boundary of the figure).
    pub boundary: bool,
    /// Cells after the target.
    pub cells: Vec<TableCell>,
}

/// One cell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableCell {
    /// Text for people.
    pub text: String,
    /// Which line it belongs to; none for dates.
    pub line: Option<usize>,
    /// The exact recorded or computed number; none for dates, gaps and texts. With a number and without a line
    /// the cell holds a value across ([`Cloud`]).
    pub exact: Option<Number>,
    /// Whether it is right-aligned.
    pub numeric: bool,
    /// Whether it is the reference of its metric: bold.
    pub strong: bool,
    /// Whether it is the ratio of the cell before it, not a value.
    pub is_ratio: bool,
}

/// Rows for machines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DataTable {
    /// Field names.
    pub head: Vec<String>,
    /// Rows, aligned with `head`.
    pub rows: Vec<Vec<Datum>>,
}

/// Makes the texts of rows, each column with its own number: what the row before has too is stored once.
#[derive(Debug, Default)]
pub struct Texts(Vec<Shared>);

impl Texts {
    /// A text of a column; nothing for an empty one.
    pub fn text(&mut self, column: usize, text: &str) -> Datum {
        if text.is_empty() {
            return Datum::Empty;
        }
        if self.0.len() <= column {
            self.0.resize_with(column + 1, Shared::default);
        }
        Datum::Text(self.0[column].get(text))
    }
}

impl Datum {
    /// A number; nothing where there is none.
    pub fn number(number: Option<Number>) -> Self {
        number.map_or(Self::Empty, Self::Number)
    }

    /// A text that rows share already; nothing for an empty one.
    pub fn name(name: &Name) -> Self {
        if name.is_empty() { Self::Empty } else { Self::Text(name.clone()) }
    }

    /// A count.
    pub fn count(count: u64) -> Self {
        Self::Number(Number::Unsigned(count))
    }
}

/// One field of a row for machines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Datum {
    /// Nothing.
    Empty,
    /// Text, which a spreadsheet must not take for a formula.
    Text(Name),
    /// A number, exactly as recorded or computed.
    Number(Number),
}

/// A small curve for overviews: one metric's ratios, always on a log axis shared by all curves of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Spark {
    /// Accessible name: feature, metric, largest and last ratio.
    pub title: String,
    /// Shared axis.
    pub axis: Axis,
    /// Ratio per column; none leaves a gap.
    pub values: Vec<Option<f64>>,
    /// Column of the smallest ratio, drawn hollow.
    pub lowest: Option<usize>,
    /// Column that a faint rule stands before.
    pub boundary: Option<usize>,
    /// Label of the first and of the last column.
    pub ends: (String, String),
    /// Text at the end of the line, such as "1.71 ×".
    pub last: String,
    /// Slot of the metric.
    pub slot: usize,
}
