//! The position: which men stand where, whose turn it is, and all else that
//! belongs to it.

use std::hash::{Hash, Hasher};

use super::bitboard::Bitboard;
use super::forbidden::ForbiddenStep;
use super::point::Point;
use qirkat_game::{Color, Key};

/// The usual starting position.
pub const START_FEN: &str = "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - 0 1";

/// A position: men, side to move, the step that is forbidden to each side, and
/// both clocks.
///
/// ```
/// use qirkat_game::{Color, Rules};
/// use qirkat_rules::alquerque::Position;
///
/// // The man steps next to b3, which has to jump over it.
/// let position = Position::start().after("d3c3".parse()?);
/// assert_eq!(position.side_to_move(), Color::Black);
/// assert!(position.can_jump());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) men: [Bitboard; 2],
    pub(super) key: Key,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
    pub(super) side_to_move: Color,
    /// By side, and only if the step would be legal otherwise.
    pub(super) forbidden: [Option<ForbiddenStep>; 2],
}

/// The usual starting position.
impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

/// By the Zobrist key: equal positions have equal keys.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl Position {
    /// The usual starting position.
    pub fn start() -> Position {
        match Position::from_fen(START_FEN) {
            Ok(parsed) => parsed.position,
            Err(error) => unreachable!("the starting position is valid: {error}"),
        }
    }

    /// Whose turn it is.
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The men of a side.
    #[inline]
    pub const fn men(&self, color: Color) -> Bitboard {
        self.men[color.index()]
    }

    /// Every point where a man stands.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.men[0] | self.men[1]
    }

    /// Every point where no man stands.
    #[inline]
    pub fn empty(&self) -> Bitboard {
        !self.occupied()
    }

    /// The side whose man stands on a point.
    pub fn man_on(&self, point: Point) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.men(color).contains(point))
    }

    /// The step that a side may not make at its next move, since it would take
    /// a man back to where it came from. Only if it would be legal otherwise,
    /// compulsory jumps aside.
    #[inline]
    pub const fn forbidden_step(&self, color: Color) -> Option<ForbiddenStep> {
        self.forbidden[color.index()]
    }

    /// The Zobrist key.
    #[inline]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// Plies since the last jump or forward step.
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, as in FEN.
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }
}
