//! The `position` command. The new game is built separately, so that nothing changes when
//! any part of it is wrong.

use thiserror::Error;

use crate::protocol::option_table::VARIANT_OPTION;
use qirkat_game::text::Excerpt;
use qirkat_rules::variant::{AnyFenError, AnyGame, AnyMove, Variant};

/// Why a position was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum PositionError {
    #[error("needs `startpos` or `fen`, not `{0}`")]
    Form(Excerpt),
    #[error("`{0}` where `moves` was expected")]
    MovesExpected(Excerpt),
    #[error("{error}{}", likely.map_or_else(String::new, |game| format!(
        " (it looks like {}: setoption name {VARIANT_OPTION} value {game})", game.title()
    )))]
    Fen {
        error: AnyFenError,
        /// The game whose board it has, if that is another than the one that is played.
        likely: Option<Variant>,
    },
    #[error("move {index} `{text}` is not legal{}", reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default())]
    IllegalMove {
        /// Counted from 1.
        index: usize,
        text: Excerpt,
        /// Why not, if it is a move at all.
        reason: Option<String>,
    },
}

/// Reads the words after `position`, in the game that is played.
pub(super) fn read(
    words: &[&str],
    variant: Variant,
) -> Result<(AnyGame, Option<String>), PositionError> {
    let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (setup, moves) = words.split_at(split);
    let (position, notice) = match setup {
        ["startpos"] => (variant.start(), None),
        ["startpos", wrong, ..] => {
            return Err(PositionError::MovesExpected(Excerpt::of(wrong)));
        }
        ["fen", fields @ ..] => {
            let fen = fields.join(" ");
            let likely = Variant::with_board_of(&fen).filter(|&likely| likely != variant);
            let parsed =
                variant.read_fen(&fen).map_err(|error| PositionError::Fen { error, likely })?;
            (parsed.position, parsed.notice)
        }
        _ => {
            let wrong = setup.first().copied().unwrap_or("");
            return Err(PositionError::Form(Excerpt::of(wrong)));
        }
    };
    let mut game = AnyGame::from_position(position);
    for (index, text) in (1..).zip(moves.iter().skip(1)) {
        let refused =
            |reason| PositionError::IllegalMove { index, text: Excerpt::of(text), reason };
        let mv = AnyMove::parse(variant, text).ok_or_else(|| refused(None))?;
        if let Some(reason) = game.position().why_illegal(mv) {
            return Err(refused(Some(reason)));
        }
        game.play(mv);
    }
    Ok((game, notice))
}
