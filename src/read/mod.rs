//! Opens a source and reads what it holds: bytes in, evidence and problems out.
//!
//! One file or folder per format. A PerfChecker bundle is a folder and is found by its manifest; every other
//! file is shown to the readers registered in `detect`, which answer from its first bytes. A broken file
//! becomes a problem; its siblings are still read. Must not know: statistics, figures, the site.

mod complaints;
mod detect;
mod documents;
mod duplicates;
mod items;
mod json;
mod perfchecker;
pub mod plot;
mod plot_profiles;
mod records;
mod sarif;
mod stack;
mod tree;
mod unread;
mod unshown;

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::error::{Place, Problem, Problems, Reporter};
use crate::evidence::{
    FileEntry, Profile, Record, Run, SavedCatalog, SavedComparison, SavedPlot, SourceEvidence,
};
use crate::io::{Entry, Limits, Source};

/// Bundles with more bytes of observations than this are read a few at a time, each on all cores; smaller ones
/// all side by side. So never more than a few windows of lines are in memory.
const LARGE_BUNDLE: u64 = 8 << 20;
/// How many large bundles are read at a time: while one waits for its next lines or joins what it found, the
/// cores have work of the other.
const SIDE_BY_SIDE: usize = 2;

/// What one bundle or one file gave.
#[derive(Debug, Default)]
struct Part {
    files: Vec<FileEntry>,
    runs: Vec<Run>,
    plots: Vec<SavedPlot>,
    catalogs: Vec<SavedCatalog>,
    comparisons: Vec<SavedComparison>,
    profiles: Vec<Profile>,
    records: Vec<Record>,
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
    let mut parts: Vec<Part> = Vec::new();
    for few in large.chunks(SIDE_BY_SIDE) {
        parts.par_extend(few.par_iter().map(|folder| bundle(folder, true)));
    }
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
        evidence.catalogs.extend(part.catalogs);
        evidence.comparisons.extend(part.comparisons);
        evidence.profiles.extend(part.profiles);
        evidence.records.extend(part.records);
        problems.extend(part.problems);
    }
    evidence.files.sort_by(|a, b| a.path.cmp(&b.path));
    evidence.runs.sort_by(|a, b| a.path.cmp(&b.path));
    evidence.plots.sort_by(|a, b| a.path.cmp(&b.path));
    evidence.catalogs.sort_by(|a, b| a.path.cmp(&b.path));
    evidence.comparisons.sort_by(|a, b| a.path.cmp(&b.path));
    evidence.profiles.sort_by(|a, b| a.path.cmp(&b.path));
    // Stable: records of one file keep their order.
    evidence.records.sort_by(|a, b| a.path.cmp(&b.path));
    documents::join(source, &mut evidence, &mut problems);
    records::join(&mut evidence, &mut problems);
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
    let known: BTreeSet<&str> = entries
        .iter()
        .map(|entry| split(&entry.path))
        .filter(|(_, name)| perfchecker::is_document(name))
        .map(|(folder, _)| folder)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .filter(|folder| perfchecker::is_bundle(source, folder))
        .collect();
    let bundles = known.iter().copied().collect();
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

/// A text without the byte order mark that some editors and shells on Windows put before UTF-8.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
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

    #[test]
    fn loose_files_are_listed_and_plots_are_read() {
        let plot = serde_json::json!({
            "schema_version": "perfolio-plot/1", "id": "i", "kind": "k", "title": "", "description": "",
            "encoding": {}, "data": [], "options": {},
        });
        let files = [
            ("plots/a.json", plot.to_string()),
            ("plots/b.json", plot.to_string().replace("plot/1", "plot/7")),
            ("suite-result.json", plot.to_string()),
            ("notes.txt", "x".repeat(10_000)),
            ("empty", String::new()),
            ("run.tmp-1/manifest.json", "{}".to_owned()),
            ("run.tmp-1/observations.jsonl", String::new()),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.into_bytes())).into();
        let limits = Limits::default();
        let (evidence, problems) =
            read_source(&Source::memory(files, &limits), "s", "p", &limits, &crate::error::Silent);
        let listed: Vec<_> = evidence
            .files
            .iter()
            .map(|file| (file.path.as_str(), file.format.id(), file.status.id()))
            .collect();
        assert_eq!(
            listed,
            [
                ("empty", "unknown", "unknown"),
                ("notes.txt", "unknown", "unknown"),
                ("plots/a.json", "perfchecker-plot", "complete"),
                ("plots/b.json", "perfchecker-plot", "refused"),
                ("suite-result.json", "unknown", "unknown"),
            ]
        );
        assert_eq!(evidence.files[1].bytes, 10_000);
        assert!(evidence.files.iter().all(|file| file.sha256.is_some()));
        assert_eq!(evidence.plots.len(), 1);
        let told: Vec<_> = problems.sorted().iter().map(|problem| problem.place.to_string()).collect();
        assert_eq!(told, ["plots/b.json (schema_version)", "run.tmp-1"]);
        assert!(problems.iter().all(|problem| problem.source.as_deref() == Some("s")));
    }
}
