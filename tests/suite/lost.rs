//! Evidence that is doubtful, cut or told twice: none of it is lost without a word, none is made up, and nothing of it
//! stops the rest.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{Ended, fixture, run, tree};

fn build(folder: &Path, more: &[&str]) -> Ended {
    run(folder, &[&["build", "--source", "ev", "--output", "site"], more].concat())
}

/// Writes a file below `folder`, with the folders that lead to it.
fn put(folder: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn plain() -> Value {
    serde_json::from_slice(&fs::read(fixture("catalogs/history/plain.json")).unwrap()).unwrap()
}

#[test]
fn a_wrapper_field_of_another_type_is_told_also_where_the_document_is_masked() {
    for (field, value) in [
        ("runtime", json!("julia 1.12")),
        ("release_dates", json!(["/home/bob/dates"])),
        ("release_date_kinds", json!({"1.0.0": 7})),
        ("worker_environments", json!("none")),
        ("os", json!({"at": "/home/bob/os"})),
        ("correctness", json!(["/home/bob/x"])),
        ("run_id", json!({"at": "/home/bob/run"})),
        ("started_at", json!(["/home/bob/clock"])),
    ] {
        let folder = TempDir::new().unwrap();
        let mut document = plain();
        document["scope"] = json!("see /home/bob/x.jl");
        document[field] = value;
        put(folder.path(), "ev/p.json", document.to_string());
        put(folder.path(), "sound/p.json", plain().to_string());
        put(folder.path(), "perfolio.toml", "[[source]]\npath = \"ev\"\n[[source]]\npath = \"sound\"\n");
        let ended = run(folder.path(), &["build", "--output", "site"]).expect(0);
        assert!(ended.err.contains(&format!("p.json ({field}): not ")), "{field}: {}", ended.err);
        let site = tree(&folder.path().join("site"));
        for source in ["ev", "sound"] {
            let drawn =
                |path: &&String| path.starts_with(&format!("figures/{source}/")) && path.ends_with(".svg");
            assert!(site.keys().any(|path| drawn(&path)), "{field}: {source}");
        }
        assert!(site.values().all(|bytes| !String::from_utf8_lossy(bytes).contains("/home/bob")), "{field}");
        let _ = run(folder.path(), &["build", "--strict", "--output", "strict"]).expect(1);
    }
}

/// A saved CPU profile with these rows of one frame each, and a stated total.
fn flame(rows: &[(&str, f64)], total: f64) -> Value {
    let rows: Vec<Value> = rows
        .iter()
        .map(|(label, value)| json!({"label": label, "path": [label], "depth": 1, "value": value, "status": "normal"}))
        .collect();
    json!({"plot": {"schema_version": "perfchecker-plot/1", "id": "cpu-flamegraph-0000000000000000",
        "kind": "cpu_flamegraph", "title": "t", "description": "", "encoding": {}, "data": rows,
        "options": {"package": "Widget", "feature": "sort", "selected_version": "1.0.0", "versions": ["1.0.0"],
            "unit": "samples", "total": total}}})
}

#[test]
fn weights_below_zero_are_refused_and_the_rest_is_shown() {
    let folder = TempDir::new().unwrap();
    for (path, bytes) in tree(&fixture("awkward/profiles")) {
        if path.ends_with("integrity.json") {
            continue;
        }
        let mut text = String::from_utf8(bytes).unwrap();
        if path.ends_with("observations.jsonl") {
            let spoiled = text.lines().map(|line| {
                let mut row: Value = serde_json::from_str(line).unwrap();
                if row["metric"] == "julia.cpu.samples" && row["attributes"]["version"] == "1.9.0" {
                    row["value"] = json!(-5.0);
                }
                row.to_string()
            });
            text = spoiled.collect::<Vec<_>>().join("\n");
        }
        put(folder.path(), &format!("ev/{path}"), text);
    }
    let told = build(folder.path(), &[]).expect(0).err;
    assert!(told.contains("observations.jsonl:") && told.contains("(value): -5.0 is below zero"), "{told}");
    let site = tree(&folder.path().join("site"));
    assert!(site.keys().any(|path| path.contains("wall-flamegraph") && path.ends_with(".svg")));
    let _ = run(folder.path(), &["export", "ev", "--output", "figures"]).expect(0);
}

#[test]
fn a_saved_profile_shows_the_weights_that_it_has_and_no_others() {
    for (rows, total, words, weights) in [
        (&[("a (f.jl:1)", -10.0)][..], -10.0, "(data[0].value): not a finite number of at least zero", None),
        (
            &[("a (f.jl:1)", 1e308), ("b (f.jl:2)", 1e308)],
            1e308,
            "the weights add up to more than a number can hold",
            None,
        ),
        (
            &[("a (f.jl:1)", 5.0), ("a (f.jl:1)", 5.0)],
            10.0,
            "(data[1].path): a second row of the same path; the rows of one path are added",
            Some(("sort,1.0.0,a,f.jl,10", "a (f.jl:1) 10")),
        ),
        (
            &[("a (f.jl:1)", 10.0)],
            4.0,
            "(options.total): 4.0 is less than",
            Some(("sort,1.0.0,a,f.jl,10", " 10")),
        ),
    ] {
        let folder = TempDir::new().unwrap();
        put(folder.path(), "ev/p.json", flame(rows, total).to_string());
        let told = build(folder.path(), &[]).expect(0).err;
        assert!(told.contains(words), "{words}: {told}");
        let site = tree(&folder.path().join("site"));
        let text = |ending: &str| {
            let found = site.iter().find(|(path, _)| path.ends_with(ending));
            found.map(|(_, bytes)| String::from_utf8(bytes.clone()).unwrap())
        };
        match weights {
            Some((row, stack)) => {
                assert!(text(".csv").unwrap().contains(row), "{:?}", text(".csv"));
                assert!(text(".collapsed.txt").unwrap().contains(stack), "{:?}", text(".collapsed.txt"));
            }
            None => assert!(!site.keys().any(|path| path.ends_with(".svg")), "{words}"),
        }
    }
}

#[test]
fn types_that_no_heap_can_hold_are_refused() {
    let folder = TempDir::new().unwrap();
    let half = |name: &str| json!({"type": name, "objects": 1, "shallow_bytes": 1_u64 << 63});
    put(folder.path(), "ev/heap-types.json", json!({"types": [half("A"), half("B")]}).to_string());
    let told = build(folder.path(), &[]).expect(0).err;
    assert!(told.contains("(types): the types add up to 18446744073709551616 bytes"), "{told}");
}

/// What `verify` says about the files of a folder, problem by problem.
fn verified(folder: &Path) -> String {
    run(folder, &["verify", "ev", "--verbose"]).out
}

#[test]
fn documents_that_cannot_be_read_are_told_beside_other_evidence() {
    let folder = TempDir::new().unwrap();
    let sound = plain().to_string();
    let utf16: Vec<u8> = sound.encode_utf16().flat_map(u16::to_le_bytes).collect();
    put(folder.path(), "ev/plain.json", &sound);
    for (path, bytes, words) in [
        (
            "summary.json",
            br#"{"date": "2026-03-01", "records": [{"tool": "callgrind", "avail"#.as_slice(),
            "not JSON",
        ),
        ("heap-types.json", br#"{"scope": "s", "types": [{"type": "A", "shallow_bytes": 3}, {"#, "not JSON"),
        ("catalog.json", b"{\"title\": \"x\", \"versions\": [\"1.0\"", "not JSON"),
        ("long.json", sound.as_bytes().get(..sound.len() - 9).unwrap(), "not JSON"),
        ("empty.json", b"", "the file is empty"),
        ("empty.sarif", b"", "the file is empty"),
        ("wide.json", &utf16, "the text is UTF-16"),
        ("massif-1.json", br#"{"observations": [{"time": 1, "heap_bytes": 3}]}"#, "(time_unit): missing"),
        ("a/heap-types.json", br#"{"scope": "s", "types": []}"#, "(types): no type of object"),
        ("a/catalog.json", br#"{"versions": ["1.0"], "runtime": {}}"#, "(views): missing"),
    ] {
        put(folder.path(), &format!("ev/{path}"), bytes);
        let told = verified(folder.path());
        let line = told.lines().find(|line| line.contains(path) && line.contains(words));
        assert!(line.is_some(), "{path}: {told}");
        let _ = build(folder.path(), &["--strict"]).expect(1);
        fs::remove_file(folder.path().join("ev").join(path)).unwrap();
    }
    for (path, bytes) in [
        ("README.md", b"# Results {".as_slice()),
        ("plot.png", b"\x89PNG\r\n"),
        ("data.csv", b""),
        ("package-lock.json", br#"{"lockfileVersion": 3}"#),
        ("Manifest.toml", b""),
        ("suite-result.json", b"{"),
    ] {
        put(folder.path(), &format!("ev/{path}"), bytes);
    }
    let _ = build(folder.path(), &["--strict"]).expect(0);
}

#[test]
fn documents_beyond_the_limit_are_told_and_a_catalogue_calls_them_nothing_else() {
    let folder = TempDir::new().unwrap();
    put(folder.path(), "ev/plain.json", plain().to_string());
    put(
        folder.path(),
        "ev/catalog.json",
        br#"{"versions": ["1.0"], "views": [{"id": "x", "kind": "k", "json": "plain.json"}]}"#,
    );
    put(
        folder.path(),
        "ev/a.sarif",
        format!("{{\"version\": \"2.1.0\", \"runs\": [], \"x\": \"{}\"}}", "x".repeat(7900)),
    );
    put(folder.path(), "perfolio.toml", "[limits]\ndocument_bytes = 7000\n[[source]]\npath = \"ev\"\n");
    let told = run(folder.path(), &["build", "--output", "site"]).expect(0).err;
    for path in ["plain.json", "a.sarif"] {
        assert!(
            told.lines().any(|line| line.contains(path) && line.contains("the limit of a document, 7000")),
            "{told}"
        );
    }
    assert!(!told.contains("is not a document of a figure"), "{told}");
}

#[test]
fn a_bundle_whose_documents_begin_with_a_byte_order_mark_is_read() {
    let folder = TempDir::new().unwrap();
    for (path, bytes) in tree(&fixture("oxygen/bundles")) {
        if !path.ends_with("integrity.json") {
            put(folder.path(), &format!("ev/{path}"), ["\u{feff}".as_bytes(), &bytes].concat());
        }
    }
    let marked = run(folder.path(), &["inspect", "ev", "--json"]).expect(0).json();
    let plain = run(folder.path(), &["inspect", fixture("oxygen/bundles").to_str().unwrap(), "--json"])
        .expect(0)
        .json();
    for part in ["series", "targets"] {
        let names = |report: &Value| report[part].as_array().unwrap().len();
        assert!(names(&plain) > 0 && names(&marked) == names(&plain), "{part}");
    }
    let points = |report: &Value| report["series"][0]["points"].clone();
    assert_eq!(points(&marked), points(&plain));
    assert!(!verified(folder.path()).contains("error:"));
}

#[test]
fn targets_whose_lines_could_not_be_read_are_not_called_not_run() {
    let folder = TempDir::new().unwrap();
    for (path, bytes) in tree(&fixture("oxygen/bundles")) {
        if path.ends_with("integrity.json") {
            continue;
        }
        let mut text = String::from_utf8(bytes).unwrap();
        if path.ends_with("observations.jsonl") {
            text = text.lines().fold(String::new(), |all, line| all + "{" + line + "\n");
        }
        put(folder.path(), &format!("ev/{path}"), text);
    }
    let _ = build(folder.path(), &[]).expect(0);
    let site = tree(&folder.path().join("site"));
    let pages: String = site
        .iter()
        .filter(|(path, _)| path.starts_with("gallery/") && path.ends_with(".html"))
        .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    assert!(pages.contains("no observation was read"), "{pages}");
    assert!(!pages.contains(": not run"), "{pages}");
}

#[test]
fn reports_without_results_say_what_is_missing_and_not_that_the_tool_was_stopped() {
    let network = json!({"schema_version": "perfchecker-example-network/1", "package": "Widget", "version": "1.0.0",
        "records": [{"payload_bytes": 64, "correctness": "passed", "samples": []}], "idle_control": []});
    let sarif = json!({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "lint"}},
        "externalPropertyFileReferences": {"results": [{"location": {"uri": "more.sarif"}}]}}]});
    for (path, document, words) in [
        ("latest.json", network, "no samples are recorded"),
        ("a.sarif", sarif, "its results stand in other files, which are not read"),
    ] {
        let folder = TempDir::new().unwrap();
        put(folder.path(), &format!("ev/{path}"), document.to_string());
        let told = build(folder.path(), &[]).expect(0).err;
        assert!(told.contains(path), "{path}: {told}");
        let site = tree(&folder.path().join("site"));
        let reports = site.iter().filter(|(path, _)| path.starts_with("reports/") && path.ends_with(".html"));
        let text: String = reports.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()).collect();
        assert!(text.contains(&format!(" has no result: {words}")), "{path}: {text}");
        for claim in ["was stopped", "did not reach its end"] {
            assert!(!text.contains(claim), "{path}: {claim}: {text}");
        }
    }
}

#[test]
fn keys_that_stand_twice_in_a_plot_are_told() {
    let folder = TempDir::new().unwrap();
    let text = flame(&[("a (f.jl:1)", 5.0)], 5.0).to_string();
    put(folder.path(), "ev/p.json", text.replace("\"value\":5.0", "\"value\":9.0,\"value\":5.0"));
    let told = build(folder.path(), &[]).expect(0).err;
    assert!(
        told.contains("p.json (plot.data[0].value): the key stands more than once in its object"),
        "{told}"
    );
    let _ = build(folder.path(), &["--strict"]).expect(1);
    let told = run(folder.path(), &["render", "ev/p.json", "-o", "p.svg"]).expect(0).err;
    assert!(told.contains("the key stands more than once"), "{told}");
}

#[test]
fn copies_of_reports_count_once() {
    let folder = TempDir::new().unwrap();
    let report = json!({"records": [{"tool": "jet", "status": "completed", "findings": [
        {"rule": "a", "severity": "warning", "message": "first"},
        {"rule": "b", "severity": "warning", "message": "second"}]}]})
    .to_string();
    put(folder.path(), "ev/a/later.json", &report);
    put(folder.path(), "ev/later.json", &report);
    put(folder.path(), "ev/other.json", report.replace("second", "third"));
    let report = run(folder.path(), &["inspect", "ev", "--json"]).expect(0).json();
    let paths: Vec<&str> =
        report["findings"].as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["a/later.json", "other.json"]);
    let told = verified(folder.path());
    assert!(told.contains("later.json: a copy of a/later.json; what it says counts once"), "{told}");
    let _ = build(folder.path(), &["--strict"]).expect(0);
}
