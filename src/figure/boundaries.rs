//! Rules between targets, strips of dependencies under them, and what changed from one target to the next.

use std::collections::BTreeMap;

use super::chart::{Boundary, Column, Label, Ribbon, Span};
use super::names;
use crate::analyze::order::Version;
use crate::evidence::plot::DependencyRow;

/// With more rules than this only those of kinds, dependencies and major versions are drawn; with more of
/// those, only the newest.
const MOST: usize = 24;

/// A minor series with two or more releases that stand together: first column, column after the last, name.
pub fn patch_bands(columns: &[Column]) -> Vec<(usize, usize, String)> {
    bands(&series(columns))
}

/// The minor series of each column: major and minor number of a release that is a version.
fn series(columns: &[Column]) -> Vec<Option<(u64, u64)>> {
    let of = |column: &Column| {
        let release = (column.kind == "release").then_some(&column.label)?;
        Version::parse(release).map(|version| (version.major, version.minor))
    };
    columns.iter().map(of).collect()
}

fn bands(series: &[Option<(u64, u64)>]) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    let mut from = 0;
    for together in series.chunk_by(|before, after| before == after) {
        let until = from + together.len();
        if let (Some((major, minor)), 2..) = (together[0], together.len()) {
            found.push((from, until, format!("{major}.{minor}")));
        }
        from = until;
    }
    found
}

/// Whether two dependency versions differ in their major number.
pub fn major_change(before: &str, after: &str) -> bool {
    match (Version::parse(before), Version::parse(after)) {
        (Some(before), Some(after)) => before.major != after.major,
        _ => false,
    }
}

/// Dependencies whose recorded version differs between a column and the one before it:
/// name, version before, version after.
pub fn changes(rows: &[DependencyRow], column: usize) -> impl Iterator<Item = (&str, &str, &str)> {
    let before = column.checked_sub(1);
    rows.iter().filter_map(move |row| {
        let before = row.versions.get(before?)?.as_deref()?;
        let after = row.versions.get(column)?.as_deref()?;
        (before != after).then_some((row.name.as_str(), before, after))
    })
}

/// What a rule is for; later ones win the label when several meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    BandEnd,
    Band,
    Major,
    Kind,
    Dependency,
}

struct Rule {
    reason: Reason,
    label: Option<(String, Option<usize>)>,
    strong: bool,
}

/// All rules, in order.
pub fn boundaries(columns: &[Column], dependencies: &[DependencyRow]) -> Vec<Boundary> {
    let mut rules: BTreeMap<usize, Rule> = BTreeMap::new();
    let mut add = |before: usize, reason: Reason, label: Option<(String, Option<usize>)>| {
        let rule = rules.entry(before).or_insert(Rule { reason, label: None, strong: false });
        if label.is_some() && (rule.label.is_none() || reason >= rule.reason) {
            rule.label = label;
        }
        rule.reason = rule.reason.max(reason);
    };
    let series = series(columns);
    for (from, until, series) in bands(&series) {
        // A band over the whole figure separates nothing.
        if from > 0 || until < columns.len() {
            add(from, Reason::Band, Some((format!("{series} patches"), Some(until))));
            if until < columns.len() {
                add(until, Reason::BandEnd, None);
            }
        }
    }
    for at in 1..columns.len() {
        let (before, after) = (&columns[at - 1], &columns[at]);
        if before.kind == "release" && after.kind != "release" {
            let rest = &columns[at..];
            let same = rest.iter().all(|column| column.kind == after.kind);
            let text = if same { names::target(&after.kind).0 } else { "not releases" };
            let text = if same && text == "target" { after.kind.clone() } else { text.to_owned() };
            add(at, Reason::Kind, Some((text, Some(columns.len()))));
        } else if let (Some((former, _)), Some((major, minor))) = (series[at - 1], series[at])
            && former != major
        {
            add(at, Reason::Major, Some((format!("{major}.{minor}"), None)));
        }
        let mut major = changes(dependencies, at).filter(|(_, from, to)| major_change(from, to));
        if let Some((name, from, to)) = major.next() {
            let others = match major.count() {
                0 => String::new(),
                count => format!(" and {} more", crate::text::list::words(count)),
            };
            add(at, Reason::Dependency, Some((format!("{name} {from} → {to}{others}"), None)));
        }
    }
    if let Some(newest) = rules.values_mut().rev().find(|rule| rule.reason == Reason::Dependency) {
        newest.strong = true;
    }
    if rules.len() > MOST {
        rules.retain(|_, rule| rule.reason >= Reason::Major);
    }
    if rules.len() > MOST {
        rules.retain(|_, rule| rule.reason == Reason::Kind || rule.strong);
    }
    let starts: Vec<usize> = rules.keys().copied().collect();
    rules
        .into_iter()
        .enumerate()
        .map(|(position, (before, rule))| Boundary {
            before,
            label: rule.label.map(|(text, band)| {
                let next = starts.get(position + 1).copied().unwrap_or(columns.len());
                Label { text, until: band.unwrap_or(next), centred: band.is_some() }
            }),
            strong: rule.strong,
        })
        .collect()
}

/// Strips of the dependencies, each cut where its version changes.
pub fn ribbons(columns: &[Column], dependencies: &[DependencyRow]) -> Vec<Ribbon> {
    let strip = |row: &DependencyRow| {
        let version = |at: usize| row.versions.get(at).cloned().flatten();
        let mut spans: Vec<Span> = Vec::new();
        for at in 0..columns.len() {
            match spans.last_mut() {
                Some(span) if span.text == version(at) => span.to = at + 1,
                _ => spans.push(Span { from: at, to: at + 1, text: version(at), newest: false }),
            }
        }
        if let Some(last) = spans.last_mut() {
            last.newest = last.text.is_some() && last.from > 0 && last.to - last.from == 1;
        }
        Ribbon { name: row.name.clone(), spans }
    };
    let known = dependencies.iter().filter(|row| row.versions.iter().any(Option::is_some));
    known.map(strip).filter(|ribbon| !ribbon.spans.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(labels: &[&str]) -> Vec<Column> {
        let kind = |label: &str| if label.starts_with("dev") { "dev" } else { "release" };
        labels
            .iter()
            .map(|&label| Column { label: label.into(), date: None, kind: kind(label).into() })
            .collect()
    }

    fn row(name: &str, versions: &[&str]) -> DependencyRow {
        let versions = versions.iter().map(|&version| (!version.is_empty()).then(|| version.to_owned()));
        DependencyRow { name: name.into(), versions: versions.collect() }
    }

    fn texts(found: &[Boundary]) -> Vec<(usize, &str, bool)> {
        found
            .iter()
            .map(|rule| {
                (rule.before, rule.label.as_ref().map_or("", |label| label.text.as_str()), rule.strong)
            })
            .collect()
    }

    #[test]
    fn bands_dependencies_and_kinds() {
        let columns = columns(&["1.8.0", "1.10.0", "1.10.1", "1.11.0", "dev@1.12.0"]);
        let rows = [
            row("Http", &["0.9.17", "1.11.0", "1.11.0", "2.6.7", "2.6.7"]),
            row("Data", &["0.18.1", "0.19.0", "", "", ""]),
        ];
        let found = boundaries(&columns, &rows);
        assert_eq!(
            texts(&found),
            [
                (1, "Http 0.9.17 → 1.11.0", false),
                (3, "Http 1.11.0 → 2.6.7", true),
                (4, "development version", false)
            ]
        );
        let plain = boundaries(&columns, &[]);
        assert_eq!(
            texts(&plain),
            [(1, "1.10 patches", false), (3, "", false), (4, "development version", false)]
        );
        assert_eq!(plain[0].label.as_ref().map(|label| (label.until, label.centred)), Some((3, true)));
    }

    #[test]
    fn own_major_versions_have_a_rule() {
        assert_eq!(texts(&boundaries(&columns(&["1.9.0", "2.0.0", "2.1.0"]), &[])), [(1, "2.0", false)]);
    }

    #[test]
    fn a_band_over_everything_separates_nothing() {
        assert!(boundaries(&columns(&["1.10.0", "1.10.1"]), &[]).is_empty());
    }

    #[test]
    fn many_series_do_not_fill_the_figure_with_rules() {
        let labels: Vec<String> = (0..200).map(|at| format!("1.{}.{}", at / 2, at % 2)).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        assert!(boundaries(&columns(&labels), &[]).len() <= MOST);
    }

    #[test]
    fn ribbons_mark_what_only_the_newest_has() {
        let columns = columns(&["1.0.0", "1.1.0", "1.2.0"]);
        let found = ribbons(
            &columns,
            &[row("Http", &["1.0", "1.0", "2.0"]), row("Gap", &["", "1.0"]), row("None", &[])],
        );
        assert_eq!(found.len(), 2);
        let spans: Vec<_> = found[0].spans.iter().map(|span| (span.from, span.to, span.newest)).collect();
        assert_eq!(spans, [(0, 2, false), (2, 3, true)]);
        assert_eq!(found[1].spans.len(), 3);
    }
}
