//! Opening statistics: what was played in a file of games, position by position.
//!
//! The file comes from the page in pieces and may be as large as it likes: its games
//! are counted one after the other on a thread of their own ([`OpeningLoader`]), and
//! what is kept of them is bounded ([`OpeningStatistics`]). All tabs look into the file
//! that was read last ([`KnownOpenings`]).

mod opening_loader;
mod opening_statistics;

use std::sync::Arc;

use parking_lot::Mutex;

use crate::page::allowance::Share;
pub use opening_loader::LoadProgress;
pub(super) use opening_loader::OpeningLoader;
pub(super) use opening_statistics::MoveStatistics;
pub use opening_statistics::OpeningStatistics;

/// The file that was read last, if one was.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownOpenings(Arc<Mutex<Option<Known>>>);

#[derive(Debug)]
struct Known {
    statistics: Arc<OpeningStatistics>,
    /// The memory that they take.
    _share: Share,
}

impl KnownOpenings {
    /// Looks into this file from now on.
    pub fn replace(&self, statistics: OpeningStatistics, share: Share) {
        *self.0.lock() = Some(Known { statistics: Arc::new(statistics), _share: share });
    }

    /// Looks into no file any more.
    pub fn forget(&self) {
        *self.0.lock() = None;
    }

    pub fn statistics(&self) -> Option<Arc<OpeningStatistics>> {
        self.0.lock().as_ref().map(|known| Arc::clone(&known.statistics))
    }
}
