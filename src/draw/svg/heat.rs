//! Heat maps: a row of cells per source line, its label above it, so that long labels need no column of their own.

use super::free::Space;
use super::layout::Classes;
use super::look::Tone;
use super::writer::Element;
use crate::figure::heat::{Heat, STEPS};
use crate::text::width;

/// Height of a row with its label.
const STEP: f64 = 44.0;
/// Height of a cell.
const CELL: f64 = 18.0;
/// Height of the labels of the columns and of the key under them.
const FOOT: f64 = 58.0;

/// Height of the drawing.
pub(super) fn height(map: &Heat) -> f64 {
    STEP * map.rows.len() as f64 + FOOT
}

/// Writes the map from `top` downwards.
pub(super) fn draw(parent: &mut Element, space: &Space, map: &Heat, top: f64) {
    let hatch = format!("{}hatch", space.prefix);
    if map.has.1 {
        let mut defs = parent.child("defs");
        let mut pattern = defs
            .child("pattern")
            .attr("id", &hatch)
            .attr("width", "6")
            .attr("height", "6")
            .attr("patternUnits", "userSpaceOnUse")
            .attr("patternTransform", "rotate(45)");
        let line = pattern.child("line").attr("y2", "6").attr("stroke-width", "1.5");
        drop(space.painter.tone(line, "", Tone::Rule));
    }
    let count = map.columns.len().max(1) as f64;
    for (at, row) in map.rows.iter().enumerate() {
        let y = top + STEP * at as f64;
        space.cut(parent.child("text").px("y", y + 16.0), &row.label, 0.0, "");
        for (column, cell) in row.cells.iter().enumerate() {
            let mut item = space.item(parent, &cell.reading);
            let rect = space.x(item.child("rect"), "x", column as f64 * 100.0 / count);
            let rect = space.x(rect, "width", 100.0 / count).px("y", y + 22.0).px("height", CELL);
            fill(space, rect, cell.step, &hatch);
        }
    }
    let bottom = top + STEP * map.rows.len() as f64;
    columns(parent, space, map, bottom + 12.0);
    key(parent, space, map, &hatch, bottom + 26.0);
}

fn fill(space: &Space, rect: Element, step: Option<u8>, hatch: &str) {
    let tone = Tone::Heat(step.unwrap_or_default());
    match step {
        Some(_) => drop(space.painter.tone(rect, "", tone)),
        None => drop(space.painter.tone(rect.attr("fill", &format!("url(#{hatch})")), "", Tone::Rule)),
    }
}

/// Labels under the columns, as many as have room, the newest always.
fn columns(parent: &mut Element, space: &Space, map: &Heat, y: f64) {
    let mut group = space.painter.tone(parent.child("g"), "", Tone::Muted);
    let count = map.columns.len();
    let widest = map.columns.iter().map(|label| width::width(label)).fold(0.0, f64::max).min(120.0) + 10.0;
    for (at, label) in map.columns.iter().enumerate() {
        let mut classes = Classes::default();
        for (class, room) in space.rooms().into_iter().enumerate() {
            let each = room.width / count as f64;
            let every = (widest * room.zoom / each).ceil().max(1.0) as usize;
            if (count - 1 - at).is_multiple_of(every) {
                classes.add(class);
            }
        }
        if classes.none() {
            continue;
        }
        let center = (at as f64 + 0.5) * 100.0 / count as f64;
        // The outermost labels must not leave the drawing.
        let (place, anchor) = match at {
            _ if at + 1 == count && count > 1 => (100.0, "end"),
            0 if count > 1 => (0.0, "start"),
            _ => (center, "middle"),
        };
        let text = space.x(group.child("text").px("y", y), "x", place).attr("text-anchor", anchor);
        space.visible(text, classes, "").text(&width::cut(label, 120.0));
    }
}

/// What the cells mean: the steps with the value that the last one reaches, zero, and not observed.
fn key(parent: &mut Element, space: &Space, map: &Heat, hatch: &str, y: f64) {
    // Text of small files is larger and must not meet its neighbour.
    let zoom = space.rooms()[2].zoom;
    let mut group = parent.child("g");
    let mut x = 0.0;
    let mut entry = |step: Option<u8>, text: &str, x: &mut f64| {
        let rect = group.child("rect").px("x", *x).px("y", y).px("width", 16.0).px("height", 12.0);
        fill(space, rect, step, hatch);
        *x += 16.0;
        if !text.is_empty() {
            let label = group.child("text").px("x", *x + 6.0).px("y", y + 11.0);
            space.painter.tone(label, "", Tone::Muted).text(text);
            *x += 6.0 + width::width(text) * zoom + 14.0;
        }
    };
    if map.has.0 {
        entry(Some(0), "0", &mut x);
    }
    for step in 1..=STEPS {
        let last = step == STEPS;
        let text = if last { map.steps.last().map_or("", |text| text.as_str()) } else { "" };
        entry(Some(step), text, &mut x);
    }
    if map.has.1 {
        entry(None, "not observed", &mut x);
    }
}
