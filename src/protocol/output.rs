//! Lines to a program.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Where lines go, shared by the threads that write them. Each text is
/// written and flushed as one piece.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<Box<dyn Write + Send>>>);

impl Output {
    /// Lines to standard output.
    pub fn stdout() -> Output {
        Output(Arc::new(Mutex::new(Box::new(std::io::stdout()))))
    }

    /// Writes one or more whole lines. When nobody reads them any more the
    /// program has no purpose left and ends quietly.
    pub fn line(&self, text: &str) {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writer
            .write_all(text.as_bytes())
            .and_then(|()| writer.write_all(b"\n"))
            .and_then(|()| writer.flush());
        if let Err(error) = written {
            log::debug!("output is closed: {error}");
            std::process::exit(0);
        }
    }
}
