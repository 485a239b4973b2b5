//! The command line: flags to settings, results to exit codes. The only room that prints.
//!
//! One short file per verb. Exit codes: 0 done; 1 errors or warnings under `--strict`, or `verify` found
//! something, or evidence that cannot be used at all; 2 usage or configuration; 3 disk or permission.

mod args;
mod build;
mod export;
mod inspect;
mod render;
mod terminal;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::config::Config;
use crate::draw::png;
use crate::error::{Error, Kind, Result};

use args::{Cli, Command};
use terminal::Terminal;

/// Runs one command and returns its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let printed = error.print();
            // `--help` and `--version` are results: it matters whether they arrived.
            let lost = printed.is_err_and(|error| error.kind() != std::io::ErrorKind::BrokenPipe);
            let code = if lost { 3 } else { error.exit_code() };
            return ExitCode::from(u8::try_from(code).unwrap_or(2));
        }
    };
    let terminal = Terminal::new(&cli.common);
    match command(cli, &terminal) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            terminal.failure(&error);
            ExitCode::from(exit_code(error.kind))
        }
    }
}

fn command(cli: Cli, terminal: &Terminal) -> Result<u8> {
    let Some(command) = cli.command else {
        terminal.result(&Cli::command().render_long_help().to_string())?;
        return Ok(0);
    };
    threads(cli.common.jobs)?;
    match command {
        Command::Build(args) => build::run(&args, terminal),
        Command::Inspect(args) => inspect::run(&args, terminal),
        Command::Verify(args) => verify::run(&args, terminal),
        Command::Export(args) => export::run(&args, terminal),
        Command::Render(args) => render::run(&args, terminal),
    }
}

/// Starts the threads that everything runs on: `jobs` of them, or one per processor. Many more than there
/// are processors only cost memory, so there is an upper bound.
fn threads(jobs: usize) -> Result<()> {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let jobs = jobs.min((4 * processors).max(64));
    match rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global() {
        Err(error) => match std::error::Error::source(&error) {
            Some(refused) => {
                Err(Error::new(Kind::Io, format!("{jobs} threads cannot be started: {refused}"))
                    .hint("give a smaller number by --jobs"))
            }
            // A second pool in one process (tests) is harmless: the first one stays.
            None => Ok(()),
        },
        Ok(()) => Ok(()),
    }
}

fn exit_code(kind: Kind) -> u8 {
    match kind {
        Kind::Evidence => 1,
        Kind::Usage => 2,
        Kind::Io => 3,
    }
}

/// A figure as an SVG file; by date where that was asked for and dates are known.
fn svg(chart: &crate::figure::Chart, across: args::Across, theme: &crate::theme::Theme) -> String {
    let by_date = match across {
        args::Across::Date => crate::draw::svg::file_by_date(chart, theme.style()),
        args::Across::Order => None,
    };
    by_date.unwrap_or_else(|| crate::draw::svg::file(chart, theme.style()))
}

/// Lays the normalization flags over the configuration, refusing words that mean nothing.
fn normalized(config: Config, flags: &args::Normalize) -> Result<Config> {
    let mut config = config;
    if let Some(statistic) = &flags.statistic {
        crate::analyze::Statistic::parse(statistic).ok_or_else(|| {
            Error::usage(format!("`{statistic}` is not a statistic"))
                .hint("use minimum, median, mean, maximum, p90, p95, p99 or sum")
        })?;
        config.normalize.statistic = Some(statistic.clone());
    }
    if let Some(reference) = &flags.reference {
        config.normalize.reference = Some(reference.clone());
    }
    Ok(config)
}

/// The flags of pictures as drawing takes them.
fn picture(flags: args::Picture, across: args::Across) -> png::Options {
    let scheme = match flags.scheme {
        args::Scheme::Light => png::Scheme::Light,
        args::Scheme::Dark => png::Scheme::Dark,
    };
    png::Options { scheme, width: flags.width, by_date: across == args::Across::Date }
}
