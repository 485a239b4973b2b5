//! Looks through raw HTML for what the site's policy blocks in a browser, so that the author learns of it at
//! build time and not from a page that silently misses a part.
//!
//! The HTML itself is kept as it is; it belongs to the author.

use std::ops::Range;

/// What was found in a piece of raw HTML.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// What the policy blocks: byte offset and reason.
    pub(super) blocked: Vec<(usize, String)>,
    /// Ids that the HTML defines.
    pub(super) ids: Vec<String>,
    /// Relative addresses in links and images, in order.
    pub(super) addresses: Vec<RawAddress>,
}

/// A relative address written in raw HTML.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RawAddress {
    /// Where the value stands, without quotes.
    pub(super) range: Range<usize>,
    /// The value, decoded.
    pub(super) value: String,
    /// Whether it names a file to show rather than a page to go to.
    pub(super) image: bool,
}

#[derive(Debug)]
struct Attribute {
    name: String,
    value: String,
    range: Range<usize>,
}

/// Elements whose content is text up to their end tag.
const RAW_TEXT: [&str; 4] = ["script", "style", "textarea", "title"];

/// Scans one piece of raw HTML: a whole block or one inline tag.
pub(super) fn scan(html: &str) -> Scan {
    let mut scan = Scan::default();
    let mut at = 0;
    while let Some(open) = html[at..].find('<').map(|found| at + found) {
        let rest = &html[open + 1..];
        if rest.starts_with("!--") {
            at = html[open + 4..].find("-->").map_or(html.len(), |end| open + 4 + end + 3);
            continue;
        }
        if !rest.starts_with(|symbol: char| symbol.is_ascii_alphabetic()) {
            at = open + 1;
            continue;
        }
        let name_end = rest
            .find(|symbol: char| symbol.is_whitespace() || "/>".contains(symbol))
            .map_or(html.len(), |end| open + 1 + end);
        let name = html[open + 1..name_end].to_ascii_lowercase();
        let (attributes, end) = attributes(html, name_end);
        judge(&name, &attributes, open, &mut scan);
        at = end;
        if RAW_TEXT.contains(&name.as_str()) {
            let close = format!("</{name}");
            at =
                html[at..].to_ascii_lowercase().find(&close).map_or(html.len(), |end| at + end + close.len());
        }
    }
    scan
}

/// Reads attributes up to the end of the tag and returns where it ends.
fn attributes(html: &str, start: usize) -> (Vec<Attribute>, usize) {
    let mut found = Vec::new();
    let mut at = start;
    loop {
        at += html[at..]
            .find(|symbol: char| !symbol.is_whitespace() && symbol != '/')
            .unwrap_or(html.len() - at);
        let rest = &html[at..];
        if rest.is_empty() {
            return (found, at);
        }
        if rest.starts_with('>') {
            return (found, at + 1);
        }
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let name_length = rest[first..]
            .find(|symbol: char| symbol.is_whitespace() || "=/>".contains(symbol))
            .map_or(rest.len(), |end| first + end);
        let name = rest[..name_length].to_ascii_lowercase();
        at += name_length;
        let blank = html[at..].len() - html[at..].trim_start().len();
        let mut range = at..at;
        if html[at + blank..].starts_with('=') {
            at += blank + 1;
            at += html[at..].len() - html[at..].trim_start().len();
            let rest = &html[at..];
            range = if let Some(quote @ ('"' | '\'')) = rest.chars().next() {
                let end = rest[1..].find(quote).map_or(html.len(), |end| at + 1 + end);
                let range = at + 1..end;
                at = (end + 1).min(html.len());
                range
            } else {
                let length =
                    rest.find(|symbol: char| symbol.is_whitespace() || symbol == '>').unwrap_or(rest.len());
                let range = at..at + length;
                at += length;
                range
            };
        }
        let value = html[range.clone()].replace("&amp;", "&");
        found.push(Attribute { name, value, range });
    }
}

fn judge(name: &str, attributes: &[Attribute], open: usize, scan: &mut Scan) {
    let value = |wanted: &str| {
        attributes.iter().find(|attribute| attribute.name == wanted).map(|attribute| attribute.value.as_str())
    };
    let mut block = |what: String| scan.blocked.push((open, what));
    match name {
        "script" => match (value("src"), value("type")) {
            (Some(src), _) if is_remote(src) => block("a script from elsewhere".to_owned()),
            (Some(_), _) => block("a script of the page's own; scripts belong into the theme".to_owned()),
            // Data that no browser runs.
            (None, Some(kind)) if kind.contains("json") => {}
            (None, _) => block("an inline script".to_owned()),
        },
        "style" => block("a `<style>` element".to_owned()),
        "iframe" | "frame" | "object" | "embed" | "applet" | "audio" | "video" | "portal" => {
            block(format!("a `<{name}>` element"));
        }
        "base" => block("a `<base>` element".to_owned()),
        "link" if value("href").is_some_and(is_remote) => block("a file from elsewhere".to_owned()),
        "meta" if value("http-equiv").is_some() => block("a `<meta http-equiv>` element".to_owned()),
        _ => {}
    }
    for attribute in attributes {
        let Attribute { name: key, value, range } = attribute;
        let shown = || format!("`{key}=` of `<{name}>`");
        match key.as_str() {
            "style" => block(format!("inline style: {}", shown())),
            "id" => scan.ids.push(value.clone()),
            "action" | "formaction" => block(format!("a form that is sent somewhere: {}", shown())),
            "srcdoc" => block(shown()),
            _ if key.len() > 2 && key.starts_with("on") => block(format!("an event handler: {}", shown())),
            "src" | "srcset" | "poster" | "background" | "href" | "xlink:href" | "data" | "ping" => {
                let loads = !(key == "href" && matches!(name, "a" | "area" | "link" | "base"));
                if runs_script(value) {
                    block(format!("a script address: {}", shown()));
                } else if name == "script" {
                    // Judged as an element above.
                } else if loads && value.split(',').any(is_remote) && !value.trim_start().starts_with("data:")
                {
                    block(format!("a file from elsewhere: {}", shown()));
                } else if is_relative(value) && matches!((name, key.as_str()), ("img", "src") | ("a", "href"))
                {
                    let image = name == "img";
                    scan.addresses.push(RawAddress { range: range.clone(), value: value.clone(), image });
                }
            }
            _ => {}
        }
    }
}

/// The scheme of an address in lower case, read as browsers do: blanks and control characters are ignored.
pub(super) fn scheme(address: &str) -> Option<String> {
    let plain: String =
        address.chars().filter(|symbol| !symbol.is_whitespace() && !symbol.is_control()).collect();
    let (scheme, _) = plain.split_once(':')?;
    let named = scheme.starts_with(|symbol: char| symbol.is_ascii_alphabetic())
        && scheme.chars().all(|symbol| symbol.is_ascii_alphanumeric() || "+-.".contains(symbol));
    named.then(|| scheme.to_ascii_lowercase())
}

/// Whether following the address would run a script.
fn runs_script(address: &str) -> bool {
    let decoded =
        address.to_ascii_lowercase().replace("&colon;", ":").replace("&#58;", ":").replace("&#x3a;", ":");
    match scheme(&decoded).as_deref() {
        Some("javascript" | "vbscript") => true,
        Some("data") => {
            decoded.contains("html") || decoded.contains("svg+xml;") || decoded.contains("script")
        }
        _ => false,
    }
}

/// Whether the address leaves the site.
fn is_remote(address: &str) -> bool {
    let address = address.trim();
    address.starts_with("//")
        || address.starts_with("\\\\")
        || scheme(address).is_some_and(|scheme| scheme != "data" && scheme != "blob")
}

/// Whether the address is relative to the page and names more than a place in it.
fn is_relative(address: &str) -> bool {
    let address = address.trim();
    !address.is_empty() && !address.starts_with(['#', '/', '\\', '?']) && scheme(address).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_blocked() {
        for (html, reasons) in [
            ("<script>if (a < b) { '<p onclick=x>' }</script>", &["inline script"][..]),
            ("<SCRIPT src=https://x/y.js></SCRIPT>", &["script from elsewhere"]),
            ("<script type=\"application/json\">{}</script>", &[]),
            ("<p style=\"color:red\">", &["inline style"]),
            ("<style>p { }</style>", &["<style>"]),
            ("<p onClick = 'a()'>", &["event handler: `onclick=`"]),
            ("<iframe src=a.html></iframe>", &["<iframe>"]),
            ("<img src=\"//x/y.png\" alt>", &["elsewhere: `src=`"]),
            ("<img srcset='a.png 1x, https://x/b.png 2x'>", &["elsewhere: `srcset=`"]),
            ("<img src='data:image/png;base64,AA=='>", &[]),
            ("<svg><image href='http://x/a.png'/></svg>", &["elsewhere: `href=`"]),
            ("<form action='/x'>", &["form"]),
            ("<a href=' java\nscript:x()'>", &["script address"]),
            ("<a href='javascript&colon;x()'>", &["script address"]),
            ("<a href='https://example.org'>", &[]),
            ("<base href='x'>", &["<base>"]),
            ("<meta http-equiv=refresh content=0>", &["http-equiv"]),
            ("<!-- <script> --><b>", &[]),
            ("a < b <3 </p>", &[]),
            ("<details><summary>S</summary></details>", &[]),
        ] {
            let found = scan(html).blocked;
            assert_eq!(found.len(), reasons.len(), "{html}: {found:?}");
            for ((_, found), reason) in found.iter().zip(reasons) {
                assert!(found.contains(reason), "{html}: {found}");
            }
        }
    }

    #[test]
    fn relative_addresses_have_their_place() {
        let html = "<p id=x><a href=\"b.md?a=1&amp;b=2\">t</a><img alt='' src=i.png></p>";
        let found = scan(html);
        assert_eq!(found.ids, ["x"]);
        let texts: Vec<_> = found.addresses.iter().map(|raw| (&html[raw.range.clone()], raw.image)).collect();
        assert_eq!(texts, [("b.md?a=1&amp;b=2", false), ("i.png", true)]);
        assert_eq!(found.addresses[0].value, "b.md?a=1&b=2");
    }

    proptest! {
        #[test]
        fn never_panics(html in "[<>/='\" a-zä!\\-\n]{0,60}") {
            for raw in scan(&html).addresses {
                prop_assert!(html.get(raw.range).is_some());
            }
        }
    }
}
