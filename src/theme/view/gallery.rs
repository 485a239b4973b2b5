//! The views of a gallery: cards, ratio matrices, runs.

use serde::Serialize;

use super::{
    Comparison, Described, Fact, FigureBlock, Html, Link, Notice, Page, Problem, SavedPlots, Span, Tone, View,
};

/// `gallery.html`: all workloads of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Gallery {
    /// What all pages share.
    pub page: Page,
    /// Heading.
    pub title: String,
    /// What was measured, where and when, in one sentence; empty when unknown.
    pub lede: String,
    /// How many checks there are and how many failed, in one sentence; empty when nothing was planned.
    pub count: String,
    /// State, integrity, run dates, runtime, operating system.
    pub facts: Vec<Fact>,
    /// What is the matter with the whole source.
    pub notices: Vec<Notice>,
    /// Cards of all workloads; none when the source holds no series.
    pub overview: Option<Overview>,
    /// What stands in place of the overview when there is none; else empty.
    pub empty: String,
    /// One metric of all features; none when no two features share one.
    pub overlays: Option<Overlays>,
    /// Ratio matrices, the main metric first.
    pub matrices: Vec<Matrix>,
    /// Values that whoever published them had converted.
    pub comparisons: Vec<Comparison>,
    /// Saved documents of no workload; none when there are none.
    pub saved: Option<SavedPlots>,
    /// What tools said of the source; none when nothing is there.
    pub reports: Option<Described>,
    /// What was measured and why the rest was not; none when nothing was planned.
    pub availability: Option<Availability>,
    /// Such as "12 runs, 1 superseded"; empty when there is no run.
    pub runs_summary: String,
    /// The runs of the source, newest first, superseded ones included.
    pub runs: Vec<Run>,
    /// In one sentence, such as "1 note"; empty when there is no problem.
    pub problems_summary: String,
    /// The problems of this source.
    pub problems: Vec<Problem>,
}

/// The cards of a gallery.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Overview {
    /// Such as "Wall time by feature".
    pub heading: String,
    /// The computed sentence; empty when there is none.
    pub says: Vec<Span>,
    /// One card per workload, in the order of the source.
    pub cards: Vec<Card>,
    /// How to read the small curves; empty when no card has one.
    pub how_to_read: String,
    /// Which part of the workloads has cards, such as "The 150 of 2,500 that changed most."; empty when all have.
    pub part: String,
    /// The list of all workloads; none when all have cards.
    pub all: Option<Link>,
    /// All tags of the cards, sorted, for the filter.
    pub tags: Vec<String>,
}

/// `cards.html`: the cards of a gallery, or of one workload, inside a content page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Cards {
    /// The cards.
    pub overview: Overview,
    /// Whether it is one workload's card: then the sentence about all of them is left out.
    pub single: bool,
    /// What the cards show, such as "Allocated bytes by feature", where the block chose it; else empty.
    pub heading: String,
    /// Which part of the history the cards show, in sentences; empty for all of it.
    pub part: String,
    /// Name of the headings of the cards, such as `h3`.
    pub level: String,
}

/// One workload in a gallery.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Card {
    /// Its name.
    pub name: String,
    /// Its page.
    pub href: String,
    /// What it does, in one sentence; empty when unknown.
    pub what: String,
    /// The newest value with its unit; empty when there is none.
    pub value: String,
    /// The curve of the main metric; none when there is nothing to draw.
    pub spark_html: Option<Html>,
    /// Change from the target before, in words, such as "47 % lower than 1.10.2"; empty when unknown.
    pub change: String,
    /// Whether the change is more than the clock can err.
    pub strong: bool,
    /// The change in the unit, such as "−3.4 µs, 34 clock steps"; empty when unknown.
    pub detail: String,
    /// What is unusual, such as "not measured at 1.11.0"; empty when nothing is.
    pub note: String,
    /// What the card is sorted by.
    pub sort: Sort,
    /// Tags for the filter.
    pub tags: Vec<String>,
}

/// Sort keys of a card: plain decimal numbers with a point, empty when there is no value (sorted last).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Sort {
    /// Size of the change whatever its direction, as a factor of at least 1.
    pub change: String,
    /// The newest value in the base unit.
    pub value: String,
}

/// Ratios of all workloads at all targets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Matrix {
    /// Fragment of the page.
    pub id: String,
    /// Such as "Wall time, ratio to own minimum".
    pub heading: String,
    /// What the table shows, for those who do not see its colours.
    pub caption: String,
    /// Which part of rows and columns is shown; empty when all are.
    pub part: String,
    /// All ratios as CSV; none when all rows are shown.
    pub csv: Option<Link>,
    /// Head of the row labels, such as "feature".
    pub corner: String,
    /// Targets in order.
    pub columns: Vec<MatrixColumn>,
    /// Workloads in order.
    pub rows: Vec<MatrixRow>,
    /// What the colours mean, from 1 upwards.
    pub legend: Vec<LegendStep>,
}

/// A target of a matrix.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MatrixColumn {
    /// Target label.
    pub label: String,
    /// Year and month, such as `2026-08`; empty when unknown.
    pub date: String,
}

/// A workload of a matrix.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MatrixRow {
    /// Its name.
    pub label: String,
    /// Its page.
    pub href: String,
    /// One cell per column.
    pub cells: Vec<MatrixCell>,
}

/// A ratio.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct MatrixCell {
    /// The ratio, or a short word such as "none" in its place.
    pub text: String,
    /// `h0` for the reference itself, `h1` to `h6` by size, `hole` where there is no ratio.
    pub class: String,
    /// Why there is no ratio; empty when there is one.
    pub reason: String,
}

/// A step of the colour scale.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LegendStep {
    /// Such as "≤ 1.25".
    pub text: String,
    /// Class as in [`MatrixCell::class`].
    pub class: String,
}

/// Figures that show one metric of several features, each by its own reference.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Overlays {
    /// Such as "All features".
    pub heading: String,
    /// The figure of the main metric.
    pub first: FigureBlock,
    /// Such as "Three further metrics"; empty when there are none.
    pub more_summary: String,
    /// The figures of further metrics.
    pub more: Vec<FigureBlock>,
    /// Figures that would make the page too heavy, as links to their files.
    pub links: Vec<Link>,
}

/// Features × targets: number of samples, or why there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Availability {
    /// Such as "What was measured".
    pub heading: String,
    /// What the table shows.
    pub caption: String,
    /// How much the closed disclosure holds, such as "7 features at 14 targets".
    pub summary: String,
    /// Whether it stands open at first.
    pub open: bool,
    /// Labels of the targets in order.
    pub columns: Vec<String>,
    /// Features in order.
    pub rows: Vec<AvailabilityRow>,
    /// Which part of rows and columns is shown; empty when all are.
    pub part: String,
    /// All checks as CSV; none when all are shown.
    pub csv: Option<Link>,
    /// Whether some cell was not planned.
    pub unplanned: bool,
    /// What the letters mean.
    pub reasons: Vec<AvailabilityReason>,
    /// Whether each letter in the table leads to its reason; not where there are very many.
    pub linked: bool,
}

/// A feature of the table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AvailabilityRow {
    /// Recorded name.
    pub label: String,
    /// Its page; none when it has no value anywhere.
    pub href: Option<String>,
    /// One cell per target.
    pub cells: Vec<AvailabilityCell>,
}

/// A feature at a target.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AvailabilityCell {
    /// Number of samples; a dot when not planned; empty for a hole.
    pub text: String,
    /// Letter of what is missing; empty when nothing is.
    pub mark: String,
    /// Whether nothing was recorded although it was planned.
    pub hole: bool,
}

/// Why something is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AvailabilityReason {
    /// Its letter.
    pub mark: String,
    /// The reason in words.
    pub text: String,
    /// How many cells have it.
    pub count: String,
}

/// A run of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Run {
    /// Fragment of the page.
    pub id: String,
    /// The recorded run id.
    pub run_id: String,
    /// What it measured, such as "plain, 14 releases".
    pub what: String,
    /// State and evidence, such as "complete, fresh".
    pub state: Flagged,
    /// Integrity.
    pub integrity: Flagged,
    /// When it finished; empty when not recorded.
    pub date: String,
    /// Runtime; empty when not recorded.
    pub runtime: String,
    /// Operating system; empty when not recorded.
    pub os: String,
    /// Where it lies in the source.
    pub path: String,
    /// Such as "superseded by …"; empty when nothing is to be said.
    pub note: String,
}

/// A word that may stand out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Flagged {
    /// The word.
    pub text: String,
    /// How it stands out.
    pub tone: Tone,
}

impl View for Gallery {
    const TEMPLATE: &'static str = "gallery.html";
}

impl View for Cards {
    const TEMPLATE: &'static str = "cards.html";
}
