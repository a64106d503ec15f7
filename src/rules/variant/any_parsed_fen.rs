//! A FEN of any game that was read.

use super::any_position::AnyPosition;
use crate::{alquerque, chesquerque, masonic};

/// A FEN that was read, with what had to be corrected.
#[derive(Clone, Debug)]
pub struct AnyParsedFen {
    /// The position.
    pub position: AnyPosition,
    /// What had to be corrected, if anything.
    pub notice: Option<String>,
}

/// A FEN of one game as one of any.
macro_rules! from_parsed_fen {
    ($($game:ident),*) => {
        $(impl From<$game::ParsedFen> for AnyParsedFen {
            fn from(parsed: $game::ParsedFen) -> AnyParsedFen {
                AnyParsedFen {
                    position: parsed.position.into(),
                    notice: parsed.notice.map(|notice| notice.to_string()),
                }
            }
        })*
    };
}

from_parsed_fen!(chesquerque, masonic, alquerque);
