//! Which file of which theme: a user's folder over its parent over the built-in default.

use std::collections::{BTreeMap, BTreeSet};

use include_dir::{Dir, include_dir};

use super::manifest;
use super::{list, wrong};
use crate::error::{Error, Result};

/// The themes that the program carries.
pub(super) static BUILT_IN: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/themes");
/// The theme that all others rest on.
pub(super) const DEFAULT: &str = "default";
/// Folder of the templates within a theme.
pub(super) const TEMPLATES: &str = "templates/";

/// The files of a theme by path relative to its folder, with `/` between the parts.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The names of the themes that the program carries.
pub fn built_in_names() -> Vec<&'static str> {
    BUILT_IN.dirs().filter_map(|dir| dir.path().to_str()).collect()
}

/// Themes from the chosen one down to the built-in default; each file comes from the first that has it.
#[derive(Debug)]
pub(super) struct Layers(Vec<Layer>);

#[derive(Debug)]
struct Layer {
    /// As it is shown in messages, such as `themes/mine`.
    place: String,
    files: Files,
}

impl Layers {
    /// Follows the parents of `name` down to the built-in default.
    pub(super) fn find(name: &str, open: &mut dyn FnMut(&str) -> Result<Option<Files>>) -> Result<Self> {
        let mut layers = Vec::new();
        let mut seen = BTreeSet::new();
        let mut next = name.to_owned();
        loop {
            // A theme of the user named as its parent overrides a built-in one: then the built-in is meant.
            let again = !seen.insert(next.clone());
            let opened = if again { None } else { open(&next)? };
            let users = opened.is_some();
            let Some(files) = opened.or_else(|| built_in(&next)) else {
                return Err(if again { circle(&seen) } else { unknown(&next) });
            };
            if again && layers.iter().any(|layer: &Layer| layer.place == builtin_place(&next)) {
                return Err(circle(&seen));
            }
            let place = match users {
                true if next.contains(['/', '\\']) => next.clone(),
                true => format!("themes/{next}"),
                false => builtin_place(&next),
            };
            let layer = Layer { place, files };
            let parent = manifest::parent(layer.files.get(manifest::FILE), &layer.place)?;
            layers.push(layer);
            if !users && next == DEFAULT {
                return Ok(Self(layers));
            }
            next = parent.unwrap_or_else(|| DEFAULT.to_owned());
        }
    }

    /// All paths of all layers, sorted.
    pub(super) fn paths(&self) -> BTreeSet<&str> {
        self.0.iter().flat_map(|layer| layer.files.keys()).map(String::as_str).collect()
    }

    /// The bytes of a file, from the first layer that has it.
    pub(super) fn bytes(&self, path: &str) -> Option<&[u8]> {
        self.0.iter().find_map(|layer| layer.files.get(path)).map(Vec::as_slice)
    }

    /// The text of a file that the theme must have.
    pub(super) fn text(&self, path: &str) -> Result<String> {
        let bytes = self.bytes(path).ok_or_else(|| wrong(self.place(path), "the theme has no such file"))?;
        text(bytes, || self.place(path))
    }

    /// How a message names the file: with the folder of the layer that it comes from.
    pub(super) fn place(&self, path: &str) -> String {
        let layer = self.0.iter().find(|layer| layer.files.contains_key(path));
        format!("{}/{path}", layer.or(self.0.first()).map_or("", |layer| layer.place.as_str()))
    }

    /// The same file of every layer that has it, the default's first, with how a message names it.
    pub(super) fn stacked(&self, path: &str) -> Vec<(String, &[u8])> {
        let of = |layer: &Layer| format!("{}/{path}", layer.place);
        self.0.iter().rev().filter_map(|layer| Some((of(layer), layer.files.get(path)?.as_slice()))).collect()
    }

    /// The built-in default's files below `folder`: path without the folder, and text.
    pub(super) fn originals(&self, folder: &str) -> Result<Vec<(&str, String)>> {
        let Some(layer) = self.0.last() else { return Ok(Vec::new()) };
        let below = layer.files.iter().filter_map(|(path, bytes)| Some((path.strip_prefix(folder)?, bytes)));
        below.map(|(path, bytes)| Ok((path, text(bytes, || self.place(path))?))).collect()
    }
}

fn text(bytes: &[u8], place: impl FnOnce() -> String) -> Result<String> {
    // A checkout with other line ends must not give other bytes.
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.replace("\r\n", "\n")),
        Err(failure) => Err(wrong(place(), format!("is not UTF-8 from byte {} on", failure.valid_up_to()))),
    }
}

fn builtin_place(name: &str) -> String {
    format!("builtin/{name}")
}

/// The files of a theme that the program carries.
fn built_in(name: &str) -> Option<Files> {
    fn collect(dir: &Dir<'_>, root: &Dir<'_>, files: &mut Files) {
        for file in dir.files() {
            if let Some(path) = file.path().strip_prefix(root.path()).ok().and_then(|path| path.to_str()) {
                files.insert(path.replace('\\', "/"), file.contents().to_vec());
            }
        }
        for dir in dir.dirs() {
            collect(dir, root, files);
        }
    }
    let root = BUILT_IN.dirs().find(|dir| dir.path().to_str() == Some(name))?;
    let mut files = Files::new();
    collect(root, root, &mut files);
    Some(files)
}

fn unknown(name: &str) -> Error {
    Error::usage(format!("there is no theme \"{name}\""))
        .hint(format!("built in: {}", list(built_in_names())))
        .hint(format!(
            "a theme of your own is a folder themes/{name} beside perfolio.toml, or give the folder's path"
        ))
}

fn circle(seen: &BTreeSet<String>) -> Error {
    Error::usage(format!("the parents of the theme form a circle: {}", list(seen.iter().map(String::as_str))))
        .hint("remove one `parent` from a theme.toml")
}
