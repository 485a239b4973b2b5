//! The document of a figure between the moment when it is made and the one when it is drawn.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::DeflateDecoder;

use crate::draw;
use crate::error::{Error, Result};
use crate::evidence::SavedPlot;
use crate::evidence::plot::PlotDocument;
use crate::figure::{self, thin};
use crate::io::Hasher;
use crate::read;

use super::figures::{ENDINGS, EXPLORE, POINTS, base};
use super::values;

/// Texts from this size on are kept deflated, in a twentieth of their room; for smaller ones that is not worth the
/// time.
const LARGE: usize = 96 << 10;

/// A document as the text that is published: a tenth of its size as a tree, and a site has thousands.
#[derive(Debug)]
pub(super) struct Packed {
    /// Id of the plot.
    pub(super) id: String,
    /// Kind of the plot.
    pub(super) kind: String,
    /// Path of a saved document below its source; empty for those that perfolio made.
    pub(super) saved_at: String,
    /// How many targets it has, where its table may be too long to stand under it; 0 for small figures.
    pub(super) targets: usize,
    /// How many lines it has; 0 for small figures.
    pub(super) lines: usize,
    /// Whether another figure of its group has all of its values in its own table.
    pub(super) covered_by: Option<String>,
    /// Whether no page draws it: then it has no files for what pages do with a figure.
    pub(super) only_linked: bool,
    /// Whether it can be explored in Plotly.
    explorable: bool,
    text: Text,
    digest: String,
    /// Whether it is the text of another writer, which may be a bare plot.
    foreign: bool,
}

#[derive(Debug)]
enum Text {
    Plain(String),
    /// The bytes, and the size of the text.
    Deflated(Vec<u8>, usize),
}

impl Text {
    fn new(mut text: String) -> Self {
        if text.len() >= LARGE {
            // A text that cannot be deflated stays as it is.
            if let Ok(mut bytes) = draw::json::deflated(&text) {
                bytes.shrink_to_fit();
                return Self::Deflated(bytes, text.len());
            }
        }
        text.shrink_to_fit();
        Self::Plain(text)
    }
}

impl Packed {
    /// A document of which it is not asked whether it can be drawn.
    ///
    /// # Errors
    /// None for documents that were read or made by perfolio.
    pub(super) fn new(document: &PlotDocument) -> Result<Self> {
        let size = if is_long(document) { figure::size(document).unwrap_or_default() } else { (0, 0) };
        Ok(Self::of(document, size, draw::json::document(document)?, false))
    }

    /// A document that was made by perfolio and will be drawn.
    ///
    /// # Errors
    /// It holds more than a figure can show: a kind of evidence.
    pub(super) fn drawn(document: &PlotDocument) -> Result<Self> {
        // Only long documents can hold too much.
        let size = if is_long(document) { figure::size(document)? } else { (0, 0) };
        Ok(Self::of(document, size, draw::json::document(document)?, false))
    }

    /// The same for a document of which it is known how many targets and lines it has.
    ///
    /// # Errors
    /// As [`Packed::drawn`].
    pub(super) fn measured(document: &PlotDocument, size: (usize, usize)) -> Result<Self> {
        let size = if is_long(document) { size } else { (0, 0) };
        if size != (0, 0) {
            figure::fits(size)?;
            debug_assert_eq!(figure::size(document)?, size, "{}", document.plot.id);
        }
        Ok(Self::of(document, size, draw::json::document(document)?, false))
    }

    /// A document of a source, as it was saved.
    ///
    /// # Errors
    /// None for documents that were read.
    pub(super) fn saved(plot: &SavedPlot) -> Result<Self> {
        let packed = match &plot.text {
            None => Self::new(&plot.document)?,
            Some(text) => {
                let long = is_long(&plot.document);
                let size = if long { figure::size(&plot.document).unwrap_or_default() } else { (0, 0) };
                Self::of(&plot.document, size, text.to_string(), true)
            }
        };
        Ok(Self { saved_at: plot.path.clone(), ..packed })
    }

    /// `text` is that of `document`, which has so many targets and lines.
    fn of(document: &PlotDocument, (targets, lines): (usize, usize), text: String, foreign: bool) -> Self {
        let text = Text::new(text);
        let mut hasher = Hasher::default();
        hasher.update(match &text {
            Text::Plain(text) => text.as_bytes(),
            // The same text always gives the same bytes, which are a fraction of it.
            Text::Deflated(bytes, _) => bytes,
        });
        let id = document.plot.id.clone();
        let explorable = figure::explorable(&document.plot.kind);
        Self {
            id,
            kind: document.plot.kind.clone(),
            saved_at: String::new(),
            targets,
            lines,
            covered_by: None,
            only_linked: false,
            explorable,
            digest: hasher.finish(),
            text,
            foreign,
        }
    }

    /// The path of the document below the site's root.
    pub(super) fn path(&self, source: &str) -> String {
        format!("{}.json", base(source, &self.id))
    }

    /// The document as a file.
    ///
    /// # Errors
    /// None: what was packed can be unpacked.
    pub(super) fn file(&self, source: &str) -> Result<(String, Vec<u8>)> {
        Ok((self.path(source), self.text()?.into_owned().into_bytes()))
    }

    /// The document as it is published.
    ///
    /// # Errors
    /// None: what was packed can be unpacked.
    pub(super) fn text(&self) -> Result<Cow<'_, str>> {
        match &self.text {
            Text::Plain(text) => Ok(Cow::Borrowed(text)),
            Text::Deflated(bytes, size) => {
                let mut text = String::with_capacity(*size);
                match DeflateDecoder::new(bytes.as_slice()).read_to_string(&mut text) {
                    Ok(_) => Ok(Cow::Owned(text)),
                    Err(error) => Err(self.broken(&error)),
                }
            }
        }
    }

    /// The document as it is published, deflated, where it is kept so.
    pub(super) fn deflated(&self) -> Option<&[u8]> {
        match &self.text {
            Text::Plain(_) => None,
            Text::Deflated(bytes, _) => Some(bytes),
        }
    }

    /// Size of the document as it is published, in bytes.
    pub(super) fn weight(&self) -> usize {
        match &self.text {
            Text::Plain(text) => text.len(),
            Text::Deflated(_, size) => *size,
        }
    }

    /// Whether it is so large that its files are drawn by themselves.
    pub(super) fn is_large(&self) -> bool {
        matches!(self.text, Text::Deflated(..))
    }

    /// Digest of the document as it is kept: two documents with the same one are the same.
    pub(super) fn digest(&self) -> &str {
        &self.digest
    }

    /// How many pages of values it has of its own.
    pub(super) fn pages(&self) -> usize {
        if self.covered_by.is_some() { 0 } else { values::count(self.targets) }
    }

    /// Paths of all its files and pages of values.
    pub(super) fn outputs(&self, source: &str) -> Vec<String> {
        let base = base(source, &self.id);
        let drawn = !self.only_linked;
        let points = (drawn && values::count(self.targets) > 0).then(|| format!("{base}.{POINTS}"));
        let pages = (1..=self.pages()).map(|number| values::path(source, &self.id, number));
        let explored = (drawn && self.explorable).then(|| format!("{base}.{EXPLORE}"));
        let files = ENDINGS.into_iter().map(|ending| format!("{base}.{ending}"));
        files.chain(explored).chain(points).chain(pages).collect()
    }

    /// The document again.
    ///
    /// # Errors
    /// None: the text was made from a document.
    pub(super) fn open(&self) -> Result<PlotDocument> {
        self.parse(&self.text()?)
    }

    /// The document again, from its text.
    ///
    /// # Errors
    /// None: the text was made from a document.
    pub(super) fn parse(&self, text: &str) -> Result<PlotDocument> {
        if !self.foreign
            && let Ok(document) = serde_json::from_str(text)
        {
            return Ok(document);
        }
        // A saved document may have kept wrapper fields of another type than the form says.
        let path = if self.saved_at.is_empty() { &self.id } else { &self.saved_at };
        read::plot::parse_document(text.as_bytes(), path)
    }

    fn broken(&self, error: &dyn std::error::Error) -> Error {
        Error::evidence(format!("the plot document {} is broken: {error}", self.id))
    }
}

/// Whether its table may be too long to stand under its figure.
fn is_long(document: &PlotDocument) -> bool {
    let listed = document.plot.options.get("versions").and_then(|list| list.as_array());
    document.plot.data.len() + listed.map_or(0, Vec::len) > thin::ROWS
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document(metrics: usize, targets: usize) -> PlotDocument {
        let rows: Vec<_> = (0..metrics * targets)
            .map(|at| {
                json!({"metric": format!("m{}", at / targets), "version": format!("{}.0", at % targets),
                    "target_kind": "release", "value": at, "unit": "ns", "samples": 1, "ratio": 1,
                    "reference_value": at, "reference_version": "minimum", "statistic": "minimum",
                    "normalization_status": "ratio"})
            })
            .collect();
        serde_json::from_value(json!({"plot": {"schema_version": "perfolio-plot/1", "id": "x",
            "kind": "normalized_metrics", "title": "", "description": "", "encoding": {}, "data": rows,
            "options": {}}}))
        .unwrap()
    }

    #[test]
    fn small_and_large_documents_come_back() {
        for (targets, rows) in [(3, 0), (1200, 1200)] {
            let document = document(2, targets);
            let packed = Packed::drawn(&document).unwrap();
            assert_eq!(packed.targets, rows);
            assert_eq!(matches!(packed.text, Text::Deflated(..)), rows > 0);
            assert_eq!(packed.open().unwrap(), document);
            assert_eq!(packed.weight(), packed.text().unwrap().len());
            assert_eq!(packed.text().unwrap(), draw::json::document(&document).unwrap());
        }
    }

    #[test]
    fn what_no_figure_can_show_is_refused_before_it_is_drawn() {
        let document = document(1001, 1);
        let error = Packed::drawn(&document).unwrap_err();
        assert_eq!(error.kind, crate::error::Kind::Evidence);
        assert_eq!(Packed::new(&document).unwrap().targets, 0);
    }
}
