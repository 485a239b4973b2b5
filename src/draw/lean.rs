//! Smaller texts for files that carry everything: style sheets, scripts and JSON without spaces that mean
//! nothing. Strings are never touched. Sheets and scripts are the same for all files: `theme` makes them lean
//! once, when it fills a [`super::Style`].

use std::borrow::Cow;

/// A style sheet without comments, line ends and spaces around punctuation.
pub fn css(sheet: &str) -> String {
    let mut out = String::with_capacity(sheet.len());
    let mut rest = sheet;
    // Whether a space is due before the next character, and how deep in round brackets the text is: there
    // spaces around colons and signs may have a meaning.
    let (mut space, mut depth) = (false, 0_usize);
    while let Some(symbol) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.find("*/").map_or("", |end| &comment[end + 2..]);
            space = true;
            continue;
        }
        if symbol.is_ascii_whitespace() {
            space = true;
            rest = &rest[1..];
            continue;
        }
        let tight_after = |out: &str| {
            out.is_empty()
                || out.ends_with(['{', '}', ';', ','])
                || (depth == 0 && in_declaration(out) && out.ends_with(':'))
        };
        if space && !matches!(symbol, '{' | '}' | ';' | ',') && !tight_after(&out) {
            out.push(' ');
        }
        space = false;
        let length = match symbol {
            '"' | '\'' => string_length(rest, symbol),
            _ => symbol.len_utf8(),
        };
        match symbol {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '}' if out.ends_with(';') => {
                out.pop();
            }
            _ => {}
        }
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

/// Whether the text ends inside a declaration: the last bracket is open and a name follows it. In a nested
/// rule or a selector a space after a colon would be an error anyway.
fn in_declaration(out: &str) -> bool {
    out.rfind(['{', '}', ';']).is_some_and(|at| !out[at + 1..].contains(['&', '.', '#', '>', ' ']))
}

/// Position of a character that is in no string.
pub(super) fn find_outside_strings(text: &str, wanted: char) -> Option<usize> {
    let mut at = 0;
    while let Some(symbol) = text[at..].chars().next() {
        if symbol == wanted {
            return Some(at);
        }
        at +=
            if matches!(symbol, '"' | '\'') { string_length(&text[at..], symbol) } else { symbol.len_utf8() };
    }
    None
}

/// Position of the brace that closes the one at `open`.
pub(super) fn closing(text: &str, open: usize) -> Option<usize> {
    let (mut at, mut depth) = (open, 0_usize);
    while let Some(symbol) = text[at..].chars().next() {
        match symbol {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
        at +=
            if matches!(symbol, '"' | '\'') { string_length(&text[at..], symbol) } else { symbol.len_utf8() };
    }
    None
}

/// A script without comment lines, indentation and spaces beside punctuation. One with template literals, in
/// which spaces count, stays as it is. Line ends stay, because they may end statements.
pub fn script(script: &str) -> Cow<'_, str> {
    let code = |line: &&str| !line.trim_start().starts_with("//");
    if script.lines().filter(code).any(|line| line.contains('`')) {
        return Cow::Borrowed(script);
    }
    let mut out = String::with_capacity(script.len());
    let lines = script.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("//")) {
        tighten(line, &mut out);
        out.push('\n');
    }
    Cow::Owned(out)
}

/// Copies one line of a script without the spaces that mean nothing.
fn tighten(line: &str, out: &mut String) {
    const TIGHT: &str = "=+-*<>?:;,(){}[]&|!";
    let mut rest = line;
    while let Some(symbol) = rest.chars().next() {
        let before = out.chars().next_back().unwrap_or('\n');
        let length = match symbol {
            '"' | '\'' => string_length(rest, symbol),
            // After an operator a slash starts a regular expression, elsewhere it divides or starts a comment.
            '/' if "(,=:[!&|?{};\n".contains(before) && !rest.starts_with("//") => string_length(rest, '/'),
            '/' if rest.starts_with("//") => return,
            ' ' => {
                let after = rest.trim_start().chars().next().unwrap_or('\n');
                let signs = "+-".contains(before) && "+-".contains(after);
                if signs || !(TIGHT.contains(before) || TIGHT.contains(after)) {
                    out.push(' ');
                }
                rest = rest.trim_start();
                continue;
            }
            _ => symbol.len_utf8(),
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
}

/// JSON without spaces between tokens. A document in one line has none, by the habit of its writers.
pub(super) fn json(document: &str) -> Cow<'_, str> {
    let document = document.trim();
    if !document.contains('\n') {
        return Cow::Borrowed(document);
    }
    let bytes = document.as_bytes();
    let mut out = String::with_capacity(document.len());
    let (mut copied, mut at) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at += json_string_length(&bytes[at..]),
            b' ' | b'\n' | b'\r' | b'\t' => {
                out.push_str(&document[copied..at]);
                while matches!(bytes.get(at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
                    at += 1;
                }
                copied = at;
            }
            _ => at += 1,
        }
    }
    out.push_str(&document[copied..]);
    Cow::Owned(out)
}

/// Length of the JSON string that starts `bytes`, with both quotes.
fn json_string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found + 1;
        if bytes[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// Length of the string that starts `text`, with both quotes.
fn string_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, symbol) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if symbol == '\\' {
            escaped = true;
        } else if symbol == quote {
            return at + 1;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn style_sheets_keep_their_meaning() {
        for (sheet, lean) in [
            ("a { color: red; }\n", "a{color:red}"),
            (
                "/* x */ .a .b, .c > d { margin: 0 auto; width: calc(100% - 4px) }",
                ".a .b,.c > d{margin:0 auto;width:calc(100% - 4px)}",
            ),
            ("a :hover { content: \"a  ;  b\"; }", "a :hover{content:\"a  ;  b\"}"),
            ("@media (max-width: 4px) { a { b: c; } }", "@media (max-width: 4px){a{b:c}}"),
            (
                ":root { --x: light-dark(#fff, #000); font: 16px/24px \"Segoe UI\", sans; }",
                ":root{--x:light-dark(#fff,#000);font:16px/24px \"Segoe UI\",sans}",
            ),
        ] {
            assert_eq!(css(sheet), lean);
        }
    }

    #[test]
    fn scripts_lose_comments_and_indentation() {
        for (text, lean) in [
            ("// x\nif (a) {\n  b(\"// y\");\n}\n", "if(a){\nb(\"// y\");\n}\n"),
            ("const a = b + +c - -d;", "const a=b+ +c- -d;\n"),
            ("x.replace(/a = \\/ b/g, \" = \")", "x.replace(/a = \\/ b/g,\" = \")\n"),
            ("y = (a + b) / 2 / c; // = d", "y=(a+b)/ 2 / c;\n"),
            ("return a in b ? c : d", "return a in b?c:d\n"),
            ("z = /x y/.test(q)", "z=/x y/.test(q)\n"),
        ] {
            assert_eq!(script(text), lean);
        }
        assert_eq!(script("a(`\n  b`)"), "a(`\n  b`)");
        assert_eq!(script("// `x`\n  a = b;"), "a=b;\n");
    }

    proptest! {
        #[test]
        fn json_means_the_same(text in "[ \"\\\\\n\ta:,{}é]{0,24}", number in any::<i32>()) {
            let value = serde_json::json!({ text.as_str(): [number, text, null], "b": {} });
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            prop_assert_eq!(json(&pretty).into_owned(), serde_json::to_string(&value).unwrap());
        }
    }
}
