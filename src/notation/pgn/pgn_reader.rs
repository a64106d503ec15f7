//! Reading games one by one from a stream.

use std::io::BufRead;

use super::error::PgnError;
use super::game_builder::GameBuilder;
use super::lexer::{Lexer, Token};
use super::lines::Place;
use super::read_game::ReadGame;

/// Reads games in PGN, with their variations. Tags and comments that are not UTF-8 are taken
/// for Latin-1, the encoding of the standard. Move numbers are passed over. What cannot be read
/// of a variation stays in the game as a comment, `[unread: ...]`, and is told
/// ([`ReadGame::unread`]). Memory is bounded for each game.
///
/// ```
/// use qirkat_notation::pgn::PgnReader;
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
    pending: Option<(u64, Token)>,
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
            games: 0,
            game_length: 0,
            failed: false,
        }
    }

    /// How many bytes have been read. Behind a game with a result these are all
    /// up to the end of that.
    pub fn offset(&self) -> u64 {
        self.lexer.offset()
    }

    /// The game read last as it stands in the text, whether it is faulty or not.
    pub fn text(&self) -> &[u8] {
        self.lexer.text()[..self.game_length].trim_ascii_end()
    }

    fn next_token(&mut self) -> Result<(u64, Token), PgnError> {
        match self.pending.take() {
            Some(token) => Ok(token),
            None => Ok(self.lexer.next()?),
        }
    }

    fn next_game(&mut self) -> Result<Option<ReadGame>, PgnError> {
        let Some((line, token)) = self.first_token()? else { return Ok(None) };
        self.games += 1;
        self.lexer.forget();
        self.game_length = 0;
        let mut builder = GameBuilder::new(line);
        let mut next = (line, token);
        loop {
            let (line, token) = next;
            if builder.is_ended_by(&token) {
                self.game_length = self.lexer.token_start();
                // At the end of the text the lexer says so again.
                self.pending = Some((line, token));
                break;
            }
            let last = matches!(token, Token::Result(_)) && builder.depth == 0;
            builder.add(
                line,
                token,
                Place { text: self.lexer.text(), start: self.lexer.token_start() },
            );
            if last {
                self.game_length = self.lexer.text().len();
                break;
            }
            next = self.next_token()?;
        }
        builder.finish(self.games).map(Some)
    }

    /// The first token that belongs to a game.
    fn first_token(&mut self) -> Result<Option<(u64, Token)>, PgnError> {
        loop {
            match self.next_token()? {
                (_, Token::End) => return Ok(None),
                (_, Token::Comment(_)) => {}
                token => return Ok(Some(token)),
            }
        }
    }
}

/// After an I/O error there are no more games; after any other error, there
/// may be.
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
