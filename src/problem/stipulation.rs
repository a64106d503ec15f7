//! The stipulation of a problem, written as in Popeye: `#2`, `s#3`, `h#2.5`, `ser-h=4`.

use std::str::FromStr;

use derive_more::Display;
use thiserror::Error;

use qirkat_game::text::Excerpt;

pub const MAX_MOVES: u8 = 64;

/// How the sides play for the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Genre {
    /// The side to move reaches the goal, whatever the replies: `#n`, `=n`.
    Direct,
    /// The side to move forces the other to reach it: `s#n`.
    SelfMate,
    /// The same, where a side that can reach it at once must do so: `r#n`.
    Reflex,
    /// The same, where only the other side must do so: `semi-r#n`.
    SemiReflex,
    /// Both cooperate, and the side with the last move reaches it: `h#n`.
    Help,
    /// The side to move makes `n` moves in a row, of which only the last may give check, then the
    /// other side reaches the goal in one: `ser-h#n`.
    SeriesHelp,
    /// The side to move makes `n` moves in a row, of which the last reaches the goal: `ser-#n`.
    Series,
}

/// The genres, with what they write before the goal.
const PREFIXES: [(&str, Genre); 7] = [
    ("", Genre::Direct),
    ("s", Genre::SelfMate),
    ("r", Genre::Reflex),
    ("semi-r", Genre::SemiReflex),
    ("h", Genre::Help),
    ("ser-h", Genre::SeriesHelp),
    ("ser-", Genre::Series),
];

/// What the last move does to the side to move after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Goal {
    Mate,
    Stalemate,
}

/// What is to be reached, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Aim {
    pub genre: Genre,
    pub goal: Goal,
}

impl Aim {
    pub const DIRECT_MATE: Aim = Aim { genre: Genre::Direct, goal: Goal::Mate };
    pub const SELF_MATE: Aim = Aim { genre: Genre::SelfMate, goal: Goal::Mate };
    pub const HELP_MATE: Aim = Aim { genre: Genre::Help, goal: Goal::Mate };

    /// Whether the side to move forces the goal: the solutions are keys, otherwise whole lines.
    pub const fn is_forced(self) -> bool {
        !matches!(self.genre, Genre::Help) && !self.is_series()
    }

    pub(super) const fn is_series(self) -> bool {
        matches!(self.genre, Genre::SeriesHelp | Genre::Series)
    }

    /// Whether the side to move forces the other to reach the goal.
    pub(super) const fn is_for_other(self) -> bool {
        matches!(self.genre, Genre::SelfMate | Genre::Reflex | Genre::SemiReflex)
    }

    /// Whether the attacker or the defender must reach the goal where it can.
    pub(super) const fn obliges(self, attacks: bool) -> bool {
        match self.genre {
            Genre::Reflex => true,
            Genre::SemiReflex => !attacks,
            _ => false,
        }
    }

    /// Whether the other side passes after a move that leaves this many plies.
    pub(super) const fn passes(self, left: u16) -> bool {
        match self.genre {
            Genre::SeriesHelp => left > 1,
            Genre::Series => true,
            _ => false,
        }
    }

    /// Separates what is stored of one position for different aims.
    pub(super) const fn salt(self) -> u64 {
        self.genre as u64 * 2 + self.goal as u64
    }

    /// The EPD opcode: `dm`, `sm` or `hm`, otherwise `stip`.
    pub const fn opcode(self) -> &'static str {
        match self {
            Aim::DIRECT_MATE => "dm",
            Aim::SELF_MATE => "sm",
            Aim::HELP_MATE => "hm",
            _ => "stip",
        }
    }

    fn prefix(self) -> String {
        let genre = PREFIXES.iter().find(|(_, genre)| *genre == self.genre);
        let goal = if self.goal == Goal::Mate { '#' } else { '=' };
        format!("{}{goal}", genre.map_or("", |(prefix, _)| prefix))
    }
}

/// A problem's aim and number of moves.
///
/// ```
/// use qirkat_problem::{Aim, Stipulation};
///
/// let stipulation: Stipulation = "h#2.5".parse()?;
/// assert_eq!((stipulation.aim(), stipulation.plies()), (Aim::HELP_MATE, 5));
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
    /// Whether a help problem begins with a move of the side that reaches the goal.
    has_half_move: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}`{1}")]
pub struct StipulationError(Excerpt, &'static str);

const MALFORMED: &str = " is no stipulation such as `#2`, `=2`, `s#3`, `r#2`, `h#2.5` or `ser-h#3`";
const NO_HALF_MOVE: &str = ": only help problems have half a move";
const MOVES: &str = ": a stipulation has 1 to 64 moves";

impl Stipulation {
    /// A stipulation of this many moves, in help play of each side; none if the number is out of
    /// range.
    pub fn new(aim: Aim, moves: u8) -> Option<Stipulation> {
        let is_possible = (1..=MAX_MOVES).contains(&moves);
        is_possible.then_some(Stipulation { aim, moves, has_half_move: false })
    }

    pub const fn aim(self) -> Aim {
        self.aim
    }

    /// Whole moves: of the side to move, or in help play pairs of moves.
    pub const fn moves(self) -> u8 {
        self.moves
    }

    /// Plies up to the goal, if it takes all moves. A pass in series play is none.
    pub const fn plies(self) -> u16 {
        let moves = self.moves as u16;
        match self.aim.genre {
            Genre::Direct => 2 * moves - 1,
            Genre::SelfMate | Genre::Reflex | Genre::SemiReflex => 2 * moves,
            Genre::Help => 2 * moves + self.has_half_move as u16,
            Genre::SeriesHelp => moves + 1,
            Genre::Series => moves,
        }
    }

    /// The possible lengths in plies of the lines of help and series play, in which the same side
    /// reaches the goal.
    pub(super) fn lengths(self) -> impl Iterator<Item = u16> {
        let (least, step) = match self.aim.genre {
            Genre::SeriesHelp => (2, 1),
            Genre::Series => (1, 1),
            _ => (2 - self.plies() % 2, 2),
        };
        (least..=self.plies()).step_by(step)
    }

    /// The same for lines of this many plies, one of its [`lengths`](Stipulation::lengths).
    pub(super) const fn with_plies(self, plies: u16) -> Stipulation {
        let moves = match self.aim.genre {
            Genre::SeriesHelp => plies - 1,
            Genre::Series => plies,
            _ => plies / 2,
        };
        Stipulation { moves: moves as u8, ..self }
    }

    /// Plies of a line of set play: without the first move, or in series play without the series;
    /// 0 if nothing is left.
    pub(super) const fn set_plies(self) -> u16 {
        match self.aim.genre {
            Genre::SeriesHelp => 1,
            Genre::Series => 0,
            _ => self.plies() - 1,
        }
    }

    /// The same with this many moves.
    pub(super) const fn with_moves(self, moves: u8) -> Stipulation {
        Stipulation { moves, ..self }
    }

    /// The number of moves: `2` or `2.5`.
    fn number(self) -> String {
        let half = if self.has_half_move { ".5" } else { "" };
        format!("{}{half}", self.moves)
    }

    /// What EPD writes after the aim's opcode: the number of moves, after `stip` the stipulation.
    pub fn operand(self) -> String {
        if self.aim.opcode() == "stip" { self.to_string() } else { self.number() }
    }

    fn from_number(aim: Aim, text: &str) -> Result<Stipulation, StipulationError> {
        let error = |what| StipulationError(Excerpt::of(text), what);
        let (whole, half) = text.split_once('.').map_or((text, None), |(a, b)| (a, Some(b)));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        if !is_number(whole) || half.is_some_and(|half| half != "5" && half != "0") {
            return Err(error(MALFORMED));
        }
        let has_half_move = half == Some("5");
        if has_half_move && aim.genre != Genre::Help {
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
        for aim in [Aim::DIRECT_MATE, Aim::SELF_MATE, Aim::HELP_MATE] {
            if let Some(number) = text.strip_prefix(aim.opcode()) {
                return Stipulation::from_number(aim, number.trim());
            }
        }
        let found = text.find(['#', '=']).and_then(|at| {
            let genre = PREFIXES.iter().find(|(prefix, _)| *prefix == &text[..at])?.1;
            let goal = if text[at..].starts_with('#') { Goal::Mate } else { Goal::Stalemate };
            Some(Stipulation::from_number(Aim { genre, goal }, &text[at + 1..]))
        });
        found.unwrap_or_else(|| Err(StipulationError(Excerpt::of(text), MALFORMED)))
    }
}
