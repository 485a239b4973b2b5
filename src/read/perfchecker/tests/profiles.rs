//! Rows that name a stack or a source line.

use proptest::prelude::*;

use super::*;
use crate::evidence::profile::{CallTree, Partial, Profile, note};

fn row(index: u64, value: &Value, stack: &[&str], more: &Value) -> String {
    let mut row = observation("t.cpu.samples", index, value);
    row["unit"] = "1".into();
    row["attributes"]["stack"] = json!(stack);
    row["attributes"]["source_file"] = "/home/x/packages/W/AbCdE/src/w.jl".into();
    row["attributes"]["source_line"] = index.into();
    for (key, value) in more.as_object().unwrap() {
        row["attributes"][key] = value.clone();
    }
    row.to_string()
}

fn part(lines: Vec<String>) -> Part {
    let mut maker = Maker::new();
    maker.definitions = json!([{"id": "t.cpu.samples/tool-v1", "metric": "t.cpu.samples", "unit": "1"}]);
    maker.lines = lines;
    maker.read()
}

fn paths(profile: &Profile) -> Vec<(String, String)> {
    let path = |leaf| profile.tree.path(leaf).iter().map(|frame| &*frame.label).collect::<Vec<_>>().join(";");
    profile.stacks.iter().map(|stack| (path(stack.leaf), stack.weight.to_string())).collect()
}

#[test]
fn stacks_become_a_profile_and_their_weights_no_samples() {
    let beside = json!({"runtime_dispatch": [false, true], "gc_event": [false, false],
        "inference_status": ["concrete", "any"], "inferred_return_type": ["T", ""]});
    let other = json!({"source_file": "[other]", "source_line": 0});
    let part = part(vec![
        row(1, &json!(3), &["a (w.jl:1)", "b (w.jl:2)"], &beside),
        row(2, &json!(4), &["a (w.jl:1)"], &json!({})),
        row(3, &json!(2), &["[other]"], &other),
    ]);
    assert_eq!(told(&part), []);
    assert!(part.runs[0].groups[0].parts);
    let [profile] = &part.profiles[..] else { panic!("one profile") };
    let expected = [("[other]", "2"), ("a (w.jl:1)", "4"), ("a (w.jl:1);b (w.jl:2)", "3")];
    assert_eq!(paths(profile), expected.map(|(path, weight)| (path.to_owned(), weight.to_owned())));
    assert_eq!((profile.total.to_string(), profile.samples, profile.rows), ("9".to_owned(), Some(9), 3));
    assert_eq!(profile.partial, [Partial::Other(crate::evidence::Number::Unsigned(2))]);
    let leaf = profile.stacks[2].leaf;
    assert_eq!((profile.marks.len(), profile.marks[0].node), (1, leaf));
    assert_eq!(profile.marks[0].dispatch.to_string(), "3");
    assert_eq!(profile.tree.notes(leaf), note::ANY);
    let types: Vec<_> = profile.tree.types(profile.tree.nodes[leaf as usize].parent).collect();
    assert_eq!(types, [&crate::evidence::Name::from("T")]);
    assert_eq!(&*profile.tree.frame(leaf).unwrap().file.clone().unwrap(), "w.jl");
}

#[test]
fn arrays_beside_a_stack_are_ignored_when_their_length_or_type_is_wrong() {
    let wrong = json!({"runtime_dispatch": [true], "gc_event": [false, true, true], "inference_status": "any",
        "inferred_return_type": ["T", 7]});
    let part = part(vec![row(1, &json!(3), &["a", "b"], &wrong)]);
    let fields = ["runtime_dispatch", "gc_event", "inference_status", "inferred_return_type"];
    assert_eq!(told(&part).len(), fields.len());
    for field in fields {
        let about = |(severity, text): &(Severity, String)| {
            *severity == Severity::Note && text.contains(&format!("attributes.{field}"))
        };
        assert!(told(&part).iter().any(about), "{field}: {:?}", told(&part));
    }
    let profile = &part.profiles[0];
    assert!(profile.marks.is_empty() && profile.tree.types.is_empty());
    assert_eq!(profile.tree.notes(profile.stacks[0].leaf), note::UNKNOWN);
}

#[test]
fn a_stack_of_the_wrong_type_costs_the_stack_and_not_the_value() {
    let part = part(vec![row(1, &json!(3), &[], &json!({"stack": ["a", 1], "source_line": -1}))]);
    assert_eq!(told(&part).len(), 2);
    assert_eq!(part.runs[0].groups[0].samples.len(), 1);
    assert_eq!((part.profiles[0].stacks[0].leaf, part.profiles[0].stacks[0].site), (CallTree::ROOT, Some(0)));
}

#[test]
fn one_index_at_two_places_is_doubtful_and_a_repeated_row_counts_once() {
    let part = part(vec![
        row(1, &json!(3), &["a"], &json!({})),
        row(1, &json!(3), &["b"], &json!({})),
        row(2, &json!(5), &["c"], &json!({})),
        row(2, &json!(5), &["c"], &json!({})),
    ]);
    let messages: Vec<&str> = part.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(messages.len(), 2);
    assert!(
        messages.iter().any(|message| message.contains("recorded at two places, on line 1 and on line 2"))
    );
    assert!(messages.iter().any(|message| message.contains("recorded twice; it counts once")));
    assert_eq!(part.profiles[0].total.to_string(), "11");
}

proptest! {
    #[test]
    fn neither_the_order_of_lines_nor_the_number_of_threads_changes_a_profile(
        rows in proptest::collection::vec((0_u8..4, 0_u8..4, 1_u32..9), 1..40),
        seed in any::<u64>(),
    ) {
        let lines: Vec<String> = (1..)
            .zip(&rows)
            .map(|(index, (a, b, weight))| {
                let stack = [format!("a{a}"), format!("b{b}"), format!("a{a}")];
                let stack: Vec<&str> = stack.iter().map(String::as_str).collect();
                let beside = json!({"gc_event": [*a == 0, false, *b == 0], "runtime_dispatch": [false, *a == 1, true]});
                row(index, &json!(f64::from(*weight) / 8.0), &stack, &beside)
            })
            .collect();
        let mut shuffled = lines.clone();
        shuffled.sort_by_key(|line| crate::text::slug::digest(format!("{seed}{line}").as_bytes()));
        let print = |part: &Part| format!("{:?}", part.profiles);
        prop_assert_eq!(print(&part(lines)), print(&part(shuffled)));
    }
}
