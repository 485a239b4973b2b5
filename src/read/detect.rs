//! Which reader a loose file belongs to, decided from its name and first bytes.
//!
//! A new format is one file with a [`Reader`] and one line in [`READERS`].

use std::io::Read;

use super::perfchecker::{
    catalog::CatalogReader, comparison::ComparisonReader, diagnosis::DiagnosisReader,
    heap_types::HeapTypesReader, massif::MassifReader, native::NativeReader, network::NetworkReader,
};
use super::tree::Map;
use super::{Part, plot, sarif, split, unread, without_mark};
use crate::error::{Place, Problem};
use crate::evidence::{FileEntry, FileStatus, Format};
use crate::io::{Entry, Hasher, Limits, Source, sha256_hex};

/// How many bytes a reader sees at first.
const HEAD: usize = 4096;

/// Whether a file is of a reader's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// The first bytes do not tell; the whole file would.
    NeedMore,
}

/// A reader of one file format.
pub(super) trait Reader: Sync {
    /// The format that it reads.
    fn format(&self) -> Format;

    /// Tells from the path and the first bytes whether a file is of this format; `whole` when `bytes` are
    /// all of it. Must not answer [`Answer::NeedMore`] then.
    fn detect(&self, path: &str, bytes: &[u8], whole: bool) -> Answer;

    /// Reads a file of this format into `part`; what became of it.
    fn read(&self, path: &str, bytes: &[u8], part: &mut Part) -> FileStatus;
}

/// What a reader of JSON objects can answer before it looks into one: none when `bytes` are all of a file that may
/// hold an object.
pub(super) fn before_object(path: &str, bytes: &[u8], whole: bool) -> Option<Answer> {
    if !path.to_ascii_lowercase().ends_with(".json") || bytes.trim_ascii_start().first() != Some(&b'{') {
        return Some(Answer::No);
    }
    (!whole).then_some(Answer::NeedMore)
}

/// Whether a whole document holds all these words. Cheap, so asked before anything is parsed.
pub(super) fn holds(bytes: &[u8], words: &[&str]) -> bool {
    words.iter().all(|word| memchr::memmem::find(bytes, word.as_bytes()).is_some())
}

/// What a reader answers whose format is a JSON object with these `words` in it and of a form that `is` knows.
pub(super) fn object_with(
    path: &str,
    bytes: &[u8],
    whole: bool,
    words: &[&str],
    is: impl FnOnce(&Map<'_>) -> bool,
) -> Answer {
    if let Some(answer) = before_object(path, bytes, whole) {
        return answer;
    }
    let found = holds(bytes, words) && serde_json::from_slice(bytes).is_ok_and(|fields| is(&fields));
    if found { Answer::Yes } else { Answer::No }
}

/// The readers, asked in this order.
const READERS: &[&dyn Reader] = &[
    &CatalogReader,
    &ComparisonReader,
    &plot::PlotReader,
    &NetworkReader,
    &NativeReader,
    &DiagnosisReader,
    &MassifReader,
    &HeapTypesReader,
    &sarif::SarifReader,
];

/// Files that PerfChecker writes for people and other programs beside bundles; the bundles hold the same.
const ORDINARY: [&str; 6] = [
    "suite-result.json",
    "suite-report.md",
    "suite-junit.xml",
    "version-series.json",
    "version-comparison.json",
    "version-comparison.md",
];

/// Reads one file that belongs to no bundle.
pub(super) fn read_loose(source: &Source, entry: &Entry, limits: &Limits) -> Part {
    let mut part = Part::default();
    let mut file = FileEntry {
        path: entry.path.clone(),
        format: Format::Unknown,
        status: FileStatus::Unknown,
        sha256: None,
        bytes: entry.bytes,
    };
    if let Err(why) = inspect(source, entry, limits, &mut file, &mut part) {
        part.problems.push(Problem::error(Place::file(&*entry.path), why));
        file.status = FileStatus::Refused;
    }
    part.files.push(file);
    part
}

fn inspect(
    source: &Source,
    entry: &Entry,
    limits: &Limits,
    file: &mut FileEntry,
    part: &mut Part,
) -> Result<(), String> {
    let path = &*entry.path;
    let mut stream = source.stream(path).map_err(|error| error.message)?;
    let mut head = Vec::with_capacity(HEAD);
    stream.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(|error| error.to_string())?;
    let whole = head.len() < HEAD;
    let mut candidates: Vec<(&dyn Reader, Answer)> = Vec::new();
    let ordinary = ORDINARY.contains(&split(path).1);
    if !ordinary {
        let text = without_mark(&head);
        let asked = READERS.iter().map(|reader| (*reader, reader.detect(path, text, whole)));
        candidates.extend(asked.filter(|(_, answer)| *answer != Answer::No));
    }
    let tell = |why: Option<Problem>, part: &mut Part| {
        if let Some(why) = why.filter(|_| !ordinary) {
            part.problems.push(why);
            FileStatus::Refused
        } else {
            FileStatus::Unknown
        }
    };
    if candidates.is_empty() || entry.bytes > limits.document_bytes {
        let why = if candidates.is_empty() {
            unread::why(path, &head, whole)
        } else {
            Some(unread::too_large(path, entry.bytes, limits.document_bytes))
        };
        file.status = tell(why, part);
        // Nobody wants it: only its digest is made, without holding it.
        let mut hasher = Hasher::default();
        let mut buffer = head;
        file.bytes = 0;
        while !buffer.is_empty() {
            hasher.update(&buffer);
            file.bytes += buffer.len() as u64;
            buffer.clear();
            stream.by_ref().take(1 << 16).read_to_end(&mut buffer).map_err(|error| error.to_string())?;
        }
        file.sha256 = Some(hasher.finish());
        return Ok(());
    }
    drop(stream);
    let bytes = source.read(path).map_err(|error| error.message)?;
    file.bytes = bytes.len() as u64;
    file.sha256 = Some(sha256_hex(&bytes));
    let text = without_mark(&bytes);
    let reader = candidates
        .into_iter()
        .find(|(reader, answer)| *answer == Answer::Yes || reader.detect(path, text, true) == Answer::Yes);
    match reader {
        Some((reader, _)) if !bytes.is_empty() => {
            file.format = reader.format();
            file.status = reader.read(path, text, part);
        }
        _ => file.status = tell(unread::why(path, &bytes, true), part),
    }
    Ok(())
}
