//! Pieces and their kinds, the macro that declares a game's kinds, and moves: their long algebraic
//! notation and 16-bit form.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::str::FromStr;

use derive_more::Display;
use qirkat_game::{Color, PackedMove, ParseError};

use super::square::Square;

/// A kind of piece. Kinds are ordered by value, the least valuable first.
pub trait Kind: Copy + Ord + Hash + Debug + Send + Sync + 'static {
    /// All kinds, the least valuable first: the pawn. The king is the last.
    const ALL: &'static [Self];
    /// The pawn, which has no letter in algebraic notation.
    const PAWN: Self;
    const ROOK: Self;
    const KING: Self;
    /// The kinds that a pawn may promote to, strongest first.
    const PROMOTIONS: &'static [Self];
    /// The letters of White's pieces, in the order of [`Kind::ALL`].
    const LETTERS: &'static [char];
    /// The names, in the order of [`Kind::ALL`].
    const NAMES: &'static [&'static str];
    /// The expected text of a kind, for errors.
    const A_LETTER: &'static str;

    fn index(self) -> usize;

    /// The lower-case letter, as of a promotion in UCI and of Black's pieces in FEN.
    fn letter(self) -> char {
        Self::LETTERS[self.index()].to_ascii_lowercase()
    }

    /// The kind with this letter, in either case.
    fn from_letter(letter: char) -> Option<Self> {
        let index = Self::LETTERS.iter().position(|&known| known == letter.to_ascii_uppercase())?;
        Some(Self::ALL[index])
    }

    fn name(self) -> &'static str {
        Self::NAMES[self.index()]
    }
}

/// Declares a game's kinds of pieces, including `Pawn`, `Rook` and `King`. It is a macro because
/// these functions are `const`, like those of [`squares`](crate::squares).
#[doc(hidden)]
#[macro_export]
macro_rules! piece_kinds {
    (
        $(#[$doc:meta])*
        $kinds:ident: $letters:literal,
        promotions [$($promotion:ident),*],
        $($(#[$kind_doc:meta])* $kind:ident $letter:literal $upper:literal $name:literal,)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, derive_more::Display, Hash)]
        #[display("{}", self.letter())]
        #[repr(u8)]
        pub enum $kinds {
            $($(#[$kind_doc])* $kind,)*
        }

        impl $kinds {
            /// All kinds, least valuable first.
            pub const ALL: [$kinds; Self::COUNT] = [$($kinds::$kind),*];
            pub const COUNT: usize = [$($letter),*].len();
            pub const PROMOTIONS: [$kinds; [$($kinds::$promotion),*].len()] =
                [$($kinds::$promotion),*];

            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            pub const fn letter(self) -> char {
                match self {
                    $($kinds::$kind => $letter,)*
                }
            }

            pub fn from_letter(letter: char) -> Option<$kinds> {
                $crate::chess::Kind::from_letter(letter)
            }

            pub const fn name(self) -> &'static str {
                match self {
                    $($kinds::$kind => $name,)*
                }
            }
        }

        impl $crate::chess::Kind for $kinds {
            const ALL: &'static [$kinds] = &$kinds::ALL;
            const PAWN: $kinds = $kinds::Pawn;
            const ROOK: $kinds = $kinds::Rook;
            const KING: $kinds = $kinds::King;
            const PROMOTIONS: &'static [$kinds] = &$kinds::PROMOTIONS;
            const LETTERS: &'static [char] = &[$($upper),*];
            const NAMES: &'static [&'static str] = &[$($name),*];
            const A_LETTER: &'static str = concat!("a letter of a piece, `", $letters, "`");

            #[inline]
            fn index(self) -> usize {
                self.index()
            }
        }

        impl std::str::FromStr for $kinds {
            type Err = qirkat_game::ParseError;

            fn from_str(text: &str) -> Result<$kinds, Self::Err> {
                $crate::chess::read_letter::<$kinds, _>(text, $kinds::from_letter)
            }
        }
    };
}

/// A piece: its side and its kind, shown by its FEN letter.
///
/// ```
/// use qirkat_rules::chesquerque::{Color, Piece, PieceKind};
///
/// let queen = Piece { color: Color::White, kind: PieceKind::Queen };
/// assert_eq!(queen.to_string(), "Q");
/// assert_eq!("q".parse(), Ok(Piece { color: Color::Black, ..queen }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, Hash)]
#[display("{}", self.letter())]
#[display(bound(K: Kind))]
pub struct Piece<K> {
    pub color: Color,
    pub kind: K,
}

impl<K: Kind> Piece<K> {
    /// The FEN letter: upper case for White, lower case for Black.
    pub fn letter(self) -> char {
        match self.color {
            Color::White => self.kind.letter().to_ascii_uppercase(),
            Color::Black => self.kind.letter(),
        }
    }

    pub fn from_letter(letter: char) -> Option<Piece<K>> {
        let kind = K::from_letter(letter)?;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Piece { color, kind })
    }
}

impl<K: Kind> FromStr for Piece<K> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Piece<K>, ParseError> {
        read_letter::<K, _>(text, Piece::from_letter)
    }
}

/// Parses a single letter.
#[doc(hidden)]
pub fn read_letter<K: Kind, T>(
    text: &str,
    read: impl Fn(char) -> Option<T>,
) -> Result<T, ParseError> {
    let mut letters = text.chars();
    let found = letters.next().and_then(read).filter(|_| letters.next().is_none());
    found.ok_or_else(|| ParseError::new(K::A_LETTER, text))
}

/// Promotion codes in a packed move, including the one for no promotion.
const PROMOTION_CODES: usize = 8;

/// A move: from, to, and promotion. Castling is encoded as the king's move.
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
    /// [`PackedMove::NONE`], since `a1a1` is not a move.
    #[inline]
    pub fn pack(self) -> PackedMove {
        let code = self.promotion.map_or(0, |promoted| {
            let index = K::PROMOTIONS.iter().position(|&kind| kind == promoted);
            // Other kinds do not occur in legal moves; they are encoded as the last.
            1 + index.unwrap_or(K::PROMOTIONS.len() - 1)
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

    /// Parses long algebraic notation such as `e2e4` or `a8a9q`; the move may be illegal.
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
