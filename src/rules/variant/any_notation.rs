//! Moves of any game as text.

use super::any_move::AnyMove;
use super::any_position::AnyPosition;
use super::each_game::{of_each, with_move};
use super::text_errors::AnyMoveTextError;
use crate::alquerque;
use qirkat_game::text::Excerpt;
use qirkat_game::{ReadMove, Rules, SanError};

impl AnyPosition {
    /// Reads a legal move, by its points or in algebraic notation.
    ///
    /// # Errors
    /// When the text is no move, or no legal one.
    pub fn read_move(&self, text: &str) -> Result<AnyMove, AnyMoveTextError> {
        Ok(of_each!(self, position => position.read_move(text)?.into()))
    }

    /// Reads a legal move in algebraic notation, or by its points where there is
    /// none.
    ///
    /// # Errors
    /// When the text is no move, or no legal one, or could mean several.
    pub fn parse_san(&self, text: &str) -> Result<AnyMove, SanError> {
        match self {
            AnyPosition::Chesquerque(position) => Ok(position.parse_san(text)?.into()),
            AnyPosition::Masonic(position) => Ok(position.parse_san(text)?.into()),
            AnyPosition::Alquerque(position) => match alquerque::Move::parse(text) {
                Some(mv) if position.is_legal(mv) => Ok(mv.into()),
                Some(_) => Err(SanError::Illegal(Excerpt::of(text))),
                None => Err(SanError::Malformed(Excerpt::of(text))),
            },
        }
    }

    /// Why a move is not legal, in words; nothing if it is.
    pub fn why_illegal(&self, mv: AnyMove) -> Option<String> {
        with_move!(
            self, mv,
            (position, mv) => position.why_illegal(mv).map(|reason| reason.to_string()),
            Some(format!("it is not a move of {}", self.variant().title()))
        )
    }

    /// A legal move as people write it: in algebraic notation, or by its points
    /// where there is none.
    pub fn san(&self, mv: AnyMove) -> String {
        match (self, mv) {
            (AnyPosition::Chesquerque(position), AnyMove::Chesquerque(mv)) => position.san(mv),
            (AnyPosition::Masonic(position), AnyMove::Masonic(mv)) => position.san(mv),
            _ => mv.to_string(),
        }
    }

    /// A line of moves as people write them, up to the first that is not legal.
    pub fn san_line(&self, moves: &[AnyMove]) -> Vec<String> {
        let mut position = *self;
        let mut line = Vec::new();
        for &mv in moves {
            if !position.is_legal(mv) {
                break;
            }
            line.push(position.san(mv));
            position.make(mv);
        }
        line
    }
}
