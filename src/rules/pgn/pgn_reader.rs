//! Reads games one by one from a stream.

use std::io::{self, BufRead};
use std::ops::Range;

use super::game_builder::GameBuilder;
use super::lexer::{Lexer, Token, decode_comment};
use super::notation::{is_word, may_be_word};
use super::pgn_game::{PgnError, PgnFault, ReadGame};
use super::variations::Span;

/// Reads games in PGN, with their variations. Tags and comments that are not UTF-8 are read as
/// Latin-1, the encoding of the standard. Move numbers are ignored. Words after a result, up to a
/// blank line, belong to the last move; words between games precede the next game's first move.
/// Unreadable parts of a variation stay in the game as a comment, `[unread: ...]`, and are reported
/// ([`ReadGame::unread`]). Memory is bounded for each game.
///
/// ```
/// use qirkat_rules::pgn::PgnReader;
///
/// let text = "1. e4 (1. d4 d7) e6 *";
/// let game = PgnReader::new(text.as_bytes()).next().expect("a game")?.game;
/// assert_eq!(game.moves[0].variations[0].len(), 2);
/// assert!(game.to_string().contains("1. e4 (1. d4 d7) 1... e6"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PgnReader<R> {
    lexer: Lexer<R>,
    /// The token that ended the previous game and starts the next.
    pending: Option<io::Result<(u64, Token)>>,
    /// The comments and NAGs before the next game, and their start in the text.
    before: Vec<(u64, Token)>,
    before_start: usize,
    /// The end of the last game's result, if it has one.
    result_end: Option<u64>,
    games: u64,
    game_length: usize,
    failed: bool,
}

impl<R: BufRead> PgnReader<R> {
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader {
            lexer: Lexer::new(input),
            pending: None,
            before: Vec::new(),
            before_start: 0,
            result_end: None,
            games: 0,
            game_length: 0,
            failed: false,
        }
    }

    /// The number of bytes read. After a game with a result it counts up to the end of the result.
    pub fn offset(&self) -> u64 {
        self.result_end.unwrap_or(self.lexer.offset())
    }

    /// The text of the last game, faulty or not, with the words before and after it.
    pub fn text(&self) -> &[u8] {
        self.lexer.text()[..self.game_length].trim_ascii_end()
    }

    fn next_token(&mut self) -> Result<(u64, Token), PgnError> {
        Ok(self.pending.take().unwrap_or_else(|| self.lexer.next())?)
    }

    fn next_game(&mut self) -> Result<Option<ReadGame>, PgnError> {
        let Some((line, token)) = self.first_token()? else { return Ok(None) };
        self.games += 1;
        self.lexer.forget(self.before_start);
        (self.before_start, self.game_length, self.result_end) = (0, 0, None);
        let mut builder = GameBuilder::new(line);
        for (line, comment) in std::mem::take(&mut self.before) {
            builder.add(line, comment, Span { text: &[], start: 0 });
        }
        let mut next = (line, token);
        loop {
            let (line, token) = next;
            if builder.is_ended_by(&token) {
                self.game_length = self.lexer.token_start;
                self.before_start = self.game_length;
                // At the end of the text the lexer reports the end again.
                self.pending = Some(Ok((line, token)));
                break;
            }
            let last = matches!(token, Token::Result(_)) && builder.depth == 0;
            builder.add(line, token, self.span());
            if last {
                self.result_end = Some(self.lexer.offset());
                self.add_text_after_result(&mut builder);
                break;
            }
            next = self.next_token()?;
        }
        builder.finish(self.games, self.span()).map(Some)
    }

    fn span(&self) -> Span<'_> {
        Span { text: self.lexer.text(), start: self.lexer.token_start }
    }

    /// Adds the words after the result up to a blank line or the end of the text. Words after a
    /// blank line belong to the next game, if there is one.
    fn add_text_after_result(&mut self, builder: &mut GameBuilder) {
        let (mut end, mut is_after_blank_line) = (self.lexer.text().len(), false);
        let mut last_word_line = None;
        loop {
            let next = self.lexer.next();
            let start = self.lexer.token_start;
            if let Some(line) = last_word_line {
                // The lexer skips text that is not part of a move, such as dots.
                self.add_words(builder, line, end..start, is_after_blank_line);
            }
            if self.before.is_empty() {
                is_after_blank_line |= has_blank_line(&self.lexer.text()[end..start]);
                (self.game_length, self.before_start) = (start, start);
            }
            end = self.lexer.text().len();
            match next {
                Ok((line, comment @ (Token::Comment(_) | Token::Nag(_))))
                    if is_after_blank_line =>
                {
                    self.before.push((line, comment));
                }
                Ok((line, comment @ (Token::Comment(_) | Token::Nag(_)))) => {
                    builder.add(line, comment, self.span());
                }
                Ok((line, token)) if is_stray_text(&token, last_word_line.is_some()) => {
                    self.add_words(builder, line, start..end, is_after_blank_line);
                    last_word_line = Some(line);
                }
                next => {
                    if matches!(next, Ok((_, Token::End))) {
                        for (line, comment) in std::mem::take(&mut self.before) {
                            builder.add(line, comment, self.span());
                        }
                        (self.game_length, self.before_start) = (start, start);
                    }
                    self.pending = Some(next);
                    return;
                }
            }
        }
    }

    /// Adds a part of the text to the words after the result.
    fn add_words(
        &mut self,
        builder: &mut GameBuilder,
        line: u64,
        part: Range<usize>,
        is_after_blank_line: bool,
    ) {
        let text = self.lexer.text();
        if text[part.clone()].trim_ascii().is_empty() {
            return;
        }
        if is_after_blank_line {
            self.before.push((line, Token::Comment(decode_comment(&text[part]))));
        } else {
            builder.add_word(line, Span { text: &text[..part.end], start: part.start });
        }
    }

    /// The first token of a game that is neither a comment nor a NAG; none if there is no game.
    fn first_token(&mut self) -> Result<Option<(u64, Token)>, PgnError> {
        loop {
            let next = self.next_token()?;
            if self.games == 0 && self.before.is_empty() {
                self.before_start = self.lexer.token_start;
            }
            match next {
                (_, Token::End) => return Ok(None),
                (line, comment @ (Token::Comment(_) | Token::Nag(_))) => {
                    self.before.push((line, comment))
                }
                token => return Ok(Some(token)),
            }
        }
    }
}

/// Whether this token is stray text, alone or among other words.
fn is_stray_text(token: &Token, is_in_words: bool) -> bool {
    match token {
        Token::CloseVariation | Token::Bad { tag: false, fault: PgnFault::Unexpected(_) } => true,
        Token::Symbol(text) => is_word(text) || is_in_words && may_be_word(text),
        _ => false,
    }
}

/// Whether there is an empty line in the blanks between two tokens.
fn has_blank_line(blanks: &[u8]) -> bool {
    let ends = |end| blanks.iter().filter(|&&byte| byte == end).count();
    ends(b'\n').max(ends(b'\r')) > 1
}

/// After an I/O error there are no more games; after any other error there may be.
impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<ReadGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let game = self.next_game();
        self.failed = matches!(game, Err(PgnError::Io(_)));
        game.transpose()
    }
}
