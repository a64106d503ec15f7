//! The games by their names.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A game that is played here.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Chess on the lines of four Alquerque boards.
    #[default]
    Chesquerque,
    /// Chess on a board of bricks.
    Masonic,
    /// The old game of jumps.
    Alquerque,
}

impl Variant {
    /// All games, the default first.
    pub const ALL: [Variant; 3] = [Variant::Chesquerque, Variant::Masonic, Variant::Alquerque];

    /// The name in options, as in `UCI_Variant`.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Chesquerque => "chesquerque",
            Variant::Masonic => "masonic",
            Variant::Alquerque => "alquerque",
        }
    }

    /// Its name in full, as in a `Variant` tag of PGN.
    pub const fn title(self) -> &'static str {
        match self {
            Variant::Chesquerque => "Chesquerque",
            Variant::Masonic => "Masonic chess",
            Variant::Alquerque => "Alquerque",
        }
    }

    /// Files, and ranks, of the board.
    pub const fn board_size(self) -> u8 {
        match self {
            Variant::Chesquerque => 9,
            Variant::Masonic => 8,
            Variant::Alquerque => 5,
        }
    }
}

/// The name in options.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name of no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a game played here: chesquerque, masonic or alquerque")]
pub struct UnknownVariant;

/// Reads either name, whatever the case.
///
/// ```
/// use qirkat_rules::variant::Variant;
///
/// assert_eq!("Masonic chess".parse(), Ok(Variant::Masonic));
/// assert_eq!("alquerque".parse(), Ok(Variant::Alquerque));
/// ```
impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(text: &str) -> Result<Variant, UnknownVariant> {
        let text = text.trim();
        let means = |variant: &Variant| {
            [variant.name(), variant.title()].iter().any(|name| name.eq_ignore_ascii_case(text))
        };
        Variant::ALL.into_iter().find(means).ok_or(UnknownVariant)
    }
}
