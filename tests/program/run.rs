//! The program, about to run.

use std::fmt::Debug;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};

pub const QIRKAT: &str = env!("CARGO_BIN_EXE_qirkat");

/// The program with these arguments and an empty input. Nothing in its environment makes
/// it talk.
pub fn qirkat<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(QIRKAT);
    command.args(arguments).stdin(Stdio::null());
    command.env_remove("RUST_LOG").env_remove("RUST_BACKTRACE");
    command
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// What it wrote where all went well: without a word on stderr. `call` says what was asked.
pub fn good_output(output: &Output, call: &dyn Debug) -> String {
    assert_eq!(text(&output.stderr), "", "{call:?}");
    assert_eq!(output.status.code(), Some(0), "{call:?}");
    text(&output.stdout)
}

/// Runs a command to its end, with this input, of which it need not read all.
pub fn with_input(mut command: Command, input: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the binary ends");
    drop(writer.join());
    output
}

/// Presses Ctrl-C once a command has written a line with this; what it writes after that.
pub fn interrupted_at(mut command: Command, sign: &str) -> Output {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut out = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut line = String::new();
    while !line.contains(sign) {
        line.clear();
        assert!(out.read_line(&mut line).is_ok_and(|read| read > 0), "no {sign}");
    }
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    let mut stdout = Vec::new();
    out.read_to_end(&mut stdout).expect("the rest");
    Output { stdout, ..child.wait_with_output().expect("it ends") }
}
