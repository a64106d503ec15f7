//! Evaluation by material alone: where games begin whose network has yet to be
//! learned.

use std::marker::PhantomData;

use crate::distance::Ply;
use crate::game::{Color, Evaluate, Evaluator, Game};
use crate::score::Score;
use crate::{alquerque, masonic};

/// A game whose pieces have values.
pub trait Material: Game {
    /// The value of a side's pieces, in centipawns.
    fn material(&self, color: Color) -> i32;
}

impl Material for masonic::Position {
    fn material(&self, color: Color) -> i32 {
        let value = |kind: masonic::PieceKind| {
            masonic::PIECE_VALUES[kind.index()] * self.of(color, kind).len() as i32
        };
        masonic::PieceKind::ALL.into_iter().map(value).sum()
    }
}

impl Material for alquerque::Position {
    fn material(&self, color: Color) -> i32 {
        alquerque::MAN_VALUE * self.men(color).len() as i32
    }
}

/// Evaluates by the values of the pieces.
pub struct MaterialEvaluation<G>(PhantomData<G>);

impl<G: Material> MaterialEvaluation<G> {
    /// There is nothing to set.
    pub const fn new() -> MaterialEvaluation<G> {
        MaterialEvaluation(PhantomData)
    }

    /// The static evaluation of a position for the side to move.
    pub fn evaluate(position: &G) -> Score {
        let us = position.side_to_move();
        Score::centipawns(position.material(us) - position.material(!us))
    }
}

impl<G> Clone for MaterialEvaluation<G> {
    fn clone(&self) -> MaterialEvaluation<G> {
        MaterialEvaluation(PhantomData)
    }
}

impl<G: Material> Default for MaterialEvaluation<G> {
    fn default() -> MaterialEvaluation<G> {
        MaterialEvaluation::new()
    }
}

impl<G: Material> Evaluate for MaterialEvaluation<G> {
    type Game = G;
    type Evaluator<'a> = MaterialEvaluation<G>;

    fn evaluator(&self, _: &G) -> MaterialEvaluation<G> {
        self.clone()
    }
}

impl<G: Material> Evaluator<G> for MaterialEvaluation<G> {
    fn evaluate(&mut self, position: &G, _: Ply) -> Score {
        MaterialEvaluation::evaluate(position)
    }
}
