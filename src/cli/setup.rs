//! The position that a command is about.

use anyhow::Context;

use super::arguments::PositionOptions;
use super::complaint::complain;
use crate::variant::AnyGame;

/// Sets up the position and makes the moves, written either way.
pub(super) fn game(options: &PositionOptions) -> anyhow::Result<AnyGame> {
    let variant = options.game.variant;
    let mut game = match &options.fen {
        None => variant.new_game(),
        Some(fen) => {
            let parsed = variant.read_fen(fen).context("--fen")?;
            if let Some(notice) = parsed.notice {
                complain(format_args!("--fen: {notice}"));
            }
            AnyGame::from_position(parsed.position)
        }
    };
    // One argument may hold several moves.
    let texts = options.moves.iter().flat_map(|text| text.split_ascii_whitespace());
    for (index, text) in (1..).zip(texts) {
        let mv = game.position().read_move(text);
        game.play(mv.with_context(|| format!("--moves: move {index} `{text}` is not legal"))?);
    }
    Ok(game)
}
