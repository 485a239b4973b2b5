//! From a sheet to a chart: lines, marks, axis; what all line figures share.

use super::boundaries;
use super::chart::{Axis, Body, Chart, Form, Line, Mark, ReferenceLine, Scale, StepLabel};
use super::scale;
use super::sheet::{self, Drawn, Metric, Sheet};
use super::{table, words};
use crate::evidence::Number;
use crate::evidence::plot::Status;
use crate::text::number;

/// Most lines drawn at first; the others wait behind toggles.
pub(super) const SHOWN: usize = 6;
/// What stands for a unit that was not recorded.
pub(super) const UNSPECIFIED: &str = "unspecified";
/// Changes below this part get no label in the figure.
const STEP_WORTH: f64 = 0.1;

/// The scale that the document fixes, or the one its own values ask for.
pub(super) fn scale_of(sheet: &Sheet) -> Scale {
    let fixed = sheet.details.scale.as_deref().and_then(scale::parse);
    fixed.unwrap_or_else(|| scale::decide(sheet.all_drawn()))
}

/// Draws a sheet.
pub(super) fn chart(sheet: &Sheet) -> Chart {
    let plot = &sheet.document.plot;
    let scale = scale_of(sheet);
    let mut drawn = sheet.all_drawn();
    if sheet.drawn == Drawn::Ratio {
        // The reference line is part of the figure, also where no target of the window reaches it.
        drawn.push(1.0);
    }
    let mut axis = scale::axis(String::new(), &drawn, scale, sheet.drawn == Drawn::Value);
    axis.title = words::axis_title(sheet, axis.scale);
    let boundaries = boundaries::boundaries(&sheet.targets, &sheet.details.dependencies);
    let lines = lines(sheet, &axis);
    let step = step_label(sheet);
    let caption = words::caption(sheet, axis.scale);
    let table = table::table(sheet, &boundaries, table::caption(sheet));
    Chart {
        id: plot.id.clone(),
        kind: plot.kind.clone(),
        heading: words::heading(sheet),
        title: words::title(sheet),
        description: words::description(sheet, &caption),
        reference: (sheet.drawn == Drawn::Ratio && !sheet.metrics.is_empty())
            .then(|| ReferenceLine { value: 1.0, label: words::reference_label(sheet) }),
        columns: sheet.targets.clone(),
        ribbons: boundaries::ribbons(&sheet.targets, &sheet.details.dependencies),
        package_counts: package_counts(sheet),
        rest: words::rest(sheet),
        data: table::data(sheet),
        provenance: words::provenance(sheet),
        axis,
        boundaries,
        lines,
        body: Body::Lines,
        step,
        caption,
        table,
    }
}

/// Number of resolved packages per target; empty when unknown everywhere.
pub(super) fn package_counts(sheet: &Sheet) -> Vec<Option<u64>> {
    let mut counts = sheet.details.package_counts.clone();
    counts.resize(sheet.targets.len(), None);
    if counts.iter().all(Option::is_none) {
        counts.clear();
    }
    counts
}

/// The lines of all metrics.
fn lines(sheet: &Sheet, axis: &Axis) -> Vec<Line> {
    let marks = |metric| {
        let mut readings = words::Readings::new(sheet, metric);
        let mark = |target| Mark {
            value: sheet.drawn(metric, target),
            form: form(sheet, metric, target, axis),
            reading: readings.at(target),
        };
        (0..sheet.targets.len()).map(mark).collect()
    };
    let all = bare(sheet).into_iter().zip(&sheet.metrics);
    all.map(|(line, metric)| Line { marks: marks(metric), ..line }).collect()
}

/// The lines of all metrics without their marks.
pub(super) fn bare(sheet: &Sheet) -> Vec<Line> {
    let asked = &sheet.details.shown;
    let named = sheet.metrics.iter().any(|metric| asked.contains(&metric.id));
    sheet
        .metrics
        .iter()
        .enumerate()
        .map(|(at, metric)| Line {
            key: if metric.name.running.ends_with(']')
                && sheet.metrics[..at].iter().any(|other| other.id == metric.id)
            {
                format!("{} [{}]", metric.id, metric.unit)
            } else {
                metric.id.clone()
            },
            name: metric.name.running.clone(),
            unit: unit(metric),
            slot: metric.slot,
            shown: if named { asked.contains(&metric.id) } else { at < SHOWN },
            last: last_value(sheet, metric),
            last_note: last_note(sheet, metric),
            marks: Vec::new(),
        })
        .collect()
}

/// The unit of a metric as people read it. A plain number has none; a unit that was not recorded is not
/// the same and is said.
pub(super) fn unit(metric: &Metric) -> String {
    let unit = if metric.unit.is_empty() { UNSPECIFIED } else { metric.scale.symbol() };
    unit.to_owned()
}

fn form(sheet: &Sheet, metric: &Metric, target: usize, axis: &Axis) -> Form {
    let Some(value) = sheet.drawn(metric, target) else {
        return Form::Absent(sheet.reason(metric, target).unwrap_or_default());
    };
    let status = sheet.row(metric, target).map(|row| row.normalization_status);
    if sheet.drawn == Drawn::Ratio && status == Some(Status::BothZero) {
        Form::Convention
    } else if axis.scale == Scale::Log && value <= 0.0 {
        Form::ZeroOnLog
    } else {
        Form::Measured
    }
}

/// The newest target that has a value.
fn last(sheet: &Sheet, metric: &Metric) -> Option<(usize, Number)> {
    (0..sheet.targets.len()).rev().find_map(|target| Some((target, sheet.value(metric, target)?)))
}

fn last_value(sheet: &Sheet, metric: &Metric) -> String {
    last(sheet, metric).map_or_else(|| "no value".to_owned(), |(_, value)| sheet::show(metric, value))
}

fn last_note(sheet: &Sheet, metric: &Metric) -> String {
    let Some((target, _)) = last(sheet, metric) else { return String::new() };
    let row = sheet.row(metric, target);
    let mut notes = Vec::new();
    match (row.map(|row| row.normalization_status), sheet.drawn) {
        (Some(Status::BothZero), Drawn::Ratio) => notes.push("shown at 1".to_owned()),
        (Some(Status::Ratio), Drawn::Ratio) => {
            notes.extend(sheet.drawn(metric, target).map(number::factor));
        }
        (_, Drawn::Ratio) => notes.push("no ratio".to_owned()),
        (_, Drawn::Value) => {}
    }
    if target + 1 < sheet.targets.len() {
        notes.push(format!("at {}", sheet.targets[target].label));
    }
    // Beside a ratio there is no room for it; the caption says it there.
    if notes.is_empty() && row.is_some_and(|row| row.samples == 1) {
        notes.push("1 sample, no spread".to_owned());
    }
    notes.join(", ")
}

/// The largest step of the main line, when it is worth a label: beyond a tenth and beyond two steps of the
/// clock.
fn step_label(sheet: &Sheet) -> Option<StepLabel> {
    let line = sheet.main()?;
    let step = words::largest_step(sheet, &sheet.metrics[line])?;
    if step.change.abs() < STEP_WORTH || step.within_clock {
        return None;
    }
    Some(StepLabel { column: step.target, line, text: step.text })
}
