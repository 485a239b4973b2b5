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
use crate::text::escape;
use crate::text::unit::Unit;

/// One block per gallery, workload and figure, and one claim per series and target.
pub(super) fn text(loaded: &Loaded) -> String {
    let mut out = String::new();
    let config = Config::default();
    for source in &loaded.sources {
        let context = figure::Context::new(&source.evidence, &config);
        let id = &source.evidence.id;
        block(&mut out, "gallery", &[("source", id)]);
        let mut workloads: Vec<&str> = source.series.groups.iter().map(|group| &*group.workload).collect();
        workloads.dedup();
        for workload in workloads {
            block(&mut out, "workload", &[("source", id), ("workload", workload)]);
        }
        for (at, group) in source.series.groups.iter().enumerate() {
            let keys =
                [("source", id.as_str()), ("feature", &group.feature), ("collector", &group.collector)];
            let set = figure::set(&context, &source.series, at);
            if set.as_ref().is_ok_and(|set| set.main.is_some()) {
                block(&mut out, "figure", &keys);
            }
            let more = set.iter().flat_map(|set| &set.more).filter(|sort| !figure::is_alone(sort.kind));
            for (kind, metric) in more.flat_map(further) {
                let mut keys = keys.to_vec();
                keys.push(("kind", kind));
                keys.extend(metric.map(|metric| ("metric", metric)));
                block(&mut out, "figure", &keys);
            }
            for series in &group.series {
                for (target, point) in group.targets.iter().zip(&series.points) {
                    let Some(value) = point.summary.and_then(|all| all.get(Statistic::Minimum)) else {
                        continue;
                    };
                    let mut address =
                        Address::of(id, &group.feature, &series.definition.metric, &target.label);
                    address.collector = ambiguous(source, group).then(|| group.collector.to_string());
                    let value = Unit::parse(&series.definition.unit).show(value.as_f64());
                    let _ = writeln!(out, "[{value}]({address})");
                }
            }
            out.push('\n');
        }
        profiles(&mut out, source, &context);
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
                block(out, "profile", &keys);
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

fn block(out: &mut String, name: &str, keys: &[(&str, &str)]) {
    let _ = writeln!(out, "```perfolio {name}");
    for (key, value) in keys {
        // What a terminal would obey is written as an escape, and escapes of JSON are escapes of TOML.
        let quoted = if value.contains(escape::steers) {
            escape::json(&serde_json::Value::from(*value).to_string()).into_owned()
        } else {
            toml::Value::String((*value).to_owned()).to_string()
        };
        let _ = writeln!(out, "{key} = {quoted}");
    }
    out.push_str("```\n\n");
}
