//! A row of a plot as it was recorded. A plot may have hundred thousands of them, nearly all with the same fields,
//! so neighbours share the names, and the texts that stay the same from row to row.

mod read;

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, Index, IndexMut};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

pub(super) use read::deserialize;

use super::Name;

/// Fields by name, in the order of their names; names are unique.
#[derive(Clone, Default)]
pub struct Row {
    names: Arc<[String]>,
    values: Vec<Held>,
}

/// A value of a row.
#[derive(Debug, Clone)]
enum Held {
    Own(Value),
    /// A text that rows beside this one have, too.
    Shared(Arc<Value>),
}

impl Held {
    fn into_value(self) -> Value {
        match self {
            Self::Own(value) => value,
            Self::Shared(shared) => Arc::unwrap_or_clone(shared),
        }
    }

    fn value_mut(&mut self) -> &mut Value {
        if let Self::Shared(shared) = self {
            *self = Self::Own(Value::clone(shared));
        }
        match self {
            Self::Own(value) => value,
            Self::Shared(shared) => Arc::make_mut(shared),
        }
    }
}

impl Deref for Held {
    type Target = Value;

    fn deref(&self) -> &Value {
        match self {
            Self::Own(value) => value,
            Self::Shared(shared) => shared,
        }
    }
}

/// What has fields by name.
pub trait Fields {
    /// The value of a field; none where there is none.
    fn field(&self, name: &str) -> Option<&Value>;
}

impl Fields for Row {
    fn field(&self, name: &str) -> Option<&Value> {
        self.get(name)
    }
}

impl Fields for Map<String, Value> {
    fn field(&self, name: &str) -> Option<&Value> {
        self.get(name)
    }
}

impl Row {
    /// Rows of the fields of objects.
    pub fn all(objects: impl IntoIterator<Item = Map<String, Value>>) -> Vec<Self> {
        let mut rows = Rows::default();
        objects.into_iter().map(|object| rows.map(object)).collect()
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.find(name).ok().and_then(|at| self.at(at))
    }

    /// Whether there is such a field.
    pub fn contains_key(&self, name: &str) -> bool {
        self.find(name).is_ok()
    }

    /// The fields in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.names.iter().map(String::as_str).zip(self.values.iter().map(Deref::deref))
    }

    /// The fields in order, with values to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Value)> {
        self.names.iter().map(String::as_str).zip(self.values.iter_mut().map(Held::value_mut))
    }

    /// Sets a field; gives the value that it had.
    pub fn insert(&mut self, name: String, value: Value) -> Option<Value> {
        match self.find(&name) {
            Ok(at) => Some(std::mem::replace(&mut self.values[at], Held::Own(value)).into_value()),
            Err(at) => {
                let mut names = self.names.to_vec();
                names.insert(at, name);
                self.names = names.into();
                self.values.insert(at, Held::Own(value));
                None
            }
        }
    }

    /// Takes a field away; gives the value that it had.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let at = self.find(name).ok()?;
        self.names = self.names.iter().filter(|known| *known != name).cloned().collect();
        Some(self.values.remove(at).into_value())
    }

    /// The names, for rows to be compared by.
    pub(super) fn names(&self) -> &Arc<[String]> {
        &self.names
    }

    /// Where a field stands.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.find(name).ok()
    }

    /// The value at a place.
    pub(super) fn at(&self, place: usize) -> Option<&Value> {
        self.values.get(place).map(Deref::deref)
    }

    fn find(&self, name: &str) -> Result<usize, usize> {
        self.names.binary_search_by(|known| known.as_str().cmp(name))
    }
}

impl Index<&str> for Row {
    type Output = Value;

    /// The value of a field; null where there is none.
    fn index(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&Value::Null)
    }
}

impl IndexMut<&str> for Row {
    /// The value of a field, which is made where there is none.
    fn index_mut(&mut self, name: &str) -> &mut Value {
        let at = self.find(name).unwrap_or_else(|at| {
            self.insert(name.to_owned(), Value::Null);
            at
        });
        self.values[at].value_mut()
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        let same_names = Arc::ptr_eq(&self.names, &other.names) || self.names == other.names;
        same_names && self.iter().zip(other.iter()).all(|(own, other)| own.1 == other.1)
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl From<Map<String, Value>> for Row {
    fn from(fields: Map<String, Value>) -> Self {
        Rows::default().map(fields)
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.values.len()))?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Stores a text once for as long as it stays the same.
#[derive(Debug, Default)]
pub struct Shared(Option<Name>);

impl Shared {
    /// The text.
    pub fn get(&mut self, text: &str) -> Name {
        match &self.0 {
            Some(last) if **last == *text => last.clone(),
            _ => self.0.insert(text.into()).clone(),
        }
    }
}

/// A value for a row.
#[derive(Debug)]
pub enum Given<'a> {
    /// A text, which is stored only where the row before has another one.
    Text(&'a str),
    /// Anything else.
    Value(Value),
}

impl<'a> From<&'a str> for Given<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl From<Value> for Given<'_> {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// Makes rows, of which those with the same fields in the same order share their names.
#[derive(Debug, Default)]
pub struct Rows {
    /// Names of the row before, sorted.
    names: Arc<[String]>,
    /// Per field in the order in which they came, its place among the sorted names.
    order: Vec<usize>,
    /// Per field in the order in which they came, its last text.
    texts: Vec<Repeated>,
}

/// A text that may come again.
#[derive(Debug, Default)]
struct Repeated {
    text: Option<Arc<Value>>,
    /// How many other texts came, one after the other.
    others: u32,
}

impl Repeated {
    /// A field whose text changed so often in a row is not looked at any more: sharing costs more than it saves.
    const MOST: u32 = 8;

    /// The text as it was held before; none when it is another one.
    fn again(&mut self, text: &str) -> Option<Held> {
        let same = self.text.as_ref().filter(|last| last.as_str() == Some(text))?;
        self.others = 0;
        Some(Held::Shared(same.clone()))
    }

    /// Holds another text.
    fn other(&mut self, text: String) -> Held {
        self.others = self.others.saturating_add(1);
        let value = Value::String(text);
        if self.others > Self::MOST {
            self.text = None;
            return Held::Own(value);
        }
        Held::Shared(self.text.insert(Arc::new(value)).clone())
    }
}

impl Rows {
    /// A row of these fields; the last of one name counts. Fields in the order of their names need no sorting.
    pub fn row<'f, G: Into<Given<'f>>>(&mut self, fields: impl IntoIterator<Item = (&'f str, G)>) -> Row {
        let mut making = Making::new(self);
        for (name, given) in fields {
            making.name(name.into());
            match given.into() {
                Given::Text(text) => making.text(text.into()),
                Given::Value(value) => making.take(value),
            }
        }
        making.finish()
    }

    /// A row of the fields of an object.
    pub fn map(&mut self, fields: Map<String, Value>) -> Row {
        let mut making = Making::new(self);
        for (name, value) in fields {
            making.name(name.into());
            making.take(value);
        }
        making.finish()
    }
}

/// A row that is being made: while its fields are those of the row before, only their values are kept.
struct Making<'r> {
    rows: &'r mut Rows,
    /// Values in the order in which they come.
    values: Vec<Held>,
    /// Names in that order, from the first field on that the row before has not.
    own: Option<Vec<String>>,
}

impl<'r> Making<'r> {
    fn new(rows: &'r mut Rows) -> Self {
        let values = Vec::with_capacity(rows.order.len());
        Self { rows, values, own: None }
    }

    /// Names the next field, whose value follows.
    fn name(&mut self, name: Cow<'_, str>) {
        let next = self.rows.order.get(self.values.len()).filter(|_| self.own.is_none());
        if next.is_some_and(|&at| self.rows.names[at] == name) {
            return;
        }
        let (rows, before) = (&self.rows, self.values.len());
        let own = self.own.get_or_insert_with(|| {
            rows.order.iter().take(before).map(|&at| rows.names[at].clone()).collect()
        });
        own.push(name.into_owned());
    }

    /// Takes the value of the next field.
    fn take(&mut self, value: Value) {
        match value {
            Value::String(text) => self.text(text.into()),
            value => self.values.push(Held::Own(value)),
        }
    }

    /// Takes the next field's value, a text; what is lent is copied only where the row before has another one.
    fn text(&mut self, text: Cow<'_, str>) {
        let last = self.last();
        let held = last.again(&text).unwrap_or_else(|| last.other(text.into_owned()));
        self.values.push(held);
    }

    /// The last text of the next field.
    fn last(&mut self) -> &mut Repeated {
        let (at, texts) = (self.values.len(), &mut self.rows.texts);
        if at >= texts.len() {
            texts.resize_with(at + 1, Repeated::default);
        }
        &mut texts[at]
    }

    fn finish(mut self) -> Row {
        if self.own.is_none() && self.values.len() < self.rows.order.len() {
            let before = self.rows.order.iter().take(self.values.len());
            self.own = Some(before.map(|&at| self.rows.names[at].clone()).collect());
        }
        if let Some(own) = self.own {
            let mut sorted: Vec<(String, usize)> = own.into_iter().zip(0..).collect();
            sorted.sort();
            // The last of one name counts.
            let unique = sorted.windows(2).all(|pair| pair[0].0 != pair[1].0);
            if !unique {
                let mut values: Vec<Option<Held>> = self.values.into_iter().map(Some).collect();
                let last = |at: usize| sorted.get(at + 1).is_none_or(|next| next.0 != sorted[at].0);
                let kept = (0..sorted.len()).filter(|&at| last(at));
                let (names, values): (Vec<String>, Vec<Held>) =
                    kept.filter_map(|at| Some((sorted[at].0.clone(), values[sorted[at].1].take()?))).unzip();
                return Row { names: names.into(), values };
            }
            self.rows.order = vec![0; sorted.len()];
            for (place, (_, came)) in sorted.iter().enumerate() {
                self.rows.order[*came] = place;
            }
            self.rows.names = sorted.into_iter().map(|(name, _)| name).collect();
        }
        let names = self.rows.names.clone();
        if self.rows.order.is_sorted() {
            return Row { names, values: self.values };
        }
        let mut values = vec![Held::Own(Value::Null); self.values.len()];
        for (value, &place) in self.values.into_iter().zip(&self.rows.order) {
            values[place] = value;
        }
        Row { names, values }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[derive(serde::Deserialize)]
    struct Holder {
        #[serde(deserialize_with = "super::deserialize")]
        data: Vec<Row>,
    }

    fn read(text: &str) -> Vec<Row> {
        serde_json::from_str::<Holder>(&format!("{{\"data\":{text}}}")).unwrap().data
    }

    #[test]
    fn rows_of_the_same_fields_share_their_names() {
        let rows = read("[{\"b\":1,\"a\":2},{\"b\":3,\"a\":null},{\"a\":4},{\"a\":5,\"a\":6},{\"a\":7}]");
        assert!(Arc::ptr_eq(&rows[0].names, &rows[1].names));
        assert_eq!(
            serde_json::to_value(&rows).unwrap(),
            json!([{"a": 2, "b": 1}, {"a": null, "b": 3}, {"a": 4}, {"a": 6}, {"a": 7}])
        );
        assert!(serde_json::from_str::<Holder>("{\"data\":[7]}").is_err());
        assert!(serde_json::from_str::<Holder>("{\"data\":{}}").is_err());
    }

    #[test]
    fn texts_that_stay_the_same_are_stored_once_and_changed_apart() {
        let text = |at: usize| format!("{{\"kind\":\"release\",\"label\":\"v{at}\",\"value\":{at}.5}}");
        let mut rows = read(&format!("[{}]", (0..40).map(text).collect::<Vec<_>>().join(",")));
        let shared = |row: &Row| matches!(row.values[0], Held::Shared(_));
        assert!(rows.iter().all(shared), "kinds are stored once");
        assert!(
            matches!(rows[39].values[1], Held::Own(_)),
            "labels that change with every row are not shared"
        );
        rows[3]["kind"] = json!("commit");
        assert_eq!((&rows[2]["kind"], &rows[3]["kind"]), (&json!("release"), &json!("commit")));
        assert_eq!(rows[4].remove("kind"), Some(json!("release")));
        assert_eq!(rows[39]["label"], json!("v39"));
    }

    #[test]
    fn fields_can_be_changed() {
        let mut row = read("[{\"b\":1,\"c\":2}]").remove(0);
        row["a"] = json!("x");
        row["b"] = json!(7);
        assert_eq!(row.remove("c"), Some(json!(2)));
        assert_eq!(row.insert("d".to_owned(), json!([])), None);
        assert_eq!(row.remove("none"), None);
        assert_eq!(serde_json::to_string(&row).unwrap(), "{\"a\":\"x\",\"b\":7,\"d\":[]}");
        assert!(row["none"].is_null() && !row.contains_key("none"));
    }

    proptest! {
        #[test]
        fn rows_are_what_maps_were(rows in prop::collection::vec(
            prop::collection::vec(("[a-d]", any::<i8>()), 0..5), 0..6)
        ) {
            let fields = |row: &Vec<(String, i8)>| {
                row.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect::<Vec<_>>().join(",")
            };
            let text = format!("[{}]", rows.iter().map(|row| format!("{{{}}}", fields(row))).collect::<Vec<_>>().join(","));
            let maps: Vec<Map<String, Value>> = serde_json::from_str(&text).unwrap();
            let read = read(&text);
            prop_assert_eq!(serde_json::to_string(&read).unwrap(), serde_json::to_string(&maps).unwrap());
            let mut made = Rows::default();
            for ((row, map), read) in rows.iter().zip(maps).zip(read) {
                let own = made.row(row.iter().map(|(name, value)| (name.as_str(), json!(value))));
                prop_assert_eq!(&own, &read);
                prop_assert_eq!(Row::from(map), read);
            }
        }
    }
}
