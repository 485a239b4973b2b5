//! Figures of what tools recorded: panels on the pages of reports, requests over a network by payload size.

use std::fs;

use serde_json::json;

use crate::browser::{faults, run_checks};
use crate::demo::site;

const GC: &str = "reports/oxygen/gc-diagnosis/index.html";

#[test]
fn values_are_read_by_keys_and_panels_are_switched() {
    let report = run_checks(
        site(),
        json!({"pages": [], "scripts": [{"name": "panels", "page": GC, "steps": [
            {"focus": ".figure-block .plot"},
            {"press": "Home"},
            {"expectText": {"selector": ".reading", "contains": "operation time, observation 1: 3.524"}},
            {"press": "ArrowDown"},
            {"expectText": {"selector": ".reading", "contains": "observation 2: 9.369"}},
            {"press": "End"},
            {"expectText": {"selector": ".reading", "contains": "lock conflicts, observation 5: 0."}},
            {"click": ".toggles label:nth-of-type(4) input"},
            {"focus": ".figure-block .plot"},
            {"press": "End"},
            {"expectText": {"selector": ".reading", "contains": "allocated memory, observation 5"}},
            {"press": "Escape"},
            {"expectText": {"selector": ".reading", "contains": "Point at a value"}}
        ]}]}),
    );
    assert_eq!(faults(&report), "");
}

#[test]
fn the_tenfold_latency_of_small_payloads_is_plain_to_see() {
    let html = fs::read_to_string(site().join("reports/oxygen/network/index.html")).unwrap();
    let panel = html.split("id=\"payload-64\"").nth(1).unwrap().split("id=\"payload-4096\"").next().unwrap();
    let plain = panel.replace('\u{202f}', " ");
    assert!(plain.contains(">10 ×<"), "the whole observation, counters included");
    assert!(plain.contains("20.5 ×"), "the request alone");
    for words in [
        "Request latency at twelve releases, every sample",
        "Derived throughput",
        "Bytes sent",
        "Packets received",
    ] {
        assert!(plain.contains(words), "{words}");
    }
    assert!(!html.contains("benchmarktools"), "timings in process are another experiment");
}

#[test]
fn each_report_shows_what_its_tool_recorded() {
    for (report, words) in [
        ("latency-diagnosis", "7.385\u{202f}s"),
        ("massif-1", "instrumented instructions"),
        ("heap-types", "Memory{Oxygen.Core.Types.HTTPTransaction}"),
        ("network-isolated-isolation-1-10-2", "2\u{202f}057"),
    ] {
        let html = fs::read_to_string(site().join(format!("reports/oxygen/{report}/index.html"))).unwrap();
        let figure =
            html.split("class=\"figure-block\"").nth(1).unwrap_or_else(|| panic!("{report} has no figure"));
        assert!(figure.contains(words), "{report}: {words}");
    }
    for stopped in ["memcheck-summary", "cachegrind-summary"] {
        let html = fs::read_to_string(site().join(format!("reports/oxygen/{stopped}/index.html"))).unwrap();
        assert!(!html.contains("figure-block"), "{stopped} has no result");
    }
}
