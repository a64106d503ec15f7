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

mod accuracy;
mod advice;
mod analyst;
mod annotations;
mod board;
mod claims;
mod effect;
mod engine_analyst;
mod game_review;
mod mark;
mod material;
mod phase;
mod reason;
mod refutation;
mod review_data;
mod walk;

pub use accuracy::{Accuracy, PlayerAccuracy};
pub use advice::{Advice, advise};
pub use analyst::Analyst;
pub use annotations::{ANNOTATOR, AnnotationStyle, annotate};
pub(crate) use board::is_plain;
pub(crate) use effect::Line;
pub use engine_analyst::{AnalystBudget, EngineAnalyst};
pub use game_review::{GameReview, MoveReview, RatedLine};
pub use mark::Mark;
pub use phase::Phase;
pub use refutation::{Refutation, line_of, refute};
pub use review_data::ReviewData;
pub use walk::review_game;
