//! Invented views of reports with every field filled.

use super::samples::{HOSTILE, page};
use crate::theme::Theme;
use crate::theme::view::*;

fn text(text: &str) -> String {
    text.to_owned()
}

fn link(words: &str, href: &str) -> Link {
    Link { text: text(words), href: text(href) }
}

fn cell(words: &str) -> TableCell {
    TableCell { text: text(words), ..TableCell::default() }
}

fn table() -> Table {
    let column = |words: &str, right| TableColumn { text: text(words), right };
    let name = TableCell { href: Some(text("jet/index.html")), note: text("0.12.1"), ..cell("JET") };
    let status = TableCell { tone: Tone::Problem, code: true, ..cell("time_budget_exceeded") };
    let row = |id: &str, cells| TableRow { id: text(id), cells };
    Table {
        label: text("What each tool said"),
        columns: vec![column("report", false), column("status", false), column("value", true)],
        groups: vec![
            TableGroup {
                heading: text("Analyzers"),
                note: text("No report here records a date."),
                rows: vec![row("", vec![name, cell("complete"), cell("54")])],
            },
            TableGroup {
                rows: vec![row("row-2", vec![cell(HOSTILE), status, cell("")])],
                ..TableGroup::default()
            },
        ],
    }
}

fn described() -> Vec<Described> {
    let one = |words: &str| Described { link: link("Network", "network/index.html"), text: text(words) };
    vec![one("Latency by payload size."), one("")]
}

fn numbered() -> Vec<NumberedPage> {
    let one = |number: &str, current| NumberedPage {
        number: text(number),
        range: text("1 to 500"),
        href: text("index.html"),
        current,
    };
    vec![one("1", true), one("2", false)]
}

pub(super) fn index(theme: &Theme) -> Reports {
    Reports {
        page: page(theme, "Reports", "../../"),
        title: text("Reports"),
        lede: text("19 reports of 16 tools."),
        notices: vec![Notice { text: text("Take care."), link: None, tone: Tone::Plain }],
        table: Some(table()),
        more: Some(Table { groups: Vec::new(), ..table() }),
        more_summary: text("Each of the network reports"),
        runs: Some(Section { table: Some(table_without_ids()), ..section("runs", "") }),
        links: described(),
        pages: numbered(),
    }
}

fn section(id: &str, summary: &str) -> Section {
    Section {
        id: text(id),
        heading: text("5 observations"),
        says: vec![Span::plain("Largest step: "), Span::strong("1.10.2 → 1.11.0")],
        notes: vec![text("Read it so.")],
        figures: Vec::new(),
        table: Some(Table { groups: vec![TableGroup::default()], ..table() }),
        links: vec![link("CSV of all verdicts", "verdicts.csv")],
        summary: text(summary),
    }
}

fn rules(id: &str) -> Vec<FindingRule> {
    let item = |place: &str, id: &str, frames: &[&str]| Finding {
        id: text(id),
        place: text(place),
        severity: text("error"),
        grave: frames.is_empty(),
        message: text(HOSTILE),
        whole: if frames.is_empty() { text("a long\nmessage") } else { String::new() },
        frames: frames.iter().map(|frame| text(frame)).collect(),
        no_frames: text("No call path was recorded for this finding."),
        facts: vec![Fact { label: text("Column"), value: text("5"), ..Fact::default() }],
    };
    let file = |name: &str, named, items| FindingFile { file: text(name), named, count: text("1"), items };
    vec![
        FindingRule {
            rule: text("a.rule"),
            title: text("A rule"),
            count: text("2 findings in 2 files"),
            files: vec![
                file("a.jl", true, vec![item("line 3", id, &["f @ a.jl:3", HOSTILE])]),
                file("No file was recorded", false, vec![item("", "", &[])]),
            ],
        },
        FindingRule { count: text("1 finding in 1 file"), ..FindingRule::default() },
    ]
}

pub(super) fn report(theme: &Theme) -> Report {
    let changed = |href: Option<&str>, place: &str| ChangedFinding {
        place: text(place),
        rule: text("a.rule"),
        message: text("m"),
        href: href.map(text),
    };
    Report {
        page: page(theme, "JET", "../../../"),
        title: text("JET"),
        lede: vec![Span::strong("JET 0.12.1"), Span::plain(" completed.")],
        notices: vec![Notice { text: text("It ran out of time."), link: None, tone: Tone::Problem }],
        facts: vec![Fact { label: text("Tool"), value: text("jet"), code: true, ..Fact::default() }],
        numbers: Some(table()),
        figures: vec![FigureBlock {
            id: text("figure-x"),
            heading: text("Phases"),
            ..FigureBlock::default()
        }],
        sections: vec![section("samples", ""), section("each", "Each observation")],
        findings: Some(Findings {
            heading: text("54 findings"),
            notes: vec![text("Not a measured slowdown.")],
            part: text("1 to 500 of 1 201."),
            csv: Some(link("CSV of all findings", "findings.csv")),
            severities: vec![text("error"), text("warning")],
            searchable: true,
            shown: text("2 of 2 shown"),
            rules: rules("finding-1"),
            pages: numbered(),
        }),
        changes: vec![Changes {
            id: text("changes"),
            heading: text("Since 1.10.2"),
            says: vec![Span::strong("1 new")],
            notes: vec![text("Known again by rule and file.")],
            other: link("The other report", "../jet-1/index.html"),
            lists: vec![ChangeList {
                heading: text("1 finding is new"),
                items: vec![changed(Some("#finding-1"), "a.jl:3"), changed(None, "")],
                more: text("3 more."),
                open: true,
            }],
        }],
        limitations: vec![text("Covers the whole process.")],
        parameters: vec![Fact { label: text("performance"), value: text("not_compared"), ..Fact::default() }],
        artifacts: Some(table_without_ids()),
        output: text("1 ambiguities found.\n<b>bold</b>\n"),
        missing: vec![text("Not recorded: target.")],
        pager: Pager {
            all: link("All reports", "../index.html"),
            previous: Some(link("Aqua", "../aqua/index.html")),
            next: Some(link("AllocCheck", "../alloccheck/index.html")),
        },
    }
}

fn table_without_ids() -> Table {
    let mut table = table();
    table.groups.iter_mut().flat_map(|group| &mut group.rows).for_each(|row| row.id.clear());
    table
}

pub(super) fn sections(theme: &Theme) -> SectionsPage {
    let tab = |id: &str, label: &str| SectionTab {
        id: text(id),
        label: text(label),
        says: vec![Span::plain("It rose.")],
        sections: vec![section(&format!("{id}-table"), "")],
    };
    let mut first = tab("payload-64", "64 B");
    first.sections[0].table = Some(table_without_ids());
    SectionsPage {
        page: page(theme, "Network", "../../../"),
        title: text("Network"),
        lede: vec![Span::strong("Oxygen on Linux")],
        warnings: vec![text("Some of it is missing.")],
        notices: vec![Notice { text: text("An experiment of its own."), link: None, tone: Tone::Plain }],
        facts: vec![Fact { label: text("State"), value: text("complete"), ..Fact::default() }],
        tabs: vec![first, tab("payload-4096", "4 KiB")],
        sections: vec![section("idle", "Windows")],
        findings: None,
        links: described(),
        pages: numbered(),
    }
}

pub(super) fn list() -> ReportList {
    ReportList {
        heading: text("Reports at 1.11.0"),
        notes: vec![text("No report here records a date.")],
        table: Some(table_without_ids()),
        findings: vec![ShortFindings {
            heading: text("JET 0.12.1: 54 findings"),
            level: text("h3"),
            href: text("../jet/index.html"),
            notes: vec![text("Not a measured slowdown.")],
            rules: rules(""),
            more: text("52 more findings on the page of the report."),
        }],
        links: vec![link("All reports", "../index.html")],
    }
}
