//! The report of a match, as text for people and as JSON for programs.

mod fault_counts;
mod match_health;
mod match_report;
mod pair_statistics;
mod report_text;
mod standings_table;
mod text_table;

pub(super) use match_health::Health;
pub(super) use match_report::{PlayerReport, Report};
pub(super) use pair_statistics::{estimate, state};
