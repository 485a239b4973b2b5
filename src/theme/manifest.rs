//! `theme.toml`: parent, fonts and colours, and what becomes of them: CSS variables and palettes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use super::layers::Layers;
use super::wrong;
use crate::draw::Palette;
use crate::draw::png::Font;
use crate::error::{Error, Place, Result};

/// Name of the file within a theme.
pub(super) const FILE: &str = "theme.toml";

/// The colours of flame graphs.
const FLAME: [&str; 7] =
    ["flame", "flame-hatch", "flame-hot", "flame-hot-line", "flame-dot", "flame-more", "flame-less"];

/// The fonts and colours of a theme, parents included.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    fonts: BTreeMap<String, String>,
    colours: BTreeMap<String, Colour>,
    /// Files of the fonts of pictures, in order.
    picture_fonts: Vec<String>,
    /// The chosen theme's file, for messages.
    place: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    parent: Option<String>,
    #[serde(default)]
    font: BTreeMap<String, toml::Spanned<String>>,
    #[serde(default)]
    palette: BTreeMap<String, toml::Spanned<Colour>>,
    png: Option<Picture>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Picture {
    fonts: toml::Spanned<Vec<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Colour {
    light: String,
    dark: String,
}

/// The parent that a `theme.toml` names, if any.
pub(super) fn parent(bytes: Option<&Vec<u8>>, place: &str) -> Result<Option<String>> {
    let Some(bytes) = bytes else { return Ok(None) };
    Ok(parse(&format!("{place}/{FILE}"), bytes)?.0.parent)
}

/// Reads the files of all layers, later ones over earlier ones entry by entry.
pub(super) fn read(layers: &Layers) -> Result<Manifest> {
    let mut manifest = Manifest { place: layers.place(FILE), ..Manifest::default() };
    for (place, bytes) in layers.stacked(FILE) {
        let (file, text) = parse(&place, bytes)?;
        let fail = |span: std::ops::Range<usize>, name: &str, message: String| {
            let at = Place::file(&place).line(line(&text, span.start)).field(name);
            Err(Error::usage(message).at(at))
        };
        for (name, font) in file.font {
            if !is_name(&name) || font.get_ref().contains([';', '{', '}', '<', '\n', '\\']) {
                return fail(
                    font.span(),
                    &format!("font.{name}"),
                    "is not a list of font families".to_owned(),
                );
            }
            manifest.fonts.insert(name, font.into_inner());
        }
        for (name, colour) in file.palette {
            let Colour { light, dark } = colour.get_ref();
            if let Some(bad) = [light, dark].into_iter().find(|text| !is_colour(text)) {
                let message = format!("\"{bad}\" is not a colour of the form #rrggbb");
                return fail(colour.span(), &format!("palette.{name}"), message);
            }
            if !is_name(&name) {
                let message = "a name holds lower-case letters, digits and hyphens".to_owned();
                return fail(colour.span(), &format!("palette.{name}"), message);
            }
            manifest.colours.insert(name, colour.into_inner());
        }
        if let Some(Picture { fonts }) = file.png {
            if let Some(missing) = fonts.get_ref().iter().find(|path| layers.bytes(path).is_none()) {
                let message = format!("the theme has no file \"{missing}\"");
                return fail(fonts.span(), "png.fonts", message);
            }
            manifest.picture_fonts = fonts.into_inner();
        }
    }
    Ok(manifest)
}

fn parse(place: &str, bytes: &[u8]) -> Result<(File, String)> {
    let text = std::str::from_utf8(bytes).map_err(|_| wrong(place.to_owned(), "is not UTF-8"))?;
    let file = toml::from_str(text).map_err(|failure: toml::de::Error| {
        let start = failure.span().map_or(0, |span| span.start);
        Error::usage(failure.message()).at(Place::file(place).line(line(text, start)))
    })?;
    Ok((file, text.to_owned()))
}

/// The line, counted from 1, that holds the byte at `offset`.
fn line(text: &str, offset: usize) -> u64 {
    1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count() as u64
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

fn is_colour(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|hex| hex.len() == 6 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

impl Manifest {
    /// The variables of all colours and fonts, and the two ways to choose between light and dark.
    pub(super) fn variables(&self) -> String {
        let mut css = String::from(":root {\n  color-scheme: light dark;\n");
        // Writing to a string cannot fail.
        for (name, Colour { light, dark }) in &self.colours {
            let _ = writeln!(css, "  --{name}: light-dark({light}, {dark});");
        }
        for (name, font) in &self.fonts {
            let _ = writeln!(css, "  --{name}: {font};");
        }
        css.push_str("}\n:root[data-theme=\"light\"] { color-scheme: light; }\n");
        css.push_str(":root[data-theme=\"dark\"] { color-scheme: dark; }\n");
        css.push_str("@media print { :root, :root[data-theme] { color-scheme: light; } }\n");
        css
    }

    /// A font that the theme must have.
    pub(super) fn font(&self, name: &str) -> Result<&str> {
        self.fonts.get(name).map(String::as_str).ok_or_else(|| self.lacks(&format!("font.{name}")))
    }

    /// The fonts of pictures.
    pub(super) fn picture_fonts(&self, layers: &Layers) -> Result<Vec<Font>> {
        let files = self.picture_fonts.iter().filter_map(|path| Some((path, layers.bytes(path)?)));
        files
            .map(|(path, bytes)| {
                Font::new(path, bytes.to_vec()).map_err(|error| error.at(Place::file(layers.place(path))))
            })
            .collect()
    }

    /// The colours that drawings need, for dark or light surroundings.
    pub(super) fn palette(&self, dark: bool) -> Result<Palette> {
        let find =
            |name: &str| self.colours.get(name).map(|both| if dark { &both.dark } else { &both.light });
        let need = |name: &str| find(name).cloned().ok_or_else(|| self.lacks(&format!("palette.{name}")));
        let series: Vec<String> = (1..).map_while(|slot| find(&format!("s{slot}")).cloned()).collect();
        if series.is_empty() {
            return Err(self.lacks("palette.s1"));
        }
        Ok(Palette {
            paper: need("paper")?,
            ink: need("ink")?,
            muted: need("muted")?,
            rule: need("rule")?,
            grid: need("grid")?,
            tint: need("tint")?,
            series,
            bands: vec![need("band")?, need("band-2")?, need("band-new")?],
            heat: (1..=6).map(|step| need(&format!("h{step}"))).collect::<Result<_>>()?,
            flame: FLAME.into_iter().map(need).collect::<Result<_>>()?,
        })
    }

    fn lacks(&self, field: &str) -> Error {
        Error::usage("the theme does not set it").at(Place::file(&self.place).field(field))
    }
}
