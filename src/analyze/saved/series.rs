//! Takes the values of a group from its documents, as they were written.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Saved;
use super::draft::Draft;
use super::paper::Paper;
use crate::analyze::normalize::NO_RATIO_SAVED;
use crate::analyze::{Cell, Group, Normalized, Point, Series, Statistic, Summary, Target, catalog};
use crate::config::{Config, PreferenceWord};
use crate::error::{Place, Problem, Problems};
use crate::evidence::catalog::Check;
use crate::evidence::plot::{NormalizedRow, Status};
use crate::evidence::{Definition, Dependencies, Name, Number, Package, Preference, TargetKind};

/// Most metrics of one group, and most cells (metrics × targets); a hostile document could ask for millions
/// with few rows.
const MOST_METRICS: usize = 1_000;
const MOST_CELLS: usize = 1_000_000;

/// Makes groups of drafts.
pub(super) struct Builder<'a> {
    pub(super) config: &'a Config,
    /// Run id → position in the runs of the source.
    pub(super) runs: BTreeMap<&'a str, usize>,
    /// Catalogue and target → what was run there.
    pub(super) checks: BTreeMap<(&'a str, &'a str), Vec<&'a Check>>,
    pub(super) problems: Problems,
}

/// One metric of a document: its unit, and the last row of each target.
struct Line<'a> {
    metric: &'a str,
    unit: &'a str,
    rows: BTreeMap<&'a str, &'a NormalizedRow>,
}

impl Builder<'_> {
    /// The group of a draft; none when its documents are beyond all bounds.
    pub(super) fn build(&mut self, draft: &Draft, papers: &[Paper<'_>]) -> Option<Group> {
        let main = draft.main.map(|at| &papers[at]);
        let rows = main.map(|paper| paper.saved.document.plot.normalized_rows().unwrap_or_default());
        let rows = rows.unwrap_or_default();
        let targets = self.targets(draft, papers);
        let lines = lines(&rows);
        if lines.len() > MOST_METRICS || lines.len().saturating_mul(targets.len()) > MOST_CELLS {
            let message =
                format!("more than {MOST_METRICS} metrics or {MOST_CELLS} cells; the figure is not shown");
            let path = main.map(|paper| paper.saved.path.as_str()).unwrap_or_default();
            self.problems.push(Problem::error(Place::file(path).field("plot.data"), message));
            return None;
        }
        let mut series: Vec<Series> = Vec::new();
        if let Some(paper) = main {
            series.extend(lines.iter().map(|line| self.of_ratios(draft, paper, line, &targets)));
        }
        let mut trajectories: Vec<(usize, usize)> = Vec::new();
        for &at in &draft.series {
            let place = self.add_trajectory(draft, &papers[at], &targets, &mut series);
            trajectories.push((place, papers[at].at));
        }
        for &at in draft.more.iter().filter(|&&at| papers[at].kind() == "distribution") {
            self.add_samples(draft, &papers[at], &targets, &mut series);
        }
        trajectories.sort_unstable();
        let dependencies = dependencies(draft, papers, &targets);
        let details = || draft.all().filter_map(|at| papers[at].details());
        let tags: BTreeSet<&str> = draft.all().flat_map(|at| tags(&papers[at])).collect();
        let feature: Name = draft.feature.as_str().into();
        Some(Group {
            package: draft.package.clone(),
            workload: self.workload(&feature, draft.workload.as_ref()),
            feature,
            base_key: draft.base_key.clone().unwrap_or_else(|| "".into()),
            collector: draft.collector.clone().unwrap_or_else(|| "".into()),
            variant: draft.variant.clone(),
            description: String::new(),
            normalizable: main.is_some(),
            dependencies,
            joined: Vec::new(),
            saved: Some(Saved {
                title: details().find_map(|details| details.feature_title.clone()),
                tags: tags.into_iter().map(str::to_owned).collect(),
                main: main.map(|paper| paper.at),
                windows: draft.windows.iter().map(|(name, at)| (name.clone(), papers[*at].at)).collect(),
                series: trajectories.into_iter().map(|(_, at)| at).collect(),
                more: draft.more.iter().map(|&at| papers[at].at).collect(),
            }),
            targets,
            series,
        })
    }

    /// The workload that a feature belongs to: as recorded, else as configured for its present name, else that name.
    /// A recorded workload equal to the feature names none: it is what writers fill in.
    fn workload(&self, feature: &Name, recorded: Option<&Name>) -> Name {
        let aliases = self.config.aliases();
        let present = aliases.get(&**feature).copied().unwrap_or(feature);
        let recorded = recorded.filter(|recorded| *recorded != feature).cloned();
        recorded
            .or_else(|| self.config.feature(present).workload.map(|name| Name::from(name.as_str())))
            .unwrap_or_else(|| Name::from(present))
    }

    /// The targets in the order of the first document that has them all, with their kinds and dates.
    fn targets(&self, draft: &Draft, papers: &[Paper<'_>]) -> Vec<Target> {
        let mut labels: Vec<&str> = Vec::new();
        let mut kinds: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        // Windows and parts hold nothing that the whole does not.
        let whole = draft.main.is_some() || !draft.series.is_empty();
        let first: Vec<usize> = draft.main.iter().chain(&draft.series).copied().collect();
        for at in if whole { first } else { draft.all().collect() } {
            let (plot, details) = (&papers[at].saved.document.plot, papers[at].details());
            let listed = plot.options.get("versions").and_then(Value::as_array).into_iter().flatten();
            let listed = listed.filter_map(Value::as_str);
            let noted = details.iter().flat_map(|details| details.targets.iter().map(String::as_str));
            for label in listed.chain(noted) {
                if !kinds.contains_key(label) {
                    labels.push(label);
                    kinds.insert(label, None);
                }
            }
            for row in &plot.data {
                let text = |key: &str| row.get(key).and_then(Value::as_str);
                let kind = text("target_kind").filter(|kind| !kind.is_empty() && *kind != "unavailable");
                for label in ["version", "baseline_version", "candidate_version"].into_iter().filter_map(text)
                {
                    let known = kinds.entry(label).or_insert_with(|| {
                        labels.push(label);
                        None
                    });
                    *known = known.or(kind);
                }
            }
            for (label, kind) in details.iter().flat_map(|details| &details.target_kinds) {
                if let Some(known) = kinds.get_mut(label.as_str()) {
                    *known = known.or(Some(kind));
                }
            }
        }
        let date = |label: &str| draft.all().find_map(|at| papers[at].date(label));
        let targets = labels.into_iter().map(|label| {
            let configured = self.config.target(label).and_then(|target| target.date);
            let (date, date_kind) = match configured.and_then(|date| date.date) {
                Some(date) => (Some(date.to_string()), None),
                None => date(label).map_or((None, None), |(date, kind)| (Some(date), kind)),
            };
            let kind = kinds[label].map_or_else(|| catalog::kind_by_label(label), TargetKind::parse);
            Target { label: label.into(), kind, date, date_kind }
        });
        targets.collect()
    }

    fn definition(&self, draft: &Draft, paper: &Paper<'_>, metric: &str, unit: &str) -> Definition {
        let method = draft.collector.as_deref().filter(|method| !method.is_empty());
        let configured = self.config.metric(metric).and_then(|metric| metric.preference);
        let recorded = paper.details().and_then(|details| details.preferences.get(metric).copied());
        let preference = match configured {
            Some(PreferenceWord::Lower) => Preference::Lower,
            Some(PreferenceWord::Higher) => Preference::Higher,
            Some(PreferenceWord::Neutral) => Preference::Neutral,
            None => recorded.unwrap_or(Preference::Lower),
        };
        Definition {
            id: method.map_or_else(|| metric.into(), |method| format!("{metric}/{method}").into()),
            metric: metric.into(),
            unit: unit.into(),
            collector: None,
            sample_semantics: None,
            preference,
            warmup_policy: None,
            includes_compilation: None,
            includes_children: None,
            attribution_scope: None,
            extra: serde_json::Map::new(),
        }
    }

    /// The run that a value comes from, by its position.
    fn run(&self, paper: &Paper<'_>, metric: &str, label: &str) -> Option<usize> {
        let details = paper.details();
        let own = details.and_then(|details| details.metric_runs.get(metric)?.get(label));
        let id = own.or_else(|| details.and_then(|details| details.runs.get(label)));
        let id = id.or(paper.saved.document.run_id.as_ref())?;
        self.runs.get(id.as_str()).copied()
    }

    fn of_ratios(&self, draft: &Draft, paper: &Paper<'_>, line: &Line<'_>, targets: &[Target]) -> Series {
        let (mut points, mut cells) = (Vec::with_capacity(targets.len()), Vec::with_capacity(targets.len()));
        let mut first: Option<&NormalizedRow> = None;
        for target in targets {
            let row = line.rows.get(&*target.label).copied();
            first = first.or(row);
            let (mut value, mut ratio) = row.map_or((None, None), |row| (row.value, row.ratio));
            let status = row.map_or(Status::MissingMeasurement, |row| row.normalization_status);
            // What its own status denies is not there, as in the figure.
            match status {
                Status::MissingMeasurement => (value, ratio) = (None, None),
                Status::ZeroReference | Status::MissingReference => ratio = None,
                Status::Ratio | Status::BothZero => {}
            }
            let samples = row.map_or(0, |row| row.samples);
            let statistic = row.and_then(|row| Statistic::parse(&row.statistic)).zip(value);
            let summary = (value.is_some() || samples > 0).then(|| {
                let all = Summary::saved(samples);
                statistic.map_or(all, |(statistic, value)| all.with(statistic, value))
            });
            cells.push(Cell { value, ratio: ratio.map(Number::as_f64), status, reason: None });
            points.push(self.point(paper, line.metric, target, summary, value.is_some() && ratio.is_some()));
        }
        let statistic = first.map(|row| row.statistic.clone()).filter(|word| !word.is_empty());
        let statistic =
            statistic.or_else(|| paper.option("statistic").map(Name::from)).unwrap_or_else(|| Name::from(""));
        let reference = first.map(|row| row.reference_version.clone()).filter(|word| !word.is_empty());
        let reference = reference.or_else(|| paper.option("reference_version").map(Name::from));
        Series {
            definition: self.definition(draft, paper, line.metric, line.unit),
            summed: *statistic == *"sum",
            points,
            step: paper.details().and_then(|details| details.steps.get(line.metric).copied()),
            saved: Some(Normalized {
                reference: first.and_then(|row| row.reference_value),
                reference_target: reference.map_or_else(String::new, |name| name.to_string()),
                statistic: statistic.to_string().into(),
                cells,
            }),
        }
    }

    fn point(
        &self,
        paper: &Paper<'_>,
        metric: &str,
        target: &Target,
        summary: Option<Summary>,
        complete: bool,
    ) -> Point {
        let label = &*target.label;
        let noted = paper.details().and_then(|details| details.reasons.get(metric)?.get(label));
        let noted = noted.map(|text| text.strip_prefix("no ratio: ").unwrap_or(text).to_owned());
        let reason = match summary {
            Some(_) => noted.filter(|_| !complete),
            None => noted.or_else(|| self.why(paper, label)).or_else(|| Some("not measured".to_owned())),
        };
        let run = summary.and_then(|_| self.run(paper, metric, label));
        Point { summary, run, samples_of: None, reason }
    }

    /// Why a target has no value, as the catalogue of the document says it.
    fn why(&self, paper: &Paper<'_>, label: &str) -> Option<String> {
        let of_case = |name: &Option<String>, own: &Option<Name>| match (name, own) {
            (Some(name), Some(own)) => **own == **name,
            _ => true,
        };
        let all = self.checks.get(&(paper.catalog?.path.as_str(), label))?;
        let mut checks = all.iter().filter(|check| {
            (check.feature.is_some() || check.workload.is_some())
                && of_case(&check.feature, &paper.feature)
                && of_case(&check.workload, &paper.workload)
        });
        let found = checks.find(|check| check.status != "pass" && !check.status.is_empty())?;
        let first_line = found.reason.as_deref().and_then(|text| text.trim().lines().next());
        Some(match (&*found.status, first_line) {
            ("unavailable", Some(reason)) => reason.to_owned(),
            ("unavailable", None) => format!("not defined for {label}"),
            (status, Some(reason)) => format!("{status}: {reason}"),
            (status, None) => status.to_owned(),
        })
    }

    /// Adds what a trajectory says to the series that it shows; its position.
    fn add_trajectory(
        &self,
        draft: &Draft,
        paper: &Paper<'_>,
        targets: &[Target],
        series: &mut Vec<Series>,
    ) -> usize {
        let plot = &paper.saved.document.plot;
        let rows = plot.version_rows().unwrap_or_default();
        let (metric, unit) =
            (paper.option("metric").unwrap_or_default(), paper.option("unit").unwrap_or_default());
        let statistic = rows.iter().map(|row| &*row.aggregation).find(|word| !word.is_empty());
        let statistic = statistic.unwrap_or("median");
        let by_label: BTreeMap<&str, _> = rows.iter().map(|row| (&*row.version, row)).collect();
        if let Some(at) = position(series, metric, unit) {
            for (target, point) in targets.iter().zip(&mut series[at].points) {
                let value = by_label.get(&*target.label).and_then(|row| row.value);
                if let (Some(all), Some(statistic), Some(value)) =
                    (point.summary, Statistic::parse(statistic), value)
                {
                    point.summary = Some(all.with(statistic, value));
                }
            }
            return at;
        }
        let (mut points, mut cells) = (Vec::with_capacity(targets.len()), Vec::with_capacity(targets.len()));
        for target in targets {
            let row = by_label.get(&*target.label);
            let value = row.and_then(|row| row.value);
            let summary = row.filter(|row| value.is_some() || row.samples > 0).map(|row| {
                let all = Summary::saved(row.samples);
                match Statistic::parse(statistic).zip(value) {
                    Some((statistic, value)) => all.with(statistic, value),
                    None => all,
                }
            });
            let (status, reason) = match value {
                Some(_) => (Status::MissingReference, Some(NO_RATIO_SAVED)),
                None => (Status::MissingMeasurement, None),
            };
            cells.push(Cell { value, ratio: None, status, reason });
            points.push(self.point(paper, metric, target, summary, value.is_some()));
        }
        series.push(Series {
            definition: self.definition(draft, paper, metric, unit),
            summed: *statistic == *"sum",
            points,
            step: paper.details().and_then(|details| details.steps.get(metric).copied()),
            saved: Some(Normalized {
                reference: None,
                reference_target: String::new(),
                statistic: statistic.to_owned().into(),
                cells,
            }),
        });
        series.len() - 1
    }

    /// Adds a series of the samples that a document holds, unless another document sums them up already.
    fn add_samples(&self, draft: &Draft, paper: &Paper<'_>, targets: &[Target], series: &mut Vec<Series>) {
        let (metric, unit) =
            (paper.option("metric").unwrap_or_default(), paper.option("unit").unwrap_or_default());
        if metric.is_empty() || position(series, metric, unit).is_some() {
            return;
        }
        let mut samples: BTreeMap<&str, Vec<Number>> = BTreeMap::new();
        for row in &paper.saved.document.plot.data {
            let label = row.get("version").and_then(Value::as_str);
            let value =
                row.get("value").and_then(|value| serde_json::from_value::<Number>(value.clone()).ok());
            if let (Some(label), Some(value)) = (label, value) {
                samples.entry(label).or_default().push(value);
            }
        }
        let points = targets.iter().map(|target| {
            let summary = samples.get(&*target.label).and_then(|all| Summary::of(all.iter().copied()));
            self.point(paper, metric, target, summary, true)
        });
        series.push(Series {
            points: points.collect(),
            definition: self.definition(draft, paper, metric, unit),
            summed: false,
            step: paper.details().and_then(|details| details.steps.get(metric).copied()),
            saved: None,
        });
    }
}

fn position(series: &[Series], metric: &str, unit: &str) -> Option<usize> {
    series.iter().position(|one| *one.definition.metric == *metric && *one.definition.unit == *unit)
}

/// The metrics of a document in its own order; values of different units are never one series.
fn lines(rows: &[NormalizedRow]) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut at: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for row in rows {
        let place = *at.entry((&row.metric, &row.unit)).or_insert_with(|| {
            lines.push(Line { metric: &row.metric, unit: &row.unit, rows: BTreeMap::new() });
            lines.len() - 1
        });
        // The last row of a metric and target wins, as in its figure.
        lines[place].rows.insert(&row.version, row);
    }
    lines
}

/// What was resolved per target: the lists of the catalogue, else what the figure itself names.
fn dependencies(draft: &Draft, papers: &[Paper<'_>], targets: &[Target]) -> Vec<Option<Dependencies>> {
    let catalogs = || draft.all().filter_map(|at| papers[at].catalog);
    let of_catalog =
        |target: &Target| catalogs().find_map(|catalog| catalog.environments.get(&*target.label)).cloned();
    let whole = draft.main.or_else(|| draft.series.first().copied());
    let details = whole.and_then(|at| papers[at].details());
    let of_figure = |at: usize| {
        let details = details?;
        let named = details.dependencies.iter().filter_map(|row| {
            let version = row.versions.get(at)?.clone()?;
            Some(Package { name: row.name.clone(), version, tree: None })
        });
        let mut packages: Vec<Package> = named.collect();
        packages.sort();
        let total = details.package_counts.get(at).copied().flatten();
        let any = total.is_some() || !packages.is_empty();
        any.then_some(Dependencies { manifest_sha256: None, packages, total })
    };
    targets.iter().enumerate().map(|(at, target)| of_catalog(target).or_else(|| of_figure(at))).collect()
}

fn tags<'a>(paper: &Paper<'a>) -> Vec<&'a str> {
    let own = paper.saved.document.plot.options.get("tags").and_then(Value::as_array);
    let own = own.into_iter().flatten().filter_map(Value::as_str);
    own.chain(paper.view.iter().flat_map(|view| view.tags.iter().map(String::as_str))).collect()
}
