//! Results of static analysis in the interchange form SARIF 2.1.0 (an OASIS standard): the door for analyzers of
//! every language. One record per run of a tool, one finding per result.
//!
//! Section numbers are those of the standard. Results that say that a rule is kept (§3.27.9, kind `pass` and
//! `notApplicable`) are no findings; they are counted apart. Nor are those that a baseline has and the run no longer
//! found (§3.27.24, `absent`); they are listed apart. What results hold and nobody here reads is told.

mod place;
mod text;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::Part;
use super::complaints::{About, Complaint, Complaints, quote};
use super::detect::{Answer, Reader, holds};
use super::json::{Object, document};
use super::tree::{Map, Value};
use crate::error::{Place, Problem};
use crate::evidence::record::Status;
use crate::evidence::{FileStatus, Finding, Format, Record};

/// What is read of a result.
const READ: [&str; 17] = [
    "baselineState",
    "codeFlows",
    "fingerprints",
    "kind",
    "level",
    "locations",
    "message",
    "occurrenceCount",
    "partialFingerprints",
    "rank",
    "relatedLocations",
    "rule",
    "ruleId",
    "ruleIndex",
    "stacks",
    "suppressions",
    "guid",
];
/// Most places of one result, and most absent results of one run, that are listed; the rest is counted.
const LISTED: usize = 100;

/// Recognises results of static analysis among loose files.
pub(super) struct SarifReader;

impl Reader for SarifReader {
    fn format(&self) -> Format {
        Format::Sarif
    }

    fn detect(&self, path: &str, bytes: &[u8], whole: bool) -> Answer {
        let ends = |ending: &str| {
            let start = path.len().checked_sub(ending.len()).and_then(|at| path.get(at..));
            start.is_some_and(|end| end.eq_ignore_ascii_case(ending))
        };
        let named = ends(".sarif") || ends(".sarif.json");
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        if !(named || ends(".json")) || text.first().is_some_and(|first| *first != b'{') {
            return Answer::No;
        }
        if !whole {
            return Answer::NeedMore;
        }
        let is_sarif = named
            || (holds(bytes, &["\"runs\"", "\"driver\""])
                && serde_json::from_slice::<Map<'_>>(text).is_ok_and(|fields| {
                    let driver =
                        |run: &Value<'_>| run.get("tool").and_then(|tool| tool.get("driver")).is_some();
                    let runs = fields.get("runs").and_then(Value::as_array);
                    fields.contains_key("version") && runs.is_some_and(|runs| runs.iter().any(driver))
                }));
        if is_sarif { Answer::Yes } else { Answer::No }
    }

    fn read(&self, path: &str, bytes: &[u8], part: &mut Part) -> FileStatus {
        // Some writers on Windows put a mark before the text.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let Some(fields) = document(bytes, path, &mut part.problems) else { return FileStatus::Refused };
        let version = fields.get("version").and_then(Value::as_str);
        if !version.is_some_and(|version| version == "2.1" || version.starts_with("2.1.")) {
            let found = version.map_or_else(|| "missing".to_owned(), quote);
            let message = format!("{found}; only version 2.1.0 is known");
            part.problems.push(Problem::error(Place::file(path).field("version"), message));
            return FileStatus::Refused;
        }
        let mut complaints = Complaints::default();
        if !fields.get("runs").is_some_and(Value::is_array) {
            complaints.add(About::Structure, || Complaint {
                line: 0,
                field: Some("runs".to_owned()),
                message: "no list of runs".to_owned(),
            });
        }
        for run in Object::root(&fields).objects("runs", &mut complaints) {
            let mut record = Reading::new(&run, &mut complaints).record(&run);
            path.clone_into(&mut record.path);
            record.settle();
            part.records.push(record);
        }
        let status = complaints.status();
        complaints.into_problems(path, &mut part.problems);
        status
    }
}

/// One run that is being read, with what its results refer to.
struct Reading<'a, 'c> {
    driver: Option<Object<'a>>,
    rules: Vec<Object<'a>>,
    extensions: Vec<Vec<Object<'a>>>,
    artifacts: Vec<Object<'a>>,
    /// What results hold and nobody here reads, with how many results hold it.
    unread: BTreeMap<String, usize>,
    complaints: &'c mut Complaints,
}

impl<'a, 'c> Reading<'a, 'c> {
    fn new(run: &Object<'a>, complaints: &'c mut Complaints) -> Self {
        let tool = run.object("tool", complaints);
        let driver = tool.as_ref().and_then(|tool| tool.object("driver", complaints));
        let rules = driver.as_ref().map(|one| one.objects("rules", complaints)).unwrap_or_default();
        let extensions = tool.map(|tool| tool.objects("extensions", complaints)).unwrap_or_default();
        let extensions = extensions.iter().map(|one| one.objects("rules", complaints)).collect();
        let artifacts = run.objects("artifacts", complaints);
        Self { driver, rules, extensions, artifacts, unread: BTreeMap::new(), complaints }
    }

    fn text(&mut self, object: &Object<'_>, key: &str) -> Option<String> {
        object.some_text(key, self.complaints).map(str::to_owned)
    }

    fn record(&mut self, run: &Object<'a>) -> Record {
        let mut record = Record::default();
        if let Some(driver) = self.driver.clone() {
            record.tool = self.text(&driver, "name").unwrap_or_default();
            let version = self.text(&driver, "semanticVersion");
            record.tool_version = version.or_else(|| self.text(&driver, "version"));
        }
        if record.tool.is_empty() {
            self.complaints.add(About::Optional, || Complaint {
                line: 0,
                field: Some(run.path("tool.driver.name")),
                message: "the tool has no name".to_owned(),
            });
            "unnamed analyzer".clone_into(&mut record.tool);
        }
        record.status = self.invocations(run, &mut record);
        let provenance = run.objects("versionControlProvenance", self.complaints);
        record.revision = provenance.first().and_then(|one| self.text(one, "revisionId"));
        if let Some(details) = run.object("automationDetails", self.complaints) {
            let id = self.text(&details, "id");
            record.parameters.extend(id.map(|id| ("automationDetails.id".to_owned(), id)));
        }
        if run.has("externalPropertyFileReferences") {
            // Their contents are other files; what they hold is missing here.
            record.limitations.push("a part of this report stands in other files and is not read".to_owned());
            if record.status == Status::Complete {
                record.status = Status::Incomplete;
                record.gap = Some(if run.is_array("results") {
                    "a part of the report stands in other files, which are not read"
                } else {
                    "its results stand in other files, which are not read"
                });
            }
            self.complaints.add(About::Optional, || Complaint {
                line: 0,
                field: Some(run.path("externalPropertyFileReferences")),
                message: "a part of this report stands in other files, which are not read".to_owned(),
            });
        }
        // Without a list nothing was looked for; an empty list says that nothing was found (§3.14.23).
        if run.is_array("results") {
            let found = self.results(run);
            record.findings = Some(found.findings);
            if found.kept > 0 {
                record
                    .parameters
                    .push(("results that say a rule is kept".to_owned(), found.kept.to_string()));
            }
            record.parameters.extend(listed("no longer found (baseline)", found.absent));
            if !self.unread.is_empty() {
                let parts = self.unread.iter().map(|(key, count)| format!("{key} ({count})"));
                let parts = parts.collect::<Vec<_>>().join(", ");
                record
                    .limitations
                    .push(format!("not read, with the number of results that hold it: {parts}"));
                self.complaints.add(About::Beside, || Complaint {
                    line: 0,
                    field: Some(run.path("results")),
                    message: format!("what these fields hold is not shown (number of results): {parts}"),
                });
            }
        } else if record.status == Status::Complete {
            record.status = Status::NotRun;
            record.message = Some("the run holds no list of results".to_owned());
        }
        record
    }

    /// Whether the tool says that it ended well (§3.20.14), and what it said about itself (§3.20.21).
    fn invocations(&mut self, run: &Object<'a>, record: &mut Record) -> Status {
        let mut status = Status::Complete;
        for invocation in run.objects("invocations", self.complaints) {
            match invocation.flag("executionSuccessful", self.complaints) {
                Some(false) => status = Status::Failed,
                None if status == Status::Complete => status = Status::Unknown,
                Some(true) | None => {}
            }
            if let Some(flag) = invocation.scalar("executionSuccessful") {
                record.status_recorded = Some(format!("executionSuccessful: {flag}"));
            }
            for key in ["exitCode", "exitSignalName", "processStartFailureMessage"] {
                record.parameters.extend(invocation.scalar(key).map(|text| (key.to_owned(), text)));
            }
            record.date = record.date.take().or_else(|| self.text(&invocation, "startTimeUtc"));
            for list in ["toolExecutionNotifications", "toolConfigurationNotifications"] {
                for one in invocation.objects(list, self.complaints) {
                    let level = self.text(&one, "level").unwrap_or_else(|| "warning".to_owned());
                    let message = self.message(&one, None);
                    record.limitations.push(format!("{level}: {message}"));
                }
            }
        }
        if status == Status::Failed {
            record.message = record.limitations.first().cloned();
        }
        status
    }

    fn results(&mut self, run: &Object<'a>) -> Results {
        let mut results = Results::default();
        for result in run.objects("results", self.complaints) {
            let kind = result.text("kind", self.complaints);
            if matches!(kind, Some("pass" | "notApplicable")) {
                results.kept += 1;
                continue;
            }
            for key in result.keys().filter(|key| !READ.contains(key) && result.has(key)) {
                *self.unread.entry(key.to_owned()).or_default() += 1;
            }
            let finding = self.finding(&result, kind);
            if finding.baseline.as_deref() == Some("absent") {
                let file = finding.file.map(|file| match finding.line {
                    Some(line) => format!("@ {file}:{line}"),
                    None => format!("@ {file}"),
                });
                let words = [finding.rule, finding.message, file.unwrap_or_default()];
                results
                    .absent
                    .push(words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "));
            } else {
                results.findings.push(finding);
            }
        }
        results
    }

    /// The rule of a result (§3.52): by its own id, or by its place in a list of rules.
    fn rule(&mut self, result: &Object<'a>) -> (String, Option<Object<'a>>) {
        let reference = result.object("rule", self.complaints);
        let mut id = self.text(result, "ruleId");
        let mut index = result.value("ruleIndex").and_then(Value::as_u64);
        let mut rules = &self.rules;
        if let Some(reference) = &reference {
            let complaints = &mut *self.complaints;
            id = id.or_else(|| reference.some_text("id", complaints).map(str::to_owned));
            index = index.or_else(|| reference.value("index").and_then(Value::as_u64));
            let component = reference.object("toolComponent", complaints);
            let place = component.and_then(|one| one.value("index").and_then(Value::as_u64));
            if let Some(place) = place {
                rules = usize::try_from(place)
                    .ok()
                    .and_then(|place| self.extensions.get(place))
                    .unwrap_or(&self.rules);
            }
        }
        let at = index.and_then(|index| usize::try_from(index).ok());
        let by_place = at.and_then(|at| rules.get(at));
        let named =
            |rule: &&Object<'_>| id.is_some() && rule.value("id").and_then(Value::as_str) == id.as_deref();
        let rule = by_place.or_else(|| rules.iter().find(named)).cloned();
        let id = id.or_else(|| rule.as_ref().and_then(|rule| rule.value("id")?.as_str().map(str::to_owned)));
        (id.unwrap_or_default(), rule)
    }

    fn finding(&mut self, result: &Object<'a>, kind: Option<&str>) -> Finding {
        let (rule, described) = self.rule(result);
        let mut finding =
            Finding { rule, message: self.message(result, described.as_ref()), ..Finding::default() };
        finding.rule_title = described.as_ref().and_then(|one| self.title(one));
        // §3.27.10: a result that is no failure has no level unless it says so.
        finding.severity = self.text(result, "level").unwrap_or_else(|| match kind {
            None | Some("fail") => described
                .as_ref()
                .and_then(|one| one.object("defaultConfiguration", self.complaints))
                .and_then(|one| self.text(&one, "level"))
                .unwrap_or_else(|| "warning".to_owned()),
            Some(_) => "none".to_owned(),
        });
        let locations = result.objects("locations", self.complaints);
        if let Some(first) = locations.first() {
            let place = self.place(first);
            finding.file = place.file;
            finding.line = place.line;
            finding.column = place.column;
            finding.parameters.extend(place.base.map(|base| ("uriBaseId".to_owned(), base)));
            finding.parameters.extend(place.symbol.map(|symbol| ("symbol".to_owned(), symbol)));
        }
        // One finding can be in several places at once (§3.27.12); others only help to understand it (§3.27.22).
        let further = locations.iter().skip(1).map(|one| self.described(one)).collect();
        finding.parameters.extend(listed("further location", further));
        let related = result.objects("relatedLocations", self.complaints);
        let related = related.iter().map(|one| self.described(one)).collect();
        finding.parameters.extend(listed("related location", related));
        finding.frames = self.path(result);
        finding.suppressed = self.suppressed(result);
        finding.baseline = self.text(result, "baselineState");
        finding
            .parameters
            .extend(kind.filter(|kind| *kind != "fail").map(|kind| ("kind".to_owned(), kind.to_owned())));
        for key in ["rank", "occurrenceCount", "guid"] {
            finding.parameters.extend(result.scalar(key).map(|text| (key.to_owned(), text)));
        }
        for key in ["fingerprints", "partialFingerprints"] {
            if let Some(prints) = result.object(key, self.complaints) {
                let found =
                    prints.keys().filter_map(|name| Some((format!("{key}.{name}"), prints.scalar(name)?)));
                finding.parameters.extend(found);
            }
        }
        finding
    }

    /// A place with what is said about it, in one line.
    fn described(&mut self, location: &Object<'a>) -> String {
        let text = self.frame(location);
        if text.is_empty() { "not recorded".to_owned() } else { text }
    }

    fn title(&mut self, rule: &Object<'_>) -> Option<String> {
        let short = rule.object("shortDescription", self.complaints).and_then(|one| self.text(&one, "text"));
        short.or_else(|| self.text(rule, "name"))
    }

    /// Why a result is suppressed (§3.27.23): when at least one entry stands and none is under review or rejected.
    fn suppressed(&mut self, result: &Object<'_>) -> Option<String> {
        let entries = result.objects("suppressions", self.complaints);
        let mut reasons = Vec::new();
        for one in &entries {
            if self.text(one, "status").is_some_and(|status| status != "accepted") {
                return None;
            }
            let kind = self.text(one, "kind").unwrap_or_else(|| "suppressed".to_owned());
            reasons.push(match self.text(one, "justification") {
                Some(why) => format!("{kind}: {why}"),
                None => kind,
            });
        }
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }
}

/// The results of a run.
#[derive(Default)]
struct Results {
    findings: Vec<Finding>,
    /// How many say that a rule is kept.
    kept: u64,
    /// Those of a baseline that are no longer found, in words.
    absent: Vec<String>,
}

/// Texts under one name, of which only so many are listed.
fn listed(name: &'static str, mut texts: Vec<String>) -> impl Iterator<Item = (String, String)> {
    let more = texts.len().saturating_sub(LISTED);
    texts.truncate(LISTED);
    texts.extend((more > 0).then(|| format!("{more} more")));
    texts.into_iter().map(move |text| (name.to_owned(), text))
}
