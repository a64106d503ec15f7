//! A transcript of the communication with an engine.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;

use crate::uci_client::Listener;

/// The source of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Speaker {
    Examiner,
    Engine,
    /// The engine's standard error.
    EngineError,
}

/// Writes every line, with the time since the start and the name of the check.
pub struct Transcript {
    output: Box<dyn Write + Send>,
    start: Instant,
    check: &'static str,
    lines: usize,
    is_broken: bool,
}

/// Lines written of one check, so that an engine that floods its output does
/// not fill the disk.
const MOST_LINES: usize = 20_000;

impl Transcript {
    /// A transcript that is written to `out`.
    pub fn new(output: Box<dyn Write + Send>) -> Transcript {
        Transcript { output, start: Instant::now(), check: "", lines: 0, is_broken: false }
    }

    pub(super) fn begin(&mut self, check: &'static str) {
        (self.check, self.lines) = (check, 0);
    }

    pub(super) fn note(&mut self, at: Instant, speaker: Speaker, text: &str) {
        self.lines += 1;
        if self.lines > MOST_LINES || self.is_broken {
            return;
        }
        let mark = match speaker {
            Speaker::Examiner => '>',
            Speaker::Engine => '<',
            Speaker::EngineError => '!',
        };
        let text = if self.lines == MOST_LINES { "(what follows is left out)" } else { text };
        let seconds = at.saturating_duration_since(self.start).as_secs_f64();
        let check = self.check;
        if let Err(error) = writeln!(self.output, "{seconds:9.3} {check:<18} {mark} {text}") {
            log::error!("the transcript cannot be written: {error}");
            self.is_broken = true;
        }
    }

    /// Flushes what was written.
    ///
    /// # Errors
    /// When some of it could not be written.
    pub fn finish(mut self) -> std::io::Result<()> {
        self.output.flush()?;
        if self.is_broken { Err(std::io::Error::other("not all could be written")) } else { Ok(()) }
    }
}

/// The transcript of an examination, if there is to be one. The threads that read the engine's
/// output write to it too.
pub(super) type SharedTranscript = Arc<Mutex<Option<Transcript>>>;

/// Writes down what goes to and from an engine.
pub(super) struct TranscriptListener(pub SharedTranscript);

impl TranscriptListener {
    pub fn note(&self, at: Instant, speaker: Speaker, text: &str) {
        if let Some(transcript) = self.0.lock().as_mut() {
            transcript.note(at, speaker, text);
        }
    }
}

impl Listener for TranscriptListener {
    fn on_sent(&self, text: &str) {
        self.note(Instant::now(), Speaker::Examiner, text);
    }

    fn on_line(&self, text: &str, arrived: Instant) -> bool {
        self.note(arrived, Speaker::Engine, text);
        true
    }

    fn on_error(&self, text: &str, arrived: Instant) {
        self.note(arrived, Speaker::EngineError, text);
    }
}
