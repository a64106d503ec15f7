//! Visits the cells of a grid row by row for both coders, and predicts their numbers from
//! neighbours and bounds. A number encodes a result and its distance: see `block`.

use std::sync::Arc;

use arrayvec::ArrayVec;
use qirkat_rules::chess::{Square, SquareSet};

use super::grids::{Grid, GridRow};
use crate::chess_game::{ChessBoardGame, points};

/// A grid that a step of one of Black's pawns leads to, and its distances to mate.
pub type SuccessorGrid<G> = (Grid<G>, Arc<Numbers>);

/// What is known of a cell before its number is coded.
pub struct CellContext {
    pub near: [u16; NEIGHBOURS],
    /// The best of its bounds, and how reliable that is.
    pub bound: ResultOrder,
    pub trust: u64,
    pub threats: u64,
    /// The indices of their points.
    pub attacker: u64,
    pub king: u64,
}

/// The numbers of a grid when writing (distances to mate, to zeroing, or results); empty when
/// reading.
pub struct KnownDistances<'a> {
    /// By cell; of distances to zeroing, the plies.
    pub numbers: Vec<u16>,
    /// The plies in which Black loses, with Black to move.
    pub losses: Vec<Option<u16>>,
    /// The number of a cell's best capture. If it is the cell's own, a worse number may be written
    /// instead: lookups raise it to that of the capture.
    pub best_capture: &'a dyn Fn(usize) -> Option<u16>,
}

impl KnownDistances<'_> {
    pub const NONE: KnownDistances<'static> =
        KnownDistances { numbers: Vec::new(), losses: Vec::new(), best_capture: &|_| None };

    #[inline]
    pub fn number(&self, cell: usize) -> u16 {
        self.numbers.get(cell).copied().unwrap_or_default()
    }

    /// Whether a number is a cell's, or may be written for it.
    #[inline]
    pub fn accepts(&self, cell: usize, number: u16) -> bool {
        let known = self.number(cell);
        number == known
            || order_of(number) > order_of(known) && (self.best_capture)(cell) == Some(known)
    }

    #[inline]
    pub fn loses_in(&self, cell: usize) -> Option<u16> {
        self.losses.get(cell).copied().flatten()
    }
}

/// Reads or writes the number of one cell after another.
pub trait CellCoder {
    /// The number of a cell, zero for a draw.
    fn code<S: Square>(&mut self, cell: usize, seen: &CellContext) -> u16;

    fn order(&self, cell: usize, number: u16) -> ResultOrder;

    /// Plies that one move of each side adds; zero for results without distances.
    fn round(&self) -> ResultOrder {
        ROUND
    }

    /// Whether a cell needs no coding: a draw, or already mate.
    fn is_settled(&self, cell: usize) -> bool;

    /// The number that a cell never looked up shows to its neighbours.
    fn filling(near: [u16; NEIGHBOURS]) -> u16;

    /// The numbers of all cells, zero for those never looked up. `step_successors` are the grids that a
    /// step of one of Black's pawns leads to.
    fn code_all<G: ChessBoardGame>(
        &mut self,
        grid: &Grid<G>,
        step_successors: &[SuccessorGrid<G>],
    ) -> Vec<u16> {
        let count = G::Square::COUNT;
        let mut numbers = vec![NONE; count * count];
        let mut rows: Vec<OrderSets<G>> = Vec::with_capacity(count);
        for king in points::<G>() {
            rows.push(OrderSets::default());
            let first = king.index() * count;
            let Some(row) = GridRow::new(grid, king) else {
                for cell in first..first + count {
                    numbers[cell] = Self::filling(near::<G::Square>(&numbers, cell));
                }
                continue;
            };
            let mut bounds = OrderSets::<G>::default();
            for (grid, mates) in step_successors {
                for point in grid.attackers(king) {
                    let order = order_of(mates.get(first + point.index()));
                    bounds.raise(G::Bitboard::of(point), earlier(order, self.round()));
                }
            }
            for reply in row.steps.into_iter().take_while(|reply| *reply < king) {
                for &(order, attackers) in &rows[reply.index()].sets {
                    bounds.raise(attackers, earlier(order, self.round()));
                }
            }
            for attacker in points::<G>() {
                let cell = first + attacker.index();
                if !grid.stored(attacker.index()).contains(king) {
                    numbers[cell] = Self::filling(near::<G::Square>(&numbers, cell));
                    continue;
                }
                let attacks = row.attacks(attacker);
                let targets = row.targets(attacks);
                numbers[cell] = 0;
                if !self.is_settled(cell) {
                    let (bound, trust) = bounds.best(targets);
                    let seen = CellContext {
                        near: near::<G::Square>(&numbers, cell),
                        bound,
                        trust: u64::from(trust),
                        threats: u64::from(row.threats(attacker, attacks)),
                        attacker: attacker.index() as u64,
                        king: king.index() as u64,
                    };
                    numbers[cell] = self.code::<G::Square>(cell, &seen);
                }
                let order = self.order(cell, numbers[cell]);
                bounds.raise(targets, order);
                rows[king.index()].raise(G::Bitboard::of(attacker), order);
            }
        }
        let mut stored = vec![0; numbers.len()];
        grid.stored_cells().for_each(|cell| stored[cell] = numbers[cell]);
        stored
    }
}

/// The numbers of a block's cells, in as few bytes as fit.
#[derive(PartialEq, Eq, Debug)]
pub enum Numbers {
    /// All the same.
    Uniform(u8),
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

impl Numbers {
    pub const EMPTY: Numbers = Numbers::Narrow(Vec::new());

    pub fn of(numbers: Vec<u16>, is_wide: bool) -> Numbers {
        if is_wide {
            Numbers::Wide(numbers)
        } else {
            Numbers::Narrow(numbers.into_iter().map(|number| number as u8).collect())
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            Numbers::Uniform(_) => 0,
            Numbers::Narrow(numbers) => numbers.len(),
            Numbers::Wide(numbers) => 2 * numbers.len(),
        }
    }

    /// A number; zero if the index is out of range.
    #[inline]
    pub fn get(&self, index: usize) -> u16 {
        match self {
            Numbers::Uniform(number) => u16::from(*number),
            Numbers::Narrow(numbers) => numbers.get(index).copied().map_or(0, u16::from),
            Numbers::Wide(numbers) => numbers.get(index).copied().unwrap_or_default(),
        }
    }
}

/// No number: a neighbour that does not exist.
pub const NONE: u16 = u16::MAX;
/// The number of neighbours: the attacker one file or one rank back, Black's king likewise, and both
/// pieces at once likewise.
pub const NEIGHBOURS: usize = 6;

/// The numbers of these neighbours, all earlier cells; [`NONE`] for a missing one.
#[inline]
pub fn near<S: Square>(numbers: &[u16], cell: usize) -> [u16; NEIGHBOURS] {
    let (count, files) = (S::COUNT, usize::from(S::FILES));
    let (king, attacker) = (cell / count, cell % count);
    let back = |is_there: bool, by: usize| if is_there { numbers[cell - by] } else { NONE };
    let (attacker_file, king_file) = (!attacker.is_multiple_of(files), !king.is_multiple_of(files));
    let (attacker_rank, king_rank) = (attacker >= files, king >= files);
    [
        back(attacker_file, 1),
        back(attacker_rank, files),
        back(king_file, count),
        back(king_rank, files * count),
        back(attacker_file && king_file, count + 1),
        back(attacker_rank && king_rank, files * (count + 1)),
    ]
}

/// Distinct candidate distances with their votes.
#[derive(Default)]
pub struct Votes(ArrayVec<(u16, u32), 16>);

impl Votes {
    #[inline]
    pub fn add(&mut self, distance: u16, votes: u32) {
        if let Some(known) = self.0.iter_mut().find(|known| known.0 == distance) {
            known.1 += votes;
        } else if !self.0.is_full() {
            self.0.push((distance, votes));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The candidate with the most votes from index `first` on, moved to `first`.
    #[inline]
    fn best_from(&mut self, first: usize) -> Option<u16> {
        let mut best = first;
        for at in first..self.0.len() {
            if self.0[at].1 > self.0[best].1 {
                best = at;
            }
        }
        if best < self.0.len() {
            self.0.swap(first, best);
        }
        self.0.get(first).map(|vote| vote.0)
    }

    /// Codes for one candidate after another, most votes first, whether it is the distance. Returns
    /// the one that matches, or how many were tried if none of `most` does.
    #[inline]
    pub fn code(
        &mut self,
        most: usize,
        mut is_it: impl FnMut(u64, u16) -> bool,
    ) -> Result<u16, usize> {
        let mut guesses = 0;
        while guesses < most
            && let Some(guess) = self.best_from(guesses)
        {
            if is_it(guesses as u64, guess) {
                return Ok(guess);
            }
            guesses += 1;
        }
        Err(guesses)
    }

    /// All candidates; those already tried come first.
    pub fn candidates(&self) -> impl Iterator<Item = u16> {
        self.0.iter().map(|vote| vote.0)
    }
}

/// A result as a number, lower is better for White: wins by their distance, then draws, then
/// losses, the longest first. Zero is unknown.
pub type ResultOrder = u16;

const DRAW: ResultOrder = 1 << 14;
/// The order of an immediate loss.
const LOST: ResultOrder = 1 << 15;
/// One move of each side.
pub const ROUND: ResultOrder = 2;

#[inline]
pub const fn order_of(number: u16) -> ResultOrder {
    match number {
        0 => DRAW,
        number if number % 2 == 0 => number,
        number => LOST - number,
    }
}

#[inline]
pub const fn order_number(order: ResultOrder) -> u16 {
    match order {
        DRAW => 0,
        order if order < DRAW => order,
        order => LOST - order,
    }
}

/// The order of a win or loss with this many plies to zeroing; `dtm` is its number for the distance
/// to mate.
#[inline]
pub const fn order_of_zeroing(dtm: u16, plies: u16) -> ResultOrder {
    match dtm {
        0 => DRAW,
        dtm if dtm % 2 == 0 => plies + 1,
        _ => LOST - plies,
    }
}

/// The plies to zeroing of an order; none unless it is the same kind of result as `dtm`, a number
/// for a distance to mate.
#[inline]
pub const fn plies_of(order: ResultOrder, dtm: u16) -> Option<u16> {
    match order {
        0 | DRAW => None,
        order if order < DRAW && dtm.is_multiple_of(2) => Some(order - 1),
        order if order > DRAW && !dtm.is_multiple_of(2) => Some(LOST - order),
        _ => None,
    }
}

/// The order one move of each side earlier.
#[inline]
const fn earlier(order: ResultOrder, round: ResultOrder) -> ResultOrder {
    match order {
        DRAW => DRAW,
        order if order < DRAW => order + round,
        order => order - round,
    }
}

/// How reliable a bound is, in sixteen classes.
pub type Trust = u8;

/// The points of the attacker in a row, each with a bound from known cells that moves connect with
/// it: the best order that the position with the attacker there and Black to move can have. The
/// known cells of a row are kept in the same way, with their own orders.
///
/// White's result is the best that its moves lead to. So once a cell is known, no point that the
/// attacker can reach from there is better for White than that cell: this bounds these points. A
/// later cell is no better than the best bound among the points that the attacker reaches from it.
/// Black's king steps bound points in the same way. In retrograde analysis such bounds are exact once
/// everything is known; here, where only some cells are known, they are the best prediction.
pub struct OrderSets<G: ChessBoardGame> {
    /// The points of all sets.
    known: G::Bitboard,
    /// Disjoint, in ascending order.
    sets: Vec<(ResultOrder, G::Bitboard)>,
}

impl<G: ChessBoardGame> Default for OrderSets<G> {
    fn default() -> OrderSets<G> {
        OrderSets { known: G::Bitboard::EMPTY, sets: Vec::new() }
    }
}

impl<G: ChessBoardGame> OrderSets<G> {
    /// Puts points into the set of an order, except those that are in one of a higher order.
    #[inline]
    fn raise(&mut self, points: G::Bitboard, order: ResultOrder) {
        self.known |= points;
        let at = self.sets.partition_point(|set| set.0 < order);
        let (lower, others) = self.sets.split_at_mut(at);
        lower.iter_mut().for_each(|set| set.1 &= !points);
        let rest = others.iter().skip_while(|set| set.0 == order);
        let raised = rest.fold(points, |points, set| points & !set.1);
        match others.first_mut().filter(|set| set.0 == order) {
            Some(set) => set.1 |= raised,
            None => self.sets.insert(at, (order, raised)),
        }
    }

    /// The best order of these points (zero if none is known), and its reliability, by how many are
    /// unknown and how many have this order.
    #[inline]
    fn best(&self, targets: G::Bitboard) -> (ResultOrder, Trust) {
        let found = self.sets.iter().map(|&(order, points)| (order, points & targets));
        let (best, agreeing) = found.into_iter().find(|it| it.1.any()).unwrap_or_default();
        let unknown: u8 = match (targets & !self.known).len() {
            0 => 0,
            1 | 2 => 1,
            3..=5 => 2,
            _ => 3,
        };
        (best, unknown * 4 + agreeing.len().min(3) as u8)
    }
}
