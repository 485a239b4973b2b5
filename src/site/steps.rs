//! What is rendered at a time: pages with their figures, and figures of heavy pages one by one.
//!
//! Which files are rendered, and who owns them, is decided by the jobs alone. A step is a job, or a part of one
//! that would take too much memory at once: a figure with its files, and then the page that shows all of them.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use crate::error::Result;

use super::figures::{Files, Packed, Ready};
use super::page::Frame;
use super::shown::{self, Drawer, Place, Shown};
use super::workload::Figures;
use super::workloads::Gallery;
use super::{Job, Site, values};

/// Bytes of documents that are drawn at once: what is made of them is several times as large.
pub(super) const HEAVY: usize = 32 << 20;

/// A job or a part of one.
pub(super) enum Step<'s, 'a> {
    /// A whole job.
    Job(&'s Job<'a>),
    /// A figure of the page of a workload, with its files.
    Figure(Drawer<'s>, Place<'s>),
    /// The page of a workload whose figures were drawn before.
    Page(&'s Gallery, usize),
    /// A figure of no workload, for the page of its gallery.
    Loose(&'s Gallery, &'s Packed),
}

/// Figures that wait for their page, by its path.
#[derive(Default)]
pub(super) struct Waiting(BTreeMap<String, Figures>);

/// What a step made: files, and the figure of a page that comes later.
pub(super) type Made = (Files, Option<Shown>);

impl Step<'_, '_> {
    /// Bytes of the documents that are drawn.
    fn weight(&self) -> usize {
        match self {
            Self::Job(job) => job.weight(),
            Self::Figure(_, place) => place.figure.weight(),
            Self::Page(..) => 0,
            Self::Loose(_, figure) => figure.weight(),
        }
    }

    /// Whether it needs what steps before it made.
    fn waits(&self) -> bool {
        matches!(self, Self::Page(..))
    }
}

impl Waiting {
    /// Keeps the figure that a step made for its page; forgets those of a page that is done.
    pub(super) fn keep(&mut self, step: &Step<'_, '_>, shown: Option<Shown>) {
        match step {
            Step::Figure(drawer, place) => {
                let page = self.0.entry(drawer.page().to_owned()).or_default();
                page.extend(shown.map(|shown| (place.figure.id.clone(), shown)));
            }
            Step::Page(gallery, at) => drop(self.0.remove(&gallery.workloads[*at].page)),
            Step::Job(_) | Step::Loose(..) => {}
        }
    }
}

/// The steps of jobs, in their order.
pub(super) fn steps<'s, 'a>(
    site: &'s Site<'a>,
    jobs: &[&'s Job<'a>],
    frame: &'s Frame<'s>,
) -> Vec<Step<'s, 'a>> {
    let mut steps = Vec::with_capacity(jobs.len());
    for &job in jobs {
        match job {
            Job::Workload(gallery, at) if shown::is_heavy(gallery, *at) => {
                let drawer = site.drawer(gallery, *at, frame);
                let places = shown::places(drawer.source, gallery, *at);
                steps.extend(places.into_iter().map(|place| Step::Figure(drawer, place)));
                steps.push(Step::Page(gallery, *at));
            }
            Job::Gallery(gallery) => {
                let large = gallery.loose_figures().filter(|figure| figure.is_large());
                steps.extend(large.map(|figure| Step::Loose(gallery, figure)));
                steps.push(Step::Job(job));
            }
            job => steps.push(Step::Job(job)),
        }
    }
    steps
}

/// Splits steps into groups that are drawn at once: their documents are not larger than [`HEAVY`] together,
/// unless a single one is, and no step waits for another of its group.
pub(super) fn groups<'s, 'j, 'a>(steps: &'j [Step<'s, 'a>]) -> Vec<&'j [Step<'s, 'a>]> {
    let sizes = steps.iter().map(|step| (step.weight(), step.waits()));
    split(sizes).into_iter().map(|group| &steps[group]).collect()
}

/// Splits steps of these weights, each with whether it waits for those before it.
fn split(steps: impl ExactSizeIterator<Item = (usize, bool)>) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let (mut start, mut weight, all) = (0, 0, steps.len());
    for (at, (own, waits)) in steps.enumerate() {
        if at > start && (waits || weight + own > HEAVY) {
            groups.push(start..at);
            (start, weight) = (at, 0);
        }
        weight += own;
    }
    groups.push(start..all);
    groups
}

impl Site<'_> {
    /// Renders the steps of a group; what their pages need is in `waiting`.
    ///
    /// # Errors
    /// A figure cannot be drawn; a template that fails.
    pub(super) fn group(
        &self,
        group: &[Step<'_, '_>],
        waiting: &Waiting,
        frame: &Frame<'_>,
    ) -> Result<Vec<Made>> {
        group.par_iter().map(|step| self.step(step, waiting, frame)).collect()
    }

    fn step(&self, step: &Step<'_, '_>, waiting: &Waiting, frame: &Frame<'_>) -> Result<Made> {
        match step {
            Step::Job(job) => Ok((self.job(job, frame)?, None)),
            Step::Figure(drawer, place) => {
                let (shown, files) = drawer.draw(place)?;
                Ok((files, Some(shown)))
            }
            Step::Page(gallery, at) => {
                let none = Figures::new();
                let figures = waiting.0.get(&gallery.workloads[*at].page).unwrap_or(&none);
                Ok((vec![self.workload(gallery, *at, frame, figures)?], None))
            }
            Step::Loose(gallery, figure) => Ok((self.loose(gallery, figure, frame)?, None)),
        }
    }

    /// What draws the figures of a workload.
    pub(super) fn drawer<'s>(&'s self, gallery: &'s Gallery, at: usize, frame: &'s Frame<'s>) -> Drawer<'s> {
        let source = &self.loaded.sources[gallery.source];
        Drawer { frame, theme: self.theme, config: self.config, source, gallery, at }
    }

    /// The files of a figure of no workload.
    ///
    /// # Errors
    /// The figure cannot be drawn; a template that fails.
    pub(super) fn loose(&self, gallery: &Gallery, figure: &Packed, frame: &Frame<'_>) -> Result<Files> {
        let id = self.loaded.sources[gallery.source].evidence.id.as_str();
        let crumb = (gallery.title.as_str(), gallery.page.as_str());
        let home = values::Home { page: Some(crumb), crumbs: &[crumb] };
        let mut ready = Ready::new(figure)?;
        let mut files = ready.files(id, self.theme.style());
        files.extend(values::pages(frame, self.theme, id, &ready.chart, &home)?);
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_heavy_steps_are_drawn_at_once_and_pages_wait_for_their_figures() {
        let (half, page) = ((HEAVY / 2, false), (0, true));
        let groups = |steps: &[(usize, bool)]| split(steps.iter().copied());
        assert_eq!(groups(&[half, half, half, page, half, half, page]), [0..2, 2..3, 3..6, 6..7]);
        // One that is too heavy for any group has its own.
        assert_eq!(groups(&[(1, false), (HEAVY * 3, false), (1, false)]), [0..1, 1..2, 2..3]);
        assert_eq!(groups(&[(0, false); 40]).len(), 1);
        assert_eq!(groups(&[]).len(), 1);
    }
}
