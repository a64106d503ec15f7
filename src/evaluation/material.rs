//! The evaluation without a network: material and, in Chesquerque, piece-square tables (PSQT) and
//! endgame knowledge. Training of the first network starts from it.

use qirkat_game::Rules;
use qirkat_game::score::Score;
use qirkat_rules::chesquerque::{
    Bitboard, Color, PIECE_VALUES, PerPoint, PieceKind, Point, Position,
};
use qirkat_rules::chess::Square;
use qirkat_rules::{alquerque, masonic};

use crate::network::NetworkInput;

/// A game with an evaluation that needs no network.
pub trait MaterialEvaluation: NetworkInput {
    /// Material and placement, for the side to move.
    fn material_and_placement(&self) -> Score;

    /// Endgame knowledge for the side to move: the value of a known ending, otherwise what
    /// `evaluate` returns, in centipawns.
    #[inline]
    fn known_ending_or(&self, evaluate: impl FnOnce() -> i32) -> Score {
        Score::centipawns(evaluate())
    }
}

impl MaterialEvaluation for Position {
    fn material_and_placement(&self) -> Score {
        self.known_ending_or(|| {
            let phase = phase(self);
            let us = self.side_to_move();
            let sum = |color: Color| {
                let mut sum = Tapered::ZERO;
                for kind in PieceKind::ALL {
                    for point in self.of(color, kind) {
                        sum = sum.plus(PIECE_SQUARE[color.index()][kind.index()][point]);
                    }
                }
                sum
            };
            sum(us).plus(TEMPO).at(phase) - sum(!us).at(phase)
        })
    }

    /// Values a win against a lone king by progress; otherwise scales an advantage down if that side
    /// lacks the pieces to win.
    fn known_ending_or(&self, evaluate: impl FnOnce() -> i32) -> Score {
        let us = self.side_to_move();
        if let Some(value) = lone_king(self, us) {
            return Score::centipawns(value);
        }
        if let Some(value) = lone_king(self, !us) {
            return Score::centipawns(-value);
        }
        let value = evaluate();
        let better_side = if value > 0 { us } else { !us };
        let can_win = self.of(better_side, PieceKind::Pawn).any() || can_mate(self, better_side);
        let scale = if can_win { WHOLE_SCALE } else { HOPELESS_SCALE };
        Score::centipawns(value * scale / WHOLE_SCALE)
    }
}

impl MaterialEvaluation for masonic::Position {
    fn material_and_placement(&self) -> Score {
        let value = |color, kind: masonic::PieceKind| {
            masonic::PIECE_VALUES[kind.index()] * self.of(color, kind).len() as i32
        };
        let material =
            |color| masonic::PieceKind::ALL.into_iter().map(|kind| value(color, kind)).sum();
        balance(self, material)
    }
}

impl MaterialEvaluation for alquerque::Position {
    fn material_and_placement(&self) -> Score {
        balance(self, |color| alquerque::MAN_VALUE * self.men(color).len() as i32)
    }
}

/// The material balance for the side to move, in centipawns.
fn balance(position: &impl NetworkInput, material: impl Fn(Color) -> i32) -> Score {
    let us = position.side_to_move();
    Score::centipawns(material(us) - material(!us))
}

const PHASE_WEIGHT: [i32; PieceKind::COUNT] = [0, 1, 2, 3, 3, 4, 0];
/// The phase of the starting position.
const WHOLE_PHASE: i32 = 38;

/// The game phase: how much of the middlegame is left, up to [`WHOLE_PHASE`].
fn phase(position: &Position) -> i32 {
    let weight = |kind: PieceKind| PHASE_WEIGHT[kind.index()] * position.of_kind(kind).len() as i32;
    PieceKind::ALL.into_iter().map(weight).sum::<i32>().min(WHOLE_PHASE)
}

/// Tapered evaluation: a middlegame and an endgame value, in centipawns.
#[derive(Clone, Copy)]
struct Tapered(i32, i32);

impl Tapered {
    const ZERO: Tapered = Tapered(0, 0);

    const fn plus(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0, self.1 + other.1)
    }

    fn at(self, phase: i32) -> i32 {
        (self.0 * phase + self.1 * (WHOLE_PHASE - phase)) / WHOLE_PHASE
    }
}

const fn s(middle_game: i32, endgame: i32) -> Tapered {
    Tapered(middle_game, endgame)
}

/// The piece-square tables, by side, kind and point. Each entry is a sum of values by rank, file
/// and kind of point, a third of the parameters of a full table.
static PIECE_SQUARE: [[PerPoint<Tapered>; PieceKind::COUNT]; 2] =
    [piece_square(Color::White), piece_square(Color::Black)];

const fn piece_square(color: Color) -> [PerPoint<Tapered>; PieceKind::COUNT] {
    let mut tables = [PerPoint([Tapered::ZERO; Point::COUNT]); PieceKind::COUNT];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let mut index = 0;
        while let Some(point) = Point::from_index(index) {
            let mut value = ON_RANK[kind][relative_rank(color, point)]
                .plus(ON_FILE[kind][edge_distance(point)]);
            if point.is_diagonal() {
                value = value.plus(ON_DIAGONAL_POINT[kind]);
            }
            tables[kind].0[index] = value.plus(MATERIAL[kind]);
            index += 1;
        }
        kind += 1;
    }
    tables
}

// The values were fitted to games by Texel tuning (P. Österlund, 2014).

const TEMPO: Tapered = s(11, 22);

/// The value of each kind of piece: pawn, knight, bishop, rook, archbishop, queen, and the king,
/// which counts nothing. The knight cannot jump and is weak; a bishop mates a bare king alone.
#[rustfmt::skip]
const MATERIAL: [Tapered; PieceKind::COUNT] = [
    s(107, 129), s(305, 367), s(572, 609), s(817, 929), s(881, 1008), s(1033, 1172), s(0, 0),
];

/// The value of a piece of each kind, in the order of [`MATERIAL`], by relative rank.
#[rustfmt::skip]
const ON_RANK: [[Tapered; Point::RANKS as usize]; PieceKind::COUNT] = [
    [s(  0,   0), s(-12,  17), s(  1, -23), s( -8,  -9), s(  5,   3), s( 42,  65), s( 62, 103), s(103, 173), s(  0,   0)],
    [s(-11, -11), s(-12,   5), s(-18,  15), s(-16,  20), s( 22,   0), s( 25,  -4), s( -2,  -1), s( -1,  -4), s(-13, -14)],
    [s( -4, -28), s( 30, -37), s(  8, -13), s(  5,  34), s( 13,  -2), s( -8,  22), s( -5,   5), s(-16,   2), s(-19,   4)],
    [s(  1, -43), s( -7, -15), s(-18,   4), s(-27,   8), s(-21,  18), s( 24,   1), s( 10,  25), s(  5,   6), s( -3, -12)],
    [s(-11, -22), s(-14,  -6), s( -8,  11), s( -4,   0), s(  2,  34), s( -3, -11), s( -5,  -7), s( -1,  -7), s( -4,  -7)],
    [s(  9, -21), s(  3,  17), s(  1,   2), s(-15,   2), s(  4,  17), s(-14,   6), s(  2,   6), s( -1, -12), s( -1,   1)],
    [s( 46,  -8), s(  8,  18), s(-11,   2), s(-14,  -9), s(-25,  -6), s(-28,   6), s(-31,   1), s(-32,  -5), s(-34, -15)],
];

/// The same by file, from the edge to the middle.
#[rustfmt::skip]
const ON_FILE: [[Tapered; (Point::FILES as usize).div_ceil(2)]; PieceKind::COUNT] = [
    [s(  9,  29), s( -8,  18), s( 11,  -3), s( -2, -12), s( -2, -13)],
    [s(-25, -31), s(-40,  -8), s(  5,   3), s( 20,  35), s( 25,  17)],
    [s( -9, -30), s( -6, -11), s( 19,   0), s(  3,   8), s(  8,  27)],
    [s(-25, -35), s(-13,  -5), s(  4,   5), s(-12,  10), s( 11,  21)],
    [s( -6,  -3), s(-27,  -8), s( -6,  -4), s( 10,   2), s( -9,   9)],
    [s( -9,  -1), s( -6,   8), s( 11,  -3), s(  3,   9), s( -6,  12)],
    [s( -3, -24), s( 20,  -2), s( -6,   9), s(-13,  10), s(  3,   6)],
];

#[rustfmt::skip]
const ON_DIAGONAL_POINT: [Tapered; PieceKind::COUNT] = [
    s(-11, 6), s(-23, -10), s(77, 23), s(-7, -3), s(0, 14), s(-13, 21), s(6, 13),
];

// With up to three pieces the search probes endgame tables. The following is for what the embedded
// ones do not cover: a lone king against two or more pieces, and a knight with or against pawns.
// Without tables it also helps to mate with one piece.

/// The neutral scale factor, as in Stockfish.
const WHOLE_SCALE: i32 = 64;
/// The scale factor if the side with the advantage cannot win.
const HOPELESS_SCALE: i32 = 4;

/// Whether a side's pieces can mate a lone king: any except a single knight.
fn can_mate(position: &Position, color: Color) -> bool {
    let knights = position.of(color, PieceKind::Knight);
    let others = position.of_color(color)
        & !(knights | position.of_kind(PieceKind::King) | position.of_kind(PieceKind::Pawn));
    knights.more_than_one() || others.any()
}

/// The base value of a won ending.
const WON: i32 = 1000;

/// Plies to mate by the lone king's place: by rank from the edge, then file from the edge. These
/// are means over all positions with a bishop, minus that of the corner. For rook, archbishop and
/// queen the shape is similar.
const PLIES_FROM_CORNER: [[i32; 5]; 5] =
    [[0, 1, 5, 5, 6], [1, 5, 6, 8, 8], [5, 6, 9, 9, 10], [5, 8, 9, 10, 10], [6, 8, 10, 10, 11]];
/// The value of one of these plies, and of a step of the kings towards each other.
const PLY_VALUE: i32 = 10;
/// The value of a knight's step towards the lone king.
const KNIGHT_STEP: i32 = 6;
/// The value of a pawn's step, so that pawns advance when nothing else helps.
const PAWN_STEP: i32 = 8;

/// The value for `color` if its opponent has a bare king and its pieces can mate. Besides material,
/// only progress counts: the lone king cornered, king and knights near it.
fn lone_king(position: &Position, color: Color) -> Option<i32> {
    if position.of_color(!color).more_than_one() || !can_mate(position, color) {
        return None;
    }
    let pieces = position.of_color(color) & !position.of_kind(PieceKind::King);
    let material: i32 = pieces
        .into_iter()
        .filter_map(|point| position.kind_on(point))
        .map(|kind| PIECE_VALUES[kind.index()])
        .sum();
    let lone = position.king(!color);
    let nearness = |point: Point| i32::from(Point::FILES - 1) - i32::from(point.distance(lone));
    let sum = |points: Bitboard, value: &dyn Fn(Point) -> i32| -> i32 {
        points.into_iter().map(value).sum()
    };
    let knights = sum(position.of(color, PieceKind::Knight), &nearness);
    let pawns = sum(position.of(color, PieceKind::Pawn), &|pawn| relative_rank(color, pawn) as i32);
    let lone_rank = relative_rank(Color::White, lone).min(relative_rank(Color::Black, lone));
    Some(
        WON + material + PLY_VALUE * nearness(position.king(color))
            - PLY_VALUE * PLIES_FROM_CORNER[lone_rank][edge_distance(lone)]
            + KNIGHT_STEP * knights
            + PAWN_STEP * pawns,
    )
}

/// The file's distance from the nearer edge.
const fn edge_distance(point: Point) -> usize {
    let from_right = Point::FILES - 1 - point.file();
    (if point.file() < from_right { point.file() } else { from_right }) as usize
}

const fn relative_rank(color: Color, point: Point) -> usize {
    match color {
        Color::White => point.rank() as usize,
        Color::Black => (Point::RANKS - 1 - point.rank()) as usize,
    }
}
