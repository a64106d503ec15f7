//! Openings: where games begin.

mod opening_book;
mod random_openings;
mod shared_openings;

pub use opening_book::{OpeningBook, OpeningFormat};
pub use random_openings::{OpeningTally, RandomOpenings, Weighers};
pub use shared_openings::SharedOpenings;

use thiserror::Error;

use qirkat_rules::epd::EpdError;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_search::{ResourceError, TableMemoryError};

/// A position to begin from, and moves that are made for the players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    pub start: AnyPosition,
    pub moves: Vec<AnyMove>,
}

impl Opening {
    /// Whether the players would find the game over.
    pub fn is_over(&self) -> bool {
        let mut game = AnyGame::from_position(self.start);
        for &mv in &self.moves {
            game.play(mv);
        }
        game.outcome().is_some()
    }
}

/// Why there are no openings, or no more.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    File {
        path: String,
        /// The system's message.
        error: std::io::Error,
    },
    /// The positions cannot be read.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// A game cannot be read.
    #[error("{path}: {error}")]
    Pgn { path: String, error: String },
    /// There is nothing in the file.
    #[error("{0}: no opening in it")]
    Empty(String),
    /// In all of them the game is over.
    #[error("{path}: no opening in it can be played: the game is over in all {count}")]
    AllOver { path: String, count: usize },
    /// One of them belongs to another game than the one that is played.
    #[error(
        "{path}, {unit} {number} is of {}, not of {}{}",
        .found.title(),
        .wanted.title(),
        if *.all { format!(": `-variant {found}` plays it") } else { String::new() }
    )]
    OtherVariant {
        path: String,
        /// The unit that is counted: line or game.
        unit: &'static str,
        /// From 1.
        number: u64,
        found: Variant,
        wanted: Variant,
        /// Whether all of the file is of that game.
        all: bool,
    },
    /// The machine gives no thread for the search that weighs openings.
    #[error(transparent)]
    Engine(#[from] ResourceError),
    /// The machine gives no memory for it.
    #[error(transparent)]
    Table(#[from] TableMemoryError),
    /// Random moves hardly ever lead to such openings.
    #[error("no opening of {plies} plies found: {tally}")]
    NoneFound {
        /// How long it was to be.
        plies: usize,
        /// The results of the tries.
        tally: OpeningTally,
    },
}
