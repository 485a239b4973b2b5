use super::super::chart::{Cloud, Column, Directions, Form, Spread, StepLabel};
use super::*;
use crate::evidence::plot::Plot;

fn chart(dates: &[&str]) -> Chart {
    let mark =
        |at: usize| Mark { value: Some(at as f64), form: Form::Measured, reading: format!("point {at}") };
    let plot = Plot { kind: "version_series".to_owned(), ..Plot::default() };
    let column = |(at, date): (usize, &&str)| Column {
        label: format!("1.{at}.0"),
        date: (!date.is_empty()).then(|| (*date).to_owned()),
        kind: "release".to_owned(),
    };
    Chart {
        columns: dates.iter().enumerate().map(column).collect(),
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
        ..Chart::bare(&plot, Body::Lines)
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
    whole.ribbons = vec![Ribbon { name: "dep".to_owned(), spans: vec![span(0, 2, "1"), span(2, 4, "2")] }];
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
fn boxes_and_bars_keep_their_distance() {
    let dates = ["2020-01-01", "2024-05-01", "2024-05-02", "2024-05-02", "", "2024-12-01", "2022-01-01"];
    let mut whole = chart(&dates);
    let spread = |at: usize| (at != 2).then(|| Spread { samples: vec![at as f64], ..Spread::default() });
    whole.body = Body::Spreads((0..dates.len()).map(spread).collect());
    let view = by_date(&whole).unwrap();
    assert_eq!(view.order, [0, 6, 1, 2, 3, 5, 4]);
    let Body::Spreads(spreads) = &view.chart.body else { panic!("other body") };
    let samples: Vec<_> = spreads.iter().map(|one| one.as_ref().map(|one| one.samples[0])).collect();
    assert_eq!(samples, [Some(0.0), Some(6.0), Some(1.0), None, Some(3.0), Some(5.0), Some(4.0)]);
    for (at, pair) in view.places.windows(2).enumerate() {
        assert!(pair[1] - pair[0] >= BROAD - 1e-12, "{:?}", view.places);
        assert!(
            f64::midpoint(view.rooms[at], view.rooms[at + 1]) <= pair[1] - pair[0] + 1e-12,
            "{:?}",
            view.rooms
        );
    }
    assert!(view.rooms[1] > 2.0 * view.rooms[3], "what stands alone is broader");
    assert!(view.note.contains("one day stand side by side") && view.note.contains("follow their dates"));
    whole.body = Body::Bars(Directions::default());
    let view = by_date(&whole).unwrap();
    assert!(view.rooms.windows(2).all(|pair| pair[0].to_bits() == pair[1].to_bits()), "{:?}", view.rooms);
    assert!(view.note.contains("the target it leads to") && !view.note.contains("unconnected"));
    let mut near = chart(&["2020-01-01", "2020-01-02", "2024-01-01"]);
    assert_eq!(note(&near).as_deref(), Some(""), "points have no breadth");
    near.body = Body::Bars(Directions::default());
    assert_eq!(note(&near).as_deref(), Some("By date, targets of near days are moved apart."));
    let many: Vec<String> = (0..3000).map(|at| format!("20{:02}-05-0{}", at % 90, 1 + at % 9)).collect();
    let mut many = chart(&many.iter().map(String::as_str).collect::<Vec<_>>());
    many.body = Body::Bars(Directions::default());
    let places = by_date(&many).unwrap().places;
    assert!(places.iter().all(|place| (0.0..=1.0).contains(place)) && places.is_sorted());
}

#[test]
fn two_axes_of_values_have_no_dates() {
    let mut whole = chart(&["2024-01-01", "2024-05-01"]);
    let across = whole.axis.clone();
    whole.body = Body::Cloud(Box::new(Cloud {
        across,
        key: String::new(),
        name: String::new(),
        unit: String::new(),
        places: vec![None, None],
        joined: false,
        first: None,
        newest: None,
    }));
    assert_eq!((by_date(&whole), note(&whole)), (None, None));
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
        ["2022-07", "2023-01", "2023-07", "2024-01", "2024-07", "2025-01", "2025-07", "2026-01", "2026-07"]
    );
    assert_eq!(labels(&["2022-05-28", "2026-08-28"], 0.2), ["2023", "2024", "2025", "2026"]);
    assert_eq!(
        labels(&["2024-01-30", "2024-02-03"], 0.2),
        ["2024-01-30", "2024-01-31", "2024-02-01", "2024-02-02", "2024-02-03"]
    );
    assert_eq!(labels(&["0000-01-01", "9999-12-31"], 0.1), ["0", "2000", "4000", "6000", "8000"]);
}
