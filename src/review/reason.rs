//! Why a move is good or bad, in words that the lines on the board bear out.

use super::board::LEAST_GAIN;
use super::effect::{Effect, Line};
use super::game_review::{MoveReview, RatedLine};
use super::material::{Material, MaterialChange};
use crate::game::{Color, DrawReason, Outcome, Rules};
use crate::score::Score;
use crate::variant::{AnyGame, Variant};

/// What is known of a move when words are looked for.
pub(super) struct Findings<'a> {
    /// The game before the move.
    pub game: &'a AnyGame,
    /// The move.
    pub review: &'a MoveReview,
    /// Whether another move was the only good one.
    pub only_other_move: bool,
}

/// Mates longer than this are not told as missed where the game is won anyway.
const MATE_WORTH_TELLING: u16 = 5;

/// A side that can expect no more points than this keeps nothing.
const HOPELESS: f64 = 0.35;
/// A side that can expect no more points than this stands worse.
const WORSE: f64 = 0.45;

/// What there is to say about a move, in whole sentences; nothing about most.
pub(super) fn reason(findings: &Findings<'_>) -> Option<String> {
    let told = Told::new(findings);
    let sentences: Vec<String> = if findings.review.mark.is_some() {
        let missed = findings.review.missed_win.then(|| "A missed win.".to_owned());
        missed.into_iter().chain(told.harm()).chain(told.better_move()).collect()
    } else if findings.review.is_only_move {
        told.only_move().into_iter().collect()
    } else {
        told.missed_mate().into_iter().collect()
    };
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// What is wrong with a move where another was wanted, in a sentence that does not give
/// that one away.
pub(super) fn shortcoming(findings: &Findings<'_>) -> String {
    let told = Told::new(findings);
    told.harm().unwrap_or_else(|| told.achievement())
}

/// The lines that a reason is made from.
struct Told<'a> {
    findings: &'a Findings<'a>,
    mover: Color,
    /// The material before the move.
    base: Material,
    /// The game after the move.
    after: AnyGame,
}

impl<'a> Told<'a> {
    fn new(findings: &'a Findings<'a>) -> Told<'a> {
        let position = findings.game.position();
        let mut after = findings.game.clone();
        after.play(findings.review.played);
        Told { findings, mover: position.side_to_move(), base: Material::of(position), after }
    }

    /// The line after the move, which the other side begins.
    fn replies(&self) -> Line<'_> {
        let RatedLine { moves, score, .. } = &self.findings.review.line;
        Line { game: &self.after, moves: moves.get(1..).unwrap_or_default(), score: -*score }
    }

    /// The best other line.
    fn other(&self) -> Option<Line<'_>> {
        let RatedLine { moves, score, .. } = self.findings.review.alternative.as_ref()?;
        Some(Line { game: self.findings.game, moves, score: *score })
    }

    /// What the best reply does, if the better move would have kept it from that.
    fn harm(&self) -> Option<String> {
        let other = self.other()?;
        let replies = self.replies();
        let Some(reply) = replies.first_san() else { return self.harm_at_the_end() };
        let enemy = !self.mover;
        match replies.effect(enemy, &self.base) {
            Effect::Mates(moves) => Some(match moves {
                0 | 1 => format!("{reply} {}.", self.mates_at_once()),
                _ => format!("{reply} {} in {moves}.", self.mates()),
            }),
            Effect::Wins(gain, change) => {
                if gain - gain_of(&other.effect(enemy, &self.base)) < LEAST_GAIN {
                    return None;
                }
                let fork = replies.fork().map(|forked| format!("forks {forked} and "));
                let what = winnings(&change)?;
                Some(format!("{reply} {}{what}.", fork.unwrap_or_default()))
            }
            Effect::Draws(reason) => Some(format!("{reply} leads to {}.", drawn_by(reason))),
            Effect::Nothing => None,
        }
    }

    /// A move that ends the game, and not well.
    fn harm_at_the_end(&self) -> Option<String> {
        match self.after.outcome()? {
            Outcome::Draw(reason) => Some(format!("It ends in {}.", drawn_by(reason))),
            _ => None,
        }
    }

    /// What the better move would have done.
    fn better_move(&self) -> Option<String> {
        let other = self.other()?;
        let better = other.first_san()?;
        let only = if self.findings.only_other_move { ", the only good move," } else { "" };
        let done = match other.effect(self.mover, &self.base) {
            Effect::Mates(moves) if moves <= 1 => format!("{only} {} at once", self.would_mate()),
            Effect::Mates(moves) => format!("{only} {} in {moves}", self.would_mate()),
            Effect::Wins(gain, change) if gain - self.gain_of_played() >= LEAST_GAIN => {
                let what = winnings(&change)?;
                let fork = other.fork().map(|forked| format!("forked {forked} and "));
                let fork = fork.unwrap_or_default();
                format!(
                    "{only} {fork}{}",
                    what.replacen("wins", "won", 1).replacen("makes", "made", 1)
                )
            }
            Effect::Draws(reason) => format!("{only} held {}", drawn_by(reason)),
            _ if self.other_expected() <= HOPELESS => format!("{only} put up more resistance"),
            _ if self.other_expected() <= WORSE => format!("{only} lost less"),
            _ => {
                let kept = standing(self.other_expected());
                let only =
                    if self.findings.only_other_move { " was the only move that" } else { "" };
                format!("{only} kept {kept}")
            }
        };
        Some(format!("{better}{done}."))
    }

    /// What the move does, where that is less than can be had.
    fn achievement(&self) -> String {
        let line = &self.findings.review.line;
        if let Some(moves) = line.score.moves_to_mate().filter(|&moves| moves > 0) {
            return format!("It {} only in {moves}.", self.mates());
        }
        let done = match self.replies().effect(self.mover, &self.base) {
            Effect::Wins(_, change) => winnings(&change),
            Effect::Draws(reason) => Some(format!("leads to {}", drawn_by(reason))),
            Effect::Mates(_) | Effect::Nothing => None,
        };
        let done = done.unwrap_or_else(|| format!("leaves {}", standing(line.chances.expected())));
        format!("It {done}, but there is better.")
    }

    fn gain_of_played(&self) -> i32 {
        gain_of(&self.replies().effect(self.mover, &self.base))
    }

    fn other_expected(&self) -> f64 {
        let alternative = self.findings.review.alternative.as_ref();
        alternative.map_or(0.0, |other| other.chances.expected())
    }

    /// Why nothing else would have done.
    fn only_move(&self) -> Option<String> {
        let other = self.other()?;
        let san = other.first_san()?;
        let enemy = !self.mover;
        let harm = match other.effect(enemy, &self.base) {
            Effect::Mates(moves) => format!("is {} in {}", self.mated(), moves.max(1)),
            Effect::Wins(gain, change) => {
                let kept = gain_of(&self.replies().effect(enemy, &self.base));
                if gain - kept < LEAST_GAIN {
                    format!("leaves {}", standing(self.other_expected()))
                } else {
                    winnings(&change)?.replacen("wins", "loses", 1).replacen("makes", "allows", 1)
                }
            }
            Effect::Draws(reason) => format!("only leads to {}", drawn_by(reason)),
            Effect::Nothing => format!("leaves {}", standing(self.other_expected())),
        };
        Some(format!("The only move: the next best, {san}, {harm}."))
    }

    /// A short mate that was there in a game that is won anyway.
    fn missed_mate(&self) -> Option<String> {
        let other = self.other()?;
        let played = self.findings.review.line.score;
        let Effect::Mates(moves) = other.effect(self.mover, &self.base) else { return None };
        if played.is_win() || moves > MATE_WORTH_TELLING || other.score <= Score::DRAW {
            return None;
        }
        let san = other.first_san()?;
        Some(match moves {
            0 | 1 => format!("{san} {} at once.", self.would_mate()),
            _ => format!("{san} {} in {moves}.", self.would_mate()),
        })
    }

    fn has_mates(&self) -> bool {
        self.findings.game.position().variant() != Variant::Alquerque
    }

    fn mates(&self) -> &'static str {
        if self.has_mates() { "mates" } else { "wins the game" }
    }

    fn mates_at_once(&self) -> &'static str {
        if self.has_mates() { "is mate" } else { "wins the game at once" }
    }

    fn would_mate(&self) -> &'static str {
        if self.has_mates() { "mated" } else { "won the game" }
    }

    fn mated(&self) -> &'static str {
        if self.has_mates() { "mated" } else { "lost" }
    }
}

fn gain_of(effect: &Effect) -> i32 {
    match effect {
        Effect::Mates(_) => Score::INFINITE.value(),
        Effect::Wins(gain, _) => *gain,
        Effect::Draws(_) | Effect::Nothing => 0,
    }
}

/// As in `wins a rook for a knight` and `makes a queen and wins a pawn`.
pub(super) fn winnings(change: &MaterialChange) -> Option<String> {
    let wins = change.winnings().map(|what| format!("wins {what}"));
    let makes = change.promotion().map(|kind| {
        let article = if kind.starts_with('a') { "an" } else { "a" };
        format!("makes {article} {kind}")
    });
    match (makes, wins) {
        (Some(makes), Some(wins)) => Some(format!("{makes} and {wins}")),
        (makes, wins) => makes.or(wins),
    }
}

pub(super) fn drawn_by(reason: DrawReason) -> String {
    format!("a draw by {reason}")
}

/// How a side stands with so many expected points, as something that is kept or left.
fn standing(expected: f64) -> &'static str {
    match expected {
        _ if expected >= 0.95 => "a won game",
        _ if expected >= 0.80 => "a winning advantage",
        _ if expected >= 0.65 => "a clear advantage",
        _ if expected >= 0.55 => "a slight advantage",
        _ if expected > 0.45 => "the balance",
        _ if expected > 0.35 => "a slightly worse game",
        _ if expected > 0.20 => "a worse game",
        _ if expected > 0.05 => "a bad game",
        _ => "a lost game",
    }
}
