//! Masks what names a machine or a person: absolute paths, user names in them, host names.
//!
//! A path keeps at most its last three parts, never the part that names a user: `/home/me/x/src/a/b.jl`
//! becomes `<path>/…/src/a/b.jl`. Addresses (`https://…`), ratios (`1/2`), routes (`GET /songs`) and
//! relative paths stay. A Unix path counts only when its first part is a known root, because a route looks
//! the same.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// What stands in place of the beginning of a path.
pub const MASK: &str = "<path>";
/// Most parts of a path that are kept.
const KEPT: usize = 3;

/// Roots of Unix paths that hold files. The second list may be followed by a person's or project's name.
const SYSTEM_ROOTS: [&str; 15] = [
    "root", "tmp", "var", "opt", "usr", "etc", "private", "nix", "proc", "sys", "dev", "lib", "bin", "run",
    "sbin",
];
const NAMED_ROOTS: [&str; 17] = [
    "home",
    "Users",
    "mnt",
    "media",
    "Volumes",
    "build",
    "builds",
    "workspace",
    "workspaces",
    "srv",
    "data",
    "github",
    "runner",
    "scratch",
    "Applications",
    "Library",
    "cygdrive",
];
/// Words before a route.
const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE"];

/// What was masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A path from the root of a disk, a drive, a share or a `file:` address.
    AbsolutePath,
    /// The name of a user.
    UserName,
    /// The name of a machine.
    HostName,
}

impl Kind {
    /// The words used on pages and in `perfolio.json`.
    pub fn word(self) -> &'static str {
        match self {
            Self::AbsolutePath => "absolute path",
            Self::UserName => "user name",
            Self::HostName => "host name",
        }
    }
}

/// A text with its masks, and what they hide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// What was masked; empty when nothing was.
    pub kinds: BTreeSet<Kind>,
}

/// Masks the absolute paths in `text`, the user names and share hosts in them included.
pub fn redact(text: &str) -> Redacted<'_> {
    let mut found = once(text);
    // What stood behind a masked path may have become one (`C:\a file:///home/…` without the space).
    for _ in 0..4 {
        let next = once(&found.text);
        if next.kinds.is_empty() {
            break;
        }
        let (text, kinds) = (next.text.into_owned(), next.kinds);
        found.text = Cow::Owned(text);
        found.kinds.extend(kinds);
    }
    found
}

fn once(text: &str) -> Redacted<'_> {
    let mut kinds = BTreeSet::new();
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(step) = text[at..].find(['/', '\\', ':']) {
        let mark = at + step;
        at = mark + 1;
        let Some(found) = path_at(text, copied, mark) else { continue };
        out.push_str(&text[copied..found.start]);
        out.push_str(&found.masked());
        kinds.extend([Kind::AbsolutePath]);
        kinds.extend(found.also);
        copied = found.end;
        at = found.end;
    }
    if kinds.is_empty() {
        return Redacted { text: Cow::Borrowed(text), kinds };
    }
    out.push_str(&text[copied..]);
    Redacted { text: Cow::Owned(out), kinds }
}

/// What the value of a field is, when its name says that it names a person or a machine and nothing else.
pub fn field(name: &str) -> Option<Kind> {
    match name.to_ascii_lowercase().as_str() {
        "host" | "hostname" | "host_name" | "machine" | "machine_name" | "nodename" | "computername" => {
            Some(Kind::HostName)
        }
        "user" | "username" | "user_name" | "login" | "logname" => Some(Kind::UserName),
        _ => None,
    }
}

/// A path found in a text.
struct Found<'a> {
    start: usize,
    end: usize,
    parts: Vec<&'a str>,
    /// How many parts at the beginning are never shown.
    hidden: usize,
    also: Option<Kind>,
}

impl Found<'_> {
    fn masked(&self) -> String {
        let shown = self.parts.get(self.hidden..).unwrap_or_default();
        let kept = shown.len().min(KEPT);
        let mut text = MASK.to_owned();
        if kept < shown.len() {
            text.push_str("/…");
        }
        for part in &shown[shown.len() - kept..] {
            text.push('/');
            text.push_str(part);
        }
        text
    }
}

/// Looks whether the mark (`/`, `\` or `:`) at byte `mark` begins a path; nothing before `from` belongs to it.
fn path_at(text: &str, from: usize, mark: usize) -> Option<Found<'_>> {
    let bytes = text.as_bytes();
    let before = text[from..mark].chars().next_back();
    let after = &text[mark..];
    if after.starts_with("://") {
        return file_address(text, from, mark);
    }
    if after.starts_with(':') {
        // A drive: one letter that stands alone, and a separator.
        let letter = mark.checked_sub(1).filter(|&at| at >= from && bytes[at].is_ascii_alphabetic())?;
        let alone = !text[from..letter].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let slash = matches!(bytes.get(mark + 1), Some(b'/' | b'\\'));
        // `x://` is an address, not a drive.
        (alone && slash && !after.starts_with("://")).then_some(())?;
        return Some(parts(text, letter, mark + 1, Form::Windows));
    }
    let inside =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '/' | '\\' | '~' | '…' | '%' | ')');
    let glued = before.is_some_and(inside) && !is_option(&text[from..mark]);
    if glued || text[from..mark].ends_with(MASK) || text[..mark].ends_with(MASK) {
        return None;
    }
    if after.starts_with("\\\\") {
        let found = parts(text, mark, mark, Form::Share);
        return (found.parts.len() >= 2).then_some(found);
    }
    if after.starts_with('/') && !after.starts_with("//") {
        let route = METHODS.iter().any(|method| text[..mark].trim_end_matches(' ').ends_with(method));
        let found = parts(text, mark, mark, Form::Unix);
        let known =
            found.parts.first().is_some_and(|root| SYSTEM_ROOTS.contains(root) || NAMED_ROOTS.contains(root));
        return (known && found.parts.len() >= 2 && !route).then_some(found);
    }
    None
}

/// Whether the end of a text is an option of a command to which a path is glued, such as `-I` or `-isystem`.
fn is_option(text: &str) -> bool {
    let word = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let Some(before) = word.strip_suffix('-').filter(|_| word.len() < text.len()) else { return false };
    before
        .chars()
        .next_back()
        .is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '=' | ',' | '('))
}

fn file_address(text: &str, from: usize, mark: usize) -> Option<Found<'_>> {
    let (start, rest) = match text[mark + 3..].strip_prefix("file/") {
        // Editors name a file by an address of their own: `vscode://file/home/…`.
        Some(_) if !text[from..mark].ends_with("http") && !text[from..mark].ends_with("https") => {
            let scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
            (from + text[from..mark].trim_end_matches(scheme).len(), mark + "://file".len())
        }
        _ => {
            let start = mark.checked_sub(4).filter(|&start| start >= from)?;
            text.get(start..mark)?.eq_ignore_ascii_case("file").then_some(())?;
            (start, mark + "://".len())
        }
    };
    let windows = text[rest..].trim_start_matches('/').as_bytes().get(1).is_some_and(|&byte| byte == b':');
    let mut found = parts(text, start, rest, if windows { Form::Windows } else { Form::Unix });
    if found.parts.first().is_some_and(|drive| windows && drive.len() == 2) {
        found.parts.remove(0);
        found.hidden = hidden(&found.parts, Form::Windows);
    }
    (!found.parts.is_empty()).then_some(found)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Unix,
    Windows,
    Share,
}

/// Reads the parts of a path whose first separator is at `at`.
fn parts(text: &str, start: usize, at: usize, form: Form) -> Found<'_> {
    let mut windows = form != Form::Unix;
    let (mut list, mut part, mut open, mut end, mut drive) = (Vec::new(), at, 0_usize, text.len(), 0);
    let mut symbols = text[at..].char_indices().map(|(offset, symbol)| (at + offset, symbol)).peekable();
    while let Some((place, symbol)) = symbols.next() {
        let separator = |c: char| c == '/' || (c == '\\' && windows);
        if separator(symbol) {
            if part < place {
                list.push(&text[part..place]);
            }
            part = place + 1;
        } else if symbol == ' ' {
            // Part of a name ("John Smith", "Program Files") when a separator follows soon.
            let named = list.last().is_some_and(|parent: &&str| users(parent));
            let words = if named { 3 } else { usize::from(!text[part..place].contains('.')) * 2 };
            let Some(skip) = continues(&text[place..], words, separator) else {
                end = place;
                break;
            };
            while symbols.next_if(|&(passed, _)| passed < place + skip).is_some() {}
        } else if symbol == ':' && text[place + 1..].starts_with(['/', '\\']) && place == part + 1 {
            // A drive within a path: nothing up to it is shown.
            windows = true;
            drive = list.len() + 1;
        } else if symbol == '(' {
            open += 1;
        } else if symbol == ')' && open > 0 {
            open -= 1;
        } else if ends(symbol) || (symbol == '\\' && !windows) {
            end = place;
            break;
        }
    }
    // A full stop at the end belongs to the sentence.
    let last = text[part..end].trim_end_matches('.');
    if !last.is_empty() {
        list.push(last);
    }
    let end = part + last.len();
    let user = list.iter().any(|part| users(part));
    let also = if user {
        Some(Kind::UserName)
    } else {
        (form == Form::Share && list.first().is_some_and(|host| !matches!(*host, "?" | ".")))
            .then_some(Kind::HostName)
    };
    let hidden = hidden(&list, form).max(drive.min(list.len()));
    Found { start, end, hidden, parts: list, also }
}

fn ends(symbol: char) -> bool {
    symbol.is_whitespace()
        || symbol.is_control()
        || matches!(
            symbol,
            '"' | '\''
                | '`'
                | '<'
                | '>'
                | '|'
                | '*'
                | '?'
                | ','
                | ';'
                | ':'
                | ')'
                | '['
                | ']'
                | '{'
                | '}'
                | '»'
                | '”'
                | '’'
        )
}

fn users(part: &str) -> bool {
    part.eq_ignore_ascii_case("users") || part == "home"
}

/// How many bytes after the space belong to the name: up to the next separator, when one of the next `words`
/// words has it and does not begin a path of its own.
fn continues(rest: &str, words: usize, separator: impl Fn(char) -> bool + Copy) -> Option<usize> {
    let at = rest.find(separator)?;
    let between = &rest[..at];
    let count = between.split(' ').filter(|word| !word.is_empty()).count();
    let plain = !between.contains(|c: char| c != ' ' && c != '(' && c != ')' && ends(c));
    (plain && (1..=words).contains(&count) && !between.ends_with(' ')).then_some(at)
}

/// How many parts at the beginning name the disk, the share, the root or a person.
fn hidden(parts: &[&str], form: Form) -> usize {
    let base = match form {
        Form::Share => 2,
        Form::Windows => usize::from(parts.len() > 1),
        Form::Unix => {
            if parts.first().is_some_and(|root| SYSTEM_ROOTS.contains(root)) {
                1
            } else {
                2
            }
        }
    };
    let user = parts.iter().rposition(|part| users(part)).map_or(0, |at| at + 2);
    base.max(user).min(parts.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_are_masked() {
        for (text, masked) in [
            ("at /home/me/project/src/a/b.jl:12", "at <path>/…/src/a/b.jl:12"),
            ("/Users/John Smith/x.jl", "<path>/x.jl"),
            ("/home/me", "<path>"),
            ("/Users/Zoë Ö/x.jl", "<path>/x.jl"),
            ("C:\\tmp\\x.jl in src\\b.jl", "<path>/x.jl in src\\b.jl"),
            ("/root/x.jl.", "<path>/x.jl."),
            ("(/tmp/jl_x1/Manifest.toml)", "(<path>/jl_x1/Manifest.toml)"),
            ("C:\\Users\\John Q Smith\\dev\\HTTP\\src\\x.jl:3", "<path>/…/HTTP/src/x.jl:3"),
            ("\"C:\\\\Users\\\\me\\\\a.jl\"", "\"<path>/a.jl\""),
            ("d:/jobs/a/b/c/d.jl", "<path>/…/b/c/d.jl"),
            ("C:\\Program Files (x86)\\Tool\\bin\\x.exe failed", "<path>/Tool/bin/x.exe failed"),
            ("\\\\build-host\\share\\logs\\run.log", "<path>/logs/run.log"),
            ("file:///home/me/report/index.html", "<path>/report/index.html"),
            ("file:///C:/Users/me/r/index.html", "<path>/r/index.html"),
            ("vscode://file/home/me/x/src/a.jl:3", "<path>/x/src/a.jl:3"),
            ("see vscode-insiders://file/C:/Users/me/r/a.jl", "see <path>/r/a.jl"),
            ("cc -I/home/me/secret/inc -L'/opt/x/lib'", "cc -I<path>/secret/inc -L'<path>/x/lib'"),
            ("-isystem/usr/include/x", "-isystem<path>/include/x"),
            ("a=/opt/julia/lib/julia/sys.so,b=/usr/lib", "a=<path>/…/lib/julia/sys.so,b=<path>/lib"),
            ("/mnt/backup/home/me/x/y.jl", "<path>/x/y.jl"),
            ("/scratch/me/p.jl", "<path>/p.jl"),
        ] {
            assert_eq!(redact(text).text, masked, "{text}");
        }
    }

    #[test]
    fn the_rest_stays() {
        for text in [
            "https://example.org/home/me/x",
            "http://localhost:8080/tmp/x",
            "1/2",
            "GET /songs",
            "POST /data/items",
            "GET /home/index",
            "HTTP/src/x.jl",
            "/songs/top/ten",
            "/tmp",
            "julia.alloc.bytes/benchmarktools-v1",
            "a / b",
            "//comment",
            "and/or",
            "C: drive",
            "x://y",
            "https://file/home/me/x",
            "<path>/…/tmp/x",
            ".\\boot.jl",
            "\\alpha\\beta",
            "10:30/home",
        ] {
            let found = redact(text);
            assert_eq!((found.text.as_ref(), found.kinds.len()), (text, 0));
        }
    }

    #[test]
    fn says_what_it_hid() {
        let kinds = |text: &str| redact(text).kinds.into_iter().map(Kind::word).collect::<Vec<_>>();
        assert_eq!(kinds("/home/me/x"), ["absolute path", "user name"]);
        assert_eq!(kinds("\\\\host\\share\\x"), ["absolute path", "host name"]);
        assert_eq!(kinds("/tmp/x and C:\\x\\y"), ["absolute path"]);
        assert_eq!(
            (field("Hostname"), field("username"), field("version")),
            (Some(Kind::HostName), Some(Kind::UserName), None)
        );
    }

    proptest! {
        #[test]
        fn no_user_name_survives(
            root in prop::sample::select(vec!["/home/", "/Users/", "C:\\Users\\", "c:/Users/", "file:///home/", "/mnt/c/Users/"]),
            tail in prop::collection::vec("[a-z.]{1,4}", 0..6),
            front in "[ (\"=]{0,2}",
        ) {
            let separator = if root.contains('\\') { "\\" } else { "/" };
            let name = ["SECRET"].into_iter().chain(tail.iter().map(String::as_str)).collect::<Vec<_>>();
            let text = format!("{front}{root}{}", name.join(separator));
            let found = redact(&text);
            prop_assert!(!found.text.contains("SECRET"), "{text} {}", found.text);
        }

        #[test]
        fn twice_is_once(text in "([a-z:/\\\\ .<>]|/home/|C:\\\\|/tmp/|file://|\\\\\\\\h\\\\){0,12}") {
            let once = redact(&text).text.into_owned();
            prop_assert_eq!(&redact(&once).text, &once);
        }

        #[test]
        fn never_panics(text in any::<String>()) {
            redact(&text);
        }
    }
}
