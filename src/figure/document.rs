//! What all documents made from evidence share: ids, the wrapper, and what perfolio adds to it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value, json};

use super::names;
pub use crate::analyze::ids::{id, series_id};
use crate::analyze::{Group, Point, Series, Target, worst_integrity};
use crate::config::{Config, PreferenceWord};
use crate::evidence::plot::{DependencyRow, Details, PERFCHECKER_PLOT, PERFOLIO_PLOT, Plot, PlotDocument};
use crate::evidence::{PlannedRun, Preference, Qualification, Run, SourceEvidence, TargetKind};
use crate::text::slug::slug;

/// Most digests of environments in a wrapper.
const DIGESTS: usize = 8;
/// Most dependencies that have a strip under a figure.
const STRIPS: usize = 4;

/// Everything that documents of one source are made from, indexed once.
#[derive(Debug)]
pub struct Context<'a> {
    /// The source.
    pub source: &'a SourceEvidence,
    /// The configuration.
    pub config: &'a Config,
    /// Per run: (case id, target) → what is known beyond the samples.
    qualifications: Vec<BTreeMap<(&'a str, &'a str), &'a Qualification>>,
    /// What the runs plan, by feature and target.
    planned: HashMap<(&'a str, &'a str), Vec<&'a PlannedRun>>,
}

impl<'a> Context<'a> {
    /// Indexes `source`.
    pub fn new(source: &'a SourceEvidence, config: &'a Config) -> Self {
        let index = |run: &'a Run| {
            run.qualifications.iter().map(|entry| ((&*entry.case_id, &*entry.target), entry)).collect()
        };
        let mut planned: HashMap<_, Vec<&PlannedRun>> = HashMap::new();
        for one in source.runs.iter().flat_map(|run| &run.planned) {
            planned.entry((&*one.feature, &*one.target)).or_default().push(one);
        }
        Self { source, config, qualifications: source.runs.iter().map(index).collect(), planned }
    }

    /// Whether every plan that names a target of a group leaves it out as unavailable.
    pub(super) fn left_out(&self, group: &Group, target: &Target) -> bool {
        let former = group.joined.iter().map(|joined| &joined.0);
        let features = std::iter::once(&group.feature).chain(former);
        let mut plans = features
            .filter_map(|feature| self.planned.get(&(&**feature, &*target.label)))
            .flatten()
            .filter(|planned| group.package.as_ref().is_none_or(|package| planned.package == *package))
            .peekable();
        plans.peek().is_some() && plans.all(|planned| planned.status == "unavailable")
    }

    /// Whether the oracle of a point's case is recorded as passed.
    fn passed(&self, point: &Point, target: &Target) -> bool {
        let found = point.run.zip(point.samples_of).and_then(|(run, samples)| {
            let key = &self.source.runs.get(run)?.groups.get(samples)?.key;
            self.qualifications.get(run)?.get(&(&*key.case_id, &*target.label))
        });
        found.is_some_and(|entry| entry.correctness.as_deref() == Some("passed"))
    }
}

/// What an id gets when its series exists more than once, measured under different conditions.
pub fn variant_suffix(group: &Group) -> String {
    group.variant.as_deref().map_or_else(String::new, |variant| format!("-{}", slug(variant)))
}

/// The schema that can express a plot: PerfChecker's own where its words suffice.
pub fn schema(group: &Group, words_suffice: bool) -> &'static str {
    let kinds = group
        .targets
        .iter()
        .all(|target| matches!(target.kind, TargetKind::Release | TargetKind::Dev | TargetKind::Candidate));
    if kinds && words_suffice { PERFCHECKER_PLOT } else { PERFOLIO_PLOT }
}

/// Title of a feature for people.
pub fn feature_title(config: &Config, group: &Group) -> String {
    config.feature(&group.feature).title.unwrap_or_else(|| group.feature.to_string())
}

/// What people call the direction of a metric: as configured, else as defined.
pub fn preference(config: &Config, metric: &str, defined: Preference) -> Preference {
    match config.metric(metric).and_then(|text| text.preference) {
        Some(PreferenceWord::Lower) => Preference::Lower,
        Some(PreferenceWord::Higher) => Preference::Higher,
        Some(PreferenceWord::Neutral) => Preference::Neutral,
        None => defined,
    }
}

/// Start of a plot title: package and feature.
pub fn title(config: &Config, group: &Group) -> String {
    let feature = feature_title(config, group);
    match &group.package {
        Some(package) => format!("{package} · {feature}"),
        None => feature,
    }
}

/// The options that every plot has.
pub fn options(group: &Group, unit: &str) -> Map<String, Value> {
    let mut options = Map::new();
    options.insert("package".into(), json!(group.package.as_deref().unwrap_or_default()));
    options.insert("feature".into(), json!(&*group.feature));
    options.insert("unit".into(), json!(unit));
    options
}

/// The options of a plot of one series.
pub fn series_options(group: &Group, series: &Series, series_id: &str) -> Map<String, Value> {
    let definition = &series.definition;
    let mut options = options(group, &definition.unit);
    options.insert("series_id".into(), json!(series_id));
    options.insert("metric".into(), json!(&*definition.metric));
    options.insert("measurement_definitions".into(), json!([&*definition.id]));
    options.insert("workload".into(), json!(&*group.workload));
    options.insert("collector".into(), json!(&*group.collector));
    options
}

/// The title of a plot of one series: package, feature and metric.
pub fn series_title(config: &Config, group: &Group, series: &Series) -> String {
    let metric = &series.definition.metric;
    let title = config.metric(metric).and_then(|metric| metric.title.clone());
    let titles = title.into_iter().map(|title| (metric.to_string(), title)).collect();
    format!("{} · {}", self::title(config, group), names::metric(metric, &titles).running)
}

/// Wraps a plot of the given series of a group.
pub fn wrap(context: &Context, group: &Group, series: &[&Series], plot: Plot) -> PlotDocument {
    let runs = run_positions(context, series);
    let only = (runs.len() == 1).then(|| &context.source.runs[runs[0]]);
    let used: Vec<&Run> = runs.iter().map(|&run| &context.source.runs[run]).collect();
    let points = || series.iter().flat_map(|series| series.points.iter().zip(&group.targets));
    let mut shown = points().filter(|(point, _)| point.summary.is_some()).peekable();
    let correct = shown.peek().is_some() && shown.all(|(point, target)| context.passed(point, target));
    let dated = |release: bool| {
        group.targets.iter().filter(move |target| (target.kind == TargetKind::Release) == release)
    };
    let dates = |release: bool| {
        dated(release)
            .filter_map(|target| Some((target.label.to_string(), target.date.clone()?)))
            .collect::<BTreeMap<_, _>>()
    };
    let date_kinds: BTreeMap<String, String> = dated(true)
        .filter(|target| target.date.is_some())
        .filter_map(|target| Some((target.label.to_string(), target.date_kind.clone()?)))
        .collect();
    let mut kinds = date_kinds.values();
    let date_kind = kinds.next().filter(|first| kinds.all(|other| other == *first)).cloned();
    // One word for all needs no list of them.
    let date_kinds = if date_kind.is_some() { BTreeMap::new() } else { date_kinds };
    PlotDocument {
        run_id: only.map(|run| run.run_id.clone()),
        started_at: only.and_then(|run| run.started_at.clone()),
        runtime: runtime(&used),
        os: agreed(&used, |run| run.environment.get("os")).and_then(|os| os.as_str().map(str::to_owned)),
        correctness: Some(if correct { "passed" } else { "not_checked" }.to_owned()),
        performance: Some("not_compared".to_owned()),
        scope: Some(
            "Summed up from saved measurements; nothing was measured again and no limit was applied."
                .to_owned(),
        ),
        worker_environments: environments(group),
        release_dates: dates(true),
        date_kind,
        release_date_kinds: date_kinds,
        reference_scope: None,
        perfolio: Some(details(context, group, series, &runs, dates(false))),
        extra: Map::new(),
        plot,
    }
}

/// The runs behind the values, in their order in the source.
fn run_positions(context: &Context, series: &[&Series]) -> Vec<usize> {
    let points = series.iter().flat_map(|series| &series.points).filter(|point| point.summary.is_some());
    let mut found: Vec<usize> = Vec::new();
    for run in points.filter_map(|point| point.run).filter(|&run| run < context.source.runs.len()) {
        // Neighbours mostly come from the same run.
        if found.last() != Some(&run) {
            found.push(run);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The value that all runs agree on; none when they differ or one lacks it.
fn agreed<'a>(runs: &[&'a Run], pick: impl Fn(&'a Run) -> Option<&'a Value>) -> Option<&'a Value> {
    let mut found = runs.iter().map(|run| pick(run));
    let first = found.next()??;
    found.all(|other| other == Some(first)).then_some(first)
}

pub(super) fn runtime(runs: &[&Run]) -> Map<String, Value> {
    // Only these three: an executable's path says more about a machine than its owner may want.
    ["language", "version", "threads"]
        .into_iter()
        .filter_map(|key| Some((key.to_owned(), agreed(runs, |run| run.runtime.get(key))?.clone())))
        .collect()
}

/// The digests of the resolved manifests. They stand in their own order and cannot be joined to targets, so a
/// long list would be nothing but weight.
fn environments(group: &Group) -> Vec<Value> {
    let digests: BTreeSet<&str> =
        group.dependencies.iter().flatten().filter_map(|list| list.manifest_sha256.as_deref()).collect();
    if digests.len() > DIGESTS {
        return Vec::new();
    }
    digests.into_iter().map(|manifest| json!({ "manifest_sha256": manifest })).collect()
}

fn details(
    context: &Context,
    group: &Group,
    series: &[&Series],
    used: &[usize],
    dates: BTreeMap<String, String>,
) -> Details {
    let runs = &context.source.runs;
    let config = context.config;
    let mut details = Details {
        feature_title: config.feature(&group.feature).title,
        source_title: context.source.title.clone(),
        dates,
        variant: group.variant.clone(),
        integrity: Some(worst_integrity(used.iter().map(|&run| runs[run].integrity)).word().to_owned()),
        dependencies: strips(group),
        package_counts: package_counts(group),
        ..Details::default()
    };
    for (at, target) in group.targets.iter().enumerate() {
        let label = || target.label.to_string();
        if series.iter().all(|series| series.points.get(at).is_none_or(|point| point.summary.is_none())) {
            details.target_kinds.insert(label(), target.kind.word().to_owned());
        }
        for one in series {
            let Some(point) = one.points.get(at) else { continue };
            let metric = || one.definition.metric.to_string();
            if let Some(reason) = &point.reason {
                details.reasons.entry(metric()).or_default().insert(label(), reason.clone());
            }
            // Where all values come from one run, the wrapper names it.
            if used.len() == 1 {
                continue;
            }
            let Some(run) = point.run.filter(|_| point.summary.is_some()).and_then(|run| runs.get(run))
            else {
                continue;
            };
            let first = details.runs.entry(label()).or_insert_with(|| run.run_id.clone());
            if *first != run.run_id {
                details.metric_runs.entry(metric()).or_default().insert(label(), run.run_id.clone());
            }
        }
    }
    for one in series {
        let metric = one.definition.metric.to_string();
        let text = config.metric(&metric);
        if let Some(title) = text.and_then(|text| text.title.clone()) {
            details.metric_titles.insert(metric.clone(), title);
        }
        let preference = preference(config, &metric, one.definition.preference);
        if text.is_some_and(|text| text.main) {
            details.main = Some(metric.clone());
        }
        details.preferences.insert(metric.clone(), preference);
        if let Some(step) = one.step {
            details.steps.insert(metric, step);
        }
    }
    details
}

fn package_counts(group: &Group) -> Vec<Option<u64>> {
    let counts = group.dependencies.iter().map(|list| list.as_ref().and_then(|list| list.total));
    let counts: Vec<Option<u64>> = counts.collect();
    if counts.iter().all(Option::is_none) { Vec::new() } else { counts }
}

/// The dependencies worth a strip: those that changed their major version, then those that changed at all,
/// the newest change first; then (in short lists) the others; by name among equals. The measured package itself is left out.
fn strips(group: &Group) -> Vec<DependencyRow> {
    let mut versions: BTreeMap<&str, Vec<Option<&str>>> = BTreeMap::new();
    for (at, list) in group.dependencies.iter().enumerate() {
        for package in list.iter().flat_map(|list| &list.packages) {
            if !package.version.is_empty() && group.package.as_deref() != Some(package.name.as_str()) {
                let row = versions.entry(&package.name).or_insert_with(|| vec![None; group.targets.len()]);
                if let Some(cell) = row.get_mut(at) {
                    *cell = Some(&package.version);
                }
            }
        }
    }
    let short = versions.len() <= STRIPS;
    let last = |row: &[Option<&str>], differ: fn(&str, &str) -> bool| {
        let known: Vec<(usize, &str)> =
            row.iter().enumerate().filter_map(|(at, version)| Some((at, (*version)?))).collect();
        known.windows(2).rev().find(|pair| differ(pair[0].1, pair[1].1)).map(|pair| pair[1].0)
    };
    // Newest major change, then newest change; the later, the further in front.
    let mut ranked: Vec<_> = versions
        .into_iter()
        .map(|(name, row)| {
            let major = last(&row, super::boundaries::major_change);
            let any = last(&row, |before, after| before != after);
            (Reverse(major), Reverse(any), name, row)
        })
        .filter(|(_, Reverse(any), _, _)| short || any.is_some())
        .collect();
    ranked.sort();
    ranked.truncate(STRIPS);
    ranked
        .into_iter()
        .map(|(_, _, name, row)| DependencyRow {
            name: name.to_owned(),
            versions: row.into_iter().map(|version| version.map(str::to_owned)).collect(),
        })
        .collect()
}
