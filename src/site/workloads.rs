//! Which galleries and workload pages a site has, in which order, under which names and paths.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::analyze::{Group, SourceSeries};
use crate::config::Config;
use crate::error::{Kind, Problem, Result};
use crate::evidence::Name;
use crate::figure::overview::Brief;
use crate::figure::{self, Part};
use crate::text::{natural, slug};
use crate::theme::view::Fact;

use super::availability;
use super::captures::{self, Capture, Home, Shown};
use super::facts;
use super::figures::Packed;
use super::gallery::{self, Made};
use super::load::{Loaded, LoadedSource};
use super::overlay;
use super::plan::Paths;
use super::provenance::{self, Oracles};
use super::saved::{self, Listed};

/// The page of one source.
#[derive(Debug)]
pub(super) struct Gallery {
    /// Position of the source.
    pub(super) source: usize,
    /// Path of the page.
    pub(super) page: String,
    /// Title for people.
    pub(super) title: String,
    /// The workloads in the order of the page.
    pub(super) workloads: Vec<Workload>,
    /// The figures, one set per group of series.
    pub(super) sets: Vec<Set>,
    /// Its cards and ratios; none when it has no series.
    pub(super) overview: Option<Made>,
    /// One metric of several features each, the main metric first.
    pub(super) overlays: Vec<Packed>,
    /// What the oracles said.
    pub(super) oracles: Oracles,
    /// Saved documents of no workload.
    pub(super) loose: Vec<Listed>,
    /// The profiles, those of the oldest target first.
    pub(super) captures: Vec<Capture>,
    /// Why figures are missing.
    pub(super) problems: Vec<Problem>,
    /// What is said about its runs.
    pub(super) facts: Vec<Fact>,
    /// What was measured and what was not, found when it is first asked for.
    pub(super) checks: OnceLock<Vec<availability::Row>>,
}

impl Gallery {
    /// All figures on the page of a workload.
    pub(super) fn figures_of(&self, at: usize) -> impl Iterator<Item = &Packed> {
        let sets = self.workloads[at].sets.iter().flat_map(|&set| self.sets[set].figures());
        sets.chain(self.captures_of(at).flat_map(Capture::figures))
    }

    /// The slugs of all its figures and documents.
    pub(super) fn slugs(&self) -> BTreeSet<String> {
        let listed = self.listed().filter_map(|one| one.packed.as_ref());
        let captured = self.captures.iter().flat_map(Capture::figures);
        let all = self.sets.iter().flat_map(Set::figures).chain(listed).chain(&self.overlays).chain(captured);
        all.map(|figure| slug::slug(&figure.id).to_lowercase()).collect()
    }

    /// The figures of profiles whose stacks are files of their own.
    pub(super) fn stacks(&self) -> impl Iterator<Item = &Shown> {
        self.captures.iter().flat_map(|capture| &capture.shown).filter(|shown| shown.stacks.is_some())
    }

    /// The profiles on the page of a workload.
    pub(super) fn captures_of(&self, at: usize) -> impl Iterator<Item = &Capture> {
        self.captures.iter().filter(move |capture| capture.home == Home::Workload(at))
    }

    /// Every saved document that stands in a table: those of workloads, then those of none.
    pub(super) fn listed(&self) -> impl Iterator<Item = &Listed> {
        self.sets.iter().flat_map(|set| &set.listed).chain(&self.loose)
    }

    /// The saved documents that no card leads to: those of workloads without any figure, and those of none.
    pub(super) fn apart(&self) -> impl Iterator<Item = &Listed> {
        let bare = self.sets.iter().filter(|set| set.figures().next().is_none());
        bare.flat_map(|set| &set.listed).chain(&self.loose)
    }

    /// Saved figures of no workload that can be drawn.
    pub(super) fn loose_figures(&self) -> impl Iterator<Item = &Packed> {
        self.loose.iter().filter(|one| one.drawn).filter_map(|one| one.packed.as_ref())
    }
}

/// The figures of one group of series.
#[derive(Debug)]
pub(super) struct Set {
    /// Position of the group in the series of the source.
    pub(super) group: usize,
    /// The normalized figure of the complete history; none for groups that cannot be normalized.
    pub(super) main: Option<Packed>,
    /// Its patch windows: minor series and figure.
    pub(super) windows: Vec<(String, Packed)>,
    /// One trajectory per metric, in the order of the group.
    pub(super) series: Vec<Packed>,
    /// Further figures, each sort under its heading.
    pub(super) more: Vec<Further>,
    /// Saved documents that are not drawn.
    pub(super) listed: Vec<Listed>,
    /// Why figures are missing.
    pub(super) problems: Vec<Problem>,
}

/// Further figures of one sort.
#[derive(Debug)]
pub(super) struct Further {
    /// Their kind.
    pub(super) kind: &'static str,
    /// Heading of the part of a page that holds them.
    pub(super) heading: &'static str,
    /// The figures, in the order of the group.
    pub(super) figures: Vec<Packed>,
}

impl Set {
    /// The figures of a measured group, each packed before the next is made, and what overviews need of the main
    /// one.
    fn new(
        context: &figure::Context<'_>,
        series: &SourceSeries,
        group: usize,
    ) -> Result<(Self, Option<Brief>)> {
        let mut brief = None;
        let mut set = Self {
            group,
            main: None,
            windows: Vec::new(),
            series: Vec::new(),
            more: Vec::new(),
            listed: Vec::new(),
            problems: Vec::new(),
        };
        figure::each(context, series, group, &mut |part, document| {
            // Every figure of a group is over all of its targets, but for windows.
            let targets = series.groups[group].targets.len();
            let packed = match &part {
                Part::Window(_) => Packed::drawn(&document),
                Part::Main => Packed::measured(&document, (targets, series.groups[group].series.len())),
                Part::Series => Packed::measured(&document, (targets, 1)),
                Part::More(kind, _) => Packed::measured(&document, (targets, figure::lines(kind))),
            };
            let packed = match packed {
                Ok(packed) => packed,
                Err(error) if error.kind == Kind::Evidence => {
                    let id = &document.plot.id;
                    let message = format!("the figure {id} cannot be drawn: {}", error.message);
                    set.problems.push(Problem::error(error.place, message));
                    return Ok(());
                }
                Err(error) => return Err(error),
            };
            match part {
                Part::Main => {
                    set.main = Some(packed);
                    brief = Some(Brief::of(&document, gallery::main_metric(context.config))?);
                }
                Part::Window(minor) => set.windows.push((minor, packed)),
                Part::Series => set.series.push(packed),
                Part::More(kind, heading) => match set.more.last_mut().filter(|sort| sort.kind == kind) {
                    Some(sort) => sort.figures.push(packed),
                    None => set.more.push(Further { kind, heading, figures: vec![packed] }),
                },
            }
            Ok(())
        })?;
        if let Some(main) = &set.main {
            // The normalized figure has the values of every metric.
            for one in &mut set.series {
                one.covered_by = Some(main.id.clone());
            }
        }
        Ok((set, brief))
    }

    /// All its figures: the main one, its windows, the trajectories, the further ones.
    pub(super) fn figures(&self) -> impl Iterator<Item = &Packed> {
        let windows = self.windows.iter().map(|(_, figure)| figure);
        let more = self.more.iter().flat_map(|further| &further.figures);
        self.main.iter().chain(windows).chain(&self.series).chain(more)
    }

    /// The same figures, to be changed.
    pub(super) fn figures_mut(&mut self) -> impl Iterator<Item = &mut Packed> {
        let windows = self.windows.iter_mut().map(|(_, figure)| figure);
        let more = self.more.iter_mut().flat_map(|further| &mut further.figures);
        self.main.iter_mut().chain(windows).chain(&mut self.series).chain(more)
    }
}

/// The page of one workload.
#[derive(Debug)]
pub(super) struct Workload {
    /// Recorded name.
    pub(super) name: Name,
    /// Title for people.
    pub(super) title: String,
    /// What it does.
    pub(super) description: String,
    /// Words to filter by.
    pub(super) tags: Vec<String>,
    /// Path of the page.
    pub(super) page: String,
    /// Positions of its figure sets in [`Gallery::sets`].
    pub(super) sets: Vec<usize>,
    /// Positions of sets that have no figure of their own beside those: what they had are profiles, or is listed.
    pub(super) rest: Vec<usize>,
}

impl Workload {
    /// All its sets.
    pub(super) fn all_sets(&self) -> impl Iterator<Item = usize> {
        self.sets.iter().chain(&self.rest).copied()
    }
}

/// Plans the gallery of every source.
///
/// # Errors
/// Two pages want the same path.
pub(super) fn plan(loaded: &Loaded, config: &Config, paths: &mut Paths) -> Result<Vec<Gallery>> {
    loaded
        .sources
        .iter()
        .enumerate()
        .map(|(at, source)| {
            let id = &source.evidence.id;
            let page = format!("gallery/{id}/index.html");
            paths.reserve(&page, &format!("the gallery of source `{id}`"))?;
            let context = figure::Context::new(&source.evidence, config);
            let sets = (0..source.series.groups.len())
                .into_par_iter()
                .map(|group| match &source.series.groups[group].saved {
                    Some(documents) => Ok((saved::set(&source.evidence.plots, documents, group)?, None)),
                    None => Set::new(&context, &source.series, group),
                })
                .collect::<Result<Vec<_>>>()?;
            let (mut sets, briefs): (Vec<Set>, Vec<_>) = sets.into_iter().unzip();
            let mut loose = saved::loose(source)?;
            let mut undrawn = Vec::new();
            let mut captures = captures::take(&context, source, &mut sets, &mut undrawn)?;
            let taken = saved::tell_apart(&mut sets, &mut loose);
            captures::tell_apart(&mut captures, taken);
            let workloads = workloads(source, &sets, config, paths)?;
            captures::settle(source, &workloads, &sets, &mut captures, paths)?;
            let title = source.evidence.title.clone().unwrap_or_else(|| id.clone());
            let overview = gallery::made(source, &workloads, &sets, briefs, config)?;
            // What was saved is shown as it was saved.
            let mut overlays = saved::overlays(&source.evidence.plots, &mut loose);
            overlay::sort(&context, source, &workloads, &sets, &mut overlays)?;
            let mut problems: Vec<Problem> = sets.iter_mut().flat_map(|set| set.problems.drain(..)).collect();
            problems.extend(undrawn);
            if !source.evidence.runs.is_empty() {
                let (made, missing) =
                    overlay::all(&context, source, &workloads, &sets, !overlays.is_empty())?;
                problems.extend(missing);
                let mut known: BTreeSet<String> = loose
                    .iter()
                    .filter_map(|one| one.packed.as_ref())
                    .chain(&overlays)
                    .map(|figure| figure.id.clone())
                    .collect();
                overlays.extend(made.into_iter().filter(|figure| known.insert(figure.id.clone())));
            }
            let oracles = provenance::oracles(source);
            Ok(Gallery {
                source: at,
                page,
                title,
                workloads,
                sets,
                overview,
                overlays,
                oracles,
                loose,
                captures,
                problems,
                facts: facts::of_source(source),
                checks: OnceLock::new(),
            })
        })
        .collect()
}

fn workloads(
    source: &LoadedSource,
    sets: &[Set],
    config: &Config,
    paths: &mut Paths,
) -> Result<Vec<Workload>> {
    let mut members: BTreeMap<(Option<Name>, Name), Vec<usize>> = BTreeMap::new();
    for (at, set) in sets.iter().enumerate() {
        let group = &source.series.groups[set.group];
        members.entry((group.package.clone(), group.workload.clone())).or_default().push(at);
    }
    let shared = names_of_several_packages(members.keys());
    let mut ordered: Vec<_> = members.into_iter().collect();
    ordered.sort_by(|((package_a, a), sets_a), ((package_b, b), sets_b)| {
        let place = |list: &[usize]| {
            list.iter().map(|&set| place(config, &source.series.groups[sets[set].group])).min()
        };
        place(sets_a)
            .cmp(&place(sets_b))
            .then_with(|| {
                natural::compare(package_a.as_deref().unwrap_or(""), package_b.as_deref().unwrap_or(""))
            })
            .then_with(|| natural::compare(a, b))
    });
    ordered
        .into_iter()
        .map(|((package, name), mut members)| {
            // What opens first is a curve of ratios, where there is one.
            members.sort_by_key(|&set| sets[set].main.is_none());
            let shows = |&set: &usize| sets[set].figures().next().is_some();
            let rest: Vec<usize> = if members.iter().any(shows) {
                members.extract_if(.., |set| !shows(set)).collect()
            } else {
                Vec::new()
            };
            let features: Vec<_> = members
                .iter()
                .chain(&rest)
                .map(|&set| &source.series.groups[sets[set].group])
                .map(|group| (config.feature(&group.feature), group))
                .collect();
            let saved = || features.iter().filter_map(|(_, group)| group.saved.as_ref());
            let title = features
                .iter()
                .find_map(|(feature, _)| feature.title.clone())
                .or_else(|| saved().find_map(|documents| documents.title.clone()));
            let description = features
                .iter()
                .find_map(|(feature, _)| feature.description.clone())
                .or_else(|| {
                    features.iter().map(|(_, group)| group.description.clone()).find(|text| !text.is_empty())
                })
                .unwrap_or_default();
            let mut tags: Vec<String> =
                features.iter().flat_map(|(feature, _)| feature.tags.clone()).collect();
            tags.extend(saved().flat_map(|documents| documents.tags.iter().cloned()));
            tags.sort();
            tags.dedup();
            let label = match (&package, shared.contains(&name)) {
                (Some(package), true) => format!("{package}-{name}"),
                _ => name.to_string(),
            };
            let id = &source.evidence.id;
            let page = |slug: &str| format!("gallery/{id}/{slug}/index.html");
            let owner = format!("the workload `{name}` of source `{id}`");
            // Recorded names cannot be renamed, so two that meet in one path are told apart by a digest.
            let mut path = page(&slug::slug(&label));
            if paths.is_taken(&path) {
                path = page(&slug::apart(&label, &[package.as_deref().unwrap_or_default(), &*name]));
            }
            paths.reserve(&path, &owner)?;
            Ok(Workload {
                title: title.unwrap_or(label),
                name,
                description,
                tags,
                page: path,
                sets: members,
                rest,
            })
        })
        .collect()
}

/// Where the configuration lists a group's feature; unlisted ones come last.
fn place(config: &Config, group: &Group) -> usize {
    config
        .feature
        .iter()
        .position(|entry| crate::config::glob(&entry.pattern, &group.feature))
        .unwrap_or(config.feature.len())
}

/// Workload names that more than one package uses.
fn names_of_several_packages<'a>(keys: impl Iterator<Item = &'a (Option<Name>, Name)>) -> BTreeSet<Name> {
    let mut seen = BTreeSet::new();
    keys.filter(|(_, name)| !seen.insert(name.clone())).map(|(_, name)| name.clone()).collect()
}
