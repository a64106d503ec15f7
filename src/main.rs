//! The program; everything else is in the crates below `src`.

use std::io::Write;
use std::process::ExitCode;

use chrono::{SecondsFormat, Utc};

fn main() -> ExitCode {
    // Silent unless RUST_LOG says otherwise; always to standard error.
    env_logger::Builder::from_default_env()
        .format(|out, record| {
            let time = Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true);
            writeln!(out, "[{time} {:<5} {}] {}", record.level(), record.target(), record.args())
        })
        .init();
    qirkat_cli::run()
}
