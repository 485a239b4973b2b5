//! `perfolio export`: the figures of a source as files, without a site.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use rayon::prelude::*;

use crate::config::{Config, glob, nearest};
use crate::draw;
use crate::error::{Error, Result};
use crate::evidence::plot::PlotDocument;
use crate::figure;
use crate::io::{FolderSink, Sink};
use crate::site::{
    self,
    load::{self, Loaded},
};
use crate::text::slug;
use crate::theme::Theme;

use super::args::{Export, Format};
use super::terminal::{Terminal, count, printable};

/// How many figures are drawn before their bytes are handed on.
const BATCH: usize = 64;

/// Files by path.
type Files = Vec<(String, Vec<u8>)>;

/// A figure that was asked for, and where it goes.
struct Wanted {
    base: String,
    feature: String,
    workload: String,
    document: PlotDocument,
}

pub(super) fn run(args: &Export, terminal: &Terminal) -> Result<u8> {
    if args.plotly && !args.format.contains(&Format::Html) {
        return Err(Error::usage("--plotly makes HTML files, but --format leaves them out")
            .hint("add html to --format, or leave --format out"));
    }
    let config = super::normalized(Config::default(), &args.normalize)?;
    let loaded = load::paths(&args.paths, &config, terminal)?;
    terminal.problems(&loaded.problems);
    check(args, &loaded)?;
    let wanted = select(args, &loaded, &config)?;
    if wanted.is_empty() {
        return Err(Error::usage(format!("no figure fits{}", asked(args)))
            .hint("perfolio export PATH --list shows every figure"));
    }
    let Some(output) = args.output.as_deref().filter(|_| !args.list) else {
        terminal.result(&listed(&wanted))?;
        return Ok(0);
    };
    let theme = Theme::built_in()?;
    let mut sink = Box::new(FolderSink::create(output, args.force, site::EXPORT_SCHEMA)?);
    let mut outputs: Vec<String> = Vec::new();
    for batch in wanted.chunks(BATCH) {
        let drawn: Vec<Result<Files>> = batch.par_iter().map(|one| files(one, args, &theme)).collect();
        for files in drawn {
            for (path, bytes) in files? {
                sink.put(&path, &bytes)?;
                outputs.push(path);
            }
        }
    }
    let counts = site::Counts { pages: 0, figures: wanted.len() };
    let whole = site::Whole {
        originals: &[],
        schema: site::EXPORT_SCHEMA,
        settings: "",
        counts,
        problems: &loaded.problems,
        made_from: &BTreeMap::new(),
    };
    outputs.push("perfolio.json".to_owned());
    outputs.sort();
    sink.put("perfolio.json", &site::record(&loaded, whole, &outputs))?;
    let written = sink.finish()?;
    let figures = count(wanted.len(), "figure", "figures");
    let files = count(written.files, "file", "files");
    terminal.result(&format!("{}: {figures}, {files}\n", printable(&output.to_string_lossy())))?;
    Ok(0)
}

/// Refuses names that nothing of the evidence has, with the nearest one that it has.
fn check(args: &Export, loaded: &Loaded) -> Result<()> {
    let groups = || loaded.sources.iter().flat_map(|source| &source.series.groups);
    let beside: Vec<PlotDocument> =
        loaded.sources.iter().flat_map(|source| figure::beside(&source.evidence, &source.series)).collect();
    let plots = || {
        let saved =
            loaded.sources.iter().flat_map(|source| &source.evidence.plots).map(|plot| &plot.document);
        saved.chain(&beside)
    };
    let option =
        |key: &'static str| plots().filter_map(move |document| document.plot.options.get(key)?.as_str());
    let rows = || plots().flat_map(|document| &document.plot.data);
    let profiles = || loaded.sources.iter().flat_map(|source| &source.evidence.profiles);
    let of_profiles = || profiles().filter_map(|profile| profile.feature.as_deref());
    let features = || groups().map(|group| &*group.feature).chain(option("feature")).chain(of_profiles());
    let workloads = || groups().map(|group| &*group.workload).chain(option("workload"));
    let metrics = || {
        let recorded = groups().flat_map(|group| &group.series).map(|series| &*series.definition.metric);
        let of_rows = rows().filter_map(|row| row.get("metric")?.as_str());
        recorded.chain(option("metric")).chain(of_rows).chain(profiles().map(|profile| &*profile.metric))
    };
    let targets =
        || loaded.sources.iter().flat_map(|source| &source.series.targets).map(|target| &*target.label);
    let of_plots = || {
        let all =
            if args.target.is_empty() && args.from.is_none() && args.to.is_none() { 0 } else { usize::MAX };
        plots().take(all).filter_map(|document| figure::targets(document).ok()).flatten()
    };
    if let Some(pattern) = &args.feature {
        known(("feature", "features"), pattern, features().collect(), glob)?;
    }
    if let Some(pattern) = &args.workload {
        let of_profiles = profiles().filter_map(|profile| profile.workload.as_deref());
        known(
            ("workload", "workloads"),
            pattern,
            workloads().chain(features()).chain(of_profiles).collect(),
            glob,
        )?;
    }
    if let Some(kind) = &args.kind {
        known(("kind of figure", "kinds"), kind, figure::drawable().collect(), glob)?;
    }
    for metric in &args.metric {
        known(("metric", "metrics"), metric, metrics().collect(), str::eq)?;
    }
    let listed: Vec<String> = of_plots().collect();
    for label in args.target.iter().chain(&args.from).chain(&args.to) {
        let of_profiles = profiles().filter_map(|profile| profile.target.as_deref());
        let all = targets().chain(listed.iter().map(String::as_str)).chain(of_profiles);
        known(("target", "targets"), label, all.collect(), str::eq)?;
    }
    Ok(())
}

/// Whether a name fits one of the names that are there.
///
/// # Errors
/// It fits none.
fn known(nouns: (&str, &str), name: &str, names: Vec<&str>, fits: impl Fn(&str, &str) -> bool) -> Result<()> {
    if names.iter().any(|one| fits(name, one)) {
        return Ok(());
    }
    let mut seen = BTreeSet::new();
    let distinct: Vec<&str> = names.into_iter().filter(|name| seen.insert(*name)).collect();
    Err(Error::usage(nearest::unknown(nouns, name, distinct))
        .hint("perfolio export PATH --list shows every figure"))
}

/// The figures that every given filter lets through, restricted to the given targets and metrics.
fn select(args: &Export, loaded: &Loaded, config: &Config) -> Result<Vec<Wanted>> {
    let mut wanted = Vec::new();
    let fits =
        |pattern: &Option<String>, name: &str| pattern.as_ref().is_none_or(|pattern| glob(pattern, name));
    for source in &loaded.sources {
        for set in figure::all(&source.evidence, &source.series, config)? {
            let group = &source.series.groups[set.group];
            if !fits(&args.feature, &group.feature) || !fits(&args.workload, &group.workload) {
                continue;
            }
            for document in set.into_documents() {
                if !fits(&args.kind, &document.plot.kind) {
                    continue;
                }
                let Some(document) = restrict(args, &document)? else { continue };
                wanted.push(Wanted {
                    base: format!("{}/{}", source.evidence.id, slug::slug(&document.plot.id)),
                    feature: group.feature.to_string(),
                    workload: group.workload.to_string(),
                    document,
                });
            }
        }
        let context = figure::Context::new(&source.evidence, config);
        for (at, document) in site::profile_documents(&context, source) {
            let profile = &source.evidence.profiles[at];
            let feature = profile.feature.as_deref().unwrap_or_default();
            let workload = profile.workload.as_deref().unwrap_or(feature);
            if !fits(&args.feature, feature) || !fits(&args.workload, workload) {
                continue;
            }
            if !fits(&args.kind, &document.plot.kind) {
                continue;
            }
            let Some(document) = restrict(args, &document)? else { continue };
            wanted.push(Wanted {
                base: format!("{}/{}", source.evidence.id, slug::slug(&document.plot.id)),
                feature: feature.to_owned(),
                workload: workload.to_owned(),
                document,
            });
        }
        let beside = figure::beside(&source.evidence, &source.series);
        for document in source.evidence.plots.iter().map(|plot| &plot.document).chain(&beside) {
            let options = |key: &str| document.plot.options.get(key).and_then(|value| value.as_str());
            let feature = options("feature").unwrap_or_default();
            let workload = options("workload").unwrap_or(feature);
            let drawable = figure::drawable().any(|kind| kind == document.plot.kind);
            if drawable
                && fits(&args.feature, feature)
                && fits(&args.workload, workload)
                && fits(&args.kind, &document.plot.kind)
            {
                let Some(document) = restrict(args, document)? else { continue };
                wanted.push(Wanted {
                    base: format!("{}/{}", source.evidence.id, slug::slug(&document.plot.id)),
                    feature: feature.to_owned(),
                    workload: workload.to_owned(),
                    document,
                });
            }
        }
    }
    let mut taken = BTreeSet::new();
    wanted.retain(|one| taken.insert(one.base.clone()));
    Ok(wanted)
}

/// The document with the asked-for targets and metrics only; none when nothing of it is left.
fn restrict(args: &Export, document: &PlotDocument) -> Result<Option<PlotDocument>> {
    if !figure::explorable(&document.plot.kind) {
        return Ok(alone(args, document).then(|| document.clone()));
    }
    let known = figure::targets(document)?;
    let unknown = |label: &&String| !known.contains(*label);
    if [&args.from, &args.to].into_iter().flatten().chain(&args.target).any(|label| unknown(&label)) {
        return Ok(None);
    }
    let mut document = figure::range(document, args.from.as_deref(), args.to.as_deref())?;
    if !args.target.is_empty() {
        document = figure::only(&document, &args.target)?;
    }
    if args.metric.is_empty() { Ok(Some(document)) } else { figure::metrics(&document, &args.metric) }
}

/// Whether a figure of one target was asked for.
fn alone(args: &Export, document: &PlotDocument) -> bool {
    let option =
        |key: &str| document.plot.options.get(key).and_then(|value| value.as_str()).unwrap_or_default();
    let asked = |list: &[String], own: &str| list.is_empty() || list.iter().any(|one| one == own);
    // A range of targets is a part of a history, which such a figure does not have.
    args.from.is_none()
        && args.to.is_none()
        && asked(
            &args.target,
            if option("target").is_empty() { option("selected_version") } else { option("target") },
        )
        && asked(&args.metric, option("metric"))
}

fn files(one: &Wanted, args: &Export, theme: &Theme) -> Result<Files> {
    let chart = figure::chart(&one.document)?;
    let json = draw::json::document(&one.document)?;
    let explored = args.plotly && figure::explorable(&chart.kind);
    let html = if explored { site::export_explored } else { site::export_html };
    args.format
        .iter()
        .map(|format| {
            Ok(match format {
                Format::Svg => (format!("{}.svg", one.base), super::svg(&chart, args.x, theme).into_bytes()),
                Format::Html => (
                    format!("{}.html", one.base),
                    html(&chart, &one.document, &json, theme.style()).into_bytes(),
                ),
                Format::Json => (format!("{}.json", one.base), json.clone().into_bytes()),
                Format::Csv => (format!("{}.csv", one.base), draw::csv::csv(&chart.data).into_bytes()),
                Format::Png => (
                    format!("{}.png", one.base),
                    draw::png::png(&chart, theme.style(), super::picture(args.picture, args.x))?,
                ),
            })
        })
        .collect()
}

/// One line per figure: kind, id, feature, workload, targets.
fn listed(wanted: &[Wanted]) -> String {
    let mut out = String::new();
    for one in wanted {
        let plot = &one.document.plot;
        // Figures of one kind and feature differ in their metric.
        let metric = plot.options.get("metric").and_then(serde_json::Value::as_str).unwrap_or_default();
        let line = format!("{}  {}  {}  {}  {metric}", plot.kind, plot.id, one.feature, one.workload);
        let line = line.trim_end();
        let _ = writeln!(out, "{}", printable(line));
    }
    out
}

/// The filters in words, for a message.
fn asked(args: &Export) -> String {
    let mut words = String::new();
    for (name, value) in [("kind", &args.kind), ("feature", &args.feature), ("workload", &args.workload)] {
        if let Some(value) = value {
            let _ = write!(words, " --{name} {value}");
        }
    }
    for (name, values) in [("metric", &args.metric), ("target", &args.target)] {
        for value in values {
            let _ = write!(words, " --{name} {value}");
        }
    }
    for (name, value) in [("from", &args.from), ("to", &args.to)] {
        if let Some(value) = value {
            let _ = write!(words, " --{name} {value}");
        }
    }
    words
}
