//! Game review: what each move of a game was worth, and why.
//!
//! [`review_game`] makes a [`GameReview`]. It asks an [`EngineAnalyst`] for the best *other* move
//! in each position, from the last move back to the first, and backs the scores up along the game.
//! So each move is judged by all that follows it, and no score contradicts the next.
//!
//! Losses are in expected points (1 for a win, a half for a draw) by the game's win-draw-loss model
//! ([`WdlModel`](qirkat_evaluation::WdlModel)), since a pawn decides more here than in orthodox
//! chess. Words such as "wins a knight" are read off the board along the line shown, never guessed
//! from a score, and only if two deeper searches of that line agree. Endgame tables are certain.
//!
//! It needs no thread and no file: the caller provides the engine, limited by time, nodes or depth.

mod analyst;
mod annotations;
mod board_facts;
mod claims;
mod effect;
mod game_review;
mod questions;
mod reason;
mod review_data;

pub use self::analyst::{AnalystBudget, EngineAnalyst};
pub use self::annotations::{ANNOTATOR, AnnotationStyle, annotate, eval_command};
pub use self::board_facts::Material;
pub(crate) use self::board_facts::is_obvious;
pub(crate) use self::effect::Line;
pub(crate) use self::game_review::DECIDED;
pub use self::game_review::{
    Accuracy, GameReview, LeftBook, Mark, MoveReview, Phase, PlayerAccuracy, RatedLine,
};
pub use self::questions::{Advice, Refutation, advise, line_of, refute, review_game};
pub use self::review_data::{MovesData, ReviewData, ScoreData};
