//! Lines from a program, whatever bytes it sends.

use std::io::{self, BufRead};

use super::LOG_TARGET;

/// The longest line that is read whole: a game of more than a million plies.
const LONGEST_LINE: usize = 16 << 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A line without its end. Bytes that are not UTF-8 are replaced.
    Line(String),
    /// A line too long to be read; it was passed over.
    TooLong,
    /// Nothing more will come.
    End,
}

impl Input {
    /// The next input. A read error counts as the end.
    pub fn next(source: &mut impl BufRead) -> Input {
        let input = read_line(source).unwrap_or_else(|error| {
            log::error!("input cannot be read: {error}");
            Input::End
        });
        match &input {
            Input::Line(line) => log::trace!(target: LOG_TARGET, ">> {}", line.escape_debug()),
            Input::TooLong => log::warn!(">> a line of more than {LONGEST_LINE} bytes"),
            Input::End => log::debug!(">> the end of input"),
        }
        input
    }

    /// Passes all input to `send` on a thread of its own, until the end or until `send`
    /// returns false, since the receiver is gone.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn read_in_background(
        mut source: impl BufRead + Send + 'static,
        mut send: impl FnMut(Input) -> bool + Send + 'static,
    ) -> io::Result<()> {
        let read = move || {
            loop {
                let input = Input::next(&mut source);
                let ended = input == Input::End;
                if !send(input) || ended {
                    return;
                }
            }
        };
        std::thread::Builder::new().name("input".to_owned()).spawn(read).map(drop)
    }
}

fn read_line(input: &mut impl BufRead) -> io::Result<Input> {
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
                return Ok(Input::End);
            }
            break;
        }
    }
    Ok(if too_long {
        Input::TooLong
    } else {
        Input::Line(String::from_utf8_lossy(&bytes).into_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_they_may() {
        let mut input: &[u8] = b"uci\r\n\n\xFF\x00go\nquit";
        let line = |text: &str| Input::Line(text.to_owned());
        for expected in [line("uci\r"), line(""), line("\u{FFFD}\0go"), line("quit"), Input::End] {
            assert_eq!(Input::next(&mut input), expected);
        }
    }

    #[test]
    fn endless_lines_are_passed_over() {
        let mut bytes = vec![b'x'; LONGEST_LINE + 1];
        bytes.extend_from_slice(b"\nuci\n");
        let mut input = bytes.as_slice();
        for expected in [Input::TooLong, Input::Line("uci".to_owned()), Input::End] {
            assert_eq!(Input::next(&mut input), expected);
        }
    }
}
