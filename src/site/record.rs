//! `perfolio.json`: what was built from what, with which version, and what was masked.

use serde::Serialize;

use super::load::Loaded;

/// The record of a build. Holds relative paths only and no time.
#[derive(Debug, Serialize)]
struct Record<'a> {
    tool: &'static str,
    version: &'static str,
    schema_version: &'static str,
    sources: Vec<SourceRecord<'a>>,
    redactions: Vec<Redaction<'a>>,
    outputs: &'a [String],
}

#[derive(Debug, Serialize)]
struct SourceRecord<'a> {
    id: &'a str,
    path: &'a str,
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

/// The record as JSON; `outputs` are the paths of all files of the site, this one included.
pub fn json(loaded: &Loaded, outputs: &[String]) -> Vec<u8> {
    let record = Record {
        tool: "perfolio",
        version: env!("CARGO_PKG_VERSION"),
        schema_version: "perfolio-site/1",
        sources: loaded
            .sources
            .iter()
            .map(|source| SourceRecord {
                id: &source.evidence.id,
                path: &source.evidence.path,
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
        outputs,
    };
    let mut bytes = serde_json::to_vec_pretty(&record).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}
