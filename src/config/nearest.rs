//! Finds the known key that a mistyped one most likely means.

/// Reads the names out of a message such as "unknown field `a`, expected one of `b`, `c`" and says which
/// of the expected names is nearest.
pub fn hint(message: &str) -> Option<String> {
    let mut names = message.split('`').skip(1).step_by(2);
    let unknown = names.next()?;
    message.starts_with("unknown field").then_some(())?;
    nearest(unknown, names).map(|nearest| format!("did you mean `{nearest}`?"))
}

/// The known name that `unknown` most likely means: one with a typing mistake, else one of which it is a part (the
/// shortest), else the nearest; none when all are far from it.
pub fn nearest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Shorter texts are part of too many names.
    const PART: usize = 4;
    let length = unknown.chars().count();
    let known: Vec<(usize, &str)> =
        known.into_iter().map(|known| (distance(unknown, known), known)).collect();
    let near = |(distance, known): &(usize, &str)| *distance <= 1 + length.min(known.chars().count()) / 2;
    let nearest = known.iter().filter(|one| near(one)).min_by_key(|(distance, _)| *distance);
    let mistyped = nearest.filter(|(distance, _)| *distance <= 2);
    let has_part = |known: &str| {
        let start: String = known.chars().take(length).collect();
        known.contains(unknown) || distance(unknown, &start) <= 1
    };
    let part = || {
        let whole = known.iter().filter(|(_, known)| length >= PART && has_part(known));
        whole.min_by_key(|(_, known)| known.len())
    };
    mistyped.or_else(part).or(nearest).map(|(_, known)| *known)
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
    fn the_nearest_name_is_one_that_people_mean() {
        for (unknown, known, meant) in [
            ("titel", vec!["title", "to"], Some("title")),
            ("athor", vec!["title", "to", "date"], None),
            (
                "wall.time",
                vec!["julia.gc.time", "julia.wall.time", "julia.wall.time.sum"],
                Some("julia.wall.time"),
            ),
            ("normalised", vec!["version_series", "normalized_metrics"], Some("normalized_metrics")),
            ("plain", vec!["path_http", "plain_http"], Some("plain_http")),
            ("plane", vec!["plain_http", "place"], Some("place")),
            ("zz", vec!["a", "bbzzbb"], None),
        ] {
            assert_eq!(nearest(unknown, known), meant, "{unknown}");
        }
    }

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
