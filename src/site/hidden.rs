//! Targets that the configuration hides, taken out of saved documents. Those of bundles are left out when series are
//! made; a document has to be cut.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::config::{self, Config};
use crate::error::{Place, Problem, Problems};
use crate::evidence::SourceEvidence;
use crate::evidence::plot::PlotDocument;
use crate::figure;
use crate::text::list;

/// Most documents that a sentence names.
const NAMED: usize = 3;

/// Cuts every saved document of a source that has a hidden target; says what was cut and what could not be.
pub(super) fn hide(evidence: &mut SourceEvidence, config: &Config) -> Problems {
    let mut problems = Problems::default();
    let hidden: BTreeSet<&str> =
        config.target.iter().filter(|target| target.hidden).map(|target| target.label.as_str()).collect();
    if hidden.is_empty() {
        return problems;
    }
    let shown = |label: &Option<String>| label.as_deref().is_none_or(|label| !hidden.contains(label));
    evidence.comparisons.retain(|one| shown(&one.target));
    for comparison in &mut evidence.comparisons {
        comparison.records.retain(|record| shown(&record.target));
    }
    let (mut cut, mut empty, mut whole) = (0, 0, Vec::new());
    evidence.plots.retain_mut(|plot| {
        match figure::without(&plot.document, &hidden) {
            Ok(Some(part)) => {
                let left = figure::targets(&part).is_ok_and(|targets| !targets.is_empty());
                if !left {
                    empty += 1;
                    return false;
                }
                plot.document = part;
                plot.text = None;
                cut += 1;
            }
            Err(_) if names(&plot.document, &hidden) => whole.push(plot.path.clone()),
            Ok(None) | Err(_) => {}
        }
        true
    });
    let labels = list::and(&hidden.iter().copied().collect::<Vec<_>>());
    let mut note = |message: String| {
        problems.push(Problem::note(Place::file(config::FILE).field("target.hidden"), message));
    };
    if cut > 0 {
        note(format!(
            "{} published without {labels}; everything else in them stays as it was written, ratios keep their \
             reference",
            if cut == 1 { "1 saved document is".to_owned() } else { format!("{cut} saved documents are") }
        ));
    }
    if empty > 0 {
        note(format!(
            "{} no other target and left out",
            list::counted(empty, "saved document has", "saved documents have")
        ));
    }
    if !whole.is_empty() {
        let more = if whole.len() > NAMED { ", …" } else { "" };
        note(format!(
            "{} about {labels} and cannot be cut: {}{more}",
            list::counted(whole.len(), "saved document is", "saved documents are"),
            whole.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ")
        ));
    }
    problems
}

/// Whether a document that is not drawn over targets says that it is about one of the labels.
fn names(document: &PlotDocument, labels: &BTreeSet<&str>) -> bool {
    let said =
        |value: Option<&Value>| value.and_then(Value::as_str).is_some_and(|text| labels.contains(text));
    let keys = ["version", "target", "baseline_version", "candidate_version"];
    keys.iter().any(|key| said(document.plot.options.get(*key)))
        || document.plot.data.iter().any(|row| keys.iter().any(|key| said(row.get(key))))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::evidence::SavedPlot;

    fn plot(kind: &str, rows: &Value) -> SavedPlot {
        let document = json!({"plot": {
            "schema_version": "perfchecker-plot/1", "id": "p", "kind": kind, "title": "t", "description": "",
            "encoding": {}, "data": rows, "options": {"metric": "m", "unit": "ns", "feature": "f"}}});
        let document = serde_json::from_value(document).unwrap();
        SavedPlot { path: format!("{kind}.json"), document, text: Some("{}".into()) }
    }

    fn series(labels: &[&str]) -> SavedPlot {
        let row = |label: &&str| json!({"version": label, "target_kind": "release", "value": 1, "samples": 3, "aggregation": "median"});
        plot("version_series", &labels.iter().map(row).collect())
    }

    #[test]
    fn hidden_targets_are_cut_and_what_cannot_be_cut_is_told() {
        let config = Config::parse("[[target]]\nlabel = \"1.1.0\"\nhidden = true\n", config::FILE).unwrap();
        let mut evidence = SourceEvidence {
            plots: vec![
                series(&["1.0.0", "1.1.0", "1.2.0"]),
                series(&["1.0.0", "1.2.0"]),
                series(&["1.1.0"]),
                plot("cpu_flamegraph", &json!([{"version": "1.1.0"}])),
            ],
            ..SourceEvidence::default()
        };
        let problems = hide(&mut evidence, &config);
        assert_eq!(evidence.plots.len(), 3, "nothing is left of one");
        assert_eq!(figure::targets(&evidence.plots[0].document).unwrap(), ["1.0.0", "1.2.0"]);
        assert!(
            evidence.plots[0].text.is_none() && evidence.plots[1].text.is_some(),
            "only what is cut is written anew"
        );
        let told: Vec<&str> = problems.sorted().iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(
            told.iter().any(|text| text.starts_with("1 saved document is published without 1.1.0")),
            "{told:?}"
        );
        assert!(told.iter().any(|text| text.contains("no other target")), "{told:?}");
        assert!(told.iter().any(|text| text.contains("cannot be cut: cpu_flamegraph.json")), "{told:?}");
        let before = evidence.plots.len();
        assert!(hide(&mut evidence, &Config::default()).is_empty() && evidence.plots.len() == before);
    }
}
