//! Moves of any game.

use std::fmt;

use derive_more::From;
use qirkat_game::Rules;
use serde::{Deserialize, Serialize};

use super::name::{Place, Variant};
use crate::{alquerque, chesquerque, masonic, match_game, match_variant};

/// A move of any game, displayed as in UCI.
#[derive(Clone, Copy, PartialEq, Eq, Hash, From, Serialize, Deserialize)]
#[serde(into = "(Variant, String)", try_from = "(Variant, String)")]
pub enum AnyMove {
    Chesquerque(chesquerque::Move),
    Masonic(masonic::Move),
    Alquerque(alquerque::Move),
}

impl AnyMove {
    /// Parses a UCI move, which may be illegal.
    pub fn parse(variant: Variant, text: &str) -> Option<AnyMove> {
        match_variant!(variant, Own => <Own as Rules>::Move::parse(text).map(Into::into))
    }

    pub const NULL_TEXT: &str = "0000";

    /// The null move: the side to move passes. It is never legal, but annotators use it in
    /// variations to show a threat or a plan; [`AnyPosition::after_or_null`](super::AnyPosition::after_or_null)
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

    pub const fn variant(self) -> Variant {
        match_game!(AnyMove, self)
    }

    pub fn is_null(self) -> bool {
        self == AnyMove::null(self.variant())
    }

    /// Where it starts and ends.
    pub fn ends(&self) -> (Place, Place) {
        match self {
            AnyMove::Chesquerque(mv) => (mv.from.into(), mv.to.into()),
            AnyMove::Masonic(mv) => (mv.from.into(), mv.to.into()),
            AnyMove::Alquerque(mv) => (mv.from().into(), mv.to().into()),
        }
    }

    /// All visited points, including the start. Only a chain of jumps has more than two.
    pub fn places(&self) -> Vec<Place> {
        match self {
            AnyMove::Alquerque(mv) => mv.points().map(Place::from).collect(),
            _ => <[Place; 2]>::from(self.ends()).into(),
        }
    }

    pub fn promotion(&self) -> Option<char> {
        match_game!(AnyMove, self, mv => mv.promotion.map(|kind| kind.letter()), None)
    }
}

impl From<AnyMove> for (Variant, String) {
    fn from(mv: AnyMove) -> (Variant, String) {
        (mv.variant(), mv.to_string())
    }
}

impl TryFrom<(Variant, String)> for AnyMove {
    type Error = String;

    fn try_from((variant, text): (Variant, String)) -> Result<AnyMove, String> {
        match text.as_str() {
            AnyMove::NULL_TEXT => Ok(AnyMove::null(variant)),
            text => AnyMove::parse(variant, text).ok_or_else(|| format!("`{text}` is not a move")),
        }
    }
}

impl fmt::Display for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_null() {
            return f.write_str(AnyMove::NULL_TEXT);
        }
        match_game!(AnyMove, self, mv => mv.fmt(f))
    }
}

impl fmt::Debug for AnyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
