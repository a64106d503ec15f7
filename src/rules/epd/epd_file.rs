//! Reads EPD: positions with operations.

use std::io::BufRead;

use thiserror::Error;

use crate::variant::{AnyFenError, AnyPosition, Variant};
use qirkat_game::text::{BYTE_ORDER_MARK, lines_of};

use super::operations::{Operation, OperationError};

/// Fields of a position in EPD, and clocks that may follow.
const FIELDS: usize = 4;
const CLOCKS: usize = 2;

/// A line of an EPD file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdRecord {
    /// Its number, from 1.
    pub line: usize,
    /// The position.
    pub position: AnyPosition,
    /// The operations, not parsed yet: a caller that needs only positions does not depend
    /// on their validity.
    text: String,
}

/// Why an EPD file cannot be read.
#[derive(Debug, Error)]
pub enum EpdError {
    /// It cannot be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// The cause.
        error: std::io::Error,
    },
    /// A line is not a position.
    #[error("{path}, line {line}: {error}")]
    Fen {
        /// The file.
        path: String,
        /// Counted from 1.
        line: usize,
        /// The fault.
        error: AnyFenError,
    },
}

impl EpdRecord {
    /// The operations of the position.
    ///
    /// # Errors
    /// When they are malformed.
    pub fn operations(&self) -> Result<Vec<Operation>, OperationError> {
        Operation::read_all(&self.text)
    }
}

/// Reads a whole file with positions of one game; `path` is its name in errors. Empty lines
/// and those that begin with `#` are skipped, and so is a byte-order mark.
///
/// # Errors
/// When it cannot be read, or a line is not a position.
pub fn read_epd(
    input: impl BufRead,
    path: &str,
    variant: Variant,
) -> Result<Vec<EpdRecord>, EpdError> {
    let mut records = Vec::new();
    for (line, text) in (1..).zip(lines_of(input)) {
        let text = text.map_err(|error| EpdError::File { path: path.to_owned(), error })?;
        let text = String::from_utf8_lossy(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text));
        if text.trim_start().is_empty() || text.trim_start().starts_with('#') {
            continue;
        }
        let (fen, rest) = split(&text);
        let parsed = variant.read_fen(fen).map_err(|error| EpdError::Fen {
            path: path.to_owned(),
            line,
            error,
        })?;
        records.push(EpdRecord { line, position: parsed.position, text: rest.to_owned() });
    }
    Ok(records)
}

/// The position and the operations.
fn split(text: &str) -> (&str, &str) {
    let mut rest = text;
    for field in 0..FIELDS + CLOCKS {
        let start = rest.trim_start();
        let end = start.find(|letter: char| letter.is_ascii_whitespace()).unwrap_or(start.len());
        let is_number = start[..end].bytes().all(|byte| byte.is_ascii_digit());
        if end == 0 || field >= FIELDS && !is_number {
            break;
        }
        rest = &start[end..];
    }
    text.split_at(text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_told_from_operations() {
        let text = "# a book\n\n4k4/9/9/9/9/9/9/9/R3K4 w Q - id \"x\";\r\n\
                    4k4/9/9/9/9/9/9/9/R3K4 b - - 3 40\n  4k4/9/9/9/9/9/9/9/R3K4  w - - 7\n\
                    4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1 bm a1a9; dm 2;";
        let records = read_epd(text.as_bytes(), "book", Variant::Chesquerque).expect("a good file");
        let found: Vec<(usize, String, usize)> = records
            .iter()
            .map(|record| {
                let operations = record.operations().expect("good operations");
                (record.line, record.position.fen(), operations.len())
            })
            .collect();
        let expected = [
            (3, "4k4/9/9/9/9/9/9/9/R3K4 w Q - 0 1", 1),
            (4, "4k4/9/9/9/9/9/9/9/R3K4 b - - 3 40", 0),
            (5, "4k4/9/9/9/9/9/9/9/R3K4 w - - 7 1", 0),
            (6, "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1", 2),
        ];
        assert_eq!(found, expected.map(|(line, fen, count)| (line, fen.to_owned(), count)));
    }

    #[test]
    fn marks_of_encodings_are_known() {
        let fen = "4k4/9/9/9/9/9/9/9/R3K4 w Q -";
        let marked = format!("\u{feff}{fen} id \"x\";\n{fen}\n");
        let read = |bytes: &[u8]| read_epd(bytes, "book", Variant::Chesquerque);
        assert_eq!(read(marked.as_bytes()).expect("a good file").len(), 2);
        let wide: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let error = read(&wide).expect_err("another encoding");
        assert_eq!(error.to_string(), "book: the text is UTF-16; save it as UTF-8");
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = read_epd("\nnonsense w - -\n".as_bytes(), "book", Variant::Chesquerque)
            .expect_err("a bad file");
        assert_eq!(error.to_string(), "book, line 2: board: 1 rank instead of 9");
    }
}
