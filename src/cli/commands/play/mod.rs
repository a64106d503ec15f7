//! `qirkat play`: a game in the terminal, against the engine or between two people. A [`Session`]
//! holds the game, runs the engine and executes commands; it does not depend on the terminal. Two
//! views show it: the `screen`, with a board for the mouse, and `plain` lines, for pipes and screen
//! readers.

mod board_drawing;
mod options;
mod plain;
mod played_game;
mod screen;
mod session;
mod user_input;

use std::io::{IsTerminal, stdin, stdout};
use std::sync::Arc;

use anyhow::Context;

pub(crate) use self::options::PlayOptions;
use self::screen::Theme;
use self::session::Session;
use crate::shared::exit_status::{fail_if_interrupted, interrupt_flag};
use crate::shared::terminal::print_message;
use crate::shared::{files, options as shared_options};

pub(crate) fn run(options: PlayOptions) -> anyhow::Result<()> {
    if let Some(path) = &options.pgn {
        files::check_creatable(path)
            .and_then(|()| played_game::check_writable(path))
            .context("--pgn")?;
    }
    let is_plain = options.plain || !can_show_screen();
    let theme = Theme::of(&options);
    let options = Arc::new(options);
    let session = match &options.load {
        Some(path) => {
            let saved = played_game::find_saved(path, options.number)?;
            if let Some(fault) = saved.fault {
                print_message(format_args!("{}: {fault}, left out", path.display()));
            }
            Session::resumed(Arc::clone(&options), saved.record)
        }
        None => {
            let start = shared_options::start(options.game.variant, options.fen.as_deref())?;
            Session::new(Arc::clone(&options), *start.position())
        }
    };
    let eval_file = &options.resources.eval_file;
    if eval_file.other_than_embedded().is_some() {
        eval_file.evaluation(session.game.position().variant())?;
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
        // Only Unix terminals have names.
        Err(_) => cfg!(unix),
    };
    stdin().is_terminal() && stdout().is_terminal() && !is_simple
}

pub(crate) const HELP: &str = "\
Click the points, or type moves as e4, Nc3, e2e4, and words such as hint, back,
draw, save; F1 or help lists them. Without a UTF-8 locale the board is drawn in
ASCII, and with TERM=dumb it uses plain lines.

Examples:
  White against the engine at an easy level:
    qirkat play
  Black against a stronger one, ten minutes and five seconds a move:
    qirkat play --side black --level 6 --tc 10+5
  Two people at one board of Alquerque:
    qirkat play --game alquerque --side both
  Continue a saved game:
    qirkat play --load games.pgn";
