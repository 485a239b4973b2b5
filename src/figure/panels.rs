//! Panels: what a figure without targets on an axis shows. Each panel has one quantity in one unit, as bars one
//! below the other or as a curve over another quantity. The kinds that use them make their rows into entries;
//! what all of them share (axes, readings, table, rows for machines) is made here.

use serde::Deserialize;
use serde_json::Value;

use super::chart::{Axis, Body, Caption, Chart, DataTable, Datum, Scale, Table, TableCell, TableRow};
use super::{names, scale, ticks};
use crate::error::{Error, Place, Result};
use crate::evidence::Number;
use crate::evidence::plot::PlotDocument;
use crate::evidence::row::{Fields, Row};
use crate::text::escape::visible;
use crate::text::unit::{self, Unit};
use crate::text::{list, number};

/// Most rows of a table under a figure of panels; the CSV has all.
pub(super) const ROWS: usize = 300;
/// Most panels that are drawn; as many as a page can switch.
pub const PANELS: usize = 24;
/// How many panels are shown at first.
const SHOWN: usize = 4;
/// Most bars of one panel.
pub(super) const BARS: usize = 32;
/// From so many points on a curve has no marks of its own.
pub const MARKED: usize = 120;

/// One quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Its name for people, with its display unit.
    pub title: String,
    /// What its toggle adds: the range or the number of values.
    pub note: String,
    /// Whether it is shown at first.
    pub shown: bool,
    /// How it is drawn.
    pub form: Form,
}

/// How a panel is drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// Bars from zero, one below the other.
    Bars(Vec<Bar>),
    /// A curve.
    Curve(Curve),
}

/// A bar with its words.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// What it stands for.
    pub label: String,
    /// Length as a part of the panel's width, from 0 to 1; none where there is no value.
    pub part: Option<f64>,
    /// Its value with unit; the reason where there is no value.
    pub text: String,
    /// What belongs to it, such as a percentage; may be empty.
    pub more: String,
    /// Everything about it in one sentence.
    pub reading: String,
    /// Whether it stands for several: the rest that was folded.
    pub rest: bool,
}

/// A curve over another quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The value axis.
    pub axis: Axis,
    /// The axis across.
    pub across: Axis,
    /// The points in order.
    pub points: Vec<Point>,
}

/// A point of a curve, in display units.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Place across.
    pub x: f64,
    /// Value; none leaves a gap.
    pub y: Option<f64>,
    /// Everything about it in one sentence.
    pub reading: String,
}

/// One value of a panel as a kind gives it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// What it stands for: a phase, a type, a source line.
    pub(super) label: String,
    /// The recorded value; none where there is none.
    pub(super) value: Option<Number>,
    /// Place across of a curve's point, in its own unit.
    pub(super) across: Option<Number>,
    /// What belongs to it, such as `34.5 %` or `20 objects`.
    pub(super) more: String,
    /// Whether it stands for several.
    pub(super) rest: bool,
}

/// A quantity with its values.
#[derive(Debug, Clone)]
pub(super) struct Quantity {
    /// Name for people.
    pub(super) name: String,
    /// Unit as recorded.
    pub(super) unit: String,
    /// Name and unit of what curves run over.
    pub(super) over: Option<(String, String)>,
    /// The values in order.
    pub(super) entries: Vec<Entry>,
}

/// The words of a figure of panels that only its kind knows.
#[derive(Debug, Clone, Default)]
pub(super) struct Words {
    /// Heading beside other figures.
    pub(super) heading: String,
    /// What it says.
    pub(super) says: String,
    /// How to read it.
    pub(super) fine: String,
    /// Head of the first column of the table.
    pub(super) head: String,
    /// Head of the column for what belongs to values; empty for none.
    pub(super) more: String,
    /// Where the numbers come from.
    pub(super) provenance: Vec<(String, String)>,
}

/// A chart without targets, lines and axis of its own.
pub(super) fn blank(document: &PlotDocument, words: Words, body: Body) -> Chart {
    let plot = &document.plot;
    let title = visible(&plot.title).into_owned();
    Chart {
        heading: visible(&words.heading).into_owned(),
        description: format!("{title}. {} {}", words.says, words.fine).trim().to_owned(),
        title,
        caption: Caption { says: visible(&words.says).into_owned(), fine: visible(&words.fine).into_owned() },
        rest: "Point at a value, or move to it by keys, to read it.".to_owned(),
        data: data(&plot.data),
        provenance: words.provenance,
        ..Chart::bare(plot, body)
    }
}

/// A figure of `quantities`, one panel each. Those beyond [`PANELS`] and bars beyond [`BARS`] are in the table and
/// the CSV only, and the caption says so.
pub(super) fn chart(document: &PlotDocument, quantities: &[Quantity], mut words: Words) -> Chart {
    let panels: Vec<Panel> =
        quantities.iter().take(PANELS).enumerate().map(|(at, one)| panel(one, at < SHOWN)).collect();
    let mut left_out = Vec::new();
    if quantities.len() > PANELS {
        left_out.push(list::counted(quantities.len() - PANELS, "quantity", "quantities"));
    }
    let cut = |one: &&Quantity| one.over.is_none() && one.entries.len() > BARS;
    let bars: usize = quantities.iter().take(PANELS).filter(cut).map(|one| one.entries.len() - BARS).sum();
    if bars > 0 {
        left_out.push(list::counted(bars, "bar", "bars"));
    }
    if !left_out.is_empty() {
        words.fine = format!("{} Not drawn: {}; the CSV has them.", words.fine, list::and(&left_out));
    }
    let table = table(quantities, &words);
    let mut chart = blank(document, words, Body::Panels(panels));
    chart.table = table;
    chart
}

/// A value as people read it, whole amounts exactly.
pub(super) fn show(scale: &unit::Scale, value: Number) -> String {
    match value.as_whole() {
        Some(whole) if whole.abs() < 1 << 64 => scale.show_whole(whole),
        _ => scale.show(value.as_f64()),
    }
}

fn drawn(quantity: &Quantity) -> Vec<f64> {
    quantity.entries.iter().filter_map(|entry| entry.value).map(Number::as_f64).collect()
}

fn named(name: &str, symbol: &str) -> String {
    let name = visible(name);
    if symbol.is_empty() { name.into_owned() } else { format!("{name}, {symbol}") }
}

fn panel(quantity: &Quantity, shown: bool) -> Panel {
    let values = drawn(quantity);
    let unit = Unit::parse(&quantity.unit);
    let scale = unit.scale(values.iter().copied());
    let (least, most) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
        (least.min(*value), most.max(*value))
    });
    let note = match values.len() {
        0 => "no value".to_owned(),
        _ if least.to_bits() == most.to_bits() => {
            if values.len() > 1 {
                format!("{} each", scale.show(least))
            } else {
                scale.show(least)
            }
        }
        _ => format!("{} to {}", scale.number(least), scale.show(most)),
    };
    let form = match &quantity.over {
        Some(over) => Form::Curve(curve(quantity, over, &scale)),
        None => Form::Bars(bars(quantity, &unit, most)),
    };
    let symbol = if quantity.over.is_some() { scale.symbol() } else { "" };
    Panel { title: named(&quantity.name, symbol), note, shown, form }
}

fn bars(quantity: &Quantity, unit: &Unit, most: f64) -> Vec<Bar> {
    quantity
        .entries
        .iter()
        .take(BARS)
        .map(|entry| {
            // Each bar has its value in words, so each may have the unit that suits it.
            let value = entry.value.map(|value| show(&unit.scale([value.as_f64()]), value));
            let text = value.unwrap_or_else(|| "not recorded".to_owned());
            let more = visible(&entry.more).into_owned();
            let comma = if more.is_empty() { "" } else { ", " };
            let label = visible(&entry.label).into_owned();
            let part = entry
                .value
                .map(|value| if most > 0.0 { (value.as_f64() / most).clamp(0.0, 1.0) } else { 0.0 });
            let reading = format!("{}, {label}: {text}{comma}{more}.", visible(&quantity.name));
            Bar { label, part, text, more, reading, rest: entry.rest }
        })
        .collect()
}

fn curve(quantity: &Quantity, over: &(String, String), scale: &unit::Scale) -> Curve {
    let across = Unit::parse(&over.1);
    let places = || quantity.entries.iter().filter_map(|entry| entry.across).map(Number::as_f64);
    let across = across.scale(places());
    let values: Vec<f64> = drawn(quantity).iter().map(|value| scale.convert(*value)).collect();
    let points: Vec<Point> = quantity
        .entries
        .iter()
        .filter_map(|entry| {
            let place = entry.across?;
            let value = entry.value.map_or_else(|| "not recorded".to_owned(), |value| show(scale, value));
            Some(Point {
                x: across.convert(place.as_f64()),
                y: entry.value.map(|value| scale.convert(value.as_f64())),
                reading: format!(
                    "{} at {} {}: {value}.",
                    visible(&quantity.name),
                    show(&across, place),
                    visible(&over.0)
                ),
            })
        })
        .collect();
    let mut axis = scale::axis(named(&quantity.name, scale.symbol()), &values, Scale::Linear, true);
    // Amounts start at zero: the height of a curve is compared.
    if axis.low > 0.0 {
        axis.low = 0.0;
        axis.ticks = ticks::ticks(axis.low, axis.high, Scale::Linear);
    }
    if values.iter().all(|value| *value == 0.0) {
        axis.ticks.retain(|tick| tick.value == 0.0);
    }
    let (low, high) = points
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| (low.min(point.x), high.max(point.x)));
    let (low, high) = if low < high { (low, high) } else { (low.min(0.0), low.max(0.0) + 1.0) };
    let (low, high) = if low.is_finite() && high.is_finite() { (low, high) } else { (0.0, 1.0) };
    let symbol = if over.0 == across.symbol() { "" } else { across.symbol() };
    let across = Axis {
        title: named(&over.0, symbol),
        scale: Scale::Linear,
        low,
        high,
        ticks: ticks::ticks(low, high, Scale::Linear),
    };
    Curve { axis, across, points }
}

fn table(quantities: &[Quantity], words: &Words) -> Table {
    let several = quantities.len() > 1;
    let over = quantities.iter().find_map(|one| one.over.as_ref());
    let mut head = vec![if several { "Quantity".to_owned() } else { words.head.clone() }];
    if several && over.is_none() {
        head.push(words.head.clone());
    }
    head.extend(over.map(|(name, _)| visible(name).into_owned()));
    head.push("Value".to_owned());
    if !words.more.is_empty() {
        head.push(words.more.clone());
    }
    let cell = |text: String, numeric: bool| TableCell { text, numeric, ..TableCell::default() };
    let all: usize = quantities.iter().map(|one| one.entries.len()).sum();
    let mut rows = Vec::new();
    for quantity in quantities {
        let unit = Unit::parse(&quantity.unit);
        let scale = unit.scale(drawn(quantity));
        for (at, entry) in quantity.entries.iter().enumerate().take(ROWS.saturating_sub(rows.len())) {
            let label = visible(&entry.label).into_owned();
            let mut cells = Vec::new();
            if several && over.is_none() {
                cells.push(cell(label.clone(), false));
            }
            if over.is_some() {
                cells.push(cell(entry.across.map_or_else(String::new, exact), true));
            }
            // Values of bars differ by orders of magnitude, so each has the unit that suits it.
            let own = entry.value.map(|value| {
                if over.is_some() { show(&scale, value) } else { show(&unit.scale([value.as_f64()]), value) }
            });
            cells.push(TableCell {
                text: own.unwrap_or_else(|| "not recorded".to_owned()),
                exact: entry.value,
                numeric: true,
                ..TableCell::default()
            });
            if !words.more.is_empty() {
                cells.push(cell(visible(&entry.more).into_owned(), true));
            }
            let target = if several { visible(&quantity.name).into_owned() } else { label };
            rows.push(TableRow { target, boundary: several && at == 0, cells });
        }
    }
    let count = list::counted(all, "value", "values");
    let summary = if rows.len() < all {
        format!("{count}, the first {} here; the CSV has all", rows.len())
    } else {
        names::raised(&count)
    };
    Table { summary, caption: words.heading.clone(), head, rows }
}

fn exact(value: Number) -> String {
    value.as_whole().map_or_else(|| number::short(value.as_f64()), number::whole)
}

/// The rows of a document as they are, field by field in the order in which fields come first.
pub(super) fn data(rows: &[Row]) -> DataTable {
    let mut head: Vec<String> = Vec::new();
    for (key, _) in rows.iter().flat_map(Row::iter) {
        if !head.iter().any(|known| known == key) {
            head.push(key.to_owned());
        }
    }
    let datum = |value: Option<&Value>| match value {
        None | Some(Value::Null) => Datum::Empty,
        Some(value @ Value::Number(number)) => match Number::deserialize(value) {
            Ok(value) => Datum::Number(value),
            Err(_) => Datum::Text(number.to_string().into()),
        },
        Some(Value::String(text)) => Datum::Text(text.as_str().into()),
        Some(other) => Datum::Text(other.to_string().into()),
    };
    let rows = rows.iter().map(|row| head.iter().map(|key| datum(row.get(key))).collect()).collect();
    DataTable { head, rows }
}

/// A text field of a row or of the options.
pub(super) fn text<'a>(row: &'a impl Fields, key: &str) -> Option<&'a str> {
    row.field(key).and_then(Value::as_str)
}

/// A number of a row; none where it is null or absent.
///
/// # Errors
/// It is something else.
pub(super) fn field(row: &Row, at: usize, key: &str) -> Result<Option<Number>> {
    match row.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            Number::deserialize(value).map(Some).map_err(|_| wrong(at, key, "is not a finite number"))
        }
    }
}

/// A row that is not of its kind.
pub(super) fn wrong(at: usize, key: &str, what: &str) -> Error {
    Error::evidence(format!("`{key}` {what}")).at(Place::default().field(format!("plot.data[{at}].{key}")))
}

/// Where the numbers of a document come from, as label and text: what the document itself says.
pub(super) fn provenance(document: &PlotDocument) -> Vec<(String, String)> {
    let option = |name: &str| text(&document.plot.options, name).unwrap_or_default().to_owned();
    let definitions = document.plot.options.get("measurement_definitions").and_then(Value::as_array);
    let definitions: Vec<&str> = definitions.into_iter().flatten().filter_map(Value::as_str).collect();
    let runtime = ["language", "version"].map(|key| text(&document.runtime, key).unwrap_or_default());
    let tool = format!("{} {}", option("tool"), option("tool_version"));
    let details = document.perfolio.as_ref();
    [
        ("Source", details.and_then(|details| details.source_title.clone()).unwrap_or_default()),
        ("Package", option("package")),
        ("Feature", option("feature")),
        ("Workload", option("workload")),
        ("Target", [option("target"), option("selected_version")].concat()),
        ("Tool", tool.trim().to_owned()),
        ("Definitions", definitions.join(", ")),
        ("Scope", option("scope")),
        ("Runtime", runtime.join(" ").trim().to_owned()),
        ("OS", document.os.clone().unwrap_or_default()),
        ("File", option("file")),
        ("Run", document.run_id.clone().unwrap_or_default()),
        ("Recorded", document.started_at.clone().unwrap_or_default()),
        ("Correctness", document.correctness.clone().unwrap_or_default().replace('_', " ")),
    ]
    .into_iter()
    .filter(|(_, text)| !text.is_empty())
    .map(|(label, text)| (label.to_owned(), visible(&text).into_owned()))
    .collect()
}
