//! The solution of a problem, as data, and the play after the solving moves: threats, replies,
//! answers and duals.

use qirkat_game::Rules;
use qirkat_rules::variant::{AnyMove, AnyPosition, VariantGame};

use super::mate_game::{MateGame, played};
use super::mate_prover::MateProver;
use super::proof_control::Stopped;
use super::stipulation::Stipulation;

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct WrittenMove {
    pub uci: String,
    pub san: String,
}

impl WrittenMove {
    pub(super) fn of<G: VariantGame>(position: &G, mv: G::Move) -> WrittenMove {
        let (position, mv): (AnyPosition, AnyMove) = ((*position).into(), mv.into());
        WrittenMove { uci: mv.to_string(), san: position.san(mv) }
    }

    pub(super) fn line<G: MateGame>(position: &G, line: &[G::Move]) -> Vec<WrittenMove> {
        let mut position = *position;
        line.iter()
            .map(|&mv| {
                // In series play the other side has passed.
                if !position.is_legal(mv) {
                    position = position.after_null_move();
                }
                let written = WrittenMove::of(&position, mv);
                position.make(mv);
                written
            })
            .collect()
    }
}

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Continuation {
    #[serde(flatten)]
    pub mv: WrittenMove,
    /// Moves of the attacker to the aim, this one included.
    pub moves: u8,
    /// The play after it, as far as requested; none after a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play: Option<Play>,
}

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Play {
    pub check: bool,
    /// Whether the defender can reach the goal of reflex play at once, and must.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub obliged: bool,
    /// The threats: how the attacker would continue if the defender passed. Empty after a check,
    /// which must be answered, and in zugzwang.
    pub threats: Vec<Continuation>,
    /// Every reply that the aim allows, in the order of the generator.
    pub variations: Vec<Variation>,
}

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Variation {
    pub defence: WrittenMove,
    /// All shortest continuations: more than one is a dual. Empty if the reply itself reaches
    /// the goal, as in a selfmate.
    pub continuations: Vec<Continuation>,
    /// Whether every threat remains, so that the reply defends against nothing.
    pub follows_threat: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Try {
    #[serde(flatten)]
    pub mv: WrittenMove,
    pub refutations: Vec<WrittenMove>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    Complete,
    /// It was stopped. No solution has fewer plies than this.
    Stopped {
        excluded_below: u16,
    },
}

#[derive(Clone, Debug)]
pub struct Solution {
    pub position: AnyPosition,
    pub stipulation: Stipulation,
    pub proof: Proof,
    /// The stipulation that the solutions fulfil, with fewer moves if there are short ones; none if
    /// there is no solution.
    pub solved: Option<Stipulation>,
    pub keys: Vec<Continuation>,
    /// First moves left undecided when the proof was stopped.
    pub open: Vec<WrittenMove>,
    /// First moves with few refutations, if requested.
    pub tries: Vec<Try>,
    /// The play if the other side begins, if requested and possible: help play has `set_lines`
    /// instead.
    pub set_play: Option<Vec<Variation>>,
    /// The solutions of help and series play.
    pub lines: Vec<Vec<WrittenMove>>,
    /// The set play of help and series play, if requested and possible: lines without the first
    /// move, or without the series.
    pub set_lines: Option<Vec<Vec<WrittenMove>>>,
    /// The longest defence against the first key, if not all variations are shown.
    pub main_line: Vec<WrittenMove>,
    /// Whether the variations are complete; they are cut off if too many, or if the proof was
    /// stopped.
    pub has_all_variations: bool,
    pub nodes: u64,
}

impl Solution {
    pub(super) fn nothing(position: AnyPosition, stipulation: Stipulation) -> Solution {
        Solution {
            position,
            stipulation,
            proof: Proof::Complete,
            solved: None,
            keys: Vec::new(),
            open: Vec::new(),
            tries: Vec::new(),
            set_play: None,
            lines: Vec::new(),
            set_lines: None,
            main_line: Vec::new(),
            has_all_variations: true,
            nodes: 0,
        }
    }

    pub fn is_proved(&self) -> bool {
        self.proof == Proof::Complete
    }
}

/// The most replies in a whole solution.
const MAX_REPLIES: usize = 20_000;

/// Builds the play after a move, up to [`MAX_REPLIES`] replies.
pub(super) struct PlayBuilder<'p, 'a, G: MateGame> {
    prover: &'p mut MateProver<'a, G>,
    replies_left: usize,
    /// Whether no reply was left out.
    pub is_whole: bool,
}

impl<'p, 'a, G: MateGame> PlayBuilder<'p, 'a, G> {
    pub fn new(prover: &'p mut MateProver<'a, G>) -> PlayBuilder<'p, 'a, G> {
        PlayBuilder { prover, replies_left: MAX_REPLIES, is_whole: true }
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

    /// The play with the defender to move and this many moves to go for the attacker.
    fn play(&mut self, position: &G, moves: u8, shown: u8) -> Result<Option<Play>, Stopped> {
        if shown == 0 || !Rules::has_legal_moves(position) {
            return Ok(None);
        }
        let check = position.must_respond();
        let obliged = self.prover.is_obliged(position);
        let threats = if check || obliged || moves == 0 {
            Vec::new()
        } else {
            self.continuations(&position.after_null_move(), moves, 0)?
        };
        let variations = self.variations(position, moves, shown, &threats)?;
        Ok(Some(Play { check, obliged, threats, variations }))
    }

    /// The replies, each with the attacker's continuations; one that reaches the goal itself needs
    /// none. Other replies without one are left out, which happens in set play only.
    pub fn variations(
        &mut self,
        position: &G,
        moves: u8,
        shown: u8,
        threats: &[Continuation],
    ) -> Result<Vec<Variation>, Stopped> {
        let mut variations = Vec::new();
        for reply in self.prover.moves(position) {
            if self.replies_left == 0 {
                self.is_whole = false;
                break;
            }
            self.replies_left -= 1;
            let next = played(position, reply);
            let is_reached = self.prover.is_reached_by_defender(&next);
            let continuations = if is_reached {
                Vec::new()
            } else {
                self.continuations(&next, moves, shown.saturating_sub(1))?
            };
            if !is_reached && continuations.is_empty() {
                continue;
            }
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
            for mv in self.prover.moves(position) {
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

    /// The play after the key, with the longest defence.
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
            // A reply that reaches the goal leaves nothing to answer.
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

    /// The reply after which the attacker needs the most moves, and their number; zero if
    /// the reply reaches the goal.
    fn longest_reply(&mut self, position: &G, moves: u8) -> Result<Option<(G::Move, u8)>, Stopped> {
        let mut longest: Option<(G::Move, u8)> = None;
        for reply in self.prover.moves(position) {
            let next = played(position, reply);
            let mut length = 0;
            if !self.prover.is_reached_by_defender(&next) {
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
