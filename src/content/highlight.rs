//! Marks comments and keywords in code blocks, and nothing else: enough to find one's way in a short example.

use crate::text::escape;

/// How a language writes comments, strings and keywords.
struct Language {
    line_comment: &'static str,
    block_comment: Option<(&'static str, &'static str)>,
    /// Characters that open and close a string.
    quotes: &'static str,
    /// Whether a string may be opened by three quotes.
    triple: bool,
    /// Whether a comment mark counts only at the start of a word.
    comment_at_word: bool,
    keywords: &'static [&'static str],
}

const TOML: Language = Language {
    line_comment: "#",
    block_comment: None,
    quotes: "\"'",
    triple: true,
    comment_at_word: false,
    keywords: &["true", "false", "inf", "nan"],
};
const JSON: Language = Language {
    line_comment: "//",
    block_comment: Some(("/*", "*/")),
    quotes: "\"",
    triple: false,
    comment_at_word: false,
    keywords: &["true", "false", "null"],
};
const SHELL: Language = Language {
    line_comment: "#",
    block_comment: None,
    quotes: "\"'",
    triple: false,
    comment_at_word: true,
    keywords: &[
        "if", "then", "else", "elif", "fi", "for", "in", "do", "done", "while", "until", "case", "esac",
        "function", "return", "export", "local",
    ],
};
const JULIA: Language = Language {
    line_comment: "#",
    block_comment: Some(("#=", "=#")),
    quotes: "\"",
    triple: true,
    comment_at_word: false,
    keywords: &[
        "abstract",
        "baremodule",
        "begin",
        "break",
        "catch",
        "const",
        "continue",
        "do",
        "else",
        "elseif",
        "end",
        "export",
        "false",
        "finally",
        "for",
        "function",
        "global",
        "if",
        "import",
        "in",
        "isa",
        "let",
        "local",
        "macro",
        "module",
        "mutable",
        "quote",
        "return",
        "struct",
        "true",
        "try",
        "using",
        "where",
        "while",
    ],
};
const RUST: Language = Language {
    line_comment: "//",
    block_comment: Some(("/*", "*/")),
    quotes: "\"",
    triple: false,
    comment_at_word: false,
    keywords: &[
        "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern",
        "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref",
        "return", "self", "Self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use",
        "where", "while",
    ],
};
const PYTHON: Language = Language {
    line_comment: "#",
    block_comment: None,
    quotes: "\"'",
    triple: true,
    comment_at_word: false,
    keywords: &[
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
        "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
        "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ],
};

fn language(name: &str) -> Option<&'static Language> {
    Some(match name.to_ascii_lowercase().as_str() {
        "toml" => &TOML,
        "json" | "jsonl" => &JSON,
        "sh" | "bash" | "shell" | "zsh" => &SHELL,
        "julia" | "jl" => &JULIA,
        "rust" | "rs" => &RUST,
        "python" | "py" => &PYTHON,
        _ => return None,
    })
}

/// The code as HTML: comments in `<span class="c">`, keywords in `<span class="k">`; code of a language that
/// is not known is only escaped.
pub(super) fn html(name: &str, code: &str) -> String {
    let Some(language) = language(name) else { return escape::markup(code).into_owned() };
    let mut out = String::with_capacity(code.len() + code.len() / 4);
    let mut at = 0;
    let mut before = None;
    while let Some(symbol) = code[at..].chars().next() {
        let rest = &code[at..];
        let at_word = !language.comment_at_word || before.is_none_or(char::is_whitespace);
        let (length, class) = if let Some(length) = comment(language, rest).filter(|_| at_word) {
            (length, Some("c"))
        } else if language.quotes.contains(symbol) {
            (string(language, rest, symbol), None)
        } else if symbol.is_alphabetic() || symbol == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            // A name behind a dot, a colon or a dollar sign is not a keyword, and neither is a key.
            let key = before.is_some_and(|c| ".:$@-".contains(c)) || rest[length..].starts_with(['-', '!']);
            (length, (!key && language.keywords.contains(&&rest[..length])).then_some("k"))
        } else {
            (symbol.len_utf8(), None)
        };
        let piece = &rest[..length];
        let text = escape::markup(piece);
        match class {
            Some(class) => out.extend(["<span class=\"", class, "\">", &text, "</span>"]),
            None => out.push_str(&text),
        }
        before = piece.chars().next_back();
        at += length;
    }
    out
}

/// The length of the comment that `rest` starts with.
fn comment(language: &Language, rest: &str) -> Option<usize> {
    if let Some((open, close)) = language.block_comment.filter(|(open, _)| rest.starts_with(open)) {
        let end = rest[open.len()..].find(close).map(|end| open.len() + end + close.len());
        return Some(end.unwrap_or(rest.len()));
    }
    rest.starts_with(language.line_comment).then(|| rest.find('\n').unwrap_or(rest.len()))
}

/// The length of the string that `rest` starts with. An unclosed single-line string ends with its line.
fn string(language: &Language, rest: &str, quote: char) -> usize {
    let three: String = [quote; 3].iter().collect();
    if language.triple && rest.starts_with(&three) {
        return rest[3..].find(&three).map_or(rest.len(), |end| end + 6);
    }
    let mut escaped = false;
    for (at, symbol) in rest.char_indices().skip(1) {
        match symbol {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if symbol == quote => return at + symbol.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn comments_and_keywords() {
        for (name, code, expected) in [
            ("toml", "a = \"# <no>\" # yes", "a = &quot;# &lt;no&gt;&quot; <span class=\"c\"># yes</span>"),
            ("sh", "echo a#b # c", "echo a#b <span class=\"c\"># c</span>"),
            (
                "julia",
                "x.end #= a\nb =# end",
                "x.end <span class=\"c\">#= a\nb =#</span> <span class=\"k\">end</span>",
            ),
            ("json", "{\"a\": true}", "{&quot;a&quot;: <span class=\"k\">true</span>}"),
            ("rust", "let s = '\"'; // x", "<span class=\"k\">let</span> s = &#39;&quot;&#39;; // x"),
            ("python", "'''# a\n''' # b", "&#39;&#39;&#39;# a\n&#39;&#39;&#39; <span class=\"c\"># b</span>"),
            ("text", "if a < b", "if a &lt; b"),
        ] {
            assert_eq!(html(name, code), expected, "{name}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost(
            name in prop::sample::select(vec!["toml", "json", "sh", "julia", "rust", "python", "?"]),
            code in "[ -~\nä]{0,60}",
        ) {
            let plain = html(name, &code)
                .replace("<span class=\"c\">", "").replace("<span class=\"k\">", "").replace("</span>", "");
            prop_assert_eq!(plain, escape::markup(&code));
        }
    }
}
