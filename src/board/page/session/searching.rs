//! A session's searches, one at a time: for the engine's move, an analysis, or a game's graph.

use std::time::Duration;

use crate::page::backend::{BackgroundEngine, SearchReporter};
use crate::page::game_tree::{NodeId, ROOT, Verdict};
use crate::page::protocol::Reply;
use crate::page::session::{
    AnalysisSettings, EngineHandle, Purpose, Search, Session, most_megabytes,
};
use crate::page::shown::{Line, Lines};
use qirkat_analysis::casual::points_of;
use qirkat_engine::{SearchLimits, SearchLine, SearchResult};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::Rules;
use qirkat_rules::variant::{AnyGame, Place};
use qirkat_search::Bound;
use qirkat_system::host::Instant;
use qirkat_system::machine::cores;

const LINES_INTERVAL: Duration = Duration::from_millis(120);
const MAX_LINES: usize = 10;
/// Nodes searched for each point of the graph.
const SWEEP_NODES: u64 = 60_000;
/// How long an idle engine is kept: its hash table helps a person who thinks for minutes.
const RELEASE_AFTER: Duration = Duration::from_secs(5 * 60);

impl Session {
    fn engine(&mut self) -> Result<&mut dyn BackgroundEngine, String> {
        let handle = match self.searching.engine.take() {
            Some(handle) => handle,
            None => {
                let AnalysisSettings { threads, hash, .. } = self.searching.settings;
                // Half of the cores, so that the machine stays usable.
                let threads = threads.unwrap_or((cores() / 2).max(1));
                let share = self.shared.pool.take(threads, hash)?;
                let (backend, tables) = (&self.shared.backend, self.tables.clone());
                let engine = backend.engine(self.record.variant, threads, hash, tables)?;
                EngineHandle { engine, _share: share }
            }
        };
        Ok(&mut *self.searching.engine.insert(handle).engine)
    }

    pub(super) fn searches_for(&self, purpose: Purpose) -> bool {
        self.searching.search.as_ref().is_some_and(|search| search.purpose == purpose)
    }

    /// Starts a search, replacing any in progress. `elo` limits its strength.
    pub(super) fn start_search(
        &mut self,
        purpose: Purpose,
        game: &AnyGame,
        limits: SearchLimits,
        elo: Option<u32>,
    ) {
        self.stop_search();
        if elo.is_none() {
            self.fetch_certificate_if_needed();
        }
        self.searching.searches += 1;
        let number = self.searching.searches;
        let reporter = SearchReporter::new(number, self.own_events.clone());
        let started = self.engine().and_then(|engine| engine.go(game, limits, elo, reporter));
        match started {
            Ok(()) => {
                let position = *game.position();
                self.searching.search = Some(Search { number, purpose, position, ends: None });
            }
            Err(text) => {
                self.searching.analysing = false;
                self.stop_sweep();
                self.fail(text);
                // Not to let the engine's clock run: the user may go on later.
                if purpose == Purpose::EngineMove {
                    self.pause(true);
                }
            }
        }
    }

    /// Releases the engine's threads and memory when it has been idle for a while.
    pub(super) fn release_if_idle(&mut self) {
        if self.searching.search.is_some() || self.searching.engine.is_none() {
            self.searching.release_at = None;
            return;
        }
        let now = Instant::now();
        let due = self.searching.release_at.or_else(|| now.checked_add(RELEASE_AFTER));
        self.searching.release_at = due.filter(|&due| due > now);
        if self.searching.release_at.is_none() {
            self.searching.engine = None;
        }
    }

    /// Stops the search in progress and ignores its further events.
    pub(super) fn stop_search(&mut self) {
        if let Some(handle) = &mut self.searching.engine {
            handle.engine.stop();
        }
        self.searching.search = None;
        self.searching.lines.clear();
        self.searching.lines_due = None;
    }

    pub(super) fn take_line(&mut self, number: u64, line: SearchLine) {
        let Some(search) = self.searching.search.as_ref().filter(|it| it.number == number) else {
            return;
        };
        if (line.rank, line.bound) == (1, Bound::Exact)
            && let Purpose::Analysis(node) | Purpose::Sweep(node) = search.purpose
            && let Some(node) = self.record.tree.get_mut(node)
        {
            node.annotation.verdict = Some(Verdict::of(&line, search.position.side_to_move()));
        }
        if line.rank == 1 && search.purpose == Purpose::EngineMove {
            self.last_score = Some(line.score);
        }
        self.searching.lines.retain(|old| old.rank != line.rank);
        self.searching.lines.push(line);
        self.searching.lines_due.get_or_insert_with(|| Instant::now() + LINES_INTERVAL);
    }

    pub(super) fn take_result(&mut self, number: u64, result: &SearchResult) {
        let Some(search) = self.searching.search.take_if(|it| it.number == number) else { return };
        match search.purpose {
            Purpose::EngineMove => {
                self.searching.lines.clear();
                self.engine_move_found(result);
            }
            Purpose::Hint => {
                self.searching.lines.clear();
                if let Some(best) = result.best {
                    let san = search.position.san(best);
                    self.send(&Reply::Hint { points: points_of(best).0, san });
                }
            }
            // A finished analysis stays shown until it is stopped.
            Purpose::Analysis(_) | Purpose::Threat(_) | Purpose::Ponder => {
                self.searching.search = Some(search);
            }
            Purpose::Sweep(node) => {
                self.send_verdict(node);
                self.sweep_on();
            }
        }
    }

    /// A search has failed. Its engine is dropped; a game can continue with another.
    pub(super) fn search_failed(&mut self, number: u64) {
        if self.searching.search.take_if(|search| search.number == number).is_none() {
            return;
        }
        self.stop_searching();
        self.searching.engine = None;
        self.fail("the engine has crashed and was restarted");
        self.pause(true);
        self.send_state();
    }

    /// Sends an analysis's lines, but not faster than anyone can read.
    pub(super) fn send_lines_if_due(&mut self) {
        if self.searching.lines_due.is_none_or(|due| due > Instant::now()) {
            return;
        }
        self.searching.lines_due = None;
        let Some(search) = &self.searching.search else { return };
        let (node, threat) = match search.purpose {
            Purpose::Analysis(node) => (node, false),
            Purpose::Threat(node) => (node, true),
            Purpose::EngineMove | Purpose::Ponder | Purpose::Hint | Purpose::Sweep(_) => return,
        };
        self.searching.lines.sort_by_key(|line| line.rank);
        let Some(newest) = self.searching.lines.iter().max_by_key(|it| it.nodes) else { return };
        let shown = self.searching.lines.iter().map(|line| Line::of(line, &search.position));
        let lines = Lines {
            node,
            threat,
            lines: shown.collect(),
            nodes: newest.nodes,
            nps: newest.nodes_per_second(),
            hashfull: newest.hashfull,
            depth: [newest.depth.0.unsigned_abs(), newest.selective_depth.0],
        };
        self.send(&Reply::Lines(Box::new(lines)));
        if !threat {
            self.send_verdict(node);
        }
    }

    /// Whether an analysis may start; if not, tells the user why.
    fn may_analyse(&mut self) -> bool {
        let why_not = if self.record.is_being_played() {
            "The game is still being played. End it to analyse."
        } else if self.reviews.whole.is_some() {
            "The game is being reviewed. Stop the review to analyse."
        } else {
            return true;
        };
        self.note(why_not);
        false
    }

    pub(super) fn analyse(&mut self, on: bool, threat: bool) {
        // While a game is played there is none to end, and its search must go on.
        if on && !self.may_analyse() || !on && self.record.is_being_played() {
            return;
        }
        self.searching.analysing = on;
        self.searching.threat = on && threat;
        self.restart_analysis();
        self.send_state();
    }

    pub(super) fn restart_analysis(&mut self) {
        self.stop_search();
        self.stop_sweep();
        let node = self.record.current;
        let game = self.record.tree.game_at(node);
        if !self.searching.analysing || game.outcome().is_some() {
            return;
        }
        let lines = if self.searching.threat { 1 } else { self.searching.settings.lines };
        let limits = SearchLimits::infinite().with_multi_pv(lines);
        if self.searching.threat {
            match game.position().after_null_move() {
                Ok(position) => {
                    let game = AnyGame::from_position(position);
                    self.start_search(Purpose::Threat(node), &game, limits, None);
                }
                Err(why) => {
                    self.searching.threat = false;
                    self.note(format!("Nothing can be threatened here: {why}."));
                    self.restart_analysis();
                }
            }
        } else {
            self.start_search(Purpose::Analysis(node), &game, limits, None);
        }
    }

    /// Applies settings, within the machine's limits. An analysis begins anew, and so does the
    /// engine's move unless only the number of lines has changed; other searches end.
    pub(super) fn set_analysis(&mut self, lines: usize, threads: usize, hash: usize) {
        let settings = AnalysisSettings {
            lines: lines.clamp(1, MAX_LINES),
            threads: Some(threads.clamp(1, cores())),
            hash: hash.clamp(1, most_megabytes()),
        };
        let old = std::mem::replace(&mut self.searching.settings, settings);
        let other_resources = AnalysisSettings { lines: old.lines, ..settings } != old;
        if settings == old || self.searches_for(Purpose::EngineMove) && !other_resources {
            return;
        }
        let has_ended = self.searching.sweep_length > 0 || self.searches_for(Purpose::Ponder);
        let was_analysing = self.searching.analysing;
        self.stop_search();
        if other_resources {
            self.searching.engine = None;
        }
        self.restart_analysis();
        self.continue_play();
        // Not always: a page sends its settings before it has opened a game.
        if has_ended || was_analysing != self.searching.analysing {
            self.send_state();
        }
    }

    pub(super) fn send_values(&mut self, node: NodeId) {
        let Some(position) = self.record.tree.position(node) else { return };
        let variant = position.variant();
        let Some(values) = AnyEvaluation::embedded(variant).piece_values(&position) else {
            return self.note("This game has no network to value the pieces with.");
        };
        let named = |(point, value)| Some((Place::all(variant).nth(point)?.to_string(), value));
        let values = values.into_iter().filter_map(named).collect();
        self.send(&Reply::Values { node, values });
    }

    pub(super) fn begin_sweep(&mut self) {
        if !self.may_analyse() {
            return;
        }
        self.stop_searching();
        let main_line = self.record.tree.main_line_from(ROOT);
        self.searching.sweep = [ROOT].into_iter().chain(main_line).collect();
        self.searching.sweep_length = self.searching.sweep.len();
        self.send_state();
        self.sweep_on();
    }

    pub(super) fn stop_searching(&mut self) {
        self.stop_search();
        self.stop_sweep();
        self.searching.analysing = false;
        self.searching.threat = false;
    }

    pub(super) fn stop_sweep(&mut self) {
        self.searching.sweep.clear();
        self.searching.sweep_length = 0;
    }

    pub(super) fn sweep_on(&mut self) {
        while let Some(node) = self.searching.sweep.pop_front() {
            let game = self.record.tree.game_at(node);
            if self.record.tree.get(node).is_some() && game.outcome().is_none() {
                let limits = SearchLimits::nodes(SWEEP_NODES);
                self.start_search(Purpose::Sweep(node), &game, limits, None);
                return;
            }
        }
        self.stop_sweep();
        self.save();
        self.send_all();
        self.note("Every position has been evaluated.");
    }

    pub(super) fn send_verdict(&mut self, node: NodeId) {
        let verdict = self.record.tree.get(node).and_then(|node| node.annotation.verdict);
        let (all, left) = (self.searching.sweep_length, self.searching.sweep.len());
        let progress = (all > 0).then(|| [all - left, all]);
        if let Some(verdict) = verdict {
            self.send(&Reply::Verdict { node, verdict, progress });
        }
    }
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::channel;

    use super::*;
    use crate::page::backend::Event;
    use crate::page::session::Shared;
    use crate::page::store::Store;
    use crate::page::tests::MemoryFiles;
    use crate::server::threads::Threads;

    #[test]
    fn an_engine_with_nothing_to_do_is_given_back() {
        let store = Store::new(Arc::new(MemoryFiles::default()));
        let shared = Shared::new(store, Arc::new(Threads), None);
        let mut session = Session::new(shared, 1, channel(), Box::new(|_| true));
        let ask = |session: &mut Session, request: &str| {
            session.handle(Event::Request(request.to_owned(), Box::new(())));
            session.poll();
        };
        ask(&mut session, r#"{"do": "settings", "lines": 1, "threads": 1, "hash": 1}"#);
        ask(&mut session, r#"{"do": "analyse", "on": true}"#);
        session.searching.release_at = Some(Instant::now());
        session.poll();
        assert!(session.searching.engine.is_some(), "it searches");
        ask(&mut session, r#"{"do": "analyse", "on": false}"#);
        assert!(session.searching.engine.is_some());
        assert!(session.searching.release_at.is_some_and(|at| at > Instant::now()));
        session.searching.release_at = Some(Instant::now());
        session.poll();
        assert!(session.searching.engine.is_none() && session.searching.release_at.is_none());
    }
}
