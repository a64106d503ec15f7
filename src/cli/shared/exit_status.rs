//! The errors that determine the exit status, and Ctrl-C, which ends long work cleanly.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use thiserror::Error;

use super::terminal::print_message;
use qirkat_system::output_file::remove_unfinished;

pub(crate) const INTERRUPTED_STATUS: u8 = 130;
/// Exit status if standard output was closed early, as in shells.
pub(crate) const OUTPUT_CLOSED_STATUS: u8 = 141;

/// Interrupted by Ctrl-C; results so far were shown or saved. The text may be empty.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct Interrupted(pub String);

/// Faults in games, tables or an engine were found and already reported; only the exit status is
/// left.
#[derive(Clone, Copy, Debug, Error)]
#[error("faults were found")]
pub(crate) struct FaultsFound;

impl FaultsFound {
    pub fn fail_if(is_faulty: bool) -> anyhow::Result<()> {
        if is_faulty { Err(FaultsFound.into()) } else { Ok(()) }
    }
}

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Whether the current work polls that flag.
static POLLS_INTERRUPT: AtomicBool = AtomicBool::new(false);

/// The message printed when work that does not poll the flag is interrupted.
static INTERRUPT_MESSAGE: Mutex<&str> = Mutex::new("interrupted");

/// Catches Ctrl-C. Work that does not poll the flag is ended at once, leaving no partial files.
pub(crate) fn catch_interrupts() -> anyhow::Result<()> {
    let raise = || {
        INTERRUPTED.store(true, Ordering::Relaxed);
        if !POLLS_INTERRUPT.load(Ordering::Relaxed) {
            if stderr().is_terminal() {
                // A progress bar may be on the line.
                let _ = write!(stderr(), "\r\x1B[K");
            }
            print_message(INTERRUPT_MESSAGE.lock().unwrap_or_else(PoisonError::into_inner));
            remove_unfinished();
            std::process::exit(INTERRUPTED_STATUS.into());
        }
    };
    ctrlc::set_handler(raise).context("cannot catch Ctrl-C")
}

pub(crate) fn set_interrupt_message(text: &'static str) {
    *INTERRUPT_MESSAGE.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

/// The flag set by Ctrl-C, for work that then ends cleanly.
pub(crate) fn interrupt_flag() -> Arc<AtomicBool> {
    POLLS_INTERRUPT.store(true, Ordering::Relaxed);
    Arc::clone(&INTERRUPTED)
}

/// Whether to stop work: after this time, or on Ctrl-C.
pub(crate) fn stop_condition(
    interrupted: &AtomicBool,
    time: Option<Duration>,
) -> impl Fn() -> bool + Sync {
    // A deadline beyond the clock's range means none.
    let deadline = time.and_then(|time| Instant::now().checked_add(time));
    move || {
        interrupted.load(Ordering::Relaxed)
            || deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Waits for input; meanwhile Ctrl-C ends the program, since the flag is not polled.
pub(crate) fn while_waiting<T>(wait: impl FnOnce() -> T) -> T {
    let polled = POLLS_INTERRUPT.swap(false, Ordering::Relaxed);
    let result = wait();
    POLLS_INTERRUPT.store(polled, Ordering::Relaxed);
    result
}

/// Fails if Ctrl-C ended work that has no result to report.
pub(crate) fn fail_if_interrupted() -> anyhow::Result<()> {
    if INTERRUPTED.load(Ordering::Relaxed) {
        return Err(Interrupted(String::new()).into());
    }
    Ok(())
}
