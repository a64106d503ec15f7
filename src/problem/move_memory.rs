//! What the prover learns of moves: histories, killers and countermoves. Moves that have
//! decided positions before are tried first where they are legal.

use qirkat_game::{Color, Game, Rules};

/// Merits beyond this are halved, all of them.
const MOST_MERIT: u32 = 1 << 20;
/// Answers that are kept for each number of moves to go.
pub(super) const KILLERS: usize = 2;

/// What one thread has learned of moves.
pub(super) struct MoveMemory<G: Game> {
    /// How often a move of each side decided a position, by where from and where to.
    merits: [Vec<u32>; 2],
    /// For each number of moves to go, the last defences that refuted something
    /// ("killers").
    killers: Vec<[Option<<G as Rules>::Move>; KILLERS]>,
    /// For each attack, the last defence that refuted it ("countermoves").
    counters: Vec<Option<G::Move>>,
}

impl<G: Game> MoveMemory<G> {
    pub fn new() -> MoveMemory<G> {
        MoveMemory {
            merits: [0, 1].map(|_| vec![0; G::BUTTERFLY_SLOTS]),
            killers: vec![[None; KILLERS]; usize::from(u8::MAX) + 1],
            counters: vec![None; G::PIECE_TO],
        }
    }

    /// How often the move of a side decided something.
    #[inline]
    pub fn merit(&self, side: Color, position: &G, mv: G::Move) -> u32 {
        self.merits[side.index()][position.butterfly_slot(mv)]
    }

    /// Notes that a move decided a position with so many moves to go.
    pub fn praise(&mut self, side: Color, position: &G, mv: G::Move, moves: u8) {
        let merits = &mut self.merits[side.index()];
        let merit = &mut merits[position.butterfly_slot(mv)];
        *merit += u32::from(moves) * u32::from(moves) + 1;
        if *merit > MOST_MERIT {
            merits.iter_mut().for_each(|merit| *merit /= 2);
        }
    }

    /// Notes that a defence refuted the attack whose slot is `attack`.
    pub fn note_refutation(&mut self, attack: usize, moves: u8, defence: G::Move) {
        self.counters[attack] = Some(defence);
        let killers = &mut self.killers[usize::from(moves)];
        if killers[0] != Some(defence) {
            *killers = [Some(defence), killers[0]];
        }
    }

    /// Defences that may refute the attack: the best guess first.
    #[inline]
    pub fn guesses(&self, attack: usize, moves: u8) -> [Option<G::Move>; 1 + KILLERS] {
        let [first, second] = self.killers[usize::from(moves)];
        [self.counters[attack], first, second]
    }
}
