//! The errors that decide the exit status of the program, and Ctrl-C, which ends long work in
//! good order.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use anyhow::Context;
use thiserror::Error;

use super::terminal::print_message;
use qirkat_system::output_file::remove_unfinished;

pub(crate) const INTERRUPTED_STATUS: u8 = 130;
/// Exit status where standard output was closed before all of the result was there, as shells
/// have it.
pub(crate) const OUTPUT_CLOSED_STATUS: u8 = 141;

/// Work was broken off by Ctrl-C; its results so far have been shown or kept. Where there is nothing
/// to say of that, the text is empty.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct Interrupted(pub String);

/// Faults were found in games, tables or an engine, and have been told already; all that is
/// left to do is to end with another exit status.
#[derive(Clone, Copy, Debug, Error)]
#[error("faults were found")]
pub(crate) struct FaultsFound;

impl FaultsFound {
    pub fn fail_if(is_faulty: bool) -> anyhow::Result<()> {
        if is_faulty { Err(FaultsFound.into()) } else { Ok(()) }
    }
}

/// Raised by Ctrl-C.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Whether the work looks at that by itself.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// What is said where work is ended that does not.
static LAST_WORDS: Mutex<&str> = Mutex::new("interrupted");

/// Catches Ctrl-C. Work that does not look at the flag is ended at once, and leaves no half of a
/// file.
pub(crate) fn catch_interrupts() -> anyhow::Result<()> {
    let raise = || {
        INTERRUPTED.store(true, Ordering::Relaxed);
        if !IS_WATCHED.load(Ordering::Relaxed) {
            if stderr().is_terminal() {
                // There may be a bar.
                let _ = write!(stderr(), "\r\x1B[K");
            }
            print_message(LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner));
            remove_unfinished();
            std::process::exit(INTERRUPTED_STATUS.into());
        }
    };
    ctrlc::set_handler(raise).context("cannot catch Ctrl-C")
}

pub(crate) fn set_last_words(text: &'static str) {
    *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = text;
}

/// The flag that Ctrl-C raises, for work that ends soon after that, in good order.
pub(crate) fn interrupt_flag() -> Arc<AtomicBool> {
    IS_WATCHED.store(true, Ordering::Relaxed);
    Arc::clone(&INTERRUPTED)
}

/// Waits for input; Ctrl-C ends the program meanwhile, since the flag is not polled.
pub(crate) fn while_waiting<T>(wait: impl FnOnce() -> T) -> T {
    let was_watched = IS_WATCHED.swap(false, Ordering::Relaxed);
    let result = wait();
    IS_WATCHED.store(was_watched, Ordering::Relaxed);
    result
}

/// Fails if Ctrl-C was how something ended that has no other result to tell.
pub(crate) fn fail_if_interrupted() -> anyhow::Result<()> {
    if INTERRUPTED.load(Ordering::Relaxed) {
        return Err(Interrupted(String::new()).into());
    }
    Ok(())
}
