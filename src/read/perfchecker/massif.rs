//! Heap observations of one process under Massif (PerfChecker formats §5.3). One file per process; files are
//! never joined, and the axis has a unit of its own.

use super::super::Part;
use super::super::complaints::{About, Complaint, Complaints};
use super::super::detect::{Answer, Reader, object_with};
use super::super::json::{Object, document};
use super::super::tree::Value;
use crate::evidence::record::{Details, Massif, Snapshot, Status};
use crate::evidence::{FileStatus, Format, Record};

/// Recognises heap observations among loose files.
pub(in crate::read) struct MassifReader;

impl Reader for MassifReader {
    fn format(&self) -> Format {
        Format::PerfcheckerMassif
    }

    fn detect(&self, path: &str, bytes: &[u8], whole: bool) -> Answer {
        object_with(path, bytes, whole, &["\"observations\""], |fields| {
            let observations = fields.get("observations").and_then(Value::as_array);
            let heap = |one: &Value<'_>| one.get("heap_bytes").is_some();
            observations.is_some_and(|list| {
                list.iter().any(heap) || (list.is_empty() && fields.contains_key("time_unit"))
            })
        })
    }

    fn read(&self, path: &str, bytes: &[u8], part: &mut Part) -> FileStatus {
        let Some(fields) = document(bytes, path, &mut part.problems) else { return FileStatus::Refused };
        let mut complaints = Complaints::default();
        let root = Object::root(&fields);
        let observations = root.objects("observations", &mut complaints);
        let snapshots = observations.iter().map(|one| snapshot(one, &mut complaints)).collect::<Vec<_>>();
        let empty = snapshots.is_empty();
        if empty {
            complaints.add(About::Field, || Complaint {
                line: 0,
                field: Some("observations".to_owned()),
                message: "no observation of the heap".to_owned(),
            });
        }
        if !root.has("time_unit") {
            complaints.add(About::Optional, || Complaint {
                line: 0,
                field: Some("time_unit".to_owned()),
                message: "missing; what the axis counts is not known".to_owned(),
            });
        }
        let time_unit = root.some_text("time_unit", &mut complaints).unwrap_or_default().to_owned();
        let mut record = Record {
            path: path.to_owned(),
            tool: "massif".to_owned(),
            status: if empty { Status::Incomplete } else { Status::Complete },
            gap: empty.then_some("no observation of the heap is recorded"),
            scope: root.some_text("scope", &mut complaints).map(str::to_owned),
            details: Details::Massif(Massif { time_unit, snapshots }),
            ..Record::default()
        };
        for key in root.keys().filter(|key| !["observations", "time_unit", "scope"].contains(key)) {
            record.parameters.extend(root.scalar(key).map(|text| (key.to_owned(), text)));
        }
        record.settle();
        part.records.push(record);
        let status = complaints.status();
        complaints.into_problems(path, &mut part.problems);
        status
    }
}

fn snapshot(item: &Object<'_>, complaints: &mut Complaints) -> Snapshot {
    Snapshot {
        time: item.number("time", complaints),
        heap_bytes: item.count("heap_bytes", complaints),
        extra_bytes: item.count("allocator_overhead_bytes", complaints),
        stack_bytes: item.count("stack_bytes", complaints),
    }
}
