//! What a reader makes of the sources under `fixtures/corrupt` and `fixtures/accepted`, held against
//! `fixtures/expectations.json`.

use std::collections::BTreeMap;
use std::path::Path;

use perfolio::error::{Problem, Severity, Silent};
use perfolio::evidence::{Integrity, Run, SourceEvidence};
use perfolio::io::{Limits, Source, read_text};
use perfolio::read::read_source;
use serde::Deserialize;

#[derive(Deserialize)]
struct Expectation {
    row: String,
    problem: Option<ExpectedProblem>,
    integrity: Option<String>,
    observations_left: Option<usize>,
    series_of_sibling: bool,
}

#[derive(Deserialize)]
struct ExpectedProblem {
    file: String,
    line: Option<u64>,
    field: Option<String>,
    severity: String,
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"))
}

fn read(folder: &Path) -> (SourceEvidence, Vec<Problem>) {
    let limits = Limits::default();
    let source = Source::open(folder, &limits).expect("a fixture can be listed");
    let (evidence, problems) = read_source(&source, "fixture", "fixture", &limits, &Silent);
    (evidence, problems.sorted().into_iter().cloned().collect())
}

fn samples(run: &Run) -> usize {
    run.groups.iter().map(|group| group.samples.len()).sum()
}

/// Everything that differs from the expectation, in words.
fn differences(name: &str, expected: &Expectation) -> Vec<String> {
    let (evidence, problems) = read(&root().join(name));
    let mut wrong = Vec::new();
    let told: Vec<String> = problems
        .iter()
        .filter(|problem| problem.severity != Severity::Note)
        .map(|problem| format!("{} {}: {}", problem.severity.word(), problem.place, problem.message))
        .collect();
    match &expected.problem {
        None if problems.iter().any(|problem| problem.severity == Severity::Error) => {
            wrong.push(format!("no error was expected, got {told:?}"));
        }
        None => {}
        Some(problem) => {
            let found = problems.iter().any(|found| {
                found.place.path.as_ref() == Some(&problem.file)
                    && (problem.line.is_none() || found.place.line == problem.line)
                    && (problem.field.is_none() || found.place.field == problem.field)
                    && found.severity.word() == problem.severity
            });
            if !found {
                let place = (&problem.file, problem.line, &problem.field, &problem.severity);
                wrong.push(format!("expected {place:?}, got {told:?}"));
            }
        }
    }
    let run = |name: &str| evidence.runs.iter().find(|run| run.path == name);
    let odd = run("run-bad")
        .or_else(|| run("run-odd"))
        .or_else(|| evidence.runs.iter().find(|run| run.path != "run-good"));
    match odd {
        None => wrong.push(format!("the odd bundle is not listed: {:?}", evidence.files)),
        Some(odd) => {
            if let Some(integrity) = &expected.integrity
                && odd.integrity.word() != integrity
            {
                wrong.push(format!("integrity is {}, expected {integrity}", odd.integrity.word()));
            }
            if let Some(left) = expected.observations_left
                && samples(odd) != left
            {
                wrong.push(format!("{} observations are left, expected {left}; {told:?}", samples(odd)));
            }
        }
    }
    let sibling = run("run-good").is_some_and(|run| {
        run.groups.iter().any(|group| &*group.key.feature == "sibling_bench" && !group.samples.is_empty())
    });
    if sibling != expected.series_of_sibling {
        wrong.push(format!("the sibling's series is there: {sibling}"));
    }
    wrong
}

#[test]
fn every_refusal_names_its_place_and_spares_its_siblings() {
    let text = read_text(&root().join("expectations.json")).unwrap();
    let expectations: BTreeMap<String, Expectation> = serde_json::from_str(&text).unwrap();
    assert!(expectations.len() > 100, "the table is nearly empty");
    let mut report = Vec::new();
    for (name, expected) in &expectations {
        let wrong = differences(name, expected);
        report.extend(wrong.iter().map(|wrong| format!("{name} ({}): {wrong}", expected.row)));
    }
    assert!(report.is_empty(), "\n{}", report.join("\n"));
    for tree in ["corrupt", "accepted"] {
        for entry in std::fs::read_dir(root().join(tree)).unwrap() {
            let name = format!("{tree}/{}", entry.unwrap().file_name().to_string_lossy());
            assert!(expectations.contains_key(&name), "{name} has no expectation");
        }
    }
}

/// Formats §6, trap 31: the published schemas are not complete, so nothing is refused for want of one; bundles of suites,
/// scenarios and external providers are among these.
#[test]
fn sound_fixtures_are_read_whole() {
    for (name, expected) in [("oxygen", &[][..]), ("awkward", &["../../bench.log"])] {
        let (evidence, problems) = read(&root().join(name));
        let doubtful: Vec<_> = problems.iter().filter(|problem| problem.severity != Severity::Note).collect();
        assert_eq!(doubtful.len(), expected.len(), "{name}: {doubtful:#?}");
        for (problem, part) in doubtful.iter().zip(expected) {
            assert!(problem.message.contains(part), "{problem:?}");
        }
        assert!(!evidence.runs.is_empty());
        assert!(evidence.runs.iter().all(|run| run.integrity != Integrity::Failed && !run.run_id.is_empty()));
    }
}

#[test]
fn the_published_samples_are_all_there() {
    let (evidence, _) = read(&root().join("oxygen"));
    let lines: usize = evidence
        .runs
        .iter()
        .filter(|run| !run.saved)
        .map(|run| {
            let path = root().join("oxygen").join(&run.path).join("observations.jsonl");
            read_text(&path).unwrap().lines().count()
        })
        .sum();
    assert_eq!(evidence.runs.iter().map(samples).sum::<usize>(), lines);
    assert!(lines > 10_000);
}

/// The same table through the program itself: exit code, file, line and field as a user sees them, and the
/// sibling's series in the report.
#[test]
fn the_program_refuses_aloud_and_shows_the_rest() {
    let text = read_text(&root().join("expectations.json")).unwrap();
    let expectations: BTreeMap<String, Expectation> = serde_json::from_str(&text).unwrap();
    let mut report = Vec::new();
    for (name, expected) in &expectations {
        let path = root().join(name);
        let verified = crate::program::run(root(), &["verify".as_ref(), path.as_os_str()]);
        let doubtful = verified.out.contains("error: ") || verified.out.contains("warning: ");
        if verified.code != i32::from(doubtful) {
            report.push(format!("{name}: exit code {} for\n{}", verified.code, verified.out));
        }
        if let Some(problem) = &expected.problem {
            let line = problem.line.map(|line| format!(":{line}")).unwrap_or_default();
            let field = problem.field.as_ref().map(|field| format!(" ({field})")).unwrap_or_default();
            let place = format!("{}: {}{line}", problem.severity, problem.file);
            let told = verified.out.lines().any(|told| told.starts_with(&place) && told.contains(&field));
            if !told || (problem.severity != "note" && verified.code != 1) {
                report.push(format!("{name}: expected `{place}{field}`, exit 1, got\n{}", verified.out));
            }
        }
        let shown = crate::program::run(root(), &["inspect".as_ref(), path.as_os_str(), "--json".as_ref()]);
        let sibling = shown.code == 0
            && shown.json()["series"].as_array().unwrap().iter().any(|one| {
                one["feature"] == "sibling_bench"
                    && one["points"].as_array().unwrap().iter().any(|point| !point["value"].is_null())
            });
        if sibling != expected.series_of_sibling {
            report.push(format!("{name}: the sibling's series is in the report: {sibling}"));
        }
    }
    assert!(report.is_empty(), "\n{}", report.join("\n"));
}
