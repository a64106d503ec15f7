//! Whether commands that are not run could be: the program is asked for help behind all their
//! options, and gives it only where none before is wrong.

use std::process::{Command, Stdio};

use super::{QIRKAT, ROOT};

/// Words that end a command in a shell.
const ENDS: [&str; 6] = ["|", "||", "&&", "&", ";", "#"];

/// What the program says against a line of a shell, or against code in a sentence.
pub fn fault(line: &str) -> Option<String> {
    calls(line).into_iter().find_map(|call| {
        let mut command = Command::new(QIRKAT);
        command.args(&call).arg("--help").env_remove("RUST_LOG").stdin(Stdio::null());
        let output = command.current_dir(ROOT).output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        // `match` reads its options itself and knows no such one; so it has read the others.
        let is_right = output.status.success() || said.contains("-help: unknown option");
        (!is_right && !is_placeholder(&said)).then(|| format!("{line}\n    {}", said.trim()))
    })
}

/// Whether the program found fault with a word such as `FILE` or `N`, which stands for any,
/// or missed a value or a file.
fn is_placeholder(said: &str) -> bool {
    let value = said.split(['`', '\'']).nth(1).unwrap_or_default();
    let is_name = |letter: char| letter.is_ascii_uppercase() || "-_=".contains(letter);
    said.contains("No such file")
        || said.contains("a value is required")
        || said.contains("invalid value") && !value.is_empty() && value.chars().all(is_name)
}

/// The arguments of each call of the program in a line.
fn calls(line: &str) -> Vec<Vec<String>> {
    let words: Vec<String> = shlex::Shlex::new(&line.replace("\\\n", " ")).collect();
    let commands = words.split(|word| ENDS.contains(&word.as_str()));
    commands
        .filter_map(|words| {
            let words: Vec<&str> = words
                .iter()
                .map(String::as_str)
                .take_while(|word| !word.contains(['>', '<']))
                .collect();
            let is_cargo = words.starts_with(&["cargo", "run"]) && !words.contains(&"--example");
            let name = if is_cargo { "--" } else { "qirkat" };
            let begin = words.iter().position(|&word| word == name)?;
            Some(words[begin + 1..].iter().map(|word| word.replace("{}", "1")).collect())
        })
        .collect()
}
