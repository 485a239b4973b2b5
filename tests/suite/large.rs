//! Sites of figures with thousands of targets: their pages stay light, and every value can be reached.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use perfolio::io::sha256_hex;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::{faults, run_checks};
use crate::draw::unpacked;
use crate::explore::drawable;
use crate::generate::bundle::write_bundle;
use crate::generate::synthetic::{Size, synthetic};
use crate::program::{run, tree};

/// Targets of the figures here: more than two tables can hold.
const TARGETS: usize = 1_204;

/// A site of one workload with two metrics at many releases; the front page embeds a figure of one metric.
pub(crate) fn site() -> TempDir {
    let folder = TempDir::with_prefix("perfolio-large").unwrap();
    let size = Size { features: 1, targets: TARGETS as u64, metrics: 2, samples: 1 };
    write_bundle(&folder.path().join("results/run-1"), &synthetic(&size)).unwrap();
    let config = "title = \"Large\"\n[[source]]\npath = \"results\"\nid = \"many\"\n";
    fs::write(folder.path().join("perfolio.toml"), config).unwrap();
    fs::create_dir(folder.path().join("content")).unwrap();
    fs::write(folder.path().join("content/index.md"), EMBEDDED).unwrap();
    let _ = run(folder.path(), &["build"]).expect(0);
    folder
}

fn built(folder: &TempDir) -> BTreeMap<String, String> {
    tree(&folder.path().join("public"))
        .into_iter()
        .map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap()))
        .collect()
}

/// Targets of the rows of a page, in order.
fn rows(page: &str) -> Vec<&str> {
    let heads = page.split("<th scope=\"row\">").skip(1);
    heads.map(|row| &row[..row.find('<').unwrap()]).collect()
}

/// The links of a page, as paths below the site's root.
fn links<'a>(path: &str, page: &'a str) -> Vec<(&'a str, String)> {
    page.split("href=\"")
        .skip(1)
        .map(|part| &part[..part.find('"').unwrap()])
        .map(|href| {
            let mut folder: Vec<&str> = path.split('/').collect();
            folder.pop();
            for part in href.split('#').next().unwrap().split('/') {
                if part == ".." {
                    folder.pop();
                } else {
                    folder.push(part);
                }
            }
            (href, folder.join("/"))
        })
        .collect()
}

#[test]
fn long_tables_stand_on_numbered_pages() {
    let folder = site();
    let files = built(&folder);
    let main = files
        .keys()
        .find(|path| path.starts_with("figures/many/normalized-metrics-") && path.ends_with("/1/index.html"))
        .expect("the normalized figure has pages of values");
    let base = main.trim_end_matches("/1/index.html").to_owned();
    let csv: Vec<&str> = files[&format!("{base}.csv")].lines().skip(1).collect();
    assert_eq!(csv.len(), 2 * TARGETS, "the CSV has every value");
    let targets: Vec<&str> = csv[..TARGETS].iter().map(|line| line.split(',').nth(1).unwrap()).collect();

    // The pages hold every row once, in order; each leads to its neighbours and to all others.
    let mut found = Vec::new();
    for number in 1..=3 {
        let path = format!("{base}/{number}/index.html");
        let page = &files[&path];
        let own = rows(page);
        assert_eq!(own.len(), if number < 3 { 500 } else { 204 });
        found.extend(own);
        for (rel, other) in [("prev", number - 1), ("next", number + 1)] {
            let expected = (1..=3).contains(&other);
            assert_eq!(page.contains(&format!("rel=\"{rel}\" href=\"../{other}/index.html\"")), expected);
        }
        assert!(page.contains("aria-current=\"page\">"), "{path}");
        for (href, target) in links(&path, page) {
            assert!(href.starts_with('#') || files.contains_key(&target), "{path} leads to {href}");
        }
        assert!(!page.contains("data-say"), "there is no figure that could ask");
    }
    assert_eq!(found, targets);
    assert!(!files.contains_key(&format!("{base}/4/index.html")));

    // The page of the workload has the newest rows of every figure and leads to the rest.
    let (path, page) = files
        .iter()
        .find(|(path, _)| path.starts_with("gallery/many/") && path.matches('/').count() == 3)
        .unwrap();
    assert!(page.len() < 600_000, "{} bytes", page.len());
    assert!(page.matches('<').count() < 8_000, "{} tags", page.matches('<').count());
    for figure in page.split("class=\"block\"").skip(1) {
        assert_eq!(rows(figure).len(), 50);
        assert_eq!(rows(figure)[..], targets[TARGETS - 50..]);
        assert!(figure.contains("The newest 50 of 1\u{202f}204 rows."));
    }
    for (file, page) in [(path, page), (&"index.html".to_owned(), &files["index.html"])] {
        let all = links(file, page);
        assert!(all.iter().any(|(_, target)| target == main), "{file} leads to {main}");
        for (href, target) in all {
            assert!(href.starts_with('#') || files.contains_key(&target), "{file} leads to {href}");
        }
    }
    // A trajectory has no pages of its own: the table of the normalized figure has its values.
    assert!(!files.keys().any(|path| path.contains("version-series-") && path.ends_with("/index.html")));
}

/// The plot document that a file of a figure carries, plainly or packed.
fn carried(export: &str) -> Value {
    let element =
        export.split("<script id=\"plot-document\"").nth(1).unwrap().split("</script>").next().unwrap();
    let (attributes, content) = element.split_once('>').unwrap();
    if !attributes.contains("data-packed") {
        return serde_json::from_str(content).unwrap();
    }
    let mut text = String::new();
    let bytes = BASE64_STANDARD.decode(content).unwrap();
    flate2::read::DeflateDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    assert!(export.len() < text.len(), "a packed document makes a file smaller than itself");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_page_of_many_large_figures_draws_the_main_ones_and_leads_to_the_others() {
    const CASES: usize = 3;
    let folder = TempDir::with_prefix("perfolio-cases").unwrap();
    let size = Size { features: CASES as u64, targets: TARGETS as u64, metrics: 2, samples: 1 };
    let mut spec = synthetic(&size);
    for run in &mut spec.runs {
        run.workload = "together".to_owned();
    }
    write_bundle(&folder.path().join("many/run-1"), &spec).unwrap();
    let config = "[[source]]\npath = \"many\"\nid = \"many\"\n";
    fs::write(folder.path().join("perfolio.toml"), config).unwrap();
    let build = || run(folder.path(), &["build"]).expect(0);
    let _ = build();
    let files = built(&folder);
    let path = "gallery/many/together/index.html";
    let page = &files[path];
    assert!(page.len() < 600_000, "{} bytes", page.len());
    for (href, target) in links(path, page) {
        assert!(href.starts_with('#') || files.contains_key(&target), "{path} leads to {href}");
    }
    // The figures of the workload; those of several features are the gallery's.
    let figures: Vec<&str> = files
        .keys()
        .filter_map(|path| path.strip_prefix("figures/many/")?.strip_suffix(".json"))
        .filter(|figure| !figure.starts_with("feature-overlay-"))
        .collect();
    assert!(figures.len() >= CASES * 7, "{} figures", figures.len());
    let (mut drawn, mut linked) = (0, 0);
    for figure in figures {
        // Each stands on the page once, as a drawing or as a link with what it says.
        let places: Vec<&str> =
            page.split(&format!("<div class=\"figure-block\" id=\"fig-{figure}\">")).collect();
        assert_eq!(places.len(), 2, "{figure}");
        let block = places[1].split("class=\"figure-block\"").next().unwrap();
        for ending in ["html", "json", "svg", "csv"] {
            assert!(block.contains(&format!("/{figure}.{ending}\"")), "{figure}.{ending}");
        }
        assert!(block.contains(" rows, on 3 pages</a>"), "{figure} leads to its values");
        // What pages need to explore a figure and to read its points is there where a page draws it.
        let beside = ["explore.js", "points.js"].map(|ending| format!("figures/many/{figure}.{ending}"));
        let is_drawn = block.contains("class=\"block\"");
        assert_eq!(beside.map(|path| files.contains_key(&path)), [is_drawn; 2], "{figure}");
        if is_drawn {
            drawn += 1;
            assert!(figure.starts_with("normalized-metrics-"), "{figure} is drawn");
        } else {
            linked += 1;
            assert!(
                block.contains("class=\"says\">") && block.contains("Not drawn on this page"),
                "{figure}"
            );
        }
        // Its own file has everything.
        let export = &files[&format!("figures/many/{figure}.html")];
        assert!(export.contains("<svg"), "{figure}");
        let document: Value = serde_json::from_str(&files[&format!("figures/many/{figure}.json")]).unwrap();
        assert!(carried(export) == document, "{figure}");
    }
    assert_eq!(drawn, CASES);
    assert!(linked >= CASES * 6);

    // A page whose figures are drawn one by one is taken over with all of them, too.
    let _ = build();
    assert!(built(&folder) == files, "building again changes something");

    // Another page may draw one that this one only leads to.
    fs::create_dir(folder.path().join("content")).unwrap();
    fs::write(folder.path().join("content/index.md"), EMBEDDED).unwrap();
    let _ = build();
    let embedded = built(&folder);
    let more: Vec<&str> =
        embedded.keys().filter(|path| !files.contains_key(*path)).map(String::as_str).collect();
    assert_eq!(more.len(), 2, "{more:?}");
    let base = more[0].strip_suffix(".explore.js").unwrap();
    assert_eq!(more[1], format!("{base}.points.js"));
    for path in more {
        assert!(embedded["index.html"].contains(path), "{path}");
    }
    fs::remove_file(folder.path().join("content/index.md")).unwrap();
    let _ = build();
    assert!(built(&folder) == files, "the files stay without the page");
}

/// A page with a figure of one feature.
const EMBEDDED: &str = "# Large\n\n```perfolio figure\nsource = \"many\"\nfeature = \"feature_0000\"\n\
    kind = \"version_series\"\nmetric = \"julia.wall.time\"\n```\n";

/// Workloads of the crowded site: more than a gallery shows as cards, and than a figure shows together.
const CROWD: usize = 160;

#[test]
fn a_gallery_of_very_many_workloads_shows_what_changed_most_and_leads_to_all() {
    let folder = TempDir::with_prefix("perfolio-crowd").unwrap();
    let size = Size { features: CROWD as u64, targets: 3, metrics: 1, samples: 1 };
    let mut spec = synthetic(&size);
    for run in &mut spec.runs {
        run.workload = run.feature.replace("feature", "workload");
    }
    write_bundle(&folder.path().join("crowd/run-1"), &spec).unwrap();
    let _ = run(folder.path(), &["build", "--source", "crowd", "--output", "public"]).expect(0);
    let files = built(&folder);
    let path = "gallery/crowd/index.html";
    let page = &files[path];
    assert!(page.len() < 600_000, "{} bytes", page.len());
    for (href, target) in links(path, page) {
        assert!(href.starts_with('#') || files.contains_key(&target), "the gallery leads to {href}");
    }
    assert_eq!(page.matches("<li class=\"card\"").count(), 150);
    assert!(page.contains("The 150 of 160 that changed most."));
    assert!(page.contains("Shown: 150 of 160 features, those with something missing first."));
    assert!(page.contains("Shown: the 24 of 160 features that changed most."));

    // The list has every workload once and leads to its page.
    let list = &files["gallery/crowd/all/1/index.html"];
    let list = &list[list.find("<table").unwrap()..];
    let workloads: Vec<String> = links("gallery/crowd/all/1/index.html", list)
        .into_iter()
        .map(|(_, target)| target)
        .filter(|target| target.starts_with("gallery/crowd/workload"))
        .collect();
    assert_eq!(workloads.len(), CROWD);
    assert!(workloads.iter().all(|page| files.contains_key(page)));
    assert_eq!(files["gallery/crowd/ratios.csv"].lines().count(), CROWD + 1);
    let checks: Vec<&str> = files["gallery/crowd/checks.csv"].lines().skip(1).collect();
    assert_eq!(checks.len(), CROWD * 3);
    assert!(checks.contains(&"feature_0159,1.0.0,1,"));
    // A figure of several features has those that the page names.
    let together: Vec<&String> =
        files.keys().filter(|path| path.contains("/feature-overlay-") && path.ends_with(".json")).collect();
    assert_eq!(together.len(), 1);
    let document: Value = serde_json::from_str(&files[together[0]]).unwrap();
    assert_eq!(document["plot"]["options"]["features"].as_array().unwrap().len(), 24);
    assert_eq!(document["perfolio"]["part"], "the 24 of 160 features that changed most");
}

#[test]
fn readings_reach_every_target() {
    let folder = site();
    let files = built(&folder);
    let mut figures = 0;
    for (path, export) in
        files.iter().filter(|(path, _)| path.starts_with("figures/") && path.ends_with(".json"))
    {
        let document: Value = serde_json::from_str(export).unwrap();
        let versions: Vec<&str> = document["plot"]["options"]["versions"]
            .as_array()
            .map(|all| all.iter().map(|one| one.as_str().unwrap()).collect())
            .unwrap_or_default();
        if versions.len() < TARGETS {
            continue;
        }
        figures += 1;
        let base = path.trim_end_matches(".json");
        let script = &files[&format!("{base}.points.js")];
        let values = script.split_once("] = ").unwrap().1.trim_end().trim_end_matches(';');
        let points: Value = unpacked(serde_json::from_str(values).unwrap());
        assert_eq!(points["rows"], Value::from(versions.clone()), "{path}");
        for list in points["cells"].as_array().unwrap().iter().chain(points["y"].as_array().unwrap()) {
            assert_eq!(list.as_array().unwrap().len(), versions.len(), "{path}");
        }
        // The file of its own carries the same values.
        let html = &files[&format!("{base}.html")];
        let inside = html.split("id=\"points\">").nth(1).unwrap().split("</script>").next().unwrap();
        assert_eq!(unpacked(serde_json::from_str(inside).unwrap()), points, "{path}");
        assert!(html.contains("The newest 50 of 1\u{202f}204 rows."));
        assert!(
            files[&format!("{base}.svg")]
                .contains("1\u{202f}204 releases: the drawing keeps the lowest and highest")
        );
    }
    assert!(figures > 0);
}

#[test]
fn keys_and_fragments_find_targets_that_are_not_in_the_page() {
    let folder = site();
    let files = built(&folder);
    let workload = files.keys().find(|path| path.starts_with("gallery/many/w")).unwrap();
    let mut exports = files.keys().filter(|path| path.starts_with("figures/many/normalized-"));
    let export = exports.find(|path| path.ends_with(".html") && !path.ends_with("index.html")).unwrap();
    let id = export.trim_start_matches("figures/many/").trim_end_matches(".html");
    let reading =
        |target: &str| json!({"expectText": {"selector": ".reading", "contains": format!(" at {target}")}});
    let steps = json!([
        {"focus": ".plot"}, {"press": "Home"}, reading("1.0.0"),
        {"press": "ArrowRight"}, reading("1.1.0"),
        {"press": "End"}, reading("121.3.0"),
        {"press": "ArrowLeft"}, reading("121.2.0"),
        {"press": "ArrowDown"}, {"expectText": {"selector": ".reading", "contains": "GC time at 121.2.0"}},
        {"url": {"matches": "p=121.2.0"}},
        {"reload": true}, reading("121.2.0"),
    ]);
    let jump = |figure: &str| json!([{"hash": format!("#fig={figure}&p=60.7.0")}, reading("60.7.0")]);
    let hover = json!([{"hover": {"selector": ".plot", "position": {"x": 500, "y": 200}}},
        {"expectText": {"selector": ".reading", "matches": "wall time|GC time|alloc"}},
        {"attr": {"selector": ".plot", "name": "class", "contains": "on"}}]);
    let json = &files[&export.replace(".html", ".json")];
    let document = serde_json::from_str(json).unwrap();
    assert!(files[export].contains(" data-packed"), "{export}");
    let saved = json!([{"download": {"click": "button.save", "name": format!("{id}.json"),
        "sha256": sha256_hex(json.as_bytes())}}]);
    let explored = json!({"explore": {"figure": id, "points": drawable(&document)}});
    let report = run_checks(
        &folder.path().join("public"),
        json!({"scripts": [
            {"name": "keys", "page": workload, "steps": steps.clone()},
            {"name": "keys of the export", "page": export, "steps": steps},
            {"name": "fragment", "page": workload, "steps": jump(id)},
            {"name": "fragment of the export", "page": export, "steps": jump("figure")},
            {"name": "saved document", "page": export, "steps": saved},
            {"name": "pointer", "page": workload, "steps": hover},
            {"name": "explored", "page": workload, "steps": [explored]},
        ]}),
    );
    assert_eq!(faults(&report), "");
}
