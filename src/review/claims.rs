//! What a review may claim: each claim is looked at a second time, deeper, before it is made.

use super::board::is_plain;
use super::effect::{Effect, Line};
use super::game_review::{MoveReview, RatedLine};
use super::material::Material;
use super::walk::{Analyst, one_ply_back, rated, value_of};
use crate::game::{KnownResult, Rules};
use crate::evaluation::Chances;
use crate::variant::AnyGame;

/// How much deeper the second look is.
const EFFORT_OF_CLAIM: u32 = 6;
/// By so many expected points a move has to be better than all others to be called the
/// only one.
const ONLY_MOVE_GAP: f64 = 0.25;
/// A side that can expect no more points than this stands worse: no move of it is called
/// good.
pub(super) const WORSE: f64 = 0.45;

/// What is known for certain, or was seen twice, of a move and of the best other one.
pub(super) struct Claims {
    /// What the move comes to, for the side that makes it and for the other.
    pub played: Effects,
    /// The same of the best other move.
    pub other: Effects,
    /// Whether that other one was the only good move.
    pub only_other_move: bool,
    /// What endgame tables know, for the side that makes the move.
    pub before: Option<KnownResult>,
    /// The same after the move.
    pub after: Option<KnownResult>,
}

/// What a line does for the side that begins it, and for the other.
#[derive(Clone, Copy)]
pub(super) struct Effects {
    pub own: Effect,
    pub enemy: Effect,
}

impl Effects {
    const NOTHING: Effects = Effects { own: Effect::Nothing, enemy: Effect::Nothing };

    /// What a line does, material counted from where it begins.
    fn of(game: &AnyGame, line: &RatedLine) -> Effects {
        let position = game.position();
        let (base, mover) = (Material::of(position), position.side_to_move());
        let is_drawn = line.chances == Chances::DRAWN;
        let line = Line { game, moves: &line.moves, score: line.score, is_drawn };
        Effects { own: line.effect(mover, &base), enemy: line.effect(!mover, &base) }
    }

    /// What both looks have seen.
    fn confirmed(self, second: Effects) -> Effects {
        Effects {
            own: self.own.confirmed(second.own),
            enemy: self.enemy.confirmed(second.enemy),
        }
    }
}

impl Claims {
    /// What can be claimed of a move. Nothing if the analyst breaks off.
    pub fn of(game: &AnyGame, review: &MoveReview, analyst: &mut dyn Analyst) -> Option<Claims> {
        let after = review.position.play(review.played);
        let mut claims = Claims {
            played: Effects::NOTHING,
            other: Effects::NOTHING,
            only_other_move: false,
            before: analyst.known(&review.position),
            after: analyst.known(&after).map(KnownResult::flipped),
        };
        // The reply is what is told of the move that was played.
        claims.played = seen_twice(game, &review.line, 2, analyst)?;
        if let Some(other) = &review.alternative {
            claims.other = seen_twice(game, other, 1, analyst)?;
        }
        if review.mark.is_some() {
            claims.only_other_move = is_only_other_move(game, review, analyst)?;
        }
        Some(claims)
    }
}

/// What a line does as far as a second look agrees, which goes deeper from its first `kept`
/// moves on. A line that does nothing is not looked at again.
fn seen_twice(
    game: &AnyGame,
    line: &RatedLine,
    kept: usize,
    analyst: &mut dyn Analyst,
) -> Option<Effects> {
    let first = Effects::of(game, line);
    if let (Effect::Nothing, Effect::Nothing) = (first.own, first.enemy) {
        return Some(first);
    }
    Some(first.confirmed(Effects::of(game, &again(game, line, kept, analyst)?)))
}

/// The first moves of a line with what follows, searched deeper.
fn again(
    game: &AnyGame,
    line: &RatedLine,
    kept: usize,
    analyst: &mut dyn Analyst,
) -> Option<RatedLine> {
    let kept = &line.moves[..kept.min(line.moves.len())];
    let mut after = game.clone();
    for &mv in kept {
        after.play(mv);
    }
    let value = value_of(&after, EFFORT_OF_CLAIM, analyst)?;
    Some(kept.iter().rev().fold(value, |value, &mv| one_ply_back(mv, &value)))
}

/// Whether a move was the only one that did not lose much, and not for anybody to see: a
/// capture that regains or wins material at once, or a reply to check that has hardly a
/// choice, is no only move.
pub(super) fn is_only_move(
    game: &AnyGame,
    review: &MoveReview,
    analyst: &mut dyn Analyst,
) -> Option<bool> {
    let Some(other) = &review.alternative else { return Some(false) };
    if !is_much_better(&review.line, other) || is_plain(game, review.played) {
        return Some(false);
    }
    if analyst.known(&review.position).is_some() {
        return Some(true);
    }
    let deeper = rated(game, &analyst.best_except(game, &[review.played], EFFORT_OF_CLAIM)?);
    if !is_much_better(&review.line, &deeper) {
        return Some(false);
    }
    Some(is_much_better(&again(game, &review.line, 1, analyst)?, &deeper))
}

/// Whether the better move was the only good one: the third best move tells.
fn is_only_other_move(
    game: &AnyGame,
    review: &MoveReview,
    analyst: &mut dyn Analyst,
) -> Option<bool> {
    let Some(best) = &review.alternative else { return Some(false) };
    let Some(&better) = best.moves.first() else { return Some(false) };
    if best.chances.expected() <= WORSE || !is_much_better(best, &review.line) {
        return Some(false);
    }
    let excluded = [review.played, better];
    let has_third = review.position.count_legal_moves() > 2;
    let third = |effort, analyst: &mut dyn Analyst| {
        Some(rated(game, &analyst.best_except(game, &excluded, effort)?))
    };
    if has_third && !is_much_better(best, &third(1, analyst)?) {
        return Some(false);
    }
    if analyst.known(&review.position).is_some() {
        return Some(true);
    }
    let best = again(game, best, 1, analyst)?;
    if best.chances.expected() <= WORSE
        || !is_much_better(&best, &again(game, &review.line, 1, analyst)?)
    {
        return Some(false);
    }
    Some(!has_third || is_much_better(&best, &third(EFFORT_OF_CLAIM, analyst)?))
}

fn is_much_better(line: &RatedLine, other: &RatedLine) -> bool {
    line.chances.expected() - other.chances.expected() >= ONLY_MOVE_GAP
}
