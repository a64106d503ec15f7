//! Static evaluation: the value of a position without looking ahead, by a [`network`] or by
//! material and placement. Known endings are evaluated by rules in either case.
//!
//! It knows the games and their boards, but not the search, except that the searches with its
//! evaluations are compiled in it (`game_evaluation`).
//!
//! Begin with [`GameEvaluation`], the evaluation of a game, and [`AnyEvaluation`], that of any
//! game. Inference is in `network`. [`WdlModel`] turns scores into [`Chances`].

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
