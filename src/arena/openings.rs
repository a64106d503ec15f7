//! Openings: where the games of a match begin, from a book or by random moves as far as a quick
//! search finds them balanced.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
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
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Variant};
use qirkat_search::{ResourceError, TableMemoryError};
use qirkat_system::parallel;

/// A position to begin from, and moves that are made for the players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    pub start: AnyPosition,
    pub moves: Vec<AnyMove>,
}

impl Opening {
    pub fn is_over(&self) -> bool {
        let mut game = AnyGame::from_position(self.start);
        for &mv in &self.moves {
            game.play(mv);
        }
        game.outcome().is_some()
    }
}

#[derive(Debug, Error)]
pub enum OpeningError {
    #[error("{0}")]
    None(String),
    /// The machine gives no thread for the search that weighs openings.
    #[error(transparent)]
    Engine(#[from] ResourceError),
    #[error(transparent)]
    Table(#[from] TableMemoryError),
}

impl OpeningError {
    fn in_file(path: &str, error: impl fmt::Display) -> OpeningError {
        OpeningError::None(format!("{path}: {error}"))
    }
}

/// Openings by number, as many as there are asked for.
pub enum OpeningBook {
    /// From a file, over again when it ends.
    List(Vec<Opening>),
    /// Random moves from the usual start, balanced.
    Random(RandomOpenings),
}

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
    /// Reads a file of positions or games of a variant. PGN games are cut off after `plies`.
    /// Openings in which the game is over are left out: the second value tells their numbers.
    pub fn read(
        path: &Path,
        format: OpeningFormat,
        plies: Option<usize>,
        variant: Variant,
    ) -> Result<(OpeningBook, Vec<u64>), OpeningError> {
        let name = path.display().to_string();
        let unread = |error| OpeningError::in_file(&name, error);
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
            let fault = match over.len() {
                0 => "no opening in it".to_owned(),
                all => {
                    format!("no opening in it can be played: the game is over in all {all}")
                }
            };
            return Err(OpeningError::in_file(&name, fault));
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
        let others = Variant::ALL.into_iter().find_map(|other| read(other).ok());
        others.ok_or_else(|| OpeningError::None(error.to_string()))
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
    let games = PgnReader::new(input).map(|read| {
        let read = read.map_err(|error| OpeningError::in_file(path, error))?;
        let moves = read.game.moves.iter().map(|played| played.mv);
        let moves = moves.take(plies.unwrap_or(usize::MAX)).collect();
        Ok((read.number, Opening { start: read.game.start, moves }))
    });
    games.collect()
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
    let Some((number, opening)) = other else { return Ok(()) };
    let (found, unit) = (of(opening), format.unit());
    let all = openings.iter().all(|(_, opening)| of(opening) == found);
    let hint = if all { format!(": `-variant {found}` plays it") } else { String::new() };
    Err(OpeningError::None(format!(
        "{path}, {unit} {number} is of {}, not of {}{hint}",
        found.title(),
        variant.title()
    )))
}

/// Openings that are kept for the next game from them. The games of a pair
/// follow each other, so few are needed at a time.
const KEPT: usize = 1024;

/// A place for one opening. The first thread that needs it makes it, others wait.
type Place = Arc<Mutex<Option<Arc<Opening>>>>;

/// A book whose openings are shared by the games that begin from them: to find a
/// balanced random opening takes many searches.
pub struct SharedOpenings {
    book: OpeningBook,
    places: Mutex<BTreeMap<usize, Place>>,
}

impl SharedOpenings {
    pub fn new(book: OpeningBook) -> SharedOpenings {
        SharedOpenings { book, places: Mutex::default() }
    }

    /// How many there are; none for random ones, which do not end.
    pub fn count(&self) -> Option<usize> {
        self.book.count()
    }

    pub fn opening(&self, number: usize) -> Result<Arc<Opening>, OpeningError> {
        let place = self.place(number);
        let mut made = place.lock();
        if let Some(opening) = &*made {
            return Ok(Arc::clone(opening));
        }
        let opening = Arc::new(self.book.opening(number)?);
        *made = Some(Arc::clone(&opening));
        Ok(opening)
    }

    fn place(&self, number: usize) -> Place {
        let mut places = self.places.lock();
        let place = Arc::clone(places.entry(number).or_default());
        if places.len() > KEPT {
            // Games are played in the order of their openings.
            places.pop_first();
        }
        place
    }
}

/// Openings of random moves, each from its number and what stands here, so
/// that any machine makes the same with the same network.
pub struct RandomOpenings {
    pub plies: usize,
    /// The largest score, in centipawns, that a quick search may find for either side.
    pub balance: i32,
    pub nodes: u64,
    pub evaluation: AnyEvaluation,
    pub seed: u64,
    pub searchers: SearcherPool,
}

/// Tries in a row that lead to no new opening, before one is given up.
const MOST_TRIES: usize = 10_000;
/// The same for tries that are searched, which takes much longer.
const MOST_SEARCHES: usize = 2_000;
/// Tries that are made at a time on all cores.
const BATCH: usize = 64;
/// The size of the transposition table for weighing openings.
const WEIGHING_MEGABYTES: usize = 1;
/// Sets the seeds of one book's openings apart: a large odd number.
const SEED_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

enum Try {
    Ended,
    /// A position met before, not looked at again.
    Repeated,
    /// An opening, the position after it, and whether that is balanced.
    Made {
        opening: Box<Opening>,
        key: Key,
        is_balanced: bool,
    },
}

impl RandomOpenings {
    /// The usual balance and effort.
    pub const BALANCE: i32 = 80;
    /// See [`RandomOpenings::BALANCE`].
    pub const NODES: u64 = 10_000;

    /// The opening of this number. Two numbers may have the same.
    pub fn opening(&self, number: usize) -> Result<Opening, OpeningError> {
        let mut rng = self.rng(number);
        let mut tally = OpeningTally::default();
        while tally.unbalanced < MOST_SEARCHES && tally.ended < MOST_TRIES {
            let Some((game, opening)) = self.random_game(&mut rng) else {
                tally.ended += 1;
                continue;
            };
            if self.is_balanced(&game)? {
                return Ok(opening);
            }
            tally.unbalanced += 1;
        }
        Err(OpeningError::None(format!("no opening of {} plies found: {tally}", self.plies)))
    }

    /// Makes `wanted` different openings on the threads of the current rayon pool, and gives up
    /// when many tries in a row lead to no new one. `on_batch` is called after each batch of tries
    /// with the new openings and the tally so far; when it returns false, the work ends. The tally
    /// tells how many there are, and if fewer than wanted, why. Fewer wanted are the first of more.
    pub fn make(
        &self,
        wanted: usize,
        on_batch: &mut dyn FnMut(&[Opening], &OpeningTally) -> bool,
    ) -> Result<OpeningTally, OpeningError> {
        let mut tally = OpeningTally::default();
        let mut met = HashSet::new();
        let (mut tries, mut searches) = (0, 0);
        for first in (0..).step_by(BATCH) {
            if tally.found >= wanted || tries >= MOST_TRIES || searches >= MOST_SEARCHES {
                break;
            }
            let batch = parallel::map(BATCH, &|number| self.attempt(first + number, &met));
            let mut new = Vec::new();
            for attempt in batch.into_iter().collect::<Result<Vec<Try>, _>>()? {
                if tally.found >= wanted {
                    break;
                }
                tries += 1;
                match attempt {
                    Try::Ended => tally.ended += 1,
                    Try::Repeated => tally.repeated += 1,
                    Try::Made { key, .. } if !met.insert(key) => tally.repeated += 1,
                    Try::Made { is_balanced: false, .. } => {
                        tally.unbalanced += 1;
                        searches += 1;
                    }
                    Try::Made { opening, .. } => {
                        tally.found += 1;
                        (tries, searches) = (0, 0);
                        new.push(*opening);
                    }
                }
            }
            if !on_batch(&new, &tally) {
                break;
            }
        }
        Ok(tally)
    }

    fn attempt(&self, number: usize, met: &HashSet<Key>) -> Result<Try, OpeningError> {
        let Some((game, opening)) = self.random_game(&mut self.rng(number)) else {
            return Ok(Try::Ended);
        };
        let key = game.position().key();
        if met.contains(&key) {
            return Ok(Try::Repeated);
        }
        let is_balanced = self.is_balanced(&game)?;
        Ok(Try::Made { opening: Box::new(opening), key, is_balanced })
    }

    fn rng(&self, number: usize) -> StdRng {
        StdRng::seed_from_u64(self.seed ^ (number as u64 + 1).wrapping_mul(SEED_STEP))
    }

    fn random_game(&self, rng: &mut StdRng) -> Option<(AnyGame, Opening)> {
        let mut game = self.evaluation.variant().new_game();
        let mut moves: Vec<AnyMove> = Vec::new();
        for _ in 0..self.plies {
            let &mv = game.position().legal_moves().choose(rng)?;
            game.play(mv);
            moves.push(mv);
        }
        let opening = Opening { start: self.evaluation.variant().start(), moves };
        game.outcome().is_none().then_some((game, opening))
    }

    fn is_balanced(&self, game: &AnyGame) -> Result<bool, OpeningError> {
        let mut searcher = self.searchers.take(&self.evaluation)?;
        let limits = SearchLimits::nodes(self.nodes);
        // One opening teaches nothing for the next.
        searcher.clear()?;
        let result = searcher.search(game, &limits);
        self.searchers.give_back(searcher);
        Ok(result.score.value().abs() <= self.balance)
    }
}

/// Searchers that weigh openings, one at a time each, and are kept for the next.
#[derive(Default)]
pub struct SearcherPool(Mutex<Vec<AnySearcher>>);

impl SearcherPool {
    fn take(&self, evaluation: &AnyEvaluation) -> Result<AnySearcher, OpeningError> {
        let idle = self.0.lock().pop();
        match idle {
            Some(searcher) => Ok(searcher),
            None => Ok(AnySearcher::with_resources(evaluation.clone(), 1, WEIGHING_MEGABYTES)?),
        }
    }

    fn give_back(&self, searcher: AnySearcher) {
        self.0.lock().push(searcher);
    }
}

/// The results of the tries to make openings.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Display)]
#[display(
    "{found} found in {} tries ({repeated} repeated, {unbalanced} unbalanced, \
     {ended} over before their end)",
    self.tries()
)]
pub struct OpeningTally {
    pub found: usize,
    pub repeated: usize,
    /// Tries that the quick search found won for one side.
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
        let shared = SharedOpenings::new(OpeningBook::Random(random(6, 100, 4)));
        let ask = || shared.opening(7).expect("one is found");
        let (one, other) = std::thread::scope(|scope| {
            let other = scope.spawn(ask);
            (ask(), other.join().expect("no panic"))
        });
        assert!(Arc::ptr_eq(&one, &other) && Arc::ptr_eq(&one, &ask()));
        assert_eq!(*one, random(6, 100, 4).opening(7).expect("one is found"));
        assert!(!Arc::ptr_eq(&one, &shared.opening(8).expect("one is found")));
    }

    #[test]
    fn no_more_openings_are_kept_than_are_needed() {
        let start = Variant::default().start();
        let list = vec![Opening { start, moves: Vec::new() }];
        let shared = SharedOpenings::new(OpeningBook::List(list));
        for number in 0..2 * KEPT {
            assert_eq!(shared.opening(number).expect("it is listed").start, start);
        }
        assert_eq!(shared.places.lock().len(), KEPT);
    }

    fn random(plies: usize, balance: i32, seed: u64) -> RandomOpenings {
        let searchers = SearcherPool::default();
        let evaluation = Evaluation::Material.into();
        RandomOpenings { plies, balance, nodes: 500, evaluation, seed, searchers }
    }

    fn make(random: &RandomOpenings, wanted: usize) -> (Vec<Opening>, OpeningTally) {
        let mut openings = Vec::new();
        let tally = random.make(wanted, &mut |new, _| {
            openings.extend_from_slice(new);
            true
        });
        (openings, tally.expect("a thread and a megabyte"))
    }

    /// There are 18 first moves, and nothing is tried for ever.
    #[test]
    fn what_there_is_not_is_given_up() {
        let (openings, tally) = make(&random(1, 10_000, 3), 30);
        assert_eq!((openings.len(), tally.found, tally.unbalanced, tally.ended), (18, 18, 0, 0));
        assert!((MOST_TRIES..MOST_TRIES + 2 * BATCH).contains(&tally.repeated), "{tally}");
        let moves: HashSet<AnyMove> = openings.iter().map(|opening| opening.moves[0]).collect();
        assert_eq!(moves.len(), 18);
        // No score is below nothing, so that no search needs to be long.
        let hopeless = RandomOpenings { nodes: 1, ..random(3, -1, 3) };
        let (openings, tally) = make(&hopeless, 1);
        assert_eq!((openings.len(), tally.found), (0, 0));
        assert!((MOST_SEARCHES..MOST_SEARCHES + BATCH).contains(&tally.unbalanced), "{tally}");
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
            assert_eq!(opening.moves.len(), 8);
            let mut game = AnyGame::from_position(opening.start);
            for &mv in &opening.moves {
                assert!(game.position().is_legal(mv));
                game.play(mv);
            }
        }
    }
}
