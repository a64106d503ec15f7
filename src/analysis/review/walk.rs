//! The way through a game, from its last move back to its first.

use super::board::has_choice;
use super::claims::{Claims, is_only_move, is_only_other_move};
use super::game_review::{GameReview, MoveReview, RatedLine};
use super::mark::Mark;
use super::phase::Phase;
use super::reason::{missed_mate, reason};
use qirkat_evaluation::{Chances, WdlModel};
use qirkat_game::distance::{Depth, MAX_PLY, Ply};
use qirkat_game::score::Score;
use qirkat_game::{KnownResult, Outcome};
use qirkat_notation::pgn::PgnGame;
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

    /// A move was reviewed; `left` are left.
    fn reviewed(&mut self, left: usize) {
        let _ = left;
    }
}

/// Expected points of a won game, and those at which it is won no more.
const WON: f64 = 0.90;
const NOT_WON: f64 = 0.75;
/// How much more a move is looked at before it is blamed.
const EFFORT_OF_BLAME: u32 = 2;

/// Reviews a game.
///
/// The value of a position is the better of two: that of the best other move, which the
/// analyst finds, and that of the move that was played, which is the value of the next
/// position seen from the other side. So the review begins where the game ends and goes
/// back, and what the analyst learns late in the game helps with the moves before. If
/// the analyst breaks off, the moves reviewed until then are there.
///
/// ```
/// use qirkat_analysis::review::{Analyst, review_game};
/// use qirkat_engine::{AnySearcher, SearchLimits, SearchLine};
/// use qirkat_evaluation::AnyEvaluation;
/// use qirkat_game::Rules;
/// use qirkat_notation::pgn::PgnReader;
/// use qirkat_rules::variant::{AnyGame, AnyMove};
/// use qirkat_search::SearchControl;
///
/// /// Looks four plies ahead.
/// struct Quick(AnySearcher);
///
/// impl Analyst for Quick {
///     fn best_except(
///         &mut self,
///         game: &AnyGame,
///         excluded: &[AnyMove],
///         _effort: u32,
///     ) -> Option<SearchLine> {
///         let mut moves = game.position().legal_moves();
///         moves.retain(|mv| !excluded.contains(mv));
///         let mut best = None;
///         let control = SearchControl::new(false, false);
///         self.0.search_under(&control, game, &moves, &SearchLimits::depth(4), &mut |line: &SearchLine| {
///             best = Some(line.clone());
///         });
///         best
///     }
/// }
///
/// let text = "[FEN \"9/9/7Q1/9/9/9/9/8k/7K1 w - - 0 60\"]\n\n60. Qa7 *\n";
/// let game = PgnReader::new(text.as_bytes()).next().ok_or("no game")??.game;
/// let evaluation = AnyEvaluation::embedded(game.start.variant());
/// let mut analyst = Quick(AnySearcher::with_resources(evaluation, 1, 1)?);
/// let review = review_game(&game, &mut analyst);
/// assert!(review.is_complete());
/// let reason = review.moves[0].reason.as_deref().unwrap_or_default();
/// assert!(reason.contains("mate"), "{reason}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn review_game(record: &PgnGame, analyst: &mut dyn Analyst) -> GameReview {
    let mut game = record.final_game();
    let all = game.moves().len();
    let mut review = GameReview { unreviewed: all, moves: Vec::new() };
    let Some(mut value) = value_of(&game, 1, analyst) else { return review };
    while review.unreviewed > 0 {
        let Some(played) = game.undo() else { break };
        let line = one_ply_back(played, &value);
        let Some(move_review) = review_move(&game, played, line, analyst) else { break };
        value = move_review.best().clone();
        review.moves.push(move_review);
        review.unreviewed -= 1;
        analyst.reviewed(review.unreviewed);
    }
    review.moves.reverse();
    review
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

/// Compares a move with the best other one.
fn review_move(
    game: &AnyGame,
    played: AnyMove,
    line: RatedLine,
    analyst: &mut dyn Analyst,
) -> Option<MoveReview> {
    let mut alternative = other_than(game, played, analyst)?;
    if let Some(best) = &mut alternative
        && Mark::of_loss(loss(&line, best)).is_some()
    {
        *best = rated(game, &analyst.best_except(game, &[played], EFFORT_OF_BLAME)?);
    }
    let mut review = unjudged(game, played, line, alternative);
    if let Some(best) = &review.alternative {
        review.loss = loss(&review.line, best);
        review.mark = Mark::of_loss(review.loss);
        let expected = |line: &RatedLine| line.chances.expected();
        review.missed_win = expected(best) >= WON && expected(&review.line) <= NOT_WON;
    }
    review.is_only_move = is_only_move(game, &review, analyst)?;
    if review.mark.is_some() || review.is_only_move {
        let mut claims = Claims::of(game, &review, analyst)?;
        if review.mark.is_some() {
            claims.only_other_move = is_only_other_move(game, &review, analyst)?;
        }
        review.reason = reason(game, &review, &claims);
    } else {
        review.reason = missed_mate(game, &review);
    }
    Some(review)
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
