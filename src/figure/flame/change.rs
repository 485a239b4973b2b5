//! `differential_flamegraph`: the call paths of two targets over each other. Frames are as wide as their share at the
//! candidate; colour and pattern say how that share differs from the baseline's.
//!
//! Only profiles of one metric in one unit are set against each other. Their totals need not be equal, so shares are
//! compared, never weights; both totals are stated.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::document::value_label;
use super::layout::{self, LEAST, Layout};
use super::{Bar, Flame, Paint, Sheet, words};
use crate::analyze::profile::{COARSE, Change, Difference, Matching, NodeChange, difference};
use crate::error::{Error, Place, Result};
use crate::evidence::flame::{FRAMES, FUNCTIONS, FlameRow, FrameEntry};
use crate::evidence::plot::{Details, PERFOLIO_PLOT, Plot, PlotDocument};
use crate::evidence::profile::{Origin, Profile};
use crate::evidence::row::Row;
use crate::evidence::{Name, Number};
use crate::figure::chart::{Body, Caption, Chart, DataTable, Datum, Table, TableCell, TableRow};
use crate::figure::document::{self, Context};
use crate::text::file::short;
use crate::text::list;
use crate::text::number::{self, NARROW};

/// Name of the kind.
pub const KIND: &str = "differential_flamegraph";
/// Most rows of a document.
const MOST: usize = 20_000;
/// Most functions that a document lists.
const FUNCTIONS_MOST: usize = 20_000;
/// Rows of the table for people.
const ROWS: usize = 20;
/// Most names that a sentence lists.
const NAMED: usize = 5;
/// Differences of shares, in points, from which a frame has the first, second and third step of its colour.
const STEPS: [f64; 3] = [1.0, 5.0, 10.0];

/// A function before and after: name, file, own weight, weight with all that it called; none where not observed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct FunctionChange(String, Option<String>, [Option<Number>; 2], [Option<Number>; 2]);

/// What changed from one profile to another of the same case; none where they do not count the same, where one has no
/// call paths, and where one is a saved plot, which has the heaviest stacks only.
pub fn document(context: &Context, before: &Profile, after: &Profile) -> Option<PlotDocument> {
    let kind = super::kind(after.kind)?;
    let whole = |profile: &Profile| profile.origin == Origin::Recorded && profile.has_stacks();
    if !whole(before) || !whole(after) || before.total <= Number::ZERO || after.total <= Number::ZERO {
        return None;
    }
    let (found, functions) = difference(before, after, Matching::Moved)?;
    let text = |name: &Option<Name>| name.as_deref().unwrap_or_default().to_owned();
    let (package, feature) = (text(&after.package), text(&after.feature));
    let targets = [text(&before.target), text(&after.target)];
    let definition = after.definition.as_deref().unwrap_or(&after.metric);
    let title = context.config.feature(&feature).title;
    let named = title.clone().unwrap_or_else(|| feature.clone());
    let label = value_label(after);
    let rows = rows(&found);
    let mut options = Map::new();
    for (key, value) in [
        ("package", json!(package)),
        ("feature", json!(feature)),
        ("workload", json!(after.workload.as_deref().unwrap_or(&feature))),
        ("unit", json!(&*after.unit)),
        ("versions", json!(targets)),
        ("baseline_version", json!(targets[0])),
        ("selected_version", json!(targets[1])),
        ("baseline_total", json!(found.totals[0])),
        ("total", json!(found.totals[1])),
        ("value_label", json!(label)),
        ("profile_kind", json!(kind)),
        ("metric", json!(&*after.metric)),
        ("collector", json!(&*after.tool)),
        ("measurement_definitions", json!([definition])),
        ("matching", json!("function and the last two parts of its file; lines may move")),
        ("folded", json!({"frames": rows.folded, "value": rows.folded_weight})),
        ("vanished_frames", json!(rows.vanished)),
        ("vanished_value", json!(rows.vanished_weight)),
        (FUNCTIONS, json!(listed(functions))),
        (FRAMES, json!(rows.frames)),
    ] {
        options.insert(key.to_owned(), value);
    }
    let ids = [&before.run_id, &after.run_id].map(|id| id.as_deref().unwrap_or_default());
    let parts = [&*package, &*feature, &*targets[0], &*targets[1], definition, ids[0], ids[1]];
    let subject: Vec<&str> = [&*package, &*named].into_iter().filter(|part| !part.is_empty()).collect();
    let plot = Plot {
        schema_version: PERFOLIO_PLOT.to_owned(),
        id: document::id(KIND, &parts),
        kind: KIND.to_owned(),
        title: format!("{} · {label} from {} to {}", subject.join(" · "), targets[0], targets[1]),
        description: String::new(),
        encoding: [("x", "value"), ("y", "parent"), ("color", "before")]
            .map(|(channel, field)| (channel.to_owned(), json!(field)))
            .into_iter()
            .collect(),
        data: Row::all(rows.data),
        options,
    };
    let run_of = |id: &Option<String>| {
        let id = id.as_ref()?;
        context.source.runs.iter().find(|run| run.run_id == *id)
    };
    let runs: Vec<_> = [&before.run_id, &after.run_id].into_iter().filter_map(run_of).collect();
    let one = before.run_id == after.run_id;
    let per_target = targets.iter().zip([&before.run_id, &after.run_id]);
    let details = Details {
        feature_title: title,
        source_title: context.source.title.clone(),
        integrity: (!runs.is_empty())
            .then(|| crate::analyze::worst_integrity(runs.iter().map(|run| run.integrity)).word().to_owned()),
        runs: per_target
            .filter(|_| !one)
            .filter_map(|(target, id)| Some((target.clone(), id.clone()?)))
            .collect(),
        ..Details::default()
    };
    Some(PlotDocument {
        run_id: after.run_id.clone().filter(|_| one),
        runtime: document::runtime(&runs),
        performance: Some("not_compared".to_owned()),
        scope: Some(
            "Shares of two saved profiles; nothing was measured again and no limit was applied.".to_owned(),
        ),
        perfolio: Some(details),
        plot,
        ..PlotDocument::default()
    })
}

/// The rows of a document, and what they leave out.
struct Rows {
    frames: Vec<FrameEntry>,
    data: Vec<Map<String, Value>>,
    folded: usize,
    folded_weight: Number,
    vanished: usize,
    vanished_weight: Number,
}

fn rows(found: &Difference) -> Rows {
    let tree = &found.tree;
    let total = found.totals[1].as_f64();
    let part = |change: &NodeChange| change.inclusive[1].map_or(0.0, |weight| weight.as_f64() / total);
    let mut parts: Vec<f64> = found.nodes.iter().skip(1).map(part).filter(|part| *part >= LEAST).collect();
    parts.sort_by(f64::total_cmp);
    let least = if parts.len() > MOST { parts[parts.len() - MOST].max(LEAST) } else { LEAST };
    let mut rows = Rows {
        frames: Vec::new(),
        data: Vec::new(),
        folded: 0,
        folded_weight: Number::ZERO,
        vanished: 0,
        vanished_weight: Number::ZERO,
    };
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    let mut kept: Vec<Option<usize>> = vec![None; tree.nodes.len()];
    for (at, node) in tree.nodes.iter().enumerate().skip(1) {
        let change = &found.nodes[at];
        let outer = node.parent as usize;
        let Some(weight) = change.inclusive[1] else {
            rows.vanished += 1;
            // The weight of a path that is gone is that of its first frame that is.
            if outer == 0 || found.nodes[outer].inclusive[1].is_some() {
                rows.vanished_weight = rows.vanished_weight + change.inclusive[0].unwrap_or(Number::ZERO);
            }
            continue;
        };
        let parent = kept[outer];
        if part(change) < least || (outer != 0 && parent.is_none()) {
            rows.folded += 1;
            if outer == 0 || parent.is_some() {
                rows.folded_weight = rows.folded_weight + weight;
            }
            continue;
        }
        let place = *places.entry(node.frame).or_insert_with(|| {
            rows.frames.extend(tree.frames.get(node.frame as usize).map(FrameEntry::of));
            rows.frames.len() - 1
        });
        let mut row = Map::new();
        row.insert("frame".to_owned(), json!(place));
        if let Some(parent) = parent {
            row.insert("parent".to_owned(), json!(parent));
        }
        row.insert("value".to_owned(), json!(weight));
        row.insert("self".to_owned(), json!(change.own[1].unwrap_or(Number::ZERO)));
        if let Some(before) = change.inclusive[0] {
            row.insert("before".to_owned(), json!(before));
            row.insert("self_before".to_owned(), json!(change.own[0].unwrap_or(Number::ZERO)));
        }
        kept[at] = Some(rows.data.len());
        rows.data.push(row);
    }
    rows
}

fn listed(changes: Vec<Change>) -> Vec<FunctionChange> {
    changes
        .into_iter()
        .take(FUNCTIONS_MOST)
        .map(|change| FunctionChange(change.function, change.file, change.own, change.inclusive))
        .collect()
}

/// A document taken apart.
struct Pair<'a> {
    sheet: Sheet<'a>,
    before: Vec<[Option<Number>; 2]>,
    totals: [Number; 2],
    functions: Vec<FunctionChange>,
}

impl<'a> Pair<'a> {
    fn new(document: &'a PlotDocument) -> Result<Self> {
        let sheet = Sheet::new(document)?;
        let field = |key: &str| Place::default().field(format!("plot.options.{key}"));
        let baseline = sheet.number("baseline_total").filter(|total| *total > Number::ZERO);
        let Some(baseline) = baseline else {
            return Err(Error::evidence("the total of the baseline is missing or not above zero")
                .at(field("baseline_total")));
        };
        let functions = document.plot.options.get(FUNCTIONS).cloned().unwrap_or_default();
        let functions = serde_json::from_value(functions).map_err(|error| {
            Error::evidence(format!("the list of functions cannot be read: {error}")).at(field(FUNCTIONS))
        })?;
        let number = |row: &Row, key: &str| Number::deserialize(row.get(key)?).ok();
        let before = document.plot.data.iter().map(|row| [number(row, "before"), number(row, "self_before")]);
        Ok(Self { before: before.collect(), totals: [baseline, sheet.total], functions, sheet })
    }

    fn share(&self, weight: Option<Number>, side: usize) -> f64 {
        weight.map_or(0.0, |weight| 100.0 * weight.as_f64() / self.totals[side].as_f64())
    }

    /// How many points the share of a row is larger than before.
    fn points(&self, at: usize, weight: Number) -> f64 {
        self.share(Some(weight), 1) - self.share(self.before[at][0], 0)
    }

    fn paint(&self, at: usize, weight: Number) -> Paint {
        if self.before[at][0].is_none() {
            return Paint::New;
        }
        let points = self.points(at, weight);
        let step = STEPS.iter().filter(|step| points.abs() >= **step).count() as u8;
        match step {
            0 => Paint::Same,
            step if points > 0.0 => Paint::More(step),
            step => Paint::Less(step),
        }
    }
}

/// `+5 points`.
fn in_points(points: f64) -> String {
    format!("{}{NARROW}points", number::signed(round(points)))
}

/// Three digits after the point at most: shares of samples are no better.
fn round(points: f64) -> f64 {
    let rounded = (points * 1000.0).round() / 1000.0;
    if rounded.abs() < 0.001 { 0.0 } else { rounded }
}

/// Draws a differential flame graph.
///
/// # Errors
/// Rows that are not of this kind.
pub fn chart(document: &PlotDocument) -> Result<Chart> {
    let pair = Pair::new(document)?;
    let sheet = &pair.sheet;
    let layout = layout::layout(&sheet.rows, sheet.total);
    let flame = flame(&pair, &layout);
    let mut functions: Vec<&FunctionChange> = pair.functions.iter().collect();
    let size = |change: &FunctionChange| {
        let points = pair.share(change.2[1], 1) - pair.share(change.2[0], 0);
        Reverse(Number::finite(points.abs()).unwrap_or(Number::ZERO))
    };
    functions.sort_by_key(|change| size(change));
    let caption = caption(&pair, &flame, &functions);
    Ok(Chart {
        heading: heading(sheet),
        title: words::title(sheet),
        description: format!("{} {}", caption.says, caption.fine),
        rest: format!("{}: {}.", heading(sheet), totals(&pair)),
        table: table(&pair, &functions),
        data: data(&pair, &functions),
        provenance: words::provenance(sheet),
        caption,
        ..Chart::bare(&document.plot, Body::Flame(Box::new(flame)))
    })
}

fn labels<'a>(sheet: &'a Sheet) -> [&'a str; 2] {
    [sheet.option("baseline_version"), sheet.option("selected_version")]
}

fn heading(sheet: &Sheet) -> String {
    let title = sheet.document.perfolio.as_ref().and_then(|details| details.feature_title.clone());
    let feature = words::clipped(&title.unwrap_or_else(|| sheet.option("feature").to_owned()));
    let [before, after] = labels(sheet).map(words::clipped);
    crate::figure::names::raised(&format!("{} of {feature}, {before} → {after}", words::clipped(&sheet.noun)))
}

fn totals(pair: &Pair) -> String {
    let [before, after] = labels(&pair.sheet).map(words::clipped);
    let [was, now] = pair.totals.map(|total| pair.sheet.show(total));
    format!("{was} {} at {before}, {now} at {after}", words::clipped(&pair.sheet.noun))
}

fn flame(pair: &Pair, layout: &Layout) -> Flame {
    let sheet = &pair.sheet;
    let weights = layout::weights(&sheet.rows);
    let mut counts: BTreeMap<Paint, usize> = BTreeMap::new();
    for at in layout.placed.iter().map(|placed| placed.at).chain(layout.chain.iter().copied()) {
        *counts.entry(pair.paint(at, weights[at])).or_default() += 1;
    }
    if let Some(last) = layout.chain.last() {
        // It is among the placed as well.
        counts.entry(pair.paint(*last, weights[*last])).and_modify(|count| *count -= 1);
    }
    let bars: Vec<Bar> = layout
        .placed
        .iter()
        .enumerate()
        .map(|(here, placed)| {
            let (at, row) = (placed.at, &sheet.rows[placed.at]);
            let together = here == 0 && !layout.chain.is_empty();
            let (name, place, say) = if together {
                words::shared(sheet, &layout.chain)
            } else {
                (words::clipped(row.frame.name()), file(row), reading(pair, at, weights[at]))
            };
            let share = match pair.before[at][0] {
                _ if together => String::new(),
                None => "new".to_owned(),
                Some(_) => in_points(pair.points(at, weights[at])),
            };
            Bar {
                parent: placed.parent,
                row: placed.row,
                start: placed.start,
                width: placed.width,
                name,
                place,
                share,
                paint: if together { Paint::Same } else { pair.paint(at, weights[at]) },
                say,
            }
        })
        .collect();
    let [_, after] = labels(sheet).map(words::clipped);
    Flame {
        rows: bars.iter().map(|bar| bar.row + 1).max().unwrap_or(0),
        bars,
        legend: counts.into_iter().filter(|(_, count)| *count > 0).collect(),
        head: heading(sheet),
        lead: format!("{}. Width: inclusive share at {after}. Callers on top.", totals(pair)),
        foot: words::foot(sheet, layout),
    }
}

fn file(row: &FlameRow) -> String {
    let file = row.frame.file.as_deref().unwrap_or_default();
    words::clipped(file.rsplit('/').next().unwrap_or(file))
}

fn reading(pair: &Pair, at: usize, weight: Number) -> String {
    let sheet = &pair.sheet;
    let row = &sheet.rows[at];
    let [before, after] = labels(sheet).map(words::clipped);
    let file =
        row.frame.file.as_deref().map_or_else(String::new, |file| format!("In {}. ", words::clipped(file)));
    let now = format!(
        "{file}With all that it calls {} of {} ({}) at {after}",
        sheet.show(weight),
        sheet.show(pair.totals[1]),
        words::per_cent(pair.share(Some(weight), 1))
    );
    let own = sheet.rows[at].own.unwrap_or(Number::ZERO);
    match pair.before[at] {
        [Some(was), own_before] => format!(
            "{now}, {} of {} ({}) at {before}: {}. Of its own {} and {}.",
            sheet.show(was),
            sheet.show(pair.totals[0]),
            words::per_cent(pair.share(Some(was), 0)),
            in_points(pair.points(at, weight)),
            sheet.show(own),
            sheet.show(own_before.unwrap_or(Number::ZERO))
        ),
        [None, _] => format!("{now}; not observed at {before}. Of its own {}.", sheet.show(own)),
    }
}

fn caption(pair: &Pair, flame: &Flame, functions: &[&FunctionChange]) -> Caption {
    let sheet = &pair.sheet;
    let [before, after] = labels(sheet).map(words::clipped);
    let says = match functions.first() {
        Some(change) => {
            let shares = [0, 1].map(|side| words::per_cent(pair.share(change.2[side], side)));
            let file =
                change.1.as_deref().map_or_else(String::new, |file| format!(" ({})", words::clipped(file)));
            let points = in_points(pair.share(change.2[1], 1) - pair.share(change.2[0], 0));
            format!(
                "The own share of {}{file} changed most: {} at {before}, {} at {after}, {points}.",
                words::clipped(&change.0),
                shares[0],
                shares[1]
            )
        }
        None => "The profiles hold no frames.".to_owned(),
    };
    let mut fine = vec![
        format!("Totals: {}. Shares of each total are compared, weights are not.", totals(pair)),
        format!("Width is the inclusive share at {after}, callers stand above what they call."),
        "Frames are the same when function and file are; lines may have moved.".to_owned(),
    ];
    let counted = |total: Number| sheet.samples.is_some() && total.as_f64() < COARSE as f64;
    if pair.totals.into_iter().any(counted) {
        let each = [0, 1].map(|side| words::per_cent(100.0 / pair.totals[side].as_f64()));
        fine.push(format!(
            "Shares are coarse: one sample is {} at {before} and {} at {after}.",
            each[0], each[1]
        ));
    }
    for (side, word, other) in [(1, "new", &before), (0, "gone", &after)] {
        let only = |change: &&&FunctionChange| change.3[side].is_some() && change.3[1 - side].is_none();
        let names: Vec<String> =
            functions.iter().filter(only).map(|change| words::clipped(&change.0)).collect();
        if names.is_empty() {
            continue;
        }
        let more = if names.len() > NAMED { ", …" } else { "" };
        fine.push(format!(
            "{} {word} (not observed at {other}): {}{more}.",
            crate::figure::names::raised(&list::counted(names.len(), "function is", "functions are")),
            names[..names.len().min(NAMED)].join(", ")
        ));
    }
    let count = |key: &str| sheet.number(key).and_then(Number::as_whole).unwrap_or(0);
    if count("vanished_frames") > 0 {
        let weight = sheet.number("vanished_value").unwrap_or(Number::ZERO);
        fine.push(format!(
            "Paths of {before} that are not seen at {after} have no width: {} with {} ({}).",
            list::counted(usize::try_from(count("vanished_frames")).unwrap_or(0), "frame", "frames"),
            sheet.show(weight),
            words::per_cent(pair.share(Some(weight), 0))
        ));
    }
    fine.push(words::without_key(&flame.foot));
    fine.push("A difference of two profiles is no measured change of time.".to_owned());
    Caption { says, fine: fine.join(" ") }
}

fn table(pair: &Pair, functions: &[&FunctionChange]) -> Table {
    let sheet = &pair.sheet;
    let [before, after] = labels(sheet).map(words::clipped);
    let words_cell = |text: String| TableCell { text, ..TableCell::default() };
    let share = |weight: Option<Number>, side: usize| TableCell {
        text: weight.map_or_else(
            || "not observed".to_owned(),
            |weight| words::per_cent(pair.share(Some(weight), side)),
        ),
        exact: weight,
        numeric: true,
        ..TableCell::default()
    };
    let points = |both: [Option<Number>; 2]| TableCell {
        text: in_points(pair.share(both[1], 1) - pair.share(both[0], 0)),
        numeric: true,
        ..TableCell::default()
    };
    let kept = if functions.len() <= ROWS + 1 { functions.len() } else { ROWS };
    let mut rows: Vec<TableRow> = functions[..kept]
        .iter()
        .map(|change| TableRow {
            target: words::clipped(&change.0),
            boundary: false,
            cells: vec![
                words_cell(change.1.as_deref().map(|file| words::clipped(&short(file))).unwrap_or_default()),
                share(change.2[0], 0),
                share(change.2[1], 1),
                points(change.2),
                share(change.3[0], 0),
                share(change.3[1], 1),
            ],
        })
        .collect();
    let rest = &functions[kept..];
    if !rest.is_empty() {
        let sum = |side: usize| rest.iter().filter_map(|change| change.2[side]).sum::<Number>();
        let both = [Some(sum(0)), Some(sum(1))];
        rows.push(TableRow {
            target: list::counted(rest.len(), "further function", "further functions"),
            boundary: true,
            cells: vec![
                words_cell(String::new()),
                share(both[0], 0),
                share(both[1], 1),
                points(both),
                words_cell("not a sum".to_owned()),
                words_cell("not a sum".to_owned()),
            ],
        });
    }
    let head = ["function".to_owned(), "file".to_owned()].into_iter().chain([
        format!("own at {before}"),
        format!("own at {after}"),
        "change".to_owned(),
        format!("with callees at {before}"),
        format!("with callees at {after}"),
    ]);
    Table {
        summary: format!("Change by function, {}", list::counted(functions.len(), "function", "functions")),
        caption: format!("Shares of the totals: {}.", totals(pair)),
        head: head.collect(),
        rows,
    }
}

fn data(pair: &Pair, functions: &[&FunctionChange]) -> DataTable {
    let sheet = &pair.sheet;
    let head = [
        "feature",
        "baseline",
        "candidate",
        "function",
        "file",
        "self_before",
        "self_after",
        "inclusive_before",
        "inclusive_after",
        "total_before",
        "total_after",
        "unit",
    ];
    let text = |text: &str| if text.is_empty() { Datum::Empty } else { Datum::Text(text.into()) };
    let number = |number: Option<Number>| number.map_or(Datum::Empty, Datum::Number);
    let [before, after] = labels(sheet);
    let rows = functions.iter().map(|change| {
        vec![
            text(sheet.option("feature")),
            text(before),
            text(after),
            text(&change.0),
            text(change.1.as_deref().unwrap_or_default()),
            number(change.2[0]),
            number(change.2[1]),
            number(change.3[0]),
            number(change.3[1]),
            number(Some(pair.totals[0])),
            number(Some(pair.totals[1])),
            text(sheet.option("unit")),
        ]
    });
    DataTable { head: head.map(str::to_owned).to_vec(), rows: rows.collect() }
}
