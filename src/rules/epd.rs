//! Extended Position Description (EPD): one position per line, each followed by operations, as in
//! `4k4/9/9/9/9/9/9/9/R3K4 w Q - bm a1a9; id "first";`
//!
//! The format is that of S. Edwards' PGN standard (1994), with the FEN of the variant. The two FEN
//! clocks may precede the operations.
//!
//! ```
//! use qirkat_rules::epd::read_epd;
//! use qirkat_rules::variant::Variant;
//!
//! let text = "4k4/9/9/9/9/9/9/9/R3K4 w Q - bm a1a9; id \"first\";";
//! for record in read_epd(text.as_bytes(), "my positions", Variant::Chesquerque)? {
//!     let operations = record.operations()?;
//!     assert_eq!(operations[0].opcode, "bm");
//!     assert!(record.position.read_move(&operations[0].operands[0]).is_ok());
//!     assert_eq!(operations[1].operands, ["first"]);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::io::BufRead;

use qirkat_game::text::{BYTE_ORDER_MARK, Excerpt, lines_of};
use thiserror::Error;

use crate::fen::FenError;
use crate::variant::{AnyPosition, Variant};

/// The fields of a position, and the clocks after them.
const REQUIRED_FIELDS: usize = 4;
const OPTIONAL_CLOCKS: usize = 2;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdRecord {
    /// The line number, from 1.
    pub line: usize,
    pub position: AnyPosition,
    /// The operations, unparsed: callers that need only positions do not depend on their validity.
    text: String,
}

#[derive(Debug, Error)]
pub enum EpdError {
    #[error("{path}: {error}")]
    File { path: String, error: std::io::Error },
    #[error("{path}, line {line}: {error}")]
    Fen { path: String, line: usize, error: FenError },
}

impl EpdRecord {
    /// The operations of the position.
    pub fn operations(&self) -> Result<Vec<Operation>, OperationError> {
        Operation::read_all(&self.text)
    }
}

/// Reads all positions of a file, all of one game; `path` is used in errors. Empty lines and those
/// that start with `#` are skipped, and so is a byte order mark.
///
/// # Errors
/// When the file cannot be read, or a line is not a valid position.
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
        let (fen, rest) = split_operations(&text);
        let parsed = variant.read_fen(fen).map_err(|error| EpdError::Fen {
            path: path.to_owned(),
            line,
            error,
        })?;
        records.push(EpdRecord { line, position: parsed.position, text: rest.to_owned() });
    }
    Ok(records)
}

fn split_operations(text: &str) -> (&str, &str) {
    let mut rest = text;
    for field in 0..REQUIRED_FIELDS + OPTIONAL_CLOCKS {
        let start = rest.trim_start();
        let end = start.find(|letter: char| letter.is_ascii_whitespace()).unwrap_or(start.len());
        let is_number = start[..end].bytes().all(|byte| byte.is_ascii_digit());
        if end == 0 || field >= REQUIRED_FIELDS && !is_number {
            break;
        }
        rest = &start[end..];
    }
    text.split_at(text.len() - rest.len())
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// Its name, such as `bm` for the best moves.
    pub opcode: String,
    /// Words, and strings without their quotation marks.
    pub operands: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OperationError {
    #[error("no closing quotation mark after `{0}`")]
    OpenText(Excerpt),
    #[error("expected the name of an operation, not `{0}`")]
    NoOpcode(Excerpt),
}

impl Operation {
    /// Reads the operations of a line. The last semicolon may be missing.
    pub fn read_all(text: &str) -> Result<Vec<Operation>, OperationError> {
        let mut operations = Vec::new();
        let mut current: Option<Operation> = None;
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let after = if let Some(after) = rest.strip_prefix(';') {
                operations.extend(current.take());
                after
            } else if let Some(open) = rest.strip_prefix('"') {
                let (text, after) = open
                    .split_once('"')
                    .ok_or_else(|| OperationError::OpenText(Excerpt::of(open)))?;
                let operation = current.as_mut();
                let operation =
                    operation.ok_or_else(|| OperationError::NoOpcode(Excerpt::of(text)))?;
                operation.operands.push(text.to_owned());
                after
            } else {
                let end = rest.find(|letter: char| letter.is_whitespace() || letter == ';');
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                match &mut current {
                    Some(operation) => operation.operands.push(word.to_owned()),
                    None => {
                        let opcode = word.to_owned();
                        current = Some(Operation { opcode, operands: Vec::new() });
                    }
                }
                after
            };
            rest = after.trim_start();
        }
        operations.extend(current);
        Ok(operations)
    }
}

/// Written as in EPD, semicolon included. The operands of `id` and of comments (`c0`) are always
/// quoted, others where they could not be read back otherwise.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        let mut letters = self.opcode.chars();
        let is_comment = letters.next() == Some('c') && letters.all(|next| next.is_ascii_digit());
        let is_text = self.opcode == "id" || is_comment && self.opcode.len() > 1;
        for operand in &self.operands {
            let is_word = !operand.is_empty()
                && !operand.contains(|letter: char| letter.is_whitespace() || letter == ';');
            if is_text || !is_word {
                write!(f, " \"{operand}\"")?;
            } else {
                write!(f, " {operand}")?;
            }
        }
        f.write_str(";")
    }
}
