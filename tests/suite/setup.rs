//! Everything that the browser tests need and a fresh Debian machine lacks: Chromium, Firefox, a font, Node.js, npm,
//! and two npm packages. Installed on first use; when that fails, the message says what to do by hand.

use std::env;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// The lowest Node.js that the scripts run on.
const NODE_MAJOR: u32 = 18;

/// What to read when the set-up could not help itself.
const BY_HAND: &str = "\
To set the browser tests up by hand, install Chromium, Firefox, Node.js 18 or newer and npm so that `chromium`, \
`firefox-esr`, `node` and `npm` are on PATH, and a font such as DejaVu Sans:
    apt-get update && apt-get install -y --no-install-recommends chromium firefox-esr fonts-dejavu-core nodejs npm
PERFOLIO_CHROMIUM may name another Chromium or Chrome, PERFOLIO_FIREFOX another Firefox. The npm packages come from the configured npm registry.";

/// The tools that the browser tests start.
#[derive(Debug)]
pub(crate) struct Tools {
    /// Node.js.
    pub(crate) node: PathBuf,
    /// Chromium or Chrome.
    pub(crate) chromium: PathBuf,
    /// Firefox.
    pub(crate) firefox: PathBuf,
    /// Folder with the scripts and their installed packages.
    pub(crate) scripts: PathBuf,
}

/// Gives the tools, installing what is missing. Done once per process; a file lock keeps a second process
/// (a runner that starts one per test) waiting until the first has finished.
///
/// # Panics
/// With a text that names the command that failed and what to install by hand.
pub(crate) fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Result<Tools, String>> = OnceLock::new();
    match TOOLS.get_or_init(set_up) {
        Ok(tools) => tools,
        Err(message) => panic!("The browser tests cannot start.\n{message}\n\n{BY_HAND}"),
    }
}

fn set_up() -> Result<Tools, String> {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let scripts = tmp.parent().unwrap_or(tmp).join("browser");
    fs::create_dir_all(&scripts).map_err(|error| format!("{}: {error}", scripts.display()))?;
    let lock_path = scripts.with_file_name("browser.lock");
    let lock = File::create(&lock_path).map_err(|error| format!("{}: {error}", lock_path.display()))?;
    lock.lock().map_err(|error| format!("{}: {error}", lock_path.display()))?;

    let missing = missing_packages();
    if !missing.is_empty() {
        install(&missing)?;
    }
    let chromium = chromium().ok_or("No Chromium was found.")?;
    let firefox = firefox().ok_or("No Firefox was found.")?;
    let node = on_path(&["node", "nodejs"]).ok_or("No Node.js was found.")?;
    let npm = on_path(&["npm"]).ok_or("No npm was found.")?;
    check_node(&node)?;
    copy_scripts(&scripts)?;
    install_npm_packages(&npm, &scripts)?;
    Ok(Tools { node, chromium, firefox, scripts })
}

/// The Debian packages that would supply what is not there.
fn missing_packages() -> Vec<&'static str> {
    let mut missing = Vec::new();
    if chromium().is_none() {
        missing.push("chromium");
    }
    if firefox().is_none() {
        missing.push("firefox-esr");
    }
    // Without any font all text has no width, and nothing could ever overlap.
    let debian = Path::new("/etc/debian_version").exists();
    if debian && !Path::new("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf").exists() {
        missing.push("fonts-dejavu-core");
    }
    if on_path(&["node", "nodejs"]).is_none() {
        missing.push("nodejs");
    }
    if on_path(&["npm"]).is_none() {
        missing.push("npm");
    }
    missing
}

fn chromium() -> Option<PathBuf> {
    match env::var_os("PERFOLIO_CHROMIUM") {
        Some(path) => Some(PathBuf::from(path)),
        None => on_path(&["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]),
    }
}

fn firefox() -> Option<PathBuf> {
    match env::var_os("PERFOLIO_FIREFOX") {
        Some(path) => Some(PathBuf::from(path)),
        None => on_path(&["firefox-esr", "firefox"]),
    }
}

/// The first of these programs that a folder of PATH holds.
fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<_> = env::split_paths(&path).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|file| file.is_file())
}

fn install(packages: &[&str]) -> Result<(), String> {
    let apt = on_path(&["apt-get"])
        .ok_or_else(|| format!("Missing: {}, and this system has no apt-get.", packages.join(", ")))?;
    // apt-get may be at work for somebody else: wait for it instead of failing.
    let wait = ["-o", "DPkg::Lock::Timeout=600"];
    say(&format!("installing {} (once)", packages.join(", ")));
    run(privileged(&apt)?.args(wait).args(["-q", "update"]))?;
    run(privileged(&apt)?
        .args(wait)
        .args(["-q", "install", "-y", "--no-install-recommends"])
        .args(packages))?;
    Ok(())
}

/// The program as root: directly, or through sudo when that asks for no password.
fn privileged(program: &Path) -> Result<Command, String> {
    let user = run(Command::new("id").arg("-u"))?;
    let mut command = if String::from_utf8_lossy(&user.stdout).trim() == "0" {
        let mut command = Command::new("env");
        command.arg("DEBIAN_FRONTEND=noninteractive");
        command
    } else {
        let sudo = on_path(&["sudo"])
            .ok_or_else(|| format!("{} needs root, and there is no sudo.", program.display()))?;
        let mut command = Command::new(sudo);
        command.args(["-n", "env", "DEBIAN_FRONTEND=noninteractive"]);
        command
    };
    command.arg(program);
    Ok(command)
}

fn check_node(node: &Path) -> Result<(), String> {
    let output = run(Command::new(node).arg("--version"))?;
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let major = version.trim_start_matches('v').split('.').next().and_then(|part| part.parse::<u32>().ok());
    match major {
        Some(major) if major >= NODE_MAJOR => Ok(()),
        _ => Err(format!("{} is {version}; version {NODE_MAJOR} or newer is needed.", node.display())),
    }
}

/// Copies `tests/browser/` below the target folder, so that no `node_modules` appears in the source tree.
fn copy_scripts(folder: &Path) -> Result<(), String> {
    for (name, bytes) in script_files()? {
        let path = folder.join(&name);
        if fs::read(&path).is_ok_and(|old| old == bytes) {
            continue;
        }
        // Written beside and moved, because another process may be reading the old file.
        let beside = folder.join(format!("{name}.new"));
        fs::write(&beside, bytes)
            .and_then(|()| fs::rename(&beside, &path))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// The files of `tests/browser/`, by name.
fn script_files() -> Result<Vec<(String, Vec<u8>)>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let fault = |error: io::Error| format!("{}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).map_err(fault)? {
        let entry = entry.map_err(fault)?;
        if entry.file_type().map_err(fault)?.is_file() {
            let name = entry.file_name().to_string_lossy().into_owned();
            files.push((name, fs::read(entry.path()).map_err(fault)?));
        }
    }
    files.sort();
    Ok(files)
}

/// Runs `npm ci` unless the installed packages are those of this lock file.
fn install_npm_packages(npm: &Path, folder: &Path) -> Result<(), String> {
    let lock = folder.join("package-lock.json");
    let stamp = folder.join("node_modules/.installed-from");
    let wanted = fs::read(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    if fs::read(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(());
    }
    say("installing the npm packages of tests/browser (once)");
    run(Command::new(npm).args(["ci", "--no-audit", "--no-fund"]).current_dir(folder))?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// Runs a command to its end; a failure gives the command and all it said.
fn run(command: &mut Command) -> Result<Output, String> {
    let line = format!("{command:?}");
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("This command could not be started: {line}\n{error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let mut message = format!("This command failed ({}): {line}", output.status);
    for stream in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(stream);
        if !text.trim().is_empty() {
            let _ = write!(message, "\n{}", text.trim());
        }
    }
    Err(message)
}

/// Tells the person who waits; unlike `eprintln!` this is not held back by the test runner.
fn say(message: &str) {
    let _ = writeln!(io::stderr(), "perfolio tests: {message}");
}

#[test]
fn lock_file_pins_versions_and_names_no_registry() {
    let lock = include_str!("../browser/package-lock.json");
    assert!(!lock.contains("\"resolved\""), "package-lock.json records where packages came from");
    assert!(!lock.contains("://"), "package-lock.json holds an address");
    let package: serde_json::Value =
        serde_json::from_str(include_str!("../browser/package.json")).expect("package.json is JSON");
    let pinned = package["dependencies"].as_object().expect("package.json has dependencies");
    for (name, version) in pinned {
        let version = version.as_str().expect("a version is text");
        assert!(
            version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'),
            "{name} {version} is not pinned"
        );
        assert!(lock.contains(&format!("\"node_modules/{name}\"")), "{name} is not in the lock file");
    }
}

#[test]
fn a_failing_command_is_named_with_what_it_said() {
    let message =
        run(Command::new("sh").args(["-c", "echo told; echo why >&2; exit 3"])).expect_err("exit 3 fails");
    for part in ["exit status: 3", "echo told", "\ntold", "\nwhy"] {
        assert!(message.contains(part), "{part:?} is missing in {message}");
    }
    let message = run(&mut Command::new("no-such-program-here")).expect_err("there is no such program");
    assert!(message.contains("no-such-program-here"), "{message}");
}
