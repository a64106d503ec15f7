//! The geometry of a chess game: what differs between the games, and the parts of sliding attacks
//! that all boards share.

use std::fmt::Debug;
use std::ops::{Index, IndexMut};

use qirkat_game::splitmix::splitmix64;
use qirkat_game::{Color, Key};

use super::piece::{Kind, Move};
use super::square::{Square, SquareSet};

/// A board, and how pieces move on it. [`Position`](super::Position) is compiled for each.
///
/// A piece moves in one of two ways. *Near* moves, a step or a leap, cannot be blocked, and such a
/// check can only be parried by capturing the piece. For *far* moves, along a line or over a
/// knight's leg (the square it passes), the squares [`between`](Geometry::between) must be empty. Pins, checks, exchanges
/// and legality follow from that.
///
/// Tables are statics of the game, and storage by kind or square is an associated type, since
/// neither can be generic in Rust.
pub trait Geometry: Copy + Eq + Debug + Send + Sync + 'static {
    type Square: Square;
    type Bitboard: SquareSet<Self::Square>;
    type Kind: Kind;
    type PawnDirection: PawnDirection<Self::Square, Self::Bitboard>;
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

    const START_FEN: &'static str;
    const MAX_PIECES: usize;
    const CASTLING: CastlingFiles;
    /// The value of each kind of piece for SEE, in centipawns. No exchange outweighs a king.
    const PIECE_VALUES: &'static [i32];
    /// The names of the kinds of squares that networks distinguish.
    const SQUARE_KINDS: &'static [&'static str];
    const EMPTY_MAILBOX: Self::Mailbox;

    /// A message fragment that says how a pawn does not capture; `, and e6 is occupied` follows.
    const PAWN_BLOCKED: &'static str;
    /// A message fragment: when a pawn may make its double step.
    const DOUBLE_STEP: &'static str;
    /// A message fragment: what a pawn may promote to, and how that is written.
    const NEEDS_PROMOTION: &'static str;

    /// A message: how a piece of this kind moves from a square: `a rook moves along its rank ...`.
    fn movement(kind: Self::Kind, from: Self::Square) -> String;

    /// The kind of a square, as an index into [`Geometry::SQUARE_KINDS`].
    fn square_kind(square: Self::Square) -> usize;

    /// The image of a square under the symmetry of the board that swaps the sides.
    fn flipped(square: Self::Square) -> Self::Square;

    /// The random numbers of Zobrist keys, a static of the game.
    fn zobrist() -> &'static ZobristNumbers;

    /// The squares that a piece other than a pawn attacks with this occupancy. Empty for pawns.
    fn attacks(kind: Self::Kind, from: Self::Square, occupied: Self::Bitboard) -> Self::Bitboard;

    /// Calls `visit` with each piece other than pawns and kings, and the squares it attacks with
    /// this occupancy; `of` returns the squares of a kind. A piece that moves in several ways may
    /// occur once for each.
    fn for_each_attack(
        of: impl Fn(Self::Kind) -> Self::Bitboard,
        occupied: Self::Bitboard,
        visit: impl FnMut(Self::Square, Self::Bitboard),
    );

    /// The squares from which a piece other than a pawn attacks this one, ignoring blockers. Empty
    /// for pawns.
    fn sources(kind: Self::Kind, to: Self::Square) -> Sources<Self::Bitboard>;

    /// The pieces other than pawns that attack a square, ignoring blockers; `of` returns the
    /// squares of a kind. It is [`Geometry::sources`] for all kinds together: sharing work between
    /// kinds that move alike saves a sixth of the generator's time.
    fn piece_sources(
        to: Self::Square,
        of: impl Fn(Self::Kind) -> Self::Bitboard,
    ) -> Sources<Self::Bitboard>;

    /// The squares that must be empty for a far attack between two squares. Empty if there is none.
    fn between(a: Self::Square, b: Self::Square) -> Self::Bitboard;

    /// The squares from which a side's pawns capture on this one.
    fn pawn_sources(color: Color, to: Self::Square) -> Self::Bitboard;

    /// A direction of a side's pawns, by its number from 0 and below
    /// [`MAX_PAWN_DIRECTIONS`](super::MAX_PAWN_DIRECTIONS): the generator is compiled for each
    /// number.
    fn pawn_direction(color: Color, number: usize) -> Option<Self::PawnDirection>;

    /// Whether no sequence of legal moves can mate, with pieces on `occupied`; `of` returns the
    /// squares of each side's kinds.
    fn is_dead(of: impl Fn(Color, Self::Kind) -> Self::Bitboard, occupied: Self::Bitboard) -> bool;

    /// The condition for null move pruning: whether a side has enough pieces other than pawns to
    /// make zugzwang unlikely; `of` returns the squares of each kind.
    fn has_non_pawn_material(of: impl Fn(Self::Kind) -> Self::Bitboard) -> bool;
}

/// The squares or pieces from which a square may be attacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sources<B> {
    /// By a step or a leap, which cannot be blocked.
    pub near: B,
    /// If the squares between are empty.
    pub far: B,
}

/// The squares to which a square is joined on an empty board.
#[derive(Clone, Copy)]
pub(crate) struct SquareTable<B> {
    /// Neighbours along the rook's lines.
    pub straight_steps: B,
    /// Neighbours along the other lines, the diagonals. In Chesquerque plain points have none.
    pub diagonal_steps: B,
    /// All squares on the same straight lines.
    pub straight_lines: B,
    /// All squares on the same diagonals.
    pub diagonal_lines: B,
    /// The squares a knight's move away; the relation is symmetric.
    pub knight_reach: B,
    /// The squares from which a pawn of White or Black attacks this one.
    pub pawn_sources: [B; 2],
}

impl<B: Copy> SquareTable<B> {
    /// No lines, the initial entry of a table.
    pub(crate) const fn none(empty: B) -> SquareTable<B> {
        SquareTable {
            straight_steps: empty,
            diagonal_steps: empty,
            straight_lines: empty,
            diagonal_lines: empty,
            knight_reach: empty,
            pawn_sources: [empty; 2],
        }
    }
}

/// The files of king and rooks in castling, the same for both sides, in the order of
/// [`Wing::ALL`](super::Wing::ALL).
#[derive(Clone, Copy)]
pub struct CastlingFiles {
    pub king_from: u8,
    pub king_to: [u8; 2],
    pub rook_from: [u8; 2],
    pub rook_to: [u8; 2],
}

/// The random numbers of a game's Zobrist keys. Its size suffices for every game and lets the
/// compiler drop bounds checks.
pub struct ZobristNumbers([u64; ZobristNumbers::LEN]);

impl ZobristNumbers {
    pub(super) const LEN: usize = 2048;

    /// Random numbers from the game's own seed.
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
    pub(super) const fn at(&self, index: usize) -> Key {
        Key(self.0[index % Self::LEN])
    }
}

/// A direction in which pawns step, capture, or both.
pub trait PawnDirection<S, B>: Copy {
    /// The squares to which pawns step in this direction, if they are empty.
    fn steps(self, pawns: B) -> B;

    /// The squares on which pawns capture in this direction.
    fn captures(self, pawns: B) -> B;

    /// The square from which a pawn came in this direction.
    fn origin(self, to: S) -> S;
}

pub type MoveOf<G> = Move<<G as Geometry>::Square, <G as Geometry>::Kind>;

/// First-rank attacks: the attacked squares of a rank of `FILES` squares, a bit per file, by the
/// slider's file and the occupied inner squares. The outermost squares are reached whether or not
/// they are occupied. `INNER` is 2 to the power of `FILES - 2`.
pub const fn rank_attacks<const FILES: usize, const INNER: usize>() -> [[u16; INNER]; FILES] {
    let mut table = [[0; INNER]; FILES];
    let mut file = 0;
    while file < FILES {
        let mut inner = 0;
        while inner < INNER {
            let pieces = (inner as u16) << 1;
            let mut attacks = 0;
            let mut right = file + 1;
            while right < FILES {
                attacks |= 1 << right;
                if pieces & 1 << right != 0 {
                    break;
                }
                right += 1;
            }
            let mut left = file;
            while left > 0 {
                left -= 1;
                attacks |= 1 << left;
                if pieces & 1 << left != 0 {
                    break;
                }
            }
            table[file][inner] = attacks;
            inner += 1;
        }
        file += 1;
    }
    table
}

/// Bits whose bytes can be reversed in one operation. That mirrors lines that cross each byte once,
/// so downward attacks are computed like upward ones.
pub(crate) trait ReverseBytes {
    fn reverse_bytes(self) -> Self;
}

/// Takes one or two instructions.
#[cfg(not(target_feature = "simd128"))]
mod byte_swap {
    use super::ReverseBytes;

    impl ReverseBytes for u64 {
        #[inline]
        fn reverse_bytes(self) -> u64 {
            self.swap_bytes()
        }
    }

    impl ReverseBytes for u128 {
        #[inline]
        fn reverse_bytes(self) -> u128 {
            self.swap_bytes()
        }
    }
}

/// WebAssembly has no byte swap, and shifts take a dozen instructions for 64 bits, but it can
/// shuffle the bytes of a vector.
#[cfg(target_feature = "simd128")]
mod shuffle {
    use std::arch::wasm32::{u8x16_shuffle, u64x2, u64x2_extract_lane, u64x2_splat};

    use super::ReverseBytes;

    impl ReverseBytes for u64 {
        #[inline]
        fn reverse_bytes(self) -> u64 {
            let bytes = u64x2_splat(self);
            let reversed =
                u8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(bytes, bytes);
            u64x2_extract_lane::<0>(reversed)
        }
    }

    impl ReverseBytes for u128 {
        #[inline]
        fn reverse_bytes(self) -> u128 {
            let bytes = u64x2(self as u64, (self >> 64) as u64);
            let reversed =
                u8x16_shuffle::<15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0>(bytes, bytes);
            let (low, high) =
                (u64x2_extract_lane::<0>(reversed), u64x2_extract_lane::<1>(reversed));
            u128::from(high) << 64 | u128::from(low)
        }
    }
}
