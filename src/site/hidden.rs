//! Targets that the configuration hides, taken out of the evidence before anything is made of it: of runs, records,
//! profiles, catalogues and comparisons, and of saved documents, which have to be cut.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::config::{self, Config};
use crate::error::{Place, Problem, Problems};
use crate::evidence::plot::{self, PlotDocument};
use crate::evidence::{Run, SavedCatalog, SavedPlot, SourceEvidence};
use crate::figure;
use crate::text::list;

/// Most documents that a sentence names.
const NAMED: usize = 3;

/// The labels of all targets that a source names anywhere.
pub(super) fn labels(evidence: &SourceEvidence) -> BTreeSet<String> {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    for run in &evidence.runs {
        found.extend(run.planned.iter().map(|one| &*one.target));
        found.extend(run.groups.iter().map(|one| &*one.key.target));
        found.extend(run.diagnostics.iter().filter_map(|one| one.target.as_deref()));
        found.extend(run.qualifications.iter().map(|one| one.target.as_str()));
        found.extend(run.release_dates.keys().map(String::as_str));
    }
    for catalog in &evidence.catalogs {
        found.extend(catalog.versions.iter().map(String::as_str));
        found.extend(catalog.checks.iter().map(|one| one.target.as_str()));
        found.extend(catalog.environments.keys().map(String::as_str));
    }
    for plot in &evidence.plots {
        found.extend(of_document(&plot.document));
    }
    found.extend(evidence.records.iter().filter_map(|one| one.target.as_deref()));
    found.extend(evidence.profiles.iter().filter_map(|one| one.target.as_deref()));
    for one in &evidence.comparisons {
        found.extend(one.target.as_deref());
        found.extend(one.records.iter().filter_map(|record| record.target.as_deref()));
    }
    found.into_iter().map(str::to_owned).collect()
}

fn of_document(document: &PlotDocument) -> impl Iterator<Item = &str> {
    document.listed_targets().chain(document.plot.data.iter().flat_map(plot::targets))
}

/// Takes the hidden targets out of a source; says what was cut and what could not be, without their labels.
pub(super) fn hide(evidence: &mut SourceEvidence, config: &Config) -> Problems {
    let mut problems = Problems::default();
    let hidden: BTreeSet<&str> =
        config.target.iter().filter(|target| target.hidden).map(|target| target.label.as_str()).collect();
    if hidden.is_empty() {
        return problems;
    }
    if config.publish.originals && labels(evidence).iter().any(|label| hidden.contains(label.as_str())) {
        let message = "the original files are published as they are, hidden targets included";
        problems.push(
            Problem::warning(Place::file(config::FILE).field("publish.originals"), message)
                .remedy("leave the originals out, or take the hidden targets out of the files"),
        );
    }
    let shown = |label: &Option<String>| label.as_deref().is_none_or(|label| !hidden.contains(label));
    evidence.comparisons.retain(|one| shown(&one.target));
    for comparison in &mut evidence.comparisons {
        comparison.records.retain(|record| shown(&record.target));
    }
    evidence.profiles.retain(|one| one.target.as_deref().is_none_or(|label| !hidden.contains(label)));
    evidence.records.retain(|one| shown(&one.target));
    evidence.catalogs.iter_mut().for_each(|catalog| without_checks(catalog, &hidden));
    let before = evidence.runs.len();
    evidence.runs.retain_mut(|run| keeps_targets(run, &hidden));
    let runs = before - evidence.runs.len();
    let mut documents = Documents::default();
    evidence.plots.retain_mut(|plot| documents.cut(plot, &hidden));
    let texts = recorded_texts(evidence).filter(|text| hidden.iter().any(|label| names(text, label))).count();
    for message in documents.told().into_iter().chain(told_of_runs(runs)).chain(told_of_texts(texts)) {
        problems.push(Problem::note(Place::file(config::FILE).field("target.hidden"), message));
    }
    problems
}

fn told_of_runs(gone: usize) -> Option<String> {
    let counted = || list::counted(gone, "run has", "runs have");
    (gone > 0).then(|| format!("{} no other target and left out", counted()))
}

fn told_of_texts(count: usize) -> Option<String> {
    let counted = || list::counted(count, "recorded text that names", "recorded texts that name");
    (count > 0).then(|| format!("published as recorded: {} hidden targets", counted()))
}

/// What runs and tools said in their own words.
fn recorded_texts(evidence: &SourceEvidence) -> impl Iterator<Item = &str> {
    let of_runs = evidence.runs.iter().flat_map(|run| {
        run.warnings.iter().chain(run.diagnostics.iter().map(|diagnostic| &diagnostic.message))
    });
    let of_records = evidence
        .records
        .iter()
        .flat_map(|one| one.message.iter().chain(&one.output).chain(&one.scope).chain(&one.limitations));
    of_runs.chain(of_records).map(String::as_str)
}

/// Whether a text holds a label that is no part of a longer word or number.
fn names(text: &str, label: &str) -> bool {
    let inside = |symbol: char| symbol.is_alphanumeric();
    text.match_indices(label).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + label.len()..]);
        let digits = |mut rest: std::str::Chars<'_>| {
            rest.next() == Some('.') && rest.next().is_some_and(|next| next.is_ascii_digit())
        };
        !(label.is_empty()
            || before.ends_with(inside)
            || before.ends_with('.')
            || after.starts_with(inside)
            || digits(after.chars()))
    })
}

/// Takes the targets out of a run; false when it has no other.
fn keeps_targets(run: &mut Run, hidden: &BTreeSet<&str>) -> bool {
    let count = |run: &Run| run.planned.len() + run.groups.len() + run.qualifications.len();
    let before = count(run);
    run.planned.retain(|one| !hidden.contains(&*one.target));
    run.groups.retain(|one| !hidden.contains(&*one.key.target));
    run.qualifications.retain(|one| !hidden.contains(one.target.as_str()));
    run.diagnostics.retain(|one| one.target.as_deref().is_none_or(|label| !hidden.contains(label)));
    run.sources.retain(|one| one.target.as_deref().is_none_or(|label| !hidden.contains(label)));
    run.release_dates.retain(|label, _| !hidden.contains(label.as_str()));
    before == 0 || count(run) > 0
}

fn without_checks(catalog: &mut SavedCatalog, hidden: &BTreeSet<&str>) {
    catalog.versions.retain(|label| !hidden.contains(label.as_str()));
    catalog.checks.retain(|one| !hidden.contains(one.target.as_str()));
    catalog.release_dates.retain(|label, _| !hidden.contains(label.as_str()));
    catalog.environments.retain(|label, _| !hidden.contains(label.as_str()));
}

/// What became of saved documents.
#[derive(Default)]
struct Documents {
    /// How many were cut.
    cut: usize,
    /// How many were about hidden targets only.
    empty: usize,
    /// Those that say something about a hidden target and cannot be cut.
    whole: Vec<String>,
}

impl Documents {
    /// Cuts a document; false when nothing of it may be published.
    fn cut(&mut self, plot: &mut SavedPlot, hidden: &BTreeSet<&str>) -> bool {
        let selected = plot.document.plot.options.get("selected_version").and_then(Value::as_str);
        if figure::is_alone(&plot.document.plot.kind) && selected.is_some_and(|label| hidden.contains(label))
        {
            self.empty += 1;
            return false;
        }
        let about = |document: &PlotDocument| of_document(document).any(|label| hidden.contains(label));
        let part = match figure::without(&plot.document, hidden) {
            Ok(part) => part,
            Err(_) if about(&plot.document) => {
                let part = without_rows(&plot.document, hidden);
                if part.is_none() {
                    self.whole.push(plot.path.clone());
                    return false;
                }
                part
            }
            Err(_) => None,
        };
        if forget_dates(&mut plot.document, hidden) {
            plot.text = None;
        }
        if let Some(part) = part {
            if figure::targets(&part).is_ok_and(|targets| targets.is_empty()) {
                self.empty += 1;
                return false;
            }
            plot.document = part;
            forget_dates(&mut plot.document, hidden);
            plot.text = None;
            self.cut += 1;
        }
        true
    }

    fn told(&self) -> Vec<String> {
        let mut told = Vec::new();
        if self.cut > 0 {
            told.push(format!(
                "{} published without hidden targets; everything else in them stays as it was written, ratios keep their \
                 reference",
                list::counted(self.cut, "saved document is", "saved documents are")
            ));
        }
        if self.empty > 0 {
            let counted = list::counted(self.empty, "saved document has", "saved documents have");
            told.push(format!("{counted} no other target and left out"));
        }
        if !self.whole.is_empty() {
            let more = if self.whole.len() > NAMED { ", …" } else { "" };
            told.push(format!(
                "{} about hidden targets, cannot be cut and left out: {}{more}",
                list::counted(self.whole.len(), "saved document is", "saved documents are"),
                self.whole.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ")
            ));
        }
        told
    }
}

/// A document that is not drawn over targets without the rows of the targets; none when more than rows names them or
/// no row is left.
fn without_rows(document: &PlotDocument, hidden: &BTreeSet<&str>) -> Option<PlotDocument> {
    let mut part = document.clone();
    let names = |value: &Value| value.as_str().is_some_and(|label| hidden.contains(label));
    part.plot.data.retain(|row| !plot::targets(row).any(|label| hidden.contains(label)));
    if let Some(Value::Array(list)) = part.plot.options.get_mut("versions") {
        list.retain(|value| !names(value));
    }
    let free = !of_document(&part).any(|label| hidden.contains(label));
    (free && !part.plot.data.is_empty()).then_some(part)
}

/// Takes out what a document says of the targets besides its rows; true when it said anything.
fn forget_dates(document: &mut PlotDocument, hidden: &BTreeSet<&str>) -> bool {
    let PlotDocument { release_dates, release_date_kinds, extra, .. } = document;
    let mut said = false;
    for by_label in [release_dates, release_date_kinds] {
        let before = by_label.len();
        by_label.retain(|label, _| !hidden.contains(label.as_str()));
        said |= before > by_label.len();
    }
    for value in extra.values_mut() {
        said |= value.as_object_mut().is_some_and(|by_label| forget(by_label, hidden));
    }
    said
}

fn forget(by_label: &mut Map<String, Value>, hidden: &BTreeSet<&str>) -> bool {
    let before = by_label.len();
    by_label.retain(|label, _| !hidden.contains(label.as_str()));
    before > by_label.len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::evidence::catalog::Check;
    use crate::evidence::{Dependencies, Diagnostic, Qualification, Record};

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
        assert_eq!(evidence.plots.len(), 2, "nothing is left of the others");
        assert_eq!(figure::targets(&evidence.plots[0].document).unwrap(), ["1.0.0", "1.2.0"]);
        assert!(
            evidence.plots[0].text.is_none() && evidence.plots[1].text.is_some(),
            "only what is cut is written anew"
        );
        let told: Vec<&str> = problems.sorted().iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(
            told.iter().any(|text| text.starts_with("1 saved document is published without hidden targets")),
            "{told:?}"
        );
        assert!(told.iter().any(|text| text.contains("no other target")), "{told:?}");
        assert!(
            told.iter().any(|text| text.contains("cannot be cut and left out: cpu_flamegraph.json")),
            "{told:?}"
        );
        let before = evidence.plots.len();
        assert!(!labels(&evidence).contains("1.1.0"), "nothing names it any more");
        assert!(hide(&mut evidence, &Config::default()).is_empty() && evidence.plots.len() == before);
    }

    #[test]
    fn runs_records_and_catalogues_forget_hidden_targets() {
        let config = Config::parse("[[target]]\nlabel = \"1.1.0\"\nhidden = true\n", config::FILE).unwrap();
        let run = |targets: &[&str]| Run {
            qualifications: targets
                .iter()
                .map(|target| Qualification { target: (*target).to_owned(), ..Qualification::default() })
                .collect(),
            diagnostics: targets
                .iter()
                .map(|target| Diagnostic { target: Some((*target).to_owned()), ..Diagnostic::default() })
                .collect(),
            ..Run::default()
        };
        let record = |target: Option<&str>| Record { target: target.map(str::to_owned), ..Record::default() };
        let check = |target: &str| Check { target: target.to_owned(), ..Check::default() };
        let catalog = SavedCatalog {
            versions: vec!["1.0.0".to_owned(), "1.1.0".to_owned()],
            checks: vec![check("1.0.0"), check("1.1.0")],
            environments: [("1.1.0".to_owned(), Dependencies::default())].into(),
            ..SavedCatalog::default()
        };
        let mut evidence = SourceEvidence {
            runs: vec![run(&["1.0.0", "1.1.0"]), run(&["1.1.0"]), run(&[])],
            records: vec![record(Some("1.1.0")), record(None), record(Some("1.0.0"))],
            catalogs: vec![catalog],
            ..SourceEvidence::default()
        };
        let problems = hide(&mut evidence, &config);
        assert_eq!(labels(&evidence).into_iter().collect::<Vec<_>>(), ["1.0.0"]);
        assert_eq!((evidence.runs.len(), evidence.records.len()), (2, 2));
        assert_eq!(problems.sorted()[0].message, "1 run has no other target and left out");
    }

    #[test]
    fn texts_that_name_a_hidden_target_are_told() {
        assert!(names("fails at 1.1.0.", "1.1.0") && names("1.1.0: 3 of 57", "1.1.0"));
        assert!(!names("1.1.0.2, 21.1.0, 0.1.1.0 and 1.1.0a", "1.1.0"));
    }
}
