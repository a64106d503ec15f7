//! Work in the background.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use qirkat_search::SEARCH_STACK_BYTES;

/// Work on its own thread, whose stack is large enough for a search. Dropping it cancels it.
pub struct Background<T> {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<T>>,
}

impl<T: Send + 'static> Background<T> {
    /// Starts work that ends soon after its flag is set.
    ///
    /// # Errors
    /// If the system refuses a thread.
    pub fn start(
        name: &str,
        work: impl FnOnce(Arc<AtomicBool>) -> T + Send + 'static,
    ) -> io::Result<Background<T>> {
        let stop = Arc::new(AtomicBool::new(false));
        let for_thread = Arc::clone(&stop);
        let builder = thread::Builder::new().name(name.to_owned()).stack_size(SEARCH_STACK_BYTES);
        let thread = builder.spawn(move || work(for_thread))?;
        Ok(Background { stop, thread: Some(thread) })
    }

    /// The result, once, when the work has ended; an error if it has panicked.
    pub fn result(&mut self) -> Option<thread::Result<T>> {
        Some(self.thread.take_if(|thread| thread.is_finished())?.join())
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let name = thread.thread().name().unwrap_or_default().to_owned();
            if thread.join().is_err() {
                log::error!("the thread of a {name} has panicked");
            }
        }
    }
}
