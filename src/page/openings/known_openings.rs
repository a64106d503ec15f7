//! The statistics that all tabs look into.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::opening_statistics::OpeningStatistics;
use crate::allowance::Share;

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
        *self.lock() = Some(Known { statistics: Arc::new(statistics), _share: share });
    }

    /// Looks into no file any more.
    pub fn forget(&self) {
        *self.lock() = None;
    }

    /// What the file holds.
    pub fn statistics(&self) -> Option<Arc<OpeningStatistics>> {
        self.lock().as_ref().map(|known| Arc::clone(&known.statistics))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
