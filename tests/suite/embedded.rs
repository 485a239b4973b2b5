//! Blocks of reports in content pages, original files that are published, and the traps of the format's list (§6)
//! that whole sites show, by number.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::demo;
use crate::program::{fixture, run, tree};
use crate::sites::{built, folder, source};

fn block(name: &str, keys: &str) -> String {
    format!("```perfolio {name}\nsource = \"oxygen\"\n{keys}\n```\n\n")
}

#[test]
fn pages_embed_findings_records_manifests_and_downloads() {
    let page = [
        "# What tools said\n\n".to_owned(),
        block("findings", "tool = \"jet\""),
        "## Sites\n\n".to_owned(),
        block("findings", "record = \"alloccheck-diagnosis\"\nrule = \"allocation.potential\""),
        block("records", ""),
        block("records", "tool = \"latency\""),
        block("manifest", "target = \"1.11.0\""),
        block("downloads", "feature = \"plain_benchmark\""),
        block("figure", "feature = \"plain_benchmark\""),
    ];
    let site = folder(&source("oxygen", "oxygen"), &[("index.md", "# Front\n"), ("said.md", &page.concat())]);
    let files = built(site.path());
    let html = &files["said/index.html"];
    assert!(!html.contains("cannot be shown"), "{html}");
    let text = html.replace('\u{202f}', " ");
    for part in [
        // Directly under the title of the page, so that no level is left out.
        "<h2><a href=\"../reports/oxygen/jet-diagnosis/index.html\">JET 0.12.1: 54 findings</a></h2>",
        "<h3><a href=\"../reports/oxygen/alloccheck-diagnosis/index.html\">AllocCheck 0.2.6: 65 findings</a></h3>",
        "It is not a measured slowdown",
        "abstractarray.jl",
        "Array @ .\\boot.jl:649 [inlined]",
        "../reports/oxygen/massif-1/index.html",
        "recorded as time budget exceeded",
        "<code>HTTP</code></th><td>2.6.7</td>",
        "Not every package of the manifest is named",
        ">serialized plot</a>",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let problems = &files["problems/index.html"];
    // The published catalogue names drawings that are not in the evidence.
    assert!(problems.contains("1 note.") && problems.contains("profiles/catalog.json"), "{problems}");
    // A figure right under the title is a heading of level 2.
    let site = folder(
        &source("oxygen", "oxygen"),
        &[("index.md", &format!("# Front\n\n{}", block("figure", "feature = \"plain_benchmark\"")))],
    );
    let front = &built(site.path())["index.html"];
    let at = front.find("class=\"embedded\"").unwrap();
    assert!(front[at..at + 200].contains("<h2>"), "{}", &front[at..at + 200]);
}

#[test]
fn a_block_of_reports_that_fits_nothing_says_why() {
    let wrong = [
        (block("findings", "tool = \"jett\""), "no tool `jett`; did you mean `jet`?"),
        (
            block("findings", "tool = \"jet\"\nrule = \"inference.runtime\""),
            "no rule `inference.runtime`; did you mean `inference.runtime_dispatch`?",
        ),
        (block("findings", "record = \"jet-diagnosi\""), "did you mean `jet-diagnosis`?"),
        (block("findings", "target = \"1.11.0\""), "names a target, so none is of 1.11.0"),
        (block("findings", ""), "several reports fit; name one as `record`: "),
        (block("records", "tool = \"massive\""), "no tool `massive`; did you mean `massif`?"),
        (block("manifest", "target = \"1.11\""), "no target `1.11`"),
        (block("downloads", "feature = \"plain_benchmrk\""), "did you mean `plain_benchmark`?"),
        (block("downloads", "figure = \"none\""), "no figure `none`"),
        (block("findings", "tol = \"jet\""), "did you mean `tool`?"),
    ];
    let text: String = wrong.iter().map(|(block, _)| block.as_str()).collect();
    let site = folder(&source("oxygen", "oxygen"), &[("index.md", &format!("# Front\n\n{text}"))]);
    let files = built(site.path());
    for (_, why) in &wrong {
        assert!(files["index.html"].contains(why), "{why} is not on the page");
        assert!(files["problems/index.html"].contains(why), "{why} is not among the problems");
    }
    assert_eq!(files["index.html"].matches("notice problem").count(), wrong.len());
}

#[test]
fn originals_are_published_only_when_asked_for_and_told() {
    let plain = folder(&source("awkward/shapes", "shapes"), &[]);
    let files = built(plain.path());
    assert!(!files.keys().any(|path| path.starts_with("evidence/")));
    let config = format!("{}\n[publish]\noriginals = true\n", source("awkward/shapes", "shapes"));
    let pages = [("index.md", "# Front\n\n```perfolio downloads\nsource = \"shapes\"\n```\n")];
    let site = folder(&config, &pages);
    let ended = run(site.path(), &["build"]).expect(0);
    let root = site.path().join("public");
    let published = tree(&root);
    let originals = tree(&fixture("awkward/shapes"));
    let mut warned = 0;
    for (path, bytes) in &originals {
        assert_eq!(published.get(&format!("evidence/shapes/{path}")), Some(bytes), "{path}");
        if String::from_utf8_lossy(bytes).contains("C:\\\\") {
            warned += 1;
            let told = format!("{path}: the original is published as it is, with absolute paths");
            assert!(ended.err.contains(&told), "{told}\n{}", ended.err);
        }
    }
    assert!(warned > 0, "the fixture holds paths of a machine");
    let record: Value = serde_json::from_slice(&published["perfolio.json"]).unwrap();
    assert_eq!(record["originals"].as_array().unwrap().len(), originals.len());
    let front = String::from_utf8_lossy(&published["index.html"]).into_owned();
    assert!(front.contains("href=\"evidence/shapes/bundles/"), "{front}");
    let wrong = folder("[publish]\noriginal = true\n", &[]);
    let ended = run(wrong.path(), &["build"]).expect(2);
    assert!(ended.err.contains("did you mean `originals`?"), "{}", ended.err);
}

#[test]
fn originals_of_a_zip_keep_their_place() {
    let site = folder("", &[]);
    crate::zips::pack(&site.path().join("said.zip"), "", &tree(&fixture("oxygen/diagnostics")));
    fs::write(
        site.path().join("perfolio.toml"),
        "[[source]]\npath = \"said.zip\"\nid = \"said\"\n\n[publish]\noriginals = true\n",
    )
    .unwrap();
    let files = built(site.path());
    let page = &files["reports/said/jet-diagnosis/index.html"];
    assert!(files.contains_key("evidence/said/said.zip/diagnosis.json"), "{:?}", files.keys());
    assert!(page.contains("href=\"../../../evidence/said/said.zip/diagnosis.json\""), "{page}");
}

#[test]
fn links_to_originals_are_addresses() {
    let config = "[[source]]\npath = \"said\"\n\n[publish]\noriginals = true\n";
    let site = folder(config, &[("index.md", "# Front\n\n```perfolio downloads\nsource = \"said\"\n```\n")]);
    let inner = site.path().join("said/a b/ü%20#&");
    fs::create_dir_all(&inner).unwrap();
    let document = "{\"types\": [{\"type\": \"A\", \"shallow_bytes\": 1}], \"scope\": \"shallow sizes\"}";
    fs::write(inner.join("heap-types.json"), document).unwrap();
    let files = built(site.path());
    assert!(files.contains_key("evidence/said/a b/ü%20#&/heap-types.json"), "{:?}", files.keys());
    let address = "evidence/said/a%20b/%C3%BC%2520%23&amp;/heap-types.json\"";
    assert!(files["index.html"].contains(&format!("href=\"{address}")), "{}", files["index.html"]);
    let mut pages = files.iter().filter(|(path, _)| path.starts_with("reports/said/"));
    assert!(pages.any(|(_, page)| page.contains(&format!("href=\"../../../{address}"))));
}

fn text_of(site: &Path, path: &str) -> String {
    fs::read_to_string(site.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Trap 9: a resource envelope has no status of its own and stands last; it must not make a run that passed a failed
/// one. Trap 16 is beside it: paths of the machine that wrote it are masked.
#[test]
fn trap_9_an_envelope_is_no_failure() {
    let site = folder(&source("awkward/shapes", "shapes"), &[]);
    let files = built(site.path());
    let run = "reports/shapes/runs/0fdda881-acf1-5bd6-b2ee-c3950ae9d2e1/index.html";
    let html = &files[run];
    assert!(html.contains("An envelope says nothing about whether its check passed."), "{html}");
    assert!(html.contains("no external memory provider"));
    assert!(!files["gallery/shapes/index.html"].contains("1 failed"));
    assert!(files["gallery/shapes/envelope/index.html"].contains("1.1.0"));
    assert!(!html.contains("C:\\"));
}

/// Trap 28: a collection time of 0 at every release is shown at 1 by convention; that is not “no collection ever”.
#[test]
fn trap_28_zero_everywhere_is_said_to_be_a_convention() {
    let pages: Vec<String> = tree(&demo::site().join("gallery/oxygen")).keys().cloned().collect();
    let plain = pages.iter().find(|path| path.starts_with("plain")).unwrap();
    let html = text_of(demo::site(), &format!("gallery/oxygen/{plain}"));
    assert!(html.contains("GC time is 0 at every release and shown at 1 by convention"));
    let gc = text_of(demo::site(), "reports/oxygen/gc-diagnosis/index.html");
    assert!(gc.contains("zero collection time does not make them free"));
}

/// Trap 29: the bundle of a failed suite is still written; what it measured is shown, marked.
#[test]
fn trap_29_a_failed_suite_is_shown_and_marked() {
    let site = folder(&source("accepted/state-failed", "failed"), &[]);
    let files = built(site.path());
    let gallery = &files["gallery/failed/index.html"];
    assert!(gallery.contains("1 of 2 runs failed"), "{gallery}");
    assert!(files.keys().any(|path| path.starts_with("figures/failed/")), "it is still drawn");
    let runs = &files["reports/failed/index.html"];
    assert!(runs.contains("<span class=\"flag\">failed, "), "{runs}");
    let own = files.iter().filter(|(path, _)| path.starts_with("reports/failed/runs/"));
    let said = own
        .filter(|(_, html)| html.contains("The run failed. What it had measured before is still evidence."));
    assert_eq!(said.count(), 1);
}

/// Trap 30: the ordinary files of a report folder describe only the last of several bundles, so they are not taken for
/// any of them: every bundle speaks for itself.
#[test]
fn trap_30_every_bundle_speaks_for_itself() {
    let site = folder(&source("awkward/versions", "versions"), &[]);
    let files = built(site.path());
    let bundles = fs::read_dir(fixture("awkward/versions/bundles")).unwrap().count();
    let pages = files.keys().filter(|path| {
        path.starts_with("reports/versions/runs/")
            && path.matches('/').count() == 4
            && path.ends_with("index.html")
    });
    assert!(bundles > 1);
    assert_eq!(pages.count(), bundles);
    let record: Value = serde_json::from_str(&files["perfolio.json"]).unwrap();
    let suite = record["sources"][0]["files"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["path"] == "suite-result.json");
    assert_eq!(suite.unwrap()["format"], "unknown");
}
