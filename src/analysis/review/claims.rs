//! The claims of a review: each claim is searched again, longer, before it is made.

use super::analyst::{Analyst, one_ply_back, rated, value_of};
use super::board_facts::{Material, has_choice, is_plain};
use super::effect::{Effect, LATER, Line, SOON};
use super::game_review::{MoveReview, RatedLine};
use qirkat_evaluation::Chances;
use qirkat_game::score::Score;
use qirkat_game::{KnownResult, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove};

/// How much longer the searches are that a claim has to stand.
const EFFORTS_OF_CLAIM: [u32; 2] = [4, 16];
const EFFORT_OF_LOOKS: u32 = EFFORTS_OF_CLAIM[0] + EFFORTS_OF_CLAIM[1];
/// The share of a gain in material, in per cent, that must be found again in the score.
const LEAST_SHARE: i32 = 70;
/// The least gain in material that is claimed, in centipawns.
const LEAST_CLAIM: i32 = 150;
/// By this many expected points a move has to be better than all others to be called the
/// only one.
const ONLY_MOVE_GAP: f64 = 0.25;
/// A side that can expect no more points than this stands worse: no move of it is called
/// good.
pub(super) const WORSE: f64 = 0.45;

/// Facts that are known for certain, or were seen twice, about a move and the best other one.
pub(super) struct Claims {
    /// The effects of the move, for the side that makes it and for the other.
    pub played: Effects,
    pub other: Effects,
    /// Whether that other one was the only good move, if that was asked.
    pub only_other_move: bool,
    /// The result that endgame tables know, for the side that makes the move.
    pub before: Option<KnownResult>,
    pub after: Option<KnownResult>,
}

#[derive(Clone, Copy)]
pub(super) struct Effects {
    pub own: Effect,
    pub enemy: Effect,
}

impl Effects {
    const NOTHING: Effects = Effects { own: Effect::Nothing, enemy: Effect::Nothing };

    /// The effects of a line, material counted from where it begins and won within this many plies.
    pub fn of(game: &AnyGame, line: &RatedLine, within: usize) -> Effects {
        let position = game.position();
        let (base, mover) = (Material::of(position), position.side_to_move());
        let is_drawn = line.chances == Chances::DRAWN;
        let line = Line { game, moves: &line.moves, score: line.score, is_drawn };
        let of = |side| line.effect(side, &base, within);
        Effects { own: of(mover), enemy: of(!mover) }
    }

    /// Without gains that cannot be relied on: those that make no such difference in
    /// centipawns as they should, since whoever wins a piece and gets no better for it has
    /// paid in other ways; and those of a single pawn or man, which is soon regained.
    fn borne_out(self, difference: i32) -> Effects {
        let is_sure = |gain: i32| {
            gain >= LEAST_CLAIM && difference >= (gain * LEAST_SHARE / 100).max(LEAST_CLAIM)
        };
        let of = |effect| match effect {
            Effect::Wins(gain, change) if !is_sure(gain) || !change.has_name() => Effect::Nothing,
            effect => effect,
        };
        Effects { own: of(self.own), enemy: of(self.enemy) }
    }

    fn win_material(self) -> bool {
        [self.own, self.enemy].iter().any(|effect| matches!(effect, Effect::Wins(..)))
    }

    /// The effects that are left when the other side defends otherwise.
    fn stood(self, defence: Effects) -> Effects {
        Effects { own: self.own.stood(defence.own), enemy: self.enemy.stood(defence.enemy) }
    }

    /// The effects that a longer look has seen too.
    fn confirmed(self, second: Effects) -> Effects {
        Effects { own: self.own.confirmed(second.own), enemy: self.enemy.confirmed(second.enemy) }
    }
}

impl Claims {
    /// The claims about a move, and if `asks_for_only_move`, whether the best other one was the
    /// only good one. Nothing if the analyst breaks off.
    pub fn of(
        game: &AnyGame,
        review: &MoveReview,
        asks_for_only_move: bool,
        analyst: &mut dyn Analyst,
    ) -> Option<Claims> {
        let after = review.position.after(review.played);
        let mut claims = Claims {
            played: Effects::NOTHING,
            other: Effects::NOTHING,
            only_other_move: false,
            before: analyst.known(&review.position),
            after: analyst.known(&after).map(KnownResult::flipped),
        };
        if let Some(other) = &review.alternative {
            // The reply is what is told of the move that was played.
            let mut played = Looks { game, line: &review.line, kept: 2, made: Vec::new() };
            let mut other = Looks { game, line: other, kept: 1, made: Vec::new() };
            let (of_played, score) = played.effects(analyst)?;
            let (of_other, best) = other.effects(analyst)?;
            let between = (best - score).abs();
            claims.played = of_played.borne_out(between);
            claims.other = of_other.borne_out(between);
            claims.only_other_move =
                asks_for_only_move && is_only_other_move(review, &mut other, &mut played, analyst)?;
        }
        Some(claims)
    }
}

/// Longer looks at a line, which begin behind its first `kept` moves.
struct Looks<'a> {
    game: &'a AnyGame,
    line: &'a RatedLine,
    kept: usize,
    /// What they have seen, the shortest first.
    made: Vec<RatedLine>,
}

impl Looks<'_> {
    /// The line as a longer look sees it, the first or the second. Nothing if the analyst breaks
    /// off.
    fn look(&mut self, number: usize, analyst: &mut dyn Analyst) -> Option<&RatedLine> {
        for &effort in EFFORTS_OF_CLAIM.iter().take(number + 1).skip(self.made.len()) {
            let beginning = beginning(self.line, self.kept);
            self.made.push(line_behind(self.game, beginning, effort, analyst)?);
        }
        self.made.get(number)
    }

    /// What all looks take that are still to be made.
    fn effort(&self) -> u32 {
        EFFORTS_OF_CLAIM.iter().skip(self.made.len()).sum()
    }

    /// The effects of the line as far as longer looks agree, and its score. A line that does
    /// nothing is not looked at again; where there is no room for that, nothing is sure.
    fn effects(&mut self, analyst: &mut dyn Analyst) -> Option<(Effects, Score)> {
        let (game, line) = (self.game, self.line);
        let (mut effects, mut score) = (Effects::of(game, line, SOON), line.score);
        let does_nothing = |effects: &Effects| {
            matches!((effects.own, effects.enemy), (Effect::Nothing, Effect::Nothing))
        };
        if does_nothing(&effects) {
            return Some((effects, score));
        }
        let [effort_of_defence, _] = EFFORTS_OF_CLAIM;
        if !analyst.affords(self.effort() + effort_of_defence) {
            return Some((Effects::NOTHING, score));
        }
        for number in 0..EFFORTS_OF_CLAIM.len() {
            if does_nothing(&effects) {
                break;
            }
            let again = self.look(number, analyst)?;
            effects = effects.confirmed(Effects::of(game, again, LATER));
            score = again.score;
        }
        if effects.win_material() {
            let defence = second_defence(game, line, self.kept, analyst)?;
            effects =
                defence.map_or(effects, |line| effects.stood(Effects::of(game, &line, LATER)));
        }
        Some((effects, score))
    }
}

fn beginning(line: &RatedLine, kept: usize) -> &[AnyMove] {
    &line.moves[..kept.min(line.moves.len())]
}

/// Moves with what follows, as a search behind them sees it.
fn line_behind(
    game: &AnyGame,
    moves: &[AnyMove],
    effort: u32,
    analyst: &mut dyn Analyst,
) -> Option<RatedLine> {
    let mut after = game.clone();
    moves.iter().for_each(|&mv| after.play(mv));
    let value = value_of(&after, effort, analyst)?;
    Some(moves.iter().rev().fold(value, |value, &mv| one_ply_back(mv, &value)))
}

/// The line with the second best reply to its first moves, if there is another reply: whoever
/// defends chooses the score and not the material.
fn second_defence(
    game: &AnyGame,
    line: &RatedLine,
    kept: usize,
    analyst: &mut dyn Analyst,
) -> Option<Option<RatedLine>> {
    let (Some(first), Some(&reply)) = (line.moves.get(..kept), line.moves.get(kept)) else {
        return Some(None);
    };
    let mut after = game.clone();
    first.iter().for_each(|&mv| after.play(mv));
    if !has_choice(after.position()) {
        return Some(None);
    }
    let [effort, _] = EFFORTS_OF_CLAIM;
    let other = rated(&after, &analyst.best_except(&after, &[reply], effort)?);
    Some(Some(first.iter().rev().fold(other, |other, &mv| one_ply_back(mv, &other))))
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
    if !analyst.affords(2 * EFFORT_OF_LOOKS) {
        return Some(false);
    }
    for effort in EFFORTS_OF_CLAIM {
        let deeper = rated(game, &analyst.best_except(game, &[review.played], effort)?);
        if !is_much_better(&review.line, &deeper)
            || !is_much_better(
                &line_behind(game, beginning(&review.line, 1), effort, analyst)?,
                &deeper,
            )
        {
            return Some(false);
        }
    }
    Some(true)
}

/// Whether the better move was the only good one: the third best move tells. That the one that was
/// played is none needs no reply but the one that is known.
fn is_only_other_move(
    review: &MoveReview,
    other: &mut Looks<'_>,
    played: &mut Looks<'_>,
    analyst: &mut dyn Analyst,
) -> Option<bool> {
    let (game, best) = (other.game, other.line);
    let Some(&better) = best.moves.first() else { return Some(false) };
    if best.chances.expected() <= WORSE || !is_much_better(best, &review.line) {
        return Some(false);
    }
    let effort_of_third = 1 + EFFORT_OF_LOOKS;
    if !analyst.affords(other.effort() + played.effort() + effort_of_third) {
        return Some(false);
    }
    let excluded = [review.played, better];
    let has_third = review.position.count_legal_moves() > 2;
    let best_beats_third = |best: &RatedLine, effort, analyst: &mut dyn Analyst| {
        let third = rated(game, &analyst.best_except(game, &excluded, effort)?);
        Some(is_much_better(best, &third))
    };
    if has_third && !best_beats_third(best, 1, analyst)? {
        return Some(false);
    }
    if analyst.known(&review.position).is_some() {
        return Some(true);
    }
    for (number, effort) in EFFORTS_OF_CLAIM.into_iter().enumerate() {
        let best = other.look(number, analyst)?;
        if best.chances.expected() <= WORSE
            || !is_much_better(best, played.look(number, analyst)?)
            || has_third && !best_beats_third(best, effort, analyst)?
        {
            return Some(false);
        }
    }
    Some(true)
}

fn is_much_better(line: &RatedLine, other: &RatedLine) -> bool {
    line.chances.expected() - other.chances.expected() >= ONLY_MOVE_GAP
}

#[cfg(test)]
mod tests;
