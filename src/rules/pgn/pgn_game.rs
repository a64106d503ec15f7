//! A game record: tags, moves, comments, result; where it is in the file, and faults.

use std::io;

use derive_more::Display;
use qirkat_game::text::Excerpt;
use qirkat_game::{Color, GameResult, Rules, SanError};
use thiserror::Error;

use super::Notation;
use crate::fen::FenError;
use crate::variant::{AnyGame, AnyMove, AnyMoveTextError, AnyPosition, UnknownVariant, Variant};

/// The maximum depth of nested variations, far beyond what people can follow.
pub const DEEPEST_VARIATION: usize = 16;

/// A game with everything that PGN records. Its text is in algebraic notation and ends with a blank
/// line, so that games can be concatenated; it has the moves up to the first illegal one.
///
/// ```
/// use qirkat_rules::chesquerque::Game;
/// use qirkat_rules::pgn::PgnGame;
///
/// let mut game = Game::default();
/// game.play_text("e4")?;
/// let mut record = PgnGame::from_position(*game.start());
/// record.set_tag("White", "Ann");
/// record.moves = game.moves().iter().map(|&mv| mv.into()).collect();
/// assert!(record.to_string().ends_with("1. e4 *\n\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Display)]
#[display("{}", self.written_in(Notation::San))]
pub struct PgnGame {
    /// Names and values in order, such as `White` and `Qirkat`. Tags that follow from the other
    /// fields (`Result`, `Variant`, `SetUp`, `FEN`) are optional: they are added when the game is
    /// written.
    pub tags: Vec<(String, String)>,
    pub start: AnyPosition,
    /// The comment before the first move, without braces.
    pub opening_comment: Option<String>,
    /// The moves, all legal.
    pub moves: Vec<PgnMove>,
    pub result: GameResult,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnMove {
    /// The move. In a variation it may be the [null move](AnyMove::null).
    pub mv: AnyMove,
    /// Numeric annotation glyphs (NAG): 1 for `!`, 2 for `?`. The reader keeps numbers above 255,
    /// which PGN does not define, in the comment.
    pub nags: Vec<u8>,
    /// The comment after it, without braces.
    pub comment: Option<String>,
    /// The comment before it, without braces, if it is the first move of a variation.
    pub starting_comment: Option<String>,
    /// Alternatives to this move, written after it.
    pub variations: Vec<Vec<PgnMove>>,
}

impl<M: Into<AnyMove>> From<M> for PgnMove {
    fn from(mv: M) -> PgnMove {
        PgnMove {
            mv: mv.into(),
            nags: Vec::new(),
            comment: None,
            starting_comment: None,
            variations: Vec::new(),
        }
    }
}

impl PgnGame {
    /// A game without tags, moves and result.
    pub fn from_position(start: impl Into<AnyPosition>) -> PgnGame {
        PgnGame {
            tags: Vec::new(),
            start: start.into(),
            opening_comment: None,
            moves: Vec::new(),
            result: GameResult::Unfinished,
        }
    }

    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its old place or after all others.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.to_owned(), value.into())),
        }
    }

    /// The game after its last move, with all earlier positions. It ends before the first move that
    /// is neither legal nor a possible null move.
    pub fn final_game(&self) -> AnyGame {
        let mut game = AnyGame::from_position(self.start);
        for played in &self.moves {
            if game.position().after_or_null(played.mv).is_none() {
                break;
            }
            game.play(played.mv);
        }
        game
    }
}

impl Default for PgnGame {
    /// A game of Chesquerque from the standard starting position.
    fn default() -> PgnGame {
        PgnGame::from_position(Variant::Chesquerque.start())
    }
}

/// A game and where it is in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadGame {
    /// The game. Its result is the one after the moves, or else the one in the tag.
    pub game: PgnGame,
    /// The number of the game in its file, from 1.
    pub number: u64,
    /// Its first line, from 1.
    pub line: u64,
    /// The text line of each move, from 1.
    pub move_lines: Vec<u64>,
    /// Unreadable parts that do not make the game faulty; they are kept as comments.
    pub unread: Vec<UnreadPart>,
    /// The result after the moves.
    pub written_result: Option<GameResult>,
    /// The line of that result, otherwise the last line of the game.
    pub last_line: u64,
}

/// A variation that could not be read completely, a faulty tag, or stray text. The rest of a
/// variation is kept in the game as a comment, `[unread: ...]`, after its last valid move; anything
/// else is kept unchanged.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {}{fault}", self.place())]
pub struct UnreadPart {
    /// The line of the fault, from 1.
    pub line: u64,
    pub fault: PgnFault,
}

impl UnreadPart {
    /// Where the fault is, as a prefix for its message: in a variation, or by default in the game.
    pub fn place(&self) -> &'static str {
        if self.is_in_variation() { "variation: " } else { "" }
    }

    pub(super) const fn is_in_variation(&self) -> bool {
        matches!(self.fault, PgnFault::Move { .. } | PgnFault::NothingToReplace | PgnFault::TooDeep)
    }
}

#[derive(Debug, Error)]
pub enum PgnError {
    /// This game is faulty; the next one can still be read.
    #[error("game {game}, line {line}: {fault}")]
    Game { game: u64, line: u64, fault: PgnFault },
    #[error(transparent)]
    Io(#[from] io::Error),
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PgnFault {
    #[error("tag is not of the form [Name \"value\"]")]
    Tag,
    #[error("tag {0} occurs twice")]
    TagTwice(Excerpt),
    #[error("variant `{0}` is {UnknownVariant}")]
    Variant(Excerpt),
    #[error("FEN tag: {0}")]
    Fen(FenError),
    #[error("comment is not closed before the next [Event] or the end of the text")]
    OpenComment,
    #[error("variation is not closed")]
    OpenVariation,
    #[error("`)` closes nothing")]
    CloseVariation,
    #[error("there is no move before it that it could replace")]
    NothingToReplace,
    #[error("nested more than {DEEPEST_VARIATION} deep")]
    TooDeep,
    #[error("unexpected `{}`", .0.escape_debug())]
    Unexpected(char),
    #[error("result without a game")]
    ResultAlone,
    #[error("move {number} {text}: {fault}")]
    Move { number: MoveNumber, text: Excerpt, fault: MoveFault },
    #[error("text in place of a move")]
    Words,
    #[error("game is too long")]
    TooLong,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum MoveFault {
    #[error("not a move in algebraic notation")]
    Malformed,
    #[error("not a legal move here")]
    Illegal,
    #[error("could mean several moves")]
    Ambiguous,
}

impl From<AnyMoveTextError> for MoveFault {
    fn from(error: AnyMoveTextError) -> MoveFault {
        match error {
            AnyMoveTextError::Malformed(_) | AnyMoveTextError::San(SanError::Malformed(_)) => {
                MoveFault::Malformed
            }
            AnyMoveTextError::Illegal(_) | AnyMoveTextError::San(SanError::Illegal(_)) => {
                MoveFault::Illegal
            }
            AnyMoveTextError::San(SanError::Ambiguous(_)) => MoveFault::Ambiguous,
        }
    }
}

/// The number of a move: `12.`, or `12...` for Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display)]
#[display("{number}{}", if *color == Color::White { "." } else { "..." })]
pub struct MoveNumber {
    number: u16,
    color: Color,
}

impl MoveNumber {
    /// The number of the next move in this position.
    pub fn of(position: &AnyPosition) -> MoveNumber {
        MoveNumber { number: position.fullmove_number(), color: position.side_to_move() }
    }
}

/// The commands of a comment, with their brackets, and the remaining words.
pub fn split_comment(comment: &str) -> (Vec<&str>, String) {
    let (mut commands, mut words) = (Vec::new(), String::new());
    let mut rest = comment;
    while let Some(start) = rest.find("[%") {
        let Some(length) = rest[start..].find(']') else { break };
        words.push_str(&rest[..start]);
        commands.push(&rest[start..=start + length]);
        rest = &rest[start + length + 1..];
    }
    words.push_str(rest);
    (commands, words.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The value of a command such as `[%clk 0:01:02]`, if it has this name.
pub fn command_value<'a>(command: &'a str, name: &str) -> Option<&'a str> {
    let inside = command.strip_prefix("[%")?.strip_suffix(']')?;
    let value = inside.strip_prefix(name)?;
    (value.is_empty() || value.starts_with(' ')).then(|| value.trim())
}

/// An engine's note on its move in a match: `book`, or score, depth and time as in `+0.26/12 0.5s`,
/// possibly with more as in `, n=1234`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineNote<'a> {
    pub text: &'a str,
    /// The score for the side that moved, as written.
    pub score: Option<&'a str>,
    pub depth: u16,
}

impl<'a> EngineNote<'a> {
    /// The note at the start of the words, and the rest.
    pub fn read(words: &'a str) -> Option<(EngineNote<'a>, &'a str)> {
        let mut pieces = words.split(", ");
        let first = pieces.next()?;
        let (score, depth) = note_of_search(first)?;
        let details = pieces.take_while(|piece| is_detail(piece));
        let length = details.fold(first.len(), |length, piece| length + ", ".len() + piece.len());
        let (text, rest) = words.split_at(length);
        let rest = rest.strip_prefix(", ").unwrap_or(rest);
        Some((EngineNote { text, score, depth }, rest))
    }
}

/// Score and depth of `book`, `+0.26/12 0.5s`, `+M3/7` or `0.5s`.
fn note_of_search(text: &str) -> Option<(Option<&str>, u16)> {
    let is_time = |text: &str| {
        let number = text.strip_suffix('s').unwrap_or_default();
        number.starts_with(|first: char| first.is_ascii_digit()) && number.parse::<f64>().is_ok()
    };
    if text == "book" || is_time(text) {
        return Some((None, 0));
    }
    let (search, time) = text.split_once(' ').unwrap_or((text, ""));
    let (score, depth) = search.split_once('/')?;
    let unsigned = score.strip_prefix(['+', '-']).unwrap_or(score);
    let number = unsigned.strip_prefix(['M', '#']).unwrap_or(unsigned);
    let is_score = number.starts_with(|first: char| first.is_ascii_digit())
        && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    // `1/2` alone is not a score.
    let is_signed = unsigned != score || score.contains('.');
    let is_surely_score = is_score && (is_signed || !time.is_empty());
    (is_surely_score && (time.is_empty() || is_time(time)))
        .then_some((Some(score), depth.parse().ok()?))
}

fn is_detail(text: &str) -> bool {
    let is_word = |text: &str| !text.is_empty() && !text.contains(' ');
    text.split_once('=').is_some_and(|(name, value)| is_word(name) && is_word(value))
}
