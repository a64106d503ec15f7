//! Conversions between a game's own positions and moves and those of any game.

use super::any_game::AnyGame;
use super::any_move::AnyMove;
use super::any_position::AnyPosition;
use super::name::Variant;
use crate::{alquerque, chesquerque, masonic};
use qirkat_game::{Game, GameState};

/// A game that is one of the variants.
pub trait Member: Game<Move: Into<AnyMove>> + Into<AnyPosition> {
    /// The name of the game.
    const VARIANT: Variant;

    /// The position, if it is one of this game.
    fn own_position(position: &AnyPosition) -> Option<&Self>;

    /// The move, if it is one of this game.
    fn own_move(mv: AnyMove) -> Option<Self::Move>;

    /// A game in progress as one of any game.
    fn any_state(game: &GameState<Self>) -> AnyGame {
        let converted = game.convert(|position| Some(position.into()), |mv| Some(mv.into()));
        // Every position and move has a counterpart.
        converted.unwrap_or_default()
    }

    /// A game in progress, if it is one of this game.
    fn own_state(game: &AnyGame) -> Option<GameState<Self>> {
        game.convert(|position| Self::own_position(&position).copied(), Self::own_move)
    }
}

/// Implements [`Member`] for a game.
macro_rules! member {
    ($game:ident, $variant:ident) => {
        impl Member for $game::Position {
            const VARIANT: Variant = Variant::$variant;

            fn own_position(position: &AnyPosition) -> Option<&Self> {
                match position {
                    AnyPosition::$variant(position) => Some(position),
                    _ => None,
                }
            }

            fn own_move(mv: AnyMove) -> Option<Self::Move> {
                match mv {
                    AnyMove::$variant(mv) => Some(mv),
                    _ => None,
                }
            }
        }
    };
}

member!(chesquerque, Chesquerque);
member!(masonic, Masonic);
member!(alquerque, Alquerque);
