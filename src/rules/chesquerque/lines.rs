//! The marked lines of the board as tables, made at compile time: what each
//! point would reach on an empty board, and what may stand in the way.

use super::bitboard::Bitboard;
use super::point::{PerPoint, Point};
use qirkat_game::Color;

/// The points that a point is joined to, on an empty board.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    /// Orthogonal neighbours.
    pub orthogonal_steps: Bitboard,
    /// Diagonal neighbours; none on a plain point.
    pub diagonal_steps: Bitboard,
    /// All points on the same file or rank.
    pub orthogonal_lines: Bitboard,
    /// All points on the same diagonals; none on a plain point.
    pub diagonal_lines: Bitboard,
    /// Where a knight may go or come from; the relation is symmetric.
    pub knight_reach: Bitboard,
    /// Where a pawn of White or Black attacks this point from. Only diagonal
    /// points are ever attacked by pawns: from the plain point straight
    /// behind and from the two diagonal points next to that one.
    pub pawn_sources: [Bitboard; 2],
}

/// A knight's path: over an empty leg to at most two targets.
#[derive(Clone, Copy)]
pub(super) struct KnightPath {
    /// The point that must be empty; no point where the board ends.
    pub leg: Bitboard,
    /// Where the knight lands.
    pub targets: Bitboard,
}

const ORTHOGONAL: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

pub(super) static LINES: PerPoint<Lines> = {
    let empty = Lines {
        orthogonal_steps: Bitboard::EMPTY,
        diagonal_steps: Bitboard::EMPTY,
        orthogonal_lines: Bitboard::EMPTY,
        diagonal_lines: Bitboard::EMPTY,
        knight_reach: Bitboard::EMPTY,
        pawn_sources: [Bitboard::EMPTY; 2],
    };
    let mut table = PerPoint([empty; Point::COUNT]);
    let mut index = 0;
    while index < Point::COUNT {
        table.0[index] = lines_of(point_at(index));
        index += 1;
    }
    table
};

pub(super) static KNIGHT_PATHS: PerPoint<[KnightPath; 4]> = {
    let none = KnightPath { leg: Bitboard::EMPTY, targets: Bitboard::EMPTY };
    let mut table = PerPoint([[none; 4]; Point::COUNT]);
    let mut index = 0;
    while index < Point::COUNT {
        let mut direction = 0;
        while direction < 4 {
            table.0[index][direction] = knight_path(point_at(index), direction);
            direction += 1;
        }
        index += 1;
    }
    table
};

/// For two points of which a piece on one might attack the other from a distance,
/// the points that must be empty for it: those strictly between them on a
/// marked line, or the leg between two points a knight's move apart.
static BETWEEN: PerPoint<PerPoint<Bitboard>> = {
    let mut table = PerPoint([PerPoint([Bitboard::EMPTY; Point::COUNT]); Point::COUNT]);
    let mut index = 0;
    while index < Point::COUNT {
        let from = point_at(index);
        let mut direction = 0;
        while direction < 4 {
            walk_between(&mut table.0[index], from, ORTHOGONAL[direction]);
            if from.is_diagonal() {
                walk_between(&mut table.0[index], from, DIAGONAL[direction]);
            }
            legs_between(&mut table.0[index], from, direction);
            direction += 1;
        }
        index += 1;
    }
    table
};

/// The points that must be empty for a piece on one of the points to attack
/// the other from a distance: on a line those strictly between, for a knight its
/// leg. Empty where nothing can be in the way.
#[inline]
pub(super) fn between(a: Point, b: Point) -> Bitboard {
    BETWEEN[a][b]
}

#[expect(clippy::panic, reason = "when the tables are compiled, never later")]
const fn point_at(index: usize) -> Point {
    match Point::from_index(index) {
        Some(point) => point,
        None => panic!("a point index is below 81"),
    }
}

const fn lines_of(point: Point) -> Lines {
    let mut lines = Lines {
        orthogonal_steps: Bitboard::EMPTY,
        diagonal_steps: Bitboard::EMPTY,
        orthogonal_lines: Bitboard::EMPTY,
        diagonal_lines: Bitboard::EMPTY,
        knight_reach: Bitboard::EMPTY,
        pawn_sources: [pawn_sources(point, Color::White), pawn_sources(point, Color::Black)],
    };
    let mut direction = 0;
    while direction < 4 {
        lines.orthogonal_steps = step(lines.orthogonal_steps, point, ORTHOGONAL[direction]);
        lines.orthogonal_lines = ray(lines.orthogonal_lines, point, ORTHOGONAL[direction]);
        if point.is_diagonal() {
            lines.diagonal_steps = step(lines.diagonal_steps, point, DIAGONAL[direction]);
            lines.diagonal_lines = ray(lines.diagonal_lines, point, DIAGONAL[direction]);
        }
        lines.knight_reach = union(lines.knight_reach, knight_path(point, direction).targets);
        direction += 1;
    }
    lines
}

const fn pawn_sources(point: Point, color: Color) -> Bitboard {
    if !point.is_diagonal() {
        return Bitboard::EMPTY;
    }
    let back = match color {
        Color::White => -1,
        Color::Black => 1,
    };
    let sources = step(Bitboard::EMPTY, point, (0, back));
    step(step(sources, point, (-1, back)), point, (1, back))
}

const fn union(a: Bitboard, b: Bitboard) -> Bitboard {
    Bitboard::new(a.bits() | b.bits())
}

const fn step(set: Bitboard, from: Point, (files, ranks): (i8, i8)) -> Bitboard {
    match from.offset(files, ranks) {
        Some(point) => set.with(point),
        None => set,
    }
}

const fn ray(set: Bitboard, from: Point, (files, ranks): (i8, i8)) -> Bitboard {
    let mut set = set;
    let mut next = from.offset(files, ranks);
    while let Some(point) = next {
        set = set.with(point);
        next = point.offset(files, ranks);
    }
    set
}

/// The knight's path whose first step goes in the given direction: orthogonal
/// from a plain point, diagonal from a diagonal point, then one step of the
/// other sort outward.
const fn knight_path(from: Point, direction: usize) -> KnightPath {
    let first = if from.is_diagonal() { DIAGONAL[direction] } else { ORTHOGONAL[direction] };
    let Some(leg) = from.offset(first.0, first.1) else {
        return KnightPath { leg: Bitboard::EMPTY, targets: Bitboard::EMPTY };
    };
    let (second, third) = match first {
        (0, ranks) => ((-1, ranks), (1, ranks)),
        (files, 0) => ((files, -1), (files, 1)),
        (files, ranks) => ((files, 0), (0, ranks)),
    };
    KnightPath {
        leg: Bitboard::EMPTY.with(leg),
        targets: step(step(Bitboard::EMPTY, leg, second), leg, third),
    }
}

const fn walk_between(row: &mut PerPoint<Bitboard>, from: Point, (files, ranks): (i8, i8)) {
    let mut passed = Bitboard::EMPTY;
    let mut next = from.offset(files, ranks);
    while let Some(point) = next {
        row.0[point.index()] = passed;
        passed = passed.with(point);
        next = point.offset(files, ranks);
    }
}

const fn legs_between(row: &mut PerPoint<Bitboard>, from: Point, direction: usize) {
    let path = knight_path(from, direction);
    let mut targets = path.targets;
    while let Some(target) = targets.lsb() {
        row.0[target.index()] = path.leg;
        targets = Bitboard::new(targets.bits() & targets.bits().wrapping_sub(1));
    }
}
