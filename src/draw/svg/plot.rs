//! The plot: grid, boundaries, lines, marks, and what stands beside and under them. The same code draws it
//! for pages and for files.

use std::collections::BTreeMap;

use super::bars;
use super::cloud;
use super::ends::{self, Ends, Part};
use super::labels;
use super::layout::{Classes, HEIGHT};
use super::look::{Tone, define_shapes, point_id};
use super::plan::{Plan, write_cut};
use super::spreads;
use super::under::Under;
use super::writer::{Element, push_number};
use crate::figure::chart::{Body, Boundary, Form, Scale};
use crate::figure::dates::Dated;
use crate::figure::thin::{self, MARKED};
use crate::text::list;
use crate::text::width;

/// Space above the plot of lines for the axis title and the labels of boundaries, in px.
pub(super) const ABOVE: f64 = 60.0;

/// Space for the labels of the value axis beside the plot, in px.
pub(super) const MARGIN: f64 = 42.0;

/// The same where the figure is narrow.
pub(super) const NARROW_MARGIN: f64 = 24.0;

/// Most reasons of missing values that are told apart in a drawing without marks of its points.
const REASONS: usize = 12;

/// Writes everything from the axis title to the strips under the axis; in a page a second time by date, where
/// there is such a drawing.
pub(super) fn draw(parent: &mut Element, plan: &Plan, under: &Under, over_time: Option<(&Plan, &Under)>) {
    if let Some(cloud) = plan.cloud() {
        return cloud::draw(parent, plan, cloud);
    }
    define_shapes(
        parent,
        plan.prefix,
        plan.columns(),
        plan.in_file(),
        plan.drawn.iter().map(|line| plan.look(*line).shape),
    );
    axis_title(parent, plan);
    tick_labels(parent, plan, ABOVE);
    let mut plot = plan.nested(parent).class("pa").px("y", ABOVE).attr("width", "100%").px("height", HEIGHT);
    grid(&mut plot, plan);
    if plan.columns() == 0 {
        return;
    }
    let ends = ends::place(plan);
    match over_time {
        None => across(&mut plot, plan, under, &ends, Part::Whole),
        Some((dated, below)) => {
            across(&mut plot.child("g").class("od"), plan, under, &ends, Part::Leaders);
            let mut group = plot.child("g").class("dd").attr("data-x", &places(dated));
            across(&mut group, dated, below, &ends, Part::Nothing);
            drop(group);
            ends::draw(&mut plot, plan, &ends, Part::Labels);
        }
    }
    if !plan.in_file() {
        cursor(&mut plot);
    }
}

/// Writes what depends on where the columns are.
fn across(plot: &mut Element, plan: &Plan, under: &Under, ends: &Ends, part: Part) {
    boundaries(plot, plan);
    reference(plot, plan);
    let labels = labels::place(plan, ends);
    labels::draw_under_lines(plot, plan, &labels);
    match &plan.chart.body {
        Body::Lines | Body::Cloud(_) => lines(plot, plan, under),
        // They are drawn elsewhere.
        Body::Panels(_) | Body::Heat(_) | Body::Flame(_) => {}
        Body::Spreads(spreads) => {
            days(plot, plan, under);
            spreads::draw(plot, plan, spreads);
        }
        Body::Bars(_) => {
            days(plot, plan, under);
            bars::draw(plot, plan);
        }
    }
    ends::draw(plot, plan, ends, part);
    absent(plot, plan);
    if plan.chart.body == Body::Lines {
        for line in plan.drawn.iter().rev() {
            marks(plot, plan, *line);
        }
    }
    labels::draw_over_lines(plot, plan, &labels);
    under.draw(plot, plan);
}

/// Where each target of the figure lies in time, for the script: in hundredths of a per cent of the width, each
/// as the distance from the one before.
fn places(plan: &Plan) -> String {
    let mut text = String::new();
    let mut before = 0;
    for place in plan.dated.map(Dated::by_column).unwrap_or_default() {
        if !text.is_empty() {
            text.push(' ');
        }
        let place = (place * 10_000.0).round() as i32;
        push_number(&mut text, f64::from(place - before), 1);
        before = place;
    }
    text
}

/// Writes the title of the value axis over the plot.
pub(super) fn axis_title(parent: &mut Element, plan: &Plan) {
    let title = &plan.chart.axis.title;
    // The whole figure is at least this wide in each class.
    for (room, wide) in [(0, 960.0), (1, 420.0), (2, 272.0)] {
        let cut = width::cut(title, wide);
        let mut classes = Classes::default();
        if cut == *title && width::width(title) <= 272.0 {
            if room > 0 {
                break;
            }
            classes = Classes::ALL;
        } else {
            classes.add(room);
        }
        let text = parent.child("text").px("x", -52.0).px("y", 18.0);
        write_cut(plan.label(text, classes, "ax", Some(Tone::Muted)), &cut, title);
    }
}

/// How wide the widest tick label is, in px.
pub(super) fn tick_width(plan: &Plan) -> f64 {
    plan.chart.axis.ticks.iter().map(|tick| width::width(&tick.label)).fold(0.0, f64::max)
}

/// Writes the labels of the value axis, whose plot starts `above` px below the top.
pub(super) fn tick_labels(parent: &mut Element, plan: &Plan, above: f64) {
    let inside = tick_width(plan) > MARGIN;
    let mut group = plan.painter.tone(parent.child("g"), "tk", Tone::Muted);
    if !inside {
        group = group.attr("text-anchor", "end");
    }
    for (tick, classes) in plan.chart.axis.ticks.iter().zip(tick_classes(plan)) {
        if classes.none() {
            continue;
        }
        let y = above + plan.y(tick.value) + if inside { -5.0 } else { 4.5 };
        let text = group.child("text").px("x", if inside { 0.0 } else { -8.0 }).px("y", y);
        plan.label(text, classes, "", None).text(&tick.label);
    }
}

/// The width classes in which a tick keeps its label: rows of text must not touch, and powers of ten go first.
fn tick_classes(plan: &Plan) -> Vec<Classes> {
    let ticks = &plan.chart.axis.ticks;
    let mut order: Vec<usize> = (0..ticks.len()).collect();
    if plan.chart.axis.scale == Scale::Log {
        let power =
            |tick: usize| (ticks[tick].value.log10() - ticks[tick].value.log10().round()).abs() < 1e-6;
        order.sort_by_key(|tick| !power(*tick));
    }
    let mut classes = vec![Classes::default(); ticks.len()];
    for (class, room) in plan.rooms().iter().enumerate() {
        let mut taken: Vec<f64> = Vec::new();
        for tick in &order {
            let y = plan.y(ticks[*tick].value);
            if taken.iter().all(|other| (other - y).abs() >= room.size() * 1.1) {
                taken.push(y);
                classes[*tick].add(class);
            }
        }
    }
    classes
}

/// Writes the lines of the labelled values.
pub(super) fn grid(plot: &mut Element, plan: &Plan) {
    let reference = plan.chart.reference.as_ref().map(|line| plan.y(line.value));
    let mut grid = plan.painter.tone(plot.child("g"), "", Tone::Grid);
    for tick in &plan.chart.axis.ticks {
        let y = plan.y(tick.value);
        if reference.is_none_or(|line| (line - y).abs() > 0.5) {
            grid.child("line").attr("x2", "100%").px("y1", y).px("y2", y);
        }
    }
}

fn boundaries(plot: &mut Element, plan: &Plan) {
    for (strong, tone) in [(false, Tone::Rule), (true, Tone::Strong)] {
        let chosen = |boundary: &&Boundary| {
            boundary.strong == strong && boundary.before > 0 && boundary.before < plan.columns()
        };
        if !plan.chart.boundaries.iter().any(|boundary| chosen(&boundary)) {
            continue;
        }
        let mut group = plan.painter.tone(plot.child("g"), "", tone);
        for boundary in plan.chart.boundaries.iter().filter(chosen) {
            let x = plan.edge(boundary.before);
            group.child("line").percent("x1", x).percent("x2", x).px("y1", -18.0).px("y2", HEIGHT);
        }
    }
}

fn reference(plot: &mut Element, plan: &Plan) {
    let Some(reference) = &plan.chart.reference else { return };
    let y = plan.y(reference.value);
    let line = plan.painter.tone(plot.child("line"), "ref", Tone::Reference);
    line.attr("stroke-dasharray", "4 4").attr("x2", "100%").px("y1", y).px("y2", y);
}

/// The rules of a scale of time under what is not lines.
fn days(plot: &mut Element, plan: &Plan, under: &Under) {
    if plan.dated.is_some() {
        under.draw_scale(&mut plan.stretched(plot).attr("fill", "none"), plan);
    }
}

/// Names the path that has the values of the only line, for the script. It reads the drawing by order; that by
/// date is the same but for the places.
pub(super) fn name<'out>(path: Element<'out>, plan: &Plan) -> Element<'out> {
    if plan.dated.is_some() {
        return path;
    }
    let path = path.attr("data-line", "0");
    if plan.in_file() { path } else { path.attr("data-key", &plan.chart.lines[0].key) }
}

fn lines(plot: &mut Element, plan: &Plan, under: &Under) {
    let mut space = plan
        .stretched(plot)
        .attr("fill", "none")
        // Where points lie closer than the line is wide, a fine line hides less of the others.
        .attr("stroke-width", if plan.columns() > MARKED { "1" } else { "1.75" })
        .attr("stroke-linejoin", "round");
    under.draw_scale(&mut space, plan);
    for line in plan.drawn.iter().rev() {
        let look = plan.look(*line);
        let path = plan.painter.tone(space.child("path"), &Plan::switch(*line), look.stroke());
        // A script reads the lines of the drawing by order; that by date is the same but for the places.
        let mut path = if plan.dated.is_none() { path.attr("data-line", &line.to_string()) } else { path };
        if !plan.in_file() && plan.dated.is_none() {
            // The script finds the values of a line by its metric.
            path = path.attr("data-key", &plan.chart.lines[*line].key);
        }
        if !look.dash.is_empty() {
            path = path.attr("stroke-dasharray", look.dash);
        }
        if plan.columns() > MARKED {
            path = path.attr("stroke-linecap", "round");
        }
        let d = path_data(plan, *line);
        keep_width(path, plan).attr("d", &d);
    }
}

/// Keeps strokes as wide as they are in a space that is stretched. In a page the style sheet does.
pub(super) fn keep_width<'out>(path: Element<'out>, plan: &Plan) -> Element<'out> {
    if plan.in_file() { path.attr("vector-effect", "non-scaling-stroke") } else { path }
}

/// Every drawn point of a line, joined where all columns between them have values. A point between gaps is a
/// segment of no length.
fn path_data(plan: &Plan, line: usize) -> String {
    let marks = &plan.chart.lines[line].marks;
    let columns = plan.columns().min(marks.len());
    let labelled = plan.chart.step.as_ref().filter(|step| step.line == line);
    let always: Vec<usize> =
        labelled.map_or_else(Vec::new, |step| vec![step.column.saturating_sub(1), step.column]);
    let kept = thin::kept(columns, thin::neighbours(plan.columns()), &always, |column| marks[column].value);
    let mut d = String::with_capacity(kept.len() * 12);
    // Whether the last point is still alone, and whether a line may lead on from it.
    let (mut alone, mut leads) = (false, false);
    let mut next = 0;
    for column in kept {
        let Some(y) = plan.mark_y(&marks[column]) else { continue };
        let joined = leads && plan.follows(column) && marks[next..=column].iter().all(Plan::joins);
        if alone && !joined {
            d.push_str("h0");
        }
        d.push(if joined { 'L' } else { 'M' });
        push_number(&mut d, plan.along(plan.x(column)), 1);
        d.push(' ');
        push_number(&mut d, y, 1);
        alone = !joined;
        leads = Plan::joins(&marks[column]);
        next = column + 1;
    }
    if alone {
        d.push_str("h0");
    }
    d
}

fn marks(plot: &mut Element, plan: &Plan, line: usize) {
    let marks = &plan.chart.lines[line].marks;
    let look = plan.look(line);
    let shape = format!("#{}", point_id(plan.prefix, plan.columns(), look.shape));
    for hollow in [false, true] {
        let chosen = |form: &Form| match form {
            Form::Measured => !hollow && plan.columns() <= MARKED,
            Form::Convention | Form::ZeroOnLog => hollow && plan.columns() <= MARKED,
            Form::Absent(_) => false,
        };
        if !marks.iter().any(|mark| chosen(&mark.form) && plan.mark_y(mark).is_some()) {
            continue;
        }
        let tone = if hollow { Tone::SeriesHollow(look.colour) } else { look.fill() };
        let mut group = plan.painter.tone(plot.child("g"), &Plan::switch(line), tone);
        if hollow {
            group = group.attr("stroke-width", "1.25");
        }
        for (column, mark) in marks.iter().enumerate().filter(|(_, mark)| chosen(&mark.form)) {
            let Some(y) = plan.mark_y(mark) else { continue };
            group.child("use").attr("href", &shape).percent("x", plan.x(column)).px("y", y);
        }
    }
}

/// Open marks on the axis where a value is missing, in the shape of the series. A column in which every
/// line is missing for one reason gets a single neutral mark: there is nothing to tell apart.
fn absent(plot: &mut Element, plan: &Plan) {
    let lines = &plan.chart.lines;
    let mut whole = Vec::new();
    let mut single: Vec<(usize, usize, f64)> = Vec::new();
    for column in 0..plan.columns() {
        let missing: Vec<usize> = plan
            .drawn
            .iter()
            .copied()
            .filter(|line| labels::reason(&lines[*line], column).is_some())
            .collect();
        if plan.drawn.len() > 1 && labels::common_reason(plan, column).is_some() {
            whole.push(column);
        } else {
            let middle = (missing.len() as f64 - 1.0) / 2.0;
            single.extend(
                missing.iter().enumerate().map(|(at, line)| (*line, column, (at as f64 - middle) * 9.0)),
            );
        }
    }
    if plan.columns() > MARKED {
        // One stroke along the axis says the same with two numbers per run.
        whole.clear();
        single.clear();
    }
    if !whole.is_empty() {
        let mut group = plan.painter.tone(plot.child("g"), "ab", Tone::Hollow).attr("stroke-width", "1.25");
        for column in whole {
            let mut mark = group.child("circle").percent("cx", plan.x(column)).px("cy", HEIGHT).px("r", 3.5);
            let reason = labels::common_reason(plan, column).unwrap_or_default();
            mark.child("title").text(&format!("{}: {reason}", plan.chart.columns[column].label));
        }
    }
    for line in plan.drawn.iter().copied().filter(|line| single.iter().any(|mark| mark.0 == *line)) {
        let shape = format!("#{}", point_id(plan.prefix, plan.columns(), plan.look(line).shape));
        let class = format!("{} ab", Plan::switch(line));
        let mut group = plan.painter.tone(plot.child("g"), &class, Tone::Hollow).attr("stroke-width", "1.25");
        for (_, column, dx) in single.iter().filter(|mark| mark.0 == line) {
            let mut mark = group.child("use").attr("href", &shape).percent("x", plan.x(*column));
            mark = mark.px("y", HEIGHT);
            if *dx != 0.0 {
                let mut shift = String::from("translate(");
                push_number(&mut shift, *dx, 1);
                shift.push_str(" 0)");
                mark = mark.attr("transform", &shift);
            }
            let reason = labels::reason(&lines[line], *column).unwrap_or_default();
            let label = &plan.chart.columns[*column].label;
            mark.child("title").text(&format!("{}, {label}: {reason}", lines[line].name));
        }
    }
    runs_of_absence(plot, plan);
}

/// With very many columns, missing stretches are drawn as dotted strokes on the axis, one element for all that
/// have one reason. Stretches that share a pixel become one.
fn runs_of_absence(plot: &mut Element, plan: &Plan) {
    if plan.columns() <= MARKED {
        return;
    }
    for line in plan.drawn.iter().copied() {
        let data = &plan.chart.lines[line];
        // Reason → columns, in the order in which they come first.
        let mut found: Vec<(&str, Vec<usize>)> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (column, reason) in (0..plan.columns()).filter_map(|at| Some((at, labels::reason(data, at)?))) {
            let told = found.len() < REASONS || places.contains_key(reason);
            let reason = if told { reason } else { "other reasons" };
            let place = *places.entry(reason).or_insert_with(|| {
                found.push((reason, Vec::new()));
                found.len() - 1
            });
            found[place].1.push(column);
        }
        if found.is_empty() {
            continue;
        }
        let mut space = plan.stretched(plot);
        let group = space.child("g");
        let group = plan.painter.tone(group, &format!("{} ab", Plan::switch(line)), Tone::Reference);
        let mut group = group.attr("stroke-width", "3").attr("stroke-dasharray", "1 2");
        for (reason, columns) in &found {
            let mut path = keep_width(group.child("path"), plan).attr("d", &strokes(plan, columns));
            let count = list::counted(columns.len(), "value", "values");
            path.child("title").text(&format!("{}, {count} missing: {reason}", data.name));
        }
    }
}

/// Strokes along the axis under the given columns; those less than a thousandth of the width apart are one.
fn strokes(plan: &Plan, columns: &[usize]) -> String {
    let mut d = String::new();
    let mut spans: Vec<(f64, f64)> = Vec::new();
    for &column in columns {
        let (from, to) = (plan.along(plan.edge(column)), plan.along(plan.edge(column + 1)));
        match spans.last_mut() {
            Some(last) if from - last.1 < 1.0 => last.1 = to,
            _ => spans.push((from, to)),
        }
    }
    for (from, to) in spans {
        d.push('M');
        push_number(&mut d, from, 1);
        d.push_str(" 264H");
        push_number(&mut d, to, 1);
    }
    d
}

/// Writes the rule and the ring that follow the reader's point; they are hidden until there is one.
pub(super) fn cursor(plot: &mut Element) {
    plot.child("line").class("cursor").px("y1", -18.0).px("y2", HEIGHT);
    plot.child("circle").class("ring").px("r", 7.0).attr("fill", "none");
}
