//! The opening book: where the games of a match begin.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use qirkat_rules::epd::{EpdRecord, read_epd};
use qirkat_rules::pgn::PgnReader;
use qirkat_rules::variant::Variant;

use super::random_openings::RandomOpenings;
use super::{Opening, OpeningError};

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

impl OpeningFormat {
    /// The unit in which the place of an opening in a file is counted, from 1.
    pub const fn unit(self) -> &'static str {
        match self {
            OpeningFormat::Epd => "line",
            OpeningFormat::Pgn => "game",
        }
    }
}

/// An opening and the number of its line or game.
type Numbered = (u64, Opening);

impl OpeningBook {
    /// Reads a file of positions or games of a variant. PGN games are cut off
    /// after `plies`. Openings in which the game is over are left out: the second
    /// value tells their numbers.
    ///
    /// # Errors
    /// When the file cannot be read, holds something else, another variant, or nothing
    /// that can be played.
    pub fn read(
        path: &Path,
        format: OpeningFormat,
        plies: Option<usize>,
        variant: Variant,
    ) -> Result<(OpeningBook, Vec<u64>), OpeningError> {
        let name = path.display().to_string();
        let unread = |error| OpeningError::File { path: name.clone(), error };
        let all = match format {
            OpeningFormat::Epd => read_positions(&fs::read(path).map_err(unread)?, &name, variant)?,
            OpeningFormat::Pgn => {
                read_games(BufReader::new(File::open(path).map_err(unread)?), &name, plies)?
            }
        };
        expect_variant(&all, &name, format, variant)?;
        let (over, playable): (Vec<Numbered>, _) =
            all.into_iter().partition(|(_, opening)| opening.is_over());
        let over: Vec<u64> = over.into_iter().map(|(number, _)| number).collect();
        let openings: Vec<Opening> = playable.into_iter().map(|(_, opening)| opening).collect();
        if openings.is_empty() {
            return Err(match over.len() {
                0 => OpeningError::Empty(name),
                count => OpeningError::AllOver { path: name, count },
            });
        }
        log::info!("{name}: {} openings read", openings.len());
        Ok((OpeningBook::List(openings), over))
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

fn read_positions(
    text: &[u8],
    path: &str,
    variant: Variant,
) -> Result<Vec<Numbered>, OpeningError> {
    let read = |variant| read_epd(text, path, variant);
    let records = read(variant).or_else(|error| {
        // The boards differ, so that a file of another game cannot be read as this one.
        Variant::ALL.into_iter().find_map(|other| read(other).ok()).ok_or(error)
    })?;
    let numbered = |record: EpdRecord| {
        (record.line as u64, Opening { start: record.position, moves: Vec::new() })
    };
    Ok(records.into_iter().map(numbered).collect())
}

fn read_games(
    input: impl BufRead,
    path: &str,
    plies: Option<usize>,
) -> Result<Vec<Numbered>, OpeningError> {
    PgnReader::new(input)
        .map(|read| {
            let read = read.map_err(|error| OpeningError::Pgn {
                path: path.to_owned(),
                error: error.to_string(),
            })?;
            let moves = read.game.moves.iter().map(|played| played.mv);
            let moves = moves.take(plies.unwrap_or(usize::MAX)).collect();
            Ok((read.number, Opening { start: read.game.start, moves }))
        })
        .collect()
}

/// Refuses openings of another game than the one that is played.
fn expect_variant(
    openings: &[Numbered],
    path: &str,
    format: OpeningFormat,
    variant: Variant,
) -> Result<(), OpeningError> {
    let of = |opening: &Opening| opening.start.variant();
    let other = openings.iter().find(|(_, opening)| of(opening) != variant);
    other.map_or(Ok(()), |(number, opening)| {
        let found = of(opening);
        let (path, unit, number) = (path.to_owned(), format.unit(), *number);
        let all = openings.iter().all(|(_, opening)| of(opening) == found);
        Err(OpeningError::OtherVariant { path, unit, number, found, wanted: variant, all })
    })
}
