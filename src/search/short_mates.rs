//! Short mates at the root, proved at full width beside the search.
//!
//! Pruning throws away quiet moves that threaten a mate, so a search may pass by a mate in
//! two or three for many iterations. After each iteration the first thread therefore spends
//! a small share of its nodes on a proof: every move of both sides, to the length of the
//! mate and no further, much as a solver of problems does. What is left when the share is
//! used up goes on after the next iteration.

use std::cmp::Reverse;

use super::counters::Stopped;
use super::root::RootMoves;
use super::search_limits::SearchLimits;
use super::worker::{MoveOf, Worker};
use qirkat_game::distance::{Depth, Ply};
use qirkat_game::score::Score;
use qirkat_game::{Evaluate, Rules, Searchable, Terminal, has_mate, mates as is_mate};

/// The first length that is proved, in moves: the first iteration sees a mate in one.
const SHORTEST: u16 = 2;
/// The last length: the next takes more nodes than most searches have.
const LONGEST: u16 = 3;
/// Nodes for proofs once the search is this deep: as many as exclude a mate in two in most
/// positions. A search of some hundred nodes, as in self-play, ends before.
const FIRST_NODES: u64 = 200;
const FIRST_NODES_DEPTH: Depth = Depth(5);
/// The part of the search's nodes that is spent on proofs besides, in hundredths.
const SHARE: u64 = 2;
/// The factor of nodes by which an attempt is made again that was broken off.
const PATIENCE: u64 = 2;

/// The proof was broken off.
struct Unproved;

/// How far the proof of a mate has come.
pub(super) struct ShortMates<G: Searchable> {
    /// The length that is looked for, in moves; all shorter ones are excluded.
    length: u16,
    /// Root moves that may mate in `length` moves, the next to try last.
    left: Vec<G::Move>,
    /// Nodes that all proofs took so far.
    nodes: u64,
    /// Nodes that they may take for now.
    most: u64,
    /// Nodes that the next attempt should have.
    needed: u64,
    /// The reply that refuted last, by the moves that were to go.
    killers: [Option<G::Move>; LONGEST as usize],
}

impl<G: Searchable> ShortMates<G> {
    /// Ready to look for mates; none where the game or the limits have no use for them: a
    /// mate search is at full width anyway, and a weaker player does not see everything.
    pub fn new(position: &G, root: &RootMoves<G>, limits: &SearchLimits) -> Option<Self> {
        let is_of_use = G::HAS_CHECKMATE && limits.mate.is_none() && limits.handicap.is_none();
        is_of_use.then(|| ShortMates {
            length: SHORTEST,
            left: attacks(position, root.all()),
            nodes: 0,
            most: 0,
            needed: 0,
            killers: [None; LONGEST as usize],
        })
    }
}

/// Moves of the attacker, the most promising last: checks, and what wins most.
fn attacks<G: Searchable>(position: &G, mut moves: Vec<G::Move>) -> Vec<G::Move> {
    moves.sort_by_cached_key(|&mv| (position.gives_check(mv), position.gain(mv)));
    moves
}

/// A reply and the move that answers it.
type Exchange<E> = (MoveOf<E>, MoveOf<E>);

impl<E: Evaluate> Worker<'_, E> {
    /// Goes on with the proof of a mate that is shorter than any the search has found, and
    /// puts it first among the root moves. `depth` is that of the last iteration.
    pub fn look_for_mate(&mut self, mates: &mut ShortMates<E::Game>, depth: Depth) {
        let position = self.task.game.position();
        let searched = self.counters.nodes - mates.nodes;
        let first = if depth < FIRST_NODES_DEPTH { 0 } else { FIRST_NODES };
        mates.most = first + searched * SHARE / 100;
        let to_draw = position.plies_to_clock_draw();
        while mates.length <= LONGEST && mates.nodes + mates.needed <= mates.most {
            let plies = 2 * mates.length - 1;
            let score = Score::mating_at(Ply(plies));
            if self.root.moves.best_score() >= score || to_draw < plies {
                return;
            }
            let Some(&mv) = mates.left.last() else {
                mates.length += 1;
                mates.left = attacks(position, self.root.moves.all());
                continue;
            };
            let before = mates.nodes;
            match self.is_mating(mates, position, mv, Ply::ROOT, mates.length) {
                Ok(false) => {
                    mates.left.pop();
                    mates.needed = 0;
                }
                Ok(true) => {
                    let mut line = Vec::new();
                    mates.most = u64::MAX;
                    self.add_mating_line(mates, position, mv, Ply::ROOT, &mut line);
                    self.root.moves.note_proof(mv, score, line);
                    return;
                }
                Err(Unproved) => {
                    mates.needed = PATIENCE * (mates.nodes - before);
                    return;
                }
            }
        }
    }

    /// Whether a move mates in `moves` moves or fewer, itself counted, whatever is replied.
    fn is_mating(
        &mut self,
        mates: &mut ShortMates<E::Game>,
        position: &E::Game,
        mv: MoveOf<E>,
        ply: Ply,
        moves: u16,
    ) -> Result<bool, Unproved> {
        if moves <= 1 {
            return Ok(is_mate(position, mv));
        }
        self.descend(position, ply, mv, |worker, next| {
            worker.is_defenceless(mates, next, ply.next(), moves - 1)
        })
    }

    /// Whether the side to move is mated, at once or in `moves` more moves.
    fn is_defenceless(
        &mut self,
        mates: &mut ShortMates<E::Game>,
        position: &E::Game,
        ply: Ply,
        moves: u16,
    ) -> Result<bool, Unproved> {
        self.count_proof(mates, ply)?;
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.without_moves() == Terminal::Lost);
        }
        if self.path.is_draw(position, ply) {
            return Ok(false);
        }
        // A reply that has refuted much like this before most likely does so again.
        let killer = mates.killers[usize::from(moves)];
        replies.sort_by_key(|&mv| Reverse((Some(mv) == killer, position.gain(mv))));
        for reply in replies {
            let mated = self.descend(position, ply, reply, |worker, next| {
                worker.can_mate(mates, next, ply.next(), moves)
            });
            if !mated? {
                mates.killers[usize::from(moves)] = Some(reply);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the side to move mates in `moves` moves or fewer.
    fn can_mate(
        &mut self,
        mates: &mut ShortMates<E::Game>,
        position: &E::Game,
        ply: Ply,
        moves: u16,
    ) -> Result<bool, Unproved> {
        self.count_proof(mates, ply)?;
        if self.path.is_draw(position, ply) {
            return Ok(false);
        }
        // The short way first: it costs next to nothing.
        let at_once = has_mate(position);
        if at_once || moves <= 1 {
            return Ok(at_once);
        }
        for mv in attacks(position, position.legal_moves()).into_iter().rev() {
            if self.is_mating(mates, position, mv, ply, moves)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Counts a position of a proof, as one of the search too.
    fn count_proof(&mut self, mates: &mut ShortMates<E::Game>, ply: Ply) -> Result<(), Unproved> {
        if mates.nodes >= mates.most {
            return Err(Unproved);
        }
        mates.nodes += 1;
        self.counters.count_node(ply).map_err(|Stopped| Unproved)
    }

    /// Adds the line of a proved mate, in which the other side holds out for as long as it
    /// can; only its beginning where the search ends meanwhile.
    fn add_mating_line(
        &mut self,
        mates: &mut ShortMates<E::Game>,
        position: &E::Game,
        mv: MoveOf<E>,
        ply: Ply,
        line: &mut Vec<MoveOf<E>>,
    ) {
        line.push(mv);
        let moves = mates.length - (ply.0 / 2 + 1);
        if moves == 0 {
            return;
        }
        self.descend(position, ply, mv, |worker, next| {
            let ply = ply.next();
            if let Ok(Some((reply, answer))) = worker.longest_defence(mates, next, ply, moves) {
                line.push(reply);
                worker.descend(next, ply, reply, |worker, after| {
                    worker.add_mating_line(mates, after, answer, ply.next(), line);
                });
            }
        });
    }

    /// A reply after which the mate takes all of `moves` moves, and the move that keeps to
    /// it.
    fn longest_defence(
        &mut self,
        mates: &mut ShortMates<E::Game>,
        position: &E::Game,
        ply: Ply,
        moves: u16,
    ) -> Result<Option<Exchange<E>>, Unproved> {
        for reply in position.legal_moves() {
            let answer = self.descend(position, ply, reply, |worker, next| {
                worker.slowest_mate(mates, next, ply.next(), moves)
            });
            if let Some(answer) = answer? {
                return Ok(Some((reply, answer)));
            }
        }
        Ok(None)
    }

    /// A move that mates in `moves` moves, where none mates sooner.
    fn slowest_mate(
        &mut self,
        mates: &mut ShortMates<E::Game>,
        position: &E::Game,
        ply: Ply,
        moves: u16,
    ) -> Result<Option<MoveOf<E>>, Unproved> {
        if moves > 1 && self.can_mate(mates, position, ply, moves - 1)? {
            return Ok(None);
        }
        for mv in position.legal_moves() {
            if self.is_mating(mates, position, mv, ply, moves)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SearchLimits;
    use crate::handicap::Handicap;
    use qirkat_rules::alquerque;
    use qirkat_rules::chesquerque::Position;

    #[test]
    fn nobody_looks_for_mates_where_they_are_of_no_use() {
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
