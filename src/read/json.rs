//! Optional fields of JSON objects: a field of the wrong type is a warning and counts as absent.

use std::fmt::Write;

use super::complaints::{About, Complaint, Complaints};
use super::duplicates;
use super::tree::{Map, Value};
use crate::error::{Place, Problem, Problems};
use crate::evidence::Number;

/// The document in `bytes`; a problem when it is not a JSON object. Keys that stand twice are told.
pub(super) fn document<'a>(bytes: &'a [u8], path: &str, problems: &mut Problems) -> Option<Map<'a>> {
    match serde_json::from_slice(bytes) {
        Ok(fields) => {
            tell_repeated(Map::repeats(&fields), bytes, path, problems);
            Some(fields)
        }
        Err(error) => {
            let message = format!("the document is not a JSON object: {error}");
            problems.push(Problem::error(Place::file(path), message).remedy("restore it as it was written"));
            None
        }
    }
}

/// Warns about the keys that stand twice in the document in `bytes`, if there are any.
pub(super) fn tell_repeated(any: bool, bytes: &[u8], path: &str, problems: &mut Problems) {
    // Only their names need another look at the text.
    if any {
        duplicates::check(bytes, path, problems);
    }
}

/// An object of a document, with the dotted path that leads to it.
#[derive(Debug, Clone)]
pub(super) struct Object<'a> {
    fields: &'a Map<'a>,
    at: String,
}

impl<'a> Object<'a> {
    /// The document itself.
    pub(super) fn root(fields: &'a Map<'a>) -> Self {
        Self { fields, at: String::new() }
    }

    /// An object of a list that was given away item by item; complains when the item is another value.
    pub(super) fn item(
        list: &str,
        at: usize,
        item: &'a Value<'a>,
        complaints: &mut Complaints,
    ) -> Option<Self> {
        let fields = item.as_object();
        if fields.is_none() {
            complaints.add(About::Optional, || wrong(format!("{list}[{at}]"), "an object"));
        }
        Some(Self { fields: fields?, at: format!("{list}[{at}]") })
    }

    /// The path of a field of this object.
    pub(super) fn path(&self, key: &str) -> String {
        if self.at.is_empty() { key.to_owned() } else { format!("{}.{key}", self.at) }
    }

    fn get(&self, key: &str) -> Option<&'a Value<'a>> {
        self.fields.get(key).filter(|value| !value.is_null())
    }

    /// Reads a field with `take`; complains when it is there, not null, and `take` gives nothing.
    fn field<T>(
        &self,
        key: &str,
        wanted: &str,
        complaints: &mut Complaints,
        take: impl FnOnce(&'a Value<'a>) -> Option<T>,
    ) -> Option<T> {
        let value = self.get(key)?;
        let taken = take(value);
        if taken.is_none() {
            complaints.add(About::Optional, || wrong(self.path(key), wanted));
        }
        taken
    }

    /// A text; null and absent are none.
    pub(super) fn text(&self, key: &str, complaints: &mut Complaints) -> Option<&'a str> {
        self.field(key, "text", complaints, Value::as_str)
    }

    /// A text; empty, null and absent are none.
    pub(super) fn some_text(&self, key: &str, complaints: &mut Complaints) -> Option<&'a str> {
        self.text(key, complaints).filter(|text| !text.is_empty())
    }

    /// A true or false.
    pub(super) fn flag(&self, key: &str, complaints: &mut Complaints) -> Option<bool> {
        self.field(key, "true or false", complaints, Value::as_bool)
    }

    /// A count; `30` and `30.0` are the same.
    pub(super) fn count(&self, key: &str, complaints: &mut Complaints) -> Option<u64> {
        self.field(key, "a whole number", complaints, |value| {
            value.as_u64().or_else(|| {
                let float = value.as_f64().filter(|float| float.fract() == 0.0)?;
                (0.0..9e15).contains(&float).then_some(float as u64)
            })
        })
    }

    /// A finite number, exact.
    pub(super) fn number(&self, key: &str, complaints: &mut Complaints) -> Option<Number> {
        self.field(key, "a finite number", complaints, Value::measured)
    }

    /// A text, number or truth value as text; none when absent, null, empty or anything else.
    pub(super) fn scalar(&self, key: &str) -> Option<String> {
        match self.get(key)? {
            Value::String(text) => Some(text.clone().into_owned()).filter(|text| !text.is_empty()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => None,
        }
    }

    /// The field as it is; null and absent are none.
    pub(super) fn value(&self, key: &str) -> Option<&'a Value<'a>> {
        self.get(key)
    }

    /// The names of the fields, null ones included.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.fields.keys()
    }

    /// An object.
    pub(super) fn object(&self, key: &str, complaints: &mut Complaints) -> Option<Self> {
        let fields = self.field(key, "an object", complaints, Value::as_object)?;
        Some(Self { fields, at: self.path(key) })
    }

    /// The fields of an object as recorded; empty when absent.
    pub(super) fn map(
        &self,
        key: &str,
        complaints: &mut Complaints,
    ) -> serde_json::Map<String, serde_json::Value> {
        self.field(key, "an object", complaints, Value::as_object)
            .cloned()
            .map(Into::into)
            .unwrap_or_default()
    }

    /// The objects of an array; empty when absent. Items that are not objects are left out.
    pub(super) fn objects(&self, key: &str, complaints: &mut Complaints) -> Vec<Self> {
        let items = self.field(key, "an array", complaints, Value::as_array);
        let mut objects = Vec::new();
        for (at, item) in items.into_iter().flatten().enumerate() {
            let mut path = self.path(key);
            // Writing to a text cannot fail.
            let _ = write!(path, "[{at}]");
            match item.as_object() {
                Some(fields) => objects.push(Self { fields, at: path }),
                None => complaints.add(About::Optional, || wrong(path, "an object")),
            }
        }
        objects
    }

    /// The texts of an array; empty when absent. Items that are not texts are left out.
    pub(super) fn texts(&self, key: &str, complaints: &mut Complaints) -> Vec<String> {
        let items = self.field(key, "an array", complaints, Value::as_array);
        let mut texts = Vec::new();
        for (at, item) in items.into_iter().flatten().enumerate() {
            match item.as_str() {
                Some(text) => texts.push(text.to_owned()),
                None => {
                    complaints.add(About::Optional, || wrong(format!("{}[{at}]", self.path(key)), "text"));
                }
            }
        }
        texts
    }

    /// The entries of an object whose values are texts.
    pub(super) fn text_entries(&self, complaints: &mut Complaints) -> Vec<(&'a str, &'a str)> {
        self.keys().filter_map(|key| Some((key, self.text(key, complaints)?))).collect()
    }

    /// Whether the field is there and not null.
    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Whether the field is an array.
    pub(super) fn is_array(&self, key: &str) -> bool {
        self.get(key).is_some_and(Value::is_array)
    }
}

fn wrong(field: String, wanted: &str) -> Complaint {
    Complaint { line: 0, field: Some(field), message: format!("not {wanted}; it is taken as absent") }
}
