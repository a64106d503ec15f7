//! Counts what the positions of a solved table come to.

use qirkat_game::Color;

use super::solved_table::SolvedTable;
use crate::cell::{CLOCK, Entry};
use crate::chess_game::ChessTableGame;
use crate::indexing::layout::Layout;
use crate::indexing::symmetry::{IDENTITY, Symmetries};
use crate::statistics::{SideStatistics, Statistics};

impl<G: ChessTableGame> SolvedTable<G> {
    /// The statistics of the table.
    pub fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        for index in (0..self.layout.cells()).filter(|&index| self.layout.is_asked(index)) {
            let entries = Color::ALL
                .map(|side| Some(self.entry(side, index)).filter(|entry| !entry.dtm.is_broken()));
            statistics.count(entries, index as u64, self.layout.weight(index));
        }
        statistics
    }
}

impl<G: ChessTableGame> Layout<G> {
    /// Whether a number is the one that its position is looked up by.
    pub fn is_asked(&self, index: usize) -> bool {
        self.placement(index).and_then(|placement| self.index(&placement)) == Some(index)
    }

    /// How many positions of the board a number stands for: its images under the
    /// symmetries that the table folds, but for those that have numbers of their own.
    pub fn weight(&self, index: usize) -> u64 {
        let symmetries = Symmetries::<G>::get();
        let images = |count: usize, keeps: &dyn Fn(u8) -> bool| {
            let kept = (0..count as u8).filter(|&symmetry| keeps(symmetry)).count();
            (count / kept.max(1)) as u64
        };
        let pawns = self.slices.points(index / self.slice_cells());
        if !pawns.is_empty() {
            return images(G::PAWN_SYMMETRIES, &|symmetry| {
                let image = pawns.iter().map(|&point| symmetries.image(symmetry, point));
                // A slice is found from its image as it is only if that is itself.
                self.slices.find(&image.collect()).1 == IDENTITY
            });
        }
        let [white, black] = self.kings.kings(index % self.slice_cells() / self.pair_stride);
        images(G::SYMMETRIES, &|symmetry| {
            symmetries.image(symmetry, white) == white && symmetries.image(symmetry, black) == black
        })
    }
}

impl SideStatistics {
    /// Counts a position that stands for `weight` positions.
    pub fn count(&mut self, entry: Entry, index: u64, weight: u64) {
        let is_late = entry.dtz.plies() > CLOCK;
        let (counter, longest) = match entry.dtm {
            cell if cell.is_win() && is_late => {
                (&mut self.cursed_wins, Some(&mut self.longest_win))
            }
            cell if cell.is_win() => (&mut self.wins, Some(&mut self.longest_win)),
            cell if cell.is_loss() && is_late => {
                (&mut self.blessed_losses, Some(&mut self.longest_loss))
            }
            cell if cell.is_loss() => (&mut self.losses, Some(&mut self.longest_loss)),
            _ => (&mut self.draws, None),
        };
        *counter += weight;
        if let Some(longest) = longest {
            keep_longest(longest, entry.dtm.plies(), index);
            keep_longest(&mut self.longest_zeroing, entry.dtz.plies(), index);
        }
    }
}

fn keep_longest(longest: &mut Option<(u16, u64)>, plies: u16, index: u64) {
    if longest.is_none_or(|(known, _)| plies > known) {
        *longest = Some((plies, index));
    }
}

impl Statistics {
    /// Counts a position by what holds with White and with Black to move, as far as either
    /// can be.
    pub fn count(&mut self, entries: [Option<Entry>; 2], index: u64, weight: u64) {
        for (side, entry) in self.sides.iter_mut().zip(entries) {
            if let Some(entry) = entry {
                side.count(entry, index, weight);
            }
        }
        if let [Some(white), Some(black)] = entries {
            let (white, black) = (white.dtm.rank().signum(), black.dtm.rank().signum());
            if white < -black {
                self.zugzwangs += weight;
                let is_full = white < 0 && black < 0;
                let is_better = is_full && self.full_zugzwangs == 0;
                self.full_zugzwangs += if is_full { weight } else { 0 };
                if is_better || self.zugzwang.is_none() {
                    self.zugzwang = Some(index);
                }
            }
        }
    }
}
