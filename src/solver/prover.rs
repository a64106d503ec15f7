//! Proof-number search, depth-first: what is nearest to being decided is looked at first
//! (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002).

use std::collections::HashMap;

use qirkat_game::{Color, DRAWING_CLOCK, MoveFilter, Rules};
use qirkat_rules::alquerque::{Position, State};
use thiserror::Error;

use qirkat_tablebase::alquerque::DistanceTables;

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ProverError {
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
    /// The memory that was allowed is too little.
    #[error("the proof takes more than {0} MB of memory")]
    Memory(usize),
}

/// Proves that one side wins.
///
/// Positions are told apart by the plies since the last jump or step forward, which only grow
/// until the next one, after which nothing of before comes back. So the search never meets a
/// position twice on a path, and what it finds holds whatever came before: it does not lean on
/// repetition (A. Kishimoto, M. Müller, "A general solution to the graph history interaction
/// problem", 2004, tell what happens otherwise).
pub struct Prover<'a> {
    tables: &'a DistanceTables,
    winner: Color,
    won: HashMap<State, Won>,
    numbers: Vec<Entry>,
    /// Megabytes for both.
    megabytes: usize,
    nodes: u64,
}

/// A position that is won.
#[derive(Clone, Copy)]
struct Won {
    /// At most so many plies to the end. It falls along a proof.
    plies: u16,
    /// At most so many plies to the next jump, step forward or end.
    progress: u16,
}

/// Proof and disproof numbers of a position: how many positions at least have to be decided
/// for the winner to win, and not to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

/// More than any number.
const INFINITE: u32 = 1 << 30;

impl Numbers {
    const WON: Numbers = Numbers { proof: 0, disproof: INFINITE };
    const NOT_WON: Numbers = Numbers { proof: INFINITE, disproof: 0 };
    const MOST: Numbers = Numbers { proof: INFINITE, disproof: INFINITE };

    const fn decided(is_won: bool) -> Numbers {
        if is_won { Numbers::WON } else { Numbers::NOT_WON }
    }
}

/// An entry of the hash table of numbers, compared as a whole: states are exact.
#[derive(Clone, Copy)]
struct Entry {
    node: Node,
    numbers: Numbers,
}

/// A position with its clock.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Node {
    state: State,
    clock: u16,
}

impl Node {
    fn of(position: &Position) -> Node {
        Node { state: position.state(), clock: position.halfmove_clock() }
    }
}

/// No position has this state.
const EMPTY: Entry =
    Entry { node: Node { state: State(u64::MAX), clock: 0 }, numbers: Numbers::MOST };
/// Entries among which one is given up for another.
const CLUSTER: usize = 4;
const BYTES_PER_MEGABYTE: usize = 1 << 20;
/// The share of the memory that the table of numbers takes; won positions take the rest.
const SHARE_OF_NUMBERS: usize = 4;
/// Bytes of a won position, with the room that a hash map keeps free.
const BYTES_PER_WON: usize = 32;
/// Nodes between two questions whether to go on.
const NODES_BETWEEN_QUESTIONS: u64 = 1 << 12;
/// The most plies along ranks in a row that are looked at: enough for every win that was met,
/// and more would be wandered through for nothing.
const LONGEST_RUN: u16 = 16;
/// The logarithm of the first guess of both numbers with equal men.
const EVEN_GUESS: i32 = 3;
/// The logarithm of the largest guess.
const LARGEST_GUESS: i32 = 7;

/// A move's position and what is known of it.
struct Branch {
    position: Position,
    node: Node,
    numbers: Numbers,
}

impl<'a> Prover<'a> {
    /// A prover of wins of one side, with so many megabytes.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn new(
        tables: &'a DistanceTables,
        winner: Color,
        megabytes: usize,
    ) -> Result<Prover<'a>, ProverError> {
        let bytes = megabytes.max(1).saturating_mul(BYTES_PER_MEGABYTE) / SHARE_OF_NUMBERS;
        let clusters = (bytes / (CLUSTER * size_of::<Entry>())).max(1);
        let mut numbers = Vec::new();
        let count = clusters * CLUSTER;
        numbers.try_reserve_exact(count).map_err(|_| ProverError::Memory(megabytes))?;
        numbers.resize(count, EMPTY);
        let won = HashMap::new();
        Ok(Prover { tables, winner, won, numbers, megabytes, nodes: 0 })
    }

    /// The side whose wins are proved.
    pub fn winner(&self) -> Color {
        self.winner
    }

    /// Positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Positions proved so far, beyond the tables.
    pub fn proved(&self) -> usize {
        self.won.len()
    }

    /// Whether the winner wins a position. `on_nodes` is called now and then with the prover,
    /// and says whether to go on.
    ///
    /// # Errors
    /// When it was stopped, or the memory does not suffice.
    pub fn prove(
        &mut self,
        position: &Position,
        on_nodes: &mut dyn FnMut(&Prover<'_>) -> bool,
    ) -> Result<bool, ProverError> {
        let numbers = self.first_numbers(position);
        if numbers.proof == 0 || numbers.disproof == 0 {
            return Ok(numbers.proof == 0);
        }
        Ok(self.decide(position, Numbers::MOST, on_nodes)?.proof == 0)
    }

    /// An upper bound of the plies to the end of a position that is known to be won.
    pub(crate) fn bound(&self, position: &Position) -> Option<u16> {
        if self.tables.covers(position) {
            let distance = self.tables.distance(position)?;
            let wins = (distance % 2 == 1) == (position.side_to_move() == self.winner);
            return wins.then_some(u16::from(distance));
        }
        self.won.get(&position.state()).map(|won| won.plies)
    }

    /// Looks on until the position is decided, or one of its numbers reaches its limit.
    fn decide(
        &mut self,
        position: &Position,
        limit: Numbers,
        on_nodes: &mut dyn FnMut(&Prover<'_>) -> bool,
    ) -> Result<Numbers, ProverError> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS) && !on_nodes(self) {
            return Err(ProverError::Stopped);
        }
        let attacks = position.side_to_move() == self.winner;
        let mut branches = self.branches(position);
        let numbers = loop {
            let numbers = sum_up(&branches, attacks);
            let is_decided = numbers.proof == 0 || numbers.disproof == 0;
            if is_decided || numbers.proof >= limit.proof || numbers.disproof >= limit.disproof {
                break numbers;
            }
            let Some((best, second)) = best_branch(&branches, attacks) else { break numbers };
            let of_it = branches[best].numbers;
            let next_best = second.saturating_add(second / 4 + 1).min(INFINITE);
            let inner = if attacks {
                let rest = (limit.disproof - numbers.disproof).saturating_add(of_it.disproof);
                Numbers { proof: limit.proof.min(next_best), disproof: rest.min(INFINITE) }
            } else {
                let rest = (limit.proof - numbers.proof).saturating_add(of_it.proof);
                Numbers { proof: rest.min(INFINITE), disproof: limit.disproof.min(next_best) }
            };
            let next = branches[best].position;
            branches[best].numbers = self.decide(&next, inner, on_nodes)?;
            // What was found of the others meanwhile. What was given up is not guessed anew: two
            // that take each other's place would change for ever.
            for (at, branch) in branches.iter_mut().enumerate() {
                if at != best && branch.numbers.proof != 0 && branch.numbers.disproof != 0 {
                    branch.numbers = self.found(branch.node).unwrap_or(branch.numbers);
                }
            }
        };
        self.keep(Node::of(position), numbers, &branches, attacks)?;
        Ok(numbers)
    }

    fn branches(&self, position: &Position) -> Vec<Branch> {
        let mut branches: Vec<Branch> = Vec::new();
        position.for_each_move(MoveFilter::All, &mut |mv| {
            let next = position.after(mv);
            let node = Node::of(&next);
            // Chains of jumps may take the same men in another order.
            if branches.iter().all(|branch| branch.node != node) {
                let numbers = self.numbers(&next, node);
                branches.push(Branch { position: next, node, numbers });
            }
        });
        branches
    }

    fn numbers(&self, position: &Position, node: Node) -> Numbers {
        self.found(node).unwrap_or_else(|| self.first_numbers(position))
    }

    /// The numbers of a node that has been looked at, unless they were given up for others.
    fn found(&self, node: Node) -> Option<Numbers> {
        if node.clock > LONGEST_RUN {
            return Some(Numbers::NOT_WON);
        }
        if self.won.get(&node.state).is_some_and(|won| won.progress + node.clock <= DRAWING_CLOCK) {
            return Some(Numbers::WON);
        }
        let found = self.cluster(node).iter().find(|entry| entry.node == node);
        found.map(|entry| entry.numbers)
    }

    /// The result, where the game is over or a table knows it, or else a guess by the men.
    fn first_numbers(&self, position: &Position) -> Numbers {
        if self.tables.covers(position) {
            return Numbers::decided(self.bound(position).is_some());
        }
        let men = |color| position.men(color).len() as i32;
        let lead = men(self.winner) - men(!self.winner);
        let guess = |lead: i32| 1 << (EVEN_GUESS - lead).clamp(0, LARGEST_GUESS);
        Numbers { proof: guess(lead), disproof: guess(-lead) }
    }

    fn keep(
        &mut self,
        node: Node,
        numbers: Numbers,
        branches: &[Branch],
        attacks: bool,
    ) -> Result<(), ProverError> {
        if numbers.proof == 0 {
            let known = branches.iter().filter(|branch| branch.numbers.proof == 0);
            let after = known.filter_map(|branch| self.won_after(&branch.position));
            let won = if attacks {
                after.min_by_key(|won| won.plies)
            } else {
                after.reduce(|a, b| Won {
                    plies: a.plies.max(b.plies),
                    progress: a.progress.max(b.progress),
                })
            };
            let won = won.unwrap_or(Won { plies: 0, progress: 0 });
            // What was found with less on the clock may end sooner.
            let kept = self.won.entry(node.state).or_insert(won);
            kept.plies = kept.plies.min(won.plies);
            kept.progress = kept.progress.min(won.progress);
            let room = self.megabytes.saturating_mul(BYTES_PER_MEGABYTE);
            let taken = self.won.len() * BYTES_PER_WON + self.numbers.len() * size_of::<Entry>();
            return if taken <= room { Ok(()) } else { Err(ProverError::Memory(self.megabytes)) };
        }
        let at = self.cluster_at(node);
        let cluster = &mut self.numbers[at..at + CLUSTER];
        let same = cluster.iter().position(|entry| entry.node == node);
        // The least is lost with what was decided soonest.
        let effort = |entry: &Entry| match entry {
            entry if entry.node == EMPTY.node => 0,
            entry if entry.numbers.disproof == 0 => INFINITE,
            entry => entry.numbers.proof.min(entry.numbers.disproof),
        };
        let least = (0..CLUSTER).min_by_key(|&at| effort(&cluster[at])).unwrap_or(0);
        cluster[same.unwrap_or(least)] = Entry { node, numbers };
        Ok(())
    }

    /// What a win after a move is worth before it.
    fn won_after(&self, next: &Position) -> Option<Won> {
        let plies = self.bound(next)? + 1;
        let is_progress = next.halfmove_clock() == 0;
        // Tables do not tell when the next jump or step forward comes: soon.
        let after = self.won.get(&next.state()).map_or(0, |won| won.progress);
        Some(Won { plies, progress: if is_progress { 1 } else { after + 1 } })
    }

    fn cluster(&self, node: Node) -> &[Entry] {
        let at = self.cluster_at(node);
        &self.numbers[at..at + CLUSTER]
    }

    fn cluster_at(&self, node: Node) -> usize {
        let clusters = (self.numbers.len() / CLUSTER) as u128;
        // Fibonacci hashing; the high half of the product spreads any number of clusters
        // evenly (D. Lemire, "Fast random integer generation in an interval", 2019).
        let mixed = (node.state.0 ^ u64::from(node.clock)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((u128::from(mixed) * clusters) >> u64::BITS) as usize * CLUSTER
    }
}

/// The numbers of a position by those of its branches. Who has no move has lost.
fn sum_up(branches: &[Branch], attacks: bool) -> Numbers {
    let least = branches.iter().map(|branch| of_mover(branch.numbers, attacks)).min();
    let least = match least.unwrap_or(INFINITE) {
        0 => return Numbers::decided(attacks),
        INFINITE => return Numbers::decided(!attacks),
        least => least,
    };
    // However large a sum is, it decides nothing. It counts again and again what many branches
    // lead to; still the proof of the start takes a third of the nodes that it takes with the
    // maximum in its place.
    let all = branches.iter().map(|branch| of_mover(branch.numbers, !attacks));
    let all = all.fold(0, u32::saturating_add).min(INFINITE - 1);
    if attacks {
        Numbers { proof: least, disproof: all }
    } else {
        Numbers { proof: all, disproof: least }
    }
}

/// The number that the side to move wants to be zero.
const fn of_mover(numbers: Numbers, attacks: bool) -> u32 {
    if attacks { numbers.proof } else { numbers.disproof }
}

/// The branch nearest to being decided for the side to move, and how near the next one is.
fn best_branch(branches: &[Branch], attacks: bool) -> Option<(usize, u32)> {
    let number = |branch: &Branch| of_mover(branch.numbers, attacks);
    let best = (0..branches.len()).min_by_key(|&at| number(&branches[at]))?;
    let others = branches.iter().enumerate().filter(|&(at, _)| at != best);
    Some((best, others.map(|(_, branch)| number(branch)).min().unwrap_or(INFINITE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branches(numbers: &[Numbers]) -> Vec<Branch> {
        let position = Position::start();
        let branch = |&numbers| Branch { position, node: Node::of(&position), numbers };
        numbers.iter().map(branch).collect()
    }

    /// A position is decided by decided branches, and not by large numbers.
    #[test]
    fn large_sums_decide_nothing() {
        let large = Numbers { proof: INFINITE - 1, disproof: INFINITE - 1 };
        for attacks in [false, true] {
            let open = sum_up(&branches(&[large; 3]), attacks);
            assert_eq!(open, large);
            assert_eq!(sum_up(&branches(&[open; 2]), !attacks), large);
            assert_eq!(sum_up(&[], attacks), Numbers::decided(!attacks));
            let both = [Numbers::WON, Numbers::NOT_WON];
            assert_eq!(sum_up(&branches(&both), attacks), Numbers::decided(attacks));
        }
    }
}
