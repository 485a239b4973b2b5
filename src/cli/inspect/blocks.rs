//! What pages can embed and claim, as text to paste into Markdown.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::analyze::{Group, Statistic};
use crate::config::Config;
use crate::content::claim::Address;
use crate::figure::{self, Further};
use crate::site;
use crate::site::load::Loaded;
use crate::site::load::LoadedSource;
use crate::site::named_reports;
use crate::text::escape;
use crate::text::unit::Unit;

/// One block per gallery, workload and figure, one per report, and one claim per series and target. What a block may
/// have besides stands in it as a comment.
pub(super) fn text(loaded: &Loaded) -> String {
    let mut out = String::new();
    let config = Config::default();
    for source in &loaded.sources {
        let context = figure::Context::new(&source.evidence, &config);
        let id = &source.evidence.id;
        let whole = optional(
            source.series.targets.iter().map(|target| &*target.label),
            source.series.groups.iter().flat_map(|group| &group.series).map(|one| &*one.definition.metric),
        );
        block(&mut out, "gallery", &[("source", id)], &whole);
        let mut workloads: Vec<&str> = source.series.groups.iter().map(|group| &*group.workload).collect();
        workloads.dedup();
        for workload in workloads {
            block(&mut out, "workload", &[("source", id), ("workload", workload)], &whole);
        }
        for (at, group) in source.series.groups.iter().enumerate() {
            if !can_be_named(source, group) {
                let _ = writeln!(
                    out,
                    "<!-- No block can name the feature {} of the package {}: another package has it, too. -->\n",
                    quoted(&group.feature).replace("--", "- -"),
                    quoted(group.package.as_deref().unwrap_or_default()).replace("--", "- -")
                );
                continue;
            }
            let mut keys =
                vec![("source", id.as_str()), ("feature", &*group.feature), ("collector", &*group.collector)];
            keys.extend(group.variant.as_deref().map(|variant| ("variant", variant)));
            let part = optional(
                group.targets.iter().map(|target| &*target.label),
                group.series.iter().map(|one| &*one.definition.metric),
            );
            let set = figure::set(&context, &source.series, at);
            if set.as_ref().is_ok_and(|set| set.main.is_some()) {
                block(&mut out, "figure", &keys, &part);
            }
            let more = set.iter().flat_map(|set| &set.more).filter(|sort| !figure::is_alone(sort.kind));
            for (kind, metric) in more.flat_map(further) {
                let mut keys = keys.clone();
                keys.push(("kind", kind));
                keys.extend(metric.map(|metric| ("metric", metric)));
                block(&mut out, "figure", &keys, "");
            }
            for series in &group.series {
                for (target, point) in group.targets.iter().zip(&series.points) {
                    // As the site counts them: weights of a profile are summed.
                    let statistic = if series.summed { Statistic::Sum } else { Statistic::Minimum };
                    let Some(value) = point.summary.and_then(|all| all.get(statistic)) else {
                        continue;
                    };
                    let mut address =
                        Address::of(id, &group.feature, &series.definition.metric, &target.label);
                    address.collector = ambiguous(source, group).then(|| group.collector.to_string());
                    let run = point.run.filter(|_| group.variant.is_some());
                    address.run = run.and_then(|run| Some(source.evidence.runs.get(run)?.run_id.clone()));
                    let value = Unit::parse(&series.definition.unit).show(value.as_f64());
                    let _ = writeln!(out, "[{value}]({address})");
                }
            }
            out.push('\n');
        }
        profiles(&mut out, source, &context);
        reports(&mut out, source);
    }
    out
}

/// Blocks of reports, dependencies and files.
fn reports(out: &mut String, source: &LoadedSource) {
    let (id, evidence) = (source.evidence.id.as_str(), &source.evidence);
    let tools: BTreeSet<&str> =
        named_reports(source).iter().map(|(_, record)| record.tool.as_str()).collect();
    if !tools.is_empty() {
        let tools: Vec<String> = tools.iter().map(|tool| format!("# tool = {}\n", quoted(tool))).collect();
        block(out, "records", &[("source", id)], &tools.concat());
    }
    for (name, record) in named_reports(source) {
        let Some(findings) = record.findings.as_deref().filter(|list| !list.is_empty()) else { continue };
        let rules: BTreeSet<&str> =
            findings.iter().map(|one| one.rule.as_str()).filter(|rule| !rule.is_empty()).collect();
        let rules: Vec<String> = rules.iter().map(|rule| format!("# rule = {}\n", quoted(rule))).collect();
        block(out, "findings", &[("source", id), ("record", &name)], &rules.concat());
    }
    let recorded = evidence.runs.iter().flat_map(|run| &run.qualifications);
    let mut targets: BTreeSet<&str> =
        recorded.filter(|one| one.dependencies.is_some()).map(|one| one.target.as_str()).collect();
    targets.extend(evidence.catalogs.iter().flat_map(|one| one.environments.keys()).map(String::as_str));
    if let Some(last) = source.series.targets.iter().rev().find(|one| targets.contains(&*one.label)) {
        let target = format!("# target = {}\n", quoted(&last.label));
        block(out, "manifest", &[("source", id)], &target);
    }
    if let Some(group) = source.series.groups.first() {
        let feature = format!("# feature = {}\n", quoted(&group.feature));
        block(out, "downloads", &[("source", id)], &feature);
    }
}

/// The keys that a block may have besides, as comments with values that fit: `from`, `to` and `metrics`.
fn optional<'a>(targets: impl Iterator<Item = &'a str>, metrics: impl Iterator<Item = &'a str>) -> String {
    let targets: Vec<&str> = targets.collect();
    let mut known: Vec<&str> = Vec::new();
    for metric in metrics {
        if !known.contains(&metric) {
            known.push(metric);
        }
    }
    let mut out = String::new();
    if let (Some(first), Some(last)) = (targets.first(), targets.last()) {
        let _ = writeln!(out, "# from = {}", quoted(first));
        let _ = writeln!(out, "# to = {}", quoted(last));
    }
    if !known.is_empty() {
        let known: Vec<String> = known.into_iter().map(quoted).collect();
        let _ = writeln!(out, "# metrics = [{}]", known.join(", "));
    }
    out
}

/// One block per figure of a profile.
fn profiles(out: &mut String, source: &LoadedSource, context: &figure::Context<'_>) {
    let evidence = &source.evidence;
    let mut written = BTreeSet::new();
    let mut made: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (at, document) in site::profile_documents(context, source) {
        made.entry(at).or_default().push(document.plot.kind);
    }
    for (at, profile) in evidence.profiles.iter().enumerate() {
        let (Some(feature), Some(target)) = (profile.feature.as_deref(), profile.target.as_deref()) else {
            continue;
        };
        let mut kinds = made.remove(&at).unwrap_or_default();
        let saved = evidence.plots.iter().filter(|plot| plot.path == profile.path);
        kinds.extend(saved.map(|plot| plot.document.plot.kind.clone()).filter(|kind| figure::is_alone(kind)));
        for kind in kinds {
            let keys = [
                ("source", evidence.id.as_str()),
                ("feature", feature),
                ("target", target),
                ("kind", &kind),
                ("metric", &profile.metric),
            ];
            if written.insert(keys.map(|(_, value)| value.to_owned())) {
                block(out, "profile", &keys, "");
            }
        }
    }
}

/// Kind and metric of further figures; no metric where a kind shows several at once.
fn further(sort: &Further) -> impl Iterator<Item = (&str, Option<&str>)> {
    sort.documents
        .iter()
        .map(|document| (sort.kind, document.plot.options.get("metric").and_then(|metric| metric.as_str())))
}

/// Whether several groups of the source measured the feature, so that an address must name the collector.
fn ambiguous(source: &LoadedSource, group: &Group) -> bool {
    source.series.groups.iter().filter(|other| other.feature == group.feature).count() > 1
}

/// Whether the keys of a block tell the group from all others of its source.
fn can_be_named(source: &LoadedSource, group: &Group) -> bool {
    let alike = |other: &&Group| {
        other.feature == group.feature && other.collector == group.collector && other.variant == group.variant
    };
    source.series.groups.iter().filter(alike).count() == 1
}

/// A text as TOML. What a terminal would obey is written as an escape, and escapes of JSON are escapes of TOML.
fn quoted(value: &str) -> String {
    if value.contains(escape::steers) || value.contains('\n') {
        escape::json(&serde_json::Value::from(value).to_string()).into_owned()
    } else {
        toml::Value::String(value.to_owned()).to_string()
    }
}

fn block(out: &mut String, name: &str, keys: &[(&str, &str)], more: &str) {
    let _ = writeln!(out, "```perfolio {name}");
    for (key, value) in keys {
        let _ = writeln!(out, "{key} = {}", quoted(value));
    }
    out.push_str(more);
    out.push_str("```\n\n");
}
