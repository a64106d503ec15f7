//! Games of people against the engine or each other, wherever they are played: in the
//! browser or in the terminal. Clocks, ends, and how the engine behaves towards people.

mod clocks;
mod ending;
mod engine_manners;
mod move_points;

pub use clocks::{Clocks, TimeRule, clock_command};
pub use ending::Ending;
pub use engine_manners::{accepts_draw, hint_limits, reply_limits};
pub use move_points::points_of;
