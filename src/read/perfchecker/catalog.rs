//! The catalogue of a published gallery (PerfChecker formats §4.1), in all its forms and ages.
//!
//! Only the catalogue itself is read here; the files that it names are looked up when all files of the source
//! are read (`read::documents`).

use std::collections::BTreeMap;

use super::super::complaints::{About, Complaint, Complaints, quote};
use super::super::detect::{Answer, Reader, before_object};
use super::super::json::{Object, tell_repeated};
use super::super::tree::{Map, Value};
use super::super::{Part, split};
use crate::error::{Place, Problem};
use crate::evidence::catalog::{CatalogForm, Check, Named, SavedCatalog, View};
use crate::evidence::run::ReleaseDate;
use crate::evidence::{Dependencies, FileStatus, Format, Package};
use crate::io::relative_to_file;
use crate::text::date::Date;

/// The name under which exporters write it.
const NAME: &str = "catalog.json";

/// Fields of which every form has one besides its views.
const KNOWN: [&str; 5] = ["versions", "runs", "runtime", "availability", "collectors"];

/// Recognises catalogues among loose files.
pub(in crate::read) struct CatalogReader;

impl Reader for CatalogReader {
    fn format(&self) -> Format {
        Format::PerfcheckerCatalog
    }

    fn detect(&self, path: &str, bytes: &[u8], whole: bool) -> Answer {
        if let Some(answer) = before_object(path, bytes, whole) {
            return answer;
        }
        let named = split(path).1.eq_ignore_ascii_case(NAME);
        let word = memchr::memmem::find(bytes, b"\"views\"").is_some();
        if !word && !named {
            return Answer::No;
        }
        let is_catalog = match serde_json::from_slice::<Map<'_>>(bytes) {
            Ok(fields) => {
                let views = fields.get("views").and_then(Value::as_array);
                let views = views.map_or(named, |views| views.iter().all(Value::is_object) || named);
                views && KNOWN.iter().any(|key| fields.contains_key(key))
            }
            // Broken, but it has the name and the word: its reader tells what is wrong.
            Err(_) => named && word,
        };
        if is_catalog { Answer::Yes } else { Answer::No }
    }

    fn read(&self, path: &str, bytes: &[u8], part: &mut Part) -> FileStatus {
        let fields: Map<'_> = match serde_json::from_slice(bytes) {
            Ok(fields) => fields,
            Err(error) => {
                let message = format!("the catalogue is not a JSON object: {error}");
                let problem = Problem::error(Place::file(path), message);
                part.problems.push(problem.remedy("restore the catalogue as it was published"));
                return FileStatus::Refused;
            }
        };
        tell_repeated(fields.repeats(), bytes, path, &mut part.problems);
        let mut reading = Reading { path, complaints: Complaints::default() };
        let catalog = reading.catalog(&Object::root(&fields));
        let refused = reading.complaints.refused();
        reading.complaints.into_problems(path, &mut part.problems);
        part.catalogs.push(catalog);
        if refused > 0 { FileStatus::Incomplete } else { FileStatus::Complete }
    }
}

struct Reading<'a> {
    path: &'a str,
    complaints: Complaints,
}

impl Reading<'_> {
    fn catalog(&mut self, root: &Object<'_>) -> SavedCatalog {
        if !root.has("views") {
            self.complaints.add(About::Field, || Complaint {
                line: 0,
                field: Some("views".to_owned()),
                message: "missing; the catalogue names no figure".to_owned(),
            });
        }
        let found = root.objects("views", &mut self.complaints);
        let history = root.is_array("availability") || found.iter().any(|view| view.has("evidence"));
        let collectors = root.is_array("collectors") && !found.iter().any(|view| view.has("kind"));
        let form = match (collectors, history) {
            (true, _) => CatalogForm::Collectors,
            (false, true) => CatalogForm::History,
            (false, false) => CatalogForm::Gallery,
        };
        let mut checks = Vec::new();
        for key in ["runs", "availability"] {
            for one in root.objects(key, &mut self.complaints) {
                checks.extend(self.check(&one));
            }
        }
        let mut versions = root.texts("versions", &mut self.complaints);
        if versions.is_empty() {
            versions.extend(root.some_text("version", &mut self.complaints).map(str::to_owned));
        }
        SavedCatalog {
            path: self.path.to_owned(),
            form,
            versions,
            checks,
            runtime: root.map("runtime", &mut self.complaints),
            os: self.text(root, "os"),
            release_dates: self.dates(root),
            environments: self.environments(root),
            skipped: root
                .objects("skipped", &mut self.complaints)
                .iter()
                .map(|one| {
                    let word = |this: &mut Self, key| this.text(one, key);
                    (word(self, "id").unwrap_or_default(), word(self, "reason").unwrap_or_default())
                })
                .collect(),
            views: found.iter().map(|view| self.view(view)).collect(),
        }
    }

    fn text(&mut self, object: &Object<'_>, key: &str) -> Option<String> {
        object.some_text(key, &mut self.complaints).map(str::to_owned)
    }

    fn check(&mut self, one: &Object<'_>) -> Option<Check> {
        let Some(target) = self.text(one, "version") else {
            if !one.has("version") {
                let (field, message) =
                    (Some(one.path("version")), "missing; the entry is left out".to_owned());
                self.complaints.add(About::Optional, || Complaint { line: 0, field, message });
            }
            return None;
        };
        Some(Check {
            package: self.text(one, "package"),
            feature: self.text(one, "feature"),
            workload: self.text(one, "workload"),
            target,
            status: self.text(one, "status").unwrap_or_default(),
            reason: self.text(one, "reason").or_else(|| self.text(one, "message")),
        })
    }

    fn dates(&mut self, root: &Object<'_>) -> BTreeMap<String, ReleaseDate> {
        let Some(dates) = root.object("release_dates", &mut self.complaints) else { return BTreeMap::new() };
        let kinds = root.object("release_date_kinds", &mut self.complaints);
        let mut found = BTreeMap::new();
        for (label, text) in dates.text_entries(&mut self.complaints) {
            if let Some(date) = Date::parse(text) {
                let kind = kinds.as_ref().and_then(|kinds| kinds.some_text(label, &mut self.complaints));
                let date = ReleaseDate { date: date.to_string(), kind: kind.map(str::to_owned) };
                found.insert(label.to_owned(), date);
            } else {
                let message = format!("{} is not a date (YYYY-MM-DD); it is left out", quote(text));
                let field = Some(dates.path(label));
                self.complaints.add(About::Optional, || Complaint { line: 0, field, message });
            }
        }
        found
    }

    /// What was resolved per target: complete lists of newer exports, and the sources of a history.
    fn environments(&mut self, root: &Object<'_>) -> BTreeMap<String, Dependencies> {
        let mut found = BTreeMap::new();
        for one in root.objects("resolved_environments", &mut self.complaints) {
            let Some(label) = self.text(&one, "version") else { continue };
            let packages = self.packages(&one, "packages", "git-tree-sha1");
            let total = one.is_array("packages").then_some(packages.len() as u64);
            let manifest_sha256 = self.text(&one, "manifest_sha256");
            found.entry(label).or_insert(Dependencies { manifest_sha256, packages, total });
        }
        let sources = root.object("sources", &mut self.complaints);
        let targets = sources.map(|list| list.objects("targets", &mut self.complaints)).unwrap_or_default();
        for one in targets {
            let Some(label) = self.text(&one, "version") else { continue };
            let packages = self.packages(&one, "dependencies", "revision");
            // Whether the sources of a target are all that it resolved is not recorded.
            if !packages.is_empty() {
                let list = Dependencies { manifest_sha256: None, packages, total: None };
                found.entry(label).or_insert(list);
            }
        }
        found
    }

    fn packages(&mut self, one: &Object<'_>, key: &str, tree: &str) -> Vec<Package> {
        let mut packages = Vec::new();
        for package in one.objects(key, &mut self.complaints) {
            let Some(name) = self.text(&package, "name").or_else(|| self.text(&package, "package")) else {
                continue;
            };
            let version = self.text(&package, "version").unwrap_or_default();
            packages.push(Package { name, version, tree: self.text(&package, tree) });
        }
        packages.sort();
        packages
    }

    fn view(&mut self, view: &Object<'_>) -> View {
        let drawings = ["svg", "terminal", "html"].into_iter().filter_map(|key| self.file(view, key));
        let mut drawings: Vec<String> = drawings.map(|named| named.path).collect();
        let mut windows = Vec::new();
        for window in view.objects("patch_windows", &mut self.complaints) {
            let label = self.text(&window, "label").unwrap_or_default();
            windows.extend(self.file(&window, "json").map(|named| (label, named)));
            let more = ["svg", "html"].into_iter().filter_map(|key| self.file(&window, key));
            drawings.extend(more.map(|named| named.path).collect::<Vec<_>>());
        }
        let document = match self.file(view, "json") {
            None if view.has("evidence") => self.file(view, "evidence"),
            found => {
                if found.is_none() && !view.has("json") {
                    let field = Some(view.path("json"));
                    let message = "the view names no document".to_owned();
                    self.complaints.add(About::Field, || Complaint { line: 0, field, message });
                }
                found
            }
        };
        View {
            id: self.text(view, "id").unwrap_or_default(),
            kind: self.text(view, "kind"),
            title: self.text(view, "title"),
            label: self.text(view, "label"),
            package: self.text(view, "package"),
            feature: self.text(view, "feature"),
            workload: self.text(view, "workload"),
            comparison_key: self.text(view, "comparison_key"),
            collector: self.text(view, "collector"),
            series_id: self.text(view, "series_id"),
            tags: view.texts("tags", &mut self.complaints),
            document,
            windows,
            drawings,
        }
    }

    /// The file that a field names; one that does not lie below the catalogue is refused.
    fn file(&mut self, object: &Object<'_>, key: &str) -> Option<Named> {
        let text = object.some_text(key, &mut self.complaints)?;
        let field = object.path(key);
        if let Some(path) = relative_to_file(self.path, text) {
            return Some(Named { field, path });
        }
        let message = format!("{} does not lie below the catalogue; it is not followed", quote(text));
        self.complaints.add(About::Field, || Complaint { line: 0, field: Some(field), message });
        None
    }
}
