//! Why a file that may be evidence is not read: it is cut, empty, too large or in another encoding.
//!
//! Only documents are asked about. A document that is sound and of no known format is somebody else's file, as are
//! readmes, tables and pictures beside the evidence.

use serde::de::IgnoredAny;

use super::{split, without_mark};
use crate::error::{Place, Problem};

/// Endings of the names of documents.
const ENDINGS: [&str; 2] = [".json", ".sarif"];
/// How the names of settings of programs begin that are written with comments, which JSON has not.
const SETTINGS: [&str; 2] = ["tsconfig", "jsconfig"];
/// Words that stand in documents of the known formats and hardly anywhere else.
const WORDS: [&str; 8] = [
    "perfchecker-",
    "perfolio-plot/",
    "\"shallow_bytes\"",
    "\"heap_bytes\"",
    "\"availability\"",
    "\"patch_windows\"",
    "\"idle_control\"",
    "\"tool_version\"",
];

/// What to do about a file that was written by halves.
const RESTORE: &str = "restore it as it was written, or take it out of the source";

/// Why a file that no reader took is not read, where it should be a document. `bytes` are all of it when `whole`.
pub(super) fn why(path: &str, bytes: &[u8], whole: bool) -> Option<Problem> {
    if !is_document(path) {
        return None;
    }
    let warning =
        |message: String, remedy: &str| Some(Problem::warning(Place::file(path), message).remedy(remedy));
    if is_utf16(bytes) {
        let message = "the text is UTF-16, and only UTF-8 is read".to_owned();
        return warning(message, "save it as UTF-8");
    }
    let text = without_mark(bytes).trim_ascii_start();
    match text.first() {
        None if whole => warning("the file is empty, so nothing is read from it".to_owned(), RESTORE),
        Some(b'{') if whole => match serde_json::from_slice::<IgnoredAny>(text) {
            Ok(_) => None,
            Err(error) => {
                let message = format!("not JSON, so nothing is read from it: {error}");
                let known = WORDS.iter().any(|word| memchr::memmem::find(text, word.as_bytes()).is_some());
                let make = if known { Problem::error } else { Problem::warning };
                Some(make(Place::file(path), message).remedy(RESTORE))
            }
        },
        // Lists and single values are documents of no known format; of others the rest may be sound.
        None | Some(b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => None,
        Some(_) => warning("not JSON, so nothing is read from it".to_owned(), RESTORE),
    }
}

/// Why a document of `bytes` bytes is not read.
pub(super) fn too_large(path: &str, bytes: u64, limit: u64) -> Problem {
    let message = format!("{bytes} bytes, more than the limit of a document, {limit}, so it is not read");
    Problem::error(Place::file(path), message).remedy("raise `document_bytes` under [limits]")
}

fn is_document(path: &str) -> bool {
    let name = split(path).1.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
        && !SETTINGS.iter().any(|start| name.starts_with(start))
}

/// Whether a text begins as UTF-16 does: with its mark, or with a character of ASCII in two bytes.
fn is_utf16(bytes: &[u8]) -> bool {
    matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..])
        || matches!(bytes, [first, 0, ..] | [0, first, ..] if first.is_ascii() && *first != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(path: &str, bytes: &[u8]) -> Option<(&'static str, String)> {
        why(path, bytes, true).map(|problem| (problem.severity.word(), problem.message))
    }

    #[test]
    fn documents_that_cannot_be_read_are_told_and_other_files_are_not() {
        let utf16: Vec<u8> = "{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (path, bytes, severity, words) in [
            ("a.json", b"".as_slice(), "warning", "is empty"),
            ("a.SARIF", b"\xEF\xBB\xBF \n", "warning", "is empty"),
            ("a.json", &utf16, "warning", "UTF-16"),
            ("a.json", b"\xFE\xFF\0{", "warning", "UTF-16"),
            ("a.json", b"{\"a\": 1, ", "warning", "not JSON"),
            ("a.json", b"{\"types\": [{\"shallow_bytes\": 1}", "error", "not JSON"),
            ("a.json", b"\0\0\0\0", "warning", "not JSON"),
            ("a.json", b"version https://", "warning", "not JSON"),
        ] {
            let (found, message) = told(path, bytes).unwrap();
            assert!(found == severity && message.contains(words), "{path} {bytes:?}: {found} {message}");
        }
        for (path, bytes) in [
            ("readme.md", b"".as_slice()),
            ("a.csv", b"{"),
            ("Manifest.toml", &utf16),
            ("package-lock.json", b"{\"packages\": {}}"),
            ("list.json", b"[1, 2]"),
            ("tsconfig.json", b"{ // a remark\n}"),
        ] {
            assert_eq!(told(path, bytes), None, "{path}");
        }
        assert!(why("a.json", b"{\"a\":", false).is_none(), "the rest may be sound");
    }
}
