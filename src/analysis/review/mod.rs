//! Game review: what each move of a game was worth, and why.
//!
//! A [`GameReview`] comes from [`review_game`], which asks an [`Analyst`] for the best
//! *other* move at each point of the game, from the last move back to the first, and
//! backs the scores up along the game. So every move that was played is judged by all
//! that comes after it, and a score never contradicts the one of the next move.
//!
//! Losses are counted in expected points (1 for a win, a half for a draw) by the
//! win-draw-loss model of the game ([`WdlModel`](qirkat_evaluation::WdlModel)), since a
//! pawn decides more here than in orthodox chess. Words such as "wins a knight" are read
//! off the board at the end of the line that is shown, never guessed from a score, and only
//! if a second, deeper search of that line agrees. What endgame tables know is certain.
//!
//! Nothing of this needs a thread, a clock or a file: the caller brings the analyst. Where
//! there is a system, `EngineAnalyst` is one: the engine, bounded by
//! time, nodes or depth.

mod analyst;
mod annotations;
mod board_facts;
mod claims;
mod effect;
mod game_review;
mod reason;
mod review_data;
mod walk;

pub use self::analyst::{Analyst, AnalystBudget, EngineAnalyst};
pub use self::annotations::{ANNOTATOR, AnnotationStyle, annotate};
pub(crate) use self::board_facts::is_plain;
pub(crate) use self::effect::Line;
pub use self::game_review::{
    Accuracy, GameReview, Mark, MoveReview, Phase, PlayerAccuracy, RatedLine,
};
pub use self::review_data::{ReviewData, ScoreData};
pub use self::walk::{Advice, Refutation, advise, line_of, refute, review_game};
