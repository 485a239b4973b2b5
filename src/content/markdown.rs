//! Markdown events → HTML: the frame and the simple elements.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::heading::Heading;
use super::writer::Writer;
use super::{Page, Rendered, Resolver};
use crate::error::Problems;
use crate::text::escape;

/// Longest description that is made from the first paragraph, in characters.
const DESCRIPTION: usize = 200;

fn options() -> Options {
    // Punctuation is left as the author wrote it.
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_GFM
}

/// The words of the first heading.
pub(super) fn first_heading(body: &str) -> Option<String> {
    let mut events = Parser::new_ext(body, options())
        .skip_while(|event| !matches!(event, Event::Start(Tag::Heading { .. })));
    let mut words = String::new();
    events.next()?;
    for event in events {
        match event {
            Event::Text(text) | Event::Code(text) => words.push_str(&text),
            Event::SoftBreak | Event::HardBreak => words.push(' '),
            Event::End(TagEnd::Heading(_)) => break,
            _ => {}
        }
    }
    Some(words.trim().to_owned()).filter(|words| !words.is_empty())
}

/// Renders a page.
pub(super) fn render(page: &Page, resolver: &dyn Resolver) -> (Rendered, Problems) {
    let mut writer = Writer::new(page, resolver);
    for (event, range) in Parser::new_ext(&page.text[page.body..], options()).into_offset_iter() {
        writer.event(event, range);
    }
    writer.finish()
}

impl Writer<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Text(text) if self.code.is_some() => self.code_text(&text),
            Event::Html(html) if self.raw.is_some() => self.raw_text(&html, range.start),
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text),
            Event::Code(text) => {
                self.put("<code>");
                self.text(&text);
                self.put("</code>");
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                self.raw_open();
                self.raw_text(&html, range.start);
                self.raw_close();
            }
            Event::FootnoteReference(name) => self.note_reference(&name),
            Event::SoftBreak => {
                self.put("\n");
                self.gap();
            }
            Event::HardBreak => {
                self.put("<br>\n");
                self.gap();
            }
            Event::Rule => self.put("<hr>\n"),
            Event::TaskListMarker(done) => self.task(done),
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph => {
                // The first paragraph may become the description, so its words are kept apart.
                if self.depth() == 0 && self.result.description.is_none() {
                    self.open();
                }
                self.put("<p>");
            }
            Tag::Heading { id, classes, .. } => {
                self.heading = Some((
                    id.map(|id| id.to_string()),
                    classes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
                ));
                self.open();
            }
            Tag::BlockQuote(kind) => self.quote_open(kind),
            Tag::CodeBlock(kind) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code_open(info, range.start);
            }
            Tag::HtmlBlock => self.raw_open(),
            Tag::List(None) => self.put("<ul>\n"),
            Tag::List(Some(1)) => self.put("<ol>\n"),
            Tag::List(Some(first)) => self.put(&format!("<ol start=\"{first}\">\n")),
            Tag::Item => self.put("<li>"),
            Tag::FootnoteDefinition(name) => self.note_open(&name),
            Tag::Table(alignments) => self.table_open(alignments),
            Tag::TableHead => self.table_head_open(),
            Tag::TableRow => self.table_row_open(),
            Tag::TableCell => self.table_cell_open(),
            Tag::Emphasis => self.put("<em>"),
            Tag::Strong => self.put("<strong>"),
            Tag::Strikethrough => self.put("<del>"),
            Tag::Link { link_type, dest_url, title, .. } => {
                self.link_open(link_type, &dest_url, &title, range.start);
            }
            Tag::Image { dest_url, title, .. } => self.image_open(&dest_url, &title, range.start),
            // Switched off in `options`.
            Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => {
                self.put("</p>\n");
                if self.depth() == 1 && self.result.description.is_none() && !self.notes.inside() {
                    let part = self.close();
                    self.result.description = Some(shortened(&part.words)).filter(|words| !words.is_empty());
                    self.put(&part.html);
                }
                self.gap();
            }
            TagEnd::Heading(level) => self.heading_close(level),
            TagEnd::BlockQuote(kind) => self.quote_close(kind),
            TagEnd::CodeBlock => self.code_close(),
            TagEnd::HtmlBlock => self.raw_close(),
            TagEnd::List(ordered) => self.put(if ordered { "</ol>\n" } else { "</ul>\n" }),
            TagEnd::Item => {
                self.put("</li>\n");
                self.gap();
            }
            TagEnd::FootnoteDefinition => self.note_close(),
            TagEnd::Table => self.table_close(),
            TagEnd::TableHead => self.table_head_close(),
            TagEnd::TableRow => self.put("</tr>\n"),
            TagEnd::TableCell => self.table_cell_close(),
            TagEnd::Emphasis => self.put("</em>"),
            TagEnd::Strong => self.put("</strong>"),
            TagEnd::Strikethrough => self.put("</del>"),
            TagEnd::Link => self.link_close(),
            TagEnd::Image => self.image_close(),
            TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    fn heading_close(&mut self, level: HeadingLevel) {
        let part = self.close();
        self.gap();
        let (wanted, classes) = self.heading.take().unwrap_or_default();
        let text = part.words.trim().to_owned();
        let first = self.depth() == 0 && self.html().trim().is_empty();
        // The page's frame shows the title; a heading that opens the page and says the same is that title.
        if first && level == HeadingLevel::H1 && text == self.page.title && self.result.headings.is_empty() {
            if let Some(id) = wanted {
                self.anchors.reserve(&id);
                self.put(&format!("<span id=\"{}\"></span>\n", escape::attribute(&id)));
            }
            return;
        }
        let id = self.anchors.give(wanted.as_deref(), &text);
        let level = level as u8;
        let class = match classes.as_str() {
            "" => String::new(),
            classes => format!(" class=\"{}\"", escape::attribute(classes)),
        };
        let html =
            format!("<h{level} id=\"{}\"{class}>{}</h{level}>\n", escape::attribute(&id), part.html.trim());
        self.put(&html);
        self.result.headings.push(Heading { level, id, text });
    }

    fn task(&mut self, done: bool) {
        let (checked, label) = if done { (" checked", "done") } else { ("", "to do") };
        let html = self.html();
        if let Some(at) = html.rfind("<li>").filter(|at| matches!(html[at + 4..].trim(), "" | "<p>")) {
            html.replace_range(at..at + 4, "<li class=\"task\">");
        }
        self.put(&format!("<input type=\"checkbox\" disabled{checked} aria-label=\"{label}\"> "));
    }

    fn finish(mut self) -> (Rendered, Problems) {
        let notes = self.notes_html();
        self.put(&notes);
        for (id, line) in std::mem::take(&mut self.fragments) {
            // `#` and `#top` lead to the top of every page.
            if !self.anchors.has(&id) && !id.is_empty() && id != "top" {
                let known = self.result.headings.iter().map(|heading| heading.id.as_str());
                let remedy =
                    crate::config::nearest::nearest(&id, known).map(|id| format!("did you mean `#{id}`?"));
                self.warn(line, format!("the page has no place `#{id}`"), remedy);
            }
        }
        while self.depth() > 0 {
            let part = self.close();
            self.put(&part.html);
        }
        let part = std::mem::take(self.html());
        let words = self.close_words();
        let mut result = self.result;
        result.html = part;
        result.words = words;
        result.title.clone_from(&self.page.title);
        if let Some(description) = &self.page.front.description {
            result.description = Some(description.clone());
        }
        (result, self.problems)
    }
}

/// The first paragraph, cut between two words when it is long.
fn shortened(words: &str) -> String {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((cut, _)) = words.char_indices().nth(DESCRIPTION) else { return words };
    let cut = words[..cut].rfind(' ').unwrap_or(cut);
    format!("{}…", words[..cut].trim_end_matches([',', '.', ';', ':']))
}
