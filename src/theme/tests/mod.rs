//! Every template with full and with empty views, layers, errors, assets.

mod samples;

use std::collections::BTreeMap;
use std::path::Path;

use super::view::{
    Article, Front, Gallery, NotFound, POLICY, Page, ProblemsPage, Profile, Values, View, Workload,
};
use super::*;
use crate::error::Kind;

fn theme() -> Theme {
    Theme::built_in().unwrap()
}

/// A theme that consists of the given files.
fn with(files: &[(&str, &str)]) -> Result<Theme> {
    let files: Files =
        files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    Theme::load("mine", &mut |name| Ok((name == "mine").then(|| files.clone())))
}

fn minimal(theme: &Theme) -> Page {
    Page {
        lang: "en".to_owned(),
        policy: POLICY.to_owned(),
        assets: theme.asset_links(""),
        ..Page::default()
    }
}

/// Every view once full and once with nothing that may be absent.
fn all(theme: &Theme) -> Vec<(&'static str, String)> {
    fn add<V: View>(pages: &mut Vec<(&'static str, String)>, theme: &Theme, view: &V) {
        pages.push((V::TEMPLATE, theme.render(view).unwrap()));
    }
    let mut pages = Vec::new();
    add(&mut pages, theme, &samples::article(theme));
    add(&mut pages, theme, &Article { page: minimal(theme), ..Article::default() });
    add(&mut pages, theme, &samples::front(theme));
    add(&mut pages, theme, &Front { page: minimal(theme), ..Front::default() });
    add(&mut pages, theme, &samples::gallery(theme));
    add(&mut pages, theme, &Gallery { page: minimal(theme), ..Gallery::default() });
    add(&mut pages, theme, &samples::workload(theme));
    add(&mut pages, theme, &Workload { page: minimal(theme), ..Workload::default() });
    add(&mut pages, theme, &samples::profile(theme));
    add(&mut pages, theme, &Profile { page: minimal(theme), ..Profile::default() });
    add(&mut pages, theme, &samples::values(theme));
    add(&mut pages, theme, &Values { page: minimal(theme), ..Values::default() });
    add(&mut pages, theme, &samples::problems_page(theme));
    add(&mut pages, theme, &ProblemsPage { page: minimal(theme), ..ProblemsPage::default() });
    add(&mut pages, theme, &theme.not_found("en", "Example", Some("https://example.org/perf/index.html")));
    add(&mut pages, theme, &theme.not_found("en", "Example", None));
    pages
}

#[test]
fn every_template_prints_full_and_empty_views() {
    for (name, page) in all(&theme()) {
        assert!(page.starts_with("<!doctype html>\n<html lang=\"en\">"), "{name}");
        assert!(page.ends_with("</html>\n"), "{name}");
        assert_eq!(page.matches("<main").count(), 1, "{name}");
        assert_eq!(page.matches("<h1").count(), 1, "{name}");
        for never in ["None", "True", "False", "undefined", " style=", " onclick", "javascript:"] {
            assert!(!page.contains(never), "{name} holds {never}");
        }
    }
}

/// Values of an attribute in a page.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let opening = format!(" {attribute}=\"");
    page.split(&opening).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn ids_are_unique_and_references_hit() {
    for (name, page) in all(&theme()) {
        let mut ids = values(&page, "id");
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "{name}");
        for attribute in ["aria-labelledby", "popovertarget"] {
            for id in values(&page, attribute) {
                assert!(ids.contains(&id), "{name}: {attribute} names {id}");
            }
        }
    }
}

#[test]
fn links_are_relative_and_name_files() {
    for (name, page) in all(&theme()) {
        for href in values(&page, "href").into_iter().chain(values(&page, "src")) {
            let file = href.split('#').next().unwrap();
            let full = name == "404.html" && href == "https://example.org/perf/index.html";
            assert!(full || !href.contains("//") && !href.starts_with('/'), "{name}: {href}");
            assert!(file.is_empty() || Path::new(file).extension().is_some(), "{name}: {href}");
        }
    }
}

#[test]
fn the_policy_stands_in_every_page() {
    for (name, page) in all(&theme()) {
        let policy =
            page.split("Content-Security-Policy\" content=\"").nth(1).unwrap().split('"').next().unwrap();
        if name == "404.html" {
            let style = page.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
            let digest = crate::io::sha256_base64(style.as_bytes());
            assert!(policy.contains(&format!("style-src 'sha256-{digest}';")), "{policy}");
        } else {
            assert_eq!(policy, POLICY, "{name}");
        }
    }
}

#[test]
fn text_is_escaped_and_markup_is_not() {
    let theme = theme();
    let view = Article {
        page: Page { title: samples::HOSTILE.to_owned(), ..minimal(&theme) },
        title: samples::HOSTILE.to_owned(),
        body_html: Html("<p class=\"x\">a/b</p>".to_owned()),
        ..Article::default()
    };
    let page = theme.render(&view).unwrap();
    assert!(!page.contains("<script>"));
    assert!(page.contains("<h1>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;more&quot;</h1>"));
    assert!(page.contains("<p class=\"x\">a/b</p>"));
    let home = theme.not_found("en", "a", Some("https://example.org/\"><script>")).home;
    let page = theme.render(&NotFound { home, ..theme.not_found("en", "a", None) }).unwrap();
    assert!(page.contains("href=\"https://example.org/&quot;&gt;&lt;script&gt;\""));
}

#[test]
fn a_theme_may_be_one_file_and_reach_the_original() {
    let own =
        "{% extends \"builtin/base.html\" %}{% block main %}<h1>mine {{ page.title }}</h1>{% endblock %}";
    let theme = with(&[("templates/article.html", own)]).unwrap();
    let page = Page { title: "T".to_owned(), ..minimal(&theme) };
    let article = theme.render(&Article { page: page.clone(), ..Article::default() }).unwrap();
    assert!(article.contains("<h1>mine T</h1>") && article.contains("class=\"site-head\""));
    // Other templates and the style are the built-in ones.
    let problems = theme.render(&ProblemsPage { page, ..ProblemsPage::default() }).unwrap();
    assert!(problems.contains("<h1>T</h1>"));
    assert_eq!(theme.style(), Theme::built_in().unwrap().style());
}

#[test]
fn an_overridden_base_is_used_by_built_in_pages() {
    let base = "<title>{{ page.title }}</title>{% block main %}{% endblock %}";
    let theme = with(&[("templates/base.html", base)]).unwrap();
    let page = theme.render(&ProblemsPage { page: minimal(&theme), ..ProblemsPage::default() }).unwrap();
    assert!(page.starts_with("<title></title>"));
}

#[test]
fn single_colours_override_the_parents() {
    let theme =
        with(&[("theme.toml", "[palette]\ns2 = { light = \"#123456\", dark = \"#654321\" }\n")]).unwrap();
    let built_in = Theme::built_in().unwrap();
    assert_eq!(theme.style().light.series[1], "#123456");
    assert_eq!(theme.style().dark.series[1], "#654321");
    assert_eq!(theme.style().light.series[0], built_in.style().light.series[0]);
    assert!(theme.style().css.contains("--s2:light-dark(#123456,#654321);"));
    let name = |theme: &Theme, logical: &str| {
        theme.assets().iter().find(|asset| asset.logical == logical).unwrap().name.clone()
    };
    assert_ne!(name(&theme, "perfolio.css"), name(&built_in, "perfolio.css"));
    assert_eq!(name(&theme, "perfolio.js"), name(&built_in, "perfolio.js"));
}

#[test]
fn parents_are_followed_and_circles_are_refused() {
    let folder = |text: &str| Files::from([("theme.toml".to_owned(), text.as_bytes().to_vec())]);
    let load = |name: &str, themes: &BTreeMap<&str, Files>| {
        Theme::load(name, &mut |name| Ok(themes.get(name).cloned()))
    };
    let colour = |hex: &str| format!("[palette]\ns1 = {{ light = \"{hex}\", dark = \"{hex}\" }}\n");
    let mut themes = BTreeMap::from([
        ("child", folder("parent = \"middle\"\n")),
        ("middle", folder(&colour("#0000aa"))),
        ("default", folder(&colour("#0000bb"))),
    ]);
    assert_eq!(load("child", &themes).unwrap().style().light.series[0], "#0000aa");
    // A folder named as the built-in theme stands between the others and the original.
    themes.insert("middle", folder(""));
    assert_eq!(load("child", &themes).unwrap().style().light.series[0], "#0000bb");
    themes.insert("middle", folder("parent = \"child\"\n"));
    let error = load("child", &themes).unwrap_err();
    assert_eq!(error.kind, Kind::Usage);
    assert!(error.message.contains("circle"), "{error}");
    let error = load("absent", &themes).unwrap_err();
    assert!(error.message.contains("absent") && error.hints[0].contains("default"), "{error:?}");
}

#[test]
fn a_failing_folder_stops_the_loading() {
    let error = Theme::load("x", &mut |_| Err(Error::evidence("no right to read"))).unwrap_err();
    assert_eq!(error.message, "no right to read");
}

#[test]
fn a_wrong_template_names_file_line_and_text() {
    let error = with(&[("templates/article.html", "<p>\n{% if title %}\n{% endfor %}\n")]).unwrap_err();
    assert_eq!(error.kind, Kind::Usage);
    assert_eq!(error.place.path.as_deref(), Some("themes/mine/templates/article.html"));
    assert_eq!(error.place.line, Some(3));
    assert_eq!(error.hints[0], "3 | {% endfor %}");
}

#[test]
fn an_unknown_field_is_found_in_the_innermost_template() {
    let files = [
        ("templates/article.html", "a\n{% include \"part.html\" %}\n"),
        ("templates/part.html", "b\nc\n<i>{{ page.titel }}</i>\n"),
    ];
    let theme = with(&files).unwrap();
    let error = theme.render(&samples::article(&theme)).unwrap_err();
    assert_eq!(error.place.path.as_deref(), Some("themes/mine/templates/part.html"));
    assert_eq!(error.place.line, Some(3));
    assert_eq!(error.hints[0], "3 | <i>{{ page.titel }}</i>");
}

#[test]
fn a_flag_is_not_printed_and_a_loop_has_an_end() {
    let theme = with(&[("templates/front.html", "{{ listed }}")]).unwrap();
    let error = theme.render(&samples::front(&theme)).unwrap_err();
    assert!(error.message.contains("cannot be printed"), "{error}");
    let endless = "{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}";
    let theme = with(&[("templates/front.html", endless)]).unwrap();
    assert!(theme.render(&samples::front(&theme)).is_err());
}

#[test]
fn a_wrong_manifest_names_line_and_field() {
    let place = |text: &str| {
        let error = with(&[("theme.toml", text)]).unwrap_err();
        assert_eq!(error.kind, Kind::Usage);
        format!("{error}")
    };
    assert_eq!(
        place("[palette]\n\nink = { light = \"black\", dark = \"#ffffff\" }\n"),
        "themes/mine/theme.toml:3 (palette.ink): \"black\" is not a colour of the form #rrggbb"
    );
    assert_eq!(
        place("[font]\nsans = \"a; } body { color: red\"\n"),
        "themes/mine/theme.toml:2 (font.sans): is not a list of font families"
    );
    assert!(
        place("[palette]\n\"a b\" = { light = \"#000000\", dark = \"#ffffff\" }\n").contains("lower-case")
    );
    assert!(place("colours = 1\n").starts_with("themes/mine/theme.toml:1: unknown field"));
    assert!(place("parent = 3\n").starts_with("themes/mine/theme.toml:1: "));
}

#[test]
fn assets_are_named_by_their_content() {
    let theme = with(&[("static/logo.svg", "<svg/>"), ("page.css", "a{}\r\n")]).unwrap();
    let logical: Vec<_> = theme.assets().iter().map(|asset| asset.logical.as_str()).collect();
    assert_eq!(logical, ["early.js", "flame.js", "perfolio.css", "perfolio.js", "static/logo.svg"]);
    for asset in theme.assets() {
        let digest = &crate::io::sha256_hex(&asset.bytes)[..8];
        assert!(asset.name.contains(digest) && !asset.name.contains('/'), "{}", asset.name);
    }
    assert_eq!(theme.asset_links("../")["static/logo.svg"], format!("../assets/{}", theme.assets()[4].name));
    let css = String::from_utf8(theme.assets()[2].bytes.clone()).unwrap();
    assert!(css.starts_with(":root {") && css.ends_with("a{}\n"));
}

fn collect(dir: &include_dir::Dir<'_>, files: &mut BTreeMap<String, u64>) {
    for file in dir.files() {
        files.insert(file.path().to_str().unwrap().replace('\\', "/"), file.contents().len() as u64);
    }
    for dir in dir.dirs() {
        collect(dir, files);
    }
}

#[test]
fn the_program_carries_the_themes_of_the_disk() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("themes");
    let mut disk = BTreeMap::new();
    for entry in walkdir::WalkDir::new(&root) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            disk.insert(path, std::fs::metadata(entry.path()).unwrap().len());
        }
    }
    let mut carried = BTreeMap::new();
    collect(&layers::BUILT_IN, &mut carried);
    assert_eq!(carried, disk, "touch src/theme/layers.rs when a file was added or removed");
}

/// Writes all sample pages below `target/theme/` to be looked at: `cargo test --lib theme_look -- --ignored`.
#[test]
#[ignore = "writes files to look at"]
#[allow(clippy::disallowed_methods, reason = "writes what a person looks at, into target/ only")]
fn theme_look() {
    let theme = theme();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/theme");
    let write = |path: &str, bytes: &[u8]| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    if root.exists() {
        std::fs::remove_dir_all(&root).unwrap();
    }
    for asset in theme.assets() {
        write(&format!("assets/{}", asset.name), &asset.bytes);
    }
    write("index.html", theme.render(&samples::front(&theme)).unwrap().as_bytes());
    write("oxygen/index.html", theme.render(&samples::article(&theme)).unwrap().as_bytes());
    write("gallery/http/index.html", theme.render(&samples::gallery(&theme)).unwrap().as_bytes());
    write("gallery/http/plain/index.html", theme.render(&samples::workload(&theme)).unwrap().as_bytes());
    write("problems/index.html", theme.render(&samples::problems_page(&theme)).unwrap().as_bytes());
    write(
        "404.html",
        theme.render(&theme.not_found("en", "Performance of Oxygen", None)).unwrap().as_bytes(),
    );
}
