//! The health of a match: the faults of the engines besides losing, and how well the
//! machine kept time, in the games that were played now.

use std::collections::BTreeMap;
use std::iter::once;

use serde::{Deserialize, Serialize};

use super::introduction::printable;
use qirkat_arena::{
    Conduct, Contestant, EngineFault, Examination, FinishedGame, GameFault, LineExample, LineFault,
    ScheduledGame,
};

/// The health of a match, or of a part of it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Health {
    /// The games that this is about.
    pub games: u64,
    pub engines: Vec<EngineHealth>,
    /// The arbiter's own time, from an answer to the next question.
    pub arbiter_moves: u64,
    pub arbiter_total_ms: f64,
    pub arbiter_worst_ms: f64,
    /// How late the arbiter was woken at most.
    pub worst_delay_ms: f64,
    /// Losses on time that a less busy machine might have saved.
    pub time_losses_while_busy: u64,
}

/// An engine in these games.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct EngineHealth {
    pub name: String,
    /// Its name by UCI.
    pub id: Option<String>,
    /// Its `info string` lines while it was set up.
    pub said: Vec<String>,
    /// Settings that did not fit it; it was played anyway.
    pub forced: Vec<String>,
    /// How often it had to be started again because it had ended after a game.
    pub ended_between_games: u64,
    /// Moves at which it showed lines with such faults.
    pub line_faults: BTreeMap<LineFault, u64>,
    /// The most by which it took longer than it was allowed.
    pub worst_overshoot_ms: f64,
    /// The largest part of the time it had left that it took for a move.
    pub largest_share: f64,
    /// The longest that the machine kept it waiting for a core during a move.
    pub longest_wait_ms: f64,
    /// Lines that were shown of each kind.
    #[serde(skip)]
    shown: BTreeMap<LineFault, u32>,
    /// Games in a row that it lost before its first move because it was not
    /// there.
    #[serde(skip)]
    dead_in_a_row: u32,
}

/// Games in a row that an engine may lose because it does not start or ends
/// before its first move.
const MAX_DEAD_GAMES: u32 = 3;
/// Lines with a fault that are shown, for each engine and kind.
const SHOWN: u32 = 3;

impl Health {
    /// At the beginning, with what the engines said then.
    pub fn new(contestants: &[Contestant], seen: &[Examination]) -> Health {
        let engine = |(contestant, seen): (&Contestant, &Examination)| EngineHealth {
            name: contestant.name.clone(),
            id: seen.id.clone(),
            said: seen.said.clone(),
            forced: seen.troubles.clone(),
            ..EngineHealth::default()
        };
        Health { engines: contestants.iter().zip(seen).map(engine).collect(), ..Health::default() }
    }

    /// Adds a game; what is worth a warning, line by line.
    pub fn add(&mut self, game: &ScheduledGame, finished: &FinishedGame) -> Vec<String> {
        self.games += 1;
        self.arbiter_moves += finished.overhead.count;
        self.arbiter_total_ms += milliseconds(finished.overhead.total);
        self.arbiter_worst_ms = self.arbiter_worst_ms.max(milliseconds(finished.overhead.worst));
        if finished.fault.as_ref().is_some_and(GameFault::is_machines) {
            self.time_losses_while_busy += 1;
        }
        let mut warnings = Vec::new();
        for (number, conduct) in [game.white, game.black].into_iter().zip(&finished.conduct) {
            if let Some(engine) = self.engines.get_mut(number) {
                engine.add(game.number + 1, conduct, &mut warnings);
            }
        }
        if let Some(fault) = &finished.fault {
            let loser = [game.white, game.black][fault.loser.index()];
            if let Some(engine) = self.engines.get_mut(loser) {
                let is_dead = matches!(
                    fault.fault,
                    EngineFault::NoStart(_)
                        | EngineFault::Crashed(_)
                        | EngineFault::NotReady { .. }
                        | EngineFault::Deaf
                );
                if fault.before_first_move && is_dead {
                    engine.dead_in_a_row += 1;
                }
            }
        }
        warnings
    }

    /// Why the match had better end: an engine is not there game after game.
    pub fn verdict(&self) -> Option<String> {
        let dead = self.engines.iter().find(|engine| engine.dead_in_a_row >= MAX_DEAD_GAMES)?;
        Some(format!(
            "engine {} lost {MAX_DEAD_GAMES} games in a row without a move, so the match ends",
            dead.name
        ))
    }

    /// Joins the health of two parts of a match.
    pub fn join(&mut self, other: Health) {
        // What a file says may be any number.
        let add = |sum: &mut u64, more| *sum = sum.saturating_add(more);
        add(&mut self.games, other.games);
        add(&mut self.arbiter_moves, other.arbiter_moves);
        self.arbiter_total_ms += other.arbiter_total_ms;
        self.arbiter_worst_ms = self.arbiter_worst_ms.max(other.arbiter_worst_ms);
        self.worst_delay_ms = self.worst_delay_ms.max(other.worst_delay_ms);
        add(&mut self.time_losses_while_busy, other.time_losses_while_busy);
        for (engine, other) in self.engines.iter_mut().zip(other.engines) {
            for (fault, count) in other.line_faults {
                add(engine.line_faults.entry(fault).or_default(), count);
            }
            engine.worst_overshoot_ms = engine.worst_overshoot_ms.max(other.worst_overshoot_ms);
            engine.longest_wait_ms = engine.longest_wait_ms.max(other.longest_wait_ms);
            add(&mut engine.ended_between_games, other.ended_between_games);
            engine.largest_share = engine.largest_share.max(other.largest_share);
            if engine.said.is_empty() {
                engine.said = other.said;
            }
            let known = engine.forced.clone();
            engine.forced.extend(other.forced.into_iter().filter(|one| !known.contains(one)));
        }
    }

    /// The troubles: options that were forced, lines that make no sense, a busy machine.
    /// Empty if all is well.
    pub fn troubles(&self) -> String {
        let mut lines = Vec::new();
        for engine in &self.engines {
            let EngineHealth { name, ended_between_games: count, .. } = engine;
            let forced = engine.forced.iter();
            lines.extend(forced.map(|text| format!("Forced on {name}: {}\n", printable(text))));
            if *count > 0 {
                lines.push(format!("Ended between games: {name}, {count} times\n"));
            }
            if !engine.line_faults.is_empty() {
                let faults = LineFault::ALL.into_iter().filter_map(|fault| {
                    Some(format!("{} {}", fault.text(), engine.line_faults.get(&fault)?))
                });
                let faults = faults.collect::<Vec<_>>().join(", ");
                lines.push(format!("Wrong lines of {name}: {faults}\n"));
            }
        }
        if self.time_losses_while_busy > 0 {
            lines.push(format!(
                "Warning: games lost on time because the machine was too busy: {}. Their engines \
                 waited for a core, or the arbiter was late, as long as the moves were late \
                 (play fewer at a time with -concurrency)\n",
                self.time_losses_while_busy
            ));
        }
        lines.concat()
    }

    /// How well time was kept.
    pub fn times(&self) -> String {
        if self.games == 0 {
            return String::new();
        }
        let arbiter = format!(
            "Time of the arbiter in {} games: {:.3} ms a move, {:.1} ms at most; woken late by {:.1} ms \
             at most\n",
            self.games,
            self.arbiter_total_ms / self.arbiter_moves.max(1) as f64,
            self.arbiter_worst_ms,
            self.worst_delay_ms
        );
        let engines = self.engines.iter().filter(|engine| engine.largest_share > 0.0);
        let engines = engines.map(|engine| {
            format!(
                "Time of {}: {:.1} ms too long at worst, {:.1} % of what it had for a move at \
                 most; waited {:.1} ms for a core at most\n",
                engine.name,
                engine.worst_overshoot_ms,
                100.0 * engine.largest_share,
                engine.longest_wait_ms
            )
        });
        once(arbiter).chain(engines).collect()
    }
}

impl EngineHealth {
    fn add(&mut self, game: usize, conduct: &Conduct, warnings: &mut Vec<String>) {
        if conduct.moves > 0 {
            self.dead_in_a_row = 0;
        }
        self.worst_overshoot_ms =
            self.worst_overshoot_ms.max(milliseconds(conduct.worst_overshoot));
        self.longest_wait_ms = self.longest_wait_ms.max(milliseconds(conduct.longest_wait));
        self.largest_share = self.largest_share.max(conduct.largest_share);
        if let Some(fault) = &conduct.restarted {
            self.ended_between_games += 1;
            if self.ended_between_games <= u64::from(SHOWN) {
                warnings.push(format!("Warning: before game {game}: {} {fault}", self.name));
            }
        }
        for LineExample { complaint, fen } in &conduct.examples {
            let shown = self.shown.entry(complaint.fault).or_default();
            if *shown < SHOWN {
                *shown += 1;
                let more = if *shown == SHOWN { " (more are only counted)" } else { "" };
                warnings.push(format!(
                    "Warning: game {game}: {}: line with {}: {}{more}; Position: {fen}; Line: {}",
                    self.name,
                    complaint.fault.text(),
                    printable(&complaint.what),
                    printable(&complaint.line)
                ));
            }
        }
        for (&fault, count) in &conduct.line_faults {
            *self.line_faults.entry(fault).or_default() += count;
        }
    }
}

fn milliseconds(time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
