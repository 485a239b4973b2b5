//! Figures made from the rebuilt Oxygen bundles: what they say must be what the published numbers say.
#![allow(clippy::unwrap_used, reason = "a fixture that cannot be read fails the test")]

use std::path::Path;

use perfolio::analyze::analyze;
use perfolio::config::Config;
use perfolio::error::Silent;
use perfolio::evidence::plot::PlotDocument;
use perfolio::figure::overview::overview;
use perfolio::figure::{FigureSet, all, chart};
use perfolio::io::{Limits, Source};
use perfolio::read::read_source;

const TITLES: &str = "[[feature]]\nmatch = \"plain_benchmark\"\ntitle = \"plain\"\n";

fn figures() -> Vec<FigureSet> {
    let limits = Limits::default();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/oxygen");
    let source = Source::open(&path, &limits).unwrap();
    let (evidence, _) = read_source(&source, "oxygen", "oxygen", &limits, &Silent);
    let config = Config::parse(TITLES, "perfolio.toml").unwrap();
    let (series, _) = analyze(&evidence, &config);
    all(&evidence, &series, &config).unwrap()
}

fn plain(sets: &[FigureSet]) -> &FigureSet {
    sets.iter()
        .find(|set| set.main.as_ref().is_some_and(|main| main.plot.options["feature"] == "plain_benchmark"))
        .unwrap()
}

fn spaced(text: &str) -> String {
    text.replace('\u{202f}', " ")
}

#[test]
fn the_history_of_one_feature() {
    let sets = figures();
    let set = plain(&sets);
    let drawn = chart(set.main.as_ref().unwrap()).unwrap();
    assert_eq!(drawn.heading, "Four metrics at 14 releases");
    assert_eq!(
        spaced(&drawn.caption.says),
        "Wall time is lowest at 1.11.0 (3.8 µs) and highest at 1.6.0 (11.6 µs, 3.05 ×); largest step \
         1.10.2 → 1.11.0, −47 %, where HTTP went from 1.11.0 to 2.6.7. \
         Allocated bytes and allocations are lowest at 1.11.0 too."
    );
    assert_eq!(
        spaced(&drawn.caption.fine),
        "Minimum of 30 samples per release. Each metric is divided by its own minimum over the 14 releases. \
         GC time is 0 at every release and shown at 1 by convention (open marks). 0 of 56 values unavailable. \
         Samples of wall time are multiples of a clock step of 100 ns; changes of up to two steps are within \
         the clock’s resolution. A minimum is not a verdict."
    );
    assert_eq!(
        spaced(&drawn.lines[0].marks[4].reading),
        "wall time at 1.4.0 (2024-01-13): 7.2 µs, minimum of 30 samples, 1.89 × the reference 3.8 µs"
    );
    let rules: Vec<_> = drawn
        .boundaries
        .iter()
        .map(|rule| (rule.before, rule.label.as_ref().map_or("", |label| &label.text), rule.strong))
        .collect();
    assert_eq!(
        rules,
        [(1, "HTTP 0.9.17 → 1.11.0", false), (10, "1.10 patches", false), (13, "HTTP 1.11.0 → 2.6.7", true)]
    );
    assert_eq!(
        drawn.ribbons.iter().map(|ribbon| ribbon.name.as_str()).collect::<Vec<_>>(),
        ["HTTP", "DataStructures"]
    );
    assert_eq!(
        drawn.axis.ticks.iter().map(|tick| tick.label.as_str()).collect::<Vec<_>>(),
        ["1", "1.5", "2", "2.5", "3"]
    );
    let row = &drawn.table.rows[4].cells;
    let texts: Vec<String> = row.iter().map(|cell| spaced(&cell.text)).collect();
    assert_eq!(texts, ["2024-01-13", "7.2", "1.89", "0", "(1)", "3 808", "1.52", "105", "1.98"]);
}

#[test]
fn the_patch_window_keeps_the_reference() {
    let sets = figures();
    let set = plain(&sets);
    assert_eq!(set.windows.len(), 1);
    let drawn = chart(&set.windows[0].1).unwrap();
    assert_eq!(drawn.columns.len(), 3);
    let fine = spaced(&drawn.caption.fine);
    assert!(
        fine.contains("Ratios keep the reference of the complete history: 14 releases, 1.0.0 to 1.11.0."),
        "{fine}"
    );
    let lowest = drawn.lines[0].marks.iter().filter_map(|mark| mark.value).fold(f64::INFINITY, f64::min);
    assert!(lowest > 1.8, "{lowest}");
}

#[test]
fn the_gallery_says_what_changed_at_the_newest_release() {
    let sets = figures();
    let http = ["plain", "path", "query", "json", "html", "binary", "not_found"];
    let mains: Vec<&PlotDocument> = sets
        .iter()
        .filter_map(|set| set.main.as_ref())
        .filter(|main| {
            let feature = main.plot.options["feature"].as_str().unwrap();
            http.contains(&feature.trim_end_matches("_benchmark"))
        })
        .collect();
    let found = overview(&mains, Some("julia.wall.time")).unwrap();
    let says: String = found.says.iter().map(|piece| piece.text.as_str()).collect();
    assert_eq!(
        spaced(&says),
        "1.10.2 → 1.11.0: plain fell by 47 %, query_benchmark rose by 64 %, \
         the other five stayed within two clock steps of 100 ns."
    );
    assert_eq!((found.matrix.rows.len(), found.matrix.columns.len()), (7, 14));
    assert_eq!(
        spaced(&found.how),
        "All curves share one axis: ratio to own minimum, logarithmic, 1 to 5.56. Open mark: the lowest. \
         Upright rule: the step to 1.11.0, where HTTP went from 1.11.0 to 2.6.7. \
         Differences of one or two clock steps are within the resolution of the clock."
    );
}

#[test]
fn a_saved_figure_draws_as_it_did() {
    for set in figures() {
        for document in set.main.iter().chain(set.windows.iter().map(|window| &window.1)).chain(&set.series) {
            let saved = serde_json::to_string(document).unwrap();
            let read: PlotDocument = serde_json::from_str(&saved).unwrap();
            assert_eq!(chart(&read).unwrap(), chart(document).unwrap(), "{}", document.plot.id);
        }
    }
}
