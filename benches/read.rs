//! How fast bundles are verified and read, beside the system's own digest commands on the same file.
//!
//! `PERFOLIO_BENCH_MB` sets the size of the observations (100 by default). Two files are read: one as a suite
//! writes it, sample by sample, and one whose lines are mixed, so that no line is like the one before. The first
//! is also read from zip archives, packed and stored; the stored one is about as large as the file.

#![allow(clippy::disallowed_methods, reason = "a benchmark makes its own files")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot set itself up has nothing to say")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::BytesCount;
use perfolio::error::Silent;
use perfolio::io::{Limits, Source, sha256_hex};
use perfolio::read::read_source;
use serde_json::json;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn main() {
    // Made before anything is measured.
    LazyLock::force(&SORTED);
    LazyLock::force(&MIXED);
    LazyLock::force(&PACKED);
    LazyLock::force(&STORED);
    divan::main();
}

static SORTED: LazyLock<Bundle> = LazyLock::new(|| Bundle::make(false));
static MIXED: LazyLock<Bundle> = LazyLock::new(|| Bundle::make(true));

static PACKED: LazyLock<Archive> = LazyLock::new(|| Archive::make(CompressionMethod::Deflated));
static STORED: LazyLock<Archive> = LazyLock::new(|| Archive::make(CompressionMethod::Stored));

/// The first bundle in an archive.
struct Archive {
    folder: tempfile::TempDir,
}

impl Archive {
    fn path(&self) -> PathBuf {
        self.folder.path().join("bundle.zip")
    }

    fn make(method: CompressionMethod) -> Self {
        let archive = Self { folder: tempfile::tempdir().unwrap() };
        let mut writer = ZipWriter::new(fs::File::create(archive.path()).unwrap());
        for file in fs::read_dir(SORTED.folder.path()).unwrap() {
            let file = file.unwrap();
            let options = SimpleFileOptions::default().compression_method(method).large_file(true);
            writer.start_file(file.file_name().to_string_lossy(), options).unwrap();
            writer.write_all(&fs::read(file.path()).unwrap()).unwrap();
        }
        writer.finish().unwrap();
        archive
    }
}

struct Bundle {
    folder: tempfile::TempDir,
    bytes: usize,
    samples: usize,
}

impl Bundle {
    fn observations(&self) -> PathBuf {
        self.folder.path().join("observations.jsonl")
    }

    fn make(mixed: bool) -> Self {
        let size = std::env::var("PERFOLIO_BENCH_MB").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
        let (lines, samples) = observations(size * 1_000_000, mixed);
        let definitions: Vec<_> = METRICS
            .map(|(metric, unit)| json!({"id": id(metric), "metric": metric, "unit": unit, "preference": "lower"}))
            .into();
        Self::of(&json!(definitions), lines, samples)
    }

    fn of(definitions: &serde_json::Value, lines: String, samples: usize) -> Self {
        let manifest = json!({
            "schema_version": "perfchecker-run-bundle/1", "run_id": RUN, "attempt_id": ATTEMPT, "reuse_key": "",
            "evidence": "fresh", "state": "complete", "suite": "bench", "runtime": {"language": "julia"},
            "environment": {}, "collector_capabilities": [], "warnings": [],
        });
        let folder = tempfile::tempdir().unwrap();
        let documents = [
            ("manifest.json", manifest.to_string()),
            ("measurement-definitions.json", definitions.to_string()),
            ("observations.jsonl", lines),
            ("diagnostics.jsonl", String::new()),
            ("artifacts.json", "[]".to_owned()),
        ];
        let files: Vec<_> = documents
            .iter()
            .map(|(path, text)| json!({"path": path, "sha256": sha256_hex(text.as_bytes()), "bytes": text.len()}))
            .collect();
        let list = json!({"schema_version": "perfchecker-bundle-integrity/1", "algorithm": "sha256", "files": files});
        let bytes = documents.iter().map(|(_, text)| text.len()).sum();
        for (path, text) in documents {
            fs::write(folder.path().join(path), text).unwrap();
        }
        fs::write(folder.path().join("integrity.json"), list.to_string()).unwrap();
        Self { folder, bytes, samples }
    }
}

const RUN: &str = "6f0c7d0e-5b1a-4d53-9c39-0f6c2f1b7a10";
const ATTEMPT: &str = "0d3f6a4e-2d2b-4f0c-8a55-7b9e1c2d3e4f";
const METRICS: [(&str, &str); 4] = [
    ("julia.wall.time", "ns"),
    ("julia.gc.time", "ns"),
    ("julia.alloc.bytes", "By"),
    ("julia.alloc.count", "1"),
];

fn id(metric: &str) -> String {
    format!("{metric}/benchmarktools-v1/fresh-state-evals1-v1")
}

/// At least `size` bytes of lines in the order in which a suite writes them, or mixed.
fn observations(size: usize, mixed: bool) -> (String, usize) {
    const SAMPLES: u64 = 1000;
    let mut lines = String::with_capacity(size + 1000);
    let mut count = 0;
    'all: for feature in 0.. {
        for target in 0..20_u64 {
            for at in 0..SAMPLES * METRICS.len() as u64 {
                // A step that is prime to the number of lines visits each once, never one like the last.
                let at = if mixed { at * 1237 % (SAMPLES * METRICS.len() as u64) } else { at };
                let (metric, index) = if mixed {
                    (METRICS[(at % METRICS.len() as u64) as usize], at / METRICS.len() as u64 + 1)
                } else {
                    (METRICS[(at / SAMPLES) as usize], at % SAMPLES + 1)
                };
                let id = id(metric.0);
                // Other white space on every line keeps the reader from recognising it.
                let space = if mixed { " ".repeat((at % 13) as usize) } else { String::new() };
                let value = 1e3 + ((at * 7919 + target) % 100_003) as f64 / 8.0;
                writeln!(
                    lines,
                    "{{\"aggregation\":\"sample\",\"attempt_id\":\"{ATTEMPT}\",\"attributes\":{{{space}\"feature\":\"feature_{feature}\",\
                     \"package\":\"Widget\",\"table_index\":1,\"target_kind\":\"release\",\"version\":\"1.{target}.0\",\
                     \"workload\":\"work_{feature}\"}},\"case_id\":\"suite/Widget/feature_{feature}\",\"comparison_key\":\
                     \"widget/task/v1::{id}\",\"measurement_definition\":\"{id}\",\"metric\":\"{}\",\"record_type\":\
                     \"observation\",\"run_id\":\"{RUN}\",\"sample_index\":{index},\"scope\":\"workload\",\"target_id\":\
                     \"1.{target}.0\",\"unit\":\"{}\",\"value\":{value:?}}}",
                    metric.0, metric.1
                )
                .unwrap();
                count += 1;
                if lines.len() >= size {
                    break 'all;
                }
            }
        }
    }
    (lines, count)
}

fn read(bencher: Bencher<'_, '_>, bundle: &Bundle, path: &Path) {
    bencher.counter(BytesCount::new(bundle.bytes)).bench(|| {
        let limits = Limits::default();
        let source = Source::open(path, &limits).unwrap();
        let (evidence, problems) = read_source(&source, "bench", "bench", &limits, &Silent);
        let samples: usize = evidence.runs[0].groups.iter().map(|group| group.samples.len()).sum();
        assert!(problems.is_empty() && samples == bundle.samples, "{samples} of {}", bundle.samples);
        evidence
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn verify_and_read(bencher: Bencher<'_, '_>) {
    read(bencher, &SORTED, SORTED.folder.path());
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn verify_and_read_mixed(bencher: Bencher<'_, '_>) {
    read(bencher, &MIXED, MIXED.folder.path());
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn verify_and_read_packed(bencher: Bencher<'_, '_>) {
    read(bencher, &SORTED, &PACKED.path());
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn verify_and_read_stored(bencher: Bencher<'_, '_>) {
    read(bencher, &SORTED, &STORED.path());
}

/// A bundle of one profile: `PERFOLIO_BENCH_STACKS` stacks (50,000 by default) of 128 frames with the four arrays
/// beside them. The first frames of neighbours agree, as those of one program do; further in, hardly any two do.
static PROFILE: LazyLock<Bundle> = LazyLock::new(|| {
    const DEPTH: u64 = 128;
    let stacks: u64 =
        std::env::var("PERFOLIO_BENCH_STACKS").ok().and_then(|text| text.parse().ok()).unwrap_or(50_000);
    let id = "julia.cpu.samples/profile-v1";
    let definitions = json!([{"id": id, "metric": "julia.cpu.samples", "unit": "1", "collector": "profile"}]);
    let mut lines = String::new();
    let mut state = 1_u64;
    let flags = |at: u64| (0..DEPTH).map(|level| (at + level).is_multiple_of(97)).collect::<Vec<_>>();
    for at in 0..stacks {
        let mut function = 7;
        let stack: Vec<String> = (0..DEPTH)
            .map(|level| {
                // Which frame comes next is decided by a repeatable sequence, anew for every stack from level 12 on.
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let step = if level < 12 { at / 500 + level } else { state >> 40 };
                function = (function * 31 + step) % 3000;
                format!(
                    "function_{function} (Package{}/src/file_{}.jl:{})",
                    function % 40,
                    function % 200,
                    function % 900
                )
            })
            .collect();
        let row = json!({
            "aggregation": "sample", "attempt_id": ATTEMPT, "attributes": {
                "feature": "cpu", "package": "Widget", "table_index": 1, "target_kind": "release", "version": "1.0.0",
                "workload": "work", "source_file": "/packages/Widget/AbCdE/src/w.jl", "source_line": at % 900 + 1,
                "stack": stack, "runtime_dispatch": flags(at), "gc_event": flags(at + 50),
                "inference_status": vec!["concrete"; DEPTH as usize],
                "inferred_return_type": vec!["Vector{Float64}"; DEPTH as usize],
            },
            "case_id": "suite/Widget/cpu", "comparison_key": format!("widget/task/v1::{id}"),
            "measurement_definition": id, "metric": "julia.cpu.samples", "record_type": "observation",
            "run_id": RUN, "sample_index": at + 1, "scope": "workload", "target_id": "1.0.0", "unit": "1",
            "value": 1.0,
        });
        writeln!(lines, "{row}").unwrap();
    }
    Bundle::of(&definitions, lines, usize::try_from(stacks).unwrap())
});

#[divan::bench(sample_count = 3, sample_size = 1)]
fn verify_and_read_profile(bencher: Bencher<'_, '_>) {
    read(bencher, &PROFILE, PROFILE.folder.path());
}

fn run(bencher: Bencher<'_, '_>, program: &str, arguments: &[&str]) {
    let path: &Path = &SORTED.observations();
    bencher.counter(BytesCount::new(SORTED.bytes)).bench(|| {
        let status = Command::new(program).args(arguments).arg(path).stdout(Stdio::null()).status().unwrap();
        assert!(status.success());
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn sha256sum(bencher: Bencher<'_, '_>) {
    run(bencher, "sha256sum", &[]);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn openssl(bencher: Bencher<'_, '_>) {
    run(bencher, "openssl", &["dgst", "-sha256"]);
}
