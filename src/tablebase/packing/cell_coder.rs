//! Goes through the cells of a grid, row by row, for both coders.

use qirkat_rules::chess::{Square, SquareSet};

use super::bounds::{Bounds, Rank, rank_of};
use super::grid::Grid;
use super::grid_row::GridRow;
use super::neighbours::{NEIGHBOURS, NONE, near};
use super::numbers::Numbers;
use crate::chess_game::ChessTableGame;
use crate::indexing::symmetry::points;

/// A grid that is known, which a step of one of Black's pawns leads to.
pub struct KnownGrid<'a, G: ChessTableGame> {
    pub grid: &'a Grid<G>,
    pub mates: &'a Numbers,
}

/// All that is seen of a cell before it is known.
pub struct Seen {
    pub near: [u16; NEIGHBOURS],
    /// The best of its bounds, and how far that can be trusted.
    pub bound: Rank,
    pub trust: u64,
    pub threats: u64,
    pub walker: u64,
    pub king: u64,
}

/// The distances of a grid by one measure while they are written; [`Unknown`](super::block::Unknown) while they are
/// read.
pub trait KnownDistances {
    /// The number of a cell: that for a distance to mate, or plies to zeroing.
    fn number(&self, cell: usize) -> u16;
    /// In how many plies Black loses with Black to move; none where it does not.
    fn loses_in(&self, cell: usize) -> Option<u16>;
}

/// Reads or writes the number of one cell after another.
pub trait CellCoder {
    /// The number of a cell, zero for a draw.
    fn code<S: Square>(&mut self, cell: usize, seen: &Seen) -> u16;

    /// How good a number is for White.
    fn rank(&self, cell: usize, number: u16) -> Rank;

    /// Whether a cell is a draw or a mate on the board, of which there is nothing to say.
    fn is_settled(&self, cell: usize) -> bool;

    /// The number that a cell that nobody asks for has for its neighbours.
    fn filling(near: [u16; NEIGHBOURS]) -> u16;

    /// The numbers of all cells, zero for those that nobody asks for. `stepped` are the grids
    /// that a step of one of Black's pawns leads to.
    fn code_all<G: ChessTableGame>(
        &mut self,
        grid: &Grid<G>,
        stepped: &[KnownGrid<G>],
    ) -> Vec<u16> {
        let count = G::Square::COUNT;
        let mut numbers = vec![NONE; count * count];
        let mut bounds = Bounds::new(count);
        for king in points::<G>() {
            let first = king.index() * count;
            let Some(row) = GridRow::new(grid, king) else {
                for cell in first..first + count {
                    numbers[cell] = Self::filling(near::<G::Square>(&numbers, cell));
                }
                continue;
            };
            bounds.clear();
            for stepped in stepped {
                for point in (0..count).filter(|&it| stepped.grid.asked(it).contains(king)) {
                    bounds.reply(point, rank_of(stepped.mates.get(first + point)));
                }
            }
            for reply in row.steps.into_iter().take_while(|reply| *reply < king) {
                let before = reply.index() * count;
                for point in (0..count).filter(|&point| grid.asked(point).contains(reply)) {
                    let cell = before + point;
                    bounds.reply(point, self.rank(cell, numbers[cell]));
                }
            }
            for walker in points::<G>() {
                let cell = first + walker.index();
                if !grid.asked(walker.index()).contains(king) {
                    numbers[cell] = Self::filling(near::<G::Square>(&numbers, cell));
                    continue;
                }
                let attacks = row.attacks(walker);
                let targets = row.targets(attacks);
                numbers[cell] = 0;
                if !self.is_settled(cell) {
                    let (bound, trust) = bounds.best::<G>(targets);
                    let seen = Seen {
                        near: near::<G::Square>(&numbers, cell),
                        bound,
                        trust: u64::from(trust),
                        threats: u64::from(row.threats(walker, attacks)),
                        walker: walker.index() as u64,
                        king: king.index() as u64,
                    };
                    numbers[cell] = self.code::<G::Square>(cell, &seen);
                }
                bounds.note::<G>(targets, self.rank(cell, numbers[cell]));
            }
        }
        for (cell, number) in numbers.iter_mut().enumerate() {
            if !grid.is_asked(cell) {
                *number = 0;
            }
        }
        numbers
    }
}
