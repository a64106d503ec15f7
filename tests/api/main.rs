//! The public API of the library: `public-api.txt` lists it, so that every change of it is seen.
//!
//! The list is read from the pages of `cargo doc`, without what the compiler implements by
//! itself. They look otherwise with another version of Rust, so the test runs when asked for,
//! as `.ci/run` does. `QIRKAT_BLESS=1` writes the list anew.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/public-api.txt");

/// The texts between two marks.
fn between<'a>(text: &'a str, open: &'a str, close: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(open).skip(1).filter_map(move |rest| rest.split(close).next())
}

/// The text of a piece of HTML, in one line.
fn plain(html: &str) -> String {
    let mut text = String::new();
    for (index, part) in html.split('<').enumerate() {
        text.push_str(if index == 0 {
            part
        } else {
            part.split_once('>').map_or("", |(_, text)| text)
        });
    }
    for (mark, letter) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ] {
        text = text.replace(mark, letter);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a page says of its item: the declaration, the methods, the traits.
fn read_page(path: &str, html: &str, list: &mut BTreeSet<String>) {
    let own = html.split("id=\"synthetic-implementations\"").next().unwrap_or_default();
    let own = own.split("id=\"blanket-implementations\"").next().unwrap_or_default();
    let mut line = |html| list.insert(format!("{path}: {}", plain(html)));
    for declaration in between(own, "<pre class=\"rust item-decl\"><code>", "</code></pre>") {
        line(declaration);
    }
    let (methods, traits) = own.split_once("id=\"trait-implementations\"").unwrap_or((own, ""));
    if !path.contains("/trait.") {
        between(methods, "<h4 class=\"code-header\">", "</h4>").for_each(|method| _ = line(method));
    }
    between(traits, "<h3 class=\"code-header\">", "</h3>").for_each(|header| _ = line(header));
}

fn read_folder(root: &Path, folder: &Path, list: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the documentation is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            read_folder(root, &path, list);
        } else if path.extension().is_some_and(|extension| extension == "html") {
            let name = path.strip_prefix(root).expect("a page below the root").with_extension("");
            let text = fs::read_to_string(&path).expect("a page");
            read_page(&name.display().to_string(), &text, list);
        }
    }
}

#[test]
#[ignore = "takes the documentation of one version of Rust; see the top of this file"]
fn the_public_api_is_as_listed() {
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("api");
    let mut command = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(["doc", "--quiet", "--no-deps", "-p", "qirkat", "--lib", "--no-default-features"]);
    command.args(["--features", "clock,table-generator,threads", "--target-dir"]).arg(&target);
    assert!(command.status().expect("cargo starts").success());
    let mut list = BTreeSet::new();
    let pages = target.join("doc/qirkat");
    read_folder(&pages, &pages, &mut list);
    let found: String = list.iter().map(|line| format!("{line}\n")).collect();
    if env::var_os("QIRKAT_BLESS").is_some() {
        fs::write(LIST, found).expect("the list can be written");
        return;
    }
    let listed = fs::read_to_string(LIST).expect("the list");
    let listed: BTreeSet<String> = listed.lines().map(str::to_owned).collect();
    let new: Vec<_> = list.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&list).collect();
    assert!(new.is_empty() && gone.is_empty(), "new: {new:#?}\ngone: {gone:#?}");
}

/// The first program in Rust of a text, without what stands before each line.
fn program<'a>(text: &'a str, fence: &str, prefix: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|line| *line != fence).skip(1);
    lines
        .take_while(|line| !line.ends_with("```"))
        .map(|line| line.strip_prefix(prefix).unwrap_or(line).trim_start_matches("//!"))
        .collect()
}

/// The README shows the program that is tested as an example of this crate.
#[test]
fn the_program_in_the_readme_is_tested() {
    let shown = program(include_str!("../../README.md"), "```rust", "");
    assert_eq!(shown, program(include_str!("../../src/lib.rs"), "//! ```", "//! "));
    assert!(shown.len() > 5, "{shown:?}");
}
