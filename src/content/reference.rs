//! Links, images and claims.

use pulldown_cmark::LinkType;

use super::claim::{self, Address, Claim, Verdict, address};
use super::link::{self, Target};
use super::writer::{Part, Writer};
use crate::text::{escape, list};

/// A link or an image whose words are being written.
#[derive(Debug)]
pub(super) enum OpenLink {
    /// An ordinary link: the tag that ends it.
    Plain(&'static str),
    /// A claim: its target, its line, and whether it has words of its own.
    Claim { target: String, line: u64, bare: bool },
    /// An image: its target, its title, its line.
    Image { target: String, title: String, line: u64 },
}

/// A title attribute, when there is a title.
fn title_attribute(title: &str) -> String {
    if title.is_empty() { String::new() } else { format!(" title=\"{}\"", escape::attribute(title)) }
}

impl Writer<'_> {
    pub(super) fn link_open(&mut self, kind: LinkType, target: &str, title: &str, offset: usize) {
        let line = self.line(offset);
        if target.starts_with(address::SCHEME) {
            let bare = kind == LinkType::Autolink;
            self.links.push(OpenLink::Claim { target: target.to_owned(), line, bare });
            self.open();
            return;
        }
        let target = if kind == LinkType::Email { format!("mailto:{target}") } else { target.to_owned() };
        let title = title_attribute(title);
        let (html, end) = match link::resolve(&self.page.path, &target, self.resolver) {
            Target::Inside(address) => (format!("<a href=\"{}\"{title}>", link::attribute(&address)), "</a>"),
            Target::Fragment(id) => {
                let html = format!("<a href=\"#{}\"{title}>", link::attribute(&id));
                self.fragments.push((id, line));
                (html, "</a>")
            }
            Target::Away(address) => {
                (format!("<a href=\"{}\" rel=\"noopener\"{title}>", link::attribute(&address)), "</a>")
            }
            Target::Refused(why, remedy) => {
                let html = format!("<span class=\"dead-link\" title=\"{}\">", escape::attribute(&why));
                self.warn(line, why, Some(remedy.to_owned()));
                (html, "</span>")
            }
        };
        self.put(&html);
        self.links.push(OpenLink::Plain(end));
    }

    pub(super) fn link_close(&mut self) {
        match self.links.pop() {
            Some(OpenLink::Plain(end)) => self.put(end),
            Some(OpenLink::Claim { target, line, bare }) => {
                let part = self.close();
                self.claim(if bare { Part::default() } else { part }, target, line);
            }
            // Ends come in the order of their starts.
            Some(OpenLink::Image { .. }) | None => {}
        }
    }

    fn claim(&mut self, part: Part, target: String, line: u64) {
        let mut remedy = None;
        let evidence = Address::parse(&target).and_then(|address| {
            self.resolver.claim(&address).map_err(|failure| {
                if !failure.candidates.is_empty() {
                    remedy = Some(format!("name one of {}", list::and(&failure.candidates)));
                }
                failure.reason
            })
        });
        let mut words = part.words.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut html = part.html;
        let verdict = match &evidence {
            Err(reason) => Verdict::Unresolved(reason.clone()),
            Ok(evidence) if words.is_empty() => {
                words = evidence.shown();
                html = escape::markup(&words).into_owned();
                Verdict::Agrees
            }
            Ok(evidence) => claim::check(&part.words, evidence),
        };
        if words.is_empty() {
            "no value".clone_into(&mut words);
            html.clone_from(&words);
        }
        let evidence = evidence.ok();
        let class = if verdict == Verdict::Agrees { "claim" } else { "claim bad" };
        let shown = match &evidence {
            Some(evidence) => format!(
                "<a class=\"{class}\" href=\"{}\"{}>{html}</a>",
                link::attribute(&evidence.href),
                title_attribute(&evidence.description)
            ),
            None => format!("<span class=\"{class}\">{html}</span>"),
        };
        self.put(&shown);
        if let Some(reason) = verdict.reason() {
            let mark = match (&verdict, &evidence) {
                (Verdict::Contradicted(_), Some(evidence)) => format!("evidence: {}", evidence.shown()),
                _ => format!("{}: {reason}", verdict.word()),
            };
            self.put(&format!(" <span class=\"verdict\">({})</span>", escape::markup(&mark)));
            let message = format!("the claim “{words}” is {}: {reason}", verdict.word());
            self.warn(line, message, remedy);
        }
        self.result.claims.push(Claim { text: words, address: target, line, verdict, evidence });
    }

    pub(super) fn image_open(&mut self, target: &str, title: &str, offset: usize) {
        let line = self.line(offset);
        self.links.push(OpenLink::Image { target: target.to_owned(), title: title.to_owned(), line });
        self.open();
    }

    pub(super) fn image_close(&mut self) {
        let alt = self.close().words;
        let Some(OpenLink::Image { target, title, line }) = self.links.pop() else { return };
        match link::image(&self.page.path, &target, self.resolver) {
            Target::Inside(address) => {
                let html = format!(
                    "<img src=\"{}\" alt=\"{}\"{}>",
                    link::attribute(&address),
                    escape::attribute(&alt),
                    title_attribute(&title)
                );
                self.put(&html);
            }
            Target::Refused(why, remedy) => {
                let html = format!(
                    "<span class=\"notice problem\">Image “{}”: {}</span>",
                    escape::markup(&alt),
                    escape::markup(&why)
                );
                self.put(&html);
                self.warn(line, why, Some(remedy.to_owned()));
            }
            // `link::image` gives neither.
            Target::Fragment(_) | Target::Away(_) => {}
        }
    }
}
