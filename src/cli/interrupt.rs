//! Ctrl-C, which ends long work in good order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use thiserror::Error;

/// Work was broken off by Ctrl-C; what there was of it has been shown or kept.
#[derive(Debug, Error)]
#[error("{0}")]
pub(super) struct Interrupted(pub String);

/// A flag that Ctrl-C raises.
///
/// # Errors
/// When the system does not let it be caught.
pub(super) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&interrupted);
    ctrlc::set_handler(move || raised.store(true, Ordering::Relaxed))
        .context("cannot catch Ctrl-C")?;
    Ok(interrupted)
}
