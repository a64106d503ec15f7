//! The program, about to run.

use std::fmt::Debug;
use std::process::{Command, Output, Stdio};

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
