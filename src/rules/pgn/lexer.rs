//! The lexer: splits PGN text into tokens byte by byte, so that lines may have any length.

use std::borrow::Cow;
use std::io::{self, BufRead, ErrorKind};

use qirkat_game::GameResult;
use qirkat_game::text::{BYTE_ORDER_MARK, check_not_utf16};

use super::notation::{hyphenated, is_null, sign};
use super::pgn_game::PgnFault;

/// The maximum number of bytes stored per token, and of text per game; a game with more is too long.
pub(super) const MAX_TEXT: usize = 1 << 20;
/// The maximum length of a game in bytes.
const MAX_GAME_BYTES: usize = 64 << 20;
const CHUNK: usize = 4096;
/// The maximum number of bytes stored per symbol. The longest move, 16 jumps in Alquerque, has 50.
const MAX_SYMBOL: usize = 255;
/// The start of a game. At the start of a line it ends an unterminated comment, as when a program
/// was killed and another appended to the file.
const GAME_START: &[u8] = b"[Event \"";
/// Suffixes of moves for `$1` to `$6`.
const SUFFIXES: [&[u8]; 6] = [b"!", b"?", b"!!", b"??", b"!?", b"?!"];
/// The form of promotions in `a9(A)`.
const PROMOTIONS: [&[u8]; 5] = [b"(Q)", b"(R)", b"(B)", b"(N)", b"(A)"];
/// What follows the `e` in `hxg7 e.p.` (en passant).
const REST_OF_EN_PASSANT: &[u8] = b".p";
/// Results that contain spaces, split after the first symbol.
const SPACED_RESULTS: [(&str, &str); 4] =
    [("1", " - 0"), ("0", " - 1"), ("1/2", " - 1/2"), ("½", " - ½")];
/// Redundant remarks on the previous move.
const REMARKS: [&str; 6] = ["ep", "ch", "dbl", "dis", "disch", "mate"];

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Tag {
        name: String,
        value: String,
    },
    Comment(String),
    Symbol(String),
    MoveNumber,
    /// A numeric annotation glyph: `$1`, `!` or `±`. An undefined number becomes a comment.
    Nag(u8),
    OpenVariation,
    CloseVariation,
    Result(GameResult),
    /// Malformed text, and whether it was meant as a tag.
    Bad {
        fault: PgnFault,
        tag: bool,
    },
    End,
}

pub(super) struct Lexer<R> {
    input: R,
    /// The bytes since the last `forget`: the current game up to here, and what was read ahead.
    buffer: Vec<u8>,
    /// The index of the next byte in the buffer, and its line from 1.
    at: usize,
    line: u64,
    forgotten: u64,
    /// The start of the last token in the buffer, and its line.
    pub(super) token_start: usize,
    token_line: u64,
    /// Whether [`GAME_START`] has already been read.
    game_start_read: bool,
}

impl<R: BufRead> Lexer<R> {
    pub(super) fn new(input: R) -> Lexer<R> {
        Lexer {
            input,
            buffer: Vec::new(),
            at: 0,
            line: 1,
            forgotten: 0,
            token_start: 0,
            token_line: 1,
            game_start_read: false,
        }
    }

    /// Bytes before the next token.
    pub(super) fn offset(&self) -> u64 {
        self.forgotten + self.at as u64
    }

    /// The bytes since the last `forget`, up to the end of the last token.
    pub(super) fn text(&self) -> &[u8] {
        &self.buffer[..self.at]
    }

    /// Drops the text before an index, which must not be after the start of the last token.
    pub(super) fn forget(&mut self, before: usize) {
        self.buffer.drain(..before);
        self.forgotten += before as u64;
        self.at -= before;
        self.token_start -= before;
    }

    pub(super) fn next(&mut self) -> io::Result<(u64, Token)> {
        if self.offset() == 0 && self.peek()?.is_some() {
            check_not_utf16(&self.buffer)?;
        }
        loop {
            let line = self.line;
            (self.token_start, self.token_line) = (self.at, line);
            if std::mem::take(&mut self.game_start_read) {
                self.token_start -= GAME_START.len();
                return Ok((line, self.tag_value("Event".to_owned())?));
            }
            let Some(byte) = self.peek()? else { return Ok((line, Token::End)) };
            let blank = if byte.is_ascii() { 0 } else { self.blank_length()? };
            if blank > 0 {
                self.advance(blank);
            } else if byte == b'%' && self.is_line_start() {
                self.skip_while(is_in_line)?;
            } else {
                let is_mark = byte.is_ascii() && ends_symbol(byte);
                let token = if is_mark { self.mark(byte)? } else { self.symbol()? };
                if !matches!(&token, Token::Symbol(text) if text.is_empty()) {
                    return Ok((line, token));
                }
            }
        }
    }

    /// The token that begins with this mark; an empty symbol is skipped.
    fn mark(&mut self, byte: u8) -> io::Result<Token> {
        self.advance(1);
        Ok(match byte {
            b'[' => self.tag()?,
            b'{' => self.brace_comment()?,
            b';' => Token::Comment(decode_comment(self.skip_while(is_in_line)?)),
            b'(' => Token::OpenVariation,
            b')' => Token::CloseVariation,
            b'*' => Token::Result(GameResult::Unfinished),
            b'$' => {
                let digits = self.skip_while(|byte| byte.is_ascii_digit())?;
                let number = String::from_utf8_lossy(&digits[..digits.len().min(MAX_SYMBOL)]);
                number.parse().map_or_else(|_| Token::Comment(format!("${number}")), Token::Nag)
            }
            b'!' | b'?' => self.suffix(byte)?,
            // Dots after move numbers, and blanks; old systems end a text with a control
            // character.
            _ if b". ".contains(&byte) || byte.is_ascii_control() => Token::Symbol(String::new()),
            _ => bad(PgnFault::Unexpected(char::from(byte))),
        })
    }

    /// A move suffix of [`SUFFIXES`]; after two characters another one begins.
    fn suffix(&mut self, first: u8) -> io::Result<Token> {
        let mut marks = vec![first];
        if let Some(second @ (b'!' | b'?')) = self.peek()? {
            self.advance(1);
            marks.push(second);
        }
        let index = SUFFIXES.iter().position(|&suffix| suffix == marks);
        Ok(Token::Nag(index.map_or(0, |index| index as u8 + 1)))
    }

    /// The symbol that is next; an empty one is skipped.
    fn symbol(&mut self) -> io::Result<Token> {
        self.skip_symbol()?;
        let so_far = &self.buffer[self.token_start..self.at];
        let spaced = SPACED_RESULTS.iter().find(|(first, _)| first.as_bytes() == so_far);
        if let Some((first, rest)) = spaced
            && self.take(rest.as_bytes())?
        {
            let text = format!("{first}{}", rest.replace(' ', ""));
            return Ok(GameResult::parse(&text).map_or(Token::Symbol(text), Token::Result));
        }
        if self.text().last().is_some_and(u8::is_ascii_digit) && self.peek()? == Some(b'(') {
            for promotion in PROMOTIONS {
                if self.take(promotion)? {
                    self.skip_symbol()?;
                    break;
                }
            }
        }
        let mut end = self.at;
        if self.text().ends_with(b"e") && self.take(REST_OF_EN_PASSANT)? {
            end -= "e".len();
        }
        let bytes = &self.buffer[self.token_start..end];
        let bytes = &bytes[..bytes.len().min(MAX_SYMBOL)];
        // Most symbols are moves, and most of these end in a rank.
        if let [b'A'..=b'Z' | b'a'..=b'z', .., b'0'..=b'9'] = bytes
            && let (true, Ok(text)) = (bytes.is_ascii(), str::from_utf8(bytes))
        {
            return Ok(Token::Symbol(text.to_owned()));
        }
        let text = decoded(bytes);
        let is_all = |fits: fn(u8) -> bool| text.bytes().all(fits);
        Ok(if let Some(result) = GameResult::parse(&hyphenated(&text)) {
            Token::Result(result)
        } else if let Some(nag) = sign(&text) {
            Token::Nag(nag)
        } else if REMARKS.contains(&&*text) || is_all(|byte| byte == b'+' || byte == b'#') {
            // A remark on the previous move, or nothing.
            Token::Symbol(String::new())
        } else if is_all(|byte| byte.is_ascii_digit()) && !is_null(&text) {
            Token::MoveNumber
        } else {
            Token::Symbol(text.into_owned())
        })
    }

    /// The rest of a tag. A tag ends with its line, so a broken one does not affect others.
    fn tag(&mut self) -> io::Result<Token> {
        self.skip_while(is_blank)?;
        let name = self.skip_while(is_tag_letter)?;
        let name = String::from_utf8_lossy(&name[..name.len().min(MAX_SYMBOL)]).into_owned();
        self.skip_while(is_blank)?;
        if name.is_empty() || !self.take(b"\"")? {
            return self.bad_tag();
        }
        self.tag_value(name)
    }

    fn tag_value(&mut self, name: String) -> io::Result<Token> {
        let mut value = Vec::new();
        while let Some(byte) = self.peek()?.filter(|&byte| is_in_line(byte) && byte != b'"') {
            self.advance(1);
            // A backslash escapes a quote or backslash.
            let escaped = self.peek()?.filter(|next| byte == b'\\' && b"\"\\".contains(next));
            self.advance(usize::from(escaped.is_some()));
            if value.len() < MAX_TEXT {
                value.push(escaped.unwrap_or(byte));
            }
        }
        if !self.take(b"\"")? {
            return self.bad_tag();
        }
        self.skip_while(is_blank)?;
        if !self.take(b"]")? {
            return self.bad_tag();
        }
        let value = decoded(&value).replace(char::is_control, " ");
        Ok(Token::Tag { name, value })
    }

    fn bad_tag(&mut self) -> io::Result<Token> {
        self.skip_while(|byte| byte != b']' && is_in_line(byte))?;
        self.take(b"]")?;
        Ok(Token::Bad { fault: PgnFault::Tag, tag: true })
    }

    fn brace_comment(&mut self) -> io::Result<Token> {
        let mut text = Vec::new();
        loop {
            if self.is_line_start() {
                self.take(BYTE_ORDER_MARK)?;
                if self.take(GAME_START)? {
                    self.game_start_read = true;
                    return Ok(bad(PgnFault::OpenComment));
                }
            }
            let part = self.skip_while(|byte| byte != b'}' && is_in_line(byte))?;
            text.extend_from_slice(&part[..part.len().min(MAX_TEXT - text.len())]);
            match self.peek()? {
                None => return Ok(bad(PgnFault::OpenComment)),
                Some(b'}') => {
                    self.advance(1);
                    return Ok(Token::Comment(decode_comment(&text)));
                }
                Some(line_end) => {
                    self.advance(1);
                    text.extend(Some(line_end).filter(|_| text.len() < MAX_TEXT));
                }
            }
        }
    }

    /// Whether the next byte begins a line; byte order marks before it do not count.
    fn is_line_start(&self) -> bool {
        let mut before = self.text();
        while let Some(rest) = before.strip_suffix(BYTE_ORDER_MARK) {
            before = rest;
        }
        before.last().is_none_or(|&byte| !is_in_line(byte))
    }

    /// Consumes bytes up to the end of a symbol.
    fn skip_symbol(&mut self) -> io::Result<()> {
        loop {
            self.skip_while(|byte| !ends_symbol(byte))?;
            match self.peek()? {
                Some(byte) if !byte.is_ascii() && self.blank_length()? == 0 => {
                    self.advance(1);
                    // The rest of a character in UTF-8.
                    self.skip_while(|rest| byte >= 0xC0 && (0x80..0xC0).contains(&rest))?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// The length in bytes of the non-ASCII blank that is next, 0 if there is none: a no-break
    /// space (also of Latin-1) or the like, or a byte order mark where files were joined.
    fn blank_length(&mut self) -> io::Result<usize> {
        if self.peek()? == Some(0xA0) {
            return Ok(1);
        }
        while self.buffer.len() < self.at + 3 && self.fill()? {}
        let is_blank = |letter: &str| {
            letter.starts_with(|letter: char| letter.is_whitespace() || INVISIBLE.contains(&letter))
        };
        let bytes = &self.buffer[self.at..];
        let mut lengths = 2..=bytes.len().min(3);
        let length = lengths.find(|&length| str::from_utf8(&bytes[..length]).is_ok_and(is_blank));
        Ok(length.unwrap_or(0))
    }

    /// Consumes this text if it is next; reads no further than needed to decide.
    fn take(&mut self, text: &[u8]) -> io::Result<bool> {
        while self.buffer.len() < self.at + text.len() && text.starts_with(&self.buffer[self.at..])
        {
            if !self.fill()? {
                break;
            }
        }
        let is_next = self.buffer[self.at..].starts_with(text);
        self.advance(if is_next { text.len() } else { 0 });
        Ok(is_next)
    }

    /// Consumes and returns all matching bytes.
    fn skip_while(&mut self, fits: impl Fn(u8) -> bool) -> io::Result<&[u8]> {
        let start = self.at;
        loop {
            let rest = &self.buffer[self.at..];
            let end = rest.iter().position(|&byte| !fits(byte));
            self.advance(end.unwrap_or(rest.len()));
            if end.is_some() || !self.fill()? {
                return Ok(&self.buffer[start..self.at]);
            }
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.at == self.buffer.len() {
            self.fill()?;
        }
        Ok(self.buffer.get(self.at).copied())
    }

    /// Consumes bytes of the buffer and counts lines with any of the three line ends.
    fn advance(&mut self, count: usize) {
        for at in self.at..self.at + count {
            let ends_line = match self.buffer[at] {
                b'\r' => true,
                b'\n' => at == 0 || self.buffer[at - 1] != b'\r',
                _ => false,
            };
            self.line += u64::from(ends_line);
        }
        self.at += count;
    }

    /// Reads more of the input into the buffer; false at its end.
    fn fill(&mut self) -> io::Result<bool> {
        if self.buffer.len() >= MAX_GAME_BYTES {
            let fault = format!(
                "line {}: no game is as long as this: a comment is not closed, or it is no PGN",
                self.token_line
            );
            return Err(io::Error::new(ErrorKind::InvalidData, fault));
        }
        let mut chunk = [0; CHUNK];
        loop {
            match self.input.read(&mut chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => {
                    let count = read?;
                    self.buffer.extend_from_slice(&chunk[..count]);
                    return Ok(count > 0);
                }
            }
        }
    }
}

fn bad(fault: PgnFault) -> Token {
    Token::Bad { fault, tag: false }
}

fn is_tag_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-+#=:".contains(&byte)
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

fn is_in_line(byte: u8) -> bool {
    byte != b'\n' && byte != b'\r'
}

/// Whether this byte ends, or may end, a symbol: some non-ASCII bytes start blanks.
const fn ends_symbol(byte: u8) -> bool {
    matches!(byte, 0..=b' ' | 0x7F.. | b'[' | b']' | b'(' | b')' | b'{' | b'}' | b';' | b'"')
        || matches!(byte, b'$' | b'*' | b'.' | b'!' | b'?' | b'<' | b'>')
}

/// Zero-width characters, which are invisible.
const INVISIBLE: [char; 5] = ['\u{200b}', '\u{200e}', '\u{200f}', '\u{2060}', '\u{feff}'];

/// Text as UTF-8, otherwise as Latin-1, which the PGN standard specifies and older programs write.
/// Text cut off within a character still counts as UTF-8.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Err(error) if error.error_len().is_some() => {
            bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into()
        }
        _ => String::from_utf8_lossy(bytes),
    }
}

/// A comment, decoded and on one line.
pub(super) fn decode_comment(bytes: &[u8]) -> String {
    single_spaced(&decoded(bytes))
}

/// A text on one line, with single spaces and without control characters.
pub(super) fn single_spaced(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
