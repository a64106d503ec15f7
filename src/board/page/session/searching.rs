//! A session's searches: one at a time, for one purpose or another.

use std::time::Duration;

use super::{LINES_INTERVAL, Session};
use crate::page::allowance::Share;
use crate::page::backend::BackgroundEngine;
use crate::page::event::SearchListener;
use crate::page::game_tree::NodeId;
use crate::page::game_tree::Verdict;
use crate::page::reply::Reply;
use qirkat_analysis::casual::points_of;
use qirkat_engine::{SearchLimits, SearchLine, SearchResult};
use qirkat_game::Rules;
use qirkat_rules::variant::{AnyGame, AnyPosition};
use qirkat_system::host::Instant;
use qirkat_system::machine::cores;

/// How long an engine may have nothing to do. What it remembers of a game still helps a
/// person who thinks for some minutes.
const REST_AFTER: Duration = Duration::from_secs(5 * 60);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AnalysisSettings {
    pub lines: usize,
    /// A number that somebody has chosen.
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
    /// The engine's move.
    Reply,
    /// The engine's move, if a person makes the expected one.
    Ponder,
    /// A good move for a person.
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{Sender, channel};

    use serde_json::{Value, json};

    use super::*;
    use crate::page::backend::Backend;
    use crate::page::event::Event;
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
