//! `qirkat man` and `qirkat completions`, generated from the command line's definition and help.

use std::fs;
use std::io::{self, Write, stdout};
use std::path::PathBuf;

use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;

use super::match_games::{self, ONE_DASH};
use super::{GROUPS, HELP as PROGRAM_HELP};
use crate::shared::files::{AtPath, Overwrite};
use qirkat_game::text::push;
use qirkat_system::output_file::AtomicFile;

#[derive(Args)]
pub(crate) struct ManOptions {
    /// The folder for the pages; created if missing
    #[arg(value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    folder: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
}

pub(crate) const MAN_HELP: &str = "\
Examples:
  Where `man qirkat` and `man qirkat-analyse` find them:
    qirkat man ~/.local/share/man/man1
  Replace them by those of another version:
    qirkat man ~/.local/share/man/man1 --overwrite";

pub(crate) fn run_man(options: &ManOptions, command: Command) -> anyhow::Result<()> {
    let folder = &options.folder;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    fs::create_dir_all(folder).at_path(folder)?;
    let mut pages = Vec::new();
    write_pages(&command, &[], options, &mut pages)?;
    pages.into_iter().try_for_each(AtomicFile::finish).at_path(folder)
}

/// Writes the man page of a command and of its subcommands. No file is replaced unless all can be
/// written.
fn write_pages(
    command: &Command,
    above: &[&Command],
    options: &ManOptions,
    pages: &mut Vec<AtomicFile>,
) -> anyhow::Result<()> {
    let here = [above, &[command]].concat();
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write_pages(below, &here, options, pages)?;
    }
    let path = options.folder.join(format!("{}.1", name_of(command)));
    let mut file = options.overwrite.begin(&path, "")?;
    file.content.write_all(page(command, above)?.as_bytes())?;
    pages.push(file);
    Ok(())
}

fn name_of(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

fn page(command: &Command, above: &[&Command]) -> io::Result<String> {
    let mut command = command.clone().subcommand_help_heading("COMMANDS");
    let usage = command.render_usage().to_string();
    let command = command.override_usage(usage.trim_start_matches("Usage: ").to_owned());
    let man = Man::new(command.clone());
    let mut made = format!(
        ".TH {} 1 \"\" \"Qirkat {}\"\n",
        escaped(&name_of(&command).to_uppercase()),
        env!("CARGO_PKG_VERSION")
    )
    .into_bytes();
    man.render_name_section(&mut made)?;
    man.render_synopsis_section(&mut made)?;
    man.render_description_section(&mut made)?;
    if above.is_empty() {
        made.extend(groups(&command).bytes());
    } else if command.has_subcommands() {
        man.render_subcommands_section(&mut made)?;
    }
    man.render_options_section(&mut made)?;
    let mut page = String::from_utf8_lossy(&made).into_owned();
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let notes = section(&help, "");
    if !notes.is_empty() {
        // `match` lists its own options.
        if notes.lines().any(|line| line.starts_with('-')) {
            page.push_str(".PP\n");
            // They are as wide as the help, which has no margin.
            push_lines(&mut page, -3, notes.lines());
        } else {
            page.push_str(".SH NOTES\n");
            for line in notes.lines() {
                let line = if line.is_empty() { ".PP".to_owned() } else { escaped(line) };
                push(&mut page, format_args!("{line}\n"));
            }
        }
    }
    for (title, heading) in [("ENVIRONMENT", "Environment:"), ("EXIT STATUS", "Exit status:")] {
        push(&mut page, format_args!(".SH {title}\n"));
        let lines = section(PROGRAM_HELP, heading).lines();
        push_lines(&mut page, 0, lines.map(|line| line.strip_prefix("  ").unwrap_or(line)));
    }
    page.push_str(".SH EXAMPLES\n");
    for line in section(&help, "Examples:").lines() {
        match line.strip_prefix("    ") {
            Some(command) => push_lines(&mut page, 4, [command]),
            None => push(&mut page, format_args!("{}\n", escaped(line.trim_start()))),
        }
    }
    if !above.is_empty() {
        page.push_str(".SH SEE ALSO\n");
        page.push_str(&see_also(&command, above));
    }
    Ok(page)
}

fn groups(program: &Command) -> String {
    let mut text = ".SH COMMANDS\n".to_owned();
    for (title, names) in GROUPS {
        push(&mut text, format_args!(".SS {title}\n"));
        for command in names.iter().filter_map(|name| program.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let name = escaped(name_of(command));
            push(&mut text, format_args!(".TP\n.BR {name} (1)\n{}\n", escaped(&about)));
        }
    }
    text
}

/// The lines of a help's end section under a heading; those before the first heading have none.
fn section<'a>(help: &'a str, heading: &str) -> &'a str {
    const HEADINGS: [&str; 3] = ["Environment:", "Exit status:", "Examples:"];
    let start = match heading {
        "" => 0,
        _ => help.find(heading).map_or(help.len(), |at| at + heading.len()),
    };
    let rest = &help[start..];
    let end = HEADINGS.iter().filter_map(|heading| rest.find(heading)).min();
    rest[..end.unwrap_or(rest.len())].trim_matches('\n')
}

fn push_lines<'a>(page: &mut String, indent: i8, lines: impl IntoIterator<Item = &'a str>) {
    push(page, format_args!(".RS {indent}\n.nf\n"));
    for line in lines {
        push(page, format_args!("{}\n", escaped(line)));
    }
    page.push_str(".fi\n.RE\n");
}

/// Escapes roff's control characters in a line.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}

/// Related pages: the parent page and those of the same group.
fn see_also(command: &Command, above: &[&Command]) -> String {
    let mut names: Vec<String> = Vec::new();
    let page_of = |command: &Command| name_of(command).to_owned();
    names.extend(above.iter().map(|command| page_of(command)));
    match above {
        [] => {}
        [_] => {
            let group = GROUPS.iter().find(|(_, names)| names.contains(&command.get_name()));
            let others = group.map_or(&[][..], |(_, names)| names);
            let others = others.iter().filter(|name| **name != command.get_name());
            names.extend(
                others.filter(|name| **name != "help").map(|name| format!("qirkat-{name}")),
            );
        }
        [.., parent] => {
            let others = parent.get_subcommands().filter(|it| it.get_name() != command.get_name());
            names.extend(others.map(page_of));
        }
    }
    let names: Vec<String> =
        names.iter().map(|name| format!(".BR {} (1)", escaped(name))).collect();
    names.join(" ,\n") + "\n"
}

#[derive(Args)]
pub(crate) struct CompletionsOptions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) const COMPLETIONS_HELP: &str = "\
Examples:
  In bash, from the next shell on:
    qirkat completions bash \\
        > ~/.local/share/bash-completion/completions/qirkat
  In zsh, if fpath has that folder:
    qirkat completions zsh > ~/.zfunc/_qirkat
  In fish:
    qirkat completions fish > ~/.config/fish/completions/qirkat.fish";

pub(crate) fn run_completions(
    options: &CompletionsOptions,
    command: Command,
) -> anyhow::Result<()> {
    let name = command.get_name().to_owned();
    // Arguments with one dash are parsed by `match` and completed by shells.
    let mut command =
        command.mut_subcommand("match", |command| command.args(match_games::help_options()));
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut command, name, &mut text);
    let mut text = with_single_dashes(&String::from_utf8(text)?, options.shell);
    if options.shell == Shell::Fish {
        // Subcommands without options, which the generator omits there.
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

/// The generated text, with single dashes for the options of `match` and no blank after their keys.
/// In bash the keys are offered for every word of such an option. Where another command has nothing
/// but options to offer, bash completes file names, unless the word begins with a dash.
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
            // The words offered are keys such as `tc=`.
            Shell::Bash
                if line.trim_start().starts_with("COMPREPLY=($(compgen -W \"")
                    && line.split('"').nth(1).is_some_and(|words| words.contains('=')) =>
            {
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
            // With two colons, zsh completes no options after a file.
            Shell::Zsh if line.starts_with("'*::") => line.replacen("::", ":", 1),
            Shell::Fish => line.replace(&format!("-l {ONE_DASH}"), "-o "),
            _ => line.to_owned(),
        };
        patched.push_str(&line.replace(&long, "-"));
        patched.push('\n');
    }
    patched
}

/// Sets `prev` to the option that the current word belongs to, even with other words between.
const BASH_OPTION: &str = r#"            for i in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
                [[ ${i} == -[[:alpha:]]* ]] && prev="${i}"
            done"#;
