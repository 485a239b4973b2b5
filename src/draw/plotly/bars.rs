//! Bars from the reference line to each mark.

use plotly::common::{HoverInfo, Line as Stroke, Marker};
use plotly::{Bar, Trace};

use super::{lines, words};
use crate::draw::svg::look::Look;
use crate::figure::chart::{Chart, Line};

/// Adds one trace of bars per line.
pub(super) fn traces(chart: &Chart, columns: &[String], traces: &mut Vec<Box<dyn Trace>>) {
    traces.extend(chart.lines.iter().enumerate().map(|(at, line)| bars(columns, line, at)));
}

fn bars(columns: &[String], line: &Line, at: usize) -> Box<dyn Trace> {
    let colour = words::series(Look::of(line.slot).colour);
    let values: Vec<Option<f64>> = line.marks.iter().map(|mark| mark.value).collect();
    let fill = |hollow: bool| if hollow { "var(--paper)" } else { colour };
    let fills = line.marks.iter().map(|mark| fill(lines::is_hollow(mark))).collect();
    Bar::new(columns.to_vec(), values)
        .name(words::text(&line.name))
        .legend_group(lines::group(at))
        .marker(Marker::new().color_array(fills).line(Stroke::new().width(1.25).color(colour)))
        .hover_info(HoverInfo::Text)
        .hover_text_array(lines::readings(line))
        .visible(lines::visible(line.shown))
}
