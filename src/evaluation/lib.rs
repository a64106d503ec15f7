//! Static evaluation: the value of a position without looking ahead, by a
//! [`network`] or by hand-crafted terms. Known endings are evaluated by rules in either case.
//!
//! It knows the games and their boards, but not how they are searched, except that the searches
//! by its evaluations are compiled with it (`compiled_searches`).
//!
//! Begin with [`GameEvaluation`], which is one or the other for a game, and [`AnyEvaluation`],
//! that of any game. From there `network` leads through inference, and `handcrafted` through the
//! terms that people can read, which the tuner fits. [`WdlModel`] turns a score into [`Chances`] to
//! win, draw and lose.

mod any_evaluation;
mod chances;
// The unit tests search nothing.
#[cfg(not(test))]
mod compiled_searches;
mod game_evaluation;
mod handcrafted;
#[cfg(feature = "files")]
pub mod load_network;
pub mod network;
#[rustfmt::skip]
mod values;
mod wdl_model;

pub use any_evaluation::{AnyEvaluation, NetworkInfo};
pub use chances::Chances;
pub use game_evaluation::{
    AlquerqueEvaluation, Evaluation, GameEvaluation, MasonicEvaluation, ThreadEvaluator,
};
pub use handcrafted::{
    Counts, DANGER_UNIT, Feature, HandcraftedEvaluation, MAX_DANGER, Tapered, Term, VALUES_SOURCE,
    WHOLE_PHASE, counts, evaluate, is_linear, phase,
};
pub use wdl_model::{WdlModel, sigmoid};
