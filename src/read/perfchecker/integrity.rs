//! `integrity.json`: whether the five documents are those that were written (PerfChecker formats §2.10).

use serde_json::Value;

use super::super::complaints::quote;
use super::super::join;
use super::{COVERED, INTEGRITY};
use crate::error::{Place, Problem, Problems};
use crate::evidence::Integrity;

const SCHEMA: &str = "perfchecker-bundle-integrity/1";

/// Digest and size of a document as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Measured {
    /// SHA-256 in lower-case hex.
    pub(super) sha256: String,
    /// Size in bytes.
    pub(super) bytes: u64,
}

/// Compares the list in `bytes` with the documents of `folder`, given in the order of [`COVERED`] (none where
/// a document is absent). Every mismatch is a problem.
pub(super) fn verify(
    bytes: &[u8],
    folder: &str,
    documents: &[Option<Measured>; 5],
    problems: &mut Problems,
) -> Integrity {
    let list = join(folder, INTEGRITY);
    let recorded = match recorded(bytes, &list) {
        Ok(recorded) => recorded,
        Err(problem) => {
            problems.push(problem);
            return Integrity::Failed;
        }
    };
    let mut result = Integrity::Verified;
    for ((name, document), recorded) in COVERED.iter().zip(documents).zip(recorded) {
        let place = Place::file(join(folder, name));
        let problem = match document {
            None => Problem::error(place, "the integrity list names this document, and it cannot be read"),
            Some(document) if recorded.bytes != Some(document.bytes) => {
                let size = recorded.bytes.map_or("no size".to_owned(), |size| format!("{size} bytes"));
                let message = format!("has {} bytes; the integrity list says {size}", document.bytes);
                Problem::error(place.field("bytes"), message)
            }
            Some(document) if recorded.sha256.as_deref() != Some(&document.sha256) => Problem::error(
                place.field("sha256"),
                format!("the digest is {}; the integrity list says otherwise", document.sha256),
            ),
            Some(_) => continue,
        };
        problems.push(problem.remedy("restore the bundle as it was written"));
        result = Integrity::Failed;
    }
    result
}

/// What the list says of one document.
#[derive(Debug, Clone, Default)]
struct Recorded {
    sha256: Option<String>,
    bytes: Option<u64>,
}

fn recorded(bytes: &[u8], path: &str) -> Result<[Recorded; 5], Problem> {
    let place = || Place::file(path);
    let refuse = |field: &str, message: String| Problem::error(place().field(field), message);
    let list: Value = serde_json::from_slice(bytes)
        .map_err(|error| Problem::error(place(), format!("the integrity list is not JSON: {error}")))?;
    if !list.is_object() {
        return Err(Problem::error(place(), "the integrity list is not an object"));
    }
    let text = |key: &str| list.get(key).and_then(Value::as_str);
    if text("schema_version") != Some(SCHEMA) {
        return Err(refuse("schema_version", format!("not {SCHEMA:?}, the only one that is known")));
    }
    if text("algorithm") != Some("sha256") {
        return Err(refuse("algorithm", "not \"sha256\", the only one that is known".to_owned()));
    }
    let Some(files) = list.get("files").and_then(Value::as_array) else {
        return Err(refuse("files", "not an array".to_owned()));
    };
    let mut found: [Option<Recorded>; 5] = Default::default();
    for (at, file) in files.iter().enumerate() {
        let name = file.get("path").and_then(Value::as_str).unwrap_or_default();
        let Some(slot) = COVERED.iter().position(|covered| *covered == name) else {
            return Err(refuse("files", format!("item {at} names {}, which is no document", quote(name))));
        };
        if found[slot].is_some() {
            return Err(refuse("files", format!("names {name} twice")));
        }
        found[slot] = Some(Recorded {
            sha256: file.get("sha256").and_then(Value::as_str).map(str::to_owned),
            bytes: file.get("bytes").and_then(Value::as_u64),
        });
    }
    if let Some(missing) = COVERED.iter().zip(&found).find(|(_, found)| found.is_none()) {
        return Err(refuse("files", format!("does not name {}", missing.0)));
    }
    Ok(found.map(Option::unwrap_or_default))
}
