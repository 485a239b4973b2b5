//! Figures as SVG, HTML and CSV.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

pub(crate) mod charts;
mod cloud;
pub(crate) mod clouds;
pub(crate) mod documents;
mod kinds;
mod large;
mod oxygen;
mod plotly;
mod png;

use perfolio::draw::{Style, csv, html, svg};
use perfolio::figure::chart::{Form, Scale};
use perfolio::theme::Theme;
use serde_json::Value;

/// The style of the default theme.
pub(crate) fn style() -> Style {
    Theme::built_in().unwrap().style().clone()
}

/// What an element of a drawing says in an attribute.
fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let start = element.find(&format!(" {name}=\""))? + name.len() + 3;
    Some(&element[start..start + element[start..].find('"')?])
}

/// The start tags of all elements with a name.
fn elements<'a>(svg: &'a str, name: &str) -> Vec<&'a str> {
    svg.split('<')
        .skip(1)
        .filter(|element| element.split([' ', '>', '/']).next() == Some(name))
        .map(|element| &element[..element.find('>').unwrap_or(element.len())])
        .collect()
}

/// The points of a path whose segments are `M`, `L` and the empty `h0`.
fn points(d: &str) -> Vec<(f64, f64)> {
    d.split(['M', 'L'])
        .skip(1)
        .map(|point| {
            let (x, y) = point.trim_end_matches("h0").split_once(' ').unwrap();
            (x.parse().unwrap(), y.parse().unwrap())
        })
        .collect()
}

/// Height in px of each labelled value of the axis.
fn ticks(svg: &str) -> Vec<(f64, f64)> {
    let group = svg.split("class=\"tk").nth(1).unwrap();
    let group = &group[..group.find("</g>").unwrap()];
    group
        .split("<text ")
        .skip(1)
        .map(|text| {
            let label = &text[text.find('>').unwrap() + 1..text.find('<').unwrap()];
            let y: f64 = attribute(&format!(" {text}"), "y").unwrap().parse().unwrap();
            (label.parse().unwrap(), y - 60.0 - 4.5)
        })
        .collect()
}

#[test]
fn every_value_can_be_read_back_from_the_drawing() {
    let style = style();
    let mut read = 0;
    for (name, chart) in charts::gallery() {
        for (svg, wide) in [(svg::page(&chart, "a"), 1000.0), (svg::file(&chart, &style), 736.0)] {
            let ticks = ticks(&svg);
            let (Some(low), Some(high)) = (ticks.first(), ticks.last().filter(|_| ticks.len() > 1)) else {
                continue;
            };
            let log = chart.axis.scale == Scale::Log;
            let by_scale = |value: f64| if log { value.ln() } else { value };
            // Height of a value by the labels of the axis alone.
            let height = |value: f64| {
                let part = (by_scale(value) - by_scale(low.0)) / (by_scale(high.0) - by_scale(low.0));
                low.1 + (high.1 - low.1) * part
            };
            let count = chart.columns.len() as f64;
            for path in elements(&svg, "path").into_iter().filter(|path| path.contains("data-line")) {
                let line: usize = attribute(path, "data-line").unwrap().parse().unwrap();
                let expected: Vec<(usize, f64)> = chart.lines[line]
                    .marks
                    .iter()
                    .enumerate()
                    .filter_map(|(at, mark)| mark.value.map(|value| (at, value)))
                    .collect();
                let points = points(attribute(path, "d").unwrap());
                assert_eq!(points.len(), expected.len(), "{name}, line {line}");
                for ((x, y), (at, value)) in points.into_iter().zip(expected) {
                    assert!(
                        (x - (at as f64 + 0.5) / count * wide).abs() <= 0.1,
                        "{name}: column {at} at {x}"
                    );
                    let wanted = if value > 0.0 || !log { height(value) } else { 264.0 };
                    assert!((y - wanted).abs() <= 0.1, "{name}: {value} at {y}, not {wanted}");
                    read += 1;
                }
            }
        }
    }
    assert!(read > 2000, "only {read} points");
}

#[test]
fn marks_stand_on_their_points() {
    for (name, chart) in charts::gallery() {
        let whole = svg::page(&chart, "a");
        let svg = whole.split("<g class=\"dd\"").next().unwrap();
        for (line, data) in chart.lines.iter().enumerate() {
            let path = elements(svg, "path")
                .into_iter()
                .find(|path| attribute(path, "data-line") == Some(&line.to_string()))
                .unwrap();
            let points = points(attribute(path, "d").unwrap());
            let mut marks: Vec<(f64, f64)> = Vec::new();
            for group in
                svg.split("<g class=\"").filter(|group| group.starts_with(&format!("s{} ", line + 1)))
            {
                let head = &group[..group.find('"').unwrap()];
                if head.ends_with(" w") || head.contains(" ab ") {
                    continue;
                }
                let group = &group[..group.find("</g>").unwrap()];
                for mark in elements(group, "use") {
                    let x = attribute(mark, "x").unwrap().trim_end_matches('%');
                    marks.push((x.parse().unwrap(), attribute(mark, "y").unwrap().parse().unwrap()));
                }
            }
            assert_eq!(marks.len(), points.len(), "{name}, {}", data.name);
            marks.sort_by(|a, b| a.0.total_cmp(&b.0));
            for (mark, point) in marks.iter().zip(&points) {
                assert!((mark.0 * 10.0 - point.0).abs() < 0.11 && (mark.1 - point.1).abs() < 1e-9, "{name}");
            }
        }
    }
}

#[test]
fn no_line_bridges_a_gap() {
    for (name, chart) in charts::gallery() {
        let svg = svg::page(&chart, "a");
        for path in elements(&svg, "path").into_iter().filter(|path| path.contains("data-line")) {
            let line: usize = attribute(path, "data-line").unwrap().parse().unwrap();
            let marks = &chart.lines[line].marks;
            let segments = marks
                .windows(2)
                .filter(|pair| pair.iter().all(|mark| mark.value.is_some() && mark.form != Form::ZeroOnLog));
            let drawn = attribute(path, "d").unwrap().matches('L').count();
            assert_eq!(drawn, segments.count(), "{name}, line {line}");
        }
    }
}

#[test]
fn every_absence_is_marked_and_named() {
    let (_, chart) = charts::gallery().into_iter().find(|(name, _)| name == "normalized-gaps").unwrap();
    let svg = svg::page(&chart, "a");
    // One column misses all three metrics twice more; each of the others has its own mark.
    assert_eq!(svg.matches("<title>2.2.0: not run</title>").count(), 1);
    assert_eq!(svg.matches("<title>allocations, 2.1.0: not run</title>").count(), 1);
    assert_eq!(svg.matches(": not run</title>").count(), 7);
    assert!(svg.contains(">not run (2)<"), "runs are grouped");
}

#[test]
fn nothing_in_a_drawing_can_act() {
    let style = style();
    let options = html::ExportOptions { document_name: "plot.json", ..html::ExportOptions::default() };
    for (name, chart) in charts::gallery() {
        let (page, file) = (svg::page(&chart, "a"), svg::file(&chart, &style));
        for svg in [&page, &file] {
            for tag in svg.split('<').skip(1).map(|part| &part[..part.find('>').unwrap_or(part.len())]) {
                assert!(!tag.starts_with("script") && !tag.contains(" style="), "{name}: <{tag}");
                // Outside quotes there is no attribute that runs something.
                let bare: String = tag.split('"').step_by(2).collect();
                assert!(!bare.contains(" on"), "{name}: <{tag}");
            }
            assert!(!svg.contains('\u{202e}') && !svg.contains('\0'), "{name}");
        }
        assert!(!page.contains("<style"), "{name}");
        assert_eq!(file.matches("<style>").count(), 1, "{name}");
        let export = html::export(&chart, r#"{"a":"</script><script>alert(1)</script>"}"#, &style, options);
        assert_eq!(export.matches("<script").count(), 2, "{name}");
        assert_eq!(export.matches("</script").count(), 2, "{name}");
    }
}

#[test]
fn the_same_chart_gives_the_same_bytes() {
    let style = style();
    for (chart, again) in charts::gallery().into_iter().zip(charts::gallery()) {
        assert_eq!(svg::file(&chart.1, &style), svg::file(&again.1, &style));
        assert_eq!(svg::page(&chart.1, "a"), svg::page(&again.1, "a"));
    }
}

#[test]
fn a_file_says_what_it_shows() {
    let svg = svg::file(&charts::normalized(), &style());
    for text in
        ["Minimum of 30 samples", "divided by its own minimum", "wall time µs", "0 of 56 values unavailable"]
    {
        let shown = svg
            .split("<text")
            .skip(1)
            .any(|part| part.split('<').next().is_some_and(|part| part.contains(text)));
        assert!(shown, "{text}");
    }
    let description = svg.split("<desc").nth(1).unwrap().split("</desc>").next().unwrap();
    assert!(description.contains("unavailable"));
}

#[test]
fn a_small_figure_stays_small() {
    let chart = charts::normalized();
    let style = style();
    let export = html::export(&chart, "{}", &style, html::ExportOptions::default());
    let (file, table) = (svg::file(&chart, &style), csv::csv(&chart.data));
    assert!(export.len() < 48_000, "{} leaves no room for the document", export.len());
    assert!(
        file.len() + export.len() + table.len() < 70_000,
        "{} + {} + {}",
        file.len(),
        export.len(),
        table.len()
    );
}

#[test]
fn many_targets_keep_the_drawing_light() {
    let (few, many) = (svg::page(&charts::many(300), "a"), svg::page(&charts::many(5000), "a"));
    assert!(many.matches('<').count() < few.matches('<').count(), "marks of points are left out");
}

/// Reviewed pictures: light, dark and all sizes are in the one file.
#[test]
fn pictures() {
    let style = style();
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/draw");
    std::fs::create_dir_all(folder).unwrap();
    for (name, chart) in charts::gallery() {
        let file = svg::file(&chart, &style);
        // The export beside it is for looking at.
        let options = html::ExportOptions { document_name: "plot.json", ..html::ExportOptions::default() };
        std::fs::write(format!("{folder}/{name}.html"), html::export(&chart, "{}", &style, options)).unwrap();
        std::fs::write(format!("{folder}/{name}.svg"), &file).unwrap();
        insta::assert_binary_snapshot!(&format!("{name}.svg"), file.into_bytes());
    }
    insta::assert_binary_snapshot!("spark.svg", svg::spark(&charts::spark()).into_bytes());
}

/// The two drawings of a figure in a page: by order and by date.
fn drawings(svg: &str) -> Option<(&str, &str)> {
    let (by_order, rest) = svg.split_once("<g class=\"dd\" ")?;
    Some((by_order, rest))
}

#[test]
fn figures_with_dates_are_drawn_by_date_too() {
    let mut seen = 0;
    for (name, chart) in charts::gallery() {
        let svg = svg::page(&chart, "a");
        let days: std::collections::BTreeSet<_> = chart
            .columns
            .iter()
            .filter_map(|column| column.date.as_deref())
            .filter(|date| date.len() == 10)
            .collect();
        let Some((by_order, by_date)) = drawings(&svg) else {
            assert!(days.len() < 2, "{name} has dates, but no drawing of them");
            continue;
        };
        seen += 1;
        assert!(days.len() > 1, "{name}");
        let dated = perfolio::figure::by_date(&chart).unwrap();
        // The places for the script add up to those of the view.
        let mut place = 0.0;
        for (step, wanted) in
            attribute(&format!(" {by_date}"), "data-x").unwrap().split(' ').zip(dated.by_column())
        {
            place += step.parse::<f64>().unwrap() / 10_000.0;
            assert!((place - wanted).abs() < 1e-4, "{name}: {place} is not {wanted}");
        }
        // Every mark of the first drawing is in the second, at the same height.
        let heights = |svg: &str| {
            let mut all: Vec<String> = elements(svg, "use")
                .iter()
                .filter_map(|mark| Some((attribute(mark, "x")?.ends_with('%'), attribute(mark, "y")?)))
                .filter(|mark| mark.0)
                .map(|mark| mark.1.to_owned())
                .collect();
            all.sort();
            all
        };
        assert_eq!(heights(by_order), heights(by_date), "{name}");
        assert!(svg::file_by_date(&chart, &style()).is_some(), "{name}");
    }
    assert!(seen > 5, "{seen}");
}

#[test]
fn by_date_nothing_leads_to_a_target_without_a_date() {
    let mut chart = charts::normalized();
    chart.columns[4].date = None;
    chart.columns[9].date = Some(chart.columns[8].date.clone().unwrap());
    let svg = svg::page(&chart, "a");
    let (by_order, by_date) = drawings(&svg).unwrap();
    let lines = |svg: &str| -> usize {
        elements(svg, "path")
            .into_iter()
            .filter_map(|path| attribute(path, "d"))
            .map(|d| d.matches('L').count())
            .sum()
    };
    let steps = 4 * 13;
    assert_eq!((lines(by_order), lines(by_date)), (steps, steps - 4));
    assert!(by_date.contains(">no date<"));
    let export = html::export(&chart, "{}", &style(), html::ExportOptions::default());
    assert!(export.contains("targets without a date stand beyond the end of the scale"));
    assert!(export.contains("targets of one day stand side by side"));
    assert_eq!(export.matches("type=radio").count(), 2);
    // A switch needs two dates.
    chart.columns.iter_mut().for_each(|column| column.date = None);
    let export = html::export(&chart, "{}", &style(), html::ExportOptions::default());
    assert!(!export.contains("type=radio") && drawings(&svg::page(&chart, "a")).is_none());
}

/// What `large.js` makes of values whose lists of texts are packed.
pub(crate) fn unpacked(mut values: Value) -> Value {
    let Some(lists) = values.as_object_mut().expect("an object").remove("lists") else { return values };
    let lists: Vec<Vec<&str>> =
        lists.as_array().unwrap().iter().map(|list| list.as_str().unwrap().split(' ').collect()).collect();
    open(values, &lists)
}

fn open(value: Value, lists: &[Vec<&str>]) -> Value {
    match value {
        Value::Array(list) => list.into_iter().map(|value| open(value, lists)).collect(),
        Value::Object(packed) if packed.contains_key("texts") && packed.contains_key("parts") => {
            let parts: Vec<&Vec<&str>> = packed["parts"]
                .as_array()
                .unwrap()
                .iter()
                .map(|at| &lists[at.as_u64().unwrap() as usize])
                .collect();
            let which: Vec<char> =
                packed.get("which").map_or_else(Vec::new, |which| which.as_str().unwrap().chars().collect());
            let length = parts.iter().map(|part| part.len()).max().unwrap_or(0).max(which.len());
            let text = |at: usize| {
                let form = which.get(at).map_or(0, |digit| digit.to_digit(36).unwrap());
                let mut pieces = packed["texts"][form as usize].as_str().unwrap().split('\u{e000}');
                let mut text = pieces.next().unwrap().to_owned();
                for (part, piece) in parts.iter().zip(pieces) {
                    text.push_str(part[if part.len() > 1 { at } else { 0 }]);
                    text.push_str(piece);
                }
                text
            };
            (0..length).map(text).collect()
        }
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, open(value, lists))).collect(),
        other => other,
    }
}
