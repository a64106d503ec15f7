//! The program; everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Silent unless RUST_LOG says otherwise; always to standard error.
    env_logger::Builder::from_default_env().format_timestamp_millis().init();
    qirkat::cli::run()
}
