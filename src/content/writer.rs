//! The state that the elements of a page share while it is written.

use super::heading::Anchors;
use super::note::Notes;
use super::reference::OpenLink;
use super::{Page, Rendered, Resolver, shown};
use crate::error::{Place, Problem, Problems};
use crate::text::escape;

/// A part of the page that is written aside and put in its place later.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// Its HTML.
    pub(super) html: String,
    /// Its words, without markup.
    pub(super) words: String,
}

/// Writes one page.
pub(super) struct Writer<'a> {
    pub(super) page: &'a Page,
    pub(super) resolver: &'a dyn Resolver,
    pub(super) problems: Problems,
    pub(super) result: Rendered,
    pub(super) anchors: Anchors,
    pub(super) notes: Notes,
    pub(super) links: Vec<OpenLink>,
    pub(super) table: super::table::State,
    pub(super) code: Option<super::code::Open>,
    pub(super) raw: Option<super::code::Raw>,
    /// Wanted id and classes of the heading that is being written.
    pub(super) heading: Option<(Option<String>, String)>,
    /// Links to places in this page, with their lines; checked when all ids are known.
    pub(super) fragments: Vec<(String, u64)>,
    parts: Vec<Part>,
    /// Byte offsets of the line ends in the page's text.
    line_ends: Vec<usize>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(page: &'a Page, resolver: &'a dyn Resolver) -> Self {
        Self {
            page,
            resolver,
            problems: Problems::default(),
            result: Rendered::default(),
            anchors: Anchors::default(),
            notes: Notes::default(),
            links: Vec::new(),
            table: super::table::State::default(),
            code: None,
            raw: None,
            heading: None,
            fragments: Vec::new(),
            parts: vec![Part::default()],
            line_ends: memchr::memchr_iter(b'\n', page.text.as_bytes()).collect(),
        }
    }

    /// The line of a byte offset in the page's body, from 1.
    pub(super) fn line(&self, offset: usize) -> u64 {
        1 + self.line_ends.partition_point(|end| *end < offset + self.page.body) as u64
    }

    /// Adds a warning about a line of the page.
    pub(super) fn warn(&mut self, line: u64, message: impl Into<String>, remedy: Option<String>) {
        let mut problem = Problem::warning(Place::file(shown(&self.page.path)).line(line), message);
        problem.remedy = remedy;
        self.problems.push(problem);
    }

    /// Starts a part that is written aside.
    pub(super) fn open(&mut self) {
        self.parts.push(Part::default());
    }

    /// Ends the part; its words also belong to what is around it.
    pub(super) fn close(&mut self) -> Part {
        let part = if self.parts.len() > 1 { self.parts.pop() } else { None }.unwrap_or_default();
        self.part().words.push_str(&part.words);
        part
    }

    /// How many parts are open.
    pub(super) fn depth(&self) -> usize {
        self.parts.len() - 1
    }

    fn part(&mut self) -> &mut Part {
        if self.parts.is_empty() {
            self.parts.push(Part::default());
        }
        let last = self.parts.len() - 1;
        &mut self.parts[last]
    }

    /// What has been written to the part so far.
    pub(super) fn html(&mut self) -> &mut String {
        &mut self.part().html
    }

    /// Writes HTML.
    pub(super) fn put(&mut self, html: &str) {
        self.part().html.push_str(html);
    }

    /// Writes text.
    pub(super) fn text(&mut self, text: &str) {
        let part = self.part();
        part.html.push_str(&escape::markup(text));
        part.words.push_str(text);
    }

    /// Parts words that markup parts.
    pub(super) fn gap(&mut self) {
        let words = &mut self.part().words;
        if !words.is_empty() && !words.ends_with(char::is_whitespace) {
            words.push(' ');
        }
    }

    /// Takes the words of the whole page, blanks made single.
    pub(super) fn close_words(&mut self) -> String {
        self.part().words.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// A notice in the place of something that cannot be shown. `what` and `why` are plain text.
    pub(super) fn notice(&mut self, what: &str, why: &str) {
        let html = format!(
            "<p class=\"notice problem\"><strong>{}</strong> {}</p>\n",
            escape::markup(what),
            escape::markup(why)
        );
        self.put(&html);
    }
}
