//! The engine's searches: its own move, pondering on the expected reply, analysis.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::cecp_player::{Player, Role};
use super::engine_task::{SearchProgress, Task, ThinkingWriter};
use crate::{SearchLimits, SearchResult};
use qirkat_game::Rules;
use qirkat_rules::chesquerque::{Game, Position};
use qirkat_rules::variant::{AnyMove, AnyPosition, Member};
use qirkat_search::TimeBudget;

impl Player {
    /// Restarts the analysis in analyse mode.
    pub(super) fn think_on(&mut self) {
        if self.role == Role::Analyses && self.game.position().has_legal_moves() {
            let mut limits = self.limits(TimeBudget::default());
            limits.infinite = true;
            limits.depth = None;
            let game = self.game.clone();
            self.search(Task::Analysing, &game, limits);
        }
    }

    /// Thinks about its own move, or claims what the game has come to.
    pub(super) fn think(&mut self) {
        self.on_move_since = Instant::now();
        if self.claim() {
            return;
        }
        let budget = self.clock.budget(self.engine.settings.move_overhead);
        let limits = self.limits(budget);
        let game = self.game.clone();
        self.search(Task::Thinking, &game, limits);
    }

    /// Thinks on the opponent's time about the reply that is expected.
    pub(super) fn ponder(&mut self) {
        let expected = self.expected.filter(|&mv| self.game.position().is_legal(mv));
        let Some(mv) = expected.filter(|_| self.ponders) else { return };
        let mut game = self.game.clone();
        game.play(mv);
        if game.outcome().is_some() {
            return;
        }
        let budget = self.clock.budget(self.engine.settings.move_overhead);
        let mut limits = self.limits(budget);
        limits.ponder = true;
        if self.shown.load(Ordering::Relaxed) {
            self.output.line(&format!("Hint: {mv}"));
        }
        self.search(Task::Pondering(mv), &game, limits);
    }

    pub(super) fn limits(&self, time: TimeBudget) -> SearchLimits {
        let mut limits = SearchLimits::time(time).with_multi_pv(self.engine.settings.multi_pv);
        limits.depth = self.depth;
        limits.hurry_single_reply = true;
        limits
    }

    /// The only moves to search; all when none is excluded.
    fn search_moves(&self) -> Vec<AnyMove> {
        if self.excluded.is_empty() {
            return Vec::new();
        }
        let legal = self.game.position().legal_moves();
        legal.into_iter().filter(|mv| !self.excluded.contains(mv)).map(AnyMove::from).collect()
    }

    pub(super) fn search(&mut self, task: Task, game: &Game, limits: SearchLimits) {
        self.searches += 1;
        self.progress = SearchProgress::default();
        let writer = ThinkingWriter {
            output: self.output.clone(),
            shown: (task != Task::Hinting).then(|| Arc::clone(&self.shown)),
            progress: self.progress.clone(),
            events: self.events.clone(),
            number: self.searches,
        };
        self.task = task;
        let search_moves = self.search_moves();
        if let Err(error) = self.engine.go(&Position::any_state(game), search_moves, limits, writer)
        {
            log::error!("{error}");
            self.finish(SearchResult::unsearched(&AnyPosition::from(*game.position())));
        }
    }

    /// A search has ended on its own.
    pub fn search_ended(&mut self, number: u64) {
        if number == self.searches && self.task != Task::Nothing {
            self.take_result();
        }
    }

    /// `?`: moves at once with what has been found.
    pub fn move_now(&mut self) {
        if self.is_thinking() {
            self.engine.stop();
            self.take_result();
        }
    }

    fn take_result(&mut self) {
        self.engine.wait();
        let result = self.progress.reported().result.take();
        if let Some(result) = result {
            self.finish(result);
        }
    }

    /// Does what the search was for.
    fn finish(&mut self, result: SearchResult) {
        let task = std::mem::replace(&mut self.task, Task::Nothing);
        match (task, result.best.and_then(Position::own_move)) {
            (Task::Thinking, Some(mv)) => self.make_move(mv, &result),
            (Task::Hinting, Some(mv)) => self.output.line(&format!("Hint: {mv}")),
            _ => {}
        }
    }
}
