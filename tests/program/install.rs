//! What an installed program tells and brings along: version, completions, man pages.

use std::fs;
use std::process::Command;

use crate::files::{folder, write};
use crate::run::{good_output, qirkat, text};

fn good(arguments: &[&str]) -> String {
    good_output(&qirkat(arguments.iter().copied()).output().expect("the binary runs"), &arguments)
}

/// The names of all commands, as help lists them.
fn commands() -> Vec<String> {
    let help = good(&["--help"]);
    let list = help.split_once("\nPlay:\n").expect("a list").1;
    let list = list.split_once("\nOptions:\n").expect("an end").0;
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

/// Options of `match` have one dash, and keys behind them.
#[test]
fn shells_complete_the_options_of_match() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = good(&["completions", shell]);
        let option = if shell == "fish" { "-o scoreinterval " } else { "-scoreinterval" };
        assert!(text.contains(option), "{shell}");
        assert!(!text.contains("--scoreinterval") && text.contains("-resume"), "{shell}");
    }
}

/// What bash offers for the last of these words; nothing where there is no bash.
fn completed_by_bash(words: &[&str]) -> Option<Vec<String>> {
    const ASK: &str = r#"source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _qirkat qirkat "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let folder = folder();
    let script = write(&folder, "qirkat.bash", &good(&["completions", "bash"]));
    let mut bash = Command::new("bash");
    let output = bash.args(["--norc", "-c", ASK, &script]).args(words).output().ok()?;
    Some(good_output(&output, &words).lines().map(str::to_owned).collect())
}

/// Values with names are offered, and options only where no file may stand.
#[test]
fn bash_completes_values() {
    for (words, expected) in [
        (vec!["analyse", "--game", ""], vec!["chesquerque", "masonic", "alquerque"]),
        (vec!["pgn", "convert", "--notation", ""], vec!["san", "lan"]),
        (vec!["compliance", "--only", "en-"], vec!["en-passant"]),
        (vec!["puzzles", "--theme", "w"], vec!["win"]),
        (vec!["rules", "--game", "m"], vec!["masonic"]),
        (vec!["match", "-variant", "a"], vec!["alquerque"]),
        (vec!["completions", "f"], vec!["fish"]),
        (vec!["tables", "p"], vec!["probe"]),
        (vec!["annotate", ""], vec![""]),
        (vec!["annotate", "--sv"], vec!["--svg"]),
    ] {
        if let Some(offered) = completed_by_bash(&[&["qirkat"], words.as_slice()].concat()) {
            assert_eq!(offered, expected, "{words:?}");
        }
    }
}

/// The same in fish, where it is there.
#[test]
fn fish_completes_values() {
    let folder = folder();
    let script = write(&folder, "qirkat.fish", &good(&["completions", "fish"]));
    for (line, expected) in [
        ("qirkat analyse --game ", "alquerque chesquerque masonic"),
        ("qirkat help annot", "annotate"),
        ("qirkat completions p", "powershell"),
        ("qirkat match -tourn", "-tournament"),
        ("qirkat match -variant m", "masonic"),
    ] {
        let ask = format!("source {script}; complete -C '{line}'");
        let Ok(output) = Command::new("fish").args(["-N", "-c", &ask]).output() else { return };
        let said = good_output(&output, &line);
        let words: Vec<&str> = said.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(words.join(" "), expected, "{line}");
    }
}

#[test]
fn bash_completes_a_match() {
    for (words, expected) in [
        (vec!["-e"], vec!["-engine", "-each", "-epdout", "-event"]),
        (vec!["-engine", ""], vec!["cmd=", "name=", "tc=", "option.", "conf=", "args="]),
        // Bash takes words apart at `=`.
        (vec!["-engine", "cmd", "=", "./a", "t"], vec!["tc=", "timemargin="]),
        (vec!["-engine", "cmd", "=", "./a", "-each", "n"], vec!["name=", "nodes="]),
        (vec!["-each", "tc", "=", "1", "-openings", "f"], vec!["format=", "file="]),
        (vec!["-games", "2", "--re"], vec!["--resume", "--report"]),
        (vec!["-pgnout", "file", "=", "x", "not"], vec!["notation="]),
    ] {
        let Some(offered) = completed_by_bash(&[&["qirkat", "match"], words.as_slice()].concat())
        else {
            return;
        };
        let is_offered = |word: &&str| offered.iter().any(|offer| offer == word);
        assert!(expected.iter().all(is_offered), "{words:?}: {offered:?}");
        let begun = words.last().is_some_and(|word| !word.is_empty());
        assert!(!begun || offered.len() == expected.len(), "{words:?}: {offered:?}");
    }
}

/// Where these shells are, they have no complaint about the completions.
#[test]
fn shells_read_their_completions() {
    let folder = folder();
    for shell in ["bash", "zsh", "fish"] {
        let script = write(&folder, shell, &good(&["completions", shell]));
        if let Ok(output) = Command::new(shell).args(["-n", &script]).output() {
            good_output(&output, &shell);
        }
    }
}

#[test]
fn every_command_has_a_man_page() {
    let folder = folder();
    let path = folder.path().join("deep").join("man1");
    let name = path.to_str().expect("a path in UTF-8");
    assert_eq!(good(&["man", name]), "");
    let again = qirkat(["man", name]).output().expect("the program starts");
    assert!(text(&again.stderr).contains("exists already"), "{again:?}");
    assert_eq!(good(&["man", name, "--overwrite"]), "");
    let page = |name: &str| fs::read_to_string(path.join(name)).expect(name);
    assert!(page("qirkat.1").contains(".TH"), "no title");
    assert!(page("qirkat-pgn-check.1").contains(r".BR qirkat\-pgn (1)"), "it leads on");
    for command in commands().iter().filter(|command| *command != "help") {
        let text = page(&format!("qirkat-{command}.1"));
        for title in [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "OPTIONS",
            "ENVIRONMENT",
            "EXIT STATUS",
            "EXAMPLES",
            "SEE ALSO",
        ] {
            assert_eq!(text.matches(&format!(".SH {title}\n")).count(), 1, "{command}: {text}");
        }
        assert!(text.contains(&format!("    qirkat {command}").replace('-', r"\-")[4..]), "{text}");
        // Where this program is, it has no complaint but that there is no date.
        let path = path.join(format!("qirkat-{command}.1"));
        if let Ok(output) =
            Command::new("mandoc").args(["-Tlint", "-W", "error"]).arg(path).output()
        {
            good_output(&output, command);
        }
    }
    // Lines that are set by hand stay lines.
    let text = page("qirkat-match.1");
    let lines = text.split_once(".PP\n.RS -3\n.nf\nEngines:\n").expect("kept lines").1;
    let lines = lines.split_once("\n.fi\n").expect("their end").0.replace(r"\-", "-");
    let help = good(&["match", "--help"]);
    for option in [
        "-each NAME=VALUE...",
        "-variant chesquerque|masonic|alquerque",
        "-openings file=BOOK",
        "-repeat",
    ] {
        for text in [&lines, &help] {
            assert!(text.lines().any(|line| line.starts_with(option)), "{option}: {text}");
        }
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
