//! What holds for every site: policy, names, redaction, themes, feeds, aliases, the record of a build.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{fixture, run, tree};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'";

/// A site folder with a configuration and pages.
pub(crate) fn folder(config: &str, pages: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("perfolio.toml"), config).unwrap();
    for (path, text) in pages {
        let path = folder.path().join("content").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

pub(crate) fn source(path: &str, id: &str) -> String {
    format!("[[source]]\npath = {:?}\nid = \"{id}\"\n", fixture(path).to_string_lossy())
}

pub(crate) fn built(root: &Path) -> std::collections::BTreeMap<String, String> {
    let _ = run(root, &["build"]).expect(0);
    tree(&root.join("public"))
        .into_iter()
        .map(|(path, bytes)| (path, String::from_utf8_lossy(&bytes).into_owned()))
        .collect()
}

#[test]
fn every_page_obeys_the_policy() {
    let site = folder(&source("awkward", "odd"), &[("index.md", "# Front\n\nText.\n")]);
    let files = built(site.path());
    let pages: Vec<_> = files.iter().filter(|(path, _)| path.ends_with(".html")).collect();
    assert!(pages.len() > 40);
    for (path, page) in pages {
        if path.starts_with("figures/") || path.as_str() == "404.html" {
            assert!(page.contains("default-src 'none'") && page.contains("'sha256-"), "{path}");
        } else {
            assert!(page.contains(POLICY), "{path}");
            assert!(!page.contains("<style") && !page.contains(" style="), "{path}");
        }
        assert!(!page.contains("<script>alert"), "{path} holds a script of the evidence");
    }
}

#[test]
fn slugs_are_safe_everywhere() {
    let site = folder(&source("awkward/names", "names"), &[]);
    let mut folded = std::collections::BTreeSet::new();
    for path in built(site.path()).into_keys() {
        assert!(folded.insert(path.to_lowercase()), "{path} meets another in letter case");
        for part in path.split('/') {
            let stem = part.split('.').next().unwrap();
            assert!(part.len() <= 48 + 24 && !part.starts_with('_'), "{path}");
            assert!(!matches!(stem, "con" | "nul" | "aux" | "prn" | "com1" | "lpt1"), "{path}");
            let plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-._".contains(symbol);
            assert!(part.chars().all(plain), "{path}");
        }
    }
}

#[test]
fn private_paths_are_masked_and_the_record_says_so() {
    let site = folder(&source("awkward", "odd"), &[]);
    let files = built(site.path());
    let record: Value = serde_json::from_str(&files["perfolio.json"]).unwrap();
    assert!(!record["redactions"].as_array().unwrap().is_empty());
    for (path, text) in &files {
        for private in ["C:\\\\demo", "C:\\demo", "/home/"] {
            assert!(!text.contains(private), "{path} holds {private}");
        }
    }
    let outputs: Vec<&str> =
        record["outputs"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
    assert_eq!(outputs, files.keys().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn a_theme_may_be_one_file() {
    let site = folder(&format!("theme = \"mine\"\n{}", source("oxygen", "oxygen")), &[]);
    let theme = site.path().join("themes/mine");
    fs::create_dir_all(&theme).unwrap();
    fs::write(theme.join("theme.toml"), "[palette]\naccent = { light = \"#123456\", dark = \"#abcdef\" }\n")
        .unwrap();
    let files = built(site.path());
    let css = files.iter().find(|(path, _)| path.starts_with("assets/") && path.ends_with(".css")).unwrap().1;
    assert!(css.contains("#123456") && css.contains("#abcdef"), "{}", &css[..400]);
}

#[test]
fn an_address_gives_a_sitemap_and_a_feed() {
    let page = "+++\ntitle = \"News <1>\"\ndate = 2026-08-28\n+++\n\nText.\n";
    let config = format!("base_url = \"https://example.org/perf/\"\n{}", source("oxygen", "oxygen"));
    let site = folder(&config, &[("news.md", page)]);
    let files = built(site.path());
    assert!(files["sitemap.xml"].contains("<loc>https://example.org/perf/gallery/oxygen/</loc>"));
    assert!(
        files["feed.xml"].contains("News &lt;1&gt;") && files["feed.xml"].contains("2026-08-28T00:00:00Z")
    );
    assert!(!built(folder(&source("oxygen", "oxygen"), &[]).path()).contains_key("sitemap.xml"));
}

#[test]
fn two_owners_of_a_path_are_both_named() {
    let site = folder(&source("oxygen", "oxygen"), &[("a.md", "# A\n"), ("a/index.md", "# Also a\n")]);
    let ended = run(site.path(), &["build"]).expect(2);
    assert!(ended.err.contains("content/a.md") && ended.err.contains("content/a/index.md"), "{}", ended.err);
    let site = folder(&source("oxygen", "oxygen"), &[("figures.md", "# Figures\n")]);
    let ended = run(site.path(), &["build"]).expect(2);
    assert!(ended.err.contains("content/figures.md"), "{}", ended.err);
}

#[test]
fn a_wrong_claim_is_marked_and_a_wrong_block_says_why() {
    let page = "# Page\n\nIt took [9.9 µs](value:oxygen/plain_benchmark/julia.wall.time@1.11.0).\n\n\
                ```perfolio figure\nsource = \"oxygen\"\nfeature = \"nothing\"\n```\n";
    let site = folder(&source("oxygen", "oxygen"), &[("page.md", page)]);
    let ended = run(site.path(), &["build"]).expect(0);
    assert!(ended.err.contains("content/page.md:3"), "{}", ended.err);
    assert!(ended.err.contains("content/page.md:5"), "{}", ended.err);
    let text = fs::read_to_string(site.path().join("public/page/index.html")).unwrap();
    assert!(text.contains("claim bad") && text.contains("3.8\u{202f}µs"), "{text}");
    assert!(text.contains("there is no feature `nothing`") || text.contains("there is no feature"), "{text}");
    let _ = run(site.path(), &["build", "--strict"]).expect(1);
}

/// What stands between the first `from` and the next `to` after it.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let rest = text.split_once(from).unwrap_or_else(|| panic!("no {from} in {text}")).1;
    rest.split_once(to).unwrap_or_else(|| panic!("no {to} after {from}")).0
}

#[test]
fn galleries_and_workloads_show_a_part_and_say_so() {
    let range = "from = \"1.9.0\"\nto = \"1.10.2\"\n";
    let page = format!(
        "# Page\n\n<i id=\"a\"></i>\n\n```perfolio gallery\nsource = \"oxygen\"\n{range}```\n\n\
         <i id=\"b\"></i>\n\n```perfolio workload\nsource = \"oxygen\"\nworkload = \"plain_http\"\n\
         to = \"1.10.2\"\nmetrics = [\"julia.alloc.bytes\", \"julia.wall.time\"]\n```\n\n<i id=\"c\"></i>\n"
    );
    let site = folder(&source("oxygen", "oxygen"), &[("page.md", &page)]);
    let files = built(site.path());
    let text = &files["page/index.html"];
    let gallery = between(text, "id=\"a\"", "id=\"b\"");
    let scope = "1.9.0 to 1.10.2, 4 of 14 releases. Ratios keep the reference of the complete history.";
    assert!(gallery.contains(scope), "{gallery}");
    let whole = between(&files["gallery/oxygen/index.html"], "<ul class=\"cards\">", "</ul>");
    assert_eq!(gallery.matches("class=\"card\"").count(), whole.matches("class=\"card\"").count());
    assert!(gallery.contains("than 1.10.1") && !gallery.contains("1.11.0"), "{gallery}");
    // The reference of plain is its value at 1.11.0, which lies outside: the curve still ends high above 1.
    assert!(gallery.contains("1.89\u{202f}×"), "{gallery}");
    let workload = between(text, "id=\"b\"", "id=\"c\"");
    let (bytes, time) = workload.split_once("<strong>Wall time.</strong>").unwrap();
    assert!(
        bytes.contains("<strong>Allocated bytes.</strong>") && bytes.contains("4\u{202f}352\u{202f}B"),
        "{bytes}"
    );
    assert!(time.contains("7.2\u{202f}µs") && time.contains("1.0.0 to 1.10.2, 13 of 14 releases"), "{time}");
    assert_eq!(workload.matches("class=\"card\"").count(), 2);
}

#[test]
fn a_page_gives_its_blocks_a_range() {
    let block = |more: &str| {
        format!("```perfolio figure\nsource = \"oxygen\"\nfeature = \"plain_benchmark\"\n{more}```\n")
    };
    let page = format!(
        "+++\nfrom = \"1.9.0\"\nto = \"1.10.2\"\n+++\n\n# Page\n\n{}\n{}\n```perfolio gallery\nsource = \"oxygen\"\n```\n",
        block(""),
        block("to = \"1.11.0\"\n")
    );
    let site = folder(&source("oxygen", "oxygen"), &[("page.md", &page)]);
    let files = built(site.path());
    let text = &files["page/index.html"];
    for words in ["-from-1-9-0-", "1.9.0 to 1.10.2, 4 of 14 releases", "1.9.0 to 1.11.0, 5 of 14 releases"] {
        assert!(text.contains(words), "{words}");
    }
    assert!(text.contains("1.9.0 to 1.10.2, 4 of 14 releases. Ratios keep"), "the gallery");
    let wrong = page.replace("from = \"1.9.0\"", "from = \"1.9.00\"");
    let site = folder(&source("oxygen", "oxygen"), &[("page.md", &wrong)]);
    let ended = run(site.path(), &["build"]).expect(0);
    assert!(ended.err.contains("the source has no target `1.9.00`"), "{}", ended.err);
    assert!(ended.err.contains("did you mean `1.9.0`?"), "{}", ended.err);
}

#[test]
fn a_block_with_a_mistyped_name_says_the_nearest() {
    let block = |name: &str, keys: &str| format!("```perfolio {name}\nsource = \"oxygen\"\n{keys}\n```\n\n");
    let feature = "feature = \"plain_benchmark\"";
    let wrong = [
        (block("gallery", "from = \"1.10.22\""), "no target `1.10.22`; did you mean `1.10.2`?"),
        (
            block("gallery", "metrics = [\"julia.wall.tme\"]"),
            "no metric `julia.wall.tme`; did you mean `julia.wall.time`?",
        ),
        (block("gallery", "from = \"1.11.0\"\nto = \"1.0.0\""), "`1.11.0` comes after `1.0.0`"),
        (
            block("workload", "workload = \"plain_htp\""),
            "no workload `plain_htp`; did you mean `plain_http`?",
        ),
        (
            block("workload", "workload = \"plain_http\"\nto = \"1.1.00\""),
            "no target `1.1.00`; did you mean `1.1.0`?",
        ),
        (
            block("figure", "feature = \"plain_benchmrk\""),
            "no feature `plain_benchmrk`; did you mean `plain_benchmark`?",
        ),
        (
            block("figure", &format!("{feature}\nto = \"1.1.00\"")),
            "no target `1.1.00`; did you mean `1.1.0`?",
        ),
        (
            block("figure", &format!("{feature}\nmetrics = [\"julia.alloc.byte\"]")),
            "no metric `julia.alloc.byte`; did you mean `julia.alloc.bytes`?",
        ),
        (
            block("figure", &format!("{feature}\nkind = \"version_series\"\nmetric = \"julia.wall.tim\"")),
            "no metric `julia.wall.tim`; did you mean `julia.wall.time`?",
        ),
        (
            block("figure", &format!("{feature}\nkind = \"distribution\"\nmetric = \"julia.wall.tim\"")),
            "no metric `julia.wall.tim`; did you mean `julia.wall.time`?",
        ),
        (
            block(
                "figure",
                "features = [\"plain_benchmark\", \"path_benchmark\"]\nmetric = \"julia.wall.tim\"",
            ),
            "did you mean `julia.wall.time`?",
        ),
    ];
    let blocks: String = wrong.iter().map(|one| one.0.as_str()).collect();
    let page = format!("# Page\n\n{blocks}```perfolio gallery\nsource = \"oxigen\"\n```\n");
    let site = folder(&source("oxygen", "oxygen"), &[("page.md", &page)]);
    let ended = run(site.path(), &["build"]).expect(0);
    for (_, words) in &wrong {
        assert!(ended.err.contains(words), "{words}\n{}", ended.err);
    }
    assert!(ended.err.contains("no source `oxigen`; did you mean `oxygen`?"), "{}", ended.err);
    assert_eq!(ended.err.matches("content/page.md:").count(), wrong.len() + 1, "{}", ended.err);
}

#[test]
fn a_hidden_target_is_not_shown_in_galleries_of_saved_documents() {
    let whole = folder(&source("oxygen", "oxygen"), &[]);
    let _ = built(whole.path());
    let saved = |config: &str| {
        let path = whole.path().join("public/figures/oxygen");
        folder(&format!("[[source]]\npath = {:?}\nid = \"r\"\n{config}", path.to_string_lossy()), &[])
    };
    let site = saved("[[target]]\nlabel = \"1.9.0\"\nhidden = true\n");
    let files = built(site.path());
    let mut pages = 0;
    for (path, text) in
        files.iter().filter(|(path, _)| path.starts_with("gallery/") || path.starts_with("figures/"))
    {
        // A value across a page may hold the digits; a label stands alone.
        for shape in [">1.9.0<", "\"1.9.0\"", " 1.9.0 ", " 1.9.0,", "=1.9.0"] {
            assert!(!text.contains(shape), "{path} shows {shape}");
        }
        pages += 1;
    }
    assert!(pages > 100, "{pages}");
    let page = files.iter().find(|(path, _)| path.starts_with("gallery/r/plain")).unwrap().1;
    assert!(
        page.contains("data-target=\"1.10.0\"") && page.contains("complete history; 1 release is not shown")
    );
    let problems = &files["problems/index.html"];
    assert!(problems.contains("saved documents are published without hidden targets"), "{problems}");
    // What stays has the values and ratios that were saved.
    let site = saved("");
    let all = built(site.path());
    let rows = |files: &std::collections::BTreeMap<String, String>, path: &str| -> Vec<Value> {
        let document: Value = serde_json::from_str(&files[path]).unwrap();
        let rows = document["plot"]["data"].as_array().unwrap().iter();
        rows.filter(|row| row["version"] != "1.9.0").cloned().collect()
    };
    let main = |files: &std::collections::BTreeMap<String, String>| {
        let is_main = |path: &&String| {
            let stem = path.strip_prefix("figures/r/normalized-metrics-");
            stem.and_then(|rest| rest.strip_suffix(".json")).is_some_and(|stem| stem.len() == 16)
        };
        files.keys().find(is_main).unwrap().clone()
    };
    let path = main(&files);
    assert_eq!(rows(&files, &path), rows(&all, &path));
}

#[test]
fn saved_documents_of_a_former_name_stand_on_the_page_of_the_present_one() {
    let whole = folder("[[source]]\npath = \"results\"\nid = \"r\"\n", &[]);
    bundle(&whole.path().join("results"), "run-1", "old_name", &[("1.0.0", 10), ("1.1.0", 12)]);
    bundle(&whole.path().join("results"), "run-2", "new_name", &[("1.2.0", 11), ("1.3.0", 9)]);
    let files = built(whole.path());
    assert_eq!(
        files.keys().filter(|path| path.starts_with("gallery/r/") && path.matches('/').count() == 3).count(),
        2
    );
    let path = whole.path().join("public/figures/r");
    let config = format!(
        "[[source]]\npath = {:?}\nid = \"s\"\n[[feature]]\nmatch = \"new_name\"\naliases = [\"old_name\"]\n",
        path.to_string_lossy()
    );
    let files = built(folder(&config, &[]).path());
    let pages: Vec<&String> = files
        .keys()
        .filter(|path| path.starts_with("gallery/s/") && path.matches('/').count() == 3)
        .collect();
    assert_eq!(pages.len(), 1, "{pages:?}");
    assert!(pages[0].starts_with("gallery/s/new-name"), "{pages:?}");
    let page = &files[pages[0]];
    assert!(page.contains("data-target=\"1.0.0\"") && page.contains("data-target=\"1.3.0\""), "{page}");
}

/// A bundle of one feature without digests: one value per release.
fn bundle(folder: &Path, run: &str, feature: &str, values: &[(&str, u32)]) {
    let folder = folder.join(run);
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    write(
        "manifest.json",
        format!(
            "{{\"schema_version\":\"perfchecker-run-bundle/1\",\"run_id\":\"{run}\",\"attempt_id\":\"a\",\"state\":\"complete\",\"evidence\":\"fresh\",\"suite\":\"s\",\"runtime\":{{\"language\":\"julia\"}},\"environment\":{{\"os\":\"Linux\"}}}}"
        ),
    );
    let definition = "{\"id\":\"a.time/m-v1\",\"metric\":\"a.time\",\"unit\":\"ns\"}";
    write("measurement-definitions.json", format!("[{definition}]"));
    write("artifacts.json", "[]".to_owned());
    let lines = values.iter().map(|(target, value)| {
        format!(
            "{{\"run_id\":\"{run}\",\"attempt_id\":\"a\",\"case_id\":\"s/P/{feature}\",\"target_id\":\"{target}\",\"metric\":\"a.time\",\"unit\":\"ns\",\"measurement_definition\":\"a.time/m-v1\",\"value\":{value},\"attributes\":{{\"package\":\"P\",\"feature\":\"{feature}\",\"version\":\"{target}\",\"target_kind\":\"release\"}}}}\n"
        )
    });
    write("observations.jsonl", lines.collect());
}

#[test]
fn a_joined_history_shows_the_cut() {
    let config = "[[source]]\npath = \"results\"\nid = \"r\"\n\
                  [[feature]]\nmatch = \"new_name\"\naliases = [\"old_name\"]\n";
    let site = folder(config, &[]);
    bundle(&site.path().join("results"), "run-1", "old_name", &[("1.0.0", 10), ("1.1.0", 12)]);
    bundle(&site.path().join("results"), "run-2", "new_name", &[("1.2.0", 11), ("1.3.0", 9)]);
    let files = built(site.path());
    let page = files.iter().find(|(path, _)| path.starts_with("gallery/r/new-name")).unwrap().1;
    assert!(page.contains("joins old_name") && page.contains("1.2.0"), "{page}");
    assert!(page.contains("data-target=\"1.0.0\""), "the former values are in the history");
}

#[test]
fn files_that_did_not_change_are_the_same_files() {
    let site = folder(&source("oxygen", "oxygen"), &[]);
    let _ = run(site.path(), &["build"]).expect(0);
    let svg = tree(&site.path().join("public")).into_keys().find(|path| path.ends_with(".svg")).unwrap();
    let inode = || {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(site.path().join("public").join(&svg)).unwrap().ino()
    };
    let before = inode();
    let _ = run(site.path(), &["build"]).expect(0);
    assert_eq!(inode(), before, "an unchanged figure is linked, not written again");
}

#[test]
fn a_gallery_counts_its_checks_and_says_why_one_is_missing() {
    let folder = TempDir::new().unwrap();
    let source = fixture("awkward");
    let _ = run(
        folder.path(),
        &["build".as_ref(), "--source".as_ref(), source.as_os_str(), "--output".as_ref(), "site".as_ref()],
    )
    .expect(0);
    let files = tree(&folder.path().join("site"));
    let text = |path: &str| String::from_utf8(files[path].clone()).unwrap();
    let page = text("gallery/awkward/index.html");
    let count = page.split("<p class=\"count\">").nth(1).unwrap().split("</p>").next().unwrap();
    assert!(
        count.contains("checks") && count.contains("samples each") && count.contains("without a value"),
        "{count}"
    );
    assert!(text("index.html").contains(count), "the front page says it too");
    // Every letter in the table has its reason, and every reason is used as often as it says.
    let table = page.split("class=\"matrix checks\"").nth(1).unwrap().split("</table>").next().unwrap();
    let reasons = page.split("<ul class=\"reasons\">").nth(1).unwrap().split("</ul>").next().unwrap();
    let mut seen = 0;
    for item in reasons.split("<li ").skip(1) {
        let mark = item.split("<b>").nth(1).unwrap().split("</b>").next().unwrap();
        let said: usize = item.rsplit('(').next().unwrap().split(')').next().unwrap().parse().unwrap();
        assert!(item.starts_with(&format!("id=\"why-{mark}\"")), "{item}");
        let linked = format!("<b><a href=\"#why-{mark}\">{mark}</a></b>");
        assert_eq!(table.matches(&linked).count(), said, "{item}");
        seen += said;
    }
    assert!(seen > 2 && table.matches("<b>").count() == seen && table.contains("class=\"hole\""), "{seen}");
}

#[test]
fn refused_runs_are_not_counted_as_passed() {
    let folder = TempDir::new().unwrap();
    let source = fixture("corrupt");
    let _ = run(
        folder.path(),
        &["build".as_ref(), "--source".as_ref(), source.as_os_str(), "--output".as_ref(), "site".as_ref()],
    )
    .expect(0);
    let files = tree(&folder.path().join("site"));
    let page = String::from_utf8(files["gallery/corrupt/index.html"].clone()).unwrap();
    assert!(page.contains("none of them failed. 19 runs were refused: what they measured is not counted.<"));
}

#[test]
fn a_gallery_shows_its_features_together() {
    let folder = TempDir::new().unwrap();
    let source = fixture("oxygen");
    let _ = run(
        folder.path(),
        &["build".as_ref(), "--source".as_ref(), source.as_os_str(), "--output".as_ref(), "site".as_ref()],
    )
    .expect(0);
    let files = tree(&folder.path().join("site"));
    let page = String::from_utf8(files["gallery/oxygen/index.html"].clone()).unwrap();
    assert!(
        page.contains(">154 checks, 1–30 samples each, 14 releases, none failed. Beside them 3 profiles.<")
    );
    let overlays: Vec<&String> = files
        .keys()
        .filter(|path| path.starts_with("figures/oxygen/feature-overlay-") && path.ends_with(".json"))
        .collect();
    assert_eq!(overlays.len(), 4, "one per metric that features share");
    for path in &overlays {
        let document: serde_json::Value = serde_json::from_slice(&files[*path]).unwrap();
        assert_eq!(document["plot"]["schema_version"], "perfolio-plot/1");
        let href = format!("../../{}", path.replace(".json", ".html"));
        assert!(page.contains(&href), "{href}");
        for ending in ["svg", "html", "csv"] {
            assert!(files.contains_key(&path.replace("json", ending)), "{path} as {ending}");
        }
    }
    assert!(page.len() < 600_000, "{}", page.len());
}

#[test]
fn a_hidden_target_is_published_nowhere() {
    let config = source("oxygen", "oxygen") + "[[target]]\nlabel = \"1.9.0\"\nhidden = true\n";
    let site = folder(&config, &[]);
    for (path, text) in built(site.path()) {
        assert!(!path.contains("1-9-0"), "{path}");
        // What the run itself wrote stays, and is told.
        let text = text.replace("1.9.0: 3 of 57 packages", "");
        let named = text.match_indices("1.9.0").find(|(at, _)| {
            let (before, after) = (&text[..*at], &text[at + 5..]);
            !before.ends_with(|last: char| last.is_ascii_digit() || last == '.')
                && !after.starts_with(|next: char| next.is_ascii_digit() || next == '.')
        });
        assert!(named.is_none(), "{path} at {named:?}");
    }
    let config = source("oxygen", "oxygen") + "[[target]]\nlabel = \"1.9.00\"\nhidden = true\n";
    let site = folder(&config, &[]);
    let told = run(site.path(), &["build", "--strict"]).expect(1).err;
    assert!(told.contains("`1.9.00` is no target of the evidence") && told.contains("1.9.0"), "{told}");
}
