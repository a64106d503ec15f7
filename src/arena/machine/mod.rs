//! The machine on which engines play: its cores, and whether it is too busy for fair clocks.

mod affinity;
mod core_waits;
mod punctuality;

pub(crate) use affinity::bound_to;
pub use affinity::{CoreShares, cores};
pub(crate) use core_waits::CoreWaits;
pub use punctuality::Punctuality;
