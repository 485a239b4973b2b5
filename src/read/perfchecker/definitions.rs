//! `measurement-definitions.json`: what each metric means (PerfChecker formats §2.6).

use std::collections::BTreeSet;

use super::super::complaints::{About, Complaint, Complaints, quote};
use super::super::json::Object;
use super::super::tree::{Map, Value};
use crate::error::{Place, Problem, Problems};
use crate::evidence::{Definition, Preference};

/// Fields that have a place of their own in [`Definition`].
const KNOWN: [&str; 10] = [
    "id",
    "metric",
    "unit",
    "collector",
    "sample_semantics",
    "preference",
    "warmup_policy",
    "includes_compilation",
    "includes_children",
    "attribution_scope",
];

/// Reads the definitions; none when their structure is broken, which refuses the bundle.
pub(super) fn read(bytes: &[u8], path: &str, problems: &mut Problems) -> Option<Vec<Definition>> {
    let place = || Place::file(path);
    let items: Vec<Value> = match serde_json::from_slice(bytes) {
        Ok(Value::Array(items)) => items,
        Ok(_) => {
            problems.push(Problem::error(place(), "the definitions are not an array"));
            return None;
        }
        Err(error) => {
            problems.push(Problem::error(place(), format!("the definitions are not JSON: {error}")));
            return None;
        }
    };
    let mut complaints = Complaints::default();
    let mut ids = BTreeSet::new();
    let mut definitions = Vec::with_capacity(items.len());
    for (at, item) in items.into_iter().enumerate() {
        let Value::Object(fields) = item else {
            problems.push(Problem::error(place(), format!("definition {at} is not an object")));
            return None;
        };
        match definition(fields, &mut complaints) {
            Ok(definition) if ids.insert(definition.id.clone()) => definitions.push(definition),
            Ok(definition) => {
                let message = format!("two definitions have the id {}", quote(&definition.id));
                problems.push(Problem::error(place().field("id"), message));
                return None;
            }
            Err(field) => {
                let message = format!("definition {at} has no `{field}`, or it is not text");
                problems.push(Problem::error(place().field(field), message));
                return None;
            }
        }
    }
    complaints.into_problems(path, problems);
    Some(definitions)
}

/// Takes one definition apart; the name of the field when a necessary one is missing.
fn definition(fields: Map<'_>, complaints: &mut Complaints) -> Result<Definition, &'static str> {
    let need = |key: &'static str| {
        fields.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).ok_or(key)
    };
    let (id, metric, unit) = (need("id")?, need("metric")?, need("unit")?);
    let object = Object::root(&fields);
    let mut text = |key: &str| object.text(key, complaints).map(str::to_owned);
    let mut definition = Definition {
        id: id.into(),
        metric: metric.into(),
        unit: unit.into(),
        collector: text("collector"),
        sample_semantics: text("sample_semantics"),
        preference: Preference::Lower,
        warmup_policy: text("warmup_policy"),
        includes_compilation: None,
        includes_children: None,
        attribution_scope: text("attribution_scope"),
        extra: serde_json::Map::new(),
    };
    definition.preference = match object.text("preference", complaints) {
        None | Some("lower") => Preference::Lower,
        Some("higher") => Preference::Higher,
        Some("neutral") => Preference::Neutral,
        Some(other) => {
            complaints.add(About::Optional, || Complaint {
                line: 0,
                field: Some("preference".to_owned()),
                message: format!("{} of {} is not a known preference", quote(other), quote(id)),
            });
            Preference::Neutral
        }
    };
    definition.includes_compilation = object.flag("includes_compilation", complaints);
    definition.includes_children = object.flag("includes_children", complaints);
    definition.extra = fields.into_owned().filter(|(key, _)| !KNOWN.contains(&key.as_str())).collect();
    Ok(definition)
}
