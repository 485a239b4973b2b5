//! One statement of an analyzer or checker.
//!
//! A finding is what a tool said about the program that it looked at. It is never a measurement: it says nothing
//! about how long anything takes.

/// One statement of an analyzer or checker, as recorded. All of it is text of strangers: never markup, never an
/// address to follow.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finding {
    /// The tool's own id of the rule; empty when it named none.
    pub rule: String,
    /// The rule in a few words, when recorded.
    pub rule_title: Option<String>,
    /// The recorded word: `error`, `warning`, `note`, `info`, `none`, or any other; empty when none was recorded.
    pub severity: String,
    /// What was found. Can span lines; a call path that the tool wrote into it stands in `frames` instead.
    pub message: String,
    /// The file as recorded; none when the tool named none. Never opened.
    pub file: Option<String>,
    /// Line in that file, counted from 1.
    pub line: Option<u64>,
    /// Column in that line, counted from 1.
    pub column: Option<u64>,
    /// The call path in recorded order, one frame a text; empty when none was recorded.
    pub frames: Vec<String>,
    /// Why the finding is suppressed, in the recorded words; none when it is not.
    pub suppressed: Option<String>,
    /// What the tool itself said against its baseline: `new`, `unchanged`, `updated`, `absent`, or any other word.
    pub baseline: Option<String>,
    /// What else was recorded, by name, such as the analysis that found it.
    pub parameters: Vec<(String, String)>,
}
