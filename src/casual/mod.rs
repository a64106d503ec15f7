//! Games of people against the engine or each other, wherever they are played: in the
//! browser or in the terminal. Clocks, ends, and how the engine behaves towards people.

mod clocks;
mod ending;
mod engine_manners;
mod move_points;

pub(crate) use clocks::{Clocks, TimeRule, clock_command};
pub(crate) use ending::Ending;
pub(crate) use engine_manners::{accepts_draw, hint_limits, reply_limits};
pub(crate) use move_points::points_of;
