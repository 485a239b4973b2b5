//! Time to draw one figure of four metrics at 14 targets, and large ones.

#[allow(dead_code, clippy::unwrap_used, reason = "the charts serve tests too")]
#[path = "../tests/suite/draw/charts.rs"]
mod charts;

#[allow(dead_code, clippy::unwrap_used, reason = "the charts serve tests too")]
#[path = "../tests/suite/draw/clouds.rs"]
mod clouds;

#[allow(dead_code, reason = "the documents serve tests too")]
#[path = "../tests/suite/draw/documents.rs"]
mod documents;

use std::hint::black_box;

use divan::Bencher;
use perfolio::draw::{Style, csv, html, plotly, png, svg};
use perfolio::theme::Theme;

fn main() {
    divan::main();
}

fn style() -> Style {
    Theme::built_in().map(|theme| theme.style().clone()).unwrap_or_default()
}

#[divan::bench]
fn svg_file(bencher: Bencher) {
    let (chart, style) = (charts::normalized(), style());
    bencher.bench_local(|| svg::file(black_box(&chart), &style));
}

#[divan::bench]
fn png_picture(bencher: Bencher) {
    let (chart, style) = (charts::normalized(), style());
    bencher.bench_local(|| png::png(black_box(&chart), &style, png::Options::default()));
}

#[divan::bench]
fn svg_in_page(bencher: Bencher) {
    let chart = charts::normalized();
    bencher.bench_local(|| svg::page(black_box(&chart), "f"));
}

#[divan::bench]
fn html_export(bencher: Bencher) {
    let (chart, style) = (charts::normalized(), style());
    let document = format!("{{\"rows\":[{}]}}", ["{\"target\":\"1.10.2\",\"value\":7200}"; 400].join(","));
    bencher
        .bench_local(|| html::export(black_box(&chart), &document, &style, html::ExportOptions::default()));
}

#[divan::bench]
fn plotly_script(bencher: Bencher) {
    let chart = charts::normalized();
    bencher.bench_local(|| plotly::script(black_box(&chart), "normalized-metrics-0123456789abcdef"));
}

#[divan::bench]
fn csv_table(bencher: Bencher) {
    let chart = charts::normalized();
    bencher.bench_local(|| csv::csv(black_box(&chart.data)));
}

#[divan::bench(args = [200, 5000])]
fn svg_file_of_many_targets(bencher: Bencher, targets: usize) {
    let (chart, style) = (charts::many(targets), style());
    bencher.bench_local(|| svg::file(black_box(&chart), &style));
}

/// A thousand trade-offs in all four forms, the JSON left out.
#[divan::bench(sample_count = 5)]
fn thousand_tradeoffs(bencher: Bencher) {
    let (chart, style) = (clouds::plain(), style());
    bencher.bench_local(|| {
        for _ in 0..1000 {
            let chart = black_box(&chart);
            black_box((svg::file(chart, &style), svg::page(chart, "f"), csv::csv(&chart.data)));
            black_box(html::export(chart, "{}", &style, html::ExportOptions::default()));
        }
    });
}

/// A thousand figures of every sample and of changes at 14 targets, from the document to all four forms, the JSON
/// left out.
#[divan::bench(args = ["distribution", "version_delta"], sample_count = 3)]
fn thousand_from_documents(bencher: Bencher, kind: &str) {
    let style = style();
    let document = match kind {
        "distribution" => documents::distribution(14, |at| documents::around(5000.0 + at as f64 * 200.0, 30)),
        _ => documents::delta(&documents::wavy(14)),
    };
    bencher.bench_local(|| {
        for _ in 0..1000 {
            let Ok(chart) = perfolio::figure::chart(black_box(&document)) else { continue };
            black_box((svg::file(&chart, &style), svg::page(&chart, "f"), csv::csv(&chart.data)));
            black_box(html::export(&chart, "{}", &style, html::ExportOptions::default()));
        }
    });
}
