//! Problems of one file, of which only so many of a kind are kept: a hostile file has millions.

use std::collections::BTreeMap;

use crate::error::{Place, Problem, Problems, Severity};
use crate::evidence::FileStatus;

/// How many problems of one kind are listed for one file.
const LISTED: usize = 100;

/// What a problem of a line or field is about. Problems of one kind share a severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum About {
    /// A line that is longer than the limit.
    LongLine,
    /// A line that is not a JSON object.
    Structure,
    /// A value that is not a finite number.
    Value,
    /// A definition, metric or unit that does not fit.
    Definition,
    /// A record of another run.
    Foreign,
    /// A field of the wrong type or range.
    Field,
    /// More than the limits allow.
    Limit,
    /// A target that is told in two ways.
    Target,
    /// One sample with two values.
    Conflict,
    /// One sample that was recorded twice.
    Duplicate,
    /// One sample with two call stacks.
    Stacks,
    /// Measurements in one list that may not be pooled; they are kept apart.
    Mixed,
    /// An array beside a call stack that does not fit it, ignored as the format says.
    Beside,
    /// An optional field of the wrong type, treated as absent.
    Optional,
}

impl About {
    fn severity(self) -> Severity {
        match self {
            Self::LongLine
            | Self::Structure
            | Self::Value
            | Self::Definition
            | Self::Foreign
            | Self::Field
            | Self::Limit => Severity::Error,
            Self::Target | Self::Conflict | Self::Duplicate | Self::Stacks | Self::Mixed | Self::Optional => {
                Severity::Warning
            }
            Self::Beside => Severity::Note,
        }
    }
}

/// One problem of a file before it is known how the file is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Complaint {
    /// Line, counted from 1; 0 for the whole file.
    pub(super) line: u64,
    /// Field, when one is at fault.
    pub(super) field: Option<String>,
    /// What is wrong.
    pub(super) message: String,
}

/// Collects complaints in the order in which they come.
#[derive(Debug, Default)]
pub(super) struct Complaints {
    kinds: BTreeMap<About, (Vec<Complaint>, u64)>,
}

impl Complaints {
    /// Adds a complaint; `make` is only called when it will be listed.
    pub(super) fn add(&mut self, about: About, make: impl FnOnce() -> Complaint) {
        let (listed, more) = self.kinds.entry(about).or_default();
        if listed.len() < LISTED {
            listed.push(make());
        } else {
            *more += 1;
        }
    }

    /// Takes over what another part of the same file gave, whose lines begin after `offset` lines.
    pub(super) fn append(&mut self, other: Self, offset: u64) {
        for (about, (listed, more)) in other.kinds {
            for complaint in listed {
                self.add(about, || Complaint { line: complaint.line + offset, ..complaint });
            }
            self.kinds.entry(about).or_default().1 += more;
        }
    }

    /// How many there were that refused something.
    pub(super) fn refused(&self) -> u64 {
        let errors = self.kinds.iter().filter(|(about, _)| about.severity() == Severity::Error);
        errors.map(|(_, (listed, more))| listed.len() as u64 + more).sum()
    }

    /// Whether lines are missing that cannot be told from others.
    pub(super) fn lines_lost(&self) -> bool {
        [About::Structure, About::LongLine, About::Limit].into_iter().any(|about| self.has(about))
    }

    /// What became of a file of lines that was read to its end.
    pub(super) fn status(&self) -> FileStatus {
        if self.refused() > 0 { FileStatus::Incomplete } else { FileStatus::Complete }
    }

    /// Whether there is one of this kind.
    pub(super) fn has(&self, about: About) -> bool {
        self.kinds.contains_key(&about)
    }

    /// Turns them into problems of `file`.
    pub(super) fn into_problems(self, file: &str, problems: &mut Problems) {
        for (about, (listed, more)) in self.kinds {
            for complaint in listed {
                let line = (complaint.line > 0).then_some(complaint.line);
                let place = Place { path: Some(file.to_owned()), line, field: complaint.field };
                problems.push(Problem::new(about.severity(), place, complaint.message));
            }
            if more > 0 {
                let message = format!("{more} more problems of the kind listed first ({LISTED} are listed)");
                problems.push(Problem::new(about.severity(), Place::file(file), message));
            }
        }
    }
}

/// Quotes recorded text for a message, cut to a readable length.
pub(super) fn quote(text: &str) -> String {
    const SHOWN: usize = 80;
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(SHOWN).collect();
    if chars.next().is_none() { format!("{start:?}") } else { format!("{start:?}…") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_are_listed_and_the_rest_is_counted() {
        let complain = |line: u64| Complaint { line, field: None, message: "bad".to_owned() };
        let mut first = Complaints::default();
        let mut second = Complaints::default();
        for line in 1..=80 {
            first.add(About::Value, || complain(line));
            second.add(About::Value, || complain(line));
        }
        first.append(second, 1000);
        assert_eq!(first.refused(), 160);
        let mut problems = Problems::default();
        first.into_problems("f", &mut problems);
        assert_eq!(problems.iter().count(), LISTED + 1);
        assert_eq!(problems.iter().nth(80).unwrap().place.line, Some(1001));
        assert!(problems.iter().last().unwrap().message.starts_with("60 more"));
    }
}
