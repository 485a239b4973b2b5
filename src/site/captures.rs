//! The profiles of a source on its site: which figures they have, where these stand, and the files with all stacks.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::prelude::*;

use crate::analyze::{Target, order};
use crate::config::Config;
use crate::draw::{collapsed, speedscope};
use crate::error::{Error, Kind, Problem, Result};
use crate::evidence::plot::PlotDocument;
use crate::evidence::profile::{Origin, Profile};
use crate::evidence::{Name, TargetKind};
use crate::figure::{self, flame, profiles};
use crate::text::slug;

use super::figures::{self, Files, Packed};
use super::load::LoadedSource;
use super::plan::Paths;
use super::workloads::{Gallery, Set, Workload};

/// The profiles of one feature at one target.
#[derive(Debug)]
pub(super) struct Capture {
    pub(super) package: Option<Name>,
    pub(super) feature: Name,
    /// None means that no target may be assumed.
    pub(super) target: Option<Name>,
    /// Position of its workload among those of the gallery.
    pub(super) of: Option<usize>,
    /// The workload as recorded or configured.
    workload: Name,
    kind: Option<TargetKind>,
    pub(super) shown: Vec<Shown>,
    /// Where it stands.
    pub(super) home: Home,
}

/// A figure of a profile.
#[derive(Debug)]
pub(super) struct Shown {
    /// Position of its profile in the source; none where a saved document holds no weight.
    pub(super) profile: Option<usize>,
    pub(super) figure: Packed,
    /// The files with all stacks of the profile; none for figures without.
    pub(super) stacks: Option<Size>,
}

/// How the stacks of a profile are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    Plain,
    /// The text would be hundreds of megabytes, nearly all of them repeated names, so it is compressed.
    Large,
}

/// Frames along all paths from which on a profile is large.
const LARGE: usize = 1 << 19;

/// Where a capture stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Home {
    /// In the tab of the newest target of this workload.
    Workload(usize),
    /// On a page of its own.
    Page(String),
}

impl Shown {
    /// The files with all stacks of its profile: text of the link and path.
    pub(super) fn downloads(&self, source: &str) -> Vec<(&'static str, String)> {
        let base = figures::base(source, &self.figure.id);
        let (what, ending) = match self.stacks {
            None => return Vec::new(),
            Some(Size::Plain) => ("All stacks, collapsed", ""),
            Some(Size::Large) => ("All stacks, collapsed (gzip)", ".gz"),
        };
        vec![
            (what, format!("{base}.collapsed.txt{ending}")),
            ("All stacks, speedscope", format!("{base}.speedscope.json")),
        ]
    }
}

impl Capture {
    /// The page that it stands on, with the fragment of its tab.
    pub(super) fn page(&self, gallery: &Gallery) -> (String, &'static str) {
        match &self.home {
            Home::Workload(at) => (gallery.workloads[*at].page.clone(), "#latest"),
            Home::Page(path) => (path.clone(), ""),
        }
    }

    /// All its figures.
    pub(super) fn figures(&self) -> impl Iterator<Item = &Packed> {
        self.shown.iter().map(|shown| &shown.figure)
    }
}

/// The documents of all recorded profiles, each as `make` makes it, with the positions of their profiles: those of one
/// profile, then what changed since the target before.
pub(super) fn documents<T: Send>(
    context: &figure::Context<'_>,
    source: &LoadedSource,
    make: impl Fn(&PlotDocument) -> T + Sync,
) -> Vec<(usize, T)> {
    let all = &source.evidence.profiles;
    let earlier = earlier(source);
    let of_one = |at: usize| {
        let profile = &all[at];
        let newest = earlier.iter().flatten().all(|other| *other != at);
        let mut history = vec![profile];
        let mut before = earlier[at].filter(|_| newest);
        while let Some(other) = before {
            history.push(&all[other]);
            before = earlier[other];
        }
        history.reverse();
        let own = profiles::documents(context, profile, &history);
        let change = earlier[at].and_then(|before| profiles::change(context, &all[before], profile));
        own.iter().chain(&change).map(|document| (at, make(document))).collect::<Vec<_>>()
    };
    (0..all.len()).into_par_iter().map(of_one).collect::<Vec<_>>().into_iter().flatten().collect()
}

/// For every profile the one of the same case at the target before, when there is one.
fn earlier(source: &LoadedSource) -> Vec<Option<usize>> {
    let all = &source.evidence.profiles;
    let order = Order::new(source, all.iter().filter_map(|profile| profile.target.as_deref()));
    let mut cases: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (at, profile) in all.iter().enumerate() {
        if profile.target.is_some() && profile.origin == Origin::Recorded {
            let case =
                (&profile.package, &profile.feature, &profile.metric, &profile.unit, &profile.definition);
            cases.entry((case, &profile.tool)).or_default().push(at);
        }
    }
    let mut before = vec![None; all.len()];
    for mut members in cases.into_values() {
        members.sort_by(|a, b| {
            let place =
                |at: usize| (all[at].target.as_deref().unwrap_or_default(), all[at].target_kind.as_ref());
            order.compare(place(*a), place(*b)).then(a.cmp(b))
        });
        for pair in members.windows(2) {
            if all[pair[0]].target != all[pair[1]].target {
                before[pair[1]] = Some(pair[0]);
            }
        }
    }
    before
}

/// The order of targets: that of the series, and by version (formats §1.4) where these do not have them all.
struct Order<'a> {
    targets: &'a [Target],
    known: bool,
}

impl<'a> Order<'a> {
    fn new<'b>(source: &'a LoadedSource, labels: impl Iterator<Item = &'b str>) -> Self {
        let targets = &source.series.targets;
        let known = labels.into_iter().all(|label| targets.iter().any(|target| *target.label == *label));
        Self { targets, known }
    }

    fn place(&self, label: &str) -> Option<usize> {
        self.targets.iter().position(|target| *target.label == *label)
    }

    fn compare(&self, a: (&str, Option<&TargetKind>), b: (&str, Option<&TargetKind>)) -> Ordering {
        let place = (self.place(a.0), self.place(b.0));
        if self.known {
            return place.0.cmp(&place.1);
        }
        let kind = |own: Option<&TargetKind>, place: Option<usize>| {
            own.cloned().or_else(|| Some(self.targets[place?].kind.clone())).unwrap_or(TargetKind::Release)
        };
        order::key(a.0, &kind(a.1, place.0)).cmp(&order::key(b.0, &kind(b.1, place.1)))
    }
}

/// The profiles of a source with their figures; takes those that are saved documents out of `sets`.
///
/// # Errors
/// None for documents that were read or made by perfolio.
pub(super) fn take(
    context: &figure::Context<'_>,
    source: &LoadedSource,
    sets: &mut [Set],
    problems: &mut Vec<Problem>,
) -> Result<Vec<Capture>> {
    let evidence = &source.evidence;
    let mut saved: BTreeMap<String, Packed> = BTreeMap::new();
    for set in sets.iter_mut() {
        for further in set.more.extract_if(.., |further| profiles::KINDS.contains(&further.kind)) {
            saved.extend(further.figures.into_iter().map(|figure| (figure.saved_at.clone(), figure)));
        }
    }
    let mut made: BTreeMap<usize, Vec<Result<Packed>>> = BTreeMap::new();
    for (at, packed) in documents(context, source, Packed::drawn) {
        made.entry(at).or_default().push(packed);
    }
    let mut captures: BTreeMap<(Option<Name>, Name, Option<Name>), Capture> = BTreeMap::new();
    for (at, profile) in evidence.profiles.iter().enumerate() {
        let mut shown = Vec::new();
        for packed in made.remove(&at).unwrap_or_default() {
            match packed {
                Ok(figure) => shown.push(figure),
                Err(error) if error.kind == Kind::Evidence => problems.push(undrawn(error)),
                Err(error) => return Err(error),
            }
        }
        if profile.origin != Origin::Recorded && newest(&evidence.profiles, profile) {
            shown.extend(saved.remove(&profile.path));
        }
        if shown.is_empty() {
            continue;
        }
        let key = (profile.package.clone(), feature(profile), profile.target.clone());
        let capture = captures.entry(key).or_insert_with_key(|(package, feature, target)| Capture {
            package: package.clone(),
            feature: feature.clone(),
            target: target.clone(),
            workload: workload(profile, context.config),
            kind: profile.target_kind.clone(),
            of: None,
            shown: Vec::new(),
            home: Home::Page(String::new()),
        });
        for figure in shown {
            // Other figures of a profile have no stacks.
            let whole = profile.has_stacks() && flame::KINDS.contains(&figure.kind.as_str());
            let size = if profile.tree.nodes.len() < LARGE { Size::Plain } else { Size::Large };
            let stacks = whole.then_some(size);
            capture.shown.push(Shown { profile: Some(at), figure, stacks });
        }
    }
    // Documents without any profile are shown all the same.
    for figure in saved.into_values() {
        let document = figure.open()?;
        let option = |key: &str| {
            let text = document.plot.options.get(key).and_then(|value| value.as_str());
            text.filter(|text| !text.is_empty()).map(Name::from)
        };
        let feature = option("feature").unwrap_or_else(|| figure.saved_at.as_str().into());
        let workload = option("workload").filter(|name| *name != feature);
        let configured = || context.config.feature(&feature).workload.map(|name| Name::from(name.as_str()));
        let workload = workload.or_else(configured).unwrap_or_else(|| feature.clone());
        let key = (option("package"), feature, option("selected_version"));
        let capture = captures.entry(key).or_insert_with_key(|(package, feature, target)| Capture {
            package: package.clone(),
            feature: feature.clone(),
            target: target.clone(),
            of: None,
            workload,
            kind: None,
            shown: Vec::new(),
            home: Home::Page(String::new()),
        });
        capture.shown.push(Shown { profile: None, figure, stacks: None });
    }
    let mut captures: Vec<Capture> = captures.into_values().collect();
    for capture in &mut captures {
        capture.shown.sort_by_key(|shown| profiles::place(&shown.figure.kind));
    }
    arrange(source, &mut captures);
    Ok(captures)
}

/// Whether no later target has a profile of the same document: one of several targets stands at the newest.
fn newest(all: &[Profile], profile: &Profile) -> bool {
    let key = |profile: &Profile| {
        let kind = profile.target_kind.clone().unwrap_or(TargetKind::Release);
        (profile.target.clone().unwrap_or_else(|| "".into()), kind)
    };
    let (own_label, own_kind) = key(profile);
    let own = order::key(&own_label, &own_kind);
    all.iter().filter(|other| other.path == profile.path).all(|other| {
        let (label, kind) = key(other);
        order::key(&label, &kind) <= own
    })
}

fn undrawn(error: Error) -> Problem {
    Problem::error(error.place, format!("the figure of a profile cannot be drawn: {}", error.message))
}

fn feature(profile: &Profile) -> Name {
    profile
        .feature
        .clone()
        .or_else(|| profile.workload.clone())
        .unwrap_or_else(|| profile.path.as_str().into())
}

/// A recorded workload equal to the feature names none: it is what writers fill in.
fn workload(profile: &Profile, config: &Config) -> Name {
    let feature = feature(profile);
    let recorded = profile.workload.clone().filter(|name| *name != feature);
    let configured = || config.feature(&feature).workload.map(|name| Name::from(name.as_str()));
    recorded.or_else(configured).unwrap_or(feature)
}

/// Oldest target first; captures of no target before all.
fn arrange(source: &LoadedSource, captures: &mut [Capture]) {
    let order = Order::new(source, captures.iter().filter_map(|capture| capture.target.as_deref()));
    captures.sort_by(|a, b| {
        let by_target = match (&a.target, &b.target) {
            (Some(one), Some(other)) => order.compare((one, a.kind.as_ref()), (other, b.kind.as_ref())),
            (one, other) => one.is_some().cmp(&other.is_some()),
        };
        by_target.then_with(|| (&a.package, &a.feature, &a.target).cmp(&(&b.package, &b.feature, &b.target)))
    });
}

/// Gives every capture its place: those of the newest target of a workload that has any on its page, the others on
/// pages of their own.
///
/// # Errors
/// None: names that meet in one path are told apart.
pub(super) fn settle(
    source: &LoadedSource,
    workloads: &[Workload],
    sets: &[Set],
    captures: &mut [Capture],
    paths: &mut Paths,
) -> Result<()> {
    let of: Vec<Option<usize>> = captures
        .iter()
        .map(|capture| {
            capture.target.as_ref()?;
            workloads.iter().position(|workload| belongs(source, workload, sets, capture))
        })
        .collect();
    let mut newest: BTreeMap<usize, Name> = BTreeMap::new();
    for (capture, workload) in captures.iter().zip(&of) {
        if let (Some(workload), Some(target)) = (workload, &capture.target) {
            newest.insert(*workload, target.clone());
        }
    }
    let id = &source.evidence.id;
    for (capture, workload) in captures.iter_mut().zip(of) {
        capture.of = workload;
        let here = workload.filter(|workload| newest.get(workload) == capture.target.as_ref());
        if let Some(workload) = here {
            capture.home = Home::Workload(workload);
            continue;
        }
        let target = capture.target.as_deref().unwrap_or("no target");
        let package = capture.package.as_deref().unwrap_or_default();
        let name = format!("{} {target}", capture.feature);
        let page = |slug: &str| format!("reports/{id}/profiles/{slug}/index.html");
        let mut path = page(&slug::slug(&name));
        if paths.is_taken(&path) {
            path = page(&slug::apart(&name, &[package, &*capture.feature, target]));
        }
        paths
            .reserve(&path, &format!("the profiles of `{}` at {target} of source `{id}`", capture.feature))?;
        capture.home = Home::Page(path);
    }
    Ok(())
}

/// Whether a capture is of a workload: by its name, or by a feature that both have.
fn belongs(source: &LoadedSource, workload: &Workload, sets: &[Set], capture: &Capture) -> bool {
    let groups = || workload.all_sets().map(|set| &source.series.groups[sets[set].group]);
    let package =
        |other: &Option<Name>| other.is_none() || capture.package.is_none() || *other == capture.package;
    groups().any(|group| package(&group.package))
        && (workload.name == capture.workload || groups().any(|group| group.feature == capture.feature))
}

/// Gives figures of one id paths of their own; `taken` are the slugs of all other figures.
pub(super) fn tell_apart(captures: &mut [Capture], mut taken: BTreeSet<String>) {
    for figure in captures.iter_mut().flat_map(|capture| &mut capture.shown).map(|shown| &mut shown.figure) {
        let id = figure.id.clone();
        let mut count = 1;
        while !taken.insert(slug::slug(&figure.id).to_lowercase()) {
            count += 1;
            figure.id = format!("{id}-{count}");
        }
    }
}

/// The files with all stacks of a profile.
///
/// # Errors
/// None: memory does not refuse.
pub(super) fn stacks(source: &LoadedSource, shown: &Shown) -> Result<Files> {
    let evidence = &source.evidence;
    let Some(profile) = shown.profile.and_then(|at| evidence.profiles.get(at)) else { return Ok(Vec::new()) };
    let paths = shown.downloads(&evidence.id);
    let [(_, folded), (_, scope)] = paths.as_slice() else { return Ok(Vec::new()) };
    let broken = |error: std::io::Error| Error::evidence(format!("a profile cannot be written: {error}"));
    let text = if shown.stacks == Some(Size::Large) {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        collapsed::write(profile, &mut encoder).and_then(|()| encoder.finish()).map_err(broken)?
    } else {
        let mut text = Vec::new();
        collapsed::write(profile, &mut text).map_err(broken)?;
        text
    };
    let mut document = Vec::new();
    speedscope::write(profile, &mut document).map_err(broken)?;
    Ok(vec![(folded.clone(), text), (scope.clone(), document)])
}
