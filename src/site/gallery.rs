//! The page of one source: what was measured, the overview, the ratio matrix, runs and problems.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::config::Config;
use crate::draw;
use crate::error::{Problem, Problems, Result};
use crate::evidence::plot::PlotDocument;
use crate::evidence::{Run, SavedComparison, SavedPlot, TargetKind};
use crate::figure;
use crate::figure::matrix::{Cell, Matrix, NOT_A_TARGET};
use crate::figure::overview::{self, Brief, Card};
use crate::text::date::Date;
use crate::text::list;
use crate::text::number;
use crate::theme::view::{
    self, Fact, Flagged, Html, LegendStep, Link, MatrixCell, MatrixColumn, MatrixRow, Notice, Overview, Sort,
    Span, Tone,
};

use super::figures::Packed;
use super::load::LoadedSource;
use super::plan::link;
use super::workloads::{Gallery, Set, Workload};
use super::{availability, crowd, facts, overlay, problems, profile, saved};

/// The page of a source, without what all pages share.
///
/// # Errors
/// A figure cannot be drawn.
pub(super) fn page(source: &LoadedSource, gallery: &Gallery, found: &Problems) -> Result<view::Gallery> {
    let made = gallery.overview.as_ref();
    let all = found.sorted();
    let own: Vec<&Problem> = all
        .iter()
        .filter(|problem| problem.source.as_deref() == Some(source.evidence.id.as_str()))
        .copied()
        .collect();
    let overview = overview(gallery, &gallery.page);
    let matrices =
        made.map(|made| matrix(&made.overview.matrix, made, gallery)).into_iter().collect::<Vec<_>>();
    let runs = runs(source);
    let (count, availability) = availability::of(source, gallery).unzip();
    Ok(view::Gallery {
        page: view::Page::default(),
        count: count.unwrap_or_default(),
        overlays: overlay::view(source, gallery)?,
        availability,
        reports: None,
        title: gallery.title.clone(),
        lede: lede(source, gallery),
        facts: gallery.facts.clone(),
        notices: notices(&own),
        overview,
        empty: empty(source),
        matrices: matrices.into_iter().filter(|matrix| !matrix.rows.is_empty()).collect(),
        comparisons: comparisons(source),
        profiles: profile::list(gallery),
        saved: saved::table(&gallery.page, &source.evidence, gallery.apart()),
        runs_summary: list::counted(runs.len(), "run", "runs"),
        runs,
        problems_summary: sentence(&problems::summary(&own)),
        problems: own.iter().map(|problem| problems::row(problem)).collect(),
    })
}

/// What stands in place of the figures of a source that has no series.
fn empty(source: &LoadedSource) -> String {
    let evidence = &source.evidence;
    if evidence.plots.is_empty() && evidence.comparisons.is_empty() {
        "No series could be made from this source; the problems below say why.".to_owned()
    } else {
        "None of the saved documents of this source is a curve over targets; they are listed below."
            .to_owned()
    }
}

fn comparisons(source: &LoadedSource) -> Vec<view::Comparison> {
    let all = source.evidence.comparisons.iter().enumerate();
    all.map(|(at, one)| saved::comparison(at, one)).collect()
}

/// The overview of a source for any page; none when it has no series.
pub(super) fn overview(gallery: &Gallery, page: &str) -> Option<Overview> {
    gallery.overview.as_ref().map(|made| cards(made, gallery, page))
}

/// An overview with the workload that each of its cards is about.
#[derive(Debug)]
pub(super) struct Made {
    /// The overview.
    pub(super) overview: overview::Overview,
    /// Workload per card.
    pub(super) workloads: Vec<usize>,
}

/// One card per workload, made from the figure of its first case that has one. `briefs` has, by set, what is at
/// hand of its main figure.
///
/// # Errors
/// A figure cannot be read back.
pub(super) fn made(
    source: &LoadedSource,
    workloads: &[Workload],
    sets: &[Set],
    mut briefs: Vec<Option<Brief>>,
    config: &Config,
) -> Result<Option<Made>> {
    let (positions, figures): (Vec<usize>, Vec<(Option<Brief>, &Packed)>) = workloads
        .iter()
        .enumerate()
        .filter_map(|(at, workload)| {
            let set = main_set(source, sets, workload);
            let brief = set.and_then(|set| briefs[set].take());
            Some((at, (brief, figure_of(set, sets, workload)?)))
        })
        .unzip();
    if figures.is_empty() {
        return Ok(None);
    }
    let main = main_metric(config);
    let briefs = figures.into_par_iter().map(|(brief, packed)| match brief {
        Some(brief) => Ok(brief),
        None => Brief::of(&packed.open()?, main),
    });
    let overview = overview::of_briefs(briefs.collect::<Result<_>>()?);
    let workloads = overview.cards.iter().map(|card| positions[card.document]).collect();
    Ok(Some(Made { overview, workloads }))
}

/// A part of an overview.
pub(super) struct Part {
    /// The cards that show it.
    pub(super) overview: Overview,
    /// What the cards show: `Wall time by feature`, or the metric alone for one workload.
    pub(super) heading: String,
    /// Titles of workloads that have nothing of it.
    pub(super) without: Vec<String>,
}

/// The cards of some targets and of one metric; of one workload when `only` names it. Values and ratios are those
/// of the complete histories. None when no workload has anything of it.
///
/// # Errors
/// A figure cannot be read back.
pub(super) fn part(
    source: &LoadedSource,
    gallery: &Gallery,
    only: Option<usize>,
    (targets, metric): (Option<&[String]>, Option<&str>),
    config: &Config,
    page: &str,
) -> Result<Option<Part>> {
    let mut workloads = Vec::new();
    let mut documents = Vec::new();
    let mut without = Vec::new();
    for (at, workload) in gallery.workloads.iter().enumerate() {
        if only.is_some_and(|only| only != at) {
            continue;
        }
        match document(source, &gallery.sets, workload, targets, metric)? {
            Some(document) => {
                workloads.push(at);
                documents.push(document);
            }
            None => without.push(workload.title.clone()),
        }
    }
    if documents.is_empty() {
        return Ok(None);
    }
    let metric = metric.or_else(|| main_metric(config));
    let overview = overview::overview(&documents.iter().collect::<Vec<_>>(), metric)?;
    let heading = match (only, overview.cards.first()) {
        (Some(_), Some(card)) => crate::figure::names::raised(&card.metric_name),
        _ => overview.heading.clone(),
    };
    let workloads = overview.cards.iter().map(|card| workloads[card.document]).collect();
    let overview = cards(&Made { overview, workloads }, gallery, page);
    Ok(Some(Part { overview, heading, without }))
}

/// The figure that stands for a workload, cut to some targets; the first with the metric, when there is one.
fn document(
    source: &LoadedSource,
    sets: &[Set],
    workload: &Workload,
    targets: Option<&[String]>,
    metric: Option<&str>,
) -> Result<Option<PlotDocument>> {
    let others = || workload.sets.iter().flat_map(|&set| sets[set].main.iter().chain(&sets[set].series));
    for packed in main_figure(source, sets, workload).into_iter().chain(others()) {
        let mut document = packed.open()?;
        let has = match metric {
            Some(metric) => figure::metrics(&document, &[metric.to_owned()])?.is_some(),
            None => true,
        };
        if !has {
            continue;
        }
        if let Some(targets) = targets {
            if !figure::targets(&document)?.iter().any(|label| targets.contains(label)) {
                continue;
            }
            document = figure::only(&document, targets)?;
        }
        return Ok(Some(document));
    }
    Ok(None)
}

/// The metric that overviews show, when configured.
pub(super) fn main_metric(config: &Config) -> Option<&str> {
    config.metric.iter().find(|metric| metric.main).map(|metric| metric.id.as_str())
}

/// The figure that stands for a workload: normalized before trajectories, more measured targets first.
pub(super) fn main_figure<'a>(
    source: &LoadedSource,
    sets: &'a [Set],
    workload: &Workload,
) -> Option<&'a Packed> {
    let set = main_set(source, sets, workload);
    figure_of(set, sets, workload)
}

/// The main figure of a set, or the first trajectory of the workload where there is none.
fn figure_of<'a>(set: Option<usize>, sets: &'a [Set], workload: &Workload) -> Option<&'a Packed> {
    match set {
        Some(set) => sets[set].main.as_ref(),
        None => workload.sets.iter().find_map(|&set| sets[set].series.first()),
    }
}

/// The set whose main figure stands for a workload.
fn main_set(source: &LoadedSource, sets: &[Set], workload: &Workload) -> Option<usize> {
    let measured = |set: &usize| {
        let group = &source.series.groups[sets[*set].group];
        let newest =
            group.series.iter().flat_map(|series| series.points.iter().filter(|point| point.run.is_some()));
        newest.count()
    };
    let best = workload
        .sets
        .iter()
        .enumerate()
        .filter(|(_, set)| sets[**set].main.is_some())
        .max_by_key(|(at, set)| (measured(set), std::cmp::Reverse(*at)));
    best.map(|(_, set)| *set)
}

fn cards(made: &Made, gallery: &Gallery, page: &str) -> Overview {
    let all = &made.overview.cards;
    let shown = crowd::shown(all);
    let part = if shown.len() < all.len() { crowd::part(shown.len(), all.len()) } else { String::new() };
    let cards: Vec<view::Card> = shown
        .into_iter()
        .map(|at| self::card(&all[at], &gallery.workloads[made.workloads[at]], page))
        .collect();
    let tags: BTreeSet<String> = cards.iter().flat_map(|card| card.tags.iter().cloned()).collect();
    Overview {
        heading: made.overview.heading.clone(),
        says: made
            .overview
            .says
            .iter()
            .map(|piece| Span { text: piece.text.clone(), strong: piece.strong })
            .collect(),
        how_to_read: made.overview.how.clone(),
        part,
        all: crowd::all(gallery, page),
        cards,
        tags: tags.into_iter().collect(),
    }
}

fn card(card: &Card, workload: &Workload, page: &str) -> view::Card {
    view::Card {
        name: workload.title.clone(),
        href: link(page, &workload.page),
        what: workload.description.clone(),
        value: card.value.clone(),
        spark_html: card.spark.as_ref().map(|spark| Html(draw::svg::spark(spark))),
        change: card.change.clone(),
        strong: card.strong,
        detail: card.detail.clone(),
        note: String::new(),
        sort: Sort {
            change: card.size.exp().min(f64::MAX).to_string(),
            value: card.order.map(|order| order.to_string()).unwrap_or_default(),
        },
        tags: workload.tags.clone(),
    }
}

fn matrix(matrix: &Matrix, made: &Made, gallery: &Gallery) -> view::Matrix {
    let cell = |cell: &Cell| MatrixCell {
        text: cell.text.clone(),
        class: cell.step.map_or_else(|| "hole".to_owned(), |step| format!("h{step}")),
        // Said once for all such cells: there may be thousands.
        reason: cell.reason.clone().filter(|reason| reason != NOT_A_TARGET).unwrap_or_default(),
    };
    let part = if matrix.columns.len() == matrix.targets {
        String::new()
    } else {
        format!(
            " The newest {} of {} targets; the pages of the features have all.",
            matrix.columns.len(),
            number::whole(matrix.targets as i128)
        )
    };
    let cut = crowd::cuts(matrix);
    let mut rows: Vec<usize> = (0..matrix.rows.len()).collect();
    let mut says = String::new();
    if cut {
        // Rows of what changed most, in their order.
        let most = crowd::rows(matrix.columns.len());
        let size =
            |row: &usize| made.overview.cards.get(matrix.rows[*row].card).map_or(0.0, |card| card.size);
        rows.sort_by(|a, b| size(b).total_cmp(&size(a)));
        rows.truncate(most);
        rows.sort_unstable();
        says = crowd::part(most, matrix.rows.len());
    }
    let csv = cut.then(|| Link {
        text: "CSV of all ratios".to_owned(),
        href: link(&gallery.page, &crowd::ratios(gallery)),
    });
    view::Matrix {
        part: format!("{says}{part}").trim().to_owned(),
        csv,
        id: "ratios".to_owned(),
        heading: matrix.heading.clone(),
        caption: format!(
            "{}, per feature and target; a cell without a ratio says why.{part}",
            matrix.heading
        ),
        corner: "feature".to_owned(),
        columns: matrix
            .columns
            .iter()
            .map(|column| MatrixColumn {
                label: column.label.clone(),
                date: column.date.as_deref().and_then(Date::parse).map(Date::year_month).unwrap_or_default(),
            })
            .collect(),
        rows: rows
            .into_iter()
            .map(|row| {
                let row = &matrix.rows[row];
                let workload = &gallery.workloads[made.workloads[row.card]];
                MatrixRow {
                    label: row.title.clone(),
                    href: link(&gallery.page, &workload.page),
                    cells: row.cells.iter().map(cell).collect(),
                }
            })
            .collect(),
        legend: matrix
            .legend
            .iter()
            .enumerate()
            .map(|(step, text)| LegendStep { text: text.clone(), class: format!("h{step}") })
            .collect(),
    }
}

/// What was measured, in one sentence: the author's, or one computed from the evidence.
pub(super) fn lede(source: &LoadedSource, gallery: &Gallery) -> String {
    if let Some(text) = &source.description {
        return text.clone();
    }
    let targets = &source.series.targets;
    let (Some(first), Some(last)) = (targets.first(), targets.last()) else { return String::new() };
    let noun = if targets.iter().all(|target| target.kind == TargetKind::Release) {
        ("release", "releases")
    } else {
        ("target", "targets")
    };
    let dated = |target: &crate::analyze::Target| match target.date.as_deref().and_then(Date::parse) {
        Some(date) => format!("{} ({})", target.label, date.month_year()),
        None => target.label.to_string(),
    };
    let workloads = list::counted(gallery.workloads.len(), "workload", "workloads");
    if targets.len() == 1 {
        return format!("{workloads} measured at {}.", dated(first));
    }
    format!(
        "{workloads} measured at {}, {} to {}.",
        list::counted(targets.len(), noun.0, noun.1),
        dated(first),
        dated(last)
    )
}

/// The facts of a source on the front page.
pub(super) fn entry_facts(source: &LoadedSource, gallery: &Gallery) -> Vec<Fact> {
    let told = gallery.facts.iter().filter(|fact| fact.label == "State" || fact.label == "Integrity");
    let mut all: Vec<Fact> = told.cloned().collect();
    let count = |number: usize| number::whole(number as i128);
    all.push(facts::fact("Workloads", &count(gallery.workloads.len()), Tone::Plain));
    all.push(facts::fact("Targets", &count(source.series.targets.len()), Tone::Plain));
    all
}

fn notices(own: &[&Problem]) -> Vec<Notice> {
    if !problems::alarming(own) {
        return Vec::new();
    }
    vec![Notice {
        text: format!("Part of this evidence was refused: {}.", problems::summary(own)),
        link: Some(view::Link { text: "See the problems".to_owned(), href: "#problems".to_owned() }),
        tone: Tone::Problem,
    }]
}

/// Every run, newest first; superseded ones say by which.
fn runs(source: &LoadedSource) -> Vec<view::Run> {
    let mut all: Vec<(usize, &Run)> = source.evidence.runs.iter().enumerate().collect();
    all.sort_by(|(_, a), (_, b)| b.finished_at.cmp(&a.finished_at).then_with(|| a.path.cmp(&b.path)));
    all.into_iter()
        .map(|(at, run)| view::Run {
            id: format!("run-{at}"),
            run_id: run.run_id.clone(),
            what: if run.saved { figures_of(source, run) } else { what(run) },
            state: facts::run_state(run),
            integrity: Flagged {
                text: if run.saved { facts::NO_SAMPLES } else { run.integrity.word() }.to_owned(),
                tone: facts::integrity_tone(run.integrity),
            },
            date: facts::date(run).unwrap_or_default().to_owned(),
            runtime: facts::runtime(run).unwrap_or_default(),
            os: facts::os(run).unwrap_or_default(),
            path: run.path.clone(),
            note: match source.series.superseded_by.get(at) {
                Some(Some(newer)) => format!("superseded by {newer}"),
                _ => String::new(),
            },
        })
        .collect()
}

/// How many saved figures come from a run.
fn figures_of(source: &LoadedSource, run: &Run) -> String {
    let of_run = |plot: &&SavedPlot| {
        let details = plot.document.perfolio.iter();
        let mut ids = plot.document.run_id.iter().chain(details.flat_map(|details| details.runs.values()));
        ids.any(|id| *id == run.run_id)
    };
    let count = source.evidence.plots.iter().filter(of_run).count();
    let compared = |one: &&SavedComparison| one.run_ids.contains(&run.run_id);
    match source.evidence.comparisons.iter().filter(compared).count() {
        compared if compared > 0 && count == 0 => list::counted(compared, "comparison", "comparisons"),
        _ => list::counted(count, "saved figure", "saved figures"),
    }
}

/// What a run measured: its features, or how many, and at how many targets.
fn what(run: &Run) -> String {
    let features: BTreeSet<&str> = run.groups.iter().map(|group| &*group.key.feature).collect();
    let targets: BTreeSet<&str> = run.groups.iter().map(|group| &*group.key.target).collect();
    if features.is_empty() {
        return "nothing".to_owned();
    }
    let named = match features.len() {
        1 | 2 => list::and(&features.into_iter().collect::<Vec<_>>()),
        more => list::counted(more, "feature", "features"),
    };
    format!("{named}, {}", list::counted(targets.len(), "target", "targets"))
}

fn sentence(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!("{words}.") }
}
