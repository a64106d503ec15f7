//! Openings of match games, from a book or from random moves that a quick search finds balanced.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use derive_more::Display;
use parking_lot::Mutex;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use thiserror::Error;

use qirkat_engine::{AnySearcher, SearchLimits};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::{Key, Rules};
use qirkat_rules::epd::{EpdRecord, read_epd};
use qirkat_rules::pgn::PgnReader;
use qirkat_rules::variant::{AnyGame, Variant};
use qirkat_search::ResourceError;
use qirkat_system::compression::Decompressor;
use qirkat_system::parallel;

#[derive(Debug, Error)]
pub enum OpeningError {
    #[error("{0}")]
    Book(String),
    /// The machine lacks the resources for the search of openings.
    #[error(transparent)]
    Engine(#[from] ResourceError),
}

impl OpeningError {
    fn in_file(path: &str, error: impl fmt::Display) -> OpeningError {
        OpeningError::Book(format!("{path}: {error}"))
    }
}

pub enum OpeningBook {
    /// From a file, repeated at its end.
    List(Vec<AnyGame>),
    /// Random moves from the start position, balanced.
    Random(RandomOpenings),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningFormat {
    /// One position per line, a FEN or its first four fields.
    Epd,
    Pgn,
}

impl OpeningFormat {
    /// How positions in the file are counted, from 1.
    pub const fn unit(self) -> &'static str {
        match self {
            OpeningFormat::Epd => "line",
            OpeningFormat::Pgn => "game",
        }
    }
}

type Numbered = (u64, AnyGame);

/// The most bytes of openings: a small compressed file may have any number.
const MAX_BYTES: u64 = 1 << 30;

impl OpeningBook {
    /// Reads a file of positions or games. PGN games are cut off after `plies`. Openings that end
    /// the game are skipped; the second value has their numbers.
    pub fn read(
        path: &Path,
        format: OpeningFormat,
        plies: Option<usize>,
        variant: Variant,
    ) -> Result<(OpeningBook, Vec<u64>), OpeningError> {
        let name = path.display().to_string();
        let unread = |error| OpeningError::in_file(&name, error);
        let file = Decompressor::new(File::open(path).map_err(unread)?);
        let mut input = BufReader::new(file).take(MAX_BYTES);
        let all = match format {
            OpeningFormat::Epd => {
                let mut text = Vec::new();
                input.read_to_end(&mut text).map_err(unread)?;
                read_positions(&text, &name, variant)?
            }
            OpeningFormat::Pgn => read_games(&mut input, &name, plies)?,
        };
        if input.limit() == 0 {
            return Err(OpeningError::in_file(&name, format!("more than {} MB", MAX_BYTES >> 20)));
        }
        expect_variant(&all, &name, format, variant)?;
        let (over, playable): (Vec<Numbered>, _) =
            all.into_iter().partition(|(_, opening)| opening.outcome().is_some());
        let over: Vec<u64> = over.into_iter().map(|(number, _)| number).collect();
        let openings: Vec<AnyGame> = playable.into_iter().map(|(_, opening)| opening).collect();
        if openings.is_empty() {
            let fault = match over.len() {
                0 => "no opening in it".to_owned(),
                n => format!("no opening in it can be played: the game is over in all {n}"),
            };
            return Err(OpeningError::in_file(&name, fault));
        }
        log::info!("{name}: {} openings read", openings.len());
        Ok((OpeningBook::List(openings), over))
    }

    pub fn count(&self) -> Option<usize> {
        match self {
            OpeningBook::List(openings) => Some(openings.len()),
            OpeningBook::Random(_) => None,
        }
    }

    pub fn shuffle(&mut self, seed: u64) {
        if let OpeningBook::List(openings) = self {
            openings.shuffle(&mut StdRng::seed_from_u64(seed));
        }
    }

    pub fn opening(&self, number: usize) -> Result<AnyGame, OpeningError> {
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
        // The boards differ, so a file of another variant cannot be read as this one.
        let others = Variant::ALL.into_iter().find_map(|other| read(other).ok());
        others.ok_or_else(|| OpeningError::Book(error.to_string()))
    })?;
    let numbered =
        |record: EpdRecord| (record.line as u64, AnyGame::from_position(record.position));
    Ok(records.into_iter().map(numbered).collect())
}

fn read_games(
    input: impl BufRead,
    path: &str,
    plies: Option<usize>,
) -> Result<Vec<Numbered>, OpeningError> {
    let games = PgnReader::new(input).map(|read| {
        let mut read = read.map_err(|error| OpeningError::in_file(path, error))?;
        read.game.moves.truncate(plies.unwrap_or(usize::MAX));
        Ok((read.number, read.game.final_game()))
    });
    games.collect()
}

fn expect_variant(
    openings: &[Numbered],
    path: &str,
    format: OpeningFormat,
    variant: Variant,
) -> Result<(), OpeningError> {
    let of = |opening: &AnyGame| opening.start().variant();
    let other = openings.iter().find(|(_, opening)| of(opening) != variant);
    let Some((number, opening)) = other else { return Ok(()) };
    let (found, unit) = (of(opening), format.unit());
    let all = openings.iter().all(|(_, opening)| of(opening) == found);
    let hint = if all { format!(": `-variant {found}` plays it") } else { String::new() };
    let (found, wanted) = (found.title(), variant.title());
    let fault = format!("{path}, {unit} {number} is of {found}, not of {wanted}{hint}");
    Err(OpeningError::Book(fault))
}

/// Random openings. Each depends only on its number and these fields, not on the machine.
pub struct RandomOpenings {
    pub plies: usize,
    /// The largest absolute score, in centipawns, of a balanced opening.
    pub balance: i32,
    pub nodes: u64,
    pub evaluation: AnyEvaluation,
    pub seed: u64,
    pub cache: OpeningCache,
}

/// Consecutive tries without a new opening before giving up.
const MAX_TRIES: usize = 10_000;
/// The same for tries that are searched, which take much longer.
const MAX_SEARCHES: usize = 2_000;
/// Tries made at a time on all cores.
const BATCH: usize = 64;
const SEARCH_HASH_MB: usize = 1;
/// Separates the seeds of a book's openings: a large odd number.
const SEED_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl RandomOpenings {
    pub const BALANCE: i32 = 80;
    pub const NODES: u64 = 10_000;

    /// The opening with this number. Different numbers may give the same opening. It is cached for
    /// the return game, since finding one takes many searches.
    pub fn opening(&self, number: usize) -> Result<AnyGame, OpeningError> {
        let slot = {
            let mut slots = self.cache.found.lock();
            let slot = Arc::clone(slots.entry(number).or_default());
            if slots.len() > MAX_CACHED {
                // Games are played in the order of their openings.
                slots.pop_first();
            }
            slot
        };
        let mut found = slot.lock();
        if let Some(opening) = &*found {
            return Ok(opening.clone());
        }
        let opening = self.find(number)?;
        Ok(found.insert(opening).clone())
    }

    fn find(&self, number: usize) -> Result<AnyGame, OpeningError> {
        let mut rng = self.rng(number);
        let mut tally = OpeningTally::default();
        while tally.unbalanced < MAX_SEARCHES && tally.ended < MAX_TRIES {
            let Some(game) = self.random_game(&mut rng) else {
                tally.ended += 1;
                continue;
            };
            if self.is_balanced(&game)? {
                return Ok(game);
            }
            tally.unbalanced += 1;
        }
        Err(OpeningError::Book(format!("no opening of {} plies found: {tally}", self.plies)))
    }

    /// Makes `wanted` different openings in the current rayon pool, and gives up after many
    /// consecutive tries without a new one. `on_batch` is called after each batch with the new
    /// openings and the tally; returning false stops. The tally shows how many there are and, if
    /// fewer than wanted, why. A smaller `wanted` gives the first openings of a larger one.
    pub fn make(
        &self,
        wanted: usize,
        on_batch: &mut dyn FnMut(&[AnyGame], &OpeningTally) -> bool,
    ) -> Result<OpeningTally, OpeningError> {
        let mut tally = OpeningTally::default();
        let mut seen = HashSet::new();
        let (mut tries, mut searches) = (0, 0);
        for first in (0..).step_by(BATCH) {
            if tally.found >= wanted || tries >= MAX_TRIES || searches >= MAX_SEARCHES {
                break;
            }
            let batch = parallel::map(BATCH, &|number| self.attempt(first + number, &seen));
            let mut new = Vec::new();
            for attempt in batch {
                let attempt = attempt?;
                if tally.found >= wanted {
                    break;
                }
                tries += 1;
                match attempt {
                    None => tally.ended += 1,
                    Some((game, _)) if !seen.insert(game.position().key()) => tally.repeated += 1,
                    Some((_, false)) => {
                        tally.unbalanced += 1;
                        searches += 1;
                    }
                    Some((game, true)) => {
                        tally.found += 1;
                        (tries, searches) = (0, 0);
                        new.push(game);
                    }
                }
            }
            if !on_batch(&new, &tally) {
                break;
            }
        }
        Ok(tally)
    }

    /// A game that is not over, and whether it is balanced; a repeated one is not searched.
    fn attempt(
        &self,
        number: usize,
        seen: &HashSet<Key>,
    ) -> Result<Option<(AnyGame, bool)>, OpeningError> {
        let Some(game) = self.random_game(&mut self.rng(number)) else { return Ok(None) };
        let is_repeated = seen.contains(&game.position().key());
        let is_balanced = !is_repeated && self.is_balanced(&game)?;
        Ok(Some((game, is_balanced)))
    }

    fn rng(&self, number: usize) -> StdRng {
        StdRng::seed_from_u64(self.seed ^ (number as u64 + 1).wrapping_mul(SEED_STEP))
    }

    fn random_game(&self, rng: &mut StdRng) -> Option<AnyGame> {
        let mut game = self.evaluation.variant().new_game();
        for _ in 0..self.plies {
            let &mv = game.position().legal_moves().choose(rng)?;
            game.play(mv);
        }
        game.outcome().is_none().then_some(game)
    }

    fn is_balanced(&self, game: &AnyGame) -> Result<bool, ResourceError> {
        let idle = self.cache.idle.lock().pop();
        let new = || AnySearcher::with_resources(self.evaluation.clone(), 1, SEARCH_HASH_MB);
        let mut searcher = idle.map_or_else(new, Ok)?;
        // Openings must not depend on each other.
        searcher.clear()?;
        let result = searcher.search(game, &SearchLimits::nodes(self.nodes));
        self.cache.idle.lock().push(searcher);
        Ok(result.score.value().abs() <= self.balance)
    }
}

/// Openings cached for the return game. Few are needed at a time.
const MAX_CACHED: usize = 1024;

/// A slot for one opening. The first thread that needs it computes it while others wait.
type Slot = Arc<Mutex<Option<AnyGame>>>;

/// The openings found, and idle searchers, each reused by one thread at a time.
#[derive(Default)]
pub struct OpeningCache {
    idle: Mutex<Vec<AnySearcher>>,
    found: Mutex<BTreeMap<usize, Slot>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Display)]
#[display(
    "{found} found in {} tries ({repeated} repeated, {unbalanced} unbalanced, \
     {ended} ended too early)",
    self.tries()
)]
pub struct OpeningTally {
    pub found: usize,
    pub repeated: usize,
    /// Tries whose score is above the balance limit.
    pub unbalanced: usize,
    pub ended: usize,
}

impl OpeningTally {
    pub fn tries(&self) -> usize {
        self.found + self.repeated + self.unbalanced + self.ended
    }
}

#[cfg(test)]
mod tests {
    use qirkat_evaluation::Evaluation;

    use super::*;

    #[test]
    fn the_games_of_a_pair_share_one_opening() {
        let shared = random(6, 100, 4);
        let ask = || shared.opening(7).expect("one is found");
        let (one, other) = std::thread::scope(|scope| {
            let other = scope.spawn(ask);
            (ask(), other.join().expect("no panic"))
        });
        assert_eq!((&one, shared.cache.idle.lock().len()), (&other, 1), "searched once");
        assert_eq!(one, random(6, 100, 4).opening(7).expect("one is found"));
        assert_ne!(one, shared.opening(8).expect("one is found"));
        let any = RandomOpenings { nodes: 1, ..random(1, 10_000, 4) };
        (0..MAX_CACHED + 5).for_each(|number| drop(any.opening(number).expect("one is found")));
        assert_eq!(any.cache.found.lock().len(), MAX_CACHED);
    }

    fn random(plies: usize, balance: i32, seed: u64) -> RandomOpenings {
        let cache = OpeningCache::default();
        let evaluation = Evaluation::Material.into();
        RandomOpenings { plies, balance, nodes: 500, evaluation, seed, cache }
    }

    fn make(random: &RandomOpenings, wanted: usize) -> (Vec<AnyGame>, OpeningTally) {
        let mut openings = Vec::new();
        let tally = random.make(wanted, &mut |new, _| {
            openings.extend_from_slice(new);
            true
        });
        (openings, tally.expect("a thread and a megabyte"))
    }

    /// There are 18 first moves, and nothing is tried for ever.
    #[test]
    fn the_search_for_openings_gives_up() {
        let (openings, tally) = make(&random(1, 10_000, 3), 30);
        assert_eq!((openings.len(), tally.found, tally.unbalanced, tally.ended), (18, 18, 0, 0));
        assert!((MAX_TRIES..MAX_TRIES + 2 * BATCH).contains(&tally.repeated), "{tally}");
        let moves: HashSet<_> = openings.iter().map(|opening| opening.moves()[0]).collect();
        assert_eq!(moves.len(), 18);
        // No score is below nothing, so that no search needs to be long.
        let hopeless = RandomOpenings { nodes: 1, ..random(3, -1, 3) };
        let (openings, tally) = make(&hopeless, 1);
        assert_eq!((openings.len(), tally.found), (0, 0));
        assert!((MAX_SEARCHES..MAX_SEARCHES + BATCH).contains(&tally.unbalanced), "{tally}");
        let error = hopeless.opening(0).expect_err("none is balanced");
        assert!(error.to_string().contains("2000 unbalanced"), "{error}");
    }

    #[test]
    fn fewer_openings_are_the_first_of_more() {
        let (many, _) = make(&random(6, 100, 9), 40);
        let (few, tally) = make(&random(6, 100, 9), 7);
        assert_eq!((few.len(), tally.found), (7, 7));
        assert_eq!(many[..7], few);
        let mut batches = 0;
        let stopped = random(6, 100, 9).make(1000, &mut |_, _| {
            batches += 1;
            false
        });
        assert!(batches == 1 && stopped.expect("a thread").found < 1000);
    }

    #[test]
    fn random_openings_are_balanced_and_repeatable() {
        let make = |seed| {
            let random = random(8, 60, seed);
            (0..4).map(|number| random.opening(number).expect("one is found")).collect::<Vec<_>>()
        };
        let openings = make(7);
        assert_eq!(openings, make(7));
        assert_ne!(openings, make(8));
        for opening in &openings {
            assert_eq!(opening.moves().len(), 8);
            let mut game = AnyGame::from_position(*opening.start());
            for &mv in opening.moves() {
                assert!(game.position().is_legal(mv));
                game.play(mv);
            }
        }
    }
}
