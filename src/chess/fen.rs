//! The fields of a FEN that all chess games write alike.

use super::castling::{CastlingRights, FEN_LETTERS, Wing};
use super::fen_error::{FenError, FenNotice, MAX_CLOCK};
use super::square::Square;
use crate::game::Color;
use crate::text::Excerpt;

/// A FEN that was read, with what had to be corrected.
#[derive(Clone, Debug)]
pub struct ParsedFen<P> {
    /// The position.
    pub position: P,
    /// What had to be corrected, if anything.
    pub notice: Option<FenNotice>,
}

/// Reads the first field and hands each piece to `put`. `piece` tells what a letter stands
/// for.
pub(crate) fn read_board<S: Square, P>(
    board: &str,
    piece: impl Fn(char) -> Option<P>,
    mut put: impl FnMut(S, P),
) -> Result<(), FenError<S>> {
    let ranks = board.split('/').count();
    if ranks != usize::from(S::RANKS) {
        return Err(FenError::RankCount(ranks));
    }
    for (text, rank) in board.split('/').zip((0..S::RANKS).rev()) {
        let number = usize::from(rank) + 1;
        let mut width = 0;
        for letter in text.chars() {
            if let Some(run) = letter.to_digit(10).filter(|&run| run > 0) {
                width += run as usize;
            } else if let Some(piece) = piece(letter) {
                if width < usize::from(S::FILES) {
                    put(S::new(width as u8, rank), piece);
                }
                width += 1;
            } else {
                return Err(FenError::UnknownLetter { letter, rank: number });
            }
        }
        if width != usize::from(S::FILES) {
            return Err(FenError::RankWidth { rank: number, width });
        }
    }
    Ok(())
}

/// Writes the first field: the letters on the squares, ranks from the last down separated
/// by `/`, runs of empty squares as numbers.
pub(crate) fn board_text<S: Square>(letter: impl Fn(S) -> Option<char>) -> String {
    let ranks = (0..S::RANKS).rev().map(|rank| {
        let mut text = String::new();
        let mut empty = 0;
        let close_run = |text: &mut String, empty: &mut u32| {
            text.extend(char::from_digit(std::mem::take(empty), 10).filter(|&digit| digit != '0'));
        };
        for file in 0..S::FILES {
            match letter(S::new(file, rank)) {
                None => empty += 1,
                Some(letter) => {
                    close_run(&mut text, &mut empty);
                    text.push(letter);
                }
            }
        }
        close_run(&mut text, &mut empty);
        text
    });
    ranks.collect::<Vec<_>>().join("/")
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
pub(crate) fn read_clock<S: Square>(field: &'static str, text: &str) -> Result<u16, FenError<S>> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|&number: &u16| digits && number <= MAX_CLOCK);
    number.ok_or_else(|| FenError::Clock { field, text: Excerpt::of(text) })
}
