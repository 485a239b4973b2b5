//! Trade-offs as SVG and HTML.

use perfolio::draw::{html, svg};
use perfolio::figure::chart::{Axis, Body, Chart, Cloud, Form, Scale};

use super::{attribute, clouds, elements, points, style};

fn cloud(chart: &Chart) -> &Cloud {
    match &chart.body {
        Body::Cloud(cloud) => cloud,
        _ => panic!("{} is no cloud", chart.title),
    }
}

/// The text and the attributes of every text of a group, without its title.
fn texts<'a>(svg: &'a str, class: &str) -> Vec<(&'a str, &'a str)> {
    let group = svg.split(&format!("<g class=\"{class}")).nth(1).unwrap();
    let group = &group[..group.find("</g>").unwrap()];
    group
        .split("<text")
        .skip(1)
        .map(|text| {
            let head = &text[..text.find('>').unwrap()];
            (text[head.len() + 1..].split('<').next().unwrap(), head)
        })
        .collect()
}

fn number(label: &str) -> f64 {
    label.replace(['\u{202f}', '\u{a0}'], "").replace('\u{2212}', "-").parse().unwrap()
}

/// Place of a value by the labels of its axis alone.
fn by_ticks(ticks: &[(f64, f64)], axis: &Axis, value: f64) -> f64 {
    let scaled = |value: f64| if axis.scale == Scale::Log { value.ln() } else { value };
    let (low, high) = (ticks[0], ticks[ticks.len() - 1]);
    low.1 + (high.1 - low.1) * (scaled(value) - scaled(low.0)) / (scaled(high.0) - scaled(low.0))
}

#[test]
fn both_values_can_be_read_back_from_the_drawing() {
    let style = style();
    let mut read = 0;
    for (name, chart) in clouds::gallery() {
        let cloud = cloud(&chart);
        for (svg, width) in [(svg::page(&chart, "a"), 1000.0), (svg::file(&chart, &style), 736.0)] {
            let upright: Vec<(f64, f64)> = texts(&svg, "tk")
                .into_iter()
                .map(|(label, head)| {
                    let y: f64 = attribute(head, "y").unwrap().parse().unwrap();
                    // Wide labels stand in the plot, above their line.
                    let inside = attribute(head, "x") == Some("0");
                    (number(label), y - 40.0 - if inside { -5.0 } else { 4.5 })
                })
                .collect();
            let across: Vec<(f64, f64)> = texts(&svg, "xk")
                .into_iter()
                .map(|(label, head)| {
                    let x = attribute(head, "x").unwrap().trim_end_matches('%');
                    (number(label), x.parse::<f64>().unwrap() * width / 100.0)
                })
                .collect();
            let path = elements(&svg, "path").into_iter().find(|path| path.contains("data-line"));
            let expected: Vec<(f64, f64, &Form)> = chart.lines[0]
                .marks
                .iter()
                .zip(&cloud.places)
                .filter_map(|(mark, across)| Some(((*across)?, mark.value?, &mark.form)))
                .collect();
            let Some(path) = path else {
                assert!(expected.is_empty(), "{name}");
                continue;
            };
            let found = points(attribute(path, "d").unwrap());
            assert_eq!(found.len(), expected.len(), "{name}");
            for ((x, y), (bytes, time, form)) in found.into_iter().zip(expected) {
                let log_zero = |axis: &Axis, value: f64| axis.scale == Scale::Log && value <= 0.0;
                if log_zero(&cloud.across, bytes) {
                    assert!(x == 0.0 && *form == Form::ZeroOnLog, "{name}: {bytes} at {x}");
                } else if across.len() > 1 {
                    let wanted = by_ticks(&across, &cloud.across, bytes);
                    assert!((x - wanted).abs() <= 0.1, "{name}: {bytes} across at {x}, not {wanted}");
                    read += 1;
                }
                if log_zero(&chart.axis, time) {
                    assert!((y - 264.0).abs() < 0.05 && *form == Form::ZeroOnLog, "{name}: {time} at {y}");
                } else if upright.len() > 1 {
                    let wanted = by_ticks(&upright, &chart.axis, time);
                    assert!((y - wanted).abs() <= 0.1, "{name}: {time} at {y}, not {wanted}");
                    read += 1;
                }
            }
        }
    }
    assert!(read > 900, "only {read} values");
}

/// The marks of a drawing: shape, place across in per cent, height.
fn marks(svg: &str) -> Vec<(&str, f64, f64)> {
    let chosen = |element: &&str| element.contains("x=\"") && element.contains('%');
    elements(svg, "use")
        .into_iter()
        .filter(chosen)
        .map(|mark| {
            let x = attribute(mark, "x").unwrap().trim_end_matches('%').parse().unwrap();
            (attribute(mark, "href").unwrap(), x, attribute(mark, "y").unwrap().parse().unwrap())
        })
        .collect()
}

#[test]
fn every_target_with_both_values_has_a_mark_and_the_ends_have_shapes_of_their_own() {
    for (name, chart) in clouds::gallery() {
        let cloud = cloud(&chart);
        let svg = svg::page(&chart, "a");
        let marks = marks(&svg);
        let mut drawn: Vec<(f64, f64)> = cloud
            .places
            .iter()
            .zip(&chart.lines[0].marks)
            .filter_map(|(across, mark)| {
                let y = (1.0 - chart.axis.position(mark.value?)) * 264.0;
                Some((cloud.across.position((*across)?) * 100.0, y))
            })
            .collect();
        assert_eq!(marks.len(), drawn.len(), "{name}");
        for (_, x, y) in &marks {
            let near =
                drawn.iter().position(|mark| (mark.0 - x).abs() <= 0.006 && (mark.1 - y).abs() <= 0.06);
            drawn.swap_remove(near.unwrap_or_else(|| panic!("{name}: no value at {x} %, {y}")));
        }
        let shaped = |id: &str| marks.iter().filter(|mark| mark.0 == format!("#{id}")).count();
        let ends = usize::from(chart.lines[0].marks.iter().filter(|mark| mark.value.is_some()).count() > 1);
        assert_eq!((shaped("ae1"), shaped("ae2")), (ends, ends), "{name}");
        assert_eq!(svg.contains(">newest<") || svg.contains(">newest drawn<"), ends > 0);
    }
}

/// Boxes of the texts beside marks, as wide as the widest common font sets them.
#[test]
fn names_never_touch() {
    use perfolio::text::width::width;
    let widths = [(0, 736.0, 1376.0), (1, 400.0, 736.0), (2, 248.0, 400.0)];
    let visible = [["", "a", "d", "e"], ["", "b", "d", "f"], ["", "c", "e", "f"]];
    for (name, chart) in clouds::gallery() {
        let svg = svg::page(&chart, "a");
        let texts: Vec<(&str, &str)> = svg
            .split("<text")
            .skip(1)
            .map(|text| (&text[..text.find('>').unwrap()], text))
            .filter(|(head, _)| attribute(head, "class").is_some_and(|all| all.contains("s1")))
            .collect();
        for (class, least, most) in widths {
            for plot in [least, f64::midpoint(least, most), most] {
                let boxes: Vec<(f64, f64, f64, f64)> = texts
                    .iter()
                    .filter(|(head, _)| {
                        let own = attribute(head, "class").unwrap();
                        let own = own.split(' ').find(|one| one.len() == 1).unwrap_or("");
                        visible[class].contains(&own)
                    })
                    .map(|(head, text)| {
                        let get = |name: &str| attribute(head, name).map(str::to_owned);
                        let shown = text.rsplit_once("</text>").map_or("", |text| text.0);
                        let shown = shown.rsplit(['>']).next().unwrap();
                        let bold = if get("font-weight").is_some() { 1.1 } else { 1.0 };
                        let wide =
                            width(&shown.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\""))
                                * bold;
                        let number = |name: &str| {
                            get(name).map_or(0.0, |text| text.trim_end_matches('%').parse().unwrap())
                        };
                        let x = number("x") * plot / 100.0 + number("dx");
                        let left = match get("text-anchor").as_deref() {
                            Some("end") => x - wide,
                            Some("middle") => x - wide / 2.0,
                            _ => x,
                        };
                        (left, left + wide, number("y") - 10.0, number("y") + 3.0)
                    })
                    .collect();
                for (at, a) in boxes.iter().enumerate() {
                    assert!(a.0 > -30.0 && a.1 < plot + 16.0, "{name}: a name leaves the plot of {plot} px");
                    for b in &boxes[at + 1..] {
                        let meet = a.0 < b.1 && b.0 < a.1 && a.2 < b.3 && b.2 < a.3;
                        assert!(!meet, "{name}: two names touch at {plot} px: {a:?} {b:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn no_path_bridges_a_gap() {
    let (_, chart) = clouds::gallery().into_iter().find(|(name, _)| name == "tradeoff-gaps").unwrap();
    let svg = svg::page(&chart, "a");
    let path = elements(&svg, "path").into_iter().find(|path| path.contains("data-line")).unwrap();
    let d = attribute(path, "d").unwrap();
    assert_eq!((d.matches('M').count(), d.matches('L').count()), (2, 2));
    assert_eq!(attribute(path, "data-cloud"), Some("1,2,4,5"), "the script knows whose points they are");
}

#[test]
fn programs_side_by_side_have_no_path() {
    let rows: Vec<clouds::Row> = ["a", "b", "c"]
        .iter()
        .zip([3.0, 2.0, 4.0])
        .map(|(label, value)| ((*label).to_owned(), Some(value), Some(value)))
        .collect();
    let mut document = clouds::document(&rows);
    for row in document["plot"]["data"].as_array_mut().unwrap() {
        row["target_kind"] = serde_json::json!("implementation");
    }
    let chart = clouds::chart(document);
    let svg = svg::page(&chart, "a");
    let path = elements(&svg, "path").into_iter().find(|path| path.contains("data-line")).unwrap();
    assert!(!attribute(path, "d").unwrap().contains('L'));
    assert!(!svg.contains("newest") && !svg.contains("to the later one"));
    assert!(!chart.caption.fine.contains("path"));
}

#[test]
fn nothing_in_a_cloud_can_act_and_the_same_chart_gives_the_same_bytes() {
    let style = style();
    let options =
        html::ExportOptions { document_name: "plot.json", footer: "", ..html::ExportOptions::default() };
    for ((name, chart), (_, again)) in clouds::gallery().into_iter().zip(clouds::gallery()) {
        let (page, file) = (svg::page(&chart, "a"), svg::file(&chart, &style));
        assert_eq!((&page, &file), (&svg::page(&again, "a"), &svg::file(&again, &style)), "{name}");
        for svg in [&page, &file] {
            for tag in svg.split('<').skip(1).map(|part| &part[..part.find('>').unwrap_or(part.len())]) {
                assert!(!tag.starts_with("script") && !tag.contains(" style="), "{name}: <{tag}");
                let bare: String = tag.split('"').step_by(2).collect();
                assert!(!bare.contains(" on"), "{name}: <{tag}");
            }
            assert!(!svg.contains('\u{202e}'), "{name}");
        }
        let export = html::export(&chart, "{}", &style, options);
        assert_eq!(export.matches("<script").count(), 2, "{name}");
    }
}

#[test]
fn a_cloud_stays_light() {
    let style = style();
    let options =
        html::ExportOptions { document_name: "plot.json", footer: "", ..html::ExportOptions::default() };
    let chart = clouds::plain();
    let (file, export) = (svg::file(&chart, &style), html::export(&chart, "{}", &style, options));
    assert!(file.len() < 16_000 && export.len() < 40_000, "{} + {}", file.len(), export.len());
    let many = svg::file(&clouds::many(5000), &style);
    assert!(many.len() < 100_000 && many.matches('<').count() < 200, "{} bytes", many.len());
}

/// Reviewed pictures: light, dark and all sizes are in the one file.
#[test]
fn pictures() {
    let style = style();
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/draw");
    std::fs::create_dir_all(folder).unwrap();
    for (name, chart) in clouds::gallery() {
        let file = svg::file(&chart, &style);
        let options =
            html::ExportOptions { document_name: "plot.json", footer: "", ..html::ExportOptions::default() };
        std::fs::write(format!("{folder}/{name}.html"), html::export(&chart, "{}", &style, options)).unwrap();
        std::fs::write(format!("{folder}/{name}.svg"), &file).unwrap();
        insta::assert_binary_snapshot!(&format!("{name}.svg"), file.into_bytes());
    }
}
