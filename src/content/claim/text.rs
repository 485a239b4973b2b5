//! Reads the number, unit and precision out of the words of a claim.

use super::decimal::{Decimal, MOST_DIGITS};
use super::unit::Unit;

/// How the evidence has to stand to the stated number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// The evidence rounds to the number at its shown precision.
    Rounds,
    /// The evidence is within one unit of the last shown place.
    About,
    /// The evidence is larger.
    Over,
    /// The evidence is smaller.
    Under,
    /// The evidence is no smaller.
    AtLeast,
    /// The evidence is no larger.
    AtMost,
}

/// One number with the unit that follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quantity {
    /// The number; its exponent is the last shown place.
    pub(super) number: Decimal,
    /// The unit; none when the text gives none, which means the evidence's own.
    pub(super) unit: Option<Unit>,
}

/// What a text states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stated {
    /// One number.
    Value(Relation, Quantity),
    /// Everything from the first to the second, both included.
    Range(Quantity, Quantity),
}

#[derive(Debug)]
enum Token {
    Number(Quantity),
    Word(String),
    Sign(char),
}

/// Reads `text`. `own_unit` is the unit of the evidence, which is always understood.
///
/// # Errors
/// Why the text states nothing that can be checked.
pub(super) fn read(text: &str, own_unit: &str) -> Result<Stated, String> {
    let tokens = tokens(text, own_unit)?;
    let places: Vec<usize> = (0..tokens.len()).filter(|&i| matches!(tokens[i], Token::Number(_))).collect();
    let quantity = |place: usize| match &tokens[place] {
        Token::Number(quantity) => quantity.clone(),
        // `places` holds the positions of numbers only.
        _ => Quantity { number: Decimal::new(0, 0), unit: None },
    };
    match places[..] {
        [] => Err("the text has no number".to_owned()),
        [only] => Ok(Stated::Value(relation(&tokens[..only]), quantity(only))),
        [first, second] if connects(&tokens[..first], &tokens[first + 1..second]) => {
            let (mut low, high) = (quantity(first), quantity(second));
            if low.unit.is_none() {
                low.unit.clone_from(&high.unit);
            }
            Ok(Stated::Range(low, high))
        }
        _ => Err("the text has more than one number and is not a range".to_owned()),
    }
}

/// Whether what stands between two numbers makes them a range.
fn connects(before: &[Token], between: &[Token]) -> bool {
    match between {
        [Token::Sign('–' | '—' | '-' | '\u{2212}' | '…')] => true,
        [Token::Word(word)] if word == "to" => true,
        [Token::Word(word)] if word == "and" => {
            matches!(before.last(), Some(Token::Word(word)) if word == "between")
        }
        _ => false,
    }
}

/// What the words directly before the number say about it.
fn relation(before: &[Token]) -> Relation {
    let word = |back: usize| match before.len().checked_sub(back).and_then(|at| before.get(at)) {
        Some(Token::Word(word)) => word.as_str(),
        Some(Token::Sign(sign)) => match sign {
            '~' | '≈' => "about",
            '>' => "over",
            '<' => "under",
            '≥' => "at-least",
            '≤' => "at-most",
            _ => "",
        },
        _ => "",
    };
    match (word(3), word(2), word(1)) {
        ("no" | "not", "more" | "greater", "than")
        | (_, "at", "most")
        | (_, "up", "to")
        | (_, _, "at-most") => Relation::AtMost,
        ("no" | "not", "less" | "fewer", "than") | (_, "at", "least") | (_, _, "at-least") => {
            Relation::AtLeast
        }
        (_, "more" | "greater" | "larger" | "longer" | "slower" | "higher", "than")
        | (_, _, "over" | "above" | "exceeds" | "exceeding") => Relation::Over,
        (_, "less" | "fewer" | "smaller" | "shorter" | "faster" | "lower", "than")
        | (_, _, "under" | "below") => Relation::Under,
        (_, _, "about" | "roughly" | "around" | "approximately" | "circa" | "ca") => Relation::About,
        _ => Relation::Rounds,
    }
}

/// Blank characters that may group digits or stand between number and unit.
fn is_space(symbol: char) -> bool {
    symbol.is_whitespace() || symbol == '\u{2060}'
}

fn tokens(text: &str, own_unit: &str) -> Result<Vec<Token>, String> {
    let symbols: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < symbols.len() {
        let symbol = symbols[at];
        let digit_next = symbols.get(at + 1).is_some_and(char::is_ascii_digit);
        let after_value = at > 0 && (symbols[at - 1].is_alphanumeric() || "%×)".contains(symbols[at - 1]));
        if symbol.is_ascii_digit() || (symbol == '.' && digit_next && !after_value) {
            at = number(&symbols, at, false, own_unit, &mut tokens)?;
        } else if "-\u{2212}+".contains(symbol)
            && !after_value
            && (digit_next
                || (symbols.get(at + 1) == Some(&'.')
                    && symbols.get(at + 2).is_some_and(char::is_ascii_digit)))
        {
            at = number(&symbols, at + 1, symbol != '+', own_unit, &mut tokens)?;
        } else if symbol.is_alphabetic() {
            let end = run(&symbols, at, |symbol| symbol.is_alphanumeric() || symbol == '_');
            tokens.push(Token::Word(symbols[at..end].iter().collect::<String>().to_lowercase()));
            at = end;
        } else {
            if !is_space(symbol) && symbol != '.' {
                tokens.push(Token::Sign(symbol));
            }
            at += 1;
        }
    }
    Ok(tokens)
}

/// The end of the run of symbols that fit, from `at` on.
fn run(symbols: &[char], at: usize, fits: impl Fn(char) -> bool) -> usize {
    at + symbols[at..].iter().take_while(|&&symbol| fits(symbol)).count()
}

/// Reads a number with its unit from `start` on (behind its sign) and returns where it ends.
fn number(
    symbols: &[char],
    start: usize,
    negative: bool,
    own_unit: &str,
    tokens: &mut Vec<Token>,
) -> Result<usize, String> {
    let (mut digits, mut at) = whole(symbols, start)?;
    let mut exponent = 0_i32;
    if symbols.get(at) == Some(&'.') && symbols.get(at + 1).is_some_and(char::is_ascii_digit) {
        let end = run(symbols, at + 1, |symbol| symbol.is_ascii_digit());
        if symbols.get(end) == Some(&'.') && symbols.get(end + 1).is_some_and(char::is_ascii_digit) {
            // Three numbers with dots are a version, not a number.
            let end = run(symbols, start, |symbol| symbol.is_alphanumeric() || ".-+".contains(symbol));
            tokens.push(Token::Word("version".to_owned()));
            return Ok(end);
        }
        digits.extend(&symbols[at + 1..end]);
        exponent = -i32::try_from(end - at - 1).unwrap_or(i32::MAX);
        at = end;
    }
    if let Some((power, end)) = power(symbols, at) {
        exponent = exponent.saturating_add(power);
        at = end;
    }
    let shown: String = digits.iter().collect();
    let shown = shown.trim_start_matches('0');
    if shown.len() > MOST_DIGITS {
        return Err(format!("a number has more than {MOST_DIGITS} digits"));
    }
    // At most twenty ASCII digits always fit; none left means zero.
    let mantissa = shown.parse::<i128>().unwrap_or(0);
    let mut number = Decimal::new(if negative { -mantissa } else { mantissa }, exponent);

    let attached = unit_run(symbols, at, own_unit);
    let word: String = symbols[at..attached].iter().collect();
    let (unit, end) = if word.is_empty() {
        spaced_unit(symbols, at, own_unit)?
    } else if let Some(found) = unit_of(&word, own_unit) {
        (Some(found), attached)
    } else if let Some(power) = multiplier(&word) {
        number.exponent = number.exponent.saturating_add(power);
        spaced_unit(symbols, attached, own_unit)?
    } else {
        return Err(format!("`{word}` is not a unit that perfolio knows"));
    };
    tokens.push(Token::Number(Quantity { number, unit }));
    Ok(end)
}

/// Reads whole digits with groups of three, parted by one kind of mark.
fn whole(symbols: &[char], start: usize) -> Result<(Vec<char>, usize), String> {
    let mut at = run(symbols, start, |symbol| symbol.is_ascii_digit());
    let mut digits = symbols[start..at].to_vec();
    let mut mark = None;
    // A number may only be grouped when its first group has at most three digits.
    let groupable = digits.len() <= 3;
    while let Some(&next) = symbols.get(at).filter(|_| groupable) {
        let groups = ",'’_".contains(next) || is_space(next);
        let end = run(symbols, at + 1, |symbol| symbol.is_ascii_digit());
        if !groups || mark.is_some_and(|mark| mark != next) || end == at + 1 {
            break;
        }
        if end - at - 1 != 3 {
            if next == ',' {
                return Err("a comma groups digits by three; write decimals with a point".to_owned());
            }
            break;
        }
        mark = Some(next);
        digits.extend(&symbols[at + 1..end]);
        at = end;
    }
    Ok((digits, at))
}

/// Reads `e3`, `E-9` or, as perfolio itself prints, `× 10⁻⁵`.
fn power(symbols: &[char], at: usize) -> Option<(i32, usize)> {
    raised(symbols, at).or_else(|| letter_power(symbols, at))
}

/// Raised digits, by value.
const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";

fn raised(symbols: &[char], at: usize) -> Option<(i32, usize)> {
    let cross = run(symbols, at, is_space);
    (symbols.get(cross) == Some(&'×')).then_some(())?;
    let ten = run(symbols, cross + 1, is_space);
    symbols[ten..].starts_with(&['1', '0']).then_some(())?;
    let sign = ten + 2;
    let digits = sign + usize::from(symbols.get(sign) == Some(&'⁻'));
    let end = run(symbols, digits, |symbol| RAISED.contains(symbol));
    let size = symbols[digits..end].iter().take(6).try_fold(0_i32, |sum, symbol| {
        let digit = RAISED.chars().position(|raised| raised == *symbol)?;
        Some(sum * 10 + i32::try_from(digit).ok()?)
    })?;
    (end > digits).then_some((if digits > sign { -size } else { size }, end))
}

fn letter_power(symbols: &[char], at: usize) -> Option<(i32, usize)> {
    matches!(symbols.get(at), Some('e' | 'E')).then_some(())?;
    let signed = usize::from(matches!(symbols.get(at + 1), Some('+' | '-' | '\u{2212}')));
    let digits = at + 1 + signed;
    let end = run(symbols, digits, |symbol| symbol.is_ascii_digit());
    let size: i32 = symbols[digits..end].iter().take(6).collect::<String>().parse().ok()?;
    let negative = signed == 1 && symbols[at + 1] != '+';
    Some((if negative { -size } else { size }, end))
}

/// The power of ten that a letter right behind a number stands for.
fn multiplier(word: &str) -> Option<i32> {
    match word {
        "k" | "K" => Some(3),
        "M" => Some(6),
        "G" => Some(9),
        "T" => Some(12),
        _ => None,
    }
}

/// The end of the symbols at `at` that could be a unit.
fn unit_run(symbols: &[char], at: usize, own_unit: &str) -> usize {
    let own: Vec<char> = own_unit.chars().collect();
    if !own.is_empty() && symbols[at..].starts_with(&own) {
        let end = at + own.len();
        if !symbols.get(end).is_some_and(|next| next.is_alphanumeric()) {
            return end;
        }
    }
    if let Some('%' | '×') = symbols.get(at) {
        return at + 1;
    }
    let end = run(symbols, at, char::is_alphabetic);
    let rate: String = symbols[at..].iter().take(end - at + 2).collect();
    let goes_on = symbols.get(end + 2).is_some_and(|next| next.is_alphanumeric());
    if rate.ends_with("/s") && !goes_on && Unit::of_prose(&rate).is_some() { end + 2 } else { end }
}

fn unit_of(word: &str, own_unit: &str) -> Option<Unit> {
    if !own_unit.is_empty() && word == own_unit {
        return Some(Unit::of_evidence(own_unit));
    }
    Unit::of_prose(word)
}

/// Reads a unit that stands behind blanks. Ordinary words (three or more lower-case letters, or words of
/// prose such as `to`) are no unit; anything else that looks like one but is not known is refused.
fn spaced_unit(symbols: &[char], at: usize, own_unit: &str) -> Result<(Option<Unit>, usize), String> {
    const PROSE: &[&str] =
        &["to", "and", "in", "at", "of", "on", "by", "or", "as", "is", "a", "an", "per", "for"];
    let start = run(symbols, at, is_space);
    let end = unit_run(symbols, start, own_unit);
    let word: String = symbols[start..end].iter().collect();
    if let Some(unit) = unit_of(&word, own_unit) {
        return Ok((Some(unit), end));
    }
    let ordinary = word.chars().count() >= 3 && word.chars().all(char::is_lowercase);
    let at_letter = symbols.get(end).is_some_and(|next| next.is_alphanumeric());
    if word.is_empty() || ordinary || at_letter || PROSE.contains(&word.as_str()) {
        return Ok((None, at));
    }
    Err(format!("`{word}` is not a unit that perfolio knows"))
}
