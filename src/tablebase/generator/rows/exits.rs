//! What the captures and pawn moves of a slice's positions lead to, row by row.
//!
//! The pieces besides the row's stay where they are along a row. So a move of theirs leads to one
//! line of cells of another slice or table, and a capture by the row's piece to one position.

use qirkat_rules::chesquerque::{Color, PieceKind, Point, Position, piece_attacks};
use qirkat_rules::chess::{ChessPosition, EnPassant, double_step, pawn_steps};

use super::layout::{Decided, RowLayout, RowPlace};
use super::row::{ALL, Paths, Row, points, row, single};
use super::{KnownTables, Placed, Placement};
use crate::value::{Cell, Entry};

type Geometry = <Position as ChessPosition>::Geometry;

/// The captures and pawn moves out of a slice, by one kind of distance.
#[derive(Default)]
pub struct Exits {
    /// For each side to move, the positions that such a move saves: it is not yet known to lose.
    pub saved: [Vec<Row>; 2],
    /// By plies, result and side to move: the positions whose best such move wins, or that lose by
    /// all such moves, in so many plies.
    decided: Vec<[[Vec<Exit>; 2]; 2]>,
}

/// Positions of a row, and the row's number above them.
type Exit = Row;

const NUMBER_SHIFT: usize = 96;
const _: () = assert!(Point::COUNT <= NUMBER_SHIFT);

/// The number of an exit's row, and its positions.
pub const fn row_of(exit: Exit) -> (usize, Row) {
    ((exit >> NUMBER_SHIFT) as usize, exit & ALL)
}

impl Exits {
    pub fn last_ply(&self) -> usize {
        self.decided.len().saturating_sub(1)
    }

    /// The rows whose best captures and pawn moves win or lose in this many plies. Positions
    /// that lose are no longer *saved*.
    pub fn take(&mut self, decided: Decided, side: Color, plies: usize) -> Vec<Exit> {
        let Some(exits) = self.decided.get_mut(plies) else { return Vec::new() };
        let exits = std::mem::take(&mut exits[decided as usize][side.index()]);
        if decided == Decided::Lost {
            for (at, row) in exits.iter().copied().map(row_of) {
                self.saved[side.index()][at] &= !row;
            }
        }
        exits
    }

    fn add(&mut self, side: Color, at: usize, point: Point, value: Cell) {
        let decided = if value.is_win() { Decided::Won } else { Decided::Lost };
        self.saved[side.index()][at] |= single(point);
        if value == Cell::DRAW {
            return;
        }
        let plies = usize::from(value.plies());
        if self.decided.len() <= plies {
            self.decided.resize_with(plies + 1, Default::default);
        }
        let exits = &mut self.decided[plies][decided as usize][side.index()];
        if exits.last().is_none_or(|&last| row_of(last).0 != at) {
            exits.push((at as Exit) << NUMBER_SHIFT);
        }
        if let Some(last) = exits.last_mut() {
            *last |= single(point);
        }
    }
}

/// The best captures and pawn moves along a row.
struct BestExits {
    found: Row,
    values: [Entry; Point::COUNT],
}

impl BestExits {
    #[inline]
    fn add(&mut self, point: Point, entry: Entry) {
        let value = entry.before(true);
        let best = &mut self.values[point.index()];
        *best = if self.found & single(point) == 0 { value } else { best.better(value) };
        self.found |= single(point);
    }
}

/// Finds the exits of a slice by each of some distances. `legal` has, for each side to move, the
/// positions in which it could not capture the king. None if `progress` returns false.
pub fn find_exits<const N: usize>(
    known: KnownTables<'_>,
    layout: &RowLayout,
    pawns: Vec<Placed>,
    legal: &[Vec<Row>; 2],
    distances: [fn(Entry) -> Cell; N],
    progress: &mut dyn FnMut() -> bool,
) -> Option<[Exits; N]> {
    let finder = ExitFinder { known, layout, paths: Paths::get(), pawns };
    let mut exits = distances.map(|_| Exits {
        saved: legal.each_ref().map(|rows| vec![0; rows.len()]),
        decided: Vec::new(),
    });
    let mut best = BestExits { found: 0, values: [Entry::DRAW; Point::COUNT] };
    for (at, place) in layout.places().enumerate() {
        if place.slot == 0 && !progress() {
            return None;
        }
        for side in Color::ALL.into_iter().filter(|side| legal[side.index()][at] != 0) {
            best.found = 0;
            finder.find(place, side, &mut best);
            for point in points(best.found & legal[side.index()][at]) {
                for (exits, distance) in exits.iter_mut().zip(distances) {
                    exits.add(side, at, point, distance(best.values[point.index()]));
                }
            }
        }
    }
    Some(exits)
}

struct ExitFinder<'a> {
    known: KnownTables<'a>,
    layout: &'a RowLayout,
    paths: &'static Paths,
    pawns: Vec<Placed>,
}

impl ExitFinder<'_> {
    fn find(&self, place: RowPlace, side: Color, best: &mut BestExits) {
        let layout = self.layout;
        let [white, black] = layout.kings.kings(place.pair);
        let mut fixed = Placement::kings(white, black);
        for (&(color, kind), &point) in layout.others.iter().zip(&layout.points(place.slot)) {
            fixed.add(Placed { color, kind, point });
        }
        self.pawns.iter().for_each(|&pawn| fixed.add(pawn));
        let free = ALL & !row(fixed.occupied);
        for (index, &piece) in fixed.pieces.iter().enumerate() {
            if piece.color == side {
                self.captures(&fixed, index, free, best);
                if piece.kind == PieceKind::Pawn {
                    self.pawn_steps(&fixed, index, free, best);
                }
            } else if layout.row_piece.0 == side && piece.kind != PieceKind::King {
                self.captures_by_row_piece(&fixed, index, free, best);
            }
        }
    }

    /// The captures by one of the pieces that stay along a row.
    fn captures(&self, fixed: &Placement, index: usize, free: Row, best: &mut BestExits) {
        let piece = fixed.pieces[index];
        let attacks = piece.attacks(fixed.occupied);
        for to in attacks & fixed.occupied {
            let Some(captured) = fixed.index_on(to) else { continue };
            let Placed { color, kind, .. } = fixed.pieces[captured];
            if color != piece.color && kind != PieceKind::King {
                let path = self.paths.between(piece.kind, piece.point, to).unwrap_or_default();
                let after = fixed.after(index, to, Some(captured));
                self.add_row(after, to, piece, free & !path, best);
            }
        }
        let (color, _) = self.layout.row_piece;
        if color == piece.color {
            return;
        }
        let targets = points(row(attacks) & free);
        if [PieceKind::King, PieceKind::Pawn].contains(&piece.kind) {
            for to in targets {
                let after = fixed.after(index, to, None);
                after.promote(piece, to, &mut |after| {
                    self.add(&after, piece.color, single(to), best);
                });
            }
            return;
        }
        // The positions after it differ only in the point of this piece.
        let mut without = fixed.clone();
        without.pieces.remove(index);
        let moved = (piece.color, piece.kind);
        self.known.look_up_line(&without, moved, !piece.color, targets, |to, entry| {
            best.add(to, entry);
        });
    }

    fn pawn_steps(&self, fixed: &Placement, index: usize, free: Row, best: &mut BestExits) {
        let pawn = fixed.pieces[index];
        for to in pawn_steps::<Geometry>(pawn.color, pawn.point) & !fixed.occupied {
            let free = free & !single(to);
            self.add_row(fixed.after(index, to, None), to, pawn, free, best);
            let Some(beyond) = double_step::<Geometry>(pawn.color, pawn.point, to) else {
                continue;
            };
            if fixed.occupied.contains(beyond) {
                continue;
            }
            let (after, free) = (fixed.after(index, beyond, None), free & !single(beyond));
            let theirs = self.pawns.iter().filter(|it| it.color != pawn.color);
            if theirs.into_iter().all(|it| !it.attacks(fixed.occupied).contains(to)) {
                self.add_row(after, beyond, pawn, free, best);
                continue;
            }
            for point in points(free) {
                let (color, kind) = self.layout.row_piece;
                let mut after = after.clone();
                after.add(Placed { color, kind, point });
                if !after.is_in_check(pawn.color) {
                    let double_step = EnPassant { passed: to, pawn: beyond };
                    best.add(point, self.known.after_double_step(&after, !pawn.color, double_step));
                }
            }
        }
    }

    fn captures_by_row_piece(
        &self,
        fixed: &Placement,
        captured: usize,
        free: Row,
        best: &mut BestExits,
    ) {
        let (color, kind) = self.layout.row_piece;
        let point = fixed.pieces[captured].point;
        let from = row(piece_attacks(kind, point, fixed.occupied)) & free;
        if from != 0 {
            let mut after = fixed.clone();
            after.pieces.remove(captured);
            after.pieces.push(Placed { color, kind, point });
            self.add(&after, color, from, best);
        }
    }

    /// Adds a move to a placement for the positions of a row, if it is legal.
    fn add(&self, after: &Placement, mover: Color, row: Row, best: &mut BestExits) {
        let [white, black] = Color::ALL.map(|side| after.king(side));
        if self.layout.kings.find(white, black).is_none() {
            return;
        }
        let entry = self.known.look_up(after, !mover);
        if !entry.dtm.is_invalid() {
            points(row).for_each(|point| best.add(point, entry));
        }
    }

    /// Adds a move to placements with the row's piece on some points, where it is legal.
    fn add_row(&self, after: Placement, to: Point, moved: Placed, row: Row, best: &mut BestExits) {
        after.promote(moved, to, &mut |after| {
            self.known.look_up_line(
                &after,
                self.layout.row_piece,
                !moved.color,
                points(row),
                |point, entry| best.add(point, entry),
            );
        });
    }
}
