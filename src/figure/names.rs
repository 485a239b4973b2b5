//! Names in running text: metrics, statistics, references and sorts of target; and the slot of a metric.

use std::collections::BTreeMap;

use crate::text::list;

/// A metric's name, ready for sentences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// Within a sentence and in legends: `wall time`, `GC time`.
    pub running: String,
    /// At the start of a sentence: `Wall time`.
    pub start: String,
    /// Whether it takes a plural verb.
    pub plural: bool,
}

impl Name {
    /// `is` or `are`.
    pub fn is(&self) -> &'static str {
        if self.plural { "are" } else { "is" }
    }

    /// `does` or `do`.
    pub fn does(&self) -> &'static str {
        if self.plural { "do" } else { "does" }
    }
}

/// English names and slots of the metric ids that PerfChecker defines (formats §3.4).
const KNOWN: [(&str, &str, bool, usize); 5] = [
    ("julia.wall.time", "wall time", false, 1),
    ("julia.gc.time", "GC time", false, 4),
    ("julia.gc.fraction", "GC fraction", false, 4),
    ("julia.alloc.bytes", "allocated bytes", true, 2),
    ("julia.alloc.count", "allocations", true, 3),
];

/// The name of a metric: its configured title, the built-in name of a known id, or the id as recorded.
pub fn metric(id: &str, titles: &BTreeMap<String, String>) -> Name {
    if let Some(title) = titles.get(id).map(|title| title.trim()).filter(|title| !title.is_empty()) {
        let known = KNOWN.iter().find(|known| known.1.eq_ignore_ascii_case(title));
        return Name {
            running: lowered(title),
            start: raised(title),
            plural: known.map_or_else(|| looks_plural(title), |known| known.2),
        };
    }
    match KNOWN.iter().find(|known| known.0 == id) {
        None if id.trim().is_empty() => {
            Name { running: "unnamed metric".to_owned(), start: "Unnamed metric".to_owned(), plural: false }
        }
        Some(&(_, name, plural, _)) => Name { running: name.to_owned(), start: raised(name), plural },
        None => Name { running: id.to_owned(), start: id.to_owned(), plural: false },
    }
}

/// Lower-cases the first letter, unless its word is written in another way (`GC`, `P99`, `iPhone`).
pub fn lowered(title: &str) -> String {
    let word: Vec<char> = title.chars().take_while(|symbol| symbol.is_alphanumeric()).collect();
    match word.split_first() {
        Some((first, rest)) if !rest.is_empty() && rest.iter().all(|symbol| symbol.is_lowercase()) => {
            first.to_lowercase().chain(title.chars().skip(1)).collect()
        }
        _ => title.to_owned(),
    }
}

/// Upper-cases the first letter, unless its word has capitals further on (`iPhone`).
pub fn raised(text: &str) -> String {
    let mut symbols = text.chars();
    let mixed = text.chars().skip(1).take_while(|symbol| symbol.is_alphanumeric()).any(char::is_uppercase);
    match symbols.next() {
        Some(first) if !mixed => first.to_uppercase().chain(symbols).collect(),
        _ => text.to_owned(),
    }
}

fn looks_plural(title: &str) -> bool {
    let title = title.to_lowercase();
    title.ends_with('s') && !["ss", "us", "is", "as"].iter().any(|end| title.ends_with(end))
}

/// Colour slots, one per metric, all different. Known ids have fixed slots; the others take what is free in
/// the order of the figure: 5, 6, then 1 to 4, then 7 and on.
pub fn slots<'a>(ids: impl IntoIterator<Item = &'a str> + Clone) -> Vec<usize> {
    let fixed = |id: &str| KNOWN.iter().find(|known| known.0 == id).map(|known| known.3);
    let mut taken: Vec<usize> = Vec::new();
    let mut found: Vec<Option<usize>> = Vec::new();
    for id in ids {
        let slot = fixed(id).filter(|slot| !taken.contains(slot));
        taken.extend(slot);
        found.push(slot);
    }
    let mut free = [5, 6, 1, 2, 3, 4].into_iter().chain(7..).filter(|slot| !taken.contains(slot));
    found.into_iter().map(|slot| slot.or_else(|| free.next()).unwrap_or(1)).collect()
}

/// A statistic as a noun: `minimum`, `90th percentile`.
pub fn statistic(word: &str) -> &str {
    match word {
        "p90" => "90th percentile",
        "p95" => "95th percentile",
        "p99" => "99th percentile",
        "recorded" => "recorded value",
        "" => "value",
        other => other,
    }
}

/// How a value came about: `minimum of 30 samples`, `1 sample`, `recorded by the tool`.
pub fn made_of(word: &str, samples: u64) -> String {
    if word == "recorded" {
        return "recorded by the tool".to_owned();
    }
    let unit = if word == "sum" { ("value", "values") } else { ("sample", "samples") };
    match samples {
        0 => statistic(word).to_owned(),
        1 => list::counted(1, unit.0, unit.1),
        many => {
            let many = usize::try_from(many).unwrap_or(usize::MAX);
            format!("{} of {}", statistic(word), list::counted(many, unit.0, unit.1))
        }
    }
}

/// A sort of target in one and in many.
pub fn target(kind: &str) -> (&'static str, &'static str) {
    match kind {
        "release" => ("release", "releases"),
        "dev" => ("development version", "development versions"),
        "candidate" => ("candidate", "candidates"),
        "commit" => ("commit", "commits"),
        "branch" => ("branch", "branches"),
        "implementation" => ("implementation", "implementations"),
        _ => ("target", "targets"),
    }
}

/// The sort that all `kinds` share; `target` when they differ or there are none.
pub fn targets<'a>(kinds: impl IntoIterator<Item = &'a str>) -> (&'static str, &'static str) {
    let mut kinds = kinds.into_iter();
    match kinds.next() {
        Some(first) if kinds.all(|kind| kind == first) => target(first),
        _ => target(""),
    }
}

/// A count in words with its noun: `one release`, `14 releases`.
pub fn count(count: usize, noun: (&str, &str)) -> String {
    format!("{} {}", list::words(count), if count == 1 { noun.0 } else { noun.1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_well_in_sentences() {
        let titles = BTreeMap::from([
            ("a".to_owned(), "Wall time".to_owned()),
            ("b".to_owned(), "GC time".to_owned()),
            ("c".to_owned(), "Requests".to_owned()),
            ("d".to_owned(), "  ".to_owned()),
        ]);
        let name = |id: &str| metric(id, &titles);
        assert_eq!((name("a").running, name("a").start), ("wall time".into(), "Wall time".into()));
        assert_eq!((name("b").running, name("b").start), ("GC time".into(), "GC time".into()));
        assert!(name("c").plural && !name("a").plural);
        assert_eq!(name("d").start, "d", "an empty title is no title");
        assert_eq!(name("julia.alloc.bytes").start, "Allocated bytes");
        assert_eq!(name("rss.bytes").start, "rss.bytes", "ids stay as recorded");
        assert_eq!(["P99", "iPhone", "µ", ""].map(lowered), ["P99", "iPhone", "µ", ""]);
    }

    /// PerfChecker formats §6, trap 3: collection is a time in one collector and a fraction in another; they are two
    /// metrics, with places of their own.
    #[test]
    fn slots_are_fixed_for_known_metrics_and_never_shared() {
        assert_eq!(
            slots(["julia.wall.time", "julia.gc.time", "julia.alloc.bytes", "julia.alloc.count"]),
            [1, 4, 2, 3]
        );
        assert_eq!(slots(["x", "julia.wall.time", "y", "z"]), [5, 1, 6, 2]);
        assert_eq!(slots(["julia.gc.time", "julia.gc.fraction"]), [4, 5]);
        let many: Vec<String> = (0..9).map(|at| format!("m{at}")).collect();
        assert_eq!(slots(many.iter().map(String::as_str)), [5, 6, 1, 2, 3, 4, 7, 8, 9]);
    }

    #[test]
    fn statistics_and_targets() {
        assert_eq!(made_of("minimum", 30), "minimum of 30 samples");
        assert_eq!(made_of("minimum", 1), "1 sample");
        assert_eq!(made_of("sum", 12), "sum of 12 values");
        assert_eq!(made_of("p99", 0), "99th percentile");
        assert_eq!(targets(["release", "release"]).1, "releases");
        assert_eq!(targets(["release", "dev"]).1, "targets");
        assert_eq!(count(14, target("release")), "14 releases");
        assert_eq!(count(1, target("branch")), "one branch");
    }
}
