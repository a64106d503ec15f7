//! A session without a server, in a Web Worker of the page. WebAssembly has one thread, and
//! a thread that searches hears nothing. So the same module runs in several workers:
//!
//! - one has the session ([`WorkerTab`]) and answers the page at once;
//! - further ones do its jobs ([`JobRunner`]): one searches for the engine, each review has
//!   one of its own. To stop a job, its worker is ended, which always works at once and
//!   loses no more than its table.
//!
//! The messages between them are JSON ([`job`]). JavaScript (`site/alone/`) starts and ends the
//! workers and carries their messages; `exports` is what it calls.

#[cfg(target_family = "wasm")]
mod exports;
mod job;
mod job_runner;
mod page_files;
mod remote_engine;
#[cfg(test)]
mod tests;
mod worker_tab;
mod workers;

use job_runner::JobRunner;
use page_files::{ChangedFile, KeptFile};
use worker_tab::WorkerTab;

/// The worker that does the searches of the engine. Each review has the worker of its own
/// number, from 1.
const ENGINE: u32 = 0;

/// The page outside of the session's worker. Nothing is answered at once.
trait Outside: Send + Sync {
    /// Gives a job to a worker, which is made if it is not there.
    fn start(&self, worker: u32, job: &str);

    /// Ends a worker, whatever it does.
    fn end(&self, worker: u32);

    /// Fetches the certificate of Alquerque from where the page comes from.
    fn fetch_certificate(&self);

    /// Keeps a file in the browser, or without a text removes it.
    fn keep(&self, name: &str, text: Option<&str>);
}
