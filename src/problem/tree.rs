//! The play after the solving moves: threats, replies, answers and duals.

use qirkat_game::{Rules, is_mated};

use super::mate_game::{MateGame, played};
use super::proof_control::Stopped;
use super::prover::Prover;
use super::solution::{Continuation, Play, Variation, WrittenMove};
use super::stipulation::Aim;

/// In a whole solution.
const MAX_REPLIES: usize = 20_000;

pub(super) struct Tree<'p, 'a, G: MateGame> {
    prover: &'p mut Prover<'a, G>,
    replies_left: usize,
    pub is_whole: bool,
}

impl<'p, 'a, G: MateGame> Tree<'p, 'a, G> {
    pub fn new(prover: &'p mut Prover<'a, G>) -> Tree<'p, 'a, G> {
        Tree { prover, replies_left: MAX_REPLIES, is_whole: true }
    }

    /// An attacker's move that reaches the aim in this many moves, and the play after it for
    /// `shown` further moves of the attacker.
    pub fn continuation(
        &mut self,
        position: &G,
        mv: G::Move,
        moves: u8,
        shown: u8,
    ) -> Result<Continuation, Stopped> {
        let play = self.play(&played(position, mv), moves.saturating_sub(1), shown)?;
        Ok(Continuation { mv: WrittenMove::of(position, mv), moves, play })
    }

    /// The play with the defender to move, and moves to go for the attacker.
    fn play(&mut self, position: &G, moves: u8, shown: u8) -> Result<Option<Play>, Stopped> {
        if shown == 0 || !Rules::has_legal_moves(position) {
            return Ok(None);
        }
        let check = position.must_respond();
        let threats = if check || moves == 0 {
            Vec::new()
        } else {
            self.continuations(&position.passed(), moves, 0)?
        };
        let variations = self.variations(position, moves, shown, &threats)?;
        Ok(Some(Play { check, threats, variations }))
    }

    pub fn variations(
        &mut self,
        position: &G,
        moves: u8,
        shown: u8,
        threats: &[Continuation],
    ) -> Result<Vec<Variation>, Stopped> {
        let mut variations = Vec::new();
        for reply in position.legal_moves() {
            if self.replies_left == 0 {
                self.is_whole = false;
                break;
            }
            self.replies_left -= 1;
            let next = played(position, reply);
            let continuations = if self.prover.aim == Aim::SelfMate && is_mated(&next) {
                Vec::new()
            } else {
                self.continuations(&next, moves, shown.saturating_sub(1))?
            };
            let is_there = |threat: &Continuation| {
                continuations
                    .iter()
                    .any(|it| it.mv.uci == threat.mv.uci && it.moves == threat.moves)
            };
            let follows_threat = !threats.is_empty() && threats.iter().all(is_there);
            let defence = WrittenMove::of(position, reply);
            variations.push(Variation { defence, continuations, follows_threat });
        }
        Ok(variations)
    }

    /// Every shortest continuation of the attacker, in up to this many moves.
    fn continuations(
        &mut self,
        position: &G,
        moves: u8,
        shown: u8,
    ) -> Result<Vec<Continuation>, Stopped> {
        for length in 1..=moves {
            let mut mating = Vec::new();
            for mv in position.legal_moves() {
                if self.prover.solves(position, mv, length)? {
                    mating.push(mv);
                }
            }
            if !mating.is_empty() {
                let grown = |mv| self.continuation(position, mv, length, shown);
                return mating.into_iter().map(grown).collect();
            }
        }
        Ok(Vec::new())
    }

    /// The play after the key with the longest defence.
    pub fn main_line(
        &mut self,
        position: &G,
        key: G::Move,
        moves: u8,
    ) -> Result<Vec<G::Move>, Stopped> {
        let mut line = vec![key];
        let (mut position, mut moves) = (played(position, key), moves - 1);
        while let Some((reply, length)) = self.longest_reply(&position, moves)? {
            line.push(reply);
            position = played(&position, reply);
            // A reply that fulfils a selfmate leaves nothing to answer.
            if length == 0 {
                break;
            }
            let Some(answer) = self.prover.first_solving(&position, length)? else { break };
            line.push(answer);
            position = played(&position, answer);
            moves = length - 1;
        }
        Ok(line)
    }

    /// The reply after which the attacker needs most moves, and how many; zero after a mating reply
    /// in a selfmate.
    fn longest_reply(&mut self, position: &G, moves: u8) -> Result<Option<(G::Move, u8)>, Stopped> {
        let mut longest: Option<(G::Move, u8)> = None;
        for reply in position.legal_moves() {
            let next = played(position, reply);
            let mut length = 0;
            if !(self.prover.aim == Aim::SelfMate && is_mated(&next)) {
                while length < moves && !self.prover.attack(&next, length)? {
                    length += 1;
                }
            }
            if longest.is_none_or(|(_, most)| length > most) {
                longest = Some((reply, length));
            }
        }
        Ok(longest)
    }
}
