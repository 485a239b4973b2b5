//! Where links and images lead: other pages of the site, known files, or away.

use super::{Resolver, policy};

/// What became of the target of a link or an image.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// An address within the site, relative to the page.
    Inside(String),
    /// A place in the same page, by its id.
    Fragment(String),
    /// An address that leaves the site when somebody follows it.
    Away(String),
    /// Not followed; the reason in words and what can be done.
    Refused(String, &'static str),
}

/// Schemes that a plain link may have.
const AWAY: [&str; 4] = ["http", "https", "mailto", "tel"];

/// Finds where the link `target` on the page `from` leads.
pub(super) fn resolve(from: &str, target: &str, resolver: &dyn Resolver) -> Target {
    if let Some(scheme) = policy::scheme(target) {
        return if AWAY.contains(&scheme.as_str()) {
            Target::Away(target.to_owned())
        } else {
            Target::Refused(
                format!("a link may not have the scheme `{scheme}:`"),
                "use http, https, mailto, tel or a relative address",
            )
        };
    }
    if let Some(id) = target.strip_prefix('#') {
        return Target::Fragment(id.to_owned());
    }
    if let Some(refused) = not_relative(target) {
        return refused;
    }
    let (path, tail) = target.split_at(target.find(['?', '#']).unwrap_or(target.len()));
    let is_page = path.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("md"));
    let found = if is_page {
        resolver.page(from, path)
    } else {
        resolver.file(from, path).or_else(|| resolver.page(from, path))
    };
    match found {
        Some(address) => Target::Inside(address + tail),
        None => Target::Refused(
            format!("`{path}` is neither a page nor a file of this site"),
            "write the path relative to this page's file",
        ),
    }
}

/// Finds the file that the image `target` on the page `from` shows.
pub(super) fn image(from: &str, target: &str, resolver: &dyn Resolver) -> Target {
    match policy::scheme(target).as_deref() {
        Some("data") if target.trim_start().to_ascii_lowercase().starts_with("data:image/") => {
            return Target::Inside(target.to_owned());
        }
        Some(scheme) => {
            return Target::Refused(
                format!("an image from elsewhere (`{scheme}:`) is blocked by the site's policy"),
                "put the image beside the page and name it by its relative path",
            );
        }
        None => {}
    }
    if let Some(refused) = not_relative(target) {
        return refused;
    }
    resolver.file(from, target).map_or_else(
        || {
            Target::Refused(
                format!("the image `{target}` is not a file of this site"),
                "write the path relative to this page's file",
            )
        },
        Target::Inside,
    )
}

/// Refuses addresses that hold only under one host or prefix.
fn not_relative(target: &str) -> Option<Target> {
    (target.starts_with(['/', '\\'])).then(|| {
        Target::Refused(
            format!("`{target}` is not relative; the site may lie under any prefix"),
            "write the path relative to this page's file",
        )
    })
}

/// An address as the value of an attribute: characters that have no place in one are percent-encoded, the
/// rest is escaped.
pub(super) fn attribute(address: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(address.len());
    for symbol in address.chars() {
        match symbol {
            '&' => out.push_str("&amp;"),
            '\'' => out.push_str("&#39;"),
            '"' | '<' | '>' | '\\' | '`' | '{' | '}' | '|' | '^' | ' ' => {
                // A String takes every write.
                let _ = write!(out, "%{:02X}", u32::from(symbol));
            }
            _ if symbol.is_control() || symbol.is_whitespace() => {}
            _ => out.push(symbol),
        }
    }
    out
}
