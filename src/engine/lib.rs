//! The engine behind every protocol: it owns threads, table, evaluation and
//! settings, runs one task at a time in the background and can be stopped at
//! any moment.
//!
//! It knows no protocol: options and their texts belong to
//! [`protocol`](qirkat_protocol), which sets what is typed here.

mod any_searcher;
#[cfg(feature = "threads")]
mod background;
mod benchmark;
mod mate_search;
mod name;
#[cfg(feature = "threads")]
mod perft_divide;
mod search_types;
mod settings;
mod strength;
pub mod time_text;

pub use any_searcher::AnySearcher;
#[cfg(feature = "threads")]
pub use background::{Engine, HashError, SearchListener};
pub use benchmark::{BENCH_DEPTH, BenchProgress, BenchResult, bench};
pub use name::{NAME, NAME_OF_BUILD, VERSION};
#[cfg(feature = "threads")]
pub use perft_divide::perft_divide;
pub use search_types::{SearchLimits, SearchLine, SearchResult, line_chances};
pub use settings::Settings;
pub use strength::{ELO_RANGE, FULL_SKILL, handicap_of_elo};
