//! Options for tests, from a command line.

use std::sync::Arc;

use clap::Parser;

use super::options::PlayOptions;
use super::session::Session;

#[derive(Parser)]
struct Call {
    #[command(flatten)]
    options: PlayOptions,
}

/// What such a command line asks for.
pub(super) fn options(line: &str) -> PlayOptions {
    let words = std::iter::once("play").chain(line.split_whitespace());
    Call::try_parse_from(words).expect(line).options
}

/// A session of such options, from a FEN or, where that is empty, the usual start.
pub(super) fn session(line: &str, fen: &str) -> Session {
    let options = options(line);
    let variant = options.game.variant;
    let start = match fen {
        "" => variant.start(),
        _ => variant.read_fen(fen).expect(fen).position,
    };
    Session::new(Arc::new(options), start)
}
