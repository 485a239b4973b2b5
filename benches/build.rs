//! How long whole sites take, from evidence to files.
//!
//! | case | what |
//! | --- | --- |
//! | `demonstration` | the site of this repository |
//! | `thousand` | 1,000 figures on 200 pages, in 4 bundles |
//! | `large` | 12,500 figures on 2,500 pages, in 50 bundles; only with `PERFOLIO_BENCH_LARGE=1` |
//! | `targets` | figures of 5,000 targets and 4 metrics, 300 or more of them; only with `PERFOLIO_BENCH_LARGE=1` |
//!
//! Every other figure has 14 releases; each page has one normalized figure of 4 metrics and one figure per metric. `full` builds
//! into a folder that does not exist yet, `again` over the finished site, `changed` over a site of which one
//! bundle differs, `memory` without a disk.
//!
//! Sources are made by processes of their own before the clock starts. The peak memory of all that ran here is
//! printed last. For one case alone: `PERFOLIO_BENCH_LARGE=1 cargo bench --bench build -- 'full.*large'`;
//! `PERFOLIO_BENCH_KEEP=DIR` makes the sources in `DIR/<case>` and keeps them, for a profiler.

#![allow(clippy::disallowed_methods, reason = "a benchmark makes its own files")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot set itself up has nothing to say")]
#![allow(clippy::print_stdout, reason = "a benchmark prints what it found")]

#[allow(dead_code, unused_imports, reason = "the generator of fixtures can do more than is needed here")]
#[path = "../tests/suite/generate/mod.rs"]
mod generate;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use divan::Bencher;
use generate::bundle::write_bundle;
use generate::synthetic::{Size, synthetic};
use mimalloc::MiMalloc;
use perfolio::error::Silent;
use perfolio::io::MemorySink;
use perfolio::publish::{Request, build, render};
use tempfile::TempDir;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Set in a process that only makes the source of a case: `<case>:<folder>`.
const MAKE: &str = "PERFOLIO_BENCH_MAKE";

fn main() {
    if let Some(asked) = std::env::var_os(MAKE) {
        let asked = asked.into_string().unwrap();
        let (case, folder) = asked.split_once(':').unwrap();
        return make(case, Path::new(folder));
    }
    divan::main();
    if let Ok(status) = fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        println!("peak memory of this process: {}", peak.unwrap_or("unknown").trim());
    }
}

/// One bundle of most cases; every feature is a workload of its own.
const FEW_TARGETS: Size = Size { features: 50, targets: 14, metrics: 4, samples: 3 };
/// One bundle of the case `targets`.
const MANY_TARGETS: Size = Size { features: 5, targets: 5000, metrics: 4, samples: 1 };

/// The cases that are asked for.
fn cases() -> Vec<&'static str> {
    let mut cases = vec!["demonstration", "thousand"];
    if std::env::var_os("PERFOLIO_BENCH_LARGE").is_some() {
        cases.extend(["large", "targets"]);
    }
    cases
}

static THOUSAND: LazyLock<Evidence> = LazyLock::new(|| Evidence::of("thousand"));
static LARGE: LazyLock<Evidence> = LazyLock::new(|| Evidence::of("large"));
static TARGETS: LazyLock<Evidence> = LazyLock::new(|| Evidence::of("targets"));

struct Evidence {
    path: PathBuf,
    _folder: Option<TempDir>,
}

impl Evidence {
    /// The source of a case, made by another process: the memory that this takes is not that of a build.
    fn of(case: &str) -> Self {
        let keep = std::env::var_os("PERFOLIO_BENCH_KEEP").map(|keep| PathBuf::from(keep).join(case));
        let folder = keep.is_none().then(|| tempfile::tempdir().unwrap());
        let path = keep.or_else(|| folder.as_ref().map(|folder| folder.path().to_path_buf())).unwrap();
        let asked = format!("{case}:{}", path.to_str().unwrap());
        let made = Command::new(std::env::current_exe().unwrap()).env(MAKE, asked).status().unwrap();
        assert!(made.success(), "the source could not be made");
        Self { path, _folder: folder }
    }
}

/// Makes the bundles of a case that are not there yet.
fn make(case: &str, folder: &Path) {
    let bundles = match case {
        "thousand" => 4,
        "large" => 50,
        _ => 12,
    };
    // Each feature has at least a normalized figure and one figure per metric.
    let size = if case == "targets" { MANY_TARGETS } else { FEW_TARGETS };
    for bundle in 0..bundles {
        let target = folder.join(format!("run-{bundle:02}"));
        if !target.exists() {
            write(&target, &size, bundle, 0);
        }
    }
}

/// Writes one bundle; another `edition` has other values.
fn write(folder: &Path, size: &Size, bundle: usize, edition: u64) {
    let mut spec = synthetic(size);
    // Runs, features and workloads of one bundle differ from those of the others.
    spec.run_id.replace_range(..4, &format!("{bundle:04x}"));
    spec.suite = format!("suite_{bundle:02}");
    for run in &mut spec.runs {
        let at: usize = run.feature.trim_start_matches("feature_").parse().unwrap();
        let at = bundle * size.features as usize + at;
        run.feature = format!("feature_{at:04}");
        run.workload = format!("workload_{at:04}");
        run.comparison_key = format!("synthetic/{at:04}/v1");
        for column in run.tables.iter_mut().flatten() {
            if let generate::spec::Samples::Made { seed, .. } = &mut column.samples {
                *seed ^= (bundle as u64) << 20 | edition << 50;
            }
        }
    }
    write_bundle(folder, &spec).unwrap();
}

fn request(case: &str, output: &Path) -> Request {
    let source = |evidence: &Evidence| Request {
        sources: vec![evidence.path.clone()],
        output: Some(output.to_path_buf()),
        ..Request::default()
    };
    match case {
        "demonstration" => Request {
            root: Some(PathBuf::from(env!("CARGO_MANIFEST_DIR"))),
            output: Some(output.to_path_buf()),
            ..Request::default()
        },
        "thousand" => source(&THOUSAND),
        "targets" => source(&TARGETS),
        _ => source(&LARGE),
    }
}

#[divan::bench(args = cases(), sample_count = 3, sample_size = 1)]
fn full(bencher: Bencher<'_, '_>, case: &str) {
    bencher
        .with_inputs(|| {
            let folder = tempfile::tempdir().unwrap();
            (request(case, &folder.path().join("site")), folder)
        })
        .bench_refs(|(request, _)| {
            let built = build(request, &Silent).unwrap();
            assert!(built.figures > 0, "nothing of the source was believed");
            built.files
        });
}

#[divan::bench(args = cases(), sample_count = 3, sample_size = 1)]
fn again(bencher: Bencher<'_, '_>, case: &str) {
    let folder = tempfile::tempdir().unwrap();
    let request = request(case, &folder.path().join("site"));
    build(&request, &Silent).unwrap();
    bencher.bench_local(|| build(&request, &Silent).unwrap().files);
}

#[divan::bench(args = cases().into_iter().skip(1).filter(|case| *case != "targets"), sample_count = 3, sample_size = 1)]
fn changed(bencher: Bencher<'_, '_>, case: &str) {
    let folder = tempfile::tempdir().unwrap();
    let request = request(case, &folder.path().join("site"));
    build(&request, &Silent).unwrap();
    let bundle = request.sources[0].join("run-00");
    let mut edition = 0;
    bencher
        .with_inputs(|| {
            edition += 1;
            fs::remove_dir_all(&bundle).unwrap();
            write(&bundle, &FEW_TARGETS, 0, edition);
        })
        .bench_local_refs(|()| build(&request, &Silent).unwrap().files);
}

#[divan::bench(args = cases().into_iter().take(2), sample_count = 3, sample_size = 1)]
fn memory(bencher: Bencher<'_, '_>, case: &str) {
    let request = request(case, Path::new("unused"));
    bencher.bench_local(|| render(&request, Box::new(MemorySink::default()), &Silent).unwrap().files);
}
