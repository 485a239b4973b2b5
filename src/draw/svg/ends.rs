//! Labels at the ends of the lines.

use super::layout::{Area, HEIGHT, apart, bold};
use super::look::{Tone, shape_id};
use super::plan::{Plan, write_cut};
use super::writer::Element;
use super::{bars, spreads};
use crate::figure::chart::{Body, Form};
use crate::text::width;

/// Room for the text of an end label in px.
const WIDE: f64 = 146.0;

/// Where the labels stand, and in which form.
pub(super) struct Ends {
    /// Line and height of its label in px, from the top.
    pub(super) labels: Vec<(usize, f64)>,
    /// Whether value and ratio stand in a second row.
    pub(super) two_rows: bool,
    /// What stands there where parts of one line are to be told apart.
    pub(super) notes: Vec<Note>,
}

/// A label for a part of the drawing.
pub(super) struct Note {
    /// Height in px, from the top.
    pub(super) y: f64,
    /// What stands before it.
    pub(super) sample: Sample,
    /// The label.
    pub(super) text: String,
    /// What stands below it; may be empty.
    pub(super) below: String,
}

/// The part that a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sample {
    /// An open dot.
    First,
    /// A dot.
    Dot,
    /// A box with a median.
    Box,
    /// Nothing: the place says it.
    None,
}

/// Places the labels: in the order of the last values, pushed apart. When there are more lines than places,
/// lines that are not shown at first get none (the row of toggles names them).
pub(super) fn place(plan: &Plan) -> Ends {
    let notes = match &plan.chart.body {
        Body::Lines | Body::Cloud(_) | Body::Panels(_) | Body::Heat(_) | Body::Flame(_) => Vec::new(),
        Body::Spreads(spreads) => spreads::notes(plan, spreads),
        Body::Bars(directions) => bars::notes(plan, directions),
    };
    if plan.chart.body != Body::Lines {
        return Ends { labels: Vec::new(), two_rows: false, notes };
    }
    let (top, bottom) = (6.0, HEIGHT - 2.0);
    let capacity = |gap: f64| ((bottom - top) / gap) as usize + 1;
    let shown: Vec<usize> = plan.drawn.iter().copied().filter(|line| plan.chart.lines[*line].shown).collect();
    let chosen = if plan.drawn.len() <= capacity(36.0)
        || plan.drawn.len() <= capacity(20.0) && shown.len() > capacity(36.0)
    {
        plan.drawn.clone()
    } else {
        shown
    };
    let two_rows = chosen.len() <= capacity(36.0);
    let gap = if two_rows { 36.0 } else { 20.0 };
    // Ties at the newest column are broken by the value before it, so that leaders do not cross.
    let height = |line: usize| {
        let marks = &plan.chart.lines[line].marks;
        let at = plan.last_drawn(line);
        let here = at.and_then(|at| plan.mark_y(&marks[at])).unwrap_or(HEIGHT);
        let before =
            at.and_then(|at| marks[..at].iter().rev().find_map(|mark| plan.mark_y(mark))).unwrap_or(here);
        (here, before)
    };
    let mut order: Vec<(f64, f64, usize)> =
        chosen.into_iter().map(|line| (height(line).0, height(line).1, line)).collect();
    order.sort_by(|a, b| {
        let (here, there) = ((a.0 * 10.0).round(), (b.0 * 10.0).round());
        here.total_cmp(&there).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
    });
    order.truncate(capacity(gap));
    let mut wishes: Vec<f64> = order.iter().map(|(here, _, _)| *here).collect();
    wishes.sort_by(f64::total_cmp);
    let placed = apart(&wishes, gap, top, bottom);
    Ends { labels: order.iter().map(|entry| entry.2).zip(placed).collect(), two_rows, notes }
}

impl Ends {
    /// The boxes that the labels of shown lines cover at a plot width.
    pub(super) fn areas(&self, plot: f64) -> impl Iterator<Item = Area> + '_ {
        let below = if self.two_rows { 24.0 } else { 8.0 };
        let labels = self.labels.iter().map(move |(_, y)| (*y, below));
        let notes = self.notes.iter().map(|note| (note.y, if note.below.is_empty() { 8.0 } else { 24.0 }));
        labels.chain(notes).map(move |(y, below)| Area { x: (plot, plot + 172.0), y: (y - 10.0, y + below) })
    }
}

/// What of the labels is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Everything.
    Whole,
    /// The leaders, which start where the columns are.
    Leaders,
    /// The labels, which stand beside the plot wherever the columns are.
    Labels,
    /// Nothing: by date the last value is at the edge anyway.
    Nothing,
}

/// Draws labels with their mark and a leader from the last value.
pub(super) fn draw(plot: &mut Element, plan: &Plan, ends: &Ends, part: Part) {
    if part == Part::Nothing {
        return;
    }
    for note in ends.notes.iter().filter(|_| part != Part::Leaders) {
        draw_note(plot, plan, note);
    }
    for (line, y) in &ends.labels {
        let last = plan.last_drawn(*line);
        let leader = (part != Part::Labels).then(|| leader(plan, *line, last, *y)).flatten();
        let class = format!("{} w", Plan::switch(*line));
        if part == Part::Leaders {
            draw_leader(plot, plan, &class, leader, *y);
            continue;
        }
        let mut group = plot.child("g").class(&class);
        draw_leader(&mut group, plan, "", leader, *y);
        label(&mut group, plan, ends, *line, last, *y);
    }
}

fn draw_leader(parent: &mut Element, plan: &Plan, class: &str, from: Option<(usize, f64)>, to: f64) {
    let Some((column, from)) = from else { return };
    let leader = plan.painter.tone(parent.child("line"), class, Tone::Reference);
    leader
        .attr("stroke-dasharray", "1 3")
        .percent("x1", plan.x(column))
        .px("y1", from)
        .attr("x2", "100%")
        .px("y2", to);
}

/// Where the leader of a label starts; none where the label stands beside its value.
fn leader(plan: &Plan, line: usize, last: Option<usize>, y: f64) -> Option<(usize, f64)> {
    let column = last?;
    let from = plan.mark_y(&plan.chart.lines[line].marks[column])?;
    let away = if plan.dated.is_some() { plan.x(column) < 98.0 } else { column + 1 < plan.columns() };
    ((from - y).abs() > 2.0 || away).then_some((column, from))
}

fn label(group: &mut Element, plan: &Plan, ends: &Ends, line: usize, last: Option<usize>, y: f64) {
    let (data, look) = (&plan.chart.lines[line], plan.look(line));
    let mut label = plan.nested(group).attr("x", "100%").px("y", y);
    let hollow = last.is_none_or(|at| data.marks[at].form != Form::Measured);
    let tone = if hollow { Tone::SeriesHollow(look.colour) } else { look.fill() };
    let mark = plan
        .painter
        .tone(label.child("use"), "", tone)
        .attr("href", &format!("#{}", shape_id(plan.prefix, look.shape)))
        .px("x", 10.0);
    drop(if hollow { mark.attr("stroke-width", "1.25") } else { mark });
    let note = match (data.last.as_str(), data.last_note.as_str()) {
        (last, "") => last.to_owned(),
        ("", note) => note.to_owned(),
        (last, note) => format!("{last}, {note}"),
    };
    let name = width::cut(&data.name, WIDE / 1.1);
    let text = label.child("text").px("x", 22.0).px("y", 4.0).strong();
    write_cut(text, &name, &data.name);
    if ends.two_rows {
        let text = label.child("text").px("x", 22.0).px("y", 20.0);
        write_cut(plan.painter.tone(text, "", Tone::Muted), &width::cut(&note, WIDE), &note);
    } else if bold(&data.name) + width::width(&data.last) + 8.0 <= WIDE {
        let text = label.child("text").px("x", 22.0 + bold(&data.name) + 8.0).px("y", 4.0);
        plan.painter.tone(text, "", Tone::Muted).text(&data.last);
    }
}

fn draw_note(plot: &mut Element, plan: &Plan, note: &Note) {
    let mut group = plot.child("g").class("w");
    let mut label = plan.nested(&mut group).attr("x", "100%").px("y", note.y);
    let look = plan.look(0);
    match note.sample {
        Sample::First | Sample::Dot => {
            let hollow = note.sample == Sample::First;
            let tone = if hollow { Tone::SeriesHollow(look.colour) } else { look.fill() };
            let dot = plan.painter.tone(label.child("circle"), "", tone);
            let dot = dot.px("cx", 12.0).px("r", if hollow { 2.5 } else { 2.0 });
            drop(dot.attr("stroke-width", if hollow { "1.25" } else { "0" }));
        }
        Sample::Box => {
            let outline = plan.painter.tone(label.child("path"), "", Tone::Reference);
            drop(outline.attr("fill", "none").attr("d", "M6-5h12v10h-12z"));
            let median = plan.painter.tone(label.child("path"), "", Tone::Strong);
            drop(median.attr("stroke-width", "1.75").attr("d", "M6 0h12"));
        }
        Sample::None => {}
    }
    let x = if note.sample == Sample::None { 10.0 } else { 24.0 };
    let text = width::cut(&note.text, WIDE);
    write_cut(label.child("text").px("x", x).px("y", 4.0), &text, &note.text);
    if !note.below.is_empty() {
        let below = plan.painter.tone(label.child("text").px("x", x).px("y", 20.0), "", Tone::Muted);
        write_cut(below, &width::cut(&note.below, WIDE), &note.below);
    }
}
