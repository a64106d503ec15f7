//! The legal moves of a placement: how many are quiet, and where the others lead.
//!
//! This is a second move generator, for few pieces and no clocks, keys or castling, since
//! the generator of tables looks at hundreds of millions of placements. Checking a table
//! ([`check`](super::check)) asks the first one.

use super::attacks::attacks;
use super::placement::{Placed, Placement};
use crate::chesquerque::{Bitboard, Color, PieceKind, Point};

/// The ranks on which a side's pawns start and end.
const fn pawn_ranks(color: Color) -> (u8, u8) {
    match color {
        Color::White => (1, Point::RANKS - 1),
        Color::Black => (Point::RANKS - 2, 0),
    }
}

impl Placement {
    /// The piece that stands on a point.
    pub fn index_on(&self, point: Point) -> Option<usize> {
        self.pieces.iter().position(|piece| piece.point == point)
    }

    /// The points that a side attacks when these points are taken.
    #[inline]
    pub fn attacked_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        let own = self.pieces.iter().filter(|piece| piece.color == color);
        own.fold(Bitboard::EMPTY, |all, piece| all | attacks(*piece, occupied))
    }

    /// Whether a side's king is attacked.
    #[inline]
    pub fn is_in_check(&self, color: Color) -> bool {
        self.attacked_by(!color, self.occupied).contains(self.king(color))
    }

    /// The same after a piece has gone elsewhere and perhaps another has been taken.
    pub fn after(&self, mover: usize, to: Point, captured: Option<usize>) -> Placement {
        let mut next = self.clone();
        next.occupied = (self.occupied ^ self.pieces[mover].point.bit()) | to.bit();
        next.pieces[mover].point = to;
        if let Some(captured) = captured {
            let taken = next.pieces[captured].point;
            if taken != to {
                next.occupied ^= taken.bit();
            }
            next.pieces.remove(captured);
        }
        next
    }

    /// How many legal moves of a side neither capture nor move a pawn.
    pub fn quiet_moves(&self, side: Color) -> u32 {
        let king = self.king(side);
        let danger = self.attacked_by(!side, self.occupied ^ king.bit());
        let steps = attacks(self.pieces[side.index()], self.occupied);
        let mut count = (steps & !self.occupied & !danger).len();
        let is_check = danger.contains(king);
        let own = self.pieces[2..].iter().filter(|piece| piece.color == side);
        for piece in own.filter(|piece| piece.kind != PieceKind::Pawn) {
            let targets = attacks(*piece, self.occupied) & !self.occupied;
            let without = self.occupied ^ piece.point.bit();
            count += if is_check || self.reaches_king(side, without, Bitboard::EMPTY) {
                let is_safe =
                    |to: &Point| !self.reaches_king(side, without | to.bit(), Bitboard::EMPTY);
                targets.into_iter().filter(is_safe).count() as u32
            } else {
                targets.len()
            };
        }
        count
    }

    /// Whether a piece of the other side, but for those captured, attacks a side's king
    /// when these points are taken.
    fn reaches_king(&self, side: Color, occupied: Bitboard, captured: Bitboard) -> bool {
        let king = self.king(side);
        self.pieces
            .iter()
            .filter(|piece| piece.color != side && !captured.contains(piece.point))
            .any(|piece| attacks(*piece, occupied).contains(king))
    }

    /// Hands on what each legal capture or pawn move of a side leads to, and the point that
    /// a double step has passed over.
    pub fn zeroing_moves(&self, side: Color, sink: &mut impl FnMut(Placement, Option<Point>)) {
        let own = self.occupied_by(side);
        let captured_king = self.king(!side).bit();
        let enemies = self.occupied & !own & !captured_king;
        for (index, &piece) in self.pieces.iter().enumerate() {
            if piece.color != side {
                continue;
            }
            for to in attacks(piece, self.occupied) & enemies {
                self.move_to(index, piece, to, sink);
            }
            if piece.kind == PieceKind::Pawn {
                self.pawn_steps(index, piece, sink);
            }
        }
    }

    fn occupied_by(&self, side: Color) -> Bitboard {
        self.pieces.iter().filter(|piece| piece.color == side).map(|piece| piece.point).collect()
    }

    fn pawn_steps(
        &self,
        index: usize,
        pawn: Placed,
        sink: &mut impl FnMut(Placement, Option<Point>),
    ) {
        let step = pawn.point.bit().forward(pawn.color) & !self.occupied;
        let Some(to) = step.lsb() else { return };
        self.move_to(index, pawn, to, sink);
        let beyond = step.forward(pawn.color) & !self.occupied;
        if pawn.point.rank() == pawn_ranks(pawn.color).0
            && let Some(beyond) = beyond.lsb()
        {
            let next = self.after(index, beyond, None);
            if !next.is_in_check(pawn.color) {
                sink(next, Some(to));
            }
        }
    }

    /// Hands on a single move if it is legal, a promotion in all its kinds.
    fn move_to(
        &self,
        index: usize,
        piece: Placed,
        to: Point,
        sink: &mut impl FnMut(Placement, Option<Point>),
    ) {
        let next = self.after(index, to, self.index_on(to));
        if next.is_in_check(piece.color) {
            return;
        }
        if piece.kind == PieceKind::Pawn && to.rank() == pawn_ranks(piece.color).1 {
            for kind in PieceKind::PROMOTIONS {
                let mut promoted = next.clone();
                if let Some(at) = promoted.index_on(to) {
                    promoted.pieces[at].kind = kind;
                }
                sink(promoted, None);
            }
        } else {
            sink(next, None);
        }
    }

    /// Hands on what each legal capture en passant of a side on a point just passed over
    /// leads to.
    pub fn en_passant(&self, side: Color, passed: Point, sink: &mut impl FnMut(Placement)) {
        let Some(taken) = passed.bit().forward(!side).lsb().and_then(|at| self.index_on(at)) else {
            return;
        };
        for (index, &piece) in self.pieces.iter().enumerate() {
            // A pawn on a plain point captures straight ahead, never beside.
            if piece.color == side
                && piece.kind == PieceKind::Pawn
                && piece.point.is_diagonal()
                && attacks(piece, self.occupied).contains(passed)
            {
                let next = self.after(index, passed, Some(taken));
                if !next.is_in_check(side) {
                    sink(next);
                }
            }
        }
    }

    /// Whether a side has any legal move, captures en passant left out.
    pub fn has_moves(&self, side: Color) -> bool {
        let mut any = self.quiet_moves(side) > 0;
        if !any {
            self.zeroing_moves(side, &mut |_, _| any = true);
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chesquerque::Position;
    use crate::splitmix::splitmix64;

    /// Where pieces stand, in an order of its own.
    fn pieces(placement: &Placement) -> Vec<(usize, Color, PieceKind)> {
        let mut pieces: Vec<_> =
            placement.pieces.iter().map(|it| (it.point.index(), it.color, it.kind)).collect();
        pieces.sort_by_key(|piece| piece.0);
        pieces
    }

    fn sorted(mut all: Vec<Vec<(usize, Color, PieceKind)>>) -> Vec<Vec<(usize, Color, PieceKind)>> {
        all.sort_by_key(|pieces| format!("{pieces:?}"));
        all
    }

    /// What the legal moves of a position lead to, if they zero the clock.
    fn zeroing(position: &Position) -> Vec<Vec<(usize, Color, PieceKind)>> {
        let children = position.legal_moves().into_iter().map(|mv| position.play(mv));
        let zeroing = children.filter(|child| child.halfmove_clock() == 0);
        sorted(zeroing.map(|it| pieces(&Placement::of(&it).expect("few pieces"))).collect())
    }

    fn random(state: &mut u64, bound: usize) -> usize {
        (splitmix64(state) % bound as u64) as usize
    }

    /// A few pieces of random kinds on random points, half of them pawns.
    fn random_placement(state: &mut u64) -> Placement {
        let point =
            |state: &mut u64| Point::from_index(random(state, Point::COUNT)).expect("a point");
        let mut placement = Placement::kings(point(state), point(state));
        for _ in 0..4 {
            let kind = PieceKind::ALL[random(state, 12).saturating_sub(6)];
            let piece = Placed { color: Color::ALL[random(state, 2)], kind, point: point(state) };
            if !placement.occupied.contains(piece.point) {
                placement.add(piece);
            }
        }
        placement
    }

    /// The moves of placements are those of positions, captures en passant among them.
    #[test]
    fn both_generators_agree() {
        let mut state = 5;
        let (mut compared, mut en_passant) = (0, 0);
        for _ in 0..60_000 {
            let placement = random_placement(&mut state);
            for side in Color::ALL {
                let Some(position) = placement.position(side) else { continue };
                let all = position.legal_moves().len();
                let expected = zeroing(&position);
                let quiet = placement.quiet_moves(side) as usize;
                assert_eq!(quiet, all - expected.len(), "{position}");
                assert_eq!(placement.has_moves(side), all > 0, "{position}");
                let mut found = Vec::new();
                placement.zeroing_moves(side, &mut |child, passed| {
                    found.push(pieces(&child));
                    let Some(passed) = passed else { return };
                    let mut captures = Vec::new();
                    child.en_passant(!side, passed, &mut |it| captures.push(pieces(&it)));
                    let stepped = position.legal_moves().into_iter().map(|mv| position.play(mv));
                    let twin = stepped
                        .filter(|it| pieces(&Placement::of(it).expect("few")) == pieces(&child));
                    for twin in twin {
                        let without = child.position(!side).expect("legal");
                        let mut expected = zeroing(&twin);
                        zeroing(&without).iter().for_each(|known| {
                            expected.retain(|it| it != known);
                        });
                        assert_eq!(sorted(captures.clone()), expected, "{twin}");
                        en_passant += captures.len();
                    }
                });
                assert_eq!(sorted(found), expected, "{position}");
                compared += 1;
            }
        }
        assert!(compared > 20_000 && en_passant > 20, "{compared} {en_passant}");
    }
}
