//! Changes as bars from the reference line.

use super::ends::{Note, Sample};
use super::labels::{Placed, put};
use super::layout::{Anchor, Area, Classes, HEIGHT, Room};
use super::look::{Look, Painter, Tone};
use super::plan::Plan;
use super::plot::{keep_width, name};
use super::writer::{Element, push_number};
use crate::figure::chart::Directions;
use crate::figure::thin;
use crate::text::number;

/// The part of a column that a bar leaves free.
const FREE: f64 = 0.56;

/// Beyond so many per cent the label is a factor.
const FACTOR: f64 = 900.0;

/// Widest bar, as a part of the plot.
const MOST: f64 = 0.045;

/// Height of the arrow at the end of a bar that reaches beyond the axis, in px.
const ARROW: f64 = 9.0;

/// Writes the bars. A change of 0 is a short stroke on the line; a bar beyond the axis ends in an arrow, which is
/// set apart from it.
pub(super) fn draw(area: &mut Element, plan: &Plan) {
    let mut space = plan.stretched(area);
    let look = plan.look(0);
    let zero = plan.y(0.0);
    let free = if plan.columns() > thin::MARKED { 0.0 } else { FREE };
    let across = if plan.in_file() { 2 } else { 1 };
    let (mut d, mut arrows) = (String::new(), String::new());
    let marks = &plan.chart.lines[0].marks;
    let count = plan.columns().min(marks.len());
    for column in thin::kept(count, thin::neighbours(plan.columns()), &[], |column| marks[column].value) {
        let mark = &marks[column];
        let (Some(value), Some(end)) = (mark.value, plan.mark_y(mark)) else { continue };
        let most = match plan.dated {
            Some(_) => MOST / plan.room(column),
            None => MOST * plan.columns() as f64,
        };
        let (left, right) = plan.inner(column, free.max(1.0 - most));
        let (left, right) = if plan.in_file() { (quarter(left), quarter(right)) } else { (left, right) };
        let beyond = !(0.0..=1.0).contains(&plan.chart.axis.position(value));
        let inwards = if end < zero { ARROW } else { -ARROW };
        if beyond {
            // Two strokes apart and a tip: the bar goes on.
            let middle = f64::midpoint(left, right);
            numbers(
                &mut arrows,
                across,
                &[('M', left), (' ', end + inwards), ('H', right), ('L', middle), (' ', end)],
            );
            arrows.push('z');
        }
        let end = if beyond { end + inwards * 1.5 } else { end };
        // The first point is the end of the bar: the script finds the points of the keys there.
        numbers(&mut d, across, &[('M', left), (' ', end), ('H', right), ('V', zero), ('H', left)]);
        d.push('z');
    }
    let class = Plan::switch(0);
    // The edge is in the colour of the bar, so that bars of no height are seen.
    let solid = Tone::SeriesSolid(look.colour);
    let bars = name(plan.painter.tone(space.child("path"), &class, solid), plan);
    keep_width(bars.attr("stroke-width", "1"), plan).attr("d", &d);
    if !arrows.is_empty() {
        let tips = plan.painter.tone(space.child("path"), &class, solid);
        drop(tips.attr("stroke-width", "0").attr("d", &arrows));
    }
}

/// An upright edge in a file, in px: on quarters, which every program smooths alike; some know no finer places, and
/// the edges of many bars would make pictures differ.
fn quarter(place: f64) -> f64 {
    (place * 4.0).round() / 4.0
}

/// Appends commands with their numbers, those across with so many decimals and those down with one.
fn numbers(out: &mut String, across: u32, parts: &[(char, f64)]) {
    for (command, number) in parts {
        out.push(*command);
        push_number(out, *number, if matches!(command, 'M' | 'H' | 'L') { across } else { 1 });
    }
}

/// The sample of a key: one bar up, one down.
pub(super) fn sample(group: &mut Element, painter: Painter, look: Look, (x, y): (f64, f64), zoom: f64) {
    let mut d = String::new();
    for (left, height) in [(-9.0, -5.0), (2.0, 5.0)] {
        numbers(
            &mut d,
            1,
            &[('M', x + left * zoom), (' ', y), ('h', 7.0 * zoom), ('v', height * zoom), ('h', -7.0 * zoom)],
        );
        d.push('z');
    }
    let bars = painter.tone(group.child("path"), "", Tone::SeriesSolid(look.colour));
    drop(bars.attr("stroke-width", "0").attr("d", &d));
    let zero = painter.tone(group.child("path"), "", Tone::Reference);
    d.clear();
    numbers(&mut d, 1, &[('M', x - 14.0 * zoom), (' ', y), ('h', 28.0 * zoom)]);
    drop(zero.attr("stroke-width", "1").attr("d", &d));
}

/// Places the size of each bar at its end, the largest first, as far as there is room.
pub(super) fn place_values(
    plan: &Plan,
    class: usize,
    room: Room,
    taken: &mut Vec<Area>,
    list: &mut Vec<Placed>,
) {
    let marks = &plan.chart.lines[0].marks;
    let mut order: Vec<(usize, f64)> = marks
        .iter()
        .enumerate()
        .take(plan.columns())
        .filter_map(|(column, mark)| Some((column, mark.value.filter(|value| *value != 0.0)?)))
        .collect();
    order.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    // More labels than these are not read one by one, and among hairs only the largest have one.
    order.truncate(if plan.columns() > thin::MARKED { 12 } else { 100 });
    // A size that is hardly seen needs no label, least of all where there is little room.
    let zero = plan.y(0.0);
    let seen = if class == 0 { 4.0 } else { 12.0 };
    order.retain(|(_, value)| (plan.y(*value) - zero).abs() >= seen);
    // In per cent of the width, as bars grow with the plot.
    let half = half_width(plan) * 100.0;
    for (column, value) in order {
        let text =
            if value > FACTOR { number::factor(value / 100.0 + 1.0) } else { number::percent(value / 100.0) };
        let (x, wide, end) = (plan.x(column), room.text(&text), plan.y(value));
        let beyond = !(0.0..=1.0).contains(&plan.chart.axis.position(value));
        let below = end + 4.0 + room.size();
        let places = if beyond {
            let y = if value > 0.0 { room.size() } else { HEIGHT - 4.0 };
            [(Anchor::Start, x + half, 6.0, y), (Anchor::End, x - half, -6.0, y)]
        } else {
            let y = if value > 0.0 { end - 8.5 } else { below };
            [(Anchor::Middle, x, 0.0, y); 2]
        };
        for (anchor, x, dx, y) in places {
            let span = anchor.span(x * room.width / 100.0 + dx, wide);
            let area = Area::text(span, y, room.size());
            let inside = span.0 >= -4.0 && span.1 <= room.width + 4.0 && area.y.0 >= -4.0 && y <= HEIGHT;
            if inside && !taken.iter().any(|other| other.meets(&area)) && !plan.busy(&area, room) {
                taken.push(Area { x: (span.0 - 3.0, span.1 + 3.0), ..area });
                let (whole, classes) = (text.clone(), Classes::default());
                put(list, class, Placed { text, whole, anchor, x, dx, y, classes, strong: false });
                break;
            }
        }
    }
}

/// Half the width of a bar, as a part of the plot.
pub(super) fn half_width(plan: &Plan) -> f64 {
    let room = if plan.columns() == 0 { 0.0 } else { plan.room(0) };
    ((1.0 - FREE) * room).min(MOST) / 2.0
}

/// What up and down mean, at the right of the plot.
pub(super) fn notes(plan: &Plan, directions: &Directions) -> Vec<Note> {
    let zero = plan.y(0.0);
    let marks = || plan.chart.lines[0].marks.iter().filter_map(|mark| mark.value);
    let mut notes = Vec::new();
    let mut note = |y: f64, words: &(String, String)| {
        let (text, below) = words.clone();
        notes.push(Note { y, sample: Sample::None, text, below });
    };
    if marks().any(|value| value > 0.0) && zero > 36.0 {
        note((zero / 2.0 - 6.0).max(10.0), &directions.up);
    }
    if marks().any(|value| value < 0.0) && HEIGHT - zero > 36.0 {
        note(f64::midpoint(zero, HEIGHT) - 6.0, &directions.down);
    }
    notes
}
