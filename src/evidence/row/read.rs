//! Reads rows straight into the form in which they are kept.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::{Making, Row, Rows};

/// Reads the rows of a plot.
///
/// # Errors
/// Not an array of objects.
pub(in crate::evidence) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Row>, D::Error> {
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
            access.next_value_seed(Content(&mut making))?;
        }
        Ok(making.finish())
    }
}

/// Reads the value of a field; a text that the row before has is not stored again.
struct Content<'m, 'r>(&'m mut Making<'r>);

impl<'de> DeserializeSeed<'de> for Content<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Content<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.text(text.into());
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.take(Value::Null);
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.0.take(value.into());
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.0.take(value.into());
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.0.take(value.into());
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.0.take(value.into());
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        self.0.take(Value::deserialize(SeqAccessDeserializer::new(access))?);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        self.0.take(Value::deserialize(MapAccessDeserializer::new(access))?);
        Ok(())
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
        self.0.name(name.into());
        Ok(())
    }
}
