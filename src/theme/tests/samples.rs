//! Invented views with every field filled, and the same with nothing that may be absent.

use crate::theme::Theme;
use crate::theme::view::*;

/// Text that would break a page if it were not escaped.
pub(super) const HOSTILE: &str = "<script>alert('x')</script> & \"more\"";

const SPARK: &str = r#"<svg class="fig spark" width="100%" height="76" role="img" aria-label="ratio to own minimum, 1.7 × at 1.11.0"><svg viewBox="0 0 1000 56" width="100%" height="56" preserveAspectRatio="none"><path fill="none" stroke="currentColor" vector-effect="non-scaling-stroke" d="M36 42L107 26L178 36L250 36L321 35L393 36L464 21L535 36L607 23L678 35L750 35L821 36L893 35L964 54"/></svg></svg>"#;

const FIGURE: &str = r#"<figure><svg width="100%" height="264" role="img" aria-label="Four metrics at 14 releases"><rect width="100%" height="100%" fill="none" stroke="currentColor"/></svg><figcaption><p>Wall time is lowest at 1.11.0.</p></figcaption></figure><details><summary>Values, 4 metrics at 14 releases</summary><div class="scroll" tabindex="0" role="region" aria-label="Values"><table><caption>Minimum of 30 samples.</caption><thead><tr><th scope="col">release</th><th scope="col">date</th><th scope="col" class="num">wall time, µs</th></tr></thead><tbody><tr><th scope="row">1.11.0</th><td class="date">2026-08-28</td><td class="num">3.8</td></tr></tbody></table></div></details>"#;

const RELEASES: [&str; 14] = [
    "1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0", "1.7.0", "1.8.0", "1.9.0", "1.10.0",
    "1.10.1", "1.10.2", "1.11.0",
];

const NAMES: [&str; 7] = ["plain", "path", "query", "json", "html", "binary", "not_found"];

fn text(text: &str) -> String {
    text.to_owned()
}

fn link(words: &str, href: &str) -> Link {
    Link { text: text(words), href: text(href) }
}

fn nav_link(words: &str, href: &str, current: bool) -> NavLink {
    NavLink { text: text(words), href: text(href), current }
}

fn fact(label: &str, value: &str) -> Fact {
    Fact { label: text(label), value: text(value), ..Fact::default() }
}

fn flagged(label: &str, value: &str, href: Option<&str>, note: &str) -> Fact {
    Fact { href: href.map(text), note: text(note), tone: Tone::Problem, ..fact(label, value) }
}

/// What all pages share, for a page that reaches the root by `root`.
pub(super) fn page(theme: &Theme, title: &str, root: &str) -> Page {
    let workload =
        |name: &str| nav_link(name, &format!("{root}gallery/http/{name}/index.html"), title == name);
    Page {
        lang: text("en"),
        title: text(title),
        site_title: text("Performance of Oxygen"),
        description: text("Saved results of seven features at 14 releases"),
        root: text(root),
        policy: text(POLICY),
        assets: theme.asset_links(root),
        nav: Nav {
            home: format!("{root}index.html"),
            pages: vec![nav_link(
                "What changed at 1.11.0",
                &format!("{root}oxygen/index.html"),
                title == "What changed at 1.11.0",
            )],
            galleries: vec![
                NavGallery {
                    reports: Some(nav_link("Reports", &format!("{root}reports/http/index.html"), false)),
                    text: text("HTTP features"),
                    href: format!("{root}gallery/http/index.html"),
                    current: title == "HTTP features",
                    workloads: NAMES.iter().map(|name| workload(name)).collect(),
                },
                NavGallery {
                    text: text("Application routes"),
                    href: format!("{root}gallery/routes/index.html"),
                    ..NavGallery::default()
                },
            ],
            build: vec![nav_link(
                "Problems (1 warning, 2 notes)",
                &format!("{root}problems/index.html"),
                title == "Problems",
            )],
        },
        crumbs: Vec::new(),
        generator: text("perfolio 0.1.0"),
        footer: text("Built from saved evidence; nothing here was measured by this site."),
    }
}

fn claims() -> Claims {
    let claim = |words: &str, names: &str, evidence: &str| Claim {
        text: text(words),
        names: text(names),
        href: Some(text("../gallery/http/plain/index.html#tab=history&point=1.10.2")),
        evidence: text(evidence),
        verdict: text("agrees"),
        bad: false,
    };
    Claims {
        summary: text("2 of 3 numbers agree with the evidence."),
        bad: true,
        rows: vec![
            claim("7.2 µs", "plain, wall time, 1.10.2", "7.2 µs"),
            claim("3.8 µs", "plain, wall time, 1.11.0", "3.8 µs"),
            Claim {
                verdict: text("contradicted"),
                bad: true,
                href: None,
                ..claim("about ten times", "plain, wall time, 1.11.0 to 1.10.2", "0.53 ×")
            },
        ],
    }
}

const PROSE: &str = r##"<p>Oxygen 1.11.0 is the first release that resolves HTTP.jl 2.6.7. The plain route became cheaper: its minimum went from <a class="claim" href="../gallery/http/plain/index.html">7.2 µs</a> at 1.10.2 to <a class="claim" href="../gallery/http/plain/index.html">3.8 µs</a>. An earlier draft said <a class="claim bad" href="../gallery/http/plain/index.html">about ten times</a> <span class="verdict">(evidence: 0.53 ×)</span>, see <code>plain_benchmark</code>.<sup class="footnote-reference"><a href="#1">1</a></sup></p>
<div class="scroll" tabindex="0" role="region" aria-label="Wall time in process"><table><caption>Wall time in process, minimum of 30 samples.</caption><thead><tr><th scope="col">feature</th><th scope="col" class="right">1.10.2, µs</th><th scope="col" class="right">1.11.0, µs</th><th scope="col" class="right">change</th></tr></thead><tbody><tr><td>plain</td><td class="right">7.2</td><td class="right">3.8</td><td class="right"><strong>−47 %</strong></td></tr><tr><td>query</td><td class="right">3.3</td><td class="right">5.4</td><td class="right"><strong>+64 %</strong></td></tr></tbody></table></div>
<h2 id="how">How to read it <a class="anchor" href="#how" aria-label="Link to this section">#</a></h2>
<p>Start with wall time and allocated bytes. Then:</p>
<ul><li>compare <em>heap</em> with <em>plain</em>;<ul><li>if only heap changes, look at JSON.</li></ul></li><li>a minimum is not a verdict.</li></ul>
<ul><li class="task"><input type="checkbox" disabled checked aria-label="done">Read the caption</li><li class="task"><input type="checkbox" disabled aria-label="open">Read the provenance</li></ul>
<div class="alert alert-warning"><p class="alert-title">Warning</p><p>The in-process figures come from Windows, the loopback figures from Linux.</p></div>
<div class="alert alert-note"><p class="alert-title">Note</p><p>Ratios compare within one figure.</p></div>
<blockquote><p>Numbers are read, never measured, by this site.</p></blockquote>
<h3>A check for the command line</h3>
<pre tabindex="0"><code><span class="c"># before and after, per feature and metric</span>
perfolio <span class="k">compare</span> results/http --baseline 1.10.2 --candidate 1.11.0 --fail-on 10 --format markdown
</code></pre>
<div class="notice problem"><p>The block <code>figure</code> names the feature <code>plane</code>, which the source does not have; the nearest is <code>plain</code>.</p></div>
<hr>
<div class="footnote-definition" id="1"><sup class="footnote-definition-label">1</sup><p>Both names mean the same feature.</p></div>"##;

pub(super) fn article(theme: &Theme) -> Article {
    Article {
        page: page(theme, "What changed at 1.11.0", "../"),
        title: text("What changed at 1.11.0"),
        lede: text("A walk through the newest step of seven features."),
        date: Some(text("28 August 2026")),
        tags: vec![text("walkthrough"), text("http")],
        body_html: Html(text(PROSE)),
        claims: Some(claims()),
    }
}

pub(super) fn front(theme: &Theme) -> Front {
    let entry = |title: &str, href: &str| GalleryEntry {
        title: text(title),
        href: text(href),
        lede: text(
            "Seven HTTP features measured in process at 14 releases, 1.0.0 (May 2022) to 1.11.0 (August 2026).",
        ),
        says: says(),
        count: text("98 checks, 30 samples each, 14 releases, none failed."),
        facts: vec![
            fact("State", "complete"),
            flagged("Integrity", "unverified", None, ""),
            fact("Workloads", "7"),
        ],
        reports: Some(Described {
            link: link("All reports", "reports/http/index.html"),
            text: text("19 reports of 16 tools."),
        }),
    };
    Front {
        page: page(theme, "Performance of Oxygen", ""),
        title: text("Performance of Oxygen"),
        lede: text("What the saved results say, release by release."),
        body_html: Html(text("<p>Every number here can be followed to the run that it comes from.</p>")),
        galleries: vec![
            entry("HTTP features", "gallery/http/index.html"),
            entry("Application routes", "gallery/routes/index.html"),
        ],
        listed: true,
        claims: None,
    }
}

fn says() -> Vec<Span> {
    vec![
        Span::plain("1.10.2 → 1.11.0: "),
        Span::strong("plain fell by 47 %"),
        Span::plain(", query rose by 64 %, the other five stayed within two clock steps of 100 ns."),
    ]
}

fn problems() -> Vec<Problem> {
    let problem = |severity: &str, place: &str, message: &str, remedy: &str| Problem {
        severity: text(severity),
        place: text(place),
        message: text(message),
        remedy: text(remedy),
    };
    vec![
        problem(
            "error",
            "bundles/run-0b5d6e0f/observations.jsonl:17",
            "the line is not an object, so the run counts as partial",
            "measure again, or remove the line and its run",
        ),
        problem(
            "warning",
            "features.csv",
            "the file carries no digests, so its integrity could not be checked",
            "publish the run bundle with its integrity.json",
        ),
        problem("note", "", HOSTILE, ""),
    ]
}

fn matrix() -> Matrix {
    let classes = ["h2", "h5", "h3", "h3", "h3", "h3", "h6", "h3", "h5", "h3", "h4", "h1", "hole", "h0"];
    let cell = |at: usize| MatrixCell {
        text: text(if classes[at] == "hole" {
            "none"
        } else {
            ["1", "1.12", "1.47", "1.84", "2.10", "2.92", "4.56"]
                [usize::from(classes[at].as_bytes()[1] - b'0')]
        }),
        class: text(classes[at]),
        reason: text(if classes[at] == "hole" { "not measured" } else { "" }),
    };
    let row = |name: &str, shift: usize| MatrixRow {
        label: text(name),
        href: format!("{name}/index.html"),
        cells: (0..14).map(|at| cell((at + shift) % 14)).collect(),
    };
    let step = |words: &str, class: &str| LegendStep { text: text(words), class: text(class) };
    Matrix {
        part: String::new(),
        csv: None,
        id: text("matrix-wall-time"),
        heading: text("Wall time, ratio to own minimum"),
        caption: text(
            "Wall time at each release divided by the workload's own minimum. Outlined cells: the minimum.",
        ),
        corner: text("workload"),
        columns: RELEASES
            .iter()
            .map(|&label| MatrixColumn {
                label: text(label),
                date: text(if label == "1.4.0" { "" } else { "2026-08" }),
            })
            .collect(),
        rows: NAMES.iter().zip([0, 3, 5, 1, 7, 9, 11]).map(|(name, shift)| row(name, shift)).collect(),
        legend: vec![
            step("1", "h0"),
            step("≤ 1.25", "h1"),
            step("≤ 1.6", "h2"),
            step("≤ 2", "h3"),
            step("≤ 2.5", "h4"),
            step("≤ 3.2", "h5"),
            step("> 3.2", "h6"),
            step("no ratio", "hole"),
        ],
    }
}

fn saved_plots() -> SavedPlots {
    SavedPlots {
        heading: text("Other saved figures"),
        note: text("They are kept as they were saved."),
        rows: vec![SavedPlot {
            title: text("Widget · sort_alloc · allocations"),
            kind: text("allocation_pie"),
            rows: text("4"),
            note: text("plots of kind `allocation_pie` cannot be drawn yet"),
            links: vec![Link { text: text("Serialized plot"), href: text("../../../figures/a/b.json") }],
        }],
    }
}

fn comparison() -> Comparison {
    Comparison {
        id: text("collectors-1"),
        heading: text("Collectors compared: heap"),
        note: text("Converted by whoever published them."),
        rows: vec![ComparedValue {
            workload: text("heap"),
            collector: text("chairmarks"),
            metric: text("wall time"),
            value: text("94.8 µs"),
            statistic: text("minimum of 30 samples"),
            derivation: text("julia.wall.time in s"),
        }],
    }
}

fn availability() -> Availability {
    let cell = |at: usize| AvailabilityCell {
        text: text(["30", "", "·"][at % 3]),
        mark: text(["", "a", ""][at % 3]),
        hole: at % 3 == 1,
    };
    Availability {
        part: String::new(),
        csv: None,
        heading: text("What was measured"),
        caption: text("Number of samples per feature and target."),
        summary: text("7 features at 3 targets"),
        open: true,
        columns: ["1.0.0", "1.1.0", "1.2.0"].map(text).to_vec(),
        rows: NAMES
            .iter()
            .map(|name| AvailabilityRow {
                label: text(name),
                href: Some(format!("{name}/index.html")),
                cells: (0..3).map(cell).collect(),
            })
            .collect(),
        unplanned: true,
        reasons: vec![AvailabilityReason { mark: text("a"), text: text("check failed"), count: text("7") }],
        linked: true,
    }
}

pub(super) fn gallery(theme: &Theme) -> Gallery {
    let card = |at: usize, name: &str| Card {
        name: text(name),
        href: format!("{name}/index.html"),
        what: text(
            ["Short text response; body equals ready.", "Typed path parameters; parsed sum equals 42."]
                [at % 2],
        ),
        value: if at == 5 { String::new() } else { format!("{}.{} µs", 7 - at, at) },
        spark_html: (at != 5).then(|| Html(text(SPARK))),
        change: text(if at == 5 { "" } else { "47 % lower than 1.10.2" }),
        strong: at.is_multiple_of(3),
        detail: text(if at == 5 { "" } else { "−3.4 µs, 34 clock steps" }),
        note: text(if at == 5 { "not measured at 1.11.0" } else { "" }),
        sort: Sort {
            change: if at == 5 { String::new() } else { format!("1.{at}") },
            value: format!("{}", 7000 - at),
        },
        tags: vec![text(if at < 3 { "text" } else { "body" })],
    };
    let run = |at: usize, name: &str| Run {
        id: format!("run-{at}"),
        run_id: format!("273cc6f5-8da4-5122-9b6b-de97eb6aa0e{at}"),
        what: format!("{name}, 14 releases"),
        state: Flagged {
            text: text(if at == 0 { "partial, fresh" } else { "complete, fresh" }),
            tone: if at == 0 { Tone::Problem } else { Tone::Plain },
        },
        integrity: Flagged { text: text("verified"), tone: Tone::Plain },
        date: text("2026-08-29 10:12"),
        runtime: text("Julia 1.13.0, 1 thread"),
        os: text("Windows"),
        path: format!("bundles/run-273cc6f5-8da4-5122-9b6b-de97eb6aa0e{at}"),
        note: text(if at == 1 { "superseded by 273cc6f5" } else { "" }),
    };
    Gallery {
        page: Page {
            crumbs: vec![link("Performance of Oxygen", "../../index.html")],
            ..page(theme, "HTTP features", "../../")
        },
        title: text("HTTP features"),
        lede: text(
            "Seven HTTP features measured in process at 14 releases, 1.0.0 (May 2022) to 1.11.0 (August 2026); each value is the minimum of 30 warmed samples.",
        ),
        count: text("98 checks, 30 samples each, 14 releases; 1 without a value: 1 check failed."),
        overlays: None,
        availability: Some(availability()),
        reports: Some(Described {
            link: link("All reports", "../../reports/http/index.html"),
            text: text("19 reports of 16 tools."),
        }),
        facts: vec![
            fact("State", "complete, 98 of 98 checks"),
            flagged("Integrity", "unverified", Some("#problems"), ""),
            fact("Run date", "not recorded"),
            fact("Runtime", "Julia 1.13.0, 1 thread"),
            fact("OS", "Windows"),
        ],
        notices: vec![Notice {
            text: text("The newest run is partial: 2 of 98 checks failed."),
            link: Some(link("See the problems", "#problems")),
            tone: Tone::Problem,
        }],
        overview: Some(Overview {
            part: String::new(),
            all: None,
            heading: text("Wall time by workload"),
            says: says(),
            cards: NAMES.iter().enumerate().map(|(at, name)| card(at, name)).collect(),
            how_to_read: text(
                "All curves share one axis: ratio to the workload's own minimum, logarithmic, 1 to 6. Open mark: the minimum.",
            ),
            tags: vec![text("body"), text("text")],
        }),
        empty: String::new(),
        matrices: vec![matrix()],
        comparisons: vec![comparison()],
        saved: Some(saved_plots()),
        runs_summary: text("7 runs, 1 superseded"),
        runs: NAMES.iter().enumerate().map(|(at, name)| run(at, name)).collect(),
        problems_summary: text("1 error, 1 warning and 1 note."),
        problems: problems(),
    }
}

pub(super) fn workload(theme: &Theme) -> Workload {
    let figure = |id: &str| FigureBlock {
        id: text(id),
        heading: text("Four metrics at 14 releases"),
        body_html: Html(text(FIGURE)),
        notes: vec![text("The wall times are multiples of a 100 ns clock step.")],
    };
    let case = |panel: &str, key: &str, label: &str| Case {
        id: format!("{panel}-{key}"),
        key: text(key),
        label: text(label),
        description: text("30 warmed samples, one evaluation each."),
        more: vec![Further {
            summary: text("Each metric in its own unit"),
            figures: vec![FigureBlock {
                id: format!("{panel}-{key}-more"),
                heading: text("Wall time"),
                body_html: Html(String::new()),
                notes: Vec::new(),
            }],
        }],
        figures: vec![figure(&format!("{panel}-{key}-metrics"))],
    };
    let panel = |id: &str, label: &str, note: &str| Panel {
        id: text(id),
        label: text(label),
        note: text(note),
        cases: vec![case(id, "fresh", "fresh state"), case(id, "reused", "reused state")],
    };
    let change = |step: &str| DependencyChange {
        step: text(step),
        says: vec![Span::strong("HTTP.jl 1.11.0 → 2.6.7"), Span::plain(", 58 → 45 packages")],
    };
    let facts = vec![
        fact("Collector", "benchmarktools-v1/fresh-state-evals1-v1"),
        fact("Statistic", "minimum of 30 warmed samples, 1 evaluation each"),
        fact("Runtime", "Julia 1.13.0, 1 thread"),
        flagged("Integrity", "unverified", Some("../index.html#problems"), ", no digests in the source"),
        Fact {
            code: true,
            ..fact("Manifest", "eb303be0ee4ad1d4eb303be0ee4ad1d4eb303be0ee4ad1d4eb303be0ee4ad1d4")
        },
    ];
    Workload {
        says: vec![Span::plain("Wall time at 1.11.0: 3.8 µs, "), Span::strong("47 % lower than 1.10.2")],
        page: Page {
            crumbs: vec![
                link("Performance of Oxygen", "../../../index.html"),
                link("HTTP features", "../index.html"),
            ],
            ..page(theme, "plain", "../../../")
        },
        title: text("plain"),
        lede: text("Short text response; body equals ready. The whole request pipeline, in process."),
        notices: vec![Notice { text: text("The run of 1.0.0 is partial."), link: None, tone: Tone::Problem }],
        panels: vec![
            panel("history", "History", ""),
            panel(
                "patches-1-10",
                "1.10 patches",
                "Ratios keep the reference of the complete history: 1 is the minimum over all 14 releases.",
            ),
        ],
        dependencies: Some(Dependencies {
            heading: text("Dependencies between neighbouring releases"),
            first: vec![change("1.10.2 → 1.11.0")],
            rest_summary: text("4 other differences"),
            rest: ["1.9.0 → 1.10.0", "1.7.0 → 1.8.0", "1.5.0 → 1.6.0", "1.4.0 → 1.5.0"].map(change).to_vec(),
            known: text(
                "The evidence names 2 of the 45 packages at 1.11.0; differences among the other 43 are not known.",
            ),
        }),
        reports: Some(super::reports::list()),
        no_capture: text("No profile, finding or record exists for this workload."),
        saved: Some(saved_plots()),
        provenance: vec![
            Provenance {
                heading: text("fresh state"),
                facts: facts.clone(),
                warnings: vec![text("Only one value was published.")],
            },
            Provenance { heading: text("reused state"), facts, warnings: Vec::new() },
        ],
        pager: Pager {
            all: link("HTTP features", "../index.html"),
            previous: Some(link("not_found", "../not_found/index.html")),
            next: Some(link("path", "../path/index.html")),
        },
    }
}

pub(super) fn values(theme: &Theme) -> Values {
    let numbered = |number: &str, current| NumberedPage {
        number: text(number),
        range: text("1.0.0 to 1.9.0"),
        href: format!("../{number}/index.html"),
        current,
    };
    Values {
        page: page(theme, "Values 2 of 3", "../../../../"),
        title: text("plain, values 2 of 3"),
        lede: text("Minimum of 30 samples per release."),
        links: vec![Link { text: text("CSV of all rows"), href: text("../../x.csv") }],
        summary: text("Values, 1.0.0 to 1.9.0"),
        table_html: Html(text(
            "<table class=\"values\"><tbody><tr><th scope=\"row\">1.0.0</th></tr></tbody></table>",
        )),
        pages: vec![numbered("1", false), numbered("2", true), numbered("3", false)],
        previous: Some(text("../1/index.html")),
        next: Some(text("../3/index.html")),
    }
}

pub(super) fn problems_page(theme: &Theme) -> ProblemsPage {
    let group = |id: &str, title: &str, href: Option<&str>| ProblemGroup {
        id: text(id),
        title: text(title),
        href: href.map(text),
        summary: text("1 error, 1 warning, 1 note"),
        problems: problems(),
    };
    ProblemsPage {
        page: page(theme, "Problems", "../"),
        summary: text("2 errors, 2 warnings and 2 notes."),
        groups: vec![
            group("content", "Content and configuration", None),
            group("http", "HTTP features", Some("../gallery/http/index.html")),
        ],
    }
}
