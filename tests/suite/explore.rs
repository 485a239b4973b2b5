//! Explored figures: every drawable row of the document is a point of Plotly, in Chromium and in Firefox.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::{faults, run_checks};
use crate::demo::{awkward, documents, site};
use crate::program::{fixture, run, tree};
use crate::setup::tools;

/// How many rows of a document can be drawn, by the rules of its kind.
pub(crate) fn drawable(document: &Value) -> usize {
    let plot = &document["plot"];
    let fields: &[&str] = match plot["kind"].as_str().unwrap() {
        "normalized_metrics" | "feature_overlay" => &["ratio"],
        "version_series" | "distribution" => &["value"],
        "version_delta" => &["relative_delta"],
        "time_allocation_tradeoff" => &["time", "bytes"],
        kind => panic!("say which fields of {kind} must be there"),
    };
    let rows = plot["data"].as_array().unwrap();
    rows.iter().filter(|row| fields.iter().all(|field| !row[*field].is_null())).count()
}

/// Page of every figure that stands in a page, by plot id; the first page wins.
fn pages(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (path, bytes) in tree(root) {
        if path.ends_with(".html") && !path.starts_with("figures/") {
            let text = String::from_utf8(bytes).unwrap();
            for part in text.split("class=\"block\" id=\"").skip(1) {
                let id = &part[..part.find('"').unwrap()];
                found.entry(id.to_owned()).or_insert_with(|| path.clone());
            }
        }
    }
    found
}

/// A script that explores the figure `id` of `page` and wants as many points as its document can draw.
fn script(name: &str, page: &str, id: &str, document: &Value, texts: &[&str]) -> Value {
    let step = json!({"explore": {"figure": id, "points": drawable(document), "texts": texts}});
    json!({"name": name, "page": page, "steps": [step]})
}

#[test]
fn every_kind_can_be_explored() {
    let pages = pages(site());
    let mut kinds = BTreeMap::new();
    for (id, document) in documents(site()) {
        // The windows of a gallery lie in panels that are hidden at first.
        let hidden = |page: &str| page.starts_with("gallery/") && document.get("reference_scope").is_some();
        if let Some(page) = pages.get(&id).filter(|page| !hidden(page)) {
            let kind = document["plot"]["kind"].as_str().unwrap().to_owned();
            kinds.entry(kind).or_insert_with(|| (id, page.clone(), document));
        }
    }
    // The others have a script of their own.
    kinds.retain(|kind, _| perfolio::figure::explorable(kind));
    let mut explorable = perfolio::figure::drawable().filter(|kind| perfolio::figure::explorable(kind));
    assert!(explorable.all(|kind| kinds.contains_key(kind)), "{:?}", kinds.keys());
    let others = kinds.iter().filter(|(kind, _)| *kind != "time_allocation_tradeoff");
    let mut scripts: Vec<Value> =
        others.map(|(kind, (id, page, document))| script(kind, page, id, document, &[])).collect();
    // Both axes of a trade-off can be made logarithmic. Exploring has opened what hides the figure.
    let (id, page, document) = &kinds["time_allocation_tradeoff"];
    let press = |at: usize| format!("[id=\"{id}\"] .explored-tools button:nth-child({at})");
    let shown = |part: &str, scale: &str| {
        let selector = format!("[id=\"{id}\"] .explored {part}");
        json!({"expectText": {"selector": selector, "contains": scale}})
    };
    let all = json!({"explore": {"figure": id, "points": drawable(document)}});
    scripts.push(json!({"name": "axes", "page": page, "steps": [
        all,
        {"click": format!("[id=\"{id}\"] button.explore")},
        shown(".xtitle", "linear"),
        {"click": press(2)}, {"attr": {"selector": press(2), "name": "aria-pressed", "equals": "true"}},
        shown(".annotation-text", "logarithmic"), shown(".xtitle", "linear"),
        {"click": press(3)}, {"click": press(2)},
        shown(".xtitle", "logarithmic"), shown(".annotation-text", "linear"),
    ]}));
    let report = run_checks(site(), json!({"pages": [], "scripts": scripts}));
    assert_eq!(faults(&report), "");
}

#[test]
fn odd_names_and_gaps_can_be_explored() {
    let (documents, pages) = (documents(awkward()), pages(awkward()));
    let of = |wanted: &dyn Fn(&Value) -> bool| {
        let (id, document) = documents
            .iter()
            .find(|(id, document)| {
                document["plot"]["kind"] == "normalized_metrics"
                    && pages.contains_key(*id)
                    && wanted(document)
            })
            .unwrap();
        (id.as_str(), document)
    };
    let feature = |document: &Value| document["plot"]["options"]["feature"].as_str().unwrap().to_owned();
    let rows = |document: &Value| document["plot"]["data"].as_array().unwrap().len();
    let (gaps, with_gaps) = of(&|document| drawable(document) < rows(document) && drawable(document) > 0);
    let (tags, with_tags) = of(&|document| feature(document).contains("<script>"));
    let (many, with_many) = of(&|document| drawable(document) > 200);
    let report = run_checks(
        awkward(),
        json!({"pages": [], "scripts": [
            script("gaps", &pages[gaps], gaps, with_gaps, &[]),
            script("tags", &pages[tags], tags, with_tags, &[]),
            script("many", &pages[many], many, with_many, &["allocations"]),
        ]}),
    );
    assert_eq!(faults(&report), "");
}

#[test]
fn what_is_missing_in_a_part_of_a_site_is_said() {
    let folder = TempDir::new().unwrap();
    let files = tree(awkward());
    let (id, page) =
        pages(awkward()).into_iter().find(|(id, _)| id.starts_with("normalized-metrics")).unwrap();
    for (path, bytes) in &files {
        if *path == page || (path.starts_with("assets/") && !path.contains("plotly")) {
            let target = folder.path().join(path);
            std::fs::create_dir_all(target.parent().unwrap()).unwrap();
            std::fs::write(target, bytes).unwrap();
        }
    }
    let reading = format!("[id=\"{id}\"] .reading");
    let button = format!("[id=\"{id}\"] button.explore");
    let report = run_checks(
        folder.path(),
        json!({"pages": [], "scripts": [{"name": "missing", "page": page, "steps": [
            {"click": button},
            {"expectText": {"selector": reading, "matches": "^Cannot explore: .*\\.js is missing here\\.$"}},
            {"count": {"selector": ".explored", "equals": 0}},
            {"attr": {"selector": button, "name": "aria-pressed", "equals": "false"}},
        ]}]}),
    );
    // The browser itself complains of the missing file, and of nothing else.
    for line in faults(&report).lines() {
        assert!(line.contains("ERR_FILE_NOT_FOUND"), "{line}");
    }
}

#[test]
fn an_export_with_plotly_needs_nothing_else() {
    let folder = TempDir::with_prefix("perfolio export #1 ü").unwrap();
    let source = fixture("oxygen");
    let arguments = ["export", source.to_str().unwrap(), "--output", "out", "--plotly", "--feature"];
    let more = ["plain_benchmark", "--kind", "normalized_metrics", "--format", "html,json"];
    let all: Vec<&str> = arguments.into_iter().chain(more).collect();
    let _ = run(folder.path(), &all).expect(0);
    let root = folder.path().join("out");
    let page = tree(&root).into_keys().find(|path| path.ends_with(".html")).unwrap();
    let document: Value =
        serde_json::from_slice(&std::fs::read(root.join(page.replace(".html", ".json"))).unwrap()).unwrap();
    let text = std::fs::read_to_string(root.join(&page)).unwrap();
    assert!(text.contains("carries plotly.js 3") && text.contains("MIT licence"), "the file says what it is");
    assert!(!text.contains("'unsafe-inline'") && !text.contains("<link "));
    let explored = json!({"explore": {"figure": "figure", "points": drawable(&document), "open": true}});
    let report = run_checks(
        &root,
        json!({"pages": [page], "checks": ["console", "requests", "sideways", "noscript", "shift", "links"],
            "scripts": [
            {"name": "explored", "page": page, "steps": [explored]},
            {"name": "drawing", "page": page, "javascript": false, "steps": [
                {"visible": ".plot svg"}, {"count": {"selector": ".explored", "equals": 0}}]},
        ]}),
    );
    assert_eq!(faults(&report), "");
    let refused =
        run(folder.path(), &["export", source.to_str().unwrap(), "-o", "x", "--plotly", "--format", "svg"]);
    let _ = refused.expect(2);
}

#[test]
fn firefox_explores_a_page_from_the_disk() {
    let documents = documents(site());
    let (id, page) = pages(site())
        .into_iter()
        .find(|(id, page)| {
            page.starts_with("gallery/")
                && documents[id]["plot"]["kind"] == "normalized_metrics"
                && documents[id].get("reference_scope").is_none()
        })
        .unwrap();
    let (tools, profile) = (tools(), TempDir::new().unwrap());
    let script = "const {pageUrl} = await import('./files.mjs'); process.stdout.write(pageUrl(...process.argv.slice(1)))";
    let address = Command::new(&tools.node)
        .args(["--input-type=module", "-e", script, site().to_str().unwrap(), &page])
        .current_dir(&tools.scripts)
        .output()
        .unwrap();
    let output = Command::new(&tools.node)
        .arg("firefox.mjs")
        .args([tools.firefox.as_os_str(), profile.path().as_os_str()])
        .args([String::from_utf8(address.stdout).unwrap().as_str(), &id])
        .current_dir(&tools.scripts)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let points = drawable(&documents[&id]);
    assert_eq!((&found["points"], &found["drawn"]), (&json!(points), &json!(points)));
    assert_eq!(found["errors"], json!([]));
    assert!(found["reading"].as_str().unwrap().contains("samples"), "{found}");
}
