//! The library from outside: rules, texts, evaluation and search, compared with slow
//! code of the tests' own.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../shared/effort.rs"]
mod effort;
#[path = "../shared/reference.rs"]
#[allow(dead_code, reason = "shared by several test programs")]
mod reference;
#[path = "../shared/texts_like.rs"]
mod texts_like;
mod walks;

mod alquerque;
mod dead_material;
mod evaluation;
mod fen;
mod masonic;
mod move_generation;
mod problem;
mod properties;
mod review;
mod san;
mod seam;
mod tables;
mod tactics;
