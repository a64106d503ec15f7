//! Making moves, by copying the position and changing the copy.

use super::bitboard::Bitboard;
use super::chain::Move;
use super::forbidden::ForbiddenStep;
use super::position::Position;
use super::side::{Black, Side, White};
use super::zobrist;
use crate::fen_fields::MAX_CLOCK;
use qirkat_game::{Color, Key};

impl Position {
    /// Makes a legal move on this position.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        match self.side_to_move {
            Color::White => self.make_for::<White>(mv),
            Color::Black => self.make_for::<Black>(mv),
        }
    }

    #[inline]
    fn make_for<S: Side>(&mut self, mv: Move) {
        let mut undoing = None;
        let mut clock = 0;
        if mv.is_jump() {
            self.jump::<S>(mv);
        } else {
            self.step::<S>(mv);
            undoing = ForbiddenStep::undoing(mv);
            clock = (self.halfmove_clock + 1).min(MAX_CLOCK) * u16::from(undoing.is_some());
        }
        self.halfmove_clock = clock;
        self.pass_turn::<S>(undoing);
    }

    /// The position after the side to move has passed. Not a legal move; it shows what the
    /// other side would do.
    #[must_use]
    pub fn passed(&self) -> Position {
        let mut next = *self;
        next.halfmove_clock = (next.halfmove_clock + 1).min(MAX_CLOCK);
        match self.side_to_move {
            Color::White => next.pass_turn::<White>(None),
            Color::Black => next.pass_turn::<Black>(None),
        }
        next
    }

    /// Gives the move to the other side, when the men have been moved. `undoing` is the
    /// step back, which is forbidden from now on.
    #[inline]
    fn pass_turn<S: Side>(&mut self, undoing: Option<ForbiddenStep>) {
        self.forbid::<S>(undoing);
        let still_forbidden =
            self.if_possible(S::Enemy::COLOR, self.forbidden_step(S::Enemy::COLOR));
        self.forbid::<S::Enemy>(still_forbidden);
        self.side_to_move = S::Enemy::COLOR;
        self.key ^= zobrist::black_to_move();
        self.fullmove_number = (self.fullmove_number + S::COLOR as u16).min(MAX_CLOCK);
    }

    #[inline]
    fn step<S: Side>(&mut self, mv: Move) {
        let (from, to) = (mv.from(), mv.step_to());
        self.men[S::COLOR.index()] ^= from.bit() ^ to.bit();
        self.key ^= zobrist::man(S::COLOR, from);
        self.key ^= zobrist::man(S::COLOR, to);
    }

    #[inline]
    fn jump<S: Side>(&mut self, mv: Move) {
        let mut captured = Bitboard::EMPTY;
        let mut to = mv.from();
        for (over, next) in mv.jump_legs() {
            captured |= over.bit();
            self.key ^= zobrist::man(S::Enemy::COLOR, over);
            to = next;
        }
        self.key ^= zobrist::man(S::COLOR, mv.from());
        self.key ^= zobrist::man(S::COLOR, to);
        // The two are the same where the man comes back to its own point.
        self.men[S::COLOR.index()] ^= mv.from().bit() ^ to.bit();
        self.men[S::Enemy::COLOR.index()] ^= captured;
    }

    /// Sets the step that is forbidden to a side.
    #[inline]
    fn forbid<S: Side>(&mut self, step: Option<ForbiddenStep>) {
        let place = &mut self.forbidden[S::COLOR.index()];
        self.key ^= zobrist::forbidden(S::COLOR, *place);
        self.key ^= zobrist::forbidden(S::COLOR, step);
        *place = step;
    }

    /// The key computed from nothing; equal to [`Position::key`].
    pub(super) fn key_from_scratch(&self) -> Key {
        let mut key = Key::default();
        for color in Color::ALL {
            for point in self.men(color) {
                key ^= zobrist::man(color, point);
            }
            key ^= zobrist::forbidden(color, self.forbidden_step(color));
        }
        if self.side_to_move == Color::Black {
            key ^= zobrist::black_to_move();
        }
        key
    }
}
