//! Openings made of random moves, as far as a quick search finds them balanced.

use std::collections::HashSet;

use derive_more::Display;
use parking_lot::Mutex;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use qirkat_engine::{AnySearcher, SearchLimits};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::{Key, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove};
use qirkat_system::parallel;

use super::{Opening, OpeningError};

/// Openings of random moves, each from its number and what stands here, so
/// that any machine makes the same with the same network.
pub struct RandomOpenings {
    pub plies: usize,
    /// The largest score, in centipawns, that a quick search may find for
    /// either side.
    pub balance: i32,
    /// Positions that the quick search visits.
    pub nodes: u64,
    /// The evaluation of the quick search.
    pub evaluation: AnyEvaluation,
    /// The seed of the random moves.
    pub seed: u64,
    /// The quick searches.
    pub weighers: Weighers,
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
    /// The game is over before the opening is.
    Ended,
    /// A position met before, not looked at again.
    Repeated,
    /// An opening, the position after it, and whether that is balanced.
    Made { opening: Box<Opening>, key: Key, is_balanced: bool },
}

impl RandomOpenings {
    /// The usual balance and effort.
    pub const BALANCE: i32 = 80;
    /// See [`RandomOpenings::BALANCE`].
    pub const NODES: u64 = 10_000;

    /// The opening of this number. Two numbers may have the same.
    ///
    /// # Errors
    /// When no balanced one is found, or the machine gives no thread or memory.
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
        Err(OpeningError::NoneFound { plies: self.plies, tally })
    }

    /// Makes `wanted` different openings on the threads of the current rayon
    /// pool, and gives up when many tries in a row lead to no new one. `on_batch`
    /// is called after each batch of tries with the new openings and the tally so
    /// far; when it returns false, the work ends. The tally tells how many there are,
    /// and if fewer than wanted, why. Fewer wanted are the first of more.
    ///
    /// # Errors
    /// When the machine gives no thread or memory.
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
        let mut weigher = self.weighers.take(&self.evaluation)?;
        let limits = SearchLimits::nodes(self.nodes);
        // One opening teaches nothing for the next.
        weigher.clear()?;
        let result = weigher.search(game, &limits);
        self.weighers.give_back(weigher);
        Ok(result.score.value().abs() <= self.balance)
    }
}

/// Searchers that weigh openings, one at a time each, and are kept for the next.
#[derive(Default)]
pub struct Weighers(Mutex<Vec<AnySearcher>>);

impl Weighers {
    fn take(&self, evaluation: &AnyEvaluation) -> Result<AnySearcher, OpeningError> {
        let idle = self.0.lock().pop();
        match idle {
            Some(weigher) => Ok(weigher),
            None => Ok(AnySearcher::with_resources(evaluation.clone(), 1, WEIGHING_MEGABYTES)?),
        }
    }

    fn give_back(&self, weigher: AnySearcher) {
        self.0.lock().push(weigher);
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
    /// Tries that came to a position met before.
    pub repeated: usize,
    /// Tries that the quick search found won for one side.
    pub unbalanced: usize,
    /// Tries in which the random moves ended the game.
    pub ended: usize,
}

impl OpeningTally {
    pub fn tries(&self) -> usize {
        self.found + self.repeated + self.unbalanced + self.ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_evaluation::Evaluation;

    fn random(plies: usize, balance: i32, seed: u64) -> RandomOpenings {
        let weighers = Weighers::default();
        let evaluation = Evaluation::Material.into();
        RandomOpenings { plies, balance, nodes: 500, evaluation, seed, weighers }
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
