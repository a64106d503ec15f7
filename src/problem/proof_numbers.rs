//! Proof-number search, depth-first, for attacks of several moves: what is nearest to being
//! decided is looked at first (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its
//! applications", 2002). Positions are told apart by the number of moves to go, so that
//! nothing repeats and a proof is one.

use qirkat_game::{Key, Rules, is_mated};

use super::mate_game::{MateGame, played};
use super::numbers::Numbers;
use super::proof_table::{Record, salted};
use super::prover::{PLAIN_MOVES, Prover};
use super::stipulation::Aim;
use super::watch::Stopped;

/// A position in the search.
#[derive(Clone, Copy)]
struct Node {
    /// Whether the attacker is to move.
    attacks: bool,
    /// Moves that the attacker has to go.
    moves: u8,
    /// The slot of the attack that led here.
    attack: usize,
}

/// A move and what is known of the position after it, for the side to move there.
struct Branch<M> {
    mv: M,
    node: Node,
    numbers: Numbers,
}

impl<G: MateGame> Prover<'_, G> {
    /// Whether the attacker, who is to move, reaches the aim in this many moves or fewer.
    pub(super) fn attack_by_numbers(&mut self, position: &G, moves: u8) -> Result<bool, Stopped> {
        let node = Node { attacks: true, moves, attack: 0 };
        Ok(self.decide(position, node, Numbers::MOST)?.own == 0)
    }

    /// Whether the aim is reached after a move of the attacker, with this many moves to go.
    pub(super) fn is_defenceless_by_numbers(
        &mut self,
        position: &G,
        moves: u8,
        attack: usize,
    ) -> Result<bool, Stopped> {
        let node = Node { attacks: false, moves, attack };
        Ok(self.decide(position, node, Numbers::MOST)?.own != 0)
    }

    /// Looks on until the position is decided, or one of its numbers reaches its limit.
    fn decide(&mut self, position: &G, node: Node, limit: Numbers) -> Result<Numbers, Stopped> {
        self.count()?;
        if let Some(decided) = self.decide_plainly(position, node)? {
            return Ok(decided);
        }
        let before = self.nodes;
        let mut branches = self.branches(position, node);
        let numbers = loop {
            let numbers = sum_up(&branches, self.without_moves(position, node));
            if numbers.reaches(limit) || numbers.is_decided() {
                break numbers;
            }
            let Some((best, second)) =
                Numbers::nearest(branches.iter().map(|branch| branch.numbers.other))
            else {
                break numbers;
            };
            let branch = &branches[best];
            let inner = numbers.limit_of_branch(branch.numbers, limit, second);
            let next = played(position, branch.mv);
            branches[best].numbers = self.decide(&next, branch.node, inner)?;
        };
        self.keep(position, node, numbers, before, &branches);
        Ok(numbers)
    }

    /// The answer of the table or the plain search.
    fn decide_plainly(&mut self, position: &G, node: Node) -> Result<Option<Numbers>, Stopped> {
        let record = self.record(position);
        if let Some(works) = record.answer(node.moves) {
            return Ok(Some(Numbers::decided(works == node.attacks)));
        }
        Ok(match (node.attacks, node.moves) {
            (true, moves) if moves <= PLAIN_MOVES => {
                Some(Numbers::decided(self.attack_plainly(position, moves)?))
            }
            (false, moves) if moves < PLAIN_MOVES => Some(Numbers::decided(
                !self.is_defenceless_plainly(position, moves, node.attack)?,
            )),
            _ => None,
        })
    }

    /// Who gets their way where there is no move.
    fn without_moves(&self, position: &G, node: Node) -> Numbers {
        let works = !node.attacks && self.wants_dead_end(position);
        Numbers::decided(works == node.attacks)
    }

    fn branches(&self, position: &G, node: Node) -> Vec<Branch<G::Move>> {
        let moves = position.legal_moves();
        moves.into_iter().map(|mv| self.branch(position, mv, node)).collect()
    }

    fn branch(&self, position: &G, mv: G::Move, node: Node) -> Branch<G::Move> {
        let next = played(position, mv);
        let moves = if node.attacks { node.moves - 1 } else { node.moves };
        let attack = if node.attacks { position.piece_to(mv) } else { 0 };
        let node = Node { attacks: !node.attacks, moves, attack };
        Branch { mv, node, numbers: self.numbers(&next, node) }
    }

    /// The numbers of a position, or a guess: few moves are soon decided.
    fn numbers(&self, position: &G, node: Node) -> Numbers {
        if self.aim == Aim::SelfMate && node.attacks && is_mated(position) {
            return Numbers::decided(true);
        }
        if let Some(works) = self.record(position).answer(node.moves) {
            return Numbers::decided(works == node.attacks);
        }
        if let Some(numbers) = self.table.numbers(self.numbers_key(position, node)) {
            return numbers;
        }
        let count = Rules::count_legal_moves(position);
        match count {
            0 => self.without_moves(position, node),
            _ => Numbers { own: 1, other: count as u32 },
        }
    }

    fn keep(
        &self,
        position: &G,
        node: Node,
        numbers: Numbers,
        before: u64,
        branches: &[Branch<G::Move>],
    ) {
        let spent = self.nodes - before;
        if !numbers.is_decided() {
            self.table.store_numbers(self.numbers_key(position, node), numbers, spent);
            return;
        }
        let works = (numbers.own == 0) == node.attacks;
        let mut record = self.record(position).with(node.moves, works);
        if numbers.own == 0
            && let Some(branch) = branches.iter().find(|branch| branch.numbers.other == 0)
        {
            record = Record { best: position.pack(branch.mv), ..record };
        }
        self.keep_record(position, record, spent);
    }

    /// Numbers are those of exactly this many moves to go.
    fn numbers_key(&self, position: &G, node: Node) -> Key {
        salted(self.key(position), u64::from(node.moves) + 200)
    }
}

/// The numbers of a position by those of its branches: one has to be won for the mover, all
/// for the other side.
fn sum_up<M>(branches: &[Branch<M>], without_moves: Numbers) -> Numbers {
    if branches.is_empty() {
        return without_moves;
    }
    Numbers::sum_up(branches.iter().map(|branch| branch.numbers))
}
