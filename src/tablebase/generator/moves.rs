//! The legal moves of a placement: the number of quiet ones, and where the others lead.
//!
//! This is a second move generator, for few pieces and without clocks, keys or castling, because
//! building tables visits hundreds of millions of placements. Checks of tables
//! ([`check`](super::check)) use the main one.

use qirkat_game::Color;
use qirkat_rules::chess::{EnPassant, Geometry, Kind, Square, SquareSet, double_step, pawn_steps};

use crate::chess_game::{ChessBoardGame, KingPairs, Symmetries};
use crate::chess_material::{Placed, Placement};

pub const fn last_rank<S: Square>(color: Color) -> u8 {
    match color {
        Color::White => S::RANKS - 1,
        Color::Black => 0,
    }
}

impl<G: ChessBoardGame> Placement<G> {
    pub fn index_on(&self, point: G::Square) -> Option<usize> {
        self.pieces.iter().position(|piece| piece.point == point)
    }

    #[inline]
    pub fn attacked_by(&self, color: Color, occupied: G::Bitboard) -> G::Bitboard {
        let own = self.pieces.iter().filter(|piece| piece.color == color);
        own.fold(G::Bitboard::EMPTY, |all, piece| all | piece.attacks(occupied))
    }

    #[inline]
    pub fn is_in_check(&self, color: Color) -> bool {
        self.attacked_by(!color, self.occupied).contains(self.king(color))
    }

    /// The placement after a move of this piece, with an optional capture.
    pub fn after(&self, mover: usize, to: G::Square, captured: Option<usize>) -> Placement<G> {
        let mut next = self.clone();
        next.occupied =
            (self.occupied ^ G::Bitboard::of(self.pieces[mover].point)) | G::Bitboard::of(to);
        next.pieces[mover].point = to;
        if let Some(captured) = captured {
            let taken = next.pieces[captured].point;
            if taken != to {
                next.occupied ^= G::Bitboard::of(taken);
            }
            next.pieces.remove(captured);
        }
        next
    }

    /// How many legal moves of a side neither capture nor move a pawn.
    pub fn quiet_moves(&self, side: Color) -> u32 {
        let king = self.king(side);
        let danger = self.attacked_by(!side, self.occupied ^ G::Bitboard::of(king));
        let steps = self.pieces[side.index()].attacks(self.occupied);
        let mut count = (steps & !self.occupied & !danger).len();
        let is_check = danger.contains(king);
        let own = self.pieces[2..].iter().filter(|piece| piece.color == side);
        for piece in own.filter(|piece| piece.kind != G::Kind::PAWN) {
            let targets = piece.attacks(self.occupied) & !self.occupied;
            let without = self.occupied ^ G::Bitboard::of(piece.point);
            count += if is_check || self.reaches_king(side, without) {
                let is_safe =
                    |to: &G::Square| !self.reaches_king(side, without | G::Bitboard::of(*to));
                targets.into_iter().filter(is_safe).count() as u32
            } else {
                targets.len()
            };
        }
        count
    }

    /// Whether the opponent attacks a side's king with this occupancy.
    fn reaches_king(&self, side: Color, occupied: G::Bitboard) -> bool {
        let king = self.king(side);
        self.pieces
            .iter()
            .filter(|piece| piece.color != side)
            .any(|piece| piece.attacks(occupied).contains(king))
    }

    /// Visits the result of each legal capture or pawn move of a side and, for a double step, how
    /// it can be captured en passant.
    pub fn zeroing_moves(
        &self,
        side: Color,
        visit: &mut impl FnMut(Placement<G>, Option<EnPassant<G::Square>>),
    ) {
        let enemies = self.pieces[2..].iter().filter(|piece| piece.color != side);
        let enemies: G::Bitboard = enemies.map(|piece| piece.point).collect();
        for (index, &piece) in self.pieces.iter().enumerate() {
            if piece.color != side {
                continue;
            }
            for to in piece.attacks(self.occupied) & enemies {
                self.move_to(index, piece, to, visit);
            }
            if piece.kind == G::Kind::PAWN {
                self.pawn_steps(index, piece, visit);
            }
        }
    }

    fn pawn_steps(
        &self,
        index: usize,
        pawn: Placed<G>,
        visit: &mut impl FnMut(Placement<G>, Option<EnPassant<G::Square>>),
    ) {
        for to in pawn_steps::<G::Geometry>(pawn.color, pawn.point) & !self.occupied {
            self.move_to(index, pawn, to, visit);
            let beyond = double_step::<G::Geometry>(pawn.color, pawn.point, to);
            if let Some(beyond) = beyond.filter(|&beyond| !self.occupied.contains(beyond)) {
                let next = self.after(index, beyond, None);
                if !next.is_in_check(pawn.color) {
                    visit(next, Some(EnPassant { passed: to, pawn: beyond }));
                }
            }
        }
    }

    /// Visits the result of a move if it is legal.
    fn move_to(
        &self,
        index: usize,
        piece: Placed<G>,
        to: G::Square,
        visit: &mut impl FnMut(Placement<G>, Option<EnPassant<G::Square>>),
    ) {
        let next = self.after(index, to, self.index_on(to));
        if !next.is_in_check(piece.color) {
            next.promote(piece, to, &mut |next| visit(next, None));
        }
    }

    /// Visits the placement after a piece has moved to a point; for a promotion, one for each kind.
    pub fn promote(
        mut self,
        piece: Placed<G>,
        to: G::Square,
        visit: &mut impl FnMut(Placement<G>),
    ) {
        if piece.kind != G::Kind::PAWN || to.rank() != last_rank::<G::Square>(piece.color) {
            return visit(self);
        }
        let Some(at) = self.index_on(to) else { return };
        for &kind in G::Kind::PROMOTIONS {
            self.pieces[at].kind = kind;
            visit(self.clone());
        }
    }

    /// Visits the result of each legal capture en passant of a side, after the opponent's double
    /// step.
    pub fn en_passant(
        &self,
        side: Color,
        double_step: EnPassant<G::Square>,
        visit: &mut impl FnMut(Placement<G>),
    ) {
        let taken = self.index_on(double_step.pawn);
        for (index, &piece) in self.pieces.iter().enumerate() {
            // In Chesquerque pawns can also capture straight ahead, but the pawn that made the
            // double step is on the point from which one would do so.
            if piece.color == side
                && piece.kind == G::Kind::PAWN
                && piece.attacks(self.occupied).contains(double_step.passed)
            {
                let next = self.after(index, double_step.passed, taken);
                if !next.is_in_check(side) {
                    visit(next);
                }
            }
        }
    }

    /// Whether a side has any legal move, except captures en passant.
    pub fn has_moves(&self, side: Color) -> bool {
        let mut any = self.quiet_moves(side) > 0;
        if !any {
            self.zeroing_moves(side, &mut |_, _| any = true);
        }
        any
    }
}

#[derive(Clone, Copy, Debug)]
pub struct KingStep<S> {
    /// The king's target, in the board's orientation before the step.
    pub to: S,
    pub pair: u32,
    /// The symmetry that maps the other pieces to their points after the step.
    pub symmetry: u8,
    /// Its inverse.
    pub back: u8,
}

/// For each pair of kings, the steps of White's king and of Black's.
type StepsByPair<S> = Vec<[Vec<KingStep<S>>; 2]>;

/// The steps of kings between the pairs of [`KingPairs::get`], forwards and backwards.
///
/// A king's step can lead to a pair that is folded onto another, so the rest of the board is turned
/// too. Each step is stored once forwards and once backwards, so that it has exactly one inverse.
pub struct KingSteps<G: ChessBoardGame> {
    from: StepsByPair<G::Square>,
    to: StepsByPair<G::Square>,
}

impl<G: ChessBoardGame> KingSteps<G> {
    /// The steps between folded pairs, or between all.
    pub fn new(folded: bool) -> KingSteps<G> {
        let (pairs, symmetries) = (KingPairs::<G>::get(folded), Symmetries::<G>::get());
        let none = || vec![[Vec::new(), Vec::new()]; pairs.count()];
        let mut steps = KingSteps { from: none(), to: none() };
        for before in 0..pairs.count() {
            let kings = pairs.kings(before);
            for color in Color::ALL {
                let king = kings[color.index()];
                for to in G::Geometry::attacks(G::Kind::KING, king, G::Bitboard::EMPTY) {
                    let mut after = kings;
                    after[color.index()] = to;
                    // A king never steps onto the other one: they would attack each other.
                    let Some((pair, symmetry)) = pairs.find(after[0], after[1]) else {
                        continue;
                    };
                    let back = symmetries.inverse(symmetry);
                    let step = KingStep { to, pair, symmetry, back };
                    steps.from[before][color.index()].push(step);
                    steps.to[pair as usize][color.index()].push(KingStep {
                        to: symmetries.image(symmetry, king),
                        pair: before as u32,
                        symmetry: back,
                        back: symmetry,
                    });
                }
            }
        }
        steps
    }

    #[inline]
    pub fn from(&self, pair: usize, color: Color) -> &[KingStep<G::Square>] {
        &self.from[pair][color.index()]
    }

    /// The inverses of the steps of a side's king to a pair: exactly one for each step that
    /// [`KingPairs::find`] maps to it.
    #[inline]
    pub fn to(&self, pair: usize, color: Color) -> &[KingStep<G::Square>] {
        &self.to[pair][color.index()]
    }
}
