//! What an installed program tells and brings along: version, completions, man pages.

use std::fs;

use crate::files::folder;
use crate::run::{good_output, qirkat, text};

fn good(arguments: &[&str]) -> String {
    good_output(&qirkat(arguments.iter().copied()).output().expect("the binary runs"), &arguments)
}

/// The names of all commands, as help lists them.
fn commands() -> Vec<String> {
    let help = good(&["--help"]);
    let list = help.split_once("Commands:\n").expect("a list").1;
    let list = list.split_once("\n\n").expect("an end").0;
    let names = list.lines().filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| !line.starts_with(' '));
    names.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn the_version_tells_the_build() {
    let version = concat!("qirkat ", env!("CARGO_PKG_VERSION"), " (");
    for flag in ["--version", "-V"] {
        let said = good(&[flag]);
        assert!(
            said.starts_with(version) && said.contains("network ") && said.ends_with(")\n"),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn shells_complete_every_command() {
    let commands = commands();
    assert!(commands.len() > 15, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = good(&["completions", shell]);
        for command in &commands {
            assert!(text.contains(command.as_str()), "{shell} does not know {command}");
        }
        assert!(text.contains("multipv"), "{shell} does not know the options");
    }
}

#[test]
fn every_command_has_a_man_page() {
    let folder = folder();
    let path = folder.path().join("deep").join("man1");
    assert_eq!(good(&["man", path.to_str().expect("a path in UTF-8")]), "");
    let page = |name: &str| fs::read_to_string(path.join(name)).expect(name);
    assert!(page("qirkat.1").contains(".TH"), "no title");
    for command in commands().iter().filter(|command| *command != "help") {
        let text = page(&format!("qirkat-{command}.1"));
        assert!(text.contains(".SH OPTIONS"), "{command}: {text}");
    }
}

#[test]
fn misuse_is_told_in_a_line() {
    for (arguments, complaint) in [
        (vec!["completions", "cmd"], "invalid value 'cmd'"),
        (vec!["completions"], "<SHELL>"),
        (vec!["man"], "<FOLDER>"),
        (vec!["man", "/dev/null/man"], "/dev/null/man: "),
    ] {
        let output = qirkat(arguments.iter().copied()).output().expect("the binary runs");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(complaint) && errors.lines().count() == 1, "{errors}");
    }
}
