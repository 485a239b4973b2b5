//! Distributions and changes: pictures, values read back from them, and what their documents may be.

use std::collections::BTreeMap;

use perfolio::draw::{csv, html, svg};
use perfolio::figure::chart::{Body, Chart, Form, Scale, Spread};
use perfolio::figure::{self, restrict};
use perfolio::read::plot::{doubts, parse_document};
use serde_json::{Value, json};

use super::documents::{self, around, delta, distribution, labels};
use super::{attribute, elements, style};

/// Numbers of a path in order, without its commands.
fn numbers(d: &str) -> Vec<f64> {
    d.split(|symbol: char| symbol.is_ascii_alphabetic() || symbol == ' ')
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().unwrap())
        .collect()
}

/// The paths of the plot with all their segments, as (element, `d`).
fn paths(svg: &str) -> Vec<(&str, &str)> {
    elements(svg, "path").into_iter().filter_map(|path| Some((path, attribute(path, "d")?))).collect()
}

/// Height of a value, from the ends of the axis alone.
fn height(chart: &Chart, value: f64) -> f64 {
    let (low, high) = (chart.axis.low, chart.axis.high);
    let part = match chart.axis.scale {
        Scale::Log if value <= 0.0 => 0.0,
        Scale::Log => (value / low).ln() / (high / low).ln(),
        Scale::Linear => (value - low) / (high - low),
    };
    264.0 * (1.0 - part)
}

fn near(found: f64, wanted: f64, what: &str) {
    assert!((found - wanted).abs() <= 0.1, "{what}: {found} is not {wanted}");
}

#[test]
fn every_sample_can_be_read_back() {
    let mut read = 0;
    for (name, chart) in documents::gallery() {
        let Body::Spreads(spreads) = &chart.body else { continue };
        let svg = svg::page(&chart, "a");
        let count = chart.columns.len() as f64;
        // Open dots have a path of their own, which comes after that of the others.
        let (mut wanted, mut open) = (Vec::new(), Vec::new());
        for (column, spread) in spreads.iter().enumerate() {
            let Some(spread) = spread else { continue };
            assert!(
                spread.dots.len() == spread.samples.len() || name == "samples-many" || name == "samples-200"
            );
            for &dot in &spread.dots {
                let across = column as f64 + 0.5 + Spread::across(dot) * 0.64;
                let place = (across * 1000.0 / count, height(&chart, spread.samples[dot]));
                if dot == 0 && spread.samples.len() > 1 { open.push(place) } else { wanted.push(place) }
            }
        }
        // Open dots are drawn twice: a ring and what is inside it.
        let dots =
            |path: &str| path.contains("stroke-linecap=\"round\"") && !path.contains("class=\"s1 mk\"");
        let found: Vec<(f64, f64)> = paths(&svg)
            .into_iter()
            .filter(|(path, _)| path.contains("class=\"s1") && dots(path))
            .flat_map(|(_, d)| d.split('M').skip(1))
            .map(|dot| {
                let (x, y) = dot.trim_end_matches("h0").split_once(' ').unwrap();
                (x.parse().unwrap(), y.parse().unwrap())
            })
            .collect();
        wanted.extend(open);
        assert_eq!(found.len(), wanted.len(), "{name}");
        for (found, wanted) in found.iter().zip(&wanted) {
            near(found.0, wanted.0, name);
            near(found.1, wanted.1, name);
            read += 1;
        }
    }
    assert!(read > 4000, "only {read} samples");
}

#[test]
fn boxes_and_medians_can_be_read_back() {
    let mut read = 0;
    for (name, chart) in documents::gallery() {
        let Body::Spreads(spreads) = &chart.body else { continue };
        let svg = svg::page(&chart, "a");
        let medians = paths(&svg).into_iter().find(|(path, _)| path.contains("data-line")).unwrap().1;
        let drawn: Vec<f64> = medians.split('M').skip(1).map(|part| numbers(part)[1]).collect();
        let wanted: Vec<f64> = chart.lines[0]
            .marks
            .iter()
            .filter_map(|mark| mark.value)
            .map(|value| height(&chart, value))
            .collect();
        assert_eq!(drawn.len(), wanted.len(), "{name}");
        drawn.iter().zip(&wanted).for_each(|(found, wanted)| near(*found, *wanted, name));
        let boxes: Vec<Vec<f64>> = paths(&svg)
            .into_iter()
            .filter(|(path, d)| path.contains("class=\"s1 r\"") && d.ends_with('z'))
            .flat_map(|(_, d)| d.split('M').skip(1))
            .map(numbers)
            .collect();
        let quartiles: Vec<[f64; 3]> =
            spreads.iter().flatten().filter_map(|spread| spread.quartiles).collect();
        assert_eq!(boxes.len(), quartiles.len(), "{name}");
        for (found, wanted) in boxes.iter().zip(quartiles) {
            near(found[1], height(&chart, wanted[2]), name);
            near(found[3], height(&chart, wanted[0]), name);
            read += 1;
        }
    }
    assert!(read > 200, "only {read} boxes");
}

#[test]
fn every_change_can_be_read_back() {
    let (mut read, mut cut) = (0, 0);
    for (name, chart) in documents::gallery().into_iter().filter(|(_, chart)| chart.kind == "version_delta") {
        let svg = svg::page(&chart, "a");
        let bars = paths(&svg).into_iter().find(|(path, _)| path.contains("data-line")).unwrap().1;
        let found: Vec<Vec<f64>> = bars.split('M').skip(1).map(numbers).collect();
        let values: Vec<f64> = chart.lines[0].marks.iter().filter_map(|mark| mark.value).collect();
        assert_eq!(found.len(), values.len(), "{name}");
        for (bar, value) in found.iter().zip(values) {
            near(bar[3], height(&chart, 0.0), name);
            let wanted = height(&chart, value);
            if (0.0..=264.0).contains(&wanted) {
                near(bar[1], wanted, name);
                read += 1;
            } else {
                cut += 1;
            }
        }
    }
    assert!(read > 200 && cut == 2, "{read} bars, {cut} cut");
}

/// Trap 23 of the format's list (§6): a relative change of nothing beside an absolute one of 0.
#[test]
fn what_cannot_be_drawn_is_marked_and_counted() {
    let chart =
        figure::chart(&delta(&[Some(0.0), Some(0.0), Some(40.0), None, Some(40.0), Some(0.0)])).unwrap();
    let reason = |column: usize| match &chart.lines[0].marks[column].form {
        Form::Absent(reason) => reason.as_str(),
        _ => "",
    };
    assert_eq!(reason(0), "", "the first release is compared with nothing");
    assert_eq!(reason(1), "0 before and after");
    assert_eq!(reason(2), "no per cent of a baseline of 0");
    assert_eq!((reason(3), reason(4), reason(5)), ("not run", "not run", ""));
    assert!(chart.caption.fine.contains("4 of 5 changes unavailable or undefined"), "{}", chart.caption.fine);
    assert_eq!(chart.lines[0].marks[5].value, Some(-100.0));
    assert_eq!(chart.axis.scale, Scale::Linear);
    let (head, rows) = (&chart.table.head, &chart.table.rows);
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().all(|row| row.cells.len() + 1 == head.len()), "{head:?}");
    // The changes themselves are numbers where there is one, and say why where there is none.
    assert_eq!(rows[5].cells[1].exact.as_deref(), Some("-1.0"));
    assert_eq!(rows[2].cells[1].text, "— no per cent of a baseline of 0");
    assert_eq!(rows[2].cells[7].exact.as_deref(), Some("40.0"), "the difference is known");
}

#[test]
fn a_cut_bar_is_told() {
    let (_, chart) = documents::gallery().into_iter().find(|(name, _)| *name == "changes-far").unwrap();
    assert!(chart.axis.high < 200.0, "{:?}", chart.axis);
    assert!(chart.caption.fine.contains("ends in an arrow"), "{}", chart.caption.fine);
    assert!(chart.caption.says.contains("to 33"), "the far change is named: {}", chart.caption.says);
}

#[test]
fn a_single_sample_has_no_spread() {
    let chart =
        figure::chart(&distribution(3, |at| if at == 1 { vec![5.0] } else { around(4.0, 9) })).unwrap();
    let Body::Spreads(spreads) = &chart.body else { panic!("samples") };
    let single = spreads[1].as_ref().unwrap();
    assert_eq!((single.quartiles, single.whiskers, &single.dots[..]), (None, None, &[0][..]));
    assert!(chart.lines[0].marks[1].reading.ends_with("1 sample, no spread"));
    assert!(chart.caption.fine.contains("1–9 samples per release"), "{}", chart.caption.fine);
    assert_eq!(chart.data.rows.len(), 19, "the CSV holds the rows of the document");
    assert!(csv::csv(&chart.data).lines().count() == 20);
}

#[test]
fn thousands_of_samples_stay_light() {
    let (_, chart) = documents::gallery().into_iter().find(|(name, _)| *name == "samples-many").unwrap();
    let Body::Spreads(spreads) = &chart.body else { panic!("samples") };
    let drawn: usize = spreads.iter().flatten().map(|spread| spread.dots.len()).sum();
    assert!(drawn <= 4000, "{drawn}");
    assert!(chart.caption.fine.contains("of all 9\u{202f}000 samples have a dot"), "{}", chart.caption.fine);
    assert!(svg::page(&chart, "a").len() < 90_000);
    let wide = figure::chart(&distribution(5000, |at| around(at as f64 + 1.0, 20))).unwrap();
    assert!(svg::page(&wide, "a").len() < 120_000, "{}", svg::page(&wide, "a").len());
}

/// Both generations, wrapped and bare, give the same picture of the same rows.
#[test]
fn documents_of_every_form_are_read() {
    let targets = labels(3);
    let rows = documents::samples(&targets, |at| around(100.0 * (at + 1) as f64, 5));
    let old = documents::bare("distribution", &rows);
    let mut new = old.clone();
    new["options"]["measurement_definitions"] = json!(["julia.wall.time/benchmarktools-v1"]);
    new["options"]["tags"] = json!(["nightly"]);
    let wrapped = json!({"plot": new, "correctness": "passed", "release_dates": {"1.0.1": "2026-01-02"}});
    let chart = |value: &Value| {
        let document = parse_document(value.to_string().as_bytes(), "p.json").unwrap();
        assert!(doubts(&document, "p.json").is_empty());
        figure::chart(&document).unwrap()
    };
    assert_eq!(chart(&old).body, chart(&new).body);
    assert_eq!(chart(&new).body, chart(&wrapped).body);
    assert_eq!(chart(&wrapped).columns[1].date.as_deref(), Some("2026-01-02"));
    // Rows stand in the order of their file; columns in that of versions.
    let mut shuffled = old.clone();
    shuffled["data"].as_array_mut().unwrap().rotate_left(5);
    assert_eq!(chart(&shuffled).body, chart(&old).body);
    // A unit that was not recorded is not a plain number.
    let mut unknown = old.clone();
    unknown["options"]["unit"] = json!("");
    assert_eq!(chart(&unknown).lines[0].unit, "unspecified");
    assert!(chart(&unknown).axis.title.contains("unit unspecified"));
}

#[test]
fn changes_against_one_reference_and_against_a_group() {
    let mut rows = documents::deltas(&labels(3), &[Some(10.0), Some(12.0), Some(8.0)]);
    for row in &mut rows {
        row["relation"] = json!("candidate-vs-reference-group");
        row["baseline_version"] = json!("reference[0.9.0, 1.0.0]");
        row["baseline_versions"] = json!(["0.9.0", "1.0.0"]);
        // Older writers give medians only, and no statistic.
        for field in ["baseline_value", "candidate_value", "sample_statistic", "reason"] {
            row.as_object_mut().unwrap().remove(field);
        }
    }
    let document = documents::bare("version_delta", &rows).to_string();
    let document = parse_document(document.as_bytes(), "p.json").unwrap();
    let chart = figure::chart(&document).unwrap();
    let columns: Vec<&str> = chart.columns.iter().map(|column| column.label.as_str()).collect();
    assert_eq!(columns, ["0.9.0", "1.0.0", "1.0.1", "1.0.2"]);
    assert!(chart.caption.fine.contains("made of two targets"), "{}", chart.caption.fine);
    assert_eq!(chart.lines[0].marks[2].value.map(f64::round), Some(20.0));
    // Both ends must be inside a range.
    let part = restrict::range(&document, Some("1.0.0"), Some("1.0.2")).unwrap();
    assert!(part.plot.data.is_empty());
}

#[test]
fn ranges_keep_changes_whose_ends_are_inside() {
    let part = restrict::range(&delta(&documents::wavy(6)), Some("1.0.1"), Some("1.0.3")).unwrap();
    let kept: Vec<&str> = part.plot.data.iter().filter_map(|row| row["candidate_version"].as_str()).collect();
    assert_eq!(kept, ["1.0.2", "1.0.3"]);
    let part = restrict::range(&distribution(6, |_| around(3.0, 4)), None, Some("1.0.1")).unwrap();
    assert_eq!(part.plot.data.len(), 8);
    assert_eq!(figure::chart(&part).unwrap().columns.len(), 2);
    let same = restrict::metrics(&part, &["julia.wall.time".to_owned()]).unwrap();
    assert_eq!(same, Some(part.clone()));
    assert_eq!(restrict::metrics(&part, &["julia.gc.time".to_owned()]).unwrap(), None);
}

#[test]
fn hostile_rows_are_refused_by_row_and_field() {
    let good = documents::deltas(&labels(2), &[Some(1.0), Some(2.0)]);
    for (kind, row, key, value) in [
        (
            "distribution",
            json!({"version": "1.0", "target_kind": "release", "value": 1}),
            "value",
            json!("x"),
        ),
        (
            "distribution",
            json!({"version": "1.0", "target_kind": "release", "value": 1}),
            "version",
            json!(7),
        ),
        ("version_delta", good[0].clone(), "candidate_version", Value::Null),
        ("version_delta", good[0].clone(), "relative_delta", json!("much")),
        ("version_delta", good[0].clone(), "baseline_samples", json!(-1)),
        ("version_delta", good[0].clone(), "baseline_versions", json!("1.0")),
        ("version_delta", good[0].clone(), "status", json!([])),
    ] {
        let mut bad = row.clone();
        bad[key] = value;
        let text = documents::bare(kind, &[row, bad]).to_string();
        let error = parse_document(text.as_bytes(), "p.json").unwrap_err();
        assert_eq!(error.place.field.as_deref(), Some(&*format!("data[1].{key}")), "{kind}");
        assert_eq!(error.place.path.as_deref(), Some("p.json"));
    }
    let named = "</script><script>alert(1)</script>\u{202e}";
    let mut rows = documents::samples(&labels(2), |_| vec![1.0, f64::MAX, -f64::MAX, 0.0]);
    rows[0]["version"] = json!(named);
    let mut document = documents::bare("distribution", &rows);
    document["options"]["metric"] = json!(named);
    let document = parse_document(document.to_string().as_bytes(), "p.json").unwrap();
    let chart = figure::chart(&document).unwrap();
    let file = html::export(&chart, "{}", &style(), html::ExportOptions::default());
    assert_eq!(file.matches("<script").count(), 2);
    assert!(!svg::file(&chart, &style()).contains('\u{202e}'));
}

/// Reviewed pictures: light, dark and all sizes are in the one file.
#[test]
fn pictures() {
    let style = style();
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/draw");
    std::fs::create_dir_all(folder).unwrap();
    for (name, chart) in documents::gallery() {
        let file = svg::file(&chart, &style);
        let options = html::ExportOptions { document_name: "plot.json", ..html::ExportOptions::default() };
        std::fs::write(format!("{folder}/{name}.html"), html::export(&chart, "{}", &style, options)).unwrap();
        std::fs::write(format!("{folder}/{name}.svg"), &file).unwrap();
        assert_eq!(file, svg::file(&chart, &style), "the same bytes");
        insta::assert_binary_snapshot!(&format!("{name}.svg"), file.into_bytes());
    }
}

/// The rows of a published table, by position; the tables quote nothing.
fn published(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/fixtures/published/oxygen/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

type Key = (String, String, String);

fn published_samples() -> BTreeMap<Key, Vec<f64>> {
    let mut samples: BTreeMap<Key, Vec<f64>> = BTreeMap::new();
    for row in ["distributions.csv", "distributions-routes.csv"].into_iter().flat_map(published) {
        let [feature, version, metric, _, _, value] = &row[..] else { panic!("{row:?}") };
        let key = (feature.clone(), metric.clone(), version.clone());
        samples.entry(key).or_default().push(value.parse().unwrap());
    }
    samples
}

fn middle(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[half] } else { f64::midpoint(sorted[half - 1], sorted[half]) }
}

/// Documents made from bundles hold the published samples and the changes of their medians, counted apart.
#[test]
fn documents_of_bundles_hold_what_is_published() {
    let limits = perfolio::io::Limits::default();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/oxygen");
    let source = perfolio::io::Source::open(std::path::Path::new(root), &limits).unwrap();
    let (evidence, _) =
        perfolio::read::read_source(&source, "http", "http", &limits, &perfolio::error::Silent);
    let config = perfolio::config::Config::default();
    let (series, _) = perfolio::analyze::analyze(&evidence, &config);
    let samples = published_samples();
    let (mut compared, mut changed) = (0, 0);
    let sets = figure::all(&evidence, &series, &config).unwrap();
    for document in sets.into_iter().flat_map(figure::FigureSet::into_documents) {
        let plot = &document.plot;
        let option = |name: &str| plot.options.get(name).and_then(Value::as_str).unwrap_or("").to_owned();
        let key = |version: &str| (option("feature"), option("metric"), version.to_owned());
        if plot.kind == "distribution" {
            let mut found: BTreeMap<String, Vec<f64>> = BTreeMap::new();
            for row in plot.sample_rows().unwrap() {
                found.entry(row.version).or_default().push(row.value.unwrap().as_f64());
            }
            for (version, values) in found {
                let Some(wanted) = samples.get(&key(&version)) else { continue };
                assert_eq!(&values, wanted, "{version}: in the recorded order");
                compared += values.len();
            }
        } else if plot.kind == "version_delta" {
            for row in plot.delta_rows().unwrap() {
                let ends = [&row.baseline_version, &row.candidate_version];
                let Some([before, after]) = ends
                    .map(|version| samples.get(&key(version)).map(|samples| middle(samples)))
                    .into_iter()
                    .collect::<Option<Vec<f64>>>()
                    .and_then(|ends| <[f64; 2]>::try_from(ends).ok())
                else {
                    continue;
                };
                assert_eq!((row.relation.as_str(), row.status.as_str()), ("adjacent-release", "diagnostic"));
                assert_eq!(row.baseline_value.unwrap().as_f64().to_bits(), before.to_bits());
                assert_eq!(row.candidate_value.unwrap().as_f64().to_bits(), after.to_bits());
                let part = row.relative_delta.unwrap().as_f64();
                assert!((part - (after - before) / before).abs() <= 1e-12, "{part}");
                changed += 1;
            }
        }
    }
    assert!(compared > 2000 && changed > 60, "{compared} samples, {changed} changes");
}

proptest::proptest! {
    /// The quartiles of the drawing are those of type 7, counted apart.
    #[test]
    fn quartiles_are_of_type_seven(values in proptest::collection::vec(1.0..1e6_f64, 2..60)) {
        let chart = figure::chart(&distribution(1, |_| values.clone())).unwrap();
        let Body::Spreads(spreads) = &chart.body else { panic!("samples") };
        let found = spreads[0].as_ref().unwrap();
        let mut sorted = found.samples.clone();
        sorted.sort_by(f64::total_cmp);
        for (part, quartile) in [0.25, 0.5, 0.75].into_iter().zip(found.quartiles.unwrap()) {
            let place = (sorted.len() - 1) as f64 * part;
            let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
            let wanted = low + (high - low) * place.fract();
            proptest::prop_assert!((quartile - wanted).abs() <= wanted * 1e-9, "{quartile}, not {wanted}");
        }
        let [low, high] = found.whiskers.unwrap();
        proptest::prop_assert!(sorted[0] <= low && high <= sorted[sorted.len() - 1] && low <= high);
    }
}
