//! Digests of everything that a workload page and the files of its figures are made from. A page whose digest
//! is that of the previous build is taken over with its files, without being drawn again.

use serde::Serialize;

use crate::config::Config;
use crate::error::{Error, Result};
use crate::io::Hasher;
use crate::theme::Theme;
use crate::theme::view;

use super::workloads::{Gallery, Set};

/// What all pages are made with: program, theme, configuration. Content is not part of it: what workload pages
/// show of it stands in their contents.
pub(super) fn base(theme: &Theme, config: &Config) -> String {
    let mut parts = Parts::default();
    parts.add(env!("CARGO_PKG_VERSION").as_bytes());
    parts.add(theme.digest().as_bytes());
    // Where the theme lies does not matter, and its content is told above.
    parts.add(format!("{:?}", Config { theme: None, ..config.clone() }).as_bytes());
    parts.finish()
}

/// The digest of a workload page: `view` is the page without its figures, `labels` are the names of its cases.
///
/// # Errors
/// None for views of this program.
pub(super) fn workload(
    base: &str,
    source: &str,
    gallery: &Gallery,
    at: usize,
    view: &view::Workload,
    labels: &[String],
) -> Result<String> {
    let workload = &gallery.workloads[at];
    let mut parts = Parts::default();
    parts.add(base.as_bytes());
    parts.add(source.as_bytes());
    parts.add_json(view)?;
    parts.add_json(&(&workload.page, labels))?;
    for set in workload.all_sets() {
        let set: &Set = &gallery.sets[set];
        let windows: Vec<&str> = set.windows.iter().map(|window| window.0.as_str()).collect();
        let more: Vec<_> =
            set.more.iter().map(|further| (further.kind, further.heading, further.figures.len())).collect();
        parts.add_json(&(set.group, set.main.is_some(), windows, set.series.len(), more))?;
        for figure in set.figures() {
            parts.add_json(&(&figure.id, figure.targets, &figure.covered_by, figure.only_linked))?;
            parts.add(figure.digest().as_bytes());
        }
    }
    for capture in gallery.captures_of(at) {
        parts.add_json(&(&capture.feature, &capture.target))?;
        for shown in &capture.shown {
            parts.add_json(&(&shown.figure.id, shown.downloads(source).len()))?;
            parts.add(shown.figure.digest().as_bytes());
        }
    }
    Ok(parts.finish())
}

/// A digest of parts that cannot run into each other.
#[derive(Default)]
struct Parts(Hasher);

impl Parts {
    fn add(&mut self, part: &[u8]) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    fn add_json(&mut self, part: &impl Serialize) -> Result<()> {
        let json = serde_json::to_vec(part).map_err(|error| {
            Error::evidence(format!("a page cannot be compared with its last form: {error}"))
        })?;
        self.add(&json);
        Ok(())
    }

    /// Half of the digest: enough to tell pages of one site apart.
    fn finish(self) -> String {
        let mut digest = self.0.finish();
        digest.truncate(32);
        digest
    }
}
