//! Orthodox chess as a geometry, which proves that the rules of chess are written generically. It
//! is not part of the library.

use qirkat_game::Color;
use qirkat_rules::chess::{self, CastlingFiles, Geometry, Sources, ZobristNumbers};
use qirkat_rules::{bitboards, piece_kinds, squares};

pub type Position = chess::Position<Orthodox>;

squares! {
    /// One of the 64 squares.
    Square: 8 files, 8 ranks, "square", "e4", moves "`e2e4` or `a7a8q`"
    /// A table with one entry for each square.
    PerSquare
}

bitboards! {
    Bitboard(u64) of Square, "square"
    /// Iterates over the squares of a set.
    Squares
}

piece_kinds! {
    PieceKind: "pnbrqk",
    promotions [Queen, Rook, Bishop, Knight],
    /// Steps straight, captures diagonally.
    Pawn 'p' 'P' "pawn",
    Knight 'n' 'N' "knight",
    /// Slides along diagonals.
    Bishop 'b' 'B' "bishop",
    /// Slides along files and ranks.
    Rook 'r' 'R' "rook",
    /// Slides in all directions.
    Queen 'q' 'Q' "queen",
    /// One step in any direction; castles.
    King 'k' 'K' "king",
}

const ORTHOGONAL: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl Square {
    const fn bit(self) -> Bitboard {
        Bitboard(1 << self.0)
    }

    const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Square::new(file as u8, rank as u8))
    }
}

/// The squares joined to a square on an empty board.
#[derive(Clone, Copy)]
struct Lines {
    king_steps: Bitboard,
    knight_leaps: Bitboard,
    orthogonal: Bitboard,
    diagonal: Bitboard,
    pawn_sources: [Bitboard; 2],
}

static LINES: PerSquare<Lines> = {
    const NONE: Bitboard = Bitboard::EMPTY;
    let mut table = PerSquare(
        [Lines {
            king_steps: NONE,
            knight_leaps: NONE,
            orthogonal: NONE,
            diagonal: NONE,
            pawn_sources: [NONE; 2],
        }; Square::COUNT],
    );
    let mut index = 0;
    while let Some(from) = Square::from_index(index) {
        let [north_east, south_east, south_west, north_west] = DIAGONAL;
        table.0[index] = Lines {
            king_steps: Bitboard(
                Bitboard::steps(from, &ORTHOGONAL).0 | Bitboard::steps(from, &DIAGONAL).0,
            ),
            knight_leaps: Bitboard::steps(from, &KNIGHT),
            orthogonal: Bitboard::rays(from, &ORTHOGONAL),
            diagonal: Bitboard::rays(from, &DIAGONAL),
            pawn_sources: [
                Bitboard::steps(from, &[south_west, south_east]),
                Bitboard::steps(from, &[north_west, north_east]),
            ],
        };
        index += 1;
    }
    table
};

/// The squares strictly between two on one line.
static BETWEEN: PerSquare<PerSquare<Bitboard>> = {
    let mut table = PerSquare([PerSquare([Bitboard::EMPTY; Square::COUNT]); Square::COUNT]);
    let mut index = 0;
    while let Some(from) = Square::from_index(index) {
        Bitboard::set_between(&mut table.0[index].0, from, &ORTHOGONAL);
        Bitboard::set_between(&mut table.0[index].0, from, &DIAGONAL);
        index += 1;
    }
    table
};

/// The squares in these directions up to the first piece in each.
fn slides(from: Square, directions: &[(i8, i8)], occupied: Bitboard) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    for &(files, ranks) in directions {
        let mut next = from.offset(files, ranks);
        while let Some(to) = next {
            reached |= to.bit();
            next = to.offset(files, ranks).filter(|_| !occupied.contains(to));
        }
    }
    reached
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orthodox;

impl Geometry for Orthodox {
    type Square = Square;
    type Bitboard = Bitboard;
    type Kind = PieceKind;
    type PawnDirection = PawnDirection;
    type ByKind = [Bitboard; PieceKind::COUNT];
    type Mailbox = PerSquare<Option<PieceKind>>;

    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const MAX_PIECES: usize = 32;
    const CASTLING: CastlingFiles =
        CastlingFiles { king_from: 4, king_to: [6, 2], rook_from: [7, 0], rook_to: [5, 3] };
    const PIECE_VALUES: &'static [i32] = &[100, 300, 300, 500, 900, 10_000];
    const SQUARE_KINDS: &'static [&'static str] = &["dark", "light"];
    const EMPTY_MAILBOX: PerSquare<Option<PieceKind>> = PerSquare([None; Square::COUNT]);

    const PAWN_BLOCKED: &'static str = "a pawn captures diagonally only";
    const DOUBLE_STEP: &'static str = "a pawn goes two squares only from where it started";
    const NEEDS_PROMOTION: &'static str = "a pawn on the last rank is promoted";

    fn movement(kind: PieceKind, _: Square) -> String {
        format!("a {} does not move so", kind.name())
    }

    fn square_kind(square: Square) -> usize {
        usize::from((square.file() + square.rank()) % 2)
    }

    fn flipped(square: Square) -> Square {
        Square::new(square.file(), 7 - square.rank())
    }

    fn zobrist() -> &'static ZobristNumbers {
        static NUMBERS: ZobristNumbers = ZobristNumbers::new(1);
        &NUMBERS
    }

    fn attacks(kind: PieceKind, from: Square, occupied: Bitboard) -> Bitboard {
        match kind {
            PieceKind::Pawn => Bitboard::EMPTY,
            PieceKind::Knight => LINES[from].knight_leaps,
            PieceKind::Bishop => slides(from, &DIAGONAL, occupied),
            PieceKind::Rook => slides(from, &ORTHOGONAL, occupied),
            PieceKind::Queen => {
                slides(from, &ORTHOGONAL, occupied) | slides(from, &DIAGONAL, occupied)
            }
            PieceKind::King => LINES[from].king_steps,
        }
    }

    fn for_each_attack(
        of: impl Fn(PieceKind) -> Bitboard,
        occupied: Bitboard,
        mut visit: impl FnMut(Square, Bitboard),
    ) {
        for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen] {
            of(kind).into_iter().for_each(|from| visit(from, Self::attacks(kind, from, occupied)));
        }
    }

    fn sources(kind: PieceKind, to: Square) -> Sources<Bitboard> {
        const NONE: Bitboard = Bitboard::EMPTY;
        let lines = &LINES[to];
        let (near, far) = match kind {
            PieceKind::Pawn => (NONE, NONE),
            PieceKind::Knight => (lines.knight_leaps, NONE),
            PieceKind::Bishop => (NONE, lines.diagonal),
            PieceKind::Rook => (NONE, lines.orthogonal),
            PieceKind::Queen => (NONE, lines.orthogonal | lines.diagonal),
            PieceKind::King => (lines.king_steps, NONE),
        };
        Sources { near, far }
    }

    fn piece_sources(to: Square, of: impl Fn(PieceKind) -> Bitboard) -> Sources<Bitboard> {
        use PieceKind::*;
        let lines = &LINES[to];
        Sources {
            near: (lines.king_steps & of(King)) | (lines.knight_leaps & of(Knight)),
            far: (lines.orthogonal & (of(Rook) | of(Queen)))
                | (lines.diagonal & (of(Bishop) | of(Queen))),
        }
    }

    fn between(a: Square, b: Square) -> Bitboard {
        BETWEEN[a][b]
    }

    fn pawn_sources(color: Color, to: Square) -> Bitboard {
        LINES[to].pawn_sources[color.index()]
    }

    fn pawn_direction(color: Color, number: usize) -> Option<PawnDirection> {
        let ranks = if color == Color::White { 1 } else { -1 };
        [0, 1, -1].get(number).map(|&files| PawnDirection { files, ranks })
    }

    /// Bare kings, or a single knight or bishop besides.
    fn is_dead(of: impl Fn(Color, PieceKind) -> Bitboard, occupied: Bitboard) -> bool {
        let both = |kind| of(Color::White, kind) | of(Color::Black, kind);
        let minor = both(PieceKind::Knight) | both(PieceKind::Bishop);
        occupied == minor | both(PieceKind::King) && !minor.more_than_one()
    }

    fn has_non_pawn_material(of: impl Fn(PieceKind) -> Bitboard) -> bool {
        use PieceKind::*;
        (of(Knight) | of(Bishop) | of(Rook) | of(Queen)).any()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct PawnDirection {
    files: i8,
    ranks: i8,
}

impl PawnDirection {
    fn moved(self, pawns: Bitboard, are_moved: bool) -> Bitboard {
        let pawns = pawns.into_iter().filter(|_| are_moved);
        pawns.filter_map(|from| from.offset(self.files, self.ranks)).collect()
    }
}

impl chess::PawnDirection<Square, Bitboard> for PawnDirection {
    fn steps(self, pawns: Bitboard) -> Bitboard {
        self.moved(pawns, self.files == 0)
    }

    fn captures(self, pawns: Bitboard) -> Bitboard {
        self.moved(pawns, self.files != 0)
    }

    fn origin(self, to: Square) -> Square {
        to.offset(-self.files, -self.ranks).unwrap_or(to)
    }
}
