//! Static evaluation: the value of a position without looking ahead, by a
//! [`network`](crate::network) or by hand-crafted terms. [`Evaluation`] is the
//! choice between the two. Known endings are evaluated by rules in either case.
//!
//! The hand-crafted evaluation is tapered and linear: it counts the [`Feature`]s
//! of a position, term by term. Each has a value for the middle game and one
//! for the endgame (`values.rs`, written by the tuner); the sum of all is
//! interpolated by the pieces left. The same code counts for the search, which
//! wants the sum, and for the tuner, which wants the counts (an evaluation
//! trace).

mod any_evaluation;
mod board;
mod by_hand;
mod chances;
mod choice;
mod compiled_searches;
mod endings;
mod geometry;
mod hand_made;
mod king;
pub mod load_network;
pub mod network;
mod pawns;
mod piece_square;
mod pieces;
mod sigmoid;
mod sink;
mod tapered;
mod terms;
mod threats;
#[rustfmt::skip]
mod values;
mod wdl_model;

pub use any_evaluation::{AnyEvaluation, NetworkInfo};
pub use by_hand::ByHand;
pub use chances::Chances;
pub use choice::{AlquerqueEvaluation, Choice, Evaluation, MasonicEvaluation, ThreadEvaluator};
pub use hand_made::{VALUES_SOURCE, WHOLE_PHASE, is_linear, phase};
pub use hand_made::{counts, evaluate};
pub use sigmoid::sigmoid;
pub use sink::Counts;
pub use sink::{DANGER_UNIT, MAX_DANGER};
pub use tapered::Tapered;
pub use terms::{Feature, Term};
pub use wdl_model::WdlModel;
