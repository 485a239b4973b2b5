//! What stands under the plot: target labels, dates, dependency strips, package counts.

use super::layout::{Anchor, Classes, HEIGHT, Room, bold, thinning};
use super::look::Tone;
use super::plan::{Plan, write_cut};
use super::plot;
use super::writer::{Element, push_number};
use crate::figure::chart::{Ribbon, Span};
use crate::text::{date::Date, width};

/// Longest label in px; what is longer is cut.
const LONGEST: f64 = 110.0;

/// Baseline of the target labels.
const LABELS: f64 = HEIGHT + 20.0;

/// Width of a short month, and of a year with month, in px.
const MONTH: f64 = 34.0;
const COMPACT: f64 = 58.0;

/// What is under the axis, measured.
pub(super) struct Under {
    labels: Vec<String>,
    dates: Vec<Option<Date>>,
    /// The width classes in which a column keeps its label.
    visible: Vec<Classes>,
    /// The column whose label is bold and stays whenever it can.
    newest: usize,
    /// Step between visible labels, per width class; of no meaning on a scale of time.
    steps: [usize; 3],
    /// Labelled days: per cent of the width, text, and where they are visible; none unless on a scale of time.
    scale: Option<Vec<(f64, String, Classes)>>,
    ribbons: Vec<usize>,
    /// How many of `ribbons` are also drawn when narrow: none or one.
    narrow_ribbons: usize,
    counts: bool,
    /// Baseline of the last row of labels or dates.
    base: f64,
}

impl Under {
    /// Measures what is under the axis of `plan`.
    pub(super) fn new(plan: &Plan) -> Self {
        let columns = &plan.chart.columns;
        let labels: Vec<String> =
            columns.iter().map(|column| width::cut(&column.label, LONGEST).into_owned()).collect();
        let dates: Vec<Option<Date>> =
            columns.iter().map(|column| column.date.as_deref().and_then(Date::parse)).collect();
        let dated = dates.iter().any(Option::is_some);
        let count = columns.len();
        let mut measured: Vec<f64> = labels.iter().map(|label| width::width(label)).collect();
        if let Some((wide, newest)) = measured.last_mut().zip(labels.last()) {
            *wide = bold(newest);
        }
        let steps = plan.rooms().map(|room| {
            let column = room.width / count.max(1) as f64;
            let step = |least: f64| {
                let mut widths: Vec<f64> = measured.iter().map(|wide| wide.max(least) * room.zoom).collect();
                if let Some(newest) = count.checked_sub(1)
                    && let (Anchor::End, right, dx) = label_place(plan, room, newest, newest, &labels[newest])
                {
                    // It reaches further to the left than one that stands under its column.
                    let left = right / 100.0 * room.width + dx - widths[newest];
                    let half = plan.x(newest) / 100.0 * room.width - left;
                    widths[newest] = widths[newest].max(2.0 * half);
                }
                thinning(&widths, column)
            };
            match (dated, step(if dated { MONTH } else { 0.0 })) {
                (true, first) if first > 1 => step(COMPACT),
                (_, first) => first,
            }
        });
        // The strip that changed at the newest target comes first: it is the one that stays when narrow.
        let mut ribbons: Vec<usize> = (0..plan.chart.ribbons.len())
            .filter(|ribbon| !plan.chart.ribbons[*ribbon].spans.is_empty())
            .collect();
        ribbons.sort_by_key(|ribbon| !changed(&plan.chart.ribbons[*ribbon]));
        let narrow_ribbons =
            usize::from(ribbons.first().is_some_and(|first| changed(&plan.chart.ribbons[*first])));
        let base = match (dated, steps[0]) {
            (false, _) => LABELS,
            (true, 1) => LABELS + 34.0,
            (true, _) => LABELS + 18.0,
        };
        let counts =
            plan.chart.package_counts.len() == count && plan.chart.package_counts.iter().any(Option::is_some);
        let visible = (0..count).map(|column| every(&steps, count - 1 - column)).collect();
        let newest = count.saturating_sub(1);
        Self { labels, dates, visible, newest, steps, scale: None, ribbons, narrow_ribbons, counts, base }
    }

    /// Measures the same for a drawing on a scale of time. It is as high as `by_order`.
    pub(super) fn over_time(plan: &Plan, by_order: &Self) -> Self {
        let order = plan.dated.map_or(&[][..], |dated| &dated.order);
        let pick = |column: &usize| by_order.labels.get(*column).cloned().unwrap_or_default();
        let labels: Vec<String> = order.iter().map(pick).collect();
        let newest = order.iter().position(|column| *column == by_order.newest).unwrap_or_default();
        let mut visible = vec![Classes::default(); labels.len()];
        for (class, room) in plan.rooms().iter().enumerate() {
            // The newest first, then from the right to the left what does not touch what stands.
            let mut taken: Vec<(f64, f64)> = Vec::new();
            for column in std::iter::once(newest).chain((0..labels.len()).rev()) {
                let (anchor, x, dx) = label_place(plan, *room, column, newest, &labels[column]);
                let span = anchor
                    .span(x / 100.0 * room.width + dx, label_width(*room, column == newest, &labels[column]));
                let free = span.0 >= -room.left
                    && [taken.first(), taken.last()]
                        .into_iter()
                        .flatten()
                        .all(|other| span.1 + 8.0 < other.0 || other.1 + 8.0 < span.0);
                if free {
                    taken.push(span);
                    visible[column].add(class);
                }
            }
        }
        let mut scale: Vec<(f64, String, Classes)> = Vec::new();
        for (class, room) in plan.rooms().iter().enumerate() {
            let needs = |label: &str| (room.text(label) + 16.0) / room.width;
            for tick in plan.dated.map(|dated| dated.ticks(needs)).unwrap_or_default() {
                let x = tick.place * 100.0;
                let same =
                    |other: &&mut (f64, String, Classes)| (other.0 - x).abs() < 1e-9 && other.1 == tick.label;
                if let Some(other) = scale.iter_mut().find(same) {
                    other.2.add(class);
                } else {
                    let mut classes = Classes::default();
                    classes.add(class);
                    scale.push((x, tick.label, classes));
                }
            }
        }
        Self {
            labels,
            dates: Vec::new(),
            visible,
            newest,
            steps: by_order.steps,
            scale: Some(scale),
            ribbons: by_order.ribbons.clone(),
            narrow_ribbons: by_order.narrow_ribbons,
            counts: by_order.counts,
            base: by_order.base,
        }
    }

    /// Whether any target has a date.
    pub(super) fn dated(&self) -> bool {
        self.scale.is_some() || self.dates.iter().any(Option::is_some)
    }

    /// Baseline of the last row of labels or dates, in px below the top of the plot.
    pub(super) fn base(&self) -> f64 {
        self.base
    }

    /// Distance from the top of the plot to the lower edge of everything, in px.
    pub(super) fn bottom(&self) -> f64 {
        let rows = self.ribbons.len() as f64;
        let strips = if self.ribbons.is_empty() { 0.0 } else { 38.0 + (rows - 1.0) * 32.0 };
        let counts = if self.counts { 28.0 } else { 0.0 };
        self.base + strips + counts + 8.0
    }

    /// Classes of the outer element that take back the height of rows that are hidden when narrow.
    pub(super) fn narrowing(&self) -> String {
        let hidden = self.ribbons.len() - self.narrow_ribbons;
        let mut names = String::new();
        if hidden > 0 {
            names.push_str(" xr");
            push_number(&mut names, hidden.min(8) as f64, 1);
        }
        if self.counts {
            names.push_str(" xp");
        }
        if self.narrow_ribbons > 0 {
            names.push_str(" xn");
        }
        names
    }

    /// Writes all rows.
    pub(super) fn draw(&self, plot: &mut Element, plan: &Plan) {
        self.draw_labels(plot, plan);
        if let Some(scale) = &self.scale {
            draw_days(plot, plan, scale);
        } else if self.dated() {
            self.draw_dates(plot, plan);
        }
        for (row, ribbon) in self.ribbons.iter().enumerate() {
            let ribbon = &plan.chart.ribbons[*ribbon];
            let narrow = row < self.narrow_ribbons;
            draw_ribbon(plot, plan, ribbon, self.base + 28.0 + row as f64 * 32.0, narrow);
        }
        // The counts belong to the targets; there are too few labels on a scale of time.
        if self.counts && self.scale.is_none() {
            self.draw_counts(plot, plan);
        }
    }

    /// Writes the rules of a scale of time, into a space by [`Plan::stretched`].
    pub(super) fn draw_scale(&self, space: &mut Element, plan: &Plan) {
        for (classes, days) in by_classes(self.scale.iter().flatten()) {
            let mut d = String::new();
            for (x, ..) in days {
                d.push('M');
                push_number(&mut d, plan.along(*x), 1);
                d.push_str(" 0v264");
            }
            let path = plan.label(space.child("path"), classes, "", Some(Tone::Grid));
            plot::keep_width(path, plan).attr("stroke-width", "1").attr("d", &d);
        }
    }

    fn draw_labels(&self, plot: &mut Element, plan: &Plan) {
        let mut group = row(plot, LABELS).attr("text-anchor", "middle");
        // In a small file labels move down.
        let moves = if plan.in_file() { "xl" } else { "" };
        for (column, label) in self.labels.iter().enumerate() {
            let whole = &plan.chart.columns[column].label;
            let classes = self.visible[column];
            if classes.none() {
                continue;
            }
            if column != self.newest {
                let text = Plan::text(&mut group, Anchor::Start, plan.x(column), 0.0, 0.0);
                write_cut(plan.label(text, classes, moves, None), label, whole);
                continue;
            }
            // A wide newest label leans on the right edge where its column is narrow.
            let (mut centred, mut leaning) = (Classes::default(), Classes::default());
            for (at, room) in plan.rooms().iter().enumerate() {
                if classes.0 >> at & 1 == 0 {
                    continue;
                }
                let place = label_place(plan, *room, column, self.newest, label);
                if place.0 == Anchor::End { leaning.add(at) } else { centred.add(at) }
            }
            if !centred.none() {
                let text = Plan::text(&mut group, Anchor::Start, plan.x(column), 0.0, 0.0);
                let text = text.strong();
                write_cut(plan.label(text, centred, moves, None), label, whole);
            }
            if !leaning.none() {
                let text = Plan::text(&mut group, Anchor::End, 100.0, 8.0, 0.0);
                let text = text.strong();
                write_cut(plan.label(text, leaning, moves, None), label, whole);
            }
        }
    }

    /// Under all labels the month, and the year where it changes; under thinned labels both in one.
    fn draw_dates(&self, plot: &mut Element, plan: &Plan) {
        let (mut full, mut compact) = (Classes::default(), Classes::default());
        for (room, step) in self.steps.iter().enumerate() {
            if *step == 1 { full.add(room) } else { compact.add(room) }
        }
        let row = row(plot, LABELS + 18.0);
        let mut group = plan.painter.tone(row, "date", Tone::Muted).attr("text-anchor", "middle");
        let dated = || self.dates.iter().enumerate().filter_map(|(at, date)| date.map(|date| (at, date)));
        if !full.none() {
            let mut all = plan.label(group.child("g"), full, "", None);
            let mut year = None;
            for (column, date) in dated() {
                let x = plan.x(column);
                Plan::text(&mut all, Anchor::Start, x, 0.0, 0.0).text(date.short_month());
                if year != Some(date.year()) {
                    let text = Plan::text(&mut all, Anchor::Start, x, 0.0, 16.0);
                    let mut text = if plan.in_file() { text.class("yr") } else { text };
                    text.text(&date.year().to_string());
                    year = Some(date.year());
                }
            }
        }
        // One group for each set of width classes: most dates share theirs.
        let thin = |column: usize| Classes(self.visible[column].0 & compact.0);
        for set in (1..7).map(Classes) {
            if !dated().any(|(column, _)| thin(column) == set) {
                continue;
            }
            let mut some = plan.label(group.child("g"), set, "", None);
            for (column, date) in dated().filter(|(column, _)| thin(*column) == set) {
                let x = plan.x(column);
                Plan::text(&mut some, Anchor::Start, x, 0.0, 0.0).text(&date.year_month());
            }
        }
        if compact == Classes::ALL {
            for (column, date) in dated().filter(|(column, _)| thin(*column) == Classes::ALL) {
                let x = plan.x(column);
                Plan::text(&mut group, Anchor::Start, x, 0.0, 0.0).text(&date.year_month());
            }
        }
    }

    fn draw_counts(&self, plot: &mut Element, plan: &Plan) {
        let rows = self.ribbons.len() as f64;
        let y = self.base + 28.0 + rows * 32.0 + if rows > 0.0 { 2.0 } else { 0.0 };
        let mut group = row(plot, y).class("w").attr("text-anchor", "middle");
        let newest = self.newest;
        let counts = &plan.chart.package_counts;
        for (column, count) in counts.iter().enumerate() {
            let (Some(count), classes) = (count, self.visible[column]) else { continue };
            if classes.none() {
                continue;
            }
            let unchanged = column > 0 && counts[column - 1] == Some(*count);
            let text = Plan::text(&mut group, Anchor::Start, plan.x(column), 0.0, 0.0);
            let text = if column == newest { text.strong() } else { text };
            let tone = (unchanged && column != newest).then_some(Tone::Muted);
            plan.label(text, classes, "", tone).text(&count.to_string());
        }
        let text = Plan::text(&mut group, Anchor::Start, 100.0, 10.0, 0.0);
        // The group centres its texts; this one starts at the edge.
        plan.label(text.attr("text-anchor", "start"), Classes::ALL, "", Some(Tone::Muted)).text("packages");
    }
}

/// The width classes that keep a label so many places before the newest, with a step for each.
fn every(steps: &[usize; 3], from_newest: usize) -> Classes {
    let mut classes = Classes::default();
    for (room, step) in steps.iter().enumerate() {
        if from_newest.is_multiple_of(*step) {
            classes.add(room);
        }
    }
    classes
}

fn label_width(room: Room, bold: bool, label: &str) -> f64 {
    if bold { room.bold(label) } else { room.text(label) }
}

/// How far the newest label may reach beyond the plot, where the names of the lines may stand as low.
const BEYOND: f64 = 24.0;

/// Where the label of a column stands: under it, or, when it is the newest and too wide, at the right edge.
fn label_place(plan: &Plan, room: Room, column: usize, newest: usize, label: &str) -> (Anchor, f64, f64) {
    let edge = plan.x(column) / 100.0 * room.width + label_width(room, column == newest, label) / 2.0;
    if column == newest && edge > room.width + room.right.min(BEYOND * room.zoom) {
        (Anchor::End, 100.0, 8.0)
    } else {
        (Anchor::Middle, plan.x(column), 0.0)
    }
}

/// Days by the width classes that show them.
fn by_classes<'a>(
    days: impl Iterator<Item = &'a (f64, String, Classes)> + Clone,
) -> impl Iterator<Item = (Classes, Vec<&'a (f64, String, Classes)>)> {
    (1..=7).map(Classes).filter_map(move |classes| {
        let found: Vec<_> = days.clone().filter(|day| day.2 == classes).collect();
        (!found.is_empty()).then_some((classes, found))
    })
}

/// The labelled days of a scale of time, and what stands beyond its end.
fn draw_days(plot: &mut Element, plan: &Plan, scale: &[(f64, String, Classes)]) {
    let row = row(plot, LABELS + 18.0);
    let mut group = plan.painter.tone(row, "date", Tone::Muted).attr("text-anchor", "middle");
    for (classes, days) in by_classes(scale.iter()) {
        let mut some = plan.label(group.child("g"), classes, "", None);
        for (x, label, _) in days {
            Plan::text(&mut some, Anchor::Start, *x, 0.0, 0.0).text(label);
        }
    }
    let Some(dated) = plan.dated.filter(|dated| dated.dated < plan.columns()) else { return };
    let middle = f64::midpoint(dated.end(), 1.0) * 100.0;
    // The last labelled day may stand at the end of the scale.
    let mut classes = Classes::default();
    for (class, room) in plan.rooms().iter().enumerate() {
        let last = scale.iter().rfind(|day| day.2.0 >> class & 1 == 1);
        let left = (middle / 100.0) * room.width - room.text(NO_DATE) / 2.0;
        let right = last.map_or(f64::MIN, |day| day.0 / 100.0 * room.width + room.text(&day.1) / 2.0);
        if right + 8.0 < left {
            classes.add(class);
        }
    }
    if !classes.none() {
        let text = Plan::text(&mut group, Anchor::Start, middle, 0.0, 0.0);
        plan.label(text, classes, "", None).text(NO_DATE);
    }
}

/// Names the stretch of targets without a date.
const NO_DATE: &str = "no date";

/// Starts a row of texts with their baseline at `y`.
fn row<'out>(plot: &'out mut Element, y: f64) -> Element<'out> {
    let mut shift = String::from("translate(0 ");
    push_number(&mut shift, y, 1);
    shift.push(')');
    plot.child("g").attr("transform", &shift)
}

/// Whether only the newest target has its version.
fn changed(ribbon: &Ribbon) -> bool {
    ribbon.spans.iter().any(|span| span.newest)
}

fn draw_ribbon(plot: &mut Element, plan: &Plan, ribbon: &Ribbon, y: f64, narrow: bool) {
    let mut group = plot.child("g").class(if narrow { "rb" } else { "rb w" });
    let mut alternate = 0;
    for span in &ribbon.spans {
        let Some(_) = &span.text else { continue };
        let kind = if span.newest { 2 } else { alternate };
        alternate = 1 - alternate;
        let (from, to) = (plan.edge(span.from), plan.edge(span.to.min(plan.columns())));
        let bar = plan.painter.tone(group.child("rect"), "", Tone::Band(kind));
        bar.percent("x", from).percent("width", to - from).px("y", y + 7.0).px("height", 4.0);
    }
    // The drawing by order names the versions; by date the strip shows when they changed.
    let texts = if plan.dated.is_some() && !plan.in_file() { Vec::new() } else { ribbon_texts(plan, ribbon) };
    for (span, text, anchor, x, classes) in texts {
        let element = Plan::text(&mut group, anchor, x, 0.0, y);
        let element = if span.newest { element.strong() } else { element };
        let whole = span.text.as_deref().unwrap_or_default();
        write_cut(plan.label(element, classes, "", None), &text, whole);
    }
    let cut = width::cut(&ribbon.name, 150.0);
    let name = Plan::text(&mut group, Anchor::Start, 100.0, 10.0, y + 11.0);
    write_cut(plan.label(name, Classes::ALL, "w", Some(Tone::Muted)), &cut, &ribbon.name);
    // A file hides its strips when small.
    if narrow && !plan.in_file() {
        let cut = width::cut(&ribbon.name, 240.0);
        let name = Plan::text(&mut group, Anchor::Start, 0.0, 0.0, y + 25.0);
        let name = plan.label(name, Classes::ALL, "n", Some(Tone::Muted));
        write_cut(name, &cut, &ribbon.name);
    }
}

/// Versions over a strip: centred on their span; the first and the last may lean inwards from the edge. The
/// newest is placed first, then the longest spans; what would overlap is left out.
fn ribbon_texts<'a>(plan: &Plan, ribbon: &'a Ribbon) -> Vec<(&'a Span, String, Anchor, f64, Classes)> {
    let mut order: Vec<usize> = (0..ribbon.spans.len()).collect();
    order.sort_by_key(|at| {
        let span = &ribbon.spans[*at];
        (!span.newest, usize::MAX - span.to.saturating_sub(span.from), *at)
    });
    let mut texts: Vec<(&Span, String, Anchor, f64, Classes)> = Vec::new();
    for (class, room) in plan.rooms().iter().enumerate() {
        let px = |percent: f64| percent * room.width / 100.0;
        let mut taken: Vec<(f64, f64)> = Vec::new();
        for at in &order {
            let span = &ribbon.spans[*at];
            let Some(whole) = span.text.as_deref() else { continue };
            let text = width::cut(whole, 160.0).into_owned();
            let wide = if span.newest { room.bold(&text) } else { room.text(&text) };
            let (from, to) = (plan.edge(span.from), plan.edge(span.to.min(plan.columns())));
            let place = if px(to - from) >= wide + 4.0 {
                (Anchor::Middle, f64::midpoint(from, to))
            } else if *at + 1 == ribbon.spans.len() {
                (Anchor::End, to)
            } else if *at == 0 {
                (Anchor::Start, from)
            } else {
                continue;
            };
            let area = place.0.span(px(place.1), wide);
            let free = taken.iter().all(|other| area.1 + 8.0 < other.0 || other.1 + 8.0 < area.0);
            if !free || area.0 < -room.left {
                continue;
            }
            taken.push(area);
            let same = texts.iter_mut().find(|other| {
                std::ptr::eq(other.0, span) && other.2 == place.0 && (other.3 - place.1).abs() < 1e-9
            });
            if let Some(other) = same {
                other.4.add(class);
            } else {
                let mut classes = Classes::default();
                classes.add(class);
                texts.push((span, text, place.0, place.1, classes));
            }
        }
    }
    texts
}
