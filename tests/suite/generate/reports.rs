//! Diagnosis reports, native tools and network counters in the published forms, from the published figures.
//! Nothing in them was measured here and nothing is made up: what was not published is absent.

use super::csv::{Row, Table};
use super::tree::{Tree, fixtures};
use serde_json::{Map, Value, json};

/// Adds `oxygen/diagnostics`, `oxygen/native` and `oxygen/network`.
pub(crate) fn add(tree: &mut Tree) {
    let figures = read("diagnostics.json");
    let words = read("words.json");
    let report = |tool: &str| {
        let all = figures["reports"].as_array().expect("reports");
        all.iter().find(|one| one["tool"] == tool).unwrap_or_else(|| panic!("no report of {tool}"))
    };
    let seven = ["jet", "alloccheck", "snoopcompile", "latency", "gc", "memory", "locks"];
    let records: Vec<Value> = seven.iter().map(|tool| diagnosis(report(tool), &words)).collect();
    add_pretty(tree, "oxygen/diagnostics/diagnosis.json", &json!({"records": records}));
    let records = [aqua(report("aqua"), &words), heap(report("heap"), &words)];
    add_pretty(tree, "oxygen/diagnostics/additional.json", &json!({"records": records}));
    let heap = report("heap");
    let types = json!({
        "artifact_sha256": heap["artifact"]["sha256"],
        "scope": format!(
            "{} (only the {} largest types were published with these figures)",
            text(&words["heap_types_scope"]),
            heap["top_types"].as_array().expect("types").len(),
        ),
        "types": heap["top_types"],
    });
    add_pretty(tree, "oxygen/diagnostics/heap-types.json", &types);
    native(tree, &figures["native"], &words);
    network(tree, &words);
}

fn read(name: &str) -> Value {
    let path = fixtures().join("published/oxygen").join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

/// Two spaces a level and keys in order, as the published documents are.
pub(super) fn add_pretty(tree: &mut Tree, path: &str, value: &Value) {
    let mut bytes = serde_json::to_vec_pretty(value).expect("a value is JSON");
    bytes.push(b'\n');
    tree.add(path, bytes);
}

/// A record with the fields that every published one has.
fn base(report: &Value, words: &Value) -> Map<String, Value> {
    let tool = text(&report["tool"]);
    let mut record = Map::new();
    for key in [
        "tool",
        "tool_version",
        "status",
        "correctness",
        "quality",
        "runtime",
        "scenario",
        "implementation",
        "worker_elapsed_seconds",
    ] {
        if !report[key].is_null() {
            record.insert(key.to_owned(), report[key].clone());
        }
    }
    if let Some(scope) = words["analysis_scope"].get(tool) {
        record.insert("analysis_scope".to_owned(), scope.clone());
    }
    let summary = words["summary"].get(tool).cloned().unwrap_or_else(|| "".into());
    record.insert("summary".to_owned(), summary);
    record.insert("findings".to_owned(), json!([]));
    record
}

fn diagnosis(report: &Value, words: &Value) -> Value {
    let tool = text(&report["tool"]);
    let mut record = base(report, words);
    match tool {
        "jet" | "alloccheck" => {
            let findings: Vec<Value> =
                Table::published("findings").find(&[("tool", tool)]).map(|row| finding(&row)).collect();
            assert_eq!(findings.len() as u64, report["finding_count"].as_u64().expect("a count"));
            record.insert("findings".to_owned(), findings.into());
        }
        "snoopcompile" => {
            let seconds = &report["measurements"]["inference_seconds"];
            record.insert("measurements".to_owned(), json!({"inference_seconds": seconds}));
            let finding = json!({
                "rule_id": report["rule_id"], "severity": "warning", "message": words["snoopcompile_message"],
                "location": {"file": "", "line": 0}, "evidence": {"inference_seconds": seconds},
            });
            record.insert("findings".to_owned(), json!([finding]));
        }
        "latency" => {
            record.insert("measurements".to_owned(), report["measurements"].clone());
        }
        "memory" => {
            let provider = &report["provider"];
            let samples: Vec<Value> = report["samples"]
                .as_array()
                .expect("samples")
                .iter()
                .map(|sample| {
                    json!({
                        "state_before_bytes": sample["state_before_bytes"],
                        "state_after_bytes": sample["state_after_bytes"],
                        "state_and_result_bytes": sample["state_and_result_bytes"],
                        "process_before": process(sample, "before", provider),
                        "process_after": process(sample, "after", provider),
                    })
                })
                .collect();
            record.insert("measurements".to_owned(), json!({"samples": samples}));
        }
        _ => {
            record.insert("measurements".to_owned(), json!({"samples": report["samples"]}));
        }
    }
    record.into()
}

fn process(sample: &Value, moment: &str, provider: &Value) -> Value {
    json!({
        "schema_version": "perfchecker-process-memory/1", "provider": provider, "status": "observed", "message": "",
        "rss_bytes": sample[format!("rss_{moment}_bytes")],
        "private_bytes": sample[format!("private_{moment}_bytes")],
        "peak_rss_bytes": sample["peak_rss_bytes"],
    })
}

/// A finding. The first line of its message was published, and of some the call path.
fn finding(row: &Row<'_>) -> Value {
    let mut message = row["message_first_line"].to_owned();
    if !row["frames"].is_empty() {
        // Frames and their places come in turn; a frame begins with its number.
        let mut lines = vec![message, String::new(), "Stacktrace:".to_owned()];
        for part in row["frames"].split(" | ") {
            let indent = if part.starts_with('[') { " " } else { "   " };
            lines.push(format!("{indent}{part}"));
        }
        message = lines.join("\n");
        message.push('\n');
    }
    let first = row["message_first_line"];
    let (analysis, kind) = match row["tool"] {
        "jet" => ("JET.report_opt", "JET.RuntimeDispatchReport"),
        _ if first.starts_with("Allocation of") => ("AllocCheck.check_allocs", "AllocCheck.AllocationSite"),
        _ if first.starts_with("Dynamic dispatch") => {
            ("AllocCheck.check_allocs", "AllocCheck.DynamicDispatch")
        }
        _ => ("AllocCheck.check_allocs", "AllocCheck.AllocatingRuntimeCall"),
    };
    json!({
        "rule_id": row["rule_id"], "severity": row["severity"], "message": message,
        "location": {"file": row["file"], "line": row["line"].parse::<u64>().expect("a line")},
        "evidence": {"analysis": analysis, "report_type": kind},
    })
}

fn aqua(report: &Value, words: &Value) -> Value {
    let mut record = base(report, words);
    for (key, value) in [
        ("checks", json!({})),
        ("controller_loaded", json!(false)),
        ("performance", json!("not_compared")),
        ("log_excerpt", words["aqua_log"].clone()),
        (
            "findings",
            json!([{
                "rule_id": report["rule_id"], "severity": report["severity"], "message": words["aqua_message"],
                "location": {"file": "", "line": 0}, "evidence": {},
            }]),
        ),
    ] {
        record.insert(key.to_owned(), value);
    }
    record.into()
}

fn heap(report: &Value, words: &Value) -> Value {
    let mut record = base(report, words);
    for (key, value) in [
        ("artifacts", json!([report["artifact"]])),
        ("controller_loaded", json!(false)),
        ("performance", json!("not_compared")),
        ("log_excerpt", json!("")),
        ("limitations", words["heap_limitations"].clone()),
    ] {
        record.insert(key.to_owned(), value);
    }
    record.into()
}

fn native(tree: &mut Tree, figures: &Value, words: &Value) {
    let mut records = Vec::new();
    for tool in figures["tools"].as_array().expect("tools") {
        let name = text(&tool["tool"]);
        let mut record = Map::new();
        for key in [
            "tool",
            "availability",
            "executed",
            "status",
            "correctness",
            "elapsed_seconds",
            "exit_code",
            "scope",
            "instrumented_instructions",
        ] {
            if tool.get(key).is_some_and(|value| !value.is_null()) {
                record.insert(key.to_owned(), tool[key].clone());
            }
        }
        for key in ["package", "size", "repetitions", "cpu_target", "suppression_sha256"] {
            record.insert(key.to_owned(), figures[key].clone());
        }
        if let Some(artifacts) = words["native_artifacts"].get(name) {
            record.insert("artifacts".to_owned(), artifacts.clone());
        }
        if name == "callgrind" {
            record.insert("scope".to_owned(), words["callgrind_scope"].clone());
        }
        if tool["status"] == "time_budget_exceeded" {
            record.insert("status_evidence".to_owned(), words["native_timeout"].clone());
        }
        records.push(Value::Object(record));
    }
    let summary = json!({
        "date": figures["date"], "julia_version": figures["julia_version"], "os": figures["os"], "records": records,
    });
    add_pretty(tree, "oxygen/native/summary.json", &summary);
    let massif = &figures["massif"];
    let column = |key: &str| massif[key].as_array().expect("a column");
    let observations: Vec<Value> = (0..column("axis").len())
        .map(|at| json!({
            "time": column("axis")[at], "heap_bytes": column("heap_bytes")[at],
            "allocator_overhead_bytes": column("extra_bytes")[at], "stack_bytes": column("stack_bytes")[at],
        }))
        .collect();
    assert_eq!(observations.len() as u64, massif["snapshots"].as_u64().expect("a count"));
    let document =
        json!({"observations": observations, "time_unit": massif["axis_unit"], "scope": massif["scope"]});
    add_pretty(tree, "oxygen/native/massif-1.json", &document);
}

fn network(tree: &mut Tree, words: &Value) {
    let mut latest = version(&Table::published("network"), "1.11.0", words);
    latest["started_at"] = words["network_latest_started_at"].clone();
    let table = Table::published("network-history");
    let mut labels: Vec<String> = Vec::new();
    for row in table.rows() {
        if labels.last().is_none_or(|last| last != row["version"]) {
            labels.push(row["version"].to_owned());
        }
    }
    let mut versions: Vec<Value> = labels.iter().map(|label| version(&table, label, words)).collect();
    // The newest entry is the document of the newest version.
    if let Some(last) = versions.last_mut() {
        last["started_at"] = words["network_latest_started_at"].clone();
        assert_eq!(*last, latest);
    }
    add_pretty(tree, "oxygen/network/latest.json", &latest);
    add_pretty(tree, "oxygen/network/history.json", &json!({"versions": versions}));
    isolation(tree);
}

/// A published decimal as the float that the documents hold.
fn number(text: &str) -> Value {
    text.parse::<f64>().unwrap_or_else(|error| panic!("{text}: {error}")).into()
}

fn version(table: &Table, label: &str, words: &Value) -> Value {
    let sample = |row: &Row<'_>| {
        let mut sample = json!({
            "capture_layer": "interface", "attribution_scope": row["attribution_scope"], "interface": row["interface"],
            "latency_context": "end_to_end_informative",
        });
        for key in [
            "seconds",
            "workload_seconds",
            "bytes_sent",
            "bytes_received",
            "packets_sent",
            "packets_received",
            "discarded_sent",
            "discarded_received",
        ] {
            sample[key] = number(row[key]);
        }
        sample
    };
    let idle: Vec<Value> =
        table.find(&[("version", label), ("record", "idle_control")]).map(|row| sample(&row)).collect();
    assert_eq!(idle.len(), 3, "{label}");
    let mut records: Vec<Value> = Vec::new();
    let mut http = String::new();
    for row in table.find(&[("version", label), ("record", "request")]) {
        let bytes: u64 = row["payload_bytes"].parse().expect("a size");
        row["http_version"].clone_into(&mut http);
        if records.last().is_none_or(|last| last["payload_bytes"] != bytes) {
            let whole = |key: &str| row[key].parse::<u64>().expect("a size");
            records.push(json!({
                "payload_bytes": bytes, "application_request_bytes": whole("application_request_bytes"),
                "application_response_bytes": whole("application_response_bytes"),
                "correctness": row["correctness"], "samples": [],
            }));
        }
        let last = records.last_mut().expect("there is one");
        last["samples"].as_array_mut().expect("a list").push(sample(&row));
    }
    assert!(
        records.iter().all(|one| one["samples"].as_array().is_some_and(|list| list.len() == 30)),
        "{label}"
    );
    json!({
        "schema_version": "perfchecker-example-network/1", "package": "Oxygen", "version": label, "http_version": http,
        "julia_version": "1.13.0", "os": "Linux", "threads": 1, "interface": "lo", "scope": words["network_scope"],
        "counter_note": words["network_note"], "idle_control": idle, "records": records,
    })
}

fn isolation(tree: &mut Tree) {
    let table = Table::published("network-isolation");
    let field = |name: &str| -> String {
        table.find(&[("field", name)]).next().unwrap_or_else(|| panic!("no {name}"))["value"].to_owned()
    };
    let flag = |name: &str| field(name) == "true";
    let whole = |name: &str| field(name).parse::<u64>().expect("a count");
    let mut sample = json!({
        "capture_layer": field("capture_layer"), "attribution_scope": field("attribution_scope"),
        "interface": field("interface"), "latency_context": field("latency_context"),
    });
    for key in [
        "bytes_sent",
        "bytes_received",
        "packets_sent",
        "packets_received",
        "discarded_sent",
        "discarded_received",
        "seconds",
        "workload_seconds",
    ] {
        sample[key] = number(&field(key));
    }
    let document = json!({
        "capabilities": {
            "schema_version": "perfchecker-network-isolation-capabilities/1", "supported": flag("supported"),
            "provider": field("provider"), "reason": "", "capture_layer": field("capture_layer"),
            "attribution": field("attribution_scope"), "interface": field("interface"),
            "external_connectivity": flag("external_connectivity"), "dns_servers": [],
            "requires_prepared_environment": true, "counter_providers": ["nftables", "sysfs"],
            "counters": ["bytes_sent", "bytes_received", "packets_sent", "packets_received", "discarded_sent",
                "discarded_received"],
        },
        "capture": {
            "schema_version": "perfchecker-isolated-network-result/1", "provider": field("provider"),
            "counter_provider": field("counter_provider"), "exit_code": whole("exit_code"), "stdout": "", "stderr": "",
            "measurement_phase": field("measurement_phase"), "sample": sample,
        },
        "correctness": field("correctness"), "executed": flag("executed"), "exit_code": whole("exit_code"),
        "http_version": field("http_version"), "oxygen_version": field("oxygen_version"),
        "verified_requests": whole("verified_requests"),
    });
    add_pretty(tree, "oxygen/network/isolation.json", &document);
}
