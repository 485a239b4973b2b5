//! The summary of a campaign of native tools (PerfChecker formats §5.3).
//!
//! The status decides, never the exit code: a tool that was stopped can exit with 0, and what it had counted
//! until then is no result.

use serde_json::Map;

use super::super::Part;
use super::super::complaints::{About, Complaint, Complaints};
use super::super::detect::{Answer, Reader, object_with};
use super::super::json::{Object, document};
use super::super::tree::Value;
use crate::evidence::record::{Artifact, Quantity, Status};
use crate::evidence::{FileStatus, Format, Record};

/// Fields that are read elsewhere; every other plain field becomes a parameter.
const READ: [&str; 11] = [
    "artifacts",
    "availability",
    "correctness",
    "elapsed_seconds",
    "executed",
    "instrumented_instructions",
    "package",
    "scope",
    "status",
    "status_evidence",
    "tool",
];

/// Recognises summaries of native tools among loose files.
pub(in crate::read) struct NativeReader;

impl Reader for NativeReader {
    fn format(&self) -> Format {
        Format::PerfcheckerNativeSummary
    }

    fn detect(&self, path: &str, bytes: &[u8], whole: bool) -> Answer {
        let words = ["\"records\"", "\"tool\"", "\"availability\""];
        object_with(path, bytes, whole, &words, |fields| {
            let records = fields.get("records").and_then(Value::as_array);
            records.is_some_and(|records| {
                records.iter().any(|one| one.get("tool").is_some() && one.get("availability").is_some())
            })
        })
    }

    fn read(&self, path: &str, bytes: &[u8], part: &mut Part) -> FileStatus {
        let Some(fields) = document(bytes, path, &mut part.problems) else { return FileStatus::Refused };
        let mut complaints = Complaints::default();
        let root = Object::root(&fields);
        let date = root.some_text("date", &mut complaints).map(str::to_owned);
        let os = root.some_text("os", &mut complaints).map(str::to_owned);
        let mut runtime = Map::new();
        if let Some(version) = root.some_text("julia_version", &mut complaints) {
            runtime.insert("language".to_owned(), "julia".into());
            runtime.insert("version".to_owned(), version.into());
        }
        for item in root.objects("records", &mut complaints) {
            if item.some_text("tool", &mut complaints).is_none() {
                complaints.add(About::Field, || Complaint {
                    line: 0,
                    field: Some(item.path("tool")),
                    message: "a record without a tool; it is left out".to_owned(),
                });
                continue;
            }
            let mut record = record(&item, &mut complaints);
            path.clone_into(&mut record.path);
            record.date.clone_from(&date);
            record.os.clone_from(&os);
            record.runtime.clone_from(&runtime);
            part.records.push(record);
        }
        let status = complaints.status();
        complaints.into_problems(path, &mut part.problems);
        status
    }
}

/// The status for the recorded words. A contradiction is `unknown`: no part of it is believed.
fn status(word: Option<&str>, executed: Option<bool>, availability: Option<&str>) -> Status {
    match (word, executed) {
        (None, Some(false)) => Status::NotRun,
        (None, None) if availability.is_some_and(|word| word != "executable_found") => Status::NotRun,
        (Some(_), Some(false)) | (None, _) => Status::Unknown,
        (Some("completed" | "findings_reported"), _) => Status::Complete,
        (Some("time_budget_exceeded"), _) => Status::Timeout,
        (Some("oracle_not_confirmed"), _) => Status::Invalid,
        (Some("tool_failed"), _) => Status::Failed,
        (Some(_), _) => Status::Unknown,
    }
}

fn record(item: &Object<'_>, complaints: &mut Complaints) -> Record {
    let mut text = |key: &str| item.some_text(key, complaints).map(str::to_owned);
    let availability = text("availability");
    let word = text("status");
    let mut record = Record {
        tool: text("tool").unwrap_or_default(),
        package: text("package"),
        correctness: text("correctness"),
        scope: text("scope"),
        message: text("status_evidence"),
        ..Record::default()
    };
    let executed = item.flag("executed", complaints);
    record.status = status(word.as_deref(), executed, availability.as_deref());
    // A tool that never ran has no status of its own; why it did not stands in its availability.
    record.status_recorded = word.or_else(|| availability.clone());
    if let Some(word) = availability {
        record.parameters.push(("availability".to_owned(), word));
    }
    record.artifacts = item
        .texts("artifacts", complaints)
        .into_iter()
        .map(|name| Artifact { name: Some(name), ..Artifact::default() })
        .collect();
    let instructions = item.number("instrumented_instructions", complaints);
    record.numbers.extend(
        instructions.map(|value| Quantity::recorded("instrumented_instructions", value, "instructions")),
    );
    if record.status == Status::Complete {
        let elapsed = item.number("elapsed_seconds", complaints);
        record.numbers.extend(elapsed.map(|value| Quantity::recorded("elapsed_seconds", value, "s")));
    } else {
        // How long a tool was waited for is not how long the work takes.
        record
            .parameters
            .extend(item.scalar("elapsed_seconds").map(|text| ("elapsed_seconds".to_owned(), text)));
    }
    for key in item.keys().filter(|key| !READ.contains(key)) {
        record.parameters.extend(item.scalar(key).map(|text| (key.to_owned(), text)));
    }
    record.settle();
    record
}
