//! Checks the engines before the first game and reports the health of a match: engine faults that
//! did not lose games, and the machine's timing.

use std::collections::BTreeMap;
use std::iter::once;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use super::contestants::VARIANT_OPTION;
use crate::shared::exit_status::Interrupted;
use crate::shared::terminal::print_message;
use qirkat_arena::{
    Contestant, EngineContext, EngineExit, EngineFault, EngineSetup, FinishedGame, GameFault,
    PlayerStats, PreflightError, PreflightReport, PvComplaint, PvFault, ScheduledGame, Tournament,
};
use qirkat_game::text::one_line;
use qirkat_rules::variant::Variant;

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct MatchHealth {
    pub games: u64,
    engines: Vec<EngineHealth>,
    /// Number of the arbiter's measured delays, from an answer to the next `go`.
    pub arbiter_moves: u64,
    pub arbiter_total_ms: f64,
    pub arbiter_worst_ms: f64,
    /// The longest delay in waking the arbiter.
    pub worst_delay_ms: f64,
    /// Losses on time that a less busy machine might have avoided.
    pub time_losses_while_busy: u64,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct EngineHealth {
    pub name: String,
    pub id: Option<String>,
    /// What it told its user during setup.
    pub said: Vec<String>,
    /// Settings that did not fit but were forced.
    pub forced: Vec<String>,
    /// How often it was restarted because of a fault after a game, such as having exited.
    pub ended_between_games: u64,
    /// Faulty principal variations by kind.
    pub line_faults: BTreeMap<PvFault, u64>,
    /// The most by which it exceeded its time.
    pub worst_overshoot_ms: f64,
    /// The largest part of its remaining time spent on one move.
    pub largest_share: f64,
    /// The longest that it waited for a core.
    pub longest_wait_ms: f64,
    /// Number of lines shown, by kind of fault.
    #[serde(skip)]
    shown: BTreeMap<PvFault, u32>,
    /// Consecutive games lost before its first move because it did not run.
    #[serde(skip)]
    dead_in_a_row: u32,
}

/// Limit of consecutive games lost because an engine does not start or exits before its first move.
const MAX_DEAD_GAMES: u32 = 3;
const SHOWN_OF_A_KIND: u32 = 3;

impl MatchHealth {
    pub fn new(contestants: &[Contestant], preflights: &[PreflightReport]) -> MatchHealth {
        let engine = |(contestant, preflight): (&Contestant, &PreflightReport)| EngineHealth {
            name: contestant.name.clone(),
            id: preflight.name.clone(),
            said: preflight.output.clone(),
            forced: preflight.problems.clone(),
            ..EngineHealth::default()
        };
        MatchHealth {
            engines: contestants.iter().zip(preflights).map(engine).collect(),
            ..MatchHealth::default()
        }
    }

    /// Returns warnings, one per line.
    pub fn add(&mut self, game: &ScheduledGame, finished: &FinishedGame) -> Vec<String> {
        let fault = finished.fault.as_ref();
        self.merge(MatchHealth {
            games: 1,
            arbiter_moves: finished.overhead.count,
            arbiter_total_ms: milliseconds(finished.overhead.total),
            arbiter_worst_ms: milliseconds(finished.overhead.worst),
            time_losses_while_busy: fault.is_some_and(GameFault::may_be_machine_fault).into(),
            ..MatchHealth::default()
        });
        let mut warnings = Vec::new();
        for (number, stats) in [game.white, game.black].into_iter().zip(&finished.stats) {
            if let Some(engine) = self.engines.get_mut(number) {
                engine.add(game.number + 1, stats, &mut warnings);
            }
        }
        if let Some(fault) = fault {
            let loser = [game.white, game.black][fault.loser.index()];
            let is_dead = matches!(
                fault.fault,
                EngineFault::NoStart(_)
                    | EngineFault::Crashed(_)
                    | EngineFault::NotReady { .. }
                    | EngineFault::InputUnread
            );
            if let Some(engine) = self.engines.get_mut(loser)
                && fault.before_first_move
                && is_dead
            {
                engine.dead_in_a_row += 1;
            }
        }
        warnings
    }

    /// Why the match ends early, if an engine no longer plays.
    pub fn reason_to_stop(&self) -> Option<String> {
        let dead = self.engines.iter().find(|engine| engine.dead_in_a_row >= MAX_DEAD_GAMES)?;
        Some(format!(
            "engine {} lost {MAX_DEAD_GAMES} games in a row without a move, so the match ends",
            dead.name
        ))
    }

    pub fn merge(&mut self, other: MatchHealth) {
        add(&mut self.games, other.games);
        add(&mut self.arbiter_moves, other.arbiter_moves);
        self.arbiter_total_ms += other.arbiter_total_ms;
        self.arbiter_worst_ms = self.arbiter_worst_ms.max(other.arbiter_worst_ms);
        self.worst_delay_ms = self.worst_delay_ms.max(other.worst_delay_ms);
        add(&mut self.time_losses_while_busy, other.time_losses_while_busy);
        for (engine, other) in self.engines.iter_mut().zip(other.engines) {
            engine.merge(other);
        }
    }

    /// The problems: forced options, faulty lines, a busy machine. Empty if there are none.
    pub fn problems(&self) -> String {
        let mut lines = Vec::new();
        for engine in &self.engines {
            let EngineHealth { name, ended_between_games: count, .. } = engine;
            let forced = engine.forced.iter();
            lines.extend(forced.map(|text| format!("Forced on {name}: {}\n", printable(text))));
            if *count > 0 {
                lines.push(format!(
                    "Restarted after a fault between games: {name}, {count} times\n"
                ));
            }
            if !engine.line_faults.is_empty() {
                let faults = engine.line_faults.iter();
                let faults = faults.map(|(fault, count)| format!("{fault} {count}"));
                let faults = faults.collect::<Vec<_>>().join(", ");
                lines.push(format!("Faulty lines of {name}: {faults}\n"));
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

/// Values from a file may be arbitrarily large.
fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

impl EngineHealth {
    fn merge(&mut self, other: EngineHealth) {
        for (fault, count) in other.line_faults {
            add(self.line_faults.entry(fault).or_default(), count);
        }
        self.worst_overshoot_ms = self.worst_overshoot_ms.max(other.worst_overshoot_ms);
        self.longest_wait_ms = self.longest_wait_ms.max(other.longest_wait_ms);
        self.largest_share = self.largest_share.max(other.largest_share);
        add(&mut self.ended_between_games, other.ended_between_games);
        if self.said.is_empty() {
            self.said = other.said;
        }
        let known = self.forced.clone();
        self.forced.extend(other.forced.into_iter().filter(|one| !known.contains(one)));
    }

    fn add(&mut self, game: usize, stats: &PlayerStats, warnings: &mut Vec<String>) {
        if stats.moves > 0 {
            self.dead_in_a_row = 0;
        }
        self.merge(EngineHealth {
            line_faults: stats.pv_faults.clone(),
            worst_overshoot_ms: milliseconds(stats.worst_overshoot),
            longest_wait_ms: milliseconds(stats.longest_wait),
            largest_share: stats.largest_share,
            ended_between_games: stats.restarted.is_some().into(),
            ..EngineHealth::default()
        });
        if let Some(fault) = &stats.restarted
            && self.ended_between_games <= u64::from(SHOWN_OF_A_KIND)
        {
            warnings.push(format!("Warning: before game {game}: {} {fault}", self.name));
        }
        for PvComplaint { fault, what, line, fen } in &stats.examples {
            let shown = self.shown.entry(*fault).or_default();
            if *shown < SHOWN_OF_A_KIND {
                *shown += 1;
                let more = if *shown == SHOWN_OF_A_KIND { " (more are only counted)" } else { "" };
                let [what, line] = [what, line].map(|text| printable(text));
                warnings.push(format!(
                    "Warning: game {game}: {}: line with {fault}: {what}{more}; Position: {fen}; \
                     Line: {line}",
                    self.name
                ));
            }
        }
    }
}

fn milliseconds(time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

const SHOWN: usize = 10;
const LONGEST_TEXT: usize = 1000;

/// Checks all engines in order. Fails if an engine cannot play, or if a setting does not fit and
/// `force` is not given.
pub(super) fn preflight_all(
    tournament: &Tournament,
    variant: Variant,
    force: bool,
    stop: &Arc<AtomicBool>,
) -> Result<Vec<PreflightReport>> {
    let (mut preflights, mut problems) = (Vec::new(), Vec::new());
    // Not every engine can be given a position.
    let opening = match tournament.openings.count() {
        Some(_) => tournament.openings.opening(0)?,
        None => variant.new_game(),
    };
    for contestant in &tournament.contestants {
        let context = EngineContext {
            name: contestant.name.clone(),
            log: tournament.supervision.log.clone(),
            stop: Arc::clone(stop),
            ..EngineContext::default()
        };
        let checked = qirkat_arena::preflight(&contestant.setup, &opening, &context, force)
            .map_err(|error| preflight_error(contestant, &error))?;
        show(contestant, &checked);
        let named = |problem| format!("engine {}: {problem}", contestant.name);
        problems.extend(checked.problems.iter().map(named));
        preflights.push(checked);
    }
    // The last problem is returned as the error, so that each is shown once.
    let last = if force { None } else { problems.pop() };
    for problem in &problems {
        print_message(format_args!("{problem}{}", if force { " (played anyway)" } else { "" }));
    }
    match last {
        Some(last) => bail!("{last} (nothing is played; -force plays anyway)"),
        None => Ok(preflights),
    }
}

/// Prints an engine's messages, except problems reported elsewhere and expected ones.
fn show(contestant: &Contestant, checked: &PreflightReport) {
    let name = &contestant.name;
    let variant = variant_of(&contestant.setup);
    let is_problem =
        |text: &&String| checked.problems.iter().any(|problem| problem.ends_with(*text));
    let is_expected = |text: &&String| variant.is_some_and(|name| describes_variant(text, name));
    let said: Vec<&String> =
        checked.output.iter().filter(|text| !is_problem(text) && !is_expected(text)).collect();
    for text in said.iter().take(SHOWN) {
        print_message(format_args!("engine {name} says: {}", printable(text)));
    }
    if said.len() > SHOWN {
        print_message(format_args!("engine {name} says {} more lines", said.len() - SHOWN));
    }
}

fn variant_of(setup: &EngineSetup) -> Option<&str> {
    let is_variant = |(name, _): &&(String, _)| name.eq_ignore_ascii_case(VARIANT_OPTION);
    setup.options.iter().find(is_variant)?.1.as_deref()
}

/// Whether this describes the variant's board, as engines do when it is set: `variant masonic files
/// 8 ranks 8 ...`.
fn describes_variant(text: &str, variant: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    words.next() == Some("variant") && words.next() == Some(variant)
}

fn preflight_error(contestant: &Contestant, error: &PreflightError) -> anyhow::Error {
    if error.fault == EngineFault::Aborted {
        return Interrupted("interrupted before the first game".to_owned()).into();
    }
    let name = &contestant.name;
    for text in error.output.iter().take(SHOWN) {
        print_message(format_args!("engine {name} says: {}", printable(text)));
    }
    print_engine_stderr(&format!("engine {name}"), &error.fault);
    match &error.fault {
        EngineFault::NoStart(_) => anyhow!("engine {name}: {}", error.fault),
        fault => anyhow!("engine {name}: {fault} (last command: {})", error.command),
    }
}

/// Shows an engine's last lines before it exited, if there were several: a single one is in the
/// reason.
pub(super) fn print_engine_stderr(who: &str, fault: &EngineFault) {
    let EngineFault::Crashed(EngineExit { errors, .. }) = fault else { return };
    if errors.len() > 1 {
        for line in errors {
            print_message(format_args!("{who} on standard error: {line}"));
        }
    }
}

fn printable(text: &str) -> String {
    one_line(text, LONGEST_TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_description_of_the_variant_asked_for_is_expected() {
        for (text, expected) in [
            ("variant masonic files 8 ranks 8 pocket 0 template fairy startpos x", true),
            ("variant masonic", true),
            ("variant chess files 8 ranks 8", false),
            ("masonic variant", false),
            ("variant", false),
        ] {
            assert_eq!(describes_variant(text, "masonic"), expected, "{text}");
        }
    }
}
