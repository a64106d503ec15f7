//! A game of a match that is watched, as the page asks for it.

use serde::Deserialize;

/// A game of the match, as the page asks for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum WatchedGame {
    /// The finished one at this place in the file, from 1.
    Finished(u64),
    /// The running one of this number.
    Running(usize),
}
