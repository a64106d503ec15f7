//! The questions to an analyst: the review of a game, from its last move back to its first, the
//! refutation of a single move, and advice.

use super::analyst::{EngineAnalyst, loss, one_ply_back, other_than, rated, unjudged, value_of};
use super::board_facts::captured_worth;
use super::claims::{Claims, Effects, is_only_move};
use super::effect::{Effect, FIRST_SEARCH_PLIES, Line};
use super::game_review::{GameReview, Mark, MoveReview, RatedLine};
use super::reason::{drawn_by, effect_text, has_mates, missed_mate, reason, shortcoming, winnings};
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::PgnGame;
use qirkat_rules::variant::{AnyGame, AnyMove};

/// The least expected points of a won game, and the points at which it is no longer won.
const WON: f64 = 0.90;
const NOT_WON: f64 = 0.75;
/// How much longer the other moves are searched before the played one is blamed.
const VERIFY_EFFORT: u32 = 2;

/// Reviews a game.
///
/// The value of a position is the better of two: the best other move, which the analyst finds, and
/// the played move, whose value is the next position's from the other side. So the review goes
/// backwards from the end of the game, and what the analyst learns late in the game helps with
/// earlier moves. If the analyst stops, the moves reviewed so far are returned.
pub fn review_game(record: &PgnGame, analyst: &mut EngineAnalyst) -> GameReview {
    let mut game = record.final_game();
    let all = game.moves().len();
    let mut review = GameReview { unreviewed: all, ..GameReview::default() };
    analyst.plan_time(all);
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

fn review_move(
    game: &AnyGame,
    played: AnyMove,
    line: RatedLine,
    analyst: &mut EngineAnalyst,
) -> Option<MoveReview> {
    let mut alternative = other_than(game, played, analyst)?;
    if let Some(best) = &mut alternative
        && Mark::of_loss(loss(&line, best)).is_some()
    {
        *best = rated(game, &analyst.best_except(game, &[played], VERIFY_EFFORT)?);
    }
    let mut review = unjudged(game, played, line, alternative);
    if let Some(best) = &review.alternative {
        review.loss = loss(&review.line, best);
        review.mark = Mark::of_loss(review.loss);
        let expected = |line: &RatedLine| line.chances.expected();
        review.missed_win = expected(best) >= WON && expected(&review.line) <= NOT_WON;
    }
    if !analyst.gives_reasons {
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

/// A move where another was expected, and the best play after it.
#[derive(Clone, PartialEq, Debug)]
pub struct Refutation {
    pub line: RatedLine,
    /// What is wrong with it, in a sentence that does not give the expected move away.
    pub reason: String,
}

/// A legal move with the best play after it. None if the analyst stops.
pub fn line_of(game: &AnyGame, mv: AnyMove, analyst: &mut EngineAnalyst) -> Option<RatedLine> {
    let mut after = game.clone();
    after.play(mv);
    Some(one_ply_back(mv, &value_of(&after, 1, analyst)?))
}

/// What is wrong with a legal move where another was expected: what the best reply wins, or how
/// little the move achieves. None if the analyst stops.
pub fn refute(
    game: &AnyGame,
    played: AnyMove,
    wanted: AnyMove,
    analyst: &mut EngineAnalyst,
) -> Option<Refutation> {
    let line = line_of(game, played, analyst)?;
    let better = line_of(game, wanted, analyst)?;
    let lost = loss(&line, &better);
    let mut review = unjudged(game, played, line, Some(better));
    (review.loss, review.mark) = (lost, Mark::of_loss(lost));
    let reason = shortcoming(game, &review, &Claims::of(game, &review, false, analyst)?);
    Some(Refutation { line: review.line, reason })
}

#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    pub mv: AnyMove,
    /// The move and what it certainly does, if anything, as in `Rxa5 wins a knight.`
    pub text: String,
}

/// A good move in a game that is not over, verified as in a review. None if the analyst stops.
pub fn advise(game: &AnyGame, analyst: &mut EngineAnalyst) -> Option<Advice> {
    let line = value_of(game, 1, analyst)?;
    let &mv = line.moves.first()?;
    let san = game.position().san(mv);
    let Some(other) = other_than(game, mv, analyst)? else {
        let effects = Effects::of(game, &line, FIRST_SEARCH_PLIES);
        let wins = goal_text(game, &line, &effects).filter(|_| line.score.is_win());
        let goal = wins.unwrap_or_else(|| "is the only legal move".to_owned());
        return Some(Advice { mv, text: format!("{san} {goal}.") });
    };
    let mut review = unjudged(game, mv, line, Some(other));
    let claims = Claims::of(game, &review, false, analyst)?;
    let text = match goal_text(game, &review.line, &claims.played) {
        Some(goal) => format!("{san} {goal}."),
        None => {
            review.is_only_move = is_only_move(game, &review, analyst)?;
            let reason = review.is_only_move.then(|| reason(game, &review, &claims)).flatten();
            match reason {
                Some(reason) => format!("{san}. {reason}"),
                None => match saved(game, &review.line, &claims.played, analyst)? {
                    Some(saved) => format!("{san} {saved}."),
                    None => san,
                },
            }
        }
    };
    Some(Advice { mv, text })
}

/// A line's effect for the side to move, as in `wins a rook for a knight`.
fn goal_text(game: &AnyGame, line: &RatedLine, effects: &Effects) -> Option<String> {
    if let Effect::Draws(reason) = effects.own {
        return Some(format!("leads to {}", drawn_by(reason)));
    }
    effect_text(&Line::of(game, line), &effects.own)
}

/// The opponent's threat that the best move prevents. The outer `None` if the analyst stops.
fn saved(
    game: &AnyGame,
    line: &RatedLine,
    best: &Effects,
    analyst: &mut EngineAnalyst,
) -> Option<Option<String>> {
    let Ok(passed) = game.position().after_null_move() else { return Some(None) };
    let is_lost = matches!(best.enemy, Effect::Mates(_) | Effect::WinsEnding | Effect::Wins(..));
    let is_exchange = matches!(line.moves[..], [first, reply, ..]
        if captured_worth(&game.position().after(first), reply) > 0);
    // A piece that is exchanged at once is not saved.
    if is_lost || is_exchange {
        return Some(None);
    }
    let enemy = passed.side_to_move();
    let passed = AnyGame::from_position(passed);
    let threat = rated(&passed, &analyst.best_except(&passed, &[], 1)?);
    Some(match Effects::of(&passed, &threat, FIRST_SEARCH_PLIES).own {
        Effect::Mates(moves) if has_mates(game) => {
            let when = if moves <= 1 { "at once".to_owned() } else { format!("in {moves}") };
            Some(format!("keeps {enemy:?} from mating {when}"))
        }
        Effect::Wins(_, change) => winnings(&change).map(|won| saving(enemy, &won)),
        _ => None,
    })
}

fn saving(enemy: Color, won: &str) -> String {
    let single = won.strip_prefix("wins a ").or_else(|| won.strip_prefix("wins an "));
    match single.filter(|kind| !kind.contains(' ')) {
        Some(kind) => format!("saves the {kind}"),
        None => {
            let winning = won.replacen("wins", "winning", 1).replacen("makes", "making", 1);
            format!("keeps {enemy:?} from {winning}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_is_named() {
        for (won, saved) in [
            ("wins a rook", "saves the rook"),
            ("wins an archbishop", "saves the archbishop"),
            ("wins two pawns", "keeps Black from winning two pawns"),
            ("wins a rook for a knight", "keeps Black from winning a rook for a knight"),
            ("makes a queen and wins a pawn", "keeps Black from making a queen and winning a pawn"),
        ] {
            assert_eq!(saving(Color::Black, won), saved);
        }
    }
}
