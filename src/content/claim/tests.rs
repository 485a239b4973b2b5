//! Claims against evidence, one row each.

use proptest::prelude::*;

use super::*;

fn evidence(value: f64, unit: &str) -> ClaimEvidence {
    ClaimEvidence {
        value: Number::finite(value).unwrap(),
        unit: unit.to_owned(),
        href: String::new(),
        description: String::new(),
    }
}

#[test]
fn words_against_evidence() {
    for (words, value, unit, verdict) in [
        // Precision and rounding.
        ("7.2 µs", 7200.0, "ns", "agrees"),
        ("7.2 μs", 7200.0, "ns", "agrees"),
        ("7.2us", 7249.0, "ns", "agrees"),
        ("7.2 µs", 7251.0, "ns", "contradicted"),
        ("7.2 µs", 7250.0, "ns", "agrees"),
        ("7.3 µs", 7250.0, "ns", "agrees"),
        ("7.20 µs", 7206.0, "ns", "contradicted"),
        ("0.1", 0.15, "1", "agrees"),
        ("0.2", 0.15, "1", "agrees"),
        ("0.15", 0.15, "1", "agrees"),
        ("0.3", 0.1 + 0.2, "1", "agrees"),
        ("1.005", 1.005, "1", "agrees"),
        (".5", 0.5, "1", "agrees"),
        ("7200 nanoseconds", 7200.0, "ns", "agrees"),
        ("7200", 7200.0, "ns", "agrees"),
        ("7.2", 7200.0, "ns", "contradicted"),
        ("1.5 min", 90.0, "s", "agrees"),
        ("0.025 h", 90.0, "s", "agrees"),
        ("1.46 ms", 0.001_456, "s", "agrees"),
        // Groups, signs, powers, suffixes.
        ("4,352", 4352.0, "By", "agrees"),
        ("4,352 bytes", 4352.0, "By", "agrees"),
        ("4\u{202f}352\u{a0}B", 4352.0, "By", "agrees"),
        ("4\u{2009}352", 4352.0, "By", "agrees"),
        ("4 352 bytes", 4352.0, "By", "agrees"),
        ("4,353", 4352.0, "By", "contradicted"),
        ("4,35", 4352.0, "By", "unresolved"),
        ("4,3520", 43520.0, "By", "unresolved"),
        ("1,623,087", 1_623_087.0, "By", "agrees"),
        ("321k", 320_999.0, "1", "agrees"),
        ("321k", 321_501.0, "1", "contradicted"),
        ("321k allocations", 321_000.0, "1", "agrees"),
        ("1.2e3 ns", 1249.0, "ns", "agrees"),
        ("1.2E+3 ns", 1251.0, "ns", "contradicted"),
        ("1.2 × 10³", 1200.0, "1", "agrees"),
        ("\u{2212}47", -47.2, "1", "agrees"),
        ("-47", -47.2, "1", "agrees"),
        ("\u{2212}47", 47.0, "1", "contradicted"),
        // Units of data and ratios.
        ("4.35 kB", 4352.0, "By", "agrees"),
        ("4.25 KiB", 4352.0, "By", "agrees"),
        ("1.5 MiB", 1_597_416.0, "By", "agrees"),
        ("1.6 MB", 1_597_416.0, "By", "agrees"),
        ("1.9×", 1.894_736_842_105_263, "×", "agrees"),
        ("1.9 times its minimum", 1.894_736_842_105_263, "×", "agrees"),
        ("189 %", 1.894_736_842_105_263, "×", "agrees"),
        ("1.89", 1.894_736_842_105_263, "×", "agrees"),
        ("1.88×", 1.894_736_842_105_263, "×", "contradicted"),
        ("53 allocations", 53.0, "1", "agrees"),
        ("53 allocations", 53.0, "{allocation}", "agrees"),
        ("812 req/s", 812.3, "req/s", "agrees"),
        ("2.9 MiB/s", 3_000_001.0, "By/s", "agrees"),
        ("3 MB/s of bodies", 3_000_001.0, "By/s", "agrees"),
        ("2.8MiB/s", 3_000_001.0, "By/s", "contradicted"),
        ("2.5 to 3.5 MB/s", 3_000_001.0, "By/s", "agrees"),
        ("3 MB", 3_000_001.0, "By/s", "contradicted"),
        ("3 MB/s", 3_000_001.0, "By", "contradicted"),
        ("3 MB/s", 3.0, "s", "contradicted"),
        // Relations.
        ("about 7 µs", 7900.0, "ns", "agrees"),
        ("~7 µs", 8100.0, "ns", "contradicted"),
        ("≈ 7.0 µs", 7100.0, "ns", "agrees"),
        ("roughly 4,351 bytes", 4352.0, "By", "agrees"),
        ("over 7 µs", 7200.0, "ns", "agrees"),
        ("more than 7.2 µs", 7200.0, "ns", "contradicted"),
        ("no more than 7.2 µs", 7200.0, "ns", "agrees"),
        ("under 4 µs", 3800.0, "ns", "agrees"),
        ("less than 3.8 µs", 3800.0, "ns", "contradicted"),
        ("at least 3.8 µs", 3800.0, "ns", "agrees"),
        ("at least 3.9 µs", 3800.0, "ns", "contradicted"),
        ("At most 3.8 µs", 3800.0, "ns", "agrees"),
        ("> 3 µs", 3800.0, "ns", "agrees"),
        ("≤ 3 µs", 3800.0, "ns", "contradicted"),
        // Ranges.
        ("1.5 to 2×", 1.89, "×", "agrees"),
        ("1.5–1.8×", 1.89, "×", "contradicted"),
        ("between 3 and 4 µs", 3800.0, "ns", "agrees"),
        ("3-4 µs", 3000.0, "ns", "agrees"),
        ("900 ns to 4 µs", 3800.0, "ns", "agrees"),
        ("4 to 3 µs", 3800.0, "ns", "unresolved"),
        // Words that cannot be checked or measure something else.
        ("faster", 3800.0, "ns", "unresolved"),
        ("3 and 4 µs", 3800.0, "ns", "unresolved"),
        ("3 of 30 samples", 3.0, "1", "unresolved"),
        ("7.2 MB", 7200.0, "ns", "contradicted"),
        ("7.2 %", 7200.0, "ns", "contradicted"),
        ("7.2 Hz", 7200.0, "ns", "unresolved"),
        ("7.2parsec", 7200.0, "ns", "unresolved"),
        ("3.8 µs at 1.11.0", 3800.0, "ns", "agrees"),
        ("p90 of 3.8 µs", 3800.0, "ns", "agrees"),
        ("(3.8 µs).", 3800.0, "ns", "agrees"),
        ("123456789012345678901234567890", 1.0, "1", "unresolved"),
    ] {
        let found = check(words, &evidence(value, unit));
        assert_eq!(found.word(), verdict, "{words} against {value} {unit}: {found:?}");
    }
}

#[test]
fn large_whole_numbers_stay_exact() {
    let mut large = evidence(0.0, "1");
    large.value = Number::Unsigned((1 << 53) + 1);
    assert_eq!(check("9,007,199,254,740,993", &large), Verdict::Agrees);
    assert_ne!(check("9,007,199,254,740,992", &large), Verdict::Agrees);
}

proptest! {
    #[test]
    fn no_text_panics(words in "\\PC{0,40}", value in any::<f64>(), unit in "\\PC{0,4}") {
        if let Some(value) = Number::finite(value) {
            check(&words, &ClaimEvidence { value, unit, href: String::new(), description: String::new() });
        }
    }

    #[test]
    fn numbers_in_words_never_panic(words in "[-−+~0-9.,eEkM×% \u{202f}⁻³to–µsBKi/]{0,40}", value in -1e12..1e12) {
        check(&words, &evidence(value, "ns"));
    }

    #[test]
    fn printed_evidence_agrees_with_itself(
        digits in 0_u64..10_000_000_000,
        places in 0_i32..7,
        unit in prop::sample::select(vec!["ns", "µs", "s", "By", "By/s", "KiB/s", "1", "×", "%", "req/s"]),
    ) {
        let evidence = evidence(digits as f64 / 10_f64.powi(places), unit);
        prop_assert_eq!(check(&evidence.shown(), &evidence), Verdict::Agrees, "{}", evidence.shown());
    }
}
