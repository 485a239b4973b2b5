//! A chart with the numbers that every part of the drawing needs.

use super::layout::{Anchor, Area, Classes, FILE, HEIGHT, PAGE, PLOT, Room};
use super::look::{Look, Painter, Tone};
use super::writer::Element;
use super::{bars, spreads};
use crate::figure::chart::{Body, Chart, Cloud, Form, Mark, Spread};
use crate::figure::dates::Dated;

/// What is drawn, and how.
pub(super) struct Plan<'a> {
    /// The figure.
    pub(super) chart: &'a Chart,
    /// Gives parts their colours.
    pub(super) painter: Painter<'a>,
    /// Start of every id.
    pub(super) prefix: &'a str,
    /// Positions of the lines that are in the drawing: all of them in a page, where they can be switched
    /// on, and in a file those that are shown.
    pub(super) drawn: Vec<usize>,
    /// Where the columns lie in time; none where they are equally far apart.
    pub(super) dated: Option<&'a Dated>,
}

impl<'a> Plan<'a> {
    /// The same drawing on a scale of time.
    pub(super) fn by_date(&self, dated: &'a Dated) -> Self {
        Self { chart: &dated.chart, dated: Some(dated), drawn: self.drawn.clone(), ..*self }
    }

    /// Where marks stand across, in figures with two axes of values.
    pub(super) fn cloud(&self) -> Option<&'a Cloud> {
        match &self.chart.body {
            Body::Cloud(cloud) => Some(&**cloud),
            _ => None,
        }
    }

    /// Whether a file is drawn, not a part of a page.
    pub(super) fn in_file(&self) -> bool {
        self.painter.palette.is_some()
    }

    /// Starts a nested drawing that may reach beyond its box. In a page the style sheet lets it.
    pub(super) fn nested<'out>(&self, parent: &'out mut Element) -> Element<'out> {
        let svg = parent.child("svg");
        if self.in_file() { svg.attr("overflow", "visible") } else { svg }
    }

    /// Starts a nested drawing as large as the plot whose coordinates across are those of [`Self::along`]. In
    /// a page it is stretched with the plot, and its strokes must not scale.
    pub(super) fn stretched<'out>(&self, parent: &'out mut Element) -> Element<'out> {
        let svg = self.nested(parent);
        let svg = if self.in_file() { svg } else { svg.attr("viewBox", "0 0 1000 264") };
        let svg = svg.attr("width", "100%").px("height", HEIGHT);
        if self.in_file() { svg } else { svg.attr("preserveAspectRatio", "none") }
    }

    /// A place in per cent of the plot's width in the units of [`Self::stretched`]. A file has a plot of fixed
    /// width: there nothing is stretched, which not every program that reads SVG does without bending strokes.
    pub(super) fn along(&self, percent: f64) -> f64 {
        percent * if self.in_file() { PLOT / 100.0 } else { 10.0 }
    }

    /// The width classes.
    pub(super) fn rooms(&self) -> [Room; 3] {
        if self.in_file() { FILE } else { PAGE }
    }

    /// Number of columns.
    pub(super) fn columns(&self) -> usize {
        self.chart.columns.len()
    }

    /// Centre of a column in per cent of the width.
    pub(super) fn x(&self, column: usize) -> f64 {
        match self.dated {
            Some(dated) => dated.places[column] * 100.0,
            None => (column as f64 + 0.5) * 100.0 / self.columns() as f64,
        }
    }

    /// Left edge of a column in per cent of the width: in time the middle between it and the one before.
    pub(super) fn edge(&self, column: usize) -> f64 {
        let Some(dated) = self.dated else { return column as f64 * 100.0 / self.columns() as f64 };
        match column {
            0 => 0.0,
            column if column == dated.dated => dated.end() * 100.0,
            column if column >= self.columns() => 100.0,
            column => f64::midpoint(self.x(column - 1), self.x(column)),
        }
    }

    /// Whether a line may lead from the column before to this one: from a day to no day there is no way.
    pub(super) fn follows(&self, column: usize) -> bool {
        self.dated.is_none_or(|dated| column < dated.dated)
    }

    /// Height of a value in px below the top of the plot. Bars beyond the axis end at its edge.
    pub(super) fn y(&self, value: f64) -> f64 {
        let position = self.chart.axis.position(value);
        let position =
            if matches!(self.chart.body, Body::Bars(_)) { position.clamp(0.0, 1.0) } else { position };
        (1.0 - position) * HEIGHT
    }

    /// How much of the width a column has for itself.
    pub(super) fn room(&self, column: usize) -> f64 {
        match self.dated {
            Some(dated) => dated.rooms[column],
            None => 1.0 / self.columns() as f64,
        }
    }

    /// Edges of the middle part of a column in the units of [`Self::stretched`]; `free` is the part of the
    /// column that is left at its sides.
    pub(super) fn inner(&self, column: usize, free: f64) -> (f64, f64) {
        if self.dated.is_some() {
            let half = self.room(column) * (1.0 - free) * 50.0;
            return (self.along(self.x(column) - half), self.along(self.x(column) + half));
        }
        let place = |at: f64| self.along(at * 100.0 / self.columns() as f64);
        (place(column as f64 + free / 2.0), place((column + 1) as f64 - free / 2.0))
    }

    /// Height of a mark, when it has one.
    pub(super) fn mark_y(&self, mark: &Mark) -> Option<f64> {
        mark.value.filter(|value| value.is_finite()).map(|value| self.y(value))
    }

    /// Whether a line joins this mark to the next: a zero on a log axis has no place that a line could lead to.
    pub(super) fn joins(mark: &Mark) -> bool {
        mark.value.is_some_and(f64::is_finite) && mark.form != Form::ZeroOnLog
    }

    /// The look of a line.
    pub(super) fn look(&self, line: usize) -> Look {
        Look::of(self.chart.lines[line].slot)
    }

    /// The class by which a line is switched.
    pub(super) fn switch(line: usize) -> String {
        format!("s{}", line + 1)
    }

    /// The column of the last value of a line.
    pub(super) fn last_drawn(&self, line: usize) -> Option<usize> {
        self.chart.lines[line].marks.iter().rposition(|mark| self.mark_y(mark).is_some())
    }

    /// Whether a shown line or mark comes into `area` in the given width class.
    pub(super) fn busy(&self, area: &Area, room: Room) -> bool {
        let count = self.columns();
        let area = &Area { x: (area.x.0 - 4.0, area.x.1 + 4.0), y: (area.y.0 - 4.0, area.y.1 + 4.0) };
        let x = |at: usize| self.x(at) * room.width / 100.0;
        let (first, last) = if let Some(dated) = self.dated {
            let below = |px: f64| dated.places.partition_point(|place| place * room.width < px);
            (below(area.x.0).saturating_sub(1), below(area.x.1).min(count - 1))
        } else {
            let column = room.width / count as f64;
            let first = ((area.x.0 / column - 0.5).floor().max(0.0) as usize).min(count - 1);
            (first, ((area.x.1 / column - 0.5).ceil().max(0.0) as usize).min(count - 1))
        };
        let upright = |from: f64, to: f64, at: usize, half: f64| {
            let body = Area { x: (x(at) - half, x(at) + half), y: (from.min(to), from.max(to)) };
            area.meets(&body)
        };
        match &self.chart.body {
            Body::Lines | Body::Cloud(_) | Body::Panels(_) | Body::Heat(_) | Body::Flame(_) => {}
            Body::Spreads(spreads) => {
                return (first..=last).any(|at| {
                    let Some(spread) = spreads.get(at).and_then(Option::as_ref) else { return false };
                    let column = if self.dated.is_some() { 0.0 } else { room.width * self.room(at) };
                    let dot = |sample: &usize| {
                        let y = self.y(spread.samples[*sample]);
                        let across = x(at) + Spread::across(*sample) * column * spreads::WIDE;
                        area.crossed((across, y), (across, y))
                    };
                    let ends = spread.whiskers.or(spread.quartiles.map(|all| [all[0], all[2]]));
                    let half = column * spreads::WIDE / 2.0;
                    spread.dots.iter().any(dot)
                        || ends.is_some_and(|ends| upright(self.y(ends[1]), self.y(ends[0]), at, half))
                });
            }
            Body::Bars(_) => {
                let zero = self.y(0.0);
                let half = room.width * bars::half_width(self);
                let marks = self.chart.lines.first().map_or(&[][..], |line| &line.marks);
                return (first..=last).any(|at| {
                    marks
                        .get(at)
                        .and_then(|mark| self.mark_y(mark))
                        .is_some_and(|y| upright(zero, y, at, half))
                });
            }
        }
        self.chart.lines.iter().filter(|line| line.shown).any(|line| {
            let marks = &line.marks[first.min(line.marks.len())..(last + 1).min(line.marks.len())];
            let point = |at: usize| self.mark_y(&marks[at]).map(|y| (x(first + at), y));
            let crossed = marks.windows(2).enumerate().any(|(at, pair)| {
                self.follows(first + at + 1)
                    && Self::joins(&pair[0])
                    && Self::joins(&pair[1])
                    && point(at).zip(point(at + 1)).is_some_and(|(from, to)| area.crossed(from, to))
            });
            crossed || (0..marks.len()).any(|at| point(at).is_some_and(|point| area.crossed(point, point)))
        })
    }

    /// Starts a text at `x` per cent, moved by `dx` px, with its baseline at `y`.
    pub(super) fn text<'out>(
        parent: &'out mut Element,
        anchor: Anchor,
        x: f64,
        dx: f64,
        y: f64,
    ) -> Element<'out> {
        let mut text = parent.child("text").percent("x", x);
        if y != 0.0 {
            text = text.px("y", y);
        }
        if dx != 0.0 {
            text = text.px("dx", dx);
        }
        match anchor.name() {
            Some(name) => text.attr("text-anchor", name),
            None => text,
        }
    }

    /// Starts a text that may be visible in some width classes only. `more` are further classes; without a
    /// tone the text is ink.
    pub(super) fn label<'out>(
        &self,
        text: Element<'out>,
        classes: Classes,
        more: &str,
        tone: Option<Tone>,
    ) -> Element<'out> {
        let names = match (classes.names(), more) {
            ("", more) => more.to_owned(),
            (names, "") => names.to_owned(),
            (names, more) => format!("{names} {more}"),
        };
        let text = match tone {
            Some(tone) => self.painter.tone(text, &names, tone),
            None => text.class(&names),
        };
        let text = if tone == Some(Tone::Halo) && self.in_file() {
            text.attr("stroke-width", "4").attr("stroke-linejoin", "round").attr("paint-order", "stroke")
        } else {
            text
        };
        // Viewers without a style sheet show the widest class; pages always have theirs.
        if classes.widest() || !self.in_file() { text } else { text.attr("display", "none") }
    }
}

/// Writes text and, when it was cut, the whole of it as the title that pointing at it shows.
pub(super) fn write_cut(mut element: Element, shown: &str, whole: &str) {
    if shown != whole {
        element.child("title").text(whole);
    }
    element.text(shown);
}
