//! The geometry of a chess game: all that one game does not share with the others.

use std::fmt::Debug;
use std::ops::{Index, IndexMut};

use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Color, Key};

use super::chess_move::Move;
use super::piece::Kind;
use super::square::{Square, SquareSet};

/// A board, and how pieces move on it. [`Position`](super::Position) is compiled once for each geometry, so
/// that sharing the rules of chess costs no time.
///
/// A piece goes in one of two ways. *Near*, by a step or a leap, nothing can be in the way, and
/// a check can only be parried by taking the piece. *Far*, along a line or over a knight's
/// leg, the squares [`between`](Geometry::between) have to be empty. Pins, checks, exchanges
/// and the legality of moves follow from that.
///
/// Tables are statics of the game, and storage by kind or square is an associated type:
/// neither can be generic in Rust.
pub trait Geometry: Copy + Eq + Debug + Send + Sync + 'static {
    /// A square of the board.
    type Square: Square;
    /// A set of squares.
    type Bitboard: SquareSet<Self::Square>;
    /// A kind of piece.
    type Kind: Kind;
    /// A direction in which pawns go.
    type PawnWay: PawnWay<Self::Square, Self::Bitboard>;
    /// A set of squares for each kind of piece, by [`Kind::index`].
    type ByKind: Copy
        + Eq
        + Default
        + Send
        + Sync
        + AsRef<[Self::Bitboard]>
        + AsMut<[Self::Bitboard]>;
    /// The mailbox: the kind of piece on each square.
    type Mailbox: Copy
        + Eq
        + Send
        + Sync
        + Index<Self::Square, Output = Option<Self::Kind>>
        + IndexMut<Self::Square>;

    /// The usual starting position.
    const START_FEN: &'static str;
    /// The most pieces on the board: those at the start.
    const MAX_PIECES: usize;
    /// The files between which king and rooks castle.
    const CASTLING: CastlingFiles;
    /// The value of each kind of piece in exchanges, in centipawns. No exchange outweighs a king.
    const PIECE_VALUES: &'static [i32];
    /// The kinds of squares, as networks tell them apart.
    const SQUARE_KINDS: &'static [&'static str];
    /// A mailbox without pieces.
    const EMPTY_MAILBOX: Self::Mailbox;

    /// How a pawn does not capture, for people; `, and e6 is taken` follows.
    const PAWN_BLOCKED: &'static str;
    /// When a pawn may make its double step, for people.
    const DOUBLE_STEP: &'static str;
    /// The kinds that a pawn becomes on the last rank, and how that is written, for people.
    const NEEDS_PROMOTION: &'static str;

    /// How a piece of this kind moves from a square, for people: `a rook moves along its rank ...`.
    fn movement(kind: Self::Kind, from: Self::Square) -> String;

    /// The kind of a square, as an index into [`Geometry::SQUARE_KINDS`].
    fn square_kind(square: Self::Square) -> usize;

    /// The square that is to White what this one is to Black: the board's image under the
    /// symmetry that exchanges the sides.
    fn flipped(square: Self::Square) -> Self::Square;

    /// The random numbers of Zobrist keys, a static of the game.
    fn zobrist() -> &'static ZobristNumbers;

    /// The squares that a piece other than a pawn attacks when those in `occupied` are
    /// taken. Empty for pawns.
    fn attacks(kind: Self::Kind, from: Self::Square, occupied: Self::Bitboard) -> Self::Bitboard;

    /// Calls `visit` with each piece other than pawns and kings, and the squares it attacks
    /// when those in `occupied` are taken; `of` has the squares of each kind of piece. A piece
    /// that goes in different ways may come once for each.
    fn each_attack(
        of: impl Fn(Self::Kind) -> Self::Bitboard,
        occupied: Self::Bitboard,
        visit: impl FnMut(Self::Square, Self::Bitboard),
    );

    /// The squares from which a piece other than a pawn attacks this one, or would if nothing
    /// were in the way. Empty for pawns.
    fn sources(kind: Self::Kind, to: Self::Square) -> Sources<Self::Bitboard>;

    /// The pieces other than pawns that attack a square, or would if nothing were in the way;
    /// `of` has the squares of each kind of piece. That is [`Geometry::sources`] for all kinds
    /// together: kinds that share a way of going share the work, a sixth of the generator's.
    fn attackers(
        to: Self::Square,
        of: impl Fn(Self::Kind) -> Self::Bitboard,
    ) -> Sources<Self::Bitboard>;

    /// The squares that must be empty for a piece on one of two to attack the other from
    /// afar. Empty where none can.
    fn between(a: Self::Square, b: Self::Square) -> Self::Bitboard;

    /// The squares from which a side's pawns capture on this one.
    fn pawn_sources(color: Color, to: Self::Square) -> Self::Bitboard;

    /// The directions in which a side's pawns go, numbered from 0: fewer than
    /// [`MAX_PAWN_WAYS`](super::MAX_PAWN_WAYS). By number, so that the generator can be
    /// compiled for each.
    fn pawn_way(color: Color, number: usize) -> Option<Self::PawnWay>;

    /// Whether no series of legal moves can mate any more, when pieces stand on the squares in
    /// `occupied`; `of` has those of each side's kinds.
    fn is_dead(of: impl Fn(Color, Self::Kind) -> Self::Bitboard, occupied: Self::Bitboard) -> bool;

    /// Non-pawn material, as the condition of null move pruning: whether a side has pieces
    /// enough that zugzwang is unlikely; `of` has the squares of each kind.
    fn has_non_pawn_material(of: impl Fn(Self::Kind) -> Self::Bitboard) -> bool;
}

/// The squares, or the pieces, from which a square may be attacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sources<B> {
    /// By a step or a leap, which nothing can be in the way of.
    pub near: B,
    /// If the squares between are empty.
    pub far: B,
}

/// The files between which king and rooks castle, the same on both back ranks. In the order
/// of [`Wing::ALL`](super::Wing::ALL).
#[derive(Clone, Copy)]
pub struct CastlingFiles {
    /// The king's file at the start.
    pub king_from: u8,
    /// Where it goes.
    pub king_to: [u8; 2],
    /// The rooks' files at the start.
    pub rook_from: [u8; 2],
    /// Where they go.
    pub rook_to: [u8; 2],
}

/// The random numbers of a game, one sequence: a static of its own, of a size that suffices
/// for every game and lets the compiler see that no place is beyond it.
pub struct ZobristNumbers([u64; ZobristNumbers::LEN]);

impl ZobristNumbers {
    pub(super) const LEN: usize = 2048;

    /// The numbers of a game, whose seed is its own.
    pub const fn new(seed: u64) -> ZobristNumbers {
        let mut state = seed;
        let mut numbers = [0; Self::LEN];
        let mut index = 0;
        while index < Self::LEN {
            numbers[index] = splitmix64(&mut state);
            index += 1;
        }
        ZobristNumbers(numbers)
    }

    #[inline]
    pub(super) const fn at(&self, place: usize) -> Key {
        Key(self.0[place % Self::LEN])
    }
}

/// A direction in which pawns step, capture, or both.
pub trait PawnWay<S, B>: Copy {
    /// The squares onto which pawns step this way, if they are empty.
    fn steps(self, pawns: B) -> B;

    /// The squares on which pawns capture this way.
    fn captures(self, pawns: B) -> B;

    /// Where a pawn that came this way was before.
    fn origin(self, to: S) -> S;
}

/// A move of a geometry's game.
pub type MoveOf<G> = Move<<G as Geometry>::Square, <G as Geometry>::Kind>;
