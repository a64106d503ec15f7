//! `qirkat board`: a server on this machine and its page, to play, analyse and
//! look through games in the browser.
//!
//! A request goes one way: [`Server`] hands each tab's WebSocket to a session with
//! a thread of its own, which answers by the rules and the engine of this library.
//! The page (`page/`) draws and asks; it knows no rules. A game is kept in a file
//! after every move, so that it survives a reload and a new start of the server.

mod allowance;
mod assets;
mod connection;
mod event;
mod game_tree;
mod guard;
mod lines;
mod open_games;
mod play;
mod record;
mod reply;
mod request;
mod server;
mod session;
mod store;
mod verdict;

pub use server::{Server, ServerError};
