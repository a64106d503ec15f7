//! The session of a page without a server.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use super::Outside;
use super::page_files::{ChangedFile, KeptFile, PageFiles};
use super::workers::Workers;
use crate::page::event::Event;
use crate::page::session::{Replies, Session, Shared};
use crate::page::store::Store;
use qirkat_system::host::Instant;

/// The session of a page, and the workers that search for it. Whatever is called, the
/// session is asked what is due afterwards ([`poll`](WorkerTab::poll)).
pub(super) struct WorkerTab {
    session: Session,
    workers: Arc<Workers>,
    files: Arc<PageFiles>,
}

/// The only tab: each page has a worker of its own.
const NUMBER: u64 = 0;

impl WorkerTab {
    /// A session with the games that were kept, which greets the page.
    pub fn open(kept: Vec<KeptFile>, outside: Arc<dyn Outside>, replies: Replies) -> WorkerTab {
        let workers = Arc::new(Workers::new(Arc::clone(&outside)));
        let files = Arc::new(PageFiles::new(kept, outside));
        let store = Store::new(Arc::clone(&files) as Arc<_>);
        let shared = Shared::new(store, Arc::clone(&workers) as Arc<_>, None);
        let mut session = Session::new(shared, NUMBER, channel(), replies);
        session.greet();
        WorkerTab { session, workers, files }
    }

    /// The page asks for something.
    pub fn receive_from_page(&mut self, request: String) {
        if !self.session.is_over() {
            self.session.handle(Event::Request(request, Box::new(())));
        }
    }

    /// Another tab has kept a file, or removed it.
    pub fn receive_file(&self, file: ChangedFile) {
        self.files.change(file);
    }

    pub fn receive_from_worker(&self, report: &str) {
        if let Err(error) = self.workers.hear(report) {
            log::error!("a report was not understood: {error}");
        }
    }

    /// The certificate has come, or nothing where it could not be had. Says whether it holds, so
    /// that the workers need not check it once more.
    pub fn receive_certificate(&mut self, bytes: Vec<u8>) -> bool {
        self.workers.take_certificate(bytes);
        self.session.handle_waiting();
        self.session.has_certificate()
    }

    pub fn break_down(&self, worker: u32) {
        self.workers.break_down(worker);
    }

    /// Does what is due, and tells after how long it has to be called again though nothing
    /// happens.
    pub fn poll(&mut self) -> Option<Duration> {
        self.session.handle_waiting();
        let next = self.session.poll()?;
        Some(next.saturating_duration_since(Instant::now()))
    }
}
