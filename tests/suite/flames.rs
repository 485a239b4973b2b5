//! Flame graphs on pages, in exports and as blocks: those of a published gallery and those of an invented run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::{faults, run_checks};
use crate::demo::{documents, site};
use crate::program::{fixture, repository, run, tree};

fn build(source: &Path) -> BTreeMap<String, Vec<u8>> {
    let folder = TempDir::new().unwrap();
    let _ = run(
        folder.path(),
        &["build".as_ref(), "--source".as_ref(), source.as_os_str(), "--output".as_ref(), "site".as_ref()],
    )
    .expect(0);
    tree(&folder.path().join("site"))
}

fn text(files: &BTreeMap<String, Vec<u8>>, wanted: impl Fn(&str) -> bool) -> String {
    let found = files.iter().find(|(path, _)| wanted(path)).unwrap_or_else(|| panic!("{:?}", files.keys()));
    String::from_utf8(found.1.clone()).unwrap()
}

fn page(site: &Path, start: &str) -> String {
    tree(site).into_keys().find(|path| path.starts_with(start) && path.ends_with("index.html")).unwrap()
}

#[test]
fn the_heap_page_has_its_profiles_beside_its_history() {
    let path = page(site(), "gallery/oxygen/heap-request");
    let html = fs::read_to_string(site().join(&path)).unwrap();
    assert!(html.contains("href=\"#latest\">Latest version</a>"));
    for words in [
        "CPU samples of heap_profile at 1.11.0",
        "Wall-time task samples of heap_wall_profile at 1.11.0",
        "20 samples, 5\u{202f}% each: shares are coarse",
        "7 samples, 14.3\u{202f}% each: shares are coarse",
        "14 frames that all samples share",
        "no mark (72)",
        "inference warning (12)",
        "runtime dispatch (1)",
        "garbage collection (1)",
        "Cost by function, 64 functions",
        "All stacks, collapsed",
        "All stacks, speedscope",
    ] {
        assert!(html.contains(words), "{words}");
    }
    assert!(!html.contains("No profile, finding or native record"));
    let other = fs::read_to_string(site().join(page(site(), "gallery/oxygen/plain"))).unwrap();
    assert!(other.contains("No profile, finding or native record") && !other.contains("Latest version"));
    assert!(!html.contains("style=") && !html.contains("onclick"), "the policy allows neither");
}

#[test]
fn flame_graphs_answer_to_keys_pointer_and_search() {
    let page = page(site(), "gallery/oxygen/heap-request");
    let block = ".figure-block:has(svg.flame)";
    let report = run_checks(
        site(),
        json!({"pages": [], "scripts": [{"name": "flame", "page": page, "steps": [
            {"hash": "#tab=latest"},
            {"reload": true},
            {"focus": format!("{block} .plot")},
            {"press": "Home"},
            {"expectText": {"selector": format!("{block} .reading"), "contains": "14 frames that all samples share"}},
            {"press": "ArrowDown"},
            {"expectText": {"selector": format!("{block} .reading"), "contains": "service.jl:17"}},
            {"expectText": {"selector": format!("{block} .reading"), "contains": "9 of 20 CPU samples (45 %)"}},
            {"press": "ArrowRight"},
            {"expectText": {"selector": format!("{block} .reading"), "contains": "service.jl:16"}},
            {"press": "ArrowUp"},
            {"expectText": {"selector": format!("{block} .reading"), "contains": "14 frames"}},
            {"press": "ArrowDown"},
            {"press": "Enter"},
            {"attr": {"selector": format!("{block} svg.flame > g:nth-of-type(2) > rect"), "name": "width", "equals": "100%"}},
            {"press": "Escape"},
            {"attr": {"selector": format!("{block} svg.flame > g:nth-of-type(2) > rect"), "name": "width", "equals": "45%"}},
            {"type": {"selector": format!("{block} input[type=search]"), "text": "json"}},
            {"expectText": {"selector": format!("{block} output"), "equals": "6 frames, 20 % of the whole"}},
            {"click": format!("{block} .flame-tools button")},
            {"expectText": {"selector": format!("{block} output"), "equals": ""}}
        ]}]}),
    );
    assert_eq!(faults(&report), "");
}

#[test]
fn all_stacks_of_a_profile_are_files_of_the_site() {
    let files = build(&fixture("awkward/profiles"));
    let stacks = text(&files, |path| path.contains("cpu-flamegraph") && path.ends_with(".collapsed.txt"));
    assert!(
        stacks.lines().any(|line| line.ends_with("#3 (Widget/src/sort.jl:40) 4"))
            || stacks.contains("merge!")
    );
    let scope = text(&files, |path| path.contains("cpu-flamegraph") && path.ends_with(".speedscope.json"));
    let scope: Value = serde_json::from_str(&scope).unwrap();
    assert_eq!(scope["$schema"], "https://www.speedscope.app/file-format-schema.json");
    assert!(!files.keys().any(|path| path.contains("flamegraph") && path.ends_with("explore.js")));
}

/// Formats §6, trap 14: a candidate is the newest target, also where its label is no version.
#[test]
fn trap_14_the_newest_target_is_that_of_the_order_of_targets() {
    let files = build(&fixture("awkward/profiles"));
    let workload = text(&files, |path| path.starts_with("gallery/profiles/sort-small"));
    assert!(workload.contains("What was recorded at feature/faster-sort, the newest target"));
    for words in ["Profiles of sort_alloc at dev@1.11.0", "Profiles of sort_cpu at 1.9.0"] {
        assert!(workload.contains(words), "{words}");
    }
    let gallery = text(&files, |path| path == "gallery/profiles/index.html");
    assert!(gallery.contains("id=\"profiles\"") && gallery.contains("sort_wall"));
}

#[test]
fn two_targets_of_a_case_are_set_against_each_other() {
    let files = build(&fixture("awkward/profiles"));
    let pages: Vec<&String> =
        files.keys().filter(|path| path.starts_with("reports/profiles/profiles/sort-cpu")).collect();
    assert_eq!(pages.len(), 2, "{pages:?}");
    let newer = text(&files, |path| path.starts_with("reports/profiles/profiles/sort-cpu-1-10-0"));
    for words in [
        "CPU samples of sort_cpu, 1.9.0 → 1.10.0",
        "Totals: 10 CPU samples at 1.9.0, 8 at 1.10.0",
        "1 function is gone (not observed at 1.10.0): merge!",
        "2 functions are new (not observed at 1.9.0): #3, [other]",
        "Change by function",
        "The same at 1.9.0",
    ] {
        assert!(newer.contains(words), "{words}");
    }
    let older = text(&files, |path| path.starts_with("reports/profiles/profiles/sort-cpu-1-9-0"));
    assert!(!older.contains("1.9.0 → 1.10.0"));
    // 1.11.0 has a total of 0 bytes: no share, so no comparison.
    let kinds =
        files.keys().filter(|path| path.contains("differential-flamegraph") && path.ends_with(".csv"));
    assert_eq!(kinds.count(), 3);
}

#[test]
fn flame_graphs_are_exported_and_listed() {
    let folder = TempDir::new().unwrap();
    let source = fixture("awkward/profiles").to_string_lossy().into_owned();
    let listed = run(folder.path(), &["export", &source, "--list", "--kind", "cpu_flamegraph"]).expect(0).out;
    assert_eq!(listed.lines().count(), 2, "{listed}");
    let _ = run(
        folder.path(),
        &[
            "export",
            &source,
            "--kind",
            "cpu_flamegraph",
            "--target",
            "1.9.0",
            "-o",
            "out",
            "--format",
            "svg,html,json,csv,png",
        ],
    )
    .expect(0);
    let files = tree(&folder.path().join("out"));
    for ending in [".svg", ".html", ".json", ".csv", ".png"] {
        assert_eq!(
            files.keys().filter(|path| path.ends_with(ending) && *path != "perfolio.json").count(),
            1,
            "{ending}"
        );
    }
    let csv = text(&files, |path| path.ends_with(".csv"));
    assert!(csv.starts_with("feature,target,function,file,self,inclusive,total,unit"), "{csv}");
    assert!(csv.contains("sort_cpu,1.9.0,copy,array.jl,5.0,5.0,10.0,1"), "{csv}");
    let svg = text(&files, |path| path.ends_with(".svg"));
    assert!(svg.contains("10 samples, 10\u{202f}% each: shares are coarse"));
    let error = run(folder.path(), &["export", &source, "--list", "--kind", "cpu_flamegraf"]).expect(2).err;
    assert!(error.contains("cpu_flamegraph"), "{error}");
}

/// A site without its originals is a source again: its flame graphs are those that it has.
#[test]
fn a_site_gives_its_flame_graphs_again() {
    let folder = TempDir::new().unwrap();
    let source = fixture("awkward/profiles");
    for (source, output) in [(source.as_os_str(), "one"), ("one".as_ref(), "two")] {
        let _ = run(
            folder.path(),
            &["build".as_ref(), "--source".as_ref(), source, "--output".as_ref(), output.as_ref()],
        )
        .expect(0);
    }
    let flames = |name: &str| -> Vec<(String, Value)> {
        let found = documents(&folder.path().join(name)).into_iter();
        found.filter(|(id, _)| id.contains("-flamegraph-") && !id.starts_with("differential")).collect()
    };
    let (one, two) = (flames("one"), flames("two"));
    assert!(one.len() > 5);
    for (id, document) in one {
        let again = two.iter().find(|(other, _)| *other == id).unwrap_or_else(|| panic!("{id} is lost"));
        assert_eq!(again.1["plot"], document["plot"], "{id}");
    }
}

#[test]
fn a_page_embeds_a_profile() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("content")).unwrap();
    let source = fixture("awkward/profiles");
    let config = format!("[[source]]\npath = {:?}\nid = \"p\"\n", source.to_string_lossy());
    fs::write(folder.path().join("perfolio.toml"), config).unwrap();
    let block = |body: &str| format!("```perfolio profile\nsource = \"p\"\n{body}\n```\n\n");
    let write = |text: String| fs::write(folder.path().join("content/index.md"), text).unwrap();
    write(
        [
            "# Page\n\n".to_owned(),
            block("feature = \"sort_cpu\"\nkind = \"cpu_flamegraph\""),
            block("feature = \"sort_cpu\"\ntarget = \"1.9.0\""),
        ]
        .concat(),
    );
    let _ = run(folder.path(), &["build", "--strict", "--output", "site"]).expect(0);
    let page = fs::read_to_string(folder.path().join("site/index.html")).unwrap();
    assert!(page.contains("CPU samples of sort_cpu at 1.10.0"), "the newest target when none is named");
    assert!(page.contains("CPU samples of sort_cpu at 1.9.0"));
    for (body, words) in [
        ("feature = \"sort_cpus\"", "sort_cpu"),
        ("feature = \"sort_cpu\"\ntarget = \"2.0.0\"", "1.10.0"),
        ("feature = \"sort_cpu\"\ntarget = \"1.9.0\"\nkind = \"wall_flamegraph\"", "cpu_flamegraph"),
        (
            "feature = \"sort_alloc\"\ntarget = \"1.10.0\"\nkind = \"allocation_flamegraph\"",
            "julia.alloc.count",
        ),
    ] {
        write(["# Page\n\n".to_owned(), block(body)].concat());
        let ended = run(folder.path(), &["build", "--strict", "--force", "--output", "site"]).expect(1);
        assert!(ended.err.contains(words), "{body}: {}", ended.err);
    }
}

/// Formats §6, traps 16, 17 and 18: paths of machines stand in sites and labels; what is published has none of them.
#[test]
fn trap_17_labels_and_paths_of_a_flame_graph_are_masked_alike() {
    let folder = TempDir::new().unwrap();
    let label = "run (C:\\Users\\Zoe\\dev\\app\\main.jl:7)";
    let row = |path: Vec<&str>, value: f64| {
        json!({"label": path[path.len() - 1], "path": path, "depth": path.len(),
        "x0": 0.0, "x1": value / 4.0, "value": value, "percentage": value * 25.0, "status": "normal"})
    };
    let plot = json!({"plot": {"schema_version": "perfchecker-plot/1", "id": "cpu-flamegraph-x", "kind": "cpu_flamegraph",
        "title": "t", "description": "", "encoding": {}, "data": [row(vec![label], 4.0),
            row(vec![label, "f (.\\boot.jl:477)"], 3.0)],
        "options": {"package": "W", "feature": "f", "unit": "samples", "versions": ["1.0.0"],
            "selected_version": "1.0.0", "top": 40, "total": 4.0, "value_label": "CPU samples"}}});
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(folder.path().join("in/plot.json"), plot.to_string()).unwrap();
    let files = build(&folder.path().join("in"));
    for (path, bytes) in files.iter().filter(|(path, _)| !path.starts_with("assets/")) {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains("Zoe"), "{path}");
    }
    let html = text(&files, |path| path.contains("cpu-flamegraph") && path.ends_with(".html"));
    // Relative forms stay, as PerfChecker's own redaction leaves them.
    assert!(html.contains("boot.jl:477") && html.contains("3 of 4 CPU samples"));
    let _ = run(folder.path(), &["render", "in/plot.json", "-o", "again.html"]).expect(0);
    assert!(!fs::read_to_string(folder.path().join("again.html")).unwrap().contains("Zoe"));
}

#[test]
fn hidden_targets_have_no_profiles() {
    let folder = TempDir::new().unwrap();
    let source = fixture("awkward/profiles");
    let config = format!(
        "[[source]]\npath = {:?}\n[[target]]\nlabel = \"1.9.0\"\nhidden = true\n",
        source.to_string_lossy()
    );
    fs::write(folder.path().join("perfolio.toml"), config).unwrap();
    let _ = run(folder.path(), &["build", "--output", "site"]).expect(0);
    let files = tree(&folder.path().join("site"));
    assert!(!files.keys().any(|path| path.contains("1-9-0")), "{:?}", files.keys());
    assert!(!files.keys().any(|path| path.contains("differential")));
}

#[test]
fn the_picture_of_a_flame_graph_has_its_patterns() {
    let folder = TempDir::new().unwrap();
    let plots = tree(&fixture("oxygen/profiles"));
    let name = plots.keys().find(|path| path.starts_with("cpu-flamegraph")).unwrap();
    let input = repository().join("fixtures/oxygen/profiles").join(name);
    let _ = run(folder.path(), &["render".as_ref(), input.as_os_str(), "-o".as_ref(), "x.svg".as_ref()])
        .expect(0);
    let svg = fs::read_to_string(folder.path().join("x.svg")).unwrap();
    for pattern in ["pi", "pr", "pg"] {
        assert!(
            svg.contains(&format!("<pattern id=\"{pattern}\"")) && svg.contains(&format!("url(#{pattern})"))
        );
    }
    assert!(svg.contains("prefers-color-scheme:dark") && !svg.contains("<script"));
}
