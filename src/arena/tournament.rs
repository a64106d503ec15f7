//! A tournament: many games, several at a time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use log::Level;
use parking_lot::{Condvar, Mutex};

use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};
use qirkat_tablebase::AllTables;

use crate::adjudication::AdjudicationRules;
use crate::engine_connection::EngineContext;
use crate::engine_player::{EnginePlayer, EngineSetup};
use crate::finished_game::{FinishedGame, PlayedMove};
use crate::info_line::{MoveReport, SearchInfo};
use crate::machine::{CoreShares, WakeupMonitor};
use crate::match_log::MatchLog;
use crate::openings::{OpeningBook, OpeningError};
use crate::outcomes::Outcomes;
use crate::play::{GameRules, MoveListener, PvCheck, play_game};
use crate::pv_check::PvComplaint;
use crate::schedule::ScheduledGame;
use crate::time_control::{GameClock, TimeControl};

#[derive(Clone, Debug)]
pub struct LiveGame {
    pub game: ScheduledGame,
    pub start: AnyPosition,
    /// The moves so far, the opening's first, without PVs.
    pub moves: Vec<PlayedMove>,
    /// White's and Black's remaining time; `None` before the first move or without a clock.
    pub clocks: [Option<Duration>; 2],
}

#[derive(Debug, Default)]
struct Games {
    by_number: BTreeMap<usize, LiveGame>,
    changes: u64,
}

/// The games in progress. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct LiveGames(Arc<Mutex<Games>>);

impl LiveGames {
    /// A counter of changes: while it is the same, so are the games.
    pub fn changes(&self) -> u64 {
        self.0.lock().changes
    }

    pub fn snapshot(&self) -> Vec<LiveGame> {
        self.0.lock().by_number.values().cloned().collect()
    }

    /// Removes a finished game; only after it was saved elsewhere, so that it is always shown.
    pub fn end(&self, number: usize) {
        let mut games = self.0.lock();
        games.by_number.remove(&number);
        games.changes += 1;
    }

    pub(super) fn begin(&self, game: &ScheduledGame, opening: &AnyGame) {
        let live = LiveGame {
            game: *game,
            start: *opening.start(),
            moves: PlayedMove::of_opening(opening),
            clocks: [None; 2],
        };
        let mut games = self.0.lock();
        games.by_number.insert(game.number, live);
        games.changes += 1;
    }

    pub(super) fn moved(
        &self,
        number: usize,
        mv: AnyMove,
        report: &MoveReport,
        clocks: [&GameClock; 2],
    ) {
        // A PV may be long.
        let info = SearchInfo { pv: String::new(), ..report.info.clone() };
        let report = Some(MoveReport { info, time: report.time });
        let mut games = self.0.lock();
        if let Some(game) = games.by_number.get_mut(&number) {
            game.moves.push(PlayedMove { mv, report });
            game.clocks = clocks.map(|clock| Some(clock.reading()?.remaining));
            games.changes += 1;
        }
    }
}

/// The file of games in progress, beside that of finished games.
pub fn live_file(games: &Path) -> PathBuf {
    games.with_added_extension("live")
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contestant {
    pub name: String,
    pub setup: EngineSetup,
    pub control: TimeControl,
}

pub struct Tournament {
    pub contestants: Vec<Contestant>,
    pub openings: OpeningBook,
    pub adjudication: AdjudicationRules,
    pub tablebases: Option<AllTables>,
    pub concurrency: usize,
    /// The pause between two games of a thread.
    pub wait: Duration,
    pub supervision: Supervision,
}

/// How games are watched: checks, cores, log and live display.
#[derive(Default)]
pub struct Supervision {
    pub pv_check: PvCheck,
    pub cores: CoreShares,
    pub log: MatchLog,
    pub wakeups: WakeupMonitor,
    /// Where games in progress are shown. A finished game stays there until [`LiveGames::end`].
    pub live: Option<LiveGames>,
}

/// Which games a tournament plays.
pub trait Pairings: Sync {
    /// All games known from these outcomes, in order. Called again whenever all known games have
    /// begun; when none is new and none is running, the tournament is over.
    fn games(&self, outcomes: &Outcomes) -> Vec<ScheduledGame>;

    /// Whether a game is still of interest with these outcomes. If not, it is not begun.
    fn is_needed(&self, game: &ScheduledGame, outcomes: &Outcomes) -> bool;
}

/// The games that are not yet begun, shared by the threads.
struct Waiting<'a> {
    pairings: &'a dyn Pairings,
    queue: VecDeque<ScheduledGame>,
    begun: BTreeSet<usize>,
    outcomes: Outcomes,
    /// How many outcomes there were when the games were asked for.
    asked: Option<usize>,
    running: usize,
}

impl Waiting<'_> {
    /// The next game; `Err` if there may be one after a running game.
    fn next(&mut self) -> Result<Option<ScheduledGame>, ()> {
        let known = self.outcomes.len();
        if self.queue.is_empty() && self.asked.replace(known) != Some(known) {
            self.queue.extend(self.pairings.games(&self.outcomes));
            self.queue.retain(|game| {
                !self.outcomes.has(game.number) && !self.begun.contains(&game.number)
            });
        }
        while let Some(game) = self.queue.pop_front() {
            if self.pairings.is_needed(&game, &self.outcomes) {
                self.begun.insert(game.number);
                self.running += 1;
                return Ok(Some(game));
            }
        }
        if self.running > 0 { Err(()) } else { Ok(None) }
    }
}

/// Sent by a game thread: a finished game, or why there are no more.
type Message = Result<(ScheduledGame, FinishedGame), OpeningError>;

impl Tournament {
    /// Plays the games in order, except those that have a result. `on_finished` is called for each
    /// finished game on the calling thread. When it returns false, or an opening fails, this sets
    /// `stop`; once `stop` is set, running games are aborted.
    pub fn run(
        &self,
        pairings: &dyn Pairings,
        outcomes: Outcomes,
        stop: &Arc<AtomicBool>,
        on_finished: &mut dyn FnMut(&ScheduledGame, &FinishedGame) -> bool,
    ) -> Result<(), OpeningError> {
        let (queue, begun) = Default::default();
        let waiting =
            Mutex::new(Waiting { pairings, queue, begun, outcomes, asked: None, running: 0 });
        let changed = Condvar::new();
        let (sender, messages) = mpsc::channel();
        let all_played = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for slot in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let waiting = (&waiting, &changed);
                scope.spawn(move || self.game_thread(waiting, slot, stop, &sender));
            }
            drop(sender);
            scope.spawn(|| self.supervision.wakeups.watch(&all_played));
            let mut result = Ok(());
            let mut is_ended = false;
            for message in messages {
                let continues = match message {
                    // Ended here, by a decision or an error: what comes later does not count. After
                    // an external stop, all finished games do.
                    _ if is_ended => false,
                    Ok((game, finished)) => on_finished(&game, &finished),
                    Err(error) => {
                        result = Err(error);
                        false
                    }
                };
                if !continues {
                    is_ended = true;
                    stop.store(true, Ordering::Relaxed);
                }
            }
            all_played.store(true, Ordering::Relaxed);
            result
        })
    }

    /// One thread: plays games until there are none left. Engines live as long as the thread.
    fn game_thread(
        &self,
        (waiting, changed): (&Mutex<Waiting<'_>>, &Condvar),
        slot: usize,
        stop: &Arc<AtomicBool>,
        sender: &mpsc::Sender<Message>,
    ) {
        let context = EngineContext {
            name: String::new(),
            log: self.supervision.log.clone(),
            cores: self.supervision.cores.of_game(slot),
            stop: Arc::clone(stop),
        };
        let mut players = BTreeMap::new();
        let mut is_first = true;
        while !stop.load(Ordering::Relaxed) {
            let mut locked = waiting.lock();
            let game = match locked.next() {
                Ok(Some(game)) => game,
                Ok(None) => return,
                Err(()) => {
                    changed.wait_for(&mut locked, POLL_INTERVAL);
                    continue;
                }
            };
            drop(locked);
            if !std::mem::take(&mut is_first) {
                pause(self.wait, stop);
            }
            let Some(finished) = self.play(&game, &mut players, &context).transpose() else {
                // It was aborted, as all others are.
                return;
            };
            let outcome = finished.as_ref().ok().map(|finished| finished.outcome(&game));
            // Sent before a game that depends on it can begin.
            if sender.send(finished.map(|finished| (game, finished))).is_err() {
                return;
            }
            let mut locked = waiting.lock();
            locked.running -= 1;
            if let Some(outcome) = outcome {
                locked.outcomes.add(outcome);
            }
            changed.notify_all();
        }
    }

    fn play(
        &self,
        game: &ScheduledGame,
        players: &mut BTreeMap<usize, EnginePlayer>,
        context: &EngineContext,
    ) -> Result<Option<FinishedGame>, OpeningError> {
        let opening = self.openings.opening(game.opening)?;
        let contestants = [game.white, game.black].map(|player| &self.contestants[player]);
        let live = self.supervision.live.as_ref();
        let show = |mv: AnyMove, report: &MoveReport, clocks: [&GameClock; 2]| {
            if let Some(live) = live {
                live.moved(game.number, mv, report, clocks);
            }
        };
        let rules = GameRules {
            opening: &opening,
            controls: contestants.map(|contestant| contestant.control),
            adjudication: self.adjudication,
            tablebases: self.tablebases.as_ref(),
            pv_check: self.supervision.pv_check,
            wakeups: Some(&self.supervision.wakeups),
            on_move: live.is_some().then_some(&show as &MoveListener<'_>),
            stop: &context.stop,
        };
        if let Some(live) = live {
            live.begin(game, &opening);
        }
        let [white, black] = contestants.map(|contestant| contestant.name.as_str());
        let title = format!("game {} ({white} vs {black})", game.number + 1);
        context.log.line(Level::Info, format_args!("{title} begins"));
        let mut player_of = |number: usize| {
            let contestant = &self.contestants[number];
            players.remove(&number).unwrap_or_else(|| {
                let context = EngineContext { name: contestant.name.clone(), ..context.clone() };
                EnginePlayer::new(contestant.setup.clone(), context)
            })
        };
        let (mut white, mut black) = (player_of(game.white), player_of(game.black));
        let finished = play_game([&mut white, &mut black], &rules);
        players.insert(game.white, white);
        players.insert(game.black, black);
        match &finished {
            Some(finished) => self.log_end(&title, contestants, finished),
            None => {
                if let Some(live) = live {
                    live.end(game.number);
                }
                context.log.line(Level::Info, format_args!("{title} was aborted"));
            }
        }
        Ok(finished)
    }

    fn log_end(&self, title: &str, contestants: [&Contestant; 2], finished: &FinishedGame) {
        let log = |level, text: fmt::Arguments<'_>| self.supervision.log.line(level, text);
        for (stats, Contestant { name, .. }) in finished.stats.iter().zip(contestants) {
            if let Some(fault) = &stats.restarted {
                log(Level::Warn, format_args!("before {title}: {name} {fault}"));
            }
            for PvComplaint { fault, what, line, fen } in &stats.examples {
                log(Level::Warn, format_args!("{title}: {name}: {fault}: {what} in {fen}: {line}"));
            }
        }
        if let Some(fault) = &finished.fault {
            let name = &contestants[fault.loser.index()].name;
            let [late, waited] =
                [fault.arbiter_late, fault.waited].map(|time| time.as_secs_f64() * 1e3);
            log(
                Level::Warn,
                format_args!(
                    "{title}: {name} {} (meanwhile the arbiter was late by up to {late:.1} ms, and \
                     {name} waited {waited:.1} ms for a core)",
                    fault.fault
                ),
            );
        }
        let (result, reason) = (finished.result.text(), &finished.reason);
        log(Level::Info, format_args!("{title} ends: {result} {{{reason}}}"));
    }
}

const POLL_INTERVAL: Duration = Duration::from_millis(20);

fn pause(time: Duration, stop: &AtomicBool) {
    let end = Instant::now() + time;
    while !stop.load(Ordering::Relaxed) {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(POLL_INTERVAL));
    }
}

#[cfg(test)]
mod tests {
    use qirkat_game::Rules;
    use qirkat_rules::variant::Variant;

    use super::*;
    use crate::schedule::TournamentKind;
    use crate::schedule::tests::schedule;

    #[test]
    fn a_game_is_shown_from_its_opening_until_it_is_put_away() {
        let start = Variant::default().start();
        let moves = start.legal_moves();
        let mut opening = AnyGame::from_position(start);
        opening.play(moves[0]);
        let games = schedule(2, TournamentKind::RoundRobin, 1, 8).games(&Outcomes::default());
        let scheduled = games[7];
        let live = LiveGames::default();
        let before = live.changes();
        live.begin(&scheduled, &opening);
        assert_ne!(live.changes(), before);
        let info = SearchInfo { nodes: Some(5), pv: "e2e4".to_owned(), ..SearchInfo::default() };
        let report = MoveReport { info, time: Duration::from_millis(3) };
        let clock = "10+0.1".parse().ok();
        let clocked = GameClock::new(TimeControl { clock, ..TimeControl::default() });
        let unbounded = GameClock::new(TimeControl::default());
        live.moved(7, moves[1], &report, [&clocked, &unbounded]);
        // A game that nobody has begun.
        live.moved(8, moves[1], &report, [&clocked, &unbounded]);
        let games = live.snapshot();
        let [game] = games.as_slice() else { panic!("{games:?}") };
        assert_eq!(game.game, scheduled);
        let played: Vec<_> = game.moves.iter().map(|played| played.mv).collect();
        assert_eq!(played, moves[..2]);
        assert_eq!(game.clocks, [Some(Duration::from_secs(10)), None]);
        let last = game.moves[1].report.as_ref().expect("a report");
        assert_eq!((last.info.nodes, last.info.pv.as_str()), (Some(5), ""));
        let seen = live.changes();
        live.end(7);
        assert_ne!(live.changes(), seen);
        assert!(live.snapshot().is_empty());
    }
}
