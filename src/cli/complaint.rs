//! Complaints on standard error.

use std::fmt::Display;
use std::io::{Write, stderr};

/// Says what is wrong, if anybody can be told.
pub(super) fn complain(text: impl Display) {
    if let Err(error) = writeln!(stderr(), "qirkat: {text}") {
        log::error!("a complaint could not be written: {error}");
    }
}
