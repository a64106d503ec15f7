//! Static evaluation: the value of a position without looking ahead, by a
//! [`network`] or by material and placement. Known endings are evaluated by rules in either case.
//!
//! It knows the games and their boards, but not how they are searched, except that the searches
//! by its evaluations are compiled with it (`compiled_searches`).
//!
//! Begin with [`GameEvaluation`], which is one or the other for a game, and [`AnyEvaluation`],
//! that of any game. From there `network` leads through inference. [`WdlModel`] turns a score into
//! [`Chances`] to win, draw and lose.
#![warn(missing_docs)]

// The unit tests search nothing.
#[cfg(not(test))]
mod compiled_searches;
mod game_evaluation;
#[cfg(feature = "files")]
pub mod load_network;
mod material;
pub mod network;
mod wdl_model;

pub use game_evaluation::{
    AlquerqueEvaluation, AnyEvaluation, Evaluation, GameEvaluation, MasonicEvaluation, NetworkInfo,
    ThreadEvaluator,
};
pub use material::MaterialEvaluation;
pub use wdl_model::{Chances, WdlModel, sigmoid};
