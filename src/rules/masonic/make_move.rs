//! Making moves, by copying the position and changing the copy.

use super::castling::{CastlingPath, after_move, is_castling_step};
use super::cell::Cell;
use super::en_passant::EnPassant;
use super::lines::between;
use super::move_list::Move;
use super::piece::PieceKind;
use super::position::Position;
use super::side::{Black, Side, White};
use super::zobrist;
use crate::chess::Wing;
use crate::fen_fields::MAX_CLOCK;
use qirkat_game::{Color, Key};

impl Position {
    /// The position after a legal move. What an illegal move leads to is not
    /// specified (it is memory-safe): test [`Position::is_legal`] first where a
    /// move comes from outside.
    pub fn play(&self, mv: Move) -> Position {
        let mut next = *self;
        next.make(mv);
        next
    }

    /// Makes a legal move on this position. Where speed counts, copy and make
    /// in two steps: the compiler moves what [`Position::play`] returns once
    /// more.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        match self.side_to_move {
            Color::White => self.make_for::<White>(mv),
            Color::Black => self.make_for::<Black>(mv),
        }
    }

    /// The position after the side to move has passed. Not a legal move;
    /// search uses it. The side to move must not be in check.
    pub fn play_null(&self) -> Position {
        let mut next = *self;
        next.forget_en_passant();
        next.halfmove_clock = (next.halfmove_clock + 1).min(MAX_CLOCK);
        next.pass_turn(self.side_to_move);
        next
    }

    #[inline]
    fn make_for<S: Side>(&mut self, mv: Move) {
        let Move { from, to, promotion } = mv;
        let Some(kind) = self.kind_on(from) else {
            debug_assert!(false, "no piece on {from} to move");
            return;
        };
        let answered = self.answered_double_step(from, to);
        self.forget_en_passant();
        self.halfmove_clock = (self.halfmove_clock + 1).min(MAX_CLOCK);

        if let Some(captured) = self.kind_on(to) {
            self.take(S::Enemy::COLOR, captured, to);
            self.halfmove_clock = 0;
        }
        self.shift(S::COLOR, kind, from, to);
        if let Some(promoted) = promotion {
            self.take(S::COLOR, kind, to);
            self.put(S::COLOR, promoted, to);
        }

        if !self.castling.is_empty() {
            if kind == PieceKind::King && is_castling_step(from, to) {
                self.move_castling_rook::<S>(to);
            }
            self.key ^= zobrist::castling(self.castling);
            self.castling = after_move(self.castling, from, to);
            self.key ^= zobrist::castling(self.castling);
        }
        self.pass_turn(S::COLOR);
        if kind == PieceKind::Pawn {
            self.halfmove_clock = 0;
            if let Some(target) = answered {
                self.take(S::Enemy::COLOR, PieceKind::Pawn, target.pawn);
            } else if from.rank().abs_diff(to.rank()) == 2
                && let Some(passed) = between(from, to).lsb()
            {
                self.offer_en_passant::<S::Enemy>(EnPassant { passed, pawn: to });
            }
        }
    }

    #[inline]
    fn pass_turn(&mut self, mover: Color) {
        self.side_to_move = !mover;
        self.key ^= zobrist::black_to_move();
        self.fullmove_number = (self.fullmove_number + mover as u16).min(MAX_CLOCK);
    }

    #[inline]
    pub(super) fn put(&mut self, color: Color, kind: PieceKind, cell: Cell) {
        self.by_color[color.index()] |= cell.bit();
        self.by_kind[kind.index()] |= cell.bit();
        self.kind_on[cell] = Some(kind);
        self.key ^= zobrist::piece(color, kind, cell);
    }

    #[inline]
    fn take(&mut self, color: Color, kind: PieceKind, cell: Cell) {
        self.by_color[color.index()] ^= cell.bit();
        self.by_kind[kind.index()] ^= cell.bit();
        self.kind_on[cell] = None;
        self.key ^= zobrist::piece(color, kind, cell);
    }

    #[inline]
    fn shift(&mut self, color: Color, kind: PieceKind, from: Cell, to: Cell) {
        let both = from.bit() | to.bit();
        self.by_color[color.index()] ^= both;
        self.by_kind[kind.index()] ^= both;
        self.kind_on[from] = None;
        self.kind_on[to] = Some(kind);
        self.key ^= zobrist::piece(color, kind, from);
        self.key ^= zobrist::piece(color, kind, to);
    }

    #[cold]
    fn move_castling_rook<S: Side>(&mut self, king_to: Cell) {
        for wing in Wing::ALL {
            let path = CastlingPath::of(S::COLOR, wing);
            if path.king_to == king_to {
                self.shift(S::COLOR, PieceKind::Rook, path.rook_from, path.rook_to);
            }
        }
    }

    /// Notes the double step that the enemy of side `S`, now to move, has just
    /// made, if a capture en passant is legal.
    #[inline]
    pub(super) fn offer_en_passant<S: Side>(&mut self, target: EnPassant) {
        if self.can_answer::<S>(target) {
            self.en_passant = Some(target);
            self.key ^= zobrist::en_passant(target);
        }
    }

    #[inline]
    fn forget_en_passant(&mut self) {
        if let Some(target) = self.en_passant.take() {
            self.key ^= zobrist::en_passant(target);
        }
    }

    /// The key computed from the board; equal to [`Position::key`].
    pub(super) fn key_from_scratch(&self) -> Key {
        let mut key = Key::default();
        for cell in self.occupied() {
            if let Some(piece) = self.piece_on(cell) {
                key ^= zobrist::piece(piece.color, piece.kind, cell);
            }
        }
        key ^= zobrist::castling(self.castling);
        if let Some(target) = self.en_passant {
            key ^= zobrist::en_passant(target);
        }
        if self.side_to_move == Color::Black {
            key ^= zobrist::black_to_move();
        }
        key
    }
}
