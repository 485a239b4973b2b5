//! The page that shows every problem of the build, and the problems of one source.

use crate::error::{Problem, Problems, Severity};
use crate::theme::view::{self, ProblemGroup, ProblemsPage};

use super::facts::counted;
use super::load::Loaded;
use super::plan::link;
use super::workloads::Gallery;

/// Path of the page.
pub(super) const PAGE: &str = "problems/index.html";

/// The page, without what all pages share.
pub(super) fn page(problems: &Problems, loaded: &Loaded, galleries: &[Gallery]) -> ProblemsPage {
    let all = problems.sorted();
    let of = |id: Option<&str>| -> Vec<&Problem> {
        let mut list: Vec<_> =
            all.iter().filter(|problem| problem.source.as_deref() == id).copied().collect();
        list.sort_by_key(|problem| problem.severity);
        list
    };
    let mut groups = vec![group("site", "Content and configuration", None, &of(None))];
    for gallery in galleries {
        let source = &loaded.sources[gallery.source].evidence;
        groups.push(group(
            &source.id,
            &gallery.title,
            Some(link(PAGE, &gallery.page)),
            &of(Some(&source.id)),
        ));
    }
    groups.retain(|group| !group.problems.is_empty());
    let summary = match counted(all.iter().map(|problem| problem.severity)) {
        empty if empty.is_empty() => "No problem was found: everything was read and believed.".to_owned(),
        counted => format!(
            "{counted}. What could not be read or was not believed is listed here; everything else was published."
        ),
    };
    ProblemsPage { page: view::Page::default(), summary, groups }
}

fn group(id: &str, title: &str, href: Option<String>, problems: &[&Problem]) -> ProblemGroup {
    ProblemGroup {
        id: format!("of-{id}"),
        title: title.to_owned(),
        href,
        summary: summary(problems),
        problems: problems.iter().map(|problem| row(problem)).collect(),
    }
}

/// Counts in words; empty for none.
pub(super) fn summary(problems: &[&Problem]) -> String {
    counted(problems.iter().map(|problem| problem.severity))
}

/// One problem for people.
pub(super) fn row(problem: &Problem) -> view::Problem {
    view::Problem {
        severity: problem.severity.word().to_owned(),
        place: if problem.place.path.is_some() { problem.place.to_string() } else { String::new() },
        message: problem.message.clone(),
        remedy: problem.remedy.clone().unwrap_or_default(),
    }
}

/// Text of the link in the contents: "Problems (1 note)".
pub(super) fn label(problems: &Problems) -> String {
    let all = problems.sorted();
    match counted(all.iter().map(|problem| problem.severity)) {
        empty if empty.is_empty() => "Problems (none)".to_owned(),
        counted => format!("Problems ({counted})"),
    }
}

/// Whether a source's problems deserve a look before its figures.
pub(super) fn alarming(problems: &[&Problem]) -> bool {
    problems.iter().any(|problem| problem.severity == Severity::Error)
}
