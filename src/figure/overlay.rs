//! `feature_overlay`: one metric of several features, each divided by its own reference.
//!
//! Our own kind. Only values of one collector, one definition and one unit share the axis; everything else
//! is refused with the reason. A document holds the rows of `normalized_metrics` with the feature beside.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::caption::{self, Range, Step};
use super::document::{self, Context};
use super::names;
use super::normalized;
use super::scale;
use super::sheet::{self, Drawn, Overlaid, Sheet};
use crate::analyze::environment::Environment;
use crate::analyze::order;
use crate::analyze::{Group, Normalized, Point, Reference, Series, Target, normalize};
use crate::config::nearest;
use crate::error::{Error, Place, Result};
use crate::evidence::plot::{PERFOLIO_PLOT, Plot, PlotDocument};
use crate::evidence::row::{Given, Row, Rows, Shared};
use crate::evidence::{Definition, Dependencies};
use crate::text::list;
use crate::text::number;
use crate::text::slug::slug;

/// Name of the kind.
pub const KIND: &str = "feature_overlay";

/// Most features whose names a sentence lists.
const LISTED: usize = 6;
/// Most features whose names a title lists.
const TITLED: usize = 12;

/// The overlay of `groups`, in their order. Without a `metric` it is the configured main one where all
/// groups have it, else the first that they share.
///
/// # Errors
/// Fewer than two groups, or one feature twice; a group without the metric; another collector, definition
/// or unit; a group that cannot be normalized; a configured statistic that does not exist.
pub fn document(context: &Context, groups: &[&Group], metric: Option<&str>) -> Result<PlotDocument> {
    check(groups)?;
    let metric = choose(context, groups, metric)?;
    let chosen: Vec<(&Group, &Series)> = groups
        .iter()
        .map(|&group| {
            let series = group.series.iter().find(|series| *series.definition.metric == *metric);
            series.map(|series| (group, series)).ok_or_else(|| {
                let many = format!("metrics of `{}`", group.feature);
                Error::usage(nearest::unknown(("metric", &many), &metric, metrics(group)))
            })
        })
        .collect::<Result<_>>()?;
    for (group, series) in &chosen[1..] {
        comparable(&chosen[0].0.feature, &chosen[0].1.definition, &group.feature, &series.definition)?;
    }
    let (statistic, reference) = normalized::settings(context)?;
    let merged = merge(context, &chosen);
    let divided: Vec<Normalized> = chosen
        .iter()
        .map(|(group, series)| normalize::normalize(group, series, statistic, &reference))
        .collect();
    let plot = plot(context, &chosen, &merged, &divided, (statistic.word(), &reference));
    let plot = Plot {
        id: plot.id + &normalized::settings_suffix(statistic, &reference) + &suffix(&merged, groups),
        ..plot
    };
    let all: Vec<&Series> = merged.series.iter().collect();
    let mut document = document::wrap(context, &merged, &all, plot);
    let definition = &chosen[0].1.definition;
    if let Some(details) = &mut document.perfolio {
        let titles = titles(context, groups);
        details.feature_title = None;
        details.feature_titles = groups.iter().map(|group| group.feature.to_string()).zip(titles).collect();
        // The merged group is keyed by feature; titles and preference belong to the metric.
        let title = context.config.metric(&metric).and_then(|text| text.title.clone());
        details.metric_titles = title.map(|title| (metric.clone(), title)).into_iter().collect();
        let preference = document::preference(context.config, &metric, definition.preference);
        details.preferences = BTreeMap::from([(metric.clone(), preference)]);
        details.main = None;
        for ((group, _), one) in chosen.iter().zip(&divided) {
            normalized::note_reasons(details, &group.feature, &group.targets, &one.cells);
        }
        let drawn = divided.iter().flat_map(|one| &one.cells).filter_map(|cell| cell.ratio);
        details.scale = Some(scale::word(scale::decide(drawn)).to_owned());
    }
    Ok(document)
}

fn check(groups: &[&Group]) -> Result<()> {
    if groups.len() < 2 {
        return Err(Error::usage("an overlay needs at least two features"));
    }
    let mut seen = BTreeSet::new();
    for group in groups {
        if !seen.insert(&group.feature) {
            return Err(Error::usage(format!("the feature `{}` is named twice", group.feature)));
        }
        if !group.normalizable {
            return Err(Error::usage(format!(
                "`{}` has no values per target that could be divided by a reference",
                group.feature
            )));
        }
        if group.collector != groups[0].collector {
            return Err(Error::usage(format!(
                "`{}` was collected by {} and `{}` by {}; one axis holds values of one collector only",
                groups[0].feature, groups[0].collector, group.feature, group.collector
            )));
        }
    }
    Ok(())
}

fn metrics(group: &Group) -> Vec<&str> {
    group.series.iter().map(|series| &*series.definition.metric).collect()
}

fn choose(context: &Context, groups: &[&Group], metric: Option<&str>) -> Result<String> {
    if let Some(metric) = metric {
        return Ok(metric.to_owned());
    }
    let shared: Vec<&str> = metrics(groups[0])
        .into_iter()
        .filter(|metric| groups.iter().all(|group| metrics(group).contains(metric)))
        .collect();
    let main = |metric: &&&str| context.config.metric(metric).is_some_and(|text| text.main);
    let found = shared.iter().find(main).or(shared.first());
    found.map(|metric| (*metric).to_owned()).ok_or_else(|| {
        let each = groups.iter().map(|group| match metrics(group).as_slice() {
            [] => format!("`{}` has none", group.feature),
            all => format!("`{}` has {}", group.feature, all.join(", ")),
        });
        Error::usage(format!("the features share no metric: {}", each.collect::<Vec<_>>().join("; ")))
    })
}

/// What values mean, and the positions of the groups that have such values.
type Family = (Vec<Option<String>>, Vec<usize>);

/// The groups whose values of a metric may share an axis: per metric, in the order in which they are met, the
/// positions of the groups of the largest such family, at least two different features. The main metric comes
/// first.
pub fn families(context: &Context, groups: &[&Group]) -> Vec<(String, Vec<usize>)> {
    let mut metrics: Vec<&str> = Vec::new();
    let mut found: BTreeMap<&str, Vec<Family>> = BTreeMap::new();
    for (at, group) in groups.iter().enumerate().filter(|(_, group)| group.normalizable) {
        for series in &group.series {
            let metric = &*series.definition.metric;
            if !metrics.contains(&metric) {
                metrics.push(metric);
            }
            let mut key: Vec<Option<String>> =
                fields(&series.definition).into_iter().map(|(_, value)| value).collect();
            key.push(Some(group.collector.to_string()));
            let families = found.entry(metric).or_default();
            match families.iter_mut().find(|family| family.0 == key) {
                Some((_, members)) => {
                    // Of a feature measured several times the first stands for it.
                    if members.iter().all(|&other| groups[other].feature != group.feature) {
                        members.push(at);
                    }
                }
                None => families.push((key, vec![at])),
            }
        }
    }
    let main = |metric: &str| context.config.metric(metric).is_some_and(|text| text.main);
    metrics.sort_by_key(|metric| !main(metric));
    metrics
        .into_iter()
        .filter_map(|metric| {
            let families = found.remove(metric)?;
            // The first of equals.
            let most = families.iter().map(|family| family.1.len()).max().filter(|most| *most > 1)?;
            let members = families.into_iter().find(|family| family.1.len() == most)?.1;
            Some((metric.to_owned(), members))
        })
        .collect()
}

/// Every field of a definition that says what a value means.
fn fields(one: &Definition) -> [(&'static str, Option<String>); 9] {
    let flag = |value: Option<bool>| value.map(|value| value.to_string());
    [
        ("unit", Some(one.unit.to_string())),
        ("definition", Some(one.id.to_string())),
        ("collector", one.collector.clone()),
        ("meaning of a sample", one.sample_semantics.clone()),
        ("preference", Some(one.preference.word().to_owned())),
        ("warm-up", one.warmup_policy.clone()),
        ("share of compilation", flag(one.includes_compilation)),
        ("share of child processes", flag(one.includes_children)),
        ("scope", one.attribution_scope.clone()),
    ]
}

/// Whether values of two definitions may share an axis: every field that says what a value means agrees.
fn comparable(first: &str, a: &Definition, second: &str, b: &Definition) -> Result<()> {
    for ((field, a), (_, b)) in fields(a).into_iter().zip(fields(b)) {
        if a != b {
            let said = |text: Option<String>| {
                text.map_or_else(|| "not recorded".to_owned(), |text| format!("`{text}`"))
            };
            return Err(Error::usage(format!(
                "`{first}` and `{second}` cannot share an axis, their {field} differs: {} and {}",
                said(a),
                said(b)
            )));
        }
    }
    Ok(())
}

/// One group with a series per feature, over the targets of all; its metric ids are the features' names.
fn merge(context: &Context, chosen: &[(&Group, &Series)]) -> Group {
    let mut targets: Vec<Target> = Vec::new();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for target in chosen.iter().flat_map(|(group, _)| &group.targets) {
        if known.insert(&target.label) {
            targets.push(target.clone());
        }
    }
    order::arrange(&mut targets);
    let places: Vec<BTreeMap<&str, usize>> = chosen
        .iter()
        .map(|(group, _)| group.targets.iter().enumerate().map(|(at, target)| (&*target.label, at)).collect())
        .collect();
    let series = chosen.iter().zip(&places).map(|(&(group, series), places)| Series {
        definition: Definition { metric: group.feature.clone(), ..series.definition.clone() },
        points: targets
            .iter()
            .map(|target| {
                places
                    .get(&*target.label)
                    .and_then(|&at| series.points.get(at))
                    .cloned()
                    .unwrap_or_else(absent)
            })
            .collect(),
        ..series.clone()
    });
    let series: Vec<Series> = series.collect();
    let dependencies = targets
        .iter()
        .map(|target| {
            let lists = chosen
                .iter()
                .zip(&places)
                .filter_map(|((group, _), places)| group.dependencies.get(*places.get(&*target.label)?));
            agreed(lists)
        })
        .collect();
    let first = chosen[0].0;
    let same = |pick: fn(&Group) -> &Option<crate::evidence::Name>| {
        pick(first).clone().filter(|_| chosen.iter().all(|(group, _)| pick(group) == pick(first)))
    };
    let variant =
        first.variant.clone().filter(|_| chosen.iter().all(|(group, _)| group.variant == first.variant));
    Group {
        package: same(|group| &group.package),
        feature: "".into(),
        workload: "".into(),
        base_key: "".into(),
        collector: first.collector.clone(),
        variant: variant.or_else(|| conditions(context, &series)),
        description: String::new(),
        targets,
        series,
        normalizable: true,
        dependencies,
        joined: Vec::new(),
        saved: None,
    }
}

fn absent() -> Point {
    Point {
        summary: None,
        run: None,
        samples_of: None,
        reason: Some("not measured for this feature".to_owned()),
    }
}

/// The dependencies of a target that all features with this target recorded alike.
fn agreed<'a>(lists: impl Iterator<Item = &'a Option<Dependencies>>) -> Option<Dependencies> {
    let mut lists = lists;
    let first = lists.next()?.as_ref()?;
    lists
        .all(|other| {
            other.as_ref().is_some_and(|other| other.packages == first.packages && other.total == first.total)
        })
        .then(|| first.clone())
}

/// A remark where the features were not all measured under the same conditions: every curve has its own
/// reference, but a reader may want to compare steps.
fn conditions(context: &Context, series: &[Series]) -> Option<String> {
    let points = series.iter().flat_map(|series| &series.points).filter(|point| point.summary.is_some());
    let runs: BTreeSet<usize> = points.filter_map(|point| point.run).collect();
    let all: Vec<Environment> =
        runs.into_iter().filter_map(|run| context.source.runs.get(run)).map(Environment::of).collect();
    let same = all.iter().enumerate().all(|(at, one)| all[..at].iter().all(|other| one.agrees(other)));
    (!same).then(|| {
        "not the same for every feature (language, OS, architecture, threads or hardware differ)".to_owned()
    })
}

/// What the id gets when the groups are one variant of several.
fn suffix(merged: &Group, groups: &[&Group]) -> String {
    let variants: Vec<&str> = groups.iter().filter_map(|group| group.variant.as_deref()).collect();
    match (variants.as_slice(), &merged.variant) {
        ([], _) => String::new(),
        ([first, ..], Some(common)) if first == common && variants.len() == groups.len() => {
            format!("-{}", slug(common))
        }
        (all, _) => format!("-{}", slug(&all.join(" "))),
    }
}

/// A title per feature; two of the same title say their recorded names too.
fn titles(context: &Context, groups: &[&Group]) -> Vec<String> {
    let titles: Vec<String> =
        groups.iter().map(|group| document::feature_title(context.config, group)).collect();
    titles
        .iter()
        .zip(groups)
        .map(|(title, group)| {
            let twice = titles.iter().filter(|other| *other == title).count() > 1;
            if twice && **title != *group.feature {
                format!("{title} ({})", group.feature)
            } else {
                title.clone()
            }
        })
        .collect()
}

fn plot(
    context: &Context,
    chosen: &[(&Group, &Series)],
    merged: &Group,
    divided: &[Normalized],
    (statistic, reference): (&str, &Reference),
) -> Plot {
    let features: Vec<&str> = chosen.iter().map(|(group, _)| &*group.feature).collect();
    let definition = &chosen[0].1.definition;
    let metric: &str = &definition.metric;
    let packages: Vec<&str> =
        chosen.iter().map(|(group, _)| group.package.as_deref().unwrap_or_default()).collect();
    let one_package = packages.iter().all(|package| *package == packages[0]);
    let mut parts: Vec<&str> = if one_package { vec![packages[0]] } else { packages };
    parts.extend(&features);
    parts.extend([metric, &*merged.collector]);
    let (relative, reference_word) = normalized::relative(divided, reference);
    let mut options = document::options(merged, "ratio");
    options.remove("feature");
    options.insert("features".into(), json!(features));
    options.insert("metric".into(), json!(metric));
    options.insert("versions".into(), merged.targets.iter().map(|target| json!(&*target.label)).collect());
    options.insert("reference_version".into(), json!(reference_word));
    options.insert("statistic".into(), json!(statistic));
    options.insert("collector".into(), json!(&*merged.collector));
    options.insert("zero_reference_policy".into(), json!(normalized::ZERO_POLICY));
    let metric_titles = context.config.metric(metric).and_then(|text| text.title.clone());
    let name =
        names::metric(metric, &metric_titles.map(|title| (metric.to_owned(), title)).into_iter().collect());
    let groups: Vec<&Group> = chosen.iter().map(|(group, _)| *group).collect();
    let titled = titles(context, &groups);
    let named = if titled.len() > TITLED {
        list::counted(titled.len(), "feature", "features")
    } else {
        list::and(&titled.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let package = merged.package.as_deref().map_or_else(String::new, |package| format!("{package} · "));
    Plot {
        schema_version: PERFOLIO_PLOT.to_owned(),
        id: document::id(KIND, &parts),
        kind: KIND.to_owned(),
        title: format!("{package}{named} · relative to {reference_word}"),
        description: format!(
            "{} of each feature: {} of the samples of a target{relative}.",
            name.start,
            names::statistic(statistic)
        ),
        encoding: normalized::encoding("feature"),
        data: rows(chosen, merged, divided),
        options,
    }
}

fn rows(chosen: &[(&Group, &Series)], merged: &Group, divided: &[Normalized]) -> Vec<Row> {
    let mut made = Rows::default();
    let mut rows = Vec::with_capacity(chosen.len() * merged.targets.len());
    for (((group, series), line), normalized) in chosen.iter().zip(&merged.series).zip(divided) {
        let cells: BTreeMap<&str, _> =
            group.targets.iter().map(|target| &*target.label).zip(&normalized.cells).collect();
        let gap = normalize::divide(None, None);
        for (target, point) in merged.targets.iter().zip(&line.points) {
            let cell = cells.get(&*target.label).copied().unwrap_or(&gap);
            let feature = ("feature", Given::Text(&group.feature));
            let row = normalized::row(series, normalized, target, point, cell);
            rows.push(made.row(std::iter::once(feature).chain(row)));
        }
    }
    rows
}

/// The rows of an overlay; a line per feature.
///
/// # Errors
/// A row that lacks a field or has one of the wrong type; rows of more than one metric or unit; too many
/// cells.
pub(super) fn sheet(document: &PlotDocument) -> Result<Sheet<'_>> {
    let option = |name: &str| document.plot.options.get(name);
    let metric = option("metric").and_then(Value::as_str).ok_or_else(|| {
        Error::evidence("the plot's options name no metric").at(Place::default().field("plot.options.metric"))
    })?;
    let mut rows = sheet::normalized_rows(document)?;
    let unit = rows.first().map_or_else(|| "".into(), |row| row.unit.clone());
    let mut features = Shared::default();
    for (at, row) in rows.iter_mut().enumerate() {
        let wrong = |field: &str, said: String| {
            Err(Error::evidence(said).at(Place::default().field(format!("plot.data[{at}].{field}"))))
        };
        if *row.metric != *metric {
            return wrong("metric", format!("the figure shows `{metric}`, but a row is of `{}`", row.metric));
        }
        if row.unit != unit {
            return wrong("unit", format!("`{unit}` and `{}` cannot share an axis", row.unit));
        }
        match document.plot.data[at].get("feature").and_then(Value::as_str) {
            Some(feature) => row.metric = features.get(feature),
            None => return wrong("feature", "a row of the plot names no feature".to_owned()),
        }
    }
    let listed = option("versions").and_then(Value::as_array);
    let listed: Vec<&str> = listed.into_iter().flatten().filter_map(Value::as_str).collect();
    let mut sheet = sheet::build(document, rows, &listed, Drawn::Ratio)?;
    let titles = &sheet.details.feature_titles;
    for (at, line) in sheet.metrics.iter_mut().enumerate() {
        let title = titles.get(&line.id).map(|title| title.trim()).filter(|title| !title.is_empty());
        let title = title.unwrap_or(if line.id.trim().is_empty() { "unnamed feature" } else { &line.id });
        // A feature is a proper name: written alike everywhere in a sentence.
        line.name = names::Name { running: title.to_owned(), start: title.to_owned(), plural: false };
        line.slot = at + 1;
    }
    let name = names::metric(metric, &sheet.details.metric_titles);
    sheet.overlaid = Some(Overlaid { id: metric.to_owned(), name });
    Ok(sheet)
}

/// The line with the largest step by factor, and the step. Steps that the clock may have made count last.
pub(super) fn leading(sheet: &Sheet) -> Option<(usize, Step)> {
    let mut found: Option<(usize, Step)> = None;
    let rank = |step: &Step| (!step.within_clock, (1.0 + step.change).ln().abs());
    for (at, line) in sheet.metrics.iter().enumerate() {
        let Some(step) = caption::largest_step(sheet, line) else { continue };
        let larger = found.as_ref().is_none_or(|(_, best)| {
            let (a, b) = (rank(&step), rank(best));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).is_gt()
        });
        if larger {
            found = Some((at, step));
        }
    }
    found
}

/// What the figure says: which feature is highest, where the largest step lies, how the newest target stands.
pub(super) fn says(sheet: &Sheet, overlaid: &Overlaid) -> String {
    let name = &overlaid.name;
    let ranges: Vec<(usize, Range)> = sheet
        .metrics
        .iter()
        .enumerate()
        .filter_map(|(at, line)| Some((at, caption::range(sheet, line)?)))
        .collect();
    if ranges.is_empty() {
        return format!("No value of {} is available.", name.running);
    }
    if sheet.targets.len() == 1 {
        let values: Vec<String> = ranges
            .iter()
            .map(|(at, range)| {
                let line = &sheet.metrics[*at];
                format!("{} {}", line.name.running, sheet::show(line, range.lowest.0))
            })
            .collect();
        return format!("{} at {}: {}.", name.start, sheet.targets[0].label, list::and(&values));
    }
    let moving: Vec<&(usize, Range)> =
        ranges.iter().filter(|(_, range)| range.lowest.0 != range.highest.0).collect();
    if moving.is_empty() {
        let noun = sheet.noun();
        return format!(
            "{} {} not change between the {} in any of the {}.",
            name.start,
            name.does(),
            noun.1,
            names::count(sheet.metrics.len(), sheet.line_noun())
        );
    }
    let mut said: Vec<String> = highest(sheet, overlaid).into_iter().collect();
    if let Some((at, step)) = leading(sheet) {
        let line = &sheet.metrics[at];
        said.push(format!(
            "Largest step: {} {}.",
            line.name.running,
            caption::step_words(sheet, line, &step)
        ));
    }
    said.push(newest(sheet, &moving));
    said.join(" ")
}

/// `Relative to its own minimum, wall time is highest for query at 1.11.0 (5.4 µs, 1.62 ×).`
fn highest(sheet: &Sheet, overlaid: &Overlaid) -> Option<String> {
    let mut found: Option<(usize, usize, f64)> = None;
    for (at, line) in sheet.metrics.iter().enumerate() {
        for target in 0..sheet.targets.len() {
            if let Some(ratio) = sheet.drawn(line, target)
                && found.is_none_or(|best| ratio > best.2)
            {
                found = Some((at, target, ratio));
            }
        }
    }
    let (at, target, ratio) = found?;
    let line = &sheet.metrics[at];
    let name = &overlaid.name;
    Some(format!(
        "Relative to its own {}, {} {} highest for {} at {} ({}, {}).",
        super::words::reference(sheet),
        name.running,
        name.is(),
        line.name.running,
        sheet.targets[target].label,
        sheet::show(line, sheet.value(line, target)?),
        number::factor(ratio)
    ))
}

/// `At 1.11.0, plain and json are at their lowest, query at its highest.`
fn newest(sheet: &Sheet, moving: &[&(usize, Range)]) -> String {
    let last = (0..sheet.targets.len())
        .rev()
        .find(|&target| sheet.metrics.iter().any(|line| sheet.value(line, target).is_some()))
        .unwrap_or(0);
    let at = |pick: fn(&Range) -> &Vec<usize>| -> Vec<&str> {
        let there = moving.iter().filter(|(_, range)| pick(range).contains(&last));
        there.map(|(line, _)| sheet.metrics[*line].name.running.as_str()).collect()
    };
    let (low, high) = (at(|range| &range.lowest.1), at(|range| &range.highest.1));
    let words = |features: &[&str]| {
        if features.len() > LISTED {
            names::count(features.len(), sheet.line_noun())
        } else {
            list::and(features)
        }
    };
    let own = |features: &[&str]| if features.len() == 1 { "its" } else { "their" };
    let is = |features: &[&str]| if features.len() == 1 { "is" } else { "are" };
    let label = &sheet.targets[last].label;
    // The reference may lie outside of what is shown.
    let of = match sheet.document.reference_scope {
        Some(_) => format!(" of the {} shown", names::count(sheet.targets.len(), sheet.noun())),
        None => String::new(),
    };
    match (low.as_slice(), high.as_slice()) {
        ([], []) => format!("At {label}, no feature is at its lowest or highest{of}."),
        (low, []) => format!("At {label}, {} {} at {} lowest{of}.", words(low), is(low), own(low)),
        ([], high) => format!("At {label}, {} {} at {} highest{of}.", words(high), is(high), own(high)),
        (low, high) => format!(
            "At {label}, {} {} at {} lowest, {} at {} highest{of}.",
            words(low),
            is(low),
            own(low),
            words(high),
            own(high)
        ),
    }
}

/// Draws an overlay.
///
/// # Errors
/// Rows that are not of this kind.
pub fn chart(document: &PlotDocument) -> Result<super::Chart> {
    Ok(super::lines::chart(&sheet(document)?))
}
