//! Plot documents, bare or wrapped (PerfChecker formats §3, `perfchecker-plot/1` and `perfolio-plot/1`).

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::complaints::quote;
use super::detect::{Answer, Reader, before_object};
use super::{Part, duplicates, plot_profiles};
use crate::error::{Error, Place, Problem, Problems, Result};
use crate::evidence::plot::{PERFCHECKER_PLOT, PERFOLIO_PLOT, Plot, PlotDocument, Status};
use crate::evidence::row::Rows;
use crate::evidence::{FileStatus, Format, Name, Number, SavedPlot};

/// Reads a plot document. A wrapper field of another type than the form says is kept as it is in `extra`.
///
/// # Errors
/// Refuses what is not JSON, an unknown or missing schema, and a plot whose fields or typed rows are missing
/// or of the wrong type; the error names file and field.
pub fn parse_document(bytes: &[u8], path: &str) -> Result<PlotDocument> {
    parse_telling(bytes, path, &mut Problems::default())
}

/// The same, with a warning for every key that stands twice in its object.
///
/// # Errors
/// As [`parse_document`].
pub fn parse_telling(bytes: &[u8], path: &str, problems: &mut Problems) -> Result<PlotDocument> {
    let refused = |(field, message): Refusal| {
        let mut place = Place::file(path);
        place.field = field;
        Error::evidence(message).at(place)
    };
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| refused((None, format!("the document is not JSON: {error}"))))?;
    if duplicates::any(bytes, &value) {
        duplicates::check(bytes, path, problems);
    }
    parse(value).map_err(refused)
}

/// The wrapper's fields (§3.7) and what each should be.
const WRAPPER: [(&str, &str); 11] = [
    ("run_id", "text"),
    ("started_at", "text"),
    ("runtime", "an object"),
    ("os", "text"),
    ("correctness", "text"),
    ("performance", "text"),
    ("scope", "text"),
    ("worker_environments", "an array"),
    ("release_dates", "an object of texts"),
    ("release_date_kinds", "an object of texts"),
    ("reference_scope", "text"),
];

type Refusal = (Option<String>, String);

fn parse(value: Value) -> Result<PlotDocument, Refusal> {
    let Value::Object(mut wrapper) = value else {
        return Err((None, "the document is not an object".to_owned()));
    };
    let (plot, at) = match wrapper.remove("plot") {
        Some(Value::Object(plot)) => (plot, "plot."),
        Some(_) => return Err((Some("plot".to_owned()), "not an object".to_owned())),
        None => (std::mem::take(&mut wrapper), ""),
    };
    let plot = read_plot(plot, at)?;
    let mut text = |key: &str| match wrapper.remove(key) {
        Some(Value::String(text)) => Some(text),
        Some(other) => {
            wrapper.insert(key.to_owned(), other);
            None
        }
        None => None,
    };
    let mut document = PlotDocument {
        plot,
        run_id: text("run_id"),
        started_at: text("started_at"),
        runtime: Map::new(),
        os: text("os"),
        correctness: text("correctness"),
        performance: text("performance"),
        scope: text("scope"),
        worker_environments: Vec::new(),
        release_dates: BTreeMap::new(),
        release_date_kinds: BTreeMap::new(),
        date_kind: text("date_kind"),
        reference_scope: text("reference_scope"),
        perfolio: None,
        extra: Map::new(),
    };
    match wrapper.remove("runtime") {
        Some(Value::Object(runtime)) => document.runtime = runtime,
        other => keep(&mut wrapper, "runtime", other),
    }
    match wrapper.remove("worker_environments") {
        Some(Value::Array(environments)) => document.worker_environments = environments,
        other => keep(&mut wrapper, "worker_environments", other),
    }
    for (key, target) in [
        ("release_dates", &mut document.release_dates),
        ("release_date_kinds", &mut document.release_date_kinds),
    ] {
        if let Some(texts) = wrapper.get(key).and_then(texts_of) {
            *target = texts;
            wrapper.remove(key);
        }
    }
    match wrapper.remove("perfolio") {
        None | Some(Value::Null) => {}
        Some(details) => {
            document.perfolio = Some(serde_json::from_value(details).map_err(|error| {
                (Some("perfolio".to_owned()), format!("not what perfolio writes: {error}"))
            })?);
        }
    }
    document.extra = wrapper;
    Ok(document)
}

/// What is doubtful about a document that could be read: rows that say two things about one point, and ratios
/// that are not the quotient of their values. Nothing is corrected.
pub fn doubts(document: &PlotDocument, path: &str) -> Vec<Problem> {
    let plot = &document.plot;
    let place = |field: String| Place::file(path).field(field);
    let mut found = of_other_types(document, path);
    // Other kinds may hold several rows of one version, such as the frames of a profile.
    let series = matches!(
        plot.kind.as_str(),
        "normalized_metrics" | "version_series" | "feature_overlay" | "time_allocation_tradeoff"
    );
    let mut first = HashMap::new();
    for (at, row) in plot.data.iter().enumerate().filter(|_| series) {
        let key = ["feature", "metric", "version"].map(|key| row.get(key).and_then(Value::as_str));
        if let Some(before) = first.insert(key, at) {
            let [_, metric, version] = key;
            let of = metric.map(|metric| format!(" of {}", quote(metric))).unwrap_or_default();
            let version = quote(version.unwrap_or_default());
            let message = format!("a second row{of} at {version}: data[{before}] is about the same point");
            found.push(Problem::warning(place(format!("data[{at}]")), message));
        }
    }
    match plot.kind.as_str() {
        "version_delta" => changes_told_twice(plot, path, &mut found),
        "distribution" => samples_told_twice(plot, path, &mut found),
        _ => {}
    }
    let rows = if plot.kind == "normalized_metrics" { plot.normalized_rows() } else { Ok(Vec::new()) };
    for (at, row) in rows.unwrap_or_default().iter().enumerate() {
        let (Some(value), Some(reference), Some(ratio)) = (row.value, row.reference_value, row.ratio) else {
            continue;
        };
        if row.normalization_status == Status::Ratio && !is_quotient(ratio, value, reference) {
            let message = format!("the ratio {ratio} is not {value} / {reference}");
            found.push(Problem::warning(place(format!("data[{at}].ratio")), message));
        }
    }
    if let Some(Value::Array(versions)) = plot.options.get("versions").filter(|_| series) {
        let told: HashSet<&str> = first.keys().filter_map(|[_, _, version]| *version).collect();
        for version in versions.iter().filter_map(Value::as_str) {
            if !told.contains(version) {
                let message = format!("no row is about {}, which is listed", quote(version));
                found.push(Problem::note(place("options.versions".to_owned()), message));
            }
        }
    }
    found
}

/// Wrapper fields of another type than the form says, which are kept and say nothing to a figure.
fn of_other_types(document: &PlotDocument, path: &str) -> Vec<Problem> {
    let told =
        WRAPPER.iter().filter(|(key, _)| document.extra.get(*key).is_some_and(|value| !value.is_null()));
    let tell = |(key, wanted): &(&str, &str)| {
        let message = format!("not {wanted}; it is kept in the document and not shown");
        Problem::warning(Place::file(path).field(*key), message).remedy("write it as the format says")
    };
    told.map(tell).collect()
}

/// Several changes towards one target: a figure has a place for one.
fn changes_told_twice(plot: &Plot, path: &str, found: &mut Vec<Problem>) {
    let mut before: BTreeMap<Name, (usize, Name, Name)> = BTreeMap::new();
    for (at, row) in plot.delta_rows().unwrap_or_default().into_iter().enumerate() {
        let place = Place::file(path).field(format!("data[{at}]"));
        let candidate = quote(&row.candidate_version);
        let from = (at, row.relation, row.baseline_version);
        let Some((first, relation, baseline)) = before.insert(row.candidate_version, from.clone()) else {
            continue;
        };
        found.push(if (relation, baseline) == (from.1, from.2) {
            let message = format!("a second change to {candidate}: data[{first}] is about the same pair");
            Problem::warning(place, message)
        } else {
            let message =
                format!("another change to {candidate} than data[{first}]; figures draw the last, the table of data has both");
            Problem::note(place, message)
        });
    }
}

/// Samples of a target that stand in the document again, somewhere else: equal samples are nothing unusual, equal
/// lists of them are. And targets of two sorts.
fn samples_told_twice(plot: &Plot, path: &str, found: &mut Vec<Problem>) {
    let rows = plot.sample_rows().unwrap_or_default();
    let mut blocks: BTreeMap<(&str, Vec<Option<Number>>), usize> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, &str> = BTreeMap::new();
    let mut start = 0;
    for block in rows.chunk_by(|a, b| a.version == b.version) {
        let label = &*block[0].version;
        for (at, row) in block.iter().enumerate() {
            let kind = *kinds.entry(label).or_insert(&row.target_kind);
            if *kind != *row.target_kind {
                let message =
                    format!("{} is a {} here and a {kind} before", quote(label), quote(&row.target_kind));
                found.push(Problem::warning(
                    Place::file(path).field(format!("data[{}]", start + at)),
                    message,
                ));
                kinds.insert(label, &row.target_kind);
            }
        }
        let values: Vec<Option<Number>> = block.iter().map(|row| row.value).collect();
        if values.len() > 1 {
            let first = *blocks.entry((label, values)).or_insert(start);
            if first < start {
                let message = format!(
                    "the {} samples of {} from here on are those from data[{first}] again; all are counted",
                    block.len(),
                    quote(label)
                );
                found.push(Problem::warning(Place::file(path).field(format!("data[{start}]")), message));
            }
        }
        start += block.len();
    }
}

/// Whether a ratio is the quotient up to one unit in the last place; whole numbers beyond 2⁵³ are rounded
/// before they are divided, which may cost two more.
fn is_quotient(ratio: Number, value: Number, reference: Number) -> bool {
    let quotient = value.as_f64() / reference.as_f64();
    let ratio = ratio.as_f64();
    if ratio.is_sign_negative() != quotient.is_sign_negative() {
        return ratio == 0.0 && quotient == 0.0;
    }
    let exact = [value, reference].iter().all(|number| number.as_f64().abs() <= 9_007_199_254_740_992.0);
    ratio.to_bits().abs_diff(quotient.to_bits()) <= if exact { 1 } else { 3 }
}

fn keep(wrapper: &mut Map<String, Value>, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        wrapper.insert(key.to_owned(), value);
    }
}

/// An object whose values are all texts.
fn texts_of(value: &Value) -> Option<BTreeMap<String, String>> {
    value.as_object()?.iter().map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect()
}

/// Reads the plot itself; `at` is the path that leads to its fields.
fn read_plot(mut fields: Map<String, Value>, at: &str) -> Result<Plot, Refusal> {
    let refuse = |key: &str, message: &str| (Some(format!("{at}{key}")), message.to_owned());
    let schema = match fields.remove("schema_version") {
        Some(Value::String(schema)) if schema == PERFCHECKER_PLOT || schema == PERFOLIO_PLOT => schema,
        Some(other) => {
            let message = format!(
                "{} is neither {PERFCHECKER_PLOT:?} nor {PERFOLIO_PLOT:?}",
                quote(other.as_str().map_or_else(|| other.to_string(), str::to_owned).as_str())
            );
            return Err(refuse("schema_version", &message));
        }
        None => return Err(refuse("schema_version", "the plot names no schema")),
    };
    let mut text = |key: &str| match fields.remove(key) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(refuse(key, "not text")),
        None => Err(refuse(key, "missing")),
    };
    let (id, kind, title, description) = (text("id")?, text("kind")?, text("title")?, text("description")?);
    let mut object = |key: &str| match fields.remove(key) {
        Some(Value::Object(object)) => Ok(object),
        Some(_) => Err(refuse(key, "not an object")),
        None => Err(refuse(key, "missing")),
    };
    let (encoding, options) = (object("encoding")?, object("options")?);
    let Some(Value::Array(rows)) = fields.remove("data") else {
        return Err(refuse("data", "missing, or not an array"));
    };
    let (mut made, mut data) = (Rows::default(), Vec::with_capacity(rows.len()));
    for (position, row) in rows.into_iter().enumerate() {
        match row {
            Value::Object(row) => data.push(made.map(row)),
            _ => return Err(refuse(&format!("data[{position}]"), "not an object")),
        }
    }
    let plot = Plot { schema_version: schema, id, kind, title, description, encoding, data, options };
    let typed = match plot.kind.as_str() {
        "normalized_metrics" => plot.normalized_rows().map(drop),
        "version_series" => plot.version_rows().map(drop),
        "time_allocation_tradeoff" => plot.tradeoff_rows().map(drop),
        "distribution" => plot.sample_rows().map(drop),
        "version_delta" => plot.delta_rows().map(drop),
        _ => Ok(()),
    };
    typed.map_err(|error| refuse(&error.place.field.unwrap_or_default(), &error.message))?;
    Ok(plot)
}

/// Recognises plot documents among loose files.
pub(super) struct PlotReader;

/// As much of a document as tells whether it is a plot.
#[derive(Deserialize)]
struct Probe {
    #[serde(default)]
    plot: Option<Value>,
    #[serde(default)]
    schema_version: Option<Value>,
    kind: Option<IgnoredAny>,
    encoding: Option<IgnoredAny>,
    data: Option<IgnoredAny>,
    options: Option<IgnoredAny>,
}

impl Reader for PlotReader {
    fn format(&self) -> Format {
        Format::PerfcheckerPlot
    }

    fn detect(&self, path: &str, bytes: &[u8], whole: bool) -> Answer {
        // Keys are sorted in canonical files, so the schema stands behind the data.
        if let Some(answer) = before_object(path, bytes, whole) {
            return answer;
        }
        let plot = match serde_json::from_slice::<Probe>(bytes) {
            Ok(probe) => match &probe.plot {
                Some(Value::Object(plot)) => {
                    plot.get("schema_version").is_some_and(is_plot_schema)
                        || ["kind", "encoding", "data", "options"].iter().all(|key| plot.contains_key(*key))
                }
                _ => {
                    probe.schema_version.as_ref().is_some_and(is_plot_schema)
                        || (probe.kind.is_some()
                            && probe.encoding.is_some()
                            && probe.data.is_some()
                            && probe.options.is_some())
                }
            },
            // A broken document that says what it is: its reader tells what is wrong.
            Err(_) => [&b"perfchecker-plot/"[..], b"perfolio-plot/"]
                .iter()
                .any(|schema| memchr::memmem::find(bytes, schema).is_some()),
        };
        if plot { Answer::Yes } else { Answer::No }
    }

    fn read(&self, path: &str, bytes: &[u8], part: &mut Part) -> FileStatus {
        match parse_telling(bytes, path, &mut part.problems) {
            Ok(document) => {
                let (profiles, more) = plot_profiles::of(&document, path);
                part.profiles.extend(profiles);
                for doubt in doubts(&document, path).into_iter().chain(more) {
                    part.problems.push(doubt);
                }
                let text = foreign_text(&document, bytes);
                part.plots.push(SavedPlot { path: path.to_owned(), document, text });
                FileStatus::Complete
            }
            Err(error) => {
                part.problems.push(Problem::error(error.place, error.message));
                FileStatus::Refused
            }
        }
    }
}

/// The text of a document that would be written with other bytes; it is kept, so that what is downloaded from a
/// gallery is what was saved.
fn foreign_text(document: &PlotDocument, bytes: &[u8]) -> Option<Name> {
    let mut written = serde_json::to_vec(document).unwrap_or_default();
    written.push(b'\n');
    if written == bytes { None } else { std::str::from_utf8(bytes).ok().map(Name::from) }
}

fn is_plot_schema(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| text.starts_with("perfchecker-plot/") || text.starts_with("perfolio-plot/"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn wrapper() -> Value {
        json!({
            "plot": {
                "schema_version": "perfchecker-plot/1", "id": "i", "kind": "normalized_metrics", "title": "t · u",
                "description": "", "encoding": {"x": "version"}, "options": {"unit": "ratio"},
                "data": [{"metric": "m", "version": "1.0", "target_kind": "unavailable", "value": null, "unit": "ns",
                    "samples": 0, "ratio": null, "reference_value": 1.0, "reference_version": "minimum",
                    "statistic": "minimum", "normalization_status": "missing_measurement"}],
            },
            "run_id": "r", "runtime": {"language": "julia"}, "started_at": null, "os": 7,
            "release_dates": {"1.0": "2026-01-01"}, "something": [1],
        })
    }

    fn parsed(value: &Value) -> Result<PlotDocument> {
        parse_document(value.to_string().as_bytes(), "p.json")
    }

    #[test]
    fn wrapper_and_bare_plot_are_read_and_nothing_is_lost() {
        let document = parsed(&wrapper()).unwrap();
        assert_eq!(document.run_id.as_deref(), Some("r"));
        assert_eq!(document.release_dates["1.0"], "2026-01-01");
        let saved: Value = serde_json::to_value(&document).unwrap();
        assert_eq!(saved, wrapper());
        let bare = parsed(&wrapper()["plot"]).unwrap();
        assert_eq!(bare.plot, document.plot);
        assert!(bare.extra.is_empty());
    }

    #[test]
    fn refusals_name_the_field() {
        for (key, value, field) in [
            ("schema_version", json!("perfchecker-plot/2"), "plot.schema_version"),
            ("schema_version", Value::Null, "plot.schema_version"),
            ("kind", json!(3), "plot.kind"),
            ("encoding", json!([]), "plot.encoding"),
            ("data", json!({}), "plot.data"),
            ("data", json!([7]), "plot.data[0]"),
            ("data", json!([{"metric": "m"}]), "plot.data[0].version"),
        ] {
            let mut document = wrapper();
            document["plot"][key] = value;
            let error = parsed(&document).unwrap_err();
            assert_eq!(
                (error.place.path.as_deref(), error.place.field.as_deref()),
                (Some("p.json"), Some(field))
            );
        }
        let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(parse_document(nested.as_bytes(), "p").is_err());
        assert!(parse_document(b"{\"plot\": NaN}", "p").is_err());
    }

    #[test]
    fn rows_that_contradict_each_other_are_told() {
        let mut value = wrapper();
        let row = |version: &str, measured: f64, ratio: f64| {
            json!({"metric": "m", "version": version, "target_kind": "release", "value": measured, "unit": "ns",
                "samples": 1, "ratio": ratio, "reference_value": 3.0, "reference_version": "minimum",
                "statistic": "minimum", "normalization_status": "ratio"})
        };
        let third = 10.0_f64 / 3.0;
        let beside = f64::from_bits(third.to_bits() + 1);
        let far = f64::from_bits(third.to_bits() + 2);
        value["plot"]["data"] = json!([
            row("1.0", 10.0, third),
            row("1.1", 10.0, beside),
            row("1.2", 10.0, far),
            row("1.0", 3.0, 1.0)
        ]);
        value["plot"]["options"]["versions"] = json!(["1.0", "1.1", "1.2", "9.9"]);
        let told: Vec<_> = doubts(&parsed(&value).unwrap(), "p.json")
            .iter()
            .map(|doubt| (doubt.severity.word(), doubt.place.field.clone().unwrap()))
            .collect();
        let expected = [
            ("warning", "os"),
            ("warning", "data[3]"),
            ("warning", "data[2].ratio"),
            ("note", "options.versions"),
        ];
        assert_eq!(told, expected.map(|(word, field)| (word, field.to_owned())));
    }

    #[test]
    fn changes_and_samples_that_are_told_twice_are_told() {
        let told = |kind: &str, rows: Value| -> Vec<String> {
            let mut value = wrapper();
            value["os"] = json!("Linux");
            value["plot"]["kind"] = json!(kind);
            value["plot"]["data"] = rows;
            doubts(&parsed(&value).unwrap(), "p.json")
                .iter()
                .map(|doubt| format!("{} {}", doubt.severity.word(), doubt.place.field.as_deref().unwrap()))
                .collect()
        };
        let change = |from: &str, to: &str| {
            json!({"relation": "adjacent-release", "baseline_version": from, "candidate_version": to,
                "baseline_samples": 1, "candidate_samples": 1, "baseline_median": 1, "candidate_median": 2,
                "absolute_delta": 1, "relative_delta": 1.0, "relative_limit": null, "status": "diagnostic"})
        };
        let rows = json!([change("1", "2"), change("2", "3"), change("2", "3"), change("1", "3")]);
        assert_eq!(told("version_delta", rows), ["warning data[2]", "note data[3]"]);
        let sample = |version: &str, kind: &str, value: u32| json!({"version": version, "target_kind": kind, "value": value});
        let (one, two) = (sample("1", "release", 5), sample("1", "release", 6));
        let other = sample("2", "release", 5);
        // Equal samples beside each other, and other ones of a target further down, are nothing unusual.
        assert_eq!(told("distribution", json!([one, one, two, other, one, two])), [""; 0]);
        assert_eq!(told("distribution", json!([one, two, other, one, two])), ["warning data[3]"]);
        assert_eq!(told("distribution", json!([one, other, sample("1", "dev", 7)])), ["warning data[2]"]);
    }

    #[test]
    fn only_plots_are_recognised() {
        let told = |path: &str, text: &str| PlotReader.detect(path, text.as_bytes(), true);
        let text = wrapper().to_string();
        assert_eq!(told("a.json", &text), Answer::Yes);
        assert_eq!(told("a.txt", &text), Answer::No);
        assert_eq!(told("a.json", &text[..text.len() - 9]), Answer::Yes, "broken, but says what it is");
        assert_eq!(told("a.json", &json!({"plots": [wrapper()["plot"]]}).to_string()), Answer::No);
        assert_eq!(told("a.json", "{\"schema_version\": \"perfchecker-plot/9\"}"), Answer::Yes);
        assert_eq!(told("a.json", "{}"), Answer::No);
        assert_eq!(PlotReader.detect("a.json", b"{\"data\":", false), Answer::NeedMore);
    }

    proptest! {
        #[test]
        fn no_spoiled_document_makes_it_panic(at in 0_usize..2000, byte in any::<u8>(), cut in 0_usize..2000) {
            let mut bytes = wrapper().to_string().into_bytes();
            let length = bytes.len();
            bytes[at % length] = byte;
            let _ = parse_document(&bytes, "p");
            let _ = parse_document(&bytes[..cut % length], "p");
        }
    }
}
