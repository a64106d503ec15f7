//! Positions as text: FEN with five ranks of five points, and with the forbidden steps in place of
//! castling and en passant.

use std::fmt;
use std::str::FromStr;

use derive_more::Display;
use qirkat_game::text::{Excerpt, counted};
use qirkat_game::{Color, Key};
use thiserror::Error;

use super::chain::{ForbiddenStep, Move};
use super::point::{Bitboard, Point};
use super::position::Position;
use crate::fen_fields::{self, MAX_CLOCK, PlacementFault};
use crate::lined_board::LinedBoard;

/// Why a text is not a valid FEN, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// The text is empty.
    #[error("FEN is empty")]
    Empty,
    /// A field other than the clocks is missing.
    #[error("FEN field `{0}` is missing")]
    MissingField(&'static str),
    /// Text follows the sixth field.
    #[error("FEN has more than six fields: unexpected `{0}`")]
    TooManyFields(Excerpt),
    /// Not five ranks.
    #[error("board: {} instead of 5", counted(*.0 as u64, "rank"))]
    RankCount(usize),
    /// A rank that is too short or too long.
    #[error("board: rank {rank} has {} instead of 5", counted(*.width as u64, "point"))]
    RankWidth {
        /// Counted from 1, as on the board.
        rank: usize,
        /// The number of points in the text.
        width: usize,
    },
    /// An unknown letter or digit.
    #[error("board: unknown letter `{}` in rank {rank}", .letter.escape_default())]
    UnknownLetter {
        /// The letter.
        letter: char,
        /// Counted from 1, as on the board.
        rank: usize,
    },
    /// Neither `w` nor `b`.
    #[error("side to move: `{0}` is neither `w` nor `b`")]
    SideToMove(Excerpt),
    /// Not a step along a rank.
    #[error("{field}: `{text}` is neither `-` nor a step sideways such as `d3c3`")]
    ForbiddenStep {
        /// Which of the two steps.
        field: &'static str,
        /// The invalid text.
        text: Excerpt,
    },
    /// A clock that is no number, or too large.
    #[error("{field}: `{text}` is not a number from 0 to {}", MAX_CLOCK)]
    Clock {
        /// Which of the two clocks.
        field: &'static str,
        /// The invalid text.
        text: Excerpt,
    },
}

impl From<PlacementFault> for FenError {
    fn from(fault: PlacementFault) -> FenError {
        match fault {
            PlacementFault::RankCount(ranks) => FenError::RankCount(ranks),
            PlacementFault::RankWidth { rank, width } => FenError::RankWidth { rank, width },
            PlacementFault::UnknownLetter { letter, rank } => {
                FenError::UnknownLetter { letter, rank }
            }
        }
    }
}

/// A parsed FEN, with a notice if it was corrected.
#[derive(Clone, Debug)]
pub struct ParsedFen {
    /// The position.
    pub position: Position,
    /// The correction, if any.
    pub notice: Option<FenNotice>,
}

/// A correction of a FEN.
#[derive(Clone, PartialEq, Eq, Debug, Display)]
pub enum FenNotice {
    /// These one or two forbidden steps were dropped, because no man could make them.
    #[display("forbidden step: `{_0}` dropped, impossible as the board stands")]
    StepsDropped(String),
}

const FORBIDDEN_NOW: &str = "forbidden step";
const FORBIDDEN_NEXT: &str = "other side's forbidden step";

impl Position {
    /// Reads a FEN. The two clocks may be missing. A side may have any number of men; without men
    /// it has lost when it is to move.
    ///
    /// # Errors
    /// When a field is missing or malformed.
    pub fn from_fen(fen: &str) -> Result<ParsedFen, FenError> {
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
        let side = fields.next().ok_or(FenError::MissingField("side to move"))?;
        position.side_to_move =
            side.parse().map_err(|_| FenError::SideToMove(Excerpt::of(side)))?;
        let mut dropped = Vec::new();
        let us = position.side_to_move;
        for (field, color) in [(FORBIDDEN_NOW, us), (FORBIDDEN_NEXT, !us)] {
            let text = fields.next().ok_or(FenError::MissingField(field))?;
            let step = read_step(field, text)?;
            let kept = position.if_possible(color, step);
            if kept != step {
                dropped.push(text);
            }
            position.forbidden[color.index()] = kept;
        }
        let fault = |field, text| FenError::Clock { field, text };
        (position.halfmove_clock, position.fullmove_number) =
            fen_fields::read_clocks(&mut fields, fault)?;
        if let Some(text) = fields.next() {
            return Err(FenError::TooManyFields(Excerpt::of(text)));
        }
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
    fen_fields::read_placement([Point::FILES, Point::RANKS], board, color, |file, rank, color| {
        men[color.index()] |= Point::new(file, rank).bit();
    })?;
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
        write!(f, "{} {us}", fen_fields::placement_text([Point::FILES, Point::RANKS], man))?;
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
    pub fn picture(&self) -> LinedBoard<'_> {
        LinedBoard::new(Point::FILES, Point::RANKS, |file, rank| {
            self.man_on(Point::new(file, rank)).map(letter)
        })
    }

    /// The board drawn wider, with a caption under each point.
    pub fn captioned_picture<'a>(
        &'a self,
        caption: impl Fn(Point) -> Option<String> + 'a,
    ) -> LinedBoard<'a> {
        self.picture().with_captions(move |file, rank| caption(Point::new(file, rank)))
    }
}

pub(super) const fn letter(color: Color) -> char {
    match color {
        Color::White => 'M',
        Color::Black => 'm',
    }
}
