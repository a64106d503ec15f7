//! `qirkat completions`.

use std::io::{Write, stdout};

use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;

use super::match_games::{self, ONE_DASH};
use qirkat_game::text::push;

#[derive(Args)]
pub(super) struct CompletionsOptions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

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
    let mut text = with_single_dashes(&String::from_utf8(text)?, options.shell);
    if options.shell == Shell::Fish {
        // Words without an option, which the generator leaves out there.
        let commands: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let shells = Shell::value_variants().iter().map(ToString::to_string);
        let shells = shells.collect::<Vec<_>>().join(" ");
        for (name, words) in [("help", commands.join(" ")), ("completions", shells)] {
            let condition = format!("__fish_qirkat_using_subcommand {name}");
            push(
                &mut text,
                format_args!("complete -c qirkat -n \"{condition}\" -f -a \"{words}\"\n"),
            );
        }
    }
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// The text of the generators, with one dash before the options of `match`, and without a
/// blank behind their keys; in bash with the keys wherever they may stand, and with files
/// where options alone would be offered in their place.
fn with_single_dashes(text: &str, shell: Shell) -> String {
    let long = format!("--{ONE_DASH}");
    let mut patched = String::new();
    let mut has_words = true;
    for line in text.lines() {
        if let Some(words) = line.trim_start().strip_prefix("opts=\"") {
            has_words = words.contains(&long) || words.split(' ').any(|it| !it.starts_with('-'));
        }
        let line = match shell {
            Shell::Bash if !has_words && line.contains(" || ${COMP_CWORD} -eq ") => {
                let end = line.find(" || ").unwrap_or(line.len());
                format!("{} ]] ; then", &line[..end])
            }
            // The last line of a command.
            Shell::Bash if !has_words && line.starts_with("            COMPREPLY=( ") => {
                "            COMPREPLY=()".to_owned()
            }
            Shell::Bash if line.trim() == "qirkat__subcmd__match)" => {
                format!("{line}\n{BASH_OPTION}")
            }
            Shell::Bash if is_choice_of_keys(line) => {
                format!("                    compopt -o nospace 2>/dev/null\n{line}")
            }
            Shell::Zsh if line.contains(&long) => {
                let line = line.replacen("=[", "[", 1);
                match line.split_once(":(") {
                    Some((before, keys)) if keys.contains('=') => {
                        format!("{before}:{{compadd -S \"\" - {}", keys.replacen(")'", "}'", 1))
                    }
                    _ => line,
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
