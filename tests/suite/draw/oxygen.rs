//! The figures of the demonstration evidence, drawn: the sizes that a figure may have.

use std::path::Path;

use perfolio::config::Config;
use perfolio::draw::{csv, html, svg};
use perfolio::error::Silent;
use perfolio::io::{Limits, Source};
use perfolio::{analyze, figure, read};

/// One figure with four metrics at 14 releases stays below the sizes that the design promises.
#[test]
fn sizes() {
    let limits = Limits::default();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/oxygen");
    let source = Source::open(Path::new(root), &limits).unwrap();
    let (evidence, _) = read::read_source(&source, "http", "http", &limits, &Silent);
    let config = Config::default();
    let (series, _) = analyze::analyze(&evidence, &config);
    let style = super::style();
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/oxygen");
    std::fs::create_dir_all(folder).unwrap();
    let (mut full, mut largest) = (0, (0, [0; 4]));
    for set in figure::all(&evidence, &series, &config).unwrap() {
        for document in set.main.iter().chain(&set.series) {
            let chart = figure::chart(document).unwrap();
            let json = serde_json::to_string(document).unwrap();
            let options = html::ExportOptions {
                document_name: "plot.json",
                footer: "Made by perfolio.",
                ..html::ExportOptions::default()
            };
            let (svg, csv) = (svg::file(&chart, &style), csv::csv(&chart.data));
            let html = html::export(&chart, &json, &style, options);
            let name = &chart.id;
            std::fs::write(format!("{folder}/{name}.svg"), &svg).unwrap();
            std::fs::write(format!("{folder}/{name}.html"), &html).unwrap();
            std::fs::write(format!("{folder}/{name}.json"), &json).unwrap();
            if chart.lines.len() == 4 && chart.columns.len() == 14 {
                full += 1;
                let sizes = [svg.len(), html.len(), json.len(), csv.len()];
                largest = largest.max((sizes.iter().sum(), sizes));
            }
        }
    }
    assert!(largest.0 < 90_000, "SVG, HTML, JSON and CSV of one figure: {largest:?}");
    assert!(largest.1[1] < 60_000, "{largest:?}");
    assert!(full > 6, "{full} figures of four metrics at 14 releases");
}
