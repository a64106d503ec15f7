//! The examples of a page: shell commands with their output.

use std::fs;
use std::io::{Read, Seek};
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use command_group::CommandGroup;

use super::pages::{Block, Page};
use super::patterns::{difference, with_gaps};
use super::{QIRKAT, ROOT};

pub const TIME_LIMIT: Duration = Duration::from_secs(120);

#[derive(Debug)]
pub struct Example {
    /// Its line, counted from 0.
    pub line: usize,
    pub command: String,
    status: i32,
    /// Its expected output.
    output: Range<usize>,
}

/// The examples of a block, or the invalid line.
pub fn examples(page: &Page, block: &Block) -> Result<Vec<Example>, String> {
    let text = |line: usize| page.lines[line].get(block.indent..).unwrap_or_default();
    let mut lines = block.lines.clone().peekable();
    let mut examples = Vec::new();
    while let Some(line) = lines.next() {
        let Some(command) = text(line).strip_prefix("$ ") else {
            return Err(format!("{}: no command: {}", line + 1, text(line)));
        };
        let mut command = command.to_owned();
        while command.ends_with('\\')
            && let Some(next) = lines.next()
        {
            command = format!("{command}\n{}", text(next));
        }
        let status = |line: &usize| text(*line).strip_prefix("? ")?.parse().ok();
        let status = lines.peek().and_then(status);
        if status.is_some() {
            lines.next();
        }
        let first = lines.peek().copied().unwrap_or(block.lines.end);
        while lines.next_if(|&line| !text(line).starts_with("$ ")).is_some() {}
        let end = lines.peek().copied().unwrap_or(block.lines.end);
        let printed = (first..end).rfind(|&line| !text(line).trim().is_empty());
        let output = first..printed.map_or(first, |last| last + 1);
        examples.push(Example { line, command, status: status.unwrap_or_default(), output });
    }
    Ok(examples)
}

#[derive(Default)]
pub struct Results {
    pub faults: Vec<String>,
    /// Outputs that differ from the page.
    pub outputs: Vec<OtherOutput>,
}

pub struct OtherOutput {
    pub difference: String,
    /// The lines of the page, and their replacement.
    pub range: Range<usize>,
    pub lines: Vec<String>,
}

pub fn run_page(page: &Page, limit: Duration) -> Results {
    let folder = tempfile::tempdir().expect("a folder");
    for file in fs::read_dir(Path::new(ROOT).join("tests/guide/files")).into_iter().flatten() {
        let file = file.expect("a file");
        fs::copy(file.path(), folder.path().join(file.file_name())).expect("it is copied");
    }
    let mut results = Results::default();
    for block in page.blocks.iter().filter(|block| block.not_run.is_none()) {
        match examples(page, block) {
            Ok(examples) => {
                for example in examples {
                    check(page, block.indent, &example, folder.path(), limit, &mut results);
                }
            }
            Err(fault) => results.faults.push(fault),
        }
    }
    results
}

fn check(
    page: &Page,
    indent: usize,
    example: &Example,
    folder: &Path,
    limit: Duration,
    results: &mut Results,
) {
    let Example { line, command, output, .. } = example;
    let fault = |what: &str| format!("{}: $ {command}\n{what}", line + 1);
    let (status, printed) = run(command, folder, limit);
    let printed: Vec<String> =
        printed.trim_end().lines().map(|line| line.trim_end().to_owned()).collect();
    if status != Some(example.status) {
        let ended =
            status.map_or(format!("is not over after {limit:?}"), |it| format!("ends with {it}"));
        let text = format!("    {ended} instead of {}, having printed\n      ", example.status);
        results.faults.push(fault(&(text + &printed.join("\n      "))));
        return;
    }
    let expected: Vec<String> = page.lines[output.clone()]
        .iter()
        .map(|line| line.get(indent..).unwrap_or_default().trim_end().to_owned())
        .collect();
    if !expected.is_empty()
        && let Some(difference) = difference(&expected, &printed)
    {
        let lines = with_gaps(&expected, &printed).into_iter();
        let lines = lines.map(|line| format!("{:indent$}{line}", "").trim_end().to_owned());
        let (difference, range) = (fault(&difference), output.clone());
        results.outputs.push(OtherOutput { difference, range, lines: lines.collect() });
    }
}

/// The output of a command, and its status unless it timed out.
fn run(command: &str, folder: &Path, limit: Duration) -> (Option<i32>, String) {
    let mut output = tempfile::tempfile().expect("a file");
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).current_dir(folder).stdin(Stdio::null());
    shell.stdout(output.try_clone().expect("a file")).stderr(output.try_clone().expect("a file"));
    let programs = Path::new(QIRKAT).parent().expect("its folder").display();
    let path = std::env::var("PATH").unwrap_or_default();
    shell.env_clear().env("PATH", format!("{programs}:{path}")).env("HOME", folder);
    shell.env("NO_COLOR", "1").env("COLUMNS", "80").env("LANG", "C.UTF-8").env("TERM", "dumb");
    let mut group = shell.group_spawn().expect("a shell starts");
    let begun = Instant::now();
    let mut ended = None;
    while ended.is_none() && begun.elapsed() < limit {
        sleep(Duration::from_millis(5));
        ended = group.try_wait().expect("its status");
    }
    // With all its child processes.
    drop(group.kill());
    if ended.is_none() {
        group.wait().expect("it ends");
    }
    let mut text = Vec::new();
    output.rewind().expect("a file");
    output.read_to_end(&mut text).expect("a file");
    (ended.map(|status| status.code().unwrap_or(-1)), String::from_utf8_lossy(&text).into_owned())
}
