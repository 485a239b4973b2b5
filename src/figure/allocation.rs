//! Where a target allocates: `allocation_pie` (shares of source lines), `allocation_lines` and `allocation_files`.
//!
//! Source: PerfChecker formats §3.2–3.5. Shares are drawn as bars, which compare better than the slices of a
//! circle; the rule of the "Other" slice is that of the format.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::document;
use super::panels::{self, Entry, Quantity, Words, field, option, text, wrong};
use crate::analyze::order;
use crate::analyze::profile::{LineCost, Shares, percentage, shares, sites_by_file, sites_by_line};
use crate::error::Result;
use crate::evidence::plot::{PERFCHECKER_PLOT, PERFOLIO_PLOT, Plot, PlotDocument};
use crate::evidence::profile::{Partial, Profile, ProfileKind};
use crate::evidence::row::Row;
use crate::evidence::{Number, TargetKind};
use crate::text::unit::Unit;
use crate::text::{list, number};

/// Kind of the shares.
pub const SHARES: &str = "allocation_pie";
/// Kind of the source lines of one target.
pub const LINES: &str = "allocation_lines";
/// Kind of the files, target by target.
pub const FILES: &str = "allocation_files";

/// Slices that are kept at most, and lines of a list (the format's default).
const TOP: usize = 20;
/// Smallest share that stands alone, in per cent (the format's default).
const LEAST: f64 = 5.0;
/// The unit of these kinds.
const UNIT: &str = "By";

type Options = Map<String, Value>;

/// A row, or options.
fn row<const N: usize, T: FromIterator<(String, Value)>>(fields: [(&str, Value); N]) -> T {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What names the documents of one case: package, feature, workload and definition of its profiles.
fn parts(profile: &Profile) -> [&str; 4] {
    [&profile.package, &profile.feature, &profile.workload, &profile.definition]
        .map(|name| name.as_deref().unwrap_or_default())
}

/// The options that the documents of a profile share.
fn options(profile: &Profile) -> Options {
    let [package, feature, workload, definition] = parts(profile);
    let version = profile.target.as_deref().unwrap_or_default();
    let note = missing(profile);
    let mut options: Options = row([
        ("package", json!(package)),
        ("feature", json!(feature)),
        ("unit", json!(UNIT)),
        ("workload", json!(workload)),
        ("measurement_definitions", json!([definition])),
        ("tool", json!(&*profile.tool)),
        ("top", json!(TOP)),
        ("versions", json!([version])),
        ("selected_version", json!(version)),
    ]);
    if !note.is_empty() {
        options.insert("note".to_owned(), json!(note.trim()));
    }
    options
}

/// A document of one case. Kinds of target beyond PerfChecker's own are not in its vocabulary.
pub(super) fn wrap(
    kind: &str,
    words: (&str, &str),
    encoding: [(&str, &str); 3],
    data: Vec<Row>,
    options: Options,
    profiles: &[&Profile],
) -> PlotDocument {
    let last = profiles[profiles.len() - 1];
    // What crosses targets is one document of the case, whatever its newest target.
    let mut id = parts(last).to_vec();
    id.push(&last.tool);
    id.extend(last.target.as_deref().filter(|_| profiles.len() == 1));
    let known = |kind: Option<&TargetKind>| {
        matches!(kind, None | Some(TargetKind::Release | TargetKind::Dev | TargetKind::Candidate))
    };
    let own = profiles.iter().all(|one| known(one.target_kind.as_ref()));
    let subject = last.feature.as_deref().or(last.workload.as_deref()).unwrap_or("profile");
    let package = last.package.as_deref().map_or_else(String::new, |package| format!("{package} · "));
    PlotDocument {
        run_id: last.run_id.clone(),
        plot: Plot {
            schema_version: if own { PERFCHECKER_PLOT } else { PERFOLIO_PLOT }.to_owned(),
            id: document::id(kind, &id),
            kind: kind.to_owned(),
            title: format!("{package}{subject} · {}", words.0),
            description: words.1.to_owned(),
            encoding: encoding
                .map(|(channel, field)| (channel.to_owned(), json!(field)))
                .into_iter()
                .collect(),
            data,
            options,
        },
        ..PlotDocument::default()
    }
}

/// Whether a profile has such figures: they are about bytes by source line.
pub fn has(profile: &Profile) -> bool {
    *profile.unit == *UNIT && profile.kind == ProfileKind::Allocation
}

/// The allocation figures of a profile: shares, lines and files; none for profiles of which [`has`] says no, and for those
/// without any source line.
pub fn documents(profile: &Profile) -> Vec<PlotDocument> {
    let lines = sites_by_line(profile).costs;
    if !has(profile) || lines.is_empty() {
        return Vec::new();
    }
    let version = profile.target.as_deref().unwrap_or_default();
    let all = options(profile);
    let mut with_least = all.clone();
    with_least.insert("min_percentage".to_owned(), json!(LEAST));
    let by_line = lines.iter().take(TOP).map(|cost| line_row(version, cost)).collect();
    let files = sites_by_file(profile).costs.into_iter();
    let files = files.map(|cost| {
        row([("version", json!(version)), ("file", json!(cost.file)), ("bytes", json!(cost.weight))])
    });
    let profiles = &[profile];
    vec![
        wrap(
            SHARES,
            ("allocation share", "Share of each source line in the allocated bytes of one target."),
            [("theta", "bytes"), ("color", "label"), ("label", "percentage")],
            share_rows(version, &shares(&lines, TOP, LEAST)),
            with_least,
            profiles,
        ),
        wrap(
            LINES,
            ("allocated bytes by source line", "Allocated bytes of the source lines of one target."),
            [("x", "label"), ("y", "bytes"), ("color", "file")],
            by_line,
            all.clone(),
            profiles,
        ),
        wrap(
            FILES,
            ("allocated bytes by file", "Allocated bytes of each file, target by target."),
            [("x", "version"), ("y", "bytes"), ("color", "file")],
            files.collect(),
            all,
            profiles,
        ),
    ]
}

fn line_row(version: &str, cost: &LineCost) -> Row {
    row([
        ("version", json!(version)),
        ("file", json!(cost.file)),
        ("line", json!(cost.line)),
        ("label", json!(cost.label())),
        ("bytes", json!(cost.weight)),
    ])
}

fn share_rows(version: &str, shares: &Shares) -> Vec<Row> {
    let mut rows: Vec<Row> = shares
        .slices
        .iter()
        .map(|slice| {
            let mut row = line_row(version, &slice.cost);
            row.insert("percentage".to_owned(), json!(slice.percentage));
            row
        })
        .collect();
    rows.extend(shares.folded.as_ref().map(|folded| {
        row([
            ("version", json!(version)),
            ("file", json!("other")),
            ("line", json!(0)),
            ("label", json!("Other allocation sites")),
            ("bytes", json!(folded.weight)),
            ("percentage", json!(folded.percentage)),
            ("grouped_sites", json!(folded.sites)),
        ])
    }));
    rows
}

/// What is missing in a profile, in words for a caption.
pub(super) fn missing(profile: &Profile) -> String {
    let told: Vec<String> = profile
        .partial
        .iter()
        .map(|partial| match partial {
            Partial::Other(weight) => {
                format!("{} stand under no stack", Unit::parse(&profile.unit).show(weight.as_f64()))
            }
            Partial::HeaviestStacks(count) => format!("only the {count} heaviest stacks were saved"),
            Partial::HeaviestSites(count) => format!("only the {count} heaviest source lines were saved"),
            Partial::Folded { sites, weight } => {
                let sites = sites.map_or_else(String::new, |sites| format!("{sites} source lines with "));
                format!("{sites}{} were saved as one", Unit::parse(&profile.unit).show(weight.as_f64()))
            }
            Partial::ZeroOrNotObserved => "zero and not observed were saved alike".to_owned(),
            Partial::Cut { rows, .. } => format!("{rows} rows were beyond a limit"),
        })
        .collect();
    if told.is_empty() { String::new() } else { format!(" {}.", super::names::raised(&told.join("; "))) }
}

/// Draws shares.
///
/// # Errors
/// A row without a label or with something else than a number.
pub fn share_chart(document: &PlotDocument) -> Result<super::Chart> {
    let mut entries = Vec::new();
    let mut alone: Option<(String, f64)> = None;
    for (at, row) in document.plot.data.iter().enumerate() {
        let bytes = field(row, at, "bytes")?;
        let part = field(row, at, "percentage")?.map(Number::as_f64);
        let grouped = row.get("grouped_sites").and_then(Value::as_u64);
        let label = label(row, at)?;
        let folded =
            grouped.is_some() || (text(row, "file") == Some("other") && row.get("line") == Some(&json!(0)));
        if let (Some(part), false) = (part, folded)
            && alone.as_ref().is_none_or(|(_, most)| part > *most)
        {
            alone = Some((label.clone(), part));
        }
        entries.push(Entry {
            label: grouped
                .map_or(label.clone(), |count| format!("{label} ({})", number::whole(count.into()))),
            value: bytes,
            across: None,
            more: part.map_or_else(String::new, percent),
            rest: folded,
        });
    }
    let total: Number = entries.iter().filter_map(|entry| entry.value).sum();
    let whole = Unit::parse(unit(document)).show(total.as_f64());
    let says = alone.map_or_else(
        || "No source line stands alone.".to_owned(),
        |(label, part)| format!("{label} allocates {} of {whole}.", percent(part)),
    );
    let least = document.plot.options.get("min_percentage").and_then(Value::as_f64).unwrap_or(LEAST);
    let fine = format!(
        "Allocated bytes{} by source line, recorded while a profiler ran. Lines below {} stand together in the last row.",
        at_version(document),
        percent(least)
    );
    let heading = format!("Allocation share{}", at_version(document));
    Ok(draw(
        document,
        heading,
        says,
        fine,
        "Share",
        ("Source line", "Allocated bytes by source line"),
        entries,
    ))
}

fn percent(part: f64) -> String {
    format!("{}{}%", number::short(part), number::NARROW)
}

/// Draws source lines of one target.
///
/// # Errors
/// As [`share_chart`].
pub fn line_chart(document: &PlotDocument) -> Result<super::Chart> {
    let mut entries = Vec::new();
    for (at, row) in document.plot.data.iter().enumerate() {
        entries.push(Entry {
            label: label(row, at)?,
            value: field(row, at, "bytes")?,
            across: None,
            more: String::new(),
            rest: false,
        });
    }
    let says = most(document, &entries);
    let top = document.plot.options.get("top").and_then(Value::as_u64);
    let top = top.map_or_else(String::new, |top| format!(" At most {top} lines are in the document."));
    let fine = format!(
        "Allocated bytes{} by source line, recorded while a profiler ran.{top}",
        at_version(document)
    );
    let heading = format!("Allocated bytes by source line{}", at_version(document));
    Ok(draw(document, heading, says, fine, "", ("Source line", "Allocated bytes by source line"), entries))
}

/// Draws files, a panel per target.
///
/// # Errors
/// As [`share_chart`].
pub fn file_chart(document: &PlotDocument) -> Result<super::Chart> {
    let mut by_version: BTreeMap<&str, Vec<Entry>> = BTreeMap::new();
    for (at, row) in document.plot.data.iter().enumerate() {
        let file = text(row, "file").ok_or_else(|| wrong(at, "file", "is not a text"))?;
        let version = text(row, "version").ok_or_else(|| wrong(at, "version", "is not a text"))?;
        let value = field(row, at, "bytes")?;
        let entry = Entry { label: file.to_owned(), value, across: None, more: String::new(), rest: false };
        by_version.entry(version).or_default().push(entry);
    }
    let kind = |label: &str| if label.starts_with("dev@") { TargetKind::Dev } else { TargetKind::Release };
    let mut versions: Vec<(&str, Vec<Entry>)> = by_version.into_iter().collect();
    // The newest target first: that is what a reader looks for.
    versions.sort_by_key(|(label, _)| std::cmp::Reverse(order::key(label, &kind(label))));
    let says = versions.first().map_or_else(String::new, |(_, entries)| most(document, entries));
    let mut fine = "Allocated bytes by file, recorded while a profiler ran.".to_owned();
    if versions.len() > 1 {
        fine.push_str(" A file that is not under a target was not observed there, which is not zero.");
    }
    let quantities: Vec<Quantity> = versions
        .into_iter()
        .map(|(version, mut entries)| {
            entries.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.label.cmp(&b.label)));
            Quantity { name: version.to_owned(), unit: unit(document).to_owned(), over: None, entries }
        })
        .collect();
    let count = quantities.len();
    let heading = if count == 1 {
        format!("Allocated bytes by file at {}", quantities[0].name)
    } else {
        format!("Allocated bytes by file at {}", list::counted(count, "target", "targets"))
    };
    let words = Words {
        heading,
        says,
        fine,
        head: "File".to_owned(),
        provenance: panels::provenance(document),
        ..Words::default()
    };
    Ok(panels::chart(document, &quantities, noted(document, words)))
}

fn label(row: &Row, at: usize) -> Result<String> {
    text(row, "label").map(str::to_owned).ok_or_else(|| wrong(at, "label", "is not a text"))
}

fn unit(document: &PlotDocument) -> &str {
    option(&document.plot.options, "unit").filter(|unit| !unit.is_empty()).unwrap_or(UNIT)
}

/// " at 1.11.0", where the document names its target.
pub(super) fn at_version(document: &PlotDocument) -> String {
    let version = option(&document.plot.options, "selected_version").filter(|version| !version.is_empty());
    version.map_or_else(String::new, |version| format!(" at {version}"))
}

/// Adds what the document says of its own gaps.
fn noted(document: &PlotDocument, mut words: Words) -> Words {
    if let Some(note) = option(&document.plot.options, "note") {
        words.fine = format!("{} {note}", words.fine);
    }
    words
}

/// Which entry has most.
fn most(document: &PlotDocument, entries: &[Entry]) -> String {
    let total: Number = entries.iter().filter_map(|entry| entry.value).sum();
    let largest = entries
        .iter()
        .filter(|entry| entry.value.is_some())
        .max_by(|a, b| a.value.cmp(&b.value).then_with(|| b.label.cmp(&a.label)));
    let Some((entry, value)) = largest.and_then(|entry| Some((entry, entry.value?))) else {
        return "Nothing was recorded.".to_owned();
    };
    let part = if total.is_zero() {
        String::new()
    } else {
        format!(", {} of what is listed", percent(percentage(value, total)))
    };
    format!("{} allocates most: {}{part}.", entry.label, Unit::parse(unit(document)).show(value.as_f64()))
}

fn draw(
    document: &PlotDocument,
    heading: String,
    says: String,
    fine: String,
    more: &str,
    (head, name): (&str, &str),
    entries: Vec<Entry>,
) -> super::Chart {
    let quantity = Quantity { name: name.to_owned(), unit: unit(document).to_owned(), over: None, entries };
    let words = Words {
        heading,
        says,
        fine,
        head: head.to_owned(),
        more: more.to_owned(),
        provenance: panels::provenance(document),
    };
    panels::chart(document, &[quantity], noted(document, words))
}
