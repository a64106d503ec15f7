//! A short look at every position of a game, for the graph.

use super::Session;
use super::searching::Purpose;
use crate::page::game_tree::{NodeId, ROOT};
use crate::page::reply::Reply;
use qirkat_engine::SearchLimits;

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
