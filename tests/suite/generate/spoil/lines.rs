//! Mistakes in one line of an otherwise sound bundle. The spoiled observation is always line 3.

use super::super::bundle::{Files, sealed};
use super::super::canon::document;
use super::{Case, problem, remark, rows, sound};
use serde_json::{Value, json};

const LINE: usize = 3;
const VALUE: &str = "the value is not a finite number; a zero is never invented";
const OTHER: &str = "the observation does not fit its definition";
const MIXED: &str = "a record of another run";
const OBJECT: &str = "a line is not a JSON object";

pub(super) fn cases() -> Vec<Case> {
    let mut cases = values();
    cases.extend(references());
    cases.extend(texts());
    cases.extend(diagnostics());
    cases
}

fn case(name: &str, row: &str, document: &str, field: Option<&str>, left: u64, files: Files) -> Case {
    let line = if document == "observations.jsonl" { LINE as u64 } else { 2 };
    Case {
        name: name.to_owned(),
        row: row.to_owned(),
        problem: problem(document, Some(line), field, "error"),
        integrity: "verified".into(),
        left: left.into(),
        files,
        beside: Files::new(),
    }
}

/// Line 3 with one member changed, under a fitting integrity list; `Null` in `value` writes null.
fn member(name: &str, row: &str, key: &str, value: Value) -> Case {
    let mut rows = rows(&sound());
    rows[LINE - 1][key] = value;
    case(name, row, "observations.jsonl", Some(key), 3, joined(&rows))
}

/// Line 3 without one member.
fn without(name: &str, row: &str, key: &str) -> Case {
    let mut rows = rows(&sound());
    rows[LINE - 1].as_object_mut().expect("an object").remove(key);
    case(name, row, "observations.jsonl", Some(key), 3, joined(&rows))
}

fn joined(rows: &[Value]) -> Files {
    let mut files = sound().documents();
    files.insert("observations.jsonl".to_owned(), rows.iter().flat_map(document).collect());
    sealed(files)
}

/// Line 3 with another text.
fn text(name: &str, row: &str, edit: impl FnOnce(&str) -> Vec<u8>) -> Case {
    let mut files = sound().documents();
    let whole = String::from_utf8(files["observations.jsonl"].clone()).expect("the builder writes UTF-8");
    let mut bytes = Vec::new();
    let mut edit = Some(edit);
    for (place, line) in whole.lines().enumerate() {
        if place + 1 == LINE
            && let Some(edit) = edit.take()
        {
            bytes.extend(edit(line));
        } else {
            bytes.extend(line.as_bytes());
        }
        bytes.push(b'\n');
    }
    files.insert("observations.jsonl".to_owned(), bytes);
    case(name, row, "observations.jsonl", None, 3, sealed(files))
}

fn values() -> Vec<Case> {
    vec![
        member("value-null", VALUE, "value", Value::Null),
        member("value-string", VALUE, "value", "fast".into()),
        member("value-decimal-string", VALUE, "value", "12.5".into()),
        member("value-nan-string", VALUE, "value", "NaN".into()),
        member("value-missing-string", VALUE, "value", "missing".into()),
        member("value-empty-string", VALUE, "value", "".into()),
        member("value-bool", VALUE, "value", true.into()),
        member("value-array", VALUE, "value", json!([64])),
        member("value-object", VALUE, "value", json!({"By": 64})),
        without("value-absent", VALUE, "value"),
        text("value-nan-token", VALUE, |line| line.replace("\"value\":64", "\"value\":NaN").into()),
        text("value-infinity-token", VALUE, |line| line.replace("\"value\":64", "\"value\":Infinity").into()),
        text("value-minus-infinity-token", VALUE, |line| {
            line.replace("\"value\":64", "\"value\":-Infinity").into()
        }),
        text("value-overflow", VALUE, |line| line.replace("\"value\":64", "\"value\":1e999").into()),
    ]
}

fn references() -> Vec<Case> {
    let stranger = "00000000-0000-4000-8000-000000000000";
    vec![
        member(
            "unknown-definition",
            "the observation names an unknown definition",
            "measurement_definition",
            "julia.alloc.bytes/unheard-of-v1".into(),
        ),
        without("definition-absent", "the observation names no definition", "measurement_definition"),
        member("unit-mismatch", OTHER, "unit", "kB".into()),
        member("metric-mismatch", OTHER, "metric", "julia.alloc.count".into()),
        member("foreign-run-id", MIXED, "run_id", stranger.into()),
        member("foreign-attempt-id", MIXED, "attempt_id", stranger.into()),
    ]
}

fn texts() -> Vec<Case> {
    vec![
        text("jsonl-line-not-object", OBJECT, |_| b"[1,2,3]".to_vec()),
        text("jsonl-line-a-number", OBJECT, |_| b"64".to_vec()),
        text("jsonl-broken-json", OBJECT, |line| line.as_bytes()[..line.len() / 2].to_vec()),
        text("jsonl-two-objects-on-a-line", OBJECT, |line| format!("{line} {line}").into()),
        text("jsonl-nested-too-deep", OBJECT, |line| {
            let depth = 5000;
            format!("{{\"abyss\":{}{},{}", "[".repeat(depth), "]".repeat(depth), &line[1..]).into()
        }),
        text("jsonl-invalid-utf8", OBJECT, |line| {
            let at = line.find("Widget").expect("the package is named");
            let mut bytes = line.as_bytes().to_vec();
            bytes[at] = 0xff;
            bytes
        }),
        text("jsonl-zero-bytes", OBJECT, |line| vec![0; line.len()]),
    ]
}

/// Line 2 of the diagnostics; the observations stay.
fn diagnostics() -> Vec<Case> {
    let files = |second: Vec<u8>| {
        let bundle = sound();
        let mut lines = document(&remark(&bundle.manifest));
        lines.extend(second);
        lines.push(b'\n');
        let mut files = bundle.documents();
        files.insert("diagnostics.jsonl".to_owned(), lines);
        sealed(files)
    };
    let mut foreign = remark(&sound().manifest);
    foreign["run_id"] = "00000000-0000-4000-8000-000000000000".into();
    let foreign = serde_json::to_vec(&foreign).expect("JSON values always serialize");
    vec![
        case(
            "diagnostics-line-not-object",
            OBJECT,
            "diagnostics.jsonl",
            None,
            4,
            files(b"\"a remark\"".to_vec()),
        ),
        case("diagnostics-foreign-run-id", MIXED, "diagnostics.jsonl", Some("run_id"), 4, files(foreign)),
    ]
}
