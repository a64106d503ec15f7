//! Loads opening books by name, as given by an option: the embedded one or a file. [`Book`]
//! itself does not read files.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use thiserror::Error;

use crate::book::{Book, BookError};
use qirkat_evaluation::load_network::{EMBEDDED, MAX_SHOWN, read_file};
use qirkat_game::text::one_line;
use qirkat_rules::variant::Variant;

/// The largest file that is read, far larger than any book.
const MAX_BYTES: usize = 1 << 30;

#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadBookError {
    #[error("{0}: {1}")]
    Io(String, io::Error),
    #[error("{0}: {1}")]
    Book(String, BookError),
    #[error("{0}: a book of {found}, not of {wanted}", found = .1.title(), wanted = .2.title())]
    Game(String, Variant, Variant),
    #[error("this program carries no opening book for {}", .0.title())]
    NoneEmbedded(Variant),
}

/// The opening book of this name: the embedded one of the game, or a file.
///
/// # Errors
/// When there is no such file, or no book of this game in it.
pub fn load_book(variant: Variant, name: &str) -> Result<Cow<'static, Book>, LoadBookError> {
    if ["", EMBEDDED].contains(&name) {
        let book = Book::embedded(variant).ok_or(LoadBookError::NoneEmbedded(variant))?;
        return Ok(Cow::Borrowed(book));
    }
    let shown = || one_line(name, MAX_SHOWN);
    let bytes =
        read_file(Path::new(name), MAX_BYTES).map_err(|error| LoadBookError::Io(shown(), error))?;
    let book = Book::read(&bytes).map_err(|error| LoadBookError::Book(shown(), error))?;
    if book.variant() != variant {
        return Err(LoadBookError::Game(shown(), book.variant(), variant));
    }
    Ok(Cow::Owned(book))
}
