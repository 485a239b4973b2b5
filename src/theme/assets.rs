//! The files that pages link to, named by their content so that they can be kept for ever.

use super::layers::Layers;
use crate::error::Result;
use crate::io::sha256_hex;

/// Folder of a theme whose files become assets as they are.
const STATIC: &str = "static/";

/// A file that pages link to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// Name in templates, such as `perfolio.css` or `static/logo.svg`.
    pub logical: String,
    /// Name below the site's `assets/`: with eight hex digits of its digest, such as `perfolio-1f2e3d4c.css`.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Asset {
    /// An asset with its name from its content.
    pub fn new(logical: &str, bytes: Vec<u8>) -> Self {
        let file = logical.rsplit_once('/').map_or(logical, |(_, file)| file);
        let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
        let dot = if ending.is_empty() { "" } else { "." };
        let name = format!("{stem}-{}{dot}{ending}", &sha256_hex(&bytes)[..8]);
        Self { logical: logical.to_owned(), name, bytes }
    }
}

/// Style sheets and scripts before they are put together.
pub(super) struct Parts {
    variables: String,
    base_css: String,
    figure_css: String,
    pub(super) explore_css: String,
    page_css: String,
    reports_css: String,
    early_js: String,
    pub(super) figure_js: String,
    pub(super) large_js: String,
    pub(super) panels_js: String,
    pub(super) flame_js: String,
    pub(super) explore_js: String,
    page_js: String,
    reports_js: String,
}

impl Parts {
    pub(super) fn read(layers: &Layers, variables: &str) -> Result<Self> {
        Ok(Self {
            variables: variables.to_owned(),
            base_css: layers.text("base.css")?,
            figure_css: layers.text("figure.css")?,
            explore_css: layers.text("explore.css")?,
            page_css: layers.text("page.css")?,
            reports_css: layers.text("reports.css")?,
            early_js: layers.text("early.js")?,
            figure_js: layers.text("figure.js")?,
            large_js: layers.text("large.js")?,
            panels_js: layers.text("panels.js")?,
            flame_js: layers.text("flame.js")?,
            explore_js: layers.text("explore.js")?,
            page_js: layers.text("page.js")?,
            reports_js: layers.text("reports.js")?,
        })
    }

    /// The style sheet of a figure outside a page.
    pub(super) fn export_css(&self) -> String {
        format!("{}{}{}", self.variables, self.base_css, self.figure_css)
    }

    /// The assets in the order of their logical names.
    pub(super) fn assets(&self, layers: &Layers) -> Vec<Asset> {
        let css = format!("{}{}{}{}", self.export_css(), self.explore_css, self.reports_css, self.page_css);
        let js = [&self.large_js, &self.panels_js, &self.figure_js, &self.explore_js, &self.page_js]
            .map(String::as_str)
            .concat();
        let mut assets = vec![
            Asset::new("early.js", self.early_js.clone().into_bytes()),
            Asset::new("flame.js", self.flame_js.clone().into_bytes()),
            Asset::new("perfolio.css", css.into_bytes()),
            Asset::new("perfolio.js", js.into_bytes()),
            Asset::new("reports.js", self.reports_js.clone().into_bytes()),
        ];
        for path in layers.paths().into_iter().filter(|path| path.starts_with(STATIC)) {
            assets.extend(layers.bytes(path).map(|bytes| Asset::new(path, bytes.to_vec())));
        }
        assets
    }
}
