//! The one table of figure kinds, and all figures of a source.

use super::chart::Chart;
use super::document::Context;
use super::sheet::Sheet;
use super::{
    allocation, distribution, flame, heat, network, normalized, overlay, record, restrict, saved, sheet,
    tradeoff, version_delta, version_series,
};
use crate::analyze::{Group, Series, SourceSeries};
use crate::config::Config;
use crate::error::{Error, Place, Result};
use crate::evidence::SourceEvidence;
use crate::evidence::plot::PlotDocument;

/// Makes the document of a series; none where there is nothing to show.
type Make = fn(&Context<'_>, &Group, &Series) -> Option<PlotDocument>;

/// Draws a document of one kind.
type Draw = fn(&PlotDocument) -> Result<Chart>;

/// Takes a document of one kind apart into targets and values, so that it can be restricted.
type Open = fn(&PlotDocument) -> Result<Sheet<'_>>;

/// What perfolio can do with a kind.
#[derive(Clone, Copy)]
struct Can {
    draw: Draw,
    /// None for kinds that are not drawn over targets.
    open: Option<Open>,
}

const fn over_targets(draw: Draw, open: Open) -> Can {
    Can { draw, open: Some(open) }
}

const fn alone(draw: Draw) -> Can {
    Can { draw, open: None }
}

/// Every kind of PerfChecker's vocabulary (formats §3.2) and of our own, with what can be done with it.
const KINDS: [(&str, Can); 15] = [
    (normalized::KIND, over_targets(normalized::chart, sheet::normalized)),
    (version_series::KIND, over_targets(version_series::chart, sheet::version_series)),
    (distribution::KIND, over_targets(distribution::chart, distribution::sheet)),
    (version_delta::KIND, over_targets(version_delta::chart, version_delta::sheet)),
    (tradeoff::KIND, over_targets(tradeoff::chart, tradeoff::sheet)),
    (allocation::SHARES, alone(allocation::share_chart)),
    (allocation::FILES, alone(allocation::file_chart)),
    (allocation::LINES, alone(allocation::line_chart)),
    (heat::KIND, alone(heat::chart)),
    ("allocation_flamegraph", alone(flame::chart)),
    ("cpu_flamegraph", alone(flame::chart)),
    ("wall_flamegraph", alone(flame::chart)),
    (flame::change::KIND, alone(flame::change::chart)),
    (overlay::KIND, over_targets(overlay::chart, overlay::sheet)),
    (record::KIND, alone(record::chart)),
];

/// Headings of the parts of a page that hold further figures of one kind.
const HEADINGS: [(&str, &str); 4] = [
    (distribution::KIND, "Every sample"),
    (version_delta::KIND, "Change from target to target"),
    ("time_allocation_tradeoff", "Time against allocated bytes"),
    (version_series::KIND, "Each metric in its own unit"),
];

/// A known kind as it is called, and the heading of its further figures.
pub(super) fn heading(kind: &str) -> Option<(&'static str, &'static str)> {
    let (kind, _) = KINDS.iter().find(|known| known.0 == kind)?;
    let heading = HEADINGS.iter().find(|heading| heading.0 == *kind);
    Some((kind, heading.map_or("Further saved figures", |heading| heading.1)))
}

/// Place of a kind in the order of a page.
pub(super) fn place(kind: &str) -> usize {
    KINDS.iter().position(|known| known.0 == kind).unwrap_or(KINDS.len())
}

/// Names of the kinds that can be drawn.
pub fn drawable() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.0)
}

/// Whether a figure of this kind can be explored in Plotly: those over targets. The others have a script of their own.
pub fn explorable(kind: &str) -> bool {
    KINDS.iter().any(|known| known.0 == kind && known.1.open.is_some())
}

/// Whether figures of a kind are drawn, and not over targets.
pub fn is_alone(kind: &str) -> bool {
    KINDS.iter().any(|known| known.0 == kind && known.1.open.is_none())
}

/// Draws a document, whoever wrote it.
///
/// # Errors
/// A kind that is not known; rows that are not of their kind.
pub fn chart(document: &PlotDocument) -> Result<Chart> {
    (can(document)?.draw)(document)
}

/// How many rows the table of a document has, one per target wherever it is drawn over targets, and how many
/// lines its chart: found without drawing it, where that can be.
///
/// # Errors
/// As [`chart`].
pub fn size(document: &PlotDocument) -> Result<(usize, usize)> {
    let can = can(document)?;
    if let Some(open) = can.open {
        let sheet = open(document)?;
        return Ok((sheet.targets.len(), sheet.metrics.len()));
    }
    let chart = (can.draw)(document)?;
    Ok((chart.table.rows.len(), chart.lines.len()))
}

/// How many lines [`size`] finds in figures of a kind that shows one series, or sets two against each other.
pub fn lines(kind: &str) -> usize {
    if kind == tradeoff::KIND { 2 } else { 1 }
}

/// Takes a document apart.
///
/// # Errors
/// As [`chart`]; a kind that is not drawn over targets.
pub(super) fn sheet(document: &PlotDocument) -> Result<Sheet<'_>> {
    match can(document)?.open {
        Some(open) => open(document),
        None => Err(Error::usage(format!(
            "figures of kind `{}` have no order of targets to choose from",
            document.plot.kind
        ))
        .at(Place::default().field("plot.kind"))),
    }
}

fn can(document: &PlotDocument) -> Result<Can> {
    let kind = &document.plot.kind;
    let found = KINDS.iter().find(|known| known.0 == kind).map(|known| known.1);
    found.ok_or_else(|| {
        Error::evidence(format!("`{kind}` is not a known kind of plot"))
            .at(Place::default().field("plot.kind"))
            .hint(format!("perfolio draws {}", drawable().collect::<Vec<_>>().join(", ")))
    })
}

/// The documents of one group.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureSet {
    /// Position of the group in [`SourceSeries::groups`].
    pub group: usize,
    /// The normalized figure of the complete history; none for groups that cannot be normalized.
    pub main: Option<PlotDocument>,
    /// Its patch windows: minor series and document.
    pub windows: Vec<(String, PlotDocument)>,
    /// One trajectory per metric, in the order of the group.
    pub series: Vec<PlotDocument>,
    /// Further figures, each sort under its heading; sorts without a figure are left out.
    pub more: Vec<Further>,
}

/// Further figures of one sort.
#[derive(Debug, Clone, PartialEq)]
pub struct Further {
    /// Their kind.
    pub kind: &'static str,
    /// Heading of the part of a page that holds them.
    pub heading: &'static str,
    /// The figures, in the order of the group.
    pub documents: Vec<PlotDocument>,
}

impl FigureSet {
    /// All documents: the main one, its windows, the trajectories, the further ones.
    pub fn into_documents(self) -> impl Iterator<Item = PlotDocument> {
        let windows = self.windows.into_iter().map(|(_, document)| document);
        let more = self.more.into_iter().flat_map(|further| further.documents);
        self.main.into_iter().chain(windows).chain(self.series).chain(more)
    }
}

/// Every document of a source, group by group.
///
/// # Errors
/// A configured statistic that does not exist, a configured reference that no group has.
pub fn all(source: &SourceEvidence, series: &SourceSeries, config: &Config) -> Result<Vec<FigureSet>> {
    let context = Context::new(source, config);
    (0..series.groups.len()).map(|group| set(&context, series, group)).collect()
}

/// The documents of a source that belong to no group of series: what its tools recorded, and requests over a network.
pub fn beside(source: &SourceEvidence, series: &SourceSeries) -> Vec<PlotDocument> {
    let mut documents: Vec<PlotDocument> = source.records.iter().filter_map(record::document).collect();
    for campaign in network::campaigns(&source.records, &network::dates(series)) {
        for figures in campaign.payloads {
            documents.extend(figures.latency.into_iter().chain(figures.medians));
        }
    }
    documents
}

/// The documents of the group at `position`.
///
/// # Errors
/// As [`all`].
pub fn set(context: &Context<'_>, series: &SourceSeries, position: usize) -> Result<FigureSet> {
    let group = &series.groups[position];
    if let Some(documents) = &group.saved {
        return Ok(saved::set(&context.source.plots, documents, position));
    }
    let mut set =
        FigureSet { group: position, main: None, windows: Vec::new(), series: Vec::new(), more: Vec::new() };
    each(context, series, position, &mut |part, document| {
        match part {
            Part::Main => set.main = Some(document),
            Part::Window(minor) => set.windows.push((minor, document)),
            Part::Series => set.series.push(document),
            Part::More(kind, heading) => match set.more.last_mut().filter(|sort| sort.kind == kind) {
                Some(sort) => sort.documents.push(document),
                None => set.more.push(Further { kind, heading, documents: vec![document] }),
            },
        }
        Ok(())
    })?;
    Ok(set)
}

/// Which place a document has among those of its group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The normalized figure of the complete history.
    Main,
    /// A patch window of it: its minor series.
    Window(String),
    /// The trajectory of one metric.
    Series,
    /// A further figure: its kind, and the heading of the part of a page that holds its sort.
    More(&'static str, &'static str),
}

/// Makes the documents of a measured group one after the other and hands each on before the next is made: those of
/// thousands of targets are large. Windows come first, then the main figure, trajectories, and further figures
/// sort by sort.
///
/// # Errors
/// As [`all`]; an error of `take`.
pub fn each(
    context: &Context<'_>,
    series: &SourceSeries,
    position: usize,
    take: &mut dyn FnMut(Part, PlotDocument) -> Result<()>,
) -> Result<()> {
    let group = &series.groups[position];
    if let Some(main) = normalized::document(context, group)? {
        for (minor, window) in restrict::windows(&main, &context.config.tabs.patches)? {
            take(Part::Window(minor), window)?;
        }
        take(Part::Main, main)?;
    }
    for one in &group.series {
        take(Part::Series, version_series::document(context, group, one))?;
    }
    let mut further = |kind: &str, document: PlotDocument| match heading(kind) {
        Some((kind, heading)) => take(Part::More(kind, heading), document),
        None => Ok(()),
    };
    let of_series: [(&str, Make); 2] =
        [(distribution::KIND, distribution::document), (version_delta::KIND, version_delta::document)];
    for (kind, document) in of_series {
        for document in group.series.iter().filter_map(|series| document(context, group, series)) {
            further(kind, document)?;
        }
    }
    tradeoff::document(context, series, position).map_or(Ok(()), |document| further(tradeoff::KIND, document))
}
