//! A part of a history: patch windows and ranges. Rows are dropped; what stays keeps its values, ratios,
//! reference and scale (formats §3.4).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::{Value, json};

use super::kinds;
use super::lines;
use super::names;
use super::scale;
use super::sheet::Sheet;
use super::tradeoff;
use crate::analyze::order::Version;
use crate::config::Patches;
use crate::config::nearest::nearest;
use crate::error::{Error, Result};
use crate::evidence::plot::{Plot, PlotDocument};
use crate::evidence::row::Row;
use crate::text::slug::slug;

/// One document per minor series that has a window, in the order of the targets: its name (`1.10`) and the
/// document.
///
/// # Errors
/// The document cannot be read as a figure over targets.
pub fn windows(document: &PlotDocument, patches: &Patches) -> Result<Vec<(String, PlotDocument)>> {
    if *patches == Patches::None {
        return Ok(Vec::new());
    }
    if *patches == Patches::Auto && !has_neighbours(document) {
        return Ok(Vec::new());
    }
    let sheet = kinds::sheet(document)?;
    let mut series: Vec<(String, Vec<usize>)> = Vec::new();
    let mut at: BTreeMap<(u64, u64), usize> = BTreeMap::new();
    for (target, column) in sheet.targets.iter().enumerate().filter(|(_, column)| column.kind == "release") {
        let Some(version) = Version::parse(&column.label) else { continue };
        let position = *at.entry((version.major, version.minor)).or_insert_with(|| {
            series.push((format!("{}.{}", version.major, version.minor), Vec::new()));
            series.len() - 1
        });
        series[position].1.push(target);
    }
    Ok(series
        .into_iter()
        .filter(|(name, targets)| match patches {
            Patches::Auto => targets.len() > 1,
            Patches::None => false,
            Patches::Only(names) => names.contains(name),
        })
        .map(|(name, targets)| {
            let mut window = keep(&sheet, &targets);
            window.plot.id = format!("{}-{name}", window.plot.id);
            window.plot.title = format!("{} · {name} patches", window.plot.title);
            (name, window)
        })
        .collect())
}

/// Whether two of the listed targets may be of one minor series; also where no targets are listed.
fn has_neighbours(document: &PlotDocument) -> bool {
    let Some(listed) = document.plot.options.get("versions").and_then(Value::as_array) else { return true };
    let mut seen = BTreeSet::new();
    let versions = listed.iter().filter_map(Value::as_str).filter_map(Version::parse);
    versions.into_iter().any(|version| !seen.insert((version.major, version.minor)))
}

/// The targets from `from` to `to`, both included; an open end is the first or the newest target.
///
/// # Errors
/// A label that the document does not have; `to` before `from`; not a figure over targets.
pub fn range(document: &PlotDocument, from: Option<&str>, to: Option<&str>) -> Result<PlotDocument> {
    let sheet = kinds::sheet(document)?;
    let labels: Vec<&str> = sheet.targets.iter().map(|column| column.label.as_str()).collect();
    let targets: Vec<usize> = span(&labels, from, to, "figure")?.collect();
    if targets.len() == sheet.targets.len() {
        return Ok(document.clone());
    }
    let label = |target: usize| &sheet.targets[target].label;
    let (first, last) = (targets[0], targets[targets.len() - 1]);
    let mut part = keep(&sheet, &targets);
    part.plot.id = format!("{}-from-{}-to-{}", part.plot.id, slug(label(first)), slug(label(last)));
    part.plot.title = format!("{} · {} to {}", part.plot.title, label(first), label(last));
    if let Some(details) = &mut part.perfolio {
        let noun = sheet.noun();
        details.part = Some(format!(
            "{} to {}, {} of {}",
            label(first),
            label(last),
            targets.len(),
            names::count(sheet.targets.len(), noun)
        ));
    }
    Ok(part)
}

/// The positions of `labels` from `from` to `to`, both included; an open end is the first or the last label.
/// `whose` they are, in a word for the message. Empty only without labels.
///
/// # Errors
/// A label that is not there, with the nearest one that is; `to` before `from`.
pub fn span(labels: &[&str], from: Option<&str>, to: Option<&str>, whose: &str) -> Result<Range<usize>> {
    let find = |label: &str| {
        labels.iter().position(|known| *known == label).ok_or_else(|| {
            let known = labels.iter().take(40).copied().collect::<Vec<_>>().join(", ");
            let hint = match nearest(label, labels.iter().copied()) {
                Some(near) => format!("did you mean `{near}`? Its targets are {known}"),
                None => format!("its targets are {known}"),
            };
            Error::usage(format!("the {whose} has no target `{label}`")).hint(hint)
        })
    };
    let first = from.map_or(Ok(0), find)?;
    let last = to.map_or(Ok(labels.len().saturating_sub(1)), find)?;
    if first > last {
        return Err(Error::usage(format!(
            "`{}` comes after `{}` in the order of the targets",
            labels[first], labels[last]
        )));
    }
    Ok(first..(last + 1).min(labels.len()))
}

/// The labels of a document's targets, in order.
///
/// # Errors
/// Not a figure over targets.
pub fn targets(document: &PlotDocument) -> Result<Vec<String>> {
    Ok(kinds::sheet(document)?.targets.into_iter().map(|column| column.label).collect())
}

/// The document with only the targets of these labels, in its own order.
///
/// # Errors
/// Not a figure over targets.
pub fn only(document: &PlotDocument, labels: &[String]) -> Result<PlotDocument> {
    let sheet = kinds::sheet(document)?;
    let targets: Vec<usize> =
        (0..sheet.targets.len()).filter(|&target| labels.contains(&sheet.targets[target].label)).collect();
    if targets.len() == sheet.targets.len() {
        return Ok(document.clone());
    }
    let mut part = keep(&sheet, &targets);
    let kept: Vec<&str> = targets.iter().map(|&target| sheet.targets[target].label.as_str()).collect();
    part.plot.id = format!("{}-only-{}", part.plot.id, slug(&kept.join(" ")));
    part.plot.title = format!("{} · {}", part.plot.title, kept.join(", "));
    if let Some(details) = &mut part.perfolio {
        details.part = Some(format!("{} of {}", kept.len(), names::count(sheet.targets.len(), sheet.noun())));
    }
    Ok(part)
}

/// The document without the targets of these labels, under its own id; none when it has none of them.
///
/// # Errors
/// Not a figure over targets.
pub fn without(document: &PlotDocument, hidden: &BTreeSet<&str>) -> Result<Option<PlotDocument>> {
    let sheet = kinds::sheet(document)?;
    let kept: Vec<usize> = (0..sheet.targets.len())
        .filter(|&target| !hidden.contains(sheet.targets[target].label.as_str()))
        .collect();
    let less = sheet.targets.len() - kept.len();
    if less == 0 {
        return Ok(None);
    }
    let mut part = keep(&sheet, &kept);
    if document.reference_scope.is_none() && part.reference_scope.is_some() {
        // The usual sentence names both ends of the history, of which one may be hidden.
        let (one, many) = sheet.noun();
        part.reference_scope = Some(format!(
            "Ratios keep the reference of the complete history; {} not shown.",
            if less == 1 { format!("1 {one} is") } else { format!("{less} {many} are") }
        ));
    }
    Ok(Some(part))
}

/// The document with only these metrics; none when it has none of them.
///
/// # Errors
/// Not a figure over targets.
pub fn metrics(document: &PlotDocument, ids: &[String]) -> Result<Option<PlotDocument>> {
    let sheet = kinds::sheet(document)?;
    if let Some(overlaid) = &sheet.overlaid {
        return Ok(ids.contains(&overlaid.id).then(|| document.clone()));
    }
    let kept: Vec<&str> = sheet
        .metrics
        .iter()
        .map(|metric| metric.id.as_str())
        .filter(|id| ids.iter().any(|one| one == id))
        .collect();
    if kept.is_empty() {
        return Ok(None);
    }
    // What sets two metrics against each other is nothing without one of them.
    if document.plot.kind == tradeoff::KIND && kept.len() < sheet.metrics.len() {
        return Ok(None);
    }
    if kept.len() == sheet.metrics.len() {
        return Ok(Some(document.clone()));
    }
    let mut part = document.clone();
    part.plot
        .data
        .retain(|row| row.get("metric").and_then(Value::as_str).is_some_and(|id| kept.contains(&id)));
    part.plot.id = format!("{}-metrics-{}", part.plot.id, slug(&kept.join(" ")));
    part.plot.title = format!("{} · {}", part.plot.title, kept.join(", "));
    if let Some(details) = &mut part.perfolio {
        // The height of a ratio must not depend on which other metrics are shown.
        details.scale = Some(scale::word(lines::scale_of(&sheet)).to_owned());
    }
    Ok(Some(part))
}

/// The labels of the targets that a row is about: one, or both ends of a change.
fn named(row: &Row) -> impl Iterator<Item = &str> {
    let group = row.get("baseline_versions").and_then(Value::as_array).filter(|group| group.len() > 1);
    let baseline = row.get("baseline_version").filter(|_| group.is_none());
    let single = [row.get("version"), baseline, row.get("candidate_version")];
    single.into_iter().flatten().chain(group.into_iter().flatten()).filter_map(Value::as_str)
}

/// The document with only the given targets (positions in the sheet, rising).
fn keep(sheet: &Sheet, targets: &[usize]) -> PlotDocument {
    let labels: BTreeSet<&str> = targets.iter().map(|&target| sheet.targets[target].label.as_str()).collect();
    let kept = |row: &&Row| {
        let mut named = named(row).peekable();
        named.peek().is_some() && named.all(|label| labels.contains(label))
    };
    // A history of thousands of targets may have hundreds of windows: none copies the rows of the others.
    let plot = &sheet.document.plot;
    let plot = Plot {
        schema_version: plot.schema_version.clone(),
        id: plot.id.clone(),
        kind: plot.kind.clone(),
        title: plot.title.clone(),
        description: plot.description.clone(),
        encoding: plot.encoding.clone(),
        data: plot.data.iter().filter(kept).cloned().collect(),
        options: plot.options.clone(),
    };
    let whole = &*sheet.document;
    let mut document = PlotDocument {
        plot,
        run_id: whole.run_id.clone(),
        started_at: whole.started_at.clone(),
        runtime: whole.runtime.clone(),
        os: whole.os.clone(),
        correctness: whole.correctness.clone(),
        performance: whole.performance.clone(),
        scope: whole.scope.clone(),
        worker_environments: whole.worker_environments.clone(),
        release_dates: whole.release_dates.clone(),
        release_date_kinds: whole.release_date_kinds.clone(),
        date_kind: whole.date_kind.clone(),
        reference_scope: whole.reference_scope.clone(),
        perfolio: None,
        extra: whole.extra.clone(),
    };
    if let Some(versions) = document.plot.options.get_mut("versions") {
        *versions = json!(targets.iter().map(|&target| &sheet.targets[target].label).collect::<Vec<_>>());
    }
    document.release_dates.retain(|label, _| labels.contains(label.as_str()));
    document.release_date_kinds.retain(|label, _| labels.contains(label.as_str()));
    if document.reference_scope.is_none()
        && sheet.drawn == super::sheet::Drawn::Ratio
        && let (Some(first), Some(last)) = (sheet.targets.first(), sheet.targets.last())
    {
        document.reference_scope = Some(format!(
            "Ratios keep the reference of the complete history: {}, {} to {}.",
            names::count(sheet.targets.len(), sheet.noun()),
            first.label,
            last.label
        ));
    }
    let mut details = sheet.details.clone().into_owned();
    // Not decided anew: the same height means the same ratio in the history and in its parts.
    if document.plot.kind == tradeoff::KIND {
        tradeoff::keep_scales(&mut details, sheet);
    } else {
        details.scale = Some(scale::word(lines::scale_of(sheet)).to_owned());
    }
    for by_label in [&mut details.dates, &mut details.target_kinds, &mut details.runs] {
        by_label.retain(|label, _| labels.contains(label.as_str()));
    }
    for by_metric in [&mut details.reasons, &mut details.metric_runs] {
        for by_label in by_metric.values_mut() {
            by_label.retain(|label, _| labels.contains(label.as_str()));
        }
        by_metric.retain(|_, by_label| !by_label.is_empty());
    }
    details.targets.retain(|label| labels.contains(label.as_str()));
    for row in &mut details.dependencies {
        row.versions = targets.iter().map(|&target| row.versions.get(target).cloned().flatten()).collect();
    }
    if !details.package_counts.is_empty() {
        details.package_counts =
            targets.iter().map(|&target| details.package_counts.get(target).copied().flatten()).collect();
    }
    document.perfolio = Some(details);
    document
}
