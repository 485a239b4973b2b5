//! What a whole source says about its targets, runs and plans, indexed once for all groups.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::instant::Instant;
use crate::analyze::{Target, order};
use crate::config::Config;
use crate::error::{Place, Problem, Problems};
use crate::evidence::{
    Dependencies, Diagnostic, Integrity, Name, PlannedRun, Run, SourceEvidence, TargetKind,
};

/// Indexes over the runs of one source.
pub(super) struct Catalog<'a> {
    pub(super) evidence: &'a SourceEvidence,
    pub(super) config: &'a Config,
    /// Positions of the believed runs: complete before partial before failed, newest first.
    pub(super) best_first: Vec<usize>,
    /// Former feature name → present name.
    aliases: BTreeMap<&'a str, Name>,
    /// Labels in the order in which the source names them, hidden ones left out, with their kinds.
    given: Vec<(Name, TargetKind)>,
    planned: BTreeMap<Name, Vec<(usize, &'a PlannedRun)>>,
    diagnostics: BTreeMap<(usize, &'a str), Vec<&'a Diagnostic>>,
    dependencies: BTreeMap<(usize, &'a str, &'a str), &'a Dependencies>,
    workloads: BTreeMap<(&'a str, &'a str), &'a Name>,
}

impl<'a> Catalog<'a> {
    pub(super) fn new(evidence: &'a SourceEvidence, config: &'a Config) -> Self {
        let mut best_first: Vec<usize> = (0..evidence.runs.len())
            .filter(|&run| evidence.runs[run].integrity != Integrity::Failed)
            .collect();
        best_first.sort_by(|&a, &b| {
            let (a, b) = (&evidence.runs[a], &evidence.runs[b]);
            let end = |run: &Run| run.finished_at.as_deref().and_then(Instant::parse);
            // A run without an end counts as the oldest; of copies of one run the first path counts.
            a.state
                .cmp(&b.state)
                .then_with(|| end(b).cmp(&end(a)))
                .then_with(|| (&b.run_id, &b.attempt_id).cmp(&(&a.run_id, &a.attempt_id)))
                .then_with(|| a.path.cmp(&b.path))
        });
        let aliases = config.aliases().into_iter().map(|(old, new)| (old, Name::from(new))).collect();
        let mut catalog = Self {
            evidence,
            config,
            best_first,
            aliases,
            given: Vec::new(),
            planned: BTreeMap::new(),
            diagnostics: BTreeMap::new(),
            dependencies: BTreeMap::new(),
            workloads: BTreeMap::new(),
        };
        for at in 0..catalog.best_first.len() {
            catalog.index(catalog.best_first[at]);
        }
        catalog.name_targets();
        catalog
    }

    fn index(&mut self, run: usize) {
        let source = &self.evidence.runs[run];
        for planned in &source.planned {
            let feature = self.present(&planned.feature);
            self.planned.entry(feature).or_default().push((run, planned));
            if let Some(workload) = &planned.workload {
                self.workloads.entry((&planned.package, &planned.feature)).or_insert(workload);
            }
        }
        for diagnostic in source.diagnostics.iter().filter(|found| !found.rule.starts_with("resource.")) {
            self.diagnostics.entry((run, &diagnostic.case_id)).or_default().push(diagnostic);
        }
        for found in &source.qualifications {
            if let Some(dependencies) = &found.dependencies {
                self.dependencies.insert((run, &found.case_id, &found.target), dependencies);
            }
        }
    }

    /// Collects the labels in the order in which runs name them (plans first) and decides their kinds: as
    /// recorded by the best run that records one, else by the form of the label.
    fn name_targets(&mut self) {
        let mut place: BTreeMap<&str, usize> = BTreeMap::new();
        let mut list: Vec<(Name, Option<TargetKind>)> = Vec::new();
        let believed: BTreeSet<usize> = self.best_first.iter().copied().collect();
        let runs = || believed.iter().map(|&run| &self.evidence.runs[run]);
        let labels = runs().flat_map(|run| {
            run.planned
                .iter()
                .map(|planned| &planned.target)
                .chain(run.groups.iter().map(|group| &group.key.target))
        });
        for label in labels {
            let hidden = self.config.target(label).is_some_and(|target| target.hidden);
            if !hidden && !place.contains_key(&**label) {
                place.insert(label, list.len());
                list.push((label.clone(), None));
            }
        }
        for run in self.best_first.iter().map(|&run| &self.evidence.runs[run]) {
            let rows =
                run.groups.iter().filter_map(|group| Some((&group.key.target, group.key.kind.as_ref()?)));
            let plans = run.planned.iter().map(|planned| (&planned.target, &planned.kind));
            for (label, kind) in rows.chain(plans) {
                if let Some(&at) = place.get(&**label) {
                    list[at].1.get_or_insert_with(|| kind.clone());
                }
            }
        }
        self.given = list
            .into_iter()
            .map(|(label, kind)| {
                let kind = kind.unwrap_or_else(|| kind_by_label(&label));
                (label, kind)
            })
            .collect();
    }

    /// The present name of a feature.
    pub(super) fn present(&self, feature: &Name) -> Name {
        self.aliases.get(&**feature).unwrap_or(feature).clone()
    }

    /// The workload of a feature: as recorded by the row, else by the plan, else by the configuration, else
    /// the feature itself. A recorded workload equal to the feature names none: it is what writers fill in.
    pub(super) fn workload(&self, package: Option<&Name>, feature: &Name, recorded: Option<&Name>) -> Name {
        let planned = || package.and_then(|package| self.workloads.get(&(&**package, &**feature)).copied());
        let present = self.present(feature);
        let named = |workload: &&Name| **workload != *feature;
        if let Some(workload) = recorded.or_else(planned).filter(named) {
            return workload.clone();
        }
        self.config.feature(&present).workload.map_or(present, Name::from)
    }

    /// The planned runs of a feature, best run first.
    pub(super) fn planned(&self, package: Option<&Name>, feature: &Name) -> Vec<(usize, &'a PlannedRun)> {
        let all = self.planned.get(feature).map(Vec::as_slice).unwrap_or_default();
        all.iter()
            .filter(|(_, planned)| package.is_none_or(|package| planned.package == *package))
            .copied()
            .collect()
    }

    /// Every planned feature with the packages that planned it.
    pub(super) fn planned_features(&self) -> impl Iterator<Item = (&Name, &[(usize, &'a PlannedRun)])> {
        self.planned.iter().map(|(feature, list)| (feature, list.as_slice()))
    }

    /// The targets that `belongs` picks, in order, with dates from the configuration, else from the first of
    /// `runs` that has one.
    pub(super) fn targets(&self, belongs: impl Fn(&str) -> bool, runs: &[usize]) -> Vec<Target> {
        let picked = self.given.iter().filter(|(label, _)| belongs(label));
        let mut targets: Vec<Target> = picked
            .map(|(label, kind)| {
                let configured =
                    self.config.target(label).and_then(|target| target.date).and_then(|date| date.date);
                let recorded =
                    runs.iter().find_map(|&run| self.evidence.runs[run].release_dates.get(&**label));
                let (date, date_kind) = match (configured, recorded) {
                    (Some(date), _) => (Some(date.to_string()), None),
                    (None, Some(date)) => (Some(date.date.clone()), date.kind.clone()),
                    (None, None) => (None, None),
                };
                Target { label: label.clone(), kind: kind.clone(), date, date_kind }
            })
            .collect();
        order::arrange(&mut targets);
        targets
    }

    /// Why a target has no value in a group, in words; `plans` are the runs that planned it, best first,
    /// `cases` the case ids of the feature per run.
    pub(super) fn reason(
        &self,
        label: &str,
        plans: &[(usize, &PlannedRun)],
        cases: &BTreeSet<(usize, String)>,
    ) -> String {
        let plans = || plans.iter().filter(|(_, planned)| *planned.target == *label);
        if let Some((_, planned)) = plans().next().filter(|(_, planned)| planned.status == "unavailable") {
            let reason = first_line(&planned.reason);
            return if reason.is_empty() { format!("not defined for {label}") } else { reason.to_owned() };
        }
        for &run in &self.best_first {
            let of_run = cases.range((run, String::new())..(run + 1, String::new()));
            let found = of_run
                .filter_map(|(run, case)| self.diagnostics.get(&(*run, case.as_str())))
                .flatten()
                .find(|found| found.target.as_deref().is_none_or(|target| target == label));
            if let Some(found) = found {
                return said(found);
            }
        }
        match plans().next() {
            Some(&(run, _)) if self.evidence.runs[run].unread => "no observation was read".to_owned(),
            Some(&(run, _)) if self.evidence.runs[run].state == crate::evidence::RunState::Complete => {
                "no value recorded".to_owned()
            }
            _ => "not run".to_owned(),
        }
    }

    /// The resolved dependencies of a target, from the first of `runs` that has them.
    pub(super) fn dependencies(
        &self,
        label: &str,
        runs: impl IntoIterator<Item = usize>,
        cases: &BTreeSet<(usize, String)>,
    ) -> Option<Dependencies> {
        runs.into_iter()
            .find_map(|run| {
                let mut of_run = cases.range((run, String::new())..(run + 1, String::new()));
                of_run.find_map(|(run, case)| self.dependencies.get(&(*run, case.as_str(), label)))
            })
            .map(|found| (*found).clone())
    }
}

/// The case id that a suite gives a planned run (PerfChecker formats §2.7).
pub(super) fn case_id(suite: &str, planned: &PlannedRun) -> String {
    format!("{suite}/{}/{}", planned.package_id, planned.feature)
}

/// What a label says about its kind when nothing recorded it.
pub(super) fn kind_by_label(label: &str) -> TargetKind {
    if label.starts_with("dev@") {
        TargetKind::Dev
    } else if order::Version::parse(label).is_some() {
        TargetKind::Release
    } else {
        TargetKind::Candidate
    }
}

fn first_line(text: &str) -> &str {
    text.trim().lines().next().unwrap_or_default().trim_end()
}

/// The words of a diagnostic: those of an unavailable feature as recorded, others after their status.
fn said(found: &Diagnostic) -> String {
    let status =
        found.status.as_deref().unwrap_or_else(|| found.rule.rsplit('.').next().unwrap_or(&found.rule));
    match (status, first_line(&found.message)) {
        (status, "") => status.to_owned(),
        ("unavailable", message) => message.to_owned(),
        (status, message) => format!("{status}: {message}"),
    }
}

/// Notes about the order of targets.
pub(super) fn note_undated(targets: &[Target], problems: &mut Problems) {
    let labels: Vec<&str> = order::undated(targets).map(|target| &*target.label).collect();
    if !labels.is_empty() {
        let message = format!(
            "no date is known for {}; commits and branches without a date stand last, in the order given",
            crate::text::list::and(&labels)
        );
        problems
            .push(Problem::note(Place::default(), message).remedy("give them a `date` under `[[target]]`"));
    }
}
