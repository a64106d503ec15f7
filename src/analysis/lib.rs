//! The engine as a teacher and an opponent of people: [`review`] tells what each move of a
//! game was worth and why, [`suite`] how many positions with known best moves the search
//! solves, [`puzzles`] finds such positions and has thousands of them, [`casual`] is a game against a person.
//!
//! It knows no protocol, no terminal and no page: what it finds are values and sentences,
//! which `qirkat annotate`, `qirkat play` and the board in the browser show in their ways. It
//! starts no thread either; who wants a review in the background runs it there.
//!
//! Begin with [`review::review_game`], the way through a game from its last move back to its
//! first. The engine answers its questions as [`review::EngineAnalyst`]; `review::claims`
//! says what may be claimed of a line, `review::reason` puts it into words, and
//! [`review::annotate`] writes all down in PGN.

pub mod casual;
pub mod puzzles;
pub mod review;
pub mod suite;
