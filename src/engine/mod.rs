//! The engine behind every protocol: it owns threads, table, evaluation and
//! settings, runs one task at a time in the background and can be stopped at
//! any moment.
//!
//! It knows no protocol: options and their texts belong to
//! [`protocol`](crate::protocol), which sets what is typed here.

mod any_searcher;
#[cfg(feature = "cli")]
mod background;
mod benchmark;
mod mate_search;
mod search_types;
#[cfg(feature = "cli")]
mod settings;
mod strength;

pub use any_searcher::AnySearcher;
#[cfg(feature = "cli")]
pub use background::{Engine, HashError, SearchListener};
pub use benchmark::{BENCH_DEPTH, BenchProgress, BenchResult, bench};
pub use search_types::{SearchLimits, SearchLine, SearchResult, line_chances};
#[cfg(feature = "cli")]
pub use settings::Settings;
pub use strength::{ELO_RANGE, FULL_SKILL, handicap_of_elo};
