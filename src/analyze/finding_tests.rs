use proptest::prelude::*;

use super::*;

fn finding(rule: &str, file: &str, line: u64, message: &str) -> Finding {
    Finding {
        rule: rule.to_owned(),
        file: Some(file.to_owned()).filter(|file| !file.is_empty()),
        line: Some(line),
        message: message.to_owned(),
        ..Finding::default()
    }
}

#[test]
fn moved_lines_and_renumbered_values_change_no_identity() {
    for (before, after) in [
        ("sizeof(%105::Any)::Any", "sizeof(%99::Any)::Any"),
        ("(%104::Int64 + %142::Any)::Any", "(%1::Int64 + %2::Any)::Any"),
        ("Allocation of Vector{Any} in .\\boot.jl:649", "Allocation of Vector{Any} in .\\boot.jl:651"),
        ("in src/a.c:12:5: unused", "in src/a.c:120:17: unused"),
        ("see line 12, column 4", "see  line 9,\n column 31"),
        ("var\"#28#29\"{Bool}", "var\"#31#32\"{Bool}"),
        ("at 0xdeadbeef", "at 0x1"),
        ("InferenceTimingNode: 0.000004/1.055385 on ROOT", "InferenceTimingNode: 0.000003/0.998123 on ROOT"),
    ] {
        assert_eq!(steady(before), steady(after));
    }
    for (one, other) in [
        ("Memory{UInt8}", "Memory{UInt16}"),
        ("f(::Val{1})", "f(::Val{2})"),
        ("a[1:3]", "a[2:3]"),
        ("::3", "::4"),
        ("0 passed, 1 failed", "0 passed, 2 failed"),
        ("Julia 1.12", "Julia 1.13"),
    ] {
        assert_ne!(steady(one), steady(other));
    }
}

#[test]
fn the_same_file_is_known_below_any_folder() {
    for path in
        [".\\strings\\io.jl", "strings/io.jl", "C:\\julia\\base\\strings\\io.jl", "/usr/share/strings/io.jl"]
    {
        assert_eq!(tail(path), "strings/io.jl");
    }
    assert_eq!(tail("./boot.jl"), "boot.jl");
    assert_eq!(tail(""), "");
    assert_eq!(tail("<local-source>"), "<local-source>");
}

#[test]
fn equal_findings_are_told_apart_by_their_number() {
    let one = finding("r", "boot.jl", 649, "Allocation in boot.jl:649");
    let three = vec![one.clone(); 3];
    let two = vec![finding("r", "boot.jl", 650, "Allocation in boot.jl:650"); 2];
    let changes = between("t", &three, &two);
    assert_eq!((changes.same.len(), changes.new.len(), changes.fixed.len()), (2, 0, 1));
}

#[test]
fn only_whole_reports_of_one_tool_are_compared() {
    let report = |tool: &str, status| Record {
        tool: tool.to_owned(),
        status,
        findings: Some(Vec::new()),
        ..Record::default()
    };
    let jet = report("jet", Status::Complete);
    assert!(compare(&jet, &jet).unwrap().cautions.is_empty());
    let newer = Record { tool_version: Some("2".to_owned()), ..jet.clone() };
    assert_eq!(
        compare(&jet, &newer).unwrap().cautions,
        ["another version of the tool: not recorded before, 2 after"]
    );
    assert!(compare(&jet, &report("aqua", Status::Complete)).is_err());
    assert_eq!(compare(&jet, &report("jet", Status::Timeout)).unwrap_err(), "the later report is timeout");
    assert!(compare(&Record { findings: None, ..jet.clone() }, &jet).is_err());
}

#[test]
fn groups_go_by_rule_then_file_with_most_first() {
    let list = [
        finding("b", "z.jl", 9, ""),
        finding("a", "", 0, ""),
        finding("b", "y.jl", 5, ""),
        finding("b", "z.jl", 3, ""),
    ];
    let groups = groups(&list);
    assert_eq!(groups.iter().map(|one| (&*one.rule, one.count)).collect::<Vec<_>>(), [("b", 3), ("a", 1)]);
    assert_eq!(groups[0].files[0].findings, [3, 0]);
    assert_eq!(groups[0].files[1].file.as_deref(), Some("y.jl"));
    assert_eq!(groups[1].files[0].file, None);
}

fn some_finding() -> impl Strategy<Value = Finding> {
    let message = prop_oneof![
        "[a-c%#:. 0-9é]{0,12}",
        (0_u32..50, 0_u32..9).prop_map(|(line, value)| format!("dispatch of %{value} in src/a.jl:{line}")),
    ];
    ("[ab]", prop_oneof![Just(String::new()), "[ab/.\\\\:]{0,8}"], 0_u64..40, message)
        .prop_map(|(rule, file, line, message)| finding(&rule, &file, line, &message))
}

proptest! {
    #[test]
    fn every_finding_is_accounted_for_once(
        before in prop::collection::vec(some_finding(), 0..20),
        after in prop::collection::vec(some_finding(), 0..20),
    ) {
        let changes = between("t", &before, &after);
        let mut old: Vec<usize> = changes.same.iter().map(|pair| pair.0).chain(changes.fixed.clone()).collect();
        let mut new: Vec<usize> = changes.same.iter().map(|pair| pair.1).chain(changes.new.clone()).collect();
        old.sort_unstable();
        new.sort_unstable();
        prop_assert_eq!(old, (0..before.len()).collect::<Vec<_>>());
        prop_assert_eq!(new, (0..after.len()).collect::<Vec<_>>());
        let back = between("t", &after, &before);
        prop_assert_eq!(back.new, changes.fixed);
        prop_assert_eq!(back.fixed, changes.new);
    }

    #[test]
    fn a_report_is_the_same_as_itself_with_all_lines_moved(
        list in prop::collection::vec(some_finding(), 0..20), shift in 0_u64..1000,
    ) {
        let moved: Vec<Finding> = list
            .iter()
            .map(|one| Finding { line: one.line.map(|line| line + shift), ..one.clone() })
            .collect();
        let changes = between("t", &list, &moved);
        prop_assert_eq!(changes.same, (0..list.len()).map(|at| (at, at)).collect::<Vec<_>>());
        prop_assert!(changes.new.is_empty() && changes.fixed.is_empty());
    }

    #[test]
    fn the_order_of_a_report_changes_no_count(
        before in prop::collection::vec(some_finding(), 0..12),
        after in prop::collection::vec(some_finding(), 0..12).prop_shuffle(),
    ) {
        let changes = between("t", &before, &after);
        let turned: Vec<Finding> = after.iter().rev().cloned().collect();
        let other = between("t", &before, &turned);
        prop_assert_eq!(changes.same.len(), other.same.len());
        prop_assert_eq!(changes.fixed.len(), other.fixed.len());
    }

    #[test]
    fn a_steady_message_stays_as_it_is(message in "\\PC{0,40}|[a-z%#:. 0-9x]{0,40}") {
        let once = steady(&message);
        prop_assert_eq!(steady(&once), once.clone());
        prop_assert!(once.len() <= message.len());
    }

    #[test]
    fn identities_are_all_different(list in prop::collection::vec(some_finding(), 0..20)) {
        let mut all = identities("t", &list);
        all.sort();
        all.dedup();
        prop_assert_eq!(all.len(), list.len());
    }

    #[test]
    fn groups_hold_every_finding_once(list in prop::collection::vec(some_finding(), 0..20)) {
        let mut places: Vec<usize> = groups(&list)
            .iter()
            .flat_map(|rule| rule.files.iter().flat_map(|file| file.findings.clone()))
            .collect();
        places.sort_unstable();
        prop_assert_eq!(places, (0..list.len()).collect::<Vec<_>>());
    }
}
