//! A move and its long algebraic text.

use std::fmt;
use std::str::FromStr;

use super::piece::PieceKind;
use super::point::Point;
use crate::game::PackedMove;
use crate::parse_error::ParseError;
use arrayvec::ArrayVec;

/// A move: from, to, and what a pawn becomes. Castling is the king's move.
///
/// ```
/// use qirkat::{Move, PieceKind};
///
/// let mv: Move = "a8a9q".parse()?;
/// assert_eq!(mv.promotion, Some(PieceKind::Queen));
/// assert_eq!(mv.to_string(), "a8a9q");
/// let error = "castles".parse::<Move>().unwrap_err();
/// assert_eq!(error.to_string(), "`castles` is not a move such as `e2e4` or `a8a9q`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Whether it is legal depends on the position: see
/// [`Position::read_move`](super::Position::read_move) and
/// [`Position::is_legal`](super::Position::is_legal).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(C, align(4))]
pub struct Move {
    /// Where the piece stands.
    pub from: Point,
    /// Where it goes.
    pub to: Point,
    /// What a pawn that reaches the last rank becomes.
    pub promotion: Option<PieceKind>,
}

/// The most moves a position can have, promotions counted apart.
///
/// A piece has at most 32 moves (a queen on `e5`), so `p` pieces have at most
/// `32 p`. A point is reached from at most eight lines and eight knights, so
/// the `81 - p` other points take at most `16 (81 - p)`. Both together allow
/// 864. The nine points of the last rank take pawns from three points each,
/// and a promotion counts five times: 4 × 27 more. Castling adds two.
pub const MAX_MOVES: usize = 864 + 4 * 27 + 2;

/// The moves of one position, on the stack.
///
/// ```
/// let moves: qirkat::MoveList = qirkat::Position::start().legal_moves();
/// assert_eq!(moves.len(), 18);
/// ```
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

impl Move {
    /// A move without promotion.
    #[inline]
    pub const fn new(from: Point, to: Point) -> Move {
        Move { from, to, promotion: None }
    }

    /// The move in 16 bits: `(from * 81 + to) * 8 + promotion`. That is never
    /// [`PackedMove::NONE`], since `a1a1` is no move.
    ///
    /// ```
    /// # use qirkat::Move;
    /// let mv: Move = "e2e4".parse()?;
    /// assert_eq!(Move::unpack(mv.pack()), Some(mv));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pack(self) -> PackedMove {
        let promotion = match self.promotion {
            None => 0,
            Some(PieceKind::Queen) => 1,
            Some(PieceKind::Archbishop) => 2,
            Some(PieceKind::Rook) => 3,
            Some(PieceKind::Bishop) => 4,
            Some(_) => 5,
        };
        PackedMove(((self.from.index() * Point::COUNT + self.to.index()) * 8 + promotion) as u16)
    }

    /// The move, if the number stands for one (it need not be legal).
    pub fn unpack(packed: PackedMove) -> Option<Move> {
        if packed == PackedMove::NONE {
            return None;
        }
        let points = usize::from(packed.0 / 8);
        let promotion = match packed.0 % 8 {
            0 => None,
            number => Some(*PieceKind::PROMOTIONS.get(usize::from(number) - 1)?),
        };
        Some(Move {
            from: Point::from_index(points / Point::COUNT)?,
            to: Point::from_index(points % Point::COUNT)?,
            promotion,
        })
    }

    /// Reads long algebraic text such as `e2e4` or `a8a9q`, legal or not: [`FromStr`]
    /// without a reason.
    pub fn parse(text: &str) -> Option<Move> {
        let (points, promotion) = match *text.as_bytes() {
            [a, b, c, d] => ([a, b, c, d], None),
            [a, b, c, d, letter] => {
                let kind = PieceKind::from_letter(char::from(letter))?;
                if !PieceKind::PROMOTIONS.contains(&kind) {
                    return None;
                }
                ([a, b, c, d], Some(kind))
            }
            _ => return None,
        };
        Some(Move {
            from: Point::from_bytes(points[0], points[1])?,
            to: Point::from_bytes(points[2], points[3])?,
            promotion,
        })
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Move, ParseError> {
        let expected = "a move such as `e2e4` or `a8a9q`";
        Move::parse(text).ok_or_else(|| ParseError::new(expected, text))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}
