//! Keys that stand twice in one JSON object: a parsed document keeps only the last of them.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use serde_json::Value;

use crate::error::{Place, Problem, Problems};

/// Most keys of one document that are named.
const NAMED: usize = 20;

/// Warns about every key of the document that an object has more than once. Says nothing of a document that is
/// not JSON.
pub(super) fn check(bytes: &[u8], path: &str, problems: &mut Problems) {
    let mut found = BTreeSet::new();
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    // Whoever reads the document says what is wrong with it.
    let _ = Look { at: String::new(), found: &mut found }.deserialize(&mut reader);
    for field in found {
        let message = "the key stands more than once in its object; the last one counts";
        problems.push(Problem::warning(Place::file(path).field(field), message));
    }
}

/// Whether an object of the document has a key more than once, told from how many keys its text and its parsed
/// `value` have: a tenth of the work of [`check`].
pub(super) fn any(bytes: &[u8], value: &Value) -> bool {
    keys_of_text(bytes) != keys_of(value)
}

/// How many keys the objects of a JSON text have: as many as there are colons outside of texts.
fn keys_of_text(bytes: &[u8]) -> usize {
    let (mut count, mut at) = (0, 0);
    let mut inside = false;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => inside = !inside,
            b'\\' => at += 1,
            b':' if !inside => count += 1,
            _ => {}
        }
        at += 1;
    }
    count
}

fn keys_of(value: &Value) -> usize {
    match value {
        Value::Object(fields) => fields.len() + fields.values().map(keys_of).sum::<usize>(),
        Value::Array(items) => items.iter().map(keys_of).sum(),
        _ => 0,
    }
}

/// Walks through a value that stands at the dotted path `at`.
struct Look<'a> {
    at: String,
    found: &'a mut BTreeSet<String>,
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            let at = if self.at.is_empty() { key.clone() } else { format!("{}.{key}", self.at) };
            if !seen.insert(key) && self.found.len() < NAMED {
                self.found.insert(at.clone());
            }
            map.next_value_seed(Look { at, found: &mut *self.found })?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut count = 0_usize;
        let item = |count: usize| format!("{}[{count}]", self.at);
        while items.next_element_seed(Look { at: item(count), found: &mut *self.found })?.is_some() {
            count += 1;
        }
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_stand_twice_are_named_with_their_path() {
        let text = br#"{"a": 1, "b": [{"c": null, "c": 2.5}, {"c": "x"}], "d": {"a": true}, "a": -1}"#;
        let mut problems = Problems::default();
        check(text, "m.json", &mut problems);
        let places: Vec<_> = problems.sorted().iter().map(|problem| problem.place.to_string()).collect();
        assert_eq!(places, ["m.json (a)", "m.json (b[0].c)"]);
        let mut none = Problems::default();
        check(br#"{"a": {"a": {"a": []}}, "b": [1, 1]}"#, "m.json", &mut none);
        check(b"{\"a\": 1, ", "m.json", &mut none);
        assert!(none.is_empty());
    }

    #[test]
    fn keys_are_counted_in_the_text_as_in_the_value() {
        let told = |text: &str| any(text.as_bytes(), &serde_json::from_str(text).unwrap());
        assert!(!told(r#"{"a:": ":", "\"b\\": ["x\\", {"c": "\\\":", "d": {}}], "\u003a": 1.5}"#));
        assert!(told(r#"{"a": [{"b": 1, "b": 1}]}"#));
        assert!(told(r#"{"a": 1, "\u0061": 2}"#), "an escape is the same key");
    }
}
