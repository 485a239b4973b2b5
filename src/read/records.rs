//! Joins records that speak of the same thing: what a tool gave is believed no more than the tool.

use std::collections::BTreeMap;

use super::split;
use crate::error::{Place, Problem, Problems};
use crate::evidence::record::{Details, Status};
use crate::evidence::{Format, Record, SourceEvidence};

/// Where the record that decides over another one stands: position, or a digest that nobody names.
enum Owner {
    At(usize),
    Unnamed,
}

/// Takes the status of a tool over to what it wrote: heap observations from the summary beside them, types of heap
/// objects from the record of their snapshot.
pub(super) fn join(evidence: &mut SourceEvidence, problems: &mut Problems) {
    let records = &evidence.records;
    let mut massif: BTreeMap<&str, usize> = BTreeMap::new();
    let mut snapshots: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, record) in records.iter().enumerate() {
        if matches!(record.details, Details::Massif(_) | Details::HeapTypes(_)) {
            continue;
        }
        if record.tool == "massif" {
            massif.entry(split(&record.path).0).or_insert(at);
        }
        for digest in record.artifacts.iter().filter_map(|one| one.sha256.as_deref()) {
            snapshots.entry(digest).or_insert(at);
        }
    }
    let mut owned: Vec<(usize, Owner)> = Vec::new();
    for (at, record) in records.iter().enumerate() {
        match &record.details {
            Details::Massif(_) => {
                let owner = massif.get(split(&record.path).0);
                owned.extend(owner.map(|owner| (at, Owner::At(*owner))));
            }
            Details::HeapTypes(heap) => {
                if let Some(digest) = &heap.artifact_sha256 {
                    let owner = snapshots.get(digest.as_str());
                    owned.push((at, owner.map_or(Owner::Unnamed, |owner| Owner::At(*owner))));
                }
            }
            _ => {}
        }
    }
    for (at, owner) in owned {
        match owner {
            Owner::At(owner) => adopt(&mut evidence.records, at, owner, problems),
            Owner::Unnamed => {
                let place = Place::file(&*evidence.records[at].path).field("artifact_sha256");
                let message = "no record of the snapshot with this digest is in the source, so how and of what \
                               it was taken is not known";
                problems.push(Problem::note(place, message));
            }
        }
    }
    leave_copies_out(evidence, problems);
}

/// Leaves out what files say that are copies of other files, byte by byte, so that it counts once. Heap observations
/// are one file per process, and two processes may do the same: beside each other they are no copies.
fn leave_copies_out(evidence: &mut SourceEvidence, problems: &mut Problems) {
    let mut of_files: BTreeMap<&str, Vec<(Status, Option<&str>)>> = BTreeMap::new();
    for record in &evidence.records {
        of_files.entry(&record.path).or_default().push((record.status, record.target.as_deref()));
    }
    let mut first = BTreeMap::new();
    let mut copies: BTreeMap<String, String> = BTreeMap::new();
    for file in evidence.files.iter().filter(|file| file.format != Format::PerfcheckerBundle) {
        let (Some(sha256), Some(said)) = (&file.sha256, of_files.get(&*file.path)) else { continue };
        let name = if file.format == Format::PerfcheckerMassif { split(&file.path).1 } else { "" };
        let original = *first.entry((sha256, name, said)).or_insert(&file.path);
        if *original != file.path {
            copies.insert(file.path.clone(), original.clone());
        }
    }
    evidence.records.retain(|record| !copies.contains_key(&record.path));
    for (copy, original) in copies {
        problems.push(Problem::note(
            Place::file(copy),
            format!("a copy of {original}; what it says counts once"),
        ));
    }
}

fn adopt(records: &mut [Record], at: usize, owner: usize, problems: &mut Problems) {
    let mut record = std::mem::take(&mut records[at]);
    let from = &records[owner];
    if from.status != Status::Complete && record.status == Status::Complete {
        let message = format!(
            "the record of {} in {} says {}, so these observations are no result",
            from.tool,
            split(&from.path).1,
            from.status.word(),
        );
        problems.push(Problem::warning(Place::file(&*record.path), message));
        record.status = from.status;
        record.status_recorded.clone_from(&from.status_recorded);
        record.gap = from.gap;
    }
    for (mine, theirs) in [
        (&mut record.correctness, &from.correctness),
        (&mut record.package, &from.package),
        (&mut record.target, &from.target),
        (&mut record.tool_version, &from.tool_version),
        (&mut record.os, &from.os),
        (&mut record.date, &from.date),
        (&mut record.revision, &from.revision),
        (&mut record.manifest_sha256, &from.manifest_sha256),
    ] {
        if mine.is_none() {
            mine.clone_from(theirs);
        }
    }
    if record.runtime.is_empty() {
        record.runtime.clone_from(&from.runtime);
    }
    if record.limitations.is_empty() {
        record.limitations.clone_from(&from.limitations);
    }
    for name in ["scenario", "implementation", "size", "repetitions", "cpu_target", "performance"] {
        let known = |list: &[(String, String)]| list.iter().find(|(key, _)| key == name).cloned();
        if known(&record.parameters).is_none() {
            record.parameters.extend(known(&from.parameters));
        }
    }
    record.settle();
    records[at] = record;
}
