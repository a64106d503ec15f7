//! Analysis where one looks: lines, threats, and what each piece is worth.

use super::Session;
use super::searching::{AnalysisSettings, Purpose};
use crate::page::game_tree::NodeId;
use crate::page::lines::{Line, Lines};
use crate::page::reply::Reply;
use qirkat_engine::SearchLimits;
use qirkat_evaluation::AnyEvaluation;
use qirkat_rules::variant::AnyGame;
use qirkat_system::host::Instant;
use qirkat_system::machine::{cores, megabytes_of_memory};

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

    /// Analyses where one looks, or stops.
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
