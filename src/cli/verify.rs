//! `perfolio verify`: one line per problem.

use crate::config::Config;
use crate::error::{Result, Severity};
use crate::site::load;

use super::args::Verify;
use super::terminal::{self, Terminal};

pub(super) fn run(args: &Verify, terminal: &Terminal) -> Result<u8> {
    let loaded = load::paths(&args.paths, &Config::default(), terminal)?;
    let problems = loaded.problems.sorted();
    for problem in &problems {
        terminal.result(&format!("{}\n", terminal.line(problem)))?;
    }
    let of = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
    let runs: usize = loaded.sources.iter().map(|source| source.evidence.runs.len()).sum();
    terminal.say(&format!(
        "{} checked: {}, {}, {}",
        terminal::count(runs, "run", "runs"),
        terminal::count(of(Severity::Error), "error", "errors"),
        terminal::count(of(Severity::Warning), "warning", "warnings"),
        terminal::count(of(Severity::Note), "note", "notes"),
    ));
    Ok(u8::from(loaded.problems.fails_strict()))
}
