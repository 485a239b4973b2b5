//! Galleries of saved documents: their figures, what is only listed, and what is said about it.

use std::collections::BTreeSet;

use crate::analyze::Saved;
use crate::error::{Place, Problem, Result, Severity};
use crate::evidence::catalog::{ComparisonRecord, SavedComparison};
use crate::evidence::{SavedPlot, SourceEvidence};
use crate::figure;
use crate::text::number;
use crate::text::slug;
use crate::theme::view::{self, ComparedValue, Comparison, Link, SavedPlots};

use super::figures::{self, Packed};
use super::load::LoadedSource;
use super::plan::link;
use super::workloads::{Further, Set};

/// A saved document that stands in a table instead of a figure.
#[derive(Debug)]
pub(super) struct Listed {
    /// Position in the plots of the source.
    plot: usize,
    /// Why it is not drawn on a page, in words; empty when it speaks for itself.
    note: String,
    /// The document; none when another figure of the site is the same.
    pub(super) packed: Option<Packed>,
    /// Whether its drawings are files of the site, too.
    pub(super) drawn: bool,
}

/// The figures of a group of saved documents.
///
/// # Errors
/// None for documents that were read.
pub(super) fn set(plots: &[SavedPlot], documents: &Saved, group: usize) -> Result<Set> {
    let shown = figure::saved::shown(plots, documents);
    let packed = |at: usize| Packed::saved(&plots[at]);
    let all = |list: Vec<usize>| list.into_iter().map(packed).collect::<Result<Vec<_>>>();
    let mut more = Vec::new();
    for (kind, heading, list) in shown.more {
        more.push(Further { kind, heading, figures: all(list)? });
    }
    let listed = shown
        .listed
        .into_iter()
        .map(|(plot, note)| Ok(Listed { plot, note, packed: Some(packed(plot)?), drawn: false }));
    Ok(Set {
        group,
        main: shown.main.map(packed).transpose()?,
        windows: shown
            .windows
            .into_iter()
            .map(|(name, at)| Ok((name, packed(at)?)))
            .collect::<Result<_>>()?,
        series: all(shown.series)?,
        more,
        listed: listed.collect::<Result<_>>()?,
        problems: Vec::new(),
    })
}

/// Takes the figures of one metric of several features out of the documents that belong to no workload.
pub(super) fn overlays(plots: &[SavedPlot], loose: &mut Vec<Listed>) -> Vec<Packed> {
    let is_one = |one: &mut Listed| {
        one.drawn && one.packed.is_some() && plots[one.plot].document.plot.kind == figure::overlay::KIND
    };
    loose.extract_if(.., is_one).filter_map(|one| one.packed).collect()
}

/// The documents of a source that belong to no workload.
///
/// # Errors
/// None for documents that were read.
pub(super) fn loose(source: &LoadedSource) -> Result<Vec<Listed>> {
    let plots = &source.evidence.plots;
    let mut listed = Vec::new();
    for &plot in &source.series.loose {
        let document = &plots[plot].document;
        let (note, drawn) = match figure::chart(document) {
            Ok(_) => (String::new(), true),
            Err(error) => (error.message, false),
        };
        listed.push(Listed { plot, note, packed: Some(Packed::saved(&plots[plot])?), drawn });
    }
    for (why, which) in [
        ("a copy of another document", &source.series.copies),
        ("its runs are in the source and give the figure again", &source.series.repeated),
    ] {
        let note = why.to_owned();
        listed.extend(which.iter().map(|&plot| Listed {
            plot,
            note: note.clone(),
            packed: None,
            drawn: false,
        }));
    }
    Ok(listed)
}

/// Gives figures of one id paths of their own; gives the slugs of all.
pub(super) fn tell_apart(sets: &mut [Set], loose: &mut [Listed]) -> BTreeSet<String> {
    let mut taken = BTreeSet::new();
    let of_sets = sets.iter_mut().flat_map(|set| {
        let windows = set.windows.iter_mut().map(|(_, figure)| figure);
        let more = set.more.iter_mut().flat_map(|further| &mut further.figures);
        let listed = set.listed.iter_mut().filter_map(|listed| listed.packed.as_mut());
        set.main.iter_mut().chain(windows).chain(&mut set.series).chain(more).chain(listed)
    });
    for figure in of_sets.chain(loose.iter_mut().filter_map(|listed| listed.packed.as_mut())) {
        let id = figure.id.clone();
        let mut count = 1;
        while !taken.insert(slug::slug(&figure.id).to_lowercase()) {
            count += 1;
            figure.id = format!("{id}-{count}");
        }
    }
    taken
}

/// The table of `listed` documents on `page`; none when there are none.
pub(super) fn table<'a>(
    page: &str,
    evidence: &SourceEvidence,
    listed: impl Iterator<Item = &'a Listed>,
) -> Option<SavedPlots> {
    let row = |one: &Listed| {
        let plot = &evidence.plots[one.plot].document.plot;
        let title = if plot.title.is_empty() { &plot.id } else { &plot.title };
        let to = |text: &str, id: &str, ending: &str| Link {
            text: text.to_owned(),
            href: link(page, &format!("{}.{ending}", figures::base(&evidence.id, id))),
        };
        let mut links = Vec::new();
        if let Some(packed) = &one.packed {
            if one.drawn {
                links.push(to("Interactive export", &packed.id, "html"));
                links.push(to("SVG", &packed.id, "svg"));
            }
            links.push(to("Serialized plot", &packed.id, "json"));
        }
        view::SavedPlot {
            title: title.clone(),
            kind: plot.kind.clone(),
            rows: number::whole(plot.data.len() as i128),
            note: one.note.clone(),
            links,
        }
    };
    let rows: Vec<view::SavedPlot> = listed.map(row).collect();
    (!rows.is_empty()).then(|| SavedPlots {
        heading: "Other saved figures".to_owned(),
        note: "These documents are part of the evidence and are not drawn on this page.".to_owned(),
        rows,
    })
}

/// Warnings for documents that are of a known kind and cannot be drawn all the same.
pub(super) fn undrawn<'a>(
    evidence: &'a SourceEvidence,
    listed: impl Iterator<Item = &'a Listed>,
) -> impl Iterator<Item = Problem> {
    let known = |kind: &str| figure::drawable().any(|drawable| drawable == kind);
    listed.filter(|one| one.packed.is_some() && !one.drawn).map(move |one| {
        let plot = &evidence.plots[one.plot];
        let message = format!("the figure is listed and not drawn: {}", one.note);
        let severity = if known(&plot.document.plot.kind) { Severity::Warning } else { Severity::Note };
        Problem::new(severity, Place::file(&*plot.path), message).of_source(&evidence.id)
    })
}

/// A comparison of collectors, as it was published.
pub(super) fn comparison(at: usize, saved: &SavedComparison) -> Comparison {
    let name = saved.family.clone().or_else(|| saved.target.clone());
    let name = name.unwrap_or_else(|| saved.path.clone());
    let mut note = "Whoever published these values had converted them already: they are shown as written, \
                    with what they were made from, and are not compared with any figure."
        .to_owned();
    for (label, text) in
        [("Target", &saved.target), ("Correctness as published", &saved.correctness), ("Scope", &saved.scope)]
    {
        if let Some(text) = text {
            note = format!("{note} {label}: {}.", text.trim_end_matches('.'));
        }
    }
    Comparison {
        id: format!("collectors-{}", at + 1),
        heading: format!("Collectors compared: {name}"),
        note,
        rows: saved.records.iter().map(value).collect(),
    }
}

fn value(record: &ComparisonRecord) -> ComparedValue {
    let unit = if record.unit == "1" { "" } else { &record.unit };
    let samples = record.samples.map(|count| {
        format!("of {} {}", number::whole(count.into()), if count == 1 { "sample" } else { "samples" })
    });
    let statistic: Vec<String> = record.statistic.clone().into_iter().chain(samples).collect();
    let from = match (&record.source_metric, &record.source_unit) {
        (Some(metric), Some(unit)) => Some(format!("{metric} in {unit}")),
        (Some(metric), None) => Some(metric.clone()),
        (None, unit) => unit.clone(),
    };
    let derivation: Vec<String> = from.into_iter().chain(record.derivation.clone()).collect();
    ComparedValue {
        workload: match &record.target {
            Some(target) => format!("{} at {target}", record.workload),
            None => record.workload.clone(),
        },
        collector: record.collector.clone(),
        metric: record.metric.clone(),
        value: match record.value {
            Some(value) => format!("{value} {unit}").trim_end().to_owned(),
            None => "not measured".to_owned(),
        },
        statistic: statistic.join(" "),
        derivation: derivation.join(", "),
    }
}
