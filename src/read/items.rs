//! A JSON document of which some lists are given away item by item: in a manifest they are nearly everything, and
//! what is kept of an item is a fraction of it.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::tree::{AnyValue, Key, Map, Unfinished, Value};

/// Takes the items of lists, which are known by their positions among those that were asked for.
pub(super) trait TakeItems {
    /// A list begins, or what stands in its place: what was taken of it before does not count, as of a key that
    /// stands twice.
    fn begin(&mut self, list: usize);

    /// The next item of a list, which is at this position.
    fn item(&mut self, list: usize, at: usize, item: &Value<'_>);
}

/// The document in `bytes`, in which each of `lists`, the keys that lead to an array, is empty: their items go to
/// `take`. Where no array stands, the value is left in its place.
///
/// # Errors
/// The bytes are not JSON; what was taken until then does not count.
pub(super) fn read<'de, const N: usize>(
    bytes: &'de [u8],
    lists: [&[&str]; N],
    take: &mut dyn TakeItems,
) -> serde_json::Result<Value<'de>> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let lists = lists.into_iter().enumerate().collect();
    let value =
        Outer { lists, take, unfinished: &mut Unfinished::default() }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// A value inside of which such lists may stand.
struct Outer<'u, 'de> {
    /// Each list with the keys that lead to it from here.
    lists: Vec<(usize, &'u [&'u str])>,
    take: &'u mut dyn TakeItems,
    unfinished: &'u mut Unfinished<'de>,
}

impl<'de> DeserializeSeed<'de> for Outer<'_, 'de> {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        self.lists.iter().for_each(|(list, _)| self.take.begin(*list));
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Outer<'_, 'de> {
    type Value = Value<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any valid JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        AnyValue(self.unfinished).visit_unit()
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Self::Value, E> {
        AnyValue(self.unfinished).visit_bool(flag)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        AnyValue(self.unfinished).visit_i64(number)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        AnyValue(self.unfinished).visit_u64(number)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        AnyValue(self.unfinished).visit_f64(number)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        AnyValue(self.unfinished).visit_borrowed_str(text)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        AnyValue(self.unfinished).visit_str(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let Some((list, _)) = self.lists.iter().find(|(_, keys)| keys.is_empty()) else {
            return AnyValue(self.unfinished).visit_seq(items);
        };
        let mut at = 0;
        while let Some(item) = items.next_element_seed(AnyValue(&mut *self.unfinished))? {
            self.take.item(*list, at, &item);
            at += 1;
        }
        Ok(Value::Array(Vec::new()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(Key(key)) = fields.next_key()? {
            let inside = self.lists.iter().filter_map(|(list, keys)| {
                let (first, rest) = keys.split_first()?;
                (*first == key).then_some((*list, rest))
            });
            let lists: Vec<_> = inside.collect();
            let unfinished = &mut *self.unfinished;
            let value = if lists.is_empty() {
                fields.next_value_seed(AnyValue(unfinished))?
            } else {
                fields.next_value_seed(Outer { lists, take: &mut *self.take, unfinished })?
            };
            found.push((key, value));
        }
        Ok(Value::Object(Map::new(found)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Taken([Vec<String>; 2]);

    impl TakeItems for Taken {
        fn begin(&mut self, list: usize) {
            self.0[list].clear();
        }

        fn item(&mut self, list: usize, at: usize, item: &Value<'_>) {
            assert_eq!(at, self.0[list].len());
            self.0[list].push(item.to_string());
        }
    }

    fn read(text: &str) -> (String, [Vec<String>; 2]) {
        let mut taken = Taken::default();
        let rest = super::read(text.as_bytes(), [&["a", "b"], &["c"]], &mut taken).unwrap();
        (rest.to_string(), taken.0)
    }

    #[test]
    fn the_items_of_lists_are_given_away_and_all_else_is_kept() {
        let (rest, taken) =
            read(r#"{"c": [1, {"b": [2]}], "a": {"x": [3], "b": ["4", [5]], "c": [6]}, "b": [7]}"#);
        assert_eq!(rest, r#"{"a":{"b":[],"c":[6],"x":[3]},"b":[7],"c":[]}"#);
        assert_eq!(
            taken,
            [vec!["\"4\"".to_owned(), "[5]".to_owned()], vec!["1".to_owned(), r#"{"b":[2]}"#.to_owned()]]
        );
    }

    #[test]
    fn what_is_no_list_stays_where_it_is() {
        for text in
            [r#"{"a":7,"c":{"d":[1]}}"#, r#"{"a":{"b":"x"},"c":null}"#, r#"{"a":[{"b":[1]}]}"#, "[1]", "true"]
        {
            assert_eq!(read(text), (text.to_owned(), Default::default()));
        }
    }

    #[test]
    fn of_a_key_that_stands_twice_the_last_one_counts() {
        assert_eq!(
            read(r#"{"c": [1], "c": [2]}"#),
            (r#"{"c":[]}"#.to_owned(), [vec![], vec!["2".to_owned()]])
        );
        assert_eq!(read(r#"{"c": [1], "c": 2}"#), (r#"{"c":2}"#.to_owned(), Default::default()));
        assert_eq!(read(r#"{"a": {"b": [1]}, "a": {}}"#), (r#"{"a":{}}"#.to_owned(), Default::default()));
    }

    #[test]
    fn mistakes_are_told_as_usual() {
        for text in ["", "{", r#"{"c": [1, 2"#, r#"{"c": [1,]}"#, "{} {}", r#"{"c": [NaN]}"#] {
            let found = super::read(text.as_bytes(), [&["c"]], &mut Taken::default()).unwrap_err();
            let usual = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
            assert_eq!(found.to_string(), usual.to_string());
        }
    }
}
