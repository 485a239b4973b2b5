//! Marks anywhere in a plot with two axes of values: grid, path with its direction, marks, key.

use super::cloud_labels::{self, Spot};
use super::layout::{Anchor, Classes, HEIGHT, Room, bold};
use super::look::{Tone, define_shapes, point_id};
use super::plan::{Plan, write_cut};
use super::plot;
use super::writer::{Element, push_number};
use crate::figure::chart::{Axis, Cloud, End, Form, Scale};
use crate::figure::thin::MARKED;
use crate::text::width;

/// Space above the plot for the title of the upright axis, in px.
pub(super) const ABOVE: f64 = 40.0;
/// Baselines of the labels and of the title of the axis across, below the top of the plot.
const TICKS: f64 = HEIGHT + 20.0;
const TITLE: f64 = HEIGHT + 42.0;
/// Distance from the top of the plot to the lower edge of everything.
pub(super) const BOTTOM: f64 = TITLE + 8.0;

/// The shape of marks between the ends of the path.
const BETWEEN: usize = 0;
/// The shapes of the first and of the newest mark, a square and a diamond, larger than the others.
const ENDS: [&str; 2] = ["M-4.2-4.2h8.4v8.4h-8.4z", "M0-6 6 0 0 6-6 0z"];

/// Room for the text of the key in px.
const WIDE: f64 = 146.0;

/// Segments shorter than this have no arrow, in px.
const SHORT: f64 = 30.0;
/// Beyond so many columns the path steps back.
const DENSE: usize = 100;
/// Most arrows of a path.
const ARROWS: usize = 48;

/// The usual width of the plot in each class, for the angles of arrows; and the largest, for labels.
const USUAL: [f64; 3] = [860.0, 540.0, 315.0];
const LARGEST: [f64; 3] = [1376.0, 736.0, 400.0];

/// How far down the lower edge of the title across is when text is `size` units high and its row of labels has
/// moved by `shift`.
pub(super) fn below(shift: f64, size: f64) -> f64 {
    TITLE + title_shift(shift, size)
}

/// How far the title across moves down for text of `size` units.
pub(super) fn title_shift(shift: f64, size: f64) -> f64 {
    shift + ((size - width::SIZE) * 1.1).round()
}

/// The widths of the plot between which a class holds.
pub(super) fn widths(plan: &Plan, class: usize, room: Room) -> (f64, f64) {
    if plan.in_file() { (room.width, room.width) } else { (room.width, LARGEST[class]) }
}

/// Writes everything from the title of the upright axis to that of the axis across.
pub(super) fn draw(parent: &mut Element, plan: &Plan, cloud: &Cloud) {
    define_shapes(
        parent,
        plan.prefix,
        plan.columns(),
        plan.in_file(),
        [BETWEEN, plan.look(0).shape].into_iter(),
    );
    define_ends(parent, plan, cloud);
    plot::axis_title(parent, plan);
    plot::tick_labels(parent, plan, ABOVE);
    let mut plot = plan.nested(parent).class("pa").px("y", ABOVE).attr("width", "100%").px("height", HEIGHT);
    plot::grid(&mut plot, plan);
    across(&mut plot, plan, &cloud.across);
    let spots = cloud_labels::spots(plan, cloud);
    if spots.is_empty() {
        nothing(&mut plot, plan);
        return;
    }
    path(&mut plot, plan, cloud, &spots);
    let arrows = if cloud.joined { arrows(plan, &spots) } else { [const { Vec::new() }; 3] };
    draw_arrows(&mut plot, plan, &arrows);
    let labels = cloud_labels::place(plan, cloud, &spots);
    if plan.columns() > MARKED {
        dots(&mut plot, plan, &spots);
    } else {
        marks(&mut plot, plan, cloud, &spots, &labels);
    }
    cloud_labels::draw(&mut plot, plan, &labels);
    key(&mut plot, plan, cloud);
    if !plan.in_file() {
        plot::cursor(&mut plot);
    }
}

fn define_ends(parent: &mut Element, plan: &Plan, cloud: &Cloud) {
    if cloud.newest.is_none() {
        return;
    }
    let mut defs = parent.child("defs");
    for (at, form) in ENDS.iter().enumerate() {
        let shape = defs.child("path").class(if plan.in_file() { "p" } else { "" });
        shape.attr("id", &end_id(plan, at)).attr("d", form);
    }
}

fn end_id(plan: &Plan, at: usize) -> String {
    format!("{}e{}", plan.prefix, at + 1)
}

/// Grid, labels and title of the axis across.
fn across(plot: &mut Element, plan: &Plan, axis: &Axis) {
    {
        let mut grid = plan.painter.tone(plot.child("g"), "", Tone::Grid);
        for tick in &axis.ticks {
            let x = axis.position(tick.value) * 100.0;
            grid.child("line").percent("x1", x).percent("x2", x).px("y2", HEIGHT);
        }
    }
    {
        let group = plan.painter.tone(plot.child("g"), "xk", Tone::Muted).attr("text-anchor", "middle");
        let mut shift = String::from("translate(0 ");
        push_number(&mut shift, TICKS, 1);
        shift.push(')');
        let mut group = group.attr("transform", &shift);
        for (tick, classes) in axis.ticks.iter().zip(tick_classes(plan, axis)) {
            if classes.none() {
                continue;
            }
            let text = Plan::text(&mut group, Anchor::Start, axis.position(tick.value) * 100.0, 0.0, 0.0);
            plan.label(text, classes, "xl", None).text(&tick.label);
        }
    }
    // Text grows in a small file, and what is cut for the narrowest class is whole in the others.
    let mut before: Option<(String, Classes)> = None;
    let mut all = Vec::new();
    for (class, room) in plan.rooms().iter().enumerate() {
        let cut = width::cut(&axis.title, (room.width + room.right) / room.zoom).into_owned();
        match &mut before {
            Some((text, classes)) if *text == cut => classes.add(class),
            _ => {
                all.extend(before.take());
                let mut classes = Classes::default();
                classes.add(class);
                before = Some((cut, classes));
            }
        }
    }
    for (text, classes) in all.into_iter().chain(before) {
        let element = Plan::text(plot, Anchor::Start, 0.0, 0.0, TITLE);
        write_cut(plan.label(element, classes, "xt", Some(Tone::Muted)), &text, &axis.title);
    }
}

/// The width classes in which a tick across keeps its label: neighbours must not touch.
fn tick_classes(plan: &Plan, axis: &Axis) -> Vec<Classes> {
    let mut classes = vec![Classes::default(); axis.ticks.len()];
    let power = |value: f64| (value.log10() - value.log10().round()).abs() < 1e-6;
    for (class, room) in plan.rooms().iter().enumerate() {
        let span = |tick: usize| {
            let x = axis.position(axis.ticks[tick].value) * room.width;
            Anchor::Middle.span(x, room.text(&axis.ticks[tick].label))
        };
        let fits =
            |kept: &[usize]| kept.windows(2).all(|pair| span(pair[0]).1 + 8.0 * room.zoom <= span(pair[1]).0);
        let all: Vec<usize> =
            (0..axis.ticks.len()).filter(|tick| span(*tick).1 <= room.width + room.right).collect();
        let every = |step: usize| all.iter().copied().step_by(step).collect::<Vec<_>>();
        let powers = || all.iter().copied().filter(|tick| power(axis.ticks[*tick].value)).collect::<Vec<_>>();
        let mut choices = vec![every(1)];
        if axis.scale == Scale::Log {
            choices.push(powers());
        }
        choices.extend((2..=all.len().max(2)).map(every));
        for tick in choices.into_iter().find(|kept| !kept.is_empty() && fits(kept)).unwrap_or_default() {
            classes[tick].add(class);
        }
    }
    classes
}

/// Says in the plot that there is nothing to draw.
fn nothing(plot: &mut Element, plan: &Plan) {
    let says = plan.chart.caption.says.trim_end_matches('.');
    for (class, room) in plan.rooms().iter().enumerate() {
        let mut classes = Classes::default();
        classes.add(class);
        let text = Plan::text(plot, Anchor::Middle, 50.0, 0.0, HEIGHT / 2.0);
        let cut = width::cut(says, (room.width - 16.0) / room.zoom).into_owned();
        write_cut(plan.label(text, classes, "", Some(Tone::Muted)), &cut, says);
    }
}

/// The thin path through the marks in the order of the targets. The script finds the marks by it, and their
/// columns in `data-cloud`.
fn path(plot: &mut Element, plan: &Plan, cloud: &Cloud, spots: &[Spot]) {
    let many = plan.columns() > MARKED;
    if many {
        // The dots carry the places.
        return;
    }
    let mut space = space(plot, plan);
    // Where marks are dense, the path must not cover them.
    let tone = if plan.columns() > DENSE { Tone::Rule } else { Tone::Reference };
    let path = plan.painter.tone(space.child("path"), &Plan::switch(0), tone);
    let path = identify(path, plan, spots).attr("stroke-width", "1");
    plot::keep_width(path, plan).attr("d", &data(plan, spots, cloud.joined));
}

fn space<'out>(plot: &'out mut Element, plan: &Plan) -> Element<'out> {
    plan.stretched(plot).attr("fill", "none")
}

fn identify<'out>(path: Element<'out>, plan: &Plan, spots: &[Spot]) -> Element<'out> {
    let path = path.attr("data-line", "0");
    if plan.in_file() {
        return path;
    }
    let columns: Vec<String> = spots.iter().map(|spot| spot.column.to_string()).collect();
    path.attr("data-key", &plan.chart.lines[0].key).attr("data-cloud", &columns.join(","))
}

/// Every mark, joined where neighbours have values that a line can lead to. A mark between gaps is a segment
/// of no length.
fn data(plan: &Plan, spots: &[Spot], joined: bool) -> String {
    let mut d = String::with_capacity(spots.len() * 12);
    let joins = |from: Option<&Spot>, to: Option<&Spot>| {
        joined && from.zip(to).is_some_and(|(from, to)| from.leads(to))
    };
    for (at, spot) in spots.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| spots.get(before));
        let here = joins(before, Some(spot));
        d.push(if here { 'L' } else { 'M' });
        push_number(&mut d, plan.along(spot.x), 1);
        d.push(' ');
        push_number(&mut d, spot.y, 1);
        if !here && !joins(Some(spot), spots.get(at + 1)) {
            d.push_str("h0");
        }
    }
    d
}

/// An arrow: where it stands, and where it points, in radians.
struct Arrow {
    x: f64,
    y: f64,
    angle: f64,
}

/// Arrows in the middle of long segments, longest first, for each width class: the angle of a segment
/// changes with the width of the plot.
fn arrows(plan: &Plan, spots: &[Spot]) -> [Vec<Arrow>; 3] {
    let mut all = [const { Vec::new() }; 3];
    if plan.columns() > MARKED {
        return all;
    }
    for (class, room) in plan.rooms().iter().enumerate() {
        // A file has one geometry for all its sizes.
        if plan.in_file() && class > 0 {
            break;
        }
        let usual = if plan.in_file() { room.width } else { USUAL[class] };
        let mut segments: Vec<(f64, usize)> = (1..spots.len())
            .filter(|at| spots[at - 1].leads(&spots[*at]))
            .map(|at| (spots[at - 1].distance(&spots[at], room.width), at))
            .filter(|(length, _)| *length >= SHORT)
            .collect();
        segments.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        let mut taken: Vec<(f64, f64)> = Vec::new();
        for (_, at) in segments {
            let (from, to) = (&spots[at - 1], &spots[at]);
            let (x, y) = (f64::midpoint(from.x, to.x), f64::midpoint(from.y, to.y));
            let px = x * room.width / 100.0;
            let free = |other: &(f64, f64), gap: f64| (other.0 - px).hypot(other.1 - y) >= gap;
            let on_mark = spots.iter().any(|spot| !free(&(spot.x * room.width / 100.0, spot.y), 8.0));
            if on_mark || !taken.iter().all(|other| free(other, 14.0)) {
                continue;
            }
            taken.push((px, y));
            let angle = (to.y - from.y).atan2((to.x - from.x) * usual / 100.0);
            all[class].push(Arrow { x, y, angle });
            if all[class].len() == ARROWS {
                break;
            }
        }
    }
    all
}

fn draw_arrows(plot: &mut Element, plan: &Plan, arrows: &[Vec<Arrow>; 3]) {
    for (class, arrows) in arrows.iter().enumerate().filter(|(_, arrows)| !arrows.is_empty()) {
        let mut classes = Classes::default();
        classes.add(class);
        let classes = if plan.in_file() { Classes::ALL } else { classes };
        let group = plot.child("g");
        let mut group = plan.label(group, classes, "", Some(Tone::Muted));
        for arrow in arrows {
            let mut place = plan.nested(&mut group).percent("x", arrow.x).px("y", arrow.y);
            // Arrows grow with the marks of a small file.
            let class = if plan.in_file() { "p" } else { "" };
            place.child("path").class(class).attr("d", &head(arrow.angle));
        }
    }
}

/// A small filled triangle around the origin that points along `angle`.
fn head(angle: f64) -> String {
    let (sin, cos) = angle.sin_cos();
    let mut d = String::new();
    for (at, (x, y)) in [(4.0, 0.0), (-3.5, 3.2), (-3.5, -3.2)].into_iter().enumerate() {
        d.push(if at == 0 { 'M' } else { 'L' });
        push_number(&mut d, x * cos - y * sin, 1);
        d.push(' ');
        push_number(&mut d, x * sin + y * cos, 1);
    }
    d.push('z');
    d
}

/// Which end of the path a column is: 0 the first, 1 the newest.
fn end(cloud: &Cloud, column: usize) -> Option<usize> {
    let is = |end: &Option<End>| end.as_ref().is_some_and(|end| end.column == column);
    if is(&cloud.newest) { Some(1) } else { is(&cloud.first).then_some(0) }
}

/// Marks, the newest on top, the first below it. Those without a label have a title.
fn marks(plot: &mut Element, plan: &Plan, cloud: &Cloud, spots: &[Spot], labels: &[cloud_labels::Label]) {
    let look = plan.look(0);
    let line = &plan.chart.lines[0];
    for hollow in [false, true] {
        let mut chosen: Vec<&Spot> = spots.iter().filter(|spot| spot.hollow == hollow).collect();
        if chosen.is_empty() {
            continue;
        }
        chosen.sort_by_key(|spot| end(cloud, spot.column).map_or(0, |end| end + 1));
        let tone = if hollow { Tone::SeriesHollow(look.colour) } else { look.fill() };
        let mut group = plan.painter.tone(plot.child("g"), &Plan::switch(0), tone);
        if hollow {
            group = group.attr("stroke-width", "1.25");
        }
        for spot in chosen {
            let id = match end(cloud, spot.column) {
                Some(end) => end_id(plan, end),
                None => point_id(plan.prefix, plan.columns(), BETWEEN),
            };
            let mark = group.child("use").attr("href", &format!("#{id}"));
            let mut mark = mark.percent("x", spot.x).px("y", spot.y);
            let always = |label: &cloud_labels::Label| {
                label.columns.contains(&spot.column) && label.columns.len() == 1
            };
            if plan.in_file() || !labels.iter().any(always) {
                mark.child("title").text(&line.marks[spot.column].reading);
            }
        }
    }
}

/// Very many marks: one stroke of no length each, in one path.
fn dots(plot: &mut Element, plan: &Plan, spots: &[Spot]) {
    let mut space = space(plot, plan);
    let path = plan.painter.tone(space.child("path"), &Plan::switch(0), plan.look(0).stroke());
    let path = identify(path, plan, spots).attr("stroke-width", "3").attr("stroke-linecap", "round");
    plot::keep_width(path, plan).attr("d", &data(plan, spots, false));
}

/// Beside the plot, what the shapes mean and where the path leads.
fn key(plot: &mut Element, plan: &Plan, cloud: &Cloud) {
    let look = plan.look(0);
    let hollow = |end: &End| plan.chart.lines[0].marks[end.column].form != Form::Measured;
    let mut group = plot.child("g").class("w");
    let mut y = 10.0;
    for (at, end) in [&cloud.first, &cloud.newest].into_iter().enumerate() {
        let Some(end) = end else { continue };
        let mut row = plan.nested(&mut group).attr("x", "100%").px("y", y);
        let tone = if hollow(end) { Tone::SeriesHollow(look.colour) } else { look.fill() };
        let mark = plan.painter.tone(row.child("use"), "", tone);
        let mark = mark.attr("href", &format!("#{}", end_id(plan, at))).px("x", 10.0);
        drop(if hollow(end) { mark.attr("stroke-width", "1.25") } else { mark });
        let whole = &plan.chart.columns[end.column].label;
        let label = width::cut(whole, WIDE / 1.1);
        let text = row.child("text").px("x", 22.0).px("y", 4.0).strong();
        write_cut(text, &label, whole);
        // Beside the name where both fit, else in a row of its own.
        let beside = 22.0 + bold(&label) + 8.0;
        let fits = beside + width::width(&end.word) <= 22.0 + WIDE;
        let (x, at) = if fits { (beside, 4.0) } else { (22.0, 20.0) };
        let text = row.child("text").px("x", x).px("y", at);
        plan.painter.tone(text, "", Tone::Muted).text(&end.word);
        let at = if fits { 20.0 } else { 36.0 };
        let note = width::cut(&end.note, WIDE);
        let text = row.child("text").px("x", 22.0).px("y", at);
        write_cut(plan.painter.tone(text, "", Tone::Muted), &note, &end.note);
        y += at + 24.0;
    }
    if cloud.joined && cloud.newest.is_some() && plan.columns() <= MARKED {
        let mut row = plan.nested(&mut group).attr("x", "100%").px("y", y);
        plan.painter.tone(row.child("path"), "", Tone::Reference).attr("d", "M2 0h16");
        plan.painter.tone(row.child("path"), "", Tone::Muted).attr("d", "M14 0L6.5 3.2L6.5-3.2z");
        let text = row.child("text").px("x", 22.0).px("y", 4.0);
        plan.painter.tone(text, "", Tone::Muted).text("to the later one");
    }
}
