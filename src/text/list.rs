//! Enumerations and counts in sentences.

use super::number;

/// Joins with commas and "and": `a`, `a and b`, `a, b and c`.
pub fn and<T: AsRef<str>>(items: &[T]) -> String {
    joined(items, "and")
}

/// Joins with commas and "or": `a`, `a or b`, `a, b or c`.
pub fn or<T: AsRef<str>>(items: &[T]) -> String {
    joined(items, "or")
}

fn joined<T: AsRef<str>>(items: &[T], word: &str) -> String {
    let Some((last, rest)) = items.split_last() else { return String::new() };
    let Some((first, middle)) = rest.split_first() else { return last.as_ref().to_owned() };
    let mut text = first.as_ref().to_owned();
    for item in middle {
        text.push_str(", ");
        text.push_str(item.as_ref());
    }
    format!("{text} {word} {}", last.as_ref())
}

/// A count in words from one to twelve, in digits otherwise.
pub fn words(count: usize) -> String {
    const WORDS: [&str; 12] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    count
        .checked_sub(1)
        .and_then(|at| WORDS.get(at))
        .map_or_else(|| number::whole(count as i128), |&word| word.to_owned())
}

/// A count in digits with its noun: `1 sample`, `30 samples`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", number::whole(count as i128), if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_counts() {
        assert_eq!(and::<&str>(&[]), "");
        assert_eq!(and(&["a"]), "a");
        assert_eq!(and(&["a", "b"]), "a and b");
        assert_eq!(and(&["a", "b", "c"]), "a, b and c");
        assert_eq!(or(&["a", "b", "c"]), "a, b or c");
        assert_eq!([words(0), words(1), words(12), words(13)], ["0", "one", "twelve", "13"]);
        assert_eq!(counted(1, "sample", "samples"), "1 sample");
        assert_eq!(counted(0, "sample", "samples"), "0 samples");
    }
}
