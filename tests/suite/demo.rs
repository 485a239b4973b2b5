//! The demonstration site that the repository builds: complete, readable everywhere, true to the evidence.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::{faults, run_checks};
use crate::program::{fixture, repository, run, tree};

/// The demonstration site, built once for all tests. Lives as long as the process.
pub(crate) fn site() -> &'static Path {
    static SITE: OnceLock<PathBuf> = OnceLock::new();
    SITE.get_or_init(|| {
        let folder = TempDir::with_prefix("perfolio demo #1 100 % ä").unwrap().keep();
        let output = folder.join("site");
        let ended = run(
            repository(),
            &["build".as_ref(), "--strict".as_ref(), "--output".as_ref(), output.as_os_str()],
        );
        let _ = ended.expect(0);
        output
    })
}

/// A site of the invented, awkward source.
pub(crate) fn awkward() -> &'static Path {
    static SITE: OnceLock<PathBuf> = OnceLock::new();
    SITE.get_or_init(|| {
        let folder = TempDir::with_prefix("perfolio awkward").unwrap().keep();
        let output = folder.join("site");
        let source = fixture("awkward");
        let _ = run(
            &folder,
            &[
                "build".as_ref(),
                "--source".as_ref(),
                source.as_os_str(),
                "--output".as_ref(),
                output.as_os_str(),
            ],
        )
        .expect(0);
        output
    })
}

/// What the page checks may take for a known fragment: state that scripts read.
const STATE: &str = "=";

/// Pages of which a site has one per run or per measured release, by what stands in their paths.
const ALIKE: [&str; 2] = ["/runs/", "/network-interface-"];

/// Every page of a site (of many that are alike the first two), and one export of each sort of figure: kind, how many
/// targets and lines, whether all of them are there. Exports of one sort share their markup.
fn pages(root: &Path) -> Vec<String> {
    let files = tree(root);
    let mut sorts = BTreeSet::new();
    let mut alike = [0; ALIKE.len()];
    files
        .iter()
        .filter(|(path, _)| path.ends_with(".html"))
        .filter(|(path, _)| {
            let Some(at) = ALIKE.iter().position(|part| path.contains(part)) else { return true };
            alike[at] += 1;
            alike[at] <= 2
        })
        .filter(|(path, _)| {
            let Some(document) = files.get(&path.replace(".html", ".json")) else { return true };
            let document: Value = serde_json::from_slice(document).unwrap();
            let plot = &document["plot"];
            let window = document.get("reference_scope").is_some();
            let targets = plot["options"]["versions"].as_array().map_or(0, |list| list.len().min(9));
            sorts.insert((
                plot["kind"].to_string(),
                window,
                targets,
                document["perfolio"]["reasons"].is_null(),
            ))
        })
        .map(|(path, _)| path.clone())
        .collect()
}

#[test]
fn every_page_passes_every_browser_check() {
    let pages = pages(site());
    assert!(pages.len() > 18 && pages.iter().any(|page| page.starts_with("figures/")), "{pages:?}");
    let report = run_checks(site(), json!({"pages": pages, "fragments": STATE}));
    assert_eq!(faults(&report), "");
    let seen = |name: &str| -> u64 {
        report["pages"].as_array().unwrap().iter().map(|page| page["seen"][name].as_u64().unwrap()).sum()
    };
    assert!(seen("figures") > 60 && seen("texts") > 1_000, "the checks saw next to nothing");
}

#[test]
fn awkward_names_and_states_pass_the_browser_checks() {
    let report = run_checks(awkward(), json!({"pages": pages(awkward()), "fragments": STATE}));
    assert_eq!(faults(&report), "");
}

/// One number of `inspect`: source text of value and ratio.
type Cell = (Option<String>, Option<String>);

/// The numbers of `inspect --json` for the figures that show the chosen statistic, by feature, collector,
/// metric and target.
fn inspected(source: &Path) -> BTreeMap<[String; 4], Cell> {
    let report =
        run(repository(), &["inspect".as_ref(), source.as_os_str(), "--json".as_ref()]).expect(0).json();
    let text = |value: &Value| (!value.is_null()).then(|| value.to_string());
    let mut cells = BTreeMap::new();
    for series in report["series"].as_array().unwrap() {
        for point in series["points"].as_array().unwrap() {
            let key = [
                series["feature"].as_str().unwrap().to_owned(),
                series["collector"].as_str().unwrap().to_owned(),
                series["metric"].as_str().unwrap().to_owned(),
                point["target"].as_str().unwrap().to_owned(),
            ];
            cells.insert(key, (text(&point["value"]), text(&point["ratio"])));
        }
    }
    cells
}

/// Holds a cell of a page against what `inspect` says, and marks it as seen.
fn compare(
    cell: &Value,
    documents: &BTreeMap<String, Value>,
    expected: &BTreeMap<[String; 4], Cell>,
    seen: &mut BTreeSet<([String; 4], &'static str)>,
    before: &mut Option<[String; 4]>,
) {
    let attribute = |name: &str| cell["attributes"][name].as_str();
    let Some(document) = cell["figure"].as_str().and_then(|figure| documents.get(figure)) else { return };
    if document["plot"]["kind"] != "normalized_metrics" {
        return;
    }
    let option = |name: &str| document["plot"]["options"][name].as_str().unwrap().to_owned();
    // A ratio follows its value, which names metric and target.
    let key = match (attribute("data-series"), attribute("data-target")) {
        (Some(series), Some(target)) => {
            [option("feature"), option("collector"), series.to_owned(), target.to_owned()]
        }
        _ => before.clone().expect("a ratio follows its value"),
    };
    *before = Some(key.clone());
    let (value, ratio) = expected.get(&key).unwrap_or_else(|| panic!("{key:?} is not in inspect"));
    if let Some(shown) = attribute("data-value") {
        assert_eq!(Some(shown), value.as_deref(), "{key:?}");
        seen.insert((key.clone(), "value"));
    }
    if let Some(shown) = attribute("data-ratio") {
        assert_eq!(Some(shown), ratio.as_deref(), "{key:?}");
        seen.insert((key, "ratio"));
    }
}

#[test]
fn without_scripts_the_tables_say_what_inspect_says() {
    let documents = documents(site());
    let report = run_checks(
        site(),
        json!({"pages": pages(site()), "checks": ["noscript"], "values": true, "fragments": STATE}),
    );
    let expected = inspected(&fixture("oxygen"));
    assert!(expected.len() >= 616, "{}", expected.len());
    let (mut seen, mut before) = (BTreeSet::new(), None);
    for page in report["pages"].as_array().unwrap() {
        for cell in page["values"].as_array().unwrap() {
            compare(cell, &documents, &expected, &mut seen, &mut before);
        }
    }
    for (key, (value, ratio)) in expected {
        for (number, name) in [(value, "value"), (ratio, "ratio")] {
            assert!(
                number.is_none() || seen.contains(&(key.clone(), name)),
                "no page shows the {name} of {key:?}"
            );
        }
    }
}

/// Whether a file is the plot document of a figure; stacks of profiles are JSON as well.
fn is_plot(path: &str) -> bool {
    path.starts_with("figures/") && path.ends_with(".json") && !path.ends_with(".speedscope.json")
}

/// Every plot document of a site by its plot id.
pub(crate) fn documents(root: &Path) -> BTreeMap<String, Value> {
    tree(root)
        .iter()
        .filter(|(path, _)| is_plot(path))
        .map(|(_, bytes)| serde_json::from_slice::<Value>(bytes).unwrap())
        .map(|document| (document["plot"]["id"].as_str().unwrap().to_owned(), document))
        .collect()
}

#[test]
fn a_downloaded_plot_draws_the_same_bytes_again() {
    for root in [site(), awkward()] {
        let folder = TempDir::new().unwrap();
        let files = tree(root);
        let plots: Vec<&String> = files.keys().filter(|path| is_plot(path)).collect();
        assert!(plots.len() > 20);
        let chosen = plots.iter().enumerate();
        // Some of all kinds, and all of those that hold names of several features.
        let always = |plot: &str| plot.contains("feature-overlay") || plot.contains("flamegraph");
        for (_, plot) in chosen.filter(|(at, plot)| at % 4 == 0 || always(plot)) {
            // What another program wrote is published in its own words and order.
            let ours = serde_json::from_slice::<Value>(&files[*plot]).unwrap()["perfolio"].is_object();
            let endings: &[&str] = if ours { &["svg", "html", "csv", "json"] } else { &["svg", "csv"] };
            for ending in endings {
                let output = folder.path().join(format!("again.{ending}"));
                let input = root.join(plot);
                let _ = run(
                    folder.path(),
                    &["render".as_ref(), input.as_os_str(), "-o".as_ref(), output.as_os_str()],
                )
                .expect(0);
                let again = std::fs::read(&output).unwrap();
                assert!(again == files[&plot.replace(".json", &format!(".{ending}"))], "{plot} as {ending}");
            }
        }
    }
}

#[test]
fn changing_one_value_changes_the_drawing() {
    let folder = TempDir::new().unwrap();
    let (_, mut document) = documents(site())
        .into_iter()
        .find(|(_, document)| document["plot"]["kind"] == "normalized_metrics")
        .unwrap();
    let draw = |document: &Value| {
        std::fs::write(folder.path().join("plot.json"), document.to_string()).unwrap();
        let _ = run(folder.path(), &["render", "plot.json", "-o", "plot.svg"]).expect(0);
        std::fs::read(folder.path().join("plot.svg")).unwrap()
    };
    let before = draw(&document);
    let row = &mut document["plot"]["data"][3];
    row["value"] = json!(row["value"].as_f64().unwrap() * 1.5);
    row["ratio"] = json!(row["ratio"].as_f64().unwrap() * 1.5);
    assert_ne!(draw(&document), before);
}

#[test]
fn the_http_step_stands_beside_the_curve() {
    let page = tree(site())
        .into_iter()
        .find(|(path, _)| path.starts_with("gallery/oxygen/plain"))
        .map(|(_, bytes)| String::from_utf8(bytes).unwrap())
        .unwrap();
    for words in ["1.10.2 → 1.11.0", "HTTP 1.11.0 → 2.6.7", "of the 45 packages"] {
        assert!(page.contains(words), "{words}");
    }
    assert!(page.contains("7.2\u{202f}µs") && page.contains("3.8\u{202f}µs"));
}

#[test]
fn keys_tabs_toggles_and_readings_work() {
    let page = tree(site())
        .into_keys()
        .find(|path| path.starts_with("gallery/oxygen/plain") && path.ends_with("index.html"))
        .unwrap();
    let report = run_checks(
        site(),
        json!({"pages": [], "scripts": [
            {"name": "tabs", "page": page, "steps": [
                {"attr": {"selector": "[role=tab]:nth-of-type(1)", "name": "aria-selected", "equals": "true"}},
                {"focus": "[role=tab][aria-selected=true]"},
                {"press": "ArrowRight"},
                {"expectText": {"selector": "[role=tab][aria-selected=true]", "equals": "1.10 patches"}},
                {"press": "Home"},
                {"expectText": {"selector": "[role=tab][aria-selected=true]", "equals": "History"}},
                {"press": "End"},
                {"reload": true},
                {"expectText": {"selector": "[role=tab][aria-selected=true]", "equals": "1.10 patches"}}
            ]},
            {"name": "reading", "page": page, "steps": [
                {"focus": ".block .plot"},
                {"press": "Home"},
                {"expectText": {"selector": ".block .reading", "contains": "1.0.0"}},
                {"press": "ArrowRight"},
                {"expectText": {"selector": ".block .reading", "contains": "1.1.0"}},
                {"expectText": {"selector": ".block .reading", "contains": "9.8"}},
                {"press": "ArrowDown"},
                {"expectText": {"selector": ".block .reading", "contains": "1.1.0"}},
                {"press": "End"},
                {"expectText": {"selector": ".block .reading", "contains": "1.11.0"}},
                {"reload": true},
                {"expectText": {"selector": ".block .reading", "contains": "1.11.0"}}
            ]}
        ]}),
    );
    assert_eq!(faults(&report), "");
}

#[test]
fn a_page_stays_light() {
    for (path, bytes) in tree(site()) {
        if path.starts_with("gallery/") {
            assert!(bytes.len() < 600_000, "{path}: {}", bytes.len());
        }
        if path.starts_with("figures/") && path.ends_with(".html") {
            // Ten features together are ten lines, not four; a distribution carries each of its 420 samples.
            let bar = match path.split('/').next_back().unwrap_or_default() {
                name if name.starts_with("feature-overlay") => 100_000,
                name if name.starts_with("distribution") => 70_000,
                // Saved flame graphs have every path in full.
                name if name.contains("flamegraph") => 140_000,
                // Of 171 values, each with its sentence.
                name if name.starts_with("record") => 100_000,
                _ => 60_000,
            };
            assert!(bytes.len() < bar, "{path}: {}", bytes.len());
        }
    }
}
