//! Findings in order: groups by rule and file, an identity that survives moved lines, and what is new, fixed or
//! the same between two reports.
//!
//! A finding has no id of its own that all tools keep. So it is known by its tool, its rule, its message without
//! the numbers that every edit moves, the last parts of its file's path, and its place among equal ones. Two
//! findings that differ in nothing else can so be taken for each other; their number is always right.

use std::collections::BTreeMap;

use crate::evidence::record::Status;
use crate::evidence::{Finding, Record};

/// By what a finding is known again in another report.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// The tool.
    pub tool: String,
    /// The rule.
    pub rule: String,
    /// The last parts of the path, with forward slashes; empty when no file is named.
    pub file: String,
    /// The message as [`steady`] makes it.
    pub message: String,
    /// Its place among findings that are equal in all this, counted from 0 in recorded order.
    pub occurrence: u64,
}

/// The identities of findings of one report of `tool`, in their order. All are different.
pub fn identities<'a>(tool: &str, findings: impl IntoIterator<Item = &'a Finding>) -> Vec<Identity> {
    let mut seen: BTreeMap<Identity, u64> = BTreeMap::new();
    findings
        .into_iter()
        .map(|finding| {
            let mut identity = Identity {
                tool: tool.to_owned(),
                rule: finding.rule.clone(),
                file: finding.file.as_deref().map(tail).unwrap_or_default(),
                message: steady(&finding.message),
                occurrence: 0,
            };
            let count = seen.entry(identity.clone()).or_default();
            identity.occurrence = *count;
            *count += 1;
            identity
        })
        .collect()
}

/// How many parts of a path tell a file apart.
const PARTS: usize = 2;

/// The last parts of a path of any system, without drive, `.` and `..`.
fn tail(path: &str) -> String {
    let parts: Vec<&str> = path
        .split(['/', '\\'])
        .filter(|part| !part.is_empty() && *part != "." && *part != ".." && !part.ends_with(':'))
        .collect();
    parts[parts.len().saturating_sub(PARTS)..].join("/")
}

/// A message without what changes from one state of a program to the next though the finding stays: line and
/// column numbers behind a colon or the word `line`, numbers of intermediate values (`%12`) and of generated names
/// (`#28`), addresses, timings (numbers with four or more decimals), and the width of white space. A `#` stands for
/// each such number.
pub fn steady(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(symbol) = rest.chars().next() {
        if symbol.is_whitespace() {
            rest = rest.trim_start();
            if !out.is_empty() && !rest.is_empty() {
                out.push(' ');
            }
            continue;
        }
        if symbol.is_ascii_digit() {
            let (number, after) = number(rest);
            out.push_str(if moves(&out, number) { "#" } else { number });
            rest = after;
            continue;
        }
        out.push(symbol);
        rest = &rest[symbol.len_utf8()..];
    }
    out
}

/// The number that a text begins with, as `12`, `0x1f` or `0.0412`, and what follows.
fn number(text: &str) -> (&str, &str) {
    let end = |from: usize, keep: fn(u8) -> bool| {
        text[from..].bytes().position(|byte| !keep(byte)).map_or(text.len(), |at| from + at)
    };
    if text.starts_with("0x") {
        let stop = end(2, |byte| byte.is_ascii_hexdigit());
        if stop > 2 {
            return text.split_at(stop);
        }
    }
    let whole = end(0, |byte| byte.is_ascii_digit());
    if text[whole..].starts_with('.') {
        let stop = end(whole + 1, |byte| byte.is_ascii_digit());
        if stop > whole + 1 {
            return text.split_at(stop);
        }
    }
    text.split_at(whole)
}

/// Whether a number that stands behind `before` changes with every edit.
fn moves(before: &str, number: &str) -> bool {
    if number.starts_with("0x") {
        return true;
    }
    if let Some((_, decimals)) = number.split_once('.') {
        return decimals.len() >= 4;
    }
    // A line or column behind one colon; two colons name a type.
    let colon = before.strip_suffix(':').is_some_and(|path| {
        path.chars().next_back().is_some_and(|last| last.is_alphanumeric() || matches!(last, '#' | '>' | ')'))
    });
    let word = before.strip_suffix(' ').is_some_and(|text| {
        let last = text.rsplit(|symbol: char| !symbol.is_alphabetic()).next().unwrap_or_default();
        last.eq_ignore_ascii_case("line") || last.eq_ignore_ascii_case("column")
    });
    colon || word || before.ends_with(['%', '#'])
}

/// What became of the findings between two reports: positions in the reports' lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// In both: (before, after), in the order of the later report.
    pub same: Vec<(usize, usize)>,
    /// Only in the later report, in its order.
    pub new: Vec<usize>,
    /// Only in the earlier report, in its order.
    pub fixed: Vec<usize>,
    /// What makes the two less comparable, in words: another version of the tool, another scope.
    pub cautions: Vec<String>,
}

/// Compares two reports of one tool.
///
/// # Errors
/// Says in words why they cannot be compared: another tool, no list, or a tool that did not complete; what a
/// stopped tool has not found is not fixed.
pub fn compare(before: &Record, after: &Record) -> Result<Changes, String> {
    if before.tool != after.tool {
        return Err(format!("one report is of {}, the other of {}", before.tool, after.tool));
    }
    let list = |record: &Record, which: &str| match (&record.findings, record.status) {
        (Some(_), Status::Complete) => Ok(()),
        (None, _) => Err(format!("the {which} report has no list of findings")),
        (_, status) => Err(format!("the {which} report is {}", status.word())),
    };
    list(before, "earlier")?;
    list(after, "later")?;
    let (old, new) =
        (before.findings.as_deref().unwrap_or_default(), after.findings.as_deref().unwrap_or_default());
    let mut changes = between(&before.tool, old, new);
    for (what, one, other) in [
        ("version of the tool", &before.tool_version, &after.tool_version),
        ("scope", &before.scope, &after.scope),
    ] {
        if one != other {
            let word = |text: &Option<String>| text.clone().unwrap_or_else(|| "not recorded".to_owned());
            changes.cautions.push(format!("another {what}: {} before, {} after", word(one), word(other)));
        }
    }
    Ok(changes)
}

/// What is the same, new and fixed between two lists of findings of `tool`.
pub fn between(tool: &str, before: &[Finding], after: &[Finding]) -> Changes {
    let old = identities(tool, before);
    let known: BTreeMap<&Identity, usize> = old.iter().enumerate().map(|(at, one)| (one, at)).collect();
    let mut met = vec![false; old.len()];
    let mut changes = Changes::default();
    for (at, identity) in identities(tool, after).iter().enumerate() {
        match known.get(identity) {
            Some(&place) => {
                met[place] = true;
                changes.same.push((place, at));
            }
            None => changes.new.push(at),
        }
    }
    changes.fixed = met.iter().enumerate().filter(|(_, met)| !**met).map(|(at, _)| at).collect();
    changes
}

/// The findings of one rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleGroup {
    /// The rule; empty when none was named.
    pub rule: String,
    /// How many findings.
    pub count: u64,
    /// Its findings by file, the file with most of them first, then by name.
    pub files: Vec<FileGroup>,
}

/// The findings of one rule in one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileGroup {
    /// The file as recorded; none when none was named.
    pub file: Option<String>,
    /// Positions in the list, by line, then in recorded order.
    pub findings: Vec<usize>,
}

/// Groups findings by rule, then by file: the rule and the file with most findings first, then by name.
pub fn groups(findings: &[Finding]) -> Vec<RuleGroup> {
    let mut rules: BTreeMap<&str, BTreeMap<Option<&str>, Vec<usize>>> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        let files = rules.entry(&finding.rule).or_default();
        files.entry(finding.file.as_deref()).or_default().push(at);
    }
    let mut groups: Vec<RuleGroup> = rules
        .into_iter()
        .map(|(rule, files)| {
            let mut files: Vec<FileGroup> = files
                .into_iter()
                .map(|(file, mut places)| {
                    places.sort_by_key(|&at| (findings[at].line, at));
                    FileGroup { file: file.map(str::to_owned), findings: places }
                })
                .collect();
            // Stable: equal counts keep the order of their names.
            files.sort_by_key(|group| std::cmp::Reverse(group.findings.len()));
            let count = files.iter().map(|group| group.findings.len() as u64).sum();
            RuleGroup { rule: rule.to_owned(), count, files }
        })
        .collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    groups
}

#[cfg(test)]
#[path = "finding_tests.rs"]
mod tests;
