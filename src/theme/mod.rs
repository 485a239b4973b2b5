//! The look: templates, style sheet and script of a theme, and the views that templates receive.
//!
//! Comes in: the files of theme folders, handed over by the caller, and views. Goes out: pages as text, the
//! assets that they link to, and the [`Style`] of drawings. A theme is a folder:
//!
//! ```text
//! theme.toml      parent, fonts, palette, fonts of pictures; single entries override the parent's
//! templates/      one per view, and the pieces that they include
//! base.css        type, links, tables: pages and exported files
//! figure.css      figures: pages and exported files
//! explore.css     figures explored in Plotly
//! page.css        pages
//! early.js        runs before a page is drawn: class `js`, remembered colours
//! figure.js       figures: pages and exported files
//! flame.js        flame graphs: pages that have one, and exported files
//! explore.js      figures explored in Plotly
//! page.js         tabs, switches, sorting
//! reports.css     pages of reports, before page.css
//! reports.js      search among findings; loaded by their pages only
//! 404.css         the style sheet within the page for unknown addresses
//! fonts/…         fonts of PNG pictures, named in theme.toml
//! static/…        pictures and the like, linked as assets under the same name
//! ```
//!
//! A file that a theme does not have comes from its parent, in the end from the built-in default theme, so a
//! theme may be a single file. Templates reach the original as `builtin/<name>`.

mod assets;
mod error;
mod layers;
mod manifest;
pub mod view;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior};

pub use self::assets::Asset;
use self::error::Sources;
pub use self::layers::{Files, built_in_names};
use self::layers::{Layers, TEMPLATES};
use self::view::{Html, NotFound, View};
use crate::draw::{Made, Style, lean};
use crate::error::{Error, Result};
use crate::io::{Hasher, sha256_base64};
use crate::text::escape;

/// The files and folders of a theme; a folder without any of them is none.
pub const PARTS: [&str; 18] = [
    "theme.toml",
    "templates",
    "base.css",
    "figure.css",
    "explore.css",
    "page.css",
    "early.js",
    "figure.js",
    "flame.js",
    "large.js",
    "panels.js",
    "explore.js",
    "page.js",
    "reports.css",
    "reports.js",
    "404.css",
    "fonts",
    "static",
];
/// Steps that one page may take: far more than the largest page needs, and an end for a template that loops.
const FUEL: u64 = 400_000_000;
/// How deep templates may include one another.
const DEPTH: usize = 100;

/// A theme that is ready to print pages.
#[derive(Debug)]
pub struct Theme {
    environment: Environment<'static>,
    sources: Sources,
    style: Style,
    assets: Vec<Asset>,
    not_found_css: String,
}

impl Theme {
    /// Loads the theme `name`: a name, or whatever else `open` understands, such as the path of a folder.
    ///
    /// `open` gives the files of a theme of the user by paths relative to its folder, and none where there is
    /// no such theme; then the name must be one of [`built_in_names`]. It is asked for parents too.
    ///
    /// # Errors
    ///
    /// An unknown theme, parents in a circle, a wrong `theme.toml`, a missing file, a template with a wrong
    /// syntax: all usage errors that name the file.
    pub fn load(name: &str, open: &mut dyn FnMut(&str) -> Result<Option<Files>>) -> Result<Self> {
        let layers = Layers::find(name, open)?;
        let manifest = manifest::read(&layers)?;
        let variables = manifest.variables();
        let parts = assets::Parts::read(&layers, &variables)?;
        let style = Style {
            light: manifest.palette(false)?,
            dark: manifest.palette(true)?,
            sans: manifest.font("sans")?.to_owned(),
            css: lean::css(&parts.export_css()),
            js: lean::script(&parts.figure_js).into_owned(),
            large_js: lean::script(&parts.large_js).into_owned(),
            panels_js: lean::script(&parts.panels_js).into_owned(),
            flame_js: lean::script(&parts.flame_js).into_owned(),
            explore_css: lean::css(&parts.explore_css),
            explore_js: lean::script(&parts.explore_js).into_owned(),
            fonts: manifest.picture_fonts(&layers)?,
            made: Made::default(),
        };
        let not_found_css = format!("{variables}{}", layers.text("404.css")?);
        let sources = templates(&layers)?;
        let mut environment = environment().map_err(|failure| sources.explain(&failure))?;
        for (name, template) in sources.iter() {
            environment
                .add_template_owned(name.to_owned(), template.to_owned())
                .map_err(|failure| sources.explain(&failure))?;
        }
        Ok(Self { environment, style, assets: parts.assets(&layers), not_found_css, sources })
    }

    /// The built-in default theme.
    ///
    /// # Errors
    ///
    /// None, unless the program was built from a broken theme, which its tests do not allow.
    pub fn built_in() -> Result<Self> {
        Self::load(layers::DEFAULT, &mut |_| Ok(None))
    }

    /// What drawings need to know about the look.
    pub fn style(&self) -> &Style {
        &self.style
    }

    /// Digest of everything that decides how pages look.
    pub fn digest(&self) -> String {
        let mut hasher = Hasher::default();
        let mut add = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        };
        for (name, text) in self.sources.iter() {
            add(name.as_bytes());
            add(text.as_bytes());
        }
        for asset in &self.assets {
            add(asset.name.as_bytes());
            add(&asset.bytes);
        }
        add(format!("{:?}", self.style).as_bytes());
        add(self.not_found_css.as_bytes());
        hasher.finish()
    }

    /// The files that pages link to, by logical name in order; they belong into the site's `assets/`.
    pub fn assets(&self) -> &[Asset] {
        &self.assets
    }

    /// The links of all assets by logical name for a page that reaches the root by `root`, such as `../../`.
    pub fn asset_links(&self, root: &str) -> BTreeMap<String, String> {
        let link = |asset: &Asset| (asset.logical.clone(), format!("{root}assets/{}", asset.name));
        self.assets.iter().map(link).collect()
    }

    /// Prints a view by its template.
    ///
    /// # Errors
    ///
    /// A template that names what the view does not have, or that takes too many steps: a usage error that
    /// names template and line.
    pub fn render<V: View>(&self, view: &V) -> Result<String> {
        self.environment
            .get_template(V::TEMPLATE)
            .and_then(|template| template.render(Serde(view)))
            .map_err(|failure| self.sources.explain(&failure))
    }

    /// The view of the page for unknown addresses. `home` is the absolute address of the front page, when it
    /// is known: relative links mean nothing there.
    pub fn not_found(&self, lang: &str, site_title: &str, home: Option<&str>) -> NotFound {
        let digest = sha256_base64(self.not_found_css.as_bytes());
        NotFound {
            lang: lang.to_owned(),
            site_title: site_title.to_owned(),
            home: home.map(str::to_owned),
            style_html: Html(self.not_found_css.clone()),
            policy: format!(
                "default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
            ),
        }
    }
}

/// All templates of all layers: each name from the first layer that has it, and the originals.
fn templates(layers: &Layers) -> Result<Sources> {
    let mut sources = Sources::default();
    for path in layers.paths() {
        let Some(name) = path.strip_prefix(TEMPLATES) else { continue };
        sources.add(name.to_owned(), layers.place(path), layers.text(path)?);
    }
    for (path, text) in layers.originals(TEMPLATES)? {
        sources.add(format!("builtin/{path}"), format!("builtin/{path}"), text);
    }
    Ok(sources)
}

fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|name| {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        match ending {
            "json" | "js" => AutoEscape::Json,
            "txt" | "css" => AutoEscape::None,
            _ => AutoEscape::Html,
        }
    });
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(DEPTH);
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build()?);
    environment.set_formatter(|out, state, value| {
        if matches!(value.kind(), ValueKind::Bool | ValueKind::None) {
            let what =
                format!("`{value}` is a flag or an absent value and cannot be printed; test it with `if`");
            return Err(minijinja::Error::new(ErrorKind::InvalidOperation, what));
        }
        match (value.as_str(), state.auto_escape()) {
            (Some(text), AutoEscape::Html) if !value.is_safe() => {
                // Unlike the engine's own escaping, slashes stay: pages hold thousands of links.
                Ok(out.write_str(&escape::markup(text))?)
            }
            _ => minijinja::escape_formatter(out, state, value),
        }
    });
    Ok(environment)
}

/// A usage error about a file of a theme.
fn wrong(place: String, message: impl Into<String>) -> Error {
    Error::usage(message).at(crate::error::Place::file(place))
}

/// Joins names for a message: `a, b`.
fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for name in names {
        let comma = if text.is_empty() { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}{name}");
    }
    text
}

#[cfg(test)]
mod tests;
