//! Move ordering of the prover: checks, then in selfmates and stalemates the moves with the fewest
//! replies, then by the sum of material gain and history. Killers and countermoves are the first
//! defences tried.

use std::cmp::Reverse;

use qirkat_game::{Color, MoveFilter, RankedMove, Rules, Searchable};

use super::mate_game::{MateGame, played};
use super::stipulation::{Aim, Goal};

/// When a score exceeds this, all scores of its side are halved.
const MAX_HISTORY: u32 = 1 << 20;
pub(super) const KILLERS: usize = 2;

pub(super) struct MoveMemory<G: Searchable> {
    /// History: how often a move of each side decided a position, by from and to.
    history: [Vec<u32>; 2],
    /// Killers: the last refuting defences.
    killers: [Option<<G as Rules>::Move>; KILLERS],
    /// Countermoves: the last refutation of each attack.
    counters: Vec<Option<G::Move>>,
}

impl<G: Searchable> MoveMemory<G> {
    pub fn new() -> MoveMemory<G> {
        MoveMemory {
            history: [0, 1].map(|_| vec![0; G::BUTTERFLY_SLOTS]),
            killers: [None; KILLERS],
            counters: vec![None; G::PIECE_TO],
        }
    }

    #[inline]
    pub fn score(&self, side: Color, position: &G, mv: G::Move) -> u32 {
        self.history[side.index()][position.butterfly_slot(mv)]
    }

    /// Records that a move decided a position with this many moves to go.
    pub fn reward(&mut self, side: Color, position: &G, mv: G::Move, moves: u8) {
        let history = &mut self.history[side.index()];
        let score = &mut history[position.butterfly_slot(mv)];
        *score += u32::from(moves) * u32::from(moves) + 1;
        if *score > MAX_HISTORY {
            history.iter_mut().for_each(|score| *score /= 2);
        }
    }

    /// Records a defence that refuted the attack with this slot.
    pub fn note_refutation(&mut self, attack_slot: usize, defence: G::Move) {
        self.counters[attack_slot] = Some(defence);
        if self.killers[0] != Some(defence) {
            self.killers = [Some(defence), self.killers[0]];
        }
    }

    /// Defences that may refute the attack, the best guess first.
    #[inline]
    pub fn guesses(&self, attack_slot: usize) -> [Option<G::Move>; 1 + KILLERS] {
        let [first, second] = self.killers;
        [self.counters[attack_slot], first, second]
    }
}

const KNOWN_RANK: i32 = i32::MAX;
/// The rank bonus of a check.
const CHECK_RANK: i32 = 1 << 28;
/// The rank bonus of each reply fewer than [`MAX_REPLIES`], where replies are counted.
const REPLY_RANK: i32 = 1 << 21;
const MAX_REPLIES: u64 = 63;
/// The rank bonus of a check by the defender.
const COUNTER_CHECK_RANK: i32 = 1 << 18;
/// The rank weight of a centipawn of gain, relative to the history.
const GAIN_RANK: i32 = 64;

impl<G: MateGame> MoveMemory<G> {
    /// Adds the attacker's moves to an empty list, the most promising first. With one move to go
    /// only checks can mate, and only others stalemate. `known` is the move of a longer solution, if any.
    pub fn rank_attacks(
        &self,
        position: &G,
        aim: Aim,
        moves: u8,
        known: Option<G::Move>,
        list: &mut Vec<RankedMove<G::Move>>,
    ) {
        let attacker = position.side_to_move();
        let is_for_other = aim.is_for_other();
        let counts_replies = is_for_other || aim.goal == Goal::Stalemate;
        position.push_moves(MoveFilter::All, list);
        list.retain_mut(|RankedMove { rank, mv }| {
            let checks = position.gives_check(*mv);
            if moves == 1 && !is_for_other && checks != (aim.goal == Goal::Mate) {
                return false;
            }
            *rank = self.score(attacker, position, *mv) as i32 + position.gain(*mv) * GAIN_RANK;
            if checks {
                *rank += CHECK_RANK;
            }
            // Few replies leave little to search, and selfmates and stalemates need them to be few.
            if counts_replies {
                let replies = Rules::count_legal_moves(&played(position, *mv));
                if replies == 0 && is_for_other {
                    return false;
                }
                *rank += (MAX_REPLIES - replies.min(MAX_REPLIES)) as i32 * REPLY_RANK;
            }
            if known == Some(*mv) {
                *rank = KNOWN_RANK;
            }
            true
        });
        sort_by_rank(list);
    }

    /// Adds the defender's untried moves to an empty list, the most promising first. Returns
    /// whether there is any legal move.
    pub fn rank_defences(
        &self,
        position: &G,
        tried: &[Option<G::Move>],
        list: &mut Vec<RankedMove<G::Move>>,
    ) -> bool {
        let defender = position.side_to_move();
        position.push_moves(MoveFilter::All, list);
        let has_replies = !list.is_empty();
        list.retain_mut(|RankedMove { rank, mv }| {
            if tried.contains(&Some(*mv)) {
                return false;
            }
            let score = self.score(defender, position, *mv) as i32;
            // A check leaves few continuations.
            let check = if position.gives_check(*mv) { COUNTER_CHECK_RANK } else { 0 };
            *rank = score + check + position.gain(*mv) * GAIN_RANK;
            true
        });
        sort_by_rank(list);
        has_replies
    }
}

fn sort_by_rank<M>(list: &mut [RankedMove<M>]) {
    list.sort_unstable_by_key(|ranked| Reverse(ranked.rank));
}
