//! Mistakes for which a whole bundle is refused: schema, integrity, definitions, artifacts, manifest.

use super::super::bundle::{Bundle, Files};
use super::super::canon::{document, sha256_hex};
use super::super::spec::Column;
use super::{Case, fallen, problem, sound, spec, with_document};
use serde_json::{Value, json};

const SCHEMA: &str = "the schema version says which rules apply";
const CHANGED: &str = "the documents are not those that the integrity list names";
const SHAPE: &str = "the structure is broken";

pub(super) fn cases() -> Vec<Case> {
    let mut cases = schemas();
    cases.extend(names());
    cases.extend(contents());
    cases.extend(shapes());
    cases.extend(manifests());
    cases.extend(artifacts());
    cases.push(same_sample());
    cases
}

/// A sound bundle with a changed integrity list.
fn listed(edit: impl FnOnce(&mut Value)) -> Files {
    let mut files = sound().files();
    let mut list: Value = serde_json::from_slice(&files["integrity.json"]).expect("the builder writes JSON");
    edit(&mut list);
    files.insert("integrity.json".to_owned(), document(&list));
    files
}

fn schemas() -> Vec<Case> {
    let manifest = |edit: fn(&mut Value)| {
        let mut bundle = sound();
        edit(&mut bundle.manifest);
        bundle.files()
    };
    let field = Some("schema_version");
    vec![
        fallen(
            "manifest-schema-2",
            SCHEMA,
            "manifest.json",
            field,
            manifest(|value| value["schema_version"] = "perfchecker-run-bundle/2".into()),
        ),
        fallen(
            "manifest-schema-missing",
            SCHEMA,
            "manifest.json",
            field,
            manifest(|value| {
                value.as_object_mut().expect("an object").remove("schema_version");
            }),
        ),
        fallen(
            "manifest-schema-not-text",
            SCHEMA,
            "manifest.json",
            field,
            manifest(|value| value["schema_version"] = 1.into()),
        ),
        fallen(
            "integrity-schema-2",
            SCHEMA,
            "integrity.json",
            field,
            listed(|list| list["schema_version"] = "perfchecker-bundle-integrity/2".into()),
        ),
        fallen(
            "integrity-schema-missing",
            SCHEMA,
            "integrity.json",
            field,
            listed(|list| {
                list.as_object_mut().expect("an object").remove("schema_version");
            }),
        ),
    ]
}

/// Mistakes in the names of the list.
fn names() -> Vec<Case> {
    let extra = |path: &str| {
        let entry = json!({"path": path, "sha256": sha256_hex(b"extra\n"), "bytes": 6});
        listed(|list| list["files"].as_array_mut().expect("an array").push(entry))
    };
    let files = Some("files");
    let fall =
        |name: &str, field: Option<&str>, files: Files| fallen(name, CHANGED, "integrity.json", field, files);
    let mut sixth = extra("extra.txt");
    sixth.insert("extra.txt".to_owned(), b"extra\n".to_vec());
    let mut subfolder = extra("artifacts/extra.txt");
    subfolder.insert("artifacts/extra.txt".to_owned(), b"extra\n".to_vec());
    let mut traversal = fall("integrity-traversal-name", files, extra("../outside.txt"));
    traversal.beside.insert("outside.txt".to_owned(), b"extra\n".to_vec());
    vec![
        fall("integrity-sixth-name", files, sixth),
        fall("integrity-subfolder-name", files, subfolder),
        traversal,
        fall("integrity-absolute-name", files, extra("/etc/hostname")),
        fall("integrity-windows-name", files, extra("C:\\extra.txt")),
        fall(
            "integrity-duplicate-name",
            files,
            listed(|list| {
                let first = list["files"][0].clone();
                list["files"].as_array_mut().expect("an array").push(first);
            }),
        ),
        fall(
            "integrity-duplicate-for-missing-name",
            files,
            listed(|list| list["files"][4] = list["files"][0].clone()),
        ),
        fall(
            "integrity-missing-name",
            files,
            listed(|list| {
                list["files"].as_array_mut().expect("an array").pop();
            }),
        ),
        fall("integrity-files-not-array", files, listed(|list| list["files"] = json!({}))),
        fall("integrity-wrong-algorithm", Some("algorithm"), listed(|list| list["algorithm"] = "md5".into())),
        fall("integrity-not-json", None, {
            let mut files = sound().files();
            files.insert("integrity.json".to_owned(), b"{\"algorithm\":\"sha256\",\n".to_vec());
            files
        }),
    ]
}

/// Documents that differ from the list.
fn contents() -> Vec<Case> {
    let changed = |edit: fn(&mut Vec<u8>)| {
        let mut files = sound().files();
        edit(files.get_mut("observations.jsonl").expect("it was built"));
        files
    };
    let fall = |name: &str, document: &str, field: Option<&str>, files: Files| {
        fallen(name, CHANGED, document, field, files)
    };
    vec![
        // 520.0 becomes 420.0: same size, a better value.
        fall(
            "integrity-byte-changed",
            "observations.jsonl",
            Some("sha256"),
            changed(|bytes| {
                let at = bytes.windows(5).position(|five| five == b"520.0").expect("the value is there");
                bytes[at] = b'4';
            }),
        ),
        fall(
            "integrity-extra-line",
            "observations.jsonl",
            Some("bytes"),
            changed(|bytes| {
                let end = bytes.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
                let line = bytes[..end].to_vec();
                bytes.extend(line);
            }),
        ),
        fall(
            "integrity-extra-blank-line",
            "observations.jsonl",
            Some("bytes"),
            changed(|bytes| bytes.push(b'\n')),
        ),
        fall("integrity-missing-file", "diagnostics.jsonl", None, {
            let mut files = sound().files();
            files.remove("diagnostics.jsonl");
            files
        }),
        fall(
            "integrity-wrong-size",
            "manifest.json",
            Some("bytes"),
            listed(|list| list["files"][0]["bytes"] = 17.into()),
        ),
        fall(
            "integrity-short-digest",
            "manifest.json",
            Some("sha256"),
            listed(|list| {
                let short = list["files"][0]["sha256"].as_str().expect("a digest")[..63].to_owned();
                list["files"][0]["sha256"] = short.into();
            }),
        ),
    ]
}

fn shapes() -> Vec<Case> {
    let definitions = "measurement-definitions.json";
    let list = sound().definitions.clone();
    let twice = json!([list[0], list[1], list[0]]);
    let mut renamed = list[0].clone();
    renamed["unit"] = "kB".into();
    let contradicting = json!([list[0], list[1], renamed]);
    let mut nameless = list.clone();
    nameless[0].as_object_mut().expect("an object").remove("id");
    let mut absent = sound().documents();
    absent.remove(definitions);
    let fall = |name: &str, document: &str, field: Option<&str>, files: Files| {
        fallen(name, SHAPE, document, field, files)
    };
    vec![
        fall("definitions-not-array", definitions, None, with_document(definitions, document(&list[0]))),
        fall(
            "definitions-duplicate-id",
            definitions,
            Some("id"),
            with_document(definitions, document(&twice)),
        ),
        fall(
            "definitions-contradicting",
            definitions,
            Some("id"),
            with_document(definitions, document(&contradicting)),
        ),
        fall(
            "definitions-item-not-object",
            definitions,
            None,
            with_document(definitions, document(&json!([list[0], list[1], "third"]))),
        ),
        fall(
            "definitions-without-id",
            definitions,
            Some("id"),
            with_document(definitions, document(&nameless)),
        ),
        fall("definitions-not-json", definitions, None, with_document(definitions, "[{\"id\":\n")),
        fall("definitions-missing", definitions, None, absent),
        fall("artifacts-not-array", "artifacts.json", None, with_document("artifacts.json", "{}\n")),
    ]
}

fn manifests() -> Vec<Case> {
    let manifest = "manifest.json";
    let row = "the manifest cannot be read";
    let fall = |name: &str, bytes: Vec<u8>| fallen(name, row, manifest, None, with_document(manifest, bytes));
    let sound_text = document(&sound().manifest);
    let mut invalid = sound_text.clone();
    let at = invalid.windows(8).position(|eight| eight == b"Invented").expect("the warning is there");
    invalid[at] = 0xff;
    let mut twofold = sound_text.clone();
    twofold.extend(&sound_text);
    let without = |key: &str| {
        let mut bundle = sound();
        bundle.manifest.as_object_mut().expect("an object").remove(key);
        fallen(
            &format!("manifest-without-{}", key.replace('_', "-")),
            row,
            manifest,
            Some(key),
            bundle.files(),
        )
    };
    vec![
        fall("manifest-not-json", b"this is no JSON\n".to_vec()),
        fall("manifest-not-object", b"[]\n".to_vec()),
        fall("manifest-empty", Vec::new()),
        fall("manifest-cut", sound_text[..sound_text.len() / 2].to_vec()),
        fall("manifest-two-documents", twofold),
        fall("manifest-nested-too-deep", nested(&sound_text)),
        fall("manifest-invalid-utf8", invalid),
        without("run_id"),
        without("attempt_id"),
    ]
}

/// The manifest with one more field that holds thousands of nested arrays.
fn nested(manifest: &[u8]) -> Vec<u8> {
    let depth = 5000;
    let mut text = b"{\"abyss\":".to_vec();
    text.extend(std::iter::repeat_n(b'[', depth));
    text.extend(std::iter::repeat_n(b']', depth));
    text.push(b',');
    text.extend(&manifest[1..]);
    text
}

/// Records of originals below `artifacts/`: they fall alone, the samples of the bundle stay.
fn artifacts() -> Vec<Case> {
    let digest = sha256_hex(b"extra\n");
    let record = |path: &str, digest: &str| {
        let record = json!([{
            "path": path, "sha256": digest, "bytes": 6, "format": "table-csv", "target": "1.0.0",
            "target_kind": "release", "feature": "spoiled_bench",
        }]);
        with_document("artifacts.json", document(&record))
    };
    let case = |name: &str, row: &str, field: &str, files: Files| Case {
        name: name.to_owned(),
        row: row.to_owned(),
        problem: problem("artifacts.json", None, Some(field), "error"),
        integrity: "verified".into(),
        left: 4.into(),
        files,
        beside: Files::new(),
    };
    let mut changed = record("artifacts/a.csv", &digest);
    changed.insert("artifacts/a.csv".to_owned(), b"extrA\n".to_vec());
    let outside = "a path in a document is not followed out of the artifacts folder";
    let mut traversal =
        case("artifact-path-outside", outside, "path", record("artifacts/../../outside.txt", &digest));
    traversal.beside.insert("outside.txt".to_owned(), b"extra\n".to_vec());
    vec![
        traversal,
        case("artifact-path-absolute", outside, "path", record("/etc/hostname", &digest)),
        case("artifact-digest-mismatch", "an original must have its recorded digest", "sha256", changed),
        case("artifact-missing", "an original must be present", "path", record("artifacts/a.csv", &digest)),
    ]
}

/// Two values for one sample: which one holds cannot be told, so no line is named.
fn same_sample() -> Case {
    let mut spec = spec();
    let definition = spec.runs[0].tables[0][0].definition.clone();
    spec.runs[0].tables[0][0] = Column::numbered(&definition, [(1, 520.0), (1, 500.0)]);
    let bundle = Bundle::build(&spec);
    Case {
        name: "same-sample-different-value".to_owned(),
        row: "one sample key has two values".to_owned(),
        problem: problem("observations.jsonl", None, None, "warning"),
        integrity: "verified".into(),
        left: Value::Null,
        files: bundle.files(),
        beside: Files::new(),
    }
}
