//! Figures of a gallery that show one metric of several features, each by its own reference.

use rayon::prelude::*;

use crate::analyze::{Group, normalize};
use crate::error::{Error, Kind, Problem, Result};
use crate::figure::{Context, chart, normalized, overlay};
use crate::text::list;
use crate::text::number;
use crate::theme::view::{FigureBlock, Html, Link, Overlays};

use super::crowd;
use super::figures::{self, Packed, Ready};
use super::load::LoadedSource;
use super::plan::link;
use super::workloads::{Gallery, Set, Workload};

/// Most metrics that have such a figure.
const MOST: usize = 8;
/// With more features than this those that changed most come first: only the first ones are shown at once.
const ORDERED: usize = 6;
/// Most bytes of such figures in the page; what is beyond is linked.
const HEAVY: usize = 320_000;
/// Most cells of a table in the page; larger ones are in the CSV.
const CELLS: usize = 2_000;

/// The figures of a source, the main metric first; none when no two features share a metric. With `saved` figures
/// of this kind at hand, groups of saved documents are left to them. A figure that cannot be made is a problem.
///
/// # Errors
/// A statistic or reference that cannot be used.
pub(super) fn all(
    context: &Context,
    source: &LoadedSource,
    workloads: &[Workload],
    sets: &[Set],
    saved: bool,
) -> Result<(Vec<Packed>, Vec<Problem>)> {
    let mut groups = groups(source, workloads, sets);
    groups.retain(|group| !(saved && group.saved.is_some()));
    let families: Vec<_> = overlay::families(context, &groups).into_iter().take(MOST).collect();
    let made: Vec<_> = families
        .into_par_iter()
        .map(|(metric, members)| {
            let mut members: Vec<&Group> = members.into_iter().map(|at| groups[at]).collect();
            let all = members.len();
            if all > ORDERED {
                let (statistic, reference) = normalized::settings(context)?;
                members.sort_by_cached_key(|group| {
                    let series = group.series.iter().find(|series| *series.definition.metric == *metric);
                    let ratios =
                        series.map(|series| normalize::normalize(group, series, statistic, &reference));
                    let cells = ratios.iter().flat_map(|normalized| &normalized.cells);
                    let bounds =
                        cells.filter_map(|cell| cell.ratio).fold((f64::INFINITY, 0.0_f64), |found, ratio| {
                            (found.0.min(ratio), found.1.max(ratio))
                        });
                    // Positive floats sort as their bits do.
                    let range = if bounds.0 > 0.0 { bounds.1 / bounds.0 } else { bounds.1 };
                    std::cmp::Reverse(range.max(0.0).to_bits())
                });
            }
            // What no drawing of them could show is left to the pages of the features.
            let targets = members.iter().map(|group| group.targets.len()).max().unwrap_or(0);
            members.truncate(chart::drawable(all, targets));
            let mut document = overlay::document(context, &members, Some(&metric))?;
            if let Some(details) = document.perfolio.as_mut().filter(|_| members.len() < all) {
                let features = list::counted(all, "feature", "features");
                let part = format!("the {} of {features} that changed most", members.len());
                details.part = Some(part);
            }
            Packed::drawn(&document)
        })
        .collect();
    let mut figures = Vec::new();
    let mut problems = Vec::new();
    for one in made {
        match one {
            Ok(figure) => figures.push(figure),
            Err(error) if error.kind == Kind::Evidence => problems.push(problem(&error)),
            Err(error) => return Err(error),
        }
    }
    Ok((figures, problems))
}

/// Tells why a figure of several features is missing.
fn problem(error: &Error) -> Problem {
    let message = format!("the figure of several features could not be made: {}", error.message);
    Problem::error(error.place.clone(), message)
}

/// Sorts saved figures by their metric, as those that are made stand.
///
/// # Errors
/// A figure cannot be read back.
pub(super) fn sort(
    context: &Context,
    source: &LoadedSource,
    workloads: &[Workload],
    sets: &[Set],
    figures: &mut Vec<Packed>,
) -> Result<()> {
    if figures.len() < 2 {
        return Ok(());
    }
    let metrics: Vec<_> = overlay::families(context, &groups(source, workloads, sets));
    let mut placed = Vec::new();
    for figure in figures.drain(..) {
        let document = figure.open()?;
        let metric = document.plot.options.get("metric").and_then(|metric| metric.as_str());
        let place = metrics.iter().position(|(known, _)| Some(&**known) == metric);
        placed.push((place.unwrap_or(metrics.len()), figure));
    }
    placed.sort_by_key(|(place, _)| *place);
    figures.extend(placed.into_iter().map(|(_, figure)| figure));
    Ok(())
}

/// The groups of a source in the order of its workloads.
fn groups<'a>(source: &'a LoadedSource, workloads: &[Workload], sets: &[Set]) -> Vec<&'a Group> {
    let sets = workloads.iter().flat_map(|workload| &workload.sets).map(|&set| &sets[set]);
    sets.map(|set| &source.series.groups[set.group]).collect()
}

/// The figures for the page of the gallery; none when there are none.
///
/// # Errors
/// A figure cannot be drawn.
pub(super) fn view(source: &LoadedSource, gallery: &Gallery) -> Result<Option<Overlays>> {
    let (page, id) = (&gallery.page, &source.evidence.id);
    // Of each only what stands on the page stays in memory.
    let drawn = gallery.overlays.par_iter().enumerate().map(|(at, figure)| {
        let mut chart = Ready::new(figure)?.chart;
        let cells = chart.table.rows.len() * chart.table.head.len();
        if cells > CELLS {
            chart.table.rows.clear();
            let cells = number::whole(cells as i128);
            chart.table.summary = format!("The table has {cells} cells; they are in the CSV");
        }
        let body = figures::block(page, id, &figure.id, &chart, &format!("o{}", at + 1));
        Ok((figure, chart.heading, body))
    });
    let drawn = drawn.collect::<Result<Vec<_>>>()?;
    let mut blocks = Vec::new();
    let mut links = Vec::new();
    let mut weight = 0;
    // Cards and tables of very many workloads weigh enough.
    let heavy = if crowd::pages(gallery) > 0 { HEAVY / 3 } else { HEAVY };
    for (at, (figure, heading, body)) in drawn.into_iter().enumerate() {
        if at > 0 && weight + body.len() > heavy {
            let file = format!("{}.html", figures::base(id, &figure.id));
            links.push(Link { text: heading, href: link(page, &file) });
            continue;
        }
        weight += body.len();
        blocks.push(FigureBlock {
            id: figures::anchor(&figure.id),
            heading,
            body_html: Html(body),
            notes: Vec::new(),
        });
    }
    if blocks.is_empty() {
        return Ok(None);
    }
    let first = blocks.remove(0);
    let more_summary = match blocks.len() {
        0 => String::new(),
        1 => "One further metric".to_owned(),
        count => format!("{} further metrics", crate::figure::names::raised(&list::words(count))),
    };
    Ok(Some(Overlays { heading: "Features together".to_owned(), first, more_summary, more: blocks, links }))
}
