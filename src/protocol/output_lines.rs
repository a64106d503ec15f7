//! Lines to a program.

use std::io::{ErrorKind, Write, stderr};
use std::sync::{Arc, Mutex, PoisonError};

/// Exit status when the output takes nothing more.
const OUTPUT_LOST: i32 = 2;

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
    /// program has no purpose left and ends, quietly unless something else than
    /// a closed pipe keeps it from writing.
    pub fn line(&self, text: &str) {
        for line in text.lines() {
            log::trace!("<< {line}");
        }
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writer
            .write_all(text.as_bytes())
            .and_then(|()| writer.write_all(b"\n"))
            .and_then(|()| writer.flush());
        if let Err(error) = written {
            log::info!("the output is closed: {error}");
            if error.kind() == ErrorKind::BrokenPipe {
                std::process::exit(0);
            }
            let _ = writeln!(stderr(), "qirkat: nothing can be written: {error}");
            std::process::exit(OUTPUT_LOST);
        }
    }
}
