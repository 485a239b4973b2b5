//! `perfolio build`: evidence and content to a site.

use std::path::PathBuf;

use crate::error::Result;
use crate::publish;

use super::args::Build;
use super::terminal::{self, Terminal};

pub(super) fn run(args: &Build, terminal: &Terminal) -> Result<u8> {
    let request = publish::Request {
        root: args.root.clone().or_else(|| args.source.is_empty().then(|| PathBuf::from("."))),
        sources: args.source.clone(),
        output: args.output.clone(),
        theme: args.theme.clone(),
        base_url: args.base_url.clone(),
        strict: args.strict,
        force: args.force,
    };
    let built = publish::build(&request, terminal)?;
    terminal.problems(&built.problems);
    if built.refused {
        terminal.say("nothing was written: --strict is set and there are errors or warnings");
        return Ok(1);
    }
    let pages = terminal::count(built.pages, "page", "pages");
    let figures = terminal::count(built.figures, "figure", "figures");
    let files = terminal::count(built.files, "file", "files");
    terminal.result(&format!("{}: {pages}, {figures}, {files}\n", built.output))?;
    Ok(0)
}
