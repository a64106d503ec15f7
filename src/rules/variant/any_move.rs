//! A move of any game.

use std::fmt;

use super::name::Variant;
use crate::{alquerque, chesquerque, masonic};

/// A move of one game or another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnyMove {
    /// Of Chesquerque.
    Chesquerque(chesquerque::Move),
    /// Of Masonic chess.
    Masonic(masonic::Move),
    /// Of Alquerque.
    Alquerque(alquerque::Move),
}

impl AnyMove {
    /// Reads a move as UCI writes it. It need not be legal anywhere.
    pub fn parse(variant: Variant, text: &str) -> Option<AnyMove> {
        Some(match variant {
            Variant::Chesquerque => AnyMove::Chesquerque(chesquerque::Move::parse(text)?),
            Variant::Masonic => AnyMove::Masonic(masonic::Move::parse(text)?),
            Variant::Alquerque => AnyMove::Alquerque(alquerque::Move::parse(text)?),
        })
    }
}

/// As UCI writes it.
impl fmt::Display for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyMove::Chesquerque(mv) => mv.fmt(f),
            AnyMove::Masonic(mv) => mv.fmt(f),
            AnyMove::Alquerque(mv) => mv.fmt(f),
        }
    }
}

impl fmt::Debug for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<chesquerque::Move> for AnyMove {
    fn from(mv: chesquerque::Move) -> AnyMove {
        AnyMove::Chesquerque(mv)
    }
}

impl From<masonic::Move> for AnyMove {
    fn from(mv: masonic::Move) -> AnyMove {
        AnyMove::Masonic(mv)
    }
}

impl From<alquerque::Move> for AnyMove {
    fn from(mv: alquerque::Move) -> AnyMove {
        AnyMove::Alquerque(mv)
    }
}
