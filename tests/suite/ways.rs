//! Ways through a site: the axis by order and by date, the state that an address keeps, and why a value is missing.
//! With a mouse, by keyboard, and without scripts.

use serde_json::{Value, json};

use crate::browser::{faults, run_checks};
use crate::demo;
use crate::program::tree;

fn workload() -> String {
    tree(demo::site())
        .into_keys()
        .find(|path| path.starts_with("gallery/oxygen/plain") && path.ends_with("index.html"))
        .unwrap()
}

/// The one-file export of a figure of one kind, of a complete history.
fn export(kind: &str) -> String {
    let fits = |document: &Value| {
        let plot = &document["plot"];
        let whole = document.get("reference_scope").is_none();
        plot["kind"] == kind && plot["options"]["feature"] == "plain_benchmark" && whole
    };
    tree(demo::site())
        .into_iter()
        .filter(|(path, _)| path.starts_with("figures/") && path.ends_with(".json"))
        .find(|(_, bytes)| fits(&serde_json::from_slice(bytes).unwrap()))
        .map(|(path, _)| path.replace(".json", ".html"))
        .unwrap()
}

/// Steps that hold when a drawing is shown by order (`od`) or by date (`dd`).
fn shown(block: &str, class: &str) -> [Value; 2] {
    let other = if class == "od" { "dd" } else { "od" };
    [
        json!({"visible": format!("{block} .{class}")}),
        json!({"visible": {"selector": format!("{block} .{other}"), "equals": false}}),
    ]
}

fn steps(parts: &[&[Value]]) -> Vec<Value> {
    parts.concat()
}

#[test]
fn the_axis_can_be_switched_by_mouse_by_keyboard_and_without_scripts() {
    let page = workload();
    let mut scripts = Vec::new();
    for kind in ["normalized_metrics", "distribution", "version_delta"] {
        // Further figures stand in closed parts of the page; each kind has the switch in its one-file export as well.
        let export = export(kind);
        for page in
            [Some(&page).filter(|_| kind == "normalized_metrics"), Some(&export)].into_iter().flatten()
        {
            let (by_order, by_date) = (shown(".block", "od"), shown(".block", "dd"));
            let mouse = steps(&[
                &by_order,
                &[json!({"click": ".block .xd"})],
                &by_date,
                &[json!({"click": ".block .xo"})],
                &by_order,
            ]);
            let keys = steps(&[
                &[
                    json!({"focus": ".block .xo"}),
                    json!({"press": "ArrowRight"}),
                    json!({"focused": ".xd:checked"}),
                ],
                &by_date,
                &[json!({"press": "ArrowLeft"}), json!({"focused": ".xo:checked"})],
                &by_order,
            ]);
            for javascript in [true, false] {
                for (name, steps) in [("mouse", &mouse), ("keys", &keys)] {
                    scripts.push(json!({"name": format!("{kind} {name} {javascript}"), "page": page, "javascript": javascript, "steps": steps}));
                }
            }
        }
    }
    assert_eq!(scripts.len(), 16);
    let report = run_checks(demo::site(), json!({"pages": [], "scripts": scripts}));
    assert_eq!(faults(&report), "");
}

#[test]
fn by_date_keys_walk_along_the_dates() {
    let report = run_checks(
        demo::site(),
        json!({"pages": [], "scripts": [{"name": "walk", "page": workload(), "steps": [
            {"click": ".block .xd"},
            {"focus": ".block .plot"}, {"press": "Home"},
            {"expectText": {"selector": ".block .reading", "contains": "1.0.0"}},
            {"press": "End"},
            {"expectText": {"selector": ".block .reading", "contains": "1.11.0"}},
            {"press": "ArrowLeft"},
            {"expectText": {"selector": ".block .reading", "contains": "1.10.2"}},
            {"url": {"matches": "#(.*&)?x=date(&|$)"}}
        ]}]}),
    );
    assert_eq!(faults(&report), "");
}

#[test]
fn an_address_keeps_tab_metrics_point_and_axis() {
    let panel = "#patches-1-10 .block";
    let at = |selector: &str| format!("{panel} {selector}");
    let kept = [
        json!({"expectText": {"selector": "[role=tab][aria-selected=true]", "equals": "1.10 patches"}}),
        json!({"visible": at(".dd")}),
        json!({"count": {"selector": at(".xd:checked"), "equals": 1}}),
        json!({"count": {"selector": at(".t2:checked"), "equals": 0}}),
        json!({"count": {"selector": at(".t1:checked"), "equals": 1}}),
        json!({"visible": {"selector": at(".dd .s2"), "equals": false}}),
        json!({"expectText": {"selector": at(".reading"), "contains": "1.10.1"}}),
    ];
    let acts = [
        json!({"click": "[role=tab]:nth-of-type(2)"}),
        json!({"click": at(".t2")}),
        json!({"click": at(".xd")}),
        json!({"focus": at(".plot")}),
        json!({"press": "Home"}),
        json!({"press": "ArrowRight"}),
    ];
    let pairs = ["tab=", "fig=", "m=", "x=date", "p=1\\.10\\.1"];
    let address: Vec<Value> =
        pairs.iter().map(|pair| json!({"url": {"matches": format!("[#&]{pair}")}})).collect();
    let steps = steps(&[&acts, &kept, &address, &[json!({"reload": true})], &kept, &address]);
    let report = run_checks(
        demo::site(),
        json!({"pages": [], "scripts": [{"name": "address", "page": workload(), "steps": steps}]}),
    );
    assert_eq!(faults(&report), "");
}

#[test]
fn the_reason_of_a_hole_is_one_key_away() {
    let hole = ".checks .hole a";
    let mut scripts = Vec::new();
    for javascript in [true, false] {
        scripts.push(json!({"name": format!("reason {javascript}"), "page": "gallery/awkward/index.html", "javascript": javascript, "steps": [
            // The part of the page opens by keyboard.
            {"focus": "#availability + details > summary"}, {"press": "Enter"},
            {"visible": ".checks thead th[scope=col]"},
            {"visible": ".checks tbody th[scope=row]"},
            {"count": {"selector": ".checks tr > :first-child:not(th[scope])", "equals": 0}},
            {"focus": hole}, {"focused": hole}, {"press": "Enter"},
            {"url": {"matches": "#why-[a-z]+$"}},
            {"visible": ".reasons li:target"},
            {"expectText": {"selector": ".reasons li:target", "matches": "^[a-z]+ .+ \\([0-9]+\\)$"}}
        ]}));
    }
    let report = run_checks(demo::awkward(), json!({"pages": [], "scripts": scripts}));
    assert_eq!(faults(&report), "");
}
