//! The languages in which programs talk to the engine.

mod cecp;
mod input_lines;
mod option_table;
mod output_lines;
mod set_option;
mod stdout_watch;
mod uci;

pub use option_table::VARIANTS;

use std::io::BufRead;

use input_lines::Input;

/// Talks with a program in the language of its first line, until the program
/// says `quit` or its input ends: the Chess Engine Communication Protocol
/// after `xboard`, otherwise UCI.
///
/// # Errors
/// When the engine cannot be started at all.
pub fn run(mut input: impl BufRead + Send + 'static) -> anyhow::Result<()> {
    stdout_watch::end_when_gone();
    let mut first = Input::next(&mut input);
    while matches!(&first, Input::Line(line) if line.trim().is_empty()) {
        first = Input::next(&mut input);
    }
    match &first {
        Input::Line(line) if cecp::is_greeting(line) => cecp::run(first, input),
        _ => uci::run(first, input),
    }
}
