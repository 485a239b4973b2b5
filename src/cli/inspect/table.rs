//! The report for people: one line per run, one per series.

use std::fmt::Write;

use crate::evidence::SavedPlot;
use crate::site::load::Loaded;

use super::super::terminal::printable;
use super::report::{Findings, NumberRow, PointRow, ProfileRow, Record, Report, SeriesRows};

/// Most numbers of a record that stand in its line; all stand in the JSON.
const NUMBERS: usize = 4;

/// The report as text, with the saved plots of the sources that it is about.
pub(super) fn text(report: &Report, loaded: &Loaded) -> String {
    let mut out = String::new();
    for (source, read) in report.sources.iter().zip(&loaded.sources) {
        line(&mut out, &format!("source {}  {}  {} files", source.id, source.path, source.files.len()));
        let runs: Vec<_> = report.runs.iter().filter(|run| run.source == source.id).collect();
        let rows = runs
            .iter()
            .map(|run| {
                vec![
                    run.path.clone(),
                    run.run_id.clone(),
                    run.state.to_owned(),
                    run.evidence.clone(),
                    run.integrity.to_owned(),
                ]
            })
            .collect();
        columns(&mut out, &["run", "id", "state", "evidence", "integrity"], rows);
        let series: Vec<_> = report.series.iter().filter(|series| series.source == source.id).collect();
        let rows = series.iter().map(|series| row(series)).collect();
        columns(
            &mut out,
            &["feature", "collector", "metric", "unit", "values", "statistic", "lowest", "latest", "ratio"],
            rows,
        );
        let profiles = report.profiles.iter().filter(|profile| profile.source == source.id);
        let head = [
            "profile",
            "feature",
            "target",
            "tool",
            "metric",
            "unit",
            "total",
            "stacks",
            "sites",
            "costliest",
        ];
        columns(&mut out, &head, profiles.map(profile).collect());
        let records = report.records.iter().filter(|one| one.source == source.id).map(record).collect();
        columns(&mut out, &["record", "tool", "status", "target", "numbers"], records);
        let findings = report.findings.iter().filter(|one| one.source == source.id).map(findings).collect();
        columns(&mut out, &["findings", "tool", "version", "status", "target", "count"], findings);
        columns(&mut out, &["plot", "kind", "id", "rows"], read.evidence.plots.iter().map(plot).collect());
    }
    out
}

fn profile(profile: &ProfileRow) -> Vec<String> {
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    let costliest = profile.top.first().map(|cost| {
        let place = cost.function.as_ref().or(cost.file.as_ref());
        format!("{} {}", cost.own, place.map_or("", String::as_str))
    });
    vec![
        profile.path.clone(),
        name(&profile.feature),
        name(&profile.target),
        profile.tool.clone(),
        profile.metric.clone(),
        profile.unit.clone(),
        profile.total.to_string(),
        profile.stacks.to_string(),
        profile.sites.to_string(),
        costliest.unwrap_or_default(),
    ]
}

fn plot(saved: &SavedPlot) -> Vec<String> {
    let plot = &saved.document.plot;
    vec![saved.path.clone(), plot.kind.clone(), plot.id.clone(), plot.data.len().to_string()]
}

fn record(record: &Record) -> Vec<String> {
    let number = |one: &NumberRow| match one.unit.as_str() {
        "" | "1" => format!("{} {}", one.name, one.value),
        unit => format!("{} {} {unit}", one.name, one.value),
    };
    let mut numbers: Vec<String> = record.numbers.iter().take(NUMBERS).map(number).collect();
    if record.numbers.len() > NUMBERS {
        numbers.push(format!("{} more", record.numbers.len() - NUMBERS));
    }
    vec![
        record.path.clone(),
        record.tool.clone(),
        record.status.to_owned(),
        record.target.clone().unwrap_or_default(),
        numbers.join(", "),
    ]
}

fn findings(findings: &Findings) -> Vec<String> {
    vec![
        findings.path.clone(),
        findings.tool.clone(),
        findings.tool_version.clone().unwrap_or_default(),
        findings.status.to_owned(),
        findings.target.clone().unwrap_or_default(),
        findings.count.map_or_else(|| "not known".to_owned(), |count| count.to_string()),
    ]
}

fn row(series: &SeriesRows) -> Vec<String> {
    let known: Vec<&PointRow> = series.points.iter().filter(|point| point.value.is_some()).collect();
    let at = |point: Option<&&PointRow>| {
        point
            .and_then(|point| point.value.map(|value| format!("{value} @{}", point.target)))
            .unwrap_or_default()
    };
    let last = known.last();
    let feature = match &series.variant {
        Some(variant) => format!("{} ({variant})", series.feature),
        None => series.feature.clone(),
    };
    vec![
        feature,
        series.collector.clone(),
        series.metric.clone(),
        series.unit.clone(),
        format!("{}/{}", known.len(), series.points.len()),
        series.points.first().map(|point| point.statistic.clone()).unwrap_or_default(),
        at(known.iter().min_by_key(|point| point.value)),
        at(last),
        last.and_then(|point| point.ratio).map(|ratio| format!("{ratio:.3}")).unwrap_or_default(),
    ]
}

fn line(out: &mut String, text: &str) {
    out.push_str(&printable(text));
    out.push('\n');
}

/// Left-aligned columns under a head, with a blank line after them.
fn columns(out: &mut String, head: &[&str], rows: Vec<Vec<String>>) {
    if rows.is_empty() {
        return;
    }
    let head: Vec<String> = head.iter().map(|&name| name.to_owned()).collect();
    let rows: Vec<Vec<String>> = std::iter::once(head)
        .chain(rows)
        .map(|row| row.iter().map(|cell| printable(cell)).collect())
        .collect();
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0))
        .collect();
    for row in &rows {
        let mut text = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(text, "  {cell:<width$}");
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out.push('\n');
}
