//! The board in the browser: it answers the requests of the page, to play, analyse and browse
//! games. The page (`site/`) only draws and asks; it knows no rules.
//!
//! `protocol` defines what the page may ask, and a tab's [`Session`] answers with the rules and the
//! engine. The open game is a tree of moves with its play (`record`), saved after every move in a
//! [`Store`].
//!
//! Nothing here depends on a server, a socket, a folder or a search thread. The host provides these
//! ([`Shared`]): a [`Backend`], which searches and reviews in the background, files for games
//! ([`KeptFiles`]), and perhaps a match to watch ([`WatchedMatch`]) and links for friends
//! ([`LinkMaker`]). There are two hosts:
//!
//! - [`server`](crate::server) runs each tab's session on a thread of its own, searches on more
//!   threads and keeps games in a folder;
//! - `worker` (WebAssembly only) runs one session in a Web Worker of the page, without a server: it
//!   searches in more workers, and the browser keeps its games (`scripts/build-web`).

mod backend;
mod endings;
mod exercise;
mod friends;
mod game_tree;
mod openings;
mod pgn_tree;
mod protocol;
mod record;
mod rule;
mod session;
mod shown;
#[cfg(feature = "server")]
mod site;
mod store;
#[cfg(test)]
pub(crate) mod tests;
mod training;
#[cfg(any(test, target_family = "wasm"))]
mod worker;

pub use backend::{
    Backend, BackgroundEngine, Event, OnDemandFile, ReviewEvent, ReviewTask, SearchReporter,
};
pub use friends::LinkMaker;
pub use protocol::{QrCode, Replies};
pub use session::{Session, Shared};
pub use shown::{
    FinishedGame, MatchView, RunningGame, TableRow, WatchedGame, WatchedMatch, placement_of,
    side_word,
};
#[cfg(feature = "server")]
pub use site::{SiteFile, site_file};
pub use store::{KeptFiles, SaveFailure, Store};
