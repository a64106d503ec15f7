//! Tests `qirkat compliance`. With `--fault` this program is itself an engine with one fault. Each
//! fault must be found by the checks listed for it, and by no others.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]
#![cfg(unix)]

mod command_line;
mod compliance_run;
mod faults;
mod mock;

use libtest_mimic::Arguments;

/// Runs in parallel. They mostly wait.
const AT_ONCE: usize = 60;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let [_, word, fault, sign @ ..] = words.as_slice()
        && word == "--fault"
    {
        // A test waits for this file.
        sign.iter().for_each(|path| std::fs::write(path, "").expect("room on the disk"));
        mock::run(fault);
        return;
    }
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_ONCE);
    let tests = command_line::tests().chain(faults::tests()).collect();
    libtest_mimic::run(&arguments, tests).exit();
}
