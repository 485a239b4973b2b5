//! A JSON document as a tree whose texts are borrowed from it: a manifest has hundreds of thousands of them, and
//! few are kept.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::evidence::Number;

/// Most fields among which a key is looked for one by one: most keys already differ in length.
const FEW: usize = 32;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value<'a> {
    Null,
    Bool(bool),
    Number(serde_json::Number),
    String(Cow<'a, str>),
    Array(Vec<Self>),
    Object(Map<'a>),
}

/// The fields of a JSON object by key. Of a key that stands twice the last one counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Map<'a> {
    /// Sorted, each key once.
    fields: Box<[(Cow<'a, str>, Value<'a>)]>,
    /// Whether a key stood twice.
    repeated: bool,
}

impl<'a> Value<'a> {
    /// The field of an object; none of anything else.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.get(key)
    }

    pub(super) fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    pub(super) fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(flag) = self { Some(*flag) } else { None }
    }

    pub(super) fn as_u64(&self) -> Option<u64> {
        if let Self::Number(number) = self { number.as_u64() } else { None }
    }

    pub(super) fn as_f64(&self) -> Option<f64> {
        if let Self::Number(number) = self { number.as_f64() } else { None }
    }

    pub(super) fn as_array(&self) -> Option<&[Self]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }

    pub(super) fn as_object(&self) -> Option<&Map<'a>> {
        if let Self::Object(fields) = self { Some(fields) } else { None }
    }

    /// A measured number: a number, or a large whole one that is written as text.
    pub(super) fn measured(&self) -> Option<Number> {
        match self {
            Self::Number(number) => Number::deserialize(number).ok(),
            Self::String(text) => {
                Number::deserialize(StrDeserializer::<serde::de::value::Error>::new(text)).ok()
            }
            _ => None,
        }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Number(_))
    }

    pub(super) fn is_string(&self) -> bool {
        matches!(self, Self::String(_))
    }

    pub(super) fn is_array(&self) -> bool {
        matches!(self, Self::Array(_))
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// Whether a key of an object inside stood twice.
    pub(super) fn repeats(&self) -> bool {
        match self {
            Self::Array(items) => items.iter().any(Self::repeats),
            Self::Object(fields) => fields.repeats(),
            _ => false,
        }
    }
}

/// As JSON without spaces.
impl fmt::Display for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        serde_json::Value::from(self.clone()).fmt(formatter)
    }
}

impl<'a> Map<'a> {
    /// Fields in the order in which they came.
    pub(super) fn new(mut fields: Vec<(Cow<'a, str>, Value<'a>)>) -> Self {
        let mut repeated = false;
        // Writers sort their keys.
        if !fields.is_sorted_by(|a, b| a.0 < b.0) {
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            fields.dedup_by(|later, earlier| {
                let same = later.0 == earlier.0;
                if same {
                    repeated = true;
                    std::mem::swap(later, earlier);
                }
                same
            });
        }
        Self { fields: fields.into_boxed_slice(), repeated }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value<'a>> {
        if self.fields.len() <= FEW {
            return self.fields.iter().find(|(other, _)| other == key).map(|(_, value)| value);
        }
        let at = self.fields.binary_search_by(|(other, _)| other.as_ref().cmp(key)).ok()?;
        Some(&self.fields[at].1)
    }

    pub(super) fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(key, _)| key.as_ref())
    }

    /// The fields, no longer borrowed.
    pub(super) fn into_owned(self) -> impl Iterator<Item = (String, serde_json::Value)> {
        self.fields.into_iter().map(|(key, value)| (key.into_owned(), value.into()))
    }

    /// Whether a key of this object or of one inside stood twice.
    pub(super) fn repeats(&self) -> bool {
        self.repeated || self.fields.iter().any(|(_, value)| value.repeats())
    }
}

impl From<Value<'_>> for serde_json::Value {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(flag) => Self::Bool(flag),
            Value::Number(number) => Self::Number(number),
            Value::String(text) => Self::String(text.into_owned()),
            Value::Array(items) => Self::Array(items.into_iter().map(Self::from).collect()),
            Value::Object(fields) => Self::Object(fields.into()),
        }
    }
}

impl From<Map<'_>> for serde_json::Map<String, serde_json::Value> {
    fn from(map: Map<'_>) -> Self {
        map.into_owned().collect()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Value<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        AnyValue(&mut Unfinished::default()).deserialize(deserializer)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Map<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields(&mut Unfinished::default()))
    }
}

/// What was read of the objects and arrays that have not ended, so that each is put into memory once, in its size.
#[derive(Default)]
pub(super) struct Unfinished<'a> {
    fields: Vec<(Cow<'a, str>, Value<'a>)>,
    items: Vec<Value<'a>>,
}

/// Reads any value.
pub(super) struct AnyValue<'u, 'a>(pub(super) &'u mut Unfinished<'a>);

impl<'de> DeserializeSeed<'de> for AnyValue<'_, 'de> {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyValue<'_, 'de> {
    type Value = Value<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any valid JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Self::Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok(serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Value::String(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Value::String(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let start = self.0.items.len();
        while let Some(item) = items.next_element_seed(AnyValue(&mut *self.0))? {
            self.0.items.push(item);
        }
        Ok(Value::Array(self.0.items.drain(start..).collect()))
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
        Fields(self.0).visit_map(fields).map(Value::Object)
    }
}

struct Fields<'u, 'a>(&'u mut Unfinished<'a>);

impl<'de> Visitor<'de> for Fields<'_, 'de> {
    type Value = Map<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let start = self.0.fields.len();
        while let Some(Key(key)) = fields.next_key()? {
            let value = fields.next_value_seed(AnyValue(&mut *self.0))?;
            self.0.fields.push((key, value));
        }
        Ok(Map::new(self.0.fields.drain(start..).collect()))
    }
}

/// A key; `Cow` alone would never borrow.
pub(super) struct Key<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;

        impl<'de> Visitor<'de> for Keys {
            type Value = Key<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string key")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(Keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_says_what_the_usual_one_says() {
        let text = r#"{"z": [1, -2, 2.5, 1e300, "x\ny", "plain", null, true], "a": {"\u0061": {}, "b": []},
            "é": 18446744073709551615, "k": 1, "": false}"#;
        let tree: Value<'_> = serde_json::from_str(text).unwrap();
        let usual: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(tree.to_string(), usual.to_string());
        assert_eq!(serde_json::Value::from(tree.clone()), usual);
        assert!(!tree.repeats());
        let Value::Object(fields) = &tree else { panic!("not an object") };
        assert_eq!(fields.keys().collect::<Vec<_>>(), ["", "a", "k", "z", "é"]);
        let Some(Value::Array(items)) = fields.get("z") else { panic!("not a list") };
        assert!(matches!(&items[4], Value::String(Cow::Owned(_))));
        assert!(matches!(&items[5], Value::String(Cow::Borrowed("plain"))));
    }

    #[test]
    fn mistakes_are_told_as_usual() {
        for text in [
            "",
            "{",
            "[1, 2",
            "{\"a\" 1}",
            "{1: 2}",
            "{\"a\": 1,}",
            "{\"a\": NaN}",
            "{\"a\": 1e999}",
            "{\"a\": \"\\ud800\"}",
            "{} {}",
            "[]",
            "null",
            "7",
            &"[".repeat(200),
        ] {
            let error = |found: Result<(), serde_json::Error>| found.err().map(|error| error.to_string());
            let tree = serde_json::from_slice::<Map<'_>>(text.as_bytes()).map(|_| ());
            let usual = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(text.as_bytes());
            assert_eq!(error(tree), error(usual.map(|_| ())), "{text}");
            let tree = serde_json::from_slice::<Value<'_>>(text.as_bytes()).map(|_| ());
            let usual = serde_json::from_slice::<serde_json::Value>(text.as_bytes());
            assert_eq!(error(tree), error(usual.map(|_| ())), "{text}");
        }
        let bytes = b"{\"a\": \"\xff\"}";
        let error = serde_json::from_slice::<Value<'_>>(bytes).unwrap_err().to_string();
        assert_eq!(error, serde_json::from_slice::<serde_json::Value>(bytes).unwrap_err().to_string());
    }

    #[test]
    fn of_a_key_that_stands_twice_the_last_one_counts() {
        let text = r#"[{"b": 1, "a": {"c": 1, "c": 2, "c": 3}, "b": 2}]"#;
        let tree: Value<'_> = serde_json::from_str(text).unwrap();
        assert!(tree.repeats());
        assert_eq!(tree.to_string(), r#"[{"a":{"c":3},"b":2}]"#);
    }

    #[test]
    fn large_whole_numbers_may_be_texts() {
        let tree: Value<'_> = serde_json::from_str(r#"["9007199254740993", "7", 2.5, null]"#).unwrap();
        let numbers: Vec<_> = tree.as_array().unwrap().iter().map(Value::measured).collect();
        assert_eq!(
            numbers,
            [Some(Number::Unsigned(9_007_199_254_740_993)), None, Some(Number::Float(2.5)), None]
        );
    }
}
