//! Words for tools, statuses, severities and numbers of reports.

use crate::evidence::record::{Details, Quantity, Status};
use crate::evidence::{Number, Record};
use crate::text::list;
use crate::text::number;
use crate::text::unit::{Dimension, Unit};
use crate::theme::view::Tone;

/// What findings are not. Stands on every page that shows findings.
pub(in crate::site) const NOT_MEASURED: &str = "A finding is what an analyzer says about the code that it looked at. It is not a measured slowdown: it says nothing about how long anything takes.";

/// Most characters of a message that stand in one line.
const LINE: usize = 200;

/// Names of tools as people write them.
const TOOLS: [(&str, &str); 20] = [
    ("jet", "JET"),
    ("alloccheck", "AllocCheck"),
    ("snoopcompile", "SnoopCompile"),
    ("aqua", "Aqua"),
    ("latency", "First-request latency"),
    ("gc", "Garbage collection"),
    ("memory", "Reachable memory"),
    ("heap", "Heap snapshot"),
    ("locks", "Locks"),
    ("memcheck", "Memcheck"),
    ("callgrind", "Callgrind"),
    ("cachegrind", "Cachegrind"),
    ("massif", "Massif"),
    ("heaptrack", "heaptrack"),
    ("perf", "perf"),
    ("vtune", "VTune"),
    ("network_interface", "Network interface"),
    ("network_isolated", "Isolated network"),
    ("perfchecker", "PerfChecker"),
    ("process_resources", "Process resources"),
];

/// The tool as people write it; an unknown one as recorded.
pub(in crate::site) fn tool(record: &Record) -> String {
    if let Details::HeapTypes(_) = record.details {
        return "Heap types".to_owned();
    }
    let known = TOOLS.iter().find(|(name, _)| *name == record.tool);
    known.map_or_else(|| record.tool.clone(), |(_, name)| (*name).to_owned())
}

/// The tool with its version.
pub(in crate::site) fn tool_and_version(record: &Record) -> String {
    match &record.tool_version {
        Some(version) => format!("{} {version}", tool(record)),
        None => tool(record),
    }
}

/// The sort of a report: the parts of a list of reports, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::site) enum Sort {
    /// Looks at code.
    Analyzer,
    /// Watches a runtime.
    Runtime,
    /// Watches a process from outside of its runtime.
    Native,
    /// Counts traffic.
    Network,
}

impl Sort {
    /// The sort of a record. A tool that nobody knows looks at code: it has findings or nothing.
    pub(in crate::site) fn of(record: &Record) -> Self {
        match record.tool.as_str() {
            "latency" | "gc" | "memory" | "heap" | "locks" => Self::Runtime,
            "memcheck" | "callgrind" | "cachegrind" | "massif" | "dhat" | "helgrind" | "drd"
            | "heaptrack" | "perf" | "vtune" => Self::Native,
            "network_interface" | "network_isolated" => Self::Network,
            _ => match record.details {
                Details::Network(_) | Details::Isolation(_) => Self::Network,
                Details::Massif(_) => Self::Native,
                Details::Samples(_) | Details::HeapTypes(_) => Self::Runtime,
                Details::None => Self::Analyzer,
            },
        }
    }

    /// Heading of the part.
    pub(in crate::site) fn heading(self) -> &'static str {
        match self {
            Self::Analyzer => "Analyzers and checkers",
            Self::Runtime => "Startup, allocation and retention",
            Self::Native => "Native tools",
            Self::Network => "Network",
        }
    }
}

/// What became of a tool, in words.
pub(in crate::site) fn status(status: Status) -> &'static str {
    match status {
        Status::Complete => "complete",
        Status::Incomplete => "stopped, incomplete",
        Status::Timeout => "ran out of time",
        Status::Failed => "failed",
        Status::Invalid => "does not count",
        Status::NotRun => "not run",
        Status::Unknown => "not known",
    }
}

/// What became of the tool of a record, in words. Of a report with a gap nobody knows whether the tool was stopped.
pub(in crate::site) fn status_of(record: &Record) -> &'static str {
    if record.gap.is_some() && record.status == Status::Incomplete {
        "incomplete"
    } else {
        status(record.status)
    }
}

/// Whether a status needs attention. A tool that never ran has done nothing wrong.
pub(in crate::site) fn tone(status: Status) -> Tone {
    if matches!(status, Status::Complete | Status::NotRun) { Tone::Plain } else { Tone::Problem }
}

/// A recorded text for people: one that is a single word of the form (`whole_process`) reads `whole process`.
pub(in crate::site) fn text(recorded: &str) -> String {
    if recorded.contains(' ') { recorded.to_owned() } else { plain(recorded) }
}

/// The recorded word for a status, where it says more than ours.
pub(in crate::site) fn recorded(record: &Record) -> Option<String> {
    let word = record.status_recorded.as_ref()?;
    let own = status_of(record);
    let same =
        word == own || plain(word) == own || (record.status == Status::Complete && word == "completed");
    (!same).then(|| word.clone())
}

/// A recorded word for people: `not_checked` is `not checked`.
pub(in crate::site) fn plain(recorded: &str) -> String {
    recorded.replace('_', " ")
}

/// A recorded severity in words, with whether the tool calls it an error. Unknown words stay.
pub(in crate::site) fn severity(recorded: &str) -> (String, bool) {
    match recorded {
        "error" => ("error".to_owned(), true),
        "info" => ("information".to_owned(), false),
        "none" => ("no severity".to_owned(), false),
        other => (plain(other), false),
    }
}

/// The order of severities, the gravest first; unknown ones between warnings and notes.
pub(in crate::site) fn gravity(word: &str) -> u8 {
    match word {
        "error" => 0,
        "warning" => 1,
        "note" => 3,
        "information" => 4,
        "no severity" => 5,
        "" => 6,
        _ => 2,
    }
}

/// A value with its unit for people: `7.385 s`, `98.7 MiB`, `22 215 451 instructions`.
pub(in crate::site) fn value(value: Number, unit: &str) -> String {
    let known = Unit::parse(unit);
    match (known.dimension(), value.as_whole()) {
        (Dimension::Number, Some(whole)) => number::whole(whole),
        (Dimension::Other, Some(whole)) if unit != "By/s" => known.scale([value.as_f64()]).show_whole(whole),
        _ if unit == "By/s" => format!("{}/s", Unit::parse("By").show(value.as_f64())),
        _ => known.show(value.as_f64()),
    }
}

/// A value as recorded, every digit of it, with the recorded unit.
pub(in crate::site) fn exact(value: Number, unit: &str) -> String {
    let digits = number::exact(&value.to_string());
    match unit {
        "" | "1" => digits,
        "By" => format!("{digits} B"),
        unit => format!("{digits} {unit}"),
    }
}

/// Values from the smallest to the largest: `1.523 MiB`, or `2.5 – 9.4 ms`.
pub(in crate::site) fn range(values: &[Number], unit: &str) -> Option<String> {
    let (min, max) = (values.iter().min()?, values.iter().max()?);
    let (low, high) = (value(*min, unit), value(*max, unit));
    Some(if low == high { low } else { format!("{low} – {high}") })
}

/// How many of several observations recorded a value.
pub(in crate::site) fn recorded_of(some: usize, all: usize) -> String {
    format!("recorded for {} of {}", number::whole(some as i128), number::whole(all as i128))
}

/// Numbers whose names say too little to people, in the order in which they are told.
const KNOWN: [(&str, &str); 10] = [
    ("load_seconds", "loading"),
    ("first_case_seconds", "first lifecycle"),
    ("warm_case_seconds", "warm lifecycle"),
    ("inference_seconds", "type inference"),
    ("shallow_bytes", "shallow size"),
    ("workload_seconds_median", "median round trip"),
    ("throughput_median", "median application throughput"),
    ("rss_bytes", "resident memory"),
    ("gc_seconds", "garbage collection"),
    ("compile_time", "compilation"),
];

/// Numbers in the order in which they are told: phases as they follow one another, all others as recorded.
pub(in crate::site) fn ordered(mut numbers: Vec<Quantity>) -> Vec<Quantity> {
    let place = |one: &Quantity| KNOWN.iter().position(|(name, _)| *name == one.name).unwrap_or(KNOWN.len());
    numbers.sort_by_key(place);
    numbers
}

/// The recorded name under the name for people; nothing where it says the same.
pub(in crate::site) fn recorded_name(recorded: &str) -> String {
    if name(recorded) == recorded { String::new() } else { recorded.to_owned() }
}

/// The name of a number for people: `first_case_seconds` is `first lifecycle`.
pub(in crate::site) fn name(recorded: &str) -> String {
    let (stem, part) = match recorded.split_once('/') {
        Some((stem, part)) => (stem, Some(part)),
        None => (recorded, None),
    };
    let known = KNOWN.iter().find(|(known, _)| *known == stem);
    let mut text = known.map_or_else(|| spelled(stem), |(_, words)| (*words).to_owned());
    if let Some(part) = part {
        let bytes =
            part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u64>().ok()).flatten();
        let part = match bytes {
            Some(bytes) if stem != "shallow_bytes" => format!("{} payload", payload(bytes)),
            _ => part.to_owned(),
        };
        text = format!("{text}, {part}");
    }
    text
}

/// A name without its unit, in words.
fn spelled(name: &str) -> String {
    let mut words: Vec<&str> = name.split('_').filter(|word| !word.is_empty()).collect();
    words.retain(|word| !matches!(*word, "seconds" | "bytes" if name != *word));
    // `bytes_sent` and `packets_sent` would read alike.
    if name.starts_with("bytes_") {
        words.insert(0, "bytes");
    }
    match words.as_slice() {
        [] => name.to_owned(),
        words => words.join(" ").replace("rss", "resident memory"),
    }
}

/// A payload size as people write it: `64 B`, `4 KiB`, `1 MiB`.
pub(in crate::site) fn payload(bytes: u64) -> String {
    for (symbol, size) in [("GiB", 1_u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)] {
        if bytes >= size && bytes.is_multiple_of(size) {
            return format!("{}\u{202f}{symbol}", number::whole(i128::from(bytes / size)));
        }
    }
    format!("{}\u{202f}B", number::whole(bytes.into()))
}

/// One number in a line: `loading 7.385 s`.
pub(in crate::site) fn said(one: &Quantity) -> String {
    format!("{} {}", name(&one.name), value(one.value, &one.unit))
}

/// Language, version and threads as recorded.
pub(in crate::site) fn runtime(record: &Record) -> Option<String> {
    let text = |key: &str| record.runtime.get(key).and_then(serde_json::Value::as_str);
    let mut words = match text("language") {
        Some("julia") => "Julia".to_owned(),
        Some(other) => other.to_owned(),
        None => return None,
    };
    if let Some(version) = text("version") {
        words = format!("{words} {version}");
    }
    if let Some(threads) = record.runtime.get("threads").and_then(serde_json::Value::as_u64) {
        words = format!("{words}, {}", list::counted(threads.try_into().unwrap_or(0), "thread", "threads"));
    }
    Some(words)
}

/// The first line of a text, cut where it would be too long for one; and whether that is all of it.
pub(in crate::site) fn line(text: &str) -> (String, bool) {
    let first = text.lines().next().unwrap_or_default().trim_end();
    let mut end = first.len();
    if let Some((at, _)) = first.char_indices().nth(LINE) {
        end = at;
    }
    let cut = &first[..end];
    let all = cut.len() == text.trim_end().len();
    (if end < first.len() { format!("{cut}…") } else { cut.to_owned() }, all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_named_and_printed_for_people() {
        for (recorded, words) in [
            ("load_seconds", "loading"),
            ("peak_heap_bytes", "peak heap"),
            ("bytes_sent", "bytes sent"),
            ("packets_sent", "packets sent"),
            ("requests/4096", "requests, 4\u{202f}KiB payload"),
            ("shallow_bytes/Vector{Any}", "shallow size, Vector{Any}"),
            ("shallow_bytes/64", "shallow size, 64"),
            ("bytes", "bytes"),
            ("", ""),
            ("_", "_"),
        ] {
            assert_eq!(name(recorded), words, "{recorded}");
        }
        assert_eq!(
            value(Number::Unsigned(22_215_451), "instructions"),
            "22\u{202f}215\u{202f}451\u{202f}instructions"
        );
        assert_eq!(value(Number::Float(0.004_127_5), "s"), "4.128\u{202f}ms");
        assert_eq!(value(Number::Float(2057.0), "1"), "2\u{202f}057");
        assert_eq!(
            exact(Number::Unsigned(1_597_432), "By"),
            "1\u{202f}597\u{202f}432\u{202f}B".replace("\u{202f}B", " B")
        );
        assert_eq!(range(&[Number::ZERO, Number::ZERO], "1").as_deref(), Some("0"));
        assert_eq!(range(&[], "1"), None);
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        let long = "é".repeat(500);
        let (cut, all) = line(&long);
        assert_eq!((cut.chars().count(), all), (LINE + 1, false));
        assert_eq!(line("one\ntwo"), ("one".to_owned(), false));
        assert_eq!(line("one\n"), ("one".to_owned(), true));
    }

    #[test]
    fn severities_are_words() {
        assert_eq!(severity("error"), ("error".to_owned(), true));
        assert_eq!(severity("info").0, "information");
        assert_eq!(severity("very_bad"), ("very bad".to_owned(), false));
        assert!(gravity("error") < gravity("very bad") && gravity("very bad") < gravity("note"));
    }
}
