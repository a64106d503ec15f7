//! The engine behind every protocol: it owns threads, table, evaluation and
//! settings, runs one task at a time in the background and can be stopped at
//! any moment.
//!
//! It knows no protocol: options and their texts belong to `qirkat_engine::protocol`, which sets what
//! is typed here.
//!
//! Begin with [`AnySearcher`], the search of whichever game it is: it converts what goes into
//! the search of that game and what comes out, and proves mates that are asked for.
//! [`Engine`] runs it in the background under its [`Settings`]. [`bench`](bench()) and `perft_divide`
//! are the fixed pieces of work by which the search and the generators are known. `protocol`
//! talks with programs in UCI and XBoard's protocol; nothing else here knows it.

mod any_searcher;
mod benchmark;
#[cfg(feature = "threads")]
mod engine;
#[cfg(feature = "protocol")]
pub mod protocol;
mod settings;

pub use any_searcher::AnySearcher;
pub use benchmark::{BENCH_DEPTH, BenchProgress, BenchResult, bench};
#[cfg(feature = "threads")]
pub use engine::{Engine, HashError, SearchListener, perft_divide};
pub use qirkat_search::SearchLimits;
pub use settings::{ELO_RANGE, FULL_SKILL, Settings, handicap_of_elo, handicap_of_level};

use qirkat_evaluation::{Chances, WdlModel};
use qirkat_rules::variant::{AnyPosition, Variant};

/// The engine's name, with its version.
pub const NAME: &str = concat!("Qirkat ", env!("CARGO_PKG_VERSION"));
/// The version, with the commit and the network where these are known, which tells one build
/// from another. The build script puts them together.
pub const VERSION: &str = env!("QIRKAT_VERSION");
/// The engine's name with the version that tells one build from another.
pub const NAME_OF_BUILD: &str = concat!("Qirkat ", env!("QIRKAT_VERSION"));

/// One line of play with its score, of any game.
pub type SearchLine = qirkat_search::SearchLine<AnyPosition>;
/// The result of a search of any game.
pub type SearchResult = qirkat_search::SearchResult<AnyPosition>;

/// The chances of the side that begins a line, by the model of the game.
pub fn line_chances(variant: Variant, line: &SearchLine) -> Chances {
    if line.is_drawn { Chances::DRAWN } else { WdlModel::fitted(variant).chances(line.score) }
}
