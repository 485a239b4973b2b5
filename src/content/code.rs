//! Code blocks, `perfolio` blocks and raw HTML.

use super::link::{self, Target};
use super::writer::Writer;
use super::{block, highlight, policy};
use crate::text::escape;

/// A code block that is being read.
#[derive(Debug)]
pub(super) struct Open {
    info: String,
    text: String,
    line: u64,
}

/// Raw HTML that is being read.
#[derive(Debug, Default)]
pub(super) struct Raw {
    html: String,
    /// For every piece: where it starts in `html`, and its line.
    pieces: Vec<(usize, u64)>,
}

impl Writer<'_> {
    pub(super) fn code_open(&mut self, info: String, offset: usize) {
        self.code = Some(Open { info, text: String::new(), line: self.line(offset) });
    }

    pub(super) fn code_text(&mut self, text: &str) {
        if let Some(code) = &mut self.code {
            code.text.push_str(text);
        }
    }

    pub(super) fn code_close(&mut self) {
        let Some(code) = self.code.take() else { return };
        if let Some(name) = block::name(&code.info) {
            self.block(name, &code.text, code.line);
            return;
        }
        let language = code.info.split([' ', '\t', ',']).next().unwrap_or_default();
        let class = match language {
            "" => String::new(),
            language => format!(" class=\"language-{}\"", escape::attribute(language)),
        };
        // A long line scrolls inside its box, so the box can be reached by keyboard.
        self.put(&format!("<pre tabindex=\"0\"><code{class}>"));
        self.put(&highlight::html(language, &code.text));
        self.put("</code></pre>\n");
    }

    fn block(&mut self, name: &str, body: &str, line: u64) {
        let what = if name.is_empty() { "block".to_owned() } else { format!("block “{name}”") };
        // One below the heading that the block stands under; the page's own title is the first.
        let level = self.result.headings.last().map_or(1, |heading| heading.level).clamp(1, 5) + 1;
        let (line, why, remedy) = match block::read(name, body) {
            Ok(block) => match self.resolver.block(&block, level) {
                Ok(html) => {
                    self.put(&html);
                    self.put("\n");
                    return;
                }
                Err(why) => (line, why, None),
            },
            Err(error) => (line + error.line, error.message, error.remedy),
        };
        self.warn(line, format!("{what}: {why}"), remedy.clone());
        let why = remedy.map_or(why.clone(), |remedy| format!("{why} ({remedy})"));
        self.notice(&format!("The {what} cannot be shown."), &why);
    }

    pub(super) fn raw_open(&mut self) {
        self.raw = Some(Raw::default());
    }

    pub(super) fn raw_text(&mut self, html: &str, offset: usize) {
        let line = self.line(offset);
        if let Some(raw) = &mut self.raw {
            raw.pieces.push((raw.html.len(), line));
            raw.html.push_str(html);
        }
    }

    /// Writes the HTML as it is, apart from relative addresses, which are led to where the site has them.
    pub(super) fn raw_close(&mut self) {
        let Some(raw) = self.raw.take() else { return };
        let line = |at: usize| {
            let piece = raw.pieces.partition_point(|(start, _)| *start <= at).saturating_sub(1);
            raw.pieces.get(piece).map_or(1, |(start, line)| {
                line + memchr::memchr_iter(b'\n', &raw.html.as_bytes()[*start..at]).count() as u64
            })
        };
        let scan = policy::scan(&raw.html);
        for (at, what) in &scan.blocked {
            self.warn(
                line(*at),
                format!("raw HTML: {what} is blocked by the site's policy"),
                Some("write it without; styles and scripts belong into the theme".to_owned()),
            );
        }
        for id in &scan.ids {
            self.anchors.reserve(id);
        }
        let mut written = 0;
        for address in &scan.addresses {
            let found = if address.image {
                link::image(&self.page.path, &address.value, self.resolver)
            } else {
                link::resolve(&self.page.path, &address.value, self.resolver)
            };
            match found {
                Target::Inside(inside) => {
                    self.put(&raw.html[written..address.range.start]);
                    let quoted = raw.html[..address.range.start].ends_with(['"', '\'']);
                    let inside = link::attribute(&inside);
                    self.put(&if quoted { inside } else { format!("\"{inside}\"") });
                    written = address.range.end;
                }
                Target::Refused(why, remedy) => {
                    self.warn(line(address.range.start), format!("raw HTML: {why}"), Some(remedy.to_owned()));
                }
                Target::Fragment(_) | Target::Away(_) => {}
            }
        }
        self.put(&raw.html[written..]);
    }
}
