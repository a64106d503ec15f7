//! The stipulation of a problem: `#2`, `s#3`, `h#2.5`.

use std::str::FromStr;

use derive_more::Display;
use thiserror::Error;

use qirkat_game::text::Excerpt;

pub const MAX_MOVES: u8 = 64;

/// Who mates whom, and with whose help.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Aim {
    /// The side to move mates, whatever the replies: `#n`.
    DirectMate,
    /// The side to move forces the other to mate it: `s#n`.
    SelfMate,
    /// Both cooperate, and the side with the last move mates: `h#n`.
    HelpMate,
}

impl Aim {
    /// The EPD opcode: `dm`, `sm` or `hm`.
    pub const fn opcode(self) -> &'static str {
        match self {
            Aim::DirectMate => "dm",
            Aim::SelfMate => "sm",
            Aim::HelpMate => "hm",
        }
    }

    const fn prefix(self) -> &'static str {
        match self {
            Aim::DirectMate => "#",
            Aim::SelfMate => "s#",
            Aim::HelpMate => "h#",
        }
    }
}

/// A problem's aim and number of moves.
///
/// ```
/// use qirkat_problem::{Aim, Stipulation};
///
/// let stipulation: Stipulation = "h#2.5".parse()?;
/// assert_eq!((stipulation.aim(), stipulation.plies()), (Aim::HelpMate, 5));
/// assert_eq!(stipulation.to_string(), "h#2.5");
/// // As EPD writes it.
/// assert_eq!("dm 3".parse::<Stipulation>()?.to_string(), "#3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, Hash)]
#[display("{}{}", aim.prefix(), self.number())]
pub struct Stipulation {
    aim: Aim,
    moves: u8,
    /// Whether a helpmate begins with a move of the mating side.
    has_half_move: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}`{1}")]
pub struct StipulationError(Excerpt, &'static str);

const MALFORMED: &str = " is no stipulation such as `#2`, `s#3`, `h#2` or `h#2.5`";
const NO_HALF_MOVE: &str = ": only helpmates have half a move";
const MOVES: &str = ": a stipulation has 1 to 64 moves";

impl Stipulation {
    /// A direct mate or selfmate in this many moves, or a helpmate in this many moves of each side;
    /// none if the number is out of range.
    pub fn new(aim: Aim, moves: u8) -> Option<Stipulation> {
        let is_possible = (1..=MAX_MOVES).contains(&moves);
        is_possible.then_some(Stipulation { aim, moves, has_half_move: false })
    }

    pub const fn aim(self) -> Aim {
        self.aim
    }

    /// Whole moves: of the side to move, or in a helpmate pairs of moves.
    pub const fn moves(self) -> u8 {
        self.moves
    }

    /// Plies up to the mate, if it takes all moves.
    pub const fn plies(self) -> u16 {
        let plies = 2 * self.moves as u16;
        match self.aim {
            Aim::DirectMate => plies - 1,
            Aim::SelfMate => plies,
            Aim::HelpMate => plies + self.has_half_move as u16,
        }
    }

    /// The possible lengths of a helpmate's lines in plies: same parity, so that the same side
    /// mates.
    pub(super) fn lengths(self) -> impl Iterator<Item = u16> {
        (2 - self.plies() % 2..=self.plies()).step_by(2)
    }

    /// The stipulation with this many plies, which must suit its aim.
    pub(super) const fn with_plies(self, plies: u16) -> Stipulation {
        let moves = match self.aim {
            Aim::DirectMate => plies.div_ceil(2),
            Aim::SelfMate | Aim::HelpMate => plies / 2,
        };
        Stipulation { moves: moves as u8, ..self }
    }

    /// The direct mate or selfmate in this many moves.
    pub(super) const fn with_moves(self, moves: u8) -> Stipulation {
        Stipulation { moves, ..self }
    }

    /// The number as in EPD: `2` or `2.5`.
    pub fn number(self) -> String {
        let half = if self.has_half_move { ".5" } else { "" };
        format!("{}{half}", self.moves)
    }

    /// Parses the number of moves for an aim, as in EPD.
    ///
    /// # Errors
    /// If it is not a number, or not possible for the aim.
    pub fn from_number(aim: Aim, text: &str) -> Result<Stipulation, StipulationError> {
        let error = |what| StipulationError(Excerpt::of(text), what);
        let (whole, half) = text.split_once('.').map_or((text, None), |(a, b)| (a, Some(b)));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        if !is_number(whole) || half.is_some_and(|half| half != "5" && half != "0") {
            return Err(error(MALFORMED));
        }
        let has_half_move = half == Some("5");
        if has_half_move && aim != Aim::HelpMate {
            return Err(error(NO_HALF_MOVE));
        }
        let least = u8::from(!has_half_move);
        let moves = whole.parse().ok().filter(|moves| (least..=MAX_MOVES).contains(moves));
        let moves = moves.ok_or_else(|| error(MOVES))?;
        Ok(Stipulation { aim, moves, has_half_move })
    }
}

impl FromStr for Stipulation {
    type Err = StipulationError;

    /// Parses `#2` or, as in EPD, `dm 2`.
    fn from_str(text: &str) -> Result<Stipulation, StipulationError> {
        let text = text.trim();
        // The longer prefixes end in the shorter one.
        [Aim::SelfMate, Aim::HelpMate, Aim::DirectMate]
            .into_iter()
            .find_map(|aim| {
                let number = text.strip_prefix(aim.prefix());
                let number = number.or_else(|| text.strip_prefix(aim.opcode()).map(str::trim));
                number.map(|number| Stipulation::from_number(aim, number))
            })
            .unwrap_or_else(|| Err(StipulationError(Excerpt::of(text), MALFORMED)))
    }
}
