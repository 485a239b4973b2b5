//! What is said about runs: state, integrity, date, runtime, system. Facts for galleries and provenance.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value};

use crate::error::Severity;
use crate::evidence::{Integrity, Name, Run, RunState};
use crate::text::list;
use crate::theme::view::{Fact, Flagged, Tone};

use super::load::LoadedSource;

/// The state line of a source.
pub(super) fn of_source(source: &LoadedSource) -> Vec<Fact> {
    let runs: Vec<&Run> = source
        .evidence
        .runs
        .iter()
        .zip(&source.series.superseded_by)
        .filter(|(_, newer)| newer.is_none())
        .map(|(run, _)| run)
        .collect();
    let documents = source.series.groups.iter().any(|group| group.saved.is_some())
        || !source.series.loose.is_empty()
        || !source.evidence.comparisons.is_empty();
    let (saved, runs): (Vec<&Run>, Vec<&Run>) = runs.into_iter().partition(|run| run.saved);
    if runs.is_empty() {
        let nothing = || vec![fact("State", "no run was read", Tone::Problem)];
        return if documents { of_documents(source, &saved) } else { nothing() };
    }
    let mut facts = vec![state(&runs), integrity(&runs)];
    if documents {
        facts.push(fact("Saved figures", NO_SAMPLES, Tone::Problem));
    }
    if runs.iter().any(|run| run.evidence != "fresh") {
        facts.push(fact(
            "Evidence",
            &distinct(runs.iter().map(|run| Some(run.evidence.clone()))),
            Tone::Problem,
        ));
    }
    facts.push(fact("Run date", &dates(&runs), Tone::Plain));
    facts.push(fact("Runtime", &distinct(runs.iter().map(|run| runtime(run))), Tone::Plain));
    facts.push(fact("OS", &distinct(runs.iter().map(|run| os(run))), Tone::Plain));
    facts
}

/// What is known of evidence that is saved documents only.
pub(super) const NO_SAMPLES: &str = "unverified, no samples";

/// The state line of a source of saved documents: what their publisher says of it, and what nobody can check.
fn of_documents(source: &LoadedSource, runs: &[&Run]) -> Vec<Fact> {
    let checks: Vec<_> = source.evidence.catalogs.iter().flat_map(|catalog| &catalog.checks).collect();
    let passed = checks.iter().filter(|check| check.status == "pass").count();
    let state = match checks.len() {
        0 => "not recorded".to_owned(),
        count => format!("{passed} of {count} checks passed, as published"),
    };
    let mut facts = vec![
        fact("State", &state, if checks.is_empty() { Tone::Problem } else { Tone::Plain }),
        fact("Integrity", NO_SAMPLES, Tone::Problem),
        fact("Run date", &dates(runs), Tone::Plain),
    ];
    if !runs.is_empty() {
        facts.push(fact("Runtime", &distinct(runs.iter().map(|run| runtime(run))), Tone::Plain));
        facts.push(fact("OS", &distinct(runs.iter().map(|run| os(run))), Tone::Plain));
    }
    facts
}

fn state(runs: &[&Run]) -> Fact {
    let worst = runs.iter().map(|run| run.state).max().unwrap_or_default();
    let (planned, measured) = checks(runs);
    let word = match (worst, runs.iter().filter(|run| run.state == worst).count()) {
        (RunState::Complete, _) => "complete".to_owned(),
        (state, count) if count == runs.len() => state.word().to_owned(),
        (state, count) => format!("{count} of {} runs {}", runs.len(), state.word()),
    };
    let text = if planned == 0 { word } else { format!("{word}, {measured} of {planned} checks") };
    fact("State", &text, if worst == RunState::Complete { Tone::Plain } else { Tone::Problem })
}

/// How many checks (feature × target) were planned, and how many of them have a value.
pub(super) fn checks(runs: &[&Run]) -> (usize, usize) {
    let planned = runs.iter().flat_map(|run| &run.planned);
    let mut checks: HashMap<(&Name, &Name, &Name), bool> =
        planned.map(|one| ((&one.package, &one.feature, &one.target), false)).collect();
    for key in runs.iter().flat_map(|run| &run.groups).map(|group| &group.key) {
        let Some(package) = &key.package else { continue };
        if let Some(measured) = checks.get_mut(&(package, &key.feature, &key.target)) {
            *measured = true;
        }
    }
    (checks.len(), checks.values().filter(|measured| **measured).count())
}

fn integrity(runs: &[&Run]) -> Fact {
    let worst = runs.iter().map(|run| run.integrity).max().unwrap_or_default();
    let count = runs.iter().filter(|run| run.integrity == worst).count();
    let word = if count == runs.len() {
        worst.word().to_owned()
    } else {
        format!("{count} of {} runs {}", runs.len(), worst.word())
    };
    fact("Integrity", &word, integrity_tone(worst))
}

/// Whether an integrity needs attention.
pub(super) fn integrity_tone(integrity: Integrity) -> Tone {
    if integrity == Integrity::Verified { Tone::Plain } else { Tone::Problem }
}

fn dates(runs: &[&Run]) -> String {
    let days: BTreeSet<&str> = runs.iter().filter_map(|run| date(run).map(day)).collect();
    match (days.first(), days.last()) {
        (Some(first), Some(last)) if first == last => (*first).to_owned(),
        (Some(first), Some(last)) => format!("{first} – {last}"),
        _ => "not recorded".to_owned(),
    }
}

/// When a run ended; of saved runs only the start may be known.
pub(super) fn date(run: &Run) -> Option<&str> {
    run.finished_at.as_deref().or_else(|| run.started_at.as_deref().filter(|_| run.saved))
}

/// The date part of a recorded time.
fn day(time: &str) -> &str {
    time.split(['T', ' ']).next().unwrap_or(time)
}

/// Language, version and threads in words: "Julia 1.13.0, 1 thread".
pub(super) fn runtime(run: &Run) -> Option<String> {
    let text = |key: &str| run.runtime.get(key).and_then(Value::as_str);
    let mut words = match text("language")? {
        "julia" => "Julia".to_owned(),
        other => other.to_owned(),
    };
    if let Some(version) = text("version") {
        words = format!("{words} {version}");
    }
    if let Some(threads) = run.runtime.get("threads").and_then(Value::as_u64) {
        words = format!("{words}, {threads} {}", if threads == 1 { "thread" } else { "threads" });
    }
    Some(words)
}

/// The operating system as people call it.
pub(super) fn os(run: &Run) -> Option<String> {
    let recorded = text_of(&run.environment, &["os"])?;
    let name = match recorded.as_str() {
        "NT" => "Windows",
        "Darwin" => "macOS",
        other => other,
    };
    Some(match text_of(&run.environment, &["architecture", "arch"]) {
        Some(architecture) => format!("{name}, {architecture}"),
        None => name.to_owned(),
    })
}

fn text_of(map: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter()
        .find_map(|key| map.get(*key))
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

/// State and evidence of one run.
pub(super) fn run_state(run: &Run) -> Flagged {
    if run.saved {
        return Flagged { text: run.state.word().to_owned(), tone: Tone::Problem };
    }
    let tone =
        if run.state == RunState::Complete && run.evidence == "fresh" { Tone::Plain } else { Tone::Problem };
    Flagged { text: format!("{}, {}", run.state.word(), run.evidence), tone }
}

fn distinct(texts: impl Iterator<Item = Option<String>>) -> String {
    let all: BTreeSet<String> = texts.map(|text| text.unwrap_or_else(|| "not recorded".to_owned())).collect();
    list::and(&all.into_iter().collect::<Vec<_>>())
}

/// A label with a value.
pub(super) fn fact(label: &str, value: &str, tone: Tone) -> Fact {
    Fact { label: label.to_owned(), value: value.to_owned(), tone, ..Fact::default() }
}

/// How many problems of each severity, in words: "2 warnings and 1 note"; empty for none.
pub(super) fn counted(severities: impl Iterator<Item = Severity>) -> String {
    let severities: Vec<Severity> = severities.collect();
    let words: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .filter_map(|wanted| {
            let count = severities.iter().filter(|severity| **severity == wanted).count();
            (count > 0).then(|| format!("{count} {}{}", wanted.word(), if count == 1 { "" } else { "s" }))
        })
        .collect();
    list::and(&words)
}
