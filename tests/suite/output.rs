//! What the program may let out: nothing that steers a reader's screen, nothing private, no lost result.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{fixture, run, tree};

/// What may not reach a reader: control characters and what reorders text.
fn steers(symbol: char) -> bool {
    (symbol.is_control() && !matches!(symbol, '\n' | '\r' | '\t'))
        || matches!(symbol, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// One figure of the Oxygen bundles as a saved plot, in a folder of its own.
fn saved_plot(folder: &Path) -> PathBuf {
    let source = fixture("oxygen").to_string_lossy().into_owned();
    let narrow = ["--feature", "plain_benchmark", "--kind", "normalized_metrics", "--format", "json"];
    let _ = run(folder, &[&["export", &source, "-o", "out"][..], &narrow].concat()).expect(0);
    let figures = tree(&folder.join("out"));
    let (_, bytes) = figures.iter().find(|(path, _)| path.contains('/')).unwrap();
    fs::create_dir(folder.join("plots")).unwrap();
    let path = folder.join("plots/plot.json");
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn names_that_steer_are_shown_as_text() {
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("source/run");
    fs::create_dir_all(&bundle).unwrap();
    for (path, bytes) in tree(&fixture("accepted/no-integrity/run-odd")) {
        let text = String::from_utf8(bytes).unwrap();
        let name = "\\u0000\\u001b[31m\\u007f\\u009b\\u202e\\u2066bench";
        fs::write(bundle.join(path), text.replace("spoiled_bench", name)).unwrap();
    }
    let build = ["build", "--source", "source", "--output", "site"];
    let ended = run(folder.path(), &build).expect(0);
    assert!(!ended.err.contains(steers), "{}", ended.err);
    let mut shown = 0;
    for (path, bytes) in tree(&folder.path().join("site")) {
        let ending = path.rsplit('.').next().unwrap();
        if ["html", "svg", "csv"].contains(&ending) {
            let text = String::from_utf8(bytes).unwrap();
            assert!(!text.contains(steers), "{path} {:?}", text.find(steers));
            shown += usize::from(text.contains("\\u{9b}\\u{202e}\\u{2066}bench"));
        }
    }
    assert!(shown > 3, "{shown} files show the name");
    for more in [&[][..], &["--json"], &["--blocks"]] {
        let ended = run(folder.path(), &[&["inspect", "source"][..], more].concat()).expect(0);
        assert!(!ended.out.contains(steers) && ended.out.contains("bench"), "{more:?} {}", ended.out);
    }
    let report = run(folder.path(), &["inspect", "source", "--json"]).expect(0).json();
    assert_eq!(report["series"][0]["feature"], "\0\u{1b}[31m\u{7f}\u{9b}\u{202e}\u{2066}bench");
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_written_is_a_failure() {
    let source = fixture("accepted/no-integrity").to_string_lossy().into_owned();
    for arguments in [&["inspect", &source][..], &["inspect", &source, "--json"], &["--help"], &[]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ended = std::process::Command::new(env!("CARGO_BIN_EXE_perfolio"))
            .args(arguments)
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(ended.status.code(), Some(3), "{arguments:?}");
    }
}

#[test]
fn the_number_of_threads_is_bounded() {
    let folder = TempDir::new().unwrap();
    let source = fixture("accepted/no-integrity").to_string_lossy().into_owned();
    let ended = run(folder.path(), &["inspect", &source, "--jobs", "99999999"]).expect(2);
    assert!(ended.err.contains("1024"), "{}", ended.err);
    let _ = run(folder.path(), &["inspect", &source, "--jobs", "1024"]).expect(0);
}

#[test]
fn a_saved_plot_builds_a_gallery_and_its_contradictions_are_told() {
    let folder = TempDir::new().unwrap();
    let plot = saved_plot(folder.path());
    let build = ["build", "--source", "plots/plot.json", "--output", "site", "--strict"];
    let _ = run(folder.path(), &build).expect(0);
    let site = tree(&folder.path().join("site"));
    let (_, page) = site.iter().find(|(path, _)| path.starts_with("gallery/")).unwrap();
    let text = String::from_utf8_lossy(page).into_owned();
    assert!(text.contains("unverified, no samples"), "{text}");
    // By itself a plot is in order, and is listed.
    let _ = run(folder.path(), &["verify", "plots"]).expect(0);
    let ended = run(folder.path(), &["inspect", "plots"]).expect(0);
    assert!(ended.out.contains("plot.json  normalized_metrics"), "{}", ended.out);

    let mut document: Value = serde_json::from_slice(&fs::read(&plot).unwrap()).unwrap();
    let rows = document["plot"]["data"].as_array_mut().unwrap();
    rows[0]["ratio"] = json!(rows[0]["ratio"].as_f64().unwrap() * 1.01);
    rows.push(rows[1].clone());
    fs::write(&plot, document.to_string()).unwrap();
    let ended = run(folder.path(), &["verify", "plots/plot.json"]).expect(1);
    assert!(ended.out.contains("data[0].ratio") && ended.out.contains("a second row"), "{}", ended.out);
}

#[test]
fn a_plot_that_is_drawn_again_is_masked() {
    let folder = TempDir::new().unwrap();
    let plot = saved_plot(folder.path());
    let render = |ending: &str| {
        let output = format!("drawn.{ending}");
        let _ = run(folder.path(), &["render", "plots/plot.json", "-o", &output]).expect(0);
        fs::read(folder.path().join(output)).unwrap()
    };
    let original = fs::read(&plot).unwrap();
    assert_eq!(render("json"), original, "nothing private, nothing changed");
    let mut document: Value = serde_json::from_slice(&original).unwrap();
    document["runtime"]["hostname"] = json!("secretbox");
    document["scope"] = json!("measured on secretbox in /home/someone/bench");
    fs::write(&plot, document.to_string()).unwrap();
    for ending in ["json", "html", "svg", "csv"] {
        let text = String::from_utf8(render(ending)).unwrap();
        assert!(!text.contains("secretbox") && !text.contains("someone"), "{ending}");
    }
    let text = String::from_utf8(render("json")).unwrap();
    assert!(text.contains("measured on <redacted> in <path>/bench"), "{text}");
}
