//! The board's server on this machine (`qirkat board`): it serves the page, and hands each
//! tab's WebSocket to a session of [`page`](crate::page), which has a thread of its own, searches
//! on further threads and keeps its games in the files of a folder.
//!
//! It knows neither rules nor requests: it carries texts between pages and sessions, and
//! gives sessions what a machine has, threads, files and a match that can be watched. What
//! must not get in is kept out here: strangers who know no token, pages of other hosts,
//! floods of connections and messages.
//!
//! Begin with [`Server`]; `connection` is the way of a message, `guard` says who may send one.

mod connection;
mod folder;
mod guard;
mod listen_address;
mod lobby;
mod serve;
mod threads;
mod watch;

pub use listen_address::{ListenAddress, ListenAddressError};
pub use serve::{Server, ServerError, ServerOptions};
