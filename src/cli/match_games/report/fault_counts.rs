//! Counts of faults: games lost by crashes, stalls, illegal moves and on time.

use std::fmt;

use serde::Serialize;

use qirkat_arena::{GameOutcome, Termination};
use qirkat_notation::pgn::GameResult;

/// How often an engine lost so.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(in crate::match_games) struct FaultCounts {
    pub name: String,
    pub crashes: u64,
    pub stalls: u64,
    pub illegal_moves: u64,
    pub time_losses: u64,
}

/// The counts of all engines, by number.
pub(in crate::match_games) fn faults(names: &[&str], games: &[GameOutcome]) -> Vec<FaultCounts> {
    let empty = |name: &&str| FaultCounts { name: (*name).to_owned(), ..FaultCounts::default() };
    let mut all: Vec<FaultCounts> = names.iter().map(empty).collect();
    for game in games {
        let loser = match game.result {
            GameResult::WhiteWins => game.black,
            GameResult::BlackWins => game.white,
            GameResult::Draw | GameResult::Unfinished => continue,
        };
        let Some(counts) = all.get_mut(loser) else { continue };
        let is = |termination: Termination| game.termination == termination;
        counts.crashes += u64::from(is(Termination::Abandoned));
        counts.stalls += u64::from(is(Termination::Stalled));
        counts.illegal_moves += u64::from(is(Termination::IllegalMove));
        counts.time_losses += u64::from(is(Termination::TimeForfeit));
    }
    all
}

impl FaultCounts {
    pub fn any(&self) -> bool {
        self.crashes + self.stalls + self.illegal_moves + self.time_losses > 0
    }
}

impl fmt::Display for FaultCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Games lost otherwise by {}: crashed {}, stalled {}, illegal moves {}, on time {}",
            self.name, self.crashes, self.stalls, self.illegal_moves, self.time_losses
        )
    }
}
