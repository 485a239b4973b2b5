//! `perfolio inspect`: what the evidence holds, as a table, as JSON, or as text for pages.

mod blocks;
mod report;
mod table;

use crate::config::Config;
use crate::error::{Error, Result};
use crate::site::load;
use crate::text::escape;

use super::args::Inspect;
use super::terminal::Terminal;

pub(super) fn run(args: &Inspect, terminal: &Terminal) -> Result<u8> {
    let config = super::normalized(Config::default(), &args.normalize)?;
    let mut loaded = load::paths(&args.paths, &config, terminal)?;
    if let Some(run) = &args.run {
        loaded = load::only_run(loaded, run, &config)?;
    }
    let report = report::Report::new(&loaded, &config);
    if args.json {
        let mut text = serde_json::to_string_pretty(&report)
            .map_err(|error| Error::evidence(format!("the report cannot be written as JSON: {error}")))?;
        text.push('\n');
        terminal.result(&escape::json(&text))?;
    } else if args.blocks {
        terminal.result(&blocks::text(&loaded))?;
    } else {
        terminal.result(&table::text(&report, &loaded))?;
        terminal.problems(&loaded.problems);
    }
    Ok(0)
}
