//! README and guide are tested. Each page is a test: its examples must print what it shows, its
//! links must work, and its generated parts must be current.
//!
//! A `console` block has commands after `$ ` with their output below; `[..]` stands for any text, a
//! line `...` for any lines, and `? 1` for the exit status. They run in a temporary folder with the
//! files of `files/`. `<!-- not run: reason -->` above a block skips it, and `not-run.txt` lists
//! it; the options of its commands are checked anyway.
//!
//! `QIRKAT_BLESS=1 cargo test --test guide` updates outputs, generated parts and the list. It never
//! accepts a failure: a status is written by hand, and so is a first line of an output, with any
//! text, that is to be updated.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]
#![cfg(unix)]

mod console;
mod links;
mod options;
mod own_tests;
mod pages;
mod patterns;
mod reference;

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use qirkat_testing::effort;

use self::console::{TIME_LIMIT, examples, run_page};
use self::pages::Page;

const QIRKAT: &str = env!("CARGO_BIN_EXE_qirkat");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const SUMMARY: &str = "docs/SUMMARY.md";
const NOT_RUN: &str = "tests/guide/not-run.txt";
/// Pages in parallel. Most of their commands are short.
const AT_ONCE: usize = 4;

fn main() {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_ONCE);
    let pages = page_names(Path::new(ROOT));
    let mut trials: Vec<Trial> = pages
        .iter()
        .cloned()
        .map(|name| Trial::test(name.clone(), move || passed(page_faults(&name))))
        .collect();
    type Check = fn(&[String]) -> Vec<String>;
    let checks: [(&str, Check); 7] = [
        ("the_help_s_examples_do_what_they_say", help_faults),
        ("the_guide_names_all_that_print_json", json_not_named),
        ("drawings_are_as_the_program_draws_them", old_drawings),
        ("the_summary_names_every_page", missing_in_summary),
        ("the_guide_names_every_command_and_option", not_mentioned),
        ("what_is_not_run_is_listed", not_listed),
        ("the_sizes_of_networks_are_those_of_the_files", wrong_sizes),
    ];
    for (name, check) in checks {
        let pages = pages.clone();
        trials.push(Trial::test(name, move || passed(check(&pages))));
    }
    trials.extend(own_tests::trials());
    libtest_mimic::run(&arguments, trials).exit();
}

fn passed(faults: Vec<String>) -> Result<(), Failed> {
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

fn blesses() -> bool {
    std::env::var_os("QIRKAT_BLESS").is_some()
}

/// The pages below a folder, as relative paths: those at the top, and the guide.
fn page_names(root: &Path) -> Vec<String> {
    fn collect(root: &Path, folder: &Path, names: &mut Vec<String>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && folder != root || path == root.join("docs") {
                collect(root, &path, names);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let name = path.strip_prefix(root).expect("it is below");
                names.push(name.to_str().expect("UTF-8").to_owned());
            }
        }
    }
    let mut names = Vec::new();
    collect(root, root, &mut names);
    names.sort_unstable();
    names
}

fn text_of(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(name)).expect("the page is read")
}

fn page_faults(name: &str) -> Vec<String> {
    let text = text_of(name);
    let renewed = match reference::renewed(&text) {
        Ok(renewed) => renewed,
        Err(fault) => return vec![format!("{name}: {fault}")],
    };
    let mut faults = Vec::new();
    if renewed != text && !blesses() {
        faults.push("the program says something else now: QIRKAT_BLESS=1 writes it".to_owned());
    }
    let page = Page::read(&renewed);
    let results = run_page(&page, TIME_LIMIT);
    if blesses() {
        let mut lines = page.lines.clone();
        for output in results.outputs.into_iter().rev() {
            lines.splice(output.range, output.lines);
        }
        let whole = lines.join("\n") + "\n";
        if whole != text {
            fs::write(Path::new(ROOT).join(name), whole).expect("the page is written");
        }
    } else {
        faults.extend(results.outputs.into_iter().map(|output| output.difference));
    }
    faults.extend(results.faults);
    faults.extend(links::broken(Path::new(ROOT), name, &page));
    faults.extend(option_faults(&page));
    faults.into_iter().map(|fault| format!("{name}:{fault}")).collect()
}

/// Invalid options in commands that are not run, and in inline code.
fn option_faults(page: &Page) -> Vec<String> {
    let not_run = page.blocks.iter().filter(|block| block.not_run.is_some());
    let examples = not_run.flat_map(|block| examples(page, block).unwrap_or_default());
    let in_blocks = examples.map(|example| (example.line, example.command));
    let is_call = |code: &str| {
        let next = code.strip_prefix("qirkat ").and_then(|rest| rest.chars().next());
        next.is_some_and(|letter| letter == '-' || letter.is_ascii_lowercase())
    };
    let in_code = page.code.iter().filter(|(_, code)| is_call(code));
    let all = in_blocks.chain(in_code.cloned());
    all.filter_map(|(line, code)| Some(format!("{}: {}", line + 1, options::fault(&code)?)))
        .collect()
}

/// The expected results of examples in the help, by their descriptions. The last two run in long
/// tests only.
const HELP_RESULTS: [(&str, &str); 9] = [
    ("A mate in two, with proof", " #2 "),
    ("A mate in two", "Sound: one key, "),
    ("Four plies from the start, the count after each move", "Nodes searched: 140011"),
    ("Three plies after two moves, on one thread", "Nodes searched: "),
    ("With the tables in the program", " win "),
    ("Of Alquerque", " loss "),
    ("Results, lengths and first moves", "First move "),
    ("The start, ten plies deep, its three best moves", "   3 "),
    ("Who wins this position", " wins by "),
];

fn help_faults(_: &[String]) -> Vec<String> {
    let examples = reference::help_examples();
    let mut faults: Vec<String> =
        examples.iter().filter_map(|example| options::fault(&example.line)).collect();
    for (title, result) in HELP_RESULTS.into_iter().take(effort([7, 9, 9])) {
        let Some(example) = examples.iter().find(|example| example.title == title) else {
            faults.push(format!("no example has the title {title:?}"));
            continue;
        };
        let shown = format!("```console\n$ {}\n...\n[..]{result}[..]\n...\n```\n", example.line);
        let results = run_page(&Page::read(&shown), TIME_LIMIT);
        faults.extend(results.outputs.into_iter().map(|output| output.difference));
        faults.extend(results.faults);
    }
    faults
}

/// Commands with JSON output that the page of formats does not list.
fn json_not_named(_: &[String]) -> Vec<String> {
    let formats = text_of("docs/reference/formats.md");
    let section = formats.split("\n## ").find(|section| section.starts_with("JSON\n"));
    let section = section.expect("a section on JSON").to_owned();
    let prints = reference::COMMANDS.iter().filter(|(_, help)| help.contains(" --json"));
    let names = prints.map(|(command, _)| format!("`{}`", &command["qirkat ".len()..]));
    names.filter(|name| !section.contains(name)).collect()
}

/// Table rows with a wrong size of a network file.
fn wrong_sizes(_pages: &[String]) -> Vec<String> {
    let page = "docs/inside/network.md";
    let text = text_of(page);
    let mut wrong = Vec::new();
    for (title, file) in [
        ("Chesquerque", "qirkat.net"),
        ("Masonic chess", "masonic.net"),
        ("Alquerque", "alquerque.net"),
    ] {
        let network = Path::new(ROOT).join("engine-config").join(file);
        let bytes = fs::metadata(network).expect("it is there").len();
        let size = format!("| {} KB |", (bytes + 500) / 1000);
        let row = text.lines().find(|line| line.starts_with(&format!("| {title} |")));
        if !row.is_some_and(|row| row.contains(&size)) {
            wrong.push(format!("{page}: {title} has {size}"));
        }
    }
    wrong
}

fn missing_in_summary(pages: &[String]) -> Vec<String> {
    if !pages.iter().any(|name| name == SUMMARY) {
        return vec![format!("there is no {SUMMARY}")];
    }
    let summary = Page::read(&text_of(SUMMARY));
    let listed = |name: &str| summary.links.iter().any(|(_, link)| *link == name["docs/".len()..]);
    let guide = pages.iter().filter(|name| name.starts_with("docs/") && *name != SUMMARY);
    guide.filter(|name| !listed(name)).map(|name| format!("{SUMMARY} lacks {name}")).collect()
}

fn not_mentioned(pages: &[String]) -> Vec<String> {
    let texts: Vec<String> = pages.iter().map(|name| text_of(name)).collect();
    let by_hand: String = texts.iter().map(|text| reference::by_hand(text)).collect();
    let commands = reference::COMMANDS.iter().map(|(command, _)| command.clone());
    let commands = commands.filter(|command| !by_hand.contains(command));
    let lacks = |name: &String| !texts.iter().any(|text| text.contains(&format!("`{name}`")));
    let options = reference::uci_options().into_iter().filter(lacks);
    let parts =
        reference::PARTS.into_iter().map(|name| format!("<!-- from the program: {name} -->"));
    let parts = parts.filter(|part| !texts.iter().any(|text| text.contains(part)));
    commands.chain(options).chain(parts).map(|name| format!("the guide lacks {name}")).collect()
}

fn old_drawings(_: &[String]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut script = Command::new(Path::new(ROOT).join("scripts/draw-guide"));
    script.arg("boards").arg(folder.path()).env("QIRKAT", QIRKAT).env_remove("RUST_LOG");
    assert!(script.status().expect("the script starts").success());
    let mut faults = Vec::new();
    for drawing in fs::read_dir(folder.path()).expect("the folder").flatten() {
        let kept = Path::new(ROOT).join("docs/pictures").join(drawing.file_name());
        let drawn = fs::read(drawing.path()).expect("a drawing");
        if blesses() {
            fs::write(kept, drawn).expect("the drawing is written");
        } else if fs::read(&kept).ok() != Some(drawn) {
            faults.push(format!("{} is out of date: scripts/draw-guide", kept.display()));
        }
    }
    faults
}

fn not_listed(pages: &[String]) -> Vec<String> {
    let mut list = String::new();
    for name in pages {
        let page = Page::read(&text_of(name));
        for block in &page.blocks {
            let Some(reason) = &block.not_run else { continue };
            let first = page.lines[block.lines.start].trim();
            list += &format!("{name}: {first}  ({reason})\n");
        }
    }
    let path = Path::new(ROOT).join(NOT_RUN);
    if blesses() {
        fs::write(path, &list).expect("the list is written");
        return Vec::new();
    }
    let known = fs::read_to_string(path).unwrap_or_default();
    let [known, list] =
        [known, list].map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    patterns::difference(&known, &list).map(|it| format!("{NOT_RUN}:\n{it}")).into_iter().collect()
}
