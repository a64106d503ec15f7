//! Depth-first proof-number search: the position nearest to being decided comes first (A. Nagai,
//! "Df-pn algorithm for searching AND/OR trees and its applications", 2002).

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::{ProofNumbers, ProofTable};
use qirkat_game::{Color, DRAWING_PLIES, MoveFilter, Rules};
use qirkat_rules::alquerque::Position;
use qirkat_system::parallel;
use qirkat_tablebase::alquerque::DistanceTables;
use thiserror::Error;

use crate::solver::node::{Node, PlayedPositions, Won, WonPositions};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ProverError {
    #[error("stopped")]
    Stopped,
    #[error("the proof takes more than {0} MB of memory")]
    Memory(usize),
}

/// Proves that one side wins.
///
/// The plies since the last jump or step forward are part of a position's identity. They only grow
/// until the next such move, after which no earlier position can recur. So no path repeats a
/// position, and results hold whatever came before: they do not depend on repetition (A. Kishimoto,
/// M. Müller, "A general solution to the graph history interaction problem", 2004, describe what
/// happens otherwise).
pub struct Prover<'a> {
    pub(crate) tables: &'a DistanceTables,
    winner: Color,
    pub(super) history: PlayedPositions,
    pub(crate) won: WonPositions,
    /// Wins at nodes where the game's history counts, by the keys of these nodes: from there a win
    /// in `won` might pass through a position that the game has repeated.
    won_in_this_run: WonPositions,
    pub(crate) numbers: ProofTable,
    /// How many threads are searching a position now, by part of its key.
    visits: Box<[AtomicU8]>,
    /// Threads of the current pool. Results are as sound with any number, but proofs may differ.
    pub(super) threads: usize,
    megabytes: usize,
    nodes: AtomicU64,
    nodes_at_last_win: AtomicU64,
}

const VISITS: usize = 1 << 16;
/// The table of numbers takes this fraction of memory, a half; won positions take the rest.
const NUMBERS_MEMORY_DIVISOR: usize = 2;
/// Bytes of a won position, including the hash map's spare room.
const BYTES_PER_WON: usize = 40;
const BYTES_PER_MEGABYTE: usize = 1 << 20;
/// Nodes of a thread between calls of `on_nodes`.
const NODES_BETWEEN_CHECKS: u64 = 1 << 12;
/// After this many nodes without a new win, per entry of the table of numbers, the table is assumed
/// to be too small for the search.
const MAX_NODES_PER_ENTRY: u64 = 64;
/// The binary logarithm of the initial numbers with equal men.
const EVEN_GUESS: i32 = 3;
/// The binary logarithm of the largest initial number.
const LARGEST_GUESS: i32 = 7;

fn numbers_table(megabytes: usize) -> Result<ProofTable, ProverError> {
    ProofTable::new((megabytes / NUMBERS_MEMORY_DIVISOR).max(1))
        .map_err(|_| ProverError::Memory(megabytes))
}

/// Called regularly with the prover, from any thread; returns whether to continue.
pub type OnNodes<'f> = &'f (dyn Fn(&Prover<'_>) -> bool + Sync);

/// The position after a move, and what is known of it, for the side to move there.
struct Branch {
    position: Position,
    node: Node,
    numbers: ProofNumbers,
}

struct Worker<'f> {
    nodes: u64,
    on_nodes: OnNodes<'f>,
    is_over: &'f AtomicBool,
}

impl<'a> Prover<'a> {
    /// A prover of one side's wins, with this many megabytes.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(
        tables: &'a DistanceTables,
        winner: Color,
        megabytes: usize,
    ) -> Result<Prover<'a>, ProverError> {
        Ok(Prover {
            tables,
            winner,
            history: PlayedPositions::default(),
            won: WonPositions::default(),
            won_in_this_run: WonPositions::default(),
            numbers: numbers_table(megabytes)?,
            visits: (0..VISITS).map(|_| AtomicU8::new(0)).collect(),
            threads: 1,
            megabytes,
            nodes: AtomicU64::new(0),
            nodes_at_last_win: AtomicU64::new(0),
        })
    }

    pub fn winner(&self) -> Color {
        self.winner
    }

    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The number of positions proved won.
    pub fn proved(&self) -> usize {
        self.won.len()
    }

    /// Whether the winner wins a position. `on_nodes` is called regularly with the prover, and
    /// returns whether to continue.
    ///
    /// A negative result is not a refutation: only a limited run of plies along ranks is searched.
    /// A [`Solver`](crate::solver::Solver) proves refutations.
    ///
    /// # Errors
    /// If it was stopped, or memory is insufficient.
    pub fn prove(&self, position: &Position, on_nodes: OnNodes<'_>) -> Result<bool, ProverError> {
        self.is_won(position, self.history.node(position), on_nodes)
    }

    pub(crate) fn is_won(
        &self,
        position: &Position,
        node: Node,
        on_nodes: OnNodes<'_>,
    ) -> Result<bool, ProverError> {
        let attacks = position.side_to_move() == self.winner;
        let mut numbers = self.numbers(position, node);
        if !numbers.is_decided() {
            let is_over = AtomicBool::new(false);
            let answer = Mutex::new(Err(ProverError::Stopped));
            parallel::for_each(self.threads, &|_| {
                let mut worker = Worker { nodes: 0, on_nodes, is_over: &is_over };
                let decided = self.decide(&mut worker, position, node, ProofNumbers::NO_THRESHOLD);
                // The first one answers and stops the others.
                if !is_over.swap(true, Ordering::Relaxed) {
                    *answer.lock().unwrap_or_else(PoisonError::into_inner) = decided;
                }
                self.count(worker.nodes % NODES_BETWEEN_CHECKS);
            });
            numbers = answer.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        }
        Ok((numbers.phi == 0) == attacks)
    }

    /// Whether a win is excluded within the run limit.
    pub(crate) fn excludes(&self, position: &Position, node: Node) -> bool {
        self.numbers(position, node) == self.decided(position, false)
    }

    /// Clears all but the wins.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn forget_numbers(&mut self) -> Result<(), ProverError> {
        self.numbers = numbers_table(self.megabytes)?;
        Ok(())
    }

    /// The bounds of a position that is won whatever came before.
    pub(crate) fn won(&self, position: &Position) -> Option<Won> {
        self.won_fresh(position, Node::fresh(position.state()))
    }

    fn won_fresh(&self, position: &Position, node: Node) -> Option<Won> {
        if self.tables.covers(position) {
            let plies = u16::from(self.tables.distance(position)?);
            let wins = (plies % 2 == 1) == (position.side_to_move() == self.winner);
            return wins.then_some(Won { plies, progress: plies });
        }
        self.won.get(node.key())
    }

    /// The bounds of a position won despite the clock, and despite the history where it counts.
    fn won_node(&self, position: &Position, node: Node) -> Option<Won> {
        if node.history_counts() && self.history.has_repeated() {
            return self.won_in_this_run.get(node.key());
        }
        let won = self.won_fresh(position, node.refreshed())?;
        // In positions of the tables the winner needs few plies between jumps or steps forward, so the
        // clock does not matter.
        let is_in_time = self.history.clock_at(node) + won.progress <= DRAWING_PLIES
            || self.tables.covers(position) && !node.history_counts();
        is_in_time.then_some(won)
    }

    /// The most plies to the end of a proved position, given its history.
    pub fn bound(&self, position: &Position) -> Option<u16> {
        self.won_node(position, self.history.node(position)).map(|won| won.plies)
    }

    fn count(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes
    }

    fn count_node(&self, worker: &mut Worker<'_>) -> Result<(), ProverError> {
        worker.nodes += 1;
        if worker.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) {
            let nodes = self.count(NODES_BETWEEN_CHECKS);
            if worker.is_over.load(Ordering::Relaxed) || !(worker.on_nodes)(self) {
                return Err(ProverError::Stopped);
            }
            let room = self.megabytes - self.megabytes / NUMBERS_MEMORY_DIVISOR;
            let won = self.proved() + self.won_in_this_run.len();
            let is_full = won > room * BYTES_PER_MEGABYTE / BYTES_PER_WON;
            let idle = nodes.saturating_sub(self.nodes_at_last_win.load(Ordering::Relaxed));
            if is_full || idle / MAX_NODES_PER_ENTRY > self.numbers.entries() as u64 {
                return Err(ProverError::Memory(self.megabytes));
            }
        }
        Ok(())
    }

    /// Searches until the position is decided, or one of its numbers reaches its threshold.
    fn decide(
        &self,
        worker: &mut Worker<'_>,
        position: &Position,
        node: Node,
        threshold: ProofNumbers,
    ) -> Result<ProofNumbers, ProverError> {
        self.count_node(worker)?;
        let before = worker.nodes;
        let mut branches = self.branches(position, node);
        let numbers = loop {
            let numbers = ProofNumbers::from_branches(branches.iter().map(|branch| branch.numbers));
            if numbers.is_decided() || numbers.reaches(threshold) {
                break numbers;
            }
            let Some((best, second)) = self.best_branch(&branches, threshold) else {
                break numbers;
            };
            let branch = &branches[best];
            let mut inner = numbers.branch_threshold(branch.numbers, threshold, second);
            // If other threads search the nearest branch, this one may be farther away.
            inner.delta = inner.delta.max(branch.numbers.delta + 1);
            let (next, next_node) = (branch.position, branch.node);
            let visits = self.visits(next_node);
            visits.fetch_add(1, Ordering::Relaxed);
            let decided = self.decide(worker, &next, next_node, inner);
            visits.fetch_sub(1, Ordering::Relaxed);
            branches[best].numbers = decided?;
            // Reads the results of other branches. Evicted ones are not estimated anew: two that
            // evict each other would alternate forever.
            for (at, branch) in branches.iter_mut().enumerate() {
                if at != best && !branch.numbers.is_decided() {
                    let known = self.known(&branch.position, branch.node);
                    branch.numbers = known.unwrap_or(branch.numbers);
                }
            }
        };
        self.store(position, node, numbers, worker.nodes - before, &branches);
        Ok(numbers)
    }

    fn branches(&self, position: &Position, node: Node) -> Vec<Branch> {
        let mut branches: Vec<Branch> = Vec::new();
        position.for_each_move(MoveFilter::All, &mut |mv| {
            let next = position.after(mv);
            let node = node.after(&next);
            // Chains of jumps may take the same men in another order.
            if branches.iter().all(|branch| branch.node != node) {
                let numbers = self.numbers(&next, node);
                branches.push(Branch { position: next, node, numbers });
            }
        });
        branches
    }

    /// The branch nearest to a win for the mover, and the distance of the second best. Branches
    /// that other threads search seem farther away (T. Kaneko, "Parallel depth first proof number
    /// search", 2010).
    fn best_branch(&self, branches: &[Branch], threshold: ProofNumbers) -> Option<(usize, u32)> {
        ProofNumbers::most_proving(branches.iter().map(|branch| {
            let delta = branch.numbers.delta;
            if self.threads == 1 || delta >= threshold.phi {
                return delta;
            }
            let visits = u32::from(self.visits(branch.node).load(Ordering::Relaxed));
            delta.saturating_add(visits * (delta / 2 + 1)).min(threshold.phi - 1)
        }))
    }

    fn visits(&self, node: Node) -> &AtomicU8 {
        &self.visits[(node.key().0 >> (u64::BITS - VISITS.ilog2())) as usize]
    }

    fn numbers(&self, position: &Position, node: Node) -> ProofNumbers {
        self.known(position, node).unwrap_or_else(|| Prover::first_numbers(position))
    }

    fn decided(&self, position: &Position, wins: bool) -> ProofNumbers {
        ProofNumbers::decided(wins == (position.side_to_move() == self.winner))
    }

    /// What is known of a node, unless it was evicted.
    fn known(&self, position: &Position, node: Node) -> Option<ProofNumbers> {
        if self.won_node(position, node).is_some() {
            return Some(self.decided(position, true));
        }
        if self.history.ends_at(node) {
            // A side without a legal move has lost, before the clock or repetition count.
            let wins = position.side_to_move() != self.winner && !position.has_legal_moves();
            if wins {
                self.insert(node, Won { plies: 0, progress: 0 });
            }
            return Some(self.decided(position, wins));
        }
        if self.tables.covers(position) && self.won(position).is_none() {
            return Some(self.decided(position, false));
        }
        self.numbers.numbers(node.key())
    }

    fn first_numbers(position: &Position) -> ProofNumbers {
        let side = position.side_to_move();
        let men = |color| position.men(color).len() as i32;
        let lead = men(side) - men(!side);
        let guess = |lead: i32| 1 << (EVEN_GUESS - lead).clamp(0, LARGEST_GUESS);
        ProofNumbers { phi: guess(lead), delta: guess(-lead) }
    }

    fn store(
        &self,
        position: &Position,
        node: Node,
        numbers: ProofNumbers,
        nodes: u64,
        branches: &[Branch],
    ) {
        let attacks = position.side_to_move() == self.winner;
        if !numbers.is_decided() || (numbers.phi == 0) != attacks {
            self.numbers.store_numbers(node.key(), numbers, nodes);
            return;
        }
        let after = branches.iter().filter_map(|branch| self.won_after(branch));
        let won = if attacks {
            after.min_by_key(|won| won.plies)
        } else {
            after.reduce(|a, b| Won {
                plies: a.plies.max(b.plies),
                progress: a.progress.max(b.progress),
            })
        };
        let won = won.unwrap_or(Won { plies: 0, progress: 0 });
        self.insert(node, won);
        self.nodes_at_last_win.store(self.nodes(), Ordering::Relaxed);
    }

    fn insert(&self, node: Node, won: Won) {
        self.won.insert(node.refreshed().key(), won);
        if node.history_counts() {
            self.won_in_this_run.insert(node.key(), won);
        }
    }

    fn won_after(&self, branch: &Branch) -> Option<Won> {
        let won = self.won_node(&branch.position, branch.node)?;
        let is_progress = branch.position.halfmove_clock() == 0;
        let progress = if is_progress { 1 } else { won.progress + 1 };
        Some(Won { plies: won.plies + 1, progress })
    }
}
