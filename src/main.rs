//! The program; everything else is in the crates below `src`.

use std::io::Write;
use std::process::ExitCode;

use chrono::{SecondsFormat, Utc};

/// The stack of the thread that [`run_on_large_stack`] starts, as large as Linux's default for the first one.
const STACK_BYTES: usize = 8 << 20;
/// The exit status after a panic.
const PANICKED: u8 = 101;

fn main() -> ExitCode {
    // Silent unless RUST_LOG says otherwise; always to standard error.
    env_logger::Builder::from_default_env()
        .format(|out, record| {
            let time = Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true);
            writeln!(out, "[{time} {:<5} {}] {}", record.level(), record.target(), record.args())
        })
        .init();
    if cfg!(windows) { run_on_large_stack() } else { qirkat_cli::run() }
}

/// Runs on a thread of its own: on Windows the first thread's stack is one megabyte, which a deep
/// search nearly fills.
fn run_on_large_stack() -> ExitCode {
    let builder = std::thread::Builder::new().name("main".to_owned()).stack_size(STACK_BYTES);
    match builder.spawn(qirkat_cli::run) {
        Ok(thread) => thread.join().unwrap_or_else(|_| ExitCode::from(PANICKED)),
        Err(_) => qirkat_cli::run(),
    }
}
