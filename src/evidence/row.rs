//! A row of a plot as it was recorded. A plot may have hundred thousands of them, nearly all with the same fields,
//! so neighbours share the names.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::Name;

/// Fields by name, in the order of their names; names are unique.
#[derive(Clone, Default)]
pub struct Row {
    names: Arc<[String]>,
    values: Vec<Value>,
}

impl Row {
    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.find(name).ok().and_then(|at| self.values.get(at))
    }

    /// Whether there is such a field.
    pub fn contains_key(&self, name: &str) -> bool {
        self.find(name).is_ok()
    }

    /// The fields in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.names.iter().map(String::as_str).zip(&self.values)
    }

    /// The fields in order, with values to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Value)> {
        self.names.iter().map(String::as_str).zip(&mut self.values)
    }

    /// Sets a field; gives the value that it had.
    pub fn insert(&mut self, name: String, value: Value) -> Option<Value> {
        match self.find(&name) {
            Ok(at) => Some(std::mem::replace(&mut self.values[at], value)),
            Err(at) => {
                let mut names = self.names.to_vec();
                names.insert(at, name);
                self.names = names.into();
                self.values.insert(at, value);
                None
            }
        }
    }

    /// Takes a field away; gives the value that it had.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let at = self.find(name).ok()?;
        self.names = self.names.iter().filter(|known| *known != name).cloned().collect();
        Some(self.values.remove(at))
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
        self.values.get(place)
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
        &mut self.values[at]
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.names, &other.names) || self.names == other.names) && self.values == other.values
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

impl FromIterator<(String, Value)> for Row {
    fn from_iter<T: IntoIterator<Item = (String, Value)>>(fields: T) -> Self {
        Map::from_iter(fields).into()
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

/// Makes rows, of which those with the same fields in the same order share their names.
#[derive(Debug, Default)]
pub struct Rows {
    /// Names of the row before, sorted.
    names: Arc<[String]>,
    /// Per field in the order in which they came, its place among the sorted names.
    order: Vec<usize>,
}

impl Rows {
    /// A row of these fields; the last of one name counts.
    pub fn row<'f>(&mut self, fields: impl IntoIterator<Item = (&'f str, Value)>) -> Row {
        let mut making = Making::new(self);
        for (name, value) in fields {
            if !making.expects(name) {
                making.other(name.to_owned());
            }
            making.take(value);
        }
        making.finish()
    }

    /// A row of the fields of an object.
    pub fn map(&mut self, fields: Map<String, Value>) -> Row {
        let mut making = Making::new(self);
        for (name, value) in fields {
            if !making.expects(&name) {
                making.other(name);
            }
            making.take(value);
        }
        making.finish()
    }
}

/// A row that is being made: while its fields are those of the row before, only their values are kept.
struct Making<'r> {
    rows: &'r mut Rows,
    /// Values in the order in which they come.
    values: Vec<Value>,
    /// Names in that order, from the first field on that the row before has not.
    own: Option<Vec<String>>,
}

impl<'r> Making<'r> {
    fn new(rows: &'r mut Rows) -> Self {
        let values = Vec::with_capacity(rows.order.len());
        Self { rows, values, own: None }
    }

    /// Whether the next field of the row before has this name.
    fn expects(&self, name: &str) -> bool {
        let next = self.rows.order.get(self.values.len()).filter(|_| self.own.is_none());
        next.is_some_and(|&at| self.rows.names[at] == name)
    }

    /// The next field has another name.
    fn other(&mut self, name: String) {
        let (rows, before) = (&self.rows, self.values.len());
        let own = self.own.get_or_insert_with(|| {
            rows.order.iter().take(before).map(|&at| rows.names[at].clone()).collect()
        });
        own.push(name);
    }

    fn take(&mut self, value: Value) {
        self.values.push(value);
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
                let mut values: Vec<Option<Value>> = self.values.into_iter().map(Some).collect();
                let last = |at: usize| sorted.get(at + 1).is_none_or(|next| next.0 != sorted[at].0);
                let kept = (0..sorted.len()).filter(|&at| last(at));
                let (names, values): (Vec<String>, Vec<Value>) = kept
                    .map(|at| (sorted[at].0.clone(), values[sorted[at].1].take().unwrap_or_default()))
                    .unzip();
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
        let mut values = vec![Value::Null; self.values.len()];
        for (value, &place) in self.values.into_iter().zip(&self.rows.order) {
            values[place] = value;
        }
        Row { names, values }
    }
}

/// Reads the rows of a plot.
///
/// # Errors
/// Not an array of objects.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Row>, D::Error> {
    struct All;

    impl<'de> Visitor<'de> for All {
        type Value = Vec<Row>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array of objects")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Vec<Row>, A::Error> {
            let (mut rows, mut found) = (Rows::default(), Vec::new());
            while let Some(row) = access.next_element_seed(One(&mut rows))? {
                found.push(row);
            }
            Ok(found)
        }
    }

    deserializer.deserialize_seq(All)
}

/// Reads one row.
struct One<'r>(&'r mut Rows);

impl<'de> DeserializeSeed<'de> for One<'_> {
    type Value = Row;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Row, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for One<'_> {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Row, A::Error> {
        let mut making = Making::new(self.0);
        while access.next_key_seed(Field(&mut making))?.is_some() {
            let value = access.next_value()?;
            making.take(value);
        }
        Ok(making.finish())
    }
}

/// Reads the name of a field.
struct Field<'m, 'r>(&'m mut Making<'r>);

impl<'de> DeserializeSeed<'de> for Field<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Field<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<(), E> {
        if !self.0.expects(name) {
            self.0.other(name.to_owned());
        }
        Ok(())
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
