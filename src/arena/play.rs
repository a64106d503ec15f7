//! One game between two players under the arbiter.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Deserialize;

use qirkat_game::{Color, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove};
use qirkat_tablebase::AllTables;

use crate::adjudication::{AdjudicationRules, Adjudicator, table_adjudication};
use crate::engine_fault::EngineFault;
use crate::finished_game::{
    Conclusion, FinishedGame, GameFault, Overhead, PlayedMove, PlayerStats, agreed,
    by_adjudication, by_fault, by_rules, resigned,
};
use crate::info_line::MoveReport;
use crate::machine::WakeupMonitor;
use crate::player::{Choice, Player, Turn};
use crate::pv_check::check_pvs;
use crate::time_control::{GameClock, TimeControl};

/// Plays a game. Returns `None` when it was aborted.
pub fn play_game(mut players: [&mut dyn Player; 2], rules: &GameRules<'_>) -> Option<FinishedGame> {
    let mut running = RunningGame::new(rules);
    let finished = match running.play_on(&mut players, rules) {
        Err((_, EngineFault::Aborted)) => None,
        end => Some(running.finish(end, rules)),
    };
    for (player, color) in players.iter_mut().zip(Color::ALL) {
        player.end_game(color, finished.as_ref());
    }
    finished
}

/// How the game ended by its own result, or the player whose fault ended it.
type End = Result<Conclusion, (Color, EngineFault)>;

struct RunningGame {
    game: AnyGame,
    moves: Vec<PlayedMove>,
    clocks: [GameClock; 2],
    stats: [PlayerStats; 2],
    overhead: Overhead,
    /// When the last move arrived; `None` before the first.
    answered: Option<Instant>,
    /// When the side to move was asked for its move.
    asked: Instant,
    /// How long the last player to move waited for a core.
    waited: Duration,
    /// Whether the last player to move has offered a draw.
    draw_offered: bool,
}

impl RunningGame {
    fn new(rules: &GameRules<'_>) -> RunningGame {
        RunningGame {
            game: rules.opening.clone(),
            moves: PlayedMove::of_opening(rules.opening),
            clocks: rules.controls.map(GameClock::new),
            stats: Default::default(),
            overhead: Overhead::default(),
            answered: None,
            asked: Instant::now(),
            waited: Duration::ZERO,
            draw_offered: false,
        }
    }

    fn play_on(&mut self, players: &mut [&mut dyn Player; 2], rules: &GameRules<'_>) -> End {
        for (player, color) in players.iter_mut().zip(Color::ALL) {
            let restarted =
                player.start_game(color, &self.turn()).map_err(|fault| (color, fault))?;
            self.stats[color.index()].restarted = restarted;
        }
        let mut adjudicator = Adjudicator::new(rules.adjudication, self.moves.len());
        if let Some(outcome) = self.game.outcome() {
            return Ok(by_rules(outcome));
        }
        loop {
            let mover = self.game.position().side_to_move();
            let by_mover = |fault| (mover, fault);
            if rules.stop.load(Ordering::Relaxed) {
                return Err(by_mover(EngineFault::Aborted));
            }
            let player = &mut *players[mover.index()];
            let expected = match self.next_move(player, mover, rules).map_err(by_mover)? {
                ControlFlow::Continue(expected) => expected,
                ControlFlow::Break(end) => return Ok(end),
            };
            if let Some(outcome) = self.game.outcome() {
                return Ok(by_rules(outcome));
            }
            let known = rules
                .tablebases
                .and_then(|tables| table_adjudication(tables, self.game.position()));
            // Mate and draws by rule come before adjudication.
            let score = self.moves.last().and_then(PlayedMove::score);
            if let Some(adjudication) = known.or_else(|| adjudicator.after_move(mover, score)) {
                return Ok(by_adjudication(adjudication));
            }
            if let Some(expected) = expected {
                player.ponder(&self.turn(), expected).map_err(by_mover)?;
            }
        }
    }

    fn turn(&self) -> Turn<'_> {
        let clocks = self.clocks.each_ref();
        Turn { game: &self.game, clocks, draw_offered: self.draw_offered }
    }

    /// Asks the player, and plays its move if legal and in time. Returns the expected reply, or how
    /// the player has ended the game.
    fn next_move(
        &mut self,
        player: &mut dyn Player,
        mover: Color,
        rules: &GameRules<'_>,
    ) -> Result<ControlFlow<Conclusion, Option<AnyMove>>, EngineFault> {
        self.asked = Instant::now();
        let choice = player.choose(&self.turn());
        // No clock runs from here until the next `go`.
        let allowed = self.clocks[mover.index()].allowed();
        let elapsed = self.asked.elapsed();
        let time = match &choice {
            Ok(Choice::Move(choice)) => choice.report.time,
            _ => elapsed,
        };
        self.waited = allowed.and_then(|_| player.waited()).unwrap_or_default().min(time);
        let stats = &mut self.stats[mover.index()];
        stats.longest_wait = stats.longest_wait.max(self.waited);
        let choice = choice.inspect_err(|fault| {
            if let EngineFault::OutOfTime { allowed, used: None } = fault {
                stats.record_time(elapsed, *allowed);
            }
        });
        let choice = match choice? {
            Choice::Move(choice) => choice,
            Choice::Resign => return Ok(ControlFlow::Break(resigned(mover))),
            Choice::AcceptDraw => return Ok(ControlFlow::Break(agreed())),
        };
        let used = choice.report.time;
        if let Some(answered) = self.answered.replace(choice.started + used) {
            self.overhead.add(choice.started.saturating_duration_since(answered));
        }
        let clock = &mut self.clocks[mover.index()];
        if let Some(allowed) = allowed {
            stats.record_time(used, allowed);
            if clock.deadline().is_some_and(|deadline| used > deadline) {
                return Err(EngineFault::OutOfTime { allowed, used: Some(used) });
            }
        }
        clock.spend(used);
        if !self.game.position().is_legal(choice.mv) {
            let why = self.game.position().why_illegal(choice.mv);
            return Err(EngineFault::IllegalMove { text: choice.mv.to_string(), why });
        }
        if rules.pv_check != PvCheck::Off {
            let complaints = check_pvs(&self.game, choice.mv, &choice.lines);
            stats.record_pv_faults(&complaints);
            if rules.pv_check == PvCheck::Lose
                && let Some(complaint) = complaints.into_iter().next()
            {
                return Err(EngineFault::WrongPv(complaint));
            }
        }
        stats.moves += 1;
        if let Some(on_move) = rules.on_move {
            on_move(choice.mv, &choice.report, self.clocks.each_ref());
        }
        self.draw_offered = choice.offers_draw;
        self.game.play(choice.mv);
        self.moves.push(PlayedMove { mv: choice.mv, report: Some(choice.report) });
        Ok(ControlFlow::Continue(choice.expected))
    }

    fn finish(&mut self, end: End, rules: &GameRules<'_>) -> FinishedGame {
        let ((result, termination, reason), fault) = match end {
            Ok(conclusion) => (conclusion, None),
            Err((loser, fault)) => {
                let late = rules.wakeups.map(|it| it.worst_since(self.asked, Instant::now()));
                let fault = GameFault {
                    loser,
                    fault,
                    before_first_move: self.stats[loser.index()].moves == 0,
                    arbiter_late: late.unwrap_or_default(),
                    waited: self.waited,
                };
                (by_fault(&fault, self.game.position()), Some(fault))
            }
        };
        let (start, stats) = (*self.game.start(), std::mem::take(&mut self.stats));
        let (moves, overhead) = (std::mem::take(&mut self.moves), self.overhead);
        FinishedGame { start, moves, result, termination, reason, fault, stats, overhead }
    }
}

/// Called with each move, its player's report on the search, and both clocks after it.
pub type MoveListener<'a> = dyn Fn(AnyMove, &MoveReport, [&GameClock; 2]) + 'a;

pub struct GameRules<'a> {
    pub opening: &'a AnyGame,
    pub controls: [TimeControl; 2],
    pub adjudication: AdjudicationRules,
    pub tablebases: Option<&'a AllTables>,
    pub pv_check: PvCheck,
    pub wakeups: Option<&'a WakeupMonitor>,
    /// Called after each move of a player. No clock runs meanwhile.
    pub on_move: Option<&'a MoveListener<'a>>,
    pub stop: &'a AtomicBool,
}

impl<'a> GameRules<'a> {
    /// A game that ends by the rules alone, without listeners.
    pub fn plain(
        opening: &'a AnyGame,
        controls: [TimeControl; 2],
        stop: &'a AtomicBool,
    ) -> GameRules<'a> {
        GameRules {
            opening,
            controls,
            adjudication: AdjudicationRules::default(),
            tablebases: None,
            pv_check: PvCheck::Off,
            wakeups: None,
            on_move: None,
            stop,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PvCheck {
    Off,
    #[default]
    Warn,
    Lose,
}

#[cfg(test)]
mod tests {
    use qirkat_evaluation::AnyEvaluation;
    use qirkat_rules::pgn::GameResult;
    use qirkat_rules::variant::Variant;

    use super::*;
    use crate::adjudication::ResignRule;
    use crate::finished_game::Termination;
    use crate::player::SearchPlayer;

    fn rules<'a>(
        opening: &'a AnyGame,
        controls: [TimeControl; 2],
        adjudication: AdjudicationRules,
        stop: &'a AtomicBool,
    ) -> GameRules<'a> {
        let plain = GameRules::plain(opening, controls, stop);
        GameRules { adjudication, pv_check: PvCheck::Lose, ..plain }
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
        let limits = TimeControl { clock, nodes: Some(500), ..TimeControl::default() };
        let stop = AtomicBool::new(false);
        let resign = ResignRule { moves_in_a_row: 2, score: 900, two_sided: true };
        let resigning = AdjudicationRules { resign: Some(resign), ..AdjudicationRules::default() };
        let usual = Variant::default().new_game();
        let won = Variant::default().read_fen("4k4/9/9/9/9/9/9/R2Q5/4K4 w - - 0 1");
        let won = AnyGame::from_position(won.expect("a FEN").position);
        for (opening, controls, adjudication, termination) in [
            (&usual, [depth(2), depth(1)], AdjudicationRules::default(), Termination::Normal),
            (&usual, [limits, limits], AdjudicationRules::default(), Termination::Normal),
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
        let opening = Variant::default().new_game();
        let control = TimeControl { depth: Some(1), ..TimeControl::default() };
        let rules = rules(&opening, [control; 2], AdjudicationRules::default(), &stop);
        assert!(play(&rules).is_none());
    }
}
