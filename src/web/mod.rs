//! `qirkat board`: a server on this machine and its page, to play, analyse and
//! look through games in the browser.
//!
//! A request goes one way: [`Server`] hands each tab's WebSocket to a session with
//! a thread of its own, which answers by the rules and the engine of this library.
//! The page (`page/`) draws and asks; it knows no rules. A game is kept in a file
//! after every move, so that it survives a reload and a new start of the server.
//! Reviews of games and tries in exercises are judged by [`review`](crate::review), on
//! threads of their own.

mod allowance;
mod assets;
mod connection;
mod event;
mod exercise;
mod game_tree;
mod guard;
mod lines;
mod listen_address;
mod open_games;
mod openings;
mod pgn_tree;
mod play;
mod puzzles;
mod record;
mod reply;
mod request;
mod review_job;
mod server;
mod session;
mod shown;
mod store;
mod verdict;
mod watch;

pub use listen_address::{ListenAddress, ListenAddressError};
pub use server::{Server, ServerError, ServerOptions};
