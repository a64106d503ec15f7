//! The legal move generator.
//!
//! The generator hands sets of targets to a [`MoveSink`]: one that lists
//! moves, or one that only counts bits ("bulk counting"). Pawns move as a set,
//! direction by direction; the other pieces one by one.

use super::attacks::KingDanger;
use super::bitboard::Bitboard;
use super::castling::CastlingPath;
use super::direction::Direction;
use super::en_passant::EnPassant;
use super::lines::LINES;
use super::piece::PieceKind;
use super::position::Position;
use super::rays;
use super::side::{Black, Side, White};
use crate::chess::{MoveSink, Wing};
use qirkat_game::{Color, MoveFilter};

impl Position {
    /// Hands the legal moves that pass a filter to a sink.
    #[inline]
    pub(super) fn generate<T: MoveSink<Position>, const FILTER: u8>(&self, sink: &mut T) {
        match self.side_to_move {
            Color::White => Generator::<White, T, FILTER>::new(self, sink).run(),
            Color::Black => Generator::<Black, T, FILTER>::new(self, sink).run(),
        }
    }
}

// `MoveFilter` as constants for the type parameter.
pub(super) const ALL: u8 = MoveFilter::All as u8;
pub(super) const NOISY: u8 = MoveFilter::Noisy as u8;
pub(super) const QUIET: u8 = MoveFilter::Quiet as u8;

struct Generator<'a, S, T, const FILTER: u8> {
    position: &'a Position,
    sink: &'a mut T,
    occupied: Bitboard,
    own: Bitboard,
    enemies: Bitboard,
    danger: KingDanger,
    side: std::marker::PhantomData<S>,
}

impl<'a, S: Side, T: MoveSink<Position>, const FILTER: u8> Generator<'a, S, T, FILTER> {
    #[inline]
    fn new(position: &'a Position, sink: &'a mut T) -> Self {
        let own = position.of_color(S::COLOR);
        let enemies = position.of_color(S::Enemy::COLOR);
        Generator {
            position,
            sink,
            occupied: own | enemies,
            own,
            enemies,
            danger: position.king_danger::<S>(),
            side: std::marker::PhantomData,
        }
    }

    #[inline]
    fn run(&mut self) {
        self.king_steps();
        if self.sink.is_full() {
            return;
        }
        let mut parrying = Bitboard::ALL;
        if self.danger.checkers.any() {
            parrying = self.danger.parrying_cells();
            if parrying.is_empty() {
                return;
            }
        } else if FILTER != NOISY && self.position.castling.has_any(S::COLOR) {
            self.castling();
        }
        let free = self.own & !self.danger.pinned;
        self.pawns(free & self.position.of_kind(PieceKind::Pawn), parrying);
        if self.sink.is_full() {
            return;
        }
        self.pieces(free, parrying);
        if self.danger.pinned.any() {
            self.pinned_pieces(parrying);
        }
        if FILTER != QUIET
            && let Some(target) = self.position.en_passant
        {
            self.en_passant(target);
        }
    }

    /// Where the filter lets pieces go.
    #[inline]
    fn piece_targets(&self) -> Bitboard {
        match FILTER {
            NOISY => self.enemies,
            QUIET => !self.occupied,
            _ => !self.own,
        }
    }

    #[inline]
    fn king_steps(&mut self) {
        let king = self.danger.king;
        let lines = &LINES[king];
        let steps = (lines.rook_steps | lines.diagonal_steps) & self.piece_targets();
        // Without the king on the board: it does not shield the cells behind.
        let occupied = self.occupied ^ king.bit();
        let mut safe = steps;
        for to in steps {
            if self.position.is_attacked(to, S::Enemy::COLOR, occupied) {
                safe ^= to.bit();
            }
        }
        self.sink.moves(king, safe);
    }

    fn castling(&mut self) {
        for wing in Wing::ALL {
            let path = CastlingPath::of(S::COLOR, wing);
            if self.position.castling.has(S::COLOR, wing)
                && (path.between & self.occupied).is_empty()
                && !path
                    .crossed
                    .into_iter()
                    .any(|cell| self.position.is_attacked(cell, S::Enemy::COLOR, self.occupied))
            {
                self.sink.moves(path.king_from, path.king_to.bit());
            }
        }
    }

    #[inline]
    fn pieces(&mut self, free: Bitboard, allowed: Bitboard) {
        use PieceKind::*;
        let kind = |kind| self.position.of_kind(kind) & free;
        let (knights, bishops, rooks, queens) =
            (kind(Knight), kind(Bishop), kind(Rook), kind(Queen));
        let targets = self.piece_targets() & allowed;
        let occupied = self.occupied;

        for from in knights {
            self.sink.moves(from, LINES[from].knight_leaps & targets);
        }
        for from in bishops {
            let reached = rays::diagonals(from, occupied) | LINES[from].rook_steps;
            self.sink.moves(from, reached & targets);
        }
        for from in rooks {
            self.sink.moves(from, rays::rook_lines(from, occupied) & targets);
        }
        for from in queens {
            let reached = rays::diagonals(from, occupied) | rays::rook_lines(from, occupied);
            self.sink.moves(from, reached & targets);
        }
    }

    /// The moves of several pawns at once.
    #[inline]
    fn pawns(&mut self, pawns: Bitboard, allowed: Bitboard) {
        let empty = !self.occupied;
        let wanted = match FILTER {
            NOISY => S::LAST_RANK,
            QUIET => !S::LAST_RANK,
            _ => Bitboard::ALL,
        };
        for (step, double_step) in S::STEPS.into_iter().zip(S::DOUBLE_STEPS) {
            let steps = step.shift(pawns) & empty;
            self.pawn_targets(step, steps & allowed & wanted);
            if FILTER != NOISY {
                let double_steps = step.shift(steps & S::THIRD_RANK) & empty & allowed;
                self.sink.pawn_moves(double_step, double_steps);
            }
        }
        if FILTER != QUIET {
            for capture in S::CAPTURES {
                self.pawn_targets(capture, capture.shift(pawns) & self.enemies & allowed);
            }
        }
    }

    #[inline]
    fn pawn_targets(&mut self, direction: Direction, targets: Bitboard) {
        self.sink.pawn_moves(direction, targets & !S::LAST_RANK);
        let promoting = targets & S::LAST_RANK;
        if promoting.any() {
            self.sink.promotions(direction, promoting);
        }
    }

    #[cold]
    fn pinned_pieces(&mut self, parrying: Bitboard) {
        for pinner in self.danger.pinners {
            let line = self.danger.pin_line(pinner);
            let pinned = line & self.danger.pinned;
            let allowed = line & parrying;
            if allowed.any() {
                self.pieces(pinned, allowed);
                self.pawns(pinned & self.position.of_kind(PieceKind::Pawn), allowed);
            }
        }
    }

    #[cold]
    fn en_passant(&mut self, target: EnPassant) {
        for from in self.position.en_passant_captors::<S>(target.passed) {
            if self.position.en_passant_is_legal::<S>(from, target) {
                self.sink.moves(from, target.passed.bit());
            }
        }
    }
}
