//! The games of SPSA: the engine against itself, in this process.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rand::SeedableRng;
use rand::rngs::StdRng;

use qirkat_arena::{
    AdjudicationRules, GameRules, OpeningBook, OpeningError, Player, SearchPlayer, TimeControl,
    play_game,
};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::GameResult;
use qirkat_rules::variant::Variant;
use qirkat_search::{SEARCH_PARAMS, SearchParams, on_search_threads};

use super::spsa::Spsa;

pub struct SpsaGames {
    pub openings: OpeningBook,
    pub control: TimeControl,
    pub adjudication: AdjudicationRules,
    /// Hash size of each player in megabytes.
    pub hash: usize,
    pub concurrency: usize,
    pub seed: u64,
}

impl SpsaGames {
    /// Runs iterations until all are done or `stop` is set. `on_update` is called after each.
    pub fn run(
        &self,
        spsa: &mut Spsa,
        stop: &AtomicBool,
        on_update: &(dyn Fn(&Spsa) + Sync),
    ) -> Result<(), OpeningError> {
        let started = AtomicUsize::new(spsa.done);
        let iterations = spsa.iterations;
        let spsa = Mutex::new(spsa);
        let play_on = || -> Result<(), OpeningError> {
            let player =
                || SearchPlayer::new(AnyEvaluation::embedded(Variant::default()), self.hash);
            let mut players = (player()?, player()?);
            while !stop.load(Ordering::Relaxed) {
                let number = started.fetch_add(1, Ordering::Relaxed);
                if number >= iterations {
                    break;
                }
                let mut rng = StdRng::seed_from_u64(self.seed ^ (number as u64) << 20);
                let locked = spsa.lock().unwrap_or_else(PoisonError::into_inner);
                let perturbation = locked.perturb(&mut rng);
                *players.0.params_mut() = params(&locked, &perturbation.plus);
                *players.1.params_mut() = params(&locked, &perturbation.minus);
                drop(locked);
                if let Some(result) = self.play_pair(number, &mut players, stop)? {
                    let mut spsa = spsa.lock().unwrap_or_else(PoisonError::into_inner);
                    spsa.update(&perturbation, result);
                    on_update(&spsa);
                }
            }
            Ok(())
        };
        on_search_threads(self.concurrency, play_on)
    }

    /// The first player's score minus the second's, from -2 to 2.
    fn play_pair(
        &self,
        number: usize,
        players: &mut (SearchPlayer, SearchPlayer),
        stop: &AtomicBool,
    ) -> Result<Option<f64>, OpeningError> {
        let opening = self.openings.opening(number)?;
        let rules = GameRules {
            adjudication: self.adjudication,
            ..GameRules::plain(&opening, [self.control; 2], stop)
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

fn params(spsa: &Spsa, values: &[i32]) -> SearchParams {
    let mut params = SearchParams::DEFAULT;
    for (param, &value) in spsa.params.iter().zip(values) {
        if let Some(known) = SEARCH_PARAMS.iter().find(|known| known.name == param.name) {
            *(known.field)(&mut params) = value;
        }
    }
    params
}
