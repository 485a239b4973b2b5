//! `manifest.json`: who ran what, where and when (PerfChecker formats §2.2 to §2.5 and §2.11).
//!
//! Three generations of writers, providers and shared scenarios fill it differently; absent fields are
//! normal. Believing a bundle needs its schema, its run id and its attempt id, no more.

use super::super::complaints::{About, Complaint, Complaints, quote};
use super::super::items::{self, TakeItems};
use super::super::json::{Object, tell_repeated};
use super::super::tree::Value;
use crate::error::{Place, Problem, Problems};
use crate::evidence::run::{ReleaseDate, SourceState};
use crate::evidence::{Dependencies, Package, PlannedRun, Qualification, Run, RunState, TargetKind};

const SCHEMA: &str = "perfchecker-run-bundle/1";

/// Fills `run` from the manifest; whether the bundle can be believed.
pub(super) fn read(bytes: &[u8], path: &str, run: &mut Run, problems: &mut Problems) -> bool {
    let place = || Place::file(path);
    let mut lists = Lists::default();
    let fields = match items::read(bytes, [&["plan", "runs"], &["run_qualifications"]], &mut lists) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => {
            problems.push(Problem::error(place(), "the manifest is not an object"));
            return false;
        }
        Err(error) => {
            problems.push(Problem::error(place(), format!("the manifest is not JSON: {error}")));
            return false;
        }
    };
    tell_repeated(fields.repeats() || lists.repeated, bytes, path, problems);
    let mut complaints = Complaints::default();
    let manifest = Object::root(&fields);
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    text("run_id").unwrap_or_default().clone_into(&mut run.run_id);
    text("attempt_id").unwrap_or_default().clone_into(&mut run.attempt_id);
    let mut believed = true;
    if text("schema_version") != Some(SCHEMA) {
        let message = match fields.get("schema_version") {
            Some(found) => {
                let found = found.as_str().map_or_else(|| found.to_string(), quote);
                format!("{found} is not {SCHEMA:?}, the only schema that is known")
            }
            None => format!("the manifest names no schema; {SCHEMA:?} is known"),
        };
        problems.push(Problem::error(place().field("schema_version"), message));
        believed = false;
    }
    for (key, value) in [("run_id", &run.run_id), ("attempt_id", &run.attempt_id)] {
        if value.is_empty() {
            problems.push(Problem::error(place().field(key), "missing, empty or not text"));
            believed = false;
        }
    }
    fill(run, &manifest, lists, &mut complaints);
    complaints.into_problems(path, problems);
    believed
}

/// What is kept of the long lists: the plan's runs and the qualifications.
#[derive(Default)]
struct Lists {
    planned: (Vec<PlannedRun>, Complaints),
    qualifications: (Vec<Qualification>, Complaints),
    /// Whether a key of an item stood twice.
    repeated: bool,
}

impl TakeItems for Lists {
    fn begin(&mut self, list: usize) {
        match list {
            0 => self.planned = Default::default(),
            _ => self.qualifications = Default::default(),
        }
    }

    fn item(&mut self, list: usize, at: usize, item: &Value<'_>) {
        self.repeated |= item.repeats();
        if list == 0 {
            let (found, complaints) = &mut self.planned;
            let item = Object::item("plan.runs", at, item, complaints);
            found.extend(item.and_then(|item| planned(&item, complaints)));
        } else {
            let (found, complaints) = &mut self.qualifications;
            let item = Object::item("run_qualifications", at, item, complaints);
            found.extend(item.and_then(|item| qualification(&item, complaints)));
        }
    }
}

fn fill(run: &mut Run, manifest: &Object<'_>, lists: Lists, complaints: &mut Complaints) {
    let mut text = |key: &str| manifest.some_text(key, complaints).map(str::to_owned);
    run.evidence = text("evidence").unwrap_or_default();
    run.verdict = text("verdict");
    run.suite = text("suite").unwrap_or_default();
    run.profile = text("profile");
    run.started_at = text("started_at");
    run.finished_at = text("finished_at");
    run.state = match text("state").as_deref() {
        Some("complete") => RunState::Complete,
        Some("failed") => RunState::Failed,
        Some("partial") => RunState::Partial,
        other => {
            let message = match other {
                Some(word) => format!("{} is not a known state; the run counts as partial", quote(word)),
                None => "the run does not say whether it finished; it counts as partial".to_owned(),
            };
            complaints.add(About::Optional, || Complaint {
                line: 0,
                field: Some("state".to_owned()),
                message,
            });
            RunState::Partial
        }
    };
    run.runtime = manifest.map("runtime", complaints);
    run.environment = manifest.map("environment", complaints);
    run.tags = manifest.texts("tags", complaints);
    run.warnings = manifest.texts("warnings", complaints);
    // Suites write a list, shared scenarios one object (trap 10).
    let sources = if manifest.is_array("source_provenance") {
        manifest.objects("source_provenance", complaints)
    } else {
        manifest.object("source_provenance", complaints).into_iter().collect()
    };
    run.sources = sources.iter().map(|one| source_state(one, complaints)).collect();
    if let Some(dates) = manifest.object("release_dates", complaints) {
        let kinds = manifest.object("release_date_kinds", complaints);
        for (label, date) in dates.text_entries(complaints) {
            let kind = kinds.as_ref().and_then(|kinds| kinds.text(label, complaints)).map(str::to_owned);
            run.release_dates.insert(label.to_owned(), ReleaseDate { date: date.to_owned(), kind });
        }
    }
    // What stands in place of a list is told as for all lists; the items were taken.
    if let Some(plan) = manifest.object("plan", complaints) {
        plan.objects("runs", complaints);
    }
    complaints.append(lists.planned.1, 0);
    manifest.objects("run_qualifications", complaints);
    complaints.append(lists.qualifications.1, 0);
    (run.planned, run.qualifications) = (lists.planned.0, lists.qualifications.0);
}

/// The state of sources, as bundles and diagnosis reports write it.
pub(super) fn source_state(one: &Object<'_>, complaints: &mut Complaints) -> SourceState {
    let dirty = one.flag("dirty", complaints);
    let mut text = |key: &str| one.some_text(key, complaints).map(str::to_owned);
    SourceState {
        target: text("target_label"),
        revision: text("revision"),
        requested_revision: text("requested_revision"),
        branch: text("branch"),
        dirty,
        dirty_sha256: text("dirty_state_sha256"),
        error: text("capture_error"),
    }
}

/// A text that an item cannot do without; complains when it is missing.
fn need<'a>(item: &Object<'a>, key: &str, complaints: &mut Complaints) -> Option<&'a str> {
    let text = item.text(key, complaints);
    if text.is_none() && !item.has(key) {
        complaints.add(About::Optional, || Complaint {
            line: 0,
            field: Some(item.path(key)),
            message: "missing; the item is left out".to_owned(),
        });
    }
    text
}

fn planned(item: &Object<'_>, complaints: &mut Complaints) -> Option<PlannedRun> {
    let feature = need(item, "feature", complaints)?;
    let target = need(item, "version", complaints)?;
    let mut text = |key: &str| item.text(key, complaints).unwrap_or_default();
    let package = text("package");
    let package_id = text("package_id");
    Some(PlannedRun {
        package: package.into(),
        package_id: if package_id.is_empty() { package } else { package_id }.into(),
        feature: feature.into(),
        description: text("description").to_owned(),
        backend: text("backend").to_owned(),
        target: target.into(),
        kind: TargetKind::parse(text("target_kind")),
        comparison_key: text("comparison_key").into(),
        status: text("status").to_owned(),
        reason: text("reason").to_owned(),
        workload: item.some_text("workload", complaints).map(Into::into),
    })
}

fn qualification(item: &Object<'_>, complaints: &mut Complaints) -> Option<Qualification> {
    let case_id = need(item, "case_id", complaints)?.to_owned();
    let target = need(item, "target_id", complaints)?.to_owned();
    let evidence = item.object("evidence", complaints);
    let correctness = evidence.as_ref().and_then(|evidence| evidence.object("correctness", complaints));
    let mut of_oracle = |key: &str| {
        correctness.as_ref().and_then(|oracle| oracle.some_text(key, complaints)).map(str::to_owned)
    };
    Some(Qualification {
        case_id,
        target,
        correctness: of_oracle("status"),
        correctness_message: of_oracle("message"),
        verdict: evidence
            .as_ref()
            .and_then(|evidence| evidence.some_text("verdict", complaints))
            .map(str::to_owned),
        dependencies: evidence.as_ref().and_then(|evidence| dependencies(evidence, complaints)),
        ..super::policies::read(evidence.as_ref(), complaints)
    })
}

/// The resolved dependencies in a qualification: an object, or a list that holds one.
fn dependencies(evidence: &Object<'_>, complaints: &mut Complaints) -> Option<Dependencies> {
    let key = "environment_provenance";
    let provenance = if evidence.is_array(key) {
        evidence.objects(key, complaints).into_iter().next()
    } else {
        evidence.object(key, complaints)
    }?;
    let manifest_sha256 = provenance.some_text("manifest_sha256", complaints).map(str::to_owned);
    let mut packages: Vec<Package> = provenance
        .objects("resolved_packages", complaints)
        .iter()
        .filter_map(|item| {
            Some(Package {
                name: need(item, "name", complaints)?.to_owned(),
                version: item.text("version", complaints).unwrap_or_default().to_owned(),
                tree: item.some_text("git-tree-sha1", complaints).map(str::to_owned),
            })
        })
        .collect();
    packages.sort();
    let listed = packages.len() as u64;
    let total = provenance
        .count("resolved_package_count", complaints)
        .map(|count| count.max(listed))
        .or_else(|| provenance.is_array("resolved_packages").then_some(listed));
    Some(Dependencies { manifest_sha256, packages, total })
}
