//! `diagnostics.jsonl`: what the run said about its cases (PerfChecker formats §2.8).

use super::super::complaints::{About, Complaint, Complaints, quote};
use super::super::json::Object;
use super::super::tree::Value;
use super::integrity::Measured;
use super::line::{Refusal, broken, check_object};
use super::lines::{self, TakeLines};
use crate::error::{Place, Problem, Problems};
use crate::evidence::run::Moment;
use crate::evidence::{Diagnostic, Envelope, FileStatus, Run};
use crate::io::{Limits, Source};

/// What the file gave.
#[derive(Debug, Default)]
pub(super) struct Diagnostics {
    /// The records in the order of the file.
    pub(super) records: Vec<Diagnostic>,
    /// Digest and size; none when the file is absent or cannot be read.
    pub(super) measured: Option<Measured>,
    /// Whether a line was not a record.
    pub(super) incomplete: bool,
    /// Why it could not be read to its end; told whatever the digests say.
    pub(super) unreadable: Problems,
    /// What became of the file; none when it is absent.
    pub(super) status: Option<FileStatus>,
}

/// Reads the file at `path`; an absent one is empty. When the bundle is not `believed`, only the digest is made.
pub(super) fn read(
    source: &Source,
    path: &str,
    run: &Run,
    limits: &Limits,
    believed: bool,
    problems: &mut Problems,
) -> Diagnostics {
    let Some(entry) = source.entry(path) else { return Diagnostics::default() };
    let mut collector = Collector {
        run,
        believed,
        line_limit: limits.line_bytes,
        room: limits.document_bytes,
        diagnostics: Vec::new(),
        complaints: Complaints::default(),
    };
    let measured = source.stream(path).map_err(|error| error.message).and_then(|mut reader| {
        lines::read(&mut *reader, entry.bytes, limits.line_bytes, false, &mut collector)
            .map_err(|error| error.to_string())
    });
    let mut result = Diagnostics { records: collector.diagnostics, ..Diagnostics::default() };
    match measured {
        Ok(measured) => result.measured = Some(measured),
        Err(why) => {
            let message = format!("cannot be read to its end: {why}");
            result.unreadable.push(Problem::error(Place::file(path), message));
            result.incomplete = true;
        }
    }
    let complaints = collector.complaints;
    result.incomplete |= complaints.lines_lost();
    result.status = Some(if result.incomplete { FileStatus::Incomplete } else { complaints.status() });
    complaints.into_problems(path, problems);
    result
}

struct Collector<'a> {
    run: &'a Run,
    believed: bool,
    line_limit: u64,
    /// Bytes of records that may still be kept.
    room: u64,
    diagnostics: Vec<Diagnostic>,
    complaints: Complaints,
}

impl TakeLines for Collector<'_> {
    fn take(&mut self, bytes: &[u8], first: u64) -> u64 {
        if !self.believed {
            return 0;
        }
        let mut number = first;
        for line in lines::split(bytes) {
            if line.len() as u64 > self.line_limit {
                self.too_long(number);
            } else if !line.trim_ascii().is_empty() {
                self.record(line, number);
            }
            number += 1;
        }
        number - first
    }

    fn too_long(&mut self, line: u64) {
        let message = format!("longer than {} bytes, the limit of a line; it is skipped", self.line_limit);
        self.complaints.add(About::LongLine, || Complaint { line, field: None, message });
    }
}

impl Collector<'_> {
    fn record(&mut self, line: &[u8], number: u64) {
        let Some(room) = self.room.checked_sub(line.len() as u64) else {
            let message = "too many diagnostics; the rest is not kept".to_owned();
            self.complaints.add(About::Limit, || Complaint { line: number, field: None, message });
            return;
        };
        match read_line(line, number, self.run, &mut self.complaints) {
            Ok(diagnostic) => {
                self.room = room;
                self.diagnostics.push(diagnostic);
            }
            Err(refusal) => self.complaints.add(refusal.about, || Complaint {
                line: number,
                field: refusal.field,
                message: refusal.message,
            }),
        }
    }
}

fn read_line(
    line: &[u8],
    number: u64,
    run: &Run,
    complaints: &mut Complaints,
) -> Result<Diagnostic, Refusal> {
    let text = check_object(line)?;
    let fields = match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => return Err(Refusal::structure("the line is not a JSON object")),
        Err(error) => return Err(broken(line, &error)),
    };
    for (field, expected) in [("run_id", &run.run_id), ("attempt_id", &run.attempt_id)] {
        match fields.get(field) {
            None | Some(Value::Null) => {}
            Some(Value::String(found)) if found == expected => {}
            Some(found) => {
                return Err(Refusal {
                    about: About::Foreign,
                    field: Some(field.to_owned()),
                    message: format!("{} is another run", quote(&found.to_string())),
                });
            }
        }
    }
    let mut wrong = Complaints::default();
    let record = Object::root(&fields);
    let evidence = record.object("evidence", &mut wrong);
    let mut text = |key: &str| record.text(key, &mut wrong).map(str::to_owned);
    let diagnostic = Diagnostic {
        case_id: text("case_id").unwrap_or_default(),
        target: text("target_id"),
        rule: text("rule_id").unwrap_or_default(),
        severity: text("severity").unwrap_or_default(),
        message: text("message").unwrap_or_default(),
        status: evidence.as_ref().and_then(|one| one.some_text("status", &mut wrong).map(str::to_owned)),
        envelope: evidence.as_ref().and_then(|one| envelope(one, &mut wrong)),
    };
    complaints.append(wrong, number);
    Ok(diagnostic)
}

/// The resource envelope in a line's evidence. It names its form, or has one of the moments.
fn envelope(evidence: &Object<'_>, complaints: &mut Complaints) -> Option<Envelope> {
    const MOMENTS: [&str; 4] = ["process_before", "process_after", "external_before", "external_after"];
    let named = evidence.text("schema_version", complaints);
    let is_envelope = named.is_some_and(|schema| schema.starts_with("perfchecker-resource-envelope/"));
    if !is_envelope && !MOMENTS.iter().any(|key| evidence.has(key)) {
        return None;
    }
    let mut moments = Vec::new();
    for key in MOMENTS {
        let Some(moment) = evidence.object(key, complaints) else { continue };
        let mut bytes = Vec::new();
        for name in moment.keys().filter(|name| name.ends_with("_bytes") || name.ends_with("_bytes_total")) {
            bytes.extend(moment.number(name, complaints).map(|value| (name.to_owned(), value)));
        }
        let mut text = |name: &str| moment.some_text(name, complaints).map(str::to_owned);
        moments.push(Moment {
            name: key.to_owned(),
            provider: text("provider"),
            status: text("status"),
            message: text("message"),
            bytes,
        });
    }
    Some(Envelope {
        elapsed_seconds: evidence.number("elapsed_seconds", complaints),
        external_requested: evidence.flag("external_requested", complaints),
        moments,
    })
}
