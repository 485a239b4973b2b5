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
            let drawn = |path: &&String| path.starts_with(&format!("figures/{source}/")) && path.ends_with(".svg");
            assert!(site.keys().any(|path| drawn(&path)), "{field}: {source}");
        }
        assert!(site.values().all(|bytes| !String::from_utf8_lossy(bytes).contains("/home/bob")), "{field}");
        let _ = run(folder.path(), &["build", "--strict", "--output", "strict"]).expect(1);
    }
}
