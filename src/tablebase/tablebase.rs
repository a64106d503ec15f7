//! Tables, as the search asks them.

use qirkat_game::{KnownResult, Tablebase};

use super::cell::{CLOCK, Cell};
use super::error::TableError;
use super::set::Tables;
use super::table_game::TableGame;
use super::value::{TableResult, TableValue};

impl<G: TableGame> Tablebase<G> for Tables<G> {
    #[inline]
    fn may_know(&self, position: &G) -> bool {
        Tables::may_know(self, position)
    }

    fn known(&self, position: &G) -> Option<KnownResult> {
        let clock = position.clock();
        let mate = readable(self.mate_distance(position))?;
        // A mate that comes before 100 plies have passed needs no zeroing move.
        if mate.plies().saturating_add(clock) <= CLOCK || !(mate.is_win() || mate.is_loss()) {
            return Some(mate.into());
        }
        readable(self.value(position)).map(KnownResult::from)
    }

    fn ranked_moves(&self, position: &G) -> Option<Vec<(G::Move, KnownResult)>> {
        let probe = readable(self.probe(position))?;
        Some(probe.moves.iter().map(|ranked| (ranked.mv, ranked.value.into())).collect())
    }
}

/// The result found. Where a file cannot be read, nothing is known.
pub(crate) fn readable<T>(found: Result<Option<T>, TableError>) -> Option<T> {
    found.unwrap_or_else(|error| {
        log::warn!("a table: {error}");
        None
    })
}

impl From<Cell> for KnownResult {
    fn from(cell: Cell) -> KnownResult {
        match cell {
            cell if cell.is_win() => KnownResult::Win(cell.plies()),
            cell if cell.is_loss() => KnownResult::Loss(cell.plies()),
            _ => KnownResult::Draw,
        }
    }
}

impl From<TableValue> for KnownResult {
    fn from(value: TableValue) -> KnownResult {
        let plies = value.dtm.unwrap_or_default();
        match value.result {
            TableResult::Win => KnownResult::Win(plies),
            TableResult::Loss => KnownResult::Loss(plies),
            TableResult::CursedWin | TableResult::Draw | TableResult::BlessedLoss => {
                KnownResult::Draw
            }
        }
    }
}
