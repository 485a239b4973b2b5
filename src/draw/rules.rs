//! Which rules of a style sheet a file of its own needs. A sheet is taken apart once; a file then only tells
//! which of the names that the sheet asks for occur in it, and files in which the same names occur share one
//! smaller sheet.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use super::lean::{closing, find_outside_strings};
use crate::io::sha256_base64;

/// Most smaller sheets that are remembered.
const REMEMBERED: usize = 256;
/// Most sheets that are remembered.
const SHEETS: usize = 64;

/// A lean sheet and the script that stands beside it, taken apart.
#[derive(Debug)]
pub(super) struct Rules {
    sheet: String,
    /// The script.
    pub(super) script: String,
    /// Digest of the script, for the policy of a file.
    pub(super) script_sha256: String,
    items: Vec<Item>,
    names: Names,
    /// Names that the script or the frame of a file has.
    always: Vec<u64>,
    smaller: Mutex<BTreeMap<Vec<u64>, Arc<Smaller>>>,
}

/// The rules that a file needs.
#[derive(Debug)]
pub(super) struct Smaller {
    /// The sheet.
    pub(super) css: String,
    /// Its digest, for the policy of the file.
    pub(super) sha256: String,
}

/// Names that occur in a file, as far as a sheet asks for them.
#[derive(Debug)]
pub(super) struct Seen<'a> {
    rules: &'a Rules,
    bits: Vec<u64>,
}

#[derive(Debug)]
enum Item {
    /// Selectors with the names that each needs, and the declarations.
    Rule(Vec<(String, Vec<usize>)>, String),
    /// A rule with `@` around others.
    Around(String, Vec<Item>),
    /// Anything else, as it is.
    Plain(String),
}

/// What a name in a selector names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Element,
    Class,
    Attribute,
}

/// Numbered names. A few words are looked up thousands of times for each file, so they lie in small groups that
/// are found by length and ends.
#[derive(Debug)]
struct Names {
    groups: Vec<Vec<(Sort, String, usize)>>,
    count: usize,
}

impl Default for Names {
    fn default() -> Self {
        Self { groups: (0..64).map(|_| Vec::new()).collect(), count: 0 }
    }
}

impl Names {
    fn group(name: &str) -> usize {
        let bytes = name.as_bytes();
        let ends = bytes.first().zip(bytes.last()).map_or(0, |(a, b)| usize::from(*a) + 5 * usize::from(*b));
        (ends + 11 * bytes.len()) % 64
    }

    fn get(&self, sort: Sort, name: &str) -> Option<usize> {
        let mut group = self.groups[Self::group(name)].iter();
        group.find(|one| one.0 == sort && one.1 == name).map(|one| one.2)
    }

    fn number(&mut self, sort: Sort, name: &str) -> usize {
        self.get(sort, name).unwrap_or_else(|| {
            self.groups[Self::group(name)].push((sort, name.to_owned(), self.count));
            self.count += 1;
            self.count - 1
        })
    }
}

impl Rules {
    /// Takes `sheet` apart for files with the markup `frame` around their figure and with `script`.
    pub(super) fn new(sheet: &str, script: String, frame: &str) -> Self {
        let mut names = Names::default();
        let mut items = Vec::new();
        parse(sheet, &mut names, &mut items);
        let words: BTreeSet<&str> =
            script.split(|symbol: char| !(symbol.is_alphanumeric() || matches!(symbol, '-' | '_'))).collect();
        let mut always = vec![0; names.count.div_ceil(64)];
        for (sort, name, number) in names.groups.iter().flatten() {
            let said = match sort {
                Sort::Element => false,
                Sort::Class => words.contains(name.as_str()),
                Sort::Attribute => script.contains(name.as_str()),
            };
            if said {
                set(&mut always, *number);
            }
        }
        let script_sha256 = sha256_base64(script.as_bytes());
        let smaller = Mutex::default();
        let mut rules =
            Self { sheet: sheet.to_owned(), script, script_sha256, items, names, always, smaller };
        let mut seen = rules.seen();
        seen.in_markup(frame);
        let always = seen.bits;
        rules.always = always;
        rules
    }

    /// Whether this is what [`Rules::new`] would make of the sheet and the parts of the script.
    pub(super) fn are_of(&self, sheet: &str, script: [&str; 2]) -> bool {
        self.sheet == sheet
            && self.script.len() == script[0].len() + script[1].len()
            && self.script.starts_with(script[0])
            && self.script.ends_with(script[1])
    }

    /// What occurs in every file.
    pub(super) fn seen(&self) -> Seen<'_> {
        Seen { rules: self, bits: self.always.clone() }
    }
}

impl Seen<'_> {
    /// Notes what occurs in `markup`.
    pub(super) fn in_markup(&mut self, markup: &str) {
        scan(None, markup, self);
    }

    fn note(&mut self, sort: Sort, name: &str) {
        if let Some(number) = self.rules.names.get(sort, name) {
            set(&mut self.bits, number);
        }
    }

    /// The rules that can apply: those whose elements, attributes and classes all occur, in markup or as words of
    /// the script, and the variables that these rules use.
    pub(super) fn smaller(self) -> Arc<Smaller> {
        let remembered = || self.rules.smaller.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = remembered().get(&self.bits) {
            return Arc::clone(found);
        }
        let mut css = String::with_capacity(self.rules.sheet.len());
        write_rules(&self.rules.items, &self.bits, &mut css);
        let css = without_idle_variables(&css);
        let sha256 = sha256_base64(css.as_bytes());
        let made = Arc::new(Smaller { css, sha256 });
        let mut all = remembered();
        if all.len() < REMEMBERED {
            all.insert(self.bits.clone(), Arc::clone(&made));
        }
        made
    }
}

/// Appends the rules whose names were all seen.
fn write_rules(items: &[Item], seen: &[u64], out: &mut String) {
    for item in items {
        match item {
            Item::Plain(text) => out.push_str(text),
            Item::Around(head, items) => {
                let start = out.len();
                out.push_str(head);
                out.push('{');
                let inside = out.len();
                write_rules(items, seen, out);
                if out.len() == inside {
                    out.truncate(start);
                } else {
                    out.push('}');
                }
            }
            Item::Rule(selectors, body) => {
                let has = |number: &usize| seen[number / 64] >> (number % 64) & 1 == 1;
                let applying = selectors.iter().filter(|(_, needs)| needs.iter().all(has));
                let mut some = false;
                for (selector, _) in applying {
                    if some {
                        out.push(',');
                    }
                    out.push_str(selector);
                    some = true;
                }
                if some {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "{{{body}}}");
                }
            }
        }
    }
}

fn set(bits: &mut [u64], number: usize) {
    bits[number / 64] |= 1 << (number % 64);
}

/// A sheet without variables that no rule uses. Variables may be built from variables; the sheets here use one
/// level.
fn without_idle_variables(sheet: &str) -> String {
    let variables: BTreeSet<&str> =
        sheet.split("var(").skip(1).map(|part| &part[..part.find([',', ')']).unwrap_or(0)]).collect();
    let mut kept = String::with_capacity(sheet.len());
    let mut rest = sheet;
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

fn parse(sheet: &str, names: &mut Names, items: &mut Vec<Item>) {
    let mut rest = sheet;
    while let Some(open) = find_outside_strings(rest, '{') {
        let Some(close) = closing(rest, open) else { break };
        let (head, body) = (rest[..open].trim(), &rest[open + 1..close]);
        rest = &rest[close + 1..];
        if head.starts_with('@') {
            let mut inner = Vec::new();
            if body.contains('{') {
                parse(body, names, &mut inner);
            } else if !body.is_empty() {
                inner.push(Item::Plain(body.to_owned()));
            }
            items.push(Item::Around(head.to_owned(), inner));
            continue;
        }
        let selectors = list(head).into_iter().map(|selector| (selector.to_owned(), needs(selector, names)));
        items.push(Item::Rule(selectors.collect(), body.to_owned()));
    }
    let rest = rest.trim();
    if !rest.is_empty() {
        items.push(Item::Plain(rest.to_owned()));
    }
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

/// The names that a selector needs; those in `:not()`, `:is()` and `:where()` may be missing.
fn needs(selector: &str, names: &mut Names) -> Vec<usize> {
    let mut found = Vec::new();
    for part in selector.split('[').skip(1) {
        let name = &part[..part.find(['=', ']', '~', '|', '^', '$', '*']).unwrap_or(0)];
        found.push(names.number(Sort::Attribute, name));
    }
    let rare = [":not(.", ":is(", ":where(", "\\", "\""].iter().any(|form| selector.contains(form));
    // Rare forms are kept as they are, but for the classes before them.
    let selector = if rare { selector.split([':', '\\', '"']).next().unwrap_or_default() } else { selector };
    // Names of elements stand at the start and after combinators; what is in brackets does not matter here.
    let plain = selector.split(['(', '[']).next().unwrap_or_default();
    for part in plain.split([' ', '>', '+', '~']) {
        let end = part.find(|symbol: char| !symbol.is_ascii_alphanumeric()).unwrap_or(part.len());
        if end > 0 {
            found.push(names.number(Sort::Element, &part[..end]));
        }
    }
    for part in selector.split('.').skip(1) {
        let end = part.find(|symbol: char| !(symbol.is_alphanumeric() || matches!(symbol, '-' | '_')));
        let class = &part[..end.unwrap_or(part.len())];
        if !(class.is_empty() || class.starts_with(|symbol: char| symbol.is_ascii_digit())) {
            found.push(names.number(Sort::Class, class));
        }
    }
    found
}

/// End tags that HTML needs not: cells and rows end where the next begins.
const DROPPED: [&str; 5] = ["</td>", "</th>", "</tr>", "</thead>", "</tbody>"];

/// Appends markup of our own without end tags that HTML needs not and without quotes around the values of
/// attributes that need none; notes what occurs in it. Quotes in its text must be escaped; not for XML.
pub(super) fn write_markup(out: &mut String, markup: &str, seen: &mut Seen) {
    scan(Some(out), markup, seen);
}

fn scan(mut out: Option<&mut String>, markup: &str, seen: &mut Seen) {
    let bytes = markup.as_bytes();
    let mut push = |part: &str| {
        if let Some(out) = out.as_deref_mut() {
            out.push_str(part);
        }
    };
    let mut note = |sort, name: &str| seen.note(sort, name);
    let (mut copied, mut at) = (0, 0);
    while let Some(open) = bytes.get(at..).and_then(|rest| memchr::memchr(b'<', rest)) {
        let start = at + open;
        if bytes.get(start + 1) == Some(&b'/') {
            let end = memchr::memchr(b'>', &bytes[start..]).map_or(bytes.len(), |end| start + end + 1);
            if DROPPED.contains(&&markup[start..end]) {
                push(&markup[copied..start]);
                copied = end;
            }
            at = end;
            continue;
        }
        at = start + 1;
        at += count(&bytes[at..], u8::is_ascii_alphanumeric);
        note(Sort::Element, &markup[start + 1..at]);
        while let Some(&byte) = bytes.get(at) {
            if byte == b'>' || byte == b'<' {
                break;
            }
            if byte == b' ' || byte == b'/' {
                at += 1;
                continue;
            }
            let key = at;
            at += count(&bytes[at..], |byte| !matches!(byte, b'=' | b' ' | b'/' | b'>' | b'<')).max(1);
            if bytes.get(at) != Some(&b'=') {
                continue;
            }
            let key = &markup[key..at];
            note(Sort::Attribute, key);
            at += 1;
            if bytes.get(at) != Some(&b'"') {
                continue;
            }
            let from = at + 1;
            let Some(length) = memchr::memchr(b'"', &bytes[from..]) else { break };
            let value = &markup[from..from + length];
            if key == "class" {
                value.split(' ').for_each(|class| note(Sort::Class, class));
            }
            let after = bytes.get(from + length + 1);
            let plain = |byte: u8| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'#' | b'%' | b':')
            };
            if length > 0 && matches!(after, Some(b' ' | b'>' | b'/')) && value.bytes().all(plain) {
                push(&markup[copied..at]);
                push(value);
                if after == Some(&b'/') {
                    // The value would take the slash.
                    push(" ");
                }
                copied = from + length + 1;
            }
            at = from + length + 1;
        }
    }
    push(&markup[copied..]);
}

/// How many bytes at the start are of a sort.
fn count(bytes: &[u8], of: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().position(|byte| !of(byte)).unwrap_or(bytes.len())
}

/// Sheets that were taken apart. A clone starts empty; it is no part of what a style says.
#[derive(Default)]
pub(super) struct Cache(Mutex<Vec<Arc<Rules>>>);

impl Cache {
    /// The rules of `sheet` beside a script of two parts, in files with the markup `frame` around their figure. One
    /// sheet and script always have the same frame.
    pub(super) fn rules(&self, sheet: &str, script: [&str; 2], frame: &str) -> Arc<Rules> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = kept().iter().find(|rules| rules.are_of(sheet, script)) {
            return Arc::clone(rules);
        }
        let made = Arc::new(Rules::new(sheet, script.concat(), frame));
        let mut all = kept();
        // Sheets of drawings differ in a few lengths.
        if all.len() == SHEETS {
            all.clear();
        }
        all.push(Arc::clone(&made));
        made
    }
}

impl Clone for Cache {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl std::fmt::Debug for Cache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Cache")
    }
}

impl PartialEq for Cache {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Cache {}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(sheet: &str, markup: &str, script: &str) -> String {
        let rules = Rules::new(sheet, script.to_owned(), "");
        let make = || {
            let mut seen = rules.seen();
            seen.in_markup(markup);
            seen.smaller()
        };
        let first = make();
        assert!(Arc::ptr_eq(&first, &make()), "made once");
        first.css.clone()
    }

    #[test]
    fn only_rules_that_can_apply_stay() {
        let sheet = ":root{--a:red;--b:blue}.x .y,.x{color:var(--a)}.z{color:var(--b)}\
                     @media print{.z{a:b}}@media print{p{a:b}}.x:has(.t1:not(:checked)) .s1{c:d}.x:not(.q) p{e:f}pre > b{g:h}";
        assert_eq!(
            used(sheet, "<p class=\"x w\">", "add('on')"),
            ":root{--a:red;}.x{color:var(--a)}@media print{p{a:b}}.x:not(.q) p{e:f}"
        );
        assert_eq!(used(".on{a:b}", "", "add('on')"), ".on{a:b}");
        assert_eq!(
            used("[data-x] p{a:b}@font-face{c:d}", "<p data-x=\"\">", ""),
            "[data-x] p{a:b}@font-face{c:d}"
        );
        assert_eq!(used("[data-x] p{a:b}", "<p>data-x=", ""), "");
    }

    #[test]
    fn only_values_that_need_none_lose_their_quotes() {
        let rules = Rules::new("p{a:b}", String::new(), "");
        let mut out = String::new();
        let markup = "<p class=\"a\" id=\"x-1\"><use href=\"#m1\" x=\"3.5%\" y=\"4\"/><b class=\"a b\" title=\"\">q=&quot;1&quot; =</b>";
        write_markup(&mut out, markup, &mut rules.seen());
        assert_eq!(
            out,
            "<p class=a id=x-1><use href=#m1 x=3.5% y=4 /><b class=\"a b\" title=\"\">q=&quot;1&quot; =</b>"
        );
        out.clear();
        write_markup(&mut out, "<tr><td class=\"é\">1</td><td hidden>2 <</td></tr>", &mut rules.seen());
        assert_eq!(out, "<tr><td class=\"é\">1<td hidden>2 <");
    }

    #[test]
    fn a_changed_sheet_is_taken_apart_again() {
        let cache = Cache::default();
        let of =
            |sheet: &str, script: [&str; 2]| cache.rules(sheet, script, "<p>").seen().smaller().css.clone();
        assert_eq!(of("p{a:b}", ["", "x"]), "p{a:b}");
        assert_eq!(of("p{a:c}", ["", "x"]), "p{a:c}");
        assert_eq!(of("p{a:c}.y{d:e}", ["y", "x"]), "p{a:c}");
        assert_eq!(of("p{a:c}.y{d:e}", ["y ", "x"]), "p{a:c}.y{d:e}");
    }
}
