//! The one table of figure kinds, and all figures of a source.

use super::chart::Chart;
use super::document::Context;
use super::sheet::Sheet;
use super::{lines, normalized, overlay, restrict, sheet, version_series};
use crate::analyze::SourceSeries;
use crate::config::Config;
use crate::error::{Error, Place, Result};
use crate::evidence::SourceEvidence;
use crate::evidence::plot::PlotDocument;

/// Takes a document of one kind apart.
type Open = fn(&PlotDocument) -> Result<Sheet<'_>>;

/// Every kind of PerfChecker's vocabulary (formats §3.2) and of our own, with its reader where it can be
/// drawn.
const KINDS: [(&str, Option<Open>); 13] = [
    ("normalized_metrics", Some(sheet::normalized)),
    ("version_series", Some(sheet::version_series)),
    ("distribution", None),
    ("version_delta", None),
    ("time_allocation_tradeoff", None),
    ("allocation_pie", None),
    ("allocation_files", None),
    ("allocation_lines", None),
    ("allocation_heatmap", None),
    ("allocation_flamegraph", None),
    ("cpu_flamegraph", None),
    ("wall_flamegraph", None),
    (overlay::KIND, Some(overlay::sheet)),
];

/// Names of the kinds that can be drawn.
pub fn drawable() -> impl Iterator<Item = &'static str> {
    KINDS.iter().filter(|kind| kind.1.is_some()).map(|kind| kind.0)
}

/// Draws a document, whoever wrote it.
///
/// # Errors
/// A kind that is not known or cannot be drawn yet; rows that are not of their kind.
pub fn chart(document: &PlotDocument) -> Result<Chart> {
    Ok(lines::chart(&sheet(document)?))
}

/// Takes a document apart.
pub(super) fn sheet(document: &PlotDocument) -> Result<Sheet<'_>> {
    let kind = &document.plot.kind;
    let place = || Place::default().field("plot.kind");
    let drawable = || format!("perfolio draws {}", drawable().collect::<Vec<_>>().join(", "));
    match KINDS.iter().find(|known| known.0 == kind) {
        Some((_, Some(open))) => open(document),
        Some((_, None)) => Err(Error::evidence(format!("plots of kind `{kind}` cannot be drawn yet"))
            .at(place())
            .hint(drawable())),
        None => {
            Err(Error::evidence(format!("`{kind}` is not a known kind of plot")).at(place()).hint(drawable()))
        }
    }
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
}

/// Every document of a source, group by group.
///
/// # Errors
/// A configured statistic that does not exist, a configured reference that no group has.
pub fn all(source: &SourceEvidence, series: &SourceSeries, config: &Config) -> Result<Vec<FigureSet>> {
    let context = Context::new(source, config);
    (0..series.groups.len()).map(|group| set(&context, series, group)).collect()
}

/// The documents of the group at `position`.
///
/// # Errors
/// As [`all`].
pub fn set(context: &Context<'_>, series: &SourceSeries, position: usize) -> Result<FigureSet> {
    let group = &series.groups[position];
    let main = normalized::document(context, group)?;
    let windows = match &main {
        Some(main) => restrict::windows(main, &context.config.tabs.patches)?,
        None => Vec::new(),
    };
    let series = group.series.iter().map(|one| version_series::document(context, group, one)).collect();
    Ok(FigureSet { group: position, main, windows, series })
}
