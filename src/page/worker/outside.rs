//! What the session's worker can have done outside of it.

/// The worker that does the searches of the engine. Each review has the worker of its own
/// number, from 1.
pub(super) const ENGINE: u32 = 0;

/// What the session's worker can have done outside of it. Nothing is answered at once.
pub(super) trait Outside: Send + Sync {
    /// Gives a job to a worker, which is made if it is not there.
    fn start(&self, worker: u32, job: &str);

    /// Ends a worker, whatever it does.
    fn end(&self, worker: u32);

    /// Keeps a file in the browser, or without a text removes it.
    fn keep(&self, name: &str, text: Option<&str>);
}
