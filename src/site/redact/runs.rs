//! Masks the texts of runs.

use std::collections::BTreeSet;

use crate::evidence::run::{Moment, Probe, ReleaseDate, ResourcePolicy, SourceState};
use crate::evidence::{
    Definition, Dependencies, Diagnostic, Envelope, GroupKey, Package, PlannedRun, Qualification, Run,
    SampleGroup,
};

use super::{Masker, Secrets, join};

/// Masks one run, and notes what was masked in which of its files. Gives the host and user names that it holds.
pub(super) fn run(run: &mut Run, found: &mut BTreeSet<(String, String)>) -> Secrets {
    let Run {
        path,
        run_id: _,
        attempt_id: _,
        state: _,
        evidence,
        verdict,
        suite,
        profile,
        started_at,
        finished_at,
        runtime,
        environment,
        integrity: _,
        saved: _,
        unread: _,
        tags,
        warnings,
        release_dates,
        sources,
        planned,
        definitions,
        groups,
        diagnostics,
        qualifications,
    } = run;
    let mut secrets = Secrets::default();
    secrets.of_map(runtime);
    secrets.of_map(environment);
    for one in definitions.iter() {
        secrets.of_map(&one.extra);
    }
    let mut mask = Masker::new(&secrets);

    mask.map(runtime);
    mask.map(environment);
    mask.text(warnings);
    mask.text(tags);
    for word in [evidence, suite] {
        mask.words(word);
    }
    for word in [verdict, profile, started_at, finished_at] {
        mask.words(word);
    }
    for one in release_dates.values_mut() {
        release_date(one, &mut mask);
    }
    for one in sources {
        source(one, &mut mask);
    }
    for one in planned {
        plan(one, &mut mask);
    }
    for one in qualifications {
        qualification(one, &mut mask);
    }
    mask.note(&join(path, "manifest.json"), found);

    for one in definitions {
        definition(one, &mut mask);
    }
    mask.note(&join(path, "measurement-definitions.json"), found);

    for one in groups {
        group(one, &mut mask);
    }
    mask.note(&join(path, "observations.jsonl"), found);

    for one in diagnostics {
        diagnostic(one, &mut mask);
    }
    mask.note(&join(path, "diagnostics.jsonl"), found);
    secrets
}

/// Masks what is said of the date of a target.
pub(super) fn release_date(one: &mut ReleaseDate, mask: &mut Masker<'_>) {
    let ReleaseDate { date, kind } = one;
    mask.words(date);
    mask.text(kind);
}

fn source(one: &mut SourceState, mask: &mut Masker<'_>) {
    let SourceState { target: _, revision, requested_revision, branch, dirty: _, dirty_sha256, error } = one;
    for word in [revision, dirty_sha256] {
        mask.words(word);
    }
    for text in [requested_revision, branch, error] {
        mask.text(text);
    }
}

fn plan(one: &mut PlannedRun, mask: &mut Masker<'_>) {
    let PlannedRun {
        package: _,
        package_id: _,
        feature: _,
        workload: _,
        description,
        backend,
        target: _,
        kind,
        comparison_key: _,
        status,
        reason,
    } = one;
    mask.text(description);
    mask.text(reason);
    mask.words(backend);
    mask.words(kind);
    mask.words(status);
}

fn definition(one: &mut Definition, mask: &mut Masker<'_>) {
    let Definition {
        id: _,
        metric: _,
        unit,
        collector: _,
        sample_semantics,
        preference: _,
        warmup_policy,
        includes_compilation: _,
        includes_children: _,
        attribution_scope,
        extra,
    } = one;
    mask.words(unit);
    for text in [sample_semantics, warmup_policy, attribution_scope] {
        mask.text(text);
    }
    mask.map(extra);
}

fn group(one: &mut SampleGroup, mask: &mut Masker<'_>) {
    let SampleGroup { key, samples: _, parts: _ } = one;
    let GroupKey {
        case_id: _,
        package: _,
        feature: _,
        workload: _,
        target: _,
        kind,
        definition: _,
        base_key: _,
        aggregation,
        scope,
    } = key;
    mask.words(kind);
    mask.words(aggregation);
    mask.words(scope);
}

fn diagnostic(one: &mut Diagnostic, mask: &mut Masker<'_>) {
    let Diagnostic { case_id: _, target: _, rule, severity, message, status, envelope } = one;
    mask.text(message);
    mask.words(rule);
    mask.words(severity);
    mask.words(status);
    let Some(Envelope { elapsed_seconds: _, external_requested: _, moments }) = envelope else { return };
    for Moment { name, provider, status, message, bytes } in moments {
        mask.words(name);
        mask.text(message);
        mask.words(provider);
        mask.words(status);
        names(bytes, mask);
    }
}

fn qualification(one: &mut Qualification, mask: &mut Masker<'_>) {
    let Qualification {
        case_id: _,
        target: _,
        verdict,
        correctness,
        correctness_message,
        dependencies: resolved,
        probes,
        performance,
        performance_message,
        state_policy,
        resources,
    } = one;
    for word in [verdict, correctness, performance, state_policy] {
        mask.words(word);
    }
    mask.text(correctness_message);
    mask.text(performance_message);
    if let Some(one) = resolved {
        dependencies(one, mask);
    }
    for Probe { id, category, blocking: _, status, message } in probes {
        mask.words(id);
        mask.words(category);
        mask.words(status);
        mask.text(message);
    }
    let Some(policy) = resources else { return };
    let ResourcePolicy { status, message, limits, observed, violations, unavailable } = policy;
    mask.words(status);
    mask.text(message);
    names(limits, mask);
    names(observed, mask);
    mask.text(violations);
    mask.words(unavailable);
}

/// Masks what is said of the packages of a target; their names stay.
pub(super) fn dependencies(one: &mut Dependencies, mask: &mut Masker<'_>) {
    let Dependencies { manifest_sha256, packages, total: _ } = one;
    mask.words(manifest_sha256);
    for Package { name: _, version, tree } in packages {
        mask.words(version);
        mask.words(tree);
    }
}

/// Masks what quantities are called.
fn names<T>(quantities: &mut [(String, T)], mask: &mut Masker<'_>) {
    for (name, _) in quantities {
        mask.words(name);
    }
}
