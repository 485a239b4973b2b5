//! Everything that a flame graph says: readings, caption, table.

use std::collections::BTreeMap;

use super::layout::{self, LEAST, Layout};
use super::{Bar, Flame, Paint, Sheet};
use crate::analyze::profile::{COARSE, percentage};
use crate::evidence::Number;
use crate::evidence::flame::FlameRow;
use crate::figure::chart::{Caption, DataTable, Datum, Table, TableCell, TableRow};
use crate::figure::words as common;
use crate::text::escape::visible;
use crate::text::file::short;
use crate::text::list;
use crate::text::number::{self, NARROW};

/// Rows of the table for people.
const ROWS: usize = 20;
/// Longest name in characters; the document has all of it.
const LONG: usize = 120;
/// Most return types that a reading lists.
const TYPES: usize = 4;

/// What a function costs.
pub(super) struct Cost {
    pub(super) function: String,
    pub(super) file: Option<String>,
    pub(super) own: Number,
    pub(super) inclusive: Number,
}

/// A percentage with three digits at most.
pub(super) fn per_cent(value: f64) -> String {
    format!("{}{NARROW}%", number::significant(value, 3))
}

/// A text of hostile length cut to what can be read, line ends and steering characters shown.
pub(super) fn clipped(text: &str) -> String {
    let text = visible(text).replace(['\n', '\r', '\t'], " ");
    match text.char_indices().nth(LONG) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The last part of a file with the line: `service.jl:17`.
fn place(row: &FlameRow) -> String {
    let Some(file) = &row.frame.file else { return String::new() };
    let file = file.replace('\\', "/");
    let name = clipped(file.rsplit('/').next().unwrap_or(&file));
    if row.frame.line == 0 { name } else { format!("{name}:{}", row.frame.line) }
}

/// The drawing.
pub(super) fn flame(sheet: &Sheet, layout: &Layout) -> Flame {
    let weights = layout::weights(&sheet.rows);
    let own = layout::own(&sheet.rows, &weights);
    let bars: Vec<Bar> = layout
        .placed
        .iter()
        .enumerate()
        .map(|(here, placed)| {
            let row = &sheet.rows[placed.at];
            let together = here == 0 && !layout.chain.is_empty();
            let (name, place, say) = if together {
                shared(sheet, &layout.chain)
            } else {
                (
                    clipped(row.frame.name()),
                    place(row),
                    reading(sheet, row, weights[placed.at], own[placed.at]),
                )
            };
            Bar {
                parent: placed.parent,
                row: placed.row,
                start: placed.start,
                width: placed.width,
                name,
                place,
                share: if together { String::new() } else { sheet.share(weights[placed.at]) },
                paint: if together { Paint::Plain } else { Paint::of(row) },
                say,
            }
        })
        .collect();
    let mut counts: BTreeMap<Paint, usize> = BTreeMap::new();
    let alone = bars.iter().skip(usize::from(!layout.chain.is_empty())).map(|bar| bar.paint);
    for paint in layout.chain.iter().map(|at| Paint::of(&sheet.rows[*at])).chain(alone) {
        *counts.entry(paint).or_default() += 1;
    }
    Flame {
        rows: bars.iter().map(|bar| bar.row + 1).max().unwrap_or(0),
        bars,
        legend: counts.into_iter().filter(|(_, count)| *count > 0).collect(),
        head: heading(sheet),
        lead: lead(sheet),
        foot: foot(sheet, layout),
    }
}

/// Frames that everything passes through: what they are called together, the first and the last, and all of them.
pub(super) fn shared(sheet: &Sheet, chain: &[usize]) -> (String, String, String) {
    let names: Vec<String> = chain.iter().map(|at| clipped(sheet.rows[*at].frame.name())).collect();
    let all = if sheet.samples.is_some() { "all samples share" } else { "everything passes through" };
    let ends = format!("{} … {}", names[0], names[names.len() - 1]);
    let listed = if names.len() <= 40 {
        names.join(", ")
    } else {
        format!("{}, … {}", names[..40].join(", "), names[names.len() - 1])
    };
    let mut say = format!("From the outermost: {listed}.");
    for paint in [Paint::Dispatch, Paint::Warning, Paint::Collector] {
        let marked: Vec<&str> = chain
            .iter()
            .zip(&names)
            .filter(|(at, _)| Paint::of(&sheet.rows[**at]) == paint)
            .map(|(_, name)| name.as_str())
            .take(40)
            .collect();
        if !marked.is_empty() {
            say = format!("{say} With {}: {}.", paint.words(), list::and(&marked));
        }
    }
    (format!("{} frames that {all}", names.len()), ends, say)
}

fn reading(sheet: &Sheet, row: &FlameRow, weight: Number, own: Number) -> String {
    let file = row.frame.file.as_deref().map(|file| clipped(&short(file))).unwrap_or_default();
    let at = match (file.is_empty(), row.frame.line) {
        (true, _) => String::new(),
        (_, 0) => format!("In {file}. "),
        (_, line) => format!("In {file}:{line}. "),
    };
    let mut say = format!(
        "{at}With all that it calls {} of {} {} ({}), of its own {} ({}).",
        sheet.show(weight),
        sheet.show(sheet.total),
        sheet.noun,
        sheet.share(weight),
        sheet.show(own),
        sheet.share(own),
    );
    let mut add = |text: String| {
        say.push(' ');
        say.push_str(&text);
    };
    let part = |marked: Number| {
        let of_it = per_cent(percentage(marked, weight));
        if marked.is_zero() { String::new() } else { format!(" in {} ({of_it} of it)", sheet.show(marked)) }
    };
    let said = Paint::of(row);
    if said == Paint::Dispatch || !row.dispatch.is_zero() {
        add(format!("Dispatched at run time{}.", part(row.dispatch)));
    }
    if said == Paint::Collector || !row.collector.is_zero() {
        add(format!("Garbage collection{}.", part(row.collector)));
    }
    let known: Vec<&str> =
        row.inference.iter().map(String::as_str).filter(|word| *word != "unknown").collect();
    if !known.is_empty() {
        let known: Vec<String> = known.into_iter().take(8).map(clipped).collect();
        add(format!("Inferred: {}.", known.join(", ")));
    } else if said == Paint::Warning {
        add("Inference warning.".to_owned());
    }
    if !row.types.is_empty() {
        let more = if row.types.len() > TYPES { ", …" } else { "" };
        let types: Vec<String> = row.types.iter().take(TYPES).map(|name| clipped(name)).collect();
        add(format!("Returns {}{more}.", types.join(", ")));
    }
    say
}

/// `CPU samples of heap_profile at 1.11.0`.
pub(super) fn heading(sheet: &Sheet) -> String {
    let title = sheet.document.perfolio.as_ref().and_then(|details| details.feature_title.clone());
    let feature = title.unwrap_or_else(|| sheet.option("feature").to_owned());
    let of = if feature.is_empty() { String::new() } else { format!(" of {}", clipped(&feature)) };
    let target = sheet.option("selected_version");
    let at = if target.is_empty() { String::new() } else { format!(" at {}", clipped(target)) };
    crate::figure::names::raised(&format!("{}{of}{at}", clipped(&sheet.noun)))
}

pub(super) fn title(sheet: &Sheet) -> String {
    let title = sheet.document.plot.title.trim();
    if title.is_empty() { format!("Flame graph: {}", heading(sheet)) } else { clipped(title) }
}

fn coarse(sheet: &Sheet) -> Option<String> {
    let samples = sheet.samples?;
    let each = per_cent(100.0 / samples.max(1) as f64);
    let count = list::counted(usize::try_from(samples).unwrap_or(usize::MAX), "sample", "samples");
    Some(if samples == 0 {
        "no samples".to_owned()
    } else if samples < COARSE {
        format!("{count}, {each} each: shares are coarse")
    } else {
        format!("{count}, {each} each")
    })
}

fn lead(sheet: &Sheet) -> String {
    let what = coarse(sheet).unwrap_or_else(|| sheet.show(sheet.total));
    format!("{what}. Width: inclusive share. Callers on top.")
}

pub(super) fn foot(sheet: &Sheet, layout: &Layout) -> String {
    let (frames, weight) = folded(sheet, layout);
    let mut text = if frames == 0 {
        "No frame folded for size.".to_owned()
    } else {
        let least = per_cent(layout.least.clamp(LEAST, 1.0) * 100.0);
        format!(
            "{} folded: {} under {least} or too many to be seen, together {} ({}).",
            if frames == 1 { "1 frame is" } else { "Frames are" },
            list::counted(frames, "frame", "frames"),
            sheet.show(weight),
            sheet.share(weight)
        )
    };
    if frames == 1 {
        text = text.replacen("1 frame is folded: 1 frame under", "1 frame is folded: it is under", 1);
    }
    text.push_str(" Numbers in brackets: frames with that mark.");
    text
}

/// How many frames are folded, and their weight: those that the document left out and those that the drawing does.
fn folded(sheet: &Sheet, layout: &Layout) -> (usize, Number) {
    let before = sheet.document.plot.options.get("folded");
    let number = |key: &str| -> Option<Number> { serde::Deserialize::deserialize(before?.get(key)?).ok() };
    let frames = number("frames").and_then(Number::as_whole).and_then(|count| usize::try_from(count).ok());
    // What the document folded below a frame that the drawing folds is part of that frame's weight.
    let mut inner = Number::ZERO;
    if layout.folded > 0 {
        let mut drawn = vec![false; sheet.rows.len()];
        for at in layout.placed.iter().map(|placed| placed.at).chain(layout.chain.iter().copied()) {
            drawn[at] = true;
        }
        let gone = sheet.rows.iter().zip(&drawn).filter(|(_, drawn)| !**drawn);
        inner = gone.map(|(row, _)| row.folded).sum();
    }
    let weight = layout::minus(number("value").unwrap_or(Number::ZERO), inner) + layout.weight;
    (frames.unwrap_or(0) + layout.folded, weight)
}

/// What the document does not hold or does not tell apart, in sentences.
fn partial(sheet: &Sheet, weights: &[Number], own: &[Number]) -> Vec<String> {
    let mut said = Vec::new();
    let leaves = own.iter().filter(|own| !own.is_zero()).count();
    let top = sheet.number("top").and_then(Number::as_whole).and_then(|top| usize::try_from(top).ok());
    if let Some(top) = top.filter(|top| leaves >= *top) {
        said.push(format!(
            "The document keeps the {} heaviest stacks; shares are of their sum.",
            number::whole(top as i128)
        ));
    }
    let shown = |key: &str| sheet.number(key).filter(|weight| !weight.is_zero());
    if let Some(weight) = shown("without_stack") {
        said.push(format!(
            "{} ({}) were recorded without a call path.",
            sheet.show(weight),
            sheet.share(weight)
        ));
    }
    if let Some(weight) = shown("other") {
        said.push(format!(
            "{} ({}) is the collector's own rest, [other], of stacks beyond its limit.",
            sheet.show(weight),
            sheet.share(weight)
        ));
    }
    if let Some(weight) = shown("cut") {
        said.push(format!(
            "{} ({}) is of stacks beyond the limit of what is kept in memory.",
            sheet.show(weight),
            sheet.share(weight)
        ));
    }
    let outermost = sheet.rows.iter().zip(weights).filter(|(row, _)| row.parent.is_none());
    let known: Number = outermost.map(|(_, weight)| *weight).sum();
    let lost = layout::minus(sheet.total, known);
    if said.is_empty() && sheet.number("folded").is_none() && lost.as_f64() > sheet.total.as_f64() * 1e-9 {
        said.push(format!("{} of the total is in no frame.", sheet.show(lost)));
    }
    said
}

/// The cost of every function: as listed, else of the rows. A function that calls itself counts once.
pub(super) fn functions(sheet: &Sheet) -> Vec<Cost> {
    let mut costs: Vec<Cost> = match sheet.document.plot.function_rows() {
        Some(listed) => listed
            .into_iter()
            .map(|row| Cost { function: row.0, file: row.1, own: row.2, inclusive: row.3 })
            .collect(),
        None => of_rows(sheet),
    };
    costs.sort_by(|a, b| {
        (b.own, b.inclusive)
            .cmp(&(a.own, a.inclusive))
            .then_with(|| (&a.function, &a.file).cmp(&(&b.function, &b.file)))
    });
    costs
}

fn of_rows(sheet: &Sheet) -> Vec<Cost> {
    let rows = &sheet.rows;
    let weights = layout::weights(rows);
    let own = layout::own(rows, &weights);
    let mut ids: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
    let mut costs: Vec<Cost> = Vec::new();
    let of_row: Vec<usize> = rows
        .iter()
        .map(|row| {
            let key = (row.frame.name(), row.frame.file.as_deref());
            *ids.entry(key).or_insert_with(|| {
                let file = key.1.map(str::to_owned);
                let (own, inclusive) = (Number::ZERO, Number::ZERO);
                costs.push(Cost { function: key.0.to_owned(), file, own, inclusive });
                costs.len() - 1
            })
        })
        .collect();
    for (at, row) in rows.iter().enumerate() {
        let function = of_row[at];
        let cost = &mut costs[function];
        cost.own = cost.own + own[at];
        let mut caller = row.parent;
        while let Some(above) = caller.filter(|above| of_row[*above] != function) {
            caller = rows[above].parent;
        }
        if caller.is_none() {
            cost.inclusive = cost.inclusive + weights[at];
        }
    }
    costs
}

pub(super) fn caption(sheet: &Sheet, flame: &Flame, functions: &[Cost]) -> Caption {
    let weights = layout::weights(&sheet.rows);
    let own = layout::own(&sheet.rows, &weights);
    let says = match functions.first().filter(|cost| !cost.own.is_zero()) {
        Some(cost) if functions.iter().filter(|other| other.own == cost.own).count() > 1 => {
            let count = functions.iter().filter(|other| other.own == cost.own).count();
            format!(
                "{} functions share the largest cost of their own: {} of {} {} each, {}.",
                names_raised(&list::words(count)),
                sheet.show(cost.own),
                sheet.show(sheet.total),
                sheet.noun,
                sheet.share(cost.own)
            )
        }
        Some(cost) => {
            let file =
                cost.file.as_deref().map_or_else(String::new, |file| format!(" ({})", clipped(&short(file))));
            format!(
                "{}{file} has the largest cost of its own: {} of {} {}, {}.",
                clipped(&cost.function),
                sheet.show(cost.own),
                sheet.show(sheet.total),
                sheet.noun,
                sheet.share(cost.own)
            )
        }
        None => "The document holds no weight.".to_owned(),
    };
    let mut fine =
        vec![format!("{}.", names_raised(&coarse(sheet).unwrap_or_else(|| sheet.show(sheet.total))))];
    fine.push(
        "Width is the inclusive share, callers stand above what they call, the largest at the left."
            .to_owned(),
    );
    fine.push(without_key(&flame.foot));
    fine.extend(partial(sheet, &weights, &own));
    let semantics = sheet.option("diagnostic_semantics");
    if flame.legend.iter().any(|(paint, _)| *paint != Paint::Plain) {
        fine.push(if semantics.is_empty() {
            "A mark says what was seen in a frame; it proves no cause.".to_owned()
        } else {
            clipped(semantics)
        });
    }
    Caption { says, fine: fine.join(" ") }
}

/// The line below the frames without how to read the key.
pub(super) fn without_key(foot: &str) -> String {
    foot.replace(" Numbers in brackets: frames with that mark.", "")
}

fn names_raised(text: &str) -> String {
    crate::figure::names::raised(text)
}

pub(super) fn description(sheet: &Sheet, caption: &Caption) -> String {
    let text = sheet.document.plot.description.trim();
    let text = if text.is_empty() { String::new() } else { format!("{} ", clipped(text)) };
    format!("{text}{} {}", caption.says, caption.fine)
}

pub(super) fn rest(sheet: &Sheet) -> String {
    format!("{}: {}.", heading(sheet), coarse(sheet).unwrap_or_else(|| sheet.show(sheet.total)))
}

/// The costliest functions, and the others as one row.
pub(super) fn table(sheet: &Sheet, functions: &[Cost]) -> Table {
    let cell = |text: String, exact: Option<Number>| TableCell {
        text,
        exact,
        numeric: true,
        ..TableCell::default()
    };
    let words = |text: String| TableCell { text, ..TableCell::default() };
    let kept = if functions.len() <= ROWS + 1 { functions.len() } else { ROWS };
    let mut rows: Vec<TableRow> = functions[..kept]
        .iter()
        .map(|cost| TableRow {
            target: clipped(&cost.function),
            boundary: false,
            cells: vec![
                words(cost.file.as_deref().map(|file| clipped(&short(file))).unwrap_or_default()),
                cell(sheet.show(cost.own), Some(cost.own)),
                cell(sheet.share(cost.own), None),
                cell(sheet.show(cost.inclusive), Some(cost.inclusive)),
                cell(sheet.share(cost.inclusive), None),
            ],
        })
        .collect();
    let rest = &functions[kept..];
    if !rest.is_empty() {
        let own: Number = rest.iter().map(|cost| cost.own).sum();
        rows.push(TableRow {
            target: list::counted(rest.len(), "further function", "further functions"),
            boundary: true,
            cells: vec![
                words(String::new()),
                cell(sheet.show(own), Some(own)),
                cell(sheet.share(own), None),
                words("not a sum".to_owned()),
                words(String::new()),
            ],
        });
    }
    let head = ["function", "file", "own", "own share", "with callees", "share with callees"];
    Table {
        summary: format!("Cost by function, {}", list::counted(functions.len(), "function", "functions")),
        caption: format!(
            "Own cost, and cost with everything that a function calls, of {} {}. A function that calls itself counts once.",
            sheet.show(sheet.total),
            sheet.noun
        ),
        head: head.map(str::to_owned).to_vec(),
        rows,
    }
}

/// Every function for machines.
pub(super) fn data(sheet: &Sheet, functions: &[Cost]) -> DataTable {
    let head = ["feature", "target", "function", "file", "self", "inclusive", "total", "unit"];
    let text = |text: &str| if text.is_empty() { Datum::Empty } else { Datum::Text(text.into()) };
    let rows = functions.iter().map(|cost| {
        vec![
            text(sheet.option("feature")),
            text(sheet.option("selected_version")),
            text(&cost.function),
            text(cost.file.as_deref().unwrap_or_default()),
            Datum::Number(cost.own),
            Datum::Number(cost.inclusive),
            Datum::Number(sheet.total),
            text(sheet.option("unit")),
        ]
    });
    DataTable { head: head.map(str::to_owned).to_vec(), rows: rows.collect() }
}

pub(super) fn provenance(sheet: &Sheet) -> Vec<(String, String)> {
    let details = sheet.document.perfolio.clone().unwrap_or_default();
    let metric = sheet.option("metric");
    let definitions = sheet.document.plot.options.get("measurement_definitions");
    let definitions = definitions.and_then(|list| list.as_array()).into_iter().flatten();
    let definitions: Vec<&str> = definitions.filter_map(|id| id.as_str()).collect();
    let unit = sheet.option("unit");
    let what = if metric.is_empty() { definitions.join(", ") } else { metric.to_owned() };
    let metric = if what.is_empty() { sheet.noun.clone() } else { format!("{what} ({unit})") };
    let target = ("Target", sheet.option("selected_version").to_owned());
    common::facts(sheet.document, &details, [target, ("Metric", metric)])
}
