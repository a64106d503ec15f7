//! The errors that decide the exit status of the program, and Ctrl-C, which ends long work in
//! good order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use thiserror::Error;

/// Work was broken off by Ctrl-C; its results so far have been shown or kept.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct Interrupted(pub String);

/// Faults were found in games, tables or an engine, and have been told already; all that is
/// left to do is to end with another exit status.
#[derive(Clone, Copy, Debug, Error)]
#[error("faults were found")]
pub(super) struct FaultsFound;

impl FaultsFound {
    /// Fails if there is such a fault.
    pub fn fail_if(is_faulty: bool) -> anyhow::Result<()> {
        if is_faulty { Err(FaultsFound.into()) } else { Ok(()) }
    }
}

/// A flag that Ctrl-C raises.
pub(super) fn interrupt_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&interrupted);
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed))
        .context("cannot catch Ctrl-C")?;
    Ok(interrupted)
}
