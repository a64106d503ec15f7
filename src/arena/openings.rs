//! Where games begin.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use thiserror::Error;

use crate::chesquerque::{SearchLimits, SearchLine, SearchTask, SearchThreads};
use crate::engine::EngineError;
use crate::epd::{EpdError, read_epd};
use crate::evaluation::Evaluation;
use crate::network::Network;
use crate::pgn::PgnReader;
use crate::position::{Game, Move, Position};
use crate::search::{SearchControl, TableMemoryError, TranspositionTable};

/// A position to begin from, and moves that are made for the players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The position.
    pub start: Position,
    /// The moves.
    pub moves: Vec<Move>,
}

/// Openings by number, as many as there are asked for.
pub enum OpeningBook {
    /// From a file, over again when it ends.
    List(Vec<Opening>),
    /// Random moves from the usual start, balanced.
    Random(RandomOpenings),
}

/// How an opening file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningFormat {
    /// One position a line, FEN or the first four fields of it.
    Epd,
    /// Games, of which the first plies are used.
    Pgn,
}

/// Why openings cannot be had.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// The positions cannot be read.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// A game cannot be read.
    #[error("{path}: {error}")]
    Pgn {
        /// The file.
        path: String,
        /// What is wrong.
        error: String,
    },
    /// There is nothing in the file.
    #[error("{0}: no opening in it")]
    Empty(String),
    /// The machine gives no thread for the search that weighs openings.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The machine gives no memory for it.
    #[error(transparent)]
    Table(#[from] TableMemoryError),
    /// Random moves hardly ever lead to such openings.
    #[error("no balanced opening of {0} plies found")]
    NoneBalanced(usize),
}

impl OpeningBook {
    /// Reads a file. PGN games are cut off after `plies`.
    ///
    /// # Errors
    /// When the file cannot be read, or holds something else.
    pub fn read(
        path: &Path,
        format: OpeningFormat,
        plies: Option<usize>,
    ) -> Result<OpeningBook, OpeningError> {
        let name = path.display().to_string();
        let file =
            File::open(path).map_err(|error| OpeningError::File { path: name.clone(), error })?;
        let openings = match format {
            OpeningFormat::Epd => read_epd(BufReader::new(file), &name)?
                .into_iter()
                .map(|record| Opening { start: record.position, moves: Vec::new() })
                .collect(),
            OpeningFormat::Pgn => read_pgn(BufReader::new(file), &name, plies)?,
        };
        if openings.is_empty() {
            return Err(OpeningError::Empty(name));
        }
        Ok(OpeningBook::List(openings))
    }

    /// Puts the openings of a file into an order that the seed decides.
    pub fn shuffle(&mut self, seed: u64) {
        if let OpeningBook::List(openings) = self {
            openings.shuffle(&mut StdRng::seed_from_u64(seed));
        }
    }

    /// The opening of this number.
    ///
    /// # Errors
    /// When no balanced random opening is found.
    pub fn opening(&self, number: usize) -> Result<Opening, OpeningError> {
        match self {
            OpeningBook::List(openings) => Ok(openings[number % openings.len()].clone()),
            OpeningBook::Random(random) => random.opening(number),
        }
    }
}

fn read_pgn(
    input: impl BufRead,
    path: &str,
    plies: Option<usize>,
) -> Result<Vec<Opening>, OpeningError> {
    PgnReader::new(input)
        .map(|read| {
            let game = read
                .map_err(|error| OpeningError::Pgn {
                    path: path.to_owned(),
                    error: error.to_string(),
                })?
                .game;
            let moves = game.moves.iter().map(|played| played.mv);
            let moves = moves.take(plies.unwrap_or(usize::MAX)).collect();
            Ok(Opening { start: game.start, moves })
        })
        .collect()
}

/// Openings of random moves, each from its number and what stands here, so
/// that any machine makes the same with the same network.
pub struct RandomOpenings {
    /// Plies of an opening.
    pub plies: usize,
    /// The largest score, in centipawns, that a quick search may find for
    /// either side.
    pub balance: i32,
    /// Positions that the quick search visits.
    pub nodes: u64,
    /// What judges positions there; the evaluation made by hand if there is
    /// none.
    pub network: Option<Arc<Network>>,
    /// What the random moves come from.
    pub seed: u64,
}

/// Attempts before random moves are given up.
const ATTEMPTS: u64 = 10_000;
/// The size of the table for weighing openings.
const WEIGHING_MEGABYTES: usize = 1;
/// Sets the seeds of one book's openings apart: a large odd number.
const SEED_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl RandomOpenings {
    /// The usual balance and effort.
    pub const BALANCE: i32 = 80;
    /// See [`RandomOpenings::BALANCE`].
    pub const NODES: u64 = 10_000;

    fn opening(&self, number: usize) -> Result<Opening, OpeningError> {
        let seed = self.seed ^ (number as u64 + 1).wrapping_mul(SEED_STEP);
        let mut rng = StdRng::seed_from_u64(seed);
        for _ in 0..ATTEMPTS {
            if let Some((game, moves)) = self.random_game(&mut rng)
                && self.is_balanced(&game)?
            {
                return Ok(Opening { start: Position::start(), moves });
            }
        }
        Err(OpeningError::NoneBalanced(self.plies))
    }

    fn random_game(&self, rng: &mut StdRng) -> Option<(Game, Vec<Move>)> {
        let mut game = Game::default();
        let mut moves = Vec::new();
        for _ in 0..self.plies {
            let &mv = game.position().legal_moves().choose(rng)?;
            game.play(mv);
            moves.push(mv);
        }
        game.outcome().is_none().then_some((game, moves))
    }

    fn is_balanced(&self, game: &Game) -> Result<bool, OpeningError> {
        // A thread of its own for each, so that several can be weighed at once.
        let threads = SearchThreads::new(1).map_err(EngineError::from)?;
        let table = TranspositionTable::new(WEIGHING_MEGABYTES)?;
        let limits = SearchLimits { nodes: Some(self.nodes), ..SearchLimits::default() };
        let control = SearchControl::new(false, false);
        let evaluation = Evaluation::from(self.network.clone());
        let task = SearchTask::new(game, &limits, &control, &table, &evaluation);
        let result = threads.search(&task, &mut |_: &SearchLine| {});
        Ok(result.score.value().abs() <= self.balance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_openings_are_balanced_and_repeatable() {
        let make = |seed| {
            let random =
                RandomOpenings { plies: 8, balance: 60, nodes: 2_000, network: None, seed };
            (0..4).map(|number| random.opening(number).expect("one is found")).collect::<Vec<_>>()
        };
        let openings = make(7);
        assert_eq!(openings, make(7));
        assert_ne!(openings, make(8));
        for opening in &openings {
            assert_eq!(opening.moves.len(), 8);
            let mut game = Game::from_position(opening.start);
            for &mv in &opening.moves {
                assert!(game.position().is_legal(mv));
                game.play(mv);
            }
        }
    }
}
