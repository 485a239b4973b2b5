//! Figures as PNG: what they are by themselves, and whether they look like the SVG in a browser.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use perfolio::draw::png::{Font, Options, Scheme, WIDTHS, png};
use perfolio::draw::{Style, svg};
use perfolio::error::Kind;
use perfolio::figure::chart::Chart;
use resvg::tiny_skia::Pixmap;
use serde_json::json;

use super::{attribute, charts, clouds, documents, style};
use crate::browser::run_script;

/// A width at which drawing is quick.
const SMALL: Options = Options { scheme: Scheme::Light, width: 496, by_date: false };

/// A figure of every kind and shape that is drawn.
fn drawn() -> Vec<(String, Chart)> {
    let saved = documents::gallery().into_iter().map(|(name, chart)| (name.to_owned(), chart));
    charts::gallery().into_iter().chain(clouds::gallery()).chain(saved).collect()
}

fn pixels(bytes: &[u8]) -> Pixmap {
    Pixmap::decode_png(bytes).unwrap()
}

#[test]
fn every_figure_becomes_a_picture_of_the_asked_for_width() {
    let style = style();
    for (at, (name, chart)) in drawn().into_iter().enumerate() {
        let scheme = [Scheme::Light, Scheme::Dark][at % 2];
        let picture = pixels(&png(&chart, &style, Options { scheme, ..SMALL }).unwrap());
        assert_eq!(picture.width(), 496, "{name}");
        assert!((120..1200).contains(&picture.height()), "{name}: {} high", picture.height());
        let paper = if scheme == Scheme::Light { &style.light.paper } else { &style.dark.paper };
        let corner = picture.pixel(0, 0).unwrap();
        let found = format!("#{:02x}{:02x}{:02x}", corner.red(), corner.green(), corner.blue());
        assert_eq!(&found, paper, "{name}");
        let edge = picture.pixels().iter().filter(|pixel| pixel.alpha() < 255).count();
        assert_eq!(edge, 0, "{name} lets light through");
    }
    assert_eq!(pixels(&png(&charts::normalized(), &style, Options::default()).unwrap()).width(), 1984);
}

#[test]
fn the_same_figure_gives_the_same_picture() {
    let draw = || png(&charts::normalized(), &style(), SMALL).unwrap();
    assert_eq!(draw(), draw());
}

#[test]
fn sizes_that_nobody_can_want_are_refused() {
    let style = style();
    for width in [0, WIDTHS.start() - 1, WIDTHS.end() + 1, u32::MAX] {
        let error = png(&charts::normalized(), &style, Options { width, ..SMALL }).unwrap_err();
        assert_eq!(error.kind, Kind::Usage);
        assert!(error.message.contains("320") && error.message.contains("8000"), "{}", error.message);
    }
    // Hundreds of strips under the axis: no width is too large alone, but the picture is.
    let mut tall = charts::normalized();
    tall.ribbons = tall.ribbons.iter().cycle().take(400).cloned().collect();
    let error = png(&tall, &style, Options { width: 8000, ..SMALL }).unwrap_err();
    assert_eq!(error.kind, Kind::Usage);
    assert!(error.message.contains("8000 ×") && !error.hints.is_empty(), "{}", error.message);
}

#[test]
fn names_in_any_script_are_drawn_or_boxed() {
    let style = style();
    let draw = |name: &str| {
        let mut chart = charts::normalized();
        chart.lines[0].name = name.to_owned();
        chart.columns[3].label = name.to_owned();
        png(&chart, &style, SMALL).unwrap()
    };
    let blank = draw(" ");
    for name in [
        "время",
        "χρόνος",
        "ţară ñandú",
        "x ∈ S ⊂ T ∘ f",
        "α₁² ≠ β⁻¹",
        "זמן",
        "وقت التشغيل",
        "დრო",
        "ժամանակ",
        "時間",
        "시간",
        "เวลา",
        "समय",
        "🦀🏳️‍🌈",
        "a\u{301}\u{302}\u{303}\u{304}",
        "\u{200f}\u{2066}x",
        "𝄞𝔸",
        "\u{fffd}",
        "\u{e000}",
        "fi\u{feff}x",
        "\u{10ffff}",
    ] {
        assert_ne!(draw(name), blank, "{name} leaves nothing");
    }
    // Different characters that no font has look alike: a box each.
    assert_eq!(draw("時間"), draw("天地"));
    assert_ne!(draw("время"), draw("имена"));
}

#[test]
fn text_takes_no_font_of_the_system() {
    let style = Style { fonts: Vec::new(), sans: "DejaVu Sans, sans-serif".to_owned(), ..style() };
    let with_text = png(&charts::normalized(), &self::style(), SMALL).unwrap();
    let without = png(&charts::normalized(), &style, SMALL).unwrap();
    let ink = |bytes: &[u8]| pixels(bytes).pixels().iter().filter(|pixel| pixel.red() < 90).count();
    assert!(ink(&with_text) > 2 * ink(&without), "{} and {}", ink(&with_text), ink(&without));
}

#[test]
fn only_fonts_are_taken_for_fonts() {
    for bytes in [&b""[..], b"OTTO", b"not a font at all, and longer than a header would be"] {
        assert!(Font::new("mine.otf", bytes.to_vec()).is_err());
    }
}

/// Weights of text that every program knows: a drawing with others would lose them in a picture.
#[test]
fn drawings_ask_for_hundreds_of_weight() {
    let style = style();
    for (name, chart) in drawn() {
        let file = svg::file(&chart, &style);
        for element in file.split('<').filter(|element| element.contains(" font-weight=")) {
            let weight = attribute(element, "font-weight").unwrap();
            assert!(weight.len() == 3 && weight.ends_with("00"), "{name}: {weight}");
        }
        assert!(!file.contains("preserveAspectRatio"), "{name}: strokes would be bent");
    }
}

// Comparison with a browser. Both pictures are made at two pixels per px of the SVG and then averaged over cells
// of 4 × 4 pixels, so that edges which are smoothed in another way weigh little. A cell differs when a channel
// is off by more than `OFF` of 255.

const SCALE: usize = 2;
const CELL: usize = 4;
const OFF: f64 = 40.0;
/// How many cells of a figure may differ. The smallest thing that can go missing, the mark of one value, covers
/// more.
const FEW: usize = 2;
/// How much half of a row or a quarter of a column of cells may differ in brightness, of 255: what finds pale,
/// long lines.
const LONG: f64 = 3.5;
/// The mean difference of a whole figure, of 255.
const MEAN: f64 = 0.4;

/// The figures that are compared, and whether in dark surroundings: together they have every sort of mark, line,
/// area, label and key that is drawn. Their characters are in the fonts of pictures; for others a browser takes
/// fonts of its own.
const COMPARED: [(&str, bool); 9] = [
    ("normalized-14", false),
    ("normalized-zero-reference", true),
    ("series-log-zero", true),
    ("overlay", false),
    ("tradeoff-gaps", true),
    ("samples-zero", true),
    ("samples-200", false),
    ("changes-far", false),
    ("changes-200", true),
];

struct Difference {
    cells: usize,
    long: f64,
    mean: f64,
}

/// Averages of cells, channel by channel.
fn cells(picture: &Pixmap, across: usize, down: usize) -> Vec<[f64; 3]> {
    let width = picture.width() as usize;
    let mut sums = vec![[0.0; 3]; across * down];
    for (at, pixel) in picture.pixels().iter().enumerate() {
        let (x, y) = (at % width / CELL, at / width / CELL);
        if x < across && y < down {
            let sum = &mut sums[y * across + x];
            for (sum, channel) in sum.iter_mut().zip([pixel.red(), pixel.green(), pixel.blue()]) {
                *sum += f64::from(channel) / (CELL * CELL) as f64;
            }
        }
    }
    sums
}

fn difference(one: &Pixmap, other: &Pixmap) -> Difference {
    let across = one.width().min(other.width()) as usize / CELL;
    let down = one.height().min(other.height()) as usize / CELL;
    let (one, other) = (cells(one, across, down), cells(other, across, down));
    let (mut rows, mut columns) = (vec![Vec::new(); down], vec![Vec::new(); across]);
    let mut found = Difference { cells: 0, long: 0.0, mean: 0.0 };
    for (at, (a, b)) in one.iter().zip(&other).enumerate() {
        let off = [0, 1, 2].map(|at| a[at] - b[at]);
        // Smoothing makes some cells of a text lighter and others darker; a line that is missing does not.
        let brighter = off.iter().sum::<f64>() / 3.0;
        rows[at / across].push(brighter);
        columns[at % across].push(brighter.abs());
        found.mean += off.iter().map(|off| off.abs()).sum::<f64>() / (3 * across * down) as f64;
        found.cells += usize::from(off.iter().any(|off| off.abs() > OFF));
    }
    let at_part = |mut line: Vec<f64>, part: usize| {
        line.sort_by(f64::total_cmp);
        line[line.len() * part / 4].abs()
    };
    let rows = rows.into_iter().map(|row| at_part(row, 2));
    found.long = rows.chain(columns.into_iter().map(|column| at_part(column, 3))).fold(0.0, f64::max);
    found
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len() * 4 / 3 + 4);
    for part in bytes.chunks(3) {
        let word =
            part.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - part.len()));
        for at in 0..4 {
            let sign = char::from(SIGNS[(word >> (18 - 6 * at) & 63) as usize]);
            out.push(if at <= part.len() { sign } else { '=' });
        }
    }
    out
}

/// The rules by which a browser draws text with the fonts of pictures.
fn font_faces() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("themes/default/fonts");
    let mut css = String::from("text{text-rendering:geometricPrecision}");
    for (family, weight, file) in
        [("text", 400, "regular.otf"), ("text", 600, "bold.otf"), ("more", 400, "more.ttf")]
    {
        let bytes = base64(&fs::read(root.join(file)).unwrap());
        let _ = write!(
            css,
            "@font-face{{font-family:{family};font-weight:{weight};src:url(data:font/otf;base64,{bytes})}}"
        );
    }
    css
}

/// Draws SVG files in a browser; gives the bytes of the pictures.
fn in_browser(folder: &Path, drawings: &[(String, String, bool)]) -> Vec<Vec<u8>> {
    let faces = font_faces();
    let mut list = Vec::new();
    for (name, file, dark) in drawings {
        let (svg, png) = (folder.join(format!("{name}.svg")), folder.join(format!("{name}.browser.png")));
        fs::write(&svg, file.replacen("<style>", &format!("<style>{faces}"), 1)).unwrap();
        let height = attribute(file.split('<').nth(1).unwrap(), "height").unwrap().parse::<f64>().unwrap();
        list.push(json!({"svg": svg, "png": png, "dark": dark, "width": 992, "height": height}));
    }
    run_script("pictures.mjs", &json!({"scale": SCALE, "pictures": list}));
    list.iter().map(|one| fs::read(one["png"].as_str().unwrap()).unwrap()).collect()
}

#[test]
fn pictures_look_like_the_drawing_in_a_browser() {
    let style = Style { sans: "text, more".to_owned(), ..style() };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("png");
    fs::create_dir_all(&folder).unwrap();
    let (mut ours, mut drawings) = (Vec::new(), Vec::new());
    let figures = drawn();
    for (name, dark) in COMPARED {
        let chart = &figures.iter().find(|(figure, _)| figure == name).expect("a figure of the gallery").1;
        let scheme = if dark { Scheme::Dark } else { Scheme::Light };
        let name = format!("{name}-{}", if dark { "dark" } else { "light" });
        let bytes = png(chart, &style, Options { scheme, ..Options::default() }).unwrap();
        fs::write(folder.join(format!("{name}.png")), &bytes).unwrap();
        ours.push(bytes);
        drawings.push((name, svg::file(chart, &style), dark));
    }
    let whole = drawings[0].1.clone();
    for (name, part) in [
        ("without-label", ">allocated<"),
        ("without-mark", "<use "),
        ("without-line", "<path class=\"s3"),
        ("without-grid-line", "<line x2=\"100%\""),
        ("without-boundary", "<line x1=\"7.14%\""),
    ] {
        let at = whole.find(part).unwrap();
        let (head, tail) = match name {
            "without-label" => (&whole[..=at], &whole[at + part.len() - 1..]),
            _ => (&whole[..at], &whole[at + whole[at..].find("/>").unwrap() + 2..]),
        };
        drawings.push((name.to_owned(), format!("{head}{tail}"), false));
    }
    let browser = in_browser(&folder, &drawings);
    let mut report = String::new();
    let mut wrong = false;
    for (at, (name, ..)) in drawings.iter().enumerate() {
        // One at a time: a picture without packing takes some 10 MB.
        let found = difference(&pixels(ours.get(at).unwrap_or(&ours[0])), &pixels(&browser[at]));
        let alike = found.cells <= FEW && found.long <= LONG && found.mean <= MEAN;
        wrong |= alike != (at < ours.len());
        let Difference { cells, long, mean } = found;
        let _ =
            writeln!(report, "{name}: {cells} cells differ, {long:.2} along a line, {mean:.3} on average");
    }
    assert!(!wrong, "{report}");
}
