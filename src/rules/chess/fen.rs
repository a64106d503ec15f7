//! The fields of a FEN that all chess games write alike.

use std::str::SplitAsciiWhitespace;

use super::castling::{CastlingRights, FEN_LETTERS, Wing};
use super::fen_error::{FenError, FenNotice};
use super::square::Square;
use crate::fen_fields;
use qirkat_game::Color;
use qirkat_game::text::Excerpt;

/// A FEN that was read, with what had to be corrected.
#[derive(Clone, Debug)]
pub struct ParsedFen<P> {
    /// The position.
    pub position: P,
    /// What had to be corrected, if anything.
    pub notice: Option<FenNotice>,
}

/// The fields of a FEN, taken one after the other, so that the first fault is named first.
pub(crate) struct FenFields<'a>(SplitAsciiWhitespace<'a>);

impl<'a> FenFields<'a> {
    pub fn of(fen: &'a str) -> FenFields<'a> {
        FenFields(fen.split_ascii_whitespace())
    }

    pub fn board<S: Square>(&mut self) -> Result<&'a str, FenError<S>> {
        self.0.next().ok_or(FenError::Empty)
    }

    pub fn side_to_move<S: Square>(&mut self) -> Result<Color, FenError<S>> {
        let side = self.required("side to move")?;
        side.parse().map_err(|_| FenError::SideToMove(Excerpt::of(side)))
    }

    /// A field that has to be there, as text.
    pub fn required<S: Square>(&mut self, name: &'static str) -> Result<&'a str, FenError<S>> {
        self.0.next().ok_or(FenError::MissingField(name))
    }

    /// The last two fields, which may be missing: halfmove clock and fullmove number.
    pub fn clocks<S: Square>(mut self) -> Result<(u16, u16), FenError<S>> {
        let (mut halfmove_clock, mut fullmove_number) = (0, 1);
        if let Some(text) = self.0.next() {
            halfmove_clock = read_clock("halfmove clock", text)?;
        }
        if let Some(text) = self.0.next() {
            fullmove_number = read_clock("fullmove number", text)?.max(1);
        }
        match self.0.next() {
            Some(text) => Err(FenError::TooManyFields(Excerpt::of(text))),
            None => Ok((halfmove_clock, fullmove_number)),
        }
    }
}

/// Reads the first field and hands each piece to `put`. `piece` tells what a letter stands
/// for.
pub(crate) fn read_board<S: Square, P>(
    board: &str,
    piece: impl Fn(char) -> Option<P>,
    mut put: impl FnMut(S, P),
) -> Result<(), FenError<S>> {
    let on_square = |file, rank, piece| put(S::new(file, rank), piece);
    Ok(fen_fields::read_placement([S::FILES, S::RANKS], board, piece, on_square)?)
}

/// Writes the first field: the letters on the squares, ranks from the last down separated
/// by `/`, runs of empty squares as numbers.
pub(crate) fn board_text<S: Square>(letter: impl Fn(S) -> Option<char>) -> String {
    fen_fields::placement_text([S::FILES, S::RANKS], |file, rank| letter(S::new(file, rank)))
}

/// Reads the third field. Rights whose king or rook is not at home are dropped with a
/// notice.
pub(crate) fn read_castling<S: Square>(
    text: &str,
    is_at_home: impl Fn(Color, Wing) -> bool,
) -> Result<(CastlingRights, Option<FenNotice>), FenError<S>> {
    if text == "-" {
        return Ok((CastlingRights::NONE, None));
    }
    let mut given = CastlingRights::NONE;
    let mut kept = CastlingRights::NONE;
    let mut dropped = String::new();
    for letter in text.chars() {
        let known = FEN_LETTERS.into_iter().find(|&(known, ..)| known == letter);
        let Some((_, color, wing)) = known.filter(|&(_, color, wing)| !given.has(color, wing))
        else {
            return Err(FenError::Castling(Excerpt::of(text)));
        };
        given = given.with(color, wing);
        if is_at_home(color, wing) {
            kept = kept.with(color, wing);
        } else {
            dropped.push(letter);
        }
    }
    let notice = (!dropped.is_empty()).then_some(FenNotice::CastlingDropped(dropped));
    Ok((kept, notice))
}

/// Reads one of the two clocks.
fn read_clock<S: Square>(field: &'static str, text: &str) -> Result<u16, FenError<S>> {
    fen_fields::read_clock(text).ok_or_else(|| FenError::Clock { field, text: Excerpt::of(text) })
}
