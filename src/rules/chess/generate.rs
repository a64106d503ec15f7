//! The legal move generator. It passes sets of targets to a [`MoveSink`], which either lists moves
//! or only counts bits ("bulk counting"). Pawns move as a set per direction; the other pieces one
//! by one, or grouped by movement where kinds share one ([`Geometry::for_each_attack`]).

use std::marker::PhantomData;

use qirkat_game::{Color, MoveFilter};

use super::attacks::CheckInfo;
use super::castling::{CastlingPath, Wing};
use super::geometry::{Geometry, MoveOf, PawnDirection};
use super::pawns::{MAX_PAWN_DIRECTIONS, last_rank, third_rank};
use super::piece::{Kind, Move};
use super::position::{EnPassant, Position};
use super::square::SquareSet;
use crate::Side;

impl<G: Geometry> Position<G> {
    #[inline]
    pub(super) fn generate<T: MoveSink<G>, const FILTER: u8>(&self, sink: &mut T) {
        match_side!(self.side_to_move, Own => Generator::<G, Own, T, FILTER>::new(self, sink).run())
    }
}

// `MoveFilter` as constants, for a const parameter.
pub(super) const ALL: u8 = MoveFilter::All as u8;
pub(super) const NOISY: u8 = MoveFilter::Noisy as u8;
pub(super) const QUIET: u8 = MoveFilter::Quiet as u8;

struct Generator<'a, G: Geometry, S, T, const FILTER: u8> {
    position: &'a Position<G>,
    sink: &'a mut T,
    occupied: G::Bitboard,
    own: G::Bitboard,
    enemies: G::Bitboard,
    checks: CheckInfo<G>,
    side: PhantomData<S>,
}

impl<'a, G: Geometry, S: Side, T: MoveSink<G>, const FILTER: u8> Generator<'a, G, S, T, FILTER> {
    #[inline]
    fn new(position: &'a Position<G>, sink: &'a mut T) -> Self {
        let own = position.of_color(S::COLOR);
        let enemies = position.of_color(S::Enemy::COLOR);
        Generator {
            position,
            sink,
            occupied: own | enemies,
            own,
            enemies,
            checks: position.check_info::<S>(),
            side: PhantomData,
        }
    }

    #[inline]
    fn run(&mut self) {
        self.king_steps();
        if self.sink.is_full() {
            return;
        }
        let mut check_mask = G::Bitboard::ALL;
        if self.checks.checkers.any() {
            check_mask = self.position.check_mask(&self.checks);
            // A capture en passant can parry two checks: it removes one piece and blocks another.
            if check_mask.is_empty() && self.position.en_passant.is_none() {
                return;
            }
        } else if FILTER != NOISY && self.position.castling.has_any(S::COLOR) {
            self.castling();
        }
        let free = self.own & !self.checks.pinned;
        self.pieces(free, check_mask);
        if self.sink.is_full() {
            return;
        }
        self.pawns(free & self.position.of_kind(G::Kind::PAWN), check_mask);
        if self.checks.pinned.any() {
            self.pinned_pieces(check_mask);
        }
        if FILTER != QUIET
            && let Some(en_passant) = self.position.en_passant
        {
            self.en_passant(en_passant);
        }
    }

    #[inline]
    fn piece_targets(&self) -> G::Bitboard {
        match FILTER {
            NOISY => self.enemies,
            QUIET => !self.occupied,
            _ => !self.own,
        }
    }

    #[inline]
    fn king_steps(&mut self) {
        let king = self.checks.king;
        let steps = G::attacks(G::Kind::KING, king, self.occupied) & self.piece_targets();
        if steps.is_empty() {
            return;
        }
        // Without the king, since it does not shield the squares behind it.
        let occupied = self.occupied ^ G::Bitboard::of(king);
        let mut safe = steps;
        for to in steps {
            if self.position.is_attacked(to, S::Enemy::COLOR, occupied) {
                safe ^= G::Bitboard::of(to);
            }
        }
        self.sink.moves(king, safe);
    }

    fn castling(&mut self) {
        for wing in Wing::ALL {
            let path = CastlingPath::<G>::of(S::COLOR, wing);
            if self.position.can_castle(S::COLOR, wing, &path) {
                self.sink.moves(path.king_from, G::Bitboard::of(path.king_to));
            }
        }
    }

    #[inline]
    fn pieces(&mut self, movers: G::Bitboard, allowed: G::Bitboard) {
        let targets = self.piece_targets() & allowed;
        let occupied = self.occupied;
        let (position, sink) = (self.position, &mut *self.sink);
        let of = |kind| position.of_kind(kind) & movers;
        G::for_each_attack(of, occupied, |from, attacks| sink.moves(from, attacks & targets));
    }

    #[inline]
    fn pawns(&mut self, pawns: G::Bitboard, allowed: G::Bitboard) {
        self.pawns_towards::<0>(pawns, allowed);
        self.pawns_towards::<1>(pawns, allowed);
        self.pawns_towards::<2>(pawns, allowed);
        self.pawns_towards::<3>(pawns, allowed);
        const { assert!(MAX_PAWN_DIRECTIONS == 4) };
    }

    #[inline]
    fn pawns_towards<const NUMBER: usize>(&mut self, pawns: G::Bitboard, allowed: G::Bitboard) {
        let Some(direction) = G::pawn_direction(S::COLOR, NUMBER) else { return };
        let empty = !self.occupied;
        let last_rank = last_rank::<G>(S::COLOR);
        let steps = direction.steps(pawns) & empty;
        let captures = direction.captures(pawns) & self.enemies;
        let targets = match FILTER {
            NOISY => captures | (steps & last_rank),
            QUIET => steps & !last_rank,
            _ => steps | captures,
        };
        let targets = targets & allowed;
        self.sink.pawn_moves(|to| direction.origin(to), targets & !last_rank);
        let promoting = targets & last_rank;
        if FILTER != QUIET && promoting.any() {
            self.sink.promotions(|to| direction.origin(to), promoting);
        }
        if FILTER != NOISY {
            let double_steps = direction.steps(steps & third_rank::<G>(S::COLOR)) & empty & allowed;
            self.sink.pawn_moves(|to| direction.origin(direction.origin(to)), double_steps);
        }
    }

    #[cold]
    fn pinned_pieces(&mut self, check_mask: G::Bitboard) {
        for from in self.checks.pinned {
            let allowed = self.checks.pin_mask(from) & check_mask;
            if allowed.any() {
                let mover = G::Bitboard::of(from);
                self.pieces(mover, allowed);
                self.pawns(mover & self.position.of_kind(G::Kind::PAWN), allowed);
            }
        }
    }

    #[cold]
    fn en_passant(&mut self, en_passant: EnPassant<G::Square>) {
        for from in self.position.en_passant_captors(S::COLOR, en_passant.passed) {
            if self.position.en_passant_is_legal(S::COLOR, from, en_passant) {
                self.sink.moves(from, G::Bitboard::of(en_passant.passed));
            }
        }
    }
}

impl<G: Geometry> Position<G> {
    /// Whether a side that is not in check may castle on a wing now.
    #[inline]
    pub(super) fn can_castle(&self, color: Color, wing: Wing, path: &CastlingPath<G>) -> bool {
        self.castling.has(color, wing)
            && (path.between & self.occupied()).is_empty()
            && !self.attacks_any(!color, path.crossed)
    }

    fn attacks_any(&self, by: Color, squares: G::Bitboard) -> bool {
        squares.into_iter().any(|square| self.is_attacked(square, by, self.occupied()))
    }
}

/// Receives the generator's moves as sets of targets, so that counting needs no list ("bulk
/// counting").
pub(super) trait MoveSink<G: Geometry> {
    /// Whether further moves are of no use.
    #[inline]
    fn is_full(&self) -> bool {
        false
    }

    /// The piece on `from` may go to each of `targets`.
    fn moves(&mut self, from: G::Square, targets: G::Bitboard);

    /// Pawns may go to each of `targets`, from the square given by `origin`.
    fn pawn_moves(&mut self, origin: impl Fn(G::Square) -> G::Square, targets: G::Bitboard);

    /// Promotions on `targets`; each is as many moves as there are kinds to promote to.
    fn promotions(&mut self, origin: impl Fn(G::Square) -> G::Square, targets: G::Bitboard);
}

pub(super) struct Counter(pub u64);

impl<G: Geometry> MoveSink<G> for Counter {
    #[inline]
    fn moves(&mut self, _: G::Square, targets: G::Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn pawn_moves(&mut self, _: impl Fn(G::Square) -> G::Square, targets: G::Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline]
    fn promotions(&mut self, _: impl Fn(G::Square) -> G::Square, targets: G::Bitboard) {
        self.0 += u64::from(targets.len()) * G::Kind::PROMOTIONS.len() as u64;
    }
}

pub(super) struct Any(pub bool);

impl<G: Geometry> MoveSink<G> for Any {
    #[inline]
    fn is_full(&self) -> bool {
        self.0
    }

    #[inline]
    fn moves(&mut self, _: G::Square, targets: G::Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn pawn_moves(&mut self, _: impl Fn(G::Square) -> G::Square, targets: G::Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn promotions(&mut self, _: impl Fn(G::Square) -> G::Square, targets: G::Bitboard) {
        self.0 |= targets.any();
    }
}

pub(super) struct Each<F>(pub F);

impl<G: Geometry, F: FnMut(MoveOf<G>)> MoveSink<G> for Each<F> {
    #[inline]
    fn moves(&mut self, from: G::Square, targets: G::Bitboard) {
        targets.into_iter().for_each(|to| (self.0)(Move::new(from, to)));
    }

    #[inline]
    fn pawn_moves(&mut self, origin: impl Fn(G::Square) -> G::Square, targets: G::Bitboard) {
        targets.into_iter().for_each(|to| (self.0)(Move::new(origin(to), to)));
    }

    fn promotions(&mut self, origin: impl Fn(G::Square) -> G::Square, targets: G::Bitboard) {
        for to in targets {
            let from = origin(to);
            for &kind in G::Kind::PROMOTIONS {
                (self.0)(Move { from, to, promotion: Some(kind) });
            }
        }
    }
}
