//! Very many targets: what the drawing keeps, and how light it is.

use perfolio::draw::{plotly, points, svg};
use perfolio::figure::chart::{Body, Chart, Form, Scale, StepLabel};
use perfolio::figure::thin;
use proptest::prelude::*;
use serde_json::Value;

use super::{attribute, charts, clouds, documents, elements, style, ticks, unpacked};

/// The path of each line with the position of the line.
fn paths(svg: &str) -> Vec<(usize, String)> {
    elements(svg, "path")
        .into_iter()
        .filter_map(|path| {
            let line = attribute(path, "data-line")?.parse().unwrap();
            Some((line, attribute(path, "d").unwrap().to_owned()))
        })
        .collect()
}

#[test]
fn two_hundred_targets_draw_every_mark() {
    let chart = charts::many(200);
    let svg = svg::page(&chart, "a");
    // The second drawing is that by date; both share the end labels.
    assert_eq!(svg.matches("<use ").count(), 2 * 4 * 200 + 4, "one mark per value and one per end label");
}

#[test]
fn five_thousand_targets_stay_light() {
    let chart = charts::many(5000);
    for svg in [svg::page(&chart, "a"), svg::file(&chart, &style())] {
        assert!(svg.len() < 100_000, "{} bytes", svg.len());
        assert!(svg.matches('<').count() < 400, "{} tags", svg.matches('<').count());
    }
    // The worst that can be: every second value is missing.
    let chart =
        charts::holes(&(0..5000).map(|at| (at % 2 == 0).then_some(f64::from(at % 97))).collect::<Vec<_>>());
    let svg = svg::file(&chart, &style());
    assert!(svg.len() < 40_000, "{} bytes", svg.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn thinning_loses_no_extreme_no_gap_and_no_end(
        values in prop::collection::vec(prop::option::weighted(0.9, 1.0..900.0_f64), 1001..2500),
        step in 1..1000_usize,
    ) {
        let mut chart = charts::holes(&values);
        chart.step = Some(StepLabel { column: step, line: 0, text: "−1 %".to_owned() });
        let marks = chart.lines[0].marks.clone();
        let neighbours = thin::neighbours(marks.len());
        prop_assert!(neighbours > 1);
        for (svg, wide) in [(svg::page(&chart, "a"), 1000.0), (svg::file(&chart, &style()), 736.0)] {
            let (line, d) = paths(&svg).remove(0);
            prop_assert_eq!(line, 0);
            let ticks = ticks(&svg);
            let (low, high) = (ticks[0], ticks[ticks.len() - 1]);
            let log = chart.axis.scale == Scale::Log;
            let scaled = |value: f64| if log { value.ln() } else { value };
            let count = marks.len() as f64;
            // Each drawn point is the value of its column at the right height.
            let mut drawn = Vec::new();
            for (x, y) in super::points(&d) {
                let column = (x / wide * count - 0.5).round() as usize;
                prop_assert!((x - (column as f64 + 0.5) / count * wide).abs() <= 0.1);
                let value = marks[column].value.unwrap();
                let part = (scaled(value) - scaled(low.0)) / (scaled(high.0) - scaled(low.0));
                let wanted = low.1 + (high.1 - low.1) * part;
                // The labels that heights are read from are rounded too.
                prop_assert!((y - wanted).abs() <= 0.2, "{} at {}, not {}", value, y, wanted);
                drawn.push(column);
            }
            let present: Vec<usize> = (0..marks.len()).filter(|&at| marks[at].value.is_some()).collect();
            prop_assert_eq!(drawn.first(), present.first());
            prop_assert_eq!(drawn.last(), present.last());
            for at in [step - 1, step] {
                prop_assert!(marks[at].value.is_none() || drawn.contains(&at), "beside the labelled step");
            }
            let value = |at: &usize| marks[*at].value;
            for from in (0..marks.len()).step_by(neighbours) {
                let own = from..(from + neighbours).min(marks.len());
                let all = || own.clone().filter_map(|at| value(&at));
                let kept = || drawn.iter().filter(|at| own.contains(at)).filter_map(value);
                prop_assert_eq!(all().reduce(f64::min), kept().reduce(f64::min));
                prop_assert_eq!(all().reduce(f64::max), kept().reduce(f64::max));
            }
            // A line leads from one drawn point to the next exactly where nothing between them is missing.
            let joined: Vec<bool> = d.split_inclusive(['M', 'L']).map(|part| part.ends_with('L')).collect();
            for (pair, joined) in drawn.windows(2).zip(&joined[1..]) {
                let whole = marks[pair[0]..=pair[1]].iter().all(|mark| mark.value.is_some());
                prop_assert_eq!(*joined, whole, "{:?}", pair);
            }
            // Every absent target lies under a stroke on the axis, and their number is told.
            let absent: Vec<usize> =
                (0..marks.len()).filter(|&at| matches!(marks[at].form, Form::Absent(_))).collect();
            let strokes: Vec<(f64, f64)> = elements(&svg, "path")
                .into_iter()
                .filter(|path| path.contains(" 264H"))
                .flat_map(|path| attribute(path, "d").unwrap().split('M').skip(1))
                .map(|part| {
                    let (from, to) = part.split_once(" 264H").unwrap();
                    (from.parse().unwrap(), to.parse().unwrap())
                })
                .collect();
            for at in &absent {
                let middle = (*at as f64 + 0.5) / count * wide;
                prop_assert!(strokes.iter().any(|stroke| stroke.0 <= middle && middle <= stroke.1));
            }
            if absent.len() > 1 {
                let told = format!("{} values missing: not run", absent.len());
                prop_assert!(svg.contains(&told), "{}", told);
            }
        }
    }
}

/// Large figures of the other kinds, by name.
fn others() -> Vec<(&'static str, Chart)> {
    let samples = |targets: usize, count: usize| {
        documents::distribution(targets, |at| documents::around(4000.0 + (at % 97) as f64 * 90.0, count))
    };
    let chart = |document| perfolio::figure::chart(&document).unwrap();
    vec![
        ("10,000 samples", chart(samples(14, 10_000))),
        ("5,000 targets with 30 samples", chart(samples(5000, 30))),
        ("5,000 targets with a sample", chart(samples(5000, 1))),
        ("5,000 changes", chart(documents::delta(&documents::wavy(5000)))),
        ("5,000 trade-offs", clouds::many(5000)),
    ]
}

#[test]
fn every_kind_stays_light() {
    for ((name, chart), scripts) in others().into_iter().zip([2_400, 3_300, 120, 340, 190]) {
        for svg in [svg::page(&chart, "a"), svg::file(&chart, &style())] {
            assert!(svg.len() < 100_000, "{name}: {} bytes", svg.len());
            assert!(svg.matches('<').count() < 400, "{name}: {} tags", svg.matches('<').count());
        }
        let script = plotly::script(&chart, "a");
        assert!(script.len() < scripts * 1000, "{name}: {} bytes to explore", script.len());
        let values = points::Points::new(&chart).json;
        assert!(values.len() < 400_000, "{name}: {} bytes of values", values.len());
        // What is packed is what the drawing and Plotly say, to the last bit.
        let inside = script.strip_prefix("perfolioExplore(\"a\",").unwrap().strip_suffix(");\n").unwrap();
        let figure: Value = serde_json::from_str(&plotly::figure(&chart)).unwrap();
        assert_eq!(unpacked(serde_json::from_str(inside).unwrap()), figure, "{name}");
        if name.ends_with(" samples") {
            // A dot for each of a hundred thousand would stop the browser for half a minute.
            assert_eq!(figure["data"][0]["boxpoints"], "outliers", "{name}");
            let title = figure["layout"]["annotations"][0]["text"].as_str().unwrap();
            assert!(title.contains(", boxes with the samples beyond their whiskers, l"), "{title}");
        }
        let values = unpacked(serde_json::from_str(&values).unwrap());
        assert_eq!(values["rows"].as_array().unwrap().len(), chart.columns.len(), "{name}");
        for (at, row) in chart.table.rows.iter().enumerate() {
            assert_eq!(values["rows"][at], row.target, "{name}");
            for (column, cell) in row.cells.iter().enumerate() {
                assert_eq!(values["cells"][column][at], cell.text, "{name}");
            }
        }
    }
}

#[test]
fn samples_of_thousands_of_targets_keep_ranges_and_quartiles() {
    let (_, chart) = others().swap_remove(1);
    let fine = &chart.caption.fine;
    assert!(fine.contains("30 samples per release; beyond 1\u{202f}000 releases there is no room"), "{fine}");
    assert!(!fine.contains("whiskers"), "{fine}");
    let Body::Spreads(spreads) = &chart.body else { panic!("samples") };
    let svg = svg::file(&chart, &style());
    let ticks = ticks(&svg);
    let (low, high) = (ticks[0], ticks[ticks.len() - 1]);
    let y = |value: f64| low.1 + (high.1 - low.1) * (value - low.0) / (high.0 - low.0);
    let strokes = |pale: bool| -> Vec<[f64; 2]> {
        let mut paths = elements(&svg, "path").into_iter().filter(|path| {
            attribute(path, "stroke-opacity").is_some() == pale
                && attribute(path, "d").is_some_and(|d| d.matches('V').count() == 500)
        });
        let strokes = attribute(paths.next().unwrap(), "d").unwrap().split('M').skip(1).map(|stroke| {
            let (from, to) = stroke.split_once(' ').unwrap().1.split_once('V').unwrap();
            [from.parse().unwrap(), to.parse().unwrap()]
        });
        strokes.collect()
    };
    let (ranges, quartiles) = (strokes(true), strokes(false));
    for (at, group) in spreads.chunks(10).enumerate() {
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::MAX, f64::MIN), |ends, value| (ends.0.min(value), ends.1.max(value)))
        };
        let all = ends(&mut group.iter().flatten().flat_map(|spread| spread.samples.iter().copied()));
        let middle = ends(&mut group.iter().flatten().flat_map(|spread| spread.quartiles.unwrap()));
        for (drawn, wanted) in [(ranges[at], all), (quartiles[at], middle)] {
            assert!((drawn[0] - y(wanted.0)).abs() < 0.2 && (drawn[1] - y(wanted.1)).abs() < 0.2, "{at}");
        }
    }
}
