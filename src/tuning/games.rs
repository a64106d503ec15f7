//! The games by which the search's numbers are tuned: the engine against
//! itself, in this process, with the numbers moved one way and the other.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rand::SeedableRng;
use rand::rngs::StdRng;
use thiserror::Error;

use super::spsa::Spsa;
use crate::arena::{
    AdjudicationRules, GameRules, OpeningBook, OpeningError, Player, SearchPlayer, TimeControl,
    play_game,
};
use crate::engine::EngineError;
use crate::pgn::GameResult;
use crate::search::{SEARCH_PARAMS, SearchParams};

/// How the games are played.
pub struct TuningGames {
    /// Where they begin: each trial has an opening of its own.
    pub openings: OpeningBook,
    /// Time for both sides.
    pub control: TimeControl,
    /// When they end early.
    pub adjudication: AdjudicationRules,
    /// Table size of each player in megabytes.
    pub hash: usize,
    /// Trials at a time.
    pub concurrency: usize,
    /// What the trials are drawn from.
    pub seed: u64,
}

/// Why games could not be played.
#[derive(Debug, Error)]
pub enum TuningError {
    /// A player could not be made.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An opening could not be had.
    #[error(transparent)]
    Opening(#[from] OpeningError),
}

impl TuningGames {
    /// Plays trials until all are done or `stop` is raised; `heard` hears of
    /// each that was learned from.
    ///
    /// # Errors
    /// When players or openings cannot be had.
    pub fn run(
        &self,
        spsa: &mut Spsa,
        stop: &AtomicBool,
        heard: &(dyn Fn(&Spsa) + Sync),
    ) -> Result<(), TuningError> {
        let started = AtomicUsize::new(spsa.done);
        let trials = spsa.trials;
        let spsa = Mutex::new(spsa);
        let play_on = || -> Result<(), TuningError> {
            let mut players = (SearchPlayer::new(self.hash)?, SearchPlayer::new(self.hash)?);
            while !stop.load(Ordering::Relaxed) {
                let number = started.fetch_add(1, Ordering::Relaxed);
                if number >= trials {
                    break;
                }
                let mut rng = StdRng::seed_from_u64(self.seed ^ (number as u64) << 20);
                let trial = spsa.lock().unwrap_or_else(PoisonError::into_inner).trial(&mut rng);
                players.0.params = self.params(&spsa, &trial.plus);
                players.1.params = self.params(&spsa, &trial.minus);
                if let Some(outcome) = self.play_pair(number, &mut players, stop)? {
                    let mut spsa = spsa.lock().unwrap_or_else(PoisonError::into_inner);
                    spsa.learn(&trial, outcome);
                    heard(&spsa);
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..self.concurrency.max(1)).map(|_| scope.spawn(play_on)).collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    }

    fn params(&self, spsa: &Mutex<&mut Spsa>, values: &[i32]) -> SearchParams {
        let mut params = SearchParams::DEFAULT;
        let spsa = spsa.lock().unwrap_or_else(PoisonError::into_inner);
        for (number, &value) in spsa.numbers.iter().zip(values) {
            if let Some(param) = SEARCH_PARAMS.iter().find(|param| param.name == number.name) {
                *(param.place)(&mut params) = value;
            }
        }
        params
    }

    /// What the first player scores more than the second, from -2 to 2.
    fn play_pair(
        &self,
        number: usize,
        players: &mut (SearchPlayer, SearchPlayer),
        stop: &AtomicBool,
    ) -> Result<Option<f64>, TuningError> {
        let opening = self.openings.opening(number)?;
        let rules = GameRules {
            opening: &opening,
            controls: [self.control; 2],
            adjudication: self.adjudication,
            stop,
        };
        let (first, second) = players;
        let play = |white: &mut dyn Player, black: &mut dyn Player| {
            play_game([white, black], &rules).map(|game| match game.result {
                GameResult::WhiteWins => 1.0,
                GameResult::BlackWins => -1.0,
                GameResult::Draw | GameResult::Unfinished => 0.0,
            })
        };
        let with_white = play(first, second);
        let with_black = play(second, first);
        Ok(with_white.zip(with_black).map(|(white, black)| white - black))
    }
}
