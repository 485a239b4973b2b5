//! The report of `inspect --json` (design §7): plain structures in a fixed order.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::analyze::profile::{FunctionCost, LineCost, functions, sites_by_line};
use crate::analyze::{self, Group, Reference, Series, Statistic};
use crate::config::Config;
use crate::evidence::plot::Status;
use crate::evidence::profile::{CallTree, Profile};
use crate::evidence::{self, Name, Number, SavedComparison, SourceEvidence};
use crate::site::load::{Loaded, LoadedSource};

/// Everything that the evidence holds.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    schema_version: &'static str,
    pub(super) sources: Vec<Source>,
    pub(super) runs: Vec<Run>,
    pub(super) targets: Vec<Target>,
    pub(super) series: Vec<SeriesRows>,
    pub(super) profiles: Vec<ProfileRow>,
    pub(super) records: Vec<Record>,
    pub(super) findings: Vec<Findings>,
    problems: Vec<ProblemRow>,
}

#[derive(Debug, Serialize)]
pub(super) struct Source {
    pub(super) id: String,
    pub(super) path: String,
    pub(super) files: Vec<File>,
}

#[derive(Debug, Serialize)]
pub(super) struct File {
    path: String,
    format: &'static str,
    status: &'static str,
    sha256: Option<String>,
}

#[derive(Debug, Serialize)]
#[allow(clippy::struct_field_names, reason = "the field is called so in the report")]
pub(super) struct Run {
    pub(super) source: String,
    pub(super) path: String,
    pub(super) run_id: String,
    pub(super) state: &'static str,
    pub(super) evidence: String,
    started_at: Option<String>,
    finished_at: Option<String>,
    runtime: Map<String, Value>,
    environment: Map<String, Value>,
    pub(super) integrity: &'static str,
    superseded_by: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Target {
    source: String,
    label: String,
    kind: String,
    date: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct SeriesRows {
    pub(super) source: String,
    package: Option<String>,
    pub(super) feature: String,
    pub(super) workload: String,
    pub(super) collector: String,
    /// What tells this series apart from another of the same name, such as another machine.
    pub(super) variant: Option<String>,
    pub(super) metric: String,
    pub(super) unit: String,
    preference: &'static str,
    pub(super) points: Vec<PointRow>,
}

#[derive(Debug, Serialize)]
pub(super) struct PointRow {
    pub(super) target: String,
    kind: String,
    pub(super) statistic: String,
    pub(super) value: Option<Number>,
    pub(super) samples: u64,
    pub(super) ratio: Option<f64>,
    reference_value: Option<Number>,
    reference_target: String,
    status: Status,
    pub(super) reason: Option<String>,
    run_id: Option<String>,
}

/// A profile in sum, with its costliest functions or source lines.
#[derive(Debug, Serialize)]
pub(super) struct ProfileRow {
    pub(super) source: String,
    pub(super) path: String,
    run_id: Option<String>,
    pub(super) feature: Option<String>,
    pub(super) target: Option<String>,
    pub(super) tool: String,
    pub(super) metric: String,
    pub(super) unit: String,
    pub(super) total: Number,
    samples: Option<u64>,
    /// How many stacks it holds, and how many source lines or files.
    pub(super) stacks: usize,
    pub(super) sites: usize,
    pub(super) top: Vec<CostRow>,
}

/// What a function costs; without stacks, what a source line costs.
#[derive(Debug, Serialize)]
pub(super) struct CostRow {
    pub(super) function: Option<String>,
    pub(super) file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(rename = "self")]
    pub(super) own: Number,
    inclusive: Number,
}

#[derive(Debug, Serialize)]
pub(super) struct Record {
    pub(super) source: String,
    pub(super) path: String,
    run_id: Option<String>,
    feature: Option<String>,
    pub(super) target: Option<String>,
    pub(super) tool: String,
    tool_version: Option<String>,
    pub(super) status: &'static str,
    status_recorded: Option<String>,
    pub(super) numbers: Vec<NumberRow>,
}

/// A number in its unit: as recorded, or computed from what was recorded.
#[derive(Debug, Serialize)]
pub(super) struct NumberRow {
    pub(super) name: String,
    pub(super) value: Number,
    pub(super) unit: String,
}

/// The findings of one report.
#[derive(Debug, Serialize)]
pub(super) struct Findings {
    pub(super) source: String,
    pub(super) path: String,
    run_id: Option<String>,
    feature: Option<String>,
    pub(super) target: Option<String>,
    pub(super) tool: String,
    pub(super) tool_version: Option<String>,
    pub(super) status: &'static str,
    /// None when the tool did not complete: what it would have found is not known.
    pub(super) count: Option<u64>,
    items: Vec<FindingRow>,
}

#[derive(Debug, Serialize)]
struct FindingRow {
    rule: String,
    severity: String,
    message: String,
    file: Option<String>,
    line: Option<u64>,
}

#[derive(Debug, Serialize)]
struct ProblemRow {
    source: Option<String>,
    path: Option<String>,
    line: Option<u64>,
    field: Option<String>,
    severity: &'static str,
    message: String,
}

impl Report {
    /// Sums up what was loaded.
    pub(super) fn new(loaded: &Loaded, config: &Config) -> Self {
        let mut report = Self {
            schema_version: "perfolio-inspect/1",
            sources: Vec::new(),
            runs: Vec::new(),
            targets: Vec::new(),
            series: Vec::new(),
            profiles: Vec::new(),
            records: Vec::new(),
            findings: Vec::new(),
            problems: problems(loaded),
        };
        for source in &loaded.sources {
            report.add(source, config);
        }
        report
    }

    fn add(&mut self, LoadedSource { evidence, series, .. }: &LoadedSource, config: &Config) {
        self.sources.push(Source {
            id: evidence.id.clone(),
            path: evidence.path.clone(),
            files: evidence
                .files
                .iter()
                .map(|file| File {
                    path: file.path.clone(),
                    format: file.format.id(),
                    status: file.status.id(),
                    sha256: file.sha256.clone(),
                })
                .collect(),
        });
        self.runs.extend(evidence.runs.iter().enumerate().map(|(at, run)| Run {
            source: evidence.id.clone(),
            path: run.path.clone(),
            run_id: run.run_id.clone(),
            state: run.state.word(),
            evidence: run.evidence.clone(),
            started_at: run.started_at.clone(),
            finished_at: run.finished_at.clone(),
            runtime: run.runtime.clone(),
            environment: run.environment.clone(),
            integrity: run.integrity.word(),
            superseded_by: series.superseded_by.get(at).cloned().flatten(),
        }));
        self.targets.extend(series.targets.iter().map(|target| Target {
            source: evidence.id.clone(),
            label: target.label.to_string(),
            kind: target.kind.word().to_owned(),
            date: target.date.clone(),
        }));
        self.profiles.extend(evidence.profiles.iter().map(|one| profile(&evidence.id, one)));
        self.records.extend(evidence.comparisons.iter().flat_map(|one| records(&evidence.id, one)));
        self.records.extend(evidence.records.iter().map(|one| record(&evidence.id, one)));
        self.findings.extend(evidence.records.iter().filter_map(|one| findings(&evidence.id, one)));
        let (statistic, reference) = choice(config);
        for group in &series.groups {
            for one in &group.series {
                self.series.push(rows(evidence, group, one, statistic, &reference));
            }
        }
    }
}

/// Most costs of one profile that are listed.
const TOP: usize = 10;

fn profile(source: &str, profile: &Profile) -> ProfileRow {
    let text = |name: &Option<Name>| name.as_deref().map(str::to_owned);
    let function = |cost: FunctionCost| CostRow {
        function: Some(cost.function),
        file: text(&cost.file),
        line: None,
        own: cost.own,
        inclusive: cost.inclusive,
    };
    let line = |cost: LineCost| CostRow {
        function: None,
        line: (cost.line > 0).then_some(cost.line),
        file: Some(cost.file),
        own: cost.weight,
        inclusive: cost.weight,
    };
    let top = if profile.has_stacks() {
        functions(profile).into_iter().take(TOP).map(function).collect()
    } else {
        sites_by_line(profile).costs.into_iter().take(TOP).map(line).collect()
    };
    ProfileRow {
        source: source.to_owned(),
        path: profile.path.clone(),
        run_id: profile.run_id.clone(),
        feature: text(&profile.feature),
        target: text(&profile.target),
        tool: profile.tool.to_string(),
        metric: profile.metric.to_string(),
        unit: profile.unit.to_string(),
        total: profile.total,
        samples: profile.samples,
        stacks: profile.stacks.iter().filter(|stack| stack.leaf != CallTree::ROOT).count(),
        sites: profile.sites.len(),
        top,
    }
}

fn record(source: &str, record: &evidence::Record) -> Record {
    let numbers = analyze::record::numbers(record).into_iter();
    Record {
        source: source.to_owned(),
        path: record.path.clone(),
        run_id: record.run_id.clone(),
        feature: record.feature.clone(),
        target: record.target.clone(),
        tool: record.tool.clone(),
        tool_version: record.tool_version.clone(),
        status: record.status.word(),
        status_recorded: record.status_recorded.clone(),
        numbers: numbers.map(|one| NumberRow { name: one.name, value: one.value, unit: one.unit }).collect(),
    }
}

/// The findings of a record that keeps a list of them, be it empty.
fn findings(source: &str, record: &evidence::Record) -> Option<Findings> {
    let list = record.findings.as_ref()?;
    Some(Findings {
        source: source.to_owned(),
        path: record.path.clone(),
        run_id: record.run_id.clone(),
        feature: record.feature.clone(),
        target: record.target.clone(),
        tool: record.tool.clone(),
        tool_version: record.tool_version.clone(),
        status: record.status.word(),
        count: record.finding_count(),
        items: list
            .iter()
            .map(|one| FindingRow {
                rule: one.rule.clone(),
                severity: one.severity.clone(),
                message: one.message.clone(),
                file: one.file.clone(),
                line: one.line,
            })
            .collect(),
    })
}

/// The values of a comparison of collectors, one record per workload, target and collector.
fn records(source: &str, saved: &SavedComparison) -> Vec<Record> {
    let mut found: Vec<Record> = Vec::new();
    let mut places: BTreeMap<(&str, Option<&str>, &str), usize> = BTreeMap::new();
    for one in &saved.records {
        let target = one.target.as_deref().or(saved.target.as_deref());
        let number =
            one.value.map(|value| NumberRow { name: one.metric.clone(), value, unit: one.unit.clone() });
        let place = *places.entry((&one.workload, target, &one.collector)).or_insert(found.len());
        if let Some(record) = found.get_mut(place) {
            record.numbers.extend(number);
            continue;
        }
        found.push(Record {
            source: source.to_owned(),
            path: saved.path.clone(),
            run_id: match saved.run_ids.as_slice() {
                [only] => Some(only.clone()),
                _ => None,
            },
            feature: Some(one.workload.clone()),
            target: target.map(str::to_owned),
            tool: one.collector.clone(),
            tool_version: None,
            status: "complete",
            status_recorded: saved.correctness.clone(),
            numbers: number.into_iter().collect(),
        });
    }
    found
}

/// The configured statistic and reference; words were checked when they were given.
fn choice(config: &Config) -> (Statistic, Reference) {
    let statistic = config.normalize.statistic.as_deref().and_then(Statistic::parse).unwrap_or_default();
    let reference = config.normalize.reference.as_deref().map(Reference::parse).unwrap_or_default();
    (statistic, reference)
}

fn rows(
    evidence: &SourceEvidence,
    group: &Group,
    series: &Series,
    statistic: Statistic,
    reference: &Reference,
) -> SeriesRows {
    let normalized = analyze::normalize::normalize(group, series, statistic, reference);
    let points = group
        .targets
        .iter()
        .zip(&series.points)
        .zip(&normalized.cells)
        .map(|((target, point), cell)| PointRow {
            target: target.label.to_string(),
            kind: target.kind.word().to_owned(),
            statistic: normalized.statistic.to_string(),
            value: cell.value,
            samples: point.summary.as_ref().map_or(0, |summary| summary.n),
            ratio: cell.ratio,
            reference_value: normalized.reference,
            reference_target: normalized.reference_target.clone(),
            status: cell.status,
            reason: point.reason.clone().or_else(|| cell.reason.map(str::to_owned)),
            run_id: point.run.map(|run| evidence.runs[run].run_id.clone()),
        })
        .collect();
    SeriesRows {
        source: evidence.id.clone(),
        package: group.package.as_deref().map(str::to_owned),
        feature: group.feature.to_string(),
        workload: group.workload.to_string(),
        collector: group.collector.to_string(),
        variant: group.variant.clone(),
        metric: series.definition.metric.to_string(),
        unit: series.definition.unit.to_string(),
        preference: series.definition.preference.word(),
        points,
    }
}

fn problems(loaded: &Loaded) -> Vec<ProblemRow> {
    loaded
        .problems
        .sorted()
        .into_iter()
        .map(|problem| ProblemRow {
            source: problem.source.clone(),
            path: problem.place.path.clone(),
            line: problem.place.line,
            field: problem.place.field.clone(),
            severity: problem.severity.word(),
            message: problem.message.clone(),
        })
        .collect()
}
