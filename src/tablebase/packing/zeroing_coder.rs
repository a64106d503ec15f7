//! Distances to zeroing of a grid, written as what surprises someone who knows those to mate.
//!
//! It goes as for [distances to mate](super::mate_coder): what neighbours have that are as
//! far from mate counts most, then what the moves say ([`Bounds`](super::bounds::Bounds)), then that the mate itself
//! is the next zeroing move, or that it comes at once.

use qirkat_rules::chess::Square;

use super::bounds::{Rank, plies_of, rank_of_zeroing};
use super::cell_coder::{CellCoder, KnownDistances, Seen};
use super::context_model::{CONTEXTS, ContextModel, hash};
use super::neighbours::{NEIGHBOURS, NONE, Votes, near};
use super::range_coder::BinaryCoder;

/// How much it counts what a neighbour has, if it is as far from mate, and if not.
const LIKE_VOTES: [u32; NEIGHBOURS] = [5, 5, 5, 5, 2, 2];
const VOTES: [u32; NEIGHBOURS] = [2, 2, 2, 2, 1, 1];
/// How much it counts what the moves say.
const BOUND_VOTES: u32 = 12;
/// How many distances are asked for.
const GUESSES: usize = 4;
/// Bits of a distance that nobody has named.
const BITS: u32 = 10;
/// Longer ones come from cursed wins, whatever the distance to mate is.
const CLOCK: u16 = 100;
/// Where questions begin that are seen in one context only.
const TREE: usize = 1024;

/// Reads or writes the distances to zeroing of one grid beside the numbers for those to mate,
/// and learns from them.
pub struct ZeroingCoder<'a, C, K> {
    pub mates: Vec<u16>,
    pub model: &'a mut ContextModel,
    pub coder: &'a mut C,
    pub known: &'a K,
}

/// All that is seen of a cell whose distance to mate is known.
struct SeenBesideMates<'a> {
    seen: &'a Seen,
    dtm: u16,
    near_dtm: [u16; NEIGHBOURS],
    bound: u16,
}

impl<C: BinaryCoder, K: KnownDistances> CellCoder for ZeroingCoder<'_, C, K> {
    fn code<S: Square>(&mut self, cell: usize, seen: &Seen) -> u16 {
        let (dtm, plies) = (self.mates[cell], self.known.number(cell));
        let near_dtm = near::<S>(&self.mates, cell);
        let bound = plies_of(seen.bound, dtm).unwrap_or(NONE);
        let mut votes = Votes::default();
        let mut add = |named: u16, count| {
            if named < dtm || named > CLOCK {
                votes.add(named, count);
            }
        };
        if bound != NONE {
            add(bound, BOUND_VOTES);
        }
        let near = seen.near.iter().zip(&near_dtm).enumerate();
        for (at, (&named, &near_dtm)) in near.filter(|it| *it.1.0 != NONE) {
            if near_dtm == dtm {
                add(named, LIKE_VOTES[at]);
            }
            if near_dtm > 0 && near_dtm % 2 == dtm % 2 {
                add(named, VOTES[at]);
            }
        }
        add(dtm - 1, 1);
        add(1 + dtm % 2, 1);
        let seen = SeenBesideMates { seen, dtm, near_dtm, bound };
        let is_it = |asked, guess| self.ask(&seen, asked, guess, plies == guess);
        votes.ask(GUESSES, is_it).unwrap_or_else(|_| self.tell(plies))
    }

    #[inline]
    fn rank(&self, cell: usize, number: u16) -> Rank {
        rank_of_zeroing(self.mates[cell], number)
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

impl<C: BinaryCoder, K> ZeroingCoder<'_, C, K> {
    /// The plies, which are none of those that were asked for.
    fn tell(&mut self, plies: u16) -> u16 {
        let mut tree = 1;
        for bit in (0..BITS).rev() {
            let yes = self.model.code_plain(self.coder, TREE + tree, plies >> bit & 1 != 0);
            tree = 2 * tree + usize::from(yes);
        }
        (tree - (1 << BITS)) as u16
    }

    #[inline]
    fn ask(&mut self, beside: &SeenBesideMates<'_>, asked: u64, guess: u16, is_it: bool) -> bool {
        let seen = beside.seen;
        let relations: [u64; 4] = std::array::from_fn(|at| {
            if seen.near[at] == NONE {
                return 0;
            }
            let order = |it: u16, than: u16| match it.cmp(&than) {
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => 1,
                std::cmp::Ordering::Less => 2,
            };
            1 + order(seen.near[at], guess) * 3 + order(beside.near_dtm[at], beside.dtm)
        });
        let of_bound: u64 = match beside.bound {
            NONE => 0,
            bound if bound == guess => 1,
            bound if bound > guess => 2,
            _ => 3,
        };
        let is_mate = u64::from(guess + 1 == beside.dtm);
        let is_soon = u64::from(guess <= 2);
        let gap = u64::from((beside.dtm - 1).saturating_sub(guess).min(15));
        let join = |places: &[usize]| {
            places.iter().fold(asked, |all, &at| all * 10 + relations[at]) * 4 + of_bound
        };
        let (dtm, plies) = (u64::from(beside.dtm), u64::from(guess));
        let start = asked << 2 | of_bound;
        let contexts: [u64; CONTEXTS] = [
            join(&[0, 1, 2, 3]),
            hash(join(&[0, 2]), seen.threats << 1 | is_mate),
            hash(asked, ((gap << 8 | seen.threats) << 1 | is_soon) << 10 | plies),
            hash(start, dtm << 12 | plies),
            hash(start, (((is_mate << 1 | is_soon) << 8 | seen.walker) << 1) | (seen.king % 2)),
            hash(start, ((seen.trust << 4 | gap) << 1 | is_soon) << 20),
            hash(start, (seen.king << 12 | plies) << 24),
        ];
        let contexts = contexts.map(|context| hash(context, 0));
        let agreeing = relations.iter().filter(|&&it| (1..4).contains(&it)).count();
        let set =
            asked as usize * 20 + agreeing * 4 + is_mate as usize * 2 + usize::from(of_bound == 1);
        self.model.code(self.coder, &contexts, set, is_it)
    }
}
