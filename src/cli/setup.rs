//! The position that a command is about.

use anyhow::Context;

use super::arguments::PositionOptions;
use crate::chesquerque::{Game, Position};

/// Sets up the position and makes the moves, written either way.
pub(super) fn game(options: &PositionOptions) -> anyhow::Result<Game> {
    let parsed = Position::from_fen(&options.fen).context("--fen")?;
    if let Some(notice) = parsed.notice {
        super::complain(format_args!("--fen: {notice}"));
    }
    let mut game = Game::from_position(parsed.position);
    // One argument may hold several moves.
    let texts = options.moves.iter().flat_map(|text| text.split_ascii_whitespace());
    for (index, text) in (1..).zip(texts) {
        let mv = game.position().read_move(text);
        game.play(mv.with_context(|| format!("--moves: move {index} `{text}` is not legal"))?);
    }
    Ok(game)
}
