//! Retrograde analysis of a table without pawns, a row of positions at a time.
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
//! Captures lead to smaller tables, whose rows advance ply by ply along with these
//! ([`AfterCapture`]).

use qirkat_rules::chesquerque::{Bitboard, Color, PieceKind, Point, Position, piece_attacks};

use super::super::moves::KingSteps;
use super::layout::{AfterCapture, Captured, Decided, OtherPoints, RowLayout, RowPlace};
use super::row::{ALL, Paths, Row, Turner, moved, points, row, single};

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

/// For each pair of kings, the rows with positions decided in the last ply.
type LastPly = Vec<Vec<(u16, Row)>>;

pub struct RowSolver<'a> {
    layout: &'a RowLayout,
    steps: KingSteps<Position>,
    paths: &'static Paths,
    turner: Turner,
    after: Vec<AfterCapture>,
    /// For each side to move, the positions that are not yet decided.
    pub open: [Vec<Row>; 2],
    /// Those not yet won, including lost ones.
    pub not_yet_won: [Vec<Row>; 2],
}

impl<'a> RowSolver<'a> {
    /// A solver for a table of which only the results of captures are known.
    pub fn new(layout: &'a RowLayout, after: Vec<AfterCapture>) -> RowSolver<'a> {
        let mut solver = RowSolver {
            layout,
            steps: KingSteps::new(true),
            paths: Paths::get(),
            turner: Turner::new(),
            after,
            open: [Vec::new(), Vec::new()],
            not_yet_won: [Vec::new(), Vec::new()],
        };
        for side in Color::ALL {
            let legal: Vec<Row> = layout.places().map(|it| solver.legal(it, side)).collect();
            solver.not_yet_won[side.index()].clone_from(&legal);
            solver.open[side.index()] = legal;
        }
        solver
    }

    /// The positions of a row in which the side to move could not capture the king.
    fn legal(&self, place: RowPlace, side: Color) -> Row {
        let layout = self.layout;
        let points = layout.points(place.slot);
        let Some(fixed) = layout.fixed(place.pair, place.slot) else { return 0 };
        let king = layout.kings.kings(place.pair)[(!side).index()];
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
        if color == side { legal & !reached(kind, king, fixed) } else { legal }
    }

    /// Finds all results; none if `progress` returns false.
    pub fn solve(&mut self, sink: Sink<'_>, progress: &mut dyn FnMut() -> bool) -> Option<()> {
        let pairs = self.layout.kings.count();
        let fronts = || [(); 2].map(|()| -> LastPly { vec![Vec::new(); pairs] });
        let (mut won, mut lost) = (fronts(), fronts());
        let last = self.after.iter().map(AfterCapture::last_ply).max().unwrap_or(0);
        for side in Color::ALL {
            self.find_mates(side, &mut lost[side.index()], sink);
        }
        let mut plies = 1;
        while plies <= last + 1 || won.iter().chain(&lost).flatten().any(|rows| !rows.is_empty()) {
            for after in &mut self.after {
                after.advance(plies - 1);
            }
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

    fn find_mates(&mut self, side: Color, found: &mut LastPly, sink: Sink<'_>) {
        let slots = self.layout.slots();
        for place in self.layout.places() {
            let at = place.pair * slots + place.slot;
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
        before: &LastPly,
        found: &mut LastPly,
        sink: Sink<'_>,
    ) {
        let slots = self.layout.slots();
        let mut predecessors = vec![0; slots];
        for (pair, found) in found.iter_mut().enumerate() {
            if !self.add_predecessors(pair, side, before, decided.for_other(), &mut predecessors) {
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

    /// Takes back the moves of a side from a pair of kings to positions that the opponent won or
    /// lost in the last ply, and returns whether there can be any. The result may contain bits that
    /// are not valid positions.
    fn add_predecessors(
        &self,
        pair: usize,
        side: Color,
        front: &LastPly,
        decided: Decided,
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
                let slot = self.turned_slot(step.back, usize::from(slot));
                predecessors[slot] |= self.turner.row(step.back, row);
            }
        }
        for after in self.after.iter().filter(|after| after.side != side) {
            if after.is_any_now(decided, pair) {
                is_any = true;
                self.add_predecessors_by_pieces(pair, side, after, decided, predecessors);
            }
            for step in self.steps.from(pair, side) {
                if after.is_any_now(decided, step.pair as usize) {
                    is_any = true;
                    let (pair, back) = (step.pair as usize, step.back);
                    self.add_predecessors_by_king(
                        pair,
                        back,
                        step.to,
                        after,
                        decided,
                        predecessors,
                    );
                }
            }
        }
        is_any
    }

    fn turned(&self, symmetry: u8, points: OtherPoints) -> OtherPoints {
        points.map(|point| self.turner.point(symmetry, point))
    }

    #[inline]
    fn turned_slot(&self, symmetry: u8, slot: usize) -> usize {
        if symmetry == 0 {
            return slot;
        }
        self.layout.slot(self.turned(symmetry, self.layout.points(slot)))
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
        let Some(fixed) = layout.fixed(pair, slot) else { return };
        let (color, kind) = layout.row_piece;
        if color == side {
            predecessors[slot] |= moved(kind, positions, fixed);
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

    fn add_predecessors_by_pieces(
        &self,
        pair: usize,
        side: Color,
        after: &AfterCapture,
        decided: Decided,
        predecessors: &mut [Row],
    ) {
        let layout = self.layout;
        let [white, black] = layout.kings.kings(pair);
        let kings = white.bit() | black.bit();
        // The other remaining piece, if there is one, on every point.
        let count = if after.pieces() == 2 { Point::COUNT } else { 1 };
        let other_points = || Point::all().take(count);
        match after.captured {
            Captured::RowPiece => {
                let capturers = if layout.is_folded { 1 } else { layout.others.len() };
                for (piece, &(color, kind)) in layout.others[..capturers].iter().enumerate() {
                    if color != side {
                        continue;
                    }
                    for other in other_points() {
                        let targets = after.now(decided, piece, pair, other);
                        if targets == 0 {
                            continue;
                        }
                        let by_point = layout.slots_by_point(piece, [other; 2]);
                        let fixed = if after.pieces() == 2 { kings | other.bit() } else { kings };
                        for to in points(targets) {
                            for from in piece_attacks(kind, to, fixed) & !fixed {
                                predecessors[usize::from(by_point[from.index()])] |= single(to);
                            }
                        }
                    }
                }
            }
            Captured::Other(captured) => {
                // One of the other pieces captures its partner.
                if after.pieces() == 2
                    && let (color, kind) = layout.others[1 - captured]
                    && color == side
                {
                    for to in Point::all() {
                        let positions = after.now(decided, after.last_piece(), pair, to);
                        if positions == 0 {
                            continue;
                        }
                        let by_point = layout.slots_by_point(1 - captured, [to; 2]);
                        self.paths.visit(kind, to, kings, |from, path| {
                            predecessors[usize::from(by_point[from.index()])] |= positions & !path;
                        });
                    }
                }
                // The row's piece captures one of the other pieces.
                let (color, kind) = layout.row_piece;
                if color == side {
                    for other in other_points() {
                        let targets = after.now(decided, after.last_piece(), pair, other);
                        let fixed = if after.pieces() == 2 { kings | other.bit() } else { kings };
                        for to in points(targets) {
                            let mut points = [other; 2];
                            points[captured] = to;
                            predecessors[layout.slot(points)] |= reached(kind, to, fixed);
                        }
                    }
                }
            }
        }
    }

    /// Takes back captures by the king: `pair` is the pair of kings after the capture, and `to` its
    /// point, in the board's orientation before it.
    fn add_predecessors_by_king(
        &self,
        pair: usize,
        back: u8,
        to: Point,
        after: &AfterCapture,
        decided: Decided,
        predecessors: &mut [Row],
    ) {
        let count = if after.pieces() == 2 { Point::COUNT } else { 1 };
        for other in Point::all().take(count) {
            let row = after.now(decided, after.last_piece(), pair, other);
            if row == 0 {
                continue;
            }
            let other = self.turner.point(back, other);
            match after.captured {
                Captured::RowPiece => {
                    // The row is that of the last other piece.
                    for last in points(self.turner.row(back, row)) {
                        let points = if after.pieces() == 2 { [other, last] } else { [last; 2] };
                        predecessors[self.layout.slot(points)] |= single(to);
                    }
                }
                Captured::Other(captured) => {
                    let mut points = [other; 2];
                    points[captured] = to;
                    predecessors[self.layout.slot(points)] |= self.turner.row(back, row);
                }
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
        let Some(fixed) = layout.fixed(pair, slot) else { return 0 };
        let not_yet_won = &self.not_yet_won[(!side).index()];
        let here = &not_yet_won[pair * slots..][..slots];
        let mut left = candidates;
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
            left &= !moved(kind, here[slot], fixed);
        }
        for step in self.steps.from(pair, side) {
            if left == 0 {
                return 0;
            }
            let slot = self.turned_slot(step.symmetry, slot);
            left &= !self.turner.row(step.back, not_yet_won[step.pair as usize * slots + slot]);
        }
        for after in self.after.iter().filter(|after| after.side != side) {
            if left == 0 {
                return 0;
            }
            match after.captured {
                Captured::RowPiece => {
                    left = self.without_capture_of_row_piece(place, side, after, left)
                }
                Captured::Other(captured) => {
                    left = self.without_capture_of_other(place, side, after, captured, left);
                    if layout.is_folded {
                        left =
                            self.without_capture_of_other(place, side, after, 1 - captured, left);
                    }
                }
            }
        }
        left
    }

    /// The positions of a row in which no capture of the row's piece avoids the loss.
    fn without_capture_of_row_piece(
        &self,
        place: RowPlace,
        side: Color,
        after: &AfterCapture,
        candidates: Row,
    ) -> Row {
        let layout = self.layout;
        let points = layout.points(place.slot);
        let Some(fixed) = layout.fixed(place.pair, place.slot) else { return 0 };
        let mut left = candidates;
        for (piece, &(color, kind)) in layout.others.iter().enumerate() {
            if color == side {
                let targets = reached(kind, points[piece], fixed);
                left &= !(targets & after.not_yet_won(piece, place.pair, points[1 - piece]));
            }
        }
        for step in self.steps.from(place.pair, side) {
            if left & single(step.to) != 0
                && after.is_unwon(step.pair as usize, self.turned(step.symmetry, points))
            {
                left &= !single(step.to);
            }
        }
        left
    }

    /// The positions of a row in which no capture of one of the other pieces avoids the loss.
    fn without_capture_of_other(
        &self,
        place: RowPlace,
        side: Color,
        after: &AfterCapture,
        captured: usize,
        candidates: Row,
    ) -> Row {
        let layout = self.layout;
        let points = layout.points(place.slot);
        let Some(fixed) = layout.fixed(place.pair, place.slot) else { return 0 };
        let (target, other) = (points[captured], points[1 - captured]);
        let mut left = candidates;
        if layout.others.len() == 2
            && let (color, kind) = layout.others[1 - captured]
            && color == side
            && let Some(path) = self.paths.between(kind, other, target)
            && path & row(fixed) == 0
        {
            left &= path | !after.not_yet_won(after.last_piece(), place.pair, target);
        }
        let (color, kind) = layout.row_piece;
        if color == side
            && after.not_yet_won(after.last_piece(), place.pair, other) & single(target) != 0
        {
            left &= !reached(kind, target, fixed);
        }
        for step in self.steps.from(place.pair, side) {
            if step.to == target {
                let other = self.turner.point(step.symmetry, other);
                let row = after.not_yet_won(after.last_piece(), step.pair as usize, other);
                left &= !self.turner.row(step.back, row);
            }
        }
        left
    }
}

#[inline]
fn reached(kind: PieceKind, from: Point, fixed: Bitboard) -> Row {
    row(piece_attacks(kind, from, fixed))
}
