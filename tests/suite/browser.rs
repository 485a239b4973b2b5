//! Opens built pages in headless Chromium. `tests/browser/check.mjs` describes jobs and reports.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::setup::tools;

/// One browser at a time: it works with several processes of its own.
static ONE_BROWSER: Mutex<()> = Mutex::new(());

/// Runs a job of `check.mjs` on the site in `root` and returns its report.
///
/// # Panics
/// When the tools cannot be set up or the script itself fails; faults of pages are part of the report.
pub(crate) fn run_checks(root: &Path, mut job: Value) -> Value {
    let root = root.canonicalize().expect("the site under test exists");
    job["root"] = json!(root.to_str().expect("the path of the site is UTF-8"));
    serde_json::from_slice(&run_script("check.mjs", &job)).expect("check.mjs prints JSON")
}

/// Runs a script of `tests/browser/` that reads a job from stdin; returns what it prints.
///
/// # Panics
/// When the tools cannot be set up or the script fails.
pub(crate) fn run_script(script: &str, job: &Value) -> Vec<u8> {
    let tools = tools();
    // A failed test must not fail the next one by its panic.
    let _turn = ONE_BROWSER.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut node = Command::new(&tools.node)
        .arg(script)
        .current_dir(&tools.scripts)
        .env("PERFOLIO_CHROMIUM", &tools.chromium)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("Node.js starts");
    // The scripts read the whole job before they write, so this cannot wait for each other.
    node.stdin
        .take()
        .expect("stdin is piped")
        .write_all(job.to_string().as_bytes())
        .expect("the script takes the job");
    let output = node.wait_with_output().expect("the script ends");
    assert!(output.status.success(), "{script} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Every fault of a report, one a line, with page and place; empty when all is well.
pub(crate) fn faults(report: &Value) -> String {
    let mut lines = String::new();
    for (list, name) in [("pages", "page"), ("scripts", "name")] {
        for item in report[list].as_array().into_iter().flatten() {
            for fault in item["faults"].as_array().into_iter().flatten() {
                let part = |key: &str| fault[key].as_str().unwrap_or_default();
                let _ = writeln!(
                    lines,
                    "{} [{}] {}: {}",
                    item[name].as_str().unwrap_or_default(),
                    part("at"),
                    part("check"),
                    part("message")
                );
            }
        }
    }
    lines
}

/// The names of the checks that failed on one page of a report.
fn failed_checks(report: &Value, page: &str) -> BTreeSet<String> {
    let pages = report["pages"].as_array().expect("a report lists pages");
    let found = pages.iter().find(|item| item["page"] == page).expect("the page was checked");
    let faults = found["faults"].as_array().expect("a page lists faults");
    faults.iter().map(|fault| fault["check"].as_str().expect("a fault names its check").to_owned()).collect()
}

/// The policy of every page of a site.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data: blob:; base-uri 'none'; form-action 'none'";

fn page_with(policy: &str, head: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>A page</title>\
         <link rel=\"stylesheet\" href=\"style.css\">{head}</head>\
         <body><main id=\"main\"><h1>A page</h1>{body}</main></body></html>"
    )
}

fn page(head: &str, body: &str) -> String {
    page_with(POLICY, head, body)
}

const STYLE: &str = "\
:root { color-scheme: light dark; background: light-dark(#fff, #111); color: light-dark(#111, #eee); \
  font: 16px/1.5 sans-serif; }
a { color: light-dark(#00c, #adf); }
svg { width: 100%; height: 100px; fill: currentColor; overflow: visible; }
button { min-height: 24px; }
.wide { width: 1500px; }
.cut { width: 100%; overflow-x: hidden; }
.clip { overflow-x: hidden; }
.pale { color: light-dark(#ddd, #eee); }
.dim { color: light-dark(#111, #222); }
.quiet { opacity: 0; }
.flash { background: url(missing.png); }
";

const SCRIPT: &str = "\
document.querySelector('#more').addEventListener('click', (event) => {
  document.querySelector('#said').textContent = 'pressed';
  event.target.setAttribute('aria-pressed', 'true');
});
";

const TEXTS: &str = "<svg class=\"fig\" role=\"img\" aria-label=\"Two words\">\
    <text x=\"10%\" y=\"20\" font-size=\"13\">first</text><text x=\"60%\" y=\"20\" font-size=\"13\">second</text>\
    <text x=\"10%\" y=\"20\" font-size=\"13\" class=\"quiet\">unseen</text>\
    <text font-size=\"13\" transform=\"translate(100 90) rotate(-45)\">tilted one</text>\
    <text font-size=\"13\" transform=\"translate(125 90) rotate(-45)\">tilted two</text></svg>";

fn good_page() -> String {
    page(
        "<script src=\"script.js\" defer></script>",
        &format!(
            "{TEXTS}<p id=\"said\">quiet</p><button id=\"more\" aria-pressed=\"false\">Press me please</button>\
             <details><summary>Values of this page</summary><table class=\"values\"><tr><th scope=\"col\">Metric</th></tr>\
             <tr><td data-series=\"a\" data-target=\"1.0\" data-value=\"7.2\">7.2 µs</td></tr></table></details>\
             <p><a href=\"good.html#said\">Here</a>, <a href=\"sub%20folder%23/ä%25.html\">there</a>, \
             <a href=\"https://example.org/\">far away</a></p>"
        ),
    )
}

/// One page per fault: its name, the check that must find it, and the page.
fn faulty_pages() -> Vec<(&'static str, &'static str, String)> {
    let svg = |inner: &str| {
        page(
            "",
            &format!(
                "<svg class=\"fig\" role=\"img\" aria-label=\"A figure\" font-size=\"13\">{inner}</svg>"
            ),
        )
    };
    // Without the policy, as a careless author would write it.
    let open = |body: &str| page_with("default-src * 'unsafe-inline'", "", body);
    vec![
        ("console", "console", open("<script>console.error('broken')</script>")),
        ("warning", "console", open("<script>console.warn('careful')</script>")),
        ("uncaught", "console", open("<script>null.x</script>")),
        ("policy", "console", page("", "<p style=\"color: red\">Red</p>")),
        ("outside", "requests", open("<img alt=\"A cat\" src=\"http://cats.invalid/cat.png\">")),
        ("above", "requests", open("<img alt=\"A cat\" src=\"../cat.png\">")),
        ("failed", "requests", page("", "<p class=\"flash\">No picture</p>")),
        ("sideways", "sideways", page("", "<div class=\"wide\">A wide box</div>")),
        ("clipped", "sideways", page("", "").replace("<body>", "<body class=\"clip\">")),
        ("cut", "sideways", page("", "<div class=\"cut\"><div class=\"wide\">A wide box</div></div>")),
        ("contrast", "axe", page("", "<p class=\"pale\">Pale by day</p>")),
        ("night", "axe", page("", "<p class=\"dim\">Dim by night</p>")),
        (
            "folded",
            "axe",
            page("", "<details><summary>More to read</summary><img src=\"dot.svg\"></details>"),
        ),
        ("practice", "axe", page("", "<h3>Too deep</h3>")),
        ("overlap", "overlap", svg("<text x=\"10\" y=\"20\">one</text><text x=\"20\" y=\"22\">two</text>")),
        (
            "narrow",
            "overlap",
            svg("<text x=\"20%\" y=\"20\">a word</text><text x=\"30%\" y=\"20\">another</text>"),
        ),
        ("small", "small-text", svg("<text x=\"10\" y=\"20\" font-size=\"9\">tiny</text>")),
        ("scaled", "small-text", svg("<g transform=\"scale(.7)\"><text x=\"10\" y=\"20\">shrunk</text></g>")),
        ("left", "cut-text", svg("<text x=\"-30\" y=\"20\">beyond</text>")),
        ("broken", "links", page("", "<p><a href=\"nothing.html\">Nothing</a></p>")),
        ("fragment", "links", page("", "<p><a href=\"good.html#nowhere\">Nowhere</a></p>")),
        ("folder", "links", page("", "<p><a href=\"sub%20folder%23/\">A folder</a></p>")),
        ("escape", "links", page("", "<p><a href=\"../other.html\">Out of the site</a></p>")),
        (
            "late",
            "shift",
            page("<script src=\"late.js\" defer></script>", "<p id=\"gone\">Gone</p><p>Moves up</p>"),
        ),
        (
            "shift",
            "shift",
            open(
                "<div id=\"top\"></div><p>Text that moves down</p><script>setTimeout(() => \
                 document.querySelector('#top').style.height = '200px', 60)</script>",
            ),
        ),
    ]
}

/// Writes the good page and the faulty ones into a folder whose name needs every kind of escaping.
fn write_site(below: &Path) -> std::path::PathBuf {
    let root = below.join("a site #1, 100 % größer ✓");
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("a page lies in a folder")).expect("the folder can be made");
        fs::write(path, text).expect("the page can be written");
    };
    write("style.css", STYLE);
    write("script.js", SCRIPT);
    write("late.js", "document.querySelector('#gone').remove();");
    write("dot.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>");
    write("good.html", &good_page());
    write("sub folder#/ä%.html", &page("", "<p>There</p>").replace("style.css", "../style.css"));
    for (name, _, text) in faulty_pages() {
        write(&format!("{name}.html"), &text);
    }
    root
}

#[test]
fn each_fault_is_found_and_a_good_page_has_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = write_site(folder.path());
    let report =
        run_checks(&root, json!({"pages": "all", "values": true, "axe": [[1400, "light"], [390, "dark"]]}));

    for good in ["good.html", "sub folder#/ä%.html"] {
        assert!(failed_checks(&report, good).is_empty(), "{good} has no fault:\n{}", faults(&report));
    }
    for (name, check, _) in faulty_pages() {
        let found = failed_checks(&report, &format!("{name}.html"));
        assert!(
            found.contains(check),
            "{name}.html must fail {check}, but fails {found:?}:\n{}",
            faults(&report)
        );
        // A fault in the page must not pass for a fault of the harness.
        assert!(!found.contains("harness"), "{name}.html could not be checked:\n{}", faults(&report));
    }
    let good = report["pages"].as_array().expect("pages").iter().find(|page| page["page"] == "good.html");
    let good = good.expect("good.html was checked");
    assert_eq!(good["seen"], json!({"figures": 1, "texts": 4}), "the hidden text is not counted");
    let cell = json!({
        "figure": null,
        "attributes": {"data-series": "a", "data-target": "1.0", "data-value": "7.2"}, "text": "7.2 µs"});
    assert_eq!(good["values"], json!([cell]), "values are read with JavaScript off");
}

#[test]
fn steps_act_like_a_reader_and_complain_when_things_are_not_as_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = write_site(folder.path());
    let script = |name: &str, steps: Value| json!({"name": name, "page": "good.html", "steps": steps});
    let report = run_checks(
        &root,
        json!({"scripts": [
            script("keys", json!([
                {"expectText": {"selector": "#said", "equals": "quiet"}},
                {"focus": "#more"}, {"focused": "#more"}, {"press": "Enter"},
                {"expectText": {"selector": "#said", "contains": "press"}},
                {"attr": {"selector": "#more", "name": "aria-pressed", "equals": "true"}},
                {"reload": true},
                {"attr": {"selector": "#more", "name": "aria-pressed", "equals": "false"}},
                {"click": "#more"}, {"expectText": {"selector": "#said", "equals": "pressed"}},
                {"count": {"selector": "svg text", "equals": 5}},
                {"visible": {"selector": "table", "equals": false}},
                {"hash": "#said"}, {"url": {"matches": "#said$"}},
                {"read": {"name": "cells", "selector": "td", "attr": "data-value"}},
            ])),
            {"name": "off", "page": "good.html", "javascript": false, "steps": [
                {"click": "#more"}, {"expectText": {"selector": "#said", "equals": "quiet"}}]},
            script("text", json!([{"expectText": {"selector": "#said", "equals": "loud"}}])),
            script("gone", json!([{"expectText": {"selector": "#nothing", "contains": ""}}])),
            script("attribute", json!([{"attr": {"selector": "#more", "name": "aria-pressed", "equals": "true"}}])),
            script("number", json!([{"count": {"selector": "svg", "equals": 2}}])),
            script("focus", json!([{"focused": "#more"}])),
            script("unknown", json!([{"leap": true}])),
        ]}),
    );
    let scripts = report["scripts"].as_array().expect("a report lists scripts");
    assert_eq!(scripts.len(), 8);
    for script in scripts {
        let name = script["name"].as_str().expect("a script has a name");
        let faulty = !script["faults"].as_array().expect("a script lists faults").is_empty();
        assert_eq!(faulty, !["keys", "off"].contains(&name), "{name}:\n{}", faults(&report));
    }
    assert_eq!(scripts[0]["reads"], json!({"cells": ["7.2"]}));
}
