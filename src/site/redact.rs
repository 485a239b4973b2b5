//! Masks absolute paths, user names and host names in evidence before anything is made of it.
//!
//! Each type of the evidence is taken apart in one place, field by field, so that a new field does not compile until
//! it is decided what becomes of it: a free text is masked ([`Masker::text`]), in a word, a version or a digest only
//! paths are ([`Masker::words`]), and what is bound to `_` is published as it was recorded.
//!
//! That are numbers, and names that identify evidence (targets, features, metrics, definitions, runs): a masked
//! name could no longer be joined or claimed. One that holds a path gets a warning instead. A host or user
//! name that a field gives away is masked in every other text of the same run as well.

mod documents;
mod masker;
mod profiles;
mod records;
mod runs;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::error::{Place, Problem, Problems};
use crate::evidence::SourceEvidence;
use crate::evidence::plot::{self, PlotDocument};
use crate::text::redact::{Kind, redact};

pub(super) use masker::Secrets;
use masker::{MASK, Masker};

/// Masks a source's evidence and notes what was masked in which file. Gives the host and user names that its
/// fields held, for [`problems`].
pub(super) fn evidence(evidence: &mut SourceEvidence, found: &mut BTreeSet<(String, String)>) -> Secrets {
    let SourceEvidence {
        // What the user called it, and where its files lie below it.
        id: _,
        title: _,
        path: _,
        files: _,
        runs,
        plots,
        catalogs,
        comparisons,
        profiles,
        records,
    } = evidence;
    let mut all = Secrets::default();
    for run in runs {
        all.extend(runs::run(run, found));
    }
    for plot in plots {
        all.extend(documents::plot(plot, found));
    }
    let mut mask = Masker::new(&all);
    for one in catalogs {
        documents::catalog(one, &mut mask, found);
    }
    for one in comparisons {
        documents::comparison(one, &mut mask, found);
    }
    profiles::all(profiles, &mut mask, found);
    for one in records {
        records::record(one, &all, found);
    }
    all
}

/// Masks a plot document, and says in words what was masked. Nothing else is changed.
pub fn document(document: &mut PlotDocument) -> BTreeSet<&'static str> {
    documents::document(document).1.into_iter().map(Kind::word).collect()
}

/// Warnings for names that hold absolute paths: they are published as recorded.
pub(super) fn names(evidence: &SourceEvidence) -> Problems {
    let mut seen = BTreeSet::new();
    let mut problems = Problems::default();
    let mut look = |file: &str, what: &'static str, name: Option<&str>| {
        let Some(name) = name.filter(|name| !redact(name).kinds.is_empty()) else { return };
        if seen.insert((what, name.to_owned())) {
            let message = format!(
                "the {what} name `{name}` holds an absolute path, and names are published as recorded"
            );
            problems.push(Problem::warning(Place::file(file), message).remedy("give it a title"));
        }
    };
    for run in &evidence.runs {
        let file = join(&run.path, "manifest.json");
        for planned in &run.planned {
            look(&file, "package", Some(&planned.package));
            look(&file, "feature", Some(&planned.feature));
            look(&file, "workload", planned.workload.as_deref());
            look(&file, "target", Some(&planned.target));
        }
        let file = join(&run.path, "observations.jsonl");
        for group in &run.groups {
            look(&file, "package", group.key.package.as_deref());
            look(&file, "feature", Some(&group.key.feature));
            look(&file, "workload", group.key.workload.as_deref());
            look(&file, "target", Some(&group.key.target));
        }
    }
    for saved in &evidence.plots {
        let document = &saved.document.plot;
        for what in ["package", "feature", "workload"] {
            look(&saved.path, what, document.options.get(what).and_then(Value::as_str));
        }
        for row in &document.data {
            for what in ["package", "feature", "workload"] {
                look(&saved.path, what, row.get(what).and_then(Value::as_str));
            }
        }
        let of_rows = document.data.iter().flat_map(plot::targets);
        for target in saved.document.listed_targets().chain(of_rows) {
            look(&saved.path, "target", Some(target));
        }
    }
    for one in &evidence.records {
        look(&one.path, "package", one.package.as_deref());
        look(&one.path, "feature", one.feature.as_deref());
        look(&one.path, "target", one.target.as_deref());
        look(&one.path, "tool", Some(&one.tool));
    }
    problems
}

/// Masks messages; what they quote may hold paths and the names of `secrets`.
pub(super) fn problems(problems: &Problems, secrets: &Secrets) -> Problems {
    let mut masked = Problems::default();
    for problem in problems.iter() {
        let mut message = problem.message.clone();
        Masker::new(secrets).text(&mut message);
        masked.push(Problem { message, ..problem.clone() });
    }
    masked
}

fn join(folder: &str, file: &str) -> String {
    if folder == "." { file.to_owned() } else { format!("{folder}/{file}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::error::Severity;
    use crate::evidence::{Diagnostic, PlannedRun, Run, SavedPlot, TargetKind};
    use crate::read::plot::parse_document;

    fn run() -> Run {
        let environment =
            json!({"hostname": "BuildBox7", "user": "jo", "os": "buildbox7", "note": "on buildbox7"});
        Run {
            path: "r".into(),
            environment: environment.as_object().unwrap().clone(),
            warnings: vec!["BUILDBOX7 is slow, buildbox77 and jo are not".into()],
            diagnostics: vec![Diagnostic {
                case_id: "c".into(),
                target: None,
                rule: "x".into(),
                severity: "info".into(),
                message: "me@buildbox7.local failed".into(),
                status: None,
                ..Diagnostic::default()
            }],
            planned: vec![PlannedRun {
                package: "P".into(),
                package_id: "P".into(),
                feature: "/home/me/x/bench.jl".into(),
                workload: None,
                description: String::new(),
                backend: String::new(),
                target: "1.0".into(),
                kind: TargetKind::Release,
                comparison_key: "".into(),
                status: "ready".into(),
                reason: String::new(),
            }],
            ..Run::default()
        }
    }

    #[test]
    fn a_host_that_a_field_names_is_masked_in_every_text() {
        let mut source = SourceEvidence { runs: vec![run()], ..SourceEvidence::default() };
        let mut found = BTreeSet::new();
        let secrets = evidence(&mut source, &mut found);
        let run = &source.runs[0];
        assert_eq!(run.warnings, ["<redacted> is slow, buildbox77 and jo are not"]);
        assert_eq!(run.diagnostics[0].message, "me@<redacted>.local failed");
        let environment = json!({"hostname": MASK, "user": MASK, "os": "buildbox7", "note": "on <redacted>"});
        assert_eq!(Value::Object(run.environment.clone()), environment);
        let told: Vec<_> = found.iter().map(|(file, kind)| (file.as_str(), kind.as_str())).collect();
        let expected = [
            ("r/diagnostics.jsonl", "host name"),
            ("r/manifest.json", "host name"),
            ("r/manifest.json", "user name"),
        ];
        assert_eq!(told, expected);
        let mut quoted = Problems::default();
        quoted.push(Problem::note(Place::file("f"), "`BuildBox7` at /home/me/x"));
        let message = &problems(&quoted, &secrets).sorted()[0].message.clone();
        assert_eq!(message, "`<redacted>` at <path>/x");
    }

    #[test]
    fn a_name_that_is_a_path_stays_and_is_told() {
        let mut source = SourceEvidence { runs: vec![run()], ..SourceEvidence::default() };
        evidence(&mut source, &mut BTreeSet::new());
        assert_eq!(&*source.runs[0].planned[0].feature, "/home/me/x/bench.jl");
        let told = names(&source);
        assert_eq!(told.count(Severity::Warning), 1);
        assert!(told.sorted()[0].message.starts_with("the feature name `/home/me/x/bench.jl` holds"));
    }

    #[test]
    fn saved_plots_are_masked_but_for_names() {
        let value = json!({
            "plot": {
                "schema_version": "perfolio-plot/1", "id": "i", "kind": "k", "title": "", "description": "",
                "encoding": {}, "options": {"feature": "/home/me/f", "note": "C:\\Users\\me\\x"},
                "data": [{"version": "/tmp/a/b", "file": "/home/me/src/a.jl", "hostname": "box-1"}],
            },
            "os": "/home/me/os", "run_id": "run-of-box-1", "performance": "1/2",
        });
        let mut plot = parse_document(value.to_string().as_bytes(), "p").unwrap();
        assert_eq!(
            document(&mut plot).into_iter().collect::<Vec<_>>(),
            ["absolute path", "host name", "user name"]
        );
        let masked = serde_json::to_value(&plot).unwrap();
        let expected = json!({
            "plot": {
                "schema_version": "perfolio-plot/1", "id": "i", "kind": "k", "title": "", "description": "",
                "encoding": {}, "options": {"feature": "/home/me/f", "note": "<path>/x"},
                "data": [{"version": "/tmp/a/b", "file": "<path>/src/a.jl", "hostname": MASK}],
            },
            "os": "<path>/os", "run_id": "run-of-<redacted>", "performance": "1/2",
        });
        assert_eq!(masked, expected);
        assert!(document(&mut plot).is_empty(), "masked once is masked");
        let plots = vec![SavedPlot { path: "p".into(), document: plot, text: None }];
        let told = names(&SourceEvidence { plots, ..SourceEvidence::default() });
        assert_eq!(told.count(Severity::Warning), 2, "{told:?}");
    }
    /// Targets join rows and options, whatever field names them; words of the form are no names, and lose their paths.
    #[test]
    fn a_target_stays_wherever_it_stands_and_a_word_does_not() {
        let path = "/home/me/deep/x";
        let value = json!({
            "plot": {
                "schema_version": "perfolio-plot/1", "id": "i", "kind": "k", "title": "", "description": "",
                "encoding": {"x": "version", path: path}, "options": {"selected_version": "dev", "status": path},
                "data": [{"baseline_version": "dev", "baseline_versions": ["dev"], "unit": path, path: 1, "user": "dev"}],
            },
            "release_dates": {"dev": path},
            "perfolio": {"feature_title": path, "dependencies": [{"name": "Dep", "versions": [path]}]},
        });
        let mut plot = parse_document(value.to_string().as_bytes(), "p").unwrap();
        document(&mut plot);
        let masked = "<path>/deep/x";
        let expected = json!({
            "plot": {
                "schema_version": "perfolio-plot/1", "id": "i", "kind": "k", "title": "", "description": "",
                "encoding": {"x": "version", masked: masked}, "options": {"selected_version": "dev", "status": masked},
                "data": [{"baseline_version": "dev", "baseline_versions": ["dev"], "unit": masked, masked: 1, "user": MASK}],
            },
            "release_dates": {"dev": masked},
            "perfolio": {"feature_title": masked, "dependencies": [{"name": "Dep", "versions": [masked]}]},
        });
        assert_eq!(serde_json::to_value(&plot).unwrap(), expected);
    }
}
