//! The options of `qirkat play`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::shared::options::{GameChoice, SearchResources, time_control};
use qirkat_analysis::casual::{Strength, TimeControl};
use qirkat_engine::{ELO_RANGE, FULL_SKILL};

/// In milliseconds.
const MAX_THINK: i64 = 10 * 60 * 1000;

#[derive(Args)]
pub(crate) struct PlayOptions {
    #[command(flatten)]
    pub game: GameChoice,
    /// The first position; the usual starting position when not given
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Continue a game of this PGN file, with its players, strength and clocks: the last
    /// unfinished one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "variant"])]
    pub load: Option<PathBuf>,
    /// Which game of that file, counted from 1
    #[arg(long, value_name = "N", requires = "load")]
    pub number: Option<u64>,
    /// The side you play; `both` for two people at one board [default: white]
    #[arg(long, value_enum)]
    pub side: Option<Side>,
    /// How well the engine plays, from 0 to 20 [default: 3]
    #[arg(long, value_name = "LEVEL", conflicts_with = "elo", value_parser = clap::value_parser!(u32).range(0..=i64::from(FULL_SKILL)))]
    level: Option<u32>,
    /// The same as a rating
    #[arg(long, value_name = "ELO", value_parser = clap::value_parser!(u32).range(i64::from(ELO_RANGE.0)..=i64::from(ELO_RANGE.1)))]
    elo: Option<u32>,
    /// Clocks: minutes (or minutes:seconds) for each side, and seconds added each move
    #[arg(long, value_name = "MINUTES[+SECONDS]", value_parser = time_control)]
    pub tc: Option<TimeControl>,
    /// Milliseconds that the engine may take for a move without clocks
    #[arg(long, value_name = "MS", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=MAX_THINK))]
    think: u32,
    /// Add each game to this PGN file, with every move as it is made
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Use plain lines of text, for pipes and screen readers; the default if input or
    /// output is not a terminal
    #[arg(long)]
    pub plain: bool,
    /// Draw with ASCII only
    #[arg(long)]
    pub ascii: bool,
    /// How pieces are drawn: as the letters of moves, or as chess symbols, if the font
    /// has them
    #[arg(long, value_enum, default_value_t = Pieces::Letters)]
    pub pieces: Pieces,
    #[command(flatten)]
    pub resources: SearchResources,
}

impl PlayOptions {
    pub fn strength(&self) -> Option<Strength> {
        self.elo.map(Strength::Elo).or(self.level.map(Strength::Level))
    }

    pub fn think(&self) -> Duration {
        Duration::from_millis(self.think.into())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum Side {
    #[default]
    White,
    Black,
    Both,
}

impl Side {
    /// Whether White and Black are people.
    pub fn people(self) -> [bool; 2] {
        match self {
            Side::White => [true, false],
            Side::Black => [false, true],
            Side::Both => [true, true],
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Pieces {
    Letters,
    Symbols,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read() {
        for (text, base, increment) in
            [("5+3", 300_000, 3000), ("1:30+0.5", 90_000, 500), ("0:01", 1000, 0)]
        {
            assert_eq!(time_control(text), Ok(TimeControl { base, increment }), "{text}");
        }
        for text in ["", "x", "0", "5+", "-1", "5+-1", "1e300", "2000", "5+x", "nan"] {
            assert!(time_control(text).is_err(), "{text}");
        }
    }
}
