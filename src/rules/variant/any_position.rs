//! A position of any game.

use std::fmt;

use thiserror::Error;

use super::any_move::AnyMove;
use super::each_game::of_each;
use super::name::Variant;
use crate::{alquerque, chesquerque, masonic};
use qirkat_game::Rules;

/// A position of one game or another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnyPosition {
    /// Of Chesquerque.
    Chesquerque(chesquerque::Position),
    /// Of Masonic chess.
    Masonic(masonic::Position),
    /// Of Alquerque.
    Alquerque(alquerque::Position),
}

impl AnyPosition {
    /// Which game it belongs to.
    pub const fn variant(&self) -> Variant {
        match self {
            AnyPosition::Chesquerque(_) => Variant::Chesquerque,
            AnyPosition::Masonic(_) => Variant::Masonic,
            AnyPosition::Alquerque(_) => Variant::Alquerque,
        }
    }

    /// The position of Chesquerque, if it is one.
    pub const fn chesquerque(&self) -> Option<&chesquerque::Position> {
        match self {
            AnyPosition::Chesquerque(position) => Some(position),
            _ => None,
        }
    }

    /// Whether the side to move is in check; false in games without kings.
    pub fn in_check(&self) -> bool {
        match self {
            AnyPosition::Chesquerque(position) => position.in_check(),
            AnyPosition::Masonic(position) => position.in_check(),
            AnyPosition::Alquerque(_) => false,
        }
    }

    /// The fullmove number of FEN: from 1, one higher after each move of Black.
    pub const fn fullmove_number(&self) -> u16 {
        of_each!(self, position => position.fullmove_number())
    }

    /// The same with the sides exchanged; castling rights are lost where the board is not
    /// symmetric that way.
    #[must_use]
    pub fn flipped(&self) -> AnyPosition {
        of_each!(self, position => position.flipped().into())
    }

    /// The position as FEN.
    pub fn fen(&self) -> String {
        of_each!(self, position => position.fen())
    }

    /// The board drawn with letters and lines.
    pub fn picture(&self) -> String {
        of_each!(self, position => position.picture().to_string())
    }

    /// The position after a legal move.
    #[must_use]
    pub fn play(&self, mv: AnyMove) -> AnyPosition {
        self.after(mv)
    }

    /// The position after the side to move has passed ("null move"), which shows what the
    /// other side threatens. No legal move in any of the games.
    ///
    /// # Errors
    /// When a check must be answered, or the other side could not move.
    pub fn passed(&self) -> Result<AnyPosition, CannotPass> {
        if self.in_check() {
            return Err(CannotPass::InCheck);
        }
        let passed: AnyPosition = of_each!(self, position => position.play_null().into());
        if passed.has_legal_moves() { Ok(passed) } else { Err(CannotPass::NoReply) }
    }

    /// Whether a legal move captures; false if it is of another game.
    pub fn captures(&self, mv: AnyMove) -> bool {
        match (self, mv) {
            (AnyPosition::Chesquerque(position), AnyMove::Chesquerque(mv)) => {
                position.captured(mv).is_some()
            }
            (AnyPosition::Masonic(position), AnyMove::Masonic(mv)) => {
                position.captured(mv).is_some()
            }
            (AnyPosition::Alquerque(_), AnyMove::Alquerque(mv)) => mv.is_jump(),
            _ => false,
        }
    }

    /// The name of the point where the king of the side to move stands; none in games
    /// without kings.
    pub fn king_to_move(&self) -> Option<String> {
        match self {
            AnyPosition::Chesquerque(position) => {
                Some(position.king(position.side_to_move()).to_string())
            }
            AnyPosition::Masonic(position) => {
                Some(position.king(position.side_to_move()).to_string())
            }
            AnyPosition::Alquerque(_) => None,
        }
    }
}

/// Why the side to move cannot pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CannotPass {
    /// Its king is attacked.
    #[error("the side to move is in check")]
    InCheck,
    /// There would be no move to answer with.
    #[error("the other side has no legal move")]
    NoReply,
}

/// The FEN.
impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        of_each!(self, position => position.fmt(f))
    }
}

impl From<chesquerque::Position> for AnyPosition {
    fn from(position: chesquerque::Position) -> AnyPosition {
        AnyPosition::Chesquerque(position)
    }
}

impl From<masonic::Position> for AnyPosition {
    fn from(position: masonic::Position) -> AnyPosition {
        AnyPosition::Masonic(position)
    }
}

impl From<alquerque::Position> for AnyPosition {
    fn from(position: alquerque::Position) -> AnyPosition {
        AnyPosition::Alquerque(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passing_gives_the_move_to_the_other_side_unless_in_check() {
        for variant in Variant::ALL {
            let start = variant.start();
            let passed = start.passed().expect("nobody is in check");
            assert_eq!(passed.side_to_move(), !start.side_to_move());
            assert_eq!(passed.fen().split(' ').next(), start.fen().split(' ').next());
            let read = variant.read_fen(&passed.fen()).expect("a position").position;
            assert_eq!(read, passed, "as if it had been set up so");
        }
        for (fen, why) in [
            ("4k4/9/9/9/9/9/9/9/r3K4 w - - 0 1", CannotPass::InCheck),
            ("k8/7R1/9/9/9/9/9/9/1R2K4 w - - 0 1", CannotPass::NoReply),
        ] {
            let position = Variant::Chesquerque.read_fen(fen).expect(fen).position;
            assert_eq!(position.passed(), Err(why), "{fen}");
        }
    }

    /// The step back is forbidden for the very next move only.
    #[test]
    fn passing_forgets_the_step_back() {
        let fen = "m4/5/5/2M2/5 w c2b2 a5b5 3 9";
        let position = Variant::Alquerque.read_fen(fen).expect(fen).position;
        let passed = position.passed().expect("no check here");
        assert_eq!(passed.fen(), "m4/5/5/2M2/5 b a5b5 - 4 9");
    }
}
