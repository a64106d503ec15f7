//! Proof and disproof of direct mates and selfmates at full width: the last two moves
//! depth-first, what is longer by proof numbers. On the suite's mates in 5 that takes half
//! the time of depth-first alone.
//!
//! Positions alternate between the attacker, who has to find one move, and the defender,
//! for whom one refutation is enough. What is proved of a position is kept in a
//! [`ProofTable`] by the number of moves to go. More moves never harm: a mate in two
//! is also one "in three or fewer".

use qirkat_game::{Color, Key, is_mated, mate_in_one, mates};

use super::mate_game::{MateGame, played};
use super::move_order::{KILLERS, MoveMemory, Ranked};
use super::proof_table::{ProofTable, Record, salted};
use super::stipulation::Aim;
use super::watch::{Stopped, Watched};

/// Attacks of this many moves are searched depth-first, longer ones by proof numbers.
pub(super) const PLAIN_MOVES: u8 = 2;
/// Positions with fewer moves to go are not worth a look into the table.
const TABLE_FROM: u8 = 2;

/// How a defender with moves to go fares.
enum Defence<M> {
    /// This move refutes the attack; none where the attack has come to nothing by itself.
    Holds(Option<M>),
    /// Nothing helps.
    Fails,
}

/// One thread of a proof.
pub(super) struct Prover<'a, G: MateGame> {
    pub aim: Aim,
    attacker: Color,
    pub table: &'a ProofTable,
    /// Who looks on.
    pub watched: &'a Watched<'a>,
    memory: MoveMemory<G>,
    /// Lists of moves that are not in use.
    lists: Vec<Vec<Ranked<G::Move>>>,
    /// Positions looked at by this thread.
    pub nodes: u64,
    /// Makes keys of their own for each aim and side: what the table knows of one is
    /// nothing to another.
    salt: u64,
}

impl<'a, G: MateGame> Prover<'a, G> {
    /// A prover for the side that is to reach the aim.
    pub fn new(
        aim: Aim,
        attacker: Color,
        table: &'a ProofTable,
        watched: &'a Watched<'a>,
    ) -> Prover<'a, G> {
        let number = 1 + attacker.index() as u64 + if aim == Aim::SelfMate { 2 } else { 0 };
        Prover {
            aim,
            attacker,
            table,
            watched,
            memory: MoveMemory::new(),
            lists: Vec::new(),
            nodes: 0,
            salt: number,
        }
    }

    /// Whether the attacker, who is to move, reaches the aim in this many moves or fewer.
    pub fn attack(&mut self, position: &G, moves: u8) -> Result<bool, Stopped> {
        if moves > PLAIN_MOVES {
            self.attack_by_numbers(position, moves)
        } else {
            self.attack_plainly(position, moves)
        }
    }

    /// Whether it does, depth-first and one move more each time.
    pub(super) fn attack_plainly(&mut self, position: &G, moves: u8) -> Result<bool, Stopped> {
        self.watched.count(&mut self.nodes)?;
        if moves < TABLE_FROM {
            return self.attack_at_once(position, moves);
        }
        let key = self.key(position);
        let mut record = self.table.probe(key);
        if let Some(known) = record.answer(moves) {
            return Ok(known);
        }
        let before = self.nodes;
        // Short ways first: they cost next to nothing beside the long ones.
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

    /// Whether a move of the attacker, who is to move, reaches the aim in this many moves or
    /// fewer, itself among them.
    pub fn solves(&mut self, position: &G, mv: G::Move, moves: u8) -> Result<bool, Stopped> {
        self.is_defenceless(&played(position, mv), moves - 1, position.piece_to(mv))
    }

    /// The first of all moves that does.
    pub fn first_solving(&mut self, position: &G, moves: u8) -> Result<Option<G::Move>, Stopped> {
        for mv in position.legal_moves() {
            if self.solves(position, mv, moves)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// Whether the aim is reached after a move of the attacker, with this many moves to go
    /// for it.
    pub fn is_defenceless(
        &mut self,
        position: &G,
        moves: u8,
        attack: usize,
    ) -> Result<bool, Stopped> {
        if moves >= PLAIN_MOVES {
            self.is_defenceless_by_numbers(position, moves, attack)
        } else {
            self.is_defenceless_plainly(position, moves, attack)
        }
    }

    /// Whether it is, depth-first.
    pub(super) fn is_defenceless_plainly(
        &mut self,
        position: &G,
        moves: u8,
        attack: usize,
    ) -> Result<bool, Stopped> {
        if moves == 0 {
            return self.is_reached(position);
        }
        let key = self.key(position);
        let uses_table = moves >= TABLE_FROM;
        let record = if uses_table { self.table.probe(key) } else { Record::UNKNOWN };
        if let Some(known) = record.answer(moves) {
            return Ok(known);
        }
        let before = self.nodes;
        let defence = self.defend(position, moves, attack, record)?;
        let fails = matches!(defence, Defence::Fails);
        if uses_table {
            let mut record = record.with(moves, fails);
            if let Defence::Holds(Some(refutation)) = defence {
                record.best = position.pack(refutation);
            }
            self.table.store(key, record, self.nodes - before);
        }
        Ok(fails)
    }

    /// Whether the aim is reached after a reply of the defender, at once or with this many
    /// moves to go for the attacker.
    pub fn is_answered(
        &mut self,
        position: &G,
        reply: G::Move,
        moves: u8,
    ) -> Result<bool, Stopped> {
        let next = played(position, reply);
        if self.aim == Aim::SelfMate && is_mated(&next) {
            return Ok(true);
        }
        Ok(moves > 0 && self.attack(&next, moves)?)
    }

    /// Notes that a defence refuted the attack with this many moves to go.
    fn note_refutation(&mut self, position: &G, moves: u8, attack: usize, defence: G::Move) {
        self.memory.note_refutation(attack, moves, defence);
        self.memory.reward(!self.attacker, position, defence, moves);
    }

    /// Whether a position without legal replies is what the attacker wants.
    pub fn wants_dead_end(&self, position: &G) -> bool {
        self.aim == Aim::DirectMate && is_mated(position)
    }

    pub(super) fn count(&mut self) -> Result<(), Stopped> {
        self.watched.count(&mut self.nodes)
    }

    pub(super) fn record(&self, position: &G) -> Record {
        self.table.probe(self.key(position))
    }

    pub(super) fn keep_record(&self, position: &G, record: Record, nodes: u64) {
        self.table.store(self.key(position), record, nodes);
    }

    pub(super) fn key(&self, position: &G) -> Key {
        salted(position.key(), self.salt)
    }

    /// With one move to go, or none.
    fn attack_at_once(&mut self, position: &G, moves: u8) -> Result<bool, Stopped> {
        if moves == 0 {
            return Ok(false);
        }
        if self.aim == Aim::DirectMate {
            return Ok(mate_in_one(position).is_some());
        }
        Ok(self.attack_in(position, 1, Record::UNKNOWN)?.is_some())
    }

    /// A move that reaches the aim in exactly this many moves, where fewer are known not to do.
    fn attack_in(
        &mut self,
        position: &G,
        moves: u8,
        record: Record,
    ) -> Result<Option<G::Move>, Stopped> {
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

    /// Whether the attacker's last move has reached the aim.
    fn is_reached(&mut self, position: &G) -> Result<bool, Stopped> {
        if self.aim == Aim::DirectMate {
            return Ok(is_mated(position));
        }
        self.watched.count(&mut self.nodes)?;
        // Every reply has to mate, and there has to be one.
        let replies = position.legal_moves();
        Ok(!replies.is_empty() && replies.into_iter().all(|mv| mates(position, mv)))
    }

    /// Looks for a reply that refutes the attack, with moves to go for it.
    fn defend(
        &mut self,
        position: &G,
        moves: u8,
        attack: usize,
        record: Record,
    ) -> Result<Defence<G::Move>, Stopped> {
        // Moves that have refuted much like this before are tried before anything is generated.
        let [counter, first, second] = self.memory.guesses(attack, moves);
        let guesses = [position.unpack(record.best), counter, first, second];
        let mut tried = [None; 2 + KILLERS];
        for (place, guess) in guesses.into_iter().enumerate() {
            let Some(guess) = guess.filter(|&mv| position.is_legal(mv)) else { continue };
            if tried.contains(&Some(guess)) {
                continue;
            }
            tried[place] = Some(guess);
            if !self.is_answered(position, guess, moves)? {
                self.note_refutation(position, moves, attack, guess);
                return Ok(Defence::Holds(Some(guess)));
            }
        }
        let mut list = self.lists.pop().unwrap_or_default();
        let has_replies = self.memory.rank_defences(position, &tried, &mut list);
        if !has_replies {
            self.lists.push(list);
            let wanted = self.wants_dead_end(position);
            return Ok(if wanted { Defence::Fails } else { Defence::Holds(None) });
        }
        let mut defence = Defence::Fails;
        for ranked in &list {
            if !self.is_answered(position, ranked.mv, moves)? {
                self.note_refutation(position, moves, attack, ranked.mv);
                defence = Defence::Holds(Some(ranked.mv));
                break;
            }
        }
        list.clear();
        self.lists.push(list);
        Ok(defence)
    }
}
