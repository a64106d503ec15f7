//! A session's searches: one at a time, for one purpose or another.

use std::sync::mpsc::Sender;
use std::time::Instant;

use super::analysis_settings::AnalysisSettings;
use super::{Event, LINES_INTERVAL, Session};
use crate::casual::points_of;
use crate::engine::{Engine, SearchLimits, SearchLine, SearchListener, SearchResult};
use crate::evaluation::AnyEvaluation;
use crate::game::Rules;
use crate::variant::{AnyGame, AnyPosition};
use crate::web::allowance::Share;
use crate::web::game_tree::NodeId;
use crate::web::reply::Reply;
use crate::web::verdict::Verdict;

/// An engine, and the share of threads and memory that it has.
pub(super) struct Thinker {
    engine: Engine,
    _share: Share,
}

impl Thinker {
    /// Tells a search that ponders that the expected move was made.
    pub(super) fn ponder_hit(&self) {
        self.engine.ponder_hit();
    }
}

/// What a search is for.
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
    /// What the other side would do at a node, if it had the move.
    Threat(NodeId),
    /// A short look at a node, for the graph.
    Sweep(NodeId),
}

/// A search that runs.
pub(super) struct Search {
    number: u64,
    pub(super) purpose: Purpose,
    /// The position that is searched.
    pub(super) position: AnyPosition,
    /// When it is given up, if it does not wait for ever.
    pub(super) ends: Option<Instant>,
}

/// Tells a session what its search finds.
struct SessionListener {
    number: u64,
    events: Sender<Event>,
}

impl SearchListener for SessionListener {
    fn line(&mut self, line: &SearchLine) {
        // Nobody may be there any more.
        let _ = self.events.send(Event::Line(self.number, Box::new(line.clone())));
    }

    fn finished(&mut self, result: &SearchResult) {
        let _ = self.events.send(Event::Finished(self.number, Box::new(result.clone())));
    }
}

impl Session {
    /// The engine for this game, made ready if there is none.
    fn engine(&mut self) -> Result<&mut Engine, String> {
        if self.thinker.is_none() {
            let AnalysisSettings { threads, hash, .. } = self.settings;
            let share = self.shared.allowance.take(threads, hash);
            let share = share.map_err(|error| error.to_string())?;
            let mut engine = Engine::new().map_err(|error| error.to_string())?;
            if engine.variant() != self.record.variant {
                let evaluation = AnyEvaluation::embedded(self.record.variant);
                engine.set_evaluation(evaluation).map_err(|error| error.to_string())?;
            }
            engine.set_threads(threads).map_err(|error| error.to_string())?;
            engine.set_hash(hash).map_err(|error| error.to_string())?;
            self.thinker = Some(Thinker { engine, _share: share });
        }
        match &mut self.thinker {
            Some(thinker) => Ok(&mut thinker.engine),
            None => Err("there is no engine".to_owned()),
        }
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
        self.searches += 1;
        let number = self.searches;
        let listener = SessionListener { number, events: self.own_events.clone() };
        let started = self.engine().and_then(|engine| {
            let settings = engine.settings_mut();
            settings.limit_strength = elo.is_some();
            settings.elo = elo.unwrap_or(settings.elo);
            engine.go(game, limits, listener).map_err(|error| error.to_string())
        });
        match started {
            Ok(()) => {
                let position = *game.position();
                self.search = Some(Search { number, purpose, position, ends: None });
            }
            Err(text) => {
                self.analysing = false;
                self.sweep.clear();
                self.tell(&Reply::Error { text });
            }
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
                self.tell_verdict(node);
                self.sweep_on();
            }
        }
    }

    fn hint_found(&mut self, position: &AnyPosition, result: &SearchResult) {
        self.lines.clear();
        if let Some(best) = result.best {
            self.tell(&Reply::Hint { points: points_of(best).0, san: position.san(best) });
        }
    }
}
