//! A session's searches, one at a time: for the engine's move, an analysis, or the graph of a game.

use std::time::Duration;

use crate::page::backend::{BackgroundEngine, SearchListener, Share};
use crate::page::game_tree::{NodeId, ROOT, Verdict};
use crate::page::protocol::Reply;
use crate::page::session::{LINES_INTERVAL, Session};
use crate::page::shown::{Line, Lines};
use qirkat_analysis::casual::points_of;
use qirkat_engine::{SearchLimits, SearchLine, SearchResult};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::Rules;
use qirkat_rules::variant::{AnyGame, AnyPosition};
use qirkat_system::host::Instant;
use qirkat_system::machine::{cores, megabytes_of_memory};

/// How long an engine may have nothing to do. What it remembers of a game still helps a
/// person who thinks for some minutes.
const REST_AFTER: Duration = Duration::from_secs(5 * 60);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AnalysisSettings {
    pub lines: usize,
    pub threads: Option<usize>,
    pub hash: usize,
}

impl Default for AnalysisSettings {
    fn default() -> AnalysisSettings {
        AnalysisSettings { lines: 3, threads: None, hash: 32 }
    }
}

impl AnalysisSettings {
    /// The threads of a search that goes on and on: half of the cores where nobody has chosen,
    /// so that the machine stays usable.
    fn search_threads(self) -> usize {
        self.threads.unwrap_or((cores() / 2).max(1))
    }
}

/// An engine, and the share of threads and memory that it has.
pub(super) struct Thinker {
    engine: Box<dyn BackgroundEngine>,
    _share: Share,
}

impl Thinker {
    /// Tells a search that ponders that the expected move was made.
    pub(super) fn ponder_hit(&self) {
        self.engine.ponder_hit();
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Reply,
    /// The engine's move, if a person makes the expected one.
    Ponder,
    Hint,
    /// Lines at a node, until something else is wanted.
    Analysis(NodeId),
    /// The threat at a node: the best move of the other side if it had the move.
    Threat(NodeId),
    /// A short look at a node, for the graph.
    Sweep(NodeId),
}

pub(super) struct Search {
    number: u64,
    pub(super) purpose: Purpose,
    pub(super) position: AnyPosition,
    /// When it is given up, if it does not wait for ever.
    pub(super) ends: Option<Instant>,
}

impl Session {
    /// The engine for this game, made ready if there is none.
    fn engine(&mut self) -> Result<&mut dyn BackgroundEngine, String> {
        let thinker = match self.thinker.take() {
            Some(thinker) => thinker,
            None => {
                let (threads, hash) = (self.settings.search_threads(), self.settings.hash);
                let share = self.shared.allowance.take(threads, hash);
                let share = share.map_err(|error| error.to_string())?;
                let engine = self.shared.backend.engine(self.record.variant, threads, hash)?;
                Thinker { engine, _share: share }
            }
        };
        Ok(&mut *self.thinker.insert(thinker).engine)
    }

    /// Starts a search in place of the one that runs. `elo` holds it back.
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
        self.searches += 1;
        let number = self.searches;
        let listener = SearchListener::new(number, self.own_events.clone());
        let started = self.engine().and_then(|engine| engine.go(game, limits, elo, listener));
        match started {
            Ok(()) => {
                let position = *game.position();
                self.search = Some(Search { number, purpose, position, ends: None });
            }
            Err(text) => {
                self.analysing = false;
                self.sweep.clear();
                self.send(&Reply::Error { text });
            }
        }
    }

    /// Gives threads and memory of the engine back when nothing was searched for a while.
    pub(super) fn rest_if_idle(&mut self) {
        if self.search.is_some() || self.thinker.is_none() {
            self.rest_at = None;
            return;
        }
        let now = Instant::now();
        let due = self.rest_at.or_else(|| now.checked_add(REST_AFTER));
        self.rest_at = due.filter(|&due| due > now);
        if self.rest_at.is_none() {
            self.thinker = None;
        }
    }

    /// Stops the search that runs. What it still says is not heard.
    pub(super) fn stop_search(&mut self) {
        if let Some(thinker) = &mut self.thinker {
            thinker.engine.stop();
        }
        self.search = None;
        self.lines.clear();
        self.lines_due = None;
    }

    pub(super) fn take_line(&mut self, number: u64, line: SearchLine) {
        let Some(search) = self.search.as_ref().filter(|search| search.number == number) else {
            return;
        };
        let verdict = Verdict::of(&line, search.position.side_to_move());
        if let (1, Some(verdict)) = (line.rank, verdict)
            && let Purpose::Analysis(node) | Purpose::Sweep(node) = search.purpose
            && let Some(node) = self.record.tree.get_mut(node)
        {
            node.verdict = Some(verdict);
        }
        if line.rank == 1 && search.purpose == Purpose::Reply {
            self.last_score = Some(line.score);
        }
        self.lines.retain(|old| old.rank != line.rank);
        self.lines.push(line);
        self.lines_due.get_or_insert_with(|| Instant::now() + LINES_INTERVAL);
    }

    pub(super) fn take_result(&mut self, number: u64, result: &SearchResult) {
        let Some(search) = self.search.take_if(|search| search.number == number) else { return };
        match search.purpose {
            Purpose::Reply => {
                self.lines.clear();
                self.reply_found(result);
            }
            Purpose::Hint => self.hint_found(&search.position, result),
            Purpose::Analysis(_) | Purpose::Threat(_) | Purpose::Ponder => {
                self.search = Some(search);
            }
            Purpose::Sweep(node) => {
                self.send_verdict(node);
                self.sweep_on();
            }
        }
    }

    /// A search has broken down. Its engine is given up; a game can go on with another.
    pub(super) fn search_failed(&mut self, number: u64) {
        if self.search.take_if(|search| search.number == number).is_none() {
            return;
        }
        self.stop_search();
        self.thinker = None;
        self.analysing = false;
        self.threat = false;
        self.stop_sweep();
        self.send(&Reply::Error { text: "the engine has broken down and starts anew".to_owned() });
        self.pause(true);
        self.send_state();
    }

    fn hint_found(&mut self, position: &AnyPosition, result: &SearchResult) {
        self.lines.clear();
        if let Some(best) = result.best {
            self.send(&Reply::Hint { points: points_of(best).0, san: position.san(best) });
        }
    }
}

/// Lines of an analysis at most.
const MAX_LINES: usize = 10;
impl Session {
    /// Tells the lines of an analysis, but not more often than somebody can read.
    pub(super) fn send_lines_if_due(&mut self) {
        if self.lines_due.is_none_or(|due| due > Instant::now()) {
            return;
        }
        self.lines_due = None;
        let Some(search) = &self.search else { return };
        let (node, threat) = match search.purpose {
            Purpose::Analysis(node) => (node, false),
            Purpose::Threat(node) => (node, true),
            Purpose::Reply | Purpose::Ponder | Purpose::Hint | Purpose::Sweep(_) => return,
        };
        self.lines.sort_by_key(|line| line.rank);
        let Some(newest) = self.lines.iter().max_by_key(|line| line.nodes) else { return };
        let lines = Lines {
            node,
            threat,
            lines: self.lines.iter().map(|line| Line::of(line, &search.position)).collect(),
            nodes: newest.nodes,
            nps: newest.nodes_per_second(),
            hashfull: newest.hashfull,
            depth: [newest.depth.0.unsigned_abs(), newest.selective_depth.0],
            running: true,
        };
        self.send(&Reply::Lines(Box::new(lines)));
        if !threat {
            self.send_verdict(node);
        }
    }

    pub(super) fn analyse(&mut self, on: bool, threat: bool) {
        if on && self.record.is_being_played() {
            self.note("The game is still being played. End it to analyse.");
            return;
        }
        if on && self.is_reviewing() {
            return;
        }
        self.analysing = on;
        self.threat = on && threat;
        self.search_where_one_looks();
        self.send_state();
    }

    /// Searches the node that one looks at, if one analyses.
    pub(super) fn search_where_one_looks(&mut self) {
        self.stop_search();
        self.stop_sweep();
        if !self.analysing {
            return;
        }
        let node = self.record.current;
        let game = self.record.tree.game_at(node);
        if game.outcome().is_some() {
            return;
        }
        let lines = if self.threat { 1 } else { self.settings.lines };
        let limits = SearchLimits::infinite().with_multi_pv(lines);
        if self.threat {
            match game.position().passed() {
                Ok(position) => {
                    let game = AnyGame::from_position(position);
                    self.start_search(Purpose::Threat(node), &game, limits, None);
                }
                Err(why) => {
                    self.threat = false;
                    self.note(format!("Nothing can be threatened here: {why}."));
                    self.search_where_one_looks();
                }
            }
        } else {
            self.start_search(Purpose::Analysis(node), &game, limits, None);
        }
    }

    /// Searches with these settings from now on, within what the machine has.
    pub(super) fn set(&mut self, lines: usize, threads: usize, hash: usize) {
        let settings = AnalysisSettings {
            lines: lines.clamp(1, MAX_LINES),
            threads: Some(threads.clamp(1, cores())),
            hash: hash.clamp(1, most_megabytes()),
        };
        if settings == self.settings {
            return;
        }
        let other_lines = AnalysisSettings { lines: settings.lines, ..self.settings };
        let other_resources = other_lines != settings;
        self.settings = settings;
        let replying = self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Reply);
        if replying && !other_resources {
            return;
        }
        self.stop_search();
        if other_resources {
            self.thinker = None;
        }
        self.search_where_one_looks();
        self.go_on_playing();
    }

    /// Tells what each piece is worth where one looks, by the network.
    pub(super) fn send_values(&mut self, node: NodeId) {
        let Some(position) = self.record.tree.get(node).map(|node| node.position) else { return };
        let evaluation = AnyEvaluation::embedded(position.variant());
        match evaluation.piece_values(&position) {
            Some(values) => {
                let size = usize::from(position.variant().board_size());
                let values =
                    values.into_iter().map(|(point, value)| (point_name(point, size), value));
                self.send(&Reply::Values { node, values: values.collect() });
            }
            None => self.note("There is no network that could say so."),
        }
    }
}

/// The name of a point by its number, on a board with `size` points along a rank.
fn point_name(point: usize, size: usize) -> String {
    let file = char::from(b'a' + (point % size) as u8);
    format!("{file}{}", point / size + 1)
}

/// The part of the memory that one table may take.
const MEMORY_SHARE: usize = 8;

/// Megabytes that one table may have.
pub(super) fn most_megabytes() -> usize {
    (megabytes_of_memory() / MEMORY_SHARE).max(1)
}

/// Positions searched for each point of the graph.
const SWEEP_NODES: u64 = 60_000;

impl Session {
    /// Looks at every position of the main line for a moment.
    pub(super) fn begin_sweep(&mut self) {
        if self.record.is_being_played() {
            self.note("The game is still being played. End it to analyse.");
            return;
        }
        if self.is_reviewing() {
            return;
        }
        self.stop_search();
        self.analysing = false;
        self.threat = false;
        self.sweep = [ROOT].into_iter().chain(self.record.tree.main_line_from(ROOT)).collect();
        self.sweep_length = self.sweep.len();
        self.send_state();
        self.sweep_on();
    }

    pub(super) fn stop_sweep(&mut self) {
        self.sweep.clear();
        self.sweep_length = 0;
    }

    pub(super) fn sweep_on(&mut self) {
        while let Some(node) = self.sweep.pop_front() {
            let game = self.record.tree.game_at(node);
            if self.record.tree.get(node).is_some() && game.outcome().is_none() {
                let limits = SearchLimits::nodes(SWEEP_NODES);
                self.start_search(Purpose::Sweep(node), &game, limits, None);
                return;
            }
        }
        if self.sweep_length > 0 {
            self.stop_sweep();
            self.save();
            self.send_tree();
            self.send_state();
            self.note("Every position has been evaluated.");
        }
    }

    pub(super) fn send_verdict(&mut self, node: NodeId) {
        let verdict = self.record.tree.get(node).and_then(|node| node.verdict);
        let sweeping = self.sweep_length > 0;
        let progress = sweeping.then(|| [self.sweep_length - self.sweep.len(), self.sweep_length]);
        if let Some(verdict) = verdict {
            self.send(&Reply::Verdict { node, verdict, progress });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::mpsc::{Sender, channel};

    use serde_json::{Value, json};

    use crate::page::backend::{Backend, Event};
    use crate::page::review::ReviewTask;
    use crate::page::session::Shared;
    use crate::page::store::Store;
    use crate::page::store::tests::MemoryFiles;
    use qirkat_rules::variant::Variant;

    /// A backend that never finds anything.
    struct Idle;

    impl Backend for Idle {
        fn has_threads(&self) -> bool {
            false
        }

        fn engine(
            &self,
            _variant: Variant,
            _threads: usize,
            _megabytes: usize,
        ) -> Result<Box<dyn BackgroundEngine>, String> {
            Ok(Box::new(Silent(None)))
        }

        fn review(&self, _: ReviewTask, _: &Sender<Event>) -> Result<Box<dyn Send>, String> {
            Err("there are no reviews".to_owned())
        }
    }

    struct Silent(Option<SearchListener>);

    impl BackgroundEngine for Silent {
        fn go(
            &mut self,
            _game: &AnyGame,
            _limits: SearchLimits,
            _elo: Option<u32>,
            listener: SearchListener,
        ) -> Result<(), String> {
            self.0 = Some(listener);
            Ok(())
        }

        fn stop(&mut self) {
            if let Some(mut listener) = self.0.take() {
                listener.given_up();
            }
        }

        fn ponder_hit(&self) {}
    }

    #[test]
    fn an_engine_with_nothing_to_do_is_given_back() {
        let shared =
            Shared::new(Store::new(Arc::new(MemoryFiles::default())), Arc::new(Idle), None);
        let sent = Box::new(|_: String| true);
        let mut session = Session::new(shared, 1, channel(), sent);
        let ask = |session: &mut Session, request: Value| {
            session.handle(Event::Request(request.to_string(), Box::new(())));
            session.poll();
        };
        ask(&mut session, json!({"do": "analyse", "on": true}));
        session.rest_at = Some(Instant::now());
        session.poll();
        assert!(session.thinker.is_some(), "it searches");
        ask(&mut session, json!({"do": "analyse", "on": false}));
        assert!(session.thinker.is_some() && session.rest_at.is_some_and(|at| at > Instant::now()));
        session.rest_at = Some(Instant::now());
        session.poll();
        assert!(session.thinker.is_none() && session.rest_at.is_none());
    }
}
