//! Footnotes, numbered in the order of their first mention and placed at the end of the page; alerts.

use std::fmt::Write as _;

use pulldown_cmark::BlockQuoteKind;

use super::writer::Writer;

/// The footnotes of a page.
#[derive(Debug, Default)]
pub(super) struct Notes {
    list: Vec<Note>,
    /// Definitions that no mention has come before yet: name and HTML.
    unmentioned: Vec<(String, String)>,
    /// Names of the definitions that are open.
    open: Vec<String>,
}

#[derive(Debug, Default)]
struct Note {
    name: String,
    html: String,
    mentions: usize,
}

impl Notes {
    /// The number of a footnote, from 1.
    fn number(&mut self, name: &str) -> usize {
        let at = self.list.iter().position(|note| note.name == name).unwrap_or_else(|| {
            self.list.push(Note { name: name.to_owned(), ..Note::default() });
            self.list.len() - 1
        });
        at + 1
    }

    /// Whether a definition is being written.
    pub(super) fn inside(&self) -> bool {
        !self.open.is_empty()
    }
}

/// The id of the mention `time` (from 1) of footnote `number`.
fn mention(number: usize, time: usize) -> String {
    if time == 1 { format!("fnref-{number}") } else { format!("fnref-{number}-{time}") }
}

impl Writer<'_> {
    pub(super) fn note_reference(&mut self, name: &str) {
        let number = self.notes.number(name);
        let note = &mut self.notes.list[number - 1];
        note.mentions += 1;
        let id = mention(number, note.mentions);
        self.anchors.reserve(&id);
        self.anchors.reserve(&format!("fn-{number}"));
        self.put(&format!(
            "<sup class=\"fnref\"><a id=\"{id}\" href=\"#fn-{number}\" aria-label=\"Footnote {number}\">{number}</a></sup>"
        ));
    }

    pub(super) fn note_open(&mut self, name: &str) {
        self.notes.open.push(name.to_owned());
        self.open();
    }

    pub(super) fn note_close(&mut self) {
        let part = self.close();
        if let Some(name) = self.notes.open.pop() {
            // A definition may stand before its first mention; only mentions give numbers, so it waits here
            // under its name. One that is never mentioned comes last.
            self.notes.waiting(name, part.html);
        }
        self.gap();
    }

    /// The list of all footnotes.
    pub(super) fn notes_html(&mut self) -> String {
        self.notes.settle();
        if self.notes.list.is_empty() {
            return String::new();
        }
        let mut html = "<section class=\"footnotes\" aria-label=\"Footnotes\">\n<ol>\n".to_owned();
        for (at, note) in self.notes.list.iter().enumerate() {
            let number = at + 1;
            let mut back = String::new();
            for time in 1..=note.mentions {
                let place = if time == 1 { String::new() } else { format!(", mention {time}") };
                // A String takes every write.
                let _ = write!(
                    back,
                    " <a class=\"back\" href=\"#{}\" aria-label=\"Back to footnote {number}{place}\">↩</a>",
                    mention(number, time)
                );
            }
            let body = note.html.trim_end();
            let body = match body.strip_suffix("</p>") {
                Some(body) => format!("{body}{back}</p>"),
                None => format!("{body}{back}"),
            };
            let _ = writeln!(html, "<li id=\"fn-{number}\">{body}</li>");
        }
        html.push_str("</ol>\n</section>\n");
        html
    }

    pub(super) fn quote_open(&mut self, kind: Option<BlockQuoteKind>) {
        match kind {
            None => self.put("<blockquote>\n"),
            Some(kind) => {
                let (class, title) = alert(kind);
                // The role keeps many alerts from being as many landmarks.
                self.put(&format!(
                    "<aside class=\"alert {class}\" role=\"note\">\n<p class=\"alert-title\">{title}</p>\n"
                ));
            }
        }
    }

    pub(super) fn quote_close(&mut self, kind: Option<BlockQuoteKind>) {
        self.put(if kind.is_some() { "</aside>\n" } else { "</blockquote>\n" });
    }
}

impl Notes {
    fn waiting(&mut self, name: String, html: String) {
        match self.list.iter_mut().find(|note| note.name == name) {
            Some(note) if note.html.is_empty() => note.html = html,
            Some(_) => {}
            None => self.unmentioned.push((name, html)),
        }
    }

    fn settle(&mut self) {
        for (name, html) in std::mem::take(&mut self.unmentioned) {
            match self.list.iter_mut().find(|note| note.name == name) {
                Some(note) if !note.html.is_empty() => {}
                Some(note) => note.html = html,
                None => self.list.push(Note { name, html, mentions: 0 }),
            }
        }
    }
}

fn alert(kind: BlockQuoteKind) -> (&'static str, &'static str) {
    match kind {
        BlockQuoteKind::Note => ("note", "Note"),
        BlockQuoteKind::Tip => ("tip", "Tip"),
        BlockQuoteKind::Important => ("important", "Important"),
        BlockQuoteKind::Warning => ("warning", "Warning"),
        BlockQuoteKind::Caution => ("caution", "Caution"),
    }
}
