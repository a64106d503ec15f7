//! The judge of a review: whoever finds the best move in a position, and the values that
//! follow from its answers.

use super::board::has_choice;
use super::game_review::{MoveReview, RatedLine};
use super::phase::Phase;
use qirkat_evaluation::{Chances, WdlModel};
use qirkat_game::distance::{Depth, MAX_PLY, Ply};
use qirkat_game::score::Score;
use qirkat_game::{KnownResult, Outcome};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};
use qirkat_search::SearchLine;

/// Finds the best move in a position: a search, or whatever knows better.
pub trait Analyst {
    /// The best line where a game stands that begins with none of the moves in
    /// `excluded`; there is such a move. A harder question deserves more `effort`
    /// than 1. Nothing when the review is to be broken off.
    fn best_except(
        &mut self,
        game: &AnyGame,
        excluded: &[AnyMove],
        effort: u32,
    ) -> Option<SearchLine<AnyPosition>>;

    /// The result that endgame tables know of a position, if there are any.
    fn known(&self, position: &AnyPosition) -> Option<KnownResult> {
        let _ = position;
        None
    }

    /// Whether the review is to say why moves are marked. Claims are searched again before they are
    /// made, which for a blunder takes some ten times as long as the rest of its review.
    fn gives_reasons(&self) -> bool {
        true
    }

    /// The review of a game with so many moves begins.
    fn begins(&mut self, moves: usize) {
        let _ = moves;
    }

    /// Whether there is room for searches of so much effort together, to bear out what is to be
    /// said of a move. Where there is none, it is left unsaid.
    fn affords(&self, effort: u32) -> bool {
        let _ = effort;
        true
    }

    /// A move was reviewed; `left` are left.
    fn reviewed(&mut self, left: usize) {
        let _ = left;
    }
}

/// The value of the position where a game stands for the side to move.
pub(super) fn value_of(
    game: &AnyGame,
    effort: u32,
    analyst: &mut dyn Analyst,
) -> Option<RatedLine> {
    let ended = |score, chances| RatedLine { moves: Vec::new(), score, chances, depth: Depth(0) };
    match game.outcome() {
        Some(Outcome::Draw(_)) => Some(ended(Score::DRAW, Chances::DRAWN)),
        Some(_) => {
            let lost = Score::mated_at(Ply::ROOT);
            Some(ended(lost, model_of(game).chances(lost)))
        }
        None => Some(rated(game, &analyst.best_except(game, &[], effort)?)),
    }
}

fn model_of(game: &AnyGame) -> WdlModel {
    WdlModel::fitted(game.position().variant())
}

pub(super) fn rated(game: &AnyGame, line: &SearchLine<AnyPosition>) -> RatedLine {
    let chances = if line.is_drawn { Chances::DRAWN } else { model_of(game).chances(line.score) };
    RatedLine { moves: line.moves.clone(), score: line.score, chances, depth: line.depth }
}

/// The value of a move that leads to a position with this value.
pub(super) fn one_ply_back(mv: AnyMove, next: &RatedLine) -> RatedLine {
    let score = match next.score.plies_to_mate() {
        None => -next.score,
        Some(plies) => {
            let further = Ply((plies.unsigned_abs() + 1).min(MAX_PLY));
            if plies > 0 { Score::mated_at(further) } else { Score::mating_at(further) }
        }
    };
    RatedLine {
        moves: std::iter::once(mv).chain(next.moves.iter().copied()).collect(),
        score,
        chances: next.chances.flipped(),
        depth: next.depth + Depth(1),
    }
}

/// The best other move, if there is a choice. Nothing at all if the analyst breaks off.
pub(super) fn other_than(
    game: &AnyGame,
    mv: AnyMove,
    analyst: &mut dyn Analyst,
) -> Option<Option<RatedLine>> {
    if !has_choice(game.position()) {
        return Some(None);
    }
    Some(Some(rated(game, &analyst.best_except(game, &[mv], 1)?)))
}

/// A move that loses nothing, as far as is known yet.
pub(super) fn unjudged(
    game: &AnyGame,
    played: AnyMove,
    line: RatedLine,
    alternative: Option<RatedLine>,
) -> MoveReview {
    let position = *game.position();
    MoveReview {
        phase: Phase::of(&position),
        position,
        played,
        line,
        alternative,
        loss: 0.0,
        mark: None,
        is_only_move: false,
        missed_win: false,
        reason: None,
    }
}

/// The expected points that a move loses against another.
pub(super) fn loss(line: &RatedLine, best: &RatedLine) -> f64 {
    (best.chances.expected() - line.chances.expected()).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::Rules;
    use qirkat_rules::variant::Variant;

    #[test]
    fn values_are_backed_up_with_mates_one_ply_further() {
        let variant = Variant::Chesquerque;
        let mv = variant.start().legal_moves()[0];
        let chances = |score| WdlModel::fitted(variant).chances(score);
        let value = |score| RatedLine {
            moves: Vec::new(),
            score,
            chances: chances(score),
            depth: Depth(5),
        };
        for (next, score) in [
            (Score::centipawns(40), Score::centipawns(-40)),
            (Score::mated_at(Ply::ROOT), Score::mating_at(Ply(1))),
            (Score::mating_at(Ply(1)), Score::mated_at(Ply(2))),
            (Score::mated_at(Ply(2)), Score::mating_at(Ply(3))),
            // However long a game is, a mate stays a mate.
            (Score::mating_at(Ply(MAX_PLY)), Score::mated_at(Ply(MAX_PLY))),
        ] {
            let back = one_ply_back(mv, &value(next));
            assert_eq!((back.score, back.moves.len()), (score, 1), "{next}");
            let expected = chances(next).flipped().expected();
            assert!((back.chances.expected() - expected).abs() < 1e-9, "{next}");
        }
    }
}
