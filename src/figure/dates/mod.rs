//! A chart over time: the same columns where their dates lie. The chart itself stays as it is; this is a second
//! view of it, and the plot document knows nothing of either.

use super::chart::{Body, Boundary, Chart, Label, Line, Mark, Ribbon, Span};
use crate::text::date::Date;

/// Free space at both ends of the time scale, as a part of the width.
const MARGIN: f64 = 0.015;
/// Least distance of two targets of one day, as a part of the width.
const SAME_DAY: f64 = 0.009;
/// Most of the width that such distances may take together.
const ALL_SAME_DAY: f64 = 0.3;
/// Least distance of two targets that are drawn with a breadth of their own, as a part of the width.
const BROAD: f64 = 0.02;
/// Most of the width that such distances may take together.
const ALL_BROAD: f64 = 0.6;
/// Most of the width that targets without a date may take.
const UNDATED: f64 = 0.3;
/// Most labelled days of a time scale.
const TICKS: usize = 9;

/// A chart with its columns on a scale of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Dated {
    /// The chart with its columns by date, those without a date last. It holds what is drawn, no words around it.
    pub chart: Chart,
    /// Centre of each column as a part of the width, rising.
    pub places: Vec<f64>,
    /// How much of the width each column may take without meeting another: at most what it has in the drawing by
    /// order, and for bars, whose breadth must not seem to say something, the same for all.
    pub rooms: Vec<f64>,
    /// Which column of the whole chart each column is.
    pub order: Vec<usize>,
    /// How many columns have a date; the others stand at the end, beyond the scale.
    pub dated: usize,
    /// What has to be said about this view besides the caption of the chart; empty when nothing.
    pub note: String,
    time: Time,
}

/// A labelled day.
#[derive(Debug, Clone, PartialEq)]
pub struct DayTick {
    /// Where, as a part of the width.
    pub place: f64,
    /// `2024`, `2024-03` or `2024-03-09`.
    pub label: String,
}

/// The days of the columns of a chart.
struct Days<'a> {
    body: &'a Body,
    /// Columns by day, those without a date last; of one day in the order of the chart.
    order: Vec<usize>,
    /// The days of the first columns of `order`, rising; the others have no date.
    known: Vec<i32>,
}

/// From the first to the last day.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Time {
    first: i32,
    last: i32,
    /// Where the scale ends, as a part of the width.
    end: f64,
}

impl Time {
    /// Where a day lies, as a part of the width.
    fn place(self, day: i32) -> f64 {
        let part = f64::from(day - self.first) / f64::from(self.last - self.first);
        MARGIN + part * (self.end - 2.0 * MARGIN)
    }
}

impl<'a> Days<'a> {
    /// The days of `chart`; none unless two different dates are known, and for marks between two axes of values.
    fn of(chart: &'a Chart) -> Option<Self> {
        if matches!(chart.body, Body::Cloud(_)) {
            return None;
        }
        let day = |date: &str| Date::parse(date).map(Date::day_number);
        let days: Vec<Option<i32>> =
            chart.columns.iter().map(|column| column.date.as_deref().and_then(day)).collect();
        let mut order: Vec<usize> = (0..days.len()).collect();
        order.sort_by_key(|&column| days[column].map_or((1, 0), |day| (0, day)));
        let known: Vec<i32> = order.iter().filter_map(|&column| days[column]).collect();
        (known.first()? < known.last()?).then_some(Self { body: &chart.body, order, known })
    }

    fn time(&self) -> Time {
        let undated = self.order.len() - self.known.len();
        Time {
            first: self.known.first().copied().unwrap_or_default(),
            last: self.known.last().copied().unwrap_or_default(),
            end: 1.0 - (undated as f64 / self.order.len() as f64).min(UNDATED),
        }
    }

    /// Where the columns with a date lie. Points of one day stand side by side; boxes and bars have a breadth and
    /// keep a distance from every neighbour.
    fn places(&self, time: Time) -> Vec<f64> {
        let ends = (MARGIN, time.end - MARGIN);
        let same = |at: usize| self.known[at - 1] == self.known[at];
        if *self.body == Body::Lines {
            let count = (1..self.known.len()).filter(|&at| same(at)).count();
            let gap = SAME_DAY.min(ALL_SAME_DAY * ends.1 / count.max(1) as f64);
            apart(&self.known, |day| time.place(day), ends, |at| if same(at) { gap } else { 0.0 })
        } else {
            let gap = BROAD.min(ALL_BROAD * ends.1 / self.known.len() as f64);
            apart(&self.known, |day| time.place(day), ends, |_| gap)
        }
    }

    fn note(&self) -> String {
        let lines = *self.body == Body::Lines;
        let mut said = Vec::new();
        if self.known.len() < self.order.len() {
            let unconnected = if lines { ", unconnected" } else { "" };
            said.push(format!("targets without a date stand beyond the end of the scale{unconnected}"));
        }
        if matches!(self.body, Body::Spreads(_)) {
            said.push("the samples of a target stand above each other".to_owned());
        }
        let time = self.time();
        let moved = || {
            let wished = self.known.iter().map(|&day| time.place(day));
            // Less than a pixel is not seen.
            self.places(time).into_iter().zip(wished).any(|(place, wish)| (place - wish).abs() > 0.001)
        };
        if self.known.windows(2).any(|pair| pair[0] == pair[1]) {
            said.push("targets of one day stand side by side".to_owned());
        } else if !lines && moved() {
            said.push("targets of near days are moved apart".to_owned());
        }
        if !self.order[..self.known.len()].is_sorted() {
            said.push(match self.body {
                Body::Bars(_) => "each change stands at the date of the target it leads to".to_owned(),
                Body::Spreads(_) | Body::Cloud(_) | Body::Flame(_) => {
                    "targets follow their dates, not their order".to_owned()
                }
                Body::Lines | Body::Panels(_) | Body::Heat(_) => {
                    "lines follow the dates, not the order of the targets".to_owned()
                }
            });
        }
        if said.is_empty() { String::new() } else { format!("By date, {}.", said.join("; ")) }
    }

    /// How much of the width each column may take: the distance to its nearer neighbour, and no more than its way to
    /// both edges.
    fn rooms(&self, places: &[f64]) -> Vec<f64> {
        let most = 1.0 / places.len().max(1) as f64;
        let mut rooms: Vec<f64> = (0..places.len())
            .map(|at| {
                let before = at.checked_sub(1).map_or(2.0 * places[at], |before| places[at] - places[before]);
                let after = places.get(at + 1).map_or(2.0 * (1.0 - places[at]), |after| after - places[at]);
                most.min(before).min(after)
            })
            .collect();
        if matches!(self.body, Body::Bars(_)) {
            let least = rooms.iter().copied().fold(most, f64::min);
            rooms.fill(least);
        }
        rooms
    }
}

/// What has to be said about the view by date besides the caption of the chart, empty when nothing; none when
/// there is no such view.
pub fn note(chart: &Chart) -> Option<String> {
    Days::of(chart).map(|days| days.note())
}

/// The view of `chart` by date; none unless two different dates are known, and for charts without an axis of
/// targets.
pub fn by_date(chart: &Chart) -> Option<Dated> {
    let days = Days::of(chart)?;
    let time = days.time();
    let dated = days.known.len();
    let undated = days.order.len() - dated;
    let mut places = days.places(time);
    let step = (1.0 - time.end) / undated.max(1) as f64;
    places.extend((0..undated).map(|at| time.end + (at as f64 + 0.5) * step));
    Some(Dated {
        chart: across(chart, &days.order, dated),
        rooms: days.rooms(&places),
        places,
        dated,
        note: days.note(),
        time,
        order: days.order,
    })
}

/// Days to places, each at least as far from the one before as `gap` says; what is too near moves its neighbours
/// rather than its order.
fn apart(
    days: &[i32],
    place: impl Fn(i32) -> f64,
    (low, high): (f64, f64),
    gap: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let mut shift = 0.0;
    let mut shifts = Vec::with_capacity(days.len());
    // Places minus the distances before them must not fall; where they would, a block takes their mean.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (at, &day) in days.iter().enumerate() {
        if at > 0 {
            shift += gap(at);
        }
        shifts.push(shift);
        let mut block = (place(day) - shift, 1_usize);
        while let Some(before) = blocks.last().copied().filter(|before| before.0 > block.0) {
            blocks.pop();
            let count = before.1 + block.1;
            block = ((before.0 * before.1 as f64 + block.0 * block.1 as f64) / count as f64, count);
        }
        blocks.push(block);
    }
    let most = high - shift;
    blocks
        .into_iter()
        .flat_map(|(start, count)| std::iter::repeat_n(start.clamp(low, most), count))
        .zip(shifts)
        .map(|(start, shift)| start + shift)
        .collect()
}

/// What is drawn of `chart`, with its columns in another order.
fn across(chart: &Chart, order: &[usize], dated: usize) -> Chart {
    let line = |line: &Line| Line {
        marks: order.iter().filter_map(|&column| line.marks.get(column)).map(silent).collect(),
        ..bare(line)
    };
    let neighbours = |column: usize| {
        let at = order.iter().position(|&other| other == column)?;
        let before = at.checked_sub(1).and_then(|before| order.get(before)).copied();
        (at < dated && before.is_some() && before == column.checked_sub(1)).then_some(at)
    };
    Chart {
        id: chart.id.clone(),
        kind: chart.kind.clone(),
        heading: String::new(),
        title: String::new(),
        description: String::new(),
        axis: chart.axis.clone(),
        columns: order.iter().map(|&column| chart.columns[column].clone()).collect(),
        boundaries: rules(chart, order, dated),
        reference: chart.reference.clone(),
        lines: chart.lines.iter().map(line).collect(),
        body: match &chart.body {
            Body::Spreads(spreads) => {
                let spread = |&column: &usize| spreads.get(column).cloned().flatten();
                Body::Spreads(order.iter().map(spread).collect())
            }
            body => body.clone(),
        },
        step: chart.step.clone().and_then(|mut step| {
            step.column = neighbours(step.column)?;
            Some(step)
        }),
        ribbons: chart.ribbons.iter().map(|strip| ribbon(strip, order)).collect(),
        package_counts: order.iter().filter_map(|&at| chart.package_counts.get(at).copied()).collect(),
        caption: super::chart::Caption::default(),
        rest: String::new(),
        table: super::chart::Table::default(),
        data: super::chart::DataTable::default(),
        provenance: Vec::new(),
    }
}

/// A line without its marks.
fn bare(line: &Line) -> Line {
    Line {
        key: line.key.clone(),
        name: line.name.clone(),
        slot: line.slot,
        unit: line.unit.clone(),
        shown: line.shown,
        last: line.last.clone(),
        last_note: line.last_note.clone(),
        marks: Vec::new(),
    }
}

/// A mark without its sentence.
fn silent(mark: &Mark) -> Mark {
    Mark { value: mark.value, form: mark.form.clone(), reading: String::new() }
}

/// The rules that still stand between the same neighbours. Where the dates have another order than the
/// targets, bands of targets mean nothing. What has no date is set apart.
fn rules(chart: &Chart, order: &[usize], dated: usize) -> Vec<Boundary> {
    let known = &order[..dated];
    let mut rules = Vec::new();
    if known.is_sorted() {
        let at = |before: usize| known.partition_point(|&column| column < before);
        for rule in &chart.boundaries {
            let before = at(rule.before);
            if before == dated || before == 0 && rule.before > 0 {
                continue;
            }
            let label = rule.label.as_ref().map(|label| Label { until: at(label.until), ..label.clone() });
            rules.push(Boundary { before, label, strong: rule.strong });
        }
    }
    if dated < order.len() {
        rules.push(Boundary { before: dated, label: None, strong: false });
    }
    rules
}

/// A strip cut anew for columns in another order.
fn ribbon(strip: &Ribbon, order: &[usize]) -> Ribbon {
    let of = |column: usize| strip.spans.iter().find(|span| (span.from..span.to).contains(&column));
    let mut spans: Vec<Span> = Vec::new();
    for (at, &column) in order.iter().enumerate() {
        let (text, newest) = of(column).map_or((None, false), |span| (span.text.clone(), span.newest));
        match spans.last_mut() {
            Some(span) if span.text == text => {
                span.to = at + 1;
                span.newest &= newest;
            }
            _ => spans.push(Span { from: at, to: at + 1, text, newest }),
        }
    }
    Ribbon { name: strip.name.clone(), spans }
}

/// A distance between labelled days.
#[derive(Clone, Copy)]
enum Step {
    Days(i32),
    Months(i32),
    Years(i32),
}

const STEPS: [Step; 20] = [
    Step::Days(1),
    Step::Days(2),
    Step::Days(7),
    Step::Days(14),
    Step::Months(1),
    Step::Months(2),
    Step::Months(3),
    Step::Months(6),
    Step::Years(1),
    Step::Years(2),
    Step::Years(5),
    Step::Years(10),
    Step::Years(20),
    Step::Years(50),
    Step::Years(100),
    Step::Years(200),
    Step::Years(500),
    Step::Years(1000),
    Step::Years(2000),
    Step::Years(5000),
];

impl Dated {
    /// Where the stretch for targets without a date begins; 1 when there is none.
    pub fn end(&self) -> f64 {
        self.time.end
    }

    /// Where each column of the whole chart lies, as a part of the width.
    pub fn by_column(&self) -> Vec<f64> {
        let mut places = vec![0.0; self.order.len()];
        for (&column, &place) in self.order.iter().zip(&self.places) {
            places[column] = place;
        }
        places
    }

    /// The finest days whose labels do not touch: `needs` is the part of the width that a label takes.
    pub fn ticks(&self, needs: impl Fn(&str) -> f64) -> Vec<DayTick> {
        let mut found = Vec::new();
        for step in STEPS {
            if f64::from(self.time.last - self.time.first) / step.length() > TICKS as f64 {
                continue;
            }
            found = self.days(step);
            let fits = found.windows(2).all(|pair: &[DayTick]| {
                let wide = f64::midpoint(needs(&pair[0].label), needs(&pair[1].label));
                pair[1].place - pair[0].place >= wide
            });
            if fits {
                break;
            }
        }
        found
    }

    fn days(&self, step: Step) -> Vec<DayTick> {
        let mut ticks = Vec::new();
        let Time { first, last, .. } = self.time;
        let mut add = |day: Date, label: String| {
            let number = day.day_number();
            if (first..=last).contains(&number) {
                ticks.push(DayTick { place: self.time.place(number), label });
            }
        };
        let months = |day: i32| {
            Date::of_day_number(day).map_or(0, |day| i32::from(day.year()) * 12 + i32::from(day.month()) - 1)
        };
        match step {
            Step::Days(every) => {
                // Weeks begin on Monday, which is day 2.
                let from = first + (2 - first).rem_euclid(every);
                for number in (from..=last).step_by(every.unsigned_abs() as usize) {
                    if let Some(day) = Date::of_day_number(number) {
                        add(day, day.to_string());
                    }
                }
            }
            Step::Months(every) | Step::Years(every) => {
                let yearly = matches!(step, Step::Years(_));
                let every = if yearly { every * 12 } else { every };
                let from = months(first).div_euclid(every) * every;
                for month in (from..=months(last)).step_by(every.unsigned_abs() as usize) {
                    let year = u16::try_from(month.div_euclid(12)).unwrap_or_default();
                    let of_year = u8::try_from(month.rem_euclid(12) + 1).unwrap_or(1);
                    if let Some(day) = Date::of(year, of_year, 1) {
                        add(day, if yearly { day.year().to_string() } else { day.year_month() });
                    }
                }
            }
        }
        ticks
    }
}

impl Step {
    /// About how many days.
    fn length(self) -> f64 {
        match self {
            Self::Days(days) => f64::from(days),
            Self::Months(months) => f64::from(months) * 30.4,
            Self::Years(years) => f64::from(years) * 365.2,
        }
    }
}

#[cfg(test)]
mod tests;
