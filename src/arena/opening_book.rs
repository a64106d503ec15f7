//! The opening book: where the games of a match begin.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use super::opening::Opening;
use super::opening_error::OpeningError;
use super::random_openings::RandomOpenings;
use crate::epd::read_epd;
use crate::pgn::PgnReader;
use crate::variant::Variant;

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

impl OpeningBook {
    /// Reads a file of positions or games of a variant. PGN games are cut off
    /// after `plies`, and tell by themselves what they are.
    ///
    /// # Errors
    /// When the file cannot be read, or holds something else.
    pub fn read(
        path: &Path,
        format: OpeningFormat,
        plies: Option<usize>,
        variant: Variant,
    ) -> Result<OpeningBook, OpeningError> {
        let name = path.display().to_string();
        let file =
            File::open(path).map_err(|error| OpeningError::File { path: name.clone(), error })?;
        let openings = match format {
            OpeningFormat::Epd => read_epd(BufReader::new(file), &name, variant)?
                .into_iter()
                .map(|record| Opening { start: record.position, moves: Vec::new() })
                .collect(),
            OpeningFormat::Pgn => read_pgn(BufReader::new(file), &name, plies)?,
        };
        if openings.is_empty() {
            return Err(OpeningError::Empty(name));
        }
        log::info!("{name}: {} openings read", openings.len());
        Ok(OpeningBook::List(openings))
    }

    /// How many there are; none for random ones, which do not end.
    pub fn count(&self) -> Option<usize> {
        match self {
            OpeningBook::List(openings) => Some(openings.len()),
            OpeningBook::Random(_) => None,
        }
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
