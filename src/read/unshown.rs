//! What a catalogue says was run, or lists as a version, and no figure shows: without a word it would vanish.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::split;
use crate::error::{Place, Problem, Problems, Severity};
use crate::evidence::catalog::{CatalogForm, Check, SavedCatalog};
use crate::evidence::plot::targets;
use crate::evidence::{SavedPlot, SourceEvidence};
use crate::text::list;

/// Most entries that one sentence names.
const NAMED: usize = 20;

/// Tells the entries of a catalogue that nothing of the source shows.
pub(super) fn tell<'a>(evidence: &'a SourceEvidence, catalog: &'a SavedCatalog, problems: &mut Problems) {
    let mut left = Left::of(catalog);
    for run in &evidence.runs {
        for planned in &run.planned {
            left.saw(&[&planned.feature, planned.workload.as_deref().unwrap_or_default()], &planned.target);
        }
    }
    let folder = split(&catalog.path).0;
    let below =
        |path: &str| path.strip_prefix(folder).is_some_and(|rest| folder.is_empty() || rest.starts_with('/'));
    for plot in evidence.plots.iter().filter(|plot| below(&plot.path)) {
        left.saw_plot(plot, catalog);
    }
    for one in evidence.comparisons.iter().filter(|one| below(&one.path)) {
        for record in &one.records {
            let target = record.target.as_ref().or(one.target.as_ref());
            left.saw(&[&record.workload], target.map(String::as_str).unwrap_or_default());
        }
    }
    left.tell(catalog, problems);
}

/// The entries that nothing has shown yet.
struct Left<'a> {
    /// By feature or workload, then target.
    checks: BTreeMap<(&'a str, &'a str), &'a Check>,
    versions: BTreeSet<&'a str>,
}

/// What a check is about, and at which target.
fn key(check: &Check) -> (&str, &str) {
    (check.feature.as_deref().or(check.workload.as_deref()).unwrap_or_default(), check.target.as_str())
}

impl<'a> Left<'a> {
    fn of(catalog: &'a SavedCatalog) -> Self {
        Self {
            checks: catalog.checks.iter().map(|check| (key(check), check)).collect(),
            versions: catalog.versions.iter().map(String::as_str).collect(),
        }
    }

    fn saw(&mut self, names: &[&'a str], target: &'a str) {
        for name in names {
            self.checks.remove(&(*name, target));
        }
        self.versions.remove(target);
    }

    fn saw_plot(&mut self, saved: &'a SavedPlot, catalog: &'a SavedCatalog) {
        if self.checks.is_empty() && self.versions.is_empty() {
            return;
        }
        let plot = &saved.document.plot;
        let option = |key: &str| plot.options.get(key).and_then(Value::as_str);
        let views = catalog.views.iter().filter(|view| {
            let named = view.document.iter().chain(view.windows.iter().map(|window| &window.1));
            named.into_iter().any(|named| named.path == saved.path)
        });
        let of_views = views.flat_map(|view| [view.feature.as_deref(), view.workload.as_deref()]);
        let own = [option("feature"), option("workload")];
        let names: Vec<&str> = own.into_iter().chain(of_views).flatten().collect();
        for target in saved.document.listed_targets() {
            self.saw(&names, target);
        }
        for row in &plot.data {
            let text = |key: &str| row.get(key).and_then(Value::as_str);
            let own: Vec<&str> = ["feature", "workload"].into_iter().filter_map(text).collect();
            for target in targets(row) {
                self.saw(&names, target);
                self.saw(&own, target);
            }
        }
    }

    fn tell(mut self, catalog: &SavedCatalog, problems: &mut Problems) {
        let field = if catalog.form == CatalogForm::History { "availability" } else { "runs" };
        let (mut failed, mut others) = (Vec::new(), Vec::new());
        for check in self.checks.values() {
            self.versions.remove(check.target.as_str());
            match check.status.as_str() {
                "pass" | "unavailable" | "" => others.push(words(check)),
                _ => failed.push(words(check)),
            }
        }
        let versions: Vec<String> = self.versions.iter().map(|label| format!("`{label}`")).collect();
        for (severity, field, what, names) in [
            (Severity::Warning, field, ("check that did not pass", "checks that did not pass"), failed),
            (Severity::Note, field, ("check", "checks"), others),
            (Severity::Note, "versions", ("version", "versions"), versions),
        ] {
            if !names.is_empty() {
                let more = names.len().saturating_sub(NAMED);
                let more = if more > 0 { format!(", and {more} more") } else { String::new() };
                let message = format!(
                    "no figure shows {} of the catalogue: {}{more}",
                    list::counted(names.len(), what.0, what.1),
                    names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ")
                );
                problems.push(Problem::new(severity, Place::file(&*catalog.path).field(field), message));
            }
        }
    }
}

fn words(check: &Check) -> String {
    let (name, target) = key(check);
    let name = if name.is_empty() { "a check without a name".to_owned() } else { format!("`{name}`") };
    let status = if check.status.is_empty() { "no status" } else { &check.status };
    let first = check.reason.as_deref().and_then(|text| text.trim().lines().next());
    let reason = first.map(|text| format!(": {text}")).unwrap_or_default();
    format!("{name} at {target} ({status}{reason})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_figure_shows_is_told() {
        let check = |feature: &str, target: &str, status: &str| Check {
            feature: Some(feature.to_owned()),
            target: target.to_owned(),
            status: status.to_owned(),
            ..Check::default()
        };
        let catalog = SavedCatalog {
            path: "g/catalog.json".to_owned(),
            versions: vec!["1.0.0".to_owned(), "1.1.0".to_owned(), "9.9.9".to_owned()],
            checks: vec![
                check("sort", "1.0.0", "pass"),
                check("sort", "1.1.0", "unavailable"),
                check("gone", "1.0.0", "error"),
            ],
            ..SavedCatalog::default()
        };
        let document = serde_json::json!({"plot": {
            "schema_version": "perfchecker-plot/1", "id": "p", "kind": "k", "title": "", "description": "",
            "encoding": {}, "data": [{"version": "1.0.0"}],
            "options": {"feature": "sort", "versions": ["1.0.0", "1.1.0"]}}});
        let document = serde_json::from_value(document).unwrap();
        let evidence = SourceEvidence {
            plots: vec![SavedPlot { path: "g/p.json".to_owned(), document, text: None }],
            ..SourceEvidence::default()
        };
        let mut problems = Problems::default();
        tell(&evidence, &catalog, &mut problems);
        let told: Vec<String> =
            problems.sorted().iter().map(|one| format!("{} {}", one.place, one.message)).collect();
        assert_eq!(
            told,
            [
                "g/catalog.json (runs) no figure shows 1 check that did not pass of the catalogue: `gone` at 1.0.0 (error)",
                "g/catalog.json (versions) no figure shows 1 version of the catalogue: `9.9.9`",
            ]
        );
    }
}
