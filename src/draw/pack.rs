//! Lists of thousands of texts in few characters, for the scripts beside large figures. Nothing is lost: `large.js`
//! makes the same texts of them.
//!
//! Sentences of one list differ in their names and numbers only. So a packed list is
//! `{"texts": […], "which": "0010…", "parts": […]}`: its forms, in which U+E000 stands for every name or number; which
//! form each text has, as a digit in base 36, left out where there is one form only; and for each place, from the
//! first, the number of the list of what stands there. Those lists stand once, each as one text with spaces between
//! its entries, or as its one entry where all are equal.

use std::collections::BTreeMap;

use serde_json::Value;

/// Shorter lists stay as they are.
pub(super) const LONG: usize = 200;
/// Stands for a part.
const PLACE: char = '\u{e000}';
/// Most forms of the texts of a list: digits of base 36.
const FORMS: u32 = 36;

/// Lists of parts that packed texts refer to, with their numbers.
#[derive(Debug, Default)]
pub(super) struct Parts(BTreeMap<String, usize>);

impl Parts {
    /// All lists, in the order of their numbers.
    pub(super) fn into_lists(self) -> Vec<String> {
        let mut lists: Vec<(String, usize)> = self.0.into_iter().collect();
        lists.sort_unstable_by_key(|(_, number)| *number);
        lists.into_iter().map(|(list, _)| list).collect()
    }

    /// The texts packed; none for short lists, and where they have too little in common.
    pub(super) fn pack(&mut self, texts: &[&str]) -> Option<Value> {
        if texts.len() < LONG || texts.iter().any(|text| has_place(text)) {
            return None;
        }
        if let Some(found) = few(texts) {
            return Some(found.packed(true, Vec::new()));
        }
        let (found, places) = by_form(texts)?;
        let numbers = places.into_iter().map(|entries| {
            let equal = entries.windows(2).all(|pair| pair[0] == pair[1]);
            self.number(if equal { entries[0].to_owned() } else { entries.join(" ") })
        });
        let numbers = numbers.collect();
        // As not all texts are equal, one of the parts has an entry for each.
        let several = found.known.len() > 1;
        Some(found.packed(several, numbers))
    }

    /// The value with every list of texts in it packed.
    pub(super) fn pack_all(&mut self, value: Value) -> Value {
        match value {
            Value::Array(list) => {
                let texts: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
                match texts.and_then(|texts| self.pack(&texts)) {
                    Some(packed) => packed,
                    // Numbers, the most of all, hold nothing.
                    None if list.first().is_some_and(Value::is_number) => Value::Array(list),
                    None => list.into_iter().map(|value| self.pack_all(value)).collect(),
                }
            }
            Value::Object(fields) => {
                Value::Object(fields.into_iter().map(|(name, value)| (name, self.pack_all(value))).collect())
            }
            other => other,
        }
    }

    fn number(&mut self, list: String) -> usize {
        let next = self.0.len();
        *self.0.entry(list).or_insert(next)
    }
}

/// Whether a text has the character that stands for a part.
fn has_place(text: &str) -> bool {
    // Its first byte is rare, its last one is not.
    memchr::memchr(0xee, text.as_bytes()).is_some() && text.contains(PLACE)
}

/// Forms of texts, and which of them each text has.
#[derive(Default)]
struct Forms {
    known: Vec<String>,
    which: String,
    /// The form of the last text.
    last: usize,
}

impl Forms {
    /// Notes the form of the next text; none with too many forms.
    fn note(&mut self, form: &str) -> Option<()> {
        // Most texts have the form of the one before.
        if self.known.get(self.last).is_none_or(|last| last != form) {
            self.last = self.known.iter().position(|other| other == form).unwrap_or(self.known.len());
        }
        let digit = char::from_digit(u32::try_from(self.last).ok()?, FORMS)?;
        if self.last == self.known.len() {
            self.known.push(form.to_owned());
        }
        self.which.push(digit);
        Some(())
    }

    /// A packed list of texts of these forms; `which` may be left out where there is one form only.
    fn packed(self, which: bool, parts: Vec<usize>) -> Value {
        let which = which.then(|| ("which".to_owned(), self.which.into()));
        let fields = [("texts".to_owned(), self.known.into()), ("parts".to_owned(), parts.into())];
        Value::Object(fields.into_iter().chain(which).collect())
    }
}

/// The different texts, and which of them each is; none where there are too many.
fn few(texts: &[&str]) -> Option<Forms> {
    let mut found = Forms::default();
    texts.iter().try_for_each(|text| found.note(text))?;
    Some(found)
}

/// The different forms, which of them each text has, and for each place what stands there in each text: nothing
/// where its form has no such place. None with too many forms.
fn by_form<'a>(texts: &[&'a str]) -> Option<(Forms, Vec<Vec<&'a str>>)> {
    let mut found = Forms::default();
    let mut places: Vec<Vec<&str>> = Vec::new();
    let mut form = String::new();
    for (at, text) in texts.iter().enumerate() {
        form.clear();
        let mut place = 0;
        parts(text, &mut form, |part| {
            if place == places.len() {
                places.push(Vec::with_capacity(texts.len()));
            }
            places[place].resize(at, "");
            places[place].push(part);
            place += 1;
        });
        found.note(&form)?;
    }
    for place in &mut places {
        place.resize(texts.len(), "");
    }
    Some((found, places))
}

/// Appends a text with a place for every name or number in it, which are words with a digit, and gives those away.
fn parts<'a>(text: &'a str, form: &mut String, mut take: impl FnMut(&'a str)) {
    let outside = |symbol: char| !symbol.is_alphanumeric();
    let (mut copied, mut at) = (0, 0);
    while at < text.len() {
        let (end, next, digits) = word(text.as_bytes(), at);
        if digits {
            let part = text[at..end].trim_start_matches(outside);
            let start = end - part.len();
            let part = part.trim_end_matches(outside);
            form.push_str(&text[copied..start]);
            form.push(PLACE);
            copied = start + part.len();
            take(part);
        }
        at = next;
    }
    form.push_str(&text[copied..]);
}

/// What stands between words, beside spaces: narrow and other spaces that do not break, and dashes.
const BETWEEN: [&str; 3] = ["\u{202f}", "\u{a0}", "–"];

/// The word that starts at `from`: where it ends, where the next one starts, and whether it has a digit.
fn word(text: &[u8], from: usize) -> (usize, usize, bool) {
    let mut digits = false;
    for (at, byte) in text.iter().enumerate().skip(from) {
        match byte {
            b'0'..=b'9' => digits = true,
            b' ' => return (at, at + 1, digits),
            // The first bytes of the others.
            0xc2 | 0xe2 => {
                if let Some(space) = BETWEEN.iter().find(|space| text[at..].starts_with(space.as_bytes())) {
                    return (at, at + space.len(), digits);
                }
            }
            _ => {}
        }
    }
    (text.len(), text.len(), digits)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// What the script of pages does.
    fn unpacked(packed: &Value, lists: &[String]) -> Vec<String> {
        let texts = |value: &Value| -> Vec<String> { serde_json::from_value(value.clone()).unwrap() };
        let numbers: Vec<usize> = serde_json::from_value(packed["parts"].clone()).unwrap();
        let parts: Vec<Vec<&str>> = numbers.iter().map(|at| lists[*at].split(' ').collect()).collect();
        let which = packed["which"].as_str().unwrap_or_default();
        let count = which.len().max(parts.iter().map(Vec::len).max().unwrap_or(0));
        let forms = texts(&packed["texts"]);
        (0..count)
            .map(|at| {
                let form = which.chars().nth(at).and_then(|digit| digit.to_digit(36)).unwrap_or(0);
                let mut pieces = forms[form as usize].split(PLACE);
                let mut out = pieces.next().unwrap().to_owned();
                for (piece, part) in pieces.zip(&parts) {
                    out += part[if part.len() > 1 { at } else { 0 }];
                    out += piece;
                }
                out
            })
            .collect()
    }

    #[test]
    fn names_and_numbers_stand_once() {
        let mut parts = Parts::default();
        let labels: Vec<String> = (0..500).map(|at| format!("1.{at}.0")).collect();
        let said: Vec<String> = labels
            .iter()
            .enumerate()
            .map(|(at, label)| match at % 5 {
                0 => format!("time at {label}: not run"),
                _ => format!("time at {label}: {}\u{202f}µs, median of 30 samples", at * 7 % 90),
            })
            .collect();
        let texts = |list: &[String]| Value::from(list.to_vec());
        let value = json!({ "x": texts(&labels), "data": [{ "hovertext": texts(&said), "y": [1.5, null] }],
            "again": texts(&labels), "colours": vec!["var(--s1)"; 300], "few": ["1", "2"] });
        let packed = parts.pack_all(value.clone());
        let lists = parts.into_lists();
        assert_eq!(lists.len(), 3, "labels, values and the number of samples");
        assert_eq!(packed["few"], value["few"]);
        assert_eq!(packed["data"][0]["y"], value["data"][0]["y"]);
        assert_eq!(packed["x"], packed["again"]);
        assert_eq!(unpacked(&packed["x"], &lists), labels);
        assert_eq!(unpacked(&packed["data"][0]["hovertext"], &lists), said);
        assert_eq!(unpacked(&packed["colours"], &lists), vec!["var(--s1)"; 300]);
        assert!(packed.to_string().len() + lists.concat().len() < value.to_string().len() / 4);
    }

    proptest! {
        #[test]
        fn every_text_comes_back(
            words in prop::collection::vec("[a-c1-3 (.%\u{202f}–µ\u{e000}\n\"]{0,9}", 1..8),
            numbers in prop::collection::vec(0_u32..500, LONG..LONG + 60),
        ) {
            let texts: Vec<String> = numbers
                .iter()
                .map(|number| format!("{} {number}, {}", words[*number as usize % words.len()], number / 7))
                .collect();
            let all: Vec<&str> = texts.iter().map(String::as_str).collect();
            let mut parts = Parts::default();
            let packed = parts.pack(&all);
            prop_assert_eq!(packed.is_none(), words.concat().contains(PLACE) && texts.concat().contains(PLACE));
            if let Some(packed) = packed {
                prop_assert_eq!(unpacked(&packed, &parts.into_lists()), texts);
            }
        }
    }
}
