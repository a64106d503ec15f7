//! `qirkat completions`.

use std::io::{Write, stdout};

use clap::{Args, Command};
use clap_complete::Shell;

use super::match_games::{self, ONE_DASH};

#[derive(Args)]
pub(super) struct CompletionsOptions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// The end of the help.
pub(super) const HELP: &str = "\
Examples:
  In bash, from its next start on:
    qirkat completions bash \\
        > ~/.local/share/bash-completion/completions/qirkat
  In zsh, whose fpath should have that folder:
    qirkat completions zsh > ~/.zfunc/_qirkat
  In fish:
    qirkat completions fish > ~/.config/fish/completions/qirkat.fish";

/// Prints the completions of a program's command line for a shell.
pub(super) fn run(options: &CompletionsOptions, command: Command) -> anyhow::Result<()> {
    let name = command.get_name().to_owned();
    // Arguments of one dash are for `match` to take apart, and for shells to complete.
    let mut command =
        command.mut_subcommand("match", |command| command.args(match_games::help_options()));
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut command, name, &mut text);
    let text = with_single_dashes(&String::from_utf8(text)?, options.shell);
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// The text of the generators, with one dash before the options of `match`, and without a
/// blank behind their keys; in bash with the keys wherever they may stand.
fn with_single_dashes(text: &str, shell: Shell) -> String {
    let long = format!("--{ONE_DASH}");
    let mut patched = String::new();
    for line in text.lines() {
        let line = match shell {
            Shell::Bash if line.trim() == "qirkat__subcmd__match)" => {
                format!("{line}\n{BASH_OPTION}")
            }
            Shell::Bash if is_choice_of_keys(line) => {
                format!("                    compopt -o nospace 2>/dev/null\n{line}")
            }
            Shell::Zsh if line.contains(&long) => {
                let line = line.replacen("=[", "[", 1);
                match line.split_once(":(") {
                    Some((before, keys)) => {
                        format!("{before}:{{compadd -S \"\" - {}", keys.replacen(")'", "}'", 1))
                    }
                    None => line,
                }
            }
            // With two colons, no options are completed behind a file.
            Shell::Zsh if line.starts_with("'*::") => line.replacen("::", ":", 1),
            Shell::Fish => line.replace(&format!("-l {ONE_DASH}"), "-o "),
            _ => line.to_owned(),
        };
        patched.push_str(&line.replace(&long, "-"));
        patched.push('\n');
    }
    patched
}

/// Finds the option to which a word belongs, which may not be the first behind it.
const BASH_OPTION: &str = r#"            for i in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
                [[ ${i} == -[[:alpha:]]* ]] && prev="${i}"
            done"#;

/// Whether a line offers keys such as `tc=`.
fn is_choice_of_keys(line: &str) -> bool {
    let choice = line.trim_start().strip_prefix("COMPREPLY=($(compgen -W \"");
    choice.and_then(|rest| rest.split('"').next()).is_some_and(|words| words.contains('='))
}
