//! The parts of pages that are made from the program. Such a part stands between
//! `<!-- from the program: NAME -->` and `<!-- end -->`.

use std::io::Write;
use std::process::{Command, Stdio};

use super::QIRKAT;

const BEGIN: &str = "<!-- from the program: ";
const END: &str = "<!-- end -->";

/// The names of the parts, each of which some page has.
pub const PARTS: [&str; 2] = ["commands", "options"];

/// A page with its parts made anew.
pub fn renewed(text: &str) -> Result<String, String> {
    let mut parts = text.split(BEGIN);
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(" -->\n").ok_or("a part without a name")?;
        let (_, rest) = rest.split_once(END).ok_or_else(|| format!("{name} has no end"))?;
        let made = made(name).ok_or_else(|| format!("{name} cannot be made"))?;
        whole += &format!("{BEGIN}{name} -->\n\n{made}\n{END}{rest}");
    }
    Ok(whole)
}

/// A page without these parts: what people have written.
pub fn by_hand(text: &str) -> String {
    let mut parts = text.split(BEGIN);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |whole, part| whole + part.split_once(END).map_or("", |(_, rest)| rest))
}

fn made(name: &str) -> Option<String> {
    match name {
        "commands" => {
            Some(commands().iter().map(|command| section(command)).collect::<Vec<_>>().join("\n"))
        }
        "options" => Some(options_table()),
        _ => None,
    }
}

/// The program itself, as it is called, and each of its commands and their commands.
pub fn commands() -> Vec<String> {
    let mut commands = vec!["qirkat".to_owned()];
    let mut next = 0;
    while let Some(command) = commands.get(next) {
        next += 1;
        let help = help(command);
        let list = help.split_once("Commands:\n").map_or("", |(_, list)| list);
        let names = list.lines().take_while(|line| !line.is_empty());
        let names = names.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        let below = names.filter(|name| !["", "help"].contains(name));
        let below: Vec<String> = below.map(|name| format!("{command} {name}")).collect();
        commands.splice(next..next, below);
    }
    commands
}

/// What the program says of a command.
fn help(command: &str) -> String {
    let words = command.split(' ').skip(1).chain(["--help"]);
    answer(&words.collect::<Vec<_>>(), "")
}

fn section(command: &str) -> String {
    let level = command.split(' ').count().clamp(2, 3);
    let help = help(command);
    let help: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
    format!("{} {command}\n\n```text\n{}\n```\n", "#".repeat(level), help.join("\n"))
}

/// Options whose largest value depends on the machine.
const OF_THE_MACHINE: [&str; 2] = ["Hash", "Threads"];

fn options_table() -> String {
    let help = answer(&[], "help options\n");
    let mut table = "| option | values | default | |\n|---|---|---|---|\n".to_owned();
    let mut lines = help.lines();
    while let Some((head, text)) = lines.next().zip(lines.next()) {
        let (name, values) = head.split_once(": ").expect("its values");
        let (name, only) = name.split_once(" (").unwrap_or((name, ""));
        let (values, default) = values.split_once("; ").unwrap_or((values, ""));
        let mut values = values.to_owned();
        if OF_THE_MACHINE.contains(&name) {
            values.truncate(values.rfind(" to ").expect("a range"));
        }
        let default = if default.is_empty() { String::new() } else { format!("`{default}`") };
        let only = only.strip_suffix(')').map(|only| format!(" ({only})")).unwrap_or_default();
        let row = format!("| `{name}` | {values} | {default} | {}{only} |\n", text.trim());
        table += &row.replace('<', "\\<");
    }
    table
}

/// The options that UCI announces.
pub fn uci_options() -> Vec<String> {
    let said = answer(&[], "uci\n");
    let names = said.lines().filter_map(|line| line.strip_prefix("option name "));
    names.filter_map(|line| line.split_once(" type ")).map(|(name, _)| name.to_owned()).collect()
}

/// What the program answers.
fn answer(arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(QIRKAT);
    command.args(arguments).env("COLUMNS", "80").env("NO_COLOR", "1").env_remove("RUST_LOG");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut program = command.spawn().expect("the program starts");
    let mut pipe = program.stdin.take().expect("its input");
    // It may not want to read.
    drop(pipe.write_all(input.as_bytes()));
    drop(pipe);
    let output = program.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}
