//! Messages (SARIF 2.1.0 §3.11): plain text, or the id of a text with arguments.

use super::Reading;
use crate::read::json::Object;

impl Reading<'_, '_> {
    /// The message of a result, notification or location; empty when there is none.
    pub(super) fn message(&mut self, holder: &Object<'_>, rule: Option<&Object<'_>>) -> String {
        let Some(message) = holder.object("message", self.complaints) else { return String::new() };
        let own = self.text(&message, "text").or_else(|| self.text(&message, "markdown"));
        let template = own.or_else(|| {
            let id = self.text(&message, "id")?;
            let found = self.by_id(rule, "messageStrings", &id);
            let driver = self.driver.clone();
            found.or_else(|| self.by_id(driver.as_ref(), "globalMessageStrings", &id)).or(Some(id))
        });
        let arguments = message.texts("arguments", self.complaints);
        fill(&template.unwrap_or_default(), &arguments)
    }

    fn by_id(&mut self, holder: Option<&Object<'_>>, list: &str, id: &str) -> Option<String> {
        let strings = holder?.object(list, self.complaints)?;
        let one = strings.object(id, self.complaints)?;
        self.text(&one, "text").or_else(|| self.text(&one, "markdown"))
    }
}

/// Puts arguments in the places `{0}`, `{1}` … of a text; `{{` and `}}` are braces (§3.11.5). A place without an
/// argument stays as it is.
pub(super) fn fill(template: &str, arguments: &[String]) -> String {
    if !template.contains(['{', '}']) {
        return template.to_owned();
    }
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        if let Some(after) = tail.strip_prefix("{{") {
            out.push('{');
            rest = after;
        } else if let Some(after) = tail.strip_prefix("}}") {
            out.push('}');
            rest = after;
        } else {
            let argument = tail
                .strip_prefix('{')
                .and_then(|inner| inner.split_once('}'))
                .and_then(|(number, after)| Some((arguments.get(number.parse::<usize>().ok()?)?, after)));
            if let Some((argument, after)) = argument {
                out.push_str(argument);
                rest = after;
            } else {
                // One ASCII brace.
                out.push_str(&tail[..1]);
                rest = &tail[1..];
            }
        }
    }
    out.push_str(rest);
    out
}
