//! Lines over targets: one trace per line; and what all bodies share: marks of cells without a value and of
//! zeros, looks, groups.

use plotly::common::{DashType, HoverInfo, Line as Stroke, LineShape, Marker, MarkerSymbol, Mode, Visible};
use plotly::{Scatter, Trace};

use super::{ABSENT, ZEROS, words};
use crate::draw::svg::look::Look;
use crate::figure::chart::{Chart, Form, Line, Mark, Scale};

/// Dashes by the pattern that the drawing uses. Plotly knows them by name only; the page's script gives them
/// the lengths of the drawing.
const DASHES: [(&str, DashType); 6] = [
    ("", DashType::Solid),
    ("7 3", DashType::Dash),
    ("2 3", DashType::Dot),
    ("9 3 2 3", DashType::DashDot),
    ("12 3", DashType::LongDash),
    ("4 2", DashType::LongDashDot),
];

/// Shapes in the order of the drawing.
pub(super) const SHAPES: [MarkerSymbol; 6] = [
    MarkerSymbol::Circle,
    MarkerSymbol::Square,
    MarkerSymbol::TriangleUp,
    MarkerSymbol::Diamond,
    MarkerSymbol::TriangleDown,
    MarkerSymbol::Hexagon2,
];

/// Distance between marks without a value of one column, as a part of the height.
const STEP: f64 = 0.035;

/// A trace of places, some without a value.
pub(super) type Places = Scatter<String, Option<f64>>;

/// Adds one trace per line.
pub(super) fn traces(chart: &Chart, columns: &[String], traces: &mut Vec<Box<dyn Trace>>) {
    for (at, line) in chart.lines.iter().enumerate() {
        traces.push(values(columns, line, at));
    }
}

/// Adds what lies at the foot: cells without a value, and zeros.
pub(super) fn feet(chart: &Chart, columns: &[String], traces: &mut Vec<Box<dyn Trace>>) {
    let mut absent_above = vec![0_usize; columns.len()];
    for (at, line) in chart.lines.iter().enumerate() {
        if let Some(trace) = absent(columns, line, at, &mut absent_above) {
            traces.push(trace);
        }
        if let Some(trace) = zeros(chart, columns, line, at) {
            traces.push(trace);
        }
    }
}

/// The values of a line, with gaps where there are none.
fn values(columns: &[String], line: &Line, at: usize) -> Box<dyn Trace> {
    let look = Look::of(line.slot);
    let values: Vec<Option<f64>> = line.marks.iter().map(|mark| mark.value).collect();
    let hollow: Vec<bool> = line.marks.iter().map(is_hollow).collect();
    let colour = words::series(look.colour);
    let edge = Stroke::new().width(1.25).color(colour);
    let marker = Marker::new().symbol(SHAPES[look.shape].clone()).size(size(columns.len())).line(edge);
    let marker = if hollow.contains(&true) {
        let fill = |hollow: &bool| if *hollow { "var(--paper)" } else { colour };
        marker.color_array(hollow.iter().map(fill).collect())
    } else {
        marker.color(colour)
    };
    Places::new(columns.to_vec(), values)
        .name(words::text(&line.name))
        .legend_group(group(at))
        .mode(Mode::LinesMarkers)
        .line(Stroke::new().color(colour).width(1.75).dash(dash(look)).shape(LineShape::Linear))
        .marker(marker)
        .connect_gaps(false)
        .hover_info(HoverInfo::Text)
        .hover_text_array(readings(line))
        .visible(visible(line.shown))
}

/// The cells of a line that have no value: open marks at the foot, each with its reason. Marks of one column
/// stand above each other.
fn absent(columns: &[String], line: &Line, at: usize, above: &mut [usize]) -> Option<Box<dyn Trace>> {
    let (mut places, mut heights, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for ((mark, column), above) in line.marks.iter().zip(columns).zip(above) {
        if mark.value.is_none() {
            places.push(column.clone());
            heights.push(Some(*above as f64 * STEP));
            texts.push(words::text(&mark.reading));
            *above += 1;
        }
    }
    foot(places, heights, texts, line, at).map(|trace| trace.name(ABSENT).visible(visible(line.shown)) as _)
}

/// The zeros of a line on a logarithmic axis, at the foot. A chart that starts with a linear axis has them too,
/// for the reader may change it.
fn zeros(chart: &Chart, columns: &[String], line: &Line, at: usize) -> Option<Box<dyn Trace>> {
    if chart.lines.iter().flat_map(|line| &line.marks).any(|mark| mark.value.is_some_and(|value| value < 0.0))
    {
        return None;
    }
    let zeros = line.marks.iter().zip(columns).filter(|(mark, _)| mark.value == Some(0.0));
    let (places, texts): (Vec<_>, Vec<_>) =
        zeros.map(|(mark, column)| (column.clone(), words::text(&mark.reading))).unzip();
    let heights = vec![Some(0.0); places.len()];
    let shown = if chart.axis.scale == Scale::Log { visible(line.shown) } else { Visible::False };
    foot(places, heights, texts, line, at).map(|trace| trace.name(ZEROS).visible(shown) as _)
}

/// Open marks of a line at the foot of the plot; none when there are none.
fn foot(
    places: Vec<String>,
    heights: Vec<Option<f64>>,
    texts: Vec<String>,
    line: &Line,
    at: usize,
) -> Option<Box<Places>> {
    if places.is_empty() {
        return None;
    }
    let look = Look::of(line.slot);
    let edge = Stroke::new().width(1.25).color(words::series(look.colour));
    let marker = Marker::new().symbol(SHAPES[look.shape].clone()).size(7).color("var(--paper)").line(edge);
    let trace = Places::new(places, heights)
        .legend_group(group(at))
        .show_legend(false)
        .y_axis("y2")
        .mode(Mode::Markers)
        .marker(marker)
        .clip_on_axis(false)
        .hover_info(HoverInfo::Text)
        .hover_text_array(texts);
    Some(trace)
}

/// The sentences of all marks.
pub(super) fn readings(line: &Line) -> Vec<String> {
    line.marks.iter().map(|mark| words::text(&mark.reading)).collect()
}

/// The group of a line: its number from 1.
pub(super) fn group(at: usize) -> String {
    (at + 1).to_string()
}

pub(super) fn visible(shown: bool) -> Visible {
    if shown { Visible::True } else { Visible::LegendOnly }
}

pub(super) fn is_hollow(mark: &Mark) -> bool {
    matches!(mark.form, Form::Convention | Form::ZeroOnLog)
}

fn dash(look: Look) -> DashType {
    DASHES.iter().find(|(pattern, _)| *pattern == look.dash).map_or(DashType::Solid, |(_, dash)| dash.clone())
}

/// Width of a mark in px: as in the drawing, marks shrink where there are many.
fn size(columns: usize) -> usize {
    match columns {
        0..=40 => 7,
        41..=100 => 5,
        _ => 3,
    }
}
