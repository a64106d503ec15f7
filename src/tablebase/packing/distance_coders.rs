//! Codes the distances of a grid with adaptive models: those to mate first, then those to zeroing,
//! given those to mate.
//!
//! Cells are coded row by row. Neighbours and [bounds](super::cell_coder::OrderSets) vote for
//! distances; for those to mate, bounds also use the grids one pawn step further. A few distances
//! are tried, most votes first. The probability of a match is learned from which predictions agree
//! and which pieces attack each other ([`ContextModel`]). If none matches, a distance to mate is
//! coded by its difference from a prediction, and one to zeroing bit by bit.

use qirkat_game::DRAWING_PLIES;
use qirkat_rules::chess::Square;

use super::cell_coder::{
    CellCoder, CellContext, KnownDistances, NEIGHBOURS, NONE, ResultOrder, Votes, near,
    order_number, order_of, order_of_zeroing, plies_of,
};
use super::context_model::{CONTEXTS, ContextModel, hash};
use super::range_coder::RangeCoder;

/// Votes of each neighbour.
const VOTES: [u32; NEIGHBOURS] = [5, 4, 5, 4, 1, 1];
const BOUND_VOTES: u32 = 12;
const GUESSES: usize = 3;
const MAX_NUMBER: u16 = 1 << 12;
/// Predictions of this many moves or more share a context.
const LONG: u16 = 15;

/// Draw (0), win (1) or loss (2), from the parity of the number.
#[inline]
pub const fn result_kind(number: u16) -> u16 {
    match number {
        0 => 0,
        number if number % 2 == 0 => 1,
        _ => 2,
    }
}

/// The number of ways in which a distance can relate to a prediction.
const RELATIONS: u64 = 9;
const SAME: u64 = 1;

#[inline]
fn relation(number: u16, guess: u16) -> u64 {
    if number == NONE {
        return 0;
    }
    if number == guess {
        return SAME;
    }
    match (result_kind(number), result_kind(guess)) {
        (is, should) if is == should => match i32::from(number) - i32::from(guess) {
            1..=2 => 2,
            3.. => 3,
            -2..=0 => 4,
            _ => 5,
        },
        (0, _) => 6,
        (1, _) => 7,
        _ => 8,
    }
}

// Where the contexts of each kind of decision coded by `code_plain` begin.
const SAME_KIND: usize = 0;
const OTHER_KIND: usize = 16;
const SIGN: usize = 32;
const LENGTH: usize = 64;
const DIGITS: usize = 256;

/// Codes the numbers of one grid or block: distances to mate, results, or in Alquerque distances to
/// the end. Learns from them.
pub struct NumberCoder<'a, 'b> {
    pub model: &'a mut ContextModel,
    pub coder: &'a mut RangeCoder<'b>,
    pub known: &'a KnownDistances<'a>,
    /// See [`CellCoder::round`]; zero for results without distances.
    pub round: ResultOrder,
}

impl CellCoder for NumberCoder<'_, '_> {
    #[inline]
    fn code<S: Square>(&mut self, cell: usize, seen: &CellContext) -> u16 {
        self.code_with_context(cell, seen)
    }

    #[inline]
    fn order(&self, _: usize, number: u16) -> ResultOrder {
        order_of(number)
    }

    #[inline]
    fn round(&self) -> ResultOrder {
        self.round
    }

    #[inline]
    fn is_settled(&self, _: usize) -> bool {
        false
    }

    /// The number of the first neighbour that has one.
    #[inline]
    fn filling(near: [u16; NEIGHBOURS]) -> u16 {
        near.into_iter().find(|&it| it != NONE).unwrap_or(NONE)
    }
}

impl NumberCoder<'_, '_> {
    #[inline]
    pub fn code_with_context(&mut self, cell: usize, seen: &CellContext) -> u16 {
        let number = self.known.number(cell);
        let bound = if seen.bound == 0 { NONE } else { order_number(seen.bound) };
        let mut votes = Votes::default();
        for (&candidate, count) in seen.near.iter().zip(VOTES) {
            if candidate != NONE {
                votes.add(candidate, count);
            }
        }
        if bound != NONE {
            votes.add(bound, BOUND_VOTES);
        }
        if votes.is_empty() {
            votes.add(0, 1);
        }
        let is_it = |guesses, guess| {
            let is_it = self.known.accepts(cell, guess);
            self.code_guess(seen, bound, guesses, guess, is_it)
        };
        votes
            .code(GUESSES, is_it)
            .unwrap_or_else(|guesses| self.code_unguessed(&votes, guesses, number))
    }

    #[inline]
    fn code_guess(
        &mut self,
        seen: &CellContext,
        bound: u16,
        guesses: u64,
        guess: u16,
        is_it: bool,
    ) -> bool {
        let relations = seen.near.map(|candidate| relation(candidate, guess));
        let of_bound = relation(bound, guess);
        let join = |neighbours: &[usize]| {
            neighbours.iter().fold(guesses, |all, &at| all * RELATIONS + relations[at]) * RELATIONS
                + of_bound
        };
        let agreeing = relations[..4].iter().fold(0, |all, &it| all << 1 | usize::from(it == SAME));
        // In Chesquerque even for diagonal points, odd for plain ones.
        let parities = seen.attacker % 2 * 2 + seen.king % 2;
        let (threats, kind) = (seen.threats, u64::from(result_kind(guess)));
        let agree = (guesses << 4 | agreeing as u64) * RELATIONS + of_bound;
        let contexts: [u64; CONTEXTS] = [
            hash(join(&[0, 1, 2, 3]), threats),
            hash(join(&[0, 2]), (threats << 2 | parities) << 4 | u64::from((guess / 2).min(LONG))),
            hash(agree, kind << 8 | seen.attacker),
            hash(agree, (kind << 8 | seen.king) << 1),
            hash(agree, (seen.trust << 8 | threats) << 2 | kind),
            hash(join(&[0, 2]), u64::from(guess) << 20),
            hash(join(&[4, 5]), (threats << 2 | kind) << 30),
        ];
        let set = guesses as usize * 32 + agreeing * 2 + usize::from(of_bound == SAME);
        self.model.code(self.coder, &contexts, set, is_it)
    }

    fn code_unguessed(&mut self, votes: &Votes, guesses: usize, number: u16) -> u16 {
        let first = result_kind(votes.candidates().next().unwrap_or_default());
        let seen = usize::from(first) * 4 + guesses;
        let others = match first {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        };
        let is_same = self.plain(SAME_KIND + seen, result_kind(number) == first);
        let coded = match is_same {
            true => first,
            false if self.plain(OTHER_KIND + seen, result_kind(number) == others[0]) => others[0],
            false => others[1],
        };
        if coded == 0 {
            return 0;
        }
        const USUAL: u16 = 20;
        let base = votes.candidates().find(|&candidate| result_kind(candidate) == coded);
        let base = base.unwrap_or(USUAL + coded - 1);
        let seen = usize::from(first * 3 + coded);
        let is_less = self.plain(SIGN + seen, number < base);
        let steps = self.steps(seen * 2 + usize::from(is_less), base.abs_diff(number) / 2) * 2;
        let number = if is_less { base.saturating_sub(steps) } else { base + steps };
        // Damaged bytes may give any number.
        if coded == 1 { number.clamp(2, MAX_NUMBER) } else { number.clamp(1, MAX_NUMBER - 1) }
    }

    /// Codes a difference in Elias gamma code: its length in bits, then the bits (P. Elias, 1975).
    fn steps(&mut self, seen: usize, steps: u16) -> u16 {
        const LONGEST: u32 = 11;
        let steps = steps + 1;
        let written = steps.ilog2();
        let mut length = 0;
        while length < LONGEST
            && !self.plain(LENGTH + seen * 10 + length.min(9) as usize, length == written)
        {
            length += 1;
        }
        let mut coded = 1;
        for bit in (0..length).rev() {
            let context = DIGITS + (length * 12 + bit) as usize;
            coded = coded << 1 | u16::from(self.plain(context, steps >> bit & 1 != 0));
        }
        coded - 1
    }

    fn plain(&mut self, context: usize, yes: bool) -> bool {
        self.model.code_plain(self.coder, context, yes)
    }
}

/// The votes of a neighbour with the same distance to mate, and of any with the same result.
const SAME_DISTANCE_VOTES: [u32; NEIGHBOURS] = [5, 5, 5, 5, 2, 2];
const SAME_RESULT_VOTES: [u32; NEIGHBOURS] = [2, 2, 2, 2, 1, 1];
const ZEROING_GUESSES: usize = 4;
/// Bits of a distance without votes.
const BITS: u32 = 10;
/// The first of the contexts for a distance without votes.
const TREE: usize = 1024;

/// Reads or writes the distances to zeroing of one grid, given those to mate, and learns from them.
/// Neighbours with the same distance to mate count most, then bounds from moves, then the guesses
/// that nothing zeroes before the mate, or that the winner's next move zeroes.
pub struct ZeroingCoder<'a, 'b> {
    pub mates: Vec<u16>,
    pub model: &'a mut ContextModel,
    pub coder: &'a mut RangeCoder<'b>,
    pub known: &'a KnownDistances<'a>,
}

/// The context of a cell whose distance to mate is known.
struct ZeroingContext<'a> {
    seen: &'a CellContext,
    dtm: u16,
    near_dtm: [u16; NEIGHBOURS],
    bound: u16,
}

impl CellCoder for ZeroingCoder<'_, '_> {
    fn code<S: Square>(&mut self, cell: usize, seen: &CellContext) -> u16 {
        let (dtm, plies) = (self.mates[cell], self.known.number(cell));
        let near_dtm = near::<S>(&self.mates, cell);
        let bound = plies_of(seen.bound, dtm).unwrap_or(NONE);
        let mut votes = Votes::default();
        let mut add = |candidate: u16, count| {
            if candidate < dtm || candidate > DRAWING_PLIES {
                votes.add(candidate, count);
            }
        };
        if bound != NONE {
            add(bound, BOUND_VOTES);
        }
        let near = seen.near.iter().zip(&near_dtm).enumerate();
        for (at, (&candidate, &near_dtm)) in near.filter(|it| *it.1.0 != NONE) {
            if near_dtm == dtm {
                add(candidate, SAME_DISTANCE_VOTES[at]);
            }
            if near_dtm > 0 && near_dtm % 2 == dtm % 2 {
                add(candidate, SAME_RESULT_VOTES[at]);
            }
        }
        add(dtm - 1, 1);
        add(1 + dtm % 2, 1);
        let context = ZeroingContext { seen, dtm, near_dtm, bound };
        let is_it = |guesses, guess| self.code_guess(&context, guesses, guess, plies == guess);
        votes.code(ZEROING_GUESSES, is_it).unwrap_or_else(|_| self.code_unguessed(plies))
    }

    #[inline]
    fn order(&self, cell: usize, number: u16) -> ResultOrder {
        order_of_zeroing(self.mates[cell], number)
    }

    #[inline]
    fn is_settled(&self, cell: usize) -> bool {
        self.mates[cell] <= 1
    }

    #[inline]
    fn filling(_: [u16; NEIGHBOURS]) -> u16 {
        NONE
    }
}

impl ZeroingCoder<'_, '_> {
    fn code_unguessed(&mut self, plies: u16) -> u16 {
        let mut tree = 1;
        for bit in (0..BITS).rev() {
            let yes = self.model.code_plain(self.coder, TREE + tree, plies >> bit & 1 != 0);
            tree = 2 * tree + usize::from(yes);
        }
        (tree - (1 << BITS)) as u16
    }

    #[inline]
    fn code_guess(
        &mut self,
        context: &ZeroingContext<'_>,
        guesses: u64,
        guess: u16,
        is_it: bool,
    ) -> bool {
        let seen = context.seen;
        let relations: [u64; 4] = std::array::from_fn(|at| {
            if seen.near[at] == NONE {
                return 0;
            }
            let order = |it: u16, than: u16| match it.cmp(&than) {
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => 1,
                std::cmp::Ordering::Less => 2,
            };
            1 + order(seen.near[at], guess) * 3 + order(context.near_dtm[at], context.dtm)
        });
        let of_bound: u64 = match context.bound {
            NONE => 0,
            bound if bound == guess => 1,
            bound if bound > guess => 2,
            _ => 3,
        };
        let is_mate = u64::from(guess + 1 == context.dtm);
        let is_soon = u64::from(guess <= 2);
        let gap = u64::from((context.dtm - 1).saturating_sub(guess).min(15));
        let join = |neighbours: &[usize]| {
            neighbours.iter().fold(guesses, |all, &at| all * 10 + relations[at]) * 4 + of_bound
        };
        let (dtm, plies) = (u64::from(context.dtm), u64::from(guess));
        let start = guesses << 2 | of_bound;
        let contexts: [u64; CONTEXTS] = [
            join(&[0, 1, 2, 3]),
            hash(join(&[0, 2]), seen.threats << 1 | is_mate),
            hash(guesses, ((gap << 8 | seen.threats) << 1 | is_soon) << 10 | plies),
            hash(start, dtm << 12 | plies),
            hash(start, (((is_mate << 1 | is_soon) << 8 | seen.attacker) << 1) | (seen.king % 2)),
            hash(start, ((seen.trust << 4 | gap) << 1 | is_soon) << 20),
            hash(start, (seen.king << 12 | plies) << 24),
        ];
        let contexts = contexts.map(|context| hash(context, 0));
        let agreeing = relations.iter().filter(|&&it| (1..4).contains(&it)).count();
        let set = guesses as usize * 20
            + agreeing * 4
            + is_mate as usize * 2
            + usize::from(of_bound == 1);
        self.model.code(self.coder, &contexts, set, is_it)
    }
}
