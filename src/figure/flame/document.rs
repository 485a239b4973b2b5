//! A profile as a flame graph document.
//!
//! The vocabulary of `perfchecker-plot/1` has the heaviest stacks only and every path in full (formats §3.6), so
//! documents of ours are `perfolio-plot/1`: frames once, rows by the position of the caller's row, every frame
//! above a fold whose weight is stated, and the cost of every function of the whole profile.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::layout::LEAST;
use crate::analyze::profile::{self, Bar, functions};
use crate::evidence::flame::{FRAMES, FUNCTIONS, FrameEntry, FunctionRow};
use crate::evidence::plot::{Details, PERFOLIO_PLOT, Plot, PlotDocument};
use crate::evidence::profile::{Origin, Partial, Profile, note};
use crate::evidence::row::Row;
use crate::evidence::{Number, Run, TargetKind};
use crate::figure::document::{self, Context};

/// Most rows of a document.
const MOST: usize = 20_000;
/// Most functions that a document lists.
const FUNCTIONS_MOST: usize = 20_000;
/// What the functions beyond that are called.
const FURTHER: &str = "further functions";

/// The call paths of a recorded profile; none for profiles without any, for those that a saved plot holds already,
/// and for weights that no kind of figure has.
pub fn document(context: &Context, profile: &Profile) -> Option<PlotDocument> {
    let kind = super::kind(profile.kind).filter(|_| profile.origin == Origin::Recorded)?;
    if !profile.has_stacks() {
        return None;
    }
    let mut least = LEAST;
    let mut flame = profile::flame(profile, least);
    while flame.bars.len() > MOST {
        least *= 2.0;
        flame = profile::flame(profile, least);
    }
    let text = |name: &Option<crate::evidence::Name>| name.as_deref().unwrap_or_default().to_owned();
    let (package, feature) = (text(&profile.package), text(&profile.feature));
    let target = text(&profile.target);
    let definition = profile.definition.as_deref().unwrap_or(&profile.metric);
    let title = context.config.feature(&feature).title;
    let named = title.clone().unwrap_or_else(|| feature.clone());
    let label = value_label(profile);
    let mut options = Map::new();
    let (frames, data) = rows(profile, &flame.bars);
    for (key, value) in [
        ("package", json!(package)),
        ("feature", json!(feature)),
        ("workload", json!(profile.workload.as_deref().unwrap_or(&feature))),
        ("unit", json!(&*profile.unit)),
        ("versions", json!([target])),
        ("selected_version", json!(target)),
        ("target_kind", json!(profile.target_kind.as_ref().map(TargetKind::word))),
        ("total", json!(flame.total)),
        ("value_label", json!(label)),
        ("metric", json!(&*profile.metric)),
        ("collector", json!(&*profile.tool)),
        ("measurement_definitions", json!([definition])),
        ("stacks", json!(profile.stacks.len())),
        (
            "folded",
            json!({"least_percentage": least * 100.0, "frames": flame.folded_frames, "value": flame.folded}),
        ),
        ("without_stack", json!(flame.without_stack)),
        (FUNCTIONS, json!(costs(profile))),
        (FRAMES, json!(frames)),
    ] {
        if !value.is_null() {
            options.insert(key.to_owned(), value);
        }
    }
    for partial in &profile.partial {
        match partial {
            Partial::Other(weight) => options.insert("other".to_owned(), json!(weight)),
            Partial::Cut { weight, .. } => options.insert("cut".to_owned(), json!(weight)),
            _ => None,
        };
    }
    let parts: Vec<&str> =
        [&*package, &*feature, &*target, definition, profile.run_id.as_deref().unwrap_or_default()].to_vec();
    let subject = [&*package, &*named].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    let plot = Plot {
        schema_version: PERFOLIO_PLOT.to_owned(),
        id: document::id(kind, &parts),
        kind: kind.to_owned(),
        title: format!("{} · flame graph of {label} at {target}", subject.join(" · ")),
        description: String::new(),
        encoding: [("x", "value"), ("y", "parent"), ("color", "status")]
            .map(|(channel, field)| (channel.to_owned(), json!(field)))
            .into_iter()
            .collect(),
        data: Row::all(data),
        options,
    };
    let run = profile.run_id.as_ref().and_then(|id| context.source.runs.iter().find(|run| run.run_id == *id));
    Some(wrap(context, profile, run, title, plot))
}

/// What the weights are called, as PerfChecker calls them (§3.6).
pub(super) fn value_label(profile: &Profile) -> &'static str {
    match (super::kind(profile.kind), &*profile.unit) {
        (Some("cpu_flamegraph"), _) => "CPU samples",
        (Some("wall_flamegraph"), _) => "wall-time task samples",
        (_, "By" | "bytes" | "B") => "allocated bytes",
        _ => "allocations",
    }
}

fn wrap(
    context: &Context,
    profile: &Profile,
    run: Option<&Run>,
    title: Option<String>,
    plot: Plot,
) -> PlotDocument {
    let text = |map: &Map<String, Value>, key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
    PlotDocument {
        run_id: profile.run_id.clone(),
        started_at: run.and_then(|run| run.started_at.clone()),
        runtime: run.map(|run| document::runtime(&[run])).unwrap_or_default(),
        os: run.and_then(|run| text(&run.environment, "os")),
        performance: Some("not_compared".to_owned()),
        scope: Some("Summed up from saved stacks; nothing was measured again.".to_owned()),
        perfolio: Some(Details {
            feature_title: title,
            source_title: context.source.title.clone(),
            integrity: run.map(|run| run.integrity.word().to_owned()),
            ..Details::default()
        }),
        plot,
        ..PlotDocument::default()
    }
}

/// The frames that bars have, and a row for each bar.
fn rows(profile: &Profile, bars: &[Bar]) -> (Vec<FrameEntry>, Vec<Map<String, Value>>) {
    let tree = &profile.tree;
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    let mut frames = Vec::new();
    let rows = bars
        .iter()
        .map(|bar| {
            let at = tree.nodes[bar.node as usize].frame;
            let place = *places.entry(at).or_insert_with(|| {
                frames.extend(tree.frame(bar.node).map(FrameEntry::of));
                frames.len() - 1
            });
            let mut row = Map::new();
            row.insert("frame".to_owned(), json!(place));
            if let Some(parent) = bar.parent {
                row.insert("parent".to_owned(), json!(parent));
            }
            row.insert("value".to_owned(), json!(bar.weight));
            for (key, weight) in [
                ("self", bar.own),
                ("folded", bar.folded),
                ("runtime_dispatch_value", bar.dispatch),
                ("gc_event_value", bar.collector),
            ] {
                // Where nothing is folded, its own weight is what its callees leave.
                let told = if key == "self" { bar.folded } else { weight };
                if !told.is_zero() {
                    row.insert(key.to_owned(), json!(weight));
                }
            }
            let notes = tree.notes(bar.node) & !note::UNKNOWN;
            let words: Vec<&str> =
                note::WORDS.iter().filter(|(_, bit)| notes & bit != 0).map(|(word, _)| *word).collect();
            if !words.is_empty() {
                row.insert("inference_status".to_owned(), json!(words));
            }
            let types: Vec<&str> = tree.types(bar.node).map(|name| &**name).collect();
            if !types.is_empty() {
                row.insert("inferred_return_type".to_owned(), json!(types));
            }
            row
        })
        .collect();
    (frames, rows)
}

/// The cost of every function; beyond a limit as one.
fn costs(profile: &Profile) -> Vec<FunctionRow> {
    let mut all = functions(profile);
    let rest = all.split_off(all.len().min(FUNCTIONS_MOST));
    let mut rows: Vec<FunctionRow> = all
        .into_iter()
        .map(|cost| {
            FunctionRow(cost.function, cost.file.as_deref().map(str::to_owned), cost.own, cost.inclusive)
        })
        .collect();
    if !rest.is_empty() {
        let own: Number = rest.iter().map(|cost| cost.own).sum();
        rows.push(FunctionRow(format!("{} {FURTHER}", rest.len()), None, own, own));
    }
    rows
}
