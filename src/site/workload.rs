//! The page of one workload: tabs, cases, figures, dependencies, provenance.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::analyze::Group;
use crate::config::Config;
use crate::error::Result;
use crate::evidence::{Integrity, Run, RunState};
use crate::figure::{Chart, names, overview};
use crate::text::list;
use crate::theme::view::{self, Case, FigureBlock, Html, Link, Notice, Pager, Panel, Span, Tone};

use super::figures::{Packed, Ready};
use super::load::LoadedSource;
use super::plan::link;
use super::workloads::{Gallery, Workload};
use super::{dependencies, figures, provenance, saved};

/// Every figure of a workload, made ready, by its id.
pub(super) type Figures<'a> = BTreeMap<&'a str, Ready<'a>>;

/// Makes every figure of a workload ready.
///
/// # Errors
/// A figure cannot be drawn.
pub(super) fn figures(gallery: &Gallery, at: usize) -> Result<Figures<'_>> {
    let all: Vec<&Packed> =
        gallery.workloads[at].sets.iter().flat_map(|&set| gallery.sets[set].figures()).collect();
    all.into_par_iter().map(|packed| Ok((packed.id.as_str(), Ready::new(packed)?))).collect()
}

/// The page of a workload without its figures and without what all pages share; and the names of its cases.
pub(super) fn bare(
    source: &LoadedSource,
    gallery: &Gallery,
    at: usize,
    config: &Config,
) -> (view::Workload, Vec<String>) {
    let workload = &gallery.workloads[at];
    let labels = labels(source, gallery, workload, config);
    let view = view::Workload {
        page: view::Page::default(),
        title: workload.title.clone(),
        lede: workload.description.clone(),
        says: Vec::new(),
        notices: notices(source, gallery, workload),
        panels: Vec::new(),
        dependencies: dependencies::of_workload(source, gallery, workload),
        reports: None,
        no_capture: no_capture(source, gallery, workload),
        saved: saved::table(
            &workload.page,
            &source.evidence,
            workload.sets.iter().flat_map(|&set| &gallery.sets[set].listed),
        ),
        provenance: provenance::of_workload(source, gallery, workload, &labels),
        pager: pager(gallery, at),
    };
    (view, labels)
}

/// The features of a workload.
pub(super) fn features<'a>(
    source: &'a LoadedSource,
    gallery: &Gallery,
    workload: &Workload,
) -> BTreeSet<&'a str> {
    workload.sets.iter().map(|&set| &*source.series.groups[gallery.sets[set].group].feature).collect()
}

/// What a page says of profiles and reports, which it does not show.
fn no_capture(source: &LoadedSource, gallery: &Gallery, workload: &Workload) -> String {
    let features = features(source, gallery, workload);
    let evidence = &source.evidence;
    let of_this = |feature: Option<&str>| feature.is_some_and(|feature| features.contains(feature));
    let profiles = evidence.profiles.iter().filter(|one| {
        let same = one.workload.as_deref().is_some_and(|name| *name == *workload.name);
        same || of_this(one.feature.as_deref())
    });
    let reports = evidence.records.iter().filter(|one| of_this(one.feature.as_deref()));
    let mut there = Vec::new();
    for (count, one, many) in
        [(profiles.count(), "profile", "profiles"), (reports.count(), "report", "reports")]
    {
        if count > 0 {
            there.push(list::counted(count, one, many));
        }
    }
    if there.is_empty() {
        return "No profile, finding or native record of this workload is in the evidence.".to_owned();
    }
    let there = list::and(&there);
    format!(
        "The evidence holds {there} of this workload. `perfolio inspect` lists them; this page does not show them."
    )
}

/// Sets the figures of a page, and what is said about them.
///
/// # Errors
/// A figure cannot be read back.
pub(super) fn fill(
    view: &mut view::Workload,
    labels: &[String],
    source: &LoadedSource,
    gallery: &Gallery,
    at: usize,
    figures: &Figures<'_>,
    config: &Config,
) -> Result<()> {
    let workload = &gallery.workloads[at];
    let mut drawer = Drawer { page: &workload.page, source: &source.evidence.id, figures, drawn: 0 };
    view.says = standing(source, gallery, workload, figures, config)?;
    view.panels = panels(gallery, workload, labels, &mut drawer);
    Ok(())
}

/// Where the newest target stands against the newest release, in words.
fn standing(
    source: &LoadedSource,
    gallery: &Gallery,
    workload: &Workload,
    figures: &Figures<'_>,
    config: &Config,
) -> Result<Vec<Span>> {
    let main = super::gallery::main_figure(source, &gallery.sets, workload);
    let Some(ready) = main.and_then(|main| figures.get(main.id.as_str())) else {
        return Ok(Vec::new());
    };
    let overview = overview::overview(&[&ready.document], super::gallery::main_metric(config))?;
    let Some(card) = overview.cards.first().filter(|card| !card.at.is_empty()) else { return Ok(Vec::new()) };
    let detail = match card.detail.as_str() {
        "" | "no difference" => String::new(),
        detail => format!(" ({detail})"),
    };
    Ok(vec![
        Span::plain(format!("{} at {}: {}, ", names::raised(&card.metric_name), card.at, card.value)),
        Span { text: card.change.clone(), strong: card.strong },
        Span::plain(format!("{detail}.")),
    ])
}

/// Draws figures of a page with ids that do not clash.
struct Drawer<'a> {
    page: &'a str,
    source: &'a str,
    figures: &'a Figures<'a>,
    drawn: usize,
}

impl Drawer<'_> {
    fn block(&mut self, figure: &Packed) -> FigureBlock {
        self.draw(figure, &self.figures[figure.id.as_str()].chart)
    }

    /// A figure without its strips: the main figure above it on the page has them.
    fn bare(&mut self, figure: &Packed) -> FigureBlock {
        let mut chart = self.figures[figure.id.as_str()].chart.clone();
        chart.ribbons.clear();
        chart.package_counts.clear();
        self.draw(figure, &chart)
    }

    fn draw(&mut self, figure: &Packed, chart: &Chart) -> FigureBlock {
        self.drawn += 1;
        let table = figure.covered_by.as_deref().unwrap_or(&figure.id);
        let body = figures::block(self.page, self.source, table, chart, &format!("f{}", self.drawn));
        FigureBlock {
            id: figures::anchor(&figure.id),
            heading: chart.heading.clone(),
            body_html: Html(body),
            notes: Vec::new(),
        }
    }
}

fn panels(gallery: &Gallery, workload: &Workload, labels: &[String], drawer: &mut Drawer<'_>) -> Vec<Panel> {
    let mut history = Panel { id: "history".to_owned(), label: "History".to_owned(), ..Panel::default() };
    for (&set, label) in workload.sets.iter().zip(labels) {
        let set = &gallery.sets[set];
        let mut figures = Vec::new();
        if let Some(main) = &set.main {
            figures.push(drawer.block(main));
        }
        let mut series: Vec<_> = set.series.iter().map(|figure| drawer.bare(figure)).collect();
        // Without a normalized figure the trajectories are what there is to see.
        if figures.is_empty() {
            figures = std::mem::take(&mut series);
        }
        let mut case = case("history", set.group, label, figures);
        let own =
            if series.len() == 1 { "The metric in its own unit" } else { "Each metric in its own unit" };
        case.more.extend(further(own, series));
        for sort in &set.more {
            let figures = sort.figures.iter().map(|figure| drawer.bare(figure)).collect();
            // What would be alone on the page is not folded away.
            if case.figures.is_empty() && case.more.is_empty() {
                case.figures = figures;
            } else {
                case.more.extend(further(sort.heading, figures));
            }
        }
        history.cases.push(case);
    }
    let mut panels = vec![history];
    for window in windows(gallery, workload) {
        let mut panel = Panel {
            id: format!("patches-{}", window.replace('.', "-")),
            label: format!("{window} patches"),
            note: "Ratios keep the reference of the complete history.".to_owned(),
            cases: Vec::new(),
        };
        for (&set, label) in workload.sets.iter().zip(labels) {
            let set = &gallery.sets[set];
            for (_, figure) in set.windows.iter().filter(|(minor, _)| *minor == window) {
                let figures = vec![drawer.block(figure)];
                panel.cases.push(case(&panel.id, set.group, label, figures));
            }
        }
        panels.push(panel);
    }
    panels
}

/// A closed part of a case; none without figures.
fn further(heading: &str, figures: Vec<FigureBlock>) -> Option<view::Further> {
    let summary = match figures.len() {
        0 => return None,
        1 => heading.to_owned(),
        count => format!("{heading}, {count} figures"),
    };
    Some(view::Further { summary, figures })
}

fn case(panel: &str, group: usize, label: &str, figures: Vec<FigureBlock>) -> Case {
    Case {
        id: format!("{panel}-case-{group}"),
        key: format!("case-{group}"),
        label: label.to_owned(),
        description: String::new(),
        figures,
        ..Case::default()
    }
}

/// The minor series that any figure of the workload has a window for, in order.
fn windows(gallery: &Gallery, workload: &Workload) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (minor, _) in workload.sets.iter().flat_map(|&set| &gallery.sets[set].windows) {
        if !found.contains(minor) {
            found.push(minor.clone());
        }
    }
    found
}

/// What tells the cases of a workload apart: feature, collector and variant, as far as they differ.
fn labels(source: &LoadedSource, gallery: &Gallery, workload: &Workload, config: &Config) -> Vec<String> {
    let groups: Vec<&Group> =
        workload.sets.iter().map(|&set| &source.series.groups[gallery.sets[set].group]).collect();
    let collectors: BTreeSet<&str> = groups.iter().map(|group| &*group.collector).collect();
    let features: BTreeSet<&str> = groups.iter().map(|group| &*group.feature).collect();
    let keys: BTreeSet<&str> = groups.iter().map(|group| &*group.base_key).collect();
    let short: BTreeSet<&str> = groups.iter().map(|group| short_collector(&group.collector)).collect();
    groups
        .iter()
        .map(|group| {
            let mut parts = Vec::new();
            if collectors.len() > 1 || groups.len() == 1 {
                let collector = if short.len() == collectors.len() {
                    short_collector(&group.collector)
                } else {
                    &group.collector
                };
                parts.push(collector.to_owned());
            }
            if features.len() > 1 && collectors.len() < groups.len() {
                let title = config.feature(&group.feature).title;
                parts.push(match title {
                    Some(title) if title != workload.title => title,
                    _ => group.feature.to_string(),
                });
            }
            if keys.len() > 1 && collectors.len() < groups.len() && features.len() < groups.len() {
                parts.push(if group.base_key.is_empty() {
                    "no key".to_owned()
                } else {
                    group.base_key.to_string()
                });
            }
            parts.extend(group.variant.clone());
            if parts.is_empty() {
                parts.push(group.feature.to_string());
            }
            parts.join(", ")
        })
        .collect()
}

/// The collector without its method's version and state: `benchmarktools` of `benchmarktools-v1/fresh…`.
fn short_collector(collector: &str) -> &str {
    let method = collector.split('/').next().unwrap_or(collector);
    match method.rsplit_once("-v") {
        Some((name, version)) if !name.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit()) => {
            name
        }
        _ => method,
    }
}

/// What a reader must know before looking at a curve.
fn notices(source: &LoadedSource, gallery: &Gallery, workload: &Workload) -> Vec<Notice> {
    let runs = runs(source, gallery, workload);
    let mut notices = Vec::new();
    let mut notice = |text: String| notices.push(Notice { text, link: None, tone: Tone::Problem });
    for (state, word) in [(RunState::Failed, "failed"), (RunState::Partial, "is partial")] {
        let ids: Vec<&str> =
            runs.iter().filter(|run| run.state == state).map(|run| run.run_id.as_str()).collect();
        if !ids.is_empty() {
            notice(format!("Some values come from a run that {word}: {}.", list::and(&ids)));
        }
    }
    let reused: Vec<&str> = runs
        .iter()
        .filter(|run| run.evidence != "fresh" && !run.saved)
        .map(|run| run.run_id.as_str())
        .collect();
    if !reused.is_empty() {
        notice(format!("Some values were not measured afresh but reused: {}.", list::and(&reused)));
    }
    if runs.iter().any(|run| run.integrity == Integrity::Unverified && !run.saved) {
        notice("The evidence carries no digests, so its integrity could not be checked.".to_owned());
    }
    let groups = || workload.sets.iter().map(|&set| &source.series.groups[gallery.sets[set].group]);
    if groups().any(|group| group.saved.is_some()) {
        notice(format!(
            "These figures are saved documents, shown as they were written: {}.",
            super::facts::NO_SAMPLES
        ));
    }
    for group in groups() {
        for (former, from) in &group.joined {
            notice(format!("The history joins {former}, which was renamed at {from}."));
        }
    }
    notices
}

/// The runs that the figures of a workload come from, without repeats, in the order of the source.
pub(super) fn runs<'a>(source: &'a LoadedSource, gallery: &Gallery, workload: &Workload) -> Vec<&'a Run> {
    let groups = workload.sets.iter().map(|&set| &source.series.groups[gallery.sets[set].group]);
    provenance::runs(source, groups)
}

fn pager(gallery: &Gallery, at: usize) -> Pager {
    let page = &gallery.workloads[at].page;
    let to = |other: Option<&Workload>| {
        other.map(|other| Link { text: other.title.clone(), href: link(page, &other.page) })
    };
    Pager {
        all: Link { text: gallery.title.clone(), href: link(page, &gallery.page) },
        previous: to(at.checked_sub(1).and_then(|before| gallery.workloads.get(before))),
        next: to(gallery.workloads.get(at + 1)),
    }
}
