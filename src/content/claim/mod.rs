//! Claims: numbers in prose that name their evidence and are checked at build time.
//!
//! Comes in: the words of a link, its `value:` address, and the evidence that the address names. Goes out: a
//! [`Claim`] with a verdict. Numbers are compared exactly, as decimals, never as text and never as floats.

pub mod address;
mod decimal;
mod text;
mod unit;

pub use address::{Address, As};
use decimal::Decimal;
use text::{Quantity, Relation, Stated};
use unit::Unit;

use crate::evidence::Number;
use crate::text as print;

/// The number that an address names.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimEvidence {
    /// The number.
    pub value: Number,
    /// Its recorded unit; `×` for a ratio.
    pub unit: String,
    /// Address of the point in its figure, relative to the page.
    pub href: String,
    /// What the number is, for people: `minimum of 30 samples, 1.10.2`.
    pub description: String,
}

impl ClaimEvidence {
    /// The number with its unit, as pages print it.
    pub fn shown(&self) -> String {
        match self.unit.as_str() {
            "×" | "ratio" => format!("{}×", print::number::short(self.value.as_f64())),
            unit => print::unit::Unit::parse(unit).show(self.value.as_f64()),
        }
    }
}

/// Why an address leads to no number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClaimFailure {
    /// The reason, in words.
    pub reason: String,
    /// Addresses or options that would name exactly one number; several when the address is ambiguous.
    pub candidates: Vec<String>,
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The text agrees with the evidence.
    Agrees,
    /// The text says something else than the evidence; the reason in words.
    Contradicted(String),
    /// It cannot be checked; the reason in words.
    Unresolved(String),
}

impl Verdict {
    /// The word used on pages.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Contradicted(_) => "contradicted",
            Self::Unresolved(_) => "unresolved",
        }
    }

    /// Why it does not agree.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Agrees => None,
            Self::Contradicted(reason) | Self::Unresolved(reason) => Some(reason),
        }
    }
}

/// One claim of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The words of the link; filled in from the evidence when the author left them empty.
    pub text: String,
    /// The target as the author wrote it.
    pub address: String,
    /// Line in the page's file, from 1.
    pub line: u64,
    /// What became of it.
    pub verdict: Verdict,
    /// The evidence, when the address leads to it.
    pub evidence: Option<ClaimEvidence>,
}

/// Holds the words of a claim against the number.
///
/// * A plain number holds when the evidence rounds to it at the number's last shown place. Where the evidence
///   lies exactly half-way, both neighbours hold, because tools differ in how they round.
/// * After `~`, `≈`, about, roughly: when they are no further apart than one unit of the last shown place.
/// * `over`, `under`, `at least`, `at most` and their signs: the plain inequality, without rounding.
/// * `a to b`: when the evidence lies between, both ends included.
pub fn check(words: &str, evidence: &ClaimEvidence) -> Verdict {
    let stated = match text::read(words, &evidence.unit) {
        Ok(stated) => stated,
        Err(reason) => return Verdict::Unresolved(reason),
    };
    let own = Unit::of_evidence(&evidence.unit);
    let known = Decimal::of(evidence.value).times(own.factor);
    // The stated numbers in base units, or none when they measure something else.
    let factor = |quantity: &Quantity| match &quantity.unit {
        None => Some(own.factor),
        Some(unit) => (unit.dimension == own.dimension).then_some(unit.factor),
    };
    let mismatch =
        || Verdict::Contradicted(format!("the unit does not fit: the evidence is {}", evidence.shown()));
    let holds = match &stated {
        Stated::Value(relation, quantity) => {
            let Some(factor) = factor(quantity) else { return mismatch() };
            let edge = |tenths| quantity.number.nudge(tenths).times(factor);
            match relation {
                Relation::Rounds => edge(-5) <= known && known <= edge(5),
                Relation::About => edge(-10) <= known && known <= edge(10),
                Relation::Over => known > edge(0),
                Relation::Under => known < edge(0),
                Relation::AtLeast => known >= edge(0),
                Relation::AtMost => known <= edge(0),
            }
        }
        Stated::Range(low, high) => {
            let (Some(low_factor), Some(high_factor)) = (factor(low), factor(high)) else {
                return mismatch();
            };
            let (low, high) = (low.number.times(low_factor), high.number.times(high_factor));
            if low > high {
                return Verdict::Unresolved("the range runs backwards".to_owned());
            }
            low <= known && known <= high
        }
    };
    if holds {
        Verdict::Agrees
    } else {
        Verdict::Contradicted(format!("the evidence is {}", evidence.shown()))
    }
}

#[cfg(test)]
mod tests;
