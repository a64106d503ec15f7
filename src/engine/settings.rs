//! The settings of a user: how the engine plays and reports.

use std::time::Duration;

use qirkat_search::Handicap;
use qirkat_system::host::random;

use super::strength::{self, ELO_RANGE, FULL_SKILL};

/// Time lost on each move on its way to the other side, if nobody says more.
const DEFAULT_MOVE_OVERHEAD: Duration = Duration::from_millis(20);

/// How the engine plays and reports. A change holds from the next search on.
///
/// Threads, table and evaluation are not among these: see
/// [`Engine::set_threads`](super::Engine::set_threads) and its siblings, which
/// can fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Lines to report.
    pub multi_pv: usize,
    /// Whether the GUI may ponder. The GUI decides when; nothing depends on it.
    pub ponder: bool,
    /// Time lost on each move on its way to the other side.
    pub move_overhead: Duration,
    /// Analysis rather than play: even a single reply is searched.
    pub analyse_mode: bool,
    /// Whether probabilities to win, draw and lose are reported.
    pub show_wdl: bool,
    /// How well to play, up to [`FULL_SKILL`].
    pub skill_level: u32,
    /// Whether to play as strong as `elo` says instead.
    pub limit_strength: bool,
    /// The strength to play with, within [`ELO_RANGE`].
    pub elo: u32,
    /// Whether it gives up games that are lost.
    pub resign: bool,
}

impl Settings {
    /// The handicap of the player, if it has one.
    pub fn handicap(&self) -> Option<Handicap> {
        let level = if self.limit_strength {
            strength::level_of(self.elo)
        } else {
            f64::from(self.skill_level)
        };
        strength::handicap_of_level(level, random())
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multi_pv: 1,
            ponder: false,
            move_overhead: DEFAULT_MOVE_OVERHEAD,
            analyse_mode: false,
            show_wdl: false,
            skill_level: FULL_SKILL,
            limit_strength: false,
            elo: ELO_RANGE.1,
            resign: false,
        }
    }
}
