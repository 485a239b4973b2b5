//! Masks absolute paths, user names and host names in evidence before anything is made of it.
//!
//! Names that identify evidence (targets, features, metrics, definitions) are left as recorded: a masked
//! name could no longer be joined or claimed.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::error::{Problem, Problems};
use crate::evidence::SourceEvidence;
use crate::text::redact::{field, redact};

/// What stands in place of a host or user name.
const MASK: &str = "<redacted>";

/// Masks a source's evidence and notes what was masked in which file.
pub(super) fn evidence(evidence: &mut SourceEvidence, found: &mut BTreeSet<(String, String)>) {
    for run in &mut evidence.runs {
        let manifest = join(&run.path, "manifest.json");
        let mut mask = Masker { file: manifest, found };
        mask.map(&mut run.runtime);
        mask.map(&mut run.environment);
        run.warnings.iter_mut().for_each(|text| mask.text(text));
        for planned in &mut run.planned {
            mask.text(&mut planned.description);
            mask.text(&mut planned.reason);
        }
        for qualification in &mut run.qualifications {
            if let Some(message) = &mut qualification.correctness_message {
                mask.text(message);
            }
        }
        mask.file = join(&run.path, "measurement-definitions.json");
        for definition in &mut run.definitions {
            mask.map(&mut definition.extra);
        }
        mask.file = join(&run.path, "diagnostics.jsonl");
        for diagnostic in &mut run.diagnostics {
            mask.text(&mut diagnostic.message);
        }
    }
    for plot in &mut evidence.plots {
        let mut mask = Masker { file: plot.path.clone(), found };
        let document = &mut plot.document;
        mask.text(&mut document.plot.title);
        mask.text(&mut document.plot.description);
        mask.map(&mut document.runtime);
        mask.map(&mut document.extra);
        if let Some(scope) = &mut document.scope {
            mask.text(scope);
        }
    }
}

/// Masks messages; what they quote may hold paths.
pub(super) fn problems(problems: &Problems) -> Problems {
    let mut masked = Problems::default();
    for problem in problems.iter() {
        let message = redact(&problem.message).text.into_owned();
        masked.push(Problem { message, ..problem.clone() });
    }
    masked
}

fn join(folder: &str, file: &str) -> String {
    if folder == "." { file.to_owned() } else { format!("{folder}/{file}") }
}

struct Masker<'a> {
    file: String,
    found: &'a mut BTreeSet<(String, String)>,
}

impl Masker<'_> {
    fn text(&mut self, text: &mut String) {
        let masked = redact(text);
        for kind in &masked.kinds {
            self.found.insert((self.file.clone(), kind.word().to_owned()));
        }
        if !masked.kinds.is_empty() {
            *text = masked.text.into_owned();
        }
    }

    fn map(&mut self, map: &mut Map<String, Value>) {
        for (key, value) in map {
            match (field(key), value) {
                (Some(kind), Value::String(text)) => {
                    self.found.insert((self.file.clone(), kind.word().to_owned()));
                    MASK.clone_into(text);
                }
                (_, value) => self.value(value),
            }
        }
    }

    fn value(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(list) => list.iter_mut().for_each(|value| self.value(value)),
            Value::Object(map) => self.map(map),
            _ => {}
        }
    }
}
