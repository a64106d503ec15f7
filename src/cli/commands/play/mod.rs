//! `qirkat play`: a game in the terminal, against the engine or between two people.
//!
//! A [`Session`] holds the game, asks the engine and does what a person
//! wants; it knows nothing of the terminal. Two views show it: the `screen`, with a board
//! for the mouse, and `plain` lines, for pipes and screen readers.

mod background;
mod board_drawing;
mod command;
mod game_files;
mod move_input;
mod options;
mod plain;
mod played_game;
mod screen;
mod session;

use std::io::{IsTerminal, stdin, stdout};
use std::sync::Arc;

use anyhow::Context;

pub(super) use self::options::{HELP, PlayOptions};
use self::screen::Theme;
use self::session::Session;
use crate::shared::exit_status::{fail_if_interrupted, interrupt_flag};
use crate::shared::terminal::print_message;
use crate::shared::{files, options as shared_options};

pub(crate) fn run(options: PlayOptions) -> anyhow::Result<()> {
    if let Some(path) = &options.pgn {
        files::check_place(path).and_then(|()| game_files::check(path)).context("--pgn")?;
    }
    let is_plain = options.plain || !can_show_screen();
    let theme = Theme::of(&options);
    let options = Arc::new(options);
    let session = match &options.load {
        Some(path) => {
            let saved = game_files::find(path, options.number)?;
            if let Some(fault) = saved.fault {
                print_message(format_args!("{}: {fault}, left out", path.display()));
            }
            Session::going_on(Arc::clone(&options), saved.record)
        }
        None => {
            let start = shared_options::start(options.game.variant, options.fen.as_deref())?;
            Session::new(Arc::clone(&options), *start.position())
        }
    };
    let eval_file = &options.resources.eval_file;
    if eval_file.other_than_embedded().is_some() {
        eval_file.evaluation(session.game().position().variant())?;
    }
    let stop = interrupt_flag();
    if is_plain {
        plain::run(session, &stop)?
    } else {
        screen::run(session, theme, &stop)?
    }
    fail_if_interrupted()
}

fn can_show_screen() -> bool {
    let is_simple = match std::env::var("TERM") {
        Ok(name) => name.is_empty() || name == "dumb",
        // Elsewhere terminals have no names.
        Err(_) => cfg!(unix),
    };
    stdin().is_terminal() && stdout().is_terminal() && !is_simple
}
