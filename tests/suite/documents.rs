//! Published galleries and saved plots as sources: what they hold is shown as it was written, and a gallery made
//! of its own figures is the gallery that they came from.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{Ended, fixture, run, tree};

/// Copies a gallery of the fixtures into `folder`.
fn copy(name: &str, folder: &Path) -> PathBuf {
    let root = folder.join(name);
    fs::create_dir_all(&root).unwrap();
    for (path, bytes) in tree(&fixture("catalogs").join(name)) {
        fs::write(root.join(path), bytes).unwrap();
    }
    root
}

fn inspect(folder: &Path, source: &str) -> Value {
    run(folder, &["inspect", source, "--json"]).expect(0).json()
}

fn build(folder: &Path, source: &str, output: &str) -> Ended {
    run(folder, &["build", "--source", source, "--output", output])
}

fn page(site: &BTreeMap<String, Vec<u8>>, path: &str) -> String {
    String::from_utf8(site.get(path).unwrap_or_else(|| panic!("{path} in {:?}", site.keys())).clone())
        .unwrap()
}

/// The page of a workload whose path begins so below its gallery.
fn workload(site: &BTreeMap<String, Vec<u8>>, start: &str) -> String {
    let path = site.keys().find(|path| path.starts_with(&format!("gallery/{start}"))).unwrap();
    page(site, path)
}

/// Places and messages of the problems of one severity.
fn problems(report: &Value, severity: &str) -> Vec<String> {
    let of = |one: &&Value| one["severity"] == severity;
    let text = |one: &Value| {
        let field = one["field"].as_str().unwrap_or_default();
        format!("{} ({field}): {}", one["path"].as_str().unwrap(), one["message"].as_str().unwrap())
    };
    report["problems"].as_array().unwrap().iter().filter(of).map(text).collect()
}

fn edit(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut value: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut value);
    fs::write(path, serde_json::to_vec_pretty(&value).unwrap()).unwrap();
}

/// The document of a gallery whose file name begins with a kind.
fn named(root: &Path, start: &str) -> PathBuf {
    let mut all: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all.retain(|path| path.file_name().unwrap().to_string_lossy().starts_with(start));
    all.into_iter().next().unwrap_or_else(|| panic!("{start} in {}", root.display()))
}

/// Trap 24 of the format's list (§6): plots that were skipped, views without kind, page or windows.
#[test]
fn every_form_of_a_catalogue_builds_and_holds_no_problem() {
    let folder = TempDir::new().unwrap();
    for (name, format_files, series) in [
        ("gallery-newer", 1, 12),
        ("gallery-older", 1, 12),
        ("history", 1, 4),
        ("collectors", 2, 0),
        ("invented-g1", 1, 4),
        ("invented-g2", 1, 4),
    ] {
        let source = copy(name, folder.path()).to_string_lossy().into_owned();
        let _ = run(folder.path(), &["verify", &source]).expect(0);
        let report = inspect(folder.path(), &source);
        let files = report["sources"][0]["files"].as_array().unwrap();
        let catalogs = files.iter().filter(|file| file["format"] == "perfchecker-catalog").count();
        assert_eq!(catalogs, format_files, "{name}: {files:?}");
        assert!(files.iter().all(|file| file["status"] == "complete"), "{name}: {files:?}");
        assert_eq!(report["series"].as_array().unwrap().len(), series, "{name}");
        let _ = build(folder.path(), &source, &format!("site-{name}")).expect(0);
        let site = tree(&folder.path().join(format!("site-{name}")));
        let text = page(&site, &format!("gallery/{name}/index.html"));
        assert!(text.contains("unverified, no samples"), "{name}");
        // What was saved is what is given out, byte by byte.
        for (path, bytes) in tree(&fixture("catalogs").join(name)) {
            let saved: Value = serde_json::from_slice(&bytes).unwrap();
            if saved["plot"]["id"].is_string() || saved["kind"].is_string() {
                let same = site.iter().any(|(out, given)| out.starts_with("figures/") && *given == bytes);
                assert!(same, "{name}/{path} is not among the files of the site");
            }
        }
    }
}

#[test]
fn the_values_of_a_published_gallery_are_the_published_ones() {
    let folder = TempDir::new().unwrap();
    let source = fixture("catalogs/gallery-newer").to_string_lossy().into_owned();
    let report = inspect(folder.path(), &source);
    let mut seen = 0;
    for table in ["features.csv", "routes.csv"] {
        let text = fs::read_to_string(fixture("published/oxygen").join(table)).unwrap();
        let mut lines = text.lines();
        let head: Vec<&str> = lines.next().unwrap().split(',').collect();
        for line in lines {
            let row: BTreeMap<&str, &str> = head.iter().copied().zip(line.split(',')).collect();
            let series = report["series"].as_array().unwrap().iter().find(|series| {
                ["feature", "metric", "collector", "workload", "unit"]
                    .iter()
                    .all(|key| series[*key] == row[*key])
            });
            let Some(series) = series else { continue };
            let point =
                series["points"].as_array().unwrap().iter().find(|point| point["target"] == row["version"]);
            let point = point.unwrap();
            for (key, column) in
                [("value", "value"), ("ratio", "ratio"), ("reference_value", "reference_value")]
            {
                let bits = row[column].parse::<f64>().unwrap().to_bits();
                assert_eq!(point[key].as_f64().unwrap().to_bits(), bits, "{key}: {line}");
            }
            assert_eq!(point["status"], row["normalization_status"], "{line}");
            assert_eq!(point["samples"].to_string(), row["samples"], "{line}");
            assert_eq!(point["statistic"], row["statistic"], "{line}");
            assert!(point["run_id"].is_string(), "{line}");
            seen += 1;
        }
    }
    assert_eq!(seen, 3 * 4 * 14);
    let dates = report["targets"].as_array().unwrap().iter().all(|target| target["date"].is_string());
    assert!(dates, "{}", report["targets"]);
    assert!(report["runs"].as_array().unwrap().iter().all(|run| run["integrity"] == "unverified"));
}

#[test]
fn windows_dependencies_and_other_kinds_stand_on_their_workload_pages() {
    let folder = TempDir::new().unwrap();
    let source = copy("gallery-newer", folder.path()).to_string_lossy().into_owned();
    let _ = build(folder.path(), &source, "site").expect(0);
    let site = tree(&folder.path().join("site"));
    let text = workload(&site, "gallery-newer/plain-http");
    for part in
        ["1.10 patches", "HTTP 1.11.0 → 2.6.7", "Ratios keep the reference", "shown as they were written"]
    {
        assert!(text.contains(part), "{part}");
    }
    for kind in ["version_series", "distribution", "version_delta", "time_allocation_tradeoff"] {
        let id = named(Path::new(&source), &kind.replace('_', "-"));
        let id = id.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(text.contains(&id), "{kind}: drawn or listed");
    }
    // Two collectors of one workload share a page and never a figure.
    let heap = site.keys().find(|path| path.contains("heap") && path.starts_with("gallery/")).unwrap();
    let text = page(&site, heap);
    assert!(text.contains("benchmarktools") && text.contains("chairmarks"), "{heap}");

    let source = copy("history", folder.path()).to_string_lossy().into_owned();
    let report = inspect(folder.path(), &source);
    let first = &report["series"][0]["points"][0];
    assert_eq!((&first["target"], &first["reason"]), (&json!("1.0.0"), &json!("not defined for 1.0.0")));
    assert_eq!((&first["value"], &first["samples"]), (&Value::Null, &json!(0)));

    let source = copy("invented-g2", folder.path()).to_string_lossy().into_owned();
    let _ = build(folder.path(), &source, "invented").expect(0);
    let site = tree(&folder.path().join("invented"));
    let all: String = site
        .iter()
        .filter(|(path, _)| path.starts_with("gallery/invented-g2/"))
        .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    for kind in ["allocation_pie", "cpu_flamegraph"] {
        assert!(all.contains(kind) || all.contains(&kind.replace('_', "-")), "{kind}");
    }
}

#[test]
fn converted_values_are_shown_as_such_and_never_as_plots() {
    let folder = TempDir::new().unwrap();
    let source = copy("collectors", folder.path()).to_string_lossy().into_owned();
    let report = inspect(folder.path(), &source);
    let records = report["records"].as_array().unwrap();
    assert_eq!(records.len(), 2);
    let wall = &records[1]["numbers"][0];
    assert_eq!((&wall["name"], &wall["unit"]), (&json!("julia.wall.time"), &json!("µs")));
    assert_eq!(records[1]["target"], "1.11.0");
    let _ = build(folder.path(), &source, "site").expect(0);
    let site = tree(&folder.path().join("site"));
    let text = page(&site, "gallery/collectors/index.html");
    for part in ["Collectors compared: heap route", "converted them already", "julia.wall.time in s, scaled"]
    {
        assert!(text.contains(part), "{part}");
    }
    assert!(!site.keys().any(|path| path.starts_with("figures/")), "{:?}", site.keys());
}

#[test]
fn missing_extra_and_unreadable_files_are_told_and_the_rest_is_shown() {
    let folder = TempDir::new().unwrap();
    let root = copy("gallery-newer", folder.path());
    let source = root.to_string_lossy().into_owned();
    fs::remove_file(named(&root, "version-delta")).unwrap();
    fs::write(named(&root, "distribution"), b"{\"plot\": {\"schema_version\": \"perfchecker-plot/1\"")
        .unwrap();
    fs::write(named(&root, "time-allocation"), b"{\"other\": 1}").unwrap();
    let other = fixture("catalogs/history/plain.json");
    fs::copy(other, root.join("extra.json")).unwrap();
    let report = inspect(folder.path(), &source);
    let errors = problems(&report, "error").join("\n");
    for part in [
        "views[3].json): \"version-delta-",
        "is named here and is not there",
        "views[4].json",
        "is not a document of a figure",
    ] {
        assert!(errors.contains(part), "{part}:\n{errors}");
    }
    let warnings = problems(&report, "warning").join("\n");
    assert!(warnings.contains("was refused, so the figure is not shown"), "{warnings}");
    let notes = problems(&report, "note").join("\n");
    assert!(
        notes.contains("1 document beside the catalogue is not named by it") && notes.contains("extra.json"),
        "{notes}"
    );
    let _ = build(folder.path(), &source, "site").expect(0);
    assert!(workload(&tree(&folder.path().join("site")), "gallery-newer/plain-http").contains("<svg"));

    // A catalogue alone says once what it lacks.
    let alone = root.join("catalog.json").to_string_lossy().into_owned();
    let errors = problems(&inspect(folder.path(), &alone), "error");
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("none of the 10 documents that the catalogue names is there"), "{errors:?}");
    fs::write(root.join("catalog.json"), b"{\"views\": [").unwrap();
    let errors = problems(&inspect(folder.path(), &source), "error").join("\n");
    assert!(errors.contains("the catalogue is not a JSON object"), "{errors}");
    let _ = build(folder.path(), &source, "site").expect(0);
}

#[test]
fn contradictions_are_told_with_both_numbers_and_the_documents_values_stand() {
    let folder = TempDir::new().unwrap();
    let root = copy("gallery-newer", folder.path());
    let source = root.to_string_lossy().into_owned();
    let catalog: Value = serde_json::from_slice(&fs::read(root.join("catalog.json")).unwrap()).unwrap();
    let main = root.join(catalog["views"][0]["json"].as_str().unwrap());
    let window = root.join(catalog["views"][0]["patch_windows"][0]["json"].as_str().unwrap());
    edit(&main, |document| document["plot"]["data"][0]["ratio"] = json!(9.5));
    edit(&window, |document| document["plot"]["data"][0]["value"] = json!(1.5));
    edit(&named(&root, "version-series"), |document| document["plot"]["data"][2]["samples"] = json!(7));
    let heap = root.join(catalog["views"][5]["json"].as_str().unwrap());
    edit(&heap, |document| {
        for row in document["plot"]["data"].as_array_mut().unwrap() {
            if row["metric"] == "julia.wall.time" {
                row["reference_value"] = json!(2.0);
                row["ratio"] = json!(row["value"].as_f64().unwrap() / 2.0);
            }
        }
    });
    edit(&root.join("catalog.json"), |catalog| catalog["views"][0]["kind"] = json!("allocation_pie"));
    let report = inspect(folder.path(), &source);
    let found = problems(&report, "warning").join("\n");
    for part in [
        "the ratio 9.5 is not 5600.0 / 3800.0",
        "data[0].value): value of julia.wall.time at 1.10.0 is 1.5 here and 7300.0 in",
        "samples of julia.wall.time at 1.2.0 are 7 here and 30 in",
        "the reference of julia.wall.time is 2.0, but its minimum in this document is 1420400.0",
        "the catalogue says \"allocation_pie\", its document \"normalized_metrics\"; the document counts",
    ] {
        assert!(found.contains(part), "{part}:\n{found}");
    }
    let series = report["series"].as_array().unwrap();
    let plain = series.iter().find(|one| one["feature"] == "plain_benchmark").unwrap();
    assert_eq!(plain["points"][0]["ratio"], json!(9.5));
    let _ = build(folder.path(), &source, "site").expect(0);
    let site = tree(&folder.path().join("site"));
    let text = workload(&site, "gallery-newer/plain-http");
    assert!(text.contains("9.50") || text.contains("9.5"), "the written ratio is shown");
}

#[test]
fn hostile_catalogues_lead_nowhere_and_break_no_page() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("secret.json"), fs::read(fixture("catalogs/history/plain.json")).unwrap())
        .unwrap();
    let root = copy("history", folder.path());
    let hostile = "<script>alert(1)</script>\u{202e}";
    edit(&root.join("catalog.json"), |catalog| {
        let views = catalog["views"].as_array_mut().unwrap();
        for path in
            ["../secret.json", "/etc/passwd", "C:\\secret.json", "..\\secret.json", "a/../../secret.json", ""]
        {
            views.push(json!({"id": "x", "kind": "k", "evidence": path}));
        }
        views.push(json!({"id": hostile, "label": hostile, "tags": [hostile], "evidence": "plain.json"}));
        views.push(json!({"id": 1, "evidence": [1], "patch_windows": 7}));
        catalog["skipped"] = json!([{"id": hostile, "reason": hostile}]);
        catalog["availability"][0]["reason"] = json!(hostile);
    });
    edit(&root.join("plain.json"), |document| document["plot"]["title"] = json!(hostile));
    let source = root.to_string_lossy().into_owned();
    let report = inspect(folder.path(), &source);
    let errors = problems(&report, "error");
    let refused = errors.iter().filter(|text| text.contains("does not lie below the catalogue")).count();
    assert_eq!(refused, 5, "{errors:?}");
    assert_eq!(report["series"].as_array().unwrap().len(), 4, "its siblings are still shown");
    let _ = build(folder.path(), &source, "site").expect(0);
    for (path, bytes) in tree(&folder.path().join("site")) {
        if path.ends_with(".html") || path.ends_with(".svg") {
            assert!(!String::from_utf8_lossy(&bytes).contains("<script>alert"), "{path}");
        }
    }
}

/// The report with its source called alike, and without what samples alone can give.
fn series_of(folder: &Path, source: &str) -> (Value, Value) {
    let mut report = inspect(folder, source);
    for part in ["series", "targets"] {
        for one in report[part].as_array_mut().unwrap() {
            one["source"] = Value::Null;
        }
    }
    (report["series"].take(), report["targets"].take())
}

#[test]
fn a_gallery_of_its_own_documents_is_the_gallery_of_its_bundles() {
    let folder = TempDir::new().unwrap();
    for name in ["oxygen", "awkward/shapes"] {
        let bundles = fixture(name).to_string_lossy().into_owned();
        let site_of = |output: &str| {
            let mut files = tree(&folder.path().join(output));
            files.retain(|path, _| path.starts_with("figures/"));
            files
                .into_iter()
                .map(|(path, bytes)| (path.rsplit('/').next().unwrap().to_owned(), bytes))
                .collect::<BTreeMap<_, _>>()
        };
        let first = format!("first-{}", name.replace('/', "-"));
        let _ = build(folder.path(), &bundles, &first).expect(0);
        let _ = build(folder.path(), &first, "second").expect(0);
        let (a, b) = (site_of(&first), site_of("second"));
        assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>(), "{name}");
        for (path, bytes) in &a {
            assert_eq!(b[path], *bytes, "{name}: {path}");
        }
        let id = name.rsplit('/').next().unwrap();
        let cards = |output: &str, source: &str| {
            let text = page(&tree(&folder.path().join(output)), &format!("gallery/{source}/index.html"));
            let start = text.find("id=\"overview\"").unwrap();
            let mut text = text[start..text.find("id=\"runs\"").unwrap()].replace(source, "it");
            // Reports of tools are in the bundles' folder and not among the documents; their figures stand apart.
            for part in ["<h2 id=\"reports\">", "<h2 id=\"saved\">Other saved figures"] {
                let Some(at) = text.find(part) else { continue };
                let end = at + text[at..].find("</section>").unwrap();
                text.replace_range(text[..at].rfind("<section>").unwrap()..end + "</section>\n".len(), "");
            }
            text.replace("\n\n", "\n")
        };
        if name == "oxygen" {
            assert_eq!(cards(&first, id), cards("second", &first), "{name}");
            let (series, targets) = series_of(folder.path(), &bundles);
            assert_eq!((series, targets), series_of(folder.path(), &first), "{name}");
        }
        fs::remove_dir_all(folder.path().join("second")).unwrap();
    }
}

#[test]
fn every_document_of_a_site_is_drawn_again_with_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    let source = copy("gallery-newer", folder.path()).to_string_lossy().into_owned();
    let _ = build(folder.path(), &source, "site").expect(0);
    let site = tree(&folder.path().join("site"));
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for (path, svg) in site.iter().filter(|(path, _)| path.starts_with("figures/") && path.ends_with(".svg"))
    {
        let document = path.replace(".svg", ".json");
        if document.ends_with("-by-date.json") || !site.contains_key(&document) {
            continue;
        }
        let value: Value = serde_json::from_slice(&site[&document]).unwrap();
        *kinds.entry(value["plot"]["kind"].as_str().unwrap().to_owned()).or_default() += 1;
        let saved = format!("site/{document}");
        let _ = run(folder.path(), &["render", &saved, "-o", "again.svg"]).expect(0);
        assert!(fs::read(folder.path().join("again.svg")).unwrap() == *svg, "{path}");
        fs::remove_file(folder.path().join("again.svg")).unwrap();
    }
    assert!(kinds["normalized_metrics"] == 6 && kinds["version_series"] == 1, "{kinds:?}");
}

#[test]
fn bundles_win_over_documents_of_the_same_figures() {
    let folder = TempDir::new().unwrap();
    let bundles = fixture("oxygen/bundles");
    let mixed = folder.path().join("mixed");
    let first = fs::read_dir(&bundles).unwrap().map(|entry| entry.unwrap().path()).min().unwrap();
    for (path, bytes) in tree(&first) {
        let to = mixed.join("run").join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    }
    let _ = build(folder.path(), "mixed", "site").expect(0);
    for (path, bytes) in tree(&folder.path().join("site/figures/mixed")) {
        if path.ends_with(".json") {
            fs::create_dir_all(mixed.join("saved")).unwrap();
            fs::write(mixed.join("saved").join(path), bytes).unwrap();
        }
    }
    let extra: Value =
        serde_json::from_slice(&fs::read(fixture("catalogs/history/plain.json")).unwrap()).unwrap();
    fs::write(mixed.join("saved/plain.json"), extra.to_string()).unwrap();
    let before = tree(&folder.path().join("site")).keys().filter(|path| path.ends_with(".svg")).count();
    let _ = build(folder.path(), "mixed", "site").expect(0);
    let site = tree(&folder.path().join("site"));
    let after = site.keys().filter(|path| path.ends_with(".svg")).count();
    assert!(after > before && after <= before + 2, "one figure is new, none is doubled: {before}, {after}");
    let text = page(&site, "gallery/mixed/index.html");
    assert!(text.contains("give the figure again") && text.contains("Saved figures"), "{text}");
    let report = inspect(folder.path(), "mixed");
    let series = report["series"].as_array().unwrap();
    assert_eq!(series.len(), 8);
    let run = report["runs"].as_array().unwrap().iter().find(|run| run["integrity"] == "verified").unwrap();
    assert!(series.iter().any(|one| one["points"][0]["run_id"] == run["run_id"]));
}

#[test]
fn one_plot_alone_is_a_gallery_with_claims() {
    let folder = TempDir::new().unwrap();
    let root = copy("gallery-newer", folder.path());
    let wrapper: Value =
        serde_json::from_slice(&fs::read(named(&root, "normalized-metrics")).unwrap()).unwrap();
    fs::create_dir(folder.path().join("content")).unwrap();
    let feature = wrapper["plot"]["options"]["feature"].as_str().unwrap();
    let row = &wrapper["plot"]["data"][0];
    let version = row["version"].as_str().unwrap();
    for (name, document) in [("bare", &wrapper["plot"]), ("wrapped", &wrapper)] {
        fs::write(folder.path().join(format!("{name}.json")), document.to_string()).unwrap();
        let config = format!("[[source]]\nid = \"saved\"\npath = \"{name}.json\"\n");
        fs::write(folder.path().join("perfolio.toml"), config).unwrap();
        let claim = |options: &str| format!("[](value:saved/{feature}/julia.wall.time@{version}{options})");
        let figure = format!("```perfolio figure\nsource = \"saved\"\nfeature = \"{feature}\"\n```\n");
        let text = format!("# Saved\n\n{}\n\n{figure}", claim(""));
        fs::write(folder.path().join("content/index.md"), &text).unwrap();
        let _ = run(folder.path(), &["build", "--strict", "--output", "site"]).expect(0);
        let site = tree(&folder.path().join("site"));
        assert!(page(&site, "index.html").contains("class=\"embedded\""), "{name}");
        assert!(page(&site, "gallery/saved/index.html").contains("unverified, no samples"), "{name}");
        // Only what was saved can be claimed.
        fs::write(folder.path().join("content/index.md"), claim("?statistic=p95")).unwrap();
        let ended = run(folder.path(), &["build", "--output", "site"]).expect(0);
        assert!(ended.err.contains("only the minimum is saved, not the p95"), "{}", ended.err);
    }
}

#[test]
fn a_change_alone_is_open_on_its_page_and_names_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let delta = named(&fixture("catalogs").join("gallery-newer"), "version-delta");
    let mut document: Value = serde_json::from_slice(&fs::read(delta).unwrap()).unwrap();
    document["run_id"] = json!("run-of-the-delta");
    // With the mark that some editors put before UTF-8.
    let text = ["\u{feff}".as_bytes(), &serde_json::to_vec(&document).unwrap()].concat();
    fs::write(folder.path().join("delta.json"), text).unwrap();

    let _ = build(folder.path(), "delta.json", "site").expect(0);
    let site = tree(&folder.path().join("site"));
    let path = site.keys().find(|path| path.starts_with("gallery/delta") && path.matches('/').count() == 3);
    let shown = page(&site, path.unwrap());
    let (_, rest) = shown.split_once(r#"id="history""#).unwrap();
    let before = rest.split_once("<svg").expect("the figure is on the page").0;
    assert!(!before.contains("<details"), "nothing folds the only figure away");
    assert!(shown.contains("run-of-the-delta"), "its run is named although it has no series");
}
