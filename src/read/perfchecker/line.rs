//! One line of `observations.jsonl`: taken apart without copying, judged field by field.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::value::{CowStrDeserializer, Error as ValueError, MapAccessDeserializer};
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::super::complaints::{About, quote};
use super::observations::Context;
use super::spot::{Doubt, Listed, Spot, SpotFields};
use crate::evidence::{Number, Sample};

/// Nesting of brackets beyond which a line is refused, as in documents.
const DEPTH: usize = 128;

/// Any JSON value, of which only texts and numbers matter here.
#[derive(Debug, Clone, Default)]
pub(super) enum Scalar<'a> {
    /// Absent or null.
    #[default]
    Absent,
    Text(Cow<'a, str>),
    Number(Number),
    Flag(bool),
    /// An array, an object or what is no finite number.
    Other(&'static str),
}

impl<'de: 'a, 'a> Deserialize<'de> for Scalar<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Scalars;

        impl<'de> Visitor<'de> for Scalars {
            type Value = Scalar<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Scalar::Absent)
            }

            fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
                Ok(Scalar::Flag(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Scalar::Number(Number::Unsigned(value)))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Scalar::Number(u64::try_from(value).map_or(Number::Negative(value), Number::Unsigned)))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
                Ok(Number::finite(value).map_or(Scalar::Other("not finite"), Scalar::Number))
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Scalar::Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Scalar::Text(Cow::Owned(text.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
                while items.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Scalar::Other("an array"))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
                while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Scalar::Other("an object"))
            }
        }

        deserializer.deserialize_any(Scalars)
    }
}

/// The fields that are looked at; all others are skipped.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Fields<'a> {
    record_type: Scalar<'a>,
    run_id: Scalar<'a>,
    attempt_id: Scalar<'a>,
    case_id: Scalar<'a>,
    target_id: Scalar<'a>,
    metric: Scalar<'a>,
    unit: Scalar<'a>,
    measurement_definition: Scalar<'a>,
    value: Scalar<'a>,
    aggregation: Scalar<'a>,
    sample_index: Scalar<'a>,
    scope: Scalar<'a>,
    comparison_key: Scalar<'a>,
    attributes: MaybeAttributes<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Attributes<'a> {
    package: Scalar<'a>,
    feature: Scalar<'a>,
    workload: Scalar<'a>,
    version: Scalar<'a>,
    target_kind: Scalar<'a>,
    table_index: Scalar<'a>,
    implementation: Scalar<'a>,
    source_file: Scalar<'a>,
    source_line: Scalar<'a>,
    stack: Listed<Scalar<'a>>,
    runtime_dispatch: Listed<Scalar<'a>>,
    gc_event: Listed<Scalar<'a>>,
    inference_status: Listed<Scalar<'a>>,
    inferred_return_type: Listed<Scalar<'a>>,
}

#[derive(Debug)]
enum MaybeAttributes<'a> {
    Fields(Box<Attributes<'a>>),
    Wrong,
}

impl Default for MaybeAttributes<'_> {
    fn default() -> Self {
        Self::Fields(Box::default())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for MaybeAttributes<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;

        impl<'de> Visitor<'de> for Visit {
            type Value = MaybeAttributes<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
                Attributes::deserialize(MapAccessDeserializer::new(fields))
                    .map(|attributes| MaybeAttributes::Fields(Box::new(attributes)))
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(MaybeAttributes::default())
            }

            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(MaybeAttributes::Wrong)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
                Ok(MaybeAttributes::Wrong)
            }

            fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
                Ok(MaybeAttributes::Wrong)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
                Ok(MaybeAttributes::Wrong)
            }

            fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
                Ok(MaybeAttributes::Wrong)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
                while items.next_element::<IgnoredAny>()?.is_some() {}
                Ok(MaybeAttributes::Wrong)
            }
        }

        deserializer.deserialize_any(Visit)
    }
}

/// What a group of observations has in common, borrowed from the first line that has it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key<'a> {
    pub(super) case_id: Cow<'a, str>,
    pub(super) package: Option<Cow<'a, str>>,
    pub(super) feature: Cow<'a, str>,
    pub(super) workload: Option<Cow<'a, str>>,
    pub(super) target: Cow<'a, str>,
    pub(super) kind: Option<Cow<'a, str>>,
    pub(super) definition: u32,
    pub(super) comparison: Cow<'a, str>,
    pub(super) aggregation: Cow<'a, str>,
    pub(super) scope: Cow<'a, str>,
}

/// An accepted observation.
#[derive(Debug)]
pub(super) struct Observation<'a> {
    pub(super) key: Key<'a>,
    pub(super) sample: Sample,
    /// The target as `attributes.version` tells it, where that differs from `target_id`.
    pub(super) told_otherwise: Option<Cow<'a, str>>,
    /// Where a profiling row was taken.
    pub(super) spot: Option<Box<Spot<'a>>>,
    /// Fields that were not believed although the observation is.
    pub(super) doubts: Vec<Doubt>,
}

/// Why a line or an observation was refused.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) about: About,
    pub(super) field: Option<String>,
    pub(super) message: String,
}

impl Refusal {
    fn new(about: About, field: &str, message: impl Into<String>) -> Self {
        Self { about, field: Some(field.to_owned()), message: message.into() }
    }

    /// A line that is not a JSON object.
    pub(super) fn structure(message: impl Into<String>) -> Self {
        Self { about: About::Structure, field: None, message: message.into() }
    }
}

/// Checks that `line` can be a JSON object at all: UTF-8, a brace first, not nested too deep.
pub(super) fn check_object(line: &[u8]) -> Result<&str, Refusal> {
    let text = std::str::from_utf8(line).map_err(|error| {
        Refusal::structure(format!("byte {} of the line is not UTF-8", error.valid_up_to() + 1))
    })?;
    if line.trim_ascii_start().first() != Some(&b'{') {
        return Err(Refusal::structure("the line is not a JSON object"));
    }
    if memchr::memchr2_iter(b'[', b'{', line).nth(DEPTH).is_some() && nesting(line) > DEPTH {
        return Err(Refusal::structure(format!("nested deeper than {DEPTH}")));
    }
    Ok(text)
}

/// The deepest nesting of brackets outside texts.
fn nesting(line: &[u8]) -> usize {
    let (mut depth, mut deepest, mut at) = (0_usize, 0, 0);
    while let Some(&byte) = line.get(at) {
        match byte {
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' => at = text_end(line, at + 1),
            _ => {}
        }
        at += 1;
    }
    deepest
}

/// The position of the quote that ends the text which begins at `at`; the end of the line without one.
pub(super) fn text_end(line: &[u8], mut at: usize) -> usize {
    while let Some(step) = memchr::memchr2(b'"', b'\\', line.get(at..).unwrap_or_default()) {
        if line[at + step] == b'"' {
            return at + step;
        }
        at += step + 2;
    }
    line.len()
}

/// Says why `line` is not JSON. Tokens such as `NaN` and numbers out of range are named with their field.
pub(super) fn broken(line: &[u8], error: &serde_json::Error) -> Refusal {
    let at = error.column().saturating_sub(1).min(line.len());
    let rest = &line[at..];
    // The reader stops at the token, or behind its sign.
    let sign = if at > 0 && line[at - 1] == b'-' { "-" } else { "" };
    let token =
        ["NaN", "Infinity", "nan", "inf"].into_iter().find(|token| rest.starts_with(token.as_bytes()));
    let field = field_before(line, at);
    if let Some(token) = token {
        let message = format!("{sign}{token} is not JSON and not a measured number");
        return Refusal { about: About::Structure, field, message };
    }
    if error.to_string().starts_with("number out of range") {
        return Refusal {
            about: About::Value,
            field,
            message: "the number is too large to be finite".to_owned(),
        };
    }
    Refusal::structure(format!("the line is not JSON: {error}").replace("line 1 ", ""))
}

/// The key in front of the value at `at`, when that can be told.
fn field_before(line: &[u8], at: usize) -> Option<String> {
    let number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let end = line[..at].iter().rposition(|byte| !number(byte))? + 1;
    let before = line[..end].trim_ascii_end().strip_suffix(b":")?.trim_ascii_end().strip_suffix(b"\"")?;
    let start = memchr::memrchr(b'"', before)? + 1;
    std::str::from_utf8(&before[start..]).ok().map(str::to_owned)
}

/// Reads one line that is not blank.
pub(super) fn read<'a>(line: &'a [u8], context: &Context<'_>) -> Result<Observation<'a>, Refusal> {
    let text = check_object(line)?;
    let fields: Fields<'a> = serde_json::from_str(text).map_err(|error| broken(line, &error))?;
    judge(fields, context)
}

/// A text, or none when absent.
fn text<'a>(scalar: Scalar<'a>, field: &str) -> Result<Option<Cow<'a, str>>, Refusal> {
    match scalar {
        Scalar::Absent => Ok(None),
        Scalar::Text(text) => Ok(Some(text)),
        Scalar::Number(_) => Err(Refusal::new(About::Field, field, "a number, not text")),
        Scalar::Flag(_) => Err(Refusal::new(About::Field, field, "true or false, not text")),
        Scalar::Other(found) => Err(Refusal::new(About::Field, field, format!("{found}, not text"))),
    }
}

/// A whole number of at most 32 bits, or 0 when absent.
fn index(scalar: &Scalar<'_>, field: &str) -> Result<u32, Refusal> {
    let refuse = || Refusal::new(About::Field, field, "not a whole number from 0 to 4294967295");
    match scalar {
        Scalar::Absent => Ok(0),
        Scalar::Number(number) => {
            number.as_whole().and_then(|whole| u32::try_from(whole).ok()).ok_or_else(refuse)
        }
        Scalar::Text(_) | Scalar::Flag(_) | Scalar::Other(_) => Err(refuse()),
    }
}

fn measured(scalar: Scalar<'_>) -> Result<Number, Refusal> {
    let refuse = |message: String| Err(Refusal::new(About::Value, "value", message));
    match scalar {
        Scalar::Number(number) => Ok(number),
        Scalar::Text(text) => {
            let shown = quote(&text);
            Number::deserialize(CowStrDeserializer::<ValueError>::new(text))
                .or_else(|_| refuse(format!("the text {shown} is not a measured number")))
        }
        Scalar::Absent => refuse("there is no value; a zero is never put in its place".to_owned()),
        Scalar::Flag(_) => refuse("true or false, not a finite number".to_owned()),
        Scalar::Other(found) => refuse(format!("{found}, not a finite number")),
    }
}

fn judge<'a>(fields: Fields<'a>, context: &Context<'_>) -> Result<Observation<'a>, Refusal> {
    if let Some(kind) = text(fields.record_type, "record_type")?
        && kind != "observation"
    {
        let message = format!("{} is not an observation", quote(&kind));
        return Err(Refusal::new(About::Field, "record_type", message));
    }
    for (found, field, expected) in
        [(fields.run_id, "run_id", context.run_id), (fields.attempt_id, "attempt_id", context.attempt_id)]
    {
        if let Some(found) = text(found, field)?
            && found != expected
        {
            let message = format!("{} is another run; the manifest says {}", quote(&found), quote(expected));
            return Err(Refusal::new(About::Foreign, field, message));
        }
    }
    let id = text(fields.measurement_definition, "measurement_definition")?.ok_or_else(|| {
        Refusal::new(About::Definition, "measurement_definition", "the observation names no definition")
    })?;
    let Some((position, definition)) = context.definition(&id) else {
        let message = format!("there is no definition {}", quote(&id));
        return Err(Refusal::new(About::Definition, "measurement_definition", message));
    };
    for (found, field, expected) in
        [(fields.metric, "metric", &definition.metric), (fields.unit, "unit", &definition.unit)]
    {
        let found = text(found, field)?;
        if found.as_deref() != Some(expected) {
            let found = found.map_or("nothing".to_owned(), |found| quote(&found));
            let message = format!("{found} where the definition says {}", quote(expected));
            return Err(Refusal::new(About::Definition, field, message));
        }
    }
    let value = measured(fields.value)?;
    let sample_index = index(&fields.sample_index, "sample_index")?;
    let MaybeAttributes::Fields(mut attributes) = fields.attributes else {
        return Err(Refusal::new(About::Field, "attributes", "not an object"));
    };
    // Few rows name a place; the others are spared the moving about of its fields.
    let named = !matches!((&attributes.stack, &attributes.source_file), (Listed::Absent, Scalar::Absent));
    let spot = named.then(|| SpotFields {
        source_file: std::mem::take(&mut attributes.source_file),
        source_line: std::mem::take(&mut attributes.source_line),
        stack: std::mem::take(&mut attributes.stack),
        runtime_dispatch: std::mem::take(&mut attributes.runtime_dispatch),
        gc_event: std::mem::take(&mut attributes.gc_event),
        inference_status: std::mem::take(&mut attributes.inference_status),
        inferred_return_type: std::mem::take(&mut attributes.inferred_return_type),
    });
    let table = index(&attributes.table_index, "attributes.table_index")?;
    let case_id = text(fields.case_id, "case_id")?.unwrap_or(Cow::Borrowed("external"));
    let version = text(attributes.version, "attributes.version")?;
    let implementation = text(attributes.implementation, "attributes.implementation")?;
    let mut kind = text(attributes.target_kind, "attributes.target_kind")?;
    let target = text(fields.target_id, "target_id")?;
    let other_target =
        version.clone().filter(|version| target.as_ref().is_some_and(|target| target != version));
    let target = target
        .or(version)
        .or_else(|| implementation.clone())
        // The default of PerfChecker's own grammar (§2.11).
        .unwrap_or_else(|| case_id.clone());
    if kind.is_none() && implementation.as_ref() == Some(&target) {
        kind = Some(Cow::Borrowed("implementation"));
    }
    let feature = text(attributes.feature, "attributes.feature")?.unwrap_or_else(|| case_id.clone());
    let mut doubts = Vec::new();
    Ok(Observation {
        key: Key {
            package: text(attributes.package, "attributes.package")?,
            feature,
            workload: text(attributes.workload, "attributes.workload")?,
            target,
            kind,
            definition: position,
            comparison: base_key(text(fields.comparison_key, "comparison_key")?, &id),
            aggregation: text(fields.aggregation, "aggregation")?.unwrap_or(Cow::Borrowed("sample")),
            scope: text(fields.scope, "scope")?.unwrap_or(Cow::Borrowed("workload")),
            case_id,
        },
        sample: Sample { table, index: sample_index, value },
        told_otherwise: other_target,
        spot: spot.map(|spot| Box::new(spot.judge(&mut doubts))),
        doubts,
    })
}

/// A comparison key without its `::<definition>` part; empty when it is nothing else.
fn base_key<'a>(key: Option<Cow<'a, str>>, definition: &str) -> Cow<'a, str> {
    let Some(key) = key.filter(|key| key != definition) else { return Cow::Borrowed("") };
    match key.strip_suffix(definition).and_then(|rest| rest.strip_suffix("::")).map(str::len) {
        None => key,
        Some(length) => match key {
            Cow::Borrowed(key) => Cow::Borrowed(&key[..length]),
            Cow::Owned(mut key) => {
                key.truncate(length);
                Cow::Owned(key)
            }
        },
    }
}
