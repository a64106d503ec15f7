//! The command line of Qirkat: a thin layer over the other crates. It parses arguments, opens
//! files, calls the crate that does the work, and shows results, progress and messages. How games
//! are played, searched, reviewed and written is in the other crates.
//!
//! Begin with `commands`, the list of all commands; [`run`] dispatches to the file or folder with
//! the command's name (`match` is in `match_games`, `datagen` in `data`, `perft` in `bench`,
//! `completions` and `man` in `documents`). A command is a struct of options that derives
//! `clap::Args`, whose doc comments are the help, and a function `run`. `HELP` is the end of its
//! help.
//!
//! `shared` has what several commands need, such as files, options and messages.

mod commands;
mod shared {
    pub(crate) mod exit_status;
    pub(crate) mod files;
    pub(crate) mod games;
    pub(crate) mod options;
    pub(crate) mod review_report;
    pub(crate) mod run_conditions;
    pub(crate) mod standings_text;
    pub(crate) mod terminal;
}

pub use self::commands::run;
