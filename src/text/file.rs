//! Source file names, short enough to read and to compare between machines.

/// How many parts of a path are kept.
const PARTS: usize = 3;
/// Length of the part that tells two installations of a package apart.
const SLUG: usize = 5;

/// Shortens a source path as PerfChecker does (formats §3.3): `…/packages/<Name>/<5 characters>/rest` becomes
/// `<Name>/rest`, every other path its last three parts. Backslashes count as slashes.
pub fn short(file: &str) -> String {
    let slashed = file.replace('\\', "/");
    let parts: Vec<&str> = slashed.split('/').filter(|part| !part.is_empty()).collect();
    let package = parts
        .iter()
        .rposition(|part| *part == "packages")
        .filter(|at| at + 3 < parts.len() && parts[at + 2].chars().count() == SLUG);
    match package {
        Some(at) => [&[parts[at + 1]], &parts[at + 3..]].concat().join("/"),
        None if parts.len() > PARTS => parts[parts.len() - PARTS..].join("/"),
        // What is no path at all (`[other]`, `.\boot.jl` without its dot) stays readable.
        None => parts.iter().copied().filter(|part| *part != ".").collect::<Vec<_>>().join("/"),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn paths_become_package_and_rest_or_three_parts() {
        for (file, expected) in [
            ("C:\\Users\\Zoë\\.julia\\packages\\Widget\\AbCdE\\src\\größe.jl", "Widget/src/größe.jl"),
            ("/home/x/.julia/packages/Widget/AbCdE/src/a/b.jl", "Widget/src/a/b.jl"),
            ("/home/x/packages/Widget/src/a.jl", "Widget/src/a.jl"),
            ("/home/x/dev/Widget/src/a.jl", "Widget/src/a.jl"),
            ("Eglkz/src/core.jl", "Eglkz/src/core.jl"),
            (".\\array.jl", "array.jl"),
            ("array.jl", "array.jl"),
            ("[other]", "[other]"),
            ("", ""),
        ] {
            assert_eq!(short(file), expected, "{file}");
        }
    }
}
