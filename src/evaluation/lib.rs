//! Static evaluation: the value of a position without a search, by a [`network`] or by material and
//! placement. Known endings are evaluated by rules in either case.
//!
//! It depends on the games and their boards. It depends on the search only to compile the searches
//! with its evaluations (`game_evaluation`).
//!
//! Begin with [`GameEvaluation`], the evaluation of one game, and [`AnyEvaluation`], of any game.
//! Inference is in `network`. [`WdlModel`] converts scores into [`Chances`].

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
