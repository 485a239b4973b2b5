//! Pages written by people: Markdown with front matter, blocks and claims.
//!
//! Comes in: the path and the text of a page, and a [`Resolver`] that knows the evidence and the other pages.
//! Goes out: [`Rendered`] HTML that obeys the site's policy, with its headings and claims. Reads no file.
//!
//! | file | does |
//! | --- | --- |
//! | `front_matter` | splits and reads the `+++` part |
//! | `markdown` | events → HTML: the frame and the simple elements |
//! | `writer` | the state that the elements share: buffers, lines, problems |
//! | `table`, `note`, `code`, `reference` | tables; footnotes and alerts; code and blocks; links, images and claims |
//! | `block` | what a `perfolio` block asks for |
//! | `claim/` | addresses, numbers in prose, verdicts |
//! | `policy`, `link`, `heading`, `highlight` | raw HTML, addresses, ids, code colours |

pub mod block;
pub mod claim;
mod code;
mod front_matter;
mod heading;
mod highlight;
mod link;
mod markdown;
mod note;
mod policy;
mod reference;
mod table;
mod writer;

pub use block::Block;
pub use claim::{Address, Claim, ClaimEvidence, ClaimFailure, Verdict};
pub use front_matter::FrontMatter;
pub use heading::Heading;

use crate::error::{Error, Place, Problems, Result};
use crate::text::slug;

/// Folder of the pages, below the root of the site.
pub const FOLDER: &str = "content";

/// First path parts that belong to what perfolio writes itself.
pub const RESERVED: [&str; 7] = ["gallery", "reports", "figures", "problems", "assets", "evidence", "search"];

/// What pages refer to. The site implements it for the page that is being rendered: all addresses that it
/// returns are relative to that page's output file.
pub trait Resolver {
    /// The HTML that replaces a block; its headings begin at `level`, from 2 to 6.
    ///
    /// # Errors
    /// Why there is none, in words; shown on the page and among the problems.
    fn block(&self, block: &Block, level: u8) -> Result<String, String>;

    /// The number that a claim names.
    ///
    /// # Errors
    /// Why the address leads to no number or to several.
    fn claim(&self, address: &Address) -> Result<ClaimEvidence, ClaimFailure>;

    /// The address of another page. `from` is the linking page's path below the content folder; `target` is
    /// the path as written, without query and fragment: another content page's `.md` file, or any page that
    /// the site plans.
    fn page(&self, from: &str, target: &str) -> Option<String>;

    /// The address of a file beside the pages, such as an image. The site publishes what is asked for here.
    fn file(&self, from: &str, target: &str) -> Option<String>;
}

/// A page that has been read but not rendered.
#[derive(Debug, Clone)]
pub struct Page {
    /// Path of its file below the content folder, with forward slashes.
    pub path: String,
    /// Path of the output file: `index.html`, `guide/install/index.html`.
    pub output: String,
    /// What the page says about itself.
    pub front: FrontMatter,
    /// Title: from the front matter, else the first heading, else the file's name.
    pub title: String,
    text: String,
    body: usize,
}

/// A rendered page.
#[derive(Debug, Clone, Default)]
pub struct Rendered {
    /// The page's content, without its title.
    pub html: String,
    /// Title, as plain text.
    pub title: String,
    /// One sentence: from the front matter, else the first paragraph.
    pub description: Option<String>,
    /// Headings in order, without the title.
    pub headings: Vec<Heading>,
    /// Claims in order.
    pub claims: Vec<Claim>,
    /// All words, for the search.
    pub words: String,
}

impl Page {
    /// Reads a page; `path` is its file below the content folder.
    ///
    /// Mistakes in the front matter are problems; the page goes on without it.
    ///
    /// # Errors
    /// The page's name is reserved, or the path is not one of a page.
    pub fn parse(path: &str, text: &str) -> Result<(Self, Problems)> {
        let output = output(path)?;
        let mut problems = Problems::default();
        let (front, body) = front_matter::split(&shown(path), text, &mut problems);
        let title = front
            .title
            .clone()
            .or_else(|| markdown::first_heading(&text[body..]))
            .unwrap_or_else(|| name(path));
        Ok((Self { path: path.to_owned(), output, front, title, text: text.to_owned(), body }, problems))
    }

    /// Renders the page. What could not be resolved, agreed or shown is a problem, and is marked on the page.
    pub fn render(&self, resolver: &dyn Resolver) -> (Rendered, Problems) {
        markdown::render(self, resolver)
    }
}

/// The path of a page's file as messages call it.
fn shown(path: &str) -> String {
    format!("{FOLDER}/{path}")
}

/// The file's name in words: `getting-started.md` → `getting started`.
fn name(path: &str) -> String {
    let stem = path.strip_suffix(".md").unwrap_or(path);
    let stem = stem.strip_suffix("/index").unwrap_or(stem);
    stem.rsplit('/').next().unwrap_or(stem).replace(['-', '_'], " ")
}

/// `a/b.md` → `a/b/index.html`; `index.md` is the page of its folder.
fn output(path: &str) -> Result<String> {
    let place = || Place::file(shown(path));
    let stem = path
        .strip_suffix(".md")
        .filter(|stem| stem.split('/').all(|part| !matches!(part, "" | "." | "..")))
        .ok_or_else(|| Error::usage("a page is a file that ends with .md").at(place()))?;
    let mut parts: Vec<&str> = stem.split('/').collect();
    if parts.last() == Some(&"index") {
        parts.pop();
    }
    let mut parts: Vec<String> = parts.into_iter().map(slug::slug).collect();
    if let Some(first) = parts.first().filter(|first| RESERVED.contains(&first.as_str())) {
        return Err(Error::usage(format!("a page may not be named `{first}`; perfolio writes that folder"))
            .at(place())
            .hint("rename the file"));
    }
    parts.push("index.html".to_owned());
    Ok(parts.join("/"))
}

#[cfg(test)]
mod demonstration;
#[cfg(test)]
mod tests;
