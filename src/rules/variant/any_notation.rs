//! Positions and moves of any game as text, and what can be wrong with it.

use thiserror::Error;

use super::any_move::AnyMove;
use super::any_position::AnyPosition;
use super::name::Variant;
use crate::{alquerque, chesquerque, masonic, of_each_game};
use qirkat_game::text::Excerpt;
use qirkat_game::{ReadMove, Rules, SanError};

impl Variant {
    /// Reads a FEN of this game.
    ///
    /// # Errors
    /// When a field is missing or malformed, or the position is impossible.
    pub fn read_fen(self, fen: &str) -> Result<AnyParsedFen, AnyFenError> {
        Ok(match self {
            Variant::Chesquerque => chesquerque::Position::from_fen(fen)?.into(),
            Variant::Masonic => masonic::Position::from_fen(fen)?.into(),
            Variant::Alquerque => alquerque::Position::from_fen(fen)?.into(),
        })
    }
}

impl AnyPosition {
    /// Reads a legal move, by its points or in algebraic notation.
    ///
    /// # Errors
    /// When the text is no move, or no legal one.
    pub fn read_move(&self, text: &str) -> Result<AnyMove, AnyMoveTextError> {
        Ok(of_each_game!(AnyPosition, self, position => position.read_move(text)?.into()))
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
        of_each_game!(
            (AnyPosition, AnyMove), (self, mv), (position, mv) => position.why_illegal(mv).map(|reason| reason.to_string()),
            Some(format!("it is not a move of {}", self.variant().title()))
        )
    }

    /// A legal move as people write it: in algebraic notation, or by its points
    /// where there is none. The null move is `--`.
    pub fn san(&self, mv: AnyMove) -> String {
        match (self, mv) {
            _ if mv.is_null() => "--".to_owned(),
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

/// A FEN that was read, with what had to be corrected.
#[derive(Clone, Debug)]
pub struct AnyParsedFen {
    /// The position.
    pub position: AnyPosition,
    /// The correction that was needed, if any.
    pub notice: Option<String>,
}

/// Why a FEN is not a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AnyFenError {
    /// Of Chesquerque.
    #[error(transparent)]
    Chesquerque(#[from] chesquerque::FenError),
    /// Of Masonic chess.
    #[error(transparent)]
    Masonic(#[from] masonic::FenError),
    /// Of Alquerque.
    #[error(transparent)]
    Alquerque(#[from] alquerque::FenError),
}

/// Why a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AnyMoveTextError {
    /// In Chesquerque.
    #[error(transparent)]
    Chesquerque(#[from] chesquerque::MoveTextError),
    /// In Masonic chess.
    #[error(transparent)]
    Masonic(#[from] masonic::MoveTextError),
    /// In Alquerque.
    #[error(transparent)]
    Alquerque(#[from] alquerque::MoveTextError),
}
