//! Smaller texts for files that carry everything: style sheets, scripts and JSON without spaces that mean
//! nothing. Strings are never touched. Sheets and scripts are the same for all files: `theme` makes them lean
//! once, when it fills a [`super::Style`].

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;

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

/// The rules of a lean sheet that can apply: those whose elements all occur in `markups`, whose classes occur in `class` attributes of one of
/// the `markups` or as words of `script`, and the variables that remaining rules use.
pub(super) fn used(sheet: &str, markups: &[&str], script: &str) -> String {
    let mut classes = BTreeSet::new();
    let mut names = BTreeSet::new();
    for markup in markups {
        names.extend(markup.split('<').skip(1).map(|part| {
            &part[..part.find(|symbol: char| !symbol.is_ascii_alphanumeric()).unwrap_or(part.len())]
        }));
        for part in markup.split("class=\"").skip(1) {
            classes.extend(part[..part.find('"').unwrap_or(0)].split(' '));
        }
    }
    let words: BTreeSet<&str> =
        script.split(|symbol: char| !(symbol.is_alphanumeric() || matches!(symbol, '-' | '_'))).collect();
    let known = |class: &str| classes.contains(class) || words.contains(class);
    let mut out = String::with_capacity(sheet.len());
    let attribute = |name: &str| {
        script.contains(name) || markups.iter().any(|markup| markup.contains(&format!(" {name}=")))
    };
    let known = Known { attribute: &attribute, class: &known, name: &|name: &str| names.contains(name) };
    rules(sheet, &known, &mut out);
    // Variables may be built from variables; the sheets here use one level.
    let variables: BTreeSet<&str> =
        out.split("var(").skip(1).map(|part| &part[..part.find([',', ')']).unwrap_or(0)]).collect();
    let mut kept = String::with_capacity(out.len());
    let mut rest = out.as_str();
    while let Some(at) = rest.find("--") {
        kept.push_str(&rest[..at]);
        let declared = kept.ends_with(['{', ';']);
        rest = &rest[at..];
        let end = rest.find([';', '}']).unwrap_or(rest.len());
        let name = &rest[..rest.find(':').unwrap_or(0).min(end)];
        let next = if rest[end..].starts_with(';') { end + 1 } else { end };
        if !declared {
            kept.push_str("--");
            rest = &rest[2..];
        } else if variables.contains(name) {
            kept.push_str(&rest[..next]);
            rest = &rest[next..];
        } else {
            rest = &rest[next..];
        }
    }
    kept.push_str(rest);
    kept
}

/// What occurs in a document.
struct Known<'a> {
    attribute: &'a dyn Fn(&str) -> bool,
    class: &'a dyn Fn(&str) -> bool,
    name: &'a dyn Fn(&str) -> bool,
}

/// Copies the rules of `sheet` whose selectors are known.
fn rules(sheet: &str, known: &Known, out: &mut String) {
    let mut rest = sheet;
    while let Some(open) = find_outside_strings(rest, '{') {
        let Some(close) = closing(rest, open) else { break };
        let (head, body) = (rest[..open].trim(), &rest[open + 1..close]);
        rest = &rest[close + 1..];
        if head.starts_with('@') {
            let mut inner = String::new();
            if body.contains('{') {
                rules(body, known, &mut inner);
            } else {
                inner.push_str(body);
            }
            if !inner.is_empty() {
                let _ = write!(out, "{head}{{{inner}}}");
            }
            continue;
        }
        let selectors: Vec<&str> =
            list(head).into_iter().filter(|selector| applies(selector, known)).collect();
        if !selectors.is_empty() {
            let _ = write!(out, "{}{{{body}}}", selectors.join(","));
        }
    }
    out.push_str(rest.trim());
}

/// Position of a character that is in no string.
fn find_outside_strings(text: &str, wanted: char) -> Option<usize> {
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
fn closing(text: &str, open: usize) -> Option<usize> {
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

/// The selectors of a list.
fn list(head: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, symbol) in head.char_indices() {
        match symbol {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&head[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&head[start..]);
    parts
}

/// Whether all classes of a selector are known; those in `:not()`, `:is()` and `:where()` may be others.
fn applies(selector: &str, known: &Known) -> bool {
    let attributes = selector.split('[').skip(1);
    let names = attributes.map(|part| &part[..part.find(['=', ']', '~', '|', '^', '$', '*']).unwrap_or(0)]);
    if !names.into_iter().all(|name| (known.attribute)(name)) {
        return false;
    }
    if [":not(.", ":is(", ":where(", "\\", "\""].iter().any(|form| selector.contains(form)) {
        // Rare forms are kept as they are, but for the classes before them.
        let plain = selector.split([':', '\\', '"']).next().unwrap_or_default();
        return applies_plain(plain, known);
    }
    applies_plain(selector, known)
}

fn applies_plain(selector: &str, known: &Known) -> bool {
    // Names of elements stand at the start and after combinators; what is in brackets does not matter here.
    let plain = selector.split(['(', '[']).next().unwrap_or_default();
    let named = plain.split([' ', '>', '+', '~']).all(|part| {
        let end = part.find(|symbol: char| !symbol.is_ascii_alphanumeric()).unwrap_or(part.len());
        end == 0 || (known.name)(&part[..end])
    });
    named
        && selector.split('.').skip(1).all(|part| {
            let end = part.find(|symbol: char| !(symbol.is_alphanumeric() || matches!(symbol, '-' | '_')));
            let class = &part[..end.unwrap_or(part.len())];
            class.is_empty()
                || class.starts_with(|symbol: char| symbol.is_ascii_digit())
                || (known.class)(class)
        })
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
    let mut out = String::with_capacity(document.len());
    let mut rest = document;
    while let Some(at) = rest.find(['"', ' ', '\n', '\r', '\t']) {
        out.push_str(&rest[..at]);
        let length = if rest[at..].starts_with('"') {
            let length = string_length(&rest[at..], '"');
            out.push_str(&rest[at..at + length]);
            length
        } else {
            1
        };
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// HTML without quotes around the values of attributes that need none. For markup of our own, in whose text
/// quotes are escaped; not for XML.
pub(super) fn unquoted(markup: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.#%:".contains(&byte);
    let mut out = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some(at) = rest.find("=\"") {
        let start = at + 2;
        let Some(length) = rest[start..].find('"') else { break };
        let value = &rest[start..start + length];
        let after = &rest[start + length + 1..];
        out.push_str(&rest[..=at]);
        if length > 0 && value.bytes().all(plain) && after.starts_with([' ', '>', '/']) {
            out.push_str(value);
            if after.starts_with('/') {
                // The value would take the slash.
                out.push(' ');
            }
        } else {
            out.push_str(&rest[at + 1..=start + length]);
        }
        rest = after;
    }
    out.push_str(rest);
    out
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
    fn only_rules_that_can_apply_stay() {
        let sheet = ":root{--a:red;--b:blue}.x .y,.x{color:var(--a)}.z{color:var(--b)}\
                     @media print{.z{a:b}}@media print{p{a:b}}.x:has(.t1:not(:checked)) .s1{c:d}.x:not(.q) p{e:f}pre > b{g:h}";
        assert_eq!(
            used(sheet, &["<p class=\"x w\">"], "add('on')"),
            ":root{--a:red;}.x{color:var(--a)}@media print{p{a:b}}.x:not(.q) p{e:f}"
        );
        assert_eq!(used(".on{a:b}", &[], "add('on')"), ".on{a:b}");
    }

    #[test]
    fn only_values_that_need_none_lose_their_quotes() {
        assert_eq!(
            unquoted(
                "<p class=\"a\" id=\"x-1\"><use href=\"#m1\" x=\"3.5%\" y=\"4\"/><b class=\"a b\" title=\"\">q=&quot;1&quot; =</b>"
            ),
            "<p class=a id=x-1><use href=#m1 x=3.5% y=4 /><b class=\"a b\" title=\"\">q=&quot;1&quot; =</b>"
        );
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
