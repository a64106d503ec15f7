//! A move of any game.

use std::fmt;

use derive_more::From;

use super::name::Variant;
use crate::{alquerque, chesquerque, masonic, of_each_game};

/// A move of one game or another, shown as UCI writes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, From)]
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

impl AnyMove {
    /// The null move as UCI writes it.
    pub const NULL_TEXT: &str = "0000";

    /// The null move: the side to move passes. It is legal nowhere, but people write it in
    /// variations, to show a threat or a plan; [`AnyPosition::behind`](super::AnyPosition::behind)
    /// makes it.
    pub const fn null(variant: Variant) -> AnyMove {
        match variant {
            Variant::Chesquerque => {
                let corner = chesquerque::Point::new(0, 0);
                AnyMove::Chesquerque(chesquerque::Move::new(corner, corner))
            }
            Variant::Masonic => {
                let corner = masonic::Cell::new(0, 0);
                AnyMove::Masonic(masonic::Move::new(corner, corner))
            }
            Variant::Alquerque => AnyMove::Alquerque(alquerque::Move::NULL),
        }
    }

    /// Whether it is the null move.
    pub fn is_null(self) -> bool {
        let variant = match self {
            AnyMove::Chesquerque(_) => Variant::Chesquerque,
            AnyMove::Masonic(_) => Variant::Masonic,
            AnyMove::Alquerque(_) => Variant::Alquerque,
        };
        self == AnyMove::null(variant)
    }
}

impl fmt::Display for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_null() {
            return f.write_str(AnyMove::NULL_TEXT);
        }
        of_each_game!(AnyMove, self, mv => mv.fmt(f))
    }
}

impl fmt::Debug for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
