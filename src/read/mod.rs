//! Opens a source and reads what it holds: bytes in, evidence and problems out.
//!
//! One file or folder per format. A PerfChecker bundle is a folder and is found by its manifest; every other
//! file is shown to the readers registered in [`detect`], which answer from its first bytes. A broken file
//! becomes a problem; its siblings are still read. Must not know: statistics, figures, the site.

mod complaints;
mod detect;
mod json;
mod perfchecker;
pub mod plot;

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::error::{Place, Problem, Problems, Reporter};
use crate::evidence::{FileEntry, Run, SavedPlot, SourceEvidence};
use crate::io::{Entry, Limits, Source};

/// Bundles with more bytes of observations than this are read one after the other, each on all cores;
/// smaller ones side by side. So never more than a few windows of lines are in memory.
const LARGE_BUNDLE: u64 = 8 << 20;

/// What one bundle or one file gave.
#[derive(Debug, Default)]
struct Part {
    files: Vec<FileEntry>,
    runs: Vec<Run>,
    plots: Vec<SavedPlot>,
    problems: Problems,
}

/// Reads everything in `source`. `id` is its stable slug, `path` what the user called it. The result is the
/// same whatever the number of threads; files, runs and plots are sorted by path. It never fails as a
/// whole: what cannot be read or believed is a problem.
pub fn read_source(
    source: &Source,
    id: &str,
    path: &str,
    limits: &Limits,
    reporter: &dyn Reporter,
) -> (SourceEvidence, Problems) {
    let mut problems = source.problems().clone();
    let found = survey(source, &mut problems);
    reporter.begin("reading", Some(source.entries().len() as u64));
    let bundle = |folder: &&str, parallel: bool| {
        let part = perfchecker::read_bundle(source, folder, limits, parallel);
        reporter.advance(part.files.len() as u64);
        part
    };
    let (large, small): (Vec<&str>, Vec<&str>) = found
        .bundles
        .iter()
        .partition(|folder| perfchecker::observation_bytes(source, folder) > LARGE_BUNDLE);
    let mut parts: Vec<Part> = large.iter().map(|folder| bundle(folder, true)).collect();
    parts.par_extend(small.par_iter().map(|folder| bundle(folder, false)));
    parts.par_extend(found.loose.par_iter().map(|entry| {
        let part = detect::read_loose(source, entry, limits);
        reporter.advance(1);
        part
    }));
    reporter.finish();

    let mut evidence =
        SourceEvidence { id: id.to_owned(), path: path.to_owned(), ..SourceEvidence::default() };
    for part in parts {
        evidence.files.extend(part.files);
        evidence.runs.extend(part.runs);
        evidence.plots.extend(part.plots);
        problems.extend(part.problems);
    }
    evidence.files.sort_by(|a, b| a.path.cmp(&b.path));
    evidence.runs.sort_by(|a, b| a.path.cmp(&b.path));
    evidence.plots.sort_by(|a, b| a.path.cmp(&b.path));
    problems.set_source(id);
    (evidence, problems)
}

/// Which folders are bundles, and which files belong to none.
struct Survey<'a> {
    bundles: Vec<&'a str>,
    loose: Vec<&'a Entry>,
}

fn survey<'a>(source: &'a Source, problems: &mut Problems) -> Survey<'a> {
    let mut unfinished = BTreeSet::new();
    let entries: Vec<&Entry> = source
        .entries()
        .iter()
        .filter(|entry| match unfinished_folder(&entry.path) {
            Some(folder) => {
                unfinished.insert(folder);
                false
            }
            None => true,
        })
        .collect();
    for folder in unfinished {
        problems.push(Problem::note(Place::file(folder), "an unfinished write of a bundle; it is skipped"));
    }
    let bundles: Vec<&str> = entries
        .iter()
        .filter(|entry| split(&entry.path).1 == perfchecker::MANIFEST)
        .map(|entry| split(&entry.path).0)
        .filter(|folder| perfchecker::is_bundle(source, folder))
        .collect();
    let known: BTreeSet<&str> = bundles.iter().copied().collect();
    let loose = entries
        .into_iter()
        .filter(|entry| {
            let (folder, name) = split(&entry.path);
            !(known.contains(folder) && perfchecker::is_document(name))
        })
        .collect();
    Survey { bundles, loose }
}

/// The folder of an unfinished write that `path` lies in.
fn unfinished_folder(path: &str) -> Option<&str> {
    let at = path.find(".tmp-")?;
    let end = at + path[at..].find('/')?;
    Some(&path[..end])
}

/// Splits into folder (empty at the top) and name.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Joins a folder (empty at the top) and a name.
fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_are_unfinished_writes() {
        assert_eq!(unfinished_folder("a/run-1.tmp-9/manifest.json"), Some("a/run-1.tmp-9"));
        assert_eq!(unfinished_folder("a/x.tmp-9"), None);
        assert_eq!(unfinished_folder("a/b"), None);
    }
}
