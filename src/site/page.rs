//! What all pages share: contents, crumbs, assets.

use std::collections::BTreeMap;

use crate::error::Problems;
use crate::theme::view::{Link, Nav, NavGallery, NavLink, POLICY, Page};

use super::plan::{link, root};
use super::problems;
use super::reports::Reports;
use super::workloads::Gallery;

/// Most workloads that the contents list on pages of other galleries.
const LISTED: usize = 40;

/// The parts of a site that every page links to.
pub(super) struct Frame<'a> {
    pub(super) site_title: String,
    /// Content pages in their order, without the front page: title and path.
    pub(super) pages: Vec<(String, String)>,
    pub(super) galleries: &'a [Gallery],
    pub(super) reports: &'a [Reports],
    /// Logical name and path of each asset.
    pub(super) assets: Vec<(String, String)>,
    pub(super) problems: String,
}

impl<'a> Frame<'a> {
    pub(super) fn new(
        site_title: String,
        pages: Vec<(String, String)>,
        galleries: &'a [Gallery],
        reports: &'a [Reports],
        assets: Vec<(String, String)>,
        found: &Problems,
    ) -> Self {
        Self { site_title, pages, galleries, reports, assets, problems: problems::label(found) }
    }

    /// The shared part of the page at `path`.
    pub(super) fn page(&self, path: &str, title: &str, description: &str, crumbs: &[(&str, &str)]) -> Page {
        Page {
            lang: "en".to_owned(),
            title: title.to_owned(),
            site_title: self.site_title.clone(),
            description: description.to_owned(),
            root: root(path),
            policy: POLICY.to_owned(),
            assets: self
                .assets
                .iter()
                .map(|(name, asset)| (name.clone(), link(path, asset)))
                .collect::<BTreeMap<_, _>>(),
            nav: self.nav(path),
            crumbs: crumbs
                .iter()
                .map(|(text, target)| Link { text: (*text).to_owned(), href: link(path, target) })
                .collect(),
            generator: concat!("perfolio ", env!("CARGO_PKG_VERSION")).to_owned(),
            footer: "Built from saved evidence; nothing here was measured by this site.".to_owned(),
        }
    }

    fn nav(&self, path: &str) -> Nav {
        let entry = |text: &str, target: &str| NavLink {
            text: text.to_owned(),
            href: link(path, target),
            current: path == target,
        };
        let all: usize = self.galleries.iter().map(|gallery| gallery.workloads.len()).sum();
        Nav {
            home: link(path, "index.html"),
            pages: self.pages.iter().map(|(title, page)| entry(title, page)).collect(),
            galleries: self
                .galleries
                .iter()
                .map(|gallery| {
                    let NavLink { text, href, current } = entry(&gallery.title, &gallery.page);
                    let folder = gallery.page.trim_end_matches("index.html");
                    let shown =
                        all <= LISTED || (path.starts_with(folder) && gallery.workloads.len() <= 10 * LISTED);
                    let workloads = if shown { gallery.workloads.as_slice() } else { &[] };
                    let reports = self.reports.iter().find(|one| one.source == gallery.source);
                    NavGallery {
                        text,
                        href,
                        current,
                        reports: reports.map(|one| entry("Reports", &one.page)),
                        workloads: workloads.iter().map(|one| entry(&one.title, &one.page)).collect(),
                    }
                })
                .collect(),
            build: vec![entry(&self.problems, problems::PAGE)],
        }
    }
}
