//! A chess position: pieces, side to move, castling rights, en passant and clocks.

use std::hash::{Hash, Hasher};

use qirkat_game::{Color, Key, Rules};

use super::castling::{CastlingRights, FEN_LETTERS};
use super::geometry::{Geometry, ZobristNumbers};
use super::piece::{Kind, Move, Piece};
use super::square::{Square, SquareSet};

/// A position of a chess game: pieces, side to move, castling rights, en-passant possibility and
/// both clocks. Each side has exactly one king, and the side not to move is not in check.
///
/// It is plain data of 256 bytes at most: making a move copies it and changes the copy.
///
/// ```
/// use qirkat_game::Rules;
/// use qirkat_rules::chesquerque::{Color, PieceKind, Point, Position};
///
/// let position: Position = "4k4/9/9/9/4B4/9/9/9/4K4 w - - 0 1".parse()?;
/// assert_eq!(position.side_to_move(), Color::White);
/// assert_eq!(position.kind_on("e5".parse()?), Some(PieceKind::Bishop));
/// assert_eq!(position.king(Color::Black), Point::new(4, 8));
/// assert!(!position.in_check());
/// assert_eq!(position.legal_moves().len(), 25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, derive_more::Debug)]
#[debug("{self}")]
pub struct Position<G: Geometry> {
    by_color: [G::Bitboard; 2],
    by_kind: G::ByKind,
    kind_on: G::Mailbox,
    pub(super) side_to_move: Color,
    pub(super) castling: CastlingRights,
    /// The last double step, only if a capture en passant is legal.
    pub(super) en_passant: Option<EnPassant<G::Square>>,
    pub(super) key: Key,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
}

/// A double step that can be captured en passant.
///
/// In Masonic chess two double steps can cross the same square (`e2f4` and `f2e4` both pass `f3`),
/// so the square alone does not identify the pawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnPassant<S> {
    pub passed: S,
    pub pawn: S,
}

impl<G: Geometry> Default for Position<G> {
    fn default() -> Position<G> {
        Rules::start()
    }
}

/// Equal positions have equal Zobrist keys.
impl<G: Geometry> Hash for Position<G> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl<G: Geometry> Position<G> {
    /// An empty board, for building positions.
    pub(super) fn empty(side_to_move: Color) -> Position<G> {
        const { assert!(size_of::<Position<G>>() <= 256, "copying it has to stay cheap") };
        Position {
            by_color: [G::Bitboard::EMPTY; 2],
            by_kind: G::ByKind::default(),
            kind_on: G::EMPTY_MAILBOX,
            side_to_move,
            castling: CastlingRights::NONE,
            en_passant: None,
            key: Key(0),
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// A position without castling rights or en passant, with initial clocks; none if it is
    /// impossible.
    ///
    /// ```
    /// use qirkat_rules::chesquerque::{Color, Piece, Point, Position};
    ///
    /// let piece = |letter: &str, point: &str| Some((letter.parse().ok()?, point.parse().ok()?));
    /// let pieces: [Option<(Piece, Point)>; 3] = [piece("K", "e1"), piece("k", "e9"), piece("R", "a1")];
    /// let position = Position::from_pieces(pieces.into_iter().flatten(), Color::White);
    /// let fen = position.map(|position| position.fen());
    /// assert_eq!(fen.as_deref(), Some("4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1"));
    /// ```
    pub fn from_pieces(
        pieces: impl IntoIterator<Item = (Piece<G::Kind>, G::Square)>,
        side_to_move: Color,
    ) -> Option<Position<G>> {
        let mut position = Position::empty(side_to_move);
        for (piece, square) in pieces {
            if position.kind_on(square).is_some() {
                return None;
            }
            position.put(piece.color, piece.kind, square);
        }
        position.check_pieces().ok()?;
        position.check_turn().ok()?;
        position.key = position.key_from_scratch();
        Some(position)
    }

    /// The position with the sides swapped: the board flipped, colors and side to move exchanged.
    ///
    /// Castling rights are lost where no symmetry of the board maps one king's home square to the
    /// other's, as in Masonic chess: see [`Position::castling_lost_by_flipping`].
    pub fn flipped(&self) -> Position<G> {
        let mut flipped = Position {
            en_passant: self.en_passant.map(|en_passant| EnPassant {
                passed: G::flipped(en_passant.passed),
                pawn: G::flipped(en_passant.pawn),
            }),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            ..Position::empty(!self.side_to_move)
        };
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                flipped.put(!piece.color, piece.kind, G::flipped(square));
            }
        }
        for (_, color, wing) in FEN_LETTERS {
            if self.castling.has(color, wing) && flipped.has_king_and_rook_at_home(!color, wing) {
                flipped.castling = flipped.castling.with(!color, wing);
            }
        }
        flipped.key = flipped.key_from_scratch();
        flipped
    }

    pub fn castling_lost_by_flipping(&self) -> CastlingRights {
        let flipped = self.flipped().castling;
        FEN_LETTERS
            .into_iter()
            .filter(|&(_, color, wing)| {
                self.castling.has(color, wing) && !flipped.has(!color, wing)
            })
            .fold(CastlingRights::NONE, |lost, (_, color, wing)| lost.with(color, wing))
    }

    #[inline]
    pub fn of_color(&self, color: Color) -> G::Bitboard {
        self.by_color[color.index()]
    }

    #[inline]
    pub fn of_kind(&self, kind: G::Kind) -> G::Bitboard {
        self.by_kind.as_ref()[kind.index()]
    }

    #[inline]
    pub fn of(&self, color: Color, kind: G::Kind) -> G::Bitboard {
        self.of_color(color) & self.of_kind(kind)
    }

    #[inline]
    pub fn occupied(&self) -> G::Bitboard {
        self.of_color(Color::White) | self.of_color(Color::Black)
    }

    #[inline]
    pub(super) fn differing_squares(&self, other: &Position<G>) -> G::Bitboard {
        let by_color = self.by_color.iter().zip(&other.by_color);
        let by_kind = self.by_kind.as_ref().iter().zip(other.by_kind.as_ref());
        by_color.chain(by_kind).fold(G::Bitboard::EMPTY, |all, (a, b)| all | (*a ^ *b))
    }

    #[inline]
    pub fn kind_on(&self, square: G::Square) -> Option<G::Kind> {
        self.kind_on[square]
    }

    pub fn piece_on(&self, square: G::Square) -> Option<Piece<G::Kind>> {
        let kind = self.kind_on(square)?;
        let color =
            if self.of_color(Color::White).contains(square) { Color::White } else { Color::Black };
        Some(Piece { color, kind })
    }

    #[inline]
    pub fn king(&self, color: Color) -> G::Square {
        match self.of(color, G::Kind::KING).lsb() {
            Some(square) => square,
            None => unreachable!("each side has a king"),
        }
    }

    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The double step just made, if a capture en passant is legal.
    ///
    /// ```
    /// use qirkat_game::Rules;
    /// use qirkat_rules::chesquerque::Position;
    ///
    /// // The white pawn on h6 stands on a diagonal point and may capture on g7.
    /// let position: Position = "4k4/6p2/9/7P1/9/9/9/9/4K4 b - - 0 1".parse()?;
    /// let target = position.after("g8g6".parse()?).en_passant().ok_or("none")?;
    /// assert_eq!((target.passed, target.pawn), ("g7".parse()?, "g6".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn en_passant(&self) -> Option<EnPassant<G::Square>> {
        self.en_passant
    }

    /// Plies since the last pawn move or capture (the halfmove clock).
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    #[inline]
    pub(super) fn put(&mut self, color: Color, kind: G::Kind, square: G::Square) {
        self.by_color[color.index()] |= G::Bitboard::of(square);
        self.by_kind.as_mut()[kind.index()] |= G::Bitboard::of(square);
        self.kind_on[square] = Some(kind);
        self.key ^= piece_key::<G>(color, kind, square);
    }

    #[inline]
    pub(super) fn remove(&mut self, color: Color, kind: G::Kind, square: G::Square) {
        self.by_color[color.index()] ^= G::Bitboard::of(square);
        self.by_kind.as_mut()[kind.index()] ^= G::Bitboard::of(square);
        self.kind_on[square] = None;
        self.key ^= piece_key::<G>(color, kind, square);
    }

    #[inline]
    pub(super) fn shift(&mut self, color: Color, kind: G::Kind, from: G::Square, to: G::Square) {
        let both = G::Bitboard::of(from) | G::Bitboard::of(to);
        self.by_color[color.index()] ^= both;
        self.by_kind.as_mut()[kind.index()] ^= both;
        self.kind_on[from] = None;
        self.kind_on[to] = Some(kind);
        self.key ^= piece_key::<G>(color, kind, from);
        self.key ^= piece_key::<G>(color, kind, to);
    }

    /// The key computed from scratch; equal to the incremental one.
    pub(super) fn key_from_scratch(&self) -> Key {
        let mut key = Key::default();
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                key ^= piece_key::<G>(piece.color, piece.kind, square);
            }
        }
        key ^= castling_key::<G>(self.castling);
        if let Some(EnPassant { passed, pawn }) = self.en_passant {
            key ^= en_passant_key::<G>(passed, pawn);
        }
        if self.side_to_move == Color::Black {
            key ^= black_to_move_key::<G>();
        }
        key
    }
}

/// A position of a chess game, for code that is generic over positions, such as the search and
/// tables: it gives access to the [`Position`] and its geometry.
pub trait ChessPosition:
    Rules<Move = Move<Self::Square, Self::Kind>> + From<Position<Self::Geometry>>
{
    type Square: Square;
    type Kind: Kind;
    type Bitboard: SquareSet<Self::Square>;
    /// The geometry of the game.
    type Geometry: Geometry<Square = Self::Square, Kind = Self::Kind, Bitboard = Self::Bitboard>;

    /// The underlying position.
    fn chess(&self) -> &Position<Self::Geometry>;
}

impl<G: Geometry> ChessPosition for Position<G> {
    type Square = G::Square;
    type Kind = G::Kind;
    type Bitboard = G::Bitboard;
    type Geometry = G;

    #[inline]
    fn chess(&self) -> &Position<G> {
        self
    }
}

// Zobrist keys (A. Zobrist, "A New Hashing Method with Application for Game Playing", 1970). A
// game's numbers are one sequence, in this order: Black to move, the pieces, the nonempty sets of
// castling rights, and en passant by file.

/// The first number for pieces.
const FIRST_PIECE: usize = 1;

const fn first_castling<G: Geometry>() -> usize {
    FIRST_PIECE + 2 * G::Kind::ALL.len() * G::Square::COUNT
}

const fn first_en_passant<G: Geometry>() -> usize {
    let first = first_castling::<G>() + CastlingRights::COUNT - 1;
    assert!(first + 2 * G::Square::FILES as usize <= ZobristNumbers::LEN);
    first
}

#[inline]
pub(super) fn black_to_move_key<G: Geometry>() -> Key {
    G::zobrist().at(0)
}

#[inline]
pub(super) fn piece_key<G: Geometry>(color: Color, kind: G::Kind, square: G::Square) -> Key {
    let piece = color.index() * G::Kind::ALL.len() + kind.index();
    G::zobrist().at(FIRST_PIECE + piece * G::Square::COUNT + square.index())
}

#[inline]
pub(super) fn castling_key<G: Geometry>(rights: CastlingRights) -> Key {
    let first = const { first_castling::<G>() };
    if rights.is_empty() { Key(0) } else { G::zobrist().at(first + rights.index() - 1) }
}

/// The key of en passant. Of two pawns that can have passed the same square, one is on its file and
/// the other is not.
#[inline]
pub(super) fn en_passant_key<G: Geometry>(passed: G::Square, pawn: G::Square) -> Key {
    let first = const { first_en_passant::<G>() };
    let file = usize::from(passed.file());
    let other_file = usize::from(passed.file() != pawn.file());
    G::zobrist().at(first + file + other_file * usize::from(G::Square::FILES))
}
