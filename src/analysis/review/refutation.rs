//! The refutation of a single move: the answer to somebody who tries to solve a problem.

use super::analyst::{Analyst, loss, one_ply_back, unjudged, value_of};
use super::claims::Claims;
use super::game_review::RatedLine;
use super::mark::Mark;
use super::reason::shortcoming;
use qirkat_rules::variant::{AnyGame, AnyMove};

/// A move where another was wanted, and the best play after it.
#[derive(Clone, PartialEq, Debug)]
pub struct Refutation {
    /// The move, and the best play after it.
    pub line: RatedLine,
    /// The fault of it, in a sentence that does not give the wanted move away.
    pub reason: String,
}

/// A legal move with the best play after it. Nothing if the analyst breaks off.
pub fn line_of(game: &AnyGame, mv: AnyMove, analyst: &mut dyn Analyst) -> Option<RatedLine> {
    let mut after = game.clone();
    after.play(mv);
    Some(one_ply_back(mv, &value_of(&after, 1, analyst)?))
}

/// The fault of a legal move where another was wanted: what the best reply wins, or
/// how little the move achieves. Nothing if the analyst breaks off.
pub fn refute(
    game: &AnyGame,
    played: AnyMove,
    wanted: AnyMove,
    analyst: &mut dyn Analyst,
) -> Option<Refutation> {
    let line = line_of(game, played, analyst)?;
    let better = line_of(game, wanted, analyst)?;
    let lost = loss(&line, &better);
    let mut review = unjudged(game, played, line, Some(better));
    (review.loss, review.mark) = (lost, Mark::of_loss(lost));
    let reason = shortcoming(game, &review, &Claims::of(game, &review, false, analyst)?);
    Some(Refutation { line: review.line, reason })
}
