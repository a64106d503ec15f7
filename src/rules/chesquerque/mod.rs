//! The rules of Chesquerque: board, pieces, legal moves, game end, and text formats.
//!
//! There are 81 points and 18 pieces per side. The points where diagonal lines meet are *diagonal
//! points* (even file + rank, such as `a1`), the others are *plain points*. A piece's moves depend
//! on the kind of its point, and nothing ever jumps: even a knight needs the point that it passes
//! (its *leg*) to be empty.
//!
//! # Representation
//!
//! A [`Position`] is the type shared by all chess games ([`chess::Position`]): plain data that is
//! copied and then changed ("copy-make"). It has one 81-bit [`Bitboard`] for each side and each
//! kind of piece, a mailbox, and an incremental Zobrist key. Only the [`Geometry`], on this page,
//! is specific to this game. Sliding attacks use subtraction on whole lines (see `board`). One
//! table, `board::BETWEEN`, holds the points that must be empty for far attacks, on lines as
//! well as for knights.
//!
//! [`Geometry`]: chess::Geometry

mod board;

pub use board::{Bitboard, PerPoint, Point, Points, diagonal_attacks, orthogonal_attacks};

pub use crate::chess::{CastlingRights, Wing};
pub use crate::fen::{FenError, FenNotice};
pub use crate::picture::Picture;
pub use qirkat_game::{
    Color, DrawReason, GameHistory, Key, MoveFilter, Outcome, PackedMove, SanError,
};

use crate::chess::{self, CastlingFiles, Geometry, Sources, ZobristNumbers};
use crate::piece_kinds;
use board::{BETWEEN, KNIGHT_PATHS, SQUARE_TABLES};

pub type Position = chess::Position<Chesquerque>;
pub type Game = qirkat_game::GameState<Position>;
pub type Move = chess::Move<Point, PieceKind>;
pub type Piece = chess::Piece<PieceKind>;
pub type ParsedFen = crate::fen::ParsedFen<Position>;
pub type IllegalMove = chess::IllegalMove<Chesquerque>;
pub type MoveTextError = qirkat_game::MoveTextError<IllegalMove>;

piece_kinds! {
    /// A kind of piece, least valuable first: the order in which an exchange uses them
    /// ("least valuable attacker").
    ///
    /// ```
    /// use qirkat_rules::chesquerque::PieceKind;
    ///
    /// let kind: PieceKind = "a".parse()?;
    /// assert_eq!(kind, PieceKind::Archbishop);
    /// assert_eq!(kind.name(), "archbishop");
    /// assert!(PieceKind::Rook < kind && kind < PieceKind::Queen);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    PieceKind: "pnbraqk",
    promotions [Queen, Archbishop, Rook, Bishop, Knight],
    /// Straight steps; captures straight ahead from plain points, diagonally from diagonal points.
    Pawn 'p' 'P' "pawn",
    /// Two steps over an empty leg.
    Knight 'n' 'N' "knight",
    /// Slides along diagonals, steps along ranks and files.
    Bishop 'b' 'B' "bishop",
    /// Slides along ranks and files, steps along diagonals.
    Rook 'r' 'R' "rook",
    /// Bishop and knight in one.
    Archbishop 'a' 'A' "archbishop",
    /// Slides along every line.
    Queen 'q' 'Q' "queen",
    /// One step along any line; castles.
    King 'k' 'K' "king",
}

pub const START_FEN: &str = "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1";

pub const MAX_PIECES: usize = 36;

/// An upper bound on the number of moves in a position, counting each promotion.
///
/// A piece has at most 32 moves (a queen on `e5`), so `p` pieces have at most `32 p`. A point is
/// reached from at most eight lines and eight knights, so the `81 - p` other points take at most
/// `16 (81 - p)`. Both together allow 864. The nine points of the last rank take pawns from three
/// points each, and a promotion counts five times: 4 × 27 more. Castling adds two.
pub const MAX_MOVES: usize = 864 + 4 * 27 + 2;

/// The value of each kind of piece in exchanges, in centipawns, by
/// [`PieceKind::index`]. No exchange outweighs a king.
pub const PIECE_VALUES: [i32; PieceKind::COUNT] = [100, 320, 560, 850, 920, 1040, 10_000];

/// The geometry of Chesquerque.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chesquerque;

type GeneratorFns = (
    fn(&Position) -> bool,
    fn(&Position) -> u64,
    fn(&Position, MoveFilter) -> Vec<Move>,
    fn(&Position, MoveFilter, &mut Vec<qirkat_game::RankedMove<Move>>),
    fn(&Position, Move) -> bool,
);

/// Generic code is compiled again in every calling crate, unless it is never inlined and already
/// instantiated upstream: the generator was half of the prover's code. Masonic chess does without,
/// since its generator is then inlined better (1.01 times as fast).
#[used]
static GENERATOR: GeneratorFns = (
    <Position as qirkat_game::Rules>::has_legal_moves,
    <Position as qirkat_game::Rules>::count_legal_moves,
    <Position as qirkat_game::Rules>::moves,
    <Position as qirkat_game::Rules>::push_moves,
    <Position as qirkat_game::Rules>::is_legal,
);

impl Geometry for Chesquerque {
    type Square = Point;
    type Bitboard = Bitboard;
    type Kind = PieceKind;
    type PawnDirection = PawnDirection;
    type ByKind = [Bitboard; PieceKind::COUNT];
    type Mailbox = PerPoint<Option<PieceKind>>;

    const START_FEN: &'static str = START_FEN;
    const MAX_PIECES: usize = MAX_PIECES;
    /// The king goes three points, the rook two.
    const CASTLING: CastlingFiles =
        CastlingFiles { king_from: 4, king_to: [7, 1], rook_from: [8, 0], rook_to: [6, 2] };
    const PIECE_VALUES: &'static [i32] = &PIECE_VALUES;
    const SQUARE_KINDS: &'static [&'static str] = &["plain", "diagonal"];
    const EMPTY_MAILBOX: PerPoint<Option<PieceKind>> = PerPoint([None; Point::COUNT]);

    const PAWN_BLOCKED: &'static str = "a pawn on a diagonal point cannot capture straight ahead";
    const DOUBLE_STEP: &'static str =
        "a pawn goes two points only from where it started, over empty points";
    const NEEDS_PROMOTION: &'static str = "a pawn on the last rank becomes a queen, rook, bishop, knight or archbishop: add q, r, b, n or a";

    fn movement(kind: PieceKind, from: Point) -> String {
        let article = if kind == PieceKind::Archbishop { "an" } else { "a" };
        let point = if from.is_diagonal() { "diagonal" } else { "plain" };
        format!("{article} {} on a {point} point {}", kind.name(), movement_of(kind, from))
    }

    fn square_kind(point: Point) -> usize {
        usize::from(point.is_diagonal())
    }

    fn flipped(point: Point) -> Point {
        point.flipped()
    }

    #[inline]
    fn zobrist() -> &'static ZobristNumbers {
        static NUMBERS: ZobristNumbers = ZobristNumbers::new(0x2545_F491_4F6C_DD1D);
        &NUMBERS
    }

    #[inline]
    fn attacks(kind: PieceKind, from: Point, occupied: Bitboard) -> Bitboard {
        let lines = &SQUARE_TABLES[from];
        match kind {
            PieceKind::Pawn => Bitboard::EMPTY,
            PieceKind::Knight => knight_attacks(from, occupied),
            PieceKind::Bishop => diagonal_attacks(from, occupied) | lines.straight_steps,
            PieceKind::Rook => orthogonal_attacks(from, occupied) | lines.diagonal_steps,
            PieceKind::Archbishop => {
                diagonal_attacks(from, occupied)
                    | lines.straight_steps
                    | knight_attacks(from, occupied)
            }
            PieceKind::Queen => {
                orthogonal_attacks(from, occupied) | diagonal_attacks(from, occupied)
            }
            PieceKind::King => lines.straight_steps | lines.diagonal_steps,
        }
    }

    /// Grouped by movement rather than kind: a queen is an orthogonal and a diagonal slider, an
    /// archbishop a diagonal slider, a stepper and a knight. From plain points nothing moves along
    /// diagonals.
    #[inline]
    fn for_each_attack(
        of: impl Fn(PieceKind) -> Bitboard,
        occupied: Bitboard,
        mut visit: impl FnMut(Point, Bitboard),
    ) {
        use PieceKind::*;
        let (rooks, queens, archbishops) = (of(Rook), of(Queen), of(Archbishop));
        let (bishops, knights) = (of(Bishop) | archbishops, of(Knight) | archbishops);

        for from in rooks | queens {
            visit(from, orthogonal_attacks(from, occupied));
        }
        for from in (bishops | queens) & Bitboard::DIAGONAL {
            visit(from, diagonal_attacks(from, occupied));
        }
        for from in bishops {
            visit(from, SQUARE_TABLES[from].straight_steps);
        }
        for from in rooks & Bitboard::DIAGONAL {
            visit(from, SQUARE_TABLES[from].diagonal_steps);
        }
        for from in knights {
            visit(from, knight_attacks(from, occupied));
        }
    }

    #[inline]
    fn sources(kind: PieceKind, to: Point) -> Sources<Bitboard> {
        const NONE: Bitboard = Bitboard::EMPTY;
        let lines = &SQUARE_TABLES[to];
        let (near, far) = match kind {
            PieceKind::Pawn => (NONE, NONE),
            PieceKind::Knight => (NONE, lines.knight_reach),
            PieceKind::Bishop => (lines.straight_steps, lines.diagonal_lines),
            PieceKind::Rook => (lines.diagonal_steps, lines.straight_lines),
            PieceKind::Archbishop => {
                (lines.straight_steps, lines.diagonal_lines | lines.knight_reach)
            }
            PieceKind::Queen => (NONE, lines.straight_lines | lines.diagonal_lines),
            PieceKind::King => (lines.straight_steps | lines.diagonal_steps, NONE),
        };
        Sources { near, far }
    }

    #[inline]
    fn piece_sources(to: Point, of: impl Fn(PieceKind) -> Bitboard) -> Sources<Bitboard> {
        use PieceKind::*;
        let lines = &SQUARE_TABLES[to];
        Sources {
            near: (lines.straight_steps & (of(Bishop) | of(Archbishop) | of(King)))
                | (lines.diagonal_steps & (of(Rook) | of(King))),
            far: (lines.straight_lines & (of(Rook) | of(Queen)))
                | (lines.diagonal_lines & (of(Bishop) | of(Archbishop) | of(Queen)))
                | (lines.knight_reach & (of(Knight) | of(Archbishop))),
        }
    }

    #[inline]
    fn between(a: Point, b: Point) -> Bitboard {
        BETWEEN[a][b]
    }

    #[inline]
    fn pawn_sources(color: Color, to: Point) -> Bitboard {
        SQUARE_TABLES[to].pawn_sources[color.index()]
    }

    #[inline]
    fn pawn_direction(color: Color, number: usize) -> Option<PawnDirection> {
        match number {
            0 => Some(PawnDirection::Straight(color)),
            1 => Some(PawnDirection::East(color)),
            2 => Some(PawnDirection::West(color)),
            _ => None,
        }
    }

    /// Bare kings, each with at most one knight. Every other set of up to four pieces can mate
    /// somehow (a lone bishop even by force); `tests/rules/dead_material.rs` shows both by
    /// enumeration.
    #[inline]
    fn is_dead(of: impl Fn(Color, PieceKind) -> Bitboard, occupied: Bitboard) -> bool {
        let [white, black] = Color::ALL.map(|color| of(color, PieceKind::Knight));
        let kings = of(Color::White, PieceKind::King) | of(Color::Black, PieceKind::King);
        occupied == white | black | kings && !white.more_than_one() && !black.more_than_one()
    }

    /// A single minor piece is not enough, since it wins endings by zugzwang in this game.
    fn has_non_pawn_material(of: impl Fn(PieceKind) -> Bitboard) -> bool {
        let minor = of(PieceKind::Knight) | of(PieceKind::Bishop);
        let heavy = of(PieceKind::Rook) | of(PieceKind::Archbishop) | of(PieceKind::Queen);
        heavy.any() || minor.more_than_one()
    }
}

/// The points that a piece on `from` attacks with this occupancy. Empty for pawns, whose attacks
/// depend on their side.
///
/// ```
/// use qirkat_rules::chesquerque::piece_attacks;
/// use qirkat_rules::chesquerque::{Bitboard, PieceKind, Point};
///
/// let attacks = |kind, text: &str| -> Result<u32, Box<dyn std::error::Error>> {
///     Ok(piece_attacks(kind, text.parse::<Point>()?, Bitboard::EMPTY).len())
/// };
/// // A queen slides in eight directions from a diagonal point, in four from a plain one.
/// assert_eq!(attacks(PieceKind::Queen, "e5")?, 32);
/// assert_eq!(attacks(PieceKind::Queen, "e4")?, 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn piece_attacks(kind: PieceKind, from: Point, occupied: Bitboard) -> Bitboard {
    Chesquerque::attacks(kind, from, occupied)
}

/// The points that a knight attacks: those beyond its empty legs.
#[inline]
fn knight_attacks(from: Point, occupied: Bitboard) -> Bitboard {
    KNIGHT_PATHS[from].iter().fold(Bitboard::EMPTY, |targets, path| {
        if (path.leg & occupied).is_empty() { targets | path.targets } else { targets }
    })
}

/// A direction of a side's pawns.
#[derive(Clone, Copy, Debug)]
pub enum PawnDirection {
    /// Straight ahead: steps, and captures from plain points.
    Straight(Color),
    /// Ahead and towards `i`: captures from diagonal points.
    East(Color),
    /// Ahead and towards `a`: captures from diagonal points.
    West(Color),
}

impl chess::PawnDirection<Point, Bitboard> for PawnDirection {
    #[inline]
    fn steps(self, pawns: Bitboard) -> Bitboard {
        match self {
            PawnDirection::Straight(color) => pawns.forward(color),
            PawnDirection::East(_) | PawnDirection::West(_) => Bitboard::EMPTY,
        }
    }

    #[inline]
    fn captures(self, pawns: Bitboard) -> Bitboard {
        match self {
            PawnDirection::Straight(color) => (pawns & Bitboard::PLAIN).forward(color),
            PawnDirection::East(color) => (pawns & Bitboard::DIAGONAL).forward(color).east(),
            PawnDirection::West(color) => (pawns & Bitboard::DIAGONAL).forward(color).west(),
        }
    }

    #[inline]
    fn origin(self, to: Point) -> Point {
        let ahead = |color| match color {
            Color::White => Point::FILES as i8,
            Color::Black => -(Point::FILES as i8),
        };
        to.stepped(match self {
            PawnDirection::Straight(color) => -ahead(color),
            PawnDirection::East(color) => -ahead(color) - 1,
            PawnDirection::West(color) => -ahead(color) + 1,
        })
    }
}

fn movement_of(kind: PieceKind, from: Point) -> &'static str {
    use PieceKind::*;
    match (kind, from.is_diagonal()) {
        (Pawn, false) => "moves and captures one step straight ahead",
        (Pawn, true) => "moves one step straight ahead and captures one step diagonally ahead",
        (Knight, false) => "goes one step orthogonally, then one diagonally outward",
        (Knight, true) => "goes one step diagonally, then one orthogonally outward",
        (Bishop, false) => "moves one step orthogonally only",
        (Bishop, true) => "moves diagonally any distance, or one step orthogonally",
        (Rook, false) => "moves orthogonally any distance",
        (Rook, true) => "moves orthogonally any distance, or one step diagonally",
        (Archbishop, false) => "moves one step orthogonally, or as a knight",
        (Archbishop, true) => {
            "moves diagonally any distance, one step orthogonally, or as a knight"
        }
        (Queen, false) => "moves orthogonally any distance, never diagonally",
        (Queen, true) => "moves in any of eight directions, any distance",
        (King, false) => "moves one step orthogonally only",
        (King, true) if chess::is_king_home::<Chesquerque>(from) => {
            "moves one step in any direction, or castles"
        }
        (King, true) => "moves one step in any direction",
    }
}
