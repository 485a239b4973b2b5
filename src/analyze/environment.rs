//! Whether two runs may share a series, and what tells series apart that may not.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::evidence::{Definition, Name, Run};
use crate::text::slug;

/// What must agree between runs whose values stand in one series (design §8).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    language: Option<String>,
    os: Option<String>,
    architecture: Option<String>,
    threads: Option<String>,
    /// Hardware identities; empty when unknown.
    hardware: BTreeSet<String>,
}

impl Environment {
    /// Reads what a run recorded. `hardware_ids` may be an array or an object, `architecture` may be `arch`.
    pub fn of(run: &Run) -> Self {
        Self {
            language: text(&run.runtime, &["language"]),
            os: text(&run.environment, &["os"]),
            architecture: text(&run.environment, &["architecture", "arch"]),
            threads: text(&run.runtime, &["threads"]).or_else(|| text(&run.environment, &["threads"])),
            hardware: match run.environment.get("hardware_ids") {
                Some(Value::Array(ids)) => ids.iter().filter_map(plain).collect(),
                Some(Value::Object(ids)) => ids.values().filter_map(plain).collect(),
                _ => BTreeSet::new(),
            },
        }
    }

    /// Whether values of both may stand in one series. Unknown hardware agrees with any; everything else
    /// must be equal, and not recorded is only equal to not recorded.
    pub fn agrees(&self, other: &Self) -> bool {
        let named = |environment: &Self| {
            (
                environment.language.clone(),
                environment.os.clone(),
                environment.architecture.clone(),
                environment.threads.clone(),
            )
        };
        named(self) == named(other)
            && (self.hardware.is_empty() || other.hardware.is_empty() || self.hardware == other.hardware)
    }

    /// Takes over the hardware of a run that agrees, when it was unknown so far.
    pub fn absorb(&mut self, other: &Self) {
        if self.hardware.is_empty() {
            self.hardware.clone_from(&other.hardware);
        }
    }
}

fn text(map: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| map.get(*name).and_then(plain))
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// All that may tell two groups of the same name apart.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Where the runs ran.
    pub environment: Environment,
    /// The definitions by id.
    pub definitions: BTreeMap<Name, Definition>,
    /// Recorded aggregation.
    pub aggregation: Name,
    /// Recorded scope.
    pub scope: Name,
    /// Id of the newest run.
    pub run_id: String,
}

/// Names each of several groups of one name by what differs between them; none when there is only one.
pub fn names(all: &[&Facts]) -> Vec<Option<String>> {
    if all.len() < 2 {
        return vec![None; all.len()];
    }
    let columns: Vec<Vec<Option<String>>> = all.iter().map(|facts| columns(facts, all)).collect();
    let differs: Vec<bool> =
        (0..columns[0].len()).map(|at| columns.iter().any(|row| row[at] != columns[0][at])).collect();
    let mut names: Vec<String> = columns
        .into_iter()
        .map(|row| {
            let parts = row.into_iter().zip(&differs).filter(|(_, differs)| **differs);
            parts.filter_map(|(text, _)| text).collect::<Vec<_>>().join(", ")
        })
        .collect();
    let repeated: Vec<bool> = names
        .iter()
        .map(|name| name.is_empty() || names.iter().filter(|other| *other == name).count() > 1)
        .collect();
    for ((name, facts), _) in names.iter_mut().zip(all).zip(repeated).filter(|(_, repeated)| *repeated) {
        let run: String = facts.run_id.chars().take(8).collect();
        *name = if name.is_empty() { format!("run {run}") } else { format!("{name}, run {run}") };
    }
    names.into_iter().map(Some).collect()
}

/// One text per thing that may differ; none where it is not known.
fn columns(facts: &Facts, all: &[&Facts]) -> Vec<Option<String>> {
    let environment = &facts.environment;
    let named = |word: &str, value: &Option<String>| {
        Some(value.as_ref().map_or_else(|| format!("{word} not recorded"), |value| format!("{word} {value}")))
    };
    let threads = match environment.threads.as_deref() {
        None => "threads not recorded".to_owned(),
        Some("1") => "1 thread".to_owned(),
        Some(threads) => format!("{threads} threads"),
    };
    // An id may name a host, so only its digest is shown.
    let ids: Vec<&str> = environment.hardware.iter().map(String::as_str).collect();
    let hardware = if ids.is_empty() {
        "hardware not recorded".to_owned()
    } else {
        format!("hardware {}", &slug::digest(ids.join("\n").as_bytes())[..8])
    };
    vec![
        named("language", &environment.language),
        named("os", &environment.os),
        named("architecture", &environment.architecture),
        Some(threads),
        Some(hardware),
        Some(format!("aggregation {}", facts.aggregation)),
        Some(format!("scope {}", facts.scope)),
        definition(facts, all),
    ]
}

/// What is special about the definitions of one group, against others that have the same ids.
fn definition(facts: &Facts, all: &[&Facts]) -> Option<String> {
    let mut parts = BTreeSet::new();
    for (id, own) in &facts.definitions {
        let others = all.iter().filter_map(|other| other.definitions.get(id)).filter(|other| *other != own);
        for other in others {
            let pairs = [
                ("unit", Some(own.unit.to_string()), Some(other.unit.to_string())),
                ("samples", own.sample_semantics.clone(), other.sample_semantics.clone()),
                ("warm-up", own.warmup_policy.clone(), other.warmup_policy.clone()),
                ("prefers", Some(own.preference.word().into()), Some(other.preference.word().into())),
                ("scope", own.attribution_scope.clone(), other.attribution_scope.clone()),
                ("collector", own.collector.clone(), other.collector.clone()),
            ];
            let named = pairs.into_iter().filter(|(_, own, other)| own != other);
            parts.extend(named.filter_map(|(word, own, _)| own.map(|own| format!("{word} {own}"))));
            parts.insert("definition differs".to_owned());
        }
    }
    (!parts.is_empty()).then(|| parts.into_iter().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::analyze::normalize::tests::definition;

    fn run(environment: Value, threads: u64) -> Run {
        let Value::Object(environment) = environment else { panic!("an object") };
        let Value::Object(runtime) = json!({"language": "julia", "threads": threads}) else {
            panic!("an object")
        };
        Run { runtime, environment, ..Run::default() }
    }

    fn facts(environment: Value, threads: u64) -> Facts {
        Facts {
            environment: Environment::of(&run(environment, threads)),
            definitions: BTreeMap::new(),
            aggregation: "sample".into(),
            scope: "workload".into(),
            run_id: "12345678-9".into(),
        }
    }

    #[test]
    fn both_forms_of_a_machine_agree() {
        let of = |environment: Value| Environment::of(&run(environment, 1));
        let array = of(json!({"os": "Linux", "architecture": "x86_64", "hardware_ids": ["a"]}));
        let object = of(json!({"os": "Linux", "arch": "x86_64", "hardware_ids": {"cpu": "a", "host": null}}));
        let unknown = of(json!({"os": "Linux", "arch": "x86_64", "hardware_ids": []}));
        let other = of(json!({"os": "Linux", "arch": "x86_64", "hardware_ids": ["b"]}));
        assert!(
            array.agrees(&object)
                && array.agrees(&unknown)
                && unknown.agrees(&other)
                && !array.agrees(&other)
        );
        let mut joined = unknown;
        joined.absorb(&array);
        assert!(!joined.agrees(&other));
        assert!(!array.agrees(&of(json!({"os": "NT", "arch": "x86_64"}))));
        assert!(!array.agrees(&of(json!({"arch": "x86_64"}))));
    }

    #[test]
    fn named_by_what_differs() {
        let linux = facts(json!({"os": "Linux"}), 1);
        let windows = facts(json!({"os": "NT"}), 1);
        let wide = facts(json!({"os": "Linux"}), 2);
        assert_eq!(names(&[&linux]), [None]);
        assert_eq!(names(&[&linux, &windows]), [Some("os Linux".into()), Some("os NT".into())]);
        assert_eq!(names(&[&linux, &wide]), [Some("1 thread".into()), Some("2 threads".into())]);
        assert_eq!(names(&[&linux, &linux])[0].as_deref(), Some("run 12345678"));
        let (mut own, mut other) = (linux.clone(), linux);
        own.definitions.insert("m/x".into(), definition("m", "ns"));
        other.definitions.insert("m/x".into(), definition("m", "s"));
        assert_eq!(
            names(&[&own, &other]),
            [Some("definition differs, unit ns".into()), Some("definition differs, unit s".into())]
        );
    }
}
