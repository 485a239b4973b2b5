//! Two axes of values: a mark per target, joined in their order where the drawing joins them.

use plotly::common::{HoverInfo, Line as Stroke, Marker, Mode, Position};
use plotly::{Scatter, Trace};

use super::{lines, words};
use crate::draw::svg::look::Look;
use crate::figure::chart::{Chart, Cloud};

/// Adds the marks, the first and the newest with their names.
pub(super) fn traces(chart: &Chart, cloud: &Cloud, traces: &mut Vec<Box<dyn Trace>>) {
    for (at, line) in chart.lines.iter().enumerate() {
        let look = Look::of(line.slot);
        let colour = words::series(look.colour);
        let heights: Vec<Option<f64>> = line.marks.iter().map(|mark| mark.value).collect();
        let ends = [&cloud.first, &cloud.newest].into_iter().flatten();
        let mut names = vec![String::new(); chart.columns.len()];
        for end in ends {
            if let (Some(name), Some(column)) = (names.get_mut(end.column), chart.columns.get(end.column)) {
                *name = words::text(&format!("{} {}", column.label, end.word));
            }
        }
        let marker = Marker::new().symbol(lines::SHAPES[look.shape].clone()).size(8).color(colour);
        let trace = Scatter::new(cloud.places.clone(), heights)
            .name(words::text(&line.name))
            .legend_group(lines::group(at))
            .mode(if cloud.joined { Mode::LinesMarkersText } else { Mode::MarkersText })
            .text_array(names)
            .text_position(Position::TopCenter)
            .line(Stroke::new().color("var(--muted)").width(1.0))
            .marker(marker.line(Stroke::new().width(1.25).color(colour)))
            .connect_gaps(false)
            .clip_on_axis(false)
            .hover_info(HoverInfo::Text)
            .hover_text_array(lines::readings(line))
            .visible(lines::visible(line.shown));
        traces.push(trace);
    }
}
