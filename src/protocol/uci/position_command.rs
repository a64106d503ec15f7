//! What `position` asks for. The new game is built aside, so that nothing
//! changes when any part of it is wrong.

use thiserror::Error;

use crate::chesquerque::{FenError, FenNotice, Game, Move, Position, Refusal};
use crate::text::Excerpt;

/// Why a position was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum PositionError {
    #[error("needs `startpos` or `fen`, not `{0}`")]
    Form(Excerpt),
    #[error("`{0}` where `moves` was expected")]
    MovesExpected(Excerpt),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("move {index} `{text}` is not legal{}", reason.map(|reason| format!(": {reason}")).unwrap_or_default())]
    IllegalMove {
        /// Counted from 1.
        index: usize,
        text: Excerpt,
        /// Why not, if it is a move at all.
        reason: Option<Refusal>,
    },
}

/// Reads the words after `position`.
pub(super) fn read(words: &[&str]) -> Result<(Game, Option<FenNotice>), PositionError> {
    let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (setup, moves) = words.split_at(split);
    let (position, notice) = match setup {
        ["startpos"] => (Position::start(), None),
        ["startpos", wrong, ..] => {
            return Err(PositionError::MovesExpected(Excerpt::of(wrong)));
        }
        ["fen", fields @ ..] => {
            let parsed = Position::from_fen(&fields.join(" "))?;
            (parsed.position, parsed.notice)
        }
        _ => {
            let wrong = setup.first().copied().unwrap_or("");
            return Err(PositionError::Form(Excerpt::of(wrong)));
        }
    };
    let mut game = Game::from_position(position);
    for (index, text) in (1..).zip(moves.iter().skip(1)) {
        let refused =
            |reason| PositionError::IllegalMove { index, text: Excerpt::of(text), reason };
        let mv = Move::parse(text).ok_or_else(|| refused(None))?;
        if let Some(reason) = game.position().refusal(mv) {
            return Err(refused(Some(reason)));
        }
        game.play(mv);
    }
    Ok((game, notice))
}
