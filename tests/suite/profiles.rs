//! Profiles from run bundles and from saved plots, as `inspect` and the exports tell them.

use perfolio::analyze::profile::{functions, shares, sites_by_line};
use perfolio::draw::{collapsed, speedscope};
use perfolio::error::{Severity, Silent};
use perfolio::evidence::SourceEvidence;
use perfolio::evidence::profile::{Partial, Profile};
use perfolio::io::{Limits, Source};
use perfolio::read::read_source;
use serde_json::Value;

use crate::program::{fixture, repository, run};

fn evidence(name: &str) -> SourceEvidence {
    let limits = Limits::default();
    let source = Source::open(&fixture(name), &limits).unwrap();
    let (evidence, problems) = read_source(&source, "s", name, &limits, &Silent);
    assert!(problems.iter().all(|problem| problem.severity != Severity::Error), "{problems:?}");
    evidence
}

fn of<'a>(evidence: &'a SourceEvidence, kind: &str) -> &'a Profile {
    evidence.profiles.iter().find(|profile| profile.path.contains(kind)).unwrap()
}

#[test]
fn the_published_profiles_are_read_from_their_plots() {
    let evidence = evidence("oxygen/profiles");
    assert_eq!(evidence.plots.len(), 4);
    let (cpu, wall) = (of(&evidence, "cpu-flamegraph"), of(&evidence, "wall-flamegraph"));
    assert_eq!((cpu.samples, wall.samples), (Some(20), Some(7)));
    assert_eq!((cpu.tree.nodes.len() - 1, wall.tree.nodes.len() - 1), (86, 64));
    // Fewer stacks than a plot may keep: none was left out.
    assert!(cpu.partial.is_empty() && wall.partial.is_empty());
    let costs = functions(cpu);
    let first = costs.iter().find(|cost| cost.function == "internalrequest").unwrap();
    assert_eq!(first.inclusive.as_whole(), Some(20), "every sample passes through it");
    let (lines, pie) = (of(&evidence, "allocation-lines"), of(&evidence, "allocation-pie"));
    assert_eq!(format!("{:.0}", lines.total.as_f64()), "1597512");
    let found = shares(&sites_by_line(lines).costs, 40, 5.0);
    assert_eq!((found.slices.len(), found.folded.as_ref().unwrap().sites), (5, 26));
    assert_eq!(format!("{:.4}", found.folded.unwrap().percentage), "6.2378");
    assert!(matches!(pie.partial[..], [Partial::Folded { sites: Some(26), .. }]));
    assert_eq!((pie.sites.len(), format!("{:.0}", pie.total.as_f64()).as_str()), (5, "1597512"));
}

#[test]
fn weights_of_stacks_are_never_shown_as_medians() {
    // Formats §6, traps 4, 5 and 6: profiles with fresh state and site totals.
    let folder = fixture("awkward/profiles");
    let report = run(repository(), &["inspect".as_ref(), "--json".as_ref(), folder.as_os_str()]).json();
    let series = report["series"].as_array().unwrap();
    assert!(series.iter().all(|series| series["feature"] == "sort_alloc"));
    for series in series {
        assert!(series["points"].as_array().unwrap().iter().all(|point| point["statistic"] == "sum"));
    }
    let profiles = report["profiles"].as_array().unwrap();
    assert_eq!(profiles.len(), 11);
    let wall = profiles.iter().find(|profile| profile["feature"] == "sort_wall").unwrap();
    assert_eq!((wall["total"].as_f64(), wall["unit"].as_str()), (Some(8.0), Some("1")));
    assert_eq!((&wall["tool"], &wall["target"]), (&"wall_profile".into(), &"1.10.0".into()));
    assert_eq!(wall["top"][0]["function"], "#3");
    assert_eq!((&wall["top"][1]["self"], &wall["top"][1]["inclusive"]), (&2.0.into(), &7.0.into()));
}

#[test]
fn every_stack_is_exported() {
    let evidence = evidence("awkward/profiles");
    let cpu =
        evidence.profiles.iter().find(|profile| profile.feature.as_deref() == Some("sort_cpu")).unwrap();
    let mut text = Vec::new();
    collapsed::write(cpu, &mut text).unwrap();
    let root = "sort! (Widget/src/sort.jl:12)";
    let expected = [
        "[other] 1".to_owned(),
        format!("{root} 1"),
        format!("{root};#3 (Widget/src/sort.jl:40) 4"),
        format!("{root};copy (array.jl:350) 1"),
        format!("{root};{root};{root} 1"),
    ];
    assert_eq!(String::from_utf8(text).unwrap().lines().collect::<Vec<_>>(), expected);
    let mut text = Vec::new();
    speedscope::write(cpu, &mut text).unwrap();
    let document: Value = serde_json::from_slice(&text).unwrap();
    let profile = &document["profiles"][0];
    let frames = document["shared"]["frames"].as_array().unwrap();
    let names: Vec<Vec<&str>> = profile["samples"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sample| {
            let frame = |at: &Value| frames[at.as_u64().unwrap() as usize]["name"].as_str().unwrap();
            sample.as_array().unwrap().iter().map(frame).collect()
        })
        .collect();
    assert_eq!(names[2], ["sort!", "#3"]);
    assert_eq!((profile["weights"].to_string(), &profile["endValue"]), ("[1,1,4,1,1]".to_owned(), &8.into()));
    assert_eq!(profile["type"], "sampled");
}

#[test]
fn saved_heat_maps_and_pies_say_what_they_do_not_hold() {
    let evidence = evidence("catalogs/invented-g1");
    let flame = of(&evidence, "cpu-flamegraph");
    assert_eq!(flame.stacks.iter().map(|stack| stack.weight.as_f64()).collect::<Vec<_>>(), [1.0, 6.0, 1.0]);
    assert_eq!((flame.total.as_f64(), flame.samples), (8.0, Some(8)));
    let pie = of(&evidence, "allocation-pie");
    assert_eq!((&*pie.tool, pie.total.as_f64()), ("unknown", 1000.0));
    let newer = self::evidence("catalogs/invented-g2");
    assert_eq!(&*of(&newer, "allocation-pie").tool, "profile_alloc");
}
