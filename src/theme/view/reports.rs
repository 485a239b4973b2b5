//! The views of reports: what tools said, their findings, details as tables.

use serde::Serialize;

use super::{Fact, FigureBlock, Link, Notice, NumberedPage, Page, Span, Tone, View};

/// `reports.html`: what the tools of a source said, in one table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Reports {
    /// What all pages share.
    pub page: Page,
    /// Heading.
    pub title: String,
    /// How many reports there are and what became of the tools, in one or two sentences.
    pub lede: String,
    /// What is the matter with all of them.
    pub notices: Vec<Notice>,
    /// The reports; none when only runs are there.
    pub table: Option<Table>,
    /// Reports that stand in the table together, one by one; none when there are none.
    pub more: Option<Table>,
    /// Text that opens them.
    pub more_summary: String,
    /// The runs of the source; none when it has none.
    pub runs: Option<Section>,
    /// Other pages about reports of this source: network, manifests.
    pub links: Vec<Described>,
    /// The list of all pages, when the table is cut; else empty.
    pub pages: Vec<NumberedPage>,
}

/// A link with what it leads to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Described {
    /// The link.
    pub link: Link,
    /// What stands there, in one sentence; empty when the link says it.
    pub text: String,
}

/// A table whose rows may stand in groups.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Table {
    /// What it shows, for those who do not see its place.
    pub label: String,
    /// Heads of the columns; the first one heads the rows.
    pub columns: Vec<TableColumn>,
    /// The rows by group; one group without a heading when they are not grouped.
    pub groups: Vec<TableGroup>,
}

/// A column.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TableColumn {
    /// Its head.
    pub text: String,
    /// Whether it holds numbers, which stand at the right.
    pub right: bool,
}

/// Rows that belong together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TableGroup {
    /// What they have in common; empty for the only group.
    pub heading: String,
    /// What holds for all of them, in one sentence; empty when nothing does.
    pub note: String,
    /// The rows, a cell per column.
    pub rows: Vec<TableRow>,
}

/// A row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TableRow {
    /// Fragment of the page; empty when nothing leads to it.
    pub id: String,
    /// Its cells.
    pub cells: Vec<TableCell>,
}

/// A cell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TableCell {
    /// Its text; empty when there is nothing to say.
    pub text: String,
    /// Where it leads; none for plain text.
    pub href: Option<String>,
    /// What stands under the text in muted colour; empty when nothing does.
    pub note: String,
    /// How it stands out.
    pub tone: Tone,
    /// Whether the text is code: a recorded word, a digest.
    pub code: bool,
    /// Whether it is what the row is about.
    pub strong: bool,
}

/// `report.html`: what one tool said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What all pages share.
    pub page: Page,
    /// Heading: the tool.
    pub title: String,
    /// What became of the tool and what it found, in one or two sentences.
    pub lede: Vec<Span>,
    /// Why its result does not count, or whose it is not.
    pub notices: Vec<Notice>,
    /// Tool, version, status, oracle, quality, scope, runtime, date, revision.
    pub facts: Vec<Fact>,
    /// Every number with its unit, and whether it was recorded or derived.
    pub numbers: Option<Table>,
    /// Figures of what the tool recorded.
    pub figures: Vec<FigureBlock>,
    /// What the tool recorded, as tables.
    pub sections: Vec<Section>,
    /// Its findings; none when it keeps no list.
    pub findings: Option<Findings>,
    /// What became of the findings since another report.
    pub changes: Vec<Changes>,
    /// What the result does not say, in the recorded words.
    pub limitations: Vec<String>,
    /// What else was recorded, by recorded name.
    pub parameters: Vec<Fact>,
    /// Files that the tool wrote.
    pub artifacts: Option<Table>,
    /// The tool's output as it was recorded; empty when none was.
    pub output: String,
    /// What is not recorded and what follows from that, in sentences.
    pub missing: Vec<String>,
    /// The record before and after in the list of reports.
    pub pager: super::Pager,
}

/// A part of a page with its own heading.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Fragment of the page.
    pub id: String,
    /// Heading.
    pub heading: String,
    /// The computed sentence; empty when there is none.
    pub says: Vec<Span>,
    /// How to read it, in sentences.
    pub notes: Vec<String>,
    /// Figures.
    pub figures: Vec<FigureBlock>,
    /// Its table.
    pub table: Option<Table>,
    /// Files of it.
    pub links: Vec<Link>,
    /// Whether the table is closed at first; then this is the text that opens it, else empty.
    pub summary: String,
}

/// The findings of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Findings {
    /// Such as "54 findings".
    pub heading: String,
    /// What findings are and are not, in sentences.
    pub notes: Vec<String>,
    /// Which part of them this page shows; empty when it shows all.
    pub part: String,
    /// All of them as CSV; none when there are none.
    pub csv: Option<Link>,
    /// The severities among them, the gravest first, for the filter.
    pub severities: Vec<String>,
    /// Whether they are so many that a search helps.
    pub searchable: bool,
    /// How many this page shows.
    pub shown: String,
    /// They by rule, then by file.
    pub rules: Vec<FindingRule>,
    /// The list of all pages; empty when this page shows all.
    pub pages: Vec<NumberedPage>,
}

/// The findings of one rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FindingRule {
    /// The tool's own id of the rule; empty when it named none.
    pub rule: String,
    /// The rule in a few words; empty when not recorded.
    pub title: String,
    /// How many findings, and in how many files.
    pub count: String,
    /// They by file.
    pub files: Vec<FindingFile>,
}

/// The findings of one rule in one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FindingFile {
    /// The file as recorded, or that none was.
    pub file: String,
    /// Whether a file was recorded.
    pub named: bool,
    /// How many findings.
    pub count: String,
    /// The findings.
    pub items: Vec<Finding>,
}

/// One finding.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Fragment of the page.
    pub id: String,
    /// Such as "line 396"; empty when no line was recorded.
    pub place: String,
    /// The severity in words; empty when none was recorded.
    pub severity: String,
    /// Whether the tool calls it an error.
    pub grave: bool,
    /// Its message, the first line of it when it is long.
    pub message: String,
    /// The whole message, when it is longer than what `message` shows; else empty.
    pub whole: String,
    /// The call path in recorded order.
    pub frames: Vec<String>,
    /// Said in place of the call path when there is none.
    pub no_frames: String,
    /// What else was recorded: suppression, baseline, parameters.
    pub facts: Vec<Fact>,
}

/// What became of findings between two reports.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// Fragment of the page.
    pub id: String,
    /// Such as "Since 1.10.2".
    pub heading: String,
    /// Counts, in one sentence.
    pub says: Vec<Span>,
    /// What makes the two less comparable, in sentences.
    pub notes: Vec<String>,
    /// The other report.
    pub other: Link,
    /// The lists: new, fixed, same.
    pub lists: Vec<ChangeList>,
}

/// Findings with the same fate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ChangeList {
    /// Such as "3 new".
    pub heading: String,
    /// One line per finding.
    pub items: Vec<ChangedFinding>,
    /// How many more there are than are listed; empty when all are.
    pub more: String,
    /// Whether it stands open at first.
    pub open: bool,
}

/// A finding in a list of changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ChangedFinding {
    /// File and line; empty when not recorded.
    pub place: String,
    /// Rule.
    pub rule: String,
    /// First line of its message.
    pub message: String,
    /// Where it stands on this page; none when it is not on it.
    pub href: Option<String>,
}

/// `report-sections.html`: tables about one subject, such as the network, a run, a manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SectionsPage {
    /// What all pages share.
    pub page: Page,
    /// Heading.
    pub title: String,
    /// In one or two sentences.
    pub lede: Vec<Span>,
    /// What must be known before reading.
    pub notices: Vec<Notice>,
    /// What the writer of the evidence warns of, in whole sentences.
    pub warnings: Vec<String>,
    /// Where it comes from.
    pub facts: Vec<Fact>,
    /// Parts between which tabs switch; fewer than two show no tabs.
    pub tabs: Vec<SectionTab>,
    /// The other parts.
    pub sections: Vec<Section>,
    /// Statements by rule; none when there are none.
    pub findings: Option<Findings>,
    /// Other pages.
    pub links: Vec<Described>,
    /// The list of all pages, when the tables are cut; else empty.
    pub pages: Vec<NumberedPage>,
}

/// A tab of sections.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SectionTab {
    /// Fragment of the page.
    pub id: String,
    /// Text of the tab and heading of the panel.
    pub label: String,
    /// The computed sentence; empty when there is none.
    pub says: Vec<Span>,
    /// Its parts.
    pub sections: Vec<Section>,
}

/// What reports say of one workload or of what a block asks for: `report-list.html`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ReportList {
    /// Such as "Reports at 1.11.0"; empty when the caller has a heading.
    pub heading: String,
    /// In sentences.
    pub notes: Vec<String>,
    /// One row per report.
    pub table: Option<Table>,
    /// Findings in short.
    pub findings: Vec<ShortFindings>,
    /// Where all of them stand.
    pub links: Vec<Link>,
}

/// The findings of one report in short.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ShortFindings {
    /// Heading, such as "JET 0.12.1: 54 findings".
    pub heading: String,
    /// Level of the heading in the page, such as `h3`.
    pub level: String,
    /// Its page.
    pub href: String,
    /// What findings are and are not, in sentences.
    pub notes: Vec<String>,
    /// They by rule, then by file.
    pub rules: Vec<FindingRule>,
    /// How many more there are than are listed; empty when all are.
    pub more: String,
}

impl View for Reports {
    const TEMPLATE: &'static str = "reports.html";
}

impl View for Report {
    const TEMPLATE: &'static str = "report.html";
}

impl View for SectionsPage {
    const TEMPLATE: &'static str = "report-sections.html";
}

impl View for ReportList {
    const TEMPLATE: &'static str = "report-list.html";
}
