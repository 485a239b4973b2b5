//! A PerfChecker run bundle (`perfchecker-run-bundle/1`): five documents, their digests, and artifacts.
//!
//! The documents are read first and believed last: whatever they say, nothing of a bundle is kept whose
//! digests are wrong or whose structure is broken. Such a run is listed and gives no observations.

mod artifacts;
pub(super) mod catalog;
pub(super) mod comparison;
mod definitions;
pub(super) mod diagnosis;
mod diagnostics;
pub(super) mod heap_types;
mod integrity;
mod keys;
mod line;
mod lines;
mod manifest;
pub(super) mod massif;
pub(super) mod native;
pub(super) mod network;
mod observations;
mod policies;
mod profiles;
mod said;
mod spot;
mod template;

#[cfg(test)]
mod report_tests;
#[cfg(test)]
mod tests;

use crate::error::{Place, Problem, Problems};
use crate::evidence::{FileEntry, FileStatus, Format, Integrity, Run, RunState};
use crate::io::{Limits, Source, sha256_hex};

use super::{Part, join, without_mark};
use integrity::Measured;

/// The document by which a bundle is found.
pub(super) const MANIFEST: &str = "manifest.json";
const DEFINITIONS: &str = "measurement-definitions.json";
const OBSERVATIONS: &str = "observations.jsonl";
const DIAGNOSTICS: &str = "diagnostics.jsonl";
const ARTIFACTS: &str = "artifacts.json";
const INTEGRITY: &str = "integrity.json";

/// The five documents that digests cover, in the order in which they are written.
const COVERED: [&str; 5] = [MANIFEST, DEFINITIONS, OBSERVATIONS, DIAGNOSTICS, ARTIFACTS];

/// Whether `name` is one of the documents of a bundle.
pub(super) fn is_document(name: &str) -> bool {
    name == INTEGRITY || COVERED.contains(&name)
}

/// Whether `folder`, which holds a document, is a bundle. Other programs write files of these names. So beside
/// a manifest another document must stand, or it must name the schema itself; without a manifest the folder is
/// what is left of a bundle when its integrity list or its observations are there and are not alone.
pub(super) fn is_bundle(source: &Source, folder: &str) -> bool {
    let has = |name: &str| source.entry(&join(folder, name)).is_some();
    let names_schema = |name: &str, schema: &[u8]| {
        has(name) && {
            let bytes = source.read(&join(folder, name)).unwrap_or_default();
            memchr::memmem::find(&bytes, schema).is_some()
        }
    };
    let parts = COVERED[1..].iter().filter(|name| has(name)).count();
    if has(MANIFEST) {
        parts > 0 || has(INTEGRITY) || names_schema(MANIFEST, b"perfchecker-run-bundle")
    } else {
        (has(INTEGRITY) && parts > 0)
            || (has(OBSERVATIONS) && has(DEFINITIONS))
            || names_schema(INTEGRITY, b"perfchecker-bundle-integrity")
    }
}

/// How large the observations of a bundle are.
pub(super) fn observation_bytes(source: &Source, folder: &str) -> u64 {
    source.entry(&join(folder, OBSERVATIONS)).map_or(0, |entry| entry.bytes)
}

/// A document that was read as a whole.
struct Document {
    path: String,
    bytes: Vec<u8>,
    measured: Measured,
}

impl Document {
    /// What it says; digests are those of all its bytes.
    fn text(&self) -> &[u8] {
        without_mark(&self.bytes)
    }
}

/// Reads one document; none when it is absent. A document that cannot be read is a problem.
fn document(source: &Source, folder: &str, name: &str, problems: &mut Problems) -> Option<Document> {
    let path = join(folder, name);
    if refused_folder(source, &path, problems) {
        return None;
    }
    source.entry(&path)?;
    match source.read(&path) {
        Ok(bytes) => {
            let measured = Measured { sha256: sha256_hex(&bytes), bytes: bytes.len() as u64 };
            Some(Document { path, bytes, measured })
        }
        Err(error) => {
            let problem = Problem::error(error.place.clone(), error.message.clone());
            problems.push(match error.hints.first() {
                Some(hint) => problem.remedy(hint),
                None => problem,
            });
            None
        }
    }
}

/// Whether a folder stands where a document must; it then is a problem.
fn refused_folder(source: &Source, path: &str, problems: &mut Problems) -> bool {
    let folder = source.is_folder(path);
    if folder {
        let problem = Problem::error(Place::file(path), "a folder stands where this document must");
        problems.push(problem.remedy("restore the bundle as it was written"));
    }
    folder
}

/// Reads the bundle in `folder`. `parallel` lets the observations of this one bundle use all cores.
pub(super) fn read_bundle(source: &Source, folder: &str, limits: &Limits, parallel: bool) -> Part {
    // Problems of documents count only when the digests are right; those of reading always.
    let mut reading = Problems::default();
    let mut problems = Problems::default();
    let mut read = |name: &str| document(source, folder, name, &mut reading);
    let manifest_document = read(MANIFEST);
    let definitions_document = read(DEFINITIONS);
    let artifacts_document = read(ARTIFACTS);
    let integrity_document = read(INTEGRITY);
    let mut unreadable_lines = false;
    for name in [OBSERVATIONS, DIAGNOSTICS] {
        unreadable_lines |= refused_folder(source, &join(folder, name), &mut reading);
    }
    // Whether something stands at that place, readable or not.
    let stands = |name: &str| {
        let path = join(folder, name);
        source.entry(&path).is_some() || source.is_folder(&path)
    };
    if !stands(MANIFEST) {
        let message = "the manifest is missing; nothing of this bundle can be believed without it";
        let problem = Problem::error(Place::file(join(folder, MANIFEST)), message);
        reading.push(problem.remedy("restore the bundle as it was written"));
    }

    let mut run =
        Run { path: if folder.is_empty() { ".".to_owned() } else { folder.to_owned() }, ..Run::default() };
    let mut believed = match &manifest_document {
        Some(document) => manifest::read(document.text(), &document.path, &mut run, &mut problems),
        None => false,
    };
    let definitions = if let Some(document) = &definitions_document {
        definitions::read(document.text(), &document.path, &mut problems)
    } else {
        if !stands(DEFINITIONS) {
            let place = Place::file(join(folder, DEFINITIONS));
            problems.push(Problem::error(place, "the bundle has no measurement definitions"));
        }
        None
    };
    let artifacts = if let Some(document) = &artifacts_document {
        artifacts::read(document.text(), &document.path, &mut problems)
    } else if stands(ARTIFACTS) {
        None
    } else {
        let place = Place::file(join(folder, ARTIFACTS));
        problems.push(Problem::note(place, "the bundle lists no artifacts"));
        Some(Vec::new())
    };
    believed &= definitions.is_some() && artifacts.is_some();
    run.definitions = definitions.unwrap_or_default();

    let observations = observations::read(
        source,
        &join(folder, OBSERVATIONS),
        &run,
        limits,
        parallel,
        believed,
        &mut problems,
    );
    let diagnostics =
        diagnostics::read(source, &join(folder, DIAGNOSTICS), &run, limits, believed, &mut problems);

    let measured = |document: &Option<Document>| document.as_ref().map(|document| document.measured.clone());
    let of_documents = [
        measured(&manifest_document),
        measured(&definitions_document),
        observations.measured.clone(),
        diagnostics.measured.clone(),
        measured(&artifacts_document),
    ];
    let mut wrong = Problems::default();
    run.integrity = match &integrity_document {
        // Said already, and no digest can make up for it.
        _ if manifest_document.is_none() => Integrity::Failed,
        Some(document) => integrity::verify(document.text(), folder, &of_documents, &mut wrong),
        None if stands(INTEGRITY) => Integrity::Failed,
        None => {
            let place = Place::file(join(folder, INTEGRITY));
            problems.push(Problem::note(place, "the bundle carries no digests; its integrity is unverified"));
            Integrity::Unverified
        }
    };
    reading.extend(observations.unreadable);
    reading.extend(diagnostics.unreadable);
    let mut part = Part { problems: reading, ..Part::default() };
    if run.integrity == Integrity::Failed {
        believed = false;
        part.problems.extend(wrong);
    } else {
        part.problems.extend(problems);
    }
    let mut lines = [FileStatus::Complete; 2];
    if believed {
        if (observations.incomplete || diagnostics.incomplete || unreadable_lines)
            && run.state == RunState::Complete
        {
            run.state = RunState::Partial;
        }
        lines =
            [observations.status, diagnostics.status].map(|status| status.unwrap_or(FileStatus::Complete));
        run.unread = diagnostics.incomplete
            || unreadable_lines
            || observations.status.is_some_and(|status| status != FileStatus::Complete);
        run.groups = observations.groups;
        part.profiles = observations.profiles;
        run.diagnostics = diagnostics.records;
        part.records = said::records(&run, &join(folder, DIAGNOSTICS));
        artifacts::verify(source, folder, artifacts.as_deref().unwrap_or_default(), &mut part.problems);
    } else {
        run = identity(run);
    }
    let statuses = [
        FileStatus::Complete,
        FileStatus::Complete,
        lines[0],
        lines[1],
        FileStatus::Complete,
        FileStatus::Complete,
    ];
    let all = of_documents.into_iter().chain([measured(&integrity_document)]);
    for ((name, measured), status) in COVERED.iter().chain([&INTEGRITY]).zip(all).zip(statuses) {
        let path = join(folder, name);
        let Some(entry) = source.entry(&path) else { continue };
        part.files.push(FileEntry {
            path,
            format: Format::PerfcheckerBundle,
            status: if believed { status } else { FileStatus::Refused },
            bytes: measured.as_ref().map_or(entry.bytes, |measured| measured.bytes),
            sha256: measured.map(|measured| measured.sha256),
        });
    }
    part.runs.push(run);
    part
}

/// What is still told of a run that is not believed: which run it claims to be.
fn identity(run: Run) -> Run {
    Run {
        path: run.path,
        run_id: run.run_id,
        attempt_id: run.attempt_id,
        state: run.state,
        evidence: run.evidence,
        verdict: run.verdict,
        suite: run.suite,
        profile: run.profile,
        started_at: run.started_at,
        finished_at: run.finished_at,
        runtime: run.runtime,
        environment: run.environment,
        integrity: run.integrity,
        ..Run::default()
    }
}
