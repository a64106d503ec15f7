//! A match that another program plays, watched: the finished games as its PGN file
//! grows, and those being played where `qirkat match -live` shows them.
//!
//! A thread follows the files and makes a [`MatchView`](crate::page::MatchView) of them,
//! which sessions tell their pages. Which file it is stands on the command line: no page can
//! name one.

mod cross_table;
mod followed_file;
mod match_watch;
mod running_games;

pub(super) use match_watch::MatchWatch;
