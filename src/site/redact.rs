//! Masks absolute paths, user names and host names in evidence before anything is made of it.
//!
//! Names that identify evidence (targets, features, metrics, definitions) are left as recorded: a masked
//! name could no longer be joined or claimed. One that holds a path gets a warning instead. A host or user
//! name that a field gives away is masked in every other text of the same run as well.

mod records;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::error::{Place, Problem, Problems};
use crate::evidence::SourceEvidence;
use crate::evidence::plot::PlotDocument;
use crate::evidence::profile::{CallTree, Profile};
use crate::text::file::short;
use crate::text::redact::{Kind, field, redact};

/// What stands in place of a host or user name.
const MASK: &str = "<redacted>";
/// Shorter values of host and user fields are not looked for elsewhere: they would fit anywhere.
const SHORTEST: usize = 3;

/// Fields of a plot that hold names, which must stay as recorded, or words of the form.
const NAMES: [&str; 18] = [
    "features",
    "metric",
    "version",
    "versions",
    "target",
    "target_kind",
    "unit",
    "statistic",
    "aggregation",
    "normalization_status",
    "reference_version",
    "feature",
    "workload",
    "package",
    "collector",
    "comparison_key",
    "kind",
    "status",
];
/// Fields that say what a machine is: a user called `linux` or `julia` must not blot them out.
const WORDS: [&str; 6] = ["language", "version", "os", "kernel", "arch", "architecture"];

/// Masks a source's evidence and notes what was masked in which file. Gives the host and user names that its
/// fields held, for [`problems`].
pub(super) fn evidence(evidence: &mut SourceEvidence, found: &mut BTreeSet<(String, String)>) -> Secrets {
    let mut all = Secrets::default();
    for run in &mut evidence.runs {
        let mut secrets = Secrets::default();
        secrets.of_map(&run.runtime);
        secrets.of_map(&run.environment);
        run.definitions.iter().for_each(|definition| secrets.of_map(&definition.extra));
        let mut mask = Masker::new(&secrets);
        mask.map(&mut run.runtime);
        mask.map(&mut run.environment);
        run.warnings.iter_mut().for_each(|text| mask.text(text));
        // Words of the form and moments, which may be any text.
        let words = [&mut run.verdict, &mut run.profile, &mut run.started_at, &mut run.finished_at];
        let words = words.into_iter().flatten().chain([&mut run.evidence, &mut run.suite]);
        words.for_each(|text| mask.paths(text));
        for planned in &mut run.planned {
            mask.text(&mut planned.description);
            mask.text(&mut planned.reason);
        }
        for qualification in &mut run.qualifications {
            let words = [
                &mut qualification.verdict,
                &mut qualification.correctness,
                &mut qualification.performance,
                &mut qualification.state_policy,
            ];
            words.into_iter().flatten().for_each(|text| mask.paths(text));
            let policy = qualification.resources.iter_mut();
            let texts = [&mut qualification.correctness_message, &mut qualification.performance_message];
            let texts = texts.into_iter().flatten();
            let texts = texts.chain(qualification.probes.iter_mut().filter_map(|one| one.message.as_mut()));
            texts
                .chain(policy.flat_map(|one| one.message.iter_mut().chain(&mut one.violations)))
                .for_each(|text| mask.text(text));
        }
        let states = run.sources.iter_mut();
        states
            .flat_map(|one| [&mut one.branch, &mut one.requested_revision, &mut one.error])
            .flatten()
            .for_each(|text| mask.text(text));
        mask.note(&run.path, "manifest.json", found);
        for definition in &mut run.definitions {
            mask.map(&mut definition.extra);
            let texts = [
                &mut definition.sample_semantics,
                &mut definition.warmup_policy,
                &mut definition.attribution_scope,
            ];
            texts.into_iter().flatten().for_each(|text| mask.text(text));
        }
        mask.note(&run.path, "measurement-definitions.json", found);
        for diagnostic in &mut run.diagnostics {
            mask.text(&mut diagnostic.message);
            let moments = diagnostic.envelope.iter_mut().flat_map(|one| &mut one.moments);
            moments.filter_map(|one| one.message.as_mut()).for_each(|text| mask.text(text));
        }
        mask.note(&run.path, "diagnostics.jsonl", found);
        all.list.append(&mut secrets.list);
    }
    for plot in &mut evidence.plots {
        let (secrets, kinds) = masked(&mut plot.document);
        if !kinds.is_empty() {
            plot.text = None;
        }
        found.extend(kinds.into_iter().map(|kind| (plot.path.clone(), kind.word().to_owned())));
        all.list.extend(secrets.list);
    }
    for catalog in &mut evidence.catalogs {
        let mut mask = Masker::new(&all);
        let reasons = catalog.checks.iter_mut().filter_map(|check| check.reason.as_mut());
        reasons.chain(catalog.skipped.iter_mut().map(|one| &mut one.1)).for_each(|text| mask.text(text));
        mask.map(&mut catalog.runtime);
        let kinds = mask.kinds;
        found.extend(kinds.into_iter().map(|kind| (catalog.path.clone(), kind.word().to_owned())));
    }
    for one in &mut evidence.comparisons {
        let mut mask = Masker::new(&all);
        let derivations = one.records.iter_mut().filter_map(|record| record.derivation.as_mut());
        let texts = derivations.chain(&mut one.scope).chain(&mut one.correctness);
        texts.for_each(|text| mask.text(text));
        let kinds = mask.kinds;
        found.extend(kinds.into_iter().map(|kind| (one.path.clone(), kind.word().to_owned())));
    }
    profiles(&mut evidence.profiles, &all, found);
    for one in &mut evidence.records {
        let mut secrets = Secrets::default();
        secrets.of_map(&one.runtime);
        secrets.list.extend(all.list.iter().cloned());
        let mut mask = Masker::new(&secrets);
        records::record(one, &mut mask);
        let kinds = mask.kinds;
        found.extend(kinds.into_iter().map(|kind| (one.path.clone(), kind.word().to_owned())));
    }
    all
}

/// Masks file names and frames. A file's path is shortened first, which keeps the package that it belongs to.
fn profiles(profiles: &mut [Profile], secrets: &Secrets, found: &mut BTreeSet<(String, String)>) {
    let mut trees: Vec<(Arc<CallTree>, Arc<CallTree>)> = Vec::new();
    for profile in profiles {
        let mut mask = Masker::new(secrets);
        for site in &mut profile.sites {
            let mut text = site.file.to_string();
            let mut masked = redact(&text);
            if !masked.kinds.is_empty() {
                mask.kinds.append(&mut masked.kinds);
                text = short(&text);
            }
            mask.text(&mut text);
            if *text != *site.file {
                site.file = text.into();
            }
        }
        let tree = &profile.tree;
        if let Some((_, masked)) = trees.iter().find(|(old, _)| Arc::ptr_eq(old, tree)) {
            profile.tree = masked.clone();
        } else {
            let masked = |text: &str| {
                let mut own = text.to_owned();
                let mut mask = Masker::new(secrets);
                mask.text(&mut own);
                (own != text).then_some((own, mask.kinds))
            };
            let texts = tree.frames.iter().flat_map(|frame| frame.file.iter().chain([&frame.label]));
            let kinds: BTreeSet<Kind> =
                texts.chain(&tree.type_names).filter_map(|text| masked(text)).flat_map(|one| one.1).collect();
            if !kinds.is_empty() {
                let old = tree.clone();
                let mut changed = CallTree::clone(tree);
                let change = |text: &str| masked(text).map(|(text, _)| text);
                changed.frames.iter_mut().for_each(|frame| frame.rewrite(change));
                for name in &mut changed.type_names {
                    if let Some(text) = change(name) {
                        *name = text.into();
                    }
                }
                profile.tree = Arc::new(changed);
                trees.push((old, profile.tree.clone()));
                mask.kinds.extend(kinds);
            }
        }
        let kinds = mask.kinds;
        found.extend(kinds.into_iter().map(|kind| (profile.path.clone(), kind.word().to_owned())));
    }
}

/// Masks a plot document, and says in words what was masked. Nothing else is changed.
pub fn document(document: &mut PlotDocument) -> BTreeSet<&'static str> {
    masked(document).1.into_iter().map(Kind::word).collect()
}

fn masked(document: &mut PlotDocument) -> (Secrets, BTreeSet<Kind>) {
    let mut secrets = Secrets::default();
    secrets.of_map(&document.runtime);
    secrets.of_map(&document.extra);
    secrets.of_map(&document.plot.options);
    document.worker_environments.iter().for_each(|value| secrets.of_value(value));
    document.plot.data.iter().for_each(|row| secrets.of_fields(row.iter()));
    let mut mask = Masker::new(&secrets);
    let names = recorded_names(&document.plot.options);
    mask.around(&mut document.plot.title, &names);
    mask.around(&mut document.plot.description, &names);
    mask.keep_names = true;
    mask.map(&mut document.plot.options);
    document.plot.data.iter_mut().for_each(|row| mask.fields(row.iter_mut()));
    mask.keep_names = false;
    mask.map(&mut document.runtime);
    mask.map(&mut document.extra);
    document.worker_environments.iter_mut().for_each(|value| mask.value(value));
    let texts = [
        &mut document.run_id,
        &mut document.correctness,
        &mut document.performance,
        &mut document.scope,
        &mut document.reference_scope,
        &mut document.date_kind,
    ];
    let kinds_of_dates = document.release_date_kinds.values_mut();
    texts.into_iter().flatten().chain(kinds_of_dates).for_each(|text| mask.text(text));
    document.started_at.iter_mut().for_each(|text| mask.paths(text));
    document.os.iter_mut().for_each(|text| mask.paths(text));
    if let Some(details) = &mut document.perfolio {
        details
            .reasons
            .values_mut()
            .flat_map(|reasons| reasons.values_mut())
            .for_each(|text| mask.text(text));
        details.runs.values_mut().for_each(|text| mask.text(text));
        details.metric_runs.values_mut().flat_map(|runs| runs.values_mut()).for_each(|text| mask.text(text));
        [&mut details.source_title, &mut details.variant]
            .into_iter()
            .flatten()
            .for_each(|text| mask.text(text));
    }
    let kinds = mask.kinds;
    (secrets, kinds)
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
    for plot in &evidence.plots {
        let document = &plot.document.plot;
        for what in ["package", "feature", "workload"] {
            look(&plot.path, what, document.options.get(what).and_then(Value::as_str));
        }
        for row in &document.data {
            for what in ["package", "feature", "workload"] {
                look(&plot.path, what, row.get(what).and_then(Value::as_str));
            }
        }
        for row in &document.data {
            look(&plot.path, "target", row.get("version").and_then(Value::as_str));
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

/// Host and user names that fields held, in lower case.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    list: BTreeSet<(String, Kind)>,
}

impl Secrets {
    fn of_map(&mut self, map: &Map<String, Value>) {
        self.of_fields(map.iter().map(|(key, value)| (key.as_str(), value)));
    }

    fn of_fields<'f>(&mut self, fields: impl Iterator<Item = (&'f str, &'f Value)>) {
        for (key, value) in fields {
            match (field(key), value) {
                (Some(kind), Value::String(text)) if text.trim().chars().count() >= SHORTEST => {
                    if text != MASK {
                        self.list.insert((text.trim().to_ascii_lowercase(), kind));
                    }
                }
                (_, value) => self.of_value(value),
            }
        }
    }

    fn of_value(&mut self, value: &Value) {
        match value {
            Value::Array(list) => list.iter().for_each(|value| self.of_value(value)),
            Value::Object(map) => self.of_map(map),
            _ => {}
        }
    }
}

struct Masker<'a> {
    secrets: &'a Secrets,
    kinds: BTreeSet<Kind>,
    /// Whether fields in [`NAMES`] stay as they are.
    keep_names: bool,
}

impl<'a> Masker<'a> {
    fn new(secrets: &'a Secrets) -> Self {
        Self { secrets, kinds: BTreeSet::new(), keep_names: false }
    }

    /// Hands over what was masked since the last call.
    fn note(&mut self, folder: &str, file: &str, found: &mut BTreeSet<(String, String)>) {
        let kinds = std::mem::take(&mut self.kinds);
        found.extend(kinds.into_iter().map(|kind| (join(folder, file), kind.word().to_owned())));
    }

    fn paths(&mut self, text: &mut String) {
        let masked = redact(text);
        if !masked.kinds.is_empty() {
            self.kinds.extend(&masked.kinds);
            *text = masked.text.into_owned();
        }
    }

    fn text(&mut self, text: &mut String) {
        self.paths(text);
        for (secret, kind) in &self.secrets.list {
            if let Some(masked) = without(text, secret) {
                self.kinds.insert(*kind);
                *text = masked;
            }
        }
    }

    /// Masks a text but for the `names` in it, which stand as they were recorded.
    fn around(&mut self, text: &mut String, names: &[String]) {
        let Some((name, others)) = names.split_first() else { return self.text(text) };
        let mut parts: Vec<String> = text.split(name.as_str()).map(str::to_owned).collect();
        for part in &mut parts {
            self.around(part, others);
        }
        *text = parts.join(name);
    }

    fn map(&mut self, map: &mut Map<String, Value>) {
        self.fields(map.iter_mut().map(|(key, value)| (key.as_str(), value)));
    }

    fn fields<'f>(&mut self, fields: impl Iterator<Item = (&'f str, &'f mut Value)>) {
        for (key, value) in fields {
            match (field(key), value) {
                (Some(kind), Value::String(text)) => {
                    if text != MASK {
                        self.kinds.insert(kind);
                        MASK.clone_into(text);
                    }
                }
                (None, _) if self.keep_names && NAMES.contains(&key) => {}
                (None, Value::String(text)) if WORDS.contains(&key) => self.paths(text),
                (_, value) => self.value(value),
            }
        }
    }

    fn value(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(list) => list.iter_mut().for_each(|value| self.value(value)),
            Value::Object(map) => self.map(map),
            _ => {}
        }
    }
}

/// The names among the options of a plot that are published as recorded, the longest first.
fn recorded_names(options: &Map<String, Value>) -> Vec<String> {
    let values = options.iter().filter(|(key, _)| NAMES.contains(&key.as_str()));
    let mut names: Vec<String> = values
        .flat_map(|(_, value)| match value {
            Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
            value => value.as_str().into_iter().collect::<Vec<_>>(),
        })
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    names.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    names.dedup();
    names
}

/// The text with every `secret` (in lower case) that stands alone masked; none when there is none.
fn without(text: &str, secret: &str) -> Option<String> {
    // Lower case of ASCII keeps every byte in its place.
    let lower = text.to_ascii_lowercase();
    let (mut out, mut copied, mut from) = (String::new(), 0, 0);
    while let Some(step) = lower[from..].find(secret) {
        let (start, end) = (from + step, from + step + secret.len());
        from = end;
        let inside = lower[..start].ends_with(char::is_alphanumeric)
            || lower[end..].starts_with(char::is_alphanumeric);
        if !inside {
            out.push_str(&text[copied..start]);
            out.push_str(MASK);
            copied = end;
        }
    }
    (copied > 0).then(|| out + &text[copied..])
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
}
