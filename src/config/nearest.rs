//! Finds the known key that a mistyped one most likely means.

/// Reads the names out of a message such as "unknown field `a`, expected one of `b`, `c`" and says which
/// of the expected names is nearest.
pub(super) fn hint(message: &str) -> Option<String> {
    let mut names = message.split('`').skip(1).step_by(2);
    let unknown = names.next()?;
    message.starts_with("unknown field").then_some(())?;
    let nearest = names.min_by_key(|known| distance(unknown, known))?;
    (distance(unknown, nearest) <= 1 + unknown.chars().count() / 2)
        .then(|| format!("did you mean `{nearest}`?"))
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
