//! Names that attack a page, a table, a file system or a reader's assumptions. Two targets only.

use super::super::spec::{RunSpec, Target};
use super::super::tree::Tree;
use super::{add_run, benchmark, invented, release};

/// Feature names; each also serves as a workload of its own.
fn hostile() -> Vec<String> {
    let mut names: Vec<String> = [
        "<script>alert(1)</script>",
        "=cmd|' /C calc'!A0",
        "@SUM(1+1)*cmd",
        "con",
        "NUL.txt",
        "../../etc/passwd",
        "C:\\Windows\\System32",
        "..",
        "Sort",
        "sort",
        "\u{202e}gnp.trats",
        "größe_测试_🚀",
        "cafe\u{301}",
        "café",
        "\"quoted\" & 'single'",
        "{{ template }} {% raw %} ${shell} `tick`",
        "[link](javascript:alert(1)) | a | b |",
        "two\nlines\tand a tab",
        "-->]]><!--",
        "%2e%2e%2fvalue",
        " leading and trailing ",
        "index.html",
        "_leading",
        "julia.wall.time@1.0.0",
    ]
    .map(str::to_owned)
    .to_vec();
    names.push("long_name_".repeat(30));
    names
}

pub(super) fn add(tree: &mut Tree) {
    let mut spec = invented("names", "names");
    spec.started_at = "2026-03-01T05:00:00".to_owned();
    spec.finished_at = "2026-03-01T05:10:00".to_owned();
    let odd = Target::new("<img src=x onerror=alert(1)>", "candidate");
    for (target, time) in [(release("1.0.0"), 800.0), (odd, 700.0)] {
        for (place, name) in (0_u32..).zip(hostile()) {
            let time = time + f64::from(place);
            spec.runs.push(benchmark(&name, &name, target.clone(), [&[time], &[], &[128.0], &[]]));
        }
    }
    // Packages equal up to case, with the same feature.
    for package in ["widget", "WIDGET"] {
        let mut run: RunSpec = benchmark("sort", "sort", release("1.0.0"), [&[640.0], &[], &[], &[]]);
        run.package = package.to_owned();
        run.package_id = format!("{package}_id");
        spec.runs.push(run);
    }
    spec.warnings.push("<b>not markup</b> & a path: C:\\Users\\Zoë\\secret and /home/zoë/secret".to_owned());
    add_run(tree, "awkward/names/bundles", &spec);
}
