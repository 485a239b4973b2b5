//! Finds the known key that a mistyped one most likely means.

/// Reads the names out of a message such as "unknown field `a`, expected one of `b`, `c`" and says which
/// of the expected names is nearest.
pub fn hint(message: &str) -> Option<String> {
    let mut names = message.split('`').skip(1).step_by(2);
    let unknown = names.next()?;
    message.starts_with("unknown field").then_some(())?;
    nearest(unknown, names).map(|nearest| format!("did you mean `{nearest}`?"))
}

/// The known name that `unknown` most likely means; none when all are far from it.
pub fn nearest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|known| (distance(unknown, known), known))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= 1 + unknown.chars().count() / 2)
        .map(|(_, known)| known)
}

/// Says that no `one` is called `name`, which of the `known` ones is nearest, and which there are.
pub fn unknown<'a>(
    (one, many): (&str, &str),
    name: &str,
    known: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
) -> String {
    const LISTED: usize = 40;
    let known = known.into_iter();
    let Some(near) = known.clone().next().map(|_| nearest(name, known.clone())) else {
        return format!("there is no {one} `{name}`, and no other {one} either");
    };
    let mut listed: Vec<&str> = known.clone().take(LISTED).collect();
    if known.count() > LISTED {
        listed.push("…");
    }
    let listed = listed.join(", ");
    match near {
        Some(near) => format!("there is no {one} `{name}`; did you mean `{near}`? The {many} are {listed}"),
        None => format!("there is no {one} `{name}`; the {many} are {listed}"),
    }
}

/// The number of single-character edits between two names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let edited = before + usize::from(from != *to);
            before = row[j + 1];
            row[j + 1] = edited.min(row[j] + 1).min(before + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_brings_the_nearest_and_all_others() {
        let said = |name: &str, known: &[&str]| unknown(("metric", "metrics"), name, known.iter().copied());
        assert_eq!(
            said("wall.tme", &["wall.time", "bytes"]),
            "there is no metric `wall.tme`; did you mean `wall.time`? The metrics are wall.time, bytes"
        );
        assert_eq!(said("zzzzzz", &["a.b"]), "there is no metric `zzzzzz`; the metrics are a.b");
        assert_eq!(said("a", &[]), "there is no metric `a`, and no other metric either");
        let many: Vec<String> = (0..50).map(|at| format!("metric-{at}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(said("metric-4x", &many).ends_with("metric-39, …"));
    }
}
