//! The lexer: splits PGN text into tokens byte by byte, so that lines may have any length.

use std::borrow::Cow;
use std::io::{self, BufRead, ErrorKind};

use qirkat_game::GameResult;
use qirkat_game::text::{BYTE_ORDER_MARK, refuse_utf16};

use super::notation::{hyphenated, is_null, sign};
use super::pgn_game::PgnFault;

/// The most bytes stored of a token. A longer one is not part of a game.
pub(super) const MAX_TEXT: usize = 1 << 20;
/// The maximum length of a game in bytes.
const LONGEST_GAME: usize = 64 << 20;
/// The most bytes stored of a symbol; the longest move has seven letters.
const MAX_SYMBOL: usize = 255;
/// The start of a game. At the start of a line it ends an unterminated comment, as when a program
/// was killed and another appended to the file.
const GAME_START: &[u8] = b"[Event \"";
/// Suffixes of moves for `$1` to `$6`.
const SUFFIXES: [&[u8]; 6] = [b"!", b"?", b"!!", b"??", b"!?", b"?!"];
/// The form of promotions in `a9(A)`.
const PROMOTIONS: [&[u8]; 5] = [b"(Q)", b"(R)", b"(B)", b"(N)", b"(A)"];
/// The rest after the `e` of `hxg7 e.p.` (en passant).
const REST_OF_EN_PASSANT: &[u8] = b".p";
/// Results that contain spaces, split after the first symbol.
const SPACED_RESULTS: [(&str, &str); 4] =
    [("1", " - 0"), ("0", " - 1"), ("1/2", " - 1/2"), ("½", " - ½")];
/// Remarks on the previous move that say nothing new.
const CHECKS: [&str; 6] = ["ep", "ch", "dbl", "dis", "disch", "mate"];

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
    /// Bytes that were peeked at but not consumed.
    ahead: Vec<u8>,
    /// The line of the next byte, from 1.
    line: u64,
    /// Bytes consumed before the next token.
    pub(super) offset: u64,
    /// The consumed bytes since the last `forget`: the current game up to here.
    pub(super) text: Vec<u8>,
    /// The start of the last token in `text`, and its line.
    pub(super) token_start: usize,
    token_line: u64,
    line_start: bool,
    after_return: bool,
    /// Whether [`GAME_START`] has already been read.
    game_start_read: bool,
}

impl<R: BufRead> Lexer<R> {
    pub(super) fn new(input: R) -> Lexer<R> {
        Lexer {
            input,
            ahead: Vec::new(),
            line: 1,
            offset: 0,
            text: Vec::new(),
            token_start: 0,
            token_line: 1,
            line_start: true,
            after_return: false,
            game_start_read: false,
        }
    }

    /// Drops the text before an index, which must not be after the start of the last token.
    pub(super) fn forget(&mut self, before: usize) {
        self.text.drain(..before);
        self.token_start -= before;
    }

    /// The next token and its first line.
    pub(super) fn next(&mut self) -> io::Result<(u64, Token)> {
        if self.offset == 0 && self.peek()?.is_some() {
            refuse_utf16(self.input.fill_buf()?)?;
        }
        loop {
            let line = self.line;
            (self.token_start, self.token_line) = (self.text.len(), line);
            if std::mem::take(&mut self.game_start_read) {
                self.token_start -= GAME_START.len();
                return Ok((line, self.tag_value("Event".to_owned())?));
            }
            let line_start = self.line_start;
            let Some(byte) = self.next_byte()? else { return Ok((line, Token::End)) };
            let token = match byte {
                b'%' if line_start => {
                    self.skip_line()?;
                    continue;
                }
                b'[' => self.tag()?,
                b'{' => self.brace_comment()?,
                b';' => Token::Comment(self.line_comment()?),
                b'(' => Token::OpenVariation,
                b')' => Token::CloseVariation,
                b'*' => Token::Result(GameResult::Unfinished),
                b'$' => {
                    let digits = self.take_while(MAX_SYMBOL, |byte| byte.is_ascii_digit())?;
                    let number = String::from_utf8_lossy(&digits);
                    number.parse().map_or_else(|_| Token::Comment(format!("${number}")), Token::Nag)
                }
                b'!' | b'?' => self.suffix(byte)?,
                // Dots after move numbers, and blanks; old systems end a text with a control
                // character.
                b'.' | b' ' => continue,
                _ if byte.is_ascii_control() => continue,
                0x80.. => {
                    if let length @ 1.. = self.blank_length(byte, 0)? {
                        self.take(length - 1)?;
                        self.line_start = line_start && self.text.ends_with(BYTE_ORDER_MARK);
                        continue;
                    }
                    self.skip_letter()?;
                    self.symbol()?
                }
                _ if ends_symbol(byte) => bad(PgnFault::Unexpected(char::from(byte))),
                _ => self.symbol()?,
            };
            return match token {
                Token::Symbol(text) if text.is_empty() => continue,
                token => Ok((line, token)),
            };
        }
    }

    /// A move suffix of [`SUFFIXES`]; after two characters another one begins.
    fn suffix(&mut self, first: u8) -> io::Result<Token> {
        let mut marks = vec![first];
        if let Some(second @ (b'!' | b'?')) = self.peek()? {
            self.next_byte()?;
            marks.push(second);
        }
        let place = SUFFIXES.iter().position(|&suffix| suffix == marks);
        Ok(Token::Nag(place.map_or(0, |at| at as u8 + 1)))
    }

    /// The rest of a symbol; an empty one is to be skipped.
    fn symbol(&mut self) -> io::Result<Token> {
        self.skip_symbol()?;
        let so_far = &self.text[self.token_start..];
        let spaced = SPACED_RESULTS.iter().find(|(first, _)| first.as_bytes() == so_far);
        if let Some((first, rest)) = spaced
            && self.looking_at(rest.as_bytes())?
        {
            self.take(rest.len())?;
            let text = format!("{first}{}", rest.replace(' ', ""));
            return Ok(GameResult::parse(&text).map_or(Token::Symbol(text), Token::Result));
        }
        if self.text.last().is_some_and(u8::is_ascii_digit) && self.peek()? == Some(b'(') {
            self.bracketed_promotion()?;
        }
        let is_en_passant = self.text.ends_with(b"e") && self.looking_at(REST_OF_EN_PASSANT)?;
        if is_en_passant {
            self.take(REST_OF_EN_PASSANT.len())?;
        }
        let mut bytes = &self.text[self.token_start..];
        if is_en_passant {
            bytes = &bytes[..bytes.len() - "e.p".len()];
        }
        bytes = &bytes[..bytes.len().min(MAX_SYMBOL)];
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
        } else if CHECKS.contains(&&*text) || is_all(|byte| byte == b'+' || byte == b'#') {
            // A remark on the previous move, or nothing.
            Token::Symbol(String::new())
        } else if is_all(|byte| byte.is_ascii_digit()) && !is_null(&text) {
            Token::MoveNumber
        } else {
            Token::Symbol(text.into_owned())
        })
    }

    fn bracketed_promotion(&mut self) -> io::Result<()> {
        for promotion in PROMOTIONS {
            if self.looking_at(promotion)? {
                self.take(promotion.len())?;
                return self.skip_symbol();
            }
        }
        Ok(())
    }

    fn looking_at(&mut self, text: &[u8]) -> io::Result<bool> {
        while self.ahead.len() < text.len() && text.starts_with(&self.ahead) {
            let Some(byte) = self.peek_input()? else { return Ok(false) };
            self.input.consume(1);
            self.ahead.push(byte);
        }
        Ok(self.ahead.starts_with(text))
    }

    fn take(&mut self, count: usize) -> io::Result<()> {
        (0..count).try_for_each(|_| self.next_byte().map(drop))
    }

    /// The rest of a tag. A tag ends with its line, so a broken one does not affect others.
    fn tag(&mut self) -> io::Result<Token> {
        self.skip_blanks()?;
        let name = self.take_while(MAX_SYMBOL, is_tag_letter)?;
        self.skip_blanks()?;
        if name.is_empty() || self.peek()? != Some(b'"') {
            return self.bad_tag();
        }
        self.next_byte()?;
        self.tag_value(String::from_utf8_lossy(&name).into_owned())
    }

    fn tag_value(&mut self, name: String) -> io::Result<Token> {
        let mut value = Vec::new();
        loop {
            match self.peek()? {
                None | Some(b'\n' | b'\r') => return self.bad_tag(),
                Some(b'"') => break,
                Some(byte) => {
                    self.next_byte()?;
                    // A backslash escapes a quote or backslash.
                    let hidden = match self.peek()? {
                        Some(next @ (b'"' | b'\\')) if byte == b'\\' => Some(next),
                        _ => None,
                    };
                    if hidden.is_some() {
                        self.next_byte()?;
                    }
                    if value.len() < MAX_TEXT {
                        value.push(hidden.unwrap_or(byte));
                    }
                }
            }
        }
        self.next_byte()?;
        self.skip_blanks()?;
        if self.peek()? != Some(b']') {
            return self.bad_tag();
        }
        self.next_byte()?;
        let value = decoded(&value).replace(char::is_control, " ");
        Ok(Token::Tag { name, value })
    }

    fn bad_tag(&mut self) -> io::Result<Token> {
        self.take_while(0, |byte| byte != b']' && byte != b'\n' && byte != b'\r')?;
        if self.peek()? == Some(b']') {
            self.next_byte()?;
        }
        Ok(Token::Bad { fault: PgnFault::Tag, tag: true })
    }

    fn brace_comment(&mut self) -> io::Result<Token> {
        let mut text = Vec::new();
        // Bytes of `GAME_START` matched since the start of the line.
        let mut matched = None;
        loop {
            if self.line_start {
                matched = Some(0);
                if self.looking_at(BYTE_ORDER_MARK)? {
                    self.take(BYTE_ORDER_MARK.len())?;
                }
            }
            let Some(byte) = self.next_byte()? else { return Ok(bad(PgnFault::OpenComment)) };
            if byte == b'}' {
                return Ok(Token::Comment(tidy(&text)));
            }
            matched = matched.filter(|&at| GAME_START.get(at) == Some(&byte)).map(|at| at + 1);
            if matched == Some(GAME_START.len()) {
                self.game_start_read = true;
                return Ok(bad(PgnFault::OpenComment));
            }
            if text.len() < MAX_TEXT {
                text.push(byte);
            }
        }
    }

    fn line_comment(&mut self) -> io::Result<String> {
        let text = self.take_while(MAX_TEXT, |byte| byte != b'\n' && byte != b'\r')?;
        Ok(tidy(&text))
    }

    fn skip_line(&mut self) -> io::Result<()> {
        self.take_while(0, |byte| byte != b'\n' && byte != b'\r').map(drop)
    }

    fn skip_blanks(&mut self) -> io::Result<()> {
        self.take_while(0, |byte| byte == b' ' || byte == b'\t').map(drop)
    }

    /// Consumes all matching bytes and returns the first `keep`.
    fn take_while(&mut self, keep: usize, fits: impl Fn(u8) -> bool) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek()?.filter(|&byte| fits(byte)) {
            self.next_byte()?;
            if bytes.len() < keep {
                bytes.push(byte);
            }
        }
        Ok(bytes)
    }

    /// Consumes bytes up to the end of a symbol, in chunks: most of a file is symbols.
    fn skip_symbol(&mut self) -> io::Result<()> {
        while let Some(byte) = self.peek()? {
            if ends_symbol(byte) {
                if byte.is_ascii() || self.blank_length(byte, 1)? > 0 {
                    break;
                }
                self.next_byte()?;
                self.skip_letter()?;
                continue;
            }
            if !self.ahead.is_empty() {
                self.next_byte()?;
                continue;
            }
            let bytes = self.input.fill_buf()?;
            let count = bytes.iter().position(|&byte| ends_symbol(byte)).unwrap_or(bytes.len());
            if self.text.len() + count > LONGEST_GAME {
                return Err(self.too_long());
            }
            self.text.extend_from_slice(&bytes[..count]);
            self.input.consume(count);
            self.offset += count as u64;
            (self.line_start, self.after_return) = (false, false);
        }
        Ok(())
    }

    /// Consumes the rest of a non-ASCII character.
    fn skip_letter(&mut self) -> io::Result<()> {
        let is_begun = self.text.last().is_some_and(|byte| *byte >= 0xC0);
        let rest = 0x80..0xC0;
        if is_begun { self.take_while(0, |byte| rest.contains(&byte)).map(drop) } else { Ok(()) }
    }

    /// The length in bytes of a non-ASCII blank that starts with this byte: a no-break space (also
    /// of Latin-1) or the like, or a byte order mark where files were joined. `ahead` is 1 if this
    /// byte is not yet consumed.
    fn blank_length(&mut self, first: u8, ahead: usize) -> io::Result<usize> {
        if first == 0xA0 {
            return Ok(1);
        }
        while self.ahead.len() < ahead + 2 {
            let Some(byte) = self.peek_input()? else { break };
            self.input.consume(1);
            self.ahead.push(byte);
        }
        let is_blank = |letter: &str| {
            letter.starts_with(|letter: char| letter.is_whitespace() || INVISIBLE.contains(&letter))
        };
        let mut bytes = vec![first];
        bytes.extend(self.ahead.iter().skip(ahead).take(2));
        let length =
            (2..=bytes.len()).find(|&length| str::from_utf8(&bytes[..length]).is_ok_and(is_blank));
        Ok(length.unwrap_or(0))
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        match self.ahead.first() {
            Some(&byte) => Ok(Some(byte)),
            None => self.peek_input(),
        }
    }

    fn peek_input(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.input.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Consumes a byte and counts lines with any of the three line ends.
    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        if self.text.len() == LONGEST_GAME {
            return Err(self.too_long());
        }
        let byte = if self.ahead.is_empty() {
            let Some(byte) = self.peek_input()? else { return Ok(None) };
            self.input.consume(1);
            byte
        } else {
            self.ahead.remove(0)
        };
        self.offset += 1;
        self.text.push(byte);
        self.line_start = byte == b'\n' || byte == b'\r';
        if self.line_start && !(byte == b'\n' && self.after_return) {
            self.line += 1;
        }
        self.after_return = byte == b'\r';
        Ok(Some(byte))
    }

    fn too_long(&self) -> io::Error {
        let fault = format!(
            "line {}: no game is as long as this: a comment is not closed, or it is no PGN",
            self.token_line
        );
        io::Error::new(ErrorKind::InvalidData, fault)
    }
}

fn bad(fault: PgnFault) -> Token {
    Token::Bad { fault, tag: false }
}

fn is_tag_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-+#=:".contains(&byte)
}

const fn ends_symbol(byte: u8) -> bool {
    SYMBOL_ENDS[byte as usize]
}

/// Zero-width characters, which are invisible.
const INVISIBLE: [char; 5] = ['\u{200b}', '\u{200e}', '\u{200f}', '\u{2060}', '\u{feff}'];

/// Whether each byte ends a symbol, or may: some non-ASCII bytes start blanks.
const SYMBOL_ENDS: [bool; 256] = {
    let mut ends = [false; 256];
    let mut control = 0;
    while control < 256 {
        ends[control] = control >= 0x80 || (control as u8).is_ascii_control();
        control += 1;
    }
    let marks = b" [](){};\"$*.!?<>";
    let mut at = 0;
    while at < marks.len() {
        ends[marks[at] as usize] = true;
        at += 1;
    }
    ends
};

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
pub(super) fn tidy(bytes: &[u8]) -> String {
    single_spaced(&decoded(bytes))
}

/// A text on one line, with single spaces and without control characters.
pub(super) fn single_spaced(text: &str) -> String {
    let text = text.replace(char::is_control, " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
