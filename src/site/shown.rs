//! The figures of a workload page: where each stands on it, and each drawn by itself, so that few are in memory
//! at once.

use std::collections::BTreeSet;

use crate::config::Config;
use crate::error::Result;
use crate::figure::chart::drawable;
use crate::figure::{names, overview, profiles};
use crate::theme::Theme;
use crate::theme::view::{FigureBlock, Html, Span};

use super::captures;
use super::figures::{self, Files, Packed, Ready};
use super::load::LoadedSource;
use super::page::Frame;
use super::values::{self, Home};
use super::workloads::{Gallery, Set};

/// About how many bytes the figures of a page may have: with all else on it, a page stays below 600 kB.
const ROOM: usize = 520_000;
/// About how many bytes a figure has on a page, without its lines, and how many each line of a large one adds.
const BLOCK: usize = 18_000;
const LINE: usize = 26_000;
/// A workload whose documents have more bytes than this is drawn figure by figure.
const HEAVY: usize = 1 << 20;

/// How a figure stands on its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// With everything.
    Whole,
    /// Without its strips: the main figure above it on the page has them.
    Bare,
    /// As a link to its own file, with what it says: a page that draws it would get too heavy.
    Linked,
}

/// Where a figure stands on the page of its workload.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// The figure.
    pub(super) figure: &'a Packed,
    /// How it stands there.
    pub(super) form: Form,
    /// Its number on the page, from 1.
    number: usize,
    /// Whether the page says where the newest target of this figure stands.
    main: bool,
    /// The profile that it shows, whose stacks are files.
    profile: Option<&'a captures::Shown>,
}

/// A figure as it stands on the page of its workload.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// The figure.
    pub(super) block: FigureBlock,
    /// Where its newest target stands; empty for figures that the page does not speak of.
    pub(super) says: Vec<Span>,
}

/// The minor series that any figure of the workload has a window for, in order.
pub(super) fn windows(gallery: &Gallery, at: usize) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for (minor, _) in gallery.workloads[at].sets.iter().flat_map(|&set| &gallery.sets[set].windows) {
        if !found.contains(&minor.as_str()) {
            found.push(minor);
        }
    }
    found
}

/// The figures of a workload page in its order.
pub(super) fn places<'a>(source: &LoadedSource, gallery: &'a Gallery, at: usize) -> Vec<Place<'a>> {
    let workload = &gallery.workloads[at];
    let main = super::gallery::main_figure(source, &gallery.sets, workload);
    let mut places: Vec<Place<'a>> = Vec::new();
    let mut closed: Vec<bool> = Vec::new();
    let mut add = |figure: &'a Packed, form: Form, is_closed: bool| {
        let main = main.is_some_and(|main| std::ptr::eq(main, figure));
        places.push(Place { figure, form, number: places.len() + 1, main, profile: None });
        closed.push(is_closed);
    };
    for set in workload.sets.iter().map(|&set| &gallery.sets[set]) {
        set.main.iter().for_each(|figure| add(figure, Form::Whole, false));
        let alone = set.main.is_none() && set.series.is_empty();
        set.series.iter().for_each(|figure| add(figure, Form::Bare, set.main.is_some()));
        for (sort, further) in set.more.iter().enumerate() {
            further.figures.iter().for_each(|figure| add(figure, Form::Bare, !(alone && sort == 0)));
        }
    }
    for window in windows(gallery, at) {
        for set in workload.sets.iter().map(|&set| &gallery.sets[set]) {
            let own = set.windows.iter().filter(|(minor, _)| minor == window);
            own.for_each(|(_, figure)| add(figure, Form::Whole, false));
        }
    }
    link_what_has_no_room(&mut places, &closed);
    for shown in captured(gallery, at) {
        let number = places.len() + 1;
        let figure = &shown.figure;
        places.push(Place { figure, form: Form::Whole, number, main: false, profile: Some(shown) });
    }
    places
}

/// The figures of profiles on a workload page, in its order.
pub(super) fn captured(gallery: &Gallery, at: usize) -> Vec<&captures::Shown> {
    let mut shown: Vec<_> = gallery.captures_of(at).flat_map(|capture| &capture.shown).collect();
    shown.sort_by_key(|shown| profiles::place(&shown.figure.kind));
    shown
}

/// Large figures in closed parts become links where a page cannot have them all; so do others beyond its room.
fn link_what_has_no_room(places: &mut [Place<'_>], closed: &[bool]) {
    let weight = |place: &Place<'_>| match place.figure.targets {
        0 => 0,
        targets => BLOCK + LINE * drawable(place.figure.lines, targets),
    };
    if places.iter().map(weight).sum::<usize>() <= ROOM {
        return;
    }
    let mut room = ROOM;
    for (place, closed) in places.iter_mut().zip(closed) {
        let own = weight(place);
        if own > 0 && (*closed || own > room) {
            place.form = Form::Linked;
        } else {
            room = room.saturating_sub(own);
        }
    }
}

/// Marks the figures that no page draws: neither that of their workload nor one of those in `drawn`, paths of
/// files without their ending.
pub(super) fn tell_linked(source: &LoadedSource, gallery: &mut Gallery, drawn: &BTreeSet<&str>) {
    let id = &source.evidence.id;
    let of_workload = |at| places(source, gallery, at).into_iter().filter(|place| place.form == Form::Linked);
    let linked: BTreeSet<String> = (0..gallery.workloads.len())
        .flat_map(of_workload)
        .map(|place| figures::base(id, &place.figure.id))
        .filter(|base| !drawn.contains(base.as_str()))
        .collect();
    for figure in gallery.sets.iter_mut().flat_map(Set::figures_mut) {
        figure.only_linked = linked.contains(&figures::base(id, &figure.id));
    }
}

/// Whether the figures of a workload are drawn one by one, and not all at once.
pub(super) fn is_heavy(gallery: &Gallery, at: usize) -> bool {
    gallery.figures_of(at).map(Packed::weight).sum::<usize>() > HEAVY
}

/// What drawing the figures of a workload takes.
#[derive(Clone, Copy)]
pub(super) struct Drawer<'a> {
    pub(super) frame: &'a Frame<'a>,
    pub(super) theme: &'a Theme,
    pub(super) config: &'a Config,
    pub(super) source: &'a LoadedSource,
    pub(super) gallery: &'a Gallery,
    /// Position of the workload.
    pub(super) at: usize,
}

impl Drawer<'_> {
    /// Path of the page.
    pub(super) fn page(&self) -> &str {
        &self.gallery.workloads[self.at].page
    }

    /// Draws one figure: as it stands on the page, and its files.
    ///
    /// # Errors
    /// The figure cannot be drawn; a template that fails.
    pub(super) fn draw(&self, place: &Place<'_>) -> Result<(Shown, Files)> {
        let mut ready = Ready::new(place.figure)?;
        let workload = &self.gallery.workloads[self.at];
        let (id, title, page) =
            (self.source.evidence.id.as_str(), workload.title.as_str(), workload.page.as_str());
        let says = if place.main { self.standing(&ready)? } else { Vec::new() };
        let mut files = ready.files(id, self.theme.style());
        if place.figure.pages() > 0 {
            let crumbs = [(self.gallery.title.as_str(), self.gallery.page.as_str()), (title, page)];
            let home = Home { page: Some((title, page)), crumbs: &crumbs };
            files.extend(values::pages(self.frame, self.theme, id, &ready.chart, &home)?);
        }
        // The page and the files draw the same chart.
        let mut chart = ready.chart;
        if place.form == Form::Bare {
            chart.ribbons.clear();
            chart.package_counts.clear();
        }
        let table = place.figure.covered_by.as_deref().unwrap_or(&place.figure.id);
        let body = match place.form {
            Form::Linked => figures::linked(page, id, table, &chart),
            Form::Whole | Form::Bare => {
                let more = place.profile.map(|shown| shown.downloads(id)).unwrap_or_default();
                figures::block_with(page, id, table, &chart, &format!("f{}", place.number), &more)
            }
        };
        let block = FigureBlock {
            id: figures::anchor(&place.figure.id),
            heading: chart.heading,
            body_html: Html(body),
            notes: Vec::new(),
        };
        Ok((Shown { block, says }, files))
    }

    /// Where the newest target stands against the newest release, in words.
    fn standing(&self, ready: &Ready<'_>) -> Result<Vec<Span>> {
        let overview = overview::overview(&[&ready.document], super::gallery::main_metric(self.config))?;
        let card = overview.cards.first().filter(|card| !card.at.is_empty());
        let Some(card) = card else { return Ok(Vec::new()) };
        let detail = match card.detail.as_str() {
            "" | "no difference" => String::new(),
            detail => format!(" ({detail})"),
        };
        Ok(vec![
            Span::plain(format!("{} at {}: {}, ", names::raised(&card.metric_name), card.at, card.value)),
            Span { text: card.change.clone(), strong: card.strong },
            Span::plain(format!("{detail}.")),
        ])
    }
}
