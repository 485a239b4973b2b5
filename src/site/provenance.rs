//! Where the numbers of a workload come from, per case.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::analyze::{Group, Saved};
use crate::evidence::plot::PlotDocument;
use crate::evidence::{Definition, Name, Run};
use crate::text::list;
use crate::theme::view::{Fact, Provenance, Tone};

use super::facts::{fact, integrity_tone, os, runtime};
use super::load::LoadedSource;
use super::workloads::{Gallery, Workload};

/// Most run ids that are written out.
const LISTED: usize = 6;

/// Most files that are written out.
const FILES: usize = 2;

/// One list of facts per case; the heading is empty when there is only one.
pub(super) fn of_workload(
    source: &LoadedSource,
    gallery: &Gallery,
    workload: &Workload,
    labels: &[String],
) -> Vec<Provenance> {
    workload
        .sets
        .iter()
        .zip(labels)
        .map(|(&set, label)| Provenance {
            heading: if labels.len() > 1 { label.clone() } else { String::new() },
            facts: of_group(source, &gallery.oracles, &source.series.groups[gallery.sets[set].group]),
            warnings: warnings(source, &source.series.groups[gallery.sets[set].group]),
        })
        .chain(workload.rest.iter().map(|&set| {
            let group = &source.series.groups[gallery.sets[set].group];
            Provenance {
                heading: format!("Profiles, {}", group.feature),
                facts: of_group(source, &gallery.oracles, group),
                warnings: warnings(source, group),
            }
        }))
        .collect()
}

/// The runs that the points of groups come from, without repeats, in the order of the source; for saved documents also
/// those that they name for points which no series has.
pub(super) fn runs<'a, 'g>(
    source: &'a LoadedSource,
    groups: impl Iterator<Item = &'g Group>,
) -> Vec<&'a Run> {
    let evidence = &source.evidence;
    let mut used = BTreeSet::new();
    for group in groups {
        used.extend(group.series.iter().flat_map(|series| &series.points).filter_map(|point| point.run));
        let documents = group.saved.iter().flat_map(Saved::documents);
        let ids: BTreeSet<&str> =
            documents.filter_map(|at| evidence.plots[at].document.run_id.as_deref()).collect();
        if !ids.is_empty() {
            let named = evidence.runs.iter().enumerate().filter(|(_, run)| ids.contains(&*run.run_id));
            used.extend(named.map(|(at, _)| at));
        }
    }
    used.into_iter().map(|run| &evidence.runs[run]).collect()
}

fn runs_of<'a>(source: &'a LoadedSource, group: &Group) -> Vec<&'a Run> {
    runs(source, std::iter::once(group))
}

/// What the writers of these runs warn of, without repeats.
fn warnings(source: &LoadedSource, group: &Group) -> Vec<String> {
    let all: BTreeSet<&String> = runs_of(source, group).into_iter().flat_map(|run| &run.warnings).collect();
    all.into_iter().cloned().collect()
}

fn of_group(source: &LoadedSource, oracles: &Oracles, group: &Group) -> Vec<Fact> {
    let runs = runs_of(source, group);
    if let Some(documents) = &group.saved {
        return of_documents(source, group, documents, &runs);
    }
    let definitions: Vec<&Definition> = group.series.iter().map(|series| &series.definition).collect();
    let mut facts = vec![
        fact(
            "Source",
            &words(runs.iter().map(|run| Some(join(&source.evidence.path, &run.path)))),
            Tone::Plain,
        ),
        Fact { code: true, ..fact("Feature", &group.feature, Tone::Plain) },
        Fact { code: true, ..fact("Collector", &group.collector, Tone::Plain) },
    ];
    if !group.base_key.is_empty() {
        facts.push(Fact { code: true, ..fact("Comparison key", &group.base_key, Tone::Plain) });
    }
    for (label, text) in [
        ("One sample", words(definitions.iter().map(|one| one.sample_semantics.clone()))),
        ("Warm-up", words(definitions.iter().map(|one| one.warmup_policy.clone()))),
        ("Attributed to", words(definitions.iter().map(|one| one.attribution_scope.as_deref().map(plain)))),
        ("Compilation", words(definitions.iter().map(|one| one.includes_compilation.map(included)))),
        ("Evaluations", words(definitions.iter().map(|one| evaluations(one)))),
    ] {
        if !text.is_empty() {
            facts.push(fact(label, &text, Tone::Plain));
        }
    }
    facts.push(fact("Runtime", &or_not_recorded(words(runs.iter().map(|run| runtime(run)))), Tone::Plain));
    facts.push(fact("OS", &or_not_recorded(words(runs.iter().map(|run| os(run)))), Tone::Plain));
    facts.push(fact("Hardware", &or_not_recorded(words(runs.iter().map(|run| hardware(run)))), Tone::Plain));
    let dates = words(runs.iter().map(|run| run.finished_at.clone().or_else(|| run.started_at.clone())));
    facts.push(fact("Run date", &or_not_recorded(dates), Tone::Plain));
    facts.push(Fact { code: true, ..fact("Run", &ids(&runs), Tone::Plain) });
    let verdicts = words(runs.iter().map(|run| Some(format!("{}, {}", run.state.word(), run.evidence))));
    facts.push(fact("State", &verdicts, Tone::Plain));
    facts.push(fact("Oracle", &or_not_recorded(oracle(source, oracles, group)), Tone::Plain));
    let integrity = crate::analyze::worst_integrity(runs.iter().map(|run| run.integrity));
    facts.push(fact("Integrity", integrity.word(), integrity_tone(integrity)));
    facts.extend(manifest(group));
    facts
}

/// What saved documents say of themselves.
fn of_documents(source: &LoadedSource, group: &Group, documents: &Saved, runs: &[&Run]) -> Vec<Fact> {
    let plots = &source.evidence.plots;
    let all: Vec<usize> = documents.documents().collect();
    let shown: Vec<String> =
        all.iter().take(FILES).map(|&at| join(&source.evidence.path, &plots[at].path)).collect();
    let files = match all.len().saturating_sub(FILES) {
        0 => list::and(&shown),
        more => format!("{} and {more} more", shown.join(", ")),
    };
    let code = |label: &str, text: &str| Fact { code: true, ..fact(label, text, Tone::Plain) };
    let mut facts = vec![fact("Source", &files, Tone::Plain), code("Feature", &group.feature)];
    for (label, text) in [("Collector", &group.collector), ("Comparison key", &group.base_key)] {
        if !text.is_empty() {
            facts.push(code(label, text));
        }
    }
    let documents: Vec<_> = all.iter().map(|&at| &plots[at].document).collect();
    let said =
        |pick: fn(&PlotDocument) -> &Option<String>| words(documents.iter().map(|one| pick(one).clone()));
    facts.push(fact("Runtime", &or_not_recorded(words(runs.iter().map(|run| runtime(run)))), Tone::Plain));
    facts.push(fact("OS", &or_not_recorded(words(runs.iter().map(|run| os(run)))), Tone::Plain));
    let dates = words(runs.iter().map(|run| super::facts::date(run).map(str::to_owned)));
    facts.push(fact("Run date", &or_not_recorded(dates), Tone::Plain));
    if runs.is_empty() {
        facts.push(fact("Run", "not recorded", Tone::Plain));
    } else {
        facts.push(code("Run", &ids(runs)));
    }
    for (label, text) in [
        ("Correctness, as published", said(|one| &one.correctness)),
        ("Performance, as published", said(|one| &one.performance)),
        ("Scope", said(|one| &one.scope)),
    ] {
        if !text.is_empty() {
            facts.push(fact(label, &plain(&text), Tone::Plain));
        }
    }
    facts.push(fact("Integrity", super::facts::NO_SAMPLES, Tone::Problem));
    facts.extend(manifest(group));
    facts
}

/// The evaluations per sample, where the method names them: `…/fresh-state-evals1-v1`.
fn evaluations(definition: &Definition) -> Option<String> {
    let (_, rest) = definition.method().split_once("-evals")?;
    let count: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let state = if definition.method().contains("fresh-state") { ", fresh state for each" } else { "" };
    (!count.is_empty()).then(|| format!("{count} per sample{state}"))
}

fn manifest(group: &Group) -> Option<Fact> {
    let (target, dependencies) = group
        .targets
        .iter()
        .zip(&group.dependencies)
        .rev()
        .find_map(|(target, dependencies)| dependencies.as_ref().map(|found| (target, found)))?;
    let mut text = format!("of {}", target.label);
    if let Some(total) = dependencies.total {
        text = format!("{text}: {total} packages");
    }
    if let Some(digest) = &dependencies.manifest_sha256 {
        text = format!("{text}, sha256 {}…", digest.chars().take(16).collect::<String>());
    }
    Some(fact("Manifest", &text, Tone::Plain))
}

/// What oracles said, in words: per run, by case. Indexed once, since every page asks.
pub(super) type Oracles = Vec<BTreeMap<Name, BTreeSet<String>>>;

/// Indexes what the oracles of a source said.
pub(super) fn oracles(source: &LoadedSource) -> Oracles {
    let of_run = |run: &Run| {
        let mut said: BTreeMap<Name, BTreeSet<String>> = BTreeMap::new();
        for one in &run.qualifications {
            if let Some(word) = &one.correctness {
                let verdict = one.verdict.as_deref().map(|verdict| format!(" ({verdict})"));
                let words = format!("{}{}", plain(word), verdict.unwrap_or_default());
                said.entry(one.case_id.as_str().into()).or_default().insert(words);
            }
        }
        said
    };
    source.evidence.runs.iter().map(of_run).collect()
}

/// What the oracles of the group's cases said.
fn oracle(source: &LoadedSource, oracles: &Oracles, group: &Group) -> String {
    let points = group.series.iter().flat_map(|series| &series.points);
    let cases: BTreeSet<(usize, &str)> = points
        .filter_map(|point| {
            let (run, samples) = point.run.zip(point.samples_of)?;
            Some((run, &*source.evidence.runs[run].groups.get(samples)?.key.case_id))
        })
        .collect();
    let said: BTreeSet<&str> = cases
        .into_iter()
        .filter_map(|(run, case)| oracles.get(run)?.get(case))
        .flatten()
        .map(String::as_str)
        .collect();
    list::and(&said.into_iter().collect::<Vec<_>>())
}

fn hardware(run: &Run) -> Option<String> {
    let list = run.environment.get("hardware")?.as_array()?;
    let names: BTreeSet<&str> =
        list.iter().filter_map(|one| one.get("cpu_name").and_then(Value::as_str)).collect();
    (!names.is_empty()).then(|| list::and(&names.into_iter().collect::<Vec<_>>()))
}

fn ids(runs: &[&Run]) -> String {
    let shown: Vec<&str> = runs.iter().take(LISTED).map(|run| run.run_id.as_str()).collect();
    match runs.len().saturating_sub(LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn included(yes: bool) -> String {
    if yes { "included" } else { "not included" }.to_owned()
}

fn plain(recorded: &str) -> String {
    recorded.replace('_', " ")
}

fn join(source: &str, path: &str) -> String {
    if path == "." { source.to_owned() } else { format!("{source}/{path}") }
}

/// Distinct texts in words; empty when nothing is known.
fn words(texts: impl Iterator<Item = Option<String>>) -> String {
    let all: BTreeSet<String> = texts.flatten().filter(|text| !text.is_empty()).collect();
    list::and(&all.into_iter().collect::<Vec<_>>())
}

fn or_not_recorded(text: String) -> String {
    if text.is_empty() { "not recorded".to_owned() } else { text }
}
