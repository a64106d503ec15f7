//! The parser: builds a game from its tokens.

use qirkat_game::GameResult;
use qirkat_game::text::Excerpt;

use super::lexer::{MAX_TEXT, Token};
use super::notation::{is_null, is_word, may_be_word, without_signs};
use super::pgn_game::{MoveFault, MoveNumber, PgnError, PgnFault, PgnGame, ReadGame, UnreadPart};
use super::variations::{Span, Variations};
use crate::variant::{AnyPosition, UnknownVariant, Variant};

const MAX_TAGS: usize = 1 << 10;

/// Words in place of a move. They are a comment if no move follows.
struct PendingWords {
    line: u64,
    start: usize,
    fault: PgnFault,
    /// Certainly not a mistyped move.
    is_word: bool,
}

/// A partially read game. After its first fault nothing more is stored, but the reader still looks
/// for its end.
pub(super) struct GameBuilder {
    first_line: u64,
    game: PgnGame,
    variations: Variations,
    /// The tag `FEN` and its line, until the variant is known.
    fen: Option<(u64, String)>,
    /// The text line of each move, from 1.
    move_lines: Vec<u64>,
    result: Option<GameResult>,
    fault: Option<(u64, PgnFault)>,
    pending: Option<PendingWords>,
    /// Whether the tag `Event`, or a truncated tag, was read.
    event_seen: bool,
    in_moves: bool,
    last_line: u64,
    /// The number of open variations, and the line of the outermost.
    pub depth: u64,
    variation_line: u64,
    text_length: usize,
}

impl GameBuilder {
    /// A game that begins on this line.
    pub fn new(first_line: u64) -> GameBuilder {
        let game = PgnGame::default();
        GameBuilder {
            first_line,
            variations: Variations::new(game.start),
            fen: None,
            game,
            move_lines: Vec::new(),
            result: None,
            fault: None,
            pending: None,
            event_seen: false,
            in_moves: false,
            last_line: first_line,
            depth: 0,
            variation_line: 0,
            text_length: 0,
        }
    }

    /// Whether this token belongs to the next game: a tag after moves, or the first tag of another
    /// game after only tags.
    pub fn is_ended_by(&self, token: &Token) -> bool {
        match token {
            Token::End => true,
            Token::Tag { name, .. } => {
                self.in_moves || name == "Event" && (self.fault.is_some() || self.event_seen)
            }
            Token::Bad { tag, .. } => *tag && self.in_moves,
            _ => false,
        }
    }

    pub fn add(&mut self, line: u64, token: Token, span: Span<'_>) {
        // Comments after the result still belong to the game.
        if self.result.is_none() {
            self.last_line = line;
        }
        self.in_moves |= matches!(
            token,
            Token::Symbol(_)
                | Token::MoveNumber
                | Token::Result(_)
                | Token::OpenVariation
                | Token::CloseVariation
        );
        if self.in_moves {
            self.apply_fen();
        }
        if self.pending.is_some() {
            let fault = match &token {
                Token::Result(_) => self.resolve_pending(span, false),
                // These close text, as in `<x>` or `{a {b} c}`: the words before are a comment.
                Token::Bad { fault: PgnFault::Unexpected('}' | '>' | '"'), .. } => {
                    self.resolve_pending(span, true)
                }
                Token::Bad { fault: PgnFault::OpenComment, .. } => None,
                Token::Symbol(text) if !may_be_word(text) => {
                    self.pending.take().map(|words| (words.line, words.fault))
                }
                _ => return,
            };
            self.fault = self.fault.take().or(fault);
        }
        let added = match token {
            Token::OpenVariation => {
                if self.depth == 0 {
                    self.variation_line = line;
                }
                self.depth += 1;
                self.variations.open(line, span.start);
                Ok(())
            }
            Token::CloseVariation => self.close_variation(line, span),
            Token::Bad { fault: PgnFault::OpenComment, .. } => Err(PgnFault::OpenComment),
            _ if self.fault.is_some() => Ok(()),
            Token::Bad { fault, tag } => {
                let text = &span.text[span.start..];
                self.event_seen |= tag && (text.starts_with(b"[Event") || !text.ends_with(b"]"));
                self.add_stray(line, span, fault)
            }
            Token::Tag { name, value } => self.add_tag(line, span, name, value),
            Token::MoveNumber => {
                self.variations.add_number(span.start);
                Ok(())
            }
            Token::Symbol(text) => self.add_symbol(line, span, &text),
            Token::Comment(text) if !text.is_empty() => {
                self.variations.add_comment(&text);
                self.count_text(text.len() + 1)
            }
            Token::Nag(nag) => self.add_nag(nag),
            Token::Result(result) if self.depth == 0 => self.add_result(result),
            // A variation has no result, but an annotator may have marked it as winning.
            Token::Result(result) => {
                self.variations.add_comment(result.text());
                self.count_text(result.text().len() + 1)
            }
            Token::Comment(_) | Token::End => Ok(()),
        };
        if let Err(fault) = added {
            self.fault.get_or_insert((line, fault));
        }
    }

    fn close_variation(&mut self, line: u64, span: Span<'_>) -> Result<(), PgnFault> {
        let Some(depth) = self.depth.checked_sub(1) else {
            return self.add_stray(line, span, PgnFault::CloseVariation);
        };
        self.depth = depth;
        let length = self.variations.close(span);
        self.count_text(length)
    }

    /// Keeps an unexpected token as a comment.
    fn add_stray(&mut self, line: u64, span: Span<'_>, fault: PgnFault) -> Result<(), PgnFault> {
        let length = self.variations.add_stray(line, &span.text[span.start..], fault);
        self.count_text(length)
    }

    /// Keeps a word after the result as a comment.
    pub fn add_word(&mut self, line: u64, span: Span<'_>) {
        if self.fault.is_none()
            && let Err(fault) = self.add_stray(line, span, PgnFault::Words)
        {
            self.fault = Some((line, fault));
        }
    }

    /// Decides whether the stray words before this span are a comment or a fault.
    fn resolve_pending(&mut self, span: Span<'_>, is_comment: bool) -> Option<(u64, PgnFault)> {
        let pending = self.pending.take()?;
        let is_game = !self.game.tags.is_empty() || !self.variations.main().moves.is_empty();
        if !(is_comment || pending.is_word && is_game) {
            return Some((pending.line, pending.fault));
        }
        let words = Span { text: &span.text[..span.start], start: pending.start };
        let added = self.add_stray(pending.line, words, PgnFault::Words);
        added.err().map(|fault| (pending.line, fault))
    }

    fn add_symbol(&mut self, line: u64, span: Span<'_>, text: &str) -> Result<(), PgnFault> {
        let (word, start) = (text, span.start);
        let (text, nags) = without_signs(text);
        if is_null(&text) && self.depth == 0 && self.begin_with_null() {
            return Ok(());
        }
        match self.variations.add_move(line, start, &text) {
            Err(fault @ PgnFault::Move { fault: MoveFault::Malformed, .. })
                if may_be_word(word) =>
            {
                self.pending = Some(PendingWords { line, start, fault, is_word: is_word(word) });
                return Ok(());
            }
            added => added?,
        }
        if self.move_lines.len() < self.variations.main().moves.len() {
            self.move_lines.push(line);
        }
        nags.into_iter().try_for_each(|nag| self.add_nag(nag))
    }

    /// If a game begins with a null move, the other side begins.
    fn begin_with_null(&mut self) -> bool {
        if !self.variations.main().moves.is_empty() {
            return false;
        }
        let Ok(passed) = self.game.start.after_null_move() else { return false };
        let comment = format!("{} --", MoveNumber::of(&self.game.start));
        self.start_from(passed);
        self.variations.add_comment(&comment);
        true
    }

    fn add_nag(&mut self, nag: u8) -> Result<(), PgnFault> {
        self.variations.add_nag(nag);
        self.count_text(1)
    }

    fn add_tag(
        &mut self,
        line: u64,
        span: Span<'_>,
        name: String,
        value: String,
    ) -> Result<(), PgnFault> {
        if self.game.tag(&name).is_some() {
            return self.add_stray(line, span, PgnFault::TagTwice(Excerpt::of(&name)));
        }
        self.event_seen |= name == "Event";
        if name == "Variant" {
            let variant: Variant =
                value.parse().map_err(|UnknownVariant| PgnFault::Variant(Excerpt::of(&value)))?;
            self.start_from(variant.start());
        }
        if name == "FEN" {
            self.fen = Some((line, value.clone()));
        }
        self.count_text(name.len() + value.len())?;
        if self.game.tags.len() == MAX_TAGS {
            return Err(PgnFault::TooLong);
        }
        self.game.tags.push((name, value));
        Ok(())
    }

    /// Sets the starting position, now that all tags are read.
    fn apply_fen(&mut self) {
        let Some((line, fen)) = self.fen.take() else { return };
        match self.game.start.variant().read_fen(&fen) {
            Ok(parsed) => self.start_from(parsed.position),
            Err(error) => {
                self.fault.get_or_insert((line, PgnFault::Fen(error)));
            }
        }
    }

    fn start_from(&mut self, start: AnyPosition) {
        self.game.start = start;
        self.variations.start_from(start);
    }

    /// Counts text towards [`MAX_TEXT`].
    fn count_text(&mut self, length: usize) -> Result<(), PgnFault> {
        self.text_length += length;
        if self.text_length >= MAX_TEXT { Err(PgnFault::TooLong) } else { Ok(()) }
    }

    fn add_result(&mut self, result: GameResult) -> Result<(), PgnFault> {
        self.result = Some(result);
        if self.game.tags.is_empty() && self.variations.main().moves.is_empty() {
            return Err(PgnFault::ResultAlone);
        }
        Ok(())
    }

    /// The game, which ends before this span, or its first fault.
    pub fn finish(mut self, number: u64, span: Span<'_>) -> Result<ReadGame, PgnError> {
        self.apply_fen();
        let fault = self.resolve_pending(span, false);
        self.fault = self.fault.take().or(fault);
        if self.depth > 0 {
            self.fault.get_or_insert((self.variation_line, PgnFault::OpenVariation));
        }
        if let Some((line, fault)) = self.fault {
            return Err(PgnError::Game { game: number, line, fault });
        }
        let tag = self.game.tag("Result").map(str::trim);
        let tagged = tag.and_then(GameResult::parse);
        let result = self.result.or(tagged).unwrap_or(GameResult::Unfinished);
        // The tag will be written from the result.
        let other = tag.filter(|tag| !["", "?", "*"].contains(tag));
        if let Some(other) = other.filter(|_| tagged != Some(result)) {
            self.variations
                .add_opening_comment(&format!("[Result \"{}\"]", other.replace("[%", "[ %")));
        }
        self.game.result = result;
        let (main, unread) = self.variations.finish();
        // Without any content it is not a game.
        if self.game.tags.is_empty()
            && main.moves.is_empty()
            && let Some(UnreadPart { line, fault }) =
                unread.first().filter(|unread| !unread.is_in_variation())
        {
            let (line, fault) = (*line, fault.clone());
            return Err(PgnError::Game { game: number, line, fault });
        }
        self.game.moves = main.moves;
        self.game.opening_comment = main.opening_comment;
        Ok(ReadGame {
            game: self.game,
            number,
            line: self.first_line,
            last_line: self.last_line,
            move_lines: self.move_lines,
            unread,
            written_result: self.result,
        })
    }
}
