//! Lines from a program, whatever bytes it sends.

use std::io::{self, BufRead};

/// The longest line that is read whole: a game of more than a million plies.
const LONGEST_LINE: usize = 16 << 20;

/// A line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Line {
    /// A line without its end. Bytes that are not UTF-8 are replaced.
    Text(String),
    /// A line too long to be read; it was passed over.
    TooLong,
}

/// Reads the next line; none at the end of input.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        if bytes.len() + part.len() > LONGEST_LINE {
            too_long = true;
            bytes = Vec::new();
        } else if !too_long {
            bytes.extend_from_slice(part);
        }
        let at_end_of_input = chunk.is_empty();
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
        if at_end_of_input {
            if bytes.is_empty() && !too_long {
                return Ok(None);
            }
            break;
        }
    }
    Ok(Some(if too_long {
        Line::TooLong
    } else {
        Line::Text(String::from_utf8_lossy(&bytes).into_owned())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_they_may() {
        let mut input: &[u8] = b"uci\r\n\n\xFF\x00go\nquit";
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).expect("memory is always readable") {
            lines.push(line);
        }
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!(lines, [text("uci\r"), text(""), text("\u{FFFD}\0go"), text("quit")]);
    }

    #[test]
    fn endless_lines_are_passed_over() {
        let mut bytes = vec![b'x'; LONGEST_LINE + 1];
        bytes.extend_from_slice(b"\nuci\n");
        let mut input = bytes.as_slice();
        let mut next = || read_line(&mut input).expect("memory is always readable");
        assert_eq!(next(), Some(Line::TooLong));
        assert_eq!(next(), Some(Line::Text("uci".to_owned())));
        assert_eq!(next(), None);
    }
}
