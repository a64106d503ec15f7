//! The user's settings: how the engine plays and reports.

use std::time::Duration;

use qirkat_search::Handicap;
use qirkat_system::host::random;

/// How the engine plays and reports. A change takes effect at the next search.
///
/// Threads, table and evaluation are not included: see
/// [`Engine::set_threads`](super::Engine::set_threads) and its siblings, which can fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    pub multi_pv: usize,
    /// Whether the GUI may let the engine ponder; the engine ignores it.
    pub ponder: bool,
    /// Time lost per move in communication.
    pub move_overhead: Duration,
    /// Analysis rather than play: even a forced reply is searched.
    pub analyse_mode: bool,
    pub show_wdl: bool,
    /// How well to play, up to [`FULL_SKILL`].
    pub skill_level: u32,
    /// Whether to play at `elo` instead.
    pub limit_strength: bool,
    /// The strength to play at, within [`ELO_RANGE`].
    pub elo: u32,
    pub resign: bool,
    /// How many nodes count as a millisecond of a time limit; 0: the clock counts.
    pub nodestime: u64,
    /// Whether to play from the opening book.
    pub own_book: bool,
    /// The plies of a game that it plays from the book.
    pub book_depth: u32,
    /// It plays any move of the book that loses at most this many centipawns against the best.
    pub book_variety: i32,
}

impl Settings {
    pub fn handicap(&self) -> Option<Handicap> {
        let level =
            if self.limit_strength { level_of(self.elo) } else { f64::from(self.skill_level) };
        handicap_of_level(level, random())
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multi_pv: 1,
            ponder: false,
            move_overhead: Duration::from_millis(20),
            analyse_mode: false,
            show_wdl: false,
            skill_level: FULL_SKILL,
            limit_strength: false,
            elo: ELO_RANGE.1,
            resign: false,
            nodestime: 0,
            own_book: false,
            book_depth: MAX_BOOK_DEPTH,
            book_variety: 0,
        }
    }
}

/// More than any book has.
pub const MAX_BOOK_DEPTH: u32 = 255;

/// The `Skill Level` without a handicap.
pub const FULL_SKILL: u32 = 20;

/// The nodes of the lowest level, and the growth factor per level.
const LEAST_NODES: f64 = 250.0;
const NODES_GROWTH: f64 = 1.415;
/// The percentage of the longest moves that the lowest level overlooks.
const MAX_BLINDNESS: f64 = 90.0;
/// How much more captures count for the lowest level, in percent.
const MAX_GREED: f64 = 40.0;
/// The most centipawns by which the lowest level misjudges a move.
const MAX_CARELESSNESS: f64 = 250.0;
/// These three are scaled by the missing skill, from 1 to 0, to this power.
const MISSING_SKILL_EXPONENT: f64 = 1.5;

/// Levels and their Elo, measured by 120 to 160 games of each level against the next
/// (`scripts/measure-levels`; the errors are in `docs/records/chances.md`). Only differences are
/// measured: the lowest level is defined as 500.
const LEVEL_ELO: [(f64, f64); 12] = [
    (0.0, 500.0),
    (2.0, 910.0),
    (4.0, 980.0),
    (6.0, 1120.0),
    (8.0, 1250.0),
    (10.0, 1410.0),
    (12.0, 1590.0),
    (14.0, 1790.0),
    (16.0, 2060.0),
    (17.0, 2200.0),
    (18.0, 2390.0),
    (19.0, 2510.0),
];

/// The range of `UCI_Elo`, kept from version 1. The measured levels change with the network; an Elo
/// above the highest selects that level.
pub const ELO_RANGE: (u32, u32) = (500, 2550);

/// The level of this Elo, interpolated between the measured levels.
fn level_of(elo: u32) -> f64 {
    let elo = f64::from(elo).max(LEVEL_ELO[0].1);
    LEVEL_ELO.windows(2).find(|pair| elo <= pair[1].1).map_or(
        LEVEL_ELO[LEVEL_ELO.len() - 1].0,
        |pair| {
            let (low, high) = (pair[0], pair[1]);
            low.0 + (elo - low.1) / (high.1 - low.1) * (high.0 - low.0)
        },
    )
}

/// The handicap of a level up to [`FULL_SKILL`]; the seed decides what it misjudges.
pub fn handicap_of_level(level: f64, seed: u64) -> Option<Handicap> {
    let full = f64::from(FULL_SKILL);
    (level < full).then(|| {
        let missing = (1.0 - level / full).powf(MISSING_SKILL_EXPONENT);
        Handicap {
            nodes: (LEAST_NODES * NODES_GROWTH.powf(level)) as u64,
            blindness: (MAX_BLINDNESS * missing) as u32,
            greed: (MAX_GREED * missing) as i32,
            carelessness: (MAX_CARELESSNESS * missing) as i32,
            seed,
        }
    })
}

/// The handicap to play at this Elo, within [`ELO_RANGE`].
pub fn handicap_of_elo(elo: u32, seed: u64) -> Option<Handicap> {
    handicap_of_level(level_of(elo), seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elo_means_a_higher_level() {
        let (highest, end) = LEVEL_ELO[LEVEL_ELO.len() - 1];
        assert!(f64::from(ELO_RANGE.0) == LEVEL_ELO[0].1 && end <= f64::from(ELO_RANGE.1));
        let mut last = -1.0;
        for elo in (ELO_RANGE.0..=ELO_RANGE.1).step_by(50) {
            let level = level_of(elo);
            assert!(level < f64::from(FULL_SKILL), "{elo}: {level}");
            assert!(if f64::from(elo) < end { level > last } else { level == highest }, "{elo}");
            last = level;
        }
        assert_eq!(level_of(0), 0.0);
        assert_eq!(level_of(10_000), 19.0);
    }

    #[test]
    fn full_skill_has_no_handicap() {
        assert_eq!(handicap_of_level(20.0, 1), None);
        let nodes = |level| handicap_of_level(level, 1).map(|handicap| handicap.nodes);
        assert!(nodes(0.0) < nodes(7.5) && nodes(7.5) < nodes(19.0));
    }
}
