//! Joins what was read file by file: catalogues with the files they name, and documents with the runs they
//! come from.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::complaints::quote;
use super::{split, unshown};
use crate::error::{Place, Problem, Problems};
use crate::evidence::catalog::{CatalogForm, Named, SavedCatalog, View};
use crate::evidence::{FileStatus, Run, RunState, SavedPlot, SourceEvidence};
use crate::io::Source;

/// Most files or figures that one sentence names.
const NAMED: usize = 3;

/// Looks up what catalogues name, and adds a run for every run id that only documents know.
pub(super) fn join(source: &Source, evidence: &mut SourceEvidence, problems: &mut Problems) {
    for catalog in &evidence.catalogs {
        Lookup { source, evidence, catalog }.tell(problems);
    }
    let known: BTreeSet<&str> = evidence.runs.iter().map(|run| run.run_id.as_str()).collect();
    let saved = saved_runs(evidence, &known);
    evidence.runs.extend(saved);
}

struct Lookup<'a> {
    source: &'a Source,
    evidence: &'a SourceEvidence,
    catalog: &'a SavedCatalog,
}

impl Lookup<'_> {
    fn place(&self) -> Place {
        Place::file(&*self.catalog.path)
    }

    fn plot(&self, path: &str) -> Option<&SavedPlot> {
        let at = self.evidence.plots.binary_search_by(|plot| plot.path.as_str().cmp(path)).ok()?;
        self.evidence.plots.get(at)
    }

    fn tell(&self, problems: &mut Problems) {
        let views = &self.catalog.views;
        let named = || {
            views
                .iter()
                .flat_map(|view| view.document.iter().chain(view.windows.iter().map(|window| &window.1)))
        };
        let count = named().count();
        if count > 1 && named().all(|named| self.source.entry(&named.path).is_none()) {
            let message = format!("none of the {count} documents that the catalogue names is there");
            problems.push(
                Problem::error(self.place().field("views"), message)
                    .remedy("give the folder that holds the catalogue together with its documents"),
            );
        } else {
            let mut seen = BTreeMap::new();
            for view in views {
                if let Some(named) = &view.document {
                    self.document(view, named, problems);
                }
                view.windows.iter().for_each(|(_, named)| self.window(named, problems));
                for named in view.document.iter().chain(view.windows.iter().map(|window| &window.1)) {
                    if let Some(first) = seen.insert(&named.path, &named.field) {
                        let message = format!("{first} names the same file");
                        problems.push(Problem::warning(self.place().field(&*named.field), message));
                    }
                }
            }
        }
        self.drawings(problems);
        self.unnamed(&named().map(|named| named.path.as_str()).collect(), problems);
        self.skipped(problems);
        unshown::tell(self.evidence, self.catalog, problems);
    }

    /// A problem when a named file is not there or was not read; whether it was.
    fn present(&self, named: &Named, problems: &mut Problems) -> bool {
        let place = self.place().field(&*named.field);
        let name = quote(split(&named.path).1);
        if self.source.entry(&named.path).is_none() {
            let problem = Problem::error(place, format!("{name} is named here and is not there"));
            problems.push(problem.remedy("put the file beside the catalogue, as it was published"));
            return false;
        }
        let files = &self.evidence.files;
        let at = files.binary_search_by(|file| file.path.cmp(&named.path)).ok();
        match at.map(|at| files[at].status) {
            Some(FileStatus::Refused) => {
                let problem =
                    Problem::warning(place, format!("{name} was refused, so the figure is not shown"));
                problems.push(problem.remedy("its own problem says what is wrong with it"));
                false
            }
            Some(FileStatus::Complete | FileStatus::Incomplete) => true,
            _ => {
                let problem = Problem::error(place, format!("{name} is not a document of a figure"));
                problems.push(problem.remedy("publish the gallery again, or take the view out"));
                false
            }
        }
    }

    fn document(&self, view: &View, named: &Named, problems: &mut Problems) {
        if !self.present(named, problems) {
            return;
        }
        let Some(plot) = self.plot(&named.path).map(|saved| &saved.document.plot) else {
            if self.catalog.form != CatalogForm::Collectors {
                let message = format!("{} holds no plot", quote(split(&named.path).1));
                problems.push(Problem::note(self.place().field(&*named.field), message));
            }
            return;
        };
        let kind = view.kind.as_ref().filter(|kind| **kind != plot.kind);
        for (key, said, held) in [
            ("id", (!view.id.is_empty() && view.id != plot.id).then_some(&view.id), &plot.id),
            ("kind", kind, &plot.kind),
        ] {
            if let Some(said) = said {
                let field = named.field.rsplit_once('.').map_or("", |(view, _)| view);
                let message = format!(
                    "the catalogue says {}, its document {}; the document counts",
                    quote(said),
                    quote(held)
                );
                problems.push(Problem::warning(self.place().field(format!("{field}.{key}")), message));
            }
        }
    }

    fn window(&self, named: &Named, problems: &mut Problems) {
        if self.present(named, problems) && self.plot(&named.path).is_none() {
            let message = format!("{} holds no plot", quote(split(&named.path).1));
            problems.push(Problem::note(self.place().field(&*named.field), message));
        }
    }

    /// Drawings are made anew, so a missing one costs nothing.
    fn drawings(&self, problems: &mut Problems) {
        let all = self.catalog.views.iter().flat_map(|view| &view.drawings);
        let missing: Vec<&String> = all.filter(|path| self.source.entry(path).is_none()).collect();
        if let Some(first) = missing.first() {
            let message = format!(
                "{} that the catalogue names {} not there ({}); figures are drawn from their documents",
                crate::text::list::counted(missing.len(), "drawing", "drawings"),
                if missing.len() == 1 { "is" } else { "are" },
                quote(split(first).1),
            );
            problems.push(Problem::note(self.place(), message));
        }
    }

    /// Documents beside the catalogue that it does not name.
    fn unnamed(&self, named: &BTreeSet<&str>, problems: &mut Problems) {
        let folder = split(&self.catalog.path).0;
        let beside = |path: &str| split(path).0 == folder && !named.contains(path);
        let plots = self.evidence.plots.iter().map(|plot| plot.path.as_str());
        let more = self.evidence.comparisons.iter().map(|one| one.path.as_str());
        let extra: Vec<&str> = plots.chain(more).filter(|path| beside(path)).collect();
        if extra.is_empty() {
            return;
        }
        let shown: Vec<String> = extra.iter().take(NAMED).map(|path| quote(split(path).1)).collect();
        let more = if extra.len() > NAMED { ", …" } else { "" };
        let message = format!(
            "{} beside the catalogue {} not named by it and {} shown all the same: {}{more}",
            crate::text::list::counted(extra.len(), "document", "documents"),
            if extra.len() == 1 { "is" } else { "are" },
            if extra.len() == 1 { "is" } else { "are" },
            shown.join(", "),
        );
        problems.push(Problem::note(self.place().field("views"), message));
    }

    fn skipped(&self, problems: &mut Problems) {
        if self.catalog.skipped.is_empty() {
            return;
        }
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (id, reason) in &self.catalog.skipped {
            reasons.entry(reason).or_default().push(id);
        }
        for (reason, ids) in reasons {
            let more = if ids.len() > NAMED { ", …" } else { "" };
            let shown = ids.iter().take(NAMED).map(|id| quote(id)).collect::<Vec<_>>().join(", ");
            let count = crate::text::list::counted(ids.len(), "figure", "figures");
            let reason = if reason.is_empty() { "no reason is recorded".to_owned() } else { quote(reason) };
            let message =
                format!("{count} left out by whoever published the gallery ({reason}): {shown}{more}");
            problems.push(Problem::note(self.place().field("skipped"), message));
        }
    }
}

/// A run for every run id of a document that no bundle has, by id.
fn saved_runs(evidence: &SourceEvidence, known: &BTreeSet<&str>) -> Vec<Run> {
    let mut runs: BTreeMap<&str, Run> = BTreeMap::new();
    for saved in &evidence.plots {
        let document = &saved.document;
        let details = document.perfolio.iter();
        let more = details.flat_map(|details| {
            details.runs.values().chain(details.metric_runs.values().flat_map(BTreeMap::values))
        });
        for id in document.run_id.iter().chain(more).filter(|id| !id.is_empty()) {
            if known.contains(id.as_str()) {
                continue;
            }
            let run = runs.entry(id).or_insert_with(|| blank(id, &saved.path));
            if run.runtime.is_empty() {
                run.runtime.clone_from(&document.runtime);
            }
            if run.environment.is_empty() {
                run.environment = document.os.as_deref().map(environment).unwrap_or_default();
            }
            if run.started_at.is_none() && document.run_id.as_ref() == Some(id) {
                run.started_at.clone_from(&document.started_at);
            }
        }
    }
    for saved in &evidence.comparisons {
        for id in saved.run_ids.iter().filter(|id| !id.is_empty() && !known.contains(id.as_str())) {
            runs.entry(id).or_insert_with(|| blank(id, &saved.path));
        }
    }
    for catalog in &evidence.catalogs {
        let folder = folder(&catalog.path);
        for run in runs.values_mut().filter(|run| run.path == folder) {
            if run.runtime.is_empty() {
                run.runtime.clone_from(&catalog.runtime);
            }
            if run.environment.is_empty() {
                run.environment = catalog.os.as_deref().map(environment).unwrap_or_default();
            }
        }
    }
    runs.into_values().collect()
}

fn blank(id: &str, document: &str) -> Run {
    Run {
        path: folder(document),
        run_id: id.to_owned(),
        state: RunState::Unknown,
        evidence: "not recorded".to_owned(),
        saved: true,
        ..Run::default()
    }
}

fn folder(path: &str) -> String {
    let folder = split(path).0;
    if folder.is_empty() { ".".to_owned() } else { folder.to_owned() }
}

fn environment(os: &str) -> Map<String, Value> {
    Map::from_iter([("os".to_owned(), Value::String(os.to_owned()))])
}
