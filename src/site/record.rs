//! `perfolio.json`: what was built from what, with which version, and what was masked.

use std::collections::BTreeMap;
use std::io::Read as _;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Counts;
use super::load::{Loaded, Opened};
use crate::error::{Problem, Problems};
use crate::io::{Hasher, Source};

/// The `schema_version` in the record of a site.
pub const SITE_SCHEMA: &str = "perfolio-site/1";
/// The `schema_version` in the record of exported figures.
pub const EXPORT_SCHEMA: &str = "perfolio-export/1";

/// The record of a build. Holds relative paths only and no time.
#[derive(Debug, Serialize)]
struct Record<'a> {
    tool: &'static str,
    version: &'static str,
    schema_version: &'static str,
    settings: &'a str,
    pages: usize,
    figures: usize,
    problems: Vec<&'a Problem>,
    sources: Vec<SourceRecord<'a>>,
    redactions: Vec<Redaction<'a>>,
    /// Original files that stand in the output as they are.
    originals: &'a [&'a str],
    made_from: &'a BTreeMap<String, String>,
    outputs: &'a [String],
}

#[derive(Debug, Serialize)]
struct SourceRecord<'a> {
    id: &'a str,
    path: &'a str,
    /// How much of it could not even be listed.
    unlisted: usize,
    files: Vec<FileRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct FileRecord<'a> {
    path: &'a str,
    format: &'static str,
    status: &'static str,
    bytes: u64,
    sha256: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Redaction<'a> {
    path: &'a str,
    what: &'a str,
}

/// What a record says of a whole output.
#[derive(Debug, Clone, Copy)]
pub struct Whole<'a> {
    /// [`SITE_SCHEMA`] or [`EXPORT_SCHEMA`].
    pub schema: &'static str,
    /// Digest of everything but the sources; an empty one fits nothing.
    pub settings: &'a str,
    /// How much was rendered.
    pub counts: Counts,
    /// What could not be read or believed.
    pub problems: &'a Problems,
    /// Paths of original files in the output.
    pub originals: &'a [&'a str],
    /// Path of a page → digest of all that it and the files of its figures were made from.
    pub made_from: &'a BTreeMap<String, String>,
}

/// The record as JSON; `outputs` are the paths of all files of the site, this one included.
pub fn json(loaded: &Loaded, whole: Whole<'_>, outputs: &[String]) -> Vec<u8> {
    let record = Record {
        tool: "perfolio",
        version: env!("CARGO_PKG_VERSION"),
        schema_version: whole.schema,
        settings: whole.settings,
        pages: whole.counts.pages,
        figures: whole.counts.figures,
        problems: whole.problems.sorted(),
        sources: loaded
            .sources
            .iter()
            .map(|source| SourceRecord {
                id: &source.evidence.id,
                path: &source.evidence.path,
                unlisted: source.unlisted,
                files: source
                    .evidence
                    .files
                    .iter()
                    .map(|file| FileRecord {
                        path: &file.path,
                        format: file.format.id(),
                        status: file.status.id(),
                        bytes: file.bytes,
                        sha256: file.sha256.as_deref(),
                    })
                    .collect(),
            })
            .collect(),
        redactions: loaded.redacted.iter().map(|(path, what)| Redaction { path, what }).collect(),
        originals: whole.originals,
        made_from: whole.made_from,
        outputs,
    };
    let mut bytes = serde_json::to_vec_pretty(&record).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// A record of another build, as far as it is needed to see that nothing changed since.
#[derive(Debug, Deserialize)]
struct Saved {
    version: String,
    settings: String,
    pages: usize,
    figures: usize,
    problems: Vec<Problem>,
    sources: Vec<SavedSource>,
    outputs: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct SavedSource {
    id: String,
    path: String,
    unlisted: usize,
    files: Vec<SavedFile>,
}

#[derive(Debug, Deserialize)]
struct SavedFile {
    path: String,
    bytes: u64,
    sha256: Option<String>,
}

/// What a build said that would say the same again.
#[derive(Debug)]
pub struct Same {
    /// How much was rendered.
    pub counts: Counts,
    /// Number of files.
    pub files: usize,
    /// What could not be read or believed.
    pub problems: Problems,
}

/// What the build of `record` said, when it had these settings and exactly these files in its sources.
/// In doubt, such as for files without a digest or without a name to list them by, it is another build.
pub fn same(record: &[u8], settings: &str, opened: &[Opened]) -> Option<Same> {
    let saved: Saved = serde_json::from_slice(record).ok()?;
    let fits = saved.version == env!("CARGO_PKG_VERSION")
        && saved.settings == settings
        && saved.sources.len() == opened.len()
        && saved.sources.iter().zip(opened).all(|(saved, now)| saved.id == now.id && saved.path == now.shown)
        && saved
            .sources
            .iter()
            .zip(opened)
            .all(|(saved, now)| saved.unlisted == 0 && now.source.problems().is_empty())
        && saved.sources.iter().zip(opened).all(|(saved, now)| same_files(&saved.files, &now.source));
    fits.then(|| Same {
        counts: Counts { pages: saved.pages, figures: saved.figures },
        files: saved.outputs.len(),
        problems: Problems::saved(saved.problems),
    })
}

fn same_files(saved: &[SavedFile], source: &Source) -> bool {
    let entries = source.entries();
    let mut saved: Vec<&SavedFile> = saved.iter().collect();
    saved.sort_by(|a, b| a.path.cmp(&b.path));
    saved.len() == entries.len()
        && saved.iter().zip(entries).all(|(saved, now)| saved.path == now.path && saved.bytes == now.bytes)
        && saved.par_iter().all(|saved| saved.sha256.is_some() && saved.sha256 == digest(source, &saved.path))
}

fn digest(source: &Source, path: &str) -> Option<String> {
    let mut stream = source.stream(path).ok()?;
    let (mut hasher, mut buffer) = (Hasher::default(), vec![0; 1 << 16]);
    loop {
        match stream.read(&mut buffer).ok()? {
            0 => return Some(hasher.finish()),
            count => hasher.update(&buffer[..count]),
        }
    }
}
