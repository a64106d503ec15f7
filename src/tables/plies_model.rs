//! Distances, written as what surprises a model.
//!
//! The model sees a cell in several contexts, each a part of what is known of its
//! surroundings. In each it remembers the last distance, and how often that was right. The
//! distances that most contexts expect are asked for one after another, and how likely each
//! is, is mixed from what the contexts have seen ([`Mixer`]). A distance that nobody
//! expects is spelled out in bits.

use super::mixer::{Mixer, stretch};
use super::range_coder::{ALWAYS, BinaryCoder, Chance};

/// Contexts of a cell.
pub(super) const CONTEXTS: usize = 6;
/// Distances that are asked for before bits.
const QUESTIONS: usize = 3;
/// Bits of a distance that nobody expects.
pub(super) const PLY_BITS: u32 = 12;
/// Slots of each context.
const SLOT_BITS: u32 = 16;
const SLOTS: usize = 1 << SLOT_BITS;
const LEVELS: usize = 6;
/// What each context has seen, how far each is trusted, and a constant.
const OPINIONS: usize = 2 * CONTEXTS + 1;
const CONSTANT: i32 = 256;

/// What was seen last, and how often it has been right.
#[derive(Clone, Copy, Default)]
struct Guess {
    plies: u16,
    trust: u8,
}

impl Guess {
    #[inline]
    fn learn(&mut self, plies: u16) {
        const MOST: u8 = 30;
        if self.plies == plies {
            self.trust = (self.trust + 1).min(MOST);
        } else if self.trust > 1 {
            self.trust /= 2;
        } else {
            *self = Guess { plies, trust: 1 };
        }
    }

    /// The trust in six steps.
    #[inline]
    const fn level(self) -> usize {
        match self.trust {
            0 => 0,
            1 => 1,
            2 => 2,
            3..=6 => 3,
            7..=14 => 4,
            _ => 5,
        }
    }
}

/// The model, which learns as it goes.
pub(super) struct PliesModel {
    guesses: Vec<Guess>,
    /// How often a distance has come in a context.
    seen: Vec<Chance>,
    /// How often a guess of so much trust is right, or another distance beside it.
    trust: Vec<Chance>,
    mixer: Mixer<OPINIONS>,
    /// The bits of a distance that nobody expects, by those before.
    bits: Vec<Chance>,
}

/// Distances that contexts expect, with their votes.
#[derive(Default)]
struct Candidates {
    found: [(u16, usize); CONTEXTS],
    count: usize,
}

impl Candidates {
    #[inline]
    fn vote(&mut self, plies: u16, votes: usize) {
        let known = self.found[..self.count].iter_mut().find(|it| it.0 == plies);
        if let Some(known) = known {
            known.1 += votes;
        } else {
            self.found[self.count] = (plies, votes);
            self.count += 1;
        }
    }

    /// Takes out the one with most votes.
    #[inline]
    fn next(&mut self) -> Option<u16> {
        let best = self.found[..self.count].iter_mut().rev().max_by_key(|it| it.1)?;
        if best.1 == 0 {
            return None;
        }
        best.1 = 0;
        Some(best.0)
    }
}

impl PliesModel {
    /// A model that has seen nothing.
    pub fn new() -> PliesModel {
        PliesModel {
            guesses: vec![Guess::default(); CONTEXTS * SLOTS],
            seen: vec![Chance::EVEN; CONTEXTS * SLOTS],
            trust: vec![Chance::EVEN; QUESTIONS * CONTEXTS * LEVELS * 2],
            mixer: Mixer::new(QUESTIONS * LEVELS * LEVELS),
            bits: vec![Chance::EVEN; 1 << PLY_BITS],
        }
    }

    /// Codes the distance of a cell: what was written, or, while writing, the one handed
    /// in, or the most likely where nobody asks.
    pub fn code(
        &mut self,
        coder: &mut impl BinaryCoder,
        contexts: &[u64; CONTEXTS],
        asked: Option<u16>,
    ) -> u16 {
        let mut guesses = [Guess::default(); CONTEXTS];
        let mut candidates = Candidates::default();
        for (order, guess) in guesses.iter_mut().enumerate() {
            *guess = self.guesses[order * SLOTS + slot(contexts[order])];
            if guess.trust > 0 {
                // The contexts that see most come first.
                candidates.vote(guess.plies, 8 * guess.level() + CONTEXTS - order);
            }
        }
        let mut found = None;
        for question in 0..QUESTIONS {
            let Some(plies) = candidates.next() else { break };
            if self.ask(coder, question, plies, contexts, &guesses, asked) {
                found = Some(plies);
                break;
            }
        }
        let plies = found.unwrap_or_else(|| self.code_bits(coder, asked.unwrap_or_default()));
        for (order, &context) in contexts.iter().enumerate() {
            self.guesses[order * SLOTS + slot(context)].learn(plies);
        }
        plies
    }

    /// Asks whether it is this distance.
    #[inline]
    fn ask(
        &mut self,
        coder: &mut impl BinaryCoder,
        question: usize,
        plies: u16,
        contexts: &[u64; CONTEXTS],
        guesses: &[Guess; CONTEXTS],
        asked: Option<u16>,
    ) -> bool {
        let (mut seen, mut trust) = ([0; CONTEXTS], [0; CONTEXTS]);
        let mut opinions = [CONSTANT; OPINIONS];
        for order in 0..CONTEXTS {
            seen[order] = order * SLOTS + slot(hash(contexts[order], plies));
            let expects = usize::from(guesses[order].plies == plies);
            let level = guesses[order].level() * 2 + expects;
            trust[order] = (question * CONTEXTS + order) * LEVELS * 2 + level;
            opinions[order] = stretch(self.seen[seen[order]]);
            opinions[CONTEXTS + order] = stretch(self.trust[trust[order]]);
        }
        let set = (question * LEVELS + guesses[0].level()) * LEVELS + guesses[CONTEXTS / 2].level();
        let chance = self.mixer.mix(set, &opinions);
        let yes = asked.map_or(chance >= ALWAYS / 2, |asked| asked == plies);
        let yes = coder.code(yes, chance);
        self.mixer.learn(set, &opinions, chance, yes);
        for order in 0..CONTEXTS {
            self.seen[seen[order]].learn(yes);
            self.trust[trust[order]].learn(yes);
        }
        yes
    }

    fn code_bits(&mut self, coder: &mut impl BinaryCoder, plies: u16) -> u16 {
        let mut tree = 1;
        for bit in (0..PLY_BITS).rev() {
            let yes = self.bits[tree].code(coder, plies >> bit & 1 != 0);
            tree = 2 * tree + usize::from(yes);
        }
        (tree - (1 << PLY_BITS)) as u16
    }
}

/// A context with one more number in it.
#[inline]
pub(super) const fn hash(context: u64, number: u16) -> u64 {
    // Fibonacci hashing.
    (context.rotate_left(23) ^ number as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Where a context is kept.
#[inline]
const fn slot(context: u64) -> usize {
    (context >> (u64::BITS - SLOT_BITS)) as usize
}
