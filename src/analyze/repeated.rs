//! Bundles of a source that claim to be the same run, and ends of runs that are no time.

use std::collections::BTreeMap;

use crate::analyze::catalog::Catalog;
use crate::analyze::instant::Instant;
use crate::error::{Place, Problem, Problems};
use crate::evidence::{GroupKey, Run, Sample};

/// The manifest of a run, as a place.
fn manifest(run: &Run) -> Place {
    let folder = if run.path == "." { String::new() } else { format!("{}/", run.path) };
    Place::file(format!("{folder}manifest.json"))
}

/// Notes the runs whose recorded end cannot be compared: they count as the oldest.
pub(super) fn note_ends(catalog: &Catalog<'_>, problems: &mut Problems) {
    for run in catalog.best_first.iter().map(|&run| &catalog.evidence.runs[run]) {
        let Some(text) = run.finished_at.as_deref().filter(|text| !text.is_empty()) else { continue };
        if Instant::parse(text).is_none() {
            let message = format!("`{text}` is not a time, so the run counts as the oldest of its state");
            problems.push(
                Problem::note(manifest(run).field("finished_at"), message)
                    .remedy("write it as YYYY-MM-DDThh:mm:ss, in UTC or with a zone"),
            );
        }
    }
}

/// What one row of a run is about, by names instead of positions.
type RowKey<'a> = (&'a str, GroupKey);

fn rows(run: &Run) -> BTreeMap<RowKey<'_>, &[Sample]> {
    run.groups
        .iter()
        .filter_map(|group| {
            let definition = run.definitions.get(group.key.definition as usize)?;
            let key = (&*definition.id, GroupKey { definition: 0, ..group.key.clone() });
            Some((key, group.samples.as_slice()))
        })
        .collect()
}

/// Names the bundles that claim to be the same attempt of the same run as a better one.
pub(super) fn note_same_runs(catalog: &Catalog<'_>, problems: &mut Problems) {
    let mut first: BTreeMap<(&str, &str), &Run> = BTreeMap::new();
    for run in catalog.best_first.iter().map(|&run| &catalog.evidence.runs[run]) {
        let key = (run.run_id.as_str(), run.attempt_id.as_str());
        let Some(counts) = first.get(&key) else {
            first.insert(key, run);
            continue;
        };
        let (a, b) = (rows(counts), rows(run));
        let (one, other) = (&counts.path, &run.path);
        let id = &run.run_id;
        let contradict = a.iter().any(|(key, samples)| b.get(key).is_some_and(|other| other != samples));
        problems.push(if contradict {
            let message = format!(
                "{one} and {other} both claim to be run {id}, but their samples differ; {one} counts where both have a value"
            );
            Problem::warning(manifest(run).field("run_id"), message)
                .remedy("remove one of the two, or give it a run id of its own")
        } else if a == b {
            let message = format!("{other} is a copy of {one}: the same run {id} with the same samples; {one} counts");
            Problem::note(manifest(run).field("run_id"), message)
        } else {
            let message = format!(
                "{one} and {other} both claim to be run {id} and hold different parts of it; {one} counts where both have a value"
            );
            Problem::note(manifest(run).field("run_id"), message)
        });
    }
}
