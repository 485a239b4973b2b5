//! Probes, comparison and resource policy of one planned run (PerfChecker formats §2.5).

use super::super::complaints::Complaints;
use super::super::json::Object;
use super::super::tree::Value;
use crate::evidence::Number;
use crate::evidence::run::{Probe, Qualification, ResourcePolicy};
use serde::Deserialize;

/// What `run_qualifications[i].evidence` says of them; everything else of the result is empty.
pub(super) fn read(evidence: Option<&Object<'_>>, complaints: &mut Complaints) -> Qualification {
    let Some(evidence) = evidence else { return Qualification::default() };
    let performance = evidence.object("performance", complaints);
    let mut of_comparison =
        |key: &str| performance.as_ref().and_then(|one| one.some_text(key, complaints)).map(str::to_owned);
    Qualification {
        performance: of_comparison("status"),
        performance_message: of_comparison("message"),
        state_policy: evidence.some_text("measurement_state_policy", complaints).map(str::to_owned),
        probes: evidence.objects("probes", complaints).iter().map(|one| probe(one, complaints)).collect(),
        resources: evidence.object("resource_policy", complaints).map(|one| policy(&one, complaints)),
        ..Qualification::default()
    }
}

fn probe(item: &Object<'_>, complaints: &mut Complaints) -> Probe {
    let blocking = item.flag("blocking", complaints);
    let mut text = |key: &str| item.some_text(key, complaints).map(str::to_owned);
    Probe {
        id: text("id").unwrap_or_default(),
        category: text("category"),
        blocking,
        status: text("status"),
        message: text("message"),
    }
}

fn policy(item: &Object<'_>, complaints: &mut Complaints) -> ResourcePolicy {
    let mut limits = Vec::new();
    if let Some(given) = item.object("upper_limits", complaints) {
        for key in given.keys() {
            limits.extend(given.number(key, complaints).map(|value| (key.to_owned(), value)));
        }
    }
    let metrics = item.map("metrics", complaints);
    // Null says that the metric could not be observed, which is not zero.
    let observed = metrics.into_iter().map(|(key, value)| (key, Number::deserialize(&value).ok())).collect();
    ResourcePolicy {
        status: item.some_text("status", complaints).map(str::to_owned),
        message: item.some_text("message", complaints).map(str::to_owned),
        limits,
        observed,
        violations: words(item, "violations"),
        unavailable: words(item, "unavailable"),
    }
}

/// The items of a list as text: plain ones as they are, others as JSON.
fn words(item: &Object<'_>, key: &str) -> Vec<String> {
    let list = item.value(key).and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned))
        .collect()
}
