//! Texts put together piece by piece.

use std::fmt::{Arguments, Write};

/// Adds a piece to a text.
pub(crate) fn push(text: &mut String, piece: Arguments<'_>) {
    if text.write_fmt(piece).is_err() {
        log::error!("a text could not be put together");
    }
}
