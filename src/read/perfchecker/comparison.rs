//! A document of a comparison of collectors (PerfChecker formats §4.1): values that were converted by whoever
//! published them. They are kept with their unit and their derivation, and are never taken for plots.

use super::super::Part;
use super::super::complaints::{About, Complaint, Complaints, quote};
use super::super::detect::{Answer, Reader, before_object};
use super::super::json::{Object, tell_repeated};
use super::super::tree::{Map, Value};
use crate::error::{Place, Problem};
use crate::evidence::catalog::{ComparisonRecord, SavedComparison};
use crate::evidence::{FileStatus, Format};

/// Recognises comparisons of collectors among loose files.
pub(in crate::read) struct ComparisonReader;

impl Reader for ComparisonReader {
    fn format(&self) -> Format {
        Format::PerfcheckerCatalog
    }

    fn detect(&self, path: &str, bytes: &[u8], whole: bool) -> Answer {
        if let Some(answer) = before_object(path, bytes, whole) {
            return answer;
        }
        let named = |word: &[u8]| memchr::memmem::find(bytes, word).is_some();
        if !named(b"\"records\"")
            || !named(b"\"collector\"")
            || !(named(b"\"family\"") || named(b"\"run_ids\""))
        {
            return Answer::No;
        }
        let Ok(fields) = serde_json::from_slice::<Map<'_>>(bytes) else { return Answer::No };
        let is_record = |one: &Value<'_>| {
            ["workload", "collector", "metric", "unit"].iter().all(|key| one.get(key).is_some())
        };
        match fields.get("records").and_then(Value::as_array) {
            Some(records) if !records.is_empty() && records.iter().any(is_record) => Answer::Yes,
            _ => Answer::No,
        }
    }

    fn read(&self, path: &str, bytes: &[u8], part: &mut Part) -> FileStatus {
        let fields: Map<'_> = match serde_json::from_slice(bytes) {
            Ok(fields) => fields,
            Err(error) => {
                let message = format!("the document is not a JSON object: {error}");
                part.problems.push(Problem::error(Place::file(path), message));
                return FileStatus::Refused;
            }
        };
        tell_repeated(fields.repeats(), bytes, path, &mut part.problems);
        let mut complaints = Complaints::default();
        let root = Object::root(&fields);
        let text = |object: &Object<'_>, key: &str, complaints: &mut Complaints| {
            object.some_text(key, complaints).map(str::to_owned)
        };
        let mut records = Vec::new();
        let list = fields.get("records").and_then(Value::as_array).unwrap_or_default();
        for (at, one) in list.iter().enumerate() {
            records.extend(record(one, at, &mut complaints));
        }
        part.comparisons.push(SavedComparison {
            path: path.to_owned(),
            target: text(&root, "version", &mut complaints),
            family: text(&root, "family", &mut complaints),
            correctness: text(&root, "correctness", &mut complaints),
            scope: text(&root, "scope", &mut complaints),
            run_ids: root.texts("run_ids", &mut complaints),
            records,
        });
        let refused = complaints.refused();
        complaints.into_problems(path, &mut part.problems);
        if refused > 0 { FileStatus::Incomplete } else { FileStatus::Complete }
    }
}

/// One record; none when it lacks what makes a number comparable, or holds something that is no number.
fn record(one: &Value<'_>, at: usize, complaints: &mut Complaints) -> Option<ComparisonRecord> {
    let mut refuse = |key: &str, message: String| {
        let field = Some(format!("records[{at}].{key}"));
        complaints.add(About::Field, || Complaint { line: 0, field, message });
    };
    let mut required = |key: &str| match one.get(key) {
        Some(Value::String(text)) => Some(text.clone().into_owned()),
        Some(_) => {
            refuse(key, "not text; the record is left out".to_owned());
            None
        }
        None => {
            refuse(key, "missing; the record is left out".to_owned());
            None
        }
    };
    let (workload, collector) = (required("workload")?, required("collector")?);
    let (metric, unit) = (required("metric")?, required("unit")?);
    let value = match one.get("value") {
        None | Some(Value::Null) => None,
        Some(value) => {
            let Some(number) = value.measured() else {
                let message =
                    format!("{} is not a number; the record is left out", quote(&value.to_string()));
                refuse("value", message);
                return None;
            };
            Some(number)
        }
    };
    let text = |key: &str| one.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(ComparisonRecord {
        workload,
        collector,
        metric,
        value,
        unit,
        derivation: text("derivation"),
        source_metric: text("source_metric"),
        source_unit: text("source_unit"),
        samples: one.get("samples").and_then(Value::as_u64),
        statistic: text("statistic"),
        target: text("version"),
    })
}
