//! The WebAssembly side of the JavaScript package (`package/`): boards, games in PGN, tables, books
//! and searches, converted to JSON. It only converts between the crates and text, without rules or
//! search of its own. Begin with [`board`], the game behind JavaScript's `Board`; [`pgn`] has game
//! records, [`search`] the worker of an `Engine`, and `calls` the functions that JavaScript calls
//! by name. `scripts/build-npm` builds the package.

pub mod board;
pub mod book;
#[cfg(target_family = "wasm")]
mod calls;
pub mod pgn;
pub mod search;
