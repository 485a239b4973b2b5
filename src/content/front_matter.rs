//! Front matter: TOML between two lines of `+++` at the start of a page.

use serde::Deserialize;

use crate::config::nearest;
use crate::error::{Place, Problem, Problems};

/// What a page says about itself. Every key is optional.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrontMatter {
    /// Title; the first heading or the file's name when absent.
    pub title: Option<String>,
    /// Date of the page.
    pub date: Option<toml::value::Datetime>,
    /// One sentence for lists and search.
    pub description: Option<String>,
    /// Place in the navigation, small numbers first; pages without one follow by title.
    pub order: Option<i64>,
    /// Whether the page is left out of the site.
    pub draft: bool,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// First target that the blocks of the page show, where they name none.
    pub from: Option<String>,
    /// Last target that the blocks of the page show, where they name none.
    pub to: Option<String>,
}

const FENCE: &str = "+++";

/// Splits a page into front matter and the rest. The second value is the byte offset of the rest in `text`.
/// Front matter that cannot be read is a problem; the page goes on without it.
pub(super) fn split(path: &str, text: &str, problems: &mut Problems) -> (FrontMatter, usize) {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lines = text[start..].split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim_end() == FENCE) else {
        return (FrontMatter::default(), start);
    };
    let inside = start + first.len();
    let mut end = inside;
    for line in lines {
        if line.trim_end() == FENCE {
            let front = read(path, &text[inside..end], problems);
            return (front, end + line.len());
        }
        end += line.len();
    }
    problems.push(
        Problem::error(Place::file(path).line(1), "the front matter has no closing `+++` line")
            .remedy("write `+++` alone on a line below the last key"),
    );
    (FrontMatter::default(), inside)
}

fn read(path: &str, toml: &str, problems: &mut Problems) -> FrontMatter {
    toml::from_str(toml).unwrap_or_else(|error| {
        // The opening fence is line 1.
        let (line, message) = (2 + line_of(toml, &error), error.message().to_owned());
        let hint = nearest::hint(&message);
        let mut problem = Problem::error(Place::file(path).line(line), format!("front matter: {message}"));
        problem.remedy = hint;
        problems.push(problem);
        FrontMatter::default()
    })
}

/// How many lines stand before the place of a TOML error.
pub(super) fn line_of(toml: &str, error: &toml::de::Error) -> u64 {
    let start = error.span().map_or(0, |span| span.start.min(toml.len()));
    memchr::memchr_iter(b'\n', &toml.as_bytes()[..start]).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (FrontMatter, String, Vec<String>) {
        let mut problems = Problems::default();
        let (front, rest) = split("content/a.md", text, &mut problems);
        let shown = problems
            .iter()
            .map(|problem| format!("{}: {} {:?}", problem.place, problem.message, problem.remedy))
            .collect();
        (front, text[rest..].to_owned(), shown)
    }

    #[test]
    fn all_keys() {
        let (front, rest, problems) = parse(
            "+++\r\ntitle = \"T\"\ndate = 2026-08-28\ndescription = \"D\"\norder = 3\ndraft = true\ntags = [\"a\"]\n+++\n# H\n",
        );
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(front.title.as_deref(), Some("T"));
        assert_eq!(front.date.unwrap().to_string(), "2026-08-28");
        assert!(front.draft && front.order == Some(3) && front.tags == ["a"]);
        assert_eq!(rest, "# H\n");
    }

    #[test]
    fn mistakes_name_their_line() {
        let (_, rest, problems) = parse("+++\ntitle = \"T\"\n\ntitel = \"U\"\n+++\ntext");
        assert_eq!(rest, "text");
        assert!(
            problems[0].starts_with("content/a.md:4: front matter: unknown field `titel`"),
            "{problems:?}"
        );
        assert!(problems[0].contains("did you mean `title`?"), "{problems:?}");
        let (_, _, problems) = parse("+++\ndraft = maybe\n+++\n");
        assert!(problems[0].starts_with("content/a.md:2:"), "{problems:?}");
        let (_, rest, problems) = parse("+++\ntitle = \"T\"\n");
        assert!(problems[0].contains("closing"), "{problems:?}");
        assert_eq!(rest, "title = \"T\"\n");
    }

    #[test]
    fn pages_without_any() {
        for text in ["", "# H", "++++\n", "text\n+++\n"] {
            let (front, rest, problems) = parse(text);
            assert_eq!((front, rest.as_str(), problems.len()), (FrontMatter::default(), text, 0));
        }
    }
}
