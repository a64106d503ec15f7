//! `qirkat match`: engines play each other.
//!
//! Data flows from the [`settings`], as they are written down, to a [`plan`], from
//! there to the [`games`], and from the games to the [`report`].

mod command;
mod games;
mod introduction;
mod match_in_progress;
mod plan;
mod report;
mod settings;

pub(super) use command::run;
pub(super) use settings::{HELP, MatchOptions, ONE_DASH, help_options};
