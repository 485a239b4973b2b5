//! Typed views of the rows of a plot document; what does not fit is named by row and field.

use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::plot::{DeltaRow, NormalizedRow, Plot, SampleRow, TradeoffRow, VersionRow};
use super::row::{Row, Shared};
use super::{Name, Number};
use crate::error::{Error, Place, Result};

impl Plot {
    /// The rows of a `normalized_metrics` plot (§3.4).
    ///
    /// # Errors
    /// Names the field of the first row that lacks one or has one of the wrong type.
    pub fn normalized_rows(&self) -> Result<Vec<NormalizedRow>> {
        self.rows(|row| {
            Ok(NormalizedRow {
                metric: row.text("metric")?,
                version: row.text("version")?,
                target_kind: row.text("target_kind")?,
                value: row.get("value")?,
                unit: row.text("unit")?,
                samples: row.count("samples")?,
                ratio: row.get("ratio")?,
                reference_value: row.get("reference_value")?,
                reference_version: row.optional("reference_version")?,
                statistic: row.optional("statistic")?,
                normalization_status: row.get("normalization_status")?,
            })
        })
    }

    /// The rows of a `version_series` plot (§3.3).
    ///
    /// # Errors
    /// Names the field of the first row that lacks one or has one of the wrong type.
    pub fn version_rows(&self) -> Result<Vec<VersionRow>> {
        self.rows(|row| {
            Ok(VersionRow {
                version: row.text("version")?,
                target_kind: row.text("target_kind")?,
                value: row.get("value")?,
                samples: row.count("samples")?,
                aggregation: row.optional("aggregation")?,
            })
        })
    }

    /// The rows of a `time_allocation_tradeoff` plot (§3.3).
    ///
    /// # Errors
    /// Names the field of the first row that lacks one or has one of the wrong type.
    pub fn tradeoff_rows(&self) -> Result<Vec<TradeoffRow>> {
        self.rows(|row| {
            Ok(TradeoffRow {
                version: row.text("version")?,
                target_kind: row.text("target_kind")?,
                time: row.get("time")?,
                bytes: row.get("bytes")?,
            })
        })
    }

    /// The rows of a `distribution` plot (§3.3).
    ///
    /// # Errors
    /// Names the field of the first row that lacks one or has one of the wrong type.
    pub fn sample_rows(&self) -> Result<Vec<SampleRow>> {
        self.rows(|row| {
            Ok(SampleRow {
                version: row.text("version")?,
                target_kind: row.text("target_kind")?,
                value: row.get("value")?,
            })
        })
    }

    /// The rows of a `version_delta` plot (§3.3).
    ///
    /// # Errors
    /// Names the field of the first row that lacks one or has one of the wrong type.
    pub fn delta_rows(&self) -> Result<Vec<DeltaRow>> {
        self.rows(|row| {
            let value =
                |row: &mut Fields<'_>, [median, value]: [&'static str; 2]| -> Result<Option<Number>> {
                    let median = row.get(median)?;
                    Ok(row.get::<Option<Number>>(value)?.or(median))
                };
            Ok(DeltaRow {
                relation: row.optional("relation")?,
                baseline_version: row.text("baseline_version")?,
                candidate_version: row.text("candidate_version")?,
                baseline_versions: row.get::<Option<Vec<String>>>("baseline_versions")?.unwrap_or_default(),
                baseline_samples: row.count("baseline_samples")?,
                candidate_samples: row.count("candidate_samples")?,
                baseline_value: value(row, ["baseline_median", "baseline_value"])?,
                candidate_value: value(row, ["candidate_median", "candidate_value"])?,
                sample_statistic: row.optional("sample_statistic")?,
                absolute_delta: row.get("absolute_delta")?,
                relative_delta: row.get("relative_delta")?,
                relative_limit: row.get("relative_limit")?,
                status: row.optional("status")?,
                reason: row.optional("reason")?,
            })
        })
    }

    fn rows<T>(&self, mut read: impl FnMut(&mut Fields<'_>) -> Result<T>) -> Result<Vec<T>> {
        let mut asked = Asked::default();
        self.data
            .iter()
            .enumerate()
            .map(|(at, row)| {
                asked.turn_to(row);
                read(&mut Fields { at, row, asked: &mut asked, next: 0 })
            })
            .collect()
    }
}

/// The fields that are asked for, row by row in the same order.
#[derive(Default)]
struct Asked {
    fields: Vec<Field>,
    /// The names of the row before, which nearly all rows share.
    names: Option<Arc<[String]>>,
}

struct Field {
    key: &'static str,
    /// Where it stands in rows of these names.
    place: Option<usize>,
    /// Its text in the row before: neighbours mostly have the same.
    last: Shared,
}

impl Asked {
    fn turn_to(&mut self, row: &Row) {
        if self.names.as_ref().is_none_or(|names| !Arc::ptr_eq(names, row.names())) {
            self.names = Some(row.names().clone());
            self.fields.iter_mut().for_each(|field| field.place = row.place(field.key));
        }
    }
}

struct Fields<'a> {
    at: usize,
    row: &'a Row,
    asked: &'a mut Asked,
    /// Which of the fields is expected to be asked for.
    next: usize,
}

impl<'a> Fields<'a> {
    fn wrong(&self, key: &str, message: String) -> Error {
        Error::evidence(message).at(Place::default().field(format!("data[{}].{key}", self.at)))
    }

    /// The field of a key, with its value.
    fn field(&mut self, key: &'static str) -> (&mut Shared, Option<&'a Value>) {
        let fields = &mut self.asked.fields;
        let at = if fields.get(self.next).is_some_and(|field| std::ptr::eq(field.key, key)) {
            self.next
        } else {
            fields.iter().position(|field| field.key == key).unwrap_or_else(|| {
                fields.push(Field { key, place: self.row.place(key), last: Shared::default() });
                fields.len() - 1
            })
        };
        self.next = at + 1;
        let field = &mut fields[at];
        (&mut field.last, field.place.and_then(|place| self.row.at(place)))
    }

    /// A field of type `T`; an absent one counts as null.
    fn get<T: DeserializeOwned>(&mut self, key: &'static str) -> Result<T> {
        let (_, value) = self.field(key);
        T::deserialize(value.unwrap_or(&Value::Null)).map_err(|error| self.wrong(key, error.to_string()))
    }

    fn text(&mut self, key: &'static str) -> Result<Name> {
        match self.field(key) {
            (last, Some(Value::String(text))) => Ok(last.get(text)),
            (_, Some(_)) => Err(self.wrong(key, "not text".to_owned())),
            (_, None) => Err(self.wrong(key, "missing".to_owned())),
        }
    }

    /// A text that may be absent or null, which is an empty one.
    fn optional(&mut self, key: &'static str) -> Result<Name> {
        match self.field(key) {
            (last, Some(Value::String(text))) => Ok(last.get(text)),
            (last, None | Some(Value::Null)) => Ok(last.get("")),
            (_, Some(other)) => match String::deserialize(other) {
                Ok(text) => Ok(text.into()),
                Err(error) => Err(self.wrong(key, error.to_string())),
            },
        }
    }

    /// A count; `30` and `30.0` are the same, absent is 0.
    fn count(&mut self, key: &'static str) -> Result<u64> {
        let Some(value) = self.field(key).1.filter(|value| !value.is_null()) else { return Ok(0) };
        if let Some(whole) = value.as_u64() {
            return Ok(whole);
        }
        let whole = value.as_f64().filter(|float| float.fract() == 0.0 && (0.0..9e15).contains(float));
        whole.map(|float| float as u64).ok_or_else(|| self.wrong(key, "not a count".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(rows: &Value) -> Plot {
        let plot = serde_json::json!({
            "schema_version": "perfchecker-plot/1", "id": "i", "kind": "normalized_metrics", "title": "",
            "description": "", "encoding": {}, "options": {}, "data": rows,
        });
        serde_json::from_value(plot).unwrap()
    }

    #[test]
    fn rows_are_typed_and_errors_name_row_and_field() {
        let good = serde_json::json!({
            "metric": "m", "version": "1.0", "target_kind": "release", "value": 2048, "unit": "By", "samples": 30.0,
            "ratio": null, "reference_value": 0, "normalization_status": "zero_reference",
        });
        let rows = plot(&serde_json::json!([good])).normalized_rows().unwrap();
        assert_eq!((rows[0].samples, rows[0].ratio), (30, None));
        assert_eq!(rows[0].value.unwrap().to_string(), "2048");
        let mut many = good.clone();
        many["samples"] = serde_json::json!(u64::MAX);
        assert_eq!(plot(&serde_json::json!([many])).normalized_rows().unwrap()[0].samples, u64::MAX);
        for (key, value) in [
            ("value", serde_json::json!("12")),
            ("normalization_status", serde_json::json!("fine")),
            ("samples", serde_json::json!(-1)),
            ("metric", serde_json::json!(1)),
        ] {
            let mut bad = good.clone();
            bad[key] = value;
            let error = plot(&serde_json::json!([good, bad])).normalized_rows().unwrap_err();
            assert_eq!(error.place.field, Some(format!("data[1].{key}")));
        }
    }
}
