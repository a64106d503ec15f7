//! A move of any game.

use std::fmt;

use derive_more::{Display, From};

use super::name::Variant;
use crate::{alquerque, chesquerque, masonic};

/// A move of one game or another, shown as UCI writes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Display, From)]
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

impl fmt::Debug for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
