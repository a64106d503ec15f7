//! Advice: a good move, and why it is good where the board bears that out.

use super::board::has_choice;
use super::effect::{Effect, Line};
use super::game_review::{MoveReview, RatedLine};
use super::material::Material;
use super::phase::Phase;
use super::reason::{Findings, drawn_by, reason, winnings};
use super::walk::{Analyst, final_value, is_only_move, rated};
use crate::game::{Color, Rules};
use crate::variant::{AnyGame, AnyMove, Variant};

/// A good move for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// The move.
    pub mv: AnyMove,
    /// The move with what it does, as in `Rxa5 wins a knight.`, or alone where there is
    /// nothing to say for sure.
    pub text: String,
}

/// A good move in a game that is not over. Nothing if the analyst breaks off.
pub fn advise(game: &AnyGame, analyst: &mut dyn Analyst) -> Option<Advice> {
    let best = final_value(game, analyst)?;
    let &mv = best.moves.first()?;
    let san = game.position().san(mv);
    let text = match deed(game, &best) {
        Some(deed) => format!("{san} {deed}."),
        None if !has_choice(game.position()) => format!("{san} is the only legal move."),
        None => match only_move(game, &best, analyst)? {
            Some(reason) => format!("{san}. {reason}"),
            None => match saved(game, &best, analyst)? {
                Some(deed) => format!("{san} {deed}."),
                None => san,
            },
        },
    };
    Some(Advice { mv, text })
}

/// What a line does for the side to move, as in `wins a rook for a knight`.
fn deed(game: &AnyGame, best: &RatedLine) -> Option<String> {
    let line = Line { game, moves: &best.moves, score: best.score };
    let mover = game.position().side_to_move();
    match line.effect(mover, &Material::of(game.position())) {
        Effect::Mates(moves) => Some(match (has_mates(game), moves) {
            (true, 0 | 1) => "is mate".to_owned(),
            (true, _) => format!("mates in {moves}"),
            (false, 0 | 1) => "wins the game at once".to_owned(),
            (false, _) => format!("wins the game in {moves}"),
        }),
        Effect::Wins(_, change) => {
            let fork = line.fork().map(|forked| format!("forks {forked} and "));
            Some(format!("{}{}", fork.unwrap_or_default(), winnings(&change)?))
        }
        Effect::Draws(reason) => Some(format!("leads to {}", drawn_by(reason))),
        Effect::Nothing => None,
    }
}

/// Why nothing else will do, if so. Nothing at all if the analyst breaks off.
fn only_move(
    game: &AnyGame,
    best: &RatedLine,
    analyst: &mut dyn Analyst,
) -> Option<Option<String>> {
    let &mv = best.moves.first()?;
    let other = rated(game, &analyst.best_except(game, &[mv], 1)?);
    if !is_only_move(game, best, &other) {
        return Some(None);
    }
    let position = *game.position();
    let review = MoveReview {
        phase: Phase::of(&position),
        position,
        played: mv,
        line: best.clone(),
        alternative: Some(other),
        loss: 0.0,
        mark: None,
        is_only_move: true,
        missed_win: false,
        reason: None,
    };
    Some(reason(&Findings { game, review: &review, only_other_move: false }))
}

/// What the other side would do if the side to move passed, and does not get to do after
/// the best line. Nothing at all if the analyst breaks off.
fn saved(game: &AnyGame, best: &RatedLine, analyst: &mut dyn Analyst) -> Option<Option<String>> {
    let Ok(passed) = game.position().passed() else { return Some(None) };
    let base = Material::of(game.position());
    let enemy = passed.side_to_move();
    let kept = Line { game, moves: &best.moves, score: best.score }.effect(enemy, &base);
    if matches!(kept, Effect::Mates(_) | Effect::Wins(..)) {
        return Some(None);
    }
    let passed = AnyGame::from_position(passed);
    let threat = rated(&passed, &analyst.best_except(&passed, &[], 1)?);
    let line = Line { game: &passed, moves: &threat.moves, score: threat.score };
    Some(match line.effect(enemy, &base) {
        Effect::Mates(moves) if has_mates(game) => {
            let when = if moves <= 1 { "at once".to_owned() } else { format!("in {moves}") };
            Some(format!("keeps {enemy:?} from mating {when}"))
        }
        Effect::Wins(_, change) => winnings(&change).map(|won| saving(enemy, &won)),
        _ => None,
    })
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

fn has_mates(game: &AnyGame) -> bool {
    game.position().variant() != Variant::Alquerque
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
