//! The small curve of an overview.

use super::layout::Anchor;
use super::look::{Painter, Tone};
use super::plan::{Plan, write_cut};
use super::writer::{Element, push_number};
use crate::figure::chart::{Spark, Tick};
use crate::figure::thin;
use crate::text::width;

/// Height of the plot in px.
const HEIGHT: f64 = 56.0;

/// Widest label that has room left of the curve, and least distance between two of them, in px.
const ROOM: f64 = 30.0;
const APART: f64 = 15.0;

/// The ticks whose labels have room; the reference at 1 before all others.
fn ticks(spark: &Spark, y: impl Fn(f64) -> f64) -> Vec<&Tick> {
    let mut all: Vec<&Tick> =
        spark.axis.ticks.iter().filter(|tick| width::width(&tick.label) <= ROOM).collect();
    all.sort_by(|a, b| a.value.ln().abs().total_cmp(&b.value.ln().abs()));
    let mut kept: Vec<&Tick> = Vec::new();
    for tick in all {
        if kept.iter().all(|other| (y(other.value) - y(tick.value)).abs() >= APART) {
            kept.push(tick);
        }
    }
    kept
}

/// Groups of neighbours whose lowest and highest value a curve of very many targets shows.
const GROUPS: usize = 150;

/// The line: joined where all columns between two points have values.
fn path_data(spark: &Spark, points: &[Option<f64>]) -> String {
    let count = points.len();
    let neighbours = if count <= 2 * GROUPS { 1 } else { count.div_ceil(GROUPS) };
    let always: Vec<usize> = spark.lowest.into_iter().collect();
    let kept = thin::kept(count, neighbours, &always, |column| points[column]);
    let mut d = String::with_capacity(kept.len() * 12);
    let (mut alone, mut next) = (false, 0);
    for column in kept {
        let Some(y) = points[column] else { continue };
        let joined = next > 0 && points[next..column].iter().all(Option::is_some);
        if alone && !joined {
            d.push_str("h0");
        }
        d.push(if joined { 'L' } else { 'M' });
        push_number(&mut d, (column as f64 + 0.5) * 1000.0 / count as f64, 1);
        d.push(' ');
        push_number(&mut d, y, 1);
        alone = !joined;
        next = column + 1;
    }
    if alone {
        d.push_str("h0");
    }
    d
}

/// Draws the curve for a page: ratio axis at the left, the value at the end of the line at the right, the
/// first and the last target under it. The smallest value is hollow.
pub fn spark(spark: &Spark) -> String {
    let painter = Painter { palette: None };
    let count = spark.values.len();
    let x = |column: usize| (column as f64 + 0.5) * 100.0 / count as f64;
    let y = |value: f64| (1.0 - spark.axis.position(value)) * HEIGHT;
    let points: Vec<Option<f64>> =
        spark.values.iter().map(|value| value.filter(|value| value.is_finite()).map(y)).collect();
    let look = super::look::Look::of(spark.slot);
    let mut out = String::with_capacity(2048);
    let kept = ticks(spark, y);
    let mut root = Element::open(&mut out, "svg")
        .class("fig spark")
        .attr("height", "76")
        .attr("role", "img")
        .attr("aria-label", &spark.title);
    {
        let mut ticks = painter.tone(root.child("g"), "", Tone::Muted).attr("text-anchor", "end");
        for tick in &kept {
            ticks.child("text").px("x", -6.0).px("y", y(tick.value) + 4.5).text(&tick.label);
        }
    }
    for tick in &kept {
        let at_one = (tick.value - 1.0).abs() < 1e-9;
        let tone = if at_one { Tone::Reference } else { Tone::Grid };
        let line = painter.tone(root.child("line"), "", tone);
        let line = if at_one { line.attr("stroke-dasharray", "4 4") } else { line };
        line.attr("x2", "100%").px("y1", y(tick.value)).px("y2", y(tick.value));
    }
    if let Some(column) = spark.boundary.filter(|column| *column > 0 && *column < count) {
        let at = column as f64 * 100.0 / count as f64;
        let line = painter.tone(root.child("line"), "", Tone::Rule);
        line.percent("x1", at).percent("x2", at).px("y2", HEIGHT);
    }
    {
        let mut space = root
            .child("svg")
            .attr("viewBox", "0 0 1000 56")
            .attr("width", "100%")
            .px("height", HEIGHT)
            .attr("preserveAspectRatio", "none")
            .attr("overflow", "visible")
            .attr("fill", "none")
            .attr("stroke-width", "1.75")
            .attr("stroke-linejoin", "round")
            .attr("stroke-linecap", "round");
        let path = painter.tone(space.child("path"), "", look.stroke());
        path.attr("d", &path_data(spark, &points));
    }
    let last = points.iter().rev().find_map(|point| *point);
    if let Some(last) = last {
        // Inside a spark the text keeps clear of the row of targets below.
        let mut text = Plan::text(&mut root, Anchor::Start, 100.0, 6.0, last.min(HEIGHT - 2.0) + 4.5);
        text = text.class("end1");
        text.text(&spark.last);
    }
    if let Some(lowest) = spark.lowest
        && let Some(Some(point)) = points.get(lowest)
    {
        let mark = painter.tone(root.child("circle"), "", Tone::SeriesHollow(look.colour));
        mark.attr("stroke-width", "1.5").percent("cx", x(lowest)).px("cy", *point).px("r", 3.5);
    }
    let mut ends = painter.tone(root.child("g"), "", Tone::Muted);
    let (first, newest) = &spark.ends;
    let cut = width::cut(first, 84.0);
    write_cut(Plan::text(&mut ends, Anchor::Start, 0.0, 0.0, 72.0), &cut, first);
    if count > 1 {
        let cut = width::cut(newest, 84.0);
        write_cut(Plan::text(&mut ends, Anchor::End, 100.0, 0.0, 72.0), &cut, newest);
    }
    drop(ends);
    drop(root);
    out
}
