//! FEN of all games: errors, and the fields that the games share.

use derive_more::Display;
use qirkat_game::Color;
use qirkat_game::text::{Excerpt, counted};
use thiserror::Error;

use crate::variant::name::Place;

/// The highest value of a clock, in a FEN or while counting moves.
pub(crate) const MAX_CLOCK: u16 = 9999;

#[derive(Clone, Debug)]
pub struct ParsedFen<P> {
    pub position: P,
    pub notice: Option<FenNotice>,
}

/// A correction of a FEN.
#[derive(Clone, PartialEq, Eq, Debug, Display)]
pub enum FenNotice {
    /// These castling letters were dropped: king or rook is not on its home square.
    #[display("castling: `{_0}` dropped, king or rook is not at home")]
    CastlingDropped(String),
    /// These one or two forbidden steps of Alquerque were dropped: no man could make them.
    #[display("forbidden step: `{_0}` dropped, impossible as the board stands")]
    StepsDropped(String),
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    #[error("FEN is empty")]
    Empty,
    #[error("FEN field `{0}` is missing")]
    MissingField(&'static str),
    #[error("FEN has more than six fields: unexpected `{0}`")]
    TooManyFields(Excerpt),
    #[error("board: {} instead of {expected}", counted(*.ranks as u64, "rank"))]
    RankCount { ranks: usize, expected: u8 },
    /// A rank that is too short or too long.
    #[error("board: rank {rank} has {} instead of {expected}", counted(*.width as u64, name))]
    RankWidth {
        /// Counted from 1, as on the board.
        rank: u8,
        width: usize,
        expected: u8,
        /// The game's name for a square.
        name: &'static str,
    },
    #[error("board: unknown letter `{}` in rank {rank}", .letter.escape_default())]
    UnknownLetter {
        letter: char,
        /// Counted from 1, as on the board.
        rank: u8,
    },
    #[error("board: {color:?} has {count} kings instead of 1")]
    Kings { color: Color, count: u32 },
    #[error("board: pawn on {0}, on the first or last rank")]
    PawnOnLastRank(Place),
    #[error("side to move: `{0}` is neither `w` nor `b`")]
    SideToMove(Excerpt),
    #[error("side to move: {0:?} is in check, but it is not its turn")]
    OpponentInCheck(Color),
    #[error("castling: `{0}` is neither `-` nor made of `KQkq`")]
    Castling(Excerpt),
    #[error("en passant: `{text}` is neither `-` nor a {name}")]
    EnPassant { text: Excerpt, name: &'static str },
    #[error("en passant: no pawn can just have passed over {0}")]
    ImpossibleEnPassant(Place),
    #[error("{field}: `{text}` is neither `-` nor a step sideways such as `d3c3`")]
    ForbiddenStep { field: &'static str, text: Excerpt },
    #[error("{field}: `{text}` is not a number from 0 to {}", MAX_CLOCK)]
    Clock { field: &'static str, text: Excerpt },
}

/// Reads the piece placement on a board of `files` and `ranks`, and calls `put` for each piece with
/// its file and rank from 0. `piece` parses a letter, `name` is the game's name for a square.
pub fn read_placement<P>(
    [files, ranks]: [u8; 2],
    name: &'static str,
    text: &str,
    piece: impl Fn(char) -> Option<P>,
    mut put: impl FnMut(u8, u8, P),
) -> Result<(), FenError> {
    let count = text.split('/').count();
    if count != usize::from(ranks) {
        return Err(FenError::RankCount { ranks: count, expected: ranks });
    }
    for (text, rank) in text.split('/').zip((0..ranks).rev()) {
        let mut width = 0;
        for letter in text.chars() {
            if let Some(run) = letter.to_digit(10).filter(|&run| run > 0) {
                width += run as usize;
            } else if let Some(piece) = piece(letter) {
                if width < usize::from(files) {
                    put(width as u8, rank, piece);
                }
                width += 1;
            } else {
                return Err(FenError::UnknownLetter { letter, rank: rank + 1 });
            }
        }
        if width != usize::from(files) {
            return Err(FenError::RankWidth { rank: rank + 1, width, expected: files, name });
        }
    }
    Ok(())
}

/// Writes the piece placement: the letters of the pieces by file and rank from 0, ranks from the
/// last down separated by `/`, runs of empty points as numbers.
pub fn placement_text([files, ranks]: [u8; 2], letter: impl Fn(u8, u8) -> Option<char>) -> String {
    let ranks = (0..ranks).rev().map(|rank| -> String {
        let letters: Vec<Option<char>> = (0..files).map(|file| letter(file, rank)).collect();
        let runs = letters.chunk_by(|a, b| a.is_none() && b.is_none());
        runs.filter_map(|run| run[0].or(char::from_digit(run.len() as u32, 10))).collect()
    });
    ranks.collect::<Vec<_>>().join("/")
}

pub(crate) fn required<'a>(
    fields: &mut impl Iterator<Item = &'a str>,
    name: &'static str,
) -> Result<&'a str, FenError> {
    fields.next().ok_or(FenError::MissingField(name))
}

pub(crate) fn read_side<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<Color, FenError> {
    let side = required(fields, "side to move")?;
    side.parse().map_err(|_| FenError::SideToMove(Excerpt::of(side)))
}

/// Reads the last two fields, halfmove clock and fullmove number, which may be missing: only
/// digits, up to [`MAX_CLOCK`].
pub(crate) fn read_clocks<'a>(
    fields: &mut impl Iterator<Item = &'a str>,
) -> Result<(u16, u16), FenError> {
    let mut clock = |field, missing| {
        let Some(text) = fields.next() else { return Ok(missing) };
        let has_digits_only = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|&number| has_digits_only && number <= MAX_CLOCK);
        number.ok_or_else(|| FenError::Clock { field, text: Excerpt::of(text) })
    };
    let clocks = (clock("halfmove clock", 0)?, clock("fullmove number", 1)?.max(1));
    match fields.next() {
        Some(text) => Err(FenError::TooManyFields(Excerpt::of(text))),
        None => Ok(clocks),
    }
}
