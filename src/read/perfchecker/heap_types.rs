//! The objects of a heap snapshot, by type (PerfChecker formats §5.2): thousands of rows with names of any length.

use super::super::Part;
use super::super::complaints::{About, Complaint, Complaints};
use super::super::detect::{Answer, Reader, object_with};
use super::super::json::{Object, document};
use super::super::tree::Value;
use crate::evidence::record::{Artifact, Details, HeapRest, HeapType, HeapTypes, Status};
use crate::evidence::{FileStatus, Format, Record};

/// Most types of one file that are kept one by one, the largest first; the others stay as one sum.
pub(in crate::read) const KEPT: usize = 20_000;

/// Recognises types of heap objects among loose files.
pub(in crate::read) struct HeapTypesReader;

impl Reader for HeapTypesReader {
    fn format(&self) -> Format {
        Format::PerfcheckerHeapTypes
    }

    fn detect(&self, path: &str, bytes: &[u8], whole: bool) -> Answer {
        object_with(path, bytes, whole, &["\"types\"", "\"shallow_bytes\""], |fields| {
            let types = fields.get("types").and_then(Value::as_array);
            types.is_some_and(|types| types.iter().any(|one| one.get("shallow_bytes").is_some()))
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
            status: Status::Complete,
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
        part.records.push(record);
        let status = complaints.status();
        complaints.into_problems(path, &mut part.problems);
        status
    }
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
