//! Whole pages: what comes out, and what is said about mistakes.

use proptest::prelude::*;

use super::*;
use crate::evidence::Number;

/// Knows one source, one page and one image.
struct Known;

impl Resolver for Known {
    fn block(&self, block: &Block, _level: u8) -> Result<String, String> {
        match block {
            Block::Gallery(gallery) if gallery.source == "s" => Ok("<div>gallery</div>".to_owned()),
            Block::Figure(figure) => Ok(format!("<figure>{}</figure>", figure.metrics.join(" "))),
            _ => Err("there is no source of that name <here>".to_owned()),
        }
    }

    fn claim(&self, address: &Address) -> Result<ClaimEvidence, ClaimFailure> {
        let (value, unit) = match (address.feature.as_str(), address.number) {
            ("plain", claim::As::Value) => (7200.0, "ns"),
            ("plain", claim::As::Ratio) => (1.894_736_842_105_263, "×"),
            ("bytes", _) => (4352.0, "By"),
            ("two", _) => {
                return Err(ClaimFailure {
                    reason: "two series fit".to_owned(),
                    candidates: vec!["collector=a".to_owned(), "collector=b".to_owned()],
                });
            }
            _ => return Err(ClaimFailure { reason: "no such feature".to_owned(), candidates: Vec::new() }),
        };
        Ok(ClaimEvidence {
            value: Number::Float(value),
            unit: unit.to_owned(),
            href: "../gallery/s/index.html#p".to_owned(),
            description: "minimum of 30 samples".to_owned(),
        })
    }

    fn page(&self, _from: &str, target: &str) -> Option<String> {
        (target == "other.md").then(|| "../other/index.html".to_owned())
    }

    fn file(&self, _from: &str, target: &str) -> Option<String> {
        (target == "a.png").then(|| "../a.png".to_owned())
    }
}

fn render(text: &str) -> (Rendered, Vec<String>) {
    let (page, mut problems) = Page::parse("guide.md", text).unwrap();
    let (rendered, more) = page.render(&Known);
    problems.extend(more);
    let shown = problems
        .iter()
        .map(|problem| {
            let remedy = problem.remedy.as_ref().map(|remedy| format!(" [{remedy}]")).unwrap_or_default();
            format!("{} {}: {}{remedy}", problem.severity.word(), problem.place, problem.message)
        })
        .collect();
    (rendered, shown)
}

const RICH: &str = r#"+++
description = "All elements"
+++
# A rich page

First words with `code`, *emphasis*, **weight** and ~~gone~~ text.[^b]

## What changed {#own}

| name | value |    |
| :--- | ----: | :-: |
| a & b | 1 | x |

## What changed

- [x] done
- [ ] to do

3. three
4. four

> [!WARNING]
> Take care.

> Quoted "as is" -- here.

```toml
a = true # comment
```

```perfolio figure
source = "s"
feature = "plain"
metrics = ["m", "n"]
```

From [7.2 µs](value:s/plain/m@1) or [**1.9**×](value:s/plain/m@1?as=ratio), [](value:s/bytes/m@1) and
<value:s/plain/m@1>.[^a] Again.[^b]

[Away](https://example.org/?a=1&b=2), [other](other.md#x), [here](#own), ![a < b](a.png "T").

<details><summary>More</summary><a href=other.md>raw</a></details>

[^a]: Second note.
[^b]: First note.

    With two paragraphs.
"#;

#[test]
fn a_rich_page() {
    let (rendered, problems) = render(RICH);
    assert!(problems.is_empty(), "{problems:#?}");
    assert_eq!(
        (rendered.title.as_str(), rendered.description.as_deref()),
        ("A rich page", Some("All elements"))
    );
    assert!(rendered.words.starts_with("A rich page First words with code, emphasis"), "{}", rendered.words);
    let ids: Vec<_> = rendered.headings.iter().map(|heading| heading.id.as_str()).collect();
    assert_eq!(ids, ["own", "what-changed"]);
    assert_eq!(rendered.claims.len(), 4);
    insta::assert_snapshot!(rendered.html);
}

const FAULTY: &str = r#"+++
titel = "T"
+++
Text with [8.2 µs](value:s/plain/m@1), [7](value:s/two/m@1), [](value:s/none/m@1),
[7.2 µs](value:s/plain/m@1?vs=2) and [fast](value:s/plain/m@1).

```perfolio figur
```

```perfolio gallery
source = "s"
colour = "red"
```

```perfolio workload
source = "s"
workload = "w"
```

[a](missing.md) [b](javascript:alert) [c](data:text/html,x) [d](/root) [e](#wher) [f](//x/y)

![remote](https://example.org/a.png) ![gone](gone.png)

## Where

<div style="color: red">
<script>
alert(1)
</script>
</div>

Inline <b onclick="x()">raw</b> <img src="https://example.org/a.png" alt="">.
"#;

#[test]
fn mistakes_are_marked_and_named() {
    let (rendered, problems) = render(FAULTY);
    insta::assert_snapshot!(format!("{}\n{}", problems.join("\n"), rendered.html));
}

#[test]
fn titles_come_from_three_places() {
    for (path, text, title, html) in [
        ("a.md", "+++\ntitle = \"T\"\n+++\n# H\n", "T", "<h1 id=\"h\">H</h1>\n"),
        ("a.md", "+++\ntitle = \"T\"\n+++\n# T\n", "T", ""),
        ("a.md", "# `x` is\n\nb", "x is", "<p>b</p>\n"),
        ("a.md", "b\n\n## H\n", "H", "<p>b</p>\n<h2 id=\"h\">H</h2>\n"),
        ("a/getting-started.md", "b", "getting started", "<p>b</p>\n"),
        ("guide/index.md", "", "guide", ""),
    ] {
        let (page, _) = Page::parse(path, text).unwrap();
        let (rendered, _) = page.render(&Known);
        assert_eq!((rendered.title.as_str(), rendered.html.as_str()), (title, html), "{path} {text}");
    }
}

#[test]
fn every_page_has_its_place() {
    for (path, output) in [
        ("index.md", "index.html"),
        ("a/b.md", "a/b/index.html"),
        ("a/index.md", "a/index.html"),
        ("a/gallery.md", "a/gallery/index.html"),
    ] {
        assert_eq!(Page::parse(path, "").unwrap().0.output, output);
    }
    assert!(Page::parse("Über uns.md", "").unwrap().0.output.starts_with("ber-uns-"));
    for (path, reason) in [
        ("gallery.md", "may not be named `gallery`"),
        ("search/index.md", "may not be named `search`"),
        ("figures/a.md", "may not be named `figures`"),
        ("a.txt", "ends with .md"),
        ("../a.md", "ends with .md"),
    ] {
        let error = Page::parse(path, "").unwrap_err().to_string();
        assert!(error.contains(reason) && error.starts_with(&format!("content/{path}")), "{error}");
    }
}

#[test]
fn the_first_paragraph_describes() {
    let (rendered, _) = render("# T\n\nOne *two*\nthree.[^n]\n\nFour\n\n[^n]: Five\n");
    assert_eq!(rendered.description.as_deref(), Some("One two three."));
    let long = "word ".repeat(60);
    let (rendered, _) = render(&long);
    let description = rendered.description.unwrap();
    assert!(description.ends_with("word…") && description.chars().count() <= 201, "{description}");
}

#[test]
fn ids_are_different_from_each_other() {
    let (rendered, problems) =
        render("a[^1] b[^1]\n\n# fn 1\n\n# fnref 1\n\n# x\n\n# x\n\n[^1]: n\n\n[^2]: never\n");
    let mut ids: Vec<_> = rendered.html.split(" id=\"").skip(1).map(|rest| rest.split('"').next()).collect();
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), count), (8, 8), "{}", rendered.html);
    assert!(rendered.html.contains("never") && problems.is_empty(), "{problems:?}");
}

proptest! {
    #[test]
    fn no_markdown_panics(text in "[-#>*_`~|\\[\\]()<>!^:+=a-c1.\"'{}&\\\\/@ \n\t]{0,120}") {
        render(&text);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,60}", head in "(\\+\\+\\+\n)?", tail in "(\n\\+\\+\\+\n)?") {
        render(&format!("{head}{text}{tail}"));
    }

    #[test]
    fn elements_in_any_order_never_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "[^a]", "[^a]: x\n", "\n\n", "| a |\n|---|\n", "| [1](value:s/plain/m@1) ", "> [!NOTE]\n", "- [x] ",
            "# h", "```perfolio figure\n", "```", "[", "](value:", "](x.md)", "![", "<p style=x>", "<!--", "-->",
            "+++\n", "    ", "1. ", "~~", "<script>", "{#id}",
        ]), 0..24)
    ) {
        render(&pieces.concat());
    }
}
