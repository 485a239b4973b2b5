//! The original files of the evidence, published beside the site when the author wants it: below
//! `evidence/<source>/`, byte for byte. Redaction does not reach them, so each that names places or machines is told.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::Config;
use crate::error::{Place, Problem, Problems, Result};
use crate::evidence::{Format, SourceEvidence};
use crate::io::{Sink, Source};
use crate::text::list;
use crate::text::redact::{Kind, field, redact};

use super::load::Loaded;
use super::plan::Paths;

/// Path below a source → path below the site.
pub(super) type Published = BTreeMap<String, String>;

/// Warns about each file of a source that would be published with paths of a machine, or names of users and hosts.
pub(super) fn warnings(source: &Source, evidence: &SourceEvidence) -> Problems {
    let mut problems = Problems::default();
    for path in recognised(evidence) {
        let Ok(bytes) = source.read(path) else { continue };
        let kinds = kinds(&String::from_utf8_lossy(&bytes));
        if kinds.is_empty() {
            continue;
        }
        let words: Vec<&str> = kinds
            .iter()
            .map(|kind| match kind {
                Kind::AbsolutePath => "absolute paths",
                Kind::UserName => "user names",
                Kind::HostName => "host names",
            })
            .collect();
        let message = format!("the original is published as it is, with {}", list::and(&words));
        problems.push(
            Problem::warning(Place::file(path), message)
                .remedy("leave `[publish] originals` off, or publish a copy without them"),
        );
    }
    problems
}

/// The files that were read as evidence; others are not published.
fn recognised(evidence: &SourceEvidence) -> impl Iterator<Item = &str> {
    evidence.files.iter().filter(|file| file.format != Format::Unknown).map(|file| file.path.as_str())
}

/// What a text gives away: paths in it, and fields that name a person or a machine.
fn kinds(text: &str) -> BTreeSet<Kind> {
    let mut found = BTreeSet::new();
    for line in text.lines() {
        // In JSON a backslash is written twice.
        found.extend(redact(&line.replace("\\\\", "\\")).kinds);
        found.extend(fields(line));
    }
    found
}

/// The kinds of the JSON fields of a line whose value is a text that is not empty.
fn fields(line: &str) -> impl Iterator<Item = Kind> {
    line.match_indices('"').filter_map(move |(at, _)| {
        let value = line[at + 1..].trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
        let kind = field(line[..at].rsplit('"').next()?)?;
        (!value.starts_with('"')).then_some(kind)
    })
}

/// Decides where the originals of every source go, by the id of the source. What cannot be published is a problem.
pub(super) fn plan(
    loaded: &Loaded,
    config: &Config,
    paths: &mut Paths,
    problems: &mut Problems,
) -> BTreeMap<String, Published> {
    let mut all = BTreeMap::new();
    if !config.publish.originals {
        return all;
    }
    for source in &loaded.sources {
        let id = &source.evidence.id;
        let Some(files) = &source.files else { continue };
        let mut published = Published::new();
        for path in recognised(&source.evidence) {
            let to = format!("evidence/{id}/{path}");
            let size = files.entry(path).map_or(0, |entry| entry.bytes);
            let refused = if size > config.limits.document_bytes {
                Some("it is larger than the limit of a document, `document_bytes` under [limits]")
            } else if paths.reserve(&to, &format!("the original {path} of source `{id}`")).is_err() {
                Some("another file would be written to the same place")
            } else {
                None
            };
            match refused {
                Some(why) => {
                    let mut one =
                        Problem::warning(Place::file(path), format!("the original is not published: {why}"));
                    one.source = Some(id.clone());
                    problems.push(one);
                }
                None => drop(published.insert(path.to_owned(), to)),
            }
        }
        all.insert(id.clone(), published);
    }
    all
}

/// Copies the originals.
///
/// # Errors
/// A file that can no longer be read, a disk that refuses.
pub(super) fn copy(
    loaded: &Loaded,
    all: &BTreeMap<String, Published>,
    sink: &mut dyn Sink,
    outputs: &mut Vec<String>,
) -> Result<()> {
    for source in &loaded.sources {
        let Some((files, published)) = source.files.as_ref().zip(all.get(&source.evidence.id)) else {
            continue;
        };
        for (path, to) in published {
            sink.put(to, &files.read(path)?)?;
            outputs.push(to.clone());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_gives_away_is_seen_through_json() {
        let of = |text: &str| kinds(text).into_iter().collect::<Vec<_>>();
        assert_eq!(of(r#"{"entrypoint":"C:\\Users\\zoe\\sort.jl"}"#), [Kind::AbsolutePath, Kind::UserName]);
        assert_eq!(of(r#"{"hardware_ids": {"cpu": "x", "host" : "box-7"}}"#), [Kind::HostName]);
        assert_eq!(of(r#"{"hardware_ids": {"cpu": "x", "host": "box-7"}}"#), [Kind::HostName]);
        assert_eq!(of(r#"{"host": "", "user": null, "path": "src/a.jl"}"#), []);
    }
}
