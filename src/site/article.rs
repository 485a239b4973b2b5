//! Content pages: the author's text with its blocks and claims, and the front page.

use std::collections::BTreeMap;

use crate::content::{Claim, Page, Rendered, Verdict};
use crate::error::{Place, Problem, Problems, Result};
use crate::text::date::Date;
use crate::theme::view::{self, Article, Claims, Front, GalleryEntry, Html};

use super::availability;
use super::gallery;
use super::load::{Loaded, LoadedSource};
use super::plan::link;
use super::reports::Reports;
use super::resolve::{Asked, Resolver, Shelf};
use super::workloads::Gallery;

/// Path of the front page.
pub(super) const FRONT: &str = "index.html";

/// A content page after its text has been rendered.
pub(super) struct Written {
    pub(super) page: Page,
    pub(super) rendered: Rendered,
    pub(super) asked: Asked,
}

/// Reads the pages among the files of `content/`; drafts are left out.
///
/// # Errors
/// A page whose name is reserved.
pub(super) fn read(files: &BTreeMap<String, Vec<u8>>, problems: &mut Problems) -> Result<Vec<Page>> {
    let mut pages = Vec::new();
    for (path, bytes) in files.iter().filter(|(path, _)| is_page(path)) {
        if let Err(error) = std::str::from_utf8(bytes) {
            let before = &bytes[..error.valid_up_to()];
            let line = 1 + memchr::memchr_iter(b'\n', before).count() as u64;
            let message = "the page is not UTF-8; what cannot be read is shown as \u{fffd}";
            let problem = Problem::error(Place::file(format!("content/{path}")).line(line), message);
            problems.push(problem.remedy("save the file as UTF-8"));
        }
        let (page, found) = Page::parse(path, &String::from_utf8_lossy(bytes))?;
        problems.extend(found);
        if !page.front.draft {
            pages.push(page);
        }
    }
    pages.sort_by_key(|page| (page.front.order.unwrap_or(i64::MAX), iso(page), page.output.clone()));
    Ok(pages)
}

/// Whether a file of `content/` is a page.
pub(super) fn is_page(path: &str) -> bool {
    path.strip_suffix(".md").is_some()
}

/// Renders the text of a page.
pub(super) fn write(page: Page, shelf: &Shelf<'_>, problems: &mut Problems) -> Written {
    let resolver = Resolver::new(shelf, &page.output, &page.front);
    let (rendered, found) = page.render(&resolver);
    let asked = resolver.into_asked();
    problems.extend(found);
    Written { page, rendered, asked }
}

/// The view of a content page, without what all pages share.
pub(super) fn view(written: &Written) -> Article {
    Article {
        page: view::Page::default(),
        title: written.rendered.title.clone(),
        lede: written.page.front.description.clone().unwrap_or_default(),
        date: date(&written.page),
        tags: written.page.front.tags.clone(),
        body_html: Html(written.rendered.html.clone()),
        claims: claims(&written.rendered.claims),
    }
}

/// The date of a page as `YYYY-MM-DD`.
pub(super) fn iso(page: &Page) -> Option<String> {
    page.front.date.map(|date| date.date.map_or_else(|| date.to_string(), |day| day.to_string()))
}

/// The date as people write it: "28 August 2026".
fn date(page: &Page) -> Option<String> {
    let text = iso(page)?;
    Some(Date::parse(&text).map_or(text, Date::long))
}

/// The view of the front page, without what all pages share.
pub(super) fn front(
    written: Option<&Written>,
    site_title: &str,
    loaded: &Loaded,
    galleries: &[Gallery],
    reports: &[Reports],
) -> Front {
    let of = |gallery: &Gallery| reports.iter().find(|one| one.source == gallery.source);
    let entries = galleries
        .iter()
        .map(|gallery| entry(&loaded.sources[gallery.source], gallery, of(gallery)))
        .collect();
    Front {
        page: view::Page::default(),
        title: written.map_or_else(|| site_title.to_owned(), |one| one.rendered.title.clone()),
        lede: written.and_then(|one| one.page.front.description.clone()).unwrap_or_default(),
        body_html: Html(written.map(|one| one.rendered.html.clone()).unwrap_or_default()),
        galleries: entries,
        listed: written.is_none_or(|one| !one.asked.gallery),
        claims: written.and_then(|one| claims(&one.rendered.claims)),
    }
}

fn entry(source: &LoadedSource, gallery: &Gallery, reports: Option<&Reports>) -> GalleryEntry {
    let overview = gallery::overview(gallery, FRONT);
    GalleryEntry {
        title: gallery.title.clone(),
        href: link(FRONT, &gallery.page),
        lede: gallery::lede(source, gallery),
        says: overview.map(|overview| overview.says).unwrap_or_default(),
        count: availability::line_of(source, gallery),
        facts: gallery::entry_facts(source, gallery),
        reports: reports.map(|one| one.described(source, FRONT)),
    }
}

fn claims(claims: &[Claim]) -> Option<Claims> {
    if claims.is_empty() {
        return None;
    }
    let agree = claims.iter().filter(|claim| claim.verdict == Verdict::Agrees).count();
    let summary = match (agree, claims.len()) {
        (1, 1) => "The one number on this page that names its evidence agrees with it.".to_owned(),
        (agree, all) if agree == all => {
            format!("All {all} numbers on this page that name their evidence agree with it.")
        }
        (agree, all) => {
            format!("{agree} of {all} numbers on this page that name their evidence agree with it.")
        }
    };
    let rows = claims
        .iter()
        .map(|claim| view::Claim {
            text: claim.text.clone(),
            names: claim
                .evidence
                .as_ref()
                .map_or_else(|| claim.address.clone(), |one| one.description.clone()),
            href: claim.evidence.as_ref().map(|one| one.href.clone()),
            evidence: claim.evidence.as_ref().map(crate::content::ClaimEvidence::shown).unwrap_or_default(),
            verdict: match claim.verdict.reason() {
                Some(reason) => format!("{}: {reason}", claim.verdict.word()),
                None => claim.verdict.word().to_owned(),
            },
            bad: claim.verdict != Verdict::Agrees,
        })
        .collect();
    Some(Claims { summary, bad: agree < claims.len(), rows })
}
