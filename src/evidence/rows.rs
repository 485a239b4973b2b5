//! Typed views of the rows of a plot document; what does not fit is named by row and field.

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
            let value = |row: &Fields<'_>, [median, value]: [&str; 2]| -> Result<Option<Number>> {
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
        let mut names = Vec::new();
        self.data
            .iter()
            .enumerate()
            .map(|(at, fields)| read(&mut Fields { at, fields, names: &mut names }))
            .collect()
    }
}

struct Fields<'a> {
    at: usize,
    fields: &'a Row,
    /// The text of each field in the rows before: neighbours mostly have the same.
    names: &'a mut Vec<(&'static str, Shared)>,
}

impl Fields<'_> {
    fn wrong(&self, key: &str, message: String) -> Error {
        Error::evidence(message).at(Place::default().field(format!("data[{}].{key}", self.at)))
    }

    /// A field of type `T`; an absent one counts as null.
    fn get<T: DeserializeOwned>(&self, key: &str) -> Result<T> {
        T::deserialize(self.fields.get(key).unwrap_or(&Value::Null))
            .map_err(|error| self.wrong(key, error.to_string()))
    }

    fn name(&mut self, key: &'static str, text: &str) -> Name {
        let known = self.names.iter().position(|known| known.0 == key).unwrap_or_else(|| {
            self.names.push((key, Shared::default()));
            self.names.len() - 1
        });
        self.names[known].1.get(text)
    }

    fn text(&mut self, key: &'static str) -> Result<Name> {
        let fields = self.fields;
        match fields.get(key) {
            Some(Value::String(text)) => Ok(self.name(key, text)),
            Some(_) => Err(self.wrong(key, "not text".to_owned())),
            None => Err(self.wrong(key, "missing".to_owned())),
        }
    }

    /// A text that may be absent or null, which is an empty one.
    fn optional(&mut self, key: &'static str) -> Result<Name> {
        let fields = self.fields;
        match fields.get(key) {
            Some(Value::String(text)) => Ok(self.name(key, text)),
            _ => Ok(self.get::<Option<String>>(key)?.unwrap_or_default().into()),
        }
    }

    /// A count; `30` and `30.0` are the same, absent is 0.
    fn count(&self, key: &str) -> Result<u64> {
        let Some(value) = self.fields.get(key).filter(|value| !value.is_null()) else { return Ok(0) };
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
