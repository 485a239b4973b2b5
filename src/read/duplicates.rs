//! Keys that stand twice in one JSON object: a parsed document keeps only the last of them.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

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
}
