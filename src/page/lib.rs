//! The board in the browser: what answers its page, to play, analyse and look through
//! games. The page (`page/`) draws and asks; it knows no rules.
//!
//! A request goes one way: a tab's session answers it by the rules and the engine of this
//! library. A game is kept after every move. Searches, reviews of games and tries in
//! exercises ([`review`](qirkat_analysis::review)) go on in the background, which is the
//! `Backend`'s. Two hosts run sessions:
//!
//! - `qirkat board` is a server on this machine: `Server` hands each tab's WebSocket to a
//!   session with a thread of its own, which searches on further threads and keeps its games
//!   in files. It takes the feature `board`.
//! - `worker` runs one session in a Web Worker of the page itself, without a server: it
//!   searches in further workers, and the browser keeps its games (`scripts/build-web`).

mod allowance;
#[cfg(feature = "board")]
mod assets;
mod backend;
#[cfg(feature = "board")]
mod connection;
mod event;
mod exercise;
mod game_tree;
#[cfg(feature = "board")]
mod guard;
mod lines;
#[cfg(feature = "board")]
mod listen_address;
#[cfg(feature = "board")]
mod lobby;
mod move_notes;
mod move_texts;
#[cfg(not(feature = "board"))]
mod no_watch;
mod open_games;
mod openings;
mod pgn_tree;
mod play;
mod puzzles;
mod record;
mod reply;
mod request;
mod review_job;
mod review_task;
mod reviewed;
mod search_listener;
#[cfg(feature = "board")]
mod server;
mod session;
mod shown;
mod store;
#[cfg(feature = "board")]
mod threads;
mod verdict;
#[cfg(feature = "board")]
mod watch;
mod watched_game;
#[cfg(any(test, not(feature = "board")))]
mod worker;

#[cfg(not(feature = "board"))]
use no_watch as watch;

#[cfg(feature = "board")]
pub use listen_address::{ListenAddress, ListenAddressError};
#[cfg(feature = "board")]
pub use server::{Server, ServerError, ServerOptions};
