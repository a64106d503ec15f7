//! A move, its long algebraic text and its 16-bit form.

use std::fmt;
use std::str::FromStr;

use qirkat_game::{PackedMove, ParseError};

use super::piece::Kind;
use super::square::Square;

/// Promotion codes in a packed move, including none.
const PROMOTION_CODES: usize = 8;

/// A move: from, to, and promotion. Castling is the king's move.
///
/// ```
/// use qirkat_rules::chesquerque::{Move, PieceKind};
///
/// let mv: Move = "a8a9q".parse()?;
/// assert_eq!(mv.promotion, Some(PieceKind::Queen));
/// assert_eq!(mv.to_string(), "a8a9q");
/// let error = "castles".parse::<Move>().unwrap_err();
/// assert_eq!(error.to_string(), "`castles` is not a move such as `e2e4` or `a8a9q`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Whether it is legal depends on the position: see [`ReadMove`](qirkat_game::ReadMove) and
/// [`Rules::is_legal`](qirkat_game::Rules::is_legal).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(C, align(4))]
pub struct Move<S, K> {
    pub from: S,
    pub to: S,
    pub promotion: Option<K>,
}

impl<S: Square, K: Kind> Move<S, K> {
    #[inline]
    pub const fn new(from: S, to: S) -> Move<S, K> {
        Move { from, to, promotion: None }
    }

    /// The move in 16 bits: `(from * squares + to) * 8 + promotion`. That is never
    /// [`PackedMove::NONE`], since `a1a1` is no move.
    #[inline]
    pub fn pack(self) -> PackedMove {
        let code = self.promotion.map_or(0, |promoted| {
            let place = K::PROMOTIONS.iter().position(|&kind| kind == promoted);
            // Other kinds do not occur in legal moves; they are encoded as the last.
            1 + place.unwrap_or(K::PROMOTIONS.len() - 1)
        });
        let squares = self.from.index() * S::COUNT + self.to.index();
        PackedMove((squares * PROMOTION_CODES + code) as u16)
    }

    /// The move with this number, if there is one; it may be illegal.
    #[inline]
    pub fn unpack(packed: PackedMove) -> Option<Move<S, K>> {
        if packed == PackedMove::NONE {
            return None;
        }
        let number = usize::from(packed.0);
        let squares = number / PROMOTION_CODES;
        let promotion = match number % PROMOTION_CODES {
            0 => None,
            code => Some(*K::PROMOTIONS.get(code - 1)?),
        };
        Some(Move {
            from: S::from_index(squares / S::COUNT)?,
            to: S::from_index(squares % S::COUNT)?,
            promotion,
        })
    }

    /// Parses long algebraic text such as `e2e4` or `a8a9q`; the move may be illegal.
    pub fn parse(text: &str) -> Option<Move<S, K>> {
        let (squares, promotion) = match *text.as_bytes() {
            [a, b, c, d] => ([a, b, c, d], None),
            [a, b, c, d, letter] => {
                let kind = K::from_letter(char::from(letter))?;
                if !K::PROMOTIONS.contains(&kind) {
                    return None;
                }
                ([a, b, c, d], Some(kind))
            }
            _ => return None,
        };
        Some(Move {
            from: S::from_bytes(squares[0], squares[1])?,
            to: S::from_bytes(squares[2], squares[3])?,
            promotion,
        })
    }
}

impl<S: Square, K: Kind> FromStr for Move<S, K> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Move<S, K>, ParseError> {
        Move::parse(text).ok_or_else(|| ParseError::new(S::A_MOVE, text))
    }
}

impl<S: Square, K: Kind> fmt::Display for Move<S, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}
