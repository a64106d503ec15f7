//! What lies in memory once it has been asked for.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use crate::error::TableError;

/// Made when it is first asked for, and forgotten when there is no more room.
pub struct Kept<T>(RwLock<Option<Arc<T>>>);

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept(RwLock::new(None))
    }
}

impl<T> Kept<T> {
    /// What lies here, or is made and laid here. The `bytes` of what is made are added up.
    pub fn get(
        &self,
        unpacked: &AtomicUsize,
        bytes: impl FnOnce(&T) -> usize,
        make: impl FnOnce() -> Result<T, TableError>,
    ) -> Result<Arc<T>, TableError> {
        if let Some(found) = &*self.0.read().unwrap_or_else(PoisonError::into_inner) {
            return Ok(Arc::clone(found));
        }
        let made = Arc::new(make()?);
        unpacked.fetch_add(bytes(&made), Ordering::Relaxed);
        let mut place = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(place.get_or_insert(made)))
    }

    /// Nothing lies here any more.
    pub fn forget(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
