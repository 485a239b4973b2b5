//! The only place that prints: results to stdout, everything else to stderr.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the room that may print")]

use std::io::{ErrorKind, IsTerminal, Write, stderr, stdout};
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::error::{Error, Problem, Problems, Reporter, Result, Severity};
use crate::text::escape::steers;

use super::args::{Color, Common};

/// How much is printed, and how.
pub(super) struct Terminal {
    quiet: bool,
    verbose: bool,
    colored: bool,
    bar: Mutex<Option<ProgressBar>>,
}

impl Terminal {
    pub(super) fn new(common: &Common) -> Self {
        let colored = match common.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        Self { quiet: common.quiet, verbose: common.verbose, colored, bar: Mutex::new(None) }
    }

    /// Writes a result to stdout. A closed pipe is the reader's choice, not a failure; anything else that
    /// keeps the result from arriving is.
    #[allow(clippy::unused_self, reason = "whoever prints holds the terminal")]
    pub(super) fn result(&self, text: &str) -> Result<()> {
        let mut out = stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::io("standard output", error)),
            _ => Ok(()),
        }
    }

    /// Says something that is not a result.
    pub(super) fn say(&self, text: &str) {
        if !self.quiet {
            eprintln!("{text}");
        }
    }

    /// Explains a failure and what can be done.
    pub(super) fn failure(&self, error: &Error) {
        // Several lines quote a file of the user; each is made harmless by itself.
        let text = error.to_string().lines().map(printable).collect::<Vec<_>>().join("\n");
        eprintln!("{}: {text}", self.paint("error", "31;1"));
        for hint in &error.hints {
            eprintln!("  {}: {}", self.paint("hint", "36"), printable(hint));
        }
    }

    /// Lists problems: errors and warnings, and notes when asked for.
    pub(super) fn problems(&self, problems: &Problems) {
        let all = problems.sorted();
        for problem in &all {
            let wanted = match problem.severity {
                Severity::Error => true,
                Severity::Warning => !self.quiet,
                Severity::Note => self.verbose,
            };
            if wanted {
                eprintln!("{}", self.line(problem));
            }
        }
        let notes = all.iter().filter(|problem| problem.severity == Severity::Note).count();
        if notes > 0 && !self.verbose && !self.quiet {
            eprintln!("{notes} note{} not shown; --verbose shows them", if notes == 1 { "" } else { "s" });
        }
    }

    /// One problem in one line.
    pub(super) fn line(&self, problem: &Problem) -> String {
        let color = match problem.severity {
            Severity::Error => "31;1",
            Severity::Warning => "33;1",
            Severity::Note => "36",
        };
        let mut line = format!(
            "{}: {}: {}",
            self.paint(problem.severity.word(), color),
            printable(&problem.place.to_string()),
            printable(&problem.message)
        );
        if let Some(remedy) = &problem.remedy {
            line = format!("{line} ({})", printable(remedy));
        }
        line
    }

    fn paint(&self, text: &str, code: &str) -> String {
        if self.colored { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// A number of things: `1 file`, `1152 files`.
pub(super) fn count(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Evidence is data from strangers: control characters and what reorders text must not reach the terminal.
pub(super) fn printable(text: &str) -> String {
    text.chars()
        .map(|symbol| match symbol {
            '\n' | '\r' | '\t' => ' ',
            symbol if steers(symbol) => '\u{fffd}',
            symbol => symbol,
        })
        .collect()
}

impl Reporter for Terminal {
    fn begin(&self, stage: &str, total: Option<u64>) {
        if self.quiet || !stderr().is_terminal() {
            return;
        }
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
        let style = if total.is_some() { "{msg} {wide_bar} {pos}/{len}" } else { "{msg} {spinner} {pos}" };
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.set_message(stage.to_owned());
        if let Ok(mut held) = self.bar.lock() {
            *held = Some(bar);
        }
    }

    fn advance(&self, steps: u64) {
        if let Ok(held) = self.bar.lock()
            && let Some(bar) = held.as_ref()
        {
            bar.inc(steps);
        }
    }

    fn finish(&self) {
        if let Ok(mut held) = self.bar.lock()
            && let Some(bar) = held.take()
        {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn nothing_steers_the_terminal() {
        let text = "a\u{1b}b\u{7f}c\u{9b}d\u{202e}e\u{2066}f\u{200f}g\u{61c}h\ni\u{e9}";
        assert_eq!(
            printable(text),
            "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}e\u{fffd}f\u{fffd}g\u{fffd}h i\u{e9}"
        );
    }
}
