//! Invented documents of diagnosis reports, native tools and networks, and results of static analysis: nothing in
//! them was measured or found.
//!
//! | folder | holds |
//! | --- | --- |
//! | `diagnosis` | a raw report with every tool and every way to end, and a later report of the same analyzer |
//! | `hostile` | texts that try to be markup, steer a terminal, or leave their folder |
//! | `heap` | thousands of types with long names |
//! | `native` | native tools that ended in every way, two processes under Massif |
//! | `stopped` | Massif that ran out of time with exit code 0 and left observations |
//! | `network` | a Windows measurement, a failed oracle, isolation that failed or is not supported |
//! | `sarif` | results of analyzers outside of Julia |

use super::reports::add_pretty;
use super::tree::Tree;
use serde_json::{Value, json};

/// Adds everything below `invented/`.
pub(crate) fn add(tree: &mut Tree) {
    diagnosis(tree);
    hostile(tree);
    heap(tree);
    native(tree);
    network(tree);
    sarif(tree);
}

fn runtime() -> Value {
    json!({"language": "julia", "version": "1.12.1", "threads": 4})
}

fn finding(rule: &str, message: &str, file: &str, line: u64) -> Value {
    json!({
        "rule_id": rule, "severity": "warning", "message": message, "location": {"file": file, "line": line},
        "evidence": {"analysis": "JET.report_opt", "report_type": "JET.RuntimeDispatchReport"},
    })
}

fn process(rss: Option<u64>) -> Value {
    match rss {
        Some(rss) => json!({
            "schema_version": "perfchecker-process-memory/1", "pid": 4711, "timestamp_ns": "90071992547409931",
            "rss_bytes": rss, "peak_rss_bytes": rss + 4096, "provider": "linux-proc-status", "status": "observed",
            "message": "",
        }),
        None => json!({
            "schema_version": "perfchecker-process-memory/1", "provider": "unavailable", "status": "unavailable",
            "message": "no counters on this system",
        }),
    }
}

fn diagnosis(tree: &mut Tree) {
    let gc = |seconds: f64, bytes: u64, conflicts: u64| {
        json!({
            "operation_seconds": 0.0031, "gc_seconds": seconds, "allocated_bytes": bytes, "full_sweep": 1,
            "poolalloc": 12, "bigalloc": 0, "malloc": 0, "realloc": 0, "pause": 1_250_000,
            "lock_conflicts": conflicts, "compile_time": 0.0, "recompile_time": 0.0,
        })
    };
    let records = json!([
        {
            "tool": "jet", "tool_version": "0.10.0", "status": "complete", "correctness": "passed",
            "performance": "not_compared", "quality": "not_checked", "analysis_scope": "one specialization",
            "summary": "", "scenario": "widget-parse", "implementation": "widget", "runtime": runtime(),
            "environment_provenance": {"manifest_sha256": "0f".repeat(32), "path": "/home/zoë/widget"},
            "findings": [
                finding("inference.runtime_dispatch", "call of f(%12::Any)", ".\\array.jl", 12),
                finding("inference.runtime_dispatch", "call of f(%19::Any)", ".\\array.jl", 14),
                finding("inference.optimization", "failed to optimize g in src/a.jl:40", "src/a.jl", 40),
                finding("inference.runtime_dispatch", "call of h(%3::Any)", "src/b.jl", 7),
            ],
        },
        {
            "tool": "alloccheck", "tool_version": "0.2.0", "status": "complete", "correctness": "passed",
            "summary": "", "runtime": runtime(), "analysis_scope": "one specialization", "findings": [],
        },
        {
            "tool": "snoopcompile", "tool_version": "3.2.0", "status": "complete", "correctness": "passed",
            "summary": "", "runtime": runtime(), "measurements": {"inference_seconds": 0.42},
            "findings": [{
                "rule_id": "compilation.inference", "severity": "warning", "message": "tree",
                "location": {"file": "", "line": 0}, "evidence": {"inference_seconds": 0.42},
            }],
        },
        {
            "tool": "latency", "status": "complete", "correctness": "passed", "summary": "", "runtime": runtime(),
            "measurement_scope": "one process", "findings": [],
            "measurements": {"load_seconds": 2.5, "first_case_seconds": 0.8, "warm_case_seconds": 0.004},
        },
        {
            "tool": "gc", "status": "complete", "correctness": "passed", "summary": "3 operations",
            "runtime": runtime(),
            "findings": [finding("memory.gc_pressure", "12 % of the time in collections", "", 0)],
            "measurements": {"samples": [gc(0.0, 15_360, 0), gc(0.0004, 15_360, 0), gc(0.0005, 15_872, 0)]},
        },
        {
            "tool": "locks", "status": "complete", "correctness": "passed", "summary": "2 operations",
            "runtime": runtime(),
            "findings": [finding("concurrency.lock_contention", "3 conflicts", "", 0)],
            "measurements": {"samples": [gc(0.0, 512, 0), gc(0.0, 512, 3)]},
        },
        {
            "tool": "memory", "status": "complete", "correctness": "passed", "summary": "2 operations",
            "runtime": runtime(), "findings": [],
            "measurements": {"samples": [
                {
                    "state_before_bytes": 1000, "state_after_bytes": 1408, "state_and_result_bytes": 2200,
                    "process_before": process(Some(180_000_000)), "process_after": process(Some(180_400_000)),
                },
                {
                    "state_before_bytes": 1408, "state_after_bytes": 1000, "state_and_result_bytes": 2200,
                    "process_before": process(None), "process_after": process(Some(180_400_000)),
                },
            ]},
        },
        {
            "tool": "heap", "status": "complete", "correctness": "passed", "summary": "captured",
            "runtime": runtime(), "findings": [],
            "artifacts": [{
                "kind": "heap_snapshot", "path": "C:\\Users\\Zoë\\snapshot.heapsnapshot", "sha256": "ab".repeat(32),
                "bytes": 4096, "redacted": true,
            }],
        },
        {
            "tool": "aqua", "tool_version": "0.8.0", "status": "complete", "correctness": "not_checked",
            "quality": "failed", "performance": "not_compared", "checks": {"ambiguities": true, "piracies": false},
            "defaults": "all", "scenario": "package", "implementation": "package", "summary": "",
            "runtime": runtime(), "log_excerpt": "1 ambiguity\n  f(x) <b>&amp;\n", "worker_elapsed_seconds": 12.5,
            "findings": [finding("quality.aqua", "1 check failed", "", 0)],
        },
        {
            "tool": "gc", "status": "unavailable", "correctness": "passed", "message": "needs a newer runtime",
            "summary": "needs a newer runtime", "runtime": runtime(), "findings": [],
        },
        {
            "tool": "alloccheck", "status": "timeout", "message": "stopped", "elapsed_seconds": 120.1,
            "summary": "stopped", "exit_code": 0, "measurements": {"sites": 12},
            "findings": [finding("allocation.potential", "found before it was stopped", "src/a.jl", 3)],
        },
        {"tool": "latency", "status": "cancelled", "elapsed_seconds": 3.5, "summary": ""},
        {
            "tool": "jet", "status": "invalid", "message": "the sources changed meanwhile", "correctness": "failed",
            "runtime": runtime(), "findings": [finding("inference.runtime_dispatch", "stale", "src/a.jl", 1)],
        },
        {"tool": "snoopcompile", "status": "error", "message": "worker exited", "measurements": {"inference_seconds": 0.0}},
        {
            "tool": "latency", "status": "complete", "correctness": "failed", "runtime": runtime(),
            "measurements": {"load_seconds": 1.0},
        },
        {
            "tool": "race-finder", "tool_version": "7", "status": "complete", "correctness": "passed",
            "runtime": {"language": "python", "version": "3.13"}, "measurements": {"races": 2, "scan_ms": 12.5},
            "findings": [{
                "rule_id": "race/write-write", "severity": "critical", "message": "two writers of x",
                "location": {"file": "pkg/mod.py", "line": 88}, "evidence": {"threads": 2, "certain": true},
            }],
        },
        {"tool": "jet", "status": "paused", "findings": []},
    ]);
    let report = json!({
        "schema_version": "perfchecker-diagnosis/1",
        "source_provenance": {
            "capture_scope": "working_tree", "path": "/home/zoë/widget", "captured": true,
            "revision": "0123456789abcdef0123456789abcdef01234567", "branch": "main", "dirty": true,
        },
        "records": records,
    });
    add_pretty(tree, "invented/diagnosis/earlier.json", &report);
    let later = json!({
        "schema_version": "perfchecker-diagnosis/1",
        "records": [{
            "tool": "jet", "tool_version": "0.10.1", "status": "complete", "correctness": "passed",
            "analysis_scope": "one specialization", "summary": "", "runtime": runtime(),
            "findings": [
                finding("inference.runtime_dispatch", "call of f(%2::Any)", ".\\array.jl", 20),
                finding("inference.runtime_dispatch", "call of h(%1::Any)", "src/b.jl", 107),
                finding("inference.optimization", "failed to optimize g in src/a.jl:44", "src/a.jl", 44),
                finding("inference.optimization", "failed to optimize k in src/a.jl:90", "src/a.jl", 90),
            ],
        }],
    });
    add_pretty(tree, "invented/diagnosis/later.json", &later);
}

fn hostile(tree: &mut Tree) {
    let long = "Tuple{".repeat(400);
    let report = json!({"records": [{
        "tool": "<script>alert(1)</script>", "tool_version": "\u{1b}[31m1", "status": "complete\u{202e}",
        "correctness": "passed", "message": "</pre><img src=x onerror=alert(1)>", "limitations": ["\u{0}\u{7}", "&lt;"],
        "runtime": {"language": "<b>", "version": {"a": 1}}, "log_excerpt": "</textarea>\u{2028}`${x}`",
        "findings": [
            {
                "rule_id": "x\"><svg onload=alert(1)>", "severity": "javascript:alert(1)", "message": long,
                "location": {"file": "../../../etc/passwd", "line": 1}, "evidence": {"<i>": "</i>"},
            },
            {
                "rule_id": "", "severity": "", "message": "Stacktrace:\n [1] <b>\n   @ javascript:alert(1)",
                "location": {"file": "C:\\Windows\\win.ini:stream", "line": -4}, "evidence": [],
            },
            {"message": 5, "location": "nowhere"},
        ],
    }]});
    add_pretty(tree, "invented/hostile/report.json", &report);
}

fn heap(tree: &mut Tree) {
    let types: Vec<Value> = (0..4000_u64)
        .map(|at| {
            let name = match at % 4 {
                0 => format!("Memory{{Type{at}}}"),
                1 => format!("NamedTuple{{(:a{at}, :b), Tuple{{Int64, Any}}}}"),
                2 => format!("Dict{{Symbol, Vector{{Größe{at}}}}}"),
                _ => format!("Deep{}{at}{}", "{Array".repeat(20), "}".repeat(20)),
            };
            json!({"type": name, "objects": 1 + at % 7, "shallow_bytes": 8 * (4000 - at)})
        })
        .collect();
    let document =
        json!({"artifact_sha256": "ab".repeat(32), "scope": "invented, shallow sizes", "types": types});
    let mut bytes = serde_json::to_vec(&document).expect("a value is JSON");
    bytes.push(b'\n');
    tree.add("invented/heap/heap-types.json", bytes);
}

fn tool(name: &str, more: &Value) -> Value {
    let mut record = json!({
        "tool": name, "availability": "executable_found", "executed": true, "correctness": "passed", "exit_code": 0,
        "elapsed_seconds": 41.0, "scope": "whole_process_including_startup", "artifacts": [format!("{name}.log")],
        "package": "widget", "size": 512, "repetitions": 3, "cpu_target": "generic", "suppression_sha256": null,
    });
    for (key, value) in more.as_object().expect("an object") {
        if value.is_null() {
            record.as_object_mut().expect("an object").remove(key);
        } else {
            record[key] = value.clone();
        }
    }
    record
}

fn native(tree: &mut Tree) {
    let summary = |records: Vec<Value>| json!({"date": "2026-03-01T10:00:00.5", "julia_version": "1.12.1", "os": "Linux", "records": records});
    let never = json!({
        "executed": false, "status": null, "exit_code": null, "elapsed_seconds": null, "artifacts": null,
        "correctness": "not_checked", "availability": "unsupported_platform",
    });
    let records = vec![
        tool("callgrind", &json!({"status": "completed", "instrumented_instructions": 1_200_345})),
        tool("massif", &json!({"status": "completed"})),
        tool("memcheck", &json!({"status": "findings_reported", "exit_code": 97})),
        tool(
            "cachegrind",
            &json!({
                "status": "time_budget_exceeded", "correctness": "not_confirmed", "elapsed_seconds": 190.0,
                "instrumented_instructions": 99, "termination_signal": 15,
            }),
        ),
        tool("heaptrack", &json!({"status": "oracle_not_confirmed", "correctness": "not_confirmed"})),
        tool("perf", &json!({"status": "tool_failed", "exit_code": 1})),
        tool("vtune", &never),
        tool("dhat", &json!({"status": "completed", "executed": false})),
        tool("drd", &json!({"status": "resting"})),
    ];
    add_pretty(tree, "invented/native/summary.json", &summary(records));
    let massif = |unit: &str, heap: &[u64]| {
        let observations: Vec<Value> = heap
            .iter()
            .enumerate()
            .map(|(at, bytes)| json!({
                "time": at * 500_000, "heap_bytes": bytes, "allocator_overhead_bytes": bytes / 100, "stack_bytes": 0,
            }))
            .collect();
        json!({"observations": observations, "time_unit": unit, "scope": "whole_process_including_startup"})
    };
    add_pretty(
        tree,
        "invented/native/massif-1.json",
        &massif("instrumented instructions", &[0, 2_000_000, 4_000_000, 1_000_000]),
    );
    add_pretty(tree, "invented/native/massif-2.json", &massif("tool time units", &[0, 90_000, 10]));
    let stopped = tool("massif", &json!({"status": "time_budget_exceeded", "correctness": "not_confirmed"}));
    add_pretty(tree, "invented/stopped/summary.json", &summary(vec![stopped]));
    add_pretty(tree, "invented/stopped/massif-1.json", &massif("instrumented instructions", &[0, 7_777_777]));
}

fn network(tree: &mut Tree) {
    let sample = |seconds: f64, packets: f64, received: f64| {
        json!({
            "bytes_sent": 60.0 * packets, "bytes_received": received, "packets_sent": packets,
            "packets_received": packets, "discarded_sent": 0.0, "discarded_received": 0.0, "seconds": seconds + 1e-4,
            "workload_seconds": seconds, "capture_layer": "interface", "attribution_scope": "host_interface",
            "interface": "Ethernet 2", "latency_context": "end_to_end_informative",
        })
    };
    let version = |label: &str, os: &str, correctness: &str| {
        json!({
            "schema_version": "perfchecker-example-network/1", "package": "Widget", "version": label,
            "http_version": "2.0.0", "julia_version": "1.12.1", "os": os, "threads": 1,
            "started_at": "2026-03-01T11:00:00", "interface": "Ethernet 2", "scope": "invented",
            "counter_note": "both directions count the same bytes", "idle_control": [sample(0.1, 0.0, 0.0)],
            "records": [
                {
                    "payload_bytes": 4096, "application_request_bytes": 4096, "application_response_bytes": 4096,
                    "correctness": correctness, "samples": [sample(0.002, 9.0, 540.0), sample(0.0, 9.0, 540.0)],
                },
                {
                    "payload_bytes": 64, "application_request_bytes": 64, "application_response_bytes": 64,
                    "correctness": "passed", "samples": [sample(0.001, 7.0, 420.0), sample(0.003, 7.0, 400.0)],
                },
            ],
        })
    };
    add_pretty(tree, "invented/network/latest.json", &version("1.10.0", "NT", "passed"));
    let history = json!({"versions": [
        version("1.9.0", "Linux", "passed"), version("1.10.0", "Linux", "failed"), version("1.8.1", "Linux", "passed"),
    ]});
    add_pretty(tree, "invented/network/history.json", &history);
    let capabilities = |supported: bool, reason: &str| {
        json!({
            "schema_version": "perfchecker-network-isolation-capabilities/1", "supported": supported,
            "provider": "linux_netns", "reason": reason, "external_connectivity": false,
        })
    };
    let unsupported = json!({
        "capabilities": capabilities(false, "no user namespaces"), "executed": false, "correctness": "not_checked",
        "widget_version": "1.10.0",
    });
    add_pretty(tree, "invented/network/isolation-unsupported.json", &unsupported);
    let failed = json!({
        "capabilities": capabilities(true, ""),
        "capture": {
            "schema_version": "perfchecker-isolated-network-result/1", "provider": "linux_netns", "exit_code": 137,
            "stdout": "", "stderr": "killed\n", "measurement_phase": "process_lifecycle", "sample": sample(9.0, 99.0, 1.0),
        },
        "correctness": "passed", "executed": true, "exit_code": 0, "widget_version": "1.10.0", "verified_requests": 7,
    });
    add_pretty(tree, "invented/network/isolation-failed.json", &failed);
}

fn sarif(tree: &mut Tree) {
    let place = |uri: &str, line: u64| {
        json!({"physicalLocation": {
            "artifactLocation": {"uri": uri, "uriBaseId": "SRCROOT"},
            "region": {"startLine": line, "startColumn": 5},
        }})
    };
    let step = |text: &str, uri: &str, line: u64| {
        let mut location = place(uri, line);
        location["message"] = json!({"text": text});
        json!({"location": location})
    };
    let analyzer = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "slowfinder", "semanticVersion": "3.1.4",
                        "rules": [
                            {
                                "id": "SF001", "name": "QuadraticLoop",
                                "shortDescription": {"text": "a loop inside of a loop over the same list"},
                                "defaultConfiguration": {"level": "error"},
                                "messageStrings": {"default": {"text": "loop over {0} inside of {{one}} over {1}"}},
                            },
                            {"id": "SF002", "shortDescription": {"text": "a copy that nobody needs"}},
                        ],
                    },
                    "extensions": [{"name": "more", "rules": [{"id": "M1", "name": "FromAnExtension"}]}],
                },
                "originalUriBaseIds": {"SRCROOT": {"uri": "file:///home/zo%C3%AB/widget/"}},
                "invocations": [{
                    "executionSuccessful": true, "startTimeUtc": "2026-03-01T10:00:00Z", "exitCode": 0,
                    "toolExecutionNotifications": [{"level": "warning", "message": {"text": "1 file was skipped"}}],
                }],
                "versionControlProvenance": [{
                    "repositoryUri": "https://example.org/widget.git", "revisionId": "be5c2e5f",
                }],
                "automationDetails": {"id": "nightly/2026-03-01"},
                "artifacts": [{"location": {"uri": "src/listed%20file.c", "uriBaseId": "SRCROOT"}}],
                "results": [
                    {
                        "ruleId": "SF001", "ruleIndex": 0, "baselineState": "new",
                        "message": {"id": "default", "arguments": ["rows", "rows"]},
                        "locations": [place("src/parse%20table.c", 40)],
                        "codeFlows": [{"threadFlows": [{"locations": [
                            step("called from here", "src/main.c", 12), step("and here", "src/parse%20table.c", 31),
                        ]}]}],
                        "partialFingerprints": {"primaryLocationLineHash": "39fa2ee980eb94b0:1"},
                    },
                    {
                        "rule": {"index": 1}, "level": "note", "message": {"text": "copy of `buffer`"},
                        "locations": [{
                            "physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": 3}},
                            "logicalLocations": [{"fullyQualifiedName": "widget::Buffer::clone"}],
                        }],
                        "stacks": [{"frames": [
                            {"location": place("src/a.c", 3)}, {"location": place("src/main.c", 20)},
                        ]}],
                        "suppressions": [{"kind": "inSource", "justification": "cold path"}],
                        "baselineState": "unchanged",
                    },
                    {
                        "ruleId": "SF001", "message": {"text": "under review"}, "locations": [place("src/b.c", 9)],
                        "suppressions": [{"kind": "external", "status": "underReview"}],
                    },
                    {
                        "rule": {"index": 0, "toolComponent": {"index": 0}}, "kind": "open",
                        "message": {"text": "may be slow"},
                        "locations": [{"physicalLocation": {"artifactLocation": {
                            "uri": "FILE:///C:/Users/Zo%C3%AB/x%0A%1B.c",
                        }}}],
                    },
                    {"ruleId": "SF002", "kind": "pass", "message": {"text": "no needless copy in a.c"}},
                    {"ruleId": "<img src=x>", "message": {"text": "</script>"}, "locations": [{
                        "physicalLocation": {"artifactLocation": {"uri": "javascript:alert(1)"}},
                    }]},
                ],
            },
            {"tool": {"driver": {"name": "cleanfinder", "version": "1"}}, "results": []},
            {"tool": {"driver": {"name": "never"}}},
        ],
    });
    add_pretty(tree, "invented/sarif/analyzer.sarif", &analyzer);
    let crashed = json!({
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "slowfinder", "version": "3.1.4"}},
            "invocations": [{
                "executionSuccessful": false, "exitCode": 0, "toolExecutionNotifications": [{
                    "level": "error", "message": {"text": "out of memory"},
                }],
            }],
            "results": [{"ruleId": "SF001", "message": {"text": "found before the crash"}}],
        }],
    });
    add_pretty(tree, "invented/sarif/crashed.json", &crashed);
}
