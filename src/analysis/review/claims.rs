//! The claims of a review: each is verified by longer searches before it is made.

use super::analyst::{EngineAnalyst, one_ply_back, rated, value_of};
use super::board_facts::{Material, has_choice, is_obvious};
use super::effect::{Effect, FIRST_SEARCH_PLIES, LATER_SEARCH_PLIES, Line};
use super::game_review::{MoveReview, RatedLine};
use qirkat_game::score::Score;
use qirkat_game::{KnownResult, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove};

/// The efforts of the searches that must confirm a claim.
const EFFORTS_OF_CLAIM: [u32; 2] = [4, 16];
const EFFORT_OF_CLAIM: u32 = EFFORTS_OF_CLAIM[0] + EFFORTS_OF_CLAIM[1];
/// The percentage of a material gain that must show in the score.
const LEAST_SHARE: i32 = 70;
/// The least material gain that is claimed, in centipawns.
const LEAST_CLAIM: i32 = 150;
/// A move must be better than all others by this many expected points to be called the only one.
const ONLY_MOVE_GAP: f64 = 0.25;
/// A side with fewer expected points than this stands worse: none of its moves is called good.
pub(super) const WORSE: f64 = 0.45;

/// Facts about a move and the best alternative: certain, or confirmed by two longer searches.
pub(super) struct Claims {
    /// The effects of the move, for the side that makes it and for the other.
    pub played: Effects,
    pub alternative: Effects,
    /// Whether the alternative was the only good move, if asked.
    pub alternative_is_only_good: bool,
    /// The result by endgame tables, for the side that makes the move.
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

    /// The effects of a line, with material counted from its start and won within this many plies.
    pub fn of(game: &AnyGame, line: &RatedLine, within: usize) -> Effects {
        let position = game.position();
        let (base, mover) = (Material::of(position), position.side_to_move());
        let line = Line::of(game, line);
        let of = |side| line.effect(side, &base, within);
        Effects { own: of(mover), enemy: of(!mover) }
    }

    /// Drops unreliable gains. These are gains without a corresponding difference in centipawns,
    /// since a side that wins a piece but does not stand better has paid in other ways; and gains
    /// of a single pawn or man, which is soon regained.
    fn without_unreliable_gains(self, difference: i32) -> Effects {
        let is_sure = |gain: i32| {
            gain >= LEAST_CLAIM && difference >= (gain * LEAST_SHARE / 100).max(LEAST_CLAIM)
        };
        let of = |effect| match effect {
            Effect::Wins(gain, change) if !is_sure(gain) || !change.can_be_described() => {
                Effect::Nothing
            }
            effect => effect,
        };
        Effects { own: of(self.own), enemy: of(self.enemy) }
    }

    fn with(self, other: Effects, join: fn(Effect, Effect) -> Effect) -> Effects {
        Effects { own: join(self.own, other.own), enemy: join(self.enemy, other.enemy) }
    }
}

impl Claims {
    /// The claims about a move, and if `asks_for_only_move`, whether the best alternative was the
    /// only good move. None if the analyst stops.
    pub fn of(
        game: &AnyGame,
        review: &MoveReview,
        asks_for_only_move: bool,
        analyst: &mut EngineAnalyst,
    ) -> Option<Claims> {
        let after = review.position.after(review.played);
        let mut claims = Claims {
            played: Effects::NOTHING,
            alternative: Effects::NOTHING,
            alternative_is_only_good: false,
            before: analyst.known(&review.position),
            after: analyst.known(&after).map(KnownResult::flipped),
        };
        if let Some(alternative) = &review.alternative {
            // A claim about the played move includes the reply, so both are fixed.
            let mut played =
                DeeperSearches { game, line: &review.line, fixed: 2, made: Vec::new() };
            let mut other = DeeperSearches { game, line: alternative, fixed: 1, made: Vec::new() };
            let (of_played, score) = played.effects(analyst)?;
            let (of_alternative, best) = other.effects(analyst)?;
            let between = (best - score).abs();
            claims.played = of_played.without_unreliable_gains(between);
            claims.alternative = of_alternative.without_unreliable_gains(between);
            claims.alternative_is_only_good = asks_for_only_move
                && is_only_good_alternative(review, &mut other, &mut played, analyst)?;
        }
        Some(claims)
    }
}

/// Longer searches of a line, after its first `fixed` moves.
struct DeeperSearches<'a> {
    game: &'a AnyGame,
    line: &'a RatedLine,
    fixed: usize,
    /// Their results, the shortest search first.
    made: Vec<RatedLine>,
}

impl DeeperSearches<'_> {
    /// The line by a longer search, the first or the second. None if the analyst stops.
    fn deeper_line(&mut self, number: usize, analyst: &mut EngineAnalyst) -> Option<&RatedLine> {
        for &effort in EFFORTS_OF_CLAIM.iter().take(number + 1).skip(self.made.len()) {
            let beginning = beginning(self.line, self.fixed);
            self.made.push(line_after(self.game, beginning, effort, analyst)?);
        }
        self.made.get(number)
    }

    fn effort(&self) -> u32 {
        EFFORTS_OF_CLAIM.iter().skip(self.made.len()).sum()
    }

    /// The effects of the line on which longer searches agree, and its score. A line without
    /// effects is not searched again. If there is no time to search, nothing is certain.
    fn effects(&mut self, analyst: &mut EngineAnalyst) -> Option<(Effects, Score)> {
        let (game, line) = (self.game, self.line);
        let (mut effects, mut score) = (Effects::of(game, line, FIRST_SEARCH_PLIES), line.score);
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
            let again = self.deeper_line(number, analyst)?;
            effects = effects.with(Effects::of(game, again, LATER_SEARCH_PLIES), Effect::confirmed);
            score = again.score;
        }
        if let Effects { own: Effect::Wins(..), .. } | Effects { enemy: Effect::Wins(..), .. } =
            effects
        {
            let defence = second_defence(game, line, self.fixed, analyst)?;
            effects = defence.map_or(effects, |line| {
                effects.with(Effects::of(game, &line, LATER_SEARCH_PLIES), Effect::against)
            });
        }
        Some((effects, score))
    }
}

fn beginning(line: &RatedLine, fixed: usize) -> &[AnyMove] {
    &line.moves[..fixed.min(line.moves.len())]
}

/// Moves followed by the continuation that a search finds.
fn line_after(
    game: &AnyGame,
    moves: &[AnyMove],
    effort: u32,
    analyst: &mut EngineAnalyst,
) -> Option<RatedLine> {
    let mut after = game.clone();
    moves.iter().for_each(|&mv| after.play(mv));
    let value = value_of(&after, effort, analyst)?;
    Some(moves.iter().rev().fold(value, |value, &mv| one_ply_back(mv, &value)))
}

/// The line with the second best reply, if any. It may lose less material than the best, which is
/// best by score. The outer `None` if the analyst stops.
fn second_defence(
    game: &AnyGame,
    line: &RatedLine,
    fixed: usize,
    analyst: &mut EngineAnalyst,
) -> Option<Option<RatedLine>> {
    let (Some(first), Some(&reply)) = (line.moves.get(..fixed), line.moves.get(fixed)) else {
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

/// Whether a move was the only one that did not lose much, and not obvious: a capture that regains
/// or wins material at once, or a nearly forced reply to check, does not count.
pub(super) fn is_only_move(
    game: &AnyGame,
    review: &MoveReview,
    analyst: &mut EngineAnalyst,
) -> Option<bool> {
    let Some(other) = &review.alternative else { return Some(false) };
    if !is_much_better(&review.line, other) || is_obvious(game, review.played) {
        return Some(false);
    }
    if analyst.known(&review.position).is_some() {
        return Some(true);
    }
    if !analyst.affords(2 * EFFORT_OF_CLAIM) {
        return Some(false);
    }
    for effort in EFFORTS_OF_CLAIM {
        let deeper = rated(game, &analyst.best_except(game, &[review.played], effort)?);
        if !is_much_better(&review.line, &deeper)
            || !is_much_better(
                &line_after(game, beginning(&review.line, 1), effort, analyst)?,
                &deeper,
            )
        {
            return Some(false);
        }
    }
    Some(true)
}

/// Whether the better move was the only good one: much better than the played move and all others.
fn is_only_good_alternative(
    review: &MoveReview,
    alternative: &mut DeeperSearches<'_>,
    played: &mut DeeperSearches<'_>,
    analyst: &mut EngineAnalyst,
) -> Option<bool> {
    let (game, best) = (alternative.game, alternative.line);
    let Some(&better) = best.moves.first() else { return Some(false) };
    if best.chances.expected() <= WORSE || !is_much_better(best, &review.line) {
        return Some(false);
    }
    let effort_of_third = 1 + EFFORT_OF_CLAIM;
    if !analyst.affords(alternative.effort() + played.effort() + effort_of_third) {
        return Some(false);
    }
    let excluded = [review.played, better];
    let has_third = review.position.count_legal_moves() > 2;
    let best_beats_third = |best: &RatedLine, effort, analyst: &mut EngineAnalyst| {
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
        let best = alternative.deeper_line(number, analyst)?;
        if best.chances.expected() <= WORSE
            || !is_much_better(best, played.deeper_line(number, analyst)?)
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
