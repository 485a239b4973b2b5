//! A plot document as the JSON that is downloaded, mailed and drawn again.

use std::borrow::Cow;
use std::io::{self, Write as _};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::lean;
use super::svg::writer::Element;
use crate::error::{Error, Result};
use crate::evidence::plot::PlotDocument;
use crate::text::escape;

/// A large figure's document from this many bytes on stands deflated in the figure's file: plainly it would be
/// larger than all else there, and a file of ten million bytes is hard to send.
const HEAVY: usize = 256 << 10;

/// The document as compact JSON with a final newline. Numbers are written so that they read back exactly.
///
/// # Errors
/// None for documents that were read or made by perfolio.
pub fn document(document: &PlotDocument) -> Result<String> {
    let broken = |error: serde_json::Error| {
        Error::evidence(format!("the plot document cannot be written as JSON: {error}"))
    };
    let mut bytes = Vec::with_capacity(size(document));
    serde_json::to_writer(&mut bytes, document).map_err(broken)?;
    bytes.push(b'\n');
    String::from_utf8(bytes)
        .map_err(|error| Error::evidence(format!("the plot document is no text: {error}")))
}

/// About how many bytes a document has as JSON: rows are nearly everything, and much like the last one.
fn size(document: &PlotDocument) -> usize {
    const OTHER: usize = 4096;
    let row = document.plot.data.last().and_then(|row| serde_json::to_vec(row).ok());
    OTHER + document.plot.data.len() * row.map_or(0, |row| row.len() + 8)
}

/// A document's text deflated (RFC 1951), as it is kept in memory and stands in the files of large figures.
///
/// # Errors
/// None that the memory does not give.
pub fn deflated(text: &str) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::with_capacity(text.len() / 16), Compression::fast());
    encoder.write_all(text.as_bytes())?;
    encoder.finish()
}

/// Writes the document into the file of its figure, for a reader to save: as JSON, and where that is heavy and the
/// figure has the script for it, deflated and in Base64. `packed` is the text as [`deflated`] gives it, where it is
/// at hand.
pub(super) fn write(parent: &mut Element<'_>, text: &str, packed: Option<&[u8]>, is_large: bool) {
    let is_light = !is_large || text.len() < HEAVY;
    let bytes = match packed {
        _ if is_light => None,
        Some(at_hand) => Some(Cow::Borrowed(at_hand)),
        None => deflated(text).ok().map(Cow::Owned),
    };
    let element = parent.child("script").attr("id", "plot-document");
    match bytes {
        Some(bytes) => {
            let mut element = element.attr("type", "application/octet-stream").flag("data-packed");
            element.raw(&BASE64_STANDARD.encode(bytes));
        }
        None => element.attr("type", "application/json").raw(&escape::script_json(&lean::json(text))),
    }
}
