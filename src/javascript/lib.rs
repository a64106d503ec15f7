//! What the package for JavaScript (`package/`) calls, compiled to WebAssembly: boards, games in
//! PGN, tables and searches, as values that become JSON. No rules and no search are here, only
//! what converts between the crates and the texts.
//!
//! Begin with [`board`], the game in progress behind a `Board` of JavaScript; [`pgn`] has the
//! records of games, [`search`] what the worker of an `Engine` does. `calls` are the functions
//! that JavaScript calls by their names. `scripts/build-npm` makes the package.

pub mod board;
#[cfg(target_family = "wasm")]
mod calls;
pub mod pgn;
pub mod search;
