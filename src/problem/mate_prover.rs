//! Full-width proof of what is forced, such as direct mates and selfmates: the last two moves
//! depth-first, longer ones by proof-number search. On the suite's mates in 5 this takes half the
//! time of depth-first alone.
//!
//! Positions alternate between the attacker, who needs one move, and the defender, who needs one
//! refutation. Results are kept in a [`ProofTable`] by the number of moves to go. More moves never
//! harm: a mate in two is also one "in three or fewer".

use qirkat_game::{Color, Key, RankedMove, Rules};

use super::mate_game::{MateGame, played};
use super::move_order::{KILLERS, MoveMemory};
use super::proof_control::{SharedControl, Stopped};
use super::proof_table::{ProofNumbers, ProofTable, Record, salted};
use super::stipulation::{Aim, Genre};

/// Attacks of up to this many moves are searched depth-first, longer ones by proof numbers.
const DEPTH_FIRST_MOVES: u8 = 2;
/// The fewest moves to go for which the table is used.
const TABLE_FROM: u8 = 2;
/// Larger than the salt of any aim, so that proof numbers and records have different keys.
const NUMBERS_SALT: u64 = 200;

pub(super) struct MateProver<'a, G: MateGame> {
    pub aim: Aim,
    attacker: Color,
    pub table: &'a ProofTable,
    pub shared: &'a SharedControl<'a>,
    memory: MoveMemory<G>,
    /// Move lists for reuse.
    lists: Vec<Vec<RankedMove<G::Move>>>,
    pub nodes: u64,
    /// Separates the keys of aims and sides, whose results do not apply to one another.
    salt: u64,
}

impl<'a, G: MateGame> MateProver<'a, G> {
    pub fn new(
        aim: Aim,
        attacker: Color,
        table: &'a ProofTable,
        shared: &'a SharedControl<'a>,
    ) -> MateProver<'a, G> {
        MateProver {
            aim,
            attacker,
            table,
            shared,
            memory: MoveMemory::new(),
            lists: Vec::new(),
            nodes: 0,
            salt: 1 + attacker.index() as u64 + 2 * aim.salt(),
        }
    }

    /// Whether the side to move can reach the goal at once, and in reflex play must.
    pub fn is_obliged(&self, position: &G) -> bool {
        let attacks = position.side_to_move() == self.attacker;
        self.aim.obliges(attacks) && self.aim.goal.is_reached_in_one(position)
    }

    /// The moves that the aim allows.
    pub fn moves(&self, position: &G) -> Vec<G::Move> {
        let mut moves = position.legal_moves();
        if self.is_obliged(position) {
            moves.retain(|&mv| self.aim.goal.is_reached_by(position, mv));
        }
        moves
    }

    /// Whether the attacker, to move, reaches the aim in at most this many moves.
    pub fn attack(&mut self, position: &G, moves: u8) -> Result<bool, Stopped> {
        if moves <= DEPTH_FIRST_MOVES {
            return self.attack_depth_first(position, moves);
        }
        let node = MateNode { attacks: true, moves, attack_slot: 0 };
        Ok(self.decide(position, node, ProofNumbers::NO_THRESHOLD)?.phi == 0)
    }

    /// The same, by iterative deepening.
    fn attack_depth_first(&mut self, position: &G, moves: u8) -> Result<bool, Stopped> {
        self.shared.count(&mut self.nodes)?;
        if moves < TABLE_FROM {
            return self.attack_at_once(position, moves);
        }
        let key = self.key(position);
        let mut record = self.table.probe(key);
        if let Some(known) = record.answer(moves) {
            return Ok(known);
        }
        let before = self.nodes;
        // Short solutions first: they cost almost nothing compared to long ones.
        for length in record.fails_below.max(1)..=moves {
            let works = if length == 1 {
                self.attack_at_once(position, length)?
            } else {
                let best = self.attack_in(position, length, record)?;
                record.best = best.map_or(record.best, |best| position.pack(best));
                best.is_some()
            };
            record = record.with(length, works);
            if works {
                break;
            }
        }
        self.table.store(key, record, self.nodes - before);
        Ok(record.answer(moves) == Some(true))
    }

    /// Whether an attacker's move reaches the aim in at most this many moves, itself included.
    pub fn solves(&mut self, position: &G, mv: G::Move, moves: u8) -> Result<bool, Stopped> {
        self.all_defences_fail(&played(position, mv), moves - 1, position.piece_to(mv))
    }

    pub fn first_solving(&mut self, position: &G, moves: u8) -> Result<Option<G::Move>, Stopped> {
        for mv in self.moves(position) {
            if self.solves(position, mv, moves)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// Whether the aim is reached after an attacker's move, with this many moves to go.
    pub fn all_defences_fail(
        &mut self,
        position: &G,
        moves: u8,
        attack_slot: usize,
    ) -> Result<bool, Stopped> {
        match moves {
            0 => self.is_reached_without_attack(position),
            1 => Ok(!self.has_refutation(position, attack_slot)?),
            _ => {
                let node = MateNode { attacks: false, moves, attack_slot };
                Ok(self.decide(position, node, ProofNumbers::NO_THRESHOLD)?.phi != 0)
            }
        }
    }

    /// Whether the aim is reached after a defender's reply, at once or with this many moves to go.
    pub fn is_answered(
        &mut self,
        position: &G,
        reply: G::Move,
        moves: u8,
    ) -> Result<bool, Stopped> {
        let next = played(position, reply);
        if self.is_reached_by_defender(&next) {
            return Ok(true);
        }
        Ok(moves > 0 && self.attack(&next, moves)?)
    }

    fn note_refutation(&mut self, position: &G, attack_slot: usize, defence: G::Move) {
        self.memory.note_refutation(attack_slot, defence);
        self.memory.reward(!self.attacker, position, defence, 1);
    }

    /// Whether the attacker has just reached the goal for itself.
    pub fn is_reached_by_attacker(&self, position: &G) -> bool {
        self.aim.genre == Genre::Direct && self.aim.goal.is_reached(position)
    }

    /// Whether the defender has just reached the goal, as the attacker wants.
    pub fn is_reached_by_defender(&self, position: &G) -> bool {
        self.aim.is_for_other() && self.aim.goal.is_reached(position)
    }

    fn record(&self, position: &G) -> Record {
        self.table.probe(self.key(position))
    }

    fn key(&self, position: &G) -> Key {
        salted(position.key(), self.salt)
    }

    fn attack_at_once(&mut self, position: &G, moves: u8) -> Result<bool, Stopped> {
        if moves == 0 {
            return Ok(false);
        }
        if self.aim.genre == Genre::Direct {
            return Ok(self.aim.goal.is_reached_in_one(position));
        }
        Ok(self.attack_in(position, 1, Record::UNKNOWN)?.is_some())
    }

    /// A move that reaches the aim in exactly this many moves, when fewer are known to fail.
    fn attack_in(
        &mut self,
        position: &G,
        moves: u8,
        record: Record,
    ) -> Result<Option<G::Move>, Stopped> {
        if self.is_obliged(position) {
            return Ok(None);
        }
        let known = position.unpack(record.best);
        let mut list = self.lists.pop().unwrap_or_default();
        self.memory.rank_attacks(position, self.aim, moves, known, &mut list);
        let mut best = None;
        for ranked in &list {
            if self.solves(position, ranked.mv, moves)? {
                best = Some(ranked.mv);
                self.memory.reward(self.attacker, position, ranked.mv, moves);
                break;
            }
        }
        list.clear();
        self.lists.push(list);
        Ok(best)
    }

    fn is_reached_without_attack(&mut self, position: &G) -> Result<bool, Stopped> {
        if self.aim.genre == Genre::Direct {
            return Ok(self.aim.goal.is_reached(position));
        }
        self.shared.count(&mut self.nodes)?;
        // Every reply must reach the goal, and there must be one.
        let mut replies = self.moves(position).into_iter().peekable();
        Ok(replies.peek().is_some() && replies.all(|mv| self.aim.goal.is_reached_by(position, mv)))
    }

    /// Whether the attack fails, with one move to go: by a reply, or because it ends without the goal.
    fn has_refutation(&mut self, position: &G, attack_slot: usize) -> Result<bool, Stopped> {
        if self.is_obliged(position) {
            return Ok(false);
        }
        // Earlier refutations are tried before moves are generated.
        let mut tried = [None; 1 + KILLERS];
        for (number, guess) in self.memory.guesses(attack_slot).into_iter().enumerate() {
            let Some(guess) = guess.filter(|&mv| position.is_legal(mv)) else { continue };
            if tried.contains(&Some(guess)) {
                continue;
            }
            tried[number] = Some(guess);
            if !self.is_answered(position, guess, 1)? {
                self.note_refutation(position, attack_slot, guess);
                return Ok(true);
            }
        }
        let mut list = self.lists.pop().unwrap_or_default();
        let has_replies = self.memory.rank_defences(position, &tried, &mut list);
        if !has_replies {
            self.lists.push(list);
            return Ok(!self.is_reached_by_attacker(position));
        }
        let mut is_refuted = false;
        for ranked in &list {
            if !self.is_answered(position, ranked.mv, 1)? {
                self.note_refutation(position, attack_slot, ranked.mv);
                is_refuted = true;
                break;
            }
        }
        list.clear();
        self.lists.push(list);
        Ok(is_refuted)
    }
}

// Depth-first proof-number search for longer attacks: the position nearest to being decided comes
// first (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002). Moves
// to go are part of a position's identity, so that nothing repeats and proofs are sound.

#[derive(Clone, Copy)]
struct MateNode {
    attacks: bool,
    moves: u8,
    /// The [`piece_to`](qirkat_game::Searchable::piece_to) slot of the attacker's last move.
    attack_slot: usize,
}

/// A move and what is known of the position after it, for the side to move there.
struct MateBranch<M> {
    mv: M,
    node: MateNode,
    numbers: ProofNumbers,
}

impl<G: MateGame> MateProver<'_, G> {
    /// Searches until the position is decided, or one of its numbers reaches its threshold.
    fn decide(
        &mut self,
        position: &G,
        node: MateNode,
        threshold: ProofNumbers,
    ) -> Result<ProofNumbers, Stopped> {
        self.shared.count(&mut self.nodes)?;
        if let Some(decided) = self.decide_depth_first(position, node)? {
            return Ok(decided);
        }
        let before = self.nodes;
        let mut branches = self.branches(position, node);
        let numbers = loop {
            let numbers = match branches.as_slice() {
                [] => self.without_moves(position, node),
                _ => ProofNumbers::from_branches(branches.iter().map(|branch| branch.numbers)),
            };
            if numbers.reaches(threshold) || numbers.is_decided() {
                break numbers;
            }
            let Some((best, second)) =
                ProofNumbers::most_proving(branches.iter().map(|branch| branch.numbers.delta))
            else {
                break numbers;
            };
            let branch = &branches[best];
            let inner = numbers.branch_threshold(branch.numbers, threshold, second);
            let next = played(position, branch.mv);
            branches[best].numbers = self.decide(&next, branch.node, inner)?;
        };
        self.store(position, node, numbers, before, &branches);
        Ok(numbers)
    }

    fn decide_depth_first(
        &mut self,
        position: &G,
        node: MateNode,
    ) -> Result<Option<ProofNumbers>, Stopped> {
        let record = self.record(position);
        if let Some(works) = record.answer(node.moves) {
            return Ok(Some(ProofNumbers::decided(works == node.attacks)));
        }
        Ok(match (node.attacks, node.moves) {
            (true, moves) if moves <= DEPTH_FIRST_MOVES => {
                Some(ProofNumbers::decided(self.attack_depth_first(position, moves)?))
            }
            (false, moves) if moves < DEPTH_FIRST_MOVES => {
                let fail = self.all_defences_fail(position, moves, node.attack_slot)?;
                Some(ProofNumbers::decided(!fail))
            }
            _ => None,
        })
    }

    /// The result if there is no move.
    fn without_moves(&self, position: &G, node: MateNode) -> ProofNumbers {
        let works = !node.attacks && self.is_reached_by_attacker(position);
        ProofNumbers::decided(works == node.attacks)
    }

    fn branches(&self, position: &G, node: MateNode) -> Vec<MateBranch<G::Move>> {
        let moves = if node.attacks { node.moves - 1 } else { node.moves };
        let branch = |mv| {
            let attack_slot = if node.attacks { position.piece_to(mv) } else { 0 };
            let node = MateNode { attacks: !node.attacks, moves, attack_slot };
            MateBranch { mv, node, numbers: self.numbers(&played(position, mv), node) }
        };
        self.moves(position).into_iter().map(branch).collect()
    }

    fn numbers(&self, position: &G, node: MateNode) -> ProofNumbers {
        if node.attacks && self.is_reached_by_defender(position) {
            return ProofNumbers::decided(true);
        }
        if let Some(works) = self.record(position).answer(node.moves) {
            return ProofNumbers::decided(works == node.attacks);
        }
        if let Some(numbers) = self.table.numbers(self.numbers_key(position, node)) {
            return numbers;
        }
        match Rules::count_legal_moves(position) {
            0 => self.without_moves(position, node),
            count => ProofNumbers { phi: 1, delta: count as u32 },
        }
    }

    fn store(
        &self,
        position: &G,
        node: MateNode,
        numbers: ProofNumbers,
        before: u64,
        branches: &[MateBranch<G::Move>],
    ) {
        let spent = self.nodes - before;
        if !numbers.is_decided() {
            self.table.store_numbers(self.numbers_key(position, node), numbers, spent);
            return;
        }
        let works = (numbers.phi == 0) == node.attacks;
        let mut record = self.record(position).with(node.moves, works);
        if numbers.phi == 0
            && let Some(branch) = branches.iter().find(|branch| branch.numbers.delta == 0)
        {
            record = Record { best: position.pack(branch.mv), ..record };
        }
        self.table.store(self.key(position), record, spent);
    }

    /// Numbers are stored per exact number of moves to go.
    fn numbers_key(&self, position: &G, node: MateNode) -> Key {
        salted(self.key(position), u64::from(node.moves) + NUMBERS_SALT)
    }
}
