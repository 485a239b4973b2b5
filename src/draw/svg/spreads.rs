//! Every sample as a dot, and over the dots of a column the box of its quartiles.

use std::collections::BTreeSet;

use super::ends::{Note, Sample};
use super::layout::{HEIGHT, apart};
use super::look::{Look, Painter, Tone};
use super::plan::Plan;
use super::plot::{keep_width, name};
use super::writer::{Element, push_number};
use crate::figure::chart::Spread;
use crate::figure::thin;

/// The part of a column that dots and boxes take.
pub(super) const WIDE: f64 = 0.64;

/// Writes dots, boxes, whiskers and medians.
pub(super) fn draw(area: &mut Element, plan: &Plan, spreads: &[Option<Spread>]) {
    let mut space = plan.stretched(area).attr("fill", "none");
    let look = plan.look(0);
    let class = Plan::switch(0);
    let stroke = |space: &mut Element, tone: Tone, width: &str, cap: bool, d: &str| {
        if d.is_empty() {
            return;
        }
        let path = plan.painter.tone(space.child("path"), &class, tone).attr("stroke-width", width);
        let path = if cap { path.attr("stroke-linecap", "round") } else { path };
        drop(keep_width(path, plan).attr("d", d));
    };
    let (first, others) = dots(plan, spreads);
    let (dot, ring, hole) = match plan.columns() {
        0..=40 => ("4", "6", "3.5"),
        41..=100 => ("3", "4.5", "2.5"),
        _ => ("2", "3", "1.5"),
    };
    let Shapes { boxes, whiskers, ranges, bands, medians } = shapes(plan, spreads);
    if !ranges.is_empty() {
        let path = plan.painter.tone(space.child("path"), &class, look.stroke());
        let path = path.attr("stroke-width", "1").attr("stroke-opacity", ".4");
        drop(keep_width(path, plan).attr("d", &ranges));
    }
    stroke(&mut space, look.stroke(), "1", false, &bands);
    if !others.is_empty() {
        let path = plan.painter.tone(space.child("path"), &class, look.stroke());
        let path =
            path.attr("stroke-width", dot).attr("stroke-linecap", "round").attr("stroke-opacity", ".7");
        drop(keep_width(path, plan).attr("d", &others));
    }
    stroke(&mut space, look.stroke(), ring, true, &first);
    stroke(&mut space, Tone::PaperStroke, hole, true, &first);
    stroke(&mut space, Tone::Reference, "1", false, &whiskers);
    stroke(&mut space, Tone::Reference, "1", false, &boxes);
    let path = name(plan.painter.tone(space.child("path"), &class, Tone::Strong), plan);
    // Where neighbours share their marks, medians are dots.
    let path = if ranges.is_empty() { path } else { path.attr("stroke-linecap", "round") };
    keep_width(path.attr("stroke-width", "1.75"), plan).attr("d", &medians);
}

/// The dots of first samples, which are open, and those of all others. A sample alone is a plain dot.
fn dots(plan: &Plan, spreads: &[Option<Spread>]) -> (String, String) {
    let (mut first, mut others) = (String::new(), String::new());
    for (column, spread) in columns(spreads) {
        if plan.dated.is_some() {
            upright_dots(plan, column, spread, [&mut first, &mut others]);
            continue;
        }
        for &sample in &spread.dots {
            let out = if sample == 0 && spread.samples.len() > 1 { &mut first } else { &mut others };
            out.push('M');
            push_number(
                out,
                plan.along(plan.x(column) + Spread::across(sample) * WIDE * 100.0 * plan.room(column)),
                1,
            );
            out.push(' ');
            push_number(out, plan.y(spread.samples[sample]), 1);
            out.push_str("h0");
        }
    }
    (first, others)
}

/// By date columns are narrow: the dots of one stand above each other, equal ones once.
fn upright_dots(plan: &Plan, column: usize, spread: &Spread, [first, others]: [&mut String; 2]) {
    let tenths = |sample: usize| (plan.y(spread.samples[sample]) * 10.0).round() as i32;
    let alone = spread.samples.len() == 1;
    let open = spread.dots.iter().copied().find(|&sample| sample == 0 && !alone);
    let rest: BTreeSet<i32> =
        spread.dots.iter().filter(|&&sample| open != Some(sample)).map(|&sample| tenths(sample)).collect();
    let put = |out: &mut String, heights: &mut dyn Iterator<Item = i32>| {
        let mut before = None;
        for y in heights {
            match before {
                None => {
                    numbers(out, &[('M', plan.along(plan.x(column))), (' ', f64::from(y) / 10.0)]);
                }
                Some(before) => numbers(out, &[('m', 0.0), (' ', f64::from(y - before) / 10.0)]),
            }
            out.push_str("h0");
            before = Some(y);
        }
    };
    put(first, &mut open.map(tenths).into_iter());
    put(others, &mut rest.into_iter());
}

#[derive(Default)]
struct Shapes {
    boxes: String,
    whiskers: String,
    /// From the smallest to the largest sample, where there is no room for dots.
    ranges: String,
    /// From the lowest to the highest quartile, there.
    bands: String,
    medians: String,
}

fn shapes(plan: &Plan, spreads: &[Option<Spread>]) -> Shapes {
    let mut out = Shapes::default();
    let marks = &plan.chart.lines[0].marks;
    let together = thin::neighbours(plan.columns());
    if together > 1 {
        strokes(&mut out.ranges, plan, spreads, together, |spread| spread.samples.iter().copied());
        strokes(&mut out.bands, plan, spreads, together, |spread| spread.quartiles.into_iter().flatten());
        let count = plan.columns().min(marks.len());
        for column in thin::kept(count, together, &[], |column| marks[column].value) {
            let Some(y) = plan.mark_y(&marks[column]) else { continue };
            numbers(&mut out.medians, &[('M', plan.along(plan.x(column))), (' ', y)]);
            out.medians.push_str("h0");
        }
        return out;
    }
    for (column, spread) in columns(spreads) {
        let (left, right) = plan.inner(column, 1.0 - WIDE);
        let middle = plan.along(plan.x(column));
        let upright = |out: &mut String, from: f64, to: f64| {
            if (plan.y(from) - plan.y(to)).abs() >= 0.05 {
                numbers(out, &[('M', middle), (' ', plan.y(from)), ('V', plan.y(to))]);
            }
        };
        if let Some(y) = marks.get(column).and_then(|mark| plan.mark_y(mark)) {
            if spread.quartiles.is_some() {
                numbers(&mut out.medians, &[('M', left), (' ', y), ('H', right)]);
            } else {
                numbers(&mut out.medians, &[('M', middle), (' ', y)]);
                out.medians.push_str("h0");
            }
        }
        let Some([low, _, high]) = spread.quartiles else { continue };
        numbers(
            &mut out.boxes,
            &[('M', left), (' ', plan.y(high)), ('H', right), ('V', plan.y(low)), ('H', left)],
        );
        out.boxes.push('z');
        if let Some([least, most]) = spread.whiskers {
            upright(&mut out.whiskers, high, most);
            upright(&mut out.whiskers, low, least);
        }
    }
    out
}

/// One stroke for every few neighbours, from their smallest to their largest value.
fn strokes<'a, Values: Iterator<Item = f64>>(
    out: &mut String,
    plan: &Plan,
    spreads: &'a [Option<Spread>],
    together: usize,
    values: impl Fn(&'a Spread) -> Values,
) {
    for (at, group) in spreads.chunks(together).enumerate() {
        let ends = group
            .iter()
            .flatten()
            .flat_map(&values)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |ends, value| (ends.0.min(value), ends.1.max(value)));
        if ends.0 <= ends.1 {
            let first = at * together;
            let middle = plan.along(f64::midpoint(plan.edge(first), plan.edge(first + group.len())));
            numbers(out, &[('M', middle), (' ', plan.y(ends.0)), ('V', plan.y(ends.1))]);
        }
    }
}

fn numbers(out: &mut String, parts: &[(char, f64)]) {
    for (command, number) in parts {
        out.push(*command);
        push_number(out, *number, 1);
    }
}

fn columns(spreads: &[Option<Spread>]) -> impl Iterator<Item = (usize, &Spread)> {
    spreads.iter().enumerate().filter_map(|(column, spread)| Some((column, spread.as_ref()?)))
}

/// The sample of a key: a box between dots.
pub(super) fn sample(group: &mut Element, painter: Painter, look: Look, (x, y): (f64, f64), zoom: f64) {
    let mut shift = String::from("translate(");
    push_number(&mut shift, x, 1);
    shift.push(' ');
    push_number(&mut shift, y, 1);
    shift.push(')');
    if zoom > 1.0 {
        shift.push_str("scale(");
        push_number(&mut shift, zoom, 2);
        shift.push(')');
    }
    let mut group = group.child("g").attr("transform", &shift);
    let dots = painter.tone(group.child("path"), "", look.stroke());
    let dots = dots.attr("stroke-width", "4").attr("stroke-linecap", "round");
    drop(dots.attr("d", "M-12 2h0M12-1h0"));
    let outline = painter.tone(group.child("path"), "", Tone::Reference);
    drop(outline.attr("fill", "none").attr("d", "M-8-4.5h16v9h-16z"));
    let median = painter.tone(group.child("path"), "", Tone::Strong);
    drop(median.attr("stroke-width", "1.75").attr("d", "M-8 0h16"));
}

/// The key at the right: at the heights of the newest samples, as far as they are apart.
pub(super) fn notes(plan: &Plan, spreads: &[Option<Spread>]) -> Vec<Note> {
    let Some(newest) = spreads.iter().flatten().next_back() else { return Vec::new() };
    let most = spreads.iter().flatten().map(|spread| spread.samples.len()).max().unwrap_or(0);
    let number = |count: usize| crate::text::number::whole(count as i128);
    let equal = spreads.iter().flatten().all(|spread| spread.samples.len() == most);
    let dotted = spreads.iter().flatten().any(|spread| !spread.dots.is_empty());
    let height = |value: f64| plan.y(value).clamp(0.0, HEIGHT);
    let mut notes: Vec<Note> = Vec::new();
    let mut note = |y: f64, sample: Sample, text: String| {
        notes.push(Note { y, sample, text, below: String::new() });
    };
    if dotted && most > 1 {
        let first = newest.samples.first().copied().unwrap_or_default();
        let text = if equal { format!("first of {}", number(most)) } else { "first sample".to_owned() };
        note(height(first), Sample::First, text);
    }
    if dotted {
        let largest = newest.samples.iter().skip(1).copied().fold(f64::NEG_INFINITY, f64::max);
        let y = if largest.is_finite() { height(largest) } else { height(newest.samples[0]) };
        let text = match (most, equal) {
            (1, _) => "the only sample".to_owned(),
            (2, true) => "the other".to_owned(),
            (many, true) => format!("the other {}", number(many - 1)),
            _ => "the others".to_owned(),
        };
        note(y, Sample::Dot, text);
    }
    if let Some(quartiles) = spreads.iter().flatten().rev().find_map(|spread| spread.quartiles) {
        if dotted {
            note(height(quartiles[1]), Sample::Box, "quartiles, median".to_owned());
        } else {
            let text = "range, quartiles,".to_owned();
            let y = height(quartiles[1]);
            notes.push(Note { y, sample: Sample::None, text, below: "medians".to_owned() });
        }
    }
    notes.sort_by(|a, b| a.y.total_cmp(&b.y));
    let wishes: Vec<f64> = notes.iter().map(|note| note.y).collect();
    for (note, y) in notes.iter_mut().zip(apart(&wishes, 20.0, 6.0, HEIGHT - 6.0)) {
        note.y = y;
    }
    notes
}
