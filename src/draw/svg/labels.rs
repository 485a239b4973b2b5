//! Words inside the plot: boundaries, the largest step, the reference, reasons of missing values. What does
//! not fit is dropped from the drawing, never from the page: the table and the reading line have it.

use super::bars;
use super::ends::Ends;
use super::layout::{Anchor, Area, Classes, HEIGHT, Room};
use super::look::Tone;
use super::plan::{Plan, write_cut};
use super::plot;
use super::writer::Element;
use crate::figure::chart::{Body, Boundary, Form, Line, StepLabel};
use crate::text::width;

/// Height of the row of boundary labels.
const TOP: f64 = -8.0;

/// A text with its place, merged over the width classes that agree.
pub(super) struct Placed {
    pub(super) text: String,
    pub(super) whole: String,
    pub(super) anchor: Anchor,
    /// Per cent of the width.
    pub(super) x: f64,
    /// Shift in px.
    pub(super) dx: f64,
    pub(super) y: f64,
    pub(super) classes: Classes,
    pub(super) strong: bool,
}

/// The words of one plot.
pub(super) struct Labels {
    boundaries: Vec<Placed>,
    reference: Vec<Placed>,
    reasons: Vec<Placed>,
    /// Sizes of bars.
    values: Vec<Placed>,
    /// Place of the figure; the name of the line stands below it.
    step: Vec<Placed>,
}

/// Why a cell has no value; none when it has one.
pub(super) fn reason(line: &Line, column: usize) -> Option<&str> {
    match &line.marks.get(column)?.form {
        Form::Absent(reason) => Some(reason),
        _ => None,
    }
}

/// The reason that all lines share at a column.
pub(super) fn common_reason<'a>(plan: &Plan<'a>, column: usize) -> Option<&'a str> {
    let mut lines = plan.drawn.iter().map(|line| reason(&plan.chart.lines[*line], column));
    let first = lines.next()??;
    lines.all(|other| other == Some(first)).then_some(first)
}

/// Places all words.
pub(super) fn place(plan: &Plan, ends: &Ends) -> Labels {
    let mut labels = Labels {
        boundaries: Vec::new(),
        reference: Vec::new(),
        reasons: Vec::new(),
        values: Vec::new(),
        step: Vec::new(),
    };
    for (class, room) in plan.rooms().iter().enumerate() {
        let mut taken: Vec<Area> = if room.ends { ends.areas(room.width).collect() } else { Vec::new() };
        taken.extend(ticks_inside(plan, class, *room));
        place_boundaries(plan, class, *room, &taken, &mut labels.boundaries);
        // Where large text leaves little room, a reason is worth more than the words of the reference.
        if room.zoom > 1.0 {
            place_reasons(plan, class, *room, &mut taken, &mut labels.reasons);
        }
        if matches!(plan.chart.body, Body::Bars(_)) {
            bars::place_values(plan, class, *room, &mut taken, &mut labels.values);
        }
        // By date these labels would only repeat what the drawing by order says.
        if plan.dated.is_none() || plan.in_file() {
            place_reference(plan, class, *room, &mut taken, &mut labels.reference);
            place_step(plan, class, *room, &mut taken, &mut labels.step);
        }
        if room.zoom <= 1.0 {
            place_reasons(plan, class, *room, &mut taken, &mut labels.reasons);
        }
    }
    labels
}

/// The labels of the value axis that stand in the plot at a width class, because the margin is too small.
pub(super) fn ticks_inside(plan: &Plan, class: usize, room: Room) -> Vec<Area> {
    let widest = plot::tick_width(plan);
    if widest <= plot::MARGIN && (class == 0 || widest <= plot::NARROW_MARGIN) {
        return Vec::new();
    }
    let ticks = plan.chart.axis.ticks.iter();
    ticks
        .map(|tick| Area::text((0.0, room.text(&tick.label) + 6.0), plan.y(tick.value) - 4.5, room.size()))
        .collect()
}

/// Adds a text to one class, joining it with the same text at the same place in another.
pub(super) fn put(list: &mut Vec<Placed>, class: usize, placed: Placed) {
    let same = list.iter_mut().find(|other| {
        other.text == placed.text
            && other.anchor == placed.anchor
            && (other.x - placed.x).abs() < 1e-9
            && (other.dx - placed.dx).abs() < 1e-9
            && (other.y - placed.y).abs() < 1e-9
    });
    if let Some(other) = same {
        other.classes.add(class);
    } else {
        let mut placed = placed;
        placed.classes.add(class);
        list.push(placed);
    }
}

fn place_boundaries(plan: &Plan, class: usize, room: Room, areas: &[Area], list: &mut Vec<Placed>) {
    let row = Area::text((-room.left, room.width + room.right), TOP, room.size());
    let mut taken: Vec<(f64, f64)> =
        areas.iter().filter(|area| area.meets(&row)).map(|area| area.x).collect();
    let labelled =
        |strong: bool| plan.chart.boundaries.iter().rev().filter(move |boundary| boundary.strong == strong);
    for boundary in labelled(true).chain(labelled(false)) {
        let Some(label) = &boundary.label else { continue };
        if boundary.before >= plan.columns() {
            continue;
        }
        let px = |percent: f64| percent * room.width / 100.0;
        let rule = plan.edge(boundary.before);
        let free = |span: (f64, f64), taken: &[(f64, f64)]| {
            taken.iter().all(|other| span.1 + 8.0 < other.0 || other.1 + 8.0 < span.0)
        };
        let candidates: Vec<(String, Anchor, f64, f64)> = if boundary.strong {
            strong_places(&label.text, boundary, rule, room)
        } else {
            let until = plan.edge(label.until.clamp(boundary.before, plan.columns()));
            let wide = room.text(&label.text);
            if px(until - rule) < wide + 12.0 {
                continue;
            }
            let dx = if boundary.before == 0 { 0.0 } else { 6.0 };
            vec![if label.centred {
                (label.text.clone(), Anchor::Middle, f64::midpoint(rule, until), 0.0)
            } else {
                (label.text.clone(), Anchor::Start, rule, dx)
            }]
        };
        for (text, anchor, x, dx) in candidates {
            let wide = if boundary.strong { room.bold(&text) } else { room.text(&text) };
            let span = anchor.span(px(x) + dx, wide);
            if free(span, &taken) {
                taken.push(span);
                let whole = label.text.clone();
                let strong = boundary.strong;
                let classes = Classes::default();
                put(list, class, Placed { text, whole, anchor, x, dx, y: TOP, classes, strong });
                break;
            }
        }
    }
}

/// Right of the rule where it fits, else left of it, else cut on the wider side.
fn strong_places(text: &str, boundary: &Boundary, rule: f64, room: Room) -> Vec<(String, Anchor, f64, f64)> {
    let gap = if boundary.before == 0 { 0.0 } else { 6.0 * room.zoom };
    let at = rule * room.width / 100.0;
    let (right, left) = (room.width + room.right - at - gap, at - gap + room.left);
    let wide = room.bold(text);
    if wide <= right {
        vec![(text.to_owned(), Anchor::Start, rule, gap)]
    } else if wide <= left {
        vec![(text.to_owned(), Anchor::End, rule, -gap)]
    } else if right.max(left) < 60.0 * room.zoom {
        Vec::new()
    } else if right >= left {
        vec![(width::cut(text, right / room.zoom / 1.1).into_owned(), Anchor::Start, rule, gap)]
    } else {
        vec![(width::cut(text, left / room.zoom / 1.1).into_owned(), Anchor::End, rule, -gap)]
    }
}

fn place_reference(plan: &Plan, class: usize, room: Room, taken: &mut Vec<Area>, list: &mut Vec<Placed>) {
    let Some(reference) = plan.chart.reference.as_ref().filter(|line| !line.label.is_empty()) else { return };
    let line = plan.y(reference.value);
    let text = width::cut(&reference.label, (room.width - 8.0) / room.zoom).into_owned();
    let wide = room.text(&text);
    let below = line + 5.0 + room.size();
    // The row of targets leaves this much under the axis.
    let under = (below <= HEIGHT + 3.0).then_some(below);
    let over = Some(line - 7.0);
    let mut places: Vec<(Anchor, f64, f64, f64)> = Vec::new();
    for y in [under, over].into_iter().flatten() {
        places.push((Anchor::Start, 0.0, 4.0, y));
        places.push((Anchor::End, 100.0, -4.0, y));
    }
    let area = |place: &(Anchor, f64, f64, f64)| {
        Area::text(place.0.span(place.1 * room.width / 100.0 + place.2, wide), place.3, room.size())
    };
    places.retain(|place| !taken.iter().any(|other| other.meets(&area(place))));
    let free = places.iter().find(|place| !plan.busy(&area(place), room));
    // In a small file the text would hide much of a line; there the axis says enough, and so it does for bars.
    let lines = plan.chart.body == Body::Lines;
    let crowded = if room.zoom > 1.0 || !lines { None } else { places.first() };
    let Some(place) = free.or(crowded) else { return };
    taken.push(area(place));
    let (anchor, x, dx, y) = *place;
    let (whole, classes) = (reference.label.clone(), Classes::default());
    put(list, class, Placed { text, whole, anchor, x, dx, y, classes, strong: false });
}

/// Size of the step's figure.
const BIG: f64 = 20.0;

fn place_step(plan: &Plan, class: usize, room: Room, taken: &mut Vec<Area>, list: &mut Vec<Placed>) {
    let Some(StepLabel { column, line, text }) = &plan.chart.step else { return };
    let Some(data) = plan.chart.lines.get(*line).filter(|_| *column < plan.columns()) else { return };
    if !plan.drawn.contains(line) {
        return;
    }
    let y_at = |at: usize| data.marks.get(at).and_then(|mark| plan.mark_y(mark));
    let Some(to) = y_at(*column) else { return };
    let from = (0..*column).rev().find_map(y_at).unwrap_or(to);
    let name = if plan.in_file() && room.zoom > 1.0 { 0.0 } else { room.text(&data.name) };
    let wide = (width::width_at(text, BIG) * 1.1 * room.zoom).max(name);
    let below = if name > 0.0 { 22.0 } else { 3.0 };
    let rule = plan.edge(*column);
    let at = rule * room.width / 100.0;
    let gap = 6.0 * room.zoom;
    let mut sides = [(Anchor::Start, gap), (Anchor::End, -gap)];
    if to < from {
        // A rising line leaves the free corner before the rule.
        sides.reverse();
    }
    let middle = f64::midpoint(from, to);
    let mut heights: Vec<f64> = (0..=30).map(|row| 24.0 + f64::from(row) * 7.0).collect();
    heights.sort_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs()));
    for (anchor, dx) in sides {
        let x = anchor.span(at + dx, wide);
        if x.0 < 4.0 || x.1 > room.width + room.right {
            continue;
        }
        for y in &heights {
            let area = Area { x, y: (y - 16.0 * room.zoom, y + below * room.zoom) };
            let reference = plan.chart.reference.as_ref().map(|line| plan.y(line.value));
            let on_reference = reference.is_some_and(|line| line > area.y.0 && line < area.y.1);
            if on_reference || taken.iter().any(|other| other.meets(&area)) || plan.busy(&area, room) {
                continue;
            }
            taken.push(area);
            let (text, whole, classes) = (text.clone(), data.name.clone(), Classes::default());
            put(list, class, Placed { text, whole, anchor, x: rule, dx, y: *y, classes, strong: true });
            return;
        }
    }
}

/// A stretch of columns that miss a value for one reason.
struct Run {
    from: usize,
    to: usize,
    text: String,
}

fn runs(plan: &Plan) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let lines: Vec<&Line> =
        plan.drawn.iter().map(|line| &plan.chart.lines[*line]).filter(|line| line.shown).collect();
    let words = |column: usize| -> Option<String> {
        if let Some(reason) = common_reason(plan, column) {
            return Some(reason.to_owned());
        }
        let missing: Vec<(&str, &str)> = lines
            .iter()
            .filter_map(|line| reason(line, column).map(|reason| (line.name.as_str(), reason)))
            .collect();
        let (name, first) = *missing.first()?;
        if missing.iter().any(|other| other.1 != first) {
            return Some(format!("{} values missing", missing.len()));
        }
        Some(match missing.len() {
            1 if lines.len() > 1 => format!("{name}: {first}"),
            1 => first.to_owned(),
            many => format!("{many} {}: {first}", plan.chart.lines_are()),
        })
    };
    let mut previous: Option<(usize, String)> = None;
    for column in 0..plan.columns() {
        let now = words(column);
        match (&now, &previous) {
            (Some(text), Some((_, before))) if text == before => {
                if let Some(run) = runs.last_mut() {
                    run.to = column + 1;
                }
            }
            (Some(text), _) => {
                runs.push(Run { from: column, to: column + 1, text: text.clone() });
            }
            (None, _) => {}
        }
        previous = now.map(|text| (column, text));
    }
    runs
}

fn place_reasons(plan: &Plan, class: usize, room: Room, taken: &mut Vec<Area>, list: &mut Vec<Placed>) {
    for run in runs(plan).into_iter().rev() {
        let count = run.to - run.from;
        let whole = if count > 1 { format!("{} ({count})", run.text) } else { run.text };
        let text = width::cut(&whole, 220.0_f64.min(room.width / room.zoom - 8.0)).into_owned();
        let wide = room.text(&text);
        let x = f64::midpoint(plan.edge(run.from), plan.edge(run.to));
        let px = |percent: f64| percent * room.width / 100.0;
        // At the edges the text leans inwards.
        let mut places = vec![(Anchor::Middle, x, 0.0)];
        places.push((Anchor::Start, plan.edge(run.from), 2.0));
        places.push((Anchor::End, plan.edge(run.to), -2.0));
        let fits: Vec<_> = places
            .into_iter()
            .filter(|(anchor, x, dx)| {
                let span = anchor.span(px(*x) + dx, wide);
                span.0 >= -4.0 && span.1 <= room.width + 4.0
            })
            .flat_map(|(anchor, x, dx)| {
                [HEIGHT - 12.0, HEIGHT - 13.0 - room.size() * 1.2].map(|y| (anchor, x, dx, y))
            })
            .map(|(anchor, x, dx, y)| {
                let area = Area::text(anchor.span(px(x) + dx, wide), y, room.size());
                (anchor, x, dx, y, area)
            })
            .filter(|place| !taken.iter().any(|other| other.meets(&place.4)))
            .collect();
        let calm = fits.iter().find(|place| !plan.busy(&place.4, room));
        let Some((anchor, x, dx, y, area)) = calm.or(fits.first()).copied() else { continue };
        taken.push(area);
        put(
            list,
            class,
            Placed { text, whole, anchor, x, dx, y, classes: Classes::default(), strong: false },
        );
    }
}

/// Writes what the lines may cover.
pub(super) fn draw_under_lines(plot: &mut Element, plan: &Plan, labels: &Labels) {
    for placed in &labels.boundaries {
        let text = Plan::text(plot, placed.anchor, placed.x, placed.dx, placed.y);
        let text = if placed.strong { text.strong() } else { text };
        let tone = (!placed.strong).then_some(Tone::Muted);
        write_cut(plan.label(text, placed.classes, "", tone), &placed.text, &placed.whole);
    }
    let Some(StepLabel { line, .. }) = &plan.chart.step else { return };
    for placed in &labels.step {
        let switch = Plan::switch(*line);
        let text =
            Plan::text(plot, placed.anchor, placed.x, placed.dx, placed.y).attr("font-size", "20").strong();
        plan.label(
            text,
            placed.classes,
            &if plan.in_file() { format!("big {switch}") } else { switch.clone() },
            None,
        )
        .text(&placed.text);
        let mut classes = placed.classes;
        if plan.in_file() {
            classes.0 &= 1;
        }
        if classes.none() {
            continue;
        }
        let text = Plan::text(plot, placed.anchor, placed.x, placed.dx, placed.y + 17.0);
        plan.label(text, classes, &switch, None).text(&placed.whole);
    }
}

/// Writes what must stay readable over lines.
pub(super) fn draw_over_lines(plot: &mut Element, plan: &Plan, labels: &Labels) {
    for placed in labels.reference.iter().chain(&labels.reasons).chain(&labels.values) {
        let text = Plan::text(plot, placed.anchor, placed.x, placed.dx, placed.y);
        write_cut(plan.label(text, placed.classes, "", Some(Tone::Halo)), &placed.text, &placed.whole);
    }
}
