//! The objects of a heap snapshot, by type (PerfChecker formats §5.2): thousands of rows with names of any length.

use super::super::complaints::{About, Complaint, Complaints};
use super::super::detect::{Answer, Reader, object_with};
use super::super::json::{Object, document};
use super::super::tree::Value;
use super::super::{Part, split};
use crate::error::{Place, Problem};
use crate::evidence::record::{Artifact, Details, HeapRest, HeapType, HeapTypes, Status};
use crate::evidence::{FileStatus, Format, Record};

/// Most types of one file that are kept one by one, the largest first; the others stay as one sum.
pub(in crate::read) const KEPT: usize = 20_000;

/// The name under which exporters write it.
const NAME: &str = "heap-types.json";

/// Recognises types of heap objects among loose files.
pub(in crate::read) struct HeapTypesReader;

impl Reader for HeapTypesReader {
    fn format(&self) -> Format {
        Format::PerfcheckerHeapTypes
    }

    fn detect(&self, path: &str, bytes: &[u8], whole: bool) -> Answer {
        object_with(path, bytes, whole, &["\"types\""], |fields| {
            let types = fields.get("types").and_then(Value::as_array);
            let named = || split(path).1 == NAME || fields.contains_key("artifact_sha256");
            types.is_some_and(|types| {
                types.iter().any(|one| one.get("shallow_bytes").is_some()) || (types.is_empty() && named())
            })
        })
    }

    fn read(&self, path: &str, bytes: &[u8], part: &mut Part) -> FileStatus {
        let Some(fields) = document(bytes, path, &mut part.problems) else { return FileStatus::Refused };
        let mut complaints = Complaints::default();
        let root = Object::root(&fields);
        let digest = root.some_text("artifact_sha256", &mut complaints).map(str::to_owned);
        let mut types: Vec<HeapType> = root
            .objects("types", &mut complaints)
            .iter()
            .filter_map(|item| heap_type(item, &mut complaints))
            .collect();
        let empty = types.is_empty();
        if empty {
            complaints.add(About::Field, || Complaint {
                line: 0,
                field: Some("types".to_owned()),
                message: "no type of object".to_owned(),
            });
        }
        if let Some(problem) = beyond(&types, path) {
            part.problems.push(problem);
            complaints.into_problems(path, &mut part.problems);
            return FileStatus::Refused;
        }
        types.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
        let mut rest = HeapRest::default();
        for one in types.drain(types.len().min(KEPT)..) {
            rest.types += 1;
            rest.objects = rest.objects.saturating_add(one.objects.unwrap_or_default());
            rest.bytes = rest.bytes.saturating_add(one.bytes);
        }
        let mut record = Record {
            path: path.to_owned(),
            tool: "heap".to_owned(),
            status: if empty { Status::Incomplete } else { Status::Complete },
            gap: empty.then_some("no type of object is recorded"),
            scope: root.some_text("scope", &mut complaints).map(str::to_owned),
            artifacts: digest
                .iter()
                .map(|sha256| Artifact {
                    kind: Some("heap_snapshot".to_owned()),
                    sha256: Some(sha256.clone()),
                    ..Artifact::default()
                })
                .collect(),
            details: Details::HeapTypes(HeapTypes { artifact_sha256: digest, types, rest }),
            ..Record::default()
        };
        for key in root.keys().filter(|key| !["types", "artifact_sha256", "scope"].contains(key)) {
            record.parameters.extend(root.scalar(key).map(|text| (key.to_owned(), text)));
        }
        record.settle();
        part.records.push(record);
        let status = complaints.status();
        complaints.into_problems(path, &mut part.problems);
        status
    }
}

/// What is wrong with types that no heap can hold together.
fn beyond(types: &[HeapType], path: &str) -> Option<Problem> {
    let sum = |of: fn(&HeapType) -> u64| types.iter().map(|one| u128::from(of(one))).sum::<u128>();
    let (bytes, objects) = (sum(|one| one.bytes), sum(|one| one.objects.unwrap_or_default()));
    let (what, sum) =
        [("bytes", bytes), ("objects", objects)].into_iter().find(|one| u64::try_from(one.1).is_err())?;
    let message = format!("the types add up to {sum} {what}, more than any heap holds");
    Some(
        Problem::error(Place::file(path).field("types"), message)
            .remedy("restore the file as it was written"),
    )
}

fn heap_type(item: &Object<'_>, complaints: &mut Complaints) -> Option<HeapType> {
    let name = item.text("type", complaints);
    let bytes = item.count("shallow_bytes", complaints);
    if name.is_none() || bytes.is_none() {
        let missing = if name.is_none() { "type" } else { "shallow_bytes" };
        complaints.add(About::Field, || Complaint {
            line: 0,
            field: Some(item.path(missing)),
            message: "missing; the type is left out".to_owned(),
        });
    }
    Some(HeapType { name: name?.to_owned(), objects: item.count("objects", complaints), bytes: bytes? })
}
