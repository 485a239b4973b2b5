//! Text of strangers inside HTML, XML, script data and CSV.
//!
//! Characters that reorder text (bidirectional controls) are shown as `\u{202e}` everywhere, so that a name
//! cannot make a page read differently from what it says.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Escapes text for element content and quoted attributes of HTML and XML. Characters that XML 1.0 forbids
/// are dropped; line ends and tabs stay as they are.
pub fn markup(text: &str) -> Cow<'_, str> {
    escaped(text, false)
}

/// Like [`markup`], for attributes whose line ends and tabs must survive attribute normalization.
pub fn attribute(text: &str) -> Cow<'_, str> {
    escaped(text, true)
}

fn escaped(text: &str, attribute: bool) -> Cow<'_, str> {
    let changes = |symbol: char| {
        matches!(symbol, '&' | '<' | '>' | '"' | '\'' | '\r')
            || (attribute && matches!(symbol, '\n' | '\t'))
            || forbidden(symbol)
            || reorders(symbol)
    };
    let Some(first) = text.find(changes) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for symbol in text[first..].chars() {
        match symbol {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\r' => out.push_str("&#13;"),
            '\n' if attribute => out.push_str("&#10;"),
            '\t' if attribute => out.push_str("&#9;"),
            _ if forbidden(symbol) => {}
            _ if reorders(symbol) => shown(&mut out, symbol),
            _ => out.push(symbol),
        }
    }
    Cow::Owned(out)
}

/// Makes characters that reorder text visible, for plain text that is escaped later by others.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(reorders) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for symbol in text.chars() {
        if reorders(symbol) { shown(&mut out, symbol) } else { out.push(symbol) }
    }
    Cow::Owned(out)
}

/// Makes JSON safe inside `<script>`: `<`, `>`, `&`, the line separators and characters that reorder text
/// become JSON escapes. Correct for whole documents, because none of them occurs outside strings.
pub fn script_json(json: &str) -> Cow<'_, str> {
    let changes =
        |symbol: char| matches!(symbol, '<' | '>' | '&' | '\u{2028}' | '\u{2029}') || reorders(symbol);
    if !json.contains(changes) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 64);
    for symbol in json.chars() {
        if changes(symbol) {
            let _ = write!(out, "\\u{:04x}", symbol as u32);
        } else {
            out.push(symbol);
        }
    }
    Cow::Owned(out)
}

/// A text cell of a CSV file (RFC 4180). A cell that a spreadsheet would take for a formula gets an
/// apostrophe in front; so does one that already has such an apostrophe, which makes [`csv_text`] exact.
/// Numbers are not text: write them as they are.
pub fn csv_cell(text: &str) -> Cow<'_, str> {
    let guard = if guarded(text) { "'" } else { "" };
    let quote = text.contains(['"', ',', '\n', '\r']) || text.starts_with(' ') || text.ends_with(' ');
    match (guard, quote) {
        ("", false) => Cow::Borrowed(text),
        (guard, false) => Cow::Owned(format!("{guard}{text}")),
        (guard, true) => Cow::Owned(format!("\"{guard}{}\"", text.replace('"', "\"\""))),
    }
}

/// The text of an unquoted cell written by [`csv_cell`]: without the guarding apostrophe.
pub fn csv_text(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if guarded(text) => text,
        _ => cell,
    }
}

fn guarded(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// What XML 1.0 does not allow in a document, in any form.
fn forbidden(symbol: char) -> bool {
    matches!(symbol, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Embeddings, overrides and isolates.
fn reorders(symbol: char) -> bool {
    matches!(symbol, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn shown(out: &mut String, symbol: char) {
    let _ = write!(out, "\\u{{{:x}}}", symbol as u32);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn markup_is_inert() {
        assert_eq!(markup("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
        assert_eq!(markup("plain |> γ\n"), "plain |&gt; γ\n");
        assert!(matches!(markup("plain\tγ"), Cow::Borrowed(_)));
        assert_eq!(markup("a\0b\u{1b}[31m\u{ffff}\r"), "ab[31m&#13;");
        assert_eq!(markup("x\u{202e}gpj.exe"), "x\\u{202e}gpj.exe");
        assert_eq!(attribute("a\tb\nc"), "a&#9;b&#10;c");
        assert_eq!(visible("\u{2066}a<"), "\\u{2066}a<");
    }

    #[test]
    fn cells() {
        for (text, cell) in [
            ("plain", "plain"),
            ("=1+1", "'=1+1"),
            ("-x, y", "\"'-x, y\""),
            ("a\"b", "\"a\"\"b\""),
            ("'tis", "'tis"),
            ("'=x", "''=x"),
            ("@x", "'@x"),
            ("\tx", "'\tx"),
            ("", ""),
        ] {
            assert_eq!(csv_cell(text), cell);
        }
    }

    /// A reader of one CSV record, written for these tests from RFC 4180.
    fn record(line: &str) -> Vec<String> {
        let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
        let mut symbols = line.chars().peekable();
        while let Some(symbol) = symbols.next() {
            match symbol {
                '"' if quoted && symbols.peek() == Some(&'"') => {
                    symbols.next();
                    cell.push('"');
                }
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(std::mem::take(&mut cell)),
                _ => cell.push(symbol),
            }
        }
        cells.push(cell);
        cells
    }

    proptest! {
        #[test]
        fn csv_reads_back_equal(cells in prop::collection::vec("[a=+'\"\\-@,\t\r\n é]{0,6}|\\PC{0,4}", 1..5)) {
            let line = cells.iter().map(|cell| csv_cell(cell)).collect::<Vec<_>>().join(",");
            let read = record(&line);
            prop_assert_eq!(read.iter().map(|cell| csv_text(cell)).collect::<Vec<_>>(), cells);
            for cell in read {
                prop_assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']));
            }
        }

        #[test]
        fn json_in_script_means_the_same(text in "\\PC{0,20}|[<>&\u{2028}\u{202e}/!a-]{0,12}") {
            let json = serde_json::to_string(&text).unwrap();
            let safe = script_json(&json);
            prop_assert!(!safe.contains(['<', '>', '&', '\u{2028}', '\u{202e}']), "active");
            prop_assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
        }

        #[test]
        fn markup_leaves_nothing_active(text in any::<String>()) {
            let safe = attribute(&text);
            prop_assert!(!safe.contains(['<', '>', '"', '\'', '\0', '\u{202e}', '\n']), "active");
        }
    }
}
