//! Panels: bars one below the other, and curves. In a page each panel is a drawing of its own, so that one can be
//! switched off without leaving a hole; in a file they stand one below the other.

use super::free::Space;
use super::look::Tone;
use super::plan::write_cut;
use super::writer::{Element, push_number};
use crate::draw::svg::layout::Classes;
use crate::figure::chart::Axis;
use crate::figure::panels::{Bar, Curve, Form, MARKED, Panel, Point};
use crate::figure::thin;
use crate::text::width;

/// Height of the line that names a panel.
const HEAD: f64 = 26.0;
/// Height of a bar with its words.
const STEP: f64 = 36.0;
/// Height of the plot of a curve.
const PLOT: f64 = 132.0;
/// Space above the plot of a curve for the label of its highest tick.
const LIFT: f64 = 10.0;
/// Space under a panel.
const GAP: f64 = 14.0;
/// Most points of a drawn curve.
const POINTS: usize = 1200;

/// Height of a panel, with its name or without.
pub(super) fn height(panel: &Panel, named: bool) -> f64 {
    GAP + if named { HEAD } else { 0.0 }
        + match &panel.form {
            Form::Bars(bars) => STEP * bars.len().max(1) as f64,
            Form::Curve(_) => LIFT + PLOT + 34.0,
        }
}

/// Writes a panel from `top` downwards. `named` asks for its name; a single panel is named by its figure.
pub(super) fn draw(parent: &mut Element, space: &Space, panel: &Panel, top: f64, colour: usize, named: bool) {
    if named {
        let text = parent.child("text").px("y", top + 14.0).strong();
        space.cut(text, &panel.title, 0.0, "");
    }
    let top = if named { top + HEAD } else { top };
    match &panel.form {
        Form::Bars(bars) => {
            for (at, bar) in bars.iter().enumerate() {
                draw_bar(parent, space, bar, top + STEP * at as f64, colour);
            }
            if bars.is_empty() {
                let text = parent.child("text").px("y", top + 14.0);
                space.painter.tone(text, "", Tone::Muted).text("no value");
            }
        }
        Form::Curve(curve) => draw_curve(parent, space, curve, top + LIFT, colour),
    }
}

fn draw_bar(parent: &mut Element, space: &Space, bar: &Bar, top: f64, colour: usize) {
    let mut group = space.item(parent, &bar.reading);
    let more = if bar.more.is_empty() { String::new() } else { format!("  {}", bar.more) };
    let beside = width::width(&bar.text) * 1.1 + width::width(&more) + 16.0;
    space.cut(group.child("text").px("y", top + 14.0), &bar.label, beside, "");
    {
        let value = space.x(group.child("text"), "x", 100.0).px("y", top + 14.0).attr("text-anchor", "end");
        let mut value = value.attr("xml:space", "preserve");
        value.child("tspan").strong().text(&bar.text);
        if !more.is_empty() {
            space.painter.tone(value.child("tspan"), "", Tone::Muted).text(&more);
        }
    }
    // The whole width, so that a short bar can be judged.
    let ground = space.x(group.child("rect").px("y", top + 20.0).px("height", 8.0), "width", 100.0);
    drop(space.painter.tone(ground, "", Tone::Ground));
    let Some(part) = bar.part.filter(|part| *part > 0.0) else { return };
    // A bar that is there is seen.
    let shown =
        space.x(group.child("rect").px("y", top + 20.0).px("height", 8.0), "width", (part * 100.0).max(0.3));
    drop(space.painter.tone(shown, "", if bar.rest { Tone::Rest } else { Tone::SeriesArea(colour) }));
}

fn draw_curve(parent: &mut Element, space: &Space, curve: &Curve, top: f64, colour: usize) {
    let y = |value: f64| top + (1.0 - curve.axis.position(value)) * PLOT;
    {
        let mut grid = space.painter.tone(parent.child("g"), "", Tone::Grid);
        for tick in &curve.axis.ticks {
            let at = y(tick.value);
            space.x(grid.child("line").px("y1", at).px("y2", at), "x2", 100.0);
        }
    }
    {
        let mut labels = space.painter.tone(parent.child("g"), "", Tone::Muted);
        for tick in &curve.axis.ticks {
            labels.child("text").px("y", y(tick.value) - 4.0).text(&tick.label);
        }
        across(&mut labels, space, &curve.across, top + PLOT);
    }
    let kept = kept(&curve.points);
    let place = |point: &Point| curve.across.position(point.x) * 100.0;
    {
        let mut stretched = space.stretched(parent, top, PLOT);
        let path = space.painter.tone(stretched.child("path"), "", Tone::SeriesStroke(colour));
        let path = path.attr("stroke-width", "1.75").attr("stroke-linejoin", "round").attr("fill", "none");
        let path = if space.in_file() { path.attr("vector-effect", "non-scaling-stroke") } else { path };
        path.attr("d", &path_data(curve, &kept, |point| space.along(place(point))));
    }
    if curve.points.len() > MARKED {
        return;
    }
    for point in &curve.points {
        let Some(value) = point.y else { continue };
        let mut group = space.item(parent, &point.reading);
        let mark = space.x(group.child("circle").px("cy", y(value)).px("r", 3.0), "cx", place(point));
        drop(space.painter.tone(mark, "", Tone::SeriesFill(colour)));
    }
}

/// The points that are drawn: those that the rules of thinning keep.
fn kept(points: &[Point]) -> Vec<usize> {
    if points.len() <= POINTS {
        return (0..points.len()).collect();
    }
    thin::kept(points.len(), points.len().div_ceil(POINTS / 4), &[], |at| points[at].y)
}

fn path_data(curve: &Curve, kept: &[usize], x: impl Fn(&Point) -> f64) -> String {
    let mut d = String::new();
    let mut joined = false;
    for point in kept.iter().map(|at| &curve.points[*at]) {
        let Some(value) = point.y else {
            joined = false;
            continue;
        };
        d.push(if joined { 'L' } else { 'M' });
        push_number(&mut d, x(point), 1);
        d.push(' ');
        push_number(&mut d, (1.0 - curve.axis.position(value)) * PLOT, 1);
        joined = true;
    }
    d
}

/// Labels of the axis across, each in the width classes in which it has room, and its title.
fn across(labels: &mut Element, space: &Space, axis: &Axis, bottom: f64) {
    let mut ends = [f64::NEG_INFINITY; 3];
    for tick in &axis.ticks {
        let position = axis.position(tick.value);
        let mut classes = Classes::default();
        let wide = width::width(&tick.label);
        for (at, room) in space.rooms().into_iter().enumerate() {
            let (zoom, room) = (room.zoom, room.width);
            let left = position * room - wide * zoom / 2.0;
            if left >= ends[at] && left >= 0.0 && position * room + wide * zoom / 2.0 <= room {
                ends[at] = left + wide * zoom + 12.0;
                classes.add(at);
            }
        }
        if !classes.none() {
            let text = labels.child("text").px("y", bottom + 16.0).attr("text-anchor", "middle");
            let text = space.x(text, "x", position * 100.0);
            space.visible(text, classes, "").text(&tick.label);
        }
    }
    let title = space.x(labels.child("text").px("y", bottom + 32.0), "x", 100.0).attr("text-anchor", "end");
    write_cut(title, &width::cut(&axis.title, 250.0), &axis.title);
}
