//! Diagnosis reports (PerfChecker formats §5.1): raw with a schema, or published with nothing but `records`.

use std::collections::BTreeMap;

use super::super::complaints::{About, Complaint, Complaints};
use super::super::detect::{Answer, Reader, before_object, holds};
use super::super::json::{Object, document};
use super::super::tree::{Map, Value};
use super::super::{Part, stack};
use super::manifest::source_state;
use crate::error::{Place, Problem};
use crate::evidence::record::{Artifact, Column, Details, Quantity, Samples, Status};
use crate::evidence::run::SourceState;
use crate::evidence::{FileStatus, Finding, Format, Record};

const SCHEMA: &str = "perfchecker-diagnosis/1";

/// Most quantities that repeated observations can have.
const COLUMNS: usize = 64;

/// Fields that are read elsewhere; every other plain field becomes a parameter.
const READ: [&str; 22] = [
    "analysis_scope",
    "artifacts",
    "checks",
    "configuration",
    "correctness",
    "environment_after",
    "environment_provenance",
    "findings",
    "input_fingerprints",
    "limitations",
    "log_excerpt",
    "measurement_scope",
    "measurements",
    "message",
    "package",
    "quality",
    "runtime",
    "source",
    "status",
    "summary",
    "tool",
    "tool_version",
];

/// Recognises diagnosis reports among loose files.
pub(in crate::read) struct DiagnosisReader;

impl Reader for DiagnosisReader {
    fn format(&self) -> Format {
        Format::PerfcheckerDiagnosis
    }

    fn detect(&self, path: &str, bytes: &[u8], whole: bool) -> Answer {
        if let Some(answer) = before_object(path, bytes, whole) {
            return answer;
        }
        if !holds(bytes, &["\"records\""]) && !holds(bytes, &["perfchecker-diagnosis/"]) {
            return Answer::No;
        }
        let is_report = match serde_json::from_slice::<Map<'_>>(bytes) {
            Ok(fields) => match fields.get("schema_version") {
                Some(schema) => {
                    schema.as_str().is_some_and(|word| word.starts_with("perfchecker-diagnosis/"))
                }
                None => fields.get("records").and_then(Value::as_array).is_some_and(|records| {
                    let of_tool = |one: &Value<'_>| {
                        one.get("tool").is_some_and(Value::is_string)
                            && ["status", "findings", "measurements"].iter().any(|key| one.get(key).is_some())
                    };
                    let native =
                        |one: &Value<'_>| one.get("availability").is_some() || one.get("executed").is_some();
                    records.iter().any(of_tool) && !records.iter().any(native)
                }),
            },
            // Broken, but it says what it is: its reader tells what is wrong.
            Err(_) => holds(bytes, &["perfchecker-diagnosis/"]),
        };
        if is_report { Answer::Yes } else { Answer::No }
    }

    fn read(&self, path: &str, bytes: &[u8], part: &mut Part) -> FileStatus {
        let Some(fields) = document(bytes, path, &mut part.problems) else { return FileStatus::Refused };
        let mut complaints = Complaints::default();
        let root = Object::root(&fields);
        if root.has("schema_version") && root.text("schema_version", &mut complaints) != Some(SCHEMA) {
            let message = format!("only {SCHEMA} is known; another version has other rules");
            part.problems.push(Problem::error(Place::file(path).field("schema_version"), message));
            return FileStatus::Refused;
        }
        let provenance = root.object("source_provenance", &mut complaints);
        let sources = provenance.map(|one| source_state(&one, &mut complaints)).unwrap_or_default();
        let mut incomplete = false;
        for item in root.objects("records", &mut complaints) {
            if item.some_text("tool", &mut complaints).is_none() {
                complaints.add(About::Field, || Complaint {
                    line: 0,
                    field: Some(item.path("tool")),
                    message: "a record without a tool; it is left out".to_owned(),
                });
                incomplete = true;
                continue;
            }
            let mut record = record(&item, &mut complaints);
            path.clone_into(&mut record.path);
            if record.revision.is_none() {
                from_sources(&mut record, &sources);
            }
            record.settle();
            part.records.push(record);
        }
        incomplete |= complaints.refused() > 0;
        complaints.into_problems(path, &mut part.problems);
        if incomplete { FileStatus::Incomplete } else { FileStatus::Complete }
    }
}

/// The status for a recorded word; words that nobody knows are `unknown`.
pub(super) fn status(word: Option<&str>) -> Status {
    match word {
        Some("complete") => Status::Complete,
        Some("unavailable") => Status::NotRun,
        Some("invalid") => Status::Invalid,
        Some("error") => Status::Failed,
        Some("timeout") => Status::Timeout,
        Some("cancelled") => Status::Incomplete,
        _ => Status::Unknown,
    }
}

fn record(item: &Object<'_>, complaints: &mut Complaints) -> Record {
    let mut text = |key: &str| item.some_text(key, complaints).map(str::to_owned);
    let mut record = Record {
        tool: text("tool").unwrap_or_default(),
        tool_version: text("tool_version"),
        package: text("package"),
        status_recorded: text("status"),
        correctness: text("correctness"),
        quality: text("quality"),
        message: text("message").or_else(|| text("summary")),
        scope: text("analysis_scope"),
        output: text("log_excerpt"),
        ..Record::default()
    };
    let measured = text("measurement_scope");
    record.status = status(record.status_recorded.as_deref());
    if let Some(scope) = measured {
        if record.scope.is_none() {
            record.scope = Some(scope);
        } else {
            record.parameters.push(("measurement_scope".to_owned(), scope));
        }
    }
    record.limitations = item.texts("limitations", complaints);
    record.runtime = item.map("runtime", complaints);
    record.artifacts =
        item.objects("artifacts", complaints).iter().map(|one| artifact(one, complaints)).collect();
    record.findings = item
        .is_array("findings")
        .then(|| item.objects("findings", complaints).iter().map(|one| finding(one, complaints)).collect());
    if let Some(measurements) = item.object("measurements", complaints) {
        for key in measurements.keys().filter(|key| *key != "samples") {
            let value = measurements.number(key, complaints);
            record.numbers.extend(value.map(|value| Quantity::recorded(key, value, unit(key))));
        }
        if measurements.is_array("samples") {
            let rows = measurements.objects("samples", complaints);
            record.details = Details::Samples(samples(&rows, complaints));
        }
    }
    for key in item.keys().filter(|key| !READ.contains(key)) {
        record.parameters.extend(item.scalar(key).map(|text| (key.to_owned(), text)));
    }
    for key in ["checks", "configuration"] {
        if let Some(inner) = item.object(key, complaints) {
            let found = inner.keys().filter_map(|name| Some((format!("{key}.{name}"), inner.scalar(name)?)));
            record.parameters.extend(found);
        }
    }
    provenance(item, &mut record, complaints);
    record
}

/// Says in which state the sources were.
fn from_sources(record: &mut Record, sources: &SourceState) {
    record.revision.clone_from(&sources.revision);
    let dirty = sources.dirty.map(|dirty| if dirty { "yes" } else { "no" }.to_owned());
    for (name, text) in [
        ("branch", &sources.branch),
        ("uncommitted changes", &dirty),
        ("dirty_state_sha256", &sources.dirty_sha256),
        ("capture_error", &sources.error),
    ] {
        record.parameters.extend(text.clone().map(|text| (name.to_owned(), text)));
    }
}

/// Where the sources and their dependencies came from; raw reports only.
fn provenance(item: &Object<'_>, record: &mut Record, complaints: &mut Complaints) {
    if let Some(source) = item.value("source").and_then(Value::as_object) {
        from_sources(record, &source_state(&Object::root(source), complaints));
    }
    let environment = match item.value("environment_provenance") {
        Some(Value::Object(fields)) => Some(fields),
        Some(Value::Array(items)) => items.first().and_then(Value::as_object),
        _ => None,
    };
    if let Some(fields) = environment {
        record.manifest_sha256 =
            Object::root(fields).some_text("manifest_sha256", complaints).map(str::to_owned);
    }
}

fn artifact(item: &Object<'_>, complaints: &mut Complaints) -> Artifact {
    let mut text = |key: &str| item.some_text(key, complaints).map(str::to_owned);
    Artifact {
        kind: text("kind"),
        name: text("path"),
        sha256: text("sha256"),
        bytes: item.count("bytes", complaints),
        redacted: item.flag("redacted", complaints),
    }
}

fn finding(item: &Object<'_>, complaints: &mut Complaints) -> Finding {
    let location = item.object("location", complaints);
    let file = location.as_ref().and_then(|one| one.some_text("file", complaints)).map(str::to_owned);
    let line = location.and_then(|one| one.count("line", complaints)).filter(|line| *line > 0);
    let message = item.text("message", complaints).unwrap_or_default();
    let (message, frames) = stack::split(message);
    let evidence = item.object("evidence", complaints);
    Finding {
        rule: item.text("rule_id", complaints).unwrap_or_default().to_owned(),
        severity: item.text("severity", complaints).unwrap_or_default().to_owned(),
        message,
        file,
        line,
        frames,
        parameters: evidence
            .map(|one| one.keys().filter_map(|key| Some((key.to_owned(), one.scalar(key)?))).collect())
            .unwrap_or_default(),
        ..Finding::default()
    }
}

/// Repeated observations as columns. What a process showed before and after stands in columns of its own.
fn samples(rows: &[Object<'_>], complaints: &mut Complaints) -> Samples {
    let mut table =
        Table { rows: rows.len(), places: BTreeMap::new(), samples: Samples::default(), full: false };
    for (at, row) in rows.iter().enumerate() {
        for key in row.keys() {
            match row.value(key) {
                Some(Value::Object(_)) => {
                    if let Some(inner) = row.object(key, complaints) {
                        table.nested(at, key, &inner, complaints);
                    }
                }
                Some(Value::Array(_) | Value::Bool(_)) | None => {}
                Some(_) => {
                    if let Some(value) = row.number(key, complaints) {
                        table.put(at, key.to_owned(), value);
                    }
                }
            }
        }
    }
    if table.full {
        complaints.add(About::Limit, || Complaint {
            line: 0,
            field: Some("measurements.samples".to_owned()),
            message: format!("more than {COLUMNS} quantities; the rest is not kept"),
        });
    }
    table.samples
}

struct Table {
    rows: usize,
    places: BTreeMap<String, usize>,
    samples: Samples,
    full: bool,
}

impl Table {
    fn nested(&mut self, at: usize, key: &str, inner: &Object<'_>, complaints: &mut Complaints) {
        if inner.text("status", complaints).is_some_and(|word| word == "unavailable") {
            return;
        }
        if self.samples.provider.is_none() {
            self.samples.provider = inner.some_text("provider", complaints).map(str::to_owned);
        }
        for name in inner.keys() {
            // Only its own counters; process ids and clocks of single moments are no quantities.
            if !inner.value(name).is_some_and(Value::is_number) || name == "pid" || name == "timestamp_ns" {
                continue;
            }
            let Some(value) = inner.number(name, complaints) else { continue };
            let moment = key.strip_prefix("process_").unwrap_or(key);
            let name = match name.strip_suffix("_bytes") {
                Some(stem) => format!("{stem}_{moment}_bytes"),
                None => format!("{name}_{moment}"),
            };
            self.put(at, name, value);
        }
    }

    fn put(&mut self, at: usize, name: String, value: crate::evidence::Number) {
        let columns = &mut self.samples.columns;
        let place = match self.places.get(&name) {
            Some(place) => *place,
            None if columns.len() >= COLUMNS => {
                self.full = true;
                return;
            }
            None => {
                let unit = unit(&name);
                columns.push(Column { name: name.clone(), unit, values: vec![None; self.rows] });
                self.places.insert(name, columns.len() - 1);
                columns.len() - 1
            }
        };
        if let Some(cell) = columns.get_mut(place).and_then(|column| column.values.get_mut(at)) {
            *cell = Some(value);
        }
    }
}

/// The unit that a recorded name tells; empty when it does not. The unit of `pause` depends on the runtime and
/// is stated nowhere.
pub(super) fn unit(name: &str) -> &'static str {
    const COUNTS: [&str; 6] = ["full_sweep", "poolalloc", "bigalloc", "malloc", "realloc", "lock_conflicts"];
    if COUNTS.contains(&name) {
        return "1";
    }
    match name.rsplit('_').next() {
        Some("seconds") => "s",
        Some("bytes") => "By",
        Some("ns") => "ns",
        Some("ms") => "ms",
        Some("count") => "1",
        _ if matches!(name, "compile_time" | "recompile_time") => "s",
        _ => "",
    }
}
