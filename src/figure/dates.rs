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
    /// Which column of the whole chart each column is.
    pub order: Vec<usize>,
    /// How many columns have a date; the others stand at the end, beyond the scale.
    pub dated: usize,
    /// What has to be said about this view besides the caption of the chart; empty when nothing.
    pub note: String,
    first: i32,
    last: i32,
    /// Where the time scale ends, as a part of the width.
    end: f64,
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
struct Days {
    /// Columns by day, those without a date last; of one day in the order of the chart.
    order: Vec<usize>,
    /// The days of the first columns of `order`, rising; the others have no date.
    known: Vec<i32>,
}

impl Days {
    /// The days of `chart`; none unless two different dates are known.
    fn of(chart: &Chart) -> Option<Self> {
        if chart.body != Body::Lines {
            return None;
        }
        // Boxes and bars need columns of one width, and changes the order that they are changes in.
        if chart.body != Body::Lines {
            return None;
        }
        let day = |date: &str| Date::parse(date).map(Date::day_number);
        let days: Vec<Option<i32>> =
            chart.columns.iter().map(|column| column.date.as_deref().and_then(day)).collect();
        let mut order: Vec<usize> = (0..days.len()).collect();
        order.sort_by_key(|&column| days[column].map_or((1, 0), |day| (0, day)));
        let known: Vec<i32> = order.iter().filter_map(|&column| days[column]).collect();
        (known.first()? < known.last()?).then_some(Self { order, known })
    }

    fn note(&self) -> String {
        let mut said = Vec::new();
        if self.known.len() < self.order.len() {
            said.push("targets without a date stand beyond the end of the scale, unconnected");
        }
        if self.known.windows(2).any(|pair| pair[0] == pair[1]) {
            said.push("targets of one day stand side by side");
        }
        if !self.order[..self.known.len()].is_sorted() {
            said.push("lines follow the dates, not the order of the targets");
        }
        if said.is_empty() { String::new() } else { format!("By date, {}.", said.join("; ")) }
    }
}

/// What has to be said about the view by date besides the caption of the chart, empty when nothing; none when
/// there is no such view.
pub fn note(chart: &Chart) -> Option<String> {
    Days::of(chart).map(|days| days.note())
}

/// The view of `chart` by date; none unless two different dates are known.
pub fn by_date(chart: &Chart) -> Option<Dated> {
    let days = Days::of(chart)?;
    let (first, last) = (*days.known.first()?, *days.known.last()?);
    let dated = days.known.len();
    let undated = days.order.len() - dated;
    let end = 1.0 - (undated as f64 / days.order.len() as f64).min(UNDATED);
    let mut view = Dated {
        chart: across(chart, &days.order, dated),
        places: Vec::new(),
        dated,
        note: days.note(),
        first,
        last,
        end,
        order: days.order,
    };
    view.places = apart(&days.known, |day| view.place(day), (MARGIN, end - MARGIN));
    let step = (1.0 - end) / undated.max(1) as f64;
    view.places.extend((0..undated).map(|at| end + (at as f64 + 0.5) * step));
    Some(view)
}

/// Days to places; those of one day stand side by side, and move their neighbours rather than their order.
fn apart(days: &[i32], place: impl Fn(i32) -> f64, (low, high): (f64, f64)) -> Vec<f64> {
    let same = days.windows(2).filter(|pair| pair[0] == pair[1]).count();
    let gap = SAME_DAY.min(ALL_SAME_DAY * high / same.max(1) as f64);
    let mut shift = 0.0;
    let mut shifts = Vec::with_capacity(days.len());
    // Places minus the distances before them must not fall; where they would, a block takes their mean.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (at, &day) in days.iter().enumerate() {
        if at > 0 && days[at - 1] == day {
            shift += gap;
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
        body: chart.body.clone(),
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
    /// Where a day lies, as a part of the width.
    fn place(&self, day: i32) -> f64 {
        let part = f64::from(day - self.first) / f64::from(self.last - self.first);
        MARGIN + part * (self.end - 2.0 * MARGIN)
    }

    /// Where the stretch for targets without a date begins; 1 when there is none.
    pub fn end(&self) -> f64 {
        self.end
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
            if f64::from(self.last - self.first) / step.length() > TICKS as f64 {
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
        let mut add = |day: Date, label: String| {
            let number = day.day_number();
            if (self.first..=self.last).contains(&number) {
                ticks.push(DayTick { place: self.place(number), label });
            }
        };
        let months = |day: i32| {
            Date::of_day_number(day).map_or(0, |day| i32::from(day.year()) * 12 + i32::from(day.month()) - 1)
        };
        match step {
            Step::Days(every) => {
                // Weeks begin on Monday, which is day 2.
                let from = self.first + (2 - self.first).rem_euclid(every);
                for number in (from..=self.last).step_by(every.unsigned_abs() as usize) {
                    if let Some(day) = Date::of_day_number(number) {
                        add(day, day.to_string());
                    }
                }
            }
            Step::Months(every) | Step::Years(every) => {
                let yearly = matches!(step, Step::Years(_));
                let every = if yearly { every * 12 } else { every };
                let from = months(self.first).div_euclid(every) * every;
                for month in (from..=months(self.last)).step_by(every.unsigned_abs() as usize) {
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
mod tests {
    use super::super::chart::{Axis, Caption, Column, DataTable, Form, Scale, StepLabel, Table};
    use super::*;

    fn chart(dates: &[&str]) -> Chart {
        let mark =
            |at: usize| Mark { value: Some(at as f64), form: Form::Measured, reading: format!("point {at}") };
        Chart {
            id: "f".to_owned(),
            kind: "version_series".to_owned(),
            heading: String::new(),
            title: String::new(),
            description: String::new(),
            axis: Axis { title: String::new(), scale: Scale::Linear, low: 0.0, high: 1.0, ticks: Vec::new() },
            columns: dates
                .iter()
                .enumerate()
                .map(|(at, date)| Column {
                    label: format!("1.{at}.0"),
                    date: (!date.is_empty()).then(|| (*date).to_owned()),
                    kind: "release".to_owned(),
                })
                .collect(),
            boundaries: Vec::new(),
            reference: None,
            lines: vec![Line {
                key: "t".to_owned(),
                name: "time".to_owned(),
                slot: 1,
                unit: "s".to_owned(),
                shown: true,
                last: String::new(),
                last_note: String::new(),
                marks: (0..dates.len()).map(mark).collect(),
            }],
            body: Body::Lines,
            step: None,
            ribbons: Vec::new(),
            package_counts: Vec::new(),
            caption: Caption::default(),
            rest: String::new(),
            table: Table::default(),
            data: DataTable::default(),
            provenance: Vec::new(),
        }
    }

    #[test]
    fn a_view_needs_two_dates() {
        for dates in [&[][..], &["2024-01-01"], &["2024-01-01", "2024-01-01"], &["2024-01-01", "", "soon"]] {
            assert_eq!(by_date(&chart(dates)), None, "{dates:?}");
            assert_eq!(note(&chart(dates)), None, "{dates:?}");
        }
        assert_eq!(note(&chart(&["2024-01-01", "2024-01-02"])).as_deref(), Some(""));
    }

    #[test]
    fn distances_are_those_of_the_days() {
        let view = by_date(&chart(&["2024-01-01", "2024-01-11", "2024-01-31"])).unwrap();
        let distance = |a: usize, b: usize| view.places[b] - view.places[a];
        assert!((distance(1, 2) - 2.0 * distance(0, 1)).abs() < 1e-12, "{:?}", view.places);
        assert_eq!((view.order.as_slice(), view.dated), (&[0, 1, 2][..], 3));
        assert!(view.places[0] > 0.0 && view.places[2] < 1.0);
    }

    #[test]
    fn backports_lie_where_their_date_is() {
        let mut whole = chart(&["2024-01-01", "2024-06-01", "2024-03-01", "2024-09-01"]);
        whole.boundaries = vec![Boundary { before: 2, label: None, strong: true }];
        whole.step = Some(StepLabel { column: 2, line: 0, text: "+9 %".to_owned() });
        let span = |from, to, text: &str| Span { from, to, text: Some(text.to_owned()), newest: false };
        whole.ribbons =
            vec![Ribbon { name: "dep".to_owned(), spans: vec![span(0, 2, "1"), span(2, 4, "2")] }];
        let view = by_date(&whole).unwrap();
        assert_eq!(view.order, [0, 2, 1, 3]);
        let values: Vec<_> = view.chart.lines[0].marks.iter().filter_map(|mark| mark.value).collect();
        assert_eq!(values, [0.0, 2.0, 1.0, 3.0]);
        assert!(view.chart.boundaries.is_empty() && view.chart.step.is_none());
        let spans: Vec<_> = view.chart.ribbons[0].spans.iter().map(|span| (span.from, span.to)).collect();
        assert_eq!(spans, [(0, 1), (1, 2), (2, 3), (3, 4)]);
        assert!(view.note.contains("lines follow the dates"), "{}", view.note);
        assert!((view.by_column()[1] - view.places[2]).abs() < 1e-12);
    }

    #[test]
    fn what_has_no_date_stands_apart() {
        let mut whole = chart(&["2024-01-01", "", "2024-03-01", ""]);
        whole.boundaries = vec![Boundary { before: 2, label: None, strong: false }];
        let view = by_date(&whole).unwrap();
        assert_eq!((view.order.as_slice(), view.dated), (&[0, 2, 1, 3][..], 2));
        assert!(view.places[1] < view.end() && view.end() < view.places[2] && view.places[3] < 1.0);
        let rules: Vec<usize> = view.chart.boundaries.iter().map(|rule| rule.before).collect();
        assert_eq!(rules, [1, 2], "the old rule and the end of the scale");
    }

    #[test]
    fn targets_of_one_day_stay_apart_and_in_order() {
        let view =
            by_date(&chart(&["2024-01-01", "2024-05-01", "2024-05-01", "2024-05-02", "2024-12-01"])).unwrap();
        assert!(view.places.windows(2).all(|pair| pair[0] <= pair[1]), "{:?}", view.places);
        assert!(view.places[2] - view.places[1] >= SAME_DAY - 1e-12);
        let many = vec!["2024-05-01"; 3000];
        let view = by_date(&chart(&[&["2024-01-01"], &many[..], &["2024-12-01"]].concat())).unwrap();
        assert!(view.places.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12));
        assert!(view.places.iter().all(|place| (0.0..=1.0).contains(place)));
    }

    #[test]
    fn labelled_days_are_round_and_fit() {
        let labels = |dates: &[&str], needs: f64| -> Vec<String> {
            let view = by_date(&chart(dates)).unwrap();
            view.ticks(|_| needs).into_iter().map(|tick| tick.label).collect()
        };
        assert_eq!(
            labels(&["2022-05-28", "2026-08-28"], 0.1),
            [
                "2022-07", "2023-01", "2023-07", "2024-01", "2024-07", "2025-01", "2025-07", "2026-01",
                "2026-07"
            ]
        );
        assert_eq!(labels(&["2022-05-28", "2026-08-28"], 0.2), ["2023", "2024", "2025", "2026"]);
        assert_eq!(
            labels(&["2024-01-30", "2024-02-03"], 0.2),
            ["2024-01-30", "2024-01-31", "2024-02-01", "2024-02-02", "2024-02-03"]
        );
        assert_eq!(labels(&["0000-01-01", "9999-12-31"], 0.1), ["0", "2000", "4000", "6000", "8000"]);
    }
}
