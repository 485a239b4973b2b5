//! Figures as blocks of pages that are made in one go: those of profiles and of reports.

use std::collections::BTreeMap;

use crate::theme::view::{FigureBlock, Html};

use super::captures::Shown;
use super::figures::{self, Packed, Ready};

/// Figures made ready, by their id.
pub(super) type ById<'a> = BTreeMap<&'a str, Ready<'a>>;

/// Draws figures of a page with ids that do not clash.
pub(super) struct Blocks<'a> {
    page: &'a str,
    source: &'a str,
    figures: &'a ById<'a>,
    drawn: usize,
}

impl<'a> Blocks<'a> {
    /// For a page on which `drawn` figures are drawn already.
    pub(super) fn new(page: &'a str, source: &'a str, figures: &'a ById<'a>, drawn: usize) -> Self {
        Self { page, source, figures, drawn }
    }

    /// A figure of a profile, with links to all its stacks.
    pub(super) fn profile(&mut self, shown: &Shown) -> FigureBlock {
        self.draw(&shown.figure, &shown.downloads(self.source))
    }

    /// A figure.
    pub(super) fn block(&mut self, figure: &Packed) -> FigureBlock {
        self.draw(figure, &[])
    }

    fn draw(&mut self, figure: &Packed, more: &[(&'static str, String)]) -> FigureBlock {
        self.drawn += 1;
        let chart = &self.figures[figure.id.as_str()].chart;
        let prefix = format!("f{}", self.drawn);
        let body = figures::block_with(self.page, self.source, &figure.id, chart, &prefix, more);
        FigureBlock {
            id: figures::anchor(&figure.id),
            heading: chart.heading.clone(),
            body_html: Html(body),
            notes: Vec::new(),
        }
    }
}
