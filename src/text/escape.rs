//! Text of strangers inside HTML, XML, JSON, script data, CSV and terminals.
//!
//! Characters that steer instead of being read (control characters, bidirectional controls) are shown as
//! `\u{202e}` everywhere, so that a name can neither make a page read differently from what it says nor give
//! orders to whatever shows it.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Escapes text for element content and quoted attributes of HTML and XML. Steering characters, which
/// include all that XML 1.0 forbids, are shown; line ends, tabs and direction marks stay as they are.
pub fn markup(text: &str) -> Cow<'_, str> {
    escaped(text, false)
}

/// Like [`markup`], for attributes whose line ends and tabs must survive attribute normalization.
pub fn attribute(text: &str) -> Cow<'_, str> {
    escaped(text, true)
}

fn escaped(text: &str, attribute: bool) -> Cow<'_, str> {
    rewritten::<false>(text, |out, symbol| {
        match symbol {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\r' => out.push_str("&#13;"),
            '\n' if attribute => out.push_str("&#10;"),
            '\t' if attribute => out.push_str("&#9;"),
            _ if shown_in_markup(symbol) => shown(out, symbol),
            _ => return false,
        }
        true
    })
}

/// Whether no text is changed at a byte: most are such, and are skipped quickly.
type Dull = [bool; 256];

/// Whatever the text is for, but for quotes: JSON is full of them, so there they are left alone.
const fn dull(quotes: bool) -> Dull {
    let mut dull = [false; 256];
    let mut byte = 0_u8;
    while byte < 0x7f {
        dull[byte as usize] = is_dull(byte, quotes);
        byte += 1;
    }
    dull
}

#[expect(clippy::needless_bitwise_bool, reason = "without a branch many bytes are looked at in one step")]
const fn is_dull(byte: u8, quotes: bool) -> bool {
    (byte >= b' ')
        & (byte <= b'~')
        & (byte != b'&')
        & (byte != b'<')
        & (byte != b'>')
        & (quotes | ((byte != b'"') & (byte != b'\'')))
}

/// Bytes that are looked at together: the longest texts, documents of megabytes, have next to nothing to change.
const BLOCK: usize = 64;

/// How many bytes from the first stand in blocks that are dull as a whole.
fn dull_blocks(bytes: &[u8], quotes: bool) -> usize {
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let is_whole = |block: &&[u8; BLOCK]| {
        block.iter().fold(0, |other, &byte| other | u8::from(!is_dull(byte, quotes))) == 0
    };
    blocks.iter().take_while(is_whole).count() * BLOCK
}

/// The text with some characters replaced: `replace` appends what stands for a character and says whether it
/// did. With `QUOTES`, quotes are not replaced.
fn rewritten<const QUOTES: bool>(text: &str, replace: impl Fn(&mut String, char) -> bool) -> Cow<'_, str> {
    let dull: &Dull = const { &dull(QUOTES) };
    let bytes = text.as_bytes();
    let mut out = String::new();
    let (mut copied, mut at, mut looked, mut changed) = (0, 0, 0, String::new());
    loop {
        if at >= looked {
            at += dull_blocks(&bytes[at..], QUOTES);
            looked = at + BLOCK;
        }
        let Some(&byte) = bytes.get(at) else { break };
        if dull[usize::from(byte)] {
            at += 1;
            continue;
        }
        let Some(symbol) = text[at..].chars().next() else { break };
        let next = at + symbol.len_utf8();
        if replace(&mut changed, symbol) {
            if copied == 0 {
                out.reserve(text.len() + 16);
            }
            out.push_str(&text[copied..at]);
            out.push_str(&changed);
            changed.clear();
            copied = next;
        }
        at = next;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Makes steering characters visible, for plain text that is escaped later by others.
pub fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, steers, shown)
}

/// Makes a JSON document safe to show in a terminal or an editor: steering characters become JSON escapes.
/// Correct for whole documents, because none of them occurs outside strings.
pub fn json(json: &str) -> Cow<'_, str> {
    replaced(json, steers, json_escape)
}

/// Makes JSON safe inside `<script>`: besides what [`json`] does, `<`, `>`, `&` and the line separators become
/// JSON escapes.
pub fn script_json(json: &str) -> Cow<'_, str> {
    let changes =
        |symbol: char| matches!(symbol, '<' | '>' | '&' | '\u{2028}' | '\u{2029}') || steers(symbol);
    replaced(json, changes, json_escape)
}

fn replaced(text: &str, changes: impl Fn(char) -> bool, replace: impl Fn(&mut String, char)) -> Cow<'_, str> {
    rewritten::<true>(text, |out, symbol| {
        let changed = changes(symbol);
        if changed {
            replace(out, symbol);
        }
        changed
    })
}

/// For the characters below U+10000 only, which those that are escaped all are.
fn json_escape(out: &mut String, symbol: char) {
    let _ = write!(out, "\\u{:04x}", symbol as u32);
}

/// A text cell of a CSV file (RFC 4180). A cell that a spreadsheet would take for a formula gets an
/// apostrophe in front; so does one that already has such an apostrophe, which makes [`csv_text`] exact.
/// Steering characters are shown. Numbers are not text: write them as they are.
pub fn csv_cell(text: &str) -> Cow<'_, str> {
    if is_plain_cell(text) {
        return Cow::Borrowed(text);
    }
    match visible(text) {
        Cow::Borrowed(text) => plain_cell(text),
        Cow::Owned(text) => Cow::Owned(plain_cell(&text).into_owned()),
    }
}

/// Whether a cell is of the common kind that needs nothing: letters or digits at its ends, between them nothing that
/// steers or needs quotes.
fn is_plain_cell(text: &str) -> bool {
    const DULL: Dull = dull(false);
    let bytes = text.as_bytes();
    let ends = [bytes.first(), bytes.last()];
    ends.into_iter().flatten().all(u8::is_ascii_alphanumeric)
        && bytes.iter().all(|&byte| DULL[usize::from(byte)] && byte != b',')
}

fn plain_cell(text: &str) -> Cow<'_, str> {
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

/// Whether a character steers what shows it instead of being read: control characters except for tab and
/// line ends, bidirectional controls and marks, and the non-characters that XML 1.0 forbids.
pub fn steers(symbol: char) -> bool {
    (symbol.is_control() && !matches!(symbol, '\t' | '\n' | '\r'))
        || matches!(symbol, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}')
        || mark(symbol)
}

/// Direction marks order the punctuation beside them; prose in some scripts needs them.
fn mark(symbol: char) -> bool {
    matches!(symbol, '\u{200e}' | '\u{200f}' | '\u{61c}')
}

fn shown_in_markup(symbol: char) -> bool {
    steers(symbol) && !mark(symbol)
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
        assert_eq!(markup("a\0b\u{1b}[31m\u{ffff}\r"), "a\\u{0}b\\u{1b}[31m\\u{ffff}&#13;");
        assert_eq!(markup("\u{7f}\u{9b}\u{2069}\u{200f}"), "\\u{7f}\\u{9b}\\u{2069}\u{200f}");
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
            ("a\0\u{1b}[1m\u{7f}\u{9b}", "a\\u{0}\\u{1b}[1m\\u{7f}\\u{9b}"),
            ("\u{202e}x,\u{200f}\u{61c}", "\"\\u{202e}x,\\u{200f}\\u{61c}\""),
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
        fn json_in_script_means_the_same(text in "\\PC{0,20}|[<>&\u{2028}\u{202e}\u{9b}\u{7f}/!a-]{0,12}") {
            let json = serde_json::to_string(&text).unwrap();
            let safe = script_json(&json);
            prop_assert!(!safe.contains(['<', '>', '&', '\u{2028}', '\u{202e}']), "active");
            prop_assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text.as_str());
            let safe = super::json(&json);
            prop_assert!(!safe.contains(steers), "steering");
            prop_assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
        }

        #[test]
        fn markup_leaves_nothing_active(text in any::<String>()) {
            let safe = attribute(&text);
            prop_assert!(!safe.contains(['<', '>', '"', '\'', '\n']), "active");
            prop_assert!(!safe.contains(shown_in_markup), "steering");
        }
    }
}
