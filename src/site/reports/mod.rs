//! The reports of a source: what tools said, page by page, below `reports/<source>/`.
//!
//! | file | does |
//! | --- | --- |
//! | `words` | names of tools, numbers, statuses and severities for people |
//! | `index`, `record` | the list of all reports; the page of one |
//! | `findings`, `changes` | findings by rule and file, on numbered pages; new, fixed and the same |
//! | `details` | what only one sort of tool records, as tables |
//! | `figures` | what tools recorded as figures |
//! | `runs`, `qualified`, `diagnostics` | runs with verdicts; probes, policies and envelopes; what runs said |
//! | `manifest` | resolved dependencies by target |
//! | `network` | the network measurements of a source |
//! | `block` | what content pages embed of all this |
//! | `of_workload` | reports and findings that name a workload |

pub(super) mod block;
mod changes;
mod details;
mod diagnostics;
pub(super) mod figures;
mod findings;
mod index;
mod manifest;
mod network;
mod of_workload;
mod qualified;
mod record;
mod runs;
mod words;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Result;
use crate::evidence::{Format, Record, SourceEvidence};
use crate::theme::Theme;
use crate::theme::view::{Described, Link};

use super::figures::Files;
use super::load::{Loaded, LoadedSource};
use super::originals::Published;
use super::page::Frame;
use super::plan::{Paths, link};
use super::workloads::Gallery;

pub(super) use of_workload::of_workload;

/// The pages about the reports of one source.
#[derive(Debug)]
pub(super) struct Reports {
    /// Position of the source.
    pub(super) source: usize,
    /// Path of the list of all reports.
    pub(super) page: String,
    /// Title of the source for people.
    pub(super) title: String,
    /// The reports, in the order of the list.
    pub(super) entries: Vec<Entry>,
    /// Page of the network measurements; none when there are none.
    pub(super) network: Option<String>,
    /// Its figures.
    pub(super) figures: figures::Figures,
    /// The pages of runs.
    pub(super) runs: Vec<runs::RunPage>,
    /// Pages of manifests of published catalogues: position of the catalogue, path.
    pub(super) manifests: Vec<(usize, String)>,
}

/// One report that has a page.
#[derive(Debug)]
pub(super) struct Entry {
    /// Position of its record in the source.
    pub(super) record: usize,
    /// Path of its page.
    pub(super) page: String,
    /// Title for people, different from those of its neighbours.
    pub(super) title: String,
    /// How its findings are cut into pages.
    pub(super) parts: findings::Parts,
}

impl Entry {
    /// Path of a page of its findings; the first one is the page of the report.
    fn part(&self, number: usize) -> String {
        match number {
            0 | 1 => self.page.clone(),
            number => self.page.replace("/index.html", &format!("/{number}/index.html")),
        }
    }

    /// Path of the list of its findings as CSV.
    fn csv(&self) -> String {
        self.page.replace("/index.html", "/findings.csv")
    }
}

/// What a run wrote down about its own cases stands on the page of the run.
fn of_run(evidence: &SourceEvidence, record: &Record) -> bool {
    let of_bundle = |path: &str| {
        let at = evidence.files.binary_search_by(|file| file.path.as_str().cmp(path));
        at.ok().and_then(|at| evidence.files.get(at)).map(|file| file.format)
    };
    record.run_id.is_some() && of_bundle(&record.path) == Some(Format::PerfcheckerBundle)
}

/// The reports of a source that have pages, each with the name by which blocks call it.
pub fn named(source: &LoadedSource) -> Vec<(String, &Record)> {
    let evidence = &source.evidence;
    let base = format!("reports/{}", evidence.id);
    let mut paths = Paths::default();
    let mut all = Vec::new();
    for at in order(evidence) {
        let entry = entry(&base, evidence, at, String::new(), &paths);
        // The name is taken, whatever else its report writes.
        let _ = paths.reserve(&entry.page, &entry.page);
        all.push((block::name(&entry).to_owned(), &evidence.records[at]));
    }
    all
}

/// Positions of the records that have pages, in the order of their list.
fn order(evidence: &SourceEvidence) -> Vec<usize> {
    let mut order: Vec<usize> =
        (0..evidence.records.len()).filter(|&at| !of_run(evidence, &evidence.records[at])).collect();
    order.sort_by_key(|&at| (words::Sort::of(&evidence.records[at]), at));
    order
}

/// Plans the reports of every source that has any.
///
/// # Errors
/// Two pages want the same path.
pub(super) fn plan(loaded: &Loaded, galleries: &[Gallery], paths: &mut Paths) -> Result<Vec<Reports>> {
    let mut all = Vec::new();
    for gallery in galleries {
        let source = &loaded.sources[gallery.source];
        let evidence = &source.evidence;
        let order = order(evidence);
        let with_runs = evidence.runs.iter().any(|run| !run.saved);
        let with_manifests = evidence.catalogs.iter().any(|one| !one.environments.is_empty());
        if order.is_empty() && !with_runs && !with_manifests {
            continue;
        }
        let base = format!("reports/{}", evidence.id);
        let owner = format!("the reports of source `{}`", evidence.id);
        let page = format!("{base}/index.html");
        paths.reserve(&page, &owner)?;
        for number in 2..=index::pages(order.len()) {
            paths.reserve(&index::path(&page, number), &owner)?;
        }
        let network = has_network(evidence).then(|| format!("{base}/network/index.html"));
        network.iter().try_for_each(|path| paths.reserve(path, &owner))?;
        let titles = titles(evidence, &order);
        let mut entries = Vec::new();
        for (at, title) in order.into_iter().zip(titles) {
            let entry = entry(&base, evidence, at, title, paths);
            let owner = format!("the report {} of source `{}`", entry.title, evidence.id);
            for path in outputs(evidence, &entry) {
                paths.reserve(&path, &owner)?;
            }
            entries.push(entry);
        }
        let runs = runs(&base, source, paths)?;
        let mut manifests = Vec::new();
        for (at, catalog) in
            evidence.catalogs.iter().enumerate().filter(|(_, one)| !one.environments.is_empty())
        {
            let path = format!("{base}/manifests/{}/index.html", at + 1);
            let owner = format!("the manifests of {}", catalog.path);
            paths.reserve(&path, &owner)?;
            paths.reserve(&manifest::csv_path(&path), &owner)?;
            manifests.push((at, path));
        }
        let order: Vec<usize> = entries.iter().map(|entry| entry.record).collect();
        let mut figures = figures::Figures::plan(source, &order)?;
        figures.tell_apart(gallery.slugs());
        let title = gallery.title.clone();
        let source = gallery.source;
        all.push(Reports { source, page, title, entries, network, figures, runs, manifests });
    }
    Ok(all)
}

/// A page per run that is more than the name in a saved document.
fn runs(base: &str, source: &LoadedSource, paths: &mut Paths) -> Result<Vec<runs::RunPage>> {
    let mut pages = Vec::new();
    for (at, run) in source.evidence.runs.iter().enumerate().filter(|(_, run)| !run.saved) {
        let name = crate::text::slug::slug(&run.run_id);
        let mut page = format!("{base}/runs/{name}/index.html");
        if paths.is_taken(&page) {
            let name = crate::text::slug::apart(&name, &[&run.run_id, &run.attempt_id, &run.path]);
            page = format!("{base}/runs/{name}/index.html");
        }
        let manifests = run.qualifications.iter().any(|one| one.dependencies.is_some());
        let (verdicts, diagnostics) = (!run.qualifications.is_empty(), !run.diagnostics.is_empty());
        let one = runs::RunPage { run: at, page, manifests, verdicts, diagnostics };
        let owner = format!("the run {} in {}", run.run_id, run.path);
        for path in one.outputs() {
            paths.reserve(&path, &owner)?;
        }
        pages.push(one);
    }
    Ok(pages)
}

fn has_network(evidence: &SourceEvidence) -> bool {
    evidence.records.iter().any(|record| words::Sort::of(record) == words::Sort::Network)
}

/// Titles for people: the tool with its target; where that is not enough, with its file or its place.
fn titles(evidence: &SourceEvidence, order: &[usize]) -> Vec<String> {
    let tool = |at: &usize| {
        let record = &evidence.records[*at];
        match &record.target {
            Some(target) => format!("{} at {target}", words::tool(record)),
            None => words::tool(record),
        }
    };
    let file = |at: &usize| {
        let path = &evidence.records[*at].path;
        path.rsplit('/').next().unwrap_or(path).to_owned()
    };
    let mut titles: Vec<String> = order.iter().map(tool).collect();
    for (at, again) in repeated(&titles).into_iter().enumerate() {
        if again {
            titles[at] = format!("{}, {}", titles[at], file(&order[at]));
        }
    }
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (at, again) in repeated(&titles).into_iter().enumerate() {
        let count = seen.entry(titles[at].clone()).or_default();
        *count += 1;
        if again {
            titles[at] = format!("{}, report {count}", titles[at]);
        }
    }
    titles
}

/// Which of the texts occur more than once.
fn repeated(texts: &[String]) -> Vec<bool> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    texts.iter().map(|text| counts.get(text.as_str()).is_some_and(|count| *count > 1)).collect()
}

/// A report with a path of its own.
fn entry(base: &str, evidence: &SourceEvidence, at: usize, title: String, paths: &Paths) -> Entry {
    let record = &evidence.records[at];
    let name = slug(record);
    let mut page = format!("{base}/{name}/index.html");
    if paths.is_taken(&page) || index::is_number(&name) {
        let place = at.to_string();
        let name = crate::text::slug::apart(&name, &[&record.path, &record.tool, &place]);
        page = format!("{base}/{name}/index.html");
    }
    let parts = findings::Parts::of(record);
    Entry { record: at, page, title, parts }
}

/// The tool, the name of its file and the target as part of a path.
fn slug(record: &Record) -> String {
    let file = record.path.rsplit('/').next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let mut parts = vec![record.tool.as_str()];
    // `massif-1.json` of Massif says its tool already.
    if stem != record.tool {
        parts.push(stem.strip_prefix(&format!("{}-", record.tool)).unwrap_or(stem));
    }
    parts.extend(record.target.as_deref());
    let mut text = String::new();
    for symbol in parts.join("-").chars() {
        if symbol.is_ascii_alphanumeric() {
            text.push(symbol.to_ascii_lowercase());
        } else if symbol.is_alphanumeric() {
            text.push(symbol);
        } else if !text.is_empty() && !text.ends_with('-') {
            text.push('-');
        }
    }
    crate::text::slug::slug(text.trim_end_matches('-'))
}

/// Every path of a report.
fn outputs(evidence: &SourceEvidence, entry: &Entry) -> Vec<String> {
    let record = &evidence.records[entry.record];
    let mut paths: Vec<String> = (1..=entry.parts.count()).map(|number| entry.part(number)).collect();
    if record.findings.as_ref().is_some_and(|list| !list.is_empty()) {
        paths.push(entry.csv());
    }
    paths
}

impl Reports {
    /// How many pages they have.
    pub(super) fn pages(&self) -> usize {
        let of_entries: usize = self.entries.iter().map(|entry| entry.parts.count()).sum();
        let of_runs: usize = self.runs.iter().map(|run| 1 + usize::from(run.manifests)).sum();
        let others = usize::from(self.network.is_some()) + self.manifests.len();
        index::pages(self.entries.len()) + others + of_entries + of_runs
    }

    /// Paths of the pages that are listed for search engines: one per report.
    pub(super) fn listed(&self) -> impl Iterator<Item = &str> {
        let first = std::iter::once(self.page.as_str()).chain(self.network.as_deref());
        let runs = self.runs.iter().map(|run| run.page.as_str());
        first.chain(self.entries.iter().map(|entry| entry.page.as_str())).chain(runs)
    }

    /// The list of reports and the pages about all of them.
    ///
    /// # Errors
    /// A template that fails.
    pub(super) fn overview(&self, frame: &Frame<'_>, theme: &Theme, site: &Home<'_>) -> Result<Files> {
        let mut files = index::files(self, frame, theme, site)?;
        if let Some(path) = &self.network {
            files.push((path.clone(), network::page(self, path, frame, theme, site)?));
        }
        for (at, path) in &self.manifests {
            let catalog = &site.source.evidence.catalogs[*at];
            let found = manifest::Manifests::of_catalog(catalog, site.source);
            let title = format!("Dependencies of {}", catalog.path);
            files.extend(found.files(path, &title, &self.crumbs(site, true), frame, theme)?);
        }
        Ok(files)
    }

    /// The pages of the run at a place of the list of runs.
    ///
    /// # Errors
    /// A template that fails.
    pub(super) fn run(&self, at: usize, frame: &Frame<'_>, theme: &Theme, site: &Home<'_>) -> Result<Files> {
        runs::files(self, at, frame, theme, site)
    }

    /// The page of the run with an id; none when several or none have it.
    pub(super) fn page_of_run(&self, source: &LoadedSource, id: &str) -> Option<&str> {
        let mut found = self.runs.iter().filter(|one| source.evidence.runs[one.run].run_id == id);
        let first = found.next()?;
        found.next().is_none().then_some(first.page.as_str())
    }

    /// The pages of the report at a place of the list.
    ///
    /// # Errors
    /// A template that fails.
    pub(super) fn report(
        &self,
        at: usize,
        frame: &Frame<'_>,
        theme: &Theme,
        site: &Home<'_>,
    ) -> Result<Files> {
        record::files(self, at, frame, theme, site)
    }

    /// The way down to a page of these reports: title and path.
    fn crumbs<'a>(&'a self, site: &Home<'a>, below: bool) -> Vec<(&'a str, &'a str)> {
        let mut crumbs = vec![(site.gallery.title.as_str(), site.gallery.page.as_str())];
        if below {
            crumbs.push(("Reports", self.page.as_str()));
        }
        crumbs
    }

    /// The link to the reports with what stands there, for the page of the gallery.
    pub(super) fn described(&self, source: &LoadedSource, page: &str) -> Described {
        Described {
            link: Link { text: "All reports".to_owned(), href: link(page, &self.page) },
            text: index::counts(self, source),
        }
    }

    /// The tools of its reports, as recorded.
    fn tools<'a>(&self, source: &'a LoadedSource) -> BTreeSet<&'a str> {
        self.entries.iter().map(|entry| source.evidence.records[entry.record].tool.as_str()).collect()
    }
}

/// Whose reports they are.
#[derive(Clone, Copy)]
pub(super) struct Home<'a> {
    /// The source.
    pub(super) source: &'a LoadedSource,
    /// Its gallery.
    pub(super) gallery: &'a Gallery,
    /// Its original files that are published.
    pub(super) originals: Option<&'a Published>,
}
