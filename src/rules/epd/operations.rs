//! The operations of a position in EPD: `bm e2e4 d2d4; id "first";`

use std::fmt;

use thiserror::Error;

use qirkat_game::text::Excerpt;

/// An operation: opcode and operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// Its name, such as `bm` for the best moves.
    pub opcode: String,
    /// Words, and texts without their quotation marks.
    pub operands: Vec<String>,
}

/// Why operations cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OperationError {
    /// A quoted text without an end.
    #[error("no closing quotation mark behind `{0}`")]
    OpenText(Excerpt),
    /// A text in the place of an opcode.
    #[error("expected the name of an operation, not `{0}`")]
    NoOpcode(Excerpt),
}

impl Operation {
    /// Reads the operations of a line. The semicolon behind the last of them
    /// may be missing.
    ///
    /// # Errors
    /// When they are malformed.
    pub fn read_all(text: &str) -> Result<Vec<Operation>, OperationError> {
        let mut operations = Vec::new();
        let mut current: Option<Operation> = None;
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let behind = if let Some(behind) = rest.strip_prefix(';') {
                operations.extend(current.take());
                behind
            } else if let Some(open) = rest.strip_prefix('"') {
                let (text, behind) = open
                    .split_once('"')
                    .ok_or_else(|| OperationError::OpenText(Excerpt::of(open)))?;
                let operation = current.as_mut();
                let operation =
                    operation.ok_or_else(|| OperationError::NoOpcode(Excerpt::of(text)))?;
                operation.operands.push(text.to_owned());
                behind
            } else {
                let end = rest.find(|letter: char| letter.is_whitespace() || letter == ';');
                let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
                match &mut current {
                    Some(operation) => operation.operands.push(word.to_owned()),
                    None => {
                        let opcode = word.to_owned();
                        current = Some(Operation { opcode, operands: Vec::new() });
                    }
                }
                behind
            };
            rest = behind.trim_start();
        }
        operations.extend(current);
        Ok(operations)
    }
}

/// As in EPD, the semicolon included. Names, comments and texts that could not be read back
/// otherwise are put between quotation marks.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, Vec<String>)> {
        let operations = Operation::read_all(text).expect("good operations");
        operations.into_iter().map(|operation| (operation.opcode, operation.operands)).collect()
    }

    #[test]
    fn operations_are_taken_apart() {
        let owned = |opcode: &str, operands: &[&str]| {
            (opcode.to_owned(), operands.iter().map(|&operand| operand.to_owned()).collect())
        };
        assert_eq!(read(""), []);
        assert_eq!(read(" ; ;"), []);
        assert_eq!(
            read("bm e2e4  d2d4;dm 3; noop; c0 \"wins; a rook\" \"or so\"; id \"\""),
            [
                owned("bm", &["e2e4", "d2d4"]),
                owned("dm", &["3"]),
                owned("noop", &[]),
                owned("c0", &["wins; a rook", "or so"]),
                owned("id", &[""]),
            ]
        );
    }

    #[test]
    fn operations_are_written_as_they_are_read() {
        for text in [
            "bm e2e4 d2d4;",
            "c0 \"wins\" \"or so\";",
            "id \"x\";",
            "noop;",
            "ce -35;",
            "x \"a; b\" \"\";",
        ] {
            let operations = Operation::read_all(text).expect("good operations");
            assert_eq!(operations[0].to_string(), text);
        }
    }

    #[test]
    fn bad_operations_are_named() {
        for (text, complaint) in [
            ("bm e2e4; id \"first", "no closing quotation mark behind `first`"),
            ("\"first\" bm", "expected the name of an operation, not `first`"),
        ] {
            let error = Operation::read_all(text).expect_err("bad operations");
            assert_eq!(error.to_string(), complaint);
        }
    }
}
