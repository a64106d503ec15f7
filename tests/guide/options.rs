//! Checks commands that are not run: `--help` is added after their options, and help comes only if
//! the options before it are valid.

use std::process::{Command, Stdio};

use super::{QIRKAT, ROOT};

/// Words that end a shell command.
const ENDS: [&str; 6] = ["|", "||", "&&", "&", ";", "#"];

/// Words that a command may follow.
const BEFORE: [&str; 4] = ["parallel", "sudo", "time", "nohup"];

/// The program's complaint about a line of shell or inline code.
pub fn fault(line: &str) -> Option<String> {
    calls(line).into_iter().find_map(|mut call| {
        // Arguments after `--` are for other programs.
        let end = call.iter().position(|word| word == "--").unwrap_or(call.len());
        if call.first().is_none_or(|word| word != "help") {
            call.insert(end, "--help".to_owned());
        }
        let mut command = Command::new(QIRKAT);
        command.args(&call).env_remove("RUST_LOG").stdin(Stdio::null()).current_dir(ROOT);
        let output = command.output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        // `match` parses its own options and has no `--help`; if that is its complaint, the others
        // are valid.
        let is_right = output.status.success() || said.contains("-help: unknown option");
        (!is_right && !is_placeholder(&said)).then(|| format!("{line}\n    {}", said.trim()))
    })
}

/// Whether the complaint is about a placeholder such as `FILE` or `N`, or a missing value or file.
fn is_placeholder(said: &str) -> bool {
    let word = said.split(['`', '\'']).nth(1).unwrap_or_default();
    let stands_for_any = |letter: char| letter.is_ascii_uppercase() || "-_=.".contains(letter);
    let is_missing = ["No such file", "a value is required"].iter().any(|it| said.contains(it));
    is_missing || !word.is_empty() && !word.starts_with('-') && word.chars().all(stands_for_any)
}

fn calls(line: &str) -> Vec<Vec<String>> {
    let words: Vec<String> = shlex::Shlex::new(&line.replace("\\\n", " ")).collect();
    words.split(|word| ENDS.contains(&word.as_str())).filter_map(arguments).collect()
}

fn arguments(words: &[String]) -> Option<Vec<String>> {
    let words = words.iter().map(String::as_str).take_while(|word| !word.contains(['>', '<']));
    let is_before = |word: &&str| word.contains('=') || BEFORE.contains(word);
    let words: Vec<&str> = words.skip_while(is_before).collect();
    let arguments = match words.as_slice() {
        ["qirkat", arguments @ ..] => arguments,
        // Other programs or builds have other options.
        ["cargo", "run", ..] if words.iter().any(|it| ["--example", "--features"].contains(it)) => {
            return None;
        }
        ["cargo", "run", rest @ ..] => {
            let begin = rest.iter().position(|&word| word == "--")?;
            &rest[begin + 1..]
        }
        _ => return None,
    };
    Some(arguments.iter().map(|word| word.replace("{}", "1")).collect())
}
