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
use crate::error::{Error, Kind, Result};

use args::{Cli, Command};
use terminal::Terminal;

/// Runs one command and returns its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let terminal = Terminal::new(&cli.common);
    let Some(command) = cli.command else {
        terminal.result(&Cli::command().render_long_help().to_string());
        return ExitCode::SUCCESS;
    };
    // A second pool in one process (tests) is harmless: the first one stays.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(cli.common.jobs).build_global();
    let outcome = match command {
        Command::Build(args) => build::run(&args, &terminal),
        Command::Inspect(args) => inspect::run(&args, &terminal),
        Command::Verify(args) => verify::run(&args, &terminal),
        Command::Export(args) => export::run(&args, &terminal),
        Command::Render(args) => render::run(&args, &terminal),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            terminal.failure(&error);
            ExitCode::from(exit_code(error.kind))
        }
    }
}

fn exit_code(kind: Kind) -> u8 {
    match kind {
        Kind::Evidence => 1,
        Kind::Usage => 2,
        Kind::Io => 3,
    }
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
