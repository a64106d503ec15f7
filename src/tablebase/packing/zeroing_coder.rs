//! Distances to zeroing of a grid, written as what surprises someone who knows those to mate.
//!
//! It goes as for [distances to mate](super::mate_coder): what neighbours have that are as
//! far from mate counts most, then what the moves say ([`Bounds`]), then that the mate itself
//! is the next zeroing move, or that it comes at once.

use qirkat_rules::chess::{Square, SquareSet};

use super::block::KnownDistances;
use super::bounds::{Bounds, plies_of, rank_of_zeroing};
use super::context_model::{CONTEXTS, ContextModel, hash};
use super::grid::Grid;
use super::grid_row::GridRow;
use super::neighbours::{NEIGHBOURS, NONE, Votes, near};
use super::numbers::Numbers;
use super::range_coder::BinaryCoder;
use crate::table_game::{TableGame, points};

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

/// Whether a distance to mate leaves the distance to zeroing open: neither a draw nor a
/// mate on the board.
#[inline]
const fn is_open(dtm: u16) -> bool {
    dtm > 1
}

/// Reads or writes the distances to zeroing of one grid.
pub struct ZeroingCoder<'a, C> {
    model: &'a mut ContextModel,
    coder: &'a mut C,
}

/// All that is seen of a cell before it is known.
struct Seen {
    dtm: u16,
    near: [u16; NEIGHBOURS],
    near_dtm: [u16; NEIGHBOURS],
    bound: u16,
    trust: u64,
    threats: u64,
    walker: u64,
    king: u64,
}

impl<'a, C: BinaryCoder> ZeroingCoder<'a, C> {
    /// A coder that learns from what it codes.
    pub fn new(model: &'a mut ContextModel, coder: &'a mut C) -> Self {
        ZeroingCoder { model, coder }
    }

    /// The plies of each cell, zero for draws and for what nobody asks for: what was written,
    /// or, while writing, what is handed in by cell.
    pub fn code<G: TableGame>(
        &mut self,
        grid: &Grid<G>,
        dtm: &Numbers,
        known: &impl KnownDistances,
    ) -> Vec<u16> {
        let count = G::Square::COUNT;
        let mates: Vec<u16> = (0..count * count).map(|cell| dtm.get(cell)).collect();
        let mut plies = vec![NONE; count * count];
        let mut bounds = Bounds::new(count);
        for row in points::<G>().filter_map(|king| GridRow::new(grid, king)) {
            let first = row.index() * count;
            bounds.clear();
            for reply in row.steps.into_iter().take_while(|reply| *reply < row.king) {
                let before = reply.index() * count;
                for point in (0..count).filter(|&point| grid.asked(point).contains(reply)) {
                    let cell = before + point;
                    bounds.reply(point, rank_of_zeroing(mates[cell], plies[cell]));
                }
            }
            for walker in points::<G>() {
                let cell = first + walker.index();
                if !grid.asked(walker.index()).contains(row.king) {
                    continue;
                }
                let dtm = mates[cell];
                let attacks = row.attacks(walker);
                let targets = row.targets(attacks);
                plies[cell] = 0;
                if is_open(dtm) {
                    let (bound, trust) = bounds.best::<G>(targets);
                    let seen = Seen {
                        dtm,
                        near: near::<G::Square>(&plies, cell),
                        near_dtm: near::<G::Square>(&mates, cell),
                        bound: plies_of(bound, dtm).unwrap_or(NONE),
                        trust: u64::from(trust),
                        threats: u64::from(row.threats(walker, attacks)),
                        walker: walker.index() as u64,
                        king: row.index() as u64,
                    };
                    plies[cell] = self.plies(&seen, known.number(cell));
                }
                bounds.note::<G>(targets, rank_of_zeroing(dtm, plies[cell]));
            }
        }
        plies.iter_mut().filter(|it| **it == NONE).for_each(|it| *it = 0);
        plies
    }

    fn plies(&mut self, seen: &Seen, plies: u16) -> u16 {
        let dtm = seen.dtm;
        let mut votes = Votes::default();
        let mut add = |named: u16, count| {
            if named < dtm || named > CLOCK {
                votes.add(named, count);
            }
        };
        if seen.bound != NONE {
            add(seen.bound, BOUND_VOTES);
        }
        let near = seen.near.iter().zip(&seen.near_dtm).enumerate();
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
        let mut asked = 0;
        while asked < GUESSES
            && let Some(guess) = votes.best_from(asked)
        {
            if self.ask(seen, asked as u64, guess, plies == guess) {
                return guess;
            }
            asked += 1;
        }
        let mut tree = 1;
        for bit in (0..BITS).rev() {
            let yes = self.model.code_plain(self.coder, TREE + tree, plies >> bit & 1 != 0);
            tree = 2 * tree + usize::from(yes);
        }
        (tree - (1 << BITS)) as u16
    }

    #[inline]
    fn ask(&mut self, seen: &Seen, asked: u64, guess: u16, is_it: bool) -> bool {
        let relations: [u64; 4] = std::array::from_fn(|at| {
            if seen.near[at] == NONE {
                return 0;
            }
            let order = |it: u16, than: u16| match it.cmp(&than) {
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => 1,
                std::cmp::Ordering::Less => 2,
            };
            1 + order(seen.near[at], guess) * 3 + order(seen.near_dtm[at], seen.dtm)
        });
        let of_bound: u64 = match seen.bound {
            NONE => 0,
            bound if bound == guess => 1,
            bound if bound > guess => 2,
            _ => 3,
        };
        let is_mate = u64::from(guess + 1 == seen.dtm);
        let is_soon = u64::from(guess <= 2);
        let gap = u64::from((seen.dtm - 1).saturating_sub(guess).min(15));
        let join = |places: &[usize]| {
            places.iter().fold(asked, |all, &at| all * 10 + relations[at]) * 4 + of_bound
        };
        let (dtm, plies) = (u64::from(seen.dtm), u64::from(guess));
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
