//! Free texts of every input hold a path; nothing of it may be published.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::program::{fixture, tree};
use crate::sites::{built, folder};

/// What every free text is given besides.
const PRIVATE: &str = " /home/annaquist/secret/place";
/// Names that identify evidence, which are published as recorded, and words without which a document is not read: what
/// becomes of these is tested where it is decided.
const STAY: [&str; 52] = [
    "$schema",
    "aggregation",
    "attempt_id",
    "baseline_version",
    "candidate_version",
    "case_id",
    "collector",
    "collectors",
    "color",
    "comparison_key",
    "correctness",
    "evidence",
    "feature",
    "html",
    "id",
    "json",
    "kind",
    "level",
    "measurement_definition",
    "measurement_definitions",
    "metric",
    "name",
    "normalization_status",
    "oxygen_version",
    "package",
    "package_id",
    "path",
    "preference",
    "record_type",
    "reference_version",
    "run_id",
    "run_ids",
    "schema_version",
    "selected_version",
    "series_id",
    "source_metric",
    "state",
    "statistic",
    "status",
    "svg",
    "target_id",
    "target_label",
    "terminal",
    "tool",
    "uuid",
    "version",
    "versions",
    "widget_version",
    "workload",
    "x",
    "y",
    "theta",
];

/// Puts the path behind every free text; numbers that are written as texts stay, and no text where an empty one says
/// that nothing went wrong.
fn spoil(value: &mut Value, key: &str) {
    match value {
        Value::String(text) if !text.is_empty() && !STAY.contains(&key) && text.parse::<f64>().is_err() => {
            text.push_str(PRIVATE);
        }
        Value::Array(list) => list.iter_mut().for_each(|value| spoil(value, key)),
        Value::Object(map) => map.iter_mut().for_each(|(key, value)| spoil(value, key)),
        _ => {}
    }
}

/// Copies a fixture with the path in every free text; without digests, which would not fit any more.
fn spoiled(from: &str, to: &Path) {
    for (path, bytes) in tree(&fixture(from)) {
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let file = to.join(from).join(&path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let spoiled = |text: &str| {
            let mut value: Value = serde_json::from_str(text).unwrap();
            spoil(&mut value, "");
            value.to_string()
        };
        let written = match path.rsplit_once('.').map(|(_, ending)| ending) {
            _ if path.ends_with("integrity.json") => continue,
            Some("jsonl") => text.lines().map(|line| spoiled(line) + "\n").collect(),
            _ => spoiled(&text),
        };
        fs::write(file, written).unwrap();
    }
}

#[test]
fn no_free_text_gives_a_person_away() {
    let site = folder("[[source]]\npath = \"in\"\nid = \"all\"\n", &[]);
    for from in [
        "accepted/no-integrity",
        "awkward/profiles",
        "catalogs/collectors",
        "catalogs/gallery-newer",
        "catalogs/history",
        "catalogs/invented-g2",
        "invented",
        "oxygen/network",
    ] {
        spoiled(from, &site.path().join("in"));
    }
    let files = built(site.path());
    for (path, text) in &files {
        let place = text.find("annaquist");
        let around = place.map(|at| text[..at].chars().rev().take(200).collect::<String>());
        let before: Option<String> = around.map(|text| text.chars().rev().collect());
        assert!(before.is_none(), "{path}: {before:?}");
    }
    // What was masked is there, so it was read.
    let page = &files["reports/all/network-isolated-isolation-1-10-2/index.html"];
    for word in [
        "isolated process tree",
        "isolated interface",
        "lo",
        "process lifecycle",
        "linux_netns",
        "linux-netns-nftables",
        "1.11.0",
        "process lifecycle informative",
    ] {
        let masked = format!("{word} &lt;path&gt;/secret/place");
        assert!(page.contains(&masked), "{word}: {page}");
    }
}
