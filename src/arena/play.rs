//! One game between two players, with the arbiter watching.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::adjudication::{AdjudicationRules, Adjudicator, Verdict};
use super::conduct::{Conduct, Overhead};
use super::line_check::check_lines;
use super::opening::Opening;
use super::player::{Fault, Player, Turn};
use super::punctuality::Punctuality;
use super::search_info::{ReportedScore, Thought};
use super::time_control::{GameClock, TimeControl};
use crate::game::{Color, Outcome, Rules};
use crate::pgn::GameResult;
use crate::text::push;
use crate::variant::{AnyGame, AnyMove, AnyPosition};

/// What a game is played by.
pub struct GameRules<'a> {
    /// Where it begins.
    pub opening: &'a Opening,
    /// White's and Black's time control.
    pub controls: [TimeControl; 2],
    /// When it ends early.
    pub adjudication: AdjudicationRules,
    /// What comes of lines that make no sense.
    pub line_check: LineCheck,
    /// Who watches whether the machine is too busy, if anybody does.
    pub punctuality: Option<&'a Punctuality>,
    /// Raised when it is to be broken off.
    pub stop: &'a AtomicBool,
}

/// What comes of lines that make no sense.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LineCheck {
    /// Nobody looks at them.
    Off,
    /// They are counted.
    #[default]
    Warn,
    /// They lose the game.
    Lose,
}

/// How a game came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Termination {
    /// By the rules of the game.
    Normal,
    /// By agreed scores or by its length.
    Adjudication,
    /// By the clock.
    TimeForfeit,
    /// By an illegal move.
    IllegalMove,
    /// By a player that does not answer.
    Stalled,
    /// By a player that ended.
    Abandoned,
}

impl Termination {
    /// As in the PGN tag of that name; `stalled connection` is the word of
    /// cutechess.
    pub const fn tag(self) -> &'static str {
        match self {
            Termination::Normal => "normal",
            Termination::Adjudication => "adjudication",
            Termination::TimeForfeit => "time forfeit",
            Termination::IllegalMove => "rules infraction",
            Termination::Stalled => "stalled connection",
            Termination::Abandoned => "abandoned",
        }
    }
}

/// A game from its first move to its result.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// Where it began.
    pub start: AnyPosition,
    /// The moves, those of the opening first.
    pub moves: Vec<PlayedMove>,
    /// The result.
    pub result: GameResult,
    /// How it came to its end.
    pub termination: Termination,
    /// The same in words: `White mates`.
    pub reason: String,
    /// The fault that ended it, if one did.
    pub fault: Option<GameFault>,
    /// What White and Black did besides.
    pub conduct: [Conduct; 2],
    /// The arbiter's own time.
    pub overhead: Overhead,
}

/// The arbiter is late if it is woken so much later than it asked for.
const LATE: Duration = Duration::from_millis(10);
/// A wait for a core that is worth mentioning.
const LONG_WAIT: Duration = Duration::from_millis(1);

impl GameFault {
    /// Whether a game was lost on time that a less busy machine might have
    /// saved: the arbiter itself was late, or the loser waited for a core as
    /// long as it was late.
    pub fn is_machines(&self) -> bool {
        let Fault::OutOfTime { allowed, used } = self.fault else { return false };
        let missing = used.map(|used| used.saturating_sub(allowed));
        self.arbiter_late >= LATE
            || self.waited >= LONG_WAIT && missing.is_some_and(|missing| self.waited >= missing)
    }

    /// What the machine had to do with a loss on time.
    fn excuse(&self) -> String {
        let mut text = String::new();
        if matches!(self.fault, Fault::OutOfTime { .. }) {
            if self.waited >= LONG_WAIT {
                let waited = self.waited.as_secs_f64() * 1e3;
                push(&mut text, format_args!("; it waited {waited:.1} ms for a core"));
            }
            if self.arbiter_late >= LATE {
                let late = self.arbiter_late.as_millis();
                push(&mut text, format_args!("; the arbiter itself was late by {late} ms"));
            }
        }
        text
    }
}

/// A fault that lost a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameFault {
    /// Whose it was.
    pub loser: Color,
    /// What it was.
    pub fault: Fault,
    /// Whether the loser made no move at all.
    pub before_first_move: bool,
    /// How late the arbiter itself was at most while the loser had to move.
    pub arbiter_late: Duration,
    /// How long the machine kept the loser waiting for a core then.
    pub waited: Duration,
}

/// A move of a game, and what its player said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: AnyMove,
    /// What its player thought; nothing if it was made for it by the opening.
    pub thought: Option<Thought>,
}

impl PlayedMove {
    /// What its player thought of the position.
    pub fn score(&self) -> Option<ReportedScore> {
        self.thought.as_ref()?.info.score
    }
}

/// Plays a game. Returns nothing when it was broken off.
pub fn play_game(players: [&mut dyn Player; 2], rules: &GameRules<'_>) -> Option<FinishedGame> {
    let mut record = Record::new(rules);
    let mut players = players;
    let end = record.play_on(&mut players, rules);
    for (player, color) in players.iter_mut().zip(Color::ALL) {
        let fault = match &end {
            End::Fault(guilty, fault) if *guilty == color => Some(fault),
            _ => None,
        };
        player.end_game(fault);
    }
    record.finish(end, rules)
}

/// Why a game ended.
enum End {
    Outcome(Outcome),
    Verdict(Verdict),
    Fault(Color, Fault),
    BrokenOff,
}

/// A game while it is played.
struct Record {
    start: AnyPosition,
    game: AnyGame,
    moves: Vec<AnyMove>,
    thoughts: Vec<Option<Thought>>,
    clocks: [GameClock; 2],
    conduct: [Conduct; 2],
    overhead: Overhead,
    /// When the last answer arrived.
    answered: Option<Instant>,
    /// When the player who has to move was called on.
    called: Instant,
    /// How long the machine kept the player who moved last waiting.
    waited: Duration,
}

impl Record {
    fn new(rules: &GameRules<'_>) -> Record {
        let start = rules.opening.start;
        let mut record = Record {
            start,
            game: AnyGame::from_position(start),
            moves: Vec::new(),
            thoughts: Vec::new(),
            clocks: rules.controls.map(GameClock::new),
            conduct: Default::default(),
            overhead: Overhead::default(),
            answered: None,
            called: Instant::now(),
            waited: Duration::ZERO,
        };
        for &mv in &rules.opening.moves {
            record.make(mv, None);
        }
        record
    }

    fn make(&mut self, mv: AnyMove, thought: Option<Thought>) {
        self.game.play(mv);
        self.moves.push(mv);
        self.thoughts.push(thought);
    }

    fn play_on(&mut self, players: &mut [&mut dyn Player; 2], rules: &GameRules<'_>) -> End {
        for (player, color) in players.iter_mut().zip(Color::ALL) {
            match player.start_game() {
                Ok(fault) => self.conduct[color.index()].restarted = fault,
                Err(fault) => return fault_of(color, fault),
            }
        }
        let mut adjudicator = Adjudicator::new(rules.adjudication);
        if let Some(outcome) = self.game.outcome() {
            return End::Outcome(outcome);
        }
        loop {
            if rules.stop.load(Ordering::Relaxed) {
                return End::BrokenOff;
            }
            let mover = self.game.position().side_to_move();
            let player = &mut *players[mover.index()];
            let expected = match self.next_move(player, mover, rules) {
                Ok(expected) => expected,
                Err(fault) => return fault_of(mover, fault),
            };
            if let Some(outcome) = self.game.outcome() {
                return End::Outcome(outcome);
            }
            // Mate or a draw by rule counts before what players think.
            let thought = self.thoughts.last().and_then(Option::as_ref);
            let score = thought.and_then(|thought| thought.info.score);
            if let Some(verdict) = adjudicator.after_move(mover, score) {
                return End::Verdict(verdict);
            }
            if let Some(expected) = expected
                && let Err(fault) = player.ponder(&self.turn(), expected)
            {
                return fault_of(mover, fault);
            }
        }
    }

    fn turn(&self) -> Turn<'_> {
        Turn {
            start: &self.start,
            moves: &self.moves,
            game: &self.game,
            clocks: [&self.clocks[0], &self.clocks[1]],
        }
    }

    /// Has the player move, if it does so legally and in time. The reply that
    /// it expects.
    fn next_move(
        &mut self,
        player: &mut dyn Player,
        mover: Color,
        rules: &GameRules<'_>,
    ) -> Result<Option<AnyMove>, Fault> {
        self.called = Instant::now();
        let choice = player.choose(&self.turn());
        // No clock runs from here to the next question.
        let allowed = self.clocks[mover.index()].allowed();
        let elapsed = self.called.elapsed();
        let time = choice.as_ref().map_or(elapsed, |choice| choice.thought.time);
        self.waited = allowed.and_then(|_| player.waited()).unwrap_or_default().min(time);
        let conduct = &mut self.conduct[mover.index()];
        conduct.longest_wait = conduct.longest_wait.max(self.waited);
        let choice = choice.inspect_err(|fault| {
            if let Fault::OutOfTime { allowed, used: None } = fault {
                conduct.note_time(elapsed, *allowed);
            }
        })?;
        let used = choice.thought.time;
        if let Some(answered) = self.answered.replace(choice.asked + used) {
            self.overhead.note(choice.asked.saturating_duration_since(answered));
        }
        let clock = &mut self.clocks[mover.index()];
        if let Some(allowed) = allowed {
            conduct.note_time(used, allowed);
            if clock.latest_answer().is_some_and(|latest| used > latest) {
                return Err(Fault::OutOfTime { allowed, used: Some(used) });
            }
        }
        clock.spend(used);
        if !self.game.position().is_legal(choice.mv) {
            let why = self.game.position().why_illegal(choice.mv);
            return Err(Fault::IllegalMove { text: choice.mv.to_string(), why });
        }
        if rules.line_check != LineCheck::Off {
            let complaints = check_lines(&self.game, choice.mv, &choice.lines);
            conduct.note_lines(self.game.position(), &complaints);
            if rules.line_check == LineCheck::Lose
                && let Some(complaint) = complaints.into_iter().next()
            {
                return Err(Fault::WrongLine(complaint));
            }
        }
        conduct.moves += 1;
        self.make(choice.mv, Some(choice.thought));
        Ok(choice.expected)
    }

    fn finish(self, end: End, rules: &GameRules<'_>) -> Option<FinishedGame> {
        let mut game_fault = None;
        let (result, termination, reason) = match end {
            End::BrokenOff => return None,
            End::Outcome(outcome) => {
                let reason = match outcome {
                    Outcome::Draw(reason) => format!("Draw by {reason}"),
                    _ => outcome.to_string(),
                };
                (GameResult::from(outcome), Termination::Normal, reason)
            }
            End::Verdict(Verdict::Win(winner)) => (
                GameResult::won_by(winner),
                Termination::Adjudication,
                format!("{winner:?} wins by adjudication"),
            ),
            End::Verdict(Verdict::Draw) => {
                (GameResult::Draw, Termination::Adjudication, "Draw by adjudication".to_owned())
            }
            End::Verdict(Verdict::TooLong) => (
                GameResult::Draw,
                Termination::Adjudication,
                "Draw by adjudication: maximal game length".to_owned(),
            ),
            End::Fault(loser, fault) => {
                let termination = termination_by(&fault);
                let fault = self.describe(loser, fault, rules);
                let reason = format!("{loser:?} {}{}", fault.fault, fault.excuse());
                game_fault = Some(fault);
                (GameResult::won_by(!loser), termination, reason)
            }
        };
        let moves = self
            .moves
            .into_iter()
            .zip(self.thoughts)
            .map(|(mv, thought)| PlayedMove { mv, thought })
            .collect();
        Some(FinishedGame {
            start: self.start,
            moves,
            result,
            termination,
            reason,
            fault: game_fault,
            conduct: self.conduct,
            overhead: self.overhead,
        })
    }

    fn describe(&self, loser: Color, fault: Fault, rules: &GameRules<'_>) -> GameFault {
        let late = rules.punctuality.map(|watch| watch.worst_since(self.called));
        GameFault {
            loser,
            fault,
            before_first_move: self.conduct[loser.index()].moves == 0,
            arbiter_late: late.unwrap_or_default(),
            waited: self.waited,
        }
    }
}

fn termination_by(fault: &Fault) -> Termination {
    match fault {
        Fault::OutOfTime { .. } => Termination::TimeForfeit,
        Fault::IllegalMove { .. } | Fault::WrongLine(_) => Termination::IllegalMove,
        Fault::NotReady { .. } | Fault::Stalled(_) | Fault::Deaf => Termination::Stalled,
        Fault::NoStart(_) | Fault::Crashed(_) | Fault::BrokenOff => Termination::Abandoned,
    }
}

fn fault_of(color: Color, fault: Fault) -> End {
    match fault {
        Fault::BrokenOff => End::BrokenOff,
        fault => End::Fault(color, fault),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Opening, ResignRule, SearchPlayer};
    use crate::evaluation::AnyEvaluation;
    use crate::variant::Variant;

    fn rules<'a>(
        opening: &'a Opening,
        controls: [TimeControl; 2],
        adjudication: AdjudicationRules,
        stop: &'a AtomicBool,
    ) -> GameRules<'a> {
        let line_check = LineCheck::Lose;
        GameRules { opening, controls, adjudication, line_check, punctuality: None, stop }
    }

    fn play(rules: &GameRules<'_>) -> Option<FinishedGame> {
        let mut players = [0, 1].map(|_| {
            SearchPlayer::new(AnyEvaluation::embedded(Variant::default()), 1)
                .expect("a megabyte is there")
        });
        let [white, black] = &mut players;
        play_game([white, black], rules)
    }

    #[test]
    fn games_are_played_in_process() {
        let depth = |depth| TimeControl { depth: Some(depth), ..TimeControl::default() };
        // Time that even a busy machine cannot use up.
        let clock = "60+1".parse().ok();
        let tempo = TimeControl { clock, nodes: Some(500), ..TimeControl::default() };
        let stop = AtomicBool::new(false);
        let resign = ResignRule { moves_in_a_row: 2, score: 900, two_sided: true };
        let resigning = AdjudicationRules { resign: Some(resign), ..AdjudicationRules::default() };
        let usual = Opening { start: Variant::default().start(), moves: Vec::new() };
        let won = Variant::default()
            .read_fen("4k4/9/9/9/9/9/9/R2Q5/4K4 w - - 0 1")
            .expect("a FEN")
            .position;
        let won = Opening { start: won, moves: Vec::new() };
        for (opening, controls, adjudication, termination) in [
            (&usual, [depth(2), depth(1)], AdjudicationRules::default(), Termination::Normal),
            (&usual, [tempo, tempo], AdjudicationRules::default(), Termination::Normal),
            (&won, [depth(1), depth(1)], resigning, Termination::Adjudication),
        ] {
            let rules = rules(opening, controls, adjudication, &stop);
            let game = play(&rules).expect("nobody broke it off");
            assert_eq!(game.termination, termination, "{}", game.reason);
            let mut replayed = AnyGame::from_position(game.start);
            for played in &game.moves {
                assert!(replayed.position().is_legal(played.mv));
                assert!(played.score().is_some());
                replayed.play(played.mv);
            }
            match replayed.outcome() {
                Some(outcome) => assert_eq!(game.result, outcome.into()),
                None => assert_eq!(game.result, GameResult::WhiteWins),
            }
        }
    }

    #[test]
    fn a_game_can_be_broken_off() {
        let stop = AtomicBool::new(true);
        let opening = Opening { start: Variant::default().start(), moves: Vec::new() };
        let control = TimeControl { depth: Some(1), ..TimeControl::default() };
        let rules = rules(&opening, [control; 2], AdjudicationRules::default(), &stop);
        assert!(play(&rules).is_none());
    }
}
