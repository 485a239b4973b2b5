//! Errors that stop a command, problems that do not, and the way to report progress.
//!
//! Comes in: nothing. Goes out: [`Error`] with a kind that the command line turns into an exit code,
//! and [`Problems`], which collects what was wrong with single files. Knows no other room.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What sort of failure stopped a command; decides its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The command line or a configuration file asks for something that cannot be done (exit code 2).
    Usage,
    /// Evidence could not be used at all, for instance a plot document of an unknown kind (exit code 1).
    Evidence,
    /// The disk or the system refused (exit code 3).
    Io,
}

/// A place in a file: which file, which line, which field.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Path as the user knows it, relative to the source where there is one.
    pub path: Option<String>,
    /// Line, counted from 1.
    pub line: Option<u64>,
    /// Field, as a dotted path such as `plan.runs[3].version`.
    pub field: Option<String>,
}

impl Place {
    /// Names a whole file.
    pub fn file(path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..Self::default() }
    }

    /// Adds the line, counted from 1.
    #[must_use]
    pub fn line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// Adds the field.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path.as_deref().unwrap_or("(no file)"))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(field) = &self.field {
            write!(f, " ({field})")?;
        }
        Ok(())
    }
}

/// A failure that stops a command.
#[derive(Debug)]
pub struct Error {
    /// What sort of failure it is.
    pub kind: Kind,
    /// What went wrong, in one sentence without a full stop.
    pub message: String,
    /// Where it went wrong, when it is about a file.
    pub place: Place,
    /// What the user can do about it.
    pub hints: Vec<String>,
    /// The failure beneath.
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// The result of anything that can stop a command.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Builds an error of `kind`.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), place: Place::default(), hints: Vec::new(), source: None }
    }

    /// A wrong command line or configuration.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message)
    }

    /// Evidence that cannot be used at all.
    pub fn evidence(message: impl Into<String>) -> Self {
        Self::new(Kind::Evidence, message)
    }

    /// The system refused to read or write `path`.
    pub fn io(path: impl Into<String>, source: std::io::Error) -> Self {
        Self {
            kind: Kind::Io,
            message: source.to_string(),
            place: Place::file(path),
            hints: Vec::new(),
            source: Some(Box::new(source)),
        }
    }

    /// Says where it happened.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// Says what can be done.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.path.is_some() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Evidence was refused.
    Error,
    /// Something is doubtful; `--strict` fails on it.
    Warning,
    /// Worth knowing; never fails a command.
    Note,
}

impl Severity {
    /// The word used in reports and on pages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// Something that perfolio could not read or would not believe. Always shown, never dropped.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Problem {
    /// The source that it belongs to, by its id; none for content and configuration.
    pub source: Option<String>,
    /// Where it is.
    pub place: Place,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What can be done about it.
    pub remedy: Option<String>,
}

impl Problem {
    /// Builds a problem of `severity` at `place`.
    pub fn new(severity: Severity, place: Place, message: impl Into<String>) -> Self {
        Self { source: None, place, severity, message: message.into(), remedy: None }
    }

    /// Evidence that was refused.
    pub fn error(place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, place, message)
    }

    /// Something doubtful.
    pub fn warning(place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, place, message)
    }

    /// Something worth knowing.
    pub fn note(place: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, place, message)
    }

    /// Says what can be done.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// Says which source it belongs to.
    #[must_use]
    pub fn of_source(mut self, id: &str) -> Self {
        self.source = Some(id.to_owned());
        self
    }
}

/// The problems of one command. A value, not a global, so that two builds in one process never mix.
#[derive(Debug, Clone, Default)]
pub struct Problems {
    list: Vec<Problem>,
}

impl Problems {
    /// Adds a problem.
    pub fn push(&mut self, problem: Problem) {
        self.list.push(problem);
    }

    /// Takes over the problems of a part of the work.
    pub fn extend(&mut self, other: Problems) {
        self.list.extend(other.list);
    }

    /// The problems that were saved by another command.
    pub fn saved(list: Vec<Problem>) -> Self {
        Self { list }
    }

    /// All problems in a fixed order: source, place, severity, message.
    pub fn sorted(&self) -> Vec<&Problem> {
        let mut all: Vec<_> = self.list.iter().collect();
        all.sort();
        all.dedup();
        all
    }

    /// How many problems of `severity` there are.
    pub fn count(&self, severity: Severity) -> usize {
        self.sorted().iter().filter(|problem| problem.severity == severity).count()
    }

    /// Whether `--strict` and `verify` fail: an error or a warning is among them.
    pub fn fails_strict(&self) -> bool {
        self.list.iter().any(|problem| problem.severity <= Severity::Warning)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The problems as they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.list.iter()
    }

    /// Names `id` as the source of every problem that has none yet.
    pub fn set_source(&mut self, id: &str) {
        for problem in &mut self.list {
            problem.source.get_or_insert_with(|| id.to_owned());
        }
    }
}

/// Receives progress; the command line prints it, tests ignore it.
pub trait Reporter: Send + Sync {
    /// A stage of the work starts; `total` steps are expected when known.
    fn begin(&self, stage: &str, total: Option<u64>);
    /// `steps` more steps of the stage are done.
    fn advance(&self, steps: u64);
    /// The stage is over.
    fn finish(&self);
}

/// A reporter that says nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn begin(&self, _stage: &str, _total: Option<u64>) {}
    fn advance(&self, _steps: u64) {}
    fn finish(&self) {}
}
