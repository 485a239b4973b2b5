//! What changed in the resolved dependencies between neighbouring targets of a workload.

use crate::analyze::Group;
use crate::analyze::dependencies::{Difference, difference};
use crate::evidence::Dependencies;
use crate::text::list;
use crate::theme::view::{self, DependencyChange, Span};

use super::load::LoadedSource;
use super::workloads::{Gallery, Workload};

/// Most packages that one difference writes out.
const WRITTEN: usize = 12;

/// The differences of the first case that has manifests; none when no case has.
pub(super) fn of_workload(
    source: &LoadedSource,
    gallery: &Gallery,
    workload: &Workload,
) -> Option<view::Dependencies> {
    workload.sets.iter().map(|&set| &source.series.groups[gallery.sets[set].group]).find_map(of_group)
}

fn of_group(group: &Group) -> Option<view::Dependencies> {
    let recorded: Vec<(&str, &Dependencies)> = group
        .targets
        .iter()
        .zip(&group.dependencies)
        .filter_map(|(target, dependencies)| dependencies.as_ref().map(|found| (&*target.label, found)))
        .collect();
    if recorded.len() < 2 {
        return None;
    }
    let mut changes: Vec<(bool, DependencyChange)> = recorded
        .windows(2)
        .filter_map(|pair| {
            let found = difference(pair[0].1, pair[1].1);
            let says = says(&found, group.package.as_deref());
            (!says.is_empty()).then(|| {
                let step = format!("{} → {}", pair[0].0, pair[1].0);
                (says.iter().any(|span| span.strong), DependencyChange { step, says })
            })
        })
        .rev()
        .collect();
    // The newest difference stands open, and with it a newest major one when that is another.
    let major = changes.iter().position(|(strong, _)| *strong);
    let opened = (!changes.is_empty()).then_some(0).into_iter().chain(major.filter(|at| *at > 0));
    let mut opened: Vec<usize> = opened.collect();
    opened.reverse();
    let mut first: Vec<DependencyChange> = opened.into_iter().map(|at| changes.remove(at).1).collect();
    first.reverse();
    let rest: Vec<DependencyChange> = changes.into_iter().map(|(_, change)| change).collect();
    if first.is_empty() {
        first.push(DependencyChange {
            step: format!("{} → {}", recorded[0].0, recorded[recorded.len() - 1].0),
            says: vec![Span::plain("no difference between neighbouring targets is known")],
        });
    }
    Some(view::Dependencies {
        heading: "Dependencies between neighbouring targets".to_owned(),
        first,
        rest_summary: match rest.len() {
            0 => String::new(),
            1 => "1 other difference".to_owned(),
            more => format!("{more} other differences"),
        },
        rest,
        known: known(&recorded),
    })
}

/// The difference in words; empty when nothing is known to have changed.
fn says(found: &Difference, package: Option<&str>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut say = |text: String, strong: bool| {
        if !spans.is_empty() {
            spans.push(Span::plain(", "));
        }
        spans.push(Span { text, strong });
    };
    // The package itself changes with every target; that is not news.
    let changed: Vec<_> = found.changed.iter().filter(|one| Some(one.name.as_str()) != package).collect();
    for one in changed.iter().take(WRITTEN) {
        say(format!("{} {} → {}", one.name, one.from, one.to), one.major);
    }
    let versioned = |(name, version): &(String, String)| {
        if version.is_empty() { name.clone() } else { format!("{name} {version}") }
    };
    for (verb, packages) in [("added", &found.added), ("removed", &found.removed)] {
        if !packages.is_empty() {
            let names: Vec<String> = packages.iter().take(WRITTEN).map(versioned).collect();
            let more = packages.len().saturating_sub(WRITTEN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            say(format!("{verb} {}{more}", list::and(&names)), false);
        }
    }
    if changed.len() > WRITTEN {
        say(format!("{} more changed", changed.len() - WRITTEN), false);
    }
    if let (Some(from), Some(to)) = found.counts
        && from != to
    {
        say(format!("{from} → {to} packages"), false);
    }
    spans
}

/// How much of the newest manifest is known; empty when all of it is.
fn known(recorded: &[(&str, &Dependencies)]) -> String {
    let Some((label, newest)) = recorded.last() else { return String::new() };
    let named = newest.packages.len() as u64;
    match newest.total {
        Some(total) if total > named => format!(
            "The evidence names {named} of the {total} packages at {label}; differences among the other {} are not known.",
            total - named
        ),
        None if named > 0 => {
            format!("The evidence names {named} packages at {label}; how many there are is not recorded.")
        }
        None => format!("No package list was recorded at {label}; only digests of manifests are known."),
        Some(_) => String::new(),
    }
}
