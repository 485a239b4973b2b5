//! What a run said about its cases, as records: one per case and target, and one per resource envelope.

use std::collections::BTreeMap;

use crate::evidence::record::{Quantity, Status};
use crate::evidence::{Diagnostic, Envelope, Finding, Record, Run};

/// The name of the tool whose words stand in `diagnostics.jsonl`.
const TOOL: &str = "perfchecker";
/// The name of the collector of envelopes.
const RESOURCES: &str = "process_resources";

/// The records of a run's diagnostics, which stand in the file `path`.
pub(super) fn records(run: &Run, path: &str) -> Vec<Record> {
    let cases = Cases::of(run);
    let mut places: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
    let mut found: Vec<Record> = Vec::new();
    let mut envelopes: Vec<Record> = Vec::new();
    for diagnostic in &run.diagnostics {
        if let Some(envelope) = &diagnostic.envelope {
            envelopes.push(of_envelope(cases.record(run, path, diagnostic), diagnostic, envelope));
        }
        let key = (&*diagnostic.case_id, diagnostic.target.as_deref());
        let at = *places.entry(key).or_insert_with(|| {
            let mut record = cases.record(run, path, diagnostic);
            TOOL.clone_into(&mut record.tool);
            // The list itself is whole; what each line says of its case stands in the line.
            record.status = Status::Complete;
            record.findings = Some(Vec::new());
            found.push(record);
            found.len() - 1
        });
        if let Some(findings) = found.get_mut(at).and_then(|record| record.findings.as_mut()) {
            findings.push(finding(diagnostic));
        }
    }
    found.append(&mut envelopes);
    found
}

fn finding(diagnostic: &Diagnostic) -> Finding {
    let (message, frames) = super::super::stack::split(&diagnostic.message);
    let status = diagnostic.status.iter().map(|status| ("status".to_owned(), status.clone()));
    Finding {
        rule: diagnostic.rule.clone(),
        severity: diagnostic.severity.clone(),
        message,
        frames,
        parameters: status.collect(),
        ..Finding::default()
    }
}

fn of_envelope(mut record: Record, diagnostic: &Diagnostic, envelope: &Envelope) -> Record {
    RESOURCES.clone_into(&mut record.tool);
    record.message = Some(diagnostic.message.clone()).filter(|text| !text.is_empty());
    let observed = envelope.moments.iter().any(|moment| moment.status.as_deref() == Some("observed"));
    // The envelope of a process that could not be watched holds no number at all.
    record.status = if observed { Status::Complete } else { Status::NotRun };
    let words = envelope
        .moments
        .iter()
        .filter_map(|moment| Some(format!("{} {}", moment.name, moment.status.as_deref()?)));
    record.status_recorded = Some(words.collect::<Vec<_>>().join(", ")).filter(|text| !text.is_empty());
    let elapsed = envelope.elapsed_seconds;
    record.numbers.extend(elapsed.map(|value| Quantity::recorded("elapsed_seconds", value, "s")));
    for moment in &envelope.moments {
        if moment.status.as_deref() != Some("observed") {
            let why = moment.message.clone().unwrap_or_else(|| "not observed".to_owned());
            record.limitations.push(format!("{}: {why}", moment.name));
            continue;
        }
        let provider = moment.provider.iter().map(|word| (format!("{}.provider", moment.name), word.clone()));
        record.parameters.extend(provider);
        for (name, value) in &moment.bytes {
            record.numbers.push(Quantity::recorded(format!("{}.{name}", moment.name), *value, "By"));
        }
    }
    record.settle();
    record
}

/// What is known of a case elsewhere in its run.
struct Cases<'a> {
    known: BTreeMap<String, (&'a str, &'a str)>,
    /// Digest of the dependency manifest by case and target.
    manifests: BTreeMap<(&'a str, &'a str), &'a str>,
}

impl<'a> Cases<'a> {
    fn of(run: &'a Run) -> Self {
        let mut known: BTreeMap<String, (&str, &str)> = BTreeMap::new();
        for planned in &run.planned {
            let case = format!("{}/{}/{}", run.suite, planned.package_id, planned.feature);
            known.entry(case).or_insert((&*planned.package, &*planned.feature));
        }
        for group in &run.groups {
            let package = group.key.package.as_deref().unwrap_or_default();
            known.entry(group.key.case_id.to_string()).or_insert((package, &*group.key.feature));
        }
        let manifests = run.qualifications.iter().filter_map(|one| {
            let digest = one.dependencies.as_ref()?.manifest_sha256.as_deref()?;
            Some(((&*one.case_id, &*one.target), digest))
        });
        Self { known, manifests: manifests.collect() }
    }

    fn record(&self, run: &Run, path: &str, diagnostic: &Diagnostic) -> Record {
        let (package, feature) = match self.known.get(&diagnostic.case_id) {
            Some((package, feature)) => (*package, *feature),
            None => ("", &*diagnostic.case_id),
        };
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let target = diagnostic.target.as_deref().unwrap_or_default();
        let manifest = self.manifests.get(&(&*diagnostic.case_id, target));
        Record {
            path: path.to_owned(),
            run_id: some(&run.run_id),
            package: some(package),
            feature: some(feature),
            target: diagnostic.target.clone().filter(|target| !target.is_empty()),
            runtime: run.runtime.clone(),
            os: run.environment.get("os").and_then(|os| os.as_str()).and_then(some),
            date: run.finished_at.clone(),
            manifest_sha256: manifest.map(|digest| (*digest).to_owned()),
            ..Record::default()
        }
    }
}
