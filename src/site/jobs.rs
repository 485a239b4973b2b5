//! What is rendered: every page and every figure that is no page's.

use super::captures::{Capture, Shown};
use super::figures::{self, Packed};
use super::reports::Reports;
use super::workloads::Gallery;
use super::{Written, article, problems, steps};

/// A page or a figure to be rendered.
pub(super) enum Job<'a> {
    Front,
    Article(&'a Written),
    Gallery(&'a Gallery),
    Workload(&'a Gallery, usize),
    /// The page of a profile that has one of its own.
    Profile(&'a Gallery, &'a Capture, &'a str),
    /// The files with all stacks of a profile.
    Stacks(&'a Gallery, &'a Shown),
    Problems,
    /// The list of reports of a source and the pages about all of them.
    Reports(&'a Reports),
    /// The pages of one report.
    Report(&'a Reports, usize),
    /// The pages of one run.
    Run(&'a Reports, usize),
    /// A figure that no workload has, but a gallery or a page of the author.
    Figure(&'a str, &'a Packed),
}

impl Job<'_> {
    /// Bytes of the documents that are drawn.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Workload(gallery, at) => gallery.figures_of(*at).map(Packed::weight).sum(),
            Self::Profile(_, capture, _) => capture.figures().map(Packed::weight).sum(),
            // What is written is many times as large as the document.
            Self::Stacks(..) => steps::HEAVY,
            Self::Figure(_, figure) => figure.weight(),
            _ => 0,
        }
    }

    /// Whether it makes one page; figures and reports have pages that are counted apart.
    pub(super) fn is_page(&self) -> bool {
        !matches!(
            self,
            Self::Figure(..) | Self::Stacks(..) | Self::Reports(_) | Self::Report(..) | Self::Run(..)
        )
    }

    /// Path of the page; of a figure, its files without ending.
    pub(super) fn path(&self) -> String {
        match self {
            Self::Front => article::FRONT.to_owned(),
            Self::Article(written) => written.page.output.clone(),
            Self::Gallery(gallery) => gallery.page.clone(),
            Self::Workload(gallery, at) => gallery.workloads[*at].page.clone(),
            Self::Profile(_, _, path) => (*path).to_owned(),
            Self::Stacks(_, shown) => shown.figure.id.clone(),
            Self::Problems => problems::PAGE.to_owned(),
            Self::Reports(reports) => reports.page.clone(),
            Self::Report(reports, at) => reports.entries[*at].page.clone(),
            Self::Run(reports, at) => reports.runs[*at].page().to_owned(),
            Self::Figure(source, figure) => figures::base(source, &figure.id),
        }
    }
}

/// The paths of those that make one page.
pub(super) fn outputs_of_pages(jobs: &[Job<'_>]) -> Vec<String> {
    jobs.iter().filter(|job| job.is_page()).map(Job::path).collect()
}
