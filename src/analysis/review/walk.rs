//! The way through a game, from its last move back to its first.

use super::analyst::{Analyst, loss, one_ply_back, other_than, rated, unjudged, value_of};
use super::claims::{Claims, is_only_move};
use super::game_review::{GameReview, MoveReview, RatedLine};
use super::mark::Mark;
use super::reason::{missed_mate, reason};
use qirkat_rules::pgn::PgnGame;
use qirkat_rules::variant::{AnyGame, AnyMove};

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
/// use qirkat_rules::pgn::PgnReader;
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
    analyst.begins(all);
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
    if !analyst.gives_reasons() {
        return Some(review);
    }
    review.is_only_move = is_only_move(game, &review, analyst)?;
    if review.mark.is_some() || review.is_only_move {
        let claims = Claims::of(game, &review, review.mark.is_some(), analyst)?;
        review.reason = reason(game, &review, &claims);
    } else {
        review.reason = missed_mate(game, &review);
    }
    Some(review)
}
