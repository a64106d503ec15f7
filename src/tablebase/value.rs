//! The value of a position, for people and programs.

use derive_more::Display;

use super::cell::{CLOCK, Entry};

/// How a position ends when both sides play perfectly, under the 100-ply rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Display, Hash)]
#[display("{}", self.text())]
pub enum TableResult {
    /// The side to move loses.
    Loss,
    /// It would lose, but 100 plies without a pawn move or capture save it.
    BlessedLoss,
    /// Neither side can win.
    Draw,
    /// The side to move would win, but the 100-ply rule comes first.
    CursedWin,
    /// The side to move wins.
    Win,
}

impl TableResult {
    /// The word for it in texts and in JSON.
    pub const fn text(self) -> &'static str {
        match self {
            TableResult::Loss => "loss",
            TableResult::BlessedLoss => "blessed-loss",
            TableResult::Draw => "draw",
            TableResult::CursedWin => "cursed-win",
            TableResult::Win => "win",
        }
    }
}

/// The value of a position, or of a move by the side that makes it. Distances are
/// in plies; a draw has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableValue {
    /// How the game ends, counting the plies already on the clock.
    pub result: TableResult,
    /// Distance to mate, as if there were no 100-ply rule.
    pub dtm: Option<u16>,
    /// Distance to the next capture, pawn move or mate when the winner hurries towards it
    /// and the loser delays it, both without changing the result. Above 100 it tells that
    /// the 100-ply rule comes first; a capture or pawn move that only reaches a cursed win
    /// counts 101.
    pub dtz: Option<u16>,
}

impl TableValue {
    /// From an entry, with this many plies on the clock when the distances begin.
    pub(super) fn new(entry: Entry, clock: u16) -> TableValue {
        let is_late = entry.dtz.plies().saturating_add(clock) > CLOCK && entry.dtz.plies() > 0;
        let result = match entry.dtm {
            cell if cell.is_win() && is_late => TableResult::CursedWin,
            cell if cell.is_win() => TableResult::Win,
            cell if cell.is_loss() && is_late => TableResult::BlessedLoss,
            cell if cell.is_loss() => TableResult::Loss,
            _ => TableResult::Draw,
        };
        let plies = |plies: u16| (result != TableResult::Draw).then_some(plies);
        TableValue { result, dtm: plies(entry.dtm.plies()), dtz: plies(entry.dtz.plies()) }
    }
}
