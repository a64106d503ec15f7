//! The generated parts of pages. Such a part stands between `<!-- from the program: NAME -->` and
//! `<!-- end -->`.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use super::QIRKAT;

const BEGIN: &str = "<!-- from the program: ";
const END: &str = "<!-- end -->";

/// The names of the parts, each used on some page.
pub const PARTS: [&str; 2] = ["commands", "options"];

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

pub fn by_hand(text: &str) -> String {
    let mut parts = text.split(BEGIN);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |whole, part| whole + part.split_once(END).map_or("", |(_, rest)| rest))
}

fn made(name: &str) -> Option<String> {
    match name {
        "commands" => Some(COMMANDS.iter().map(section).collect::<Vec<_>>().join("\n")),
        "options" => Some(options_table()),
        _ => None,
    }
}

/// A command line and its help.
pub type Help = (String, String);

/// The program, its commands and their subcommands.
pub static COMMANDS: LazyLock<Vec<Help>> = LazyLock::new(|| {
    let mut commands = vec![help("qirkat".to_owned()).expect("it has help")];
    let mut next = 0;
    while let Some((command, help)) = commands.get(next) {
        next += 1;
        // Help lists commands with descriptions, and lists other things in the same way.
        let words = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  "));
        let words = words.map(|(word, _)| word).filter(|&word| word != "help");
        let names = words.filter(|word| word.starts_with(|first: char| first.is_ascii_lowercase()));
        let below = names.filter_map(|name| self::help(format!("{command} {name}")));
        let below: Vec<Help> = below.collect();
        commands.splice(next..next, below);
    }
    commands
});

fn help(command: String) -> Option<Help> {
    let mut program = Command::new(QIRKAT);
    program.args(command.split(' ').skip(1)).arg("--help").env("COLUMNS", "80");
    program.env("NO_COLOR", "1").env_remove("RUST_LOG").stdin(Stdio::null());
    let output = program.output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let is_about = text.lines().any(|line| {
        let usage = line.strip_prefix("Usage: ").and_then(|it| it.strip_prefix(&*command));
        usage.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    });
    is_about.then_some((command, text))
}

/// An example at the end of a command's help: its description and command.
pub struct HelpExample {
    pub title: String,
    pub line: String,
}

pub fn help_examples() -> Vec<HelpExample> {
    let mut examples: Vec<HelpExample> = Vec::new();
    for (_, help) in &*COMMANDS {
        let Some((_, text)) = help.split_once("\nExamples:\n") else { continue };
        let mut title = String::new();
        let mut goes_on = false;
        for line in text.lines() {
            let words = line.trim();
            if goes_on {
                let example = examples.last_mut().expect("its beginning");
                example.line += &format!("\n{words}");
            } else if line.starts_with("    ") {
                examples.push(HelpExample { title: title.clone(), line: words.to_owned() });
            } else {
                title = words.trim_end_matches(':').to_owned();
            }
            goes_on = words.ends_with('\\');
        }
    }
    examples
}

fn section((command, help): &Help) -> String {
    let level = command.split(' ').count().clamp(2, 3);
    let help: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
    format!("{} {command}\n\n```text\n{}\n```\n", "#".repeat(level), help.join("\n"))
}

/// Options whose maximum depends on the machine.
const OF_THE_MACHINE: [&str; 2] = ["Hash", "Threads"];

fn options_table() -> String {
    let help = answer("help options");
    let mut table = "| option | values | default | what it does |\n|---|---|---|---|\n".to_owned();
    let mut lines = help.lines();
    while let Some((head, text)) = lines.next().zip(lines.next()) {
        let (name, values) = head.split_once(": ").expect("its values");
        let (name, only) = name.split_once(" (").unwrap_or((name, ""));
        let (values, default) = values.split_once("; ").unwrap_or((values, ""));
        let values = match values.rsplit_once(" to ") {
            Some((least, _)) if OF_THE_MACHINE.contains(&name) => format!("{least} on"),
            _ => values.replace('<', "\\<"),
        };
        let default = if default.is_empty() { String::new() } else { format!("`{default}`") };
        let only = only.strip_suffix(')').map(|only| format!(" ({only})")).unwrap_or_default();
        let text = text.trim().replace('<', "\\<");
        table += &format!("| `{name}` | {values} | {default} | {text}{only} |\n");
    }
    table
}

pub fn uci_options() -> Vec<String> {
    let said = answer("uci");
    let names = said.lines().filter_map(|line| line.strip_prefix("option name "));
    names.filter_map(|line| line.split_once(" type ")).map(|(name, _)| name.to_owned()).collect()
}

/// The program's answer to a UCI command.
fn answer(line: &str) -> String {
    let mut program = Command::new(QIRKAT);
    program.env_remove("RUST_LOG").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut program = program.spawn().expect("the program starts");
    let mut input = program.stdin.take().expect("its input");
    writeln!(input, "{line}").expect("it reads");
    drop(input);
    let output = program.wait_with_output().expect("it ends");
    String::from_utf8(output.stdout).expect("UTF-8")
}
