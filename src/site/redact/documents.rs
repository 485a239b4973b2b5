//! Masks the texts of saved plots, of catalogues and of comparisons of collectors.

use std::collections::BTreeSet;

use crate::evidence::catalog::{Check, ComparisonRecord, Named, View};
use crate::evidence::plot::{DependencyRow, Details, Plot, PlotDocument};
use crate::evidence::{SavedCatalog, SavedComparison, SavedPlot};
use crate::text::redact::Kind;

use super::masker::recorded_names;
use super::runs::{dependencies, release_date};
use super::{Masker, Secrets};

/// Masks one saved plot, and notes what was masked. Gives the host and user names that it holds.
pub(super) fn plot(saved: &mut SavedPlot, found: &mut BTreeSet<(String, String)>) -> Secrets {
    let SavedPlot { path, document: own, text } = saved;
    let (secrets, kinds) = document(own);
    if !kinds.is_empty() {
        *text = None;
    }
    found.extend(kinds.into_iter().map(|kind| (path.clone(), kind.word().to_owned())));
    secrets
}

/// Masks one document. Gives the host and user names that it holds, and what was masked.
pub(super) fn document(document: &mut PlotDocument) -> (Secrets, BTreeSet<Kind>) {
    let PlotDocument {
        plot,
        run_id,
        started_at,
        runtime,
        os,
        correctness,
        performance,
        scope,
        worker_environments,
        release_dates,
        release_date_kinds,
        date_kind,
        reference_scope,
        perfolio,
        extra,
    } = document;
    let mut secrets = Secrets::default();
    secrets.of_map(runtime);
    secrets.of_map(extra);
    secrets.of_map(&plot.options);
    for value in worker_environments.iter() {
        secrets.of_value(value);
    }
    for row in &plot.data {
        secrets.of_fields(row.iter());
    }
    let mut mask = Masker::new(&secrets);

    let names = recorded_names(&plot.options);
    drawing(plot, &names, &mut mask);
    mask.map(runtime);
    mask.map(extra);
    for value in worker_environments {
        mask.value(value);
    }
    for text in [run_id, correctness, performance, scope, reference_scope, date_kind] {
        mask.text(text);
    }
    mask.text(release_date_kinds);
    mask.words(release_dates);
    mask.words(started_at);
    mask.words(os);
    if let Some(one) = perfolio {
        details(one, &names, &mut mask);
    }
    let kinds = mask.kinds;
    (secrets, kinds)
}

fn drawing(plot: &mut Plot, names: &[String], mask: &mut Masker<'_>) {
    let Plot { schema_version: _, id: _, kind: _, title, description, encoding, data, options } = plot;
    mask.around(title, names);
    mask.around(description, names);
    // Its values are names of fields.
    mask.keys(encoding);
    for value in encoding.values_mut() {
        mask.words(value);
    }
    mask.keep_names = true;
    mask.map(options);
    for row in data {
        mask.row(row);
    }
    mask.keep_names = false;
}

fn details(details: &mut Details, names: &[String], mask: &mut Masker<'_>) {
    let Details {
        feature_title,
        feature_titles,
        source_title,
        metric_titles,
        preferences: _,
        steps: _,
        main: _,
        shown: _,
        dates,
        target_kinds,
        targets: _,
        reasons,
        runs,
        metric_runs,
        dependencies,
        package_counts: _,
        statistic,
        scale,
        across_scale,
        part,
        variant,
        integrity,
    } = details;
    let titles = feature_titles.values_mut().chain(metric_titles.values_mut());
    feature_title.iter_mut().chain(titles).for_each(|title| mask.around(title, names));
    for text in [source_title, part, variant] {
        mask.text(text);
    }
    for word in [statistic, scale, across_scale, integrity] {
        mask.words(word);
    }
    mask.words(dates);
    mask.words(target_kinds);
    mask.text(reasons);
    mask.text(runs);
    mask.text(metric_runs);
    for DependencyRow { name: _, versions } in dependencies {
        mask.words(versions);
    }
}

/// Masks one catalogue, and notes what was masked.
pub(super) fn catalog(one: &mut SavedCatalog, mask: &mut Masker<'_>, found: &mut BTreeSet<(String, String)>) {
    let SavedCatalog {
        path,
        form: _,
        versions: _,
        checks,
        runtime,
        os,
        release_dates,
        environments,
        skipped,
        views,
    } = one;
    mask.map(runtime);
    mask.words(os);
    for Check { package: _, feature: _, workload: _, target: _, status, reason } in checks {
        mask.words(status);
        mask.text(reason);
    }
    for one in release_dates.values_mut() {
        release_date(one, mask);
    }
    for one in environments.values_mut() {
        dependencies(one, mask);
    }
    // The ids stay: documents are looked for by them.
    for (_, reason) in skipped {
        mask.text(reason);
    }
    for one in views {
        view(one, mask);
    }
    mask.note(path, found);
}

fn view(one: &mut View, mask: &mut Masker<'_>) {
    let View {
        id: _,
        kind: _,
        title,
        label,
        package: _,
        feature: _,
        workload: _,
        comparison_key: _,
        collector: _,
        series_id: _,
        tags,
        document,
        windows,
        drawings: _,
    } = one;
    mask.text(title);
    mask.text(label);
    mask.text(tags);
    for (label, _) in windows.iter_mut() {
        mask.words(label);
    }
    // Where files lie below the source.
    for Named { field: _, path: _ } in document.iter().chain(windows.iter().map(|(_, named)| named)) {}
}

/// Masks one comparison of collectors, and notes what was masked.
pub(super) fn comparison(
    one: &mut SavedComparison,
    mask: &mut Masker<'_>,
    found: &mut BTreeSet<(String, String)>,
) {
    let SavedComparison { path, target: _, family, correctness, scope, run_ids: _, records } = one;
    for text in [family, correctness, scope] {
        mask.text(text);
    }
    for record in records {
        let ComparisonRecord {
            workload: _,
            collector: _,
            metric: _,
            value: _,
            unit,
            derivation,
            source_metric: _,
            source_unit,
            samples: _,
            statistic,
            target: _,
        } = record;
        mask.text(derivation);
        mask.words(unit);
        mask.words(source_unit);
        mask.words(statistic);
    }
    mask.note(path, found);
}
