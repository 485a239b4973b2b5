//! Figures for plotly.js.

use perfolio::draw::plotly;
use perfolio::figure::chart::{Axis, Body, Chart, Cloud, Directions, End, Form, Mark, Scale, Spread};
use serde_json::{Value, json};

use super::charts;

fn figure(chart: &Chart) -> Value {
    serde_json::from_str(&plotly::figure(chart)).unwrap()
}

/// The traces that have a place in the legend.
fn lines(figure: &Value) -> Vec<&Value> {
    figure["data"].as_array().unwrap().iter().filter(|trace| trace["showlegend"] != false).collect()
}

fn traces<'a>(figure: &'a Value, name: &str) -> Vec<&'a Value> {
    figure["data"].as_array().unwrap().iter().filter(|trace| trace["name"] == name).collect()
}

#[test]
fn every_mark_is_there_with_its_exact_number_and_its_sentence() {
    let mut seen = 0;
    for (name, chart) in charts::gallery() {
        let figure = figure(&chart);
        let lines = lines(&figure);
        assert_eq!(lines.len(), chart.lines.len(), "{name}");
        for (at, (trace, line)) in lines.iter().zip(&chart.lines).enumerate() {
            assert_eq!(trace["type"], "scatter", "{name}");
            assert_eq!(trace["legendgroup"], (at + 1).to_string(), "{name}");
            assert_eq!(
                trace["visible"],
                if line.shown { json!(true) } else { json!("legendonly") },
                "{name}"
            );
            assert_eq!(trace["connectgaps"], false, "{name}");
            for (place, mark) in line.marks.iter().enumerate() {
                assert_eq!(trace["y"][place].as_f64(), mark.value, "{name}, {place}");
                if let Some(value) = mark.value {
                    let text = serde_json::to_string(&trace["y"][place]).unwrap();
                    assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{name}");
                }
                let hollow = trace["marker"]["color"][place] == "var(--paper)";
                assert_eq!(
                    hollow,
                    matches!(mark.form, Form::Convention | Form::ZeroOnLog),
                    "{name}, {place}"
                );
                seen += 1;
            }
        }
        let absent: usize =
            traces(&figure, plotly::ABSENT).iter().map(|trace| trace["y"].as_array().unwrap().len()).sum();
        let gaps =
            chart.lines.iter().flat_map(|line| &line.marks).filter(|mark| mark.value.is_none()).count();
        assert_eq!(absent, gaps, "{name}: every gap has a mark with its reason");
        let axis = &figure["layout"]["yaxis"];
        let (kind, low, high) = match chart.axis.scale {
            Scale::Linear => ("linear", chart.axis.low, chart.axis.high),
            Scale::Log => ("log", chart.axis.low.log10(), chart.axis.high.log10()),
        };
        assert_eq!((&axis["type"], &axis["range"]), (&json!(kind), &json!([low, high])), "{name}");
    }
    assert!(seen > 1_000, "{seen}");
}

#[test]
fn series_differ_as_in_the_drawing() {
    let chart = charts::normalized();
    let figure = figure(&chart);
    let looks: Vec<_> = lines(&figure)
        .iter()
        .map(|trace| {
            let part = |one: &str, two: &str| trace[one][two].as_str().unwrap().to_owned();
            (part("line", "color"), part("line", "dash"), part("marker", "symbol"))
        })
        .collect();
    let look =
        |colour: &str, dash: &str, symbol: &str| (colour.to_owned(), dash.to_owned(), symbol.to_owned());
    assert_eq!(
        looks,
        [
            look("var(--s1)", "solid", "circle"),
            look("var(--s2)", "dash", "square"),
            look("var(--s3)", "dot", "triangle-up"),
            look("var(--s4)", "dashdot", "diamond"),
        ]
    );
    assert_eq!(figure["data"][0]["hovertext"][0], chart.lines[0].marks[0].reading);
    let reference = figure["layout"]["shapes"].as_array().unwrap().last().unwrap();
    assert_eq!((&reference["y0"], &reference["yref"]), (&json!(1.0), &json!("y")));
    assert_eq!(figure["layout"]["annotations"][1]["text"], chart.reference.unwrap().label);
}

#[test]
fn zeros_have_a_place_on_a_logarithmic_axis() {
    let mut chart = charts::holes(&[Some(0.0), Some(3.0), None, Some(400.0)]);
    chart.axis.scale = Scale::Log;
    chart.axis.low = 1.0;
    chart.lines[0].marks[0] = Mark { value: Some(0.0), form: Form::ZeroOnLog, reading: "nothing".to_owned() };
    let figure = figure(&chart);
    let zeros = traces(&figure, plotly::ZEROS);
    assert_eq!(zeros.len(), 1);
    assert_eq!((&zeros[0]["yaxis"], &zeros[0]["y"]), (&json!("y2"), &json!([0.0])));
    assert_eq!((&zeros[0]["hovertext"], &zeros[0]["visible"]), (&json!(["nothing"]), &json!(true)));
    assert_eq!(lines(&figure)[0]["y"][0], 0.0, "the number itself stays");
    assert_eq!(lines(&figure)[0]["y"][2], Value::Null);
}

/// What Plotly makes of a text without tags.
fn read(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&#37;", "%").replace("&amp;", "&")
}

#[test]
fn names_are_never_markup() {
    let hostile = [
        "<b>bold</b>",
        "<a href=\"javascript:alert(1)\">x</a>",
        "</script><script>alert(1)</script>",
        "<!-- x",
        "&lt;b&gt; & &amp;amp;",
        "%{meta[0]} 5 %",
        "a\u{202e}b\u{2028}c",
        "",
    ];
    for name in hostile {
        let mut chart = charts::holes(&[Some(1.0), None, Some(2.0)]);
        let second = chart.columns[0].clone();
        chart.columns[0].label = name.to_owned();
        chart.columns[2].label = name.to_owned();
        chart.columns[1] = second;
        name.clone_into(&mut chart.lines[0].name);
        name.clone_into(&mut chart.lines[0].unit);
        name.clone_into(&mut chart.axis.title);
        name.clone_into(&mut chart.id);
        for mark in &mut chart.lines[0].marks {
            name.clone_into(&mut mark.reading);
        }
        for body in [
            Body::Lines,
            Body::Bars(Directions::default()),
            Body::Spreads(vec![
                Some(Spread {
                    samples: vec![1.0, 2.0],
                    quartiles: Some([1.0, 1.5, 2.0]),
                    whiskers: Some([1.0, 2.0]),
                    ..Spread::default()
                }),
                None,
                Some(Spread { samples: vec![2.0], ..Spread::default() }),
            ]),
        ] {
            chart.body = body;
            let script = plotly::script(&chart, name);
            assert!(!script.contains(['<', '>', '\u{2028}', '\u{202e}']), "{script}");
            let inside = script.strip_prefix("perfolioExplore(").unwrap().strip_suffix(");\n").unwrap();
            let arguments: Value = serde_json::from_str(&format!("[{inside}]")).unwrap();
            assert_eq!(arguments[0], name);
            let figure = &arguments[1];
            let shown = name.replace('\u{202e}', "\\u{202e}");
            assert_eq!(read(figure["data"][0]["name"].as_str().unwrap()), shown);
            assert_eq!(read(figure["layout"]["annotations"][0]["text"].as_str().unwrap()), shown);
            let label = |at: usize| figure["data"][0]["x"][at].as_str().map(read);
            assert_eq!(label(0), Some(shown.clone()));
            // Two columns of one name stay two columns.
            assert!(label(2).is_none_or(|label| label == format!("{shown}\u{200b}")));
            for text in texts(figure) {
                let allowed = text.replace("<extra></extra>", "");
                assert!(
                    !allowed.contains(['<', '>']) && (text.contains("<extra>") || !allowed.contains("%{")),
                    "{text}"
                );
            }
        }
    }
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// Draws the only line at these heights.
fn values(chart: &mut Chart, values: [Option<f64>; 3]) {
    for (mark, value) in chart.lines[0].marks.iter_mut().zip(values) {
        mark.value = value;
    }
}

#[test]
fn boxes_have_the_quartiles_of_the_chart_and_every_sample() {
    let mut chart = charts::holes(&[Some(2.5), None, Some(7.0)]);
    values(&mut chart, [Some(2.5), None, Some(7.0)]);
    chart.body = Body::Spreads(vec![
        Some(Spread {
            samples: vec![4.0, 1.0, 3.0, 2.0],
            quartiles: Some([1.75, 2.5, 3.25]),
            whiskers: Some([1.0, 4.0]),
            ..Spread::default()
        }),
        None,
        Some(Spread { samples: vec![7.0], ..Spread::default() }),
    ]);
    let figure = figure(&chart);
    let boxes = &figure["data"][0];
    assert_eq!((&boxes["type"], &boxes["y"]), (&json!("box"), &json!([[4.0, 1.0, 3.0, 2.0]])));
    for (field, value) in
        [("q1", 1.75), ("median", 2.5), ("q3", 3.25), ("lowerfence", 1.0), ("upperfence", 4.0)]
    {
        assert_eq!(boxes[field], json!([value]), "{field}");
    }
    let medians = traces(&figure, plotly::MEDIANS);
    assert_eq!((&medians[0]["y"], &medians[0]["marker"]["opacity"]), (&json!([2.5]), &json!(0.0)));
    let single = &figure["data"][2];
    assert_eq!((&single["y"], &single["marker"]["symbol"]), (&json!([7.0]), &json!("circle")));
}

#[test]
fn bars_keep_gaps() {
    let mut chart = charts::holes(&[Some(1.0), None, Some(2.0)]);
    values(&mut chart, [Some(-12.5), None, Some(40.0)]);
    chart.body = Body::Bars(Directions::default());
    let figure = figure(&chart);
    assert_eq!(
        (&figure["data"][0]["type"], &figure["data"][0]["y"]),
        (&json!("bar"), &json!([-12.5, null, 40.0]))
    );
    assert_eq!(traces(&figure, plotly::ABSENT).len(), 1);
    assert!(traces(&figure, plotly::ZEROS).is_empty());
}

#[test]
fn plotly_is_one_script_with_its_licence() {
    let library = plotly::library();
    let head: String = library.chars().take(200).collect();
    assert!(
        head.starts_with("/**") && head.contains("plotly.js v3") && head.contains("MIT license"),
        "{head}"
    );
    assert!(library.len() > 4_000_000 && library.trim_end().ends_with("}));"), "{}", library.len());
    // It may stand in a script element as it is.
    for word in ["</script", "<script", "<!--", "tex-svg"] {
        assert!(!library.contains(word), "{word}");
    }
    assert_eq!(library, plotly::library());
}

#[test]
fn two_axes_of_values_keep_both_numbers() {
    let mut chart = charts::holes(&[Some(1.0), None, Some(2.0)]);
    values(&mut chart, [Some(12.5), None, Some(40.0)]);
    let end = |column, word: &str| Some(End { column, word: word.to_owned(), note: String::new() });
    chart.body = Body::Cloud(Box::new(Cloud {
        across: Axis {
            title: "bytes <B>".to_owned(),
            low: 1.0,
            high: 1000.0,
            scale: Scale::Log,
            ticks: Vec::new(),
        },
        key: "bytes".to_owned(),
        name: "allocated bytes".to_owned(),
        unit: "B".to_owned(),
        places: vec![Some(10.0), None, Some(300.5)],
        joined: true,
        first: end(0, "first"),
        newest: end(2, "newest"),
    }));
    let figure = figure(&chart);
    let marks = &figure["data"][0];
    assert_eq!((&marks["x"], &marks["y"]), (&json!([10.0, null, 300.5]), &json!([12.5, null, 40.0])));
    assert_eq!(marks["text"][2], format!("{} newest", chart.columns[2].label));
    let across = &figure["layout"]["xaxis"];
    assert_eq!((&across["type"], &across["range"]), (&json!("log"), &json!([0.0, 3.0])));
    assert_eq!(across["title"]["text"], "bytes &lt;B&gt;");
    assert_eq!(figure["data"].as_array().unwrap().len(), 1);
}
