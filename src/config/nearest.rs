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
