//! The plan of a match: its settings, checked and turned into what will be played.

mod conditions;
mod contestants;
mod match_plan;
mod opening_choice;
mod supervision;
mod thinking_threads;

pub(super) use conditions::Conditions;
pub(super) use contestants::VARIANT_OPTION;
pub(super) use match_plan::{MoveDetails, PgnOut, Plan, plan};
pub(super) use supervision::supervise;
