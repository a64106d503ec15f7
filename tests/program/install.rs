use std::process::{Command, Output};

use crate::run::Folder;

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

fn commands(folder: &Folder) -> Vec<String> {
    let help = folder.good("--help");
    let list = help.split_once("\nPlay:\n").expect("a list").1;
    let list = list.split_once("\nOptions:\n").expect("an end").0;
    let names = list.lines().filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| !line.starts_with(' '));
    names.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

fn said(mut command: Command) -> Option<String> {
    let Output { status, stdout, stderr } = command.output().ok()?;
    let errors = String::from_utf8_lossy(&stderr);
    assert!(status.success() && errors.is_empty(), "{command:?}: {errors}");
    Some(String::from_utf8(stdout).expect("UTF-8"))
}

/// Options of `match` have one dash and take keys. Installed shells accept the completions.
#[test]
fn shells_complete_every_command() {
    let folder = Folder::new();
    let commands = commands(&folder);
    assert!(commands.len() > 15, "{commands:?}");
    for shell in SHELLS {
        let text = folder.good(&format!("completions {shell}"));
        let option = if shell == "fish" { "-o scoreinterval " } else { "-scoreinterval" };
        for word in commands.iter().map(String::as_str).chain(["multipv", option, "-resume"]) {
            assert!(text.contains(word), "{shell} does not know {word}");
        }
        assert!(!text.contains("--scoreinterval"), "{shell}");
        if ["bash", "zsh", "fish"].contains(&shell) {
            let mut reads = Command::new(shell);
            reads.arg("-n").arg(folder.write(shell, text));
            said(reads);
        }
    }
}

#[test]
fn bash_completes_values() {
    const ASK: &str = r#"source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _qirkat qirkat "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let folder = Folder::new();
    let script = folder.write("qirkat.bash", folder.good("completions bash"));
    // A trailing blank adds no word.
    for (line, expected, is_all) in [
        ("analyse --game ", "chesquerque masonic alquerque", true),
        ("pgn convert --notation ", "san lan", true),
        ("compliance --only en-", "en-passant", true),
        ("puzzles --theme w", "win", true),
        ("rules --game m", "masonic", true),
        ("match -variant a", "alquerque", true),
        ("completions f", "fish", true),
        ("tables p", "probe", true),
        ("annotate ", "", true),
        ("annotate --sv", "--svg", true),
        ("match -e", "-each -engine -epdout -event", true),
        ("match -engine ", "args= cmd= conf= name= option. tc=", false),
        // Bash splits words at `=`.
        ("match -engine cmd = ./a t", "tc= timemargin=", true),
        ("match -engine cmd = ./a -each n", "name= nodes=", true),
        ("match -each tc = 1 -openings f", "file= format=", true),
        ("match -games 2 --re", "--report --resume", true),
        ("match -pgnout file = x not", "notation=", true),
    ] {
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-c", ASK]).arg(&script).arg("qirkat").args(line.split(' '));
        let Some(offered) = said(bash) else { return };
        let (mut offered, mut expected): (Vec<&str>, Vec<&str>) =
            (offered.lines().collect(), expected.split(' ').collect());
        offered.sort_unstable();
        expected.sort_unstable();
        if !is_all {
            offered.retain(|word| expected.contains(word));
        }
        assert_eq!(offered, expected, "{line}");
    }
}

#[test]
fn fish_completes_values() {
    let folder = Folder::new();
    let script = folder.write("qirkat.fish", folder.good("completions fish"));
    for (line, expected) in [
        ("qirkat analyse --game ", "alquerque chesquerque masonic"),
        ("qirkat help annot", "annotate"),
        ("qirkat completions p", "powershell"),
        ("qirkat match -tourn", "-tournament"),
        ("qirkat match -variant m", "masonic"),
    ] {
        let mut fish = Command::new("fish");
        let ask = format!("source {}; complete -C '{line}'", script.display());
        fish.args(["-N", "-c", &ask]);
        let Some(said) = said(fish) else { return };
        let words: Vec<&str> = said.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(words.join(" "), expected, "{line}");
    }
}

#[test]
fn every_command_has_a_man_page() {
    let folder = Folder::new();
    assert_eq!(folder.good("man deep/man1"), "");
    folder.refuse("man deep/man1", "already exists");
    assert_eq!(folder.good("man deep/man1 --overwrite"), "");
    let page = |name: &str| folder.read(&format!("deep/man1/{name}"));
    assert!(page("qirkat.1").contains(".TH"), "no title");
    assert!(page("qirkat-pgn-check.1").contains(r".BR qirkat\-pgn (1)"), "it leads on");
    for command in commands(&folder).iter().filter(|command| *command != "help") {
        let text = page(&format!("qirkat-{command}.1"));
        let titles = "NAME,SYNOPSIS,DESCRIPTION,OPTIONS,ENVIRONMENT,EXIT STATUS,EXAMPLES,SEE ALSO";
        for title in titles.split(',') {
            assert_eq!(text.matches(&format!(".SH {title}\n")).count(), 1, "{command}: {text}");
        }
        assert!(text.contains(&format!("qirkat {command}").replace('-', r"\-")), "{text}");
        // If `man` is installed, its only complaint is the missing date.
        let mut mandoc = Command::new("mandoc");
        let path = folder.path(&format!("deep/man1/qirkat-{command}.1"));
        mandoc.args(["-Tlint", "-W", "error"]).arg(path);
        said(mandoc);
    }
    // Preformatted lines keep their breaks.
    let text = page("qirkat-match.1");
    let lines = text.split_once(".PP\n.RS -3\n.nf\nEngines:\n").expect("kept lines").1;
    let lines = lines.split_once("\n.fi\n").expect("their end").0.replace(r"\-", "-");
    let help = folder.good("match --help");
    for option in ["-each NAME=VALUE...", "-variant chesquerque|", "-openings file=BOOK", "-repeat"]
    {
        for text in [&lines, &help] {
            assert!(text.lines().any(|line| line.starts_with(option)), "{option}: {text}");
        }
    }
}
