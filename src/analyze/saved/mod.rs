//! From saved documents to groups: the figures of a published gallery, of a downloaded report, or one plot.
//!
//! Values, ratios and references stay as they were written. What the runs of the same source give again is
//! left to them.

mod doubts;
mod draft;
mod paper;
mod series;

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{Group, Target, ids, order};
use crate::config::Config;
use crate::error::{Place, Problem, Problems};
use crate::evidence::SourceEvidence;

use paper::Paper;

/// The documents of a group, as positions in the plots of its source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Saved {
    /// Title of the feature for people, when a document has one.
    pub title: Option<String>,
    /// Presentation tags.
    pub tags: Vec<String>,
    /// The normalized figure of the complete history.
    pub main: Option<usize>,
    /// Its patch windows: minor series, or the label of the catalogue, and document.
    pub windows: Vec<(String, usize)>,
    /// Trajectories, in the order of the group's series.
    pub series: Vec<usize>,
    /// All other documents of the group.
    pub more: Vec<usize>,
}

impl Saved {
    /// Every document of the group, by its position: the main figure first, then windows, trajectories and the rest.
    pub fn documents(&self) -> impl Iterator<Item = usize> {
        let windows = self.windows.iter().map(|window| window.1);
        self.main.into_iter().chain(windows).chain(self.series.iter().chain(&self.more).copied())
    }
}

/// What became of the documents of a source.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) groups: Vec<Group>,
    /// Documents of no group.
    pub(super) loose: Vec<usize>,
    /// Documents that another document is equal to.
    pub(super) copies: Vec<usize>,
    /// Documents whose figures the runs give again.
    pub(super) repeated: Vec<usize>,
    pub(super) problems: Problems,
}

/// Makes groups of the saved documents of `evidence`; `measured` are the groups that its runs gave.
pub(super) fn groups(evidence: &SourceEvidence, config: &Config, measured: &[Group]) -> Found {
    let mut found = Found::default();
    if evidence.plots.is_empty() {
        return found;
    }
    let mut papers = Vec::with_capacity(evidence.plots.len());
    let again = Again::new(evidence, measured);
    let mut first: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut copies: Vec<(usize, usize)> = Vec::new();
    for paper in Paper::all(evidence) {
        let document = &paper.saved.document;
        let same = first.entry(&document.plot.id).or_default();
        if again.gives(document) {
            found.repeated.push(paper.at);
        } else if let Some(&other) = same.iter().find(|&&other| evidence.plots[other].document == *document) {
            copies.push((other, paper.at));
        } else {
            if let Some(&other) = same.first() {
                let message = format!(
                    "{} has the same id and other contents; both are shown",
                    evidence.plots[other].path
                );
                found
                    .problems
                    .push(Problem::warning(Place::file(&*paper.saved.path).field("plot.id"), message));
            }
            same.push(paper.at);
            papers.push(paper);
        }
    }
    for (original, copy) in copies {
        let message = format!("a copy of {}; it is not shown twice", evidence.plots[original].path);
        found.problems.push(Problem::note(Place::file(&*evidence.plots[copy].path), message));
        found.copies.push(copy);
    }
    let mut drafts = draft::drafts(&papers, &mut found.loose);
    draft::name_variants(&mut drafts, &papers, measured);
    let runs = evidence.runs.iter().enumerate().rev().map(|(at, run)| (run.run_id.as_str(), at)).collect();
    let mut checks: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for catalog in &evidence.catalogs {
        for check in &catalog.checks {
            checks.entry((catalog.path.as_str(), check.target.as_str())).or_default().push(check);
        }
    }
    let mut builder = series::Builder { config, runs, checks, problems: Problems::default() };
    found.groups = drafts.iter().filter_map(|draft| builder.build(draft, &papers)).collect();
    found.problems.extend(builder.problems);
    for draft in &drafts {
        doubts::tell(draft, &papers, &mut found.problems);
    }
    found.loose.sort_unstable();
    let asked = &config.normalize;
    if !found.groups.is_empty() && (asked.statistic.is_some() || asked.reference.is_some()) {
        let message = "saved figures keep the statistic and the reference that they were saved with";
        found.problems.push(Problem::note(Place::default(), message));
    }
    found
}

/// Which figures the runs of a source give.
struct Again<'a> {
    ids: BTreeSet<String>,
    runs: BTreeSet<&'a str>,
}

impl<'a> Again<'a> {
    fn new(evidence: &'a SourceEvidence, measured: &[Group]) -> Self {
        let mut given = BTreeSet::new();
        for group in measured {
            let package = group.package.as_deref().unwrap_or_default();
            let parts = [package, &group.feature, &group.workload, &group.base_key, &group.collector];
            if group.normalizable && !group.series.is_empty() {
                given.insert(ids::id("normalized_metrics", &parts));
            }
            for series in &group.series {
                let series = ids::series_id(group, series);
                for kind in ["version_series", "distribution", "version_delta"] {
                    given.insert(ids::id(kind, &[&series]));
                }
            }
            let pair = [package, &group.feature, &group.base_key];
            given.insert(ids::id("time_allocation_tradeoff", &pair));
            let with_collector = [pair[0], pair[1], pair[2], &group.collector];
            given.insert(ids::id("time_allocation_tradeoff", &with_collector));
        }
        let believed = evidence.runs.iter().filter(|run| !run.saved);
        Self { ids: given, runs: believed.map(|run| run.run_id.as_str()).collect() }
    }

    /// Whether the figure, or the history that it is a part of, is given by runs that it comes from itself.
    fn gives(&self, document: &crate::evidence::plot::PlotDocument) -> bool {
        let details = document.perfolio.iter();
        let runs = document.run_id.iter().chain(details.flat_map(|details| details.runs.values()));
        if self.ids.is_empty() || !runs.into_iter().all(|id| self.runs.contains(id.as_str())) {
            return false;
        }
        let id = &document.plot.id;
        let kind = document.plot.kind.len() + 1;
        // Kind, digest, and after a hyphen the part, statistic, reference or variant.
        let whole = id.get(kind..).map(|rest| kind + rest.find('-').unwrap_or(rest.len()));
        whole.and_then(|end| id.get(..end)).is_some_and(|whole| self.ids.contains(whole))
    }
}

/// Adds the targets of `groups` that a source names in no other place, in order.
pub(super) fn add_targets(targets: &mut Vec<Target>, groups: &[Group]) {
    let mut known: BTreeSet<_> = targets.iter().map(|target| target.label.clone()).collect();
    let before = targets.len();
    for target in groups.iter().filter(|group| group.saved.is_some()).flat_map(|group| &group.targets) {
        if known.insert(target.label.clone()) {
            targets.push(target.clone());
        }
    }
    if targets.len() > before {
        order::arrange(targets);
    }
}
