//! What a session searches for: replies, hints, analysis, and a look at every
//! position of a game.

use std::sync::mpsc::Sender;
use std::time::Instant;

use super::{Event, LINES_INTERVAL, Session};
use crate::engine::{Engine, SearchLimits, SearchLine, SearchListener, SearchResult};
use crate::evaluation::AnyEvaluation;
use crate::game::Rules;
use crate::machine::{MEGABYTES_OF_MEMORY, cores};
use crate::variant::{AnyGame, AnyPosition};
use crate::web::allowance::Share;
use crate::web::game_tree::{NodeId, ROOT};
use crate::web::reply::{Line, Lines, Reply, points_of};
use crate::web::verdict::Verdict;

/// An engine, and the share of threads and memory that it has.
pub(super) struct Thinker {
    engine: Engine,
    _share: Share,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// The engine's move.
    Reply,
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
    position: AnyPosition,
}

/// How a position is analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AnalysisSettings {
    lines: usize,
    threads: usize,
    hash: usize,
}

impl Default for AnalysisSettings {
    /// Half of the cores, so that the machine stays usable.
    fn default() -> AnalysisSettings {
        AnalysisSettings { lines: 3, threads: (cores() / 2).max(1), hash: 32 }
    }
}

/// Lines of an analysis at most.
const MAX_LINES: usize = 10;
/// The part of the memory that one table may take.
const MEMORY_SHARE: usize = 8;
/// Positions searched for each point of the graph.
const SWEEP_NODES: u64 = 60_000;

/// Megabytes that one table may have.
pub(super) fn most_megabytes() -> usize {
    (*MEGABYTES_OF_MEMORY / MEMORY_SHARE).max(1)
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
            Ok(()) => self.search = Some(Search { number, purpose, position: *game.position() }),
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
                self.reply_found(result.best);
            }
            Purpose::Hint => self.hint_found(&search.position, result),
            Purpose::Analysis(_) | Purpose::Threat(_) => self.search = Some(search),
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

    /// Tells the lines of an analysis, but not more often than somebody can read.
    pub(super) fn tell_lines_if_due(&mut self) {
        if self.lines_due.is_none_or(|due| due > Instant::now()) {
            return;
        }
        self.lines_due = None;
        let Some(search) = &self.search else { return };
        let (node, threat) = match search.purpose {
            Purpose::Analysis(node) => (node, false),
            Purpose::Threat(node) => (node, true),
            Purpose::Reply | Purpose::Hint | Purpose::Sweep(_) => return,
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
        self.tell(&Reply::Lines(Box::new(lines)));
        if !threat {
            self.tell_verdict(node);
        }
    }

    fn tell_verdict(&mut self, node: NodeId) {
        let verdict = self.record.tree.get(node).and_then(|node| node.verdict);
        let sweeping = self.sweep_length > 0;
        let progress = sweeping.then(|| [self.sweep_length - self.sweep.len(), self.sweep_length]);
        if let Some(verdict) = verdict {
            self.tell(&Reply::Verdict { node, verdict, progress });
        }
    }

    /// Analyses where one looks, or stops.
    pub(super) fn analyse(&mut self, on: bool, threat: bool) {
        if on && self.play().is_some_and(|play| play.is_running()) {
            self.note("The game is still being played. End it to analyse.");
            return;
        }
        self.stop_sweep();
        self.analysing = on;
        self.threat = on && threat;
        self.search_where_one_looks();
        self.tell_state();
    }

    /// Searches the node that one looks at, if one analyses.
    pub(super) fn search_where_one_looks(&mut self) {
        self.stop_search();
        if !self.analysing {
            return;
        }
        let node = self.record.current;
        let game = self.record.tree.game_at(node);
        if game.outcome().is_some() {
            return;
        }
        let limits = SearchLimits {
            multi_pv: if self.threat { 1 } else { self.settings.lines },
            infinite: true,
            ..SearchLimits::default()
        };
        if self.threat {
            match passed(game.position()) {
                Some(position) => {
                    let game = AnyGame::from_position(position);
                    self.start_search(Purpose::Threat(node), &game, limits, None);
                }
                None => {
                    self.threat = false;
                    self.note("Nothing can be threatened here: a check must be answered.");
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
            threads: threads.clamp(1, cores()),
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

    /// Looks at every position of the main line for a moment.
    pub(super) fn begin_sweep(&mut self) {
        if self.play().is_some_and(|play| play.is_running()) {
            self.note("The game is still being played. End it to analyse.");
            return;
        }
        self.stop_search();
        self.analysing = false;
        self.sweep = [ROOT].into_iter().chain(self.record.tree.main_line_from(ROOT)).collect();
        self.sweep_length = self.sweep.len();
        self.tell_state();
        self.sweep_on();
    }

    fn stop_sweep(&mut self) {
        self.sweep.clear();
        self.sweep_length = 0;
    }

    fn sweep_on(&mut self) {
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
            self.tell_tree();
            self.note("Every position has been evaluated.");
        }
    }
}

/// The position with the other side to move, if it is one: by its FEN without
/// what belongs to the last move.
fn passed(position: &AnyPosition) -> Option<AnyPosition> {
    let fen = position.fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let other = if *fields.get(1)? == "w" { "b" } else { "w" };
    *fields.get_mut(1)? = other;
    // En passant in chess; in Alquerque both are steps that must not be taken back.
    *fields.get_mut(3)? = "-";
    if position.king_to_move().is_none() {
        *fields.get_mut(2)? = "-";
    }
    let parsed = position.variant().read_fen(&fields.join(" ")).ok()?;
    parsed.position.has_legal_moves().then_some(parsed.position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::Variant;

    #[test]
    fn passing_gives_the_move_to_the_other_side_unless_in_check() {
        for variant in Variant::ALL {
            let start = variant.start();
            let passed = passed(&start).expect("nobody is in check");
            assert_eq!(passed.side_to_move(), !start.side_to_move());
            assert_eq!(passed.fen().split(' ').next(), start.fen().split(' ').next());
        }
        let check = "4k4/9/9/9/9/9/9/9/r3K4 w - - 0 1";
        let position = Variant::Chesquerque.read_fen(check).expect("a position").position;
        assert_eq!(passed(&position), None);
    }
}
