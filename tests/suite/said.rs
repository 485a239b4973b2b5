//! The pages of reports: what tools said, with status, scope and what is missing. The traps are those of the format's
//! list (§6), by number.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::browser::{faults, run_checks};
use crate::demo;
use crate::program::{fixture, repository, run};

/// A site of the invented reports, built once.
fn invented() -> &'static Path {
    static SITE: OnceLock<TempDir> = OnceLock::new();
    SITE.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("site");
        let source = fixture("invented");
        let built = run(
            repository(),
            &["build", "--source", source.to_str().unwrap(), "--output", out.to_str().unwrap()],
        );
        let _ = built.expect(0);
        folder
    })
    .path()
}

/// A page of a site, as markup.
fn page(site: &Path, path: &str) -> String {
    fs::read_to_string(site.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The text of a page: without tags, with entities resolved, white space made single.
fn text(html: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for symbol in html[html.find("<main").unwrap()..].chars() {
        match symbol {
            '<' => inside = true,
            '>' => {
                inside = false;
                out.push(' ');
            }
            symbol if !inside => out.push(symbol),
            _ => {}
        }
    }
    let out = out.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    out.replace("&amp;", "&").replace('\u{202f}', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn oxygen(name: &str) -> String {
    text(&page(demo::site(), &format!("reports/oxygen/{name}/index.html")))
}

fn made_up(name: &str) -> String {
    text(&page(&invented().join("site"), &format!("reports/invented/{name}/index.html")))
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "“{part}” is not in: {text}");
    }
}

#[test]
fn the_list_says_what_each_tool_said_and_leads_to_it() {
    let html = page(demo::site(), "reports/oxygen/index.html");
    let said = text(&html);
    has(
        &said,
        &[
            "32 reports of 18 tools; 2 ran out of time and 2 were not run. 121 findings in all.",
            "JET 0.12.1 complete oracle passed 54 findings",
            "AllocCheck 0.2.6 complete oracle passed 65 findings",
            "SnoopCompile 3.2.9 complete oracle passed 1 finding; type inference 1.055 s",
            "loading 7.385 s; first lifecycle 1.039 s; warm lifecycle 4.128 ms",
            "Aqua 0.8.16 complete oracle not checked, quality failed",
            "57 snapshots; peak heap 98.66 MiB",
            "Memcheck ran out of time recorded as time budget exceeded oracle not confirmed no result",
            "Cachegrind ran out of time recorded as time budget exceeded oracle not confirmed no result",
            "perf not run recorded as not installed",
            "VTune not run recorded as not installed",
            "None of them records target, revision of the sources, dependency manifest",
            "so none is attributed to a release",
            "verified requests 120; packets sent 2 057; packets received 2 075",
        ],
    );
    for name in ["jet-diagnosis", "massif-1", "memcheck-summary", "network"] {
        assert!(html.contains(&format!("href=\"{name}/index.html\"")), "{name}");
    }
    for (from, link) in [
        ("gallery/oxygen/index.html", "../../reports/oxygen/index.html"),
        ("index.html", "reports/oxygen/index.html"),
    ] {
        assert!(page(demo::site(), from).contains(&format!("href=\"{link}\"")), "{from}");
    }
    has(&text(&page(demo::site(), "gallery/oxygen/index.html")), &["32 reports of 18 tools"]);
}

/// Trap 22: a tool that ran out of time has no result although its exit code is 0, and one that never ran has no
/// status at all.
#[test]
fn trap_22_stopped_and_absent_tools_show_no_result() {
    for tool in ["memcheck-summary", "cachegrind-summary"] {
        let said = oxygen(tool);
        has(
            &said,
            &[
                "ran out of time and has no result",
                "recorded as “time_budget_exceeded”",
                "no result, whatever its exit code",
                "180-second budget followed by SIGTERM",
                "not confirmed",
            ],
        );
        assert!(!said.contains("Numbers"), "{tool} shows numbers");
    }
    for tool in ["perf-summary", "vtune-summary"] {
        has(&oxygen(tool), &["was not run", "recorded as “not_installed”", "there is no result"]);
    }
    // The massif file of a stopped tool is no result either, and says how much is kept out.
    let stopped: Vec<String> = ["massif-1", "massif-1-ea07a8b5"].map(made_up).to_vec();
    let said = stopped.iter().find(|said| said.contains("ran out of time")).expect("one of them was stopped");
    has(said, &["recorded values are kept out"]);
    assert!(!said.contains("Every snapshot"));
}

/// Trap 11: `passed` of a wrapper is a constant. What a report says of its oracle is told in its own words, and a
/// comparison that was not made is not a pass.
#[test]
fn trap_11_an_oracle_and_a_comparison_are_told_apart() {
    has(&oxygen("aqua-additional"), &["No oracle was asked.", "performance not_compared"]);
    has(&oxygen("jet-diagnosis"), &["The oracle passed."]);
}

#[test]
fn findings_stand_by_rule_and_file_and_open_to_their_call_path() {
    let jet = oxygen("jet-diagnosis");
    has(
        &jet,
        &[
            "JET 0.12.1 completed: 54 findings.",
            "It names no target, so it is attributed to no release.",
            "It is not a measured slowdown",
            "inference.runtime_dispatch 54 findings in 8 files",
            "show.jl 23",
            "line 396",
            "Base.axes1(A::AbstractVector)::Any",
            "No call path was recorded for this finding.",
            "operation specialized for prepared state type; synchronization excluded",
            "Not recorded: target, revision of the sources, dependency manifest, operating system and date.",
        ],
    );
    let sites = oxygen("alloccheck-diagnosis");
    has(
        &sites,
        &[
            "65 findings",
            "5 of 65 have a recorded call path",
            "Allocation of Vector{Any} in .\\boot.jl:649",
            "Array @ .\\boot.jl:649 [inlined]",
            "internalrequest",
            "not a universal allocation guarantee",
        ],
    );
    let csv = page(demo::site(), "reports/oxygen/alloccheck-diagnosis/findings.csv");
    assert_eq!(csv.lines().filter(|line| line.contains("allocation.potential")).count(), 65);
    has(
        &oxygen("snoopcompile-diagnosis"),
        &["type inference", "1.055 s", "first complete scenario lifecycle"],
    );
}

#[test]
fn output_of_a_tool_is_text_word_for_word() {
    let html = page(demo::site(), "reports/oxygen/aqua-additional/index.html");
    assert!(html.contains("1 ambiguities found. To get a list, set `broken = false`.\nAmbiguity #1\nrecursive_merge(x::AbstractDict...) @ Oxygen.Core.Util &lt;local-source&gt;\n"));
    has(
        &text(&html),
        &["Its quality check failed: that is about the package", "What it suggests was not applied here."],
    );
}

#[test]
fn runtime_records_keep_unit_and_scope() {
    has(
        &oxygen("latency-diagnosis"),
        &["loading load_seconds 7.385 s 7.3849228 s recorded", "4.128 ms 0.0041275 s recorded"],
    );
    has(
        &oxygen("gc-diagnosis"),
        &[
            "5 observations",
            "allocated, B allocated_bytes 1 597 544",
            "pause, unit not recorded",
            "zero collection time does not make them free",
        ],
    );
    has(&oxygen("locks-diagnosis"), &["lock conflicts 0", "How long anybody waited was not measured."]);
    has(
        &oxygen("memory-diagnosis"),
        &["native libraries included", "is not a leak", "windows-psapi", "27 856"],
    );
    has(
        &oxygen("heap-types"),
        &["30 types", "only the 30 largest", "their sum is not what would be freed", "96 000 072"],
    );
    has(
        &oxygen("heap-additional"),
        &["d610b8f57268671baf6b3dcfbc4a636b97be650df906b1d716c17a4036ebe625", "255 153 202 B", "redacted"],
    );
}

#[test]
fn massif_counts_instructions_of_one_process() {
    has(
        &oxygen("massif-1"),
        &[
            "57 snapshots",
            "instrumented instructions. That is not time in seconds.",
            "never joined",
            "peak heap peak_heap_bytes 98.66 MiB 103 454 537 B derived",
        ],
    );
    has(
        &oxygen("callgrind-summary"),
        &["22 215 451 instructions", "startup excluded", "size 512", "repetitions 3"],
    );
    // Two processes, two pages.
    assert_ne!(made_up("massif-1"), made_up("massif-2"));
}

/// Trap 25: `versions` of a history are whole measurements here. And one that stands in two documents comes once.
#[test]
fn trap_25_network_of_all_targets_stands_side_by_side() {
    let html = page(demo::site(), "reports/oxygen/network/index.html");
    let said = text(&html);
    has(
        &said,
        &[
            "Oxygen on Linux : 1.7.0 to 1.11.0, 12 targets, 30 requests at each payload size.",
            "Largest step of the median round trip: 1.10.2 → 1.11.0 , 62.08 µs → 1.275 ms, 20.5 × .",
            "The HTTP library changed in the same step, 1.11.0 → 2.6.7",
            "1.7.0 1.11.0 30, passed",
            "throughput, median, derived",
            "Sent and received are two directions and are never added.",
            "Idle control windows",
            "Do not sum these as physical wire traffic.",
            "1.10.2 1.11.0 passed 120 2 057 2 075 69 465 109 B 69 466 045 B",
            "They are not divided into requests, and no latency follows from them.",
            "no figure and no table sets them beside timings that were taken in process",
        ],
    );
    for size in ["payload-64", "payload-4096", "payload-65536", "payload-1048576"] {
        let panel = &html[html.find(&format!("id=\"{size}\"")).unwrap()..];
        // The tables of figures stand before that of the section.
        let panel = &panel[panel.find("report-table").unwrap()..];
        let panel = &panel[..panel.find("</table>").unwrap()];
        assert_eq!(panel.matches("<tr>").count(), 1 + 12, "{size}: a head and twelve targets");
    }
    // In-process timings were taken on Windows; no table of this page knows them.
    assert!(!said.contains("Windows, x86_64") && !said.contains("plain_benchmark"));
}

#[test]
fn reports_without_a_known_order_call_nothing_new_or_fixed() {
    let pages = ["cleanfinder-analyzer", "slowfinder-analyzer", "race-finder-earlier"].map(made_up);
    has(&pages[0], &["No findings", "That says nothing about any other code."]);
    has(&pages[1], &["Baseline", "Suppressed", "Recorded call path"]);
    has(&pages[2], &["race-finder"]);
}

#[test]
fn texts_of_strangers_are_never_markup_in_reports() {
    let site = invented().join("site");
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for entry in fs::read_dir(site.join("reports/invented")).unwrap() {
        let path = entry.unwrap().path().join("index.html");
        if path.is_file() {
            names.insert(path.display().to_string(), fs::read_to_string(path).unwrap());
        }
    }
    assert!(names.len() > 40);
    for (name, html) in names {
        assert!(!html.contains("<script>alert"), "{name}");
        assert!(!html.contains("/home/") && !html.contains("C:/Users"), "{name} names a person");
        assert!(html.chars().all(|symbol| symbol == '\n' || !symbol.is_control()), "{name}");
    }
}

#[test]
fn pages_of_reports_pass_every_browser_check() {
    let site = invented().join("site");
    let report = run_checks(
        &site,
        serde_json::json!({
            "pages": [
                "reports/invented/index.html", "reports/invented/network/index.html",
                "reports/invented/slowfinder-analyzer/index.html", "reports/invented/jet-later/index.html",
                "reports/invented/massif-2/index.html",
            ],
            "fragments": "^(tab|case)=",
            "scripts": [{
                "name": "search among findings",
                "page": "reports/invented/slowfinder-analyzer/index.html",
                "steps": [
                    {"type": {"selector": ".search-findings", "text": "review"}},
                    {"expectText": {"selector": ".found-findings", "contains": "1 of"}},
                ],
            }],
        }),
    );
    assert_eq!(faults(&report), "");
}
