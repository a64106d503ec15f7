//! The program; everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Silent unless RUST_LOG says otherwise; always to standard error.
    env_logger::init();
    qirkat::cli::run()
}
