//! Distances to zeroing, written as what surprises a model.
//!
//! The model sees the distance to mate of a cell and what its neighbours have, guesses
//! the distance to zeroing from the last time it saw the same, and knows how far it can
//! trust itself. A range coder writes whether the guess is right, and else what is. That
//! takes half the room that a general compressor needs.

use super::planes::Planes;
use super::range_coder::{BinaryCoder, Chance};

/// What was seen last, and how often it has been right.
#[derive(Clone, Copy, Default)]
struct Guess {
    plies: u16,
    trust: u8,
}

impl Guess {
    #[inline]
    fn learn(&mut self, plies: u16) {
        const MOST: u8 = 15;
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

const LEVELS: usize = 6;
const GUESS_BITS: u32 = 16;
/// One point along the rank, one rank down, one point of the next piece and of the piece
/// after that.
const NEIGHBOURS: [usize; 4] = [1, 9, 81, 81 * 81];
/// Bits of a distance that nobody guessed.
const PLY_BITS: u32 = 10;

/// The model, which learns as it goes.
pub(super) struct ZeroingModel {
    guesses: [Vec<Guess>; 3],
    /// Whether the first guess is right, and the second if not, by what is thought of them.
    right: [Vec<Chance>; 2],
    /// The bits of a distance that nobody guessed, by those before.
    bits: Vec<Chance>,
}

impl ZeroingModel {
    /// A model that has seen nothing.
    pub fn new() -> ZeroingModel {
        ZeroingModel {
            guesses: std::array::from_fn(|_| vec![Guess::default(); 1 << GUESS_BITS]),
            right: std::array::from_fn(|_| vec![Chance::EVEN; LEVELS.pow(3) * 4]),
            bits: vec![Chance::EVEN; 1 << PLY_BITS],
        }
    }

    /// Codes the distance to zeroing of a cell: what was written, or, while writing, the
    /// one handed in, or the guess where nobody asks.
    pub fn code(
        &mut self,
        coder: &mut impl BinaryCoder,
        cell: usize,
        dtm: u16,
        known: &Planes,
        plies: Option<u16>,
    ) -> u16 {
        let slots = contexts(dtm, known, cell);
        let [exact, near, rough] = [0, 1, 2].map(|order| self.guesses[order][slots[order]]);
        let first = [exact, near, rough].into_iter().find(|it| it.trust > 0).unwrap_or(rough).plies;
        let second = if near.plies == first { rough.plies } else { near.plies };
        let thought = ((exact.level() * LEVELS + near.level()) * LEVELS + rough.level()) * 4
            + usize::from(exact.plies == near.plies) * 2
            + usize::from(near.plies == rough.plies);
        let plies = plies.unwrap_or(first);
        let plies = if self.right[0][thought].code(coder, plies == first) {
            first
        } else if second != first && self.right[1][thought].code(coder, plies == second) {
            second
        } else {
            self.code_bits(coder, plies)
        };
        for (guesses, slot) in self.guesses.iter_mut().zip(slots) {
            guesses[slot].learn(plies);
        }
        plies
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

/// Where the guesses for a cell stand, the one that sees most first.
#[inline]
fn contexts(dtm: u16, known: &Planes, cell: usize) -> [usize; 3] {
    let mut near = [0; 4];
    for (value, distance) in near.iter_mut().zip(NEIGHBOURS) {
        *value = cell.checked_sub(distance).map_or(0, |at| u64::from(known.get(at) & 0xFFF));
    }
    let [beside, below, next, after] = near;
    let dtm = u64::from(dtm);
    [
        slot(dtm | beside << 14 | below << 26 | next << 38 | after << 50),
        slot(dtm | beside << 14 | next << 38 | after << 50 | 1 << 63),
        slot(dtm | beside << 14 | 1 << 62),
    ]
}

#[inline]
const fn slot(context: u64) -> usize {
    // Fibonacci hashing.
    (context.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - GUESS_BITS)) as usize
}
