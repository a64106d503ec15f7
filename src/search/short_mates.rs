//! Proves short mates at the root at full width, alongside the search.
//!
//! Pruning discards quiet moves that threaten mate, so a search may miss a mate in two or three for
//! many iterations. After each iteration the first thread therefore spends a small share of its
//! nodes on a proof: all moves of both sides up to the length of the mate, like a problem solver.
//! If the share is used up, the proof resumes after the next iteration.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::control::Stopped;
use super::root::RootMoves;
use super::search_limits::SearchLimits;
use super::worker::{MoveOf, Worker};
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Rules, Searchable, Terminal, mate_in_one, mates as is_mate};

/// The shortest mate to prove, in moves: the first iteration sees a mate in one.
const SHORTEST: u16 = 2;
/// The longest: a longer one takes more nodes than most searches have.
const LONGEST: u16 = 3;
/// Nodes for proofs once the search has reached [`FIRST_NODES_DEPTH`]: enough to exclude a mate in
/// two in most positions. A search of some hundred nodes, as in self-play, ends before that depth.
const FIRST_NODES: u64 = 200;
const FIRST_NODES_DEPTH: Depth = Depth(5);
/// The share of the search's nodes added for proofs, in percent.
const SHARE: u64 = 2;
/// An interrupted attempt is retried with this many times its nodes.
const RETRY_FACTOR: u64 = 2;

pub(super) struct ShortMates<G: Searchable> {
    /// The current length in moves; all shorter mates are excluded.
    length: u16,
    /// Root moves that may mate in `length` moves, the next to try last.
    untried: Vec<G::Move>,
    /// Nodes used by all proofs so far.
    nodes: u64,
    /// The current limit of `nodes`.
    node_limit: u64,
    /// Nodes that the next attempt must have available.
    retry_nodes: u64,
    /// The last refutation, by the number of moves left.
    killers: [Option<G::Move>; LONGEST as usize],
}

impl<G: Searchable> ShortMates<G> {
    /// None where proofs are useless: in a mate search, and for a weaker player.
    pub fn new(position: &G, root: &RootMoves<G>, limits: &SearchLimits) -> Option<Self> {
        let is_of_use = G::HAS_CHECKMATE && limits.mate.is_none() && limits.handicap.is_none();
        is_of_use.then(|| ShortMates {
            length: SHORTEST,
            untried: ordered_attack(position, root.all()),
            nodes: 0,
            node_limit: 0,
            retry_nodes: 0,
            killers: [None; LONGEST as usize],
        })
    }
}

/// The attacker's moves, the most promising last: checks, then by material gain.
fn ordered_attack<G: Searchable>(position: &G, mut moves: Vec<G::Move>) -> Vec<G::Move> {
    moves.sort_by_cached_key(|&mv| (position.gives_check(mv), position.gain(mv)));
    moves
}

const LONGEST_LINE: usize = 2 * LONGEST as usize - 1;

type MateLine<E> = ArrayVec<MoveOf<E>, LONGEST_LINE>;
type Proof<E> = Result<Option<MateLine<E>>, Stopped>;

impl<E: Evaluate> Worker<'_, E> {
    /// Resumes the proof of a mate shorter than any that the search has found, and puts it first
    /// among the root moves. `depth` is that of the last iteration.
    pub fn look_for_mate(&mut self, mates: &mut ShortMates<E::Game>, depth: Depth) {
        let position = self.task.game.position();
        let searched = self.counters.nodes - mates.nodes;
        let first = if depth < FIRST_NODES_DEPTH { 0 } else { FIRST_NODES };
        mates.node_limit = first + searched * SHARE / 100;
        let to_draw = position.plies_to_100_ply_draw();
        while mates.length <= LONGEST && mates.nodes + mates.retry_nodes <= mates.node_limit {
            let plies = 2 * mates.length - 1;
            let score = Score::mating_at(Ply(plies));
            if self.root.best_score() >= score || to_draw < plies {
                return;
            }
            let Some(&mv) = mates.untried.last() else {
                mates.length += 1;
                mates.untried = ordered_attack(position, self.root.all());
                continue;
            };
            let before = mates.nodes;
            match self.mate_by(mates, position, mv, Ply::ROOT, mates.length) {
                Ok(None) => {
                    mates.untried.pop();
                    mates.retry_nodes = 0;
                }
                Ok(Some(line)) => {
                    self.root.set_proved_mate(mv, &line);
                    return;
                }
                Err(Stopped) => {
                    mates.retry_nodes = RETRY_FACTOR * (mates.nodes - before);
                    return;
                }
            }
        }
    }

    /// The mating line if a move forces mate in at most `moves` moves, itself included.
    fn mate_by(
        &mut self,
        mates: &mut ShortMates<E::Game>,
        position: &E::Game,
        mv: MoveOf<E>,
        ply: Ply,
        moves: u16,
    ) -> Proof<E> {
        let below = if moves <= 1 {
            is_mate(position, mv).then(MateLine::<E>::new)
        } else {
            self.descend(position, ply, mv, |worker, next| {
                worker.longest_defence(mates, next, ply.next(), moves - 1)
            })?
        };
        Ok(below.map(|below| line_of::<E>(mv, &below)))
    }

    /// The longest defence if the side to move is mated, at once or within `moves` moves.
    fn longest_defence(
        &mut self,
        mates: &mut ShortMates<E::Game>,
        position: &E::Game,
        ply: Ply,
        moves: u16,
    ) -> Proof<E> {
        self.count_proof(mates, ply)?;
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            let is_lost = position.without_moves() == Terminal::Lost;
            return Ok(is_lost.then(MateLine::<E>::new));
        }
        if self.path.is_draw(position, ply) {
            return Ok(None);
        }
        // A reply that refuted a similar move most likely does so again.
        let killer = mates.killers[usize::from(moves)];
        replies.sort_by_key(|&mv| Reverse((Some(mv) == killer, position.gain(mv))));
        let mut longest = MateLine::<E>::new();
        for reply in replies {
            let mate = self.descend(position, ply, reply, |worker, next| {
                worker.shortest_mate(mates, next, ply.next(), moves)
            });
            let Some(mate) = mate? else {
                mates.killers[usize::from(moves)] = Some(reply);
                return Ok(None);
            };
            if mate.len() + 1 > longest.len() {
                longest = line_of::<E>(reply, &mate);
            }
        }
        Ok(Some(longest))
    }

    /// The shortest mate by the side to move in at most `moves` moves.
    fn shortest_mate(
        &mut self,
        mates: &mut ShortMates<E::Game>,
        position: &E::Game,
        ply: Ply,
        moves: u16,
    ) -> Proof<E> {
        self.count_proof(mates, ply)?;
        if self.path.is_draw(position, ply) {
            return Ok(None);
        }
        // Mate in one first: it is cheap.
        if let Some(mv) = mate_in_one(position) {
            return Ok(Some(line_of::<E>(mv, &[])));
        }
        for length in 2..=moves {
            for mv in ordered_attack(position, position.legal_moves()).into_iter().rev() {
                let line = self.mate_by(mates, position, mv, ply, length)?;
                if line.is_some() {
                    return Ok(line);
                }
            }
        }
        Ok(None)
    }

    /// Counts a node of a proof, which is also one of the search.
    fn count_proof(&mut self, mates: &mut ShortMates<E::Game>, ply: Ply) -> Result<(), Stopped> {
        if mates.nodes >= mates.node_limit {
            return Err(Stopped);
        }
        mates.nodes += 1;
        self.counters.count_node(ply)
    }
}

fn line_of<E: Evaluate>(mv: MoveOf<E>, below: &[MoveOf<E>]) -> MateLine<E> {
    std::iter::once(mv).chain(below.iter().copied()).take(LONGEST_LINE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SearchLimits;
    use crate::search_limits::Handicap;
    use qirkat_rules::alquerque;
    use qirkat_rules::chesquerque::Position;

    #[test]
    fn mates_are_not_proved_where_useless() {
        let position: Position = "4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1".parse().expect("a FEN");
        let looks = |limits: &SearchLimits| {
            let root = RootMoves::new(&position, &[], limits);
            ShortMates::new(&position, &root, limits).is_some()
        };
        assert!(looks(&SearchLimits::default()));
        assert!(!looks(&SearchLimits { mate: Some(2), ..SearchLimits::default() }));
        let weak = Handicap { nodes: 1000, blindness: 0, greed: 0, carelessness: 10, seed: 1 };
        assert!(!looks(&SearchLimits { handicap: Some(weak), ..SearchLimits::default() }));
        let other = alquerque::Position::start();
        let root = RootMoves::new(&other, &[], &SearchLimits::default());
        assert!(ShortMates::new(&other, &root, &SearchLimits::default()).is_none());
    }
}
