//! `perfolio render`: a saved plot document, drawn again.

use std::path::Path;

use crate::draw;
use crate::error::{Error, Place, Problem, Problems, Result};
use crate::figure;
use crate::io;
use crate::read;
use crate::site;
use crate::theme::Theme;

use super::args::{Across, Render};
use super::terminal::Terminal;

pub(super) fn run(args: &Render, terminal: &Terminal) -> Result<u8> {
    let name = args.plot.to_string_lossy().replace('\\', "/");
    let limits = io::Limits::default();
    let source = io::Source::open(&args.plot, &limits)?;
    let [entry] = source.entries() else {
        return Err(Error::usage("this is not one plot document").at(Place::file(name)));
    };
    let mut problems = Problems::default();
    let mut document = read::plot::parse_telling(&source.read(&entry.path)?, &name, &mut problems)?;
    for doubt in read::plot::doubts(&document, &name) {
        problems.push(doubt);
    }
    for what in site::redact_plot(&mut document) {
        problems.push(Problem::note(Place::file(&name), format!("masked: {what}")));
    }
    let theme = Theme::built_in()?;
    let style = theme.style();
    let chart = || figure::chart(&document).map_err(|error| named(error, &name));
    let json = draw::json::document(&document)?;
    let output = match ending(&args.output).as_deref() {
        Some(format @ ("svg" | "png")) => {
            let chart = chart()?;
            if args.x == Across::Date && figure::by_date(&chart).is_none() {
                let why = if matches!(chart.body, figure::chart::Body::Cloud(_)) {
                    "the plot sets one metric against another and has no axis of targets, so it cannot be drawn by date"
                } else {
                    "the plot has no two different dates, so it cannot be drawn by date"
                };
                return Err(Error::usage(why).at(Place::file(name)));
            }
            if format == "png" {
                draw::png::png(&chart, style, super::picture(args.picture, args.x))?
            } else {
                super::svg(&chart, args.x, &theme).into_bytes()
            }
        }
        Some("html") => site::export_html(&chart()?, &document, &json, style).into_bytes(),
        Some("csv") => draw::csv::csv(&chart()?.data).into_bytes(),
        Some("json") => json.into_bytes(),
        _ => {
            return Err(Error::usage("the ending of the output file names no format")
                .at(Place::file(args.output.to_string_lossy()))
                .hint("use .svg, .html, .csv, .png or .json"));
        }
    };
    io::write_file(&args.output, &output)?;
    terminal.problems(&problems);
    Ok(0)
}

fn ending(path: &Path) -> Option<String> {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase())
}

/// Names the file in an error about a document's content.
fn named(mut error: Error, name: &str) -> Error {
    error.place.path.get_or_insert_with(|| name.to_owned());
    error
}
