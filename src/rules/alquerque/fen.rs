//! Positions as text: FEN with five ranks of five points, and with the forbidden steps in place of
//! castling and en passant.

use std::fmt;
use std::str::FromStr;

use qirkat_game::text::Excerpt;
use qirkat_game::{Color, Key};

use super::chain::{ForbiddenStep, Move};
use super::point::{Bitboard, Point};
use super::position::Position;
use crate::fen::{
    FenError, FenNotice, ParsedFen, placement_text, read_clocks, read_placement, read_side,
    required,
};
use crate::picture::Picture;
use crate::variant::Variant;

const FORBIDDEN_NOW: &str = "forbidden step";
const FORBIDDEN_NEXT: &str = "other side's forbidden step";

impl Position {
    /// Reads a FEN. The two clocks may be missing. A side may have any number of men; without men
    /// it has lost when it is to move.
    ///
    /// # Errors
    /// When a field is missing or malformed.
    pub fn from_fen(fen: &str) -> Result<ParsedFen<Position>, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let board = fields.next().ok_or(FenError::Empty)?;
        let mut position = Position {
            men: read_board(board)?,
            key: Key::default(),
            halfmove_clock: 0,
            fullmove_number: 1,
            side_to_move: Color::White,
            forbidden: [None; 2],
        };
        position.side_to_move = read_side(&mut fields)?;
        let mut dropped = Vec::new();
        let us = position.side_to_move;
        for (field, color) in [(FORBIDDEN_NOW, us), (FORBIDDEN_NEXT, !us)] {
            let text = required(&mut fields, field)?;
            let step = read_step(field, text)?;
            let kept = position.if_possible(color, step);
            if kept != step {
                dropped.push(text);
            }
            position.forbidden[color.index()] = kept;
        }
        (position.halfmove_clock, position.fullmove_number) = read_clocks(&mut fields)?;
        position.key = position.key_from_scratch();
        let notice = (!dropped.is_empty()).then(|| FenNotice::StepsDropped(dropped.join(" ")));
        Ok(ParsedFen { position, notice })
    }

    /// The position as FEN, always with all six fields.
    pub fn fen(&self) -> String {
        self.to_string()
    }
}

fn read_board(board: &str) -> Result<[Bitboard; 2], FenError> {
    let mut men = [Bitboard::EMPTY; 2];
    let color = |read: char| Color::ALL.into_iter().find(|&color| letter(color) == read);
    let put = |file, rank, color: Color| men[color.index()] |= Point::new(file, rank).bit();
    read_placement([Point::FILES, Point::RANKS], "point", board, color, put)?;
    Ok(men)
}

fn read_step(field: &'static str, text: &str) -> Result<Option<ForbiddenStep>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let step = Move::parse(text)
        .filter(|mv| !mv.is_jump())
        .and_then(|mv| ForbiddenStep::between(mv.from(), mv.to()));
    match step {
        Some(step) => Ok(Some(step)),
        None => Err(FenError::ForbiddenStep { field, text: Excerpt::of(text) }),
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position, FenError> {
        Ok(Position::from_fen(fen)?.position)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let man = |file, rank| self.man_on(Point::new(file, rank)).map(letter);
        let us = self.side_to_move;
        write!(f, "{} {us}", placement_text([Point::FILES, Point::RANKS], man))?;
        for color in [us, !us] {
            match self.forbidden_step(color) {
                Some(step) => write!(f, " {step}")?,
                None => f.write_str(" -")?,
            }
        }
        write!(f, " {} {}", self.halfmove_clock, self.fullmove_number)
    }
}

impl Position {
    /// The board as text, rank 5 on top. Lines join the points as on the real board; empty diagonal
    /// points are `*`, empty plain points `+`.
    pub fn picture(&self) -> Picture<'_> {
        Picture::new(Variant::Alquerque, |file, rank| {
            self.man_on(Point::new(file, rank)).map(letter)
        })
    }

    /// The board drawn wider, with a caption under each point.
    pub fn captioned_picture<'a>(
        &'a self,
        caption: impl Fn(Point) -> Option<String> + 'a,
    ) -> Picture<'a> {
        self.picture().with_captions(move |file, rank| caption(Point::new(file, rank)))
    }
}

pub(super) const fn letter(color: Color) -> char {
    match color {
        Color::White => 'M',
        Color::Black => 'm',
    }
}
