//! The rules of whichever game it is.

use super::any_move::AnyMove;
use super::any_position::AnyPosition;
use super::each_game::{of_each, with_move};
use super::name::Variant;
use qirkat_game::{Color, GameHistory, Key, MoveFilter, Outcome, Rules, Terminal};

impl Rules for AnyPosition {
    type Move = AnyMove;

    /// That of Chesquerque; [`Variant::start`] has the others.
    fn start() -> AnyPosition {
        Variant::default().start()
    }

    fn side_to_move(&self) -> Color {
        of_each!(self, position => position.side_to_move())
    }

    fn key(&self) -> Key {
        of_each!(self, position => position.key())
    }

    fn reversible_plies(&self) -> usize {
        of_each!(self, position => position.reversible_plies())
    }

    fn is_clock_drawn(&self) -> bool {
        of_each!(self, position => position.is_clock_drawn())
    }

    fn is_dead(&self) -> bool {
        of_each!(self, position => Rules::is_dead(position))
    }

    fn without_moves(&self) -> Terminal {
        of_each!(self, position => position.without_moves())
    }

    fn has_legal_moves(&self) -> bool {
        of_each!(self, position => position.has_legal_moves())
    }

    fn count_legal_moves(&self) -> u64 {
        of_each!(self, position => Rules::count_legal_moves(position))
    }

    // By lists of the games' own moves, without a generator for a closure within a closure.
    fn moves(&self, filter: MoveFilter) -> Vec<AnyMove> {
        of_each!(self, position => {
            Rules::moves(position, filter).into_iter().map(Into::into).collect()
        })
    }

    fn add_moves(&self, filter: MoveFilter, sink: &mut impl FnMut(AnyMove)) {
        of_each!(self, position => Rules::add_moves(position, filter, &mut |mv| sink(mv.into())));
    }

    fn is_legal(&self, mv: AnyMove) -> bool {
        with_move!(self, mv, (position, mv) => position.is_legal(mv), false)
    }

    /// Nothing happens if the move is of another game.
    fn make(&mut self, mv: AnyMove) {
        with_move!(self, mv, (position, mv) => position.make(mv), ());
    }

    fn outcome(&self, history: &GameHistory) -> Option<Outcome> {
        of_each!(self, position => position.outcome(history))
    }
}
