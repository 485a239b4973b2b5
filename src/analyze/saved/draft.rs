//! Which documents belong together.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{Group, ids};
use crate::evidence::Name;

use super::paper::Paper;

/// A group before its values are taken from its documents. All numbers are positions among the papers.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) package: Option<Name>,
    pub(super) feature: String,
    pub(super) workload: Option<Name>,
    pub(super) base_key: Option<Name>,
    pub(super) collector: Option<Name>,
    pub(super) folder: String,
    pub(super) variant: Option<String>,
    pub(super) main: Option<usize>,
    pub(super) windows: Vec<(String, usize)>,
    pub(super) series: Vec<usize>,
    pub(super) more: Vec<usize>,
    /// Ids of the series that the main document shows, by the rule of its writer.
    series_ids: BTreeSet<String>,
    /// Metric and unit of the rows of the main document.
    metrics: BTreeSet<(String, String)>,
}

impl Draft {
    fn new(paper: &Paper<'_>) -> Option<Self> {
        Some(Self {
            package: paper.package.clone(),
            feature: paper.feature.as_deref()?.to_owned(),
            workload: paper.workload.clone(),
            base_key: paper.base_key.clone(),
            collector: paper.collector.clone(),
            folder: paper.folder.to_owned(),
            ..Self::default()
        })
    }

    /// Every document of the draft, the main one first.
    pub(super) fn all(&self) -> impl Iterator<Item = usize> {
        let windows = self.windows.iter().map(|window| window.1);
        let rest = self.series.iter().chain(&self.more).copied();
        self.main.into_iter().chain(windows).chain(rest)
    }

    fn index(&mut self, paper: &Paper<'_>) {
        let (package, workload) = (self.package.as_deref().unwrap_or_default(), self.workload.as_deref());
        let (key, collector) = (self.base_key.as_deref(), self.collector.as_deref());
        for row in &paper.saved.document.plot.data {
            let text = |key: &str| row.get(key).and_then(serde_json::Value::as_str);
            let (Some(metric), Some(unit)) = (text("metric"), text("unit")) else { continue };
            if !self.metrics.insert((metric.to_owned(), unit.to_owned())) {
                continue;
            }
            let workload = workload.unwrap_or(&self.feature);
            let definition =
                collector.map_or_else(|| metric.to_owned(), |method| format!("{metric}/{method}"));
            let parts = [package, &self.feature, workload, metric, &definition, unit];
            self.series_ids.insert(ids::series_id_of(parts, key.unwrap_or_default()));
        }
    }
}

/// Kinds whose rows are parts of a profile, whatever collector timed the feature.
fn is_profile(kind: &str) -> bool {
    kind.starts_with("allocation_") || kind.ends_with("_flamegraph")
}

fn is_main(paper: &Paper<'_>) -> bool {
    paper.kind() == "normalized_metrics"
}

/// Sorts `papers` into groups; those that name no feature go to `loose`.
pub(super) fn drafts(papers: &[Paper<'_>], loose: &mut Vec<usize>) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = Vec::new();
    let mut of_main: BTreeMap<usize, usize> = BTreeMap::new();
    let owners = owners(papers);
    for (at, paper) in papers.iter().enumerate().filter(|(at, paper)| is_main(paper) && owners[*at].is_none())
    {
        let Some(mut draft) = Draft::new(paper) else {
            loose.push(paper.at);
            continue;
        };
        draft.main = Some(at);
        draft.index(paper);
        of_main.insert(at, drafts.len());
        drafts.push(draft);
    }
    for (at, owner) in owners.iter().enumerate() {
        let Some((main, window)) = owner else { continue };
        match (of_main.get(main), window) {
            (Some(&draft), Some(minor)) => drafts[draft].windows.push((minor.clone(), at)),
            (Some(&draft), None) => drafts[draft].more.push(at),
            (None, _) => loose.push(papers[at].at),
        }
    }
    // Trajectories first: they carry the names that the other kinds may lack.
    for trajectories in [true, false] {
        for (at, paper) in papers.iter().enumerate() {
            if is_main(paper) || (paper.kind() == "version_series") != trajectories {
                continue;
            }
            let known = place(&drafts, paper);
            let draft = known.unwrap_or(drafts.len());
            if known.is_none() {
                let Some(draft) = Draft::new(paper) else {
                    loose.push(paper.at);
                    continue;
                };
                drafts.push(draft);
            }
            let draft = &mut drafts[draft];
            // What a part of a history holds is in the whole as well.
            let whole = paper.details().is_none_or(|details| details.part.is_none());
            if trajectories && whole { draft.series.push(at) } else { draft.more.push(at) }
        }
    }
    for draft in &mut drafts {
        draft.windows.sort_by(|a, b| crate::text::natural::compare(&a.0, &b.0));
    }
    drafts
}

/// For each paper that is a part of another's history: that other, and the name of the patch window.
fn owners(papers: &[Paper<'_>]) -> Vec<Option<(usize, Option<String>)>> {
    let mut by_id: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut by_path: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, paper) in papers.iter().enumerate().filter(|(_, paper)| is_main(paper)) {
        by_id.entry((paper.folder, paper.id())).or_insert(at);
        by_path.insert(&paper.saved.path, at);
    }
    papers
        .iter()
        .enumerate()
        .map(|(at, paper)| {
            if !is_main(paper) {
                return None;
            }
            if let Some((label, whole)) = paper.window
                && let Some(&main) = whole.and_then(|path| by_path.get(path)).filter(|&&main| main != at)
            {
                return Some((main, Some(label.trim_end_matches(" patches").to_owned())));
            }
            // The longest id that this one continues after a hyphen.
            let id = paper.id();
            let mut ends = id.match_indices('-').map(|(end, _)| end).rev();
            let found = ends.find_map(|end| Some((end, *by_id.get(&(paper.folder, &id[..end]))?)));
            let (end, main) = found.filter(|&(_, main)| main != at)?;
            let minor = minor(&id[end + 1..]);
            let part = paper.details().is_some_and(|details| details.part.is_some());
            let scoped = paper.saved.document.reference_scope.is_some();
            (minor.is_some() || part || scoped).then_some((main, minor))
        })
        .collect()
}

/// `1.10`, when that is all that the text is.
pub(super) fn minor(text: &str) -> Option<String> {
    let (major, minor) = text.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(major) && digits(minor)).then(|| text.to_owned())
}

/// The draft that a document of another kind belongs to.
fn place(drafts: &[Draft], paper: &Paper<'_>) -> Option<usize> {
    let feature = paper.feature.as_deref()?;
    let of_feature =
        |draft: &&(usize, &Draft)| draft.1.package == paper.package && draft.1.feature == *feature;
    let all: Vec<(usize, &Draft)> = drafts.iter().enumerate().filter(|one| of_feature(&one)).collect();
    let near: Vec<(usize, &Draft)> = all.iter().filter(|one| one.1.folder == paper.folder).copied().collect();
    let all = if near.is_empty() { all } else { near };
    if is_profile(paper.kind()) {
        return all.first().map(|one| one.0);
    }
    let ids = ["series_id", "time_series_id", "allocation_series_id"];
    let ids: Vec<&str> = ids.into_iter().filter_map(|key| paper.option(key)).collect();
    if let Some(one) = all.iter().find(|one| ids.iter().any(|id| one.1.series_ids.contains(*id))) {
        return Some(one.0);
    }
    let agrees = |own: &Option<Name>, other: &Option<Name>| own.is_none() || other.is_none() || own == other;
    let fits: Vec<&(usize, &Draft)> = all
        .iter()
        .filter(|(_, draft)| {
            agrees(&paper.collector, &draft.collector)
                && agrees(&paper.base_key, &draft.base_key)
                && agrees(&paper.workload, &draft.workload)
        })
        .collect();
    let shown = paper.option("metric").zip(paper.option("unit"));
    let shows = |draft: &Draft| {
        shown.is_none_or(|(metric, unit)| draft.metrics.contains(&(metric.to_owned(), unit.to_owned())))
    };
    match fits.as_slice() {
        [] => None,
        [one] => Some(one.0),
        several => {
            let mut same = several.iter().filter(|one| shows(one.1));
            match (same.next(), same.next()) {
                (Some(one), None) => Some(one.0),
                // Nothing tells them apart: it stands by itself rather than under the wrong name.
                _ => several.iter().find(|one| one.1.main.is_none()).map(|one| one.0),
            }
        }
    }
}

/// Tells groups of one name apart by what differs: recorded variant, statistic, reference, folder; else by
/// number. A group beside one that runs gave is called saved.
pub(super) fn name_variants(drafts: &mut [Draft], papers: &[Paper<'_>], measured: &[Group]) {
    let name = |draft: &Draft| {
        let text = |name: &Option<Name>| name.as_deref().unwrap_or_default().to_owned();
        let workload = draft.workload.as_deref().unwrap_or(&draft.feature).to_owned();
        let key = text(&draft.base_key);
        (text(&draft.package), draft.feature.clone(), workload, key, text(&draft.collector))
    };
    let taken: BTreeSet<_> = measured
        .iter()
        .map(|group| {
            let package = group.package.as_deref().unwrap_or_default().to_owned();
            let (workload, key) = (group.workload.to_string(), group.base_key.to_string());
            (package, group.feature.to_string(), workload, key, group.collector.to_string())
        })
        .collect();
    let mut same: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, draft) in drafts.iter().enumerate() {
        same.entry(name(draft)).or_default().push(at);
    }
    for (name, members) in same {
        let paper = |at: usize| drafts[at].all().next().map(|paper| &papers[paper]);
        let recorded = |at: usize| paper(at).and_then(|paper| paper.details()?.variant.clone());
        let option = |at: usize, key: &str| paper(at).and_then(|paper| paper.option(key)).map(str::to_owned);
        let folder = |at: usize| drafts[at].folder.rsplit('/').next().unwrap_or_default().to_owned();
        let ways: [&dyn Fn(usize) -> Option<String>; 4] = [
            &recorded,
            &|at| option(at, "statistic"),
            &|at| option(at, "reference_version").map(|reference| format!("relative to {reference}")),
            &|at| Some(folder(at)).filter(|folder| !folder.is_empty()),
        ];
        let mut names: Vec<Option<String>> = members.iter().map(|&at| recorded(at)).collect();
        if members.len() > 1 {
            let distinct =
                |names: &[Option<String>]| names.iter().collect::<BTreeSet<_>>().len() == names.len();
            let told = ways
                .iter()
                .map(|way| members.iter().map(|&at| way(at)).collect::<Vec<_>>())
                .find(|names| distinct(names));
            names =
                told.unwrap_or_else(|| (1..=members.len()).map(|count| Some(count.to_string())).collect());
        } else if names[0].is_none() && taken.contains(&name) {
            names[0] = Some("saved".to_owned());
        }
        for (at, name) in members.into_iter().zip(names) {
            drafts[at].variant = name;
        }
    }
}
