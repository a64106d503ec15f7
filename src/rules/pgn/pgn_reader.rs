//! Reading games one by one from a stream.

use std::io::{self, BufRead};
use std::ops::Range;

use super::game_builder::GameBuilder;
use super::lexer::{Lexer, Token, tidy};
use super::notation::{is_word, is_wordy};
use super::pgn_game::{PgnError, PgnFault, ReadGame};
use super::variations::Place;

/// Reads games in PGN, with their variations. Tags and comments that are not UTF-8 are taken for
/// Latin-1, the encoding of the standard. Move numbers are passed over. What is said behind a
/// result, up to a blank line, belongs to the last move, what is said between games to the one that
/// comes, before its first move. What cannot be read of a variation stays in the game as a comment,
/// `[unread: ...]`, and is told ([`ReadGame::unread`]). Memory is bounded for each game.
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
    /// The token that ended the game before and begins the next.
    pending: Option<io::Result<(u64, Token)>>,
    /// What is said before the next game, and where that begins in the text.
    before: Vec<(u64, Token)>,
    before_start: usize,
    /// Where the result of the game read last ends, if it has one.
    result_end: Option<u64>,
    games: u64,
    /// How long the text of the game read last is.
    game_length: usize,
    failed: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// Reads from here.
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

    /// How many bytes have been read. Behind a game with a result these are all
    /// up to the end of that.
    pub fn offset(&self) -> u64 {
        self.result_end.unwrap_or(self.lexer.offset)
    }

    /// The game read last as it stands in the text, whether it is faulty or not, with what is
    /// said before and behind it.
    pub fn text(&self) -> &[u8] {
        self.lexer.text[..self.game_length].trim_ascii_end()
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
        for (line, said) in std::mem::take(&mut self.before) {
            builder.add(line, said, Place { text: &[], start: 0 });
        }
        let mut next = (line, token);
        loop {
            let (line, token) = next;
            if builder.is_ended_by(&token) {
                self.game_length = self.lexer.token_start;
                self.before_start = self.game_length;
                // At the end of the text the lexer says so again.
                self.pending = Some(Ok((line, token)));
                break;
            }
            let last = matches!(token, Token::Result(_)) && builder.depth == 0;
            builder.add(line, token, self.place());
            if last {
                self.result_end = Some(self.lexer.offset);
                self.add_afterword(&mut builder);
                break;
            }
            next = self.next_token()?;
        }
        builder.finish(self.games, self.place()).map(Some)
    }

    /// Where the last token stands.
    fn place(&self) -> Place<'_> {
        Place { text: &self.lexer.text, start: self.lexer.token_start }
    }

    /// Adds what is said behind the result, up to a blank line or the end of the text. What
    /// is said behind a blank line belongs to the game that comes, if one comes.
    fn add_afterword(&mut self, builder: &mut GameBuilder) {
        let (mut end, mut is_parted) = (self.lexer.text.len(), false);
        // The line of the last word.
        let mut words = None;
        loop {
            let next = self.lexer.next();
            let start = self.lexer.token_start;
            if let Some(line) = words {
                // The lexer passes over what says nothing of a move, such as dots.
                self.add_words(builder, line, end..start, is_parted);
            }
            if self.before.is_empty() {
                is_parted |= has_blank_line(&self.lexer.text[end..start]);
                (self.game_length, self.before_start) = (start, start);
            }
            end = self.lexer.text.len();
            match next {
                Ok((line, said @ (Token::Comment(_) | Token::Nag(_)))) if is_parted => {
                    self.before.push((line, said));
                }
                Ok((line, said @ (Token::Comment(_) | Token::Nag(_)))) => {
                    builder.add(line, said, self.place());
                }
                Ok((line, token)) if is_said(&token, words.is_some()) => {
                    self.add_words(builder, line, start..end, is_parted);
                    words = Some(line);
                }
                next => {
                    if matches!(next, Ok((_, Token::End))) {
                        for (line, said) in std::mem::take(&mut self.before) {
                            builder.add(line, said, self.place());
                        }
                        (self.game_length, self.before_start) = (start, start);
                    }
                    self.pending = Some(next);
                    return;
                }
            }
        }
    }

    /// Adds a part of the text to what is said behind the result.
    fn add_words(
        &mut self,
        builder: &mut GameBuilder,
        line: u64,
        part: Range<usize>,
        is_parted: bool,
    ) {
        let text = &self.lexer.text;
        if text[part.clone()].trim_ascii().is_empty() {
            return;
        }
        if is_parted {
            self.before.push((line, Token::Comment(tidy(&text[part]))));
        } else {
            builder.add_word(line, Place { text: &text[..part.end], start: part.start });
        }
    }

    /// The first token that is no word before a game; none if there is no game.
    fn first_token(&mut self) -> Result<Option<(u64, Token)>, PgnError> {
        loop {
            let next = self.next_token()?;
            if self.games == 0 && self.before.is_empty() {
                self.before_start = self.lexer.token_start;
            }
            match next {
                (_, Token::End) => return Ok(None),
                (line, said @ (Token::Comment(_) | Token::Nag(_))) => {
                    self.before.push((line, said))
                }
                token => return Ok(Some(token)),
            }
        }
    }
}

/// Whether this is said of a game, among other words or alone.
fn is_said(token: &Token, is_in_words: bool) -> bool {
    match token {
        Token::CloseVariation | Token::Bad { tag: false, fault: PgnFault::Unexpected(_) } => true,
        Token::Symbol(text) => is_word(text) || is_in_words && is_wordy(text),
        _ => false,
    }
}

/// Whether a line is empty in the blanks between two tokens.
fn has_blank_line(blanks: &[u8]) -> bool {
    let ends = |end| blanks.iter().filter(|&&byte| byte == end).count();
    ends(b'\n').max(ends(b'\r')) > 1
}

/// After an I/O error there are no more games; after any other error, there may be.
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
