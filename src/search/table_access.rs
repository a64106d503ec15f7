//! How a search asks the table for positions: under which key each is kept.

use super::worker::Worker;
use super::{Bound, Ply, Score, TableEntry};
use crate::position::{Key, Position};

/// From this clock on a position is kept in the table for its clock alone:
/// what it is worth depends on how near the 100 plies are.
const CLOCK_MATTERS: u16 = 60;
/// Sets the clocks apart: a large odd number.
const CLOCK_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Sets apart what is found while nothing is skipped.
const FULL_WIDTH: u64 = 0xD1B5_4A32_D192_ED03;

impl Worker<'_> {
    /// What the table knows of a position.
    #[inline]
    pub fn probe(&self, position: &Position, ply: Ply) -> Option<TableEntry> {
        let entry = self.task.table.probe(self.table_key(position), ply)?;
        Some(if is_too_late(position, ply, entry.score) { entry.without_score() } else { entry })
    }

    /// Keeps in the table what was found for a position.
    #[inline]
    pub fn store(&self, position: &Position, ply: Ply, entry: TableEntry) {
        self.task.table.store(self.table_key(position), ply, entry);
    }

    /// Has the table's part for a position fetched, to be at hand soon.
    #[inline]
    pub fn prefetch(&self, position: &Position) {
        self.task.table.prefetch(self.table_key(position));
    }

    /// The key under which the table keeps a position. A search that must prove
    /// does not believe what others found, which have skipped moves.
    #[inline]
    fn table_key(&self, position: &Position) -> Key {
        let key = table_key(position);
        if self.full_width { Key(key.0 ^ FULL_WIDTH) } else { key }
    }
}

/// Whether a kept score tells of a mate that the end of the 100 plies may come
/// before: it was found with another clock (after Stockfish).
#[inline]
fn is_too_late(position: &Position, ply: Ply, score: Score) -> bool {
    score.plies_to_mate().is_some_and(|from_root| {
        position.halfmove_clock() < CLOCK_MATTERS
            && from_root.unsigned_abs() > ply.0 + position.plies_to_clock_draw()
    })
}

impl TableEntry {
    /// The same, saying nothing of the score.
    fn without_score(self) -> TableEntry {
        TableEntry { score: Score::LOWEST, bound: Bound::Lower, ..self }
    }
}

/// A position's own key, but for high clocks.
#[inline]
fn table_key(position: &Position) -> Key {
    let clock = position.halfmove_clock();
    let key = position.key();
    if clock < CLOCK_MATTERS { key } else { Key(key.0 ^ u64::from(clock).wrapping_mul(CLOCK_STEP)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::Depth;
    use crate::position::Game;
    use crate::search::memory::ThreadMemory;
    use crate::search::{SearchControl, SearchLimits, SearchTask, TranspositionTable};

    /// A mate found with a low clock is not believed where the game would be
    /// drawn before it.
    #[test]
    fn no_mate_lies_behind_the_hundredth_ply() {
        let game = |clock: u16| {
            let fen = format!("4k4/9/9/9/9/9/9/9/R3K4 w - - {clock} 60");
            Game::from_position(Position::from_fen(&fen).expect("a good FEN").position)
        };
        let limits = SearchLimits::default();
        let control = SearchControl::new(false, false);
        let table = TranspositionTable::new(1).expect("a megabyte is there");
        let early = game(0);
        let task = SearchTask::new(&early, &limits, &control, &table, None);
        let mut memory = ThreadMemory::new();
        let worker = Worker::new(&task, &mut memory, 0, false);
        for score in [Score::mating_at(Ply(61)), Score::mated_at(Ply(62))] {
            let depth = Depth(9);
            let entry = TableEntry {
                mv: None,
                score,
                bound: Bound::Exact,
                depth,
                evaluation: None,
                was_pv: true,
            };
            worker.store(early.position(), Ply::ROOT, entry);
            for (clock, believed) in [(0, true), (38, true), (39, score.is_win()), (45, false)] {
                let here = game(clock);
                let probed = worker.probe(here.position(), Ply::ROOT).expect("it was kept");
                assert_eq!(probed.score == score, believed, "{score} at clock {clock}");
                // Found again further from the root it is no nearer to the draw.
                let later = worker.probe(here.position(), Ply(7)).expect("it was kept");
                assert_eq!(later.score != Score::LOWEST, believed);
            }
        }
    }
}
