//! Why a move is good or bad, in words confirmed by the lines on the board.

use super::board_facts::{LEAST_GAIN, MaterialChange, begins_with_recapture, forfeits_castling};
use super::claims::{Claims, WORSE};
use super::effect::{Effect, Line};
use super::game_review::MoveReview;
use qirkat_game::score::Score;
use qirkat_game::{DrawReason, KnownResult, Outcome};
use qirkat_rules::variant::AnyGame;

/// A longer mate is not called missed if the game is won anyway.
const LONGEST_MISSED_MATE: i16 = 5;
pub(super) const ONLY_MOVE: &str = "The only move:";
/// A side with at most these expected points has nothing left to keep.
const HOPELESS: f64 = 0.35;

/// The reason for a mark or an only move, in whole sentences.
pub(super) fn reason(game: &AnyGame, review: &MoveReview, claims: &Claims) -> Option<String> {
    let facts = MoveFacts::new(game, review, claims);
    if review.mark.is_none() {
        return facts.only_move();
    }
    let mut sentences = Vec::new();
    match facts.ending_spoilt() {
        Some(spoilt) => sentences.push(spoilt),
        None => {
            sentences.extend(review.missed_win.then(|| "A missed win.".to_owned()));
            sentences.extend(facts.harm());
        }
    }
    sentences.extend(facts.better_move());
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// What is wrong with a move where another was expected, without giving that one away.
pub(super) fn shortcoming(game: &AnyGame, review: &MoveReview, claims: &Claims) -> String {
    let facts = MoveFacts::new(game, review, claims);
    facts.harm().unwrap_or_else(|| facts.achievement())
}

/// A short mate missed in a game that is won anyway.
pub(super) fn missed_mate(game: &AnyGame, review: &MoveReview) -> Option<String> {
    let other = review.alternative.as_ref()?;
    let moves = other.score.moves_to_mate()?;
    if review.line.score.is_win() || !(1..=LONGEST_MISSED_MATE).contains(&moves) {
        return None;
    }
    let san = game.position().san(*other.moves.first()?);
    Some(match (moves, has_mates(game)) {
        (1, true) => format!("{san} was mate."),
        (1, false) => format!("{san} won the game at once."),
        (_, true) => format!("There was a mate in {moves}: {san}."),
        (_, false) => format!("There was a win in {moves}: {san}."),
    })
}

struct MoveFacts<'a> {
    game: &'a AnyGame,
    review: &'a MoveReview,
    claims: &'a Claims,
    after: AnyGame,
}

impl<'a> MoveFacts<'a> {
    fn new(game: &'a AnyGame, review: &'a MoveReview, claims: &'a Claims) -> MoveFacts<'a> {
        let mut after = game.clone();
        after.play(review.played);
        MoveFacts { game, review, claims, after }
    }

    /// The line after the move, begun by the other side.
    fn replies(&self) -> Line<'_> {
        let line = Line::of(&self.after, &self.review.line);
        Line { moves: line.moves.get(1..).unwrap_or_default(), score: -line.score, ..line }
    }

    fn other(&self) -> Option<Line<'_>> {
        self.review.alternative.as_ref().map(|other| Line::of(self.game, other))
    }

    /// How the move spoils an ending, according to the tables.
    fn ending_spoilt(&self) -> Option<String> {
        let enemy = !self.review.mover();
        let drawn = self.drawn();
        let after = if drawn.is_some() { KnownResult::Draw } else { self.claims.after? };
        let [noun, verb] = if has_mates(self.game) { ["mate", "mates"] } else { ["win", "wins"] };
        let a_mate = |plies: Option<u16>, end| {
            plies.map_or_else(String::new, |it| format!(", a {noun} in {}{end}", moves_of(it)))
        };
        let wins = |mated: Option<u16>| match mated {
            Some(plies) => format!("{enemy:?} {verb} in {}", moves_of(plies)),
            None => format!("{enemy:?} wins"),
        };
        Some(match (self.claims.before, after) {
            (Some(KnownResult::Win(plies)), KnownResult::Draw) => {
                let now = self.harm_at_the_end().unwrap_or_else(|| "Now it is a draw.".to_owned());
                format!("Throws away a won ending{}. {now}", a_mate(plies, ""))
            }
            (Some(KnownResult::Win(plies)), KnownResult::Loss(mated)) => format!(
                "Turns a won ending{} into a lost one: {}.",
                a_mate(plies, ","),
                wins(mated)
            ),
            (Some(KnownResult::Draw), KnownResult::Loss(mated)) => {
                format!("Loses a drawn ending: {}.", wins(mated))
            }
            (None, KnownResult::Loss(mated)) => {
                format!("Leads to a lost ending: {}.", wins(mated))
            }
            (None, KnownResult::Draw) => format!("Leads to {}.", drawn_by(drawn)),
            _ => return None,
        })
    }

    /// What is wrong with the move: what the best reply does (a mate, a won ending, a draw, more
    /// material than after the better move), lost castling, or the reply's tactical point.
    fn harm(&self) -> Option<String> {
        let replies = self.replies();
        let Some(reply) = replies.first_san() else { return self.harm_at_the_end() };
        let reply = format!("{:?}'s {reply}", !self.review.mover());
        match &self.claims.played.enemy {
            effect @ Effect::Mates(0 | 1) => {
                Some(format!("{reply} {}.", effect_text(&replies, effect)?))
            }
            effect if wins_more(effect, &self.claims.alternative.enemy) => {
                Some(format!("{reply} then {}.", effect_text(&replies, effect)?))
            }
            Effect::Draws(reason) => Some(format!("{reply} then leads to {}.", drawn_by(*reason))),
            _ => {
                if forfeits_castling(&self.review.position, self.review.played) {
                    return Some("It gives up castling.".to_owned());
                }
                let motif = replies.tactic().or_else(|| replies.attack());
                let motif = motif.filter(|_| !begins_with_recapture(&self.after, replies.moves));
                motif.map(|motif| format!("{reply} then {motif}."))
            }
        }
    }

    fn harm_at_the_end(&self) -> Option<String> {
        Some(format!("It ends in a draw by {}.", self.drawn()?))
    }

    /// The draw in which the move ends the game; none if the game goes on all the same, as records
    /// of games may.
    fn drawn(&self) -> Option<DrawReason> {
        if self.review.line.moves.len() > 1 {
            return None;
        }
        if let Outcome::Draw(reason) = self.after.outcome()? { Some(reason) } else { None }
    }

    fn better_move(&self) -> Option<String> {
        let other = self.other()?;
        let better = other.first_san()?;
        let expected = self.other_expected();
        let does = match &self.claims.alternative.own {
            effect if wins_more(effect, &self.claims.played.own) => effect_text(&other, effect)?,
            Effect::Draws(reason) => format!("holds {}", drawn_by(*reason)),
            _ => {
                let motif = other.tactic().or_else(|| other.safety()).or_else(|| other.attack());
                let keeps = match expected {
                    _ if expected <= HOPELESS => "puts up more resistance".to_owned(),
                    _ if expected <= WORSE => "loses less".to_owned(),
                    _ => format!("keeps {}", standing(expected)),
                };
                motif.map_or(keeps.clone(), |motif| format!("{motif} and {keeps}"))
            }
        };
        Some(if self.claims.alternative_is_only_good {
            format!("Better was {better}, the only good move: it {does}.")
        } else {
            format!("Better was {better}, which {does}.")
        })
    }

    /// What the move achieves, which is less than possible.
    fn achievement(&self) -> String {
        let line = &self.review.line;
        if let Some(moves) = line.score.moves_to_mate().filter(|&moves| moves > 0) {
            return format!("It {} only in {moves}.", mates(self.game));
        }
        let done = match &self.claims.played.own {
            Effect::Wins(_, change) => winnings(change),
            Effect::Draws(reason) => Some(format!("leads to {}", drawn_by(*reason))),
            _ => None,
        };
        let done = done.unwrap_or_else(|| format!("leaves {}", standing(line.chances.expected())));
        format!("It {done}, but there is better.")
    }

    fn other_expected(&self) -> f64 {
        let alternative = self.review.alternative.as_ref();
        alternative.map_or(0.0, |other| other.chances.expected())
    }

    fn only_move(&self) -> Option<String> {
        let san = self.other()?.first_san()?;
        let leaves = || format!("leaves {}", standing(self.other_expected()));
        let harm = match &self.claims.alternative.enemy {
            Effect::Mates(moves) => {
                let mated = if has_mates(self.game) { "mated" } else { "lost" };
                format!("is {mated} in {}", (*moves).max(1))
            }
            Effect::WinsEnding => "leads to a lost ending".to_owned(),
            Effect::Wins(gain, change)
                if gain - gain_of(&self.claims.played.enemy) >= LEAST_GAIN =>
            {
                winnings(change)?.replacen("wins", "loses", 1).replacen("makes", "allows", 1)
            }
            Effect::Draws(reason) => format!("only leads to {}", drawn_by(*reason)),
            Effect::Wins(..) | Effect::Nothing => leaves(),
        };
        Some(format!("{ONLY_MOVE} the next best, {san}, {harm}."))
    }
}

pub(super) fn has_mates(game: &AnyGame) -> bool {
    game.position().variant().has_mates()
}

fn mates(game: &AnyGame) -> &'static str {
    if has_mates(game) { "mates" } else { "wins the game" }
}

/// A line's effect for a side, as in `mates in 3` and `forks king and rook and wins a rook`; none
/// if it wins nothing, or not for certain.
pub(super) fn effect_text(line: &Line<'_>, effect: &Effect) -> Option<String> {
    match effect {
        Effect::Mates(0 | 1) if has_mates(line.game) => Some("is mate".to_owned()),
        Effect::Mates(0 | 1) => Some("wins the game at once".to_owned()),
        Effect::Mates(moves) => Some(format!("{} in {moves}", mates(line.game))),
        Effect::WinsEnding => Some("comes to a won ending".to_owned()),
        Effect::Wins(_, change) => {
            let fork = line.fork().map(|forked| format!("forks {forked} and "));
            Some(fork.unwrap_or_default() + &winnings(change)?)
        }
        Effect::Draws(_) | Effect::Nothing => None,
    }
}

/// Whether an effect is a mate or a won ending, or wins more material than the other line's effect
/// for the same side.
fn wins_more(effect: &Effect, other: &Effect) -> bool {
    match effect {
        Effect::Wins(gain, _) => gain - gain_of(other) >= LEAST_GAIN,
        Effect::Mates(_) | Effect::WinsEnding => true,
        Effect::Draws(_) | Effect::Nothing => false,
    }
}

fn gain_of(effect: &Effect) -> i32 {
    match effect {
        Effect::Mates(_) | Effect::WinsEnding => Score::INFINITE.value(),
        Effect::Wins(gain, _) => *gain,
        Effect::Draws(_) | Effect::Nothing => 0,
    }
}

/// As in `wins a queen for a rook` and `makes a queen and wins a knight`, if that is certain.
pub(super) fn winnings(change: &MaterialChange) -> Option<String> {
    let wins = change.winnings().map(|what| format!("wins {what}"));
    let makes = change.promotion().map(|piece| format!("makes {piece}"));
    match (makes, wins) {
        (Some(makes), Some(wins)) => Some(format!("{makes} and {wins}")),
        (makes, wins) => makes.or(wins),
    }
}

/// As in `a draw by stalemate`; without a reason, an ending drawn by the tables.
pub(super) fn drawn_by(reason: Option<DrawReason>) -> String {
    reason.map_or_else(|| "a drawn ending".to_owned(), |reason| format!("a draw by {reason}"))
}

fn moves_of(plies: u16) -> u16 {
    plies.div_ceil(2)
}

/// What a side with these expected points has, as an object of `keeps` or `leaves`.
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
