//! Advice: a good move, and why it is good where the board bears that out.

use super::analyst::{Analyst, other_than, rated, unjudged, value_of};
use super::board::captured_worth;
use super::claims::{Claims, Effects, is_only_move};
use super::effect::{Effect, Line, SOON};
use super::game_review::RatedLine;
use super::reason::{drawn_by, effect_text, has_mates, reason, winnings};
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};

/// A good move for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    pub mv: AnyMove,
    /// The move with what it does, as in `Rxa5 wins a knight.`, or alone where there is
    /// nothing to say for sure.
    pub text: String,
}

/// A good move in a game that is not over. What is said of it has stood a longer look, as in
/// a review. Nothing if the analyst breaks off.
pub fn advise(game: &AnyGame, analyst: &mut dyn Analyst) -> Option<Advice> {
    let line = value_of(game, 1, analyst)?;
    let &mv = line.moves.first()?;
    let san = game.position().san(mv);
    let Some(other) = other_than(game, mv, analyst)? else {
        let effects = Effects::of(game, &line, SOON);
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

/// The effect of a line for the side to move, as in `wins a rook for a knight`.
fn goal_text(game: &AnyGame, line: &RatedLine, effects: &Effects) -> Option<String> {
    if let Effect::Draws(reason) = effects.own {
        return Some(format!("leads to {}", drawn_by(reason)));
    }
    let line = Line { game, moves: &line.moves, score: line.score, is_drawn: false };
    effect_text(&line, &effects.own)
}

/// The threat of the other side, if the side to move passed, that the best move meets.
/// Nothing at all if the analyst breaks off.
fn saved(
    game: &AnyGame,
    line: &RatedLine,
    best: &Effects,
    analyst: &mut dyn Analyst,
) -> Option<Option<String>> {
    let Ok(passed) = game.position().passed() else { return Some(None) };
    let is_lost = matches!(best.enemy, Effect::Mates(_) | Effect::WinsEnding | Effect::Wins(..));
    // What is exchanged at once is not saved.
    if is_lost || captured_by_reply(game.position(), &line.moves) > 0 {
        return Some(None);
    }
    let enemy = passed.side_to_move();
    let passed = AnyGame::from_position(passed);
    let threat = rated(&passed, &analyst.best_except(&passed, &[], 1)?);
    Some(match Effects::of(&passed, &threat, SOON).own {
        Effect::Mates(moves) if has_mates(game) => {
            let when = if moves <= 1 { "at once".to_owned() } else { format!("in {moves}") };
            Some(format!("keeps {enemy:?} from mating {when}"))
        }
        Effect::Wins(_, change) => winnings(&change).map(|won| saving(enemy, &won)),
        _ => None,
    })
}

/// The worth of what the reply in a line captures, in centipawns.
fn captured_by_reply(position: &AnyPosition, line: &[AnyMove]) -> i32 {
    match line {
        &[first, reply, ..] => captured_worth(&position.after(first), reply),
        _ => 0,
    }
}

/// How it is called to keep a side from what it would win.
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
