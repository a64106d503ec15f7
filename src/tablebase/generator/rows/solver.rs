//! Retrograde analysis of a slice of a table, a row of positions at a time.
//!
//! The 81 points of one piece are bits of one number (bitboards of sets of positions: L. Stiller,
//! *Exploiting symmetry on parallel architectures*, 1995). All positions decided in one ply are
//! found together:
//!
//! * A position is *won* in n plies if a move leads to one lost in n - 1. Rows of lost
//!   positions are taken back along the paths of each piece. Where the row's piece would
//!   be in the way, its bit is left out.
//! * A position is *lost* in n plies if all its moves lead to won positions, at least one to one
//!   won in n - 1 and none to a longer win. So rows of won positions are taken back likewise, and
//!   for the positions found all moves are checked, a row at a time.
//!
//! What captures and pawn moves decide joins in at its ply ([`Exits`]).

use qirkat_rules::chesquerque::{Bitboard, Color, Position, piece_attacks};

use super::super::moves::KingSteps;
use super::Placed;
use super::exits::{Exits, row_of};
use super::layout::{Decided, RowLayout, RowPlace};
use super::row::{ALL, Paths, Row, RowSymmetries, reached, row};

/// Positions of a row that the side to move wins or loses in this many plies.
#[derive(Clone, Copy)]
pub struct DecidedRow {
    pub side: Color,
    pub place: RowPlace,
    pub row: Row,
    pub decided: Decided,
    pub plies: u16,
}

pub type Sink<'f> = &'f mut dyn FnMut(DecidedRow);

/// For each pair of kings, the slots and positions decided in one ply.
type Front = Vec<Vec<(u16, Row)>>;

pub struct RowSolver<'a> {
    layout: &'a RowLayout,
    steps: &'a KingSteps<Position>,
    paths: &'static Paths,
    symmetries: RowSymmetries,
    pawns: Bitboard,
    /// The points that each side's pawns attack.
    pawn_attacks: [Bitboard; 2],
    exits: Exits,
    /// For each side to move, the positions in which it could not capture the king.
    pub legal: [Vec<Row>; 2],
    /// Those not yet decided.
    pub open: [Vec<Row>; 2],
    /// Those not yet won, including lost ones.
    pub not_yet_won: [Vec<Row>; 2],
}

impl<'a> RowSolver<'a> {
    /// A solver for the slice with these pawns, in which nothing is decided.
    pub fn new(
        layout: &'a RowLayout,
        steps: &'a KingSteps<Position>,
        pawns: &[Placed],
    ) -> RowSolver<'a> {
        let attacks = |side| {
            let own = pawns.iter().filter(|pawn| pawn.color == side);
            own.fold(Bitboard::EMPTY, |all, pawn| all | pawn.attacks(Bitboard::EMPTY))
        };
        let mut solver = RowSolver {
            layout,
            steps,
            paths: Paths::get(),
            symmetries: RowSymmetries::new(),
            pawn_attacks: Color::ALL.map(attacks),
            pawns: pawns.iter().map(|pawn| pawn.point).collect(),
            exits: Exits::default(),
            legal: Default::default(),
            open: Default::default(),
            not_yet_won: Default::default(),
        };
        solver.legal =
            Color::ALL.map(|side| layout.places().map(|place| solver.legal(place, side)).collect());
        solver.open.clone_from(&solver.legal);
        solver.not_yet_won.clone_from(&solver.legal);
        solver
    }

    /// The points of all pieces but the row's; none if two share one.
    #[inline]
    fn fixed(&self, place: RowPlace) -> Option<Bitboard> {
        let fixed = self.layout.fixed(place.pair, place.slot)?;
        (fixed & self.pawns).is_empty().then(|| fixed | self.pawns)
    }

    /// The positions of a row in which the side to move could not capture the king.
    fn legal(&self, place: RowPlace, side: Color) -> Row {
        let layout = self.layout;
        let points = layout.points(place.slot);
        let Some(fixed) = self.fixed(place) else { return 0 };
        let king = layout.kings.kings(place.pair)[(!side).index()];
        if self.pawn_attacks[side.index()].contains(king) {
            return 0;
        }
        let blocked = row(fixed);
        let mut legal = ALL & !blocked;
        for (&(color, kind), &point) in layout.others.iter().zip(&points) {
            if color == side
                && let Some(path) = self.paths.between(kind, point, king)
                && path & blocked == 0
            {
                legal &= path;
            }
        }
        let (color, kind) = layout.row_piece;
        if color == side { legal & !row(piece_attacks(kind, king, fixed)) } else { legal }
    }

    /// Finds all results; none if `progress` returns false.
    pub fn solve(
        &mut self,
        exits: Exits,
        sink: Sink<'_>,
        progress: &mut dyn FnMut() -> bool,
    ) -> Option<()> {
        self.exits = exits;
        let pairs = self.layout.kings.count();
        let fronts = || [(); 2].map(|()| -> Front { vec![Vec::new(); pairs] });
        let (mut won, mut lost) = (fronts(), fronts());
        for side in Color::ALL {
            self.find_mates(side, &mut lost[side.index()], sink);
        }
        let mut plies = 1;
        while plies <= self.exits.last_ply()
            || won.iter().chain(&lost).flatten().any(|it| !it.is_empty())
        {
            let mut next = [Decided::Lost, Decided::Won].map(|_| fronts());
            for (decided, next) in [Decided::Lost, Decided::Won].into_iter().zip(&mut next) {
                for side in Color::ALL {
                    if !progress() {
                        return None;
                    }
                    let before = match decided {
                        Decided::Lost => &won[(!side).index()],
                        Decided::Won => &lost[(!side).index()],
                    };
                    let found = &mut next[side.index()];
                    self.find(decided, side, plies as u16, before, found, sink);
                }
            }
            [lost, won] = next;
            plies += 1;
        }
        Some(())
    }

    fn find_mates(&mut self, side: Color, found: &mut Front, sink: Sink<'_>) {
        let slots = self.layout.slots();
        for place in self.layout.places() {
            let at = place.pair * slots + place.slot;
            // Nothing is won yet, so of the opponent's positions only the illegal ones are missing
            // in `not_yet_won`: in them it could capture the king.
            let in_check =
                self.not_yet_won[side.index()][at] & !self.not_yet_won[(!side).index()][at];
            if in_check == 0 {
                continue;
            }
            let row = self.without_escape(place, side, in_check);
            let mates = DecidedRow { side, place, row, decided: Decided::Lost, plies: 0 };
            self.note(mates, &mut found[place.pair], sink);
        }
    }

    /// Finds the positions that a side wins or loses in this many plies. `before` holds the
    /// opponent's positions that were lost or won in the last ply.
    fn find(
        &mut self,
        decided: Decided,
        side: Color,
        plies: u16,
        before: &Front,
        found: &mut Front,
        sink: Sink<'_>,
    ) {
        let slots = self.layout.slots();
        let mut predecessors = vec![0; slots];
        let leaving = self.exits.take(decided, side, usize::from(plies));
        let mut leaving = leaving.into_iter().map(row_of).peekable();
        for (pair, found) in found.iter_mut().enumerate() {
            let mut is_any = self.add_predecessors(pair, side, before, &mut predecessors);
            while let Some((at, row)) = leaving.next_if(|&(at, _)| at / slots == pair) {
                predecessors[at % slots] |= row;
                is_any = true;
            }
            if !is_any {
                continue;
            }
            for (slot, predecessors) in predecessors.iter_mut().enumerate() {
                let at = pair * slots + slot;
                let candidates = std::mem::take(predecessors) & self.open[side.index()][at];
                if candidates == 0 {
                    continue;
                }
                let place = RowPlace { pair, slot };
                let row = match decided {
                    Decided::Won => candidates,
                    Decided::Lost => self.without_escape(place, side, candidates),
                };
                self.note(DecidedRow { side, place, row, decided, plies }, found, sink);
            }
        }
    }

    fn note(&mut self, found: DecidedRow, front: &mut Vec<(u16, Row)>, sink: Sink<'_>) {
        let DecidedRow { side, place, row, decided, .. } = found;
        if row == 0 {
            return;
        }
        let at = place.pair * self.layout.slots() + place.slot;
        self.open[side.index()][at] &= !row;
        if decided == Decided::Won {
            self.not_yet_won[side.index()][at] &= !row;
        }
        front.push((place.slot as u16, row));
        sink(found);
    }

    /// Adds the positions with this pair of kings from which a move of a side leads to one that the
    /// opponent won or lost in the last ply, and returns whether there can be any. The result may
    /// contain bits that are not valid positions.
    fn add_predecessors(
        &self,
        pair: usize,
        side: Color,
        front: &Front,
        predecessors: &mut [Row],
    ) -> bool {
        let mut is_any = !front[pair].is_empty();
        for &(slot, row) in &front[pair] {
            self.add_quiet_predecessors(pair, side, usize::from(slot), row, predecessors);
        }
        for step in self.steps.from(pair, side) {
            let rows = &front[step.pair as usize];
            is_any |= !rows.is_empty();
            for &(slot, row) in rows {
                let slot = self.slot_image(step.back, usize::from(slot));
                predecessors[slot] |= self.symmetries.row(step.back, row);
            }
        }
        is_any
    }

    #[inline]
    fn slot_image(&self, symmetry: u8, slot: usize) -> usize {
        if symmetry == 0 {
            return slot;
        }
        let points = self.layout.points(slot);
        self.layout.slot(points.map(|point| self.symmetries.point(symmetry, point)))
    }

    fn add_quiet_predecessors(
        &self,
        pair: usize,
        side: Color,
        slot: usize,
        positions: Row,
        predecessors: &mut [Row],
    ) {
        let layout = self.layout;
        let points = layout.points(slot);
        let Some(fixed) = self.fixed(RowPlace { pair, slot }) else { return };
        let (color, kind) = layout.row_piece;
        if color == side {
            predecessors[slot] |= reached(kind, positions, fixed);
        }
        for (piece, &(color, kind)) in layout.others.iter().enumerate() {
            if color == side {
                let by_point = layout.slots_by_point(piece, points);
                self.paths.visit(kind, points[piece], fixed, |from, path| {
                    predecessors[usize::from(by_point[from.index()])] |= positions & !path;
                });
            }
        }
    }

    /// The positions of a row in which every move of a side leads to one already won for the
    /// opponent.
    fn without_escape(&self, place: RowPlace, side: Color, candidates: Row) -> Row {
        let layout = self.layout;
        let RowPlace { pair, slot } = place;
        let slots = layout.slots();
        let points = layout.points(slot);
        let Some(fixed) = self.fixed(place) else { return 0 };
        let not_yet_won = &self.not_yet_won[(!side).index()];
        let here = &not_yet_won[pair * slots..][..slots];
        let mut left = candidates & !self.exits.saved[side.index()][pair * slots + slot];
        if left == 0 {
            return 0;
        }
        for (piece, &(color, kind)) in layout.others.iter().enumerate() {
            if color == side {
                let by_point = layout.slots_by_point(piece, points);
                let mut escapes = 0;
                self.paths.visit(kind, points[piece], fixed, |to, path| {
                    escapes |= here[usize::from(by_point[to.index()])] & !path;
                });
                left &= !escapes;
                if left == 0 {
                    return 0;
                }
            }
        }
        let (color, kind) = layout.row_piece;
        if color == side {
            left &= !reached(kind, here[slot], fixed);
        }
        for step in self.steps.from(pair, side) {
            if left == 0 {
                return 0;
            }
            let slot = self.slot_image(step.symmetry, slot);
            left &= !self.symmetries.row(step.back, not_yet_won[step.pair as usize * slots + slot]);
        }
        left
    }
}
