//! The rules of Masonic chess (George R. Dekle Sr., 1983): board, pieces, legal moves, game end,
//! and text formats.
//!
//! It is chess on 64 cells laid like bricks: the even ranks are shifted right by half a cell, so a
//! cell touches six others. In half cells, its neighbours are along the rank at (±2, 0) and along
//! the two *cants* at (±1, ±1); the bishops' *diagonals* run through the corners, (±3, ±1).
//!
//! # Representation
//!
//! A [`Position`] is the type shared by all chess games ([`chess::Position`]), with one 64-bit
//! [`Bitboard`] for each side and each kind of piece. Only the [`Geometry`], on this page, is
//! specific to this game. Index differences depend on whether a rank is shifted, so sets of pawns
//! move in two parts ([`Direction`]). Cants and diagonals have one cell on each rank, so sliding
//! attacks use subtraction on whole lines (`board`).

mod board;

pub use board::{Bitboard, Cell, Cells, Direction, PerCell};

pub use crate::chess::{CastlingRights, Wing};
pub use crate::fen::{FenError, FenNotice};
pub use crate::picture::Picture;
pub use qirkat_game::{
    Color, DrawReason, GameHistory, Key, MoveFilter, Outcome, PackedMove, SanError,
};

use crate::chess::{self, CastlingFiles, Geometry, Sources, ZobristNumbers};
use crate::piece_kinds;
use board::{BETWEEN, SQUARE_TABLES, diagonal_attacks, orthogonal_attacks};

pub type Position = chess::Position<Masonic>;
pub type Game = qirkat_game::GameState<Position>;
pub type Move = chess::Move<Cell, PieceKind>;
pub type Piece = chess::Piece<PieceKind>;
pub type ParsedFen = crate::fen::ParsedFen<Position>;
pub type IllegalMove = chess::IllegalMove<Masonic>;
pub type MoveTextError = qirkat_game::MoveTextError<IllegalMove>;

piece_kinds! {
    /// A kind of piece, least valuable first: the order in which an exchange uses them ("least
    /// valuable attacker").
    PieceKind: "pnbrqk",
    promotions [Queen, Rook, Bishop, Knight],
    /// Steps forward along the cants; captures one step diagonally forward.
    Pawn 'p' 'P' "pawn",
    /// Leaps: a step along a rank or cant, then a diagonal step outward.
    Knight 'n' 'N' "knight",
    /// Slides along diagonals, steps along ranks and cants.
    Bishop 'b' 'B' "bishop",
    /// Slides along ranks and cants.
    Rook 'r' 'R' "rook",
    /// Slides along every line.
    Queen 'q' 'Q' "queen",
    /// One step along any line; castles.
    King 'k' 'K' "king",
}

pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// An upper bound on the number of moves in a position, counting each promotion.
///
/// A piece has at most 31 moves (a queen on `e4`), so `p` pieces have at most `31 p`. A cell is
/// reached along at most ten lines and by at most twelve knights, so the `64 - p` other cells take
/// at most `22 (64 - p)`. Both together allow 814. The eight cells of the last rank take pawns from
/// two cells each, and a promotion counts four times: 3 × 16 more. Castling adds two.
pub const MAX_MOVES: usize = 814 + 3 * 16 + 2;

/// The value of each kind of piece for SEE, in centipawns, by [`PieceKind::index`]: 55 for each
/// cell it reaches on average with three in ten cells occupied at random. No exchange outweighs a
/// king.
pub const PIECE_VALUES: [i32; PieceKind::COUNT] = [100, 400, 540, 610, 880, 10_000];

/// The geometry of Masonic chess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Masonic;

impl Geometry for Masonic {
    type Square = Cell;
    type Bitboard = Bitboard;
    type Kind = PieceKind;
    type PawnDirection = PawnDirection;
    type ByKind = [Bitboard; PieceKind::COUNT];
    type Mailbox = PerCell<Option<PieceKind>>;

    const START_FEN: &'static str = START_FEN;
    const MAX_PIECES: usize = 32;
    /// As in orthodox chess.
    const CASTLING: CastlingFiles =
        CastlingFiles { king_from: 4, king_to: [6, 2], rook_from: [7, 0], rook_to: [5, 3] };
    const PIECE_VALUES: &'static [i32] = &PIECE_VALUES;
    const SQUARE_KINDS: &'static [&'static str] = &["straight", "shifted"];
    const EMPTY_MAILBOX: PerCell<Option<PieceKind>> = PerCell([None; Cell::COUNT]);

    const PAWN_BLOCKED: &'static str = "a pawn captures diagonally only";
    const DOUBLE_STEP: &'static str =
        "a pawn goes two steps only from where it started, on one cant over empty cells";
    const NEEDS_PROMOTION: &'static str =
        "a pawn on the last rank becomes a queen, rook, bishop or knight: add q, r, b or n";

    fn movement(kind: PieceKind, from: Cell) -> String {
        format!("a {} {}", kind.name(), movement_of(kind, from))
    }

    fn square_kind(cell: Cell) -> usize {
        usize::from(cell.is_shifted())
    }

    /// Rotation by 180 degrees, the board's only symmetry. The kings face each other, so castling
    /// does not map: White's king on `e1` goes to `d8`.
    fn flipped(cell: Cell) -> Cell {
        cell.turned()
    }

    #[inline]
    fn zobrist() -> &'static ZobristNumbers {
        static NUMBERS: ZobristNumbers = ZobristNumbers::new(0x6D61_736F_6E69_6331);
        &NUMBERS
    }

    #[inline]
    fn attacks(kind: PieceKind, from: Cell, occupied: Bitboard) -> Bitboard {
        let lines = &SQUARE_TABLES[from];
        match kind {
            PieceKind::Pawn => Bitboard::EMPTY,
            PieceKind::Knight => lines.knight_reach,
            PieceKind::Bishop => diagonal_attacks(from, occupied) | lines.straight_steps,
            PieceKind::Rook => orthogonal_attacks(from, occupied),
            PieceKind::Queen => {
                orthogonal_attacks(from, occupied) | diagonal_attacks(from, occupied)
            }
            PieceKind::King => lines.straight_steps | lines.diagonal_steps,
        }
    }

    #[inline]
    fn for_each_attack(
        of: impl Fn(PieceKind) -> Bitboard,
        occupied: Bitboard,
        mut visit: impl FnMut(Cell, Bitboard),
    ) {
        use PieceKind::*;
        for from in of(Knight) {
            visit(from, Masonic::attacks(Knight, from, occupied));
        }
        for from in of(Bishop) {
            visit(from, Masonic::attacks(Bishop, from, occupied));
        }
        for from in of(Rook) {
            visit(from, Masonic::attacks(Rook, from, occupied));
        }
        for from in of(Queen) {
            visit(from, Masonic::attacks(Queen, from, occupied));
        }
    }

    #[inline]
    fn sources(kind: PieceKind, to: Cell) -> Sources<Bitboard> {
        const NONE: Bitboard = Bitboard::EMPTY;
        let lines = &SQUARE_TABLES[to];
        let (near, far) = match kind {
            PieceKind::Pawn => (NONE, NONE),
            PieceKind::Knight => (lines.knight_reach, NONE),
            PieceKind::Bishop => (lines.straight_steps, lines.diagonal_lines),
            PieceKind::Rook => (NONE, lines.straight_lines),
            PieceKind::Queen => (NONE, lines.straight_lines | lines.diagonal_lines),
            PieceKind::King => (lines.straight_steps | lines.diagonal_steps, NONE),
        };
        Sources { near, far }
    }

    #[inline]
    fn piece_sources(to: Cell, of: impl Fn(PieceKind) -> Bitboard) -> Sources<Bitboard> {
        use PieceKind::*;
        let lines = &SQUARE_TABLES[to];
        Sources {
            near: (lines.straight_steps & (of(Bishop) | of(King)))
                | (lines.diagonal_steps & of(King))
                | (lines.knight_reach & of(Knight)),
            far: (lines.straight_lines & (of(Rook) | of(Queen)))
                | (lines.diagonal_lines & (of(Bishop) | of(Queen))),
        }
    }

    #[inline]
    fn between(a: Cell, b: Cell) -> Bitboard {
        BETWEEN[a][b]
    }

    #[inline]
    fn pawn_sources(color: Color, to: Cell) -> Bitboard {
        SQUARE_TABLES[to].pawn_sources[color.index()]
    }

    #[inline]
    fn pawn_direction(color: Color, number: usize) -> Option<PawnDirection> {
        PAWN_DIRECTIONS[color.index()].get(number).copied()
    }

    /// Bare kings. Any single piece, even a knight, can mate a bare king (by force from nearly
    /// everywhere, in 46 moves at most), and play can always reach a mate;
    /// `tests/rules/dead_material.rs` shows both.
    #[inline]
    fn is_dead(of: impl Fn(Color, PieceKind) -> Bitboard, occupied: Bitboard) -> bool {
        occupied == of(Color::White, PieceKind::King) | of(Color::Black, PieceKind::King)
    }

    fn has_non_pawn_material(of: impl Fn(PieceKind) -> Bitboard) -> bool {
        use PieceKind::*;
        (of(Knight) | of(Bishop) | of(Rook) | of(Queen)).any()
    }
}

/// The cells that a piece on `from` attacks with this occupancy. Empty for pawns, whose attacks
/// depend on their side.
///
/// ```
/// use qirkat_rules::masonic::{Bitboard, Cell, PieceKind, piece_attacks};
///
/// let from: Cell = "e4".parse()?;
/// assert_eq!(piece_attacks(PieceKind::Queen, from, Bitboard::EMPTY).len(), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn piece_attacks(kind: PieceKind, from: Cell, occupied: Bitboard) -> Bitboard {
    Masonic::attacks(kind, from, occupied)
}

/// A direction of a side's pawns.
#[derive(Clone, Copy)]
pub enum PawnDirection {
    /// Along a cant: steps.
    Cant(Direction),
    /// Along a diagonal: captures.
    Diagonal(Direction),
}

/// The directions of each side's pawns, left and right from White's view.
const PAWN_DIRECTIONS: [[PawnDirection; 4]; 2] = [pawn_directions(1), pawn_directions(-1)];

const fn pawn_directions(ahead: i8) -> [PawnDirection; 4] {
    [
        PawnDirection::Cant(Direction::new((-1, ahead))),
        PawnDirection::Cant(Direction::new((1, ahead))),
        PawnDirection::Diagonal(Direction::new((-3, ahead))),
        PawnDirection::Diagonal(Direction::new((3, ahead))),
    ]
}

impl chess::PawnDirection<Cell, Bitboard> for PawnDirection {
    #[inline]
    fn steps(self, pawns: Bitboard) -> Bitboard {
        match self {
            PawnDirection::Cant(direction) => direction.shift(pawns),
            PawnDirection::Diagonal(_) => Bitboard::EMPTY,
        }
    }

    #[inline]
    fn captures(self, pawns: Bitboard) -> Bitboard {
        match self {
            PawnDirection::Cant(_) => Bitboard::EMPTY,
            PawnDirection::Diagonal(direction) => direction.shift(pawns),
        }
    }

    #[inline]
    fn origin(self, to: Cell) -> Cell {
        match self {
            PawnDirection::Cant(direction) | PawnDirection::Diagonal(direction) => {
                direction.origin(to)
            }
        }
    }
}

fn movement_of(kind: PieceKind, from: Cell) -> &'static str {
    match kind {
        PieceKind::Pawn => {
            "steps forward to either of the two cells that touch it, and captures diagonally"
        }
        PieceKind::Knight => "leaps one step along a rank or cant, then one diagonally outward",
        PieceKind::Bishop => "moves diagonally any distance, or one step along its rank or a cant",
        PieceKind::Rook => "moves along its rank or a cant, any distance",
        PieceKind::Queen => "moves along its rank, a cant or a diagonal, any distance",
        PieceKind::King if chess::is_king_home::<Masonic>(from) => {
            "moves one step in any of ten directions, or castles"
        }
        PieceKind::King => "moves one step in any of ten directions",
    }
}
