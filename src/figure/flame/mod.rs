//! `cpu_flamegraph`, `wall_flamegraph`, `allocation_flamegraph`: every call path of a profile as a stack of frames,
//! callers on top, each as wide as what was spent in it and in everything that it called.
//!
//! | file | does |
//! | --- | --- |
//! | `document` | a profile as a document |
//! | `layout` | where each frame of a document stands, and what is folded |
//! | `words` | readings, caption, table |
//! | `change` | two targets over each other |

pub mod change;
mod document;
mod layout;
#[cfg(test)]
mod tests;
mod words;

use serde_json::Value;

use super::chart::{Body, Chart};
use crate::error::{Error, Place, Result};
use crate::evidence::flame::FlameRow;
use crate::evidence::plot::PlotDocument;
use crate::evidence::profile::ProfileKind;
use crate::evidence::{Number, profile};
use crate::text::unit::{Dimension, Unit};

pub use document::document;

/// Names of the kinds.
pub const KINDS: [&str; 3] = ["allocation_flamegraph", "cpu_flamegraph", "wall_flamegraph"];

/// Frames ready for drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Flame {
    /// The drawn frames, callers before what they call.
    pub bars: Vec<Bar>,
    /// How many rows they fill.
    pub rows: usize,
    /// How frames are marked, and how many of the drawn ones are; frames without a mark first.
    pub legend: Vec<(Paint, usize)>,
    /// Start of the line above the frames: what they weigh.
    pub head: String,
    /// Rest of that line: how to read widths.
    pub lead: String,
    /// The line below the frames: what is folded.
    pub foot: String,
}

/// A drawn frame, or several that call only one another.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// Position of the caller's bar; none in the first row.
    pub parent: Option<usize>,
    /// Its row from 0.
    pub row: usize,
    /// Left edge, as a part of 1.
    pub start: f64,
    /// Width, as a part of 1.
    pub width: f64,
    /// The function, or how many frames stand together.
    pub name: String,
    /// File and line, as far as known and short.
    pub place: String,
    /// Its share in words, such as `45 %`.
    pub share: String,
    /// How it is marked.
    pub paint: Paint,
    /// Everything else about it in a sentence.
    pub say: String,
}

/// What a frame's colour and pattern mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Paint {
    /// Nothing.
    Plain,
    /// Inference knew no concrete type.
    Warning,
    /// Some of it was a call dispatched at run time.
    Dispatch,
    /// Some of it was the garbage collector.
    Collector,
    /// Its share differs little from that at another target.
    Same,
    /// Its share is larger than at another target, in steps from 1 to 3.
    More(u8),
    /// Its share is smaller, in steps from 1 to 3.
    Less(u8),
    /// It was not observed at the other target.
    New,
}

impl Paint {
    /// What it means, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Plain => "no mark",
            Self::Warning => "inference warning",
            Self::Dispatch => "runtime dispatch",
            Self::Collector => "garbage collection",
            Self::Same => "changed by less than 1 point",
            Self::More(1) => "1 to 5 points more",
            Self::More(2) => "5 to 10 points more",
            Self::More(_) => "at least 10 points more",
            Self::Less(1) => "1 to 5 points less",
            Self::Less(2) => "5 to 10 points less",
            Self::Less(_) => "at least 10 points less",
            Self::New => "new",
        }
    }

    fn of(row: &FlameRow) -> Self {
        let weighs = |number: Number| number > Number::ZERO;
        let doubtful = row.inference.iter().any(|word| matches!(word.as_str(), "any" | "union" | "abstract"));
        match row.status.as_str() {
            "runtime_dispatch" => Self::Dispatch,
            "inference_warning" => Self::Warning,
            "gc_event" => Self::Collector,
            _ if weighs(row.dispatch) => Self::Dispatch,
            _ if doubtful => Self::Warning,
            _ if weighs(row.collector) => Self::Collector,
            _ => Self::Plain,
        }
    }
}

/// A document taken apart.
struct Sheet<'a> {
    document: &'a PlotDocument,
    rows: Vec<FlameRow>,
    /// What the whole width stands for.
    total: Number,
    /// What the weights are, in words.
    noun: String,
    unit: Unit,
    /// How many samples there are, where weights count them.
    samples: Option<u64>,
}

impl<'a> Sheet<'a> {
    fn new(document: &'a PlotDocument) -> Result<Self> {
        let plot = &document.plot;
        let rows = plot.flame_rows().map_err(super::sheet::in_plot)?;
        let outermost = rows.iter().filter(|row| row.parent.is_none()).map(|row| row.value);
        let sum: Number = outermost.sum();
        if sum.is_beyond() {
            let message = "the weights of the outermost frames add up to more than a number can hold";
            return Err(Error::evidence(message).at(Place::default().field("plot.data")));
        }
        let number = |key: &str| {
            let value = plot.options.get(key)?;
            serde::Deserialize::deserialize(value).ok()
        };
        let total = number("total").unwrap_or(sum).max(sum);
        let unit = plot.options.get("unit").and_then(Value::as_str).unwrap_or_default();
        let shown = plot.options.get("profile_kind").and_then(Value::as_str);
        let kind = match shown.unwrap_or(&plot.kind) {
            "cpu_flamegraph" => ProfileKind::Cpu,
            "wall_flamegraph" => ProfileKind::Wall,
            _ => ProfileKind::Allocation,
        };
        let unit = Unit::parse(if matches!(unit, "1" | "samples") { "1" } else { unit });
        let counts = unit.dimension() == Dimension::Number;
        let noun = match (kind, counts) {
            (ProfileKind::Cpu, true) => "CPU samples",
            (ProfileKind::Wall, true) => "wall-time task samples",
            (ProfileKind::Allocation, true) => "allocations",
            (ProfileKind::Allocation, false) => "allocated bytes",
            _ => "weight",
        };
        let label = plot.options.get("value_label").and_then(Value::as_str).filter(|text| !text.is_empty());
        let samples = total.as_whole().and_then(|total| u64::try_from(total).ok());
        Ok(Self {
            document,
            rows,
            total,
            noun: label.unwrap_or(noun).to_owned(),
            samples: samples.filter(|_| counts && kind != ProfileKind::Allocation),
            unit,
        })
    }

    fn option(&self, key: &str) -> &str {
        self.document.plot.options.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    fn number(&self, key: &str) -> Option<Number> {
        serde::Deserialize::deserialize(self.document.plot.options.get(key)?).ok()
    }

    /// A weight in words, with its unit.
    fn show(&self, weight: Number) -> String {
        match weight.as_whole() {
            Some(whole) => self.unit.scale([weight.as_f64()]).show_whole(whole),
            None => self.unit.show(weight.as_f64()),
        }
    }

    /// A part of the total in words.
    fn share(&self, weight: Number) -> String {
        words::per_cent(crate::analyze::profile::percentage(weight, self.total))
    }
}

/// Draws a flame graph.
///
/// # Errors
/// Rows that are not of this kind.
pub fn chart(document: &PlotDocument) -> Result<Chart> {
    let sheet = Sheet::new(document)?;
    let layout = layout::layout(&sheet.rows, sheet.total);
    let flame = words::flame(&sheet, &layout);
    let functions = words::functions(&sheet);
    let caption = words::caption(&sheet, &flame, &functions);
    Ok(Chart {
        heading: words::heading(&sheet),
        title: words::title(&sheet),
        description: words::description(&sheet, &caption),
        rest: words::rest(&sheet),
        table: words::table(&sheet, &functions),
        data: words::data(&sheet, &functions),
        provenance: words::provenance(&sheet),
        caption,
        ..Chart::bare(&document.plot, Body::Flame(Box::new(flame)))
    })
}

/// The kind of figure that shows the call paths of a profile; none where there is none.
pub fn kind(kind: profile::ProfileKind) -> Option<&'static str> {
    match kind {
        ProfileKind::Cpu => Some("cpu_flamegraph"),
        ProfileKind::Wall => Some("wall_flamegraph"),
        ProfileKind::Allocation => Some("allocation_flamegraph"),
        ProfileKind::Other => None,
    }
}
