//! Answers what content pages ask for: blocks, claims, other pages, files beside them.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{self, Group, Reference, Series, Statistic};
use crate::config::{Config, nearest};
use crate::content::block::{FigureBlock, ProfileBlock};
use crate::content::claim::As;
use crate::content::claim::address::encode;
use crate::content::{self, Address, Block, ClaimEvidence, ClaimFailure, FrontMatter};
use crate::error::Error;
use crate::evidence::Number;
use crate::evidence::plot::PlotDocument;
use crate::figure;
use crate::theme::Theme;
use crate::theme::view::ReportList;

use super::embed::{self, Shown};
use super::embed_profile;
use super::figures;
use super::figures::Packed;
use super::load::{Loaded, LoadedSource};
use super::originals::Published;
use super::plan::{folder, link};
use super::reports::{Reports, block};
use super::workloads::{Gallery, Set, Workload};

/// What all content pages share.
pub(super) struct Shelf<'a> {
    pub(super) loaded: &'a Loaded,
    pub(super) galleries: &'a [Gallery],
    pub(super) reports: &'a [Reports],
    /// Original files that are published, by source: path below the source, path below the site.
    pub(super) originals: &'a BTreeMap<String, Published>,
    pub(super) config: &'a Config,
    pub(super) theme: &'a Theme,
    /// Path below `content/` → path of the page.
    pub(super) pages: BTreeMap<String, String>,
    /// Paths below `content/` of files that are not pages.
    pub(super) files: BTreeSet<String>,
}

/// What one page asked for beyond what the site has anyway.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Source id and document of figures that only this page has, such as a range.
    pub(super) figures: BTreeMap<String, (String, Packed)>,
    /// Figures that stand on this page, as paths of their files without the ending.
    pub(super) drawn: BTreeSet<String>,
    /// Files beside the pages.
    pub(super) files: BTreeSet<String>,
    /// Whether the page embeds a gallery.
    pub(super) gallery: bool,
}

/// Answers the questions of one page.
pub(super) struct Resolver<'a> {
    shelf: &'a Shelf<'a>,
    page: &'a str,
    front: &'a FrontMatter,
    drawn: Cell<usize>,
    asked: RefCell<Asked>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(shelf: &'a Shelf<'a>, page: &'a str, front: &'a FrontMatter) -> Self {
        Self { shelf, page, front, drawn: Cell::new(0), asked: RefCell::default() }
    }

    /// What the page asked for.
    pub(super) fn into_asked(self) -> Asked {
        self.asked.into_inner()
    }

    fn gallery(&self, source: &str) -> Result<(&'a LoadedSource, &'a Gallery), String> {
        let found = self
            .shelf
            .galleries
            .iter()
            .map(|gallery| (&self.shelf.loaded.sources[gallery.source], gallery))
            .find(|(loaded, _)| loaded.evidence.id == source);
        found.ok_or_else(|| {
            let known = self.shelf.loaded.sources.iter().map(|one| one.evidence.id.as_str());
            nearest::unknown(("source", "sources"), source, known)
        })
    }

    fn figure(&self, block: &FigureBlock, level: u8) -> Result<String, String> {
        let (source, gallery) = self.gallery(&block.source)?;
        let (document, extra) = match (&block.feature, block.features.as_slice()) {
            (Some(feature), []) | (None, [feature]) => {
                let set = only_set(block, source, gallery, feature)?;
                (single(block, set, &source.series.groups[set.group])?, false)
            }
            (None, []) => return Err("the block names no `feature`".to_owned()),
            (None, _) => (self.overlay(block, source, gallery)?, true),
            (Some(_), _) => return Err("the block names both `feature` and `features`".to_owned()),
        };
        let whole = document.plot.id.clone();
        let (from, to) = self.ends(block, source, &document)?;
        let document = figure::range(&document, from.as_deref(), to.as_deref()).map_err(said)?;
        let base = figures::base(&source.evidence.id, &document.plot.id);
        self.asked.borrow_mut().drawn.insert(base.clone());
        if extra || document.plot.id != whole {
            let packed = Packed::new(&document).map_err(said)?;
            self.asked.borrow_mut().figures.insert(base, (source.evidence.id.clone(), packed));
        }
        let mut chart = figure::chart(&document).map_err(said)?;
        if !block.metrics.is_empty() {
            for metric in &block.metrics {
                if !chart.lines.iter().any(|line| line.key == *metric) {
                    let known = chart.lines.iter().map(|line| line.key.as_str());
                    return Err(nearest::unknown(("metric", "metrics of the figure"), metric, known));
                }
            }
            for line in &mut chart.lines {
                line.shown = block.metrics.contains(&line.key);
            }
        }
        self.drawn.set(self.drawn.get() + 1);
        let prefix = format!("f{}", self.drawn.get());
        let mut known = gallery.sets.iter().flat_map(Set::figures);
        let table =
            known.find(|figure| figure.id == document.plot.id).and_then(|one| one.covered_by.as_deref());
        let table = table.unwrap_or(&document.plot.id);
        let body = figures::block(self.page, &source.evidence.id, table, &chart, &prefix);
        Ok(embed::figure(&figures::anchor(&document.plot.id), &chart.heading, &body, level))
    }

    fn profile(&self, block: &ProfileBlock, level: u8) -> Result<String, String> {
        let (source, gallery) = self.gallery(&block.source)?;
        let shown = embed_profile::find(block, source, gallery)?;
        let chart = embed_profile::chart(shown).map_err(said)?;
        self.drawn.set(self.drawn.get() + 1);
        let prefix = format!("f{}", self.drawn.get());
        let id = &source.evidence.id;
        let files = shown.downloads(id);
        let body = figures::block_with(self.page, id, &shown.figure.id, &chart, &prefix, &files);
        Ok(embed::figure(&figures::anchor(&shown.figure.id), &chart.heading, &body, level))
    }

    /// First and last target of a figure: those of its block, else those of the page, which may be targets that
    /// the figure does not have.
    fn ends(
        &self,
        block: &FigureBlock,
        source: &LoadedSource,
        document: &PlotDocument,
    ) -> Result<(Option<String>, Option<String>), String> {
        let own = (block.from.clone(), block.to.clone());
        let from = self.front.from.as_deref().filter(|_| own.0.is_none());
        let to = self.front.to.as_deref().filter(|_| own.1.is_none());
        let Some(inside) = span(source, from, to)? else { return Ok(own) };
        let mut targets = figure::targets(document).map_err(said)?;
        targets.retain(|label| inside.contains(label));
        let (Some(first), Some(last)) = (targets.first(), targets.last()) else {
            return Err("the figure has none of the targets that the page shows".to_owned());
        };
        Ok((own.0.or_else(|| from.map(|_| first.clone())), own.1.or_else(|| to.map(|_| last.clone()))))
    }

    /// What a block shows of a gallery.
    fn shown<'b>(
        &self,
        source: &LoadedSource,
        (from, to): (Option<&str>, Option<&str>),
        metrics: &'b [String],
    ) -> Result<Shown<'b>, String> {
        let groups = || source.series.groups.iter();
        let known: BTreeSet<&str> =
            groups().flat_map(|group| &group.series).map(|series| &*series.definition.metric).collect();
        if let Some(metric) = metrics.iter().find(|metric| !known.contains(metric.as_str())) {
            return Err(nearest::unknown(("metric", "metrics"), metric, known.iter().copied()));
        }
        let from = from.or(self.front.from.as_deref());
        let to = to.or(self.front.to.as_deref());
        let targets = span(source, from, to)?;
        let words = targets.as_deref().map_or_else(String::new, |targets| {
            let all = &source.series.targets;
            let noun = figure::names::targets(all.iter().map(|target| target.kind.word()));
            let count = figure::names::count(all.len(), noun);
            match targets {
                [only] => format!("{only}, 1 of {count}"),
                [first, .., last] => format!("{first} to {last}, {} of {count}", targets.len()),
                [] => String::new(),
            }
        });
        Ok(Shown { targets, metrics, words })
    }

    /// One metric of several features.
    fn overlay(
        &self,
        block: &FigureBlock,
        source: &LoadedSource,
        gallery: &Gallery,
    ) -> Result<PlotDocument, String> {
        if !matches!(block.kind.as_str(), "normalized_metrics" | figure::overlay::KIND) {
            return Err(format!("a figure of kind `{}` shows one `feature`", block.kind));
        }
        if !block.metrics.is_empty() {
            return Err(
                "`metrics` is for figures of one feature; several features share one `metric`".to_owned()
            );
        }
        let groups: Vec<&Group> = block
            .features
            .iter()
            .map(|feature| Ok(&source.series.groups[only_set(block, source, gallery, feature)?.group]))
            .collect::<Result<_, String>>()?;
        let context = figure::Context::new(&source.evidence, self.shelf.config);
        figure::overlay::document(&context, &groups, block.metric.as_deref()).map_err(said)
    }
}

impl content::Resolver for Resolver<'_> {
    fn block(&self, block: &Block, level: u8) -> Result<String, String> {
        match block {
            Block::Gallery(block) => {
                let found = self.gallery(&block.source)?;
                let ends = (block.from.as_deref(), block.to.as_deref());
                let shown = self.shown(found.0, ends, &block.metrics)?;
                self.asked.borrow_mut().gallery = true;
                embed::gallery(self.shelf, found, &shown, (self.page, level)).map_err(said)
            }
            Block::Workload(block) => {
                let found = self.gallery(&block.source)?;
                let workloads = &found.1.workloads;
                let wanted = |one: &Workload| *one.name == *block.workload || one.title == block.workload;
                let at = workloads.iter().position(wanted).ok_or_else(|| {
                    let known = workloads.iter().map(|one| &*one.name);
                    nearest::unknown(("workload", "workloads"), &block.workload, known)
                })?;
                let ends = (block.from.as_deref(), block.to.as_deref());
                let shown = self.shown(found.0, ends, &block.metrics)?;
                embed::workload(self.shelf, found, at, &shown, (self.page, level)).map_err(said)
            }
            Block::Figure(block) => self.figure(block, level),
            Block::Findings(block) => {
                let (source, gallery) = self.gallery(&block.source)?;
                let found = (self.reports(gallery), source);
                self.list(&block::findings(block, found, self.page, &embed::level(level))?)
            }
            Block::Records(block) => {
                let (source, gallery) = self.gallery(&block.source)?;
                self.list(&block::records(block, (self.reports(gallery), source), self.page)?)
            }
            Block::Manifest(block) => {
                let (source, _) = self.gallery(&block.source)?;
                self.list(&block::manifest(block, source)?)
            }
            Block::Downloads(block) => {
                let found = self.gallery(&block.source)?;
                let originals = self.shelf.originals.get(&block.source);
                self.list(&block::downloads(block, found, originals, self.page)?)
            }
            Block::Profile(block) => self.profile(block, level),
        }
    }

    fn claim(&self, address: &Address) -> Result<ClaimEvidence, ClaimFailure> {
        let failure = |reason: String| ClaimFailure { reason, candidates: Vec::new() };
        let (source, gallery) = self.gallery(&address.source).map_err(failure)?;
        let found = matching(source, address);
        let (at, series) = match found.as_slice() {
            [] => return Err(failure(nothing(source, address))),
            [one] => *one,
            several => {
                return Err(ClaimFailure {
                    reason: "several series fit".to_owned(),
                    candidates: several.iter().map(|(at, _)| option(&source.series.groups[*at])).collect(),
                });
            }
        };
        let group = &source.series.groups[at];
        let Some(target) = group.targets.iter().position(|target| *target.label == *address.target) else {
            let known = group.targets.iter().map(|target| &*target.label);
            return Err(failure(nearest::unknown(("target", "targets"), &address.target, known)));
        };
        let configured = self.shelf.config.normalize.statistic.as_deref();
        let statistic = address.statistic.as_deref().or(configured);
        let statistic = statistic.and_then(Statistic::parse).unwrap_or_default();
        let reference =
            self.shelf.config.normalize.reference.as_deref().map(Reference::parse).unwrap_or_default();
        let normalized = analyze::normalize::normalize(group, series, statistic, &reference);
        let cell = normalized.cells[target];
        if normalized.statistic != statistic.word() && !series.summed {
            return Err(failure(format!(
                "only the {} is saved, not the {}",
                normalized.statistic,
                statistic.word()
            )));
        }
        let reason = || {
            let reason =
                series.points[target].reason.as_deref().or(cell.reason).unwrap_or("there is no value");
            failure(format!("{} has no such number: {reason}", address.target))
        };
        let (value, unit) = match address.number {
            As::Value => (cell.value, series.definition.unit.to_string()),
            As::Ratio => (cell.ratio.and_then(Number::finite), "×".to_owned()),
        };
        let samples = series.points[target].summary.as_ref().map_or(0, |summary| summary.n);
        Ok(ClaimEvidence {
            value: value.ok_or_else(reason)?,
            unit,
            href: self.point(gallery, at, address),
            description: format!(
                "{} of {samples} {}, {}",
                normalized.statistic,
                if samples == 1 { "sample" } else { "samples" },
                address.target
            ),
        })
    }

    fn page(&self, from: &str, target: &str) -> Option<String> {
        if let Some(page) = self.shelf.pages.get(&beside(from, target)?) {
            return Some(link(self.page, page));
        }
        let path = target.trim_start_matches('/');
        let planned = self
            .shelf
            .galleries
            .iter()
            .flat_map(|gallery| {
                std::iter::once(&gallery.page).chain(gallery.workloads.iter().map(|workload| &workload.page))
            })
            .map(String::as_str)
            .chain(self.shelf.reports.iter().flat_map(Reports::listed))
            .find(|page| *page == path || folder(page) == path.trim_end_matches('/'));
        planned.map(|page| link(self.page, page))
    }

    fn file(&self, from: &str, target: &str) -> Option<String> {
        let path = beside(from, target)?;
        if !self.shelf.files.contains(&path) {
            return None;
        }
        self.asked.borrow_mut().files.insert(path.clone());
        Some(link(self.page, &path))
    }
}

impl Resolver<'_> {
    /// The reports of the source of a gallery.
    fn reports(&self, gallery: &Gallery) -> Option<&Reports> {
        self.shelf.reports.iter().find(|one| one.source == gallery.source)
    }

    /// What a block lists, as a part of the page.
    fn list(&self, list: &ReportList) -> Result<String, String> {
        self.shelf.theme.render(list).map_err(said)
    }

    /// The address of a point in its figure: the fragment that figures understand.
    fn point(&self, gallery: &Gallery, group: usize, address: &Address) -> String {
        let set = gallery.sets.iter().position(|set| set.group == group);
        let workload =
            gallery.workloads.iter().find(|workload| set.is_some_and(|set| workload.sets.contains(&set)));
        let page = workload.map_or(&gallery.page, |workload| &workload.page);
        let found =
            set.map(|set| &gallery.sets[set]).and_then(|set| set.main.as_ref().or(set.series.first()));
        let figure = found.map_or("", |figure| figure.id.as_str());
        format!(
            "{}#fig={}&m={}&p={}",
            link(self.page, page),
            encode(figure),
            encode(&address.metric),
            encode(&address.target)
        )
    }
}

/// The targets of a source from one to another; none when neither is given.
fn span(source: &LoadedSource, from: Option<&str>, to: Option<&str>) -> Result<Option<Vec<String>>, String> {
    if from.is_none() && to.is_none() {
        return Ok(None);
    }
    let labels: Vec<&str> = source.series.targets.iter().map(|target| &*target.label).collect();
    let span = figure::span(&labels, from, to, "source").map_err(said)?;
    Ok(Some(labels[span].iter().map(|&label| label.to_owned()).collect()))
}

/// The figures of the only group that fits.
fn only_set<'g>(
    block: &FigureBlock,
    source: &LoadedSource,
    gallery: &'g Gallery,
    feature: &str,
) -> Result<&'g Set, String> {
    let fits = |group: &Group| {
        *group.feature == *feature
            && block.collector.as_deref().is_none_or(|collector| *group.collector == *collector)
            && block.variant.as_ref().is_none_or(|variant| group.variant.as_ref() == Some(variant))
    };
    let sets: Vec<_> = gallery.sets.iter().filter(|set| fits(&source.series.groups[set.group])).collect();
    match sets.as_slice() {
        [] => Err(missing_feature(source, feature)),
        [set] => Ok(*set),
        several => {
            let choices: Vec<String> = several
                .iter()
                .map(|set| &source.series.groups[set.group])
                .map(|group| match &group.variant {
                    Some(variant) => format!("collector {} with variant {variant}", group.collector),
                    None => format!("collector {}", group.collector),
                })
                .collect();
            Err(format!("several figures show `{feature}`; add one of: {}", choices.join("; ")))
        }
    }
}

/// The figure of one feature.
fn single(block: &FigureBlock, set: &Set, group: &Group) -> Result<PlotDocument, String> {
    match block.kind.as_str() {
        "normalized_metrics" => {
            let main = set.main.as_ref().ok_or("this feature has no normalized figure")?;
            main.open().map_err(said)
        }
        "version_series" => {
            let Some(metric) = &block.metric else {
                return Err("a version_series figure needs a `metric`".to_owned());
            };
            for figure in &set.series {
                let document = figure.open().map_err(said)?;
                let shown = document.plot.options.get("metric").and_then(|shown| shown.as_str());
                if shown == Some(metric.as_str()) {
                    return Ok(document);
                }
            }
            let known = group.series.iter().map(|series| &*series.definition.metric);
            Err(nearest::unknown(("metric", "metrics of the feature"), metric, known))
        }
        figure::overlay::KIND => Err("an overlay needs several `features`".to_owned()),
        kind if figure::is_alone(kind) => {
            Err(format!("figures of kind `{kind}` show a profile; write a `profile` block for them"))
        }
        kind if set.more.iter().any(|further| further.kind == kind) => further(block, set),
        other => Err(format!(
            "figures of kind `{other}` cannot be drawn; known: {}",
            figure::drawable().collect::<Vec<_>>().join(", ")
        )),
    }
}

/// A further figure of a feature: the only one of its kind, or the one of the block's metric.
fn further(block: &FigureBlock, set: &Set) -> Result<PlotDocument, String> {
    let figures = set.more.iter().filter(|further| further.kind == block.kind);
    let documents = figures
        .flat_map(|further| &further.figures)
        .map(|packed| packed.open().map_err(said))
        .collect::<Result<Vec<_>, String>>()?;
    let metric = |document: &PlotDocument| {
        document.plot.options.get("metric").and_then(|metric| metric.as_str()).map(str::to_owned)
    };
    match &block.metric {
        Some(wanted) => {
            let known: Vec<String> = documents.iter().filter_map(metric).collect();
            documents.into_iter().find(|document| metric(document).as_ref() == Some(wanted)).ok_or_else(
                || {
                    let many = format!("metrics with a {} figure", block.kind);
                    nearest::unknown(("metric", &many), wanted, known.iter().map(String::as_str))
                },
            )
        }
        None if documents.len() > 1 => Err(format!("a {} figure needs a `metric`", block.kind)),
        None => documents.into_iter().next().ok_or_else(|| format!("there is no {} figure", block.kind)),
    }
}

/// Groups and series that an address fits.
fn matching<'a>(source: &'a LoadedSource, address: &Address) -> Vec<(usize, &'a Series)> {
    let of_run = |series: &Series| {
        address.run.as_ref().is_none_or(|id| {
            let from = |run: usize| source.evidence.runs[run].run_id == *id;
            series.points.iter().any(|point| point.run.is_some_and(from))
        })
    };
    source
        .series
        .groups
        .iter()
        .enumerate()
        .filter(|(_, group)| *group.feature == *address.feature)
        .filter(|(_, group)| address.collector.as_deref().is_none_or(|wanted| *group.collector == *wanted))
        .flat_map(|(at, group)| group.series.iter().map(move |series| (at, series)))
        .filter(|(_, series)| *series.definition.metric == *address.metric && of_run(series))
        .collect()
}

fn nothing(source: &LoadedSource, address: &Address) -> String {
    let of_feature = |group: &&Group| *group.feature == *address.feature;
    if !source.series.groups.iter().any(|group| of_feature(&group)) {
        return missing_feature(source, &address.feature);
    }
    let metrics: BTreeSet<&str> = source
        .series
        .groups
        .iter()
        .filter(of_feature)
        .flat_map(|group| group.series.iter().map(|series| &*series.definition.metric))
        .collect();
    format!(
        "no series fits; the feature `{}` has the metrics {}",
        address.feature,
        metrics.into_iter().collect::<Vec<_>>().join(", ")
    )
}

fn missing_feature(source: &LoadedSource, feature: &str) -> String {
    let known: BTreeSet<&str> = source.series.groups.iter().map(|group| &*group.feature).collect();
    nearest::unknown(("feature", "features"), feature, known.iter().copied())
}

/// The option that tells a group apart in an address.
fn option(group: &Group) -> String {
    match &group.variant {
        Some(variant) => format!("collector={} ({variant}; name its run)", encode(&group.collector)),
        None => format!("collector={}", encode(&group.collector)),
    }
}

/// `target` as seen from the page `from`, both below `content/`; none when it leaves the folder.
fn beside(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = match target.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => from.rsplit_once('/').map_or(Vec::new(), |(folder, _)| folder.split('/').collect()),
    };
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn said(error: Error) -> String {
    match error.hints.first() {
        Some(hint) => format!("{}; {hint}", error.message),
        None => error.message,
    }
}
