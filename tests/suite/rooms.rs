//! The rooms of the program and which of them may use which.
//!
//! Reads every source file, collects every `crate::` path outside tests, and holds it against the table.
//! Whoever adds a room adds a row; whoever wants a new arrow must argue for it here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Room → rooms that it may name. Data flows one way: evidence → analyze → figure → draw → site → publish.
const TABLE: [(&str, &[&str]); 14] = [
    ("error", &[]),
    ("text", &[]),
    ("config", &["error"]),
    ("io", &["error"]),
    ("evidence", &["config", "error", "text"]),
    ("read", &["evidence", "config", "error", "io", "text"]),
    ("analyze", &["evidence", "config", "error", "io", "text"]),
    ("figure", &["analyze", "evidence", "config", "error", "io", "text"]),
    ("draw", &["figure", "analyze", "evidence", "config", "error", "io", "text"]),
    ("theme", &["draw", "config", "error", "io", "text"]),
    ("content", &["draw", "theme", "read", "figure", "analyze", "evidence", "config", "error", "io", "text"]),
    (
        "site",
        &[
            "content", "draw", "theme", "read", "figure", "analyze", "evidence", "config", "error", "io",
            "text",
        ],
    ),
    (
        "publish",
        &[
            "site", "content", "draw", "theme", "read", "figure", "analyze", "evidence", "config", "error",
            "io", "text",
        ],
    ),
    (
        "cli",
        &[
            "publish", "site", "content", "draw", "theme", "read", "figure", "analyze", "evidence", "config",
            "error", "io", "text",
        ],
    ),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The part of a file that is compiled into the program: everything before its tests, without comments.
fn program(text: &str) -> String {
    let end = text.find("#[cfg(test)]").unwrap_or(text.len());
    text[..end].lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The rooms that `crate::…` paths of a text name, `use crate::{a, b::c}` included.
fn named(text: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 1;
            let mut word = String::new();
            let mut fresh = true;
            for symbol in list.chars() {
                match symbol {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 1 => fresh = true,
                    _ if depth == 1 && fresh && (symbol.is_alphanumeric() || symbol == '_') => {
                        word.push(symbol);
                    }
                    _ if depth == 1 && !word.is_empty() => {
                        rooms.insert(std::mem::take(&mut word));
                        fresh = false;
                    }
                    _ => {}
                }
                if depth == 0 || (symbol == ',' && depth == 1) {
                    if !word.is_empty() {
                        rooms.insert(std::mem::take(&mut word));
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
        } else {
            let word: String =
                rest.chars().take_while(|symbol| symbol.is_alphanumeric() || *symbol == '_').collect();
            rooms.insert(word);
        }
    }
    rooms
}

#[test]
fn imports_follow_the_arrows() {
    let table: BTreeMap<&str, &[&str]> = TABLE.into_iter().collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 40, "the walk must see the program");
    let mut wrong = Vec::new();
    for file in files {
        let relative = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        let room = relative.split('/').next().unwrap().trim_end_matches(".rs").to_owned();
        if room == "lib" || room == "main" {
            continue;
        }
        let allowed = table.get(room.as_str()).unwrap_or_else(|| panic!("{relative}: no row for this room"));
        for used in named(&program(&fs::read_to_string(&file).unwrap())) {
            if used != room && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{relative} uses crate::{used}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_walk_sees_every_form_of_import() {
    let text =
        "use crate::{draw::svg, io, text::{a, b}};\nfn f() { crate::site::load::x() }\n// crate::cli\n";
    let rooms: Vec<String> = named(&program(text)).into_iter().collect();
    assert_eq!(rooms, ["draw", "io", "site", "text"]);
}

#[test]
fn no_file_is_too_long() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for file in files {
        let lines = program(&fs::read_to_string(&file).unwrap()).lines().count();
        assert!(lines <= 600, "{}: {lines} lines", file.display());
    }
}
