//! From the runs of a source to groups of series.
//!
//! Samples of different runs are never pooled: a target's point comes from one run (design §8). Stack
//! samples and fractions of single lines are weights, not repeated measurements; they give no series here,
//! with or without the fresh-state suffix (PerfChecker formats §6, trap 4).

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::analyze::catalog::{self, Catalog};
use crate::analyze::environment::{self, Environment, Facts};
use crate::analyze::{Group, Point, Series, SourceSeries, Summary, Target, repeated, saved, step};
use crate::config::{Config, PreferenceWord};
use crate::error::{Place, Problem, Problems};
use crate::evidence::{Definition, GroupKey, Name, PlannedRun, Preference, SourceEvidence};

/// Metrics of benchmarks, in the order of their figures (PerfChecker formats §3.4).
const KNOWN: [&str; 5] =
    ["julia.wall.time", "julia.gc.time", "julia.gc.fraction", "julia.alloc.bytes", "julia.alloc.count"];
/// Definitions whose rows are sites: the target's value is their sum.
const SITES: [&str; 3] = [
    "julia.alloc.bytes/line-tracking-v1",
    "julia.alloc.bytes/profile-allocs-v1",
    "julia.alloc.count/profile-allocs-v1",
];
/// Definitions whose rows are parts of a profile and give no value of their own.
const PARTS: [&str; 3] = [
    "julia.alloc.fraction/line-tracking-v1",
    "julia.cpu.samples/profile-v1",
    "julia.wall.samples/profile-walltime-v1",
];

/// Builds all series of a source.
pub fn analyze(evidence: &SourceEvidence, config: &Config) -> (SourceSeries, Problems) {
    let catalog = Catalog::new(evidence, config);
    let mut problems = Problems::default();
    let drafts = drafts(&catalog);
    note_empty_features(&catalog, &drafts, &mut problems);
    // Which base keys a feature has: a target planned under another one is not missing here.
    let mut keys: BTreeMap<(&Option<Name>, &Name), BTreeSet<&Name>> = BTreeMap::new();
    for draft in &drafts {
        keys.entry((&draft.key.package, &draft.key.feature)).or_default().insert(&draft.key.base_key);
    }
    let built: Vec<Built> = drafts
        .par_iter()
        .map(|draft| build(&catalog, draft, &keys[&(&draft.key.package, &draft.key.feature)]))
        .collect();

    let mut superseded_by = Superseded::new(evidence.runs.len());
    let mut groups = Vec::with_capacity(built.len());
    for built in built {
        superseded_by.add(&catalog, &built.chosen);
        problems.extend(built.problems);
        groups.push(built.group);
    }
    let found = saved::groups(evidence, config, &groups);
    groups.extend(found.groups);
    problems.extend(found.problems);
    groups.sort_by(|a, b| {
        let key = |group: &Group| {
            (
                group.package.clone(),
                group.workload.clone(),
                group.feature.clone(),
                group.base_key.clone(),
                group.collector.clone(),
                group.variant.clone(),
            )
        };
        key(a).cmp(&key(b))
    });
    let mut targets = catalog.targets(|_| true, &catalog.best_first);
    saved::add_targets(&mut targets, &groups);
    catalog::note_undated(&targets, &mut problems);
    repeated::note_ends(&catalog, &mut problems);
    repeated::note_same_runs(&catalog, &mut problems);
    problems.set_source(&evidence.id);
    let superseded_by = superseded_by.finish(evidence);
    let (loose, copies, repeated) = (found.loose, found.copies, found.repeated);
    (SourceSeries { targets, groups, superseded_by, loose, copies, repeated }, problems)
}

/// What groups rows; the first five fields name a group, the last two are part of what may differ.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Identity {
    package: Option<Name>,
    workload: Name,
    feature: Name,
    base_key: Name,
    collector: Name,
    aggregation: Name,
    scope: Name,
}

/// Where rows are: run, sample group in that run.
type Rows = (usize, usize);

/// A group before its points are chosen.
struct Draft {
    key: Identity,
    facts: Facts,
    variant: Option<String>,
    rows: Vec<Rows>,
}

/// Sorts all rows into groups.
fn drafts(catalog: &Catalog<'_>) -> Vec<Draft> {
    let mut sorted: BTreeMap<Identity, Vec<Rows>> = BTreeMap::new();
    let mut renamed: Vec<(Identity, Rows)> = Vec::new();
    for &run in &catalog.best_first {
        let source = &catalog.evidence.runs[run];
        for (at, group) in source.groups.iter().enumerate() {
            let Some(definition) = source.definitions.get(group.key.definition as usize) else { continue };
            let hidden = catalog.config.target(&group.key.target).is_some_and(|target| target.hidden);
            if hidden || group.samples.is_empty() || PARTS.contains(&without_state(&definition.id)) {
                continue;
            }
            let feature = catalog.present(&group.key.feature);
            let is_renamed = feature != group.key.feature;
            let key = Identity {
                package: group.key.package.clone(),
                workload: catalog.workload(
                    group.key.package.as_ref(),
                    &group.key.feature,
                    group.key.workload.as_ref(),
                ),
                feature,
                base_key: group.key.base_key.clone(),
                collector: definition.method().into(),
                aggregation: group.key.aggregation.clone(),
                scope: group.key.scope.clone(),
            };
            if is_renamed {
                renamed.push((key, (run, at)));
            } else {
                sorted.entry(key).or_default().push((run, at));
            }
        }
    }
    for (key, place) in renamed {
        let key = joined_key(&sorted, key);
        sorted.entry(key).or_default().push(place);
    }
    let mut all: Vec<Draft> = sorted.into_iter().flat_map(|(key, rows)| split(catalog, &key, rows)).collect();
    name_variants(&mut all);
    all
}

/// A former name joins the present one although its workload and comparison key may carry the former name,
/// when the present name has only one group that it can mean: the configuration says that they are one.
fn joined_key(sorted: &BTreeMap<Identity, Vec<Rows>>, key: Identity) -> Identity {
    let same = |other: &&Identity| {
        (&other.package, &other.feature, &other.collector, &other.aggregation, &other.scope)
            == (&key.package, &key.feature, &key.collector, &key.aggregation, &key.scope)
    };
    let mut others = sorted.keys().filter(same);
    match (others.next(), others.next()) {
        (Some(only), None) => only.clone(),
        _ => key,
    }
}

/// Splits rows of one key by runs that may not share a series. Runs come best first; each joins the first
/// part that it agrees with, so the newest run leads the first part.
fn split(catalog: &Catalog<'_>, key: &Identity, rows: Vec<Rows>) -> Vec<Draft> {
    let mut by_run: Vec<(usize, Vec<Rows>)> = Vec::new();
    for place in rows {
        match by_run.iter_mut().find(|(run, _)| *run == place.0) {
            Some((_, list)) => list.push(place),
            None => by_run.push((place.0, vec![place])),
        }
    }
    let rank = |run: usize| catalog.best_first.iter().position(|&other| other == run);
    by_run.sort_by_key(|(run, _)| rank(*run));
    let mut parts: Vec<Draft> = Vec::new();
    for (run, rows) in by_run {
        let source = &catalog.evidence.runs[run];
        let environment = Environment::of(source);
        let used: BTreeSet<u32> = rows.iter().map(|&(_, at)| source.groups[at].key.definition).collect();
        let definitions: BTreeMap<Name, Definition> = used
            .into_iter()
            .map(|at| &source.definitions[at as usize])
            .map(|definition| (definition.id.clone(), definition.clone()))
            .collect();
        let fits = |part: &&mut Draft| {
            part.facts.environment.agrees(&environment)
                && definitions
                    .iter()
                    .all(|(id, own)| part.facts.definitions.get(id).is_none_or(|other| other == own))
        };
        if let Some(part) = parts.iter_mut().find(fits) {
            part.facts.environment.absorb(&environment);
            part.facts.definitions.extend(definitions);
            part.rows.extend(rows);
        } else {
            let facts = Facts {
                environment,
                definitions,
                aggregation: key.aggregation.clone(),
                scope: key.scope.clone(),
                run_id: source.run_id.clone(),
            };
            parts.push(Draft { key: key.clone(), facts, variant: None, rows });
        }
    }
    parts
}

fn name_variants(all: &mut [Draft]) {
    let named = |a: &Draft, b: &Draft| {
        (&a.key.package, &a.key.workload, &a.key.feature, &a.key.base_key, &a.key.collector)
            == (&b.key.package, &b.key.workload, &b.key.feature, &b.key.base_key, &b.key.collector)
    };
    for same in all.chunk_by_mut(named) {
        let names = environment::names(&same.iter().map(|draft| &draft.facts).collect::<Vec<_>>());
        for (draft, name) in same.iter_mut().zip(names) {
            draft.variant = name;
        }
    }
}

/// A finished group and what choosing its points brought to light.
struct Built {
    group: Group,
    /// For each run with rows in the group: the runs that its points were taken from instead.
    chosen: Vec<(usize, usize)>,
    problems: Problems,
}

/// Rows of one metric, target by target.
struct Metric<'a> {
    definition: &'a Definition,
    place: usize,
    by_target: BTreeMap<&'a str, Vec<Rows>>,
}

fn build(catalog: &Catalog<'_>, draft: &Draft, keys: &BTreeSet<&Name>) -> Built {
    let runs: Vec<usize> = {
        let present: BTreeSet<usize> = draft.rows.iter().map(|place| place.0).collect();
        catalog.best_first.iter().copied().filter(|run| present.contains(run)).collect()
    };
    let metrics = metrics(catalog, draft);
    let plans = plans(catalog, draft, keys);
    let cases = cases(catalog, draft, &plans);
    let labels: BTreeSet<&str> = metrics
        .iter()
        .flat_map(|metric| metric.by_target.keys().copied())
        .chain(plans.iter().map(|(_, planned)| &*planned.target))
        .collect();
    let targets = catalog.targets(|label| labels.contains(label), &runs);

    let mut problems = Problems::default();
    let mut chosen = Vec::new();
    let reasons: Vec<String> = targets
        .iter()
        .map(|target| {
            let measured = metrics.iter().any(|metric| metric.by_target.contains_key(&*target.label));
            if measured { "not recorded".to_owned() } else { catalog.reason(&target.label, &plans, &cases) }
        })
        .collect();
    let series: Vec<Series> = metrics
        .iter()
        .map(|metric| {
            let points = targets
                .iter()
                .zip(&reasons)
                .map(|(target, reason)| match metric.by_target.get(&*target.label) {
                    Some(places) => {
                        let place = choose(catalog, draft, places, &runs, &mut problems);
                        chosen.extend(places.iter().map(|other| (other.0, place.0)));
                        point(catalog, place)
                    }
                    None => {
                        Point { summary: None, run: None, samples_of: None, reason: Some(reason.clone()) }
                    }
                })
                .collect();
            series(catalog, metric, points)
        })
        .collect();

    let first_run = |at: usize| series.iter().find_map(|series| series.points[at].run);
    let dependencies = (0..targets.len())
        .map(|at| match first_run(at) {
            Some(run) => catalog.dependencies(&targets[at].label, [run], &cases),
            None => catalog.dependencies(&targets[at].label, catalog.best_first.iter().copied(), &cases),
        })
        .collect();
    let description = plans.iter().map(|(_, planned)| &planned.description).find(|text| !text.is_empty());
    let group = Group {
        package: draft.key.package.clone(),
        feature: draft.key.feature.clone(),
        workload: draft.key.workload.clone(),
        base_key: draft.key.base_key.clone(),
        collector: draft.key.collector.clone(),
        variant: draft.variant.clone(),
        description: description.cloned().unwrap_or_default(),
        normalizable: !series.iter().any(|series| series.summed),
        joined: joined(catalog, draft, &targets, &series),
        dependencies,
        targets,
        series,
        saved: None,
    };
    Built { group, chosen, problems }
}

/// The metrics of a group in the order of their figures.
fn metrics<'a>(catalog: &Catalog<'a>, draft: &Draft) -> Vec<Metric<'a>> {
    let mut found: BTreeMap<&str, Metric<'a>> = BTreeMap::new();
    for &(run, at) in &draft.rows {
        let source = &catalog.evidence.runs[run];
        let key = &source.groups[at].key;
        let place = key.definition as usize;
        let definition = &source.definitions[place];
        found
            .entry(&definition.id)
            .or_insert_with(|| Metric { definition, place, by_target: BTreeMap::new() })
            .by_target
            .entry(&key.target)
            .or_default()
            .push((run, at));
    }
    let mut metrics: Vec<Metric<'a>> = found.into_values().collect();
    let known = |metric: &Metric<'_>| {
        KNOWN.iter().position(|id| **id == *metric.definition.metric).unwrap_or(KNOWN.len())
    };
    metrics.sort_by(|a, b| (known(a), a.place, &a.definition.id).cmp(&(known(b), b.place, &b.definition.id)));
    metrics
}

/// The planned runs that belong to a group: same package and feature, an environment that agrees, and not
/// planned under another comparison key that has a group of its own.
fn plans<'a>(catalog: &Catalog<'a>, draft: &Draft, keys: &BTreeSet<&Name>) -> Vec<(usize, &'a PlannedRun)> {
    let elsewhere = |key: &Name| !key.is_empty() && *key != draft.key.base_key && keys.contains(key);
    let mut plans = catalog.planned(draft.key.package.as_ref(), &draft.key.feature);
    plans.retain(|(run, planned)| {
        !elsewhere(&planned.comparison_key)
            && draft.facts.environment.agrees(&Environment::of(&catalog.evidence.runs[*run]))
    });
    plans
}

/// The case ids under which the runs speak of this feature.
fn cases(catalog: &Catalog<'_>, draft: &Draft, plans: &[(usize, &PlannedRun)]) -> BTreeSet<(usize, String)> {
    let planned = plans
        .iter()
        .map(|&(run, planned)| (run, catalog::case_id(&catalog.evidence.runs[run].suite, planned)));
    let measured = draft
        .rows
        .iter()
        .map(|&(run, at)| (run, catalog.evidence.runs[run].groups[at].key.case_id.to_string()));
    planned.chain(measured).collect()
}

/// The rows that a point is made of: those of the best run; within a run the present name before a former
/// one, then the first in order. Rows of two cases are never pooled.
fn choose(
    catalog: &Catalog<'_>,
    draft: &Draft,
    places: &[Rows],
    runs: &[usize],
    problems: &mut Problems,
) -> Rows {
    let rank = |place: &Rows| {
        let former = catalog.evidence.runs[place.0].groups[place.1].key.feature != draft.key.feature;
        (runs.iter().position(|run| *run == place.0), former, place.1)
    };
    let mut sorted = places.to_vec();
    sorted.sort_by_key(rank);
    let place = sorted[0];
    if let Some(other) = sorted.get(1).filter(|other| other.0 == place.0 && rank(other).1 == rank(&place).1) {
        let source = &catalog.evidence.runs[place.0];
        let (first, second) = (&source.groups[place.1].key, &source.groups[other.1].key);
        let (message, remedy) = twice(&draft.key.feature, first, second);
        problems.push(Problem::warning(Place::file(source.path.as_str()), message).remedy(remedy));
    }
    place
}

/// What to say about two rows of one run that claim the same place, and what can be done.
fn twice(feature: &str, first: &GroupKey, second: &GroupKey) -> (String, String) {
    let (target, case) = (&first.target, &first.case_id);
    if *case != second.case_id {
        let message = format!(
            "{feature} at {target} is recorded for the cases {case} and {}; the second is left out",
            second.case_id
        );
        return (message, "give one of the two features another name".to_owned());
    }
    let kind = |key: &GroupKey| key.kind.as_ref().map_or("without a kind", |kind| kind.word()).to_owned();
    if first.kind != second.kind {
        let message = format!(
            "{feature} at {target} is recorded twice in the case {case}, as {} and as {}; the second is left out",
            kind(first),
            kind(second)
        );
        let remedy = format!("give one of the two targets another label than `{target}`");
        return (message, remedy);
    }
    let message =
        format!("{feature} at {target} is recorded twice in the case {case}; the second is left out");
    (message, "record each feature once per target and run".to_owned())
}

fn point(catalog: &Catalog<'_>, (run, at): Rows) -> Point {
    let samples = &catalog.evidence.runs[run].groups[at].samples;
    Point {
        summary: Summary::of(samples.iter().map(|sample| sample.value)),
        run: Some(run),
        samples_of: Some(at),
        reason: None,
    }
}

fn series(catalog: &Catalog<'_>, metric: &Metric<'_>, points: Vec<Point>) -> Series {
    // A definition of another writer whose rows name stacks is summed as well.
    let parts =
        |places: &Vec<Rows>| places.iter().any(|&(run, at)| catalog.evidence.runs[run].groups[at].parts);
    let summed =
        SITES.contains(&without_state(&metric.definition.id)) || metric.by_target.values().any(parts);
    let mut definition = metric.definition.clone();
    if let Some(preference) = catalog.config.metric(&definition.metric).and_then(|metric| metric.preference) {
        definition.preference = match preference {
            PreferenceWord::Lower => Preference::Lower,
            PreferenceWord::Higher => Preference::Higher,
            PreferenceWord::Neutral => Preference::Neutral,
        };
    }
    let samples = points
        .iter()
        .filter_map(|point| Some(&catalog.evidence.runs[point.run?].groups[point.samples_of?].samples))
        .flatten();
    let step = step::of(&definition.unit, samples.map(|sample| sample.value));
    Series { definition, summed, points, step, saved: None }
}

/// The former names whose points are in the group, each with the first target of the present name.
fn joined(catalog: &Catalog<'_>, draft: &Draft, targets: &[Target], series: &[Series]) -> Vec<(Name, Name)> {
    let names_at = |at: usize| {
        series
            .iter()
            .filter_map(move |series| Some((series.points[at].run?, series.points[at].samples_of?)))
            .map(|(run, group)| &catalog.evidence.runs[run].groups[group].key.feature)
    };
    let first = (0..targets.len()).find(|&at| names_at(at).any(|name| *name == draft.key.feature));
    let former: BTreeSet<&Name> =
        (0..targets.len()).flat_map(names_at).filter(|name| **name != draft.key.feature).collect();
    let Some(first) = first else { return Vec::new() };
    former.into_iter().map(|name| (name.clone(), targets[first].label.clone())).collect()
}

/// Definition id without the suffix that says how state was kept.
fn without_state(id: &str) -> &str {
    id.split_once("/fresh-state").map_or(id, |(id, _)| id)
}

/// Features that were planned and gave no row at all: they have no group, so they are named here.
fn note_empty_features(catalog: &Catalog<'_>, drafts: &[Draft], problems: &mut Problems) {
    let rows: BTreeSet<Name> = catalog
        .best_first
        .iter()
        .flat_map(|&run| &catalog.evidence.runs[run].groups)
        .map(|group| catalog.present(&group.key.feature))
        .collect();
    let measured: BTreeSet<&Name> = drafts.iter().map(|draft| &draft.key.feature).collect();
    for (feature, plans) in catalog.planned_features() {
        if measured.contains(feature) || rows.contains(feature) {
            continue;
        }
        let Some((run, planned)) = plans.first() else { continue };
        let source = &catalog.evidence.runs[*run];
        let cases = plans
            .iter()
            .map(|&(run, planned)| (run, catalog::case_id(&catalog.evidence.runs[run].suite, planned)));
        let reason = catalog.reason(&planned.target, plans, &cases.collect());
        let message =
            format!("{feature} was planned and has no value at any target ({}: {reason})", planned.target);
        problems.push(Problem::note(Place::file(source.path.as_str()), message));
    }
}

/// Which runs gave rows, and which were replaced everywhere.
struct Superseded {
    /// For each run: whether one of its points is shown, and the best run that replaced another.
    runs: Vec<(bool, Option<usize>)>,
}

impl Superseded {
    fn new(runs: usize) -> Self {
        Self { runs: vec![(false, None); runs] }
    }

    fn add(&mut self, catalog: &Catalog<'_>, chosen: &[(usize, usize)]) {
        let rank = |run: usize| catalog.best_first.iter().position(|other| *other == run);
        for &(run, taken) in chosen {
            if run == taken {
                self.runs[run].0 = true;
            } else if catalog.evidence.runs[run].run_id != catalog.evidence.runs[taken].run_id {
                // A copy under the same id is no newer run; it is named as a problem.
                let best = self.runs[run].1.filter(|best| rank(*best) <= rank(taken)).unwrap_or(taken);
                self.runs[run].1 = Some(best);
            }
        }
    }

    fn finish(self, evidence: &SourceEvidence) -> Vec<Option<String>> {
        let ids = self.runs.into_iter().map(|(shown, by)| by.filter(|_| !shown));
        ids.map(|by| by.map(|run| evidence.runs[run].run_id.clone())).collect()
    }
}
