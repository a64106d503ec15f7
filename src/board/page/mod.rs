//! The board in the browser: what answers its page, to play, analyse and look through
//! games. The page (`site/`) draws and asks; it knows no rules.
//!
//! A request goes one way: `protocol` says what the page may ask for, a tab's [`Session`]
//! answers it by the rules and the engine, and tells the page what comes of it. The game that
//! is open is a tree of moves with the play (`record`), and is kept after every
//! move in a [`Store`].
//!
//! Nothing here knows a server, a socket, a folder or a thread that searches. Whoever runs
//! sessions gives them what differs ([`Shared`]): a [`Backend`], which searches and reviews
//! in the background, files for games ([`KeptFiles`]) and perhaps a match to watch
//! ([`WatchedMatch`]). There are two hosts:
//!
//! - [`server`](crate::server) hands each tab's WebSocket to a session with a thread of its own, which
//!   searches on further threads and keeps its games in a folder;
//! - `worker` runs one session in a Web Worker of the page itself, without a server: it
//!   searches in further workers, and the browser keeps its games (`scripts/build-web`). It
//!   is there in WebAssembly only.

mod backend;
mod endings;
mod exercise;
mod game_tree;
mod openings;
mod pgn_tree;
mod protocol;
mod record;
mod review;
mod session;
mod shared;
mod shown;
mod site;
mod store;
mod training;
mod watched_match;
#[cfg(any(test, target_family = "wasm"))]
mod worker;

pub use backend::{Backend, BackgroundEngine, Event, SearchReporter};
pub use review::{ReviewNews, ReviewTask};
pub use session::{Replies, Session};
pub use shared::Shared;
pub use shown::side_word;
pub use site::{SiteFile, site_file};
pub use store::{KeptFiles, Store, Trouble};
pub use watched_match::{
    FinishedGame, MatchView, RunningGame, TableRow, WatchedGame, WatchedMatch,
};
