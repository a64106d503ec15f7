//! The engine behind every protocol: it owns threads, table, evaluation and settings, and runs one
//! task at a time in the background, which can be stopped at any moment.
//!
//! Only `protocol` (UCI and XBoard's protocol) handles commands and options as text.
//!
//! Begin with [`AnySearcher`], the search of any game: it converts inputs and results, and proves
//! mates in mate searches. [`Engine`] runs it in the background under its [`Settings`].
//! [`bench`](bench()) and `perft_divide` check the search and the move generators. A
//! [`Book`](book::Book) knows the scores of opening positions.

mod any_searcher;
#[cfg(feature = "threads")]
mod background;
mod benchmark;
pub mod book;
#[cfg(feature = "threads")]
mod engine;
#[cfg(feature = "protocol")]
pub mod load_book;
#[cfg(feature = "protocol")]
pub mod protocol;
mod settings;

pub use any_searcher::AnySearcher;
#[cfg(feature = "threads")]
pub use background::Background;
#[cfg(feature = "protocol")]
pub use benchmark::speed_test;
pub use benchmark::{BENCH_DEPTH, BenchProgress, BenchResult, bench};
#[cfg(feature = "threads")]
pub use engine::{Engine, HashError, SearchReport, perft_divide};
pub use qirkat_search::SearchLimits;
pub use settings::{
    ELO_RANGE, FULL_SKILL, MAX_BOOK_DEPTH, Settings, handicap_of_elo, handicap_of_level,
};

use std::time::Duration;

use qirkat_evaluation::{Chances, WdlModel};
use qirkat_game::score::Score;
use qirkat_rules::variant::{AnyPosition, Variant};
use qirkat_search::{Clock, TimeBudget};

pub const NAME: &str = concat!("Qirkat ", env!("CARGO_PKG_VERSION"));
/// The version with the commit and the network, if known; set by the build script.
pub const VERSION: &str = env!("QIRKAT_VERSION");
/// The engine's name with the version that identifies the build.
pub const BUILD_NAME: &str = concat!("Qirkat ", env!("QIRKAT_VERSION"));

pub type SearchLine = qirkat_search::SearchLine<AnyPosition>;
pub type SearchResult = qirkat_search::SearchResult<AnyPosition>;

/// By how much [`expected_moves`] falls with each move, and its minimum.
const FEWER_EACH_MOVE: f64 = 1.2;
const LEAST_EXPECTED: f64 = 12.0;

/// A move's share of its side's clock. `overhead` is the time lost with each move.
pub fn clock_budget(position: &AnyPosition, clock: Clock, overhead: Duration) -> TimeBudget {
    TimeBudget::from_clock(clock, overhead, expected_moves(position))
}

/// The moves to share a clock among if their number is unknown. At first these are more than will be
/// played, which leaves time for the middle game: in the first ten moves of Chesquerque the winning
/// chances change by a third as much as in moves 35 to 50.
fn expected_moves(position: &AnyPosition) -> f64 {
    let from_start = match position.variant() {
        Variant::Chesquerque => 90.0,
        Variant::Masonic => 60.0,
        Variant::Alquerque => 40.0,
    };
    let played = f64::from(position.fullmove_number().saturating_sub(1));
    (from_start - FEWER_EACH_MOVE * played).max(LEAST_EXPECTED)
}

/// The engine accepts a draw at or below these scores: at any time, and after this many moves.
const MAX_DRAW_SCORE: Score = Score::centipawns(-50);
const MAX_DRAW_SCORE_LATER: Score = Score::centipawns(10);
const LATE_MOVE: u16 = 40;

/// Whether the engine agrees to a draw, by its last score and the number of the next move.
pub fn accepts_draw(last_score: Option<Score>, move_number: u16) -> bool {
    let max = if move_number > LATE_MOVE { MAX_DRAW_SCORE_LATER } else { MAX_DRAW_SCORE };
    last_score.is_some_and(|score| score <= max)
}

/// The chances of the side to move before a line, by the game's WDL model.
pub fn line_chances(variant: Variant, line: &SearchLine) -> Chances {
    if line.is_drawn { Chances::DRAWN } else { WdlModel::fitted(variant).chances(line.score) }
}
