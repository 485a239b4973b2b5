//! The views: what a template receives. They are the contract with theme authors.
//!
//! Every field is a string that is ready to be printed, a flag, or a list of such. Numbers, units, dates and
//! links are already written out; a template never computes. Fields whose name ends in `_html` are finished
//! markup and printed with `|safe`; all others are text, which the environment escapes. Links are relative to
//! the page that holds them and name the file (`…/index.html`).

mod gallery;
mod reports;
mod saved;
mod values;

use std::collections::BTreeMap;

use serde::Serialize;

pub use gallery::{
    Availability, AvailabilityCell, AvailabilityReason, AvailabilityRow, Card, Cards, Flagged, Gallery,
    LegendStep, Matrix, MatrixCell, MatrixColumn, MatrixRow, Overlays, Overview, Run, Sort,
};
pub use reports::{
    ChangeList, ChangedFinding, Changes, Described, Finding, FindingFile, FindingRule, Findings, Report,
    ReportList, Reports, Section, SectionTab, SectionsPage, ShortFindings, Table, TableCell, TableColumn,
    TableGroup, TableRow,
};
pub use saved::{ComparedValue, Comparison, SavedPlot, SavedPlots};
pub use values::{NumberedPage, Values};

/// The policy of every page: nothing but its own files.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'";

/// A view together with the template that prints it.
pub trait View: Serialize {
    /// File name below `templates/`.
    const TEMPLATE: &'static str;
}

/// Finished markup. Made only where text from evidence has been escaped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Html(pub String);

/// What all pages share: `page` in every template.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Page {
    /// Language of the text, such as `en`.
    pub lang: String,
    /// Title of this page, without the site's.
    pub title: String,
    /// Title of the site.
    pub site_title: String,
    /// One sentence for the description of the document; empty when there is none.
    pub description: String,
    /// Way from this page to the site's root: empty at the root, else `../` repeated.
    pub root: String,
    /// Content security policy; [`POLICY`] unless a preview allows more.
    pub policy: String,
    /// Links of the assets by logical name, such as `perfolio.css`.
    pub assets: BTreeMap<String, String>,
    /// The site's contents.
    pub nav: Nav,
    /// The way down to this page, without the page itself.
    pub crumbs: Vec<Link>,
    /// Program and version, such as `perfolio 0.1.0`.
    pub generator: String,
    /// Sentence at the foot of every page; empty when there is none.
    pub footer: String,
}

/// A link.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Its text.
    pub text: String,
    /// Where it leads.
    pub href: String,
}

/// The site's contents, beside or above every page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Nav {
    /// Link of the front page.
    pub home: String,
    /// Content pages in their order, without the front page.
    pub pages: Vec<NavLink>,
    /// Galleries in the order of the sources.
    pub galleries: Vec<NavGallery>,
    /// Pages about the build, such as "Problems (1 note)".
    pub build: Vec<NavLink>,
}

/// An entry of the contents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct NavLink {
    /// Its text.
    pub text: String,
    /// Where it leads.
    pub href: String,
    /// Whether it is this page.
    pub current: bool,
}

/// A gallery in the contents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct NavGallery {
    /// Its title.
    pub text: String,
    /// Where it leads.
    pub href: String,
    /// Whether it is this page.
    pub current: bool,
    /// The reports of its source; none when there are none.
    pub reports: Option<NavLink>,
    /// Its workloads. Filled for the gallery that this page belongs to, and for all galleries of a small
    /// site; else empty, so that a page never carries thousands of links.
    pub workloads: Vec<NavLink>,
}

/// How a value stands out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// As ordinary text.
    #[default]
    Plain,
    /// As something that needs attention: unverified, partial, failed.
    Problem,
}

/// A label with its value: the state line of a gallery, the provenance of a workload.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What it is, such as "Integrity".
    pub label: String,
    /// The value, such as "unverified".
    pub value: String,
    /// Where the value leads; none for plain text.
    pub href: Option<String>,
    /// What follows the value, such as ", no digests in the source"; empty when nothing does.
    pub note: String,
    /// How it stands out.
    pub tone: Tone,
    /// Whether the value is code: an id, a digest.
    pub code: bool,
}

/// A piece of a computed sentence.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Span {
    /// The text, with its blanks.
    pub text: String,
    /// Whether it is what the sentence is about.
    pub strong: bool,
}

impl Span {
    /// An ordinary piece.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), strong: false }
    }

    /// What the sentence is about.
    pub fn strong(text: impl Into<String>) -> Self {
        Self { text: text.into(), strong: true }
    }
}

/// A notice above the figures, such as "The newest run is partial".
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// What is the matter, in whole sentences.
    pub text: String,
    /// Where to read more.
    pub link: Option<Link>,
    /// How it stands out.
    pub tone: Tone,
}

/// `article.html`: a content page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Article {
    /// What all pages share.
    pub page: Page,
    /// Heading; not repeated in the body.
    pub title: String,
    /// The sentence under the heading; empty when the author gave none.
    pub lede: String,
    /// The date as people write it; none when the author gave none.
    pub date: Option<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// The text.
    pub body_html: Html,
    /// The numbers of the text and what the evidence says.
    pub claims: Option<Claims>,
}

/// The claims of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Claims {
    /// In one sentence, such as "3 of 4 numbers agree with the evidence".
    pub summary: String,
    /// Whether one of them does not agree although it should.
    pub bad: bool,
    /// One row per claim, in the order of the text.
    pub rows: Vec<Claim>,
}

/// A number of the text that names its evidence.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The text as written, such as "7.2 µs".
    pub text: String,
    /// What it names, in words.
    pub names: String,
    /// Where that is shown; none when it could not be resolved.
    pub href: Option<String>,
    /// What the evidence says; empty when it could not be resolved.
    pub evidence: String,
    /// "agrees", "contradicted", "contradicted, as expected", or why it could not be resolved.
    pub verdict: String,
    /// Whether the evidence does not bear it.
    pub bad: bool,
}

/// `front.html`: the front page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Front {
    /// What all pages share.
    pub page: Page,
    /// Heading.
    pub title: String,
    /// The sentence under the heading; empty when there is none.
    pub lede: String,
    /// The author's text; empty when the site has no `content/index.md`.
    pub body_html: Html,
    /// The galleries in the order of the sources; listed after the text unless `listed` is false.
    pub galleries: Vec<GalleryEntry>,
    /// Whether the galleries are listed: false when the author's text embeds them.
    pub listed: bool,
    /// The numbers of the text and what the evidence says.
    pub claims: Option<Claims>,
}

/// A gallery on the front page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GalleryEntry {
    /// Its title.
    pub title: String,
    /// Where it leads.
    pub href: String,
    /// What was measured, in one sentence; empty when it says nothing.
    pub lede: String,
    /// The computed sentence about the newest step; empty when there is none.
    pub says: Vec<Span>,
    /// How many checks there are and how many failed, in one sentence; empty when nothing was planned.
    pub count: String,
    /// State, integrity, number of workloads and targets.
    pub facts: Vec<Fact>,
    /// What tools said of the source; none when nothing is there.
    pub reports: Option<Described>,
}

/// Something that could not be read or was not believed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// "error", "warning" or "note".
    pub severity: String,
    /// File, line and field; empty when it is about no file.
    pub place: String,
    /// What is wrong.
    pub message: String,
    /// What can be done; empty when nothing is known.
    pub remedy: String,
}

/// `workload.html`: one workload.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Workload {
    /// What all pages share.
    pub page: Page,
    /// Heading.
    pub title: String,
    /// What it does, in one or two sentences; empty when unknown.
    pub lede: String,
    /// Where the newest target stands against the newest release, computed; empty when nothing can be said.
    pub says: Vec<Span>,
    /// What is the matter with its evidence.
    pub notices: Vec<Notice>,
    /// One panel per tab, in order; a single one shows no tabs.
    pub panels: Vec<Panel>,
    /// What changed in the dependencies from target to target; none when no manifest is recorded.
    pub dependencies: Option<Dependencies>,
    /// Reports and findings of the newest target that has any; none when no report names this workload.
    pub reports: Option<ReportList>,
    /// Says that no capture (profile, finding, record) exists; empty when there is one.
    pub no_capture: String,
    /// Saved documents that are not drawn above; none when there are none.
    pub saved: Option<SavedPlots>,
    /// Where the numbers come from.
    pub provenance: Vec<Provenance>,
    /// Neighbours in the gallery.
    pub pager: Pager,
}

/// A tab with what it shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Panel {
    /// Fragment of the page, such as `history`.
    pub id: String,
    /// Text of the tab and heading of the panel, such as "1.10 patches".
    pub label: String,
    /// What holds for the whole panel, such as which reference its ratios keep; empty when nothing does.
    pub note: String,
    /// One case per collector or separate series, in order; a single one shows no switch.
    pub cases: Vec<Case>,
}

/// The figures of one collector, or of one of several series that must not be joined.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Case {
    /// Fragment of the page; unique in it.
    pub id: String,
    /// The same for the same collector in every panel, so that a choice holds in all of them.
    pub key: String,
    /// Text of the switch and heading of the case, such as "fresh state".
    pub label: String,
    /// What sets it apart; empty when nothing is to be said.
    pub description: String,
    /// Its figures in order.
    pub figures: Vec<FigureBlock>,
    /// Parts with further figures, closed at first.
    pub more: Vec<Further>,
}

/// A closed part with further figures of one sort.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Further {
    /// Text of the closed part, such as "Each metric in its own unit".
    pub summary: String,
    /// Its figures in order.
    pub figures: Vec<FigureBlock>,
}

/// A figure with all that belongs to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FigureBlock {
    /// Fragment of the page; unique in it.
    pub id: String,
    /// Such as "Four metrics at 14 releases"; empty when the markup brings its own.
    pub heading: String,
    /// The figure: toggles, drawing, reading line, caption, table, links.
    pub body_html: Html,
    /// What is to be said under it.
    pub notes: Vec<String>,
}

/// Differences of the dependency manifests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Dependencies {
    /// Such as "Dependencies between neighbouring releases".
    pub heading: String,
    /// The newest difference of a named dependency, shown openly.
    pub first: Vec<DependencyChange>,
    /// Text of the closed rest, such as "8 other differences"; empty when there is no rest.
    pub rest_summary: String,
    /// The other differences, newest first.
    pub rest: Vec<DependencyChange>,
    /// How much of the manifests is known; empty when all of them are.
    pub known: String,
}

/// What changed from one target to the next.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DependencyChange {
    /// Such as "1.10.2 → 1.11.0".
    pub step: String,
    /// The changes; a named dependency is strong.
    pub says: Vec<Span>,
}

/// Where numbers come from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Provenance {
    /// Which case it belongs to; empty when the workload has only one.
    pub heading: String,
    /// Source, collector, statistic, runtime, system, run, integrity, manifest.
    pub facts: Vec<Fact>,
    /// What the writer of the evidence warns of, in whole sentences.
    pub warnings: Vec<String>,
}

/// Neighbours in a gallery.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Pager {
    /// The gallery.
    pub all: Link,
    /// The workload before; none at the first.
    pub previous: Option<Link>,
    /// The workload after; none at the last.
    pub next: Option<Link>,
}

/// `problems.html`: every problem of the build.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ProblemsPage {
    /// What all pages share.
    pub page: Page,
    /// In one sentence, such as "2 warnings and 1 note in 2 sources", or that there is none.
    pub summary: String,
    /// Groups in the order of the sources; content and configuration first.
    pub groups: Vec<ProblemGroup>,
}

/// The problems of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ProblemGroup {
    /// Fragment of the page.
    pub id: String,
    /// Title of the source, or "Content and configuration".
    pub title: String,
    /// Its gallery; none when it has no page.
    pub href: Option<String>,
    /// Such as "1 warning, 1 note".
    pub summary: String,
    /// Its problems, the gravest first.
    pub problems: Vec<Problem>,
}

/// `404.html`: served at any depth, therefore without files beside it. Made by the theme.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct NotFound {
    /// Language of the text.
    pub lang: String,
    /// Title of the site.
    pub site_title: String,
    /// Absolute link of the site's front page; none when `base_url` is not set.
    pub home: Option<String>,
    /// The whole style sheet.
    pub style_html: Html,
    /// The policy, which names the style sheet by its digest.
    pub policy: String,
}

impl View for Article {
    const TEMPLATE: &'static str = "article.html";
}

impl View for Front {
    const TEMPLATE: &'static str = "front.html";
}

impl View for Workload {
    const TEMPLATE: &'static str = "workload.html";
}

impl View for ProblemsPage {
    const TEMPLATE: &'static str = "problems.html";
}

impl View for NotFound {
    const TEMPLATE: &'static str = "404.html";
}
