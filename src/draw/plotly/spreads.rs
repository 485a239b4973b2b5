//! Samples with a box over them: one trace for all boxes, with every sample; single samples, which have no
//! spread, as marks; and the medians, unseen, which carry the sentences.

use plotly::box_plot::{BoxPoints, HoverOn};
use plotly::common::{HoverInfo, Line as Stroke, Marker, Mode};
use plotly::{BoxPlot, Trace};

use super::lines::{self, Places};
use super::{MEDIANS, words};
use crate::draw::svg::look::Look;
use crate::figure::chart::{Line, Mark, Spread};

/// Most samples that all have a dot: with ten times as many a browser needs half a minute.
const DOTS: usize = 10_000;

/// Whether there are so many samples that only those beyond the whiskers have a dot. All are in the data.
pub(super) fn crowded<'a>(spreads: impl Iterator<Item = &'a Spread>) -> bool {
    spreads.map(|spread| spread.samples.len()).sum::<usize>() > DOTS
}

/// Adds the traces of `spreads`, one per column.
pub(super) fn traces(
    line: &Line,
    spreads: &[Option<Spread>],
    columns: &[String],
    traces: &mut Vec<Box<dyn Trace>>,
) {
    let all = || columns.iter().zip(&line.marks).zip(spreads);
    let cells = || all().filter_map(|((column, mark), spread)| Some((column, mark, spread.as_ref()?)));
    let boxed = cells().filter(|(_, _, spread)| spread.quartiles.is_some());
    let boxed: Vec<(&String, &Mark, &Spread)> = boxed.collect();
    if !boxed.is_empty() {
        traces.push(boxes(line, &boxed));
        traces.push(medians(line, &boxed));
    }
    let single = cells().filter(|(_, _, spread)| spread.quartiles.is_none());
    let single: Vec<(&String, &Mark, &Spread)> = single.collect();
    if !single.is_empty() {
        traces.push(singles(line, &single));
    }
}

/// Boxes and samples. Plotly has its own quartiles of another type: it must never compute any.
fn boxes(line: &Line, cells: &[(&String, &Mark, &Spread)]) -> Box<dyn Trace> {
    let colour = words::series(Look::of(line.slot).colour);
    let quartile = |at: usize| {
        cells.iter().map(|(_, _, spread)| spread.quartiles.map_or(0.0, |three| three[at])).collect()
    };
    let whisker = |at: usize, inner: usize| {
        let end = |spread: &Spread| match (spread.whiskers, spread.quartiles) {
            (Some(ends), _) => ends[at],
            (None, Some(three)) => three[inner],
            (None, None) => 0.0,
        };
        cells.iter().map(|(_, _, spread)| end(spread)).collect()
    };
    let columns: Vec<String> = cells.iter().map(|(column, ..)| (*column).clone()).collect();
    let samples: Vec<Vec<f64>> = cells.iter().map(|(_, _, spread)| spread.samples.clone()).collect();
    let unit =
        if line.unit.is_empty() { String::new() } else { format!("\u{202f}{}", words::text(&line.unit)) };
    BoxPlot::new_xy(columns, samples)
        .name(words::text(&line.name))
        .legend_group(lines::group(0))
        .q1(quartile(0))
        .median(quartile(1))
        .q3(quartile(2))
        .lower_fence(whisker(0, 0))
        .upper_fence(whisker(1, 2))
        .box_points(if crowded(cells.iter().map(|cell| cell.2)) {
            BoxPoints::Outliers
        } else {
            BoxPoints::All
        })
        .jitter(0.6)
        .point_pos(0.0)
        .whisker_width(0.4)
        .marker(Marker::new().color(colour).size(4).opacity(0.6))
        .line(Stroke::new().color(colour).width(1.25))
        .fill_color("rgba(0,0,0,0)")
        .hover_on(HoverOn::Points)
        .hover_template(format!("%{{x}}: %{{y}}{unit}<extra></extra>"))
        .visible(lines::visible(line.shown))
}

/// Places for the sentences of the boxes.
fn medians(line: &Line, cells: &[(&String, &Mark, &Spread)]) -> Box<dyn Trace> {
    let marker = Marker::new().color(words::series(Look::of(line.slot).colour)).size(9).opacity(0.0);
    marks(line, cells, marker).name(MEDIANS)
}

/// Single samples.
fn singles(line: &Line, cells: &[(&String, &Mark, &Spread)]) -> Box<dyn Trace> {
    let look = Look::of(line.slot);
    let marker = Marker::new().symbol(lines::SHAPES[look.shape].clone()).size(7);
    marks(line, cells, marker.color(words::series(look.colour))).name(words::text(&line.name))
}

fn marks(line: &Line, cells: &[(&String, &Mark, &Spread)], marker: Marker) -> Box<Places> {
    let columns: Vec<String> = cells.iter().map(|(column, ..)| (*column).clone()).collect();
    Places::new(columns, cells.iter().map(|(_, mark, _)| mark.value).collect())
        .legend_group(lines::group(0))
        .show_legend(false)
        .mode(Mode::Markers)
        .marker(marker)
        .hover_info(HoverInfo::Text)
        .hover_text_array(cells.iter().map(|(_, mark, _)| words::text(&mark.reading)).collect())
        .visible(lines::visible(line.shown))
}
