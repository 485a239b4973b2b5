//! The page of the profiles of one feature at one target, and the lists that lead there.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::error::Result;
use crate::evidence::Run;
use crate::text::list;
use crate::theme::view::{self, Fact, Link, ProfileRow, Profiles, Tone};

use super::blocks::{Blocks, ById};
use super::captures::{Capture, Home};
use super::facts;
use super::figures::Ready;
use super::load::LoadedSource;
use super::plan::link;
use super::workloads::Gallery;

/// What stands in place of a target.
const NO_TARGET: &str = "no recorded target";

/// Makes the figures of a capture ready.
///
/// # Errors
/// A figure cannot be drawn.
pub(super) fn figures(capture: &Capture) -> Result<ById<'_>> {
    let all: Vec<_> = capture.figures().collect();
    all.into_par_iter().map(|packed| Ok((packed.id.as_str(), Ready::new(packed)?))).collect()
}

fn target(capture: &Capture) -> String {
    capture.target.as_deref().unwrap_or(NO_TARGET).to_owned()
}

/// Links from a workload's page to its profiles at other targets, the newest first.
pub(super) fn others(gallery: &Gallery, at: usize, page: &str) -> Vec<Link> {
    let others = gallery.captures.iter().rev().filter(|capture| capture.of == Some(at));
    others
        .filter_map(|capture| match &capture.home {
            Home::Page(path) => Some(Link {
                text: format!("Profiles of {} at {}", capture.feature, target(capture)),
                href: link(page, path),
            }),
            Home::Workload(_) => None,
        })
        .collect()
}

/// The page of a capture that has one of its own.
pub(super) fn page(
    source: &LoadedSource,
    gallery: &Gallery,
    capture: &Capture,
    path: &str,
    figures: &ById<'_>,
) -> view::Profile {
    let id = source.evidence.id.as_str();
    let mut drawer = Blocks::new(path, id, figures, 0);
    let mut links = vec![Link { text: gallery.title.clone(), href: link(path, &gallery.page) }];
    for other in gallery.captures.iter().rev().filter(|other| other.feature == capture.feature) {
        if other.target == capture.target {
            continue;
        }
        let (page, fragment) = other.page(gallery);
        let href = format!("{}{fragment}", link(path, &page));
        links.push(Link { text: format!("The same at {}", target(other)), href });
    }
    view::Profile {
        page: view::Page::default(),
        title: format!("Profiles of {} at {}", capture.feature, target(capture)),
        lede: match &capture.target {
            Some(_) => String::new(),
            None => "No target is recorded, so these profiles belong to no release.".to_owned(),
        },
        links,
        figures: capture.shown.iter().map(|shown| drawer.profile(shown)).collect(),
        provenance: provenance(source, capture),
    }
}

fn provenance(source: &LoadedSource, capture: &Capture) -> Vec<Fact> {
    let evidence = &source.evidence;
    let profiles: Vec<_> =
        capture.shown.iter().filter_map(|shown| evidence.profiles.get(shown.profile?)).collect();
    let distinct = |texts: Vec<String>| {
        let mut seen = BTreeSet::new();
        texts.into_iter().filter(|text| !text.is_empty() && seen.insert(text.clone())).collect::<Vec<_>>()
    };
    let ids = distinct(profiles.iter().filter_map(|profile| profile.run_id.clone()).collect());
    let runs: Vec<&Run> = evidence.runs.iter().filter(|run| ids.contains(&run.run_id)).collect();
    let of_runs = |say: &dyn Fn(&Run) -> Option<String>| {
        distinct(runs.iter().filter_map(|run| say(run)).collect()).join(", ")
    };
    let files = distinct(profiles.iter().map(|profile| profile.path.clone()).collect());
    let tools = distinct(profiles.iter().map(|profile| profile.tool.to_string()).collect());
    [
        ("Source", list::and(&files)),
        ("Collector", list::and(&tools)),
        ("Run", ids.join(", ")),
        ("Integrity", of_runs(&|run| Some(run.integrity.word().to_owned()))),
        ("Runtime", of_runs(&facts::runtime)),
        ("OS", of_runs(&facts::os)),
        ("Finished", of_runs(&|run| facts::date(run).map(str::to_owned))),
    ]
    .into_iter()
    .filter(|(_, text)| !text.is_empty())
    .map(|(label, text)| facts::fact(label, &text, Tone::Plain))
    .collect()
}

/// Every profile of a gallery; none without any.
pub(super) fn list(gallery: &Gallery) -> Option<Profiles> {
    let captures = &gallery.captures;
    if captures.is_empty() {
        return None;
    }
    let features: BTreeSet<&str> = captures.iter().map(|capture| &*capture.feature).collect();
    let targets: BTreeSet<_> = captures.iter().map(|capture| &capture.target).collect();
    let rows = captures.iter().rev().map(|capture| {
        let (page, fragment) = capture.page(gallery);
        let kinds: Vec<String> =
            capture.figures().map(|figure| figure.kind.replace('_', " ").replace("cpu", "CPU")).collect();
        ProfileRow {
            feature: Link {
                text: capture.feature.to_string(),
                href: format!("{}{fragment}", link(&gallery.page, &page)),
            },
            target: target(capture),
            what: list::and(&kinds),
        }
    });
    Some(Profiles {
        summary: format!(
            "{} at {}",
            list::counted(features.len(), "feature", "features"),
            list::counted(targets.len(), "target", "targets")
        ),
        rows: rows.collect(),
    })
}
