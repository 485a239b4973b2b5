//! A plot document as the JSON that is downloaded, mailed and drawn again.

use crate::error::{Error, Result};
use crate::evidence::plot::PlotDocument;

/// The document as compact JSON with a final newline. Numbers are written so that they read back exactly.
///
/// # Errors
/// None for documents that were read or made by perfolio.
pub fn document(document: &PlotDocument) -> Result<String> {
    let mut text = serde_json::to_string(document)
        .map_err(|error| Error::evidence(format!("the plot document cannot be written as JSON: {error}")))?;
    text.push('\n');
    Ok(text)
}
