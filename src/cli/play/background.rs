//! Work in the background that can be broken off.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use anyhow::anyhow;

use qirkat_search::SEARCH_STACK_BYTES;

/// Work under way on a thread of its own. Dropping it breaks it off.
pub(super) struct Background<T> {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<anyhow::Result<T>>>,
}

impl<T: Send + 'static> Background<T> {
    /// Begins work that ends soon after the flag it is given has been raised.
    ///
    /// # Errors
    /// When there is no thread for it.
    pub fn start(
        name: &str,
        work: impl FnOnce(Arc<AtomicBool>) -> anyhow::Result<T> + Send + 'static,
    ) -> anyhow::Result<Background<T>> {
        let stop = Arc::new(AtomicBool::new(false));
        let for_thread = Arc::clone(&stop);
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .stack_size(SEARCH_STACK_BYTES)
            .spawn(move || work(for_thread))?;
        Ok(Background { stop, thread: Some(thread) })
    }

    /// Its result, once it is done.
    pub fn result(&mut self) -> Option<anyhow::Result<T>> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        Some(thread.join().unwrap_or_else(|_| Err(anyhow!("the search has failed"))))
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the search has failed");
        }
    }
}
