//! A mate prover: full width for both sides, so that what it says holds
//! whatever a search with pruning believes.

use std::mem::size_of;

use qirkat_game::{Rules, Searchable};
use qirkat_rules::chesquerque::{Key, Move, Point, Position};

/// Size of the table of proofs.
const TABLE_BYTES: usize = 64 << 20;

/// Proves and refutes mates in a given number of moves. Repetitions and the
/// fifty moves are left out of account: a shortest mate never repeats a
/// position, and from a clock at zero it comes in time.
pub struct Prover {
    table: Vec<Entry>,
    /// How often a move of each side was what decided a position, by points.
    merits: [Vec<u64>; 2],
    /// Positions looked at.
    nodes: u64,
    /// Positions it may look at.
    pub limit: u64,
}

/// The proof was given up at the limit.
#[derive(Debug)]
pub struct GivenUp;

/// The knowledge of a position with the attacker to move.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: Key,
    /// The attacker mates in this many moves, if it is not zero.
    mate: u8,
    /// The attacker has no mate in this many moves.
    no_mate: u8,
}

impl Prover {
    /// A prover that knows nothing yet.
    pub fn new(limit: u64) -> Prover {
        let entries = TABLE_BYTES / size_of::<Entry>();
        let merits = || vec![0; Point::COUNT * Point::COUNT];
        Prover {
            table: vec![Entry::default(); entries],
            merits: [merits(), merits()],
            nodes: 0,
            limit,
        }
    }

    /// The length of the shortest mate, up to `most` moves, with every move
    /// that keeps to it.
    pub fn shortest_mate(
        &mut self,
        position: &Position,
        most: u8,
    ) -> Result<Option<(u8, Vec<Move>)>, GivenUp> {
        for moves in 1..=most {
            let mut mating = Vec::new();
            for mv in self.ordered(position, position.legal_moves()) {
                if self.is_lost(&position.after(mv), moves - 1)? {
                    mating.push(mv);
                }
            }
            if !mating.is_empty() {
                return Ok(Some((moves, mating)));
            }
        }
        Ok(None)
    }

    /// Whether the side to move mates in `moves` moves or fewer.
    fn mates(&mut self, position: &Position, moves: u8) -> Result<bool, GivenUp> {
        self.count()?;
        if moves == 1 {
            return Ok(mates_at_once(position));
        }
        let key = position.key();
        let place = (key.0 % self.table.len() as u64) as usize;
        let known = self.table[place];
        let known = if known.key == key { known } else { Entry { key, mate: 0, no_mate: 0 } };
        if known.mate > 0 && known.mate <= moves {
            return Ok(true);
        }
        // Short mates first: they cost next to nothing beside the longer ones.
        for shorter in known.no_mate + 1..=moves {
            let found = self.mates_in_exactly(position, shorter)?;
            let entry = if found {
                Entry { key, mate: shorter, no_mate: shorter - 1 }
            } else {
                Entry { key, mate: known.mate, no_mate: shorter }
            };
            self.table[place] = entry;
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The same where shorter mates are known not to be there.
    fn mates_in_exactly(&mut self, position: &Position, moves: u8) -> Result<bool, GivenUp> {
        if moves == 1 {
            return Ok(mates_at_once(position));
        }
        for mv in self.ordered(position, position.legal_moves()) {
            if self.is_lost(&position.after(mv), moves - 1)? {
                self.reward(position, mv, moves);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the side to move is mated, at once or by `moves` further moves
    /// of the other side.
    fn is_lost(&mut self, position: &Position, moves: u8) -> Result<bool, GivenUp> {
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.in_check());
        }
        if moves == 0 {
            return Ok(false);
        }
        for mv in self.ordered(position, replies) {
            if !self.mates(&position.after(mv), moves)? {
                self.reward(position, mv, moves);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn count(&mut self) -> Result<(), GivenUp> {
        self.nodes += 1;
        if self.nodes > self.limit { Err(GivenUp) } else { Ok(()) }
    }

    /// Checks first, then what has decided most often.
    fn ordered(&self, position: &Position, mut moves: Vec<Move>) -> Vec<Move> {
        let merits = &self.merits[position.side_to_move().index()];
        moves.sort_by_cached_key(|&mv| {
            let check = position.gives_check(mv);
            std::cmp::Reverse((check, merits[merit_index(mv)], position.captured(mv)))
        });
        moves
    }

    fn reward(&mut self, position: &Position, mv: Move, moves: u8) {
        let merits = &mut self.merits[position.side_to_move().index()];
        merits[merit_index(mv)] += u64::from(moves) * u64::from(moves);
    }
}

fn merit_index(mv: Move) -> usize {
    mv.from.index() * Point::COUNT + mv.to.index()
}

fn mates_at_once(position: &Position) -> bool {
    let moves = position.legal_moves();
    moves.into_iter().any(|mv| position.gives_check(mv) && !position.after(mv).has_legal_moves())
}
