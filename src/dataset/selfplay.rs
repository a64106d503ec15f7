//! Games of the engine against itself, for what can be learned from them.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use super::{Block, DatasetError, DatasetWriter, PackedPosition};
use crate::arena::{
    AdjudicationRules, DrawRule, FinishedGame, GameRules, Judgement, OpeningBook, OpeningError,
    RandomOpenings, ResignRule, SearchPlayer, TimeControl, play_game,
};
use crate::engine::EngineError;
use crate::network::Network;
use crate::position::Game;

/// How the games are played, and when they are enough.
pub struct SelfPlay {
    /// Positions for each move, exceeded to finish an iteration.
    pub nodes: u64,
    /// The fewest and the most random plies that a game begins with.
    pub plies: (usize, usize),
    /// The largest score, in centipawns, that a quick search may find for a
    /// side after them.
    pub balance: i32,
    /// Positions to come to, those in the file already included.
    pub positions: u64,
    /// What all games come from, together with their numbers.
    pub seed: u64,
    /// Games at a time.
    pub threads: usize,
    /// What judges positions; the evaluation made by hand if there is none.
    pub network: Option<Arc<Network>>,
}

/// Why games could not be played or written.
#[derive(Debug, Error)]
pub enum SelfPlayError {
    /// A player could not be made.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// An opening could not be had.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The file could not be written.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
}

/// How far it has come, the file's earlier content and what is still to be
/// written included.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlayProgress {
    /// Positions so far.
    pub positions: u64,
    /// Games so far.
    pub games: u64,
}

/// Table of each player, small since few positions are searched.
const HASH_MEGABYTES: usize = 2;
/// Positions that a quick search weighs an opening by.
const WEIGHING_NODES: u64 = 2_000;
/// Records of a block: a few seconds' work, which is all a power cut costs.
const POSITIONS_OF_BLOCK: usize = 4_096;
/// Scores beyond this are won, and teach nothing of the evaluation.
const DECIDED: i32 = 2_000;

const DRAW: DrawRule = DrawRule { after_moves: 50, moves_in_a_row: 6, score: 8 };
const RESIGN: ResignRule = ResignRule { moves_in_a_row: 3, score: 1_500, two_sided: true };
const MOST_MOVES: u32 = 200;

impl SelfPlay {
    /// Plays until there are enough positions or `stop` is raised. What has
    /// been finished is written in any case.
    ///
    /// # Errors
    /// When players or openings cannot be had, or the file not be written.
    pub fn run(
        &self,
        writer: &mut DatasetWriter,
        stop: &AtomicBool,
        heard: &(dyn Fn(SelfPlayProgress) + Sync),
    ) -> Result<(), SelfPlayError> {
        let next_game = AtomicU64::new(writer.next_game);
        let (positions, games) =
            (AtomicU64::new(writer.positions()), AtomicU64::new(writer.games()));
        let books = self.books();
        let writer = Mutex::new(writer);
        let write = |block: &mut Block| -> Result<(), DatasetError> {
            writer.lock().unwrap_or_else(PoisonError::into_inner).write(block)?;
            block.positions.clear();
            block.games = 0;
            Ok(())
        };
        let failed = AtomicBool::new(false);
        let is_over = || {
            stop.load(Ordering::Relaxed)
                || failed.load(Ordering::Relaxed)
                || positions.load(Ordering::Relaxed) >= self.positions
        };
        let play_on = |block: &mut Block| -> Result<(), SelfPlayError> {
            let mut players = [self.player()?, self.player()?];
            while !is_over() {
                let number = next_game.fetch_add(1, Ordering::Relaxed);
                let book = &books[number as usize % books.len()];
                let Some(game) = self.play(book, number, &mut players, stop)? else { break };
                let records = records(&game);
                let found = records.len() as u64;
                block.positions.extend(records);
                block.games += 1;
                block.next_game = block.next_game.max(number + 1);
                if block.positions.len() >= POSITIONS_OF_BLOCK {
                    write(block)?;
                }
                heard(SelfPlayProgress {
                    positions: positions.fetch_add(found, Ordering::Relaxed) + found,
                    games: games.fetch_add(1, Ordering::Relaxed) + 1,
                });
            }
            Ok(())
        };
        let work = || -> Result<(), SelfPlayError> {
            let mut block = Block { positions: Vec::new(), games: 0, next_game: 0 };
            let mut outcome = play_on(&mut block);
            if block.games > 0 {
                outcome = outcome.and(write(&mut block).map_err(SelfPlayError::from));
            }
            if outcome.is_err() {
                failed.store(true, Ordering::Relaxed);
            }
            outcome
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads.max(1)).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    }

    /// A book for each number of plies.
    fn books(&self) -> Vec<OpeningBook> {
        let (fewest, most) = self.plies;
        let book = |plies| {
            let balance = self.balance;
            OpeningBook::Random(RandomOpenings {
                plies,
                balance,
                nodes: WEIGHING_NODES,
                network: self.network.clone(),
                seed: self.seed,
            })
        };
        (fewest..=most.max(fewest)).map(book).collect()
    }

    fn player(&self) -> Result<SearchPlayer, EngineError> {
        let mut player = SearchPlayer::new(HASH_MEGABYTES)?;
        player.finishes_iterations = true;
        player.network.clone_from(&self.network);
        Ok(player)
    }

    fn play(
        &self,
        book: &OpeningBook,
        number: u64,
        [white, black]: &mut [SearchPlayer; 2],
        stop: &AtomicBool,
    ) -> Result<Option<FinishedGame>, SelfPlayError> {
        let opening = book.opening(number as usize)?;
        let control = TimeControl { nodes: Some(self.nodes), ..TimeControl::default() };
        let rules = GameRules {
            opening: &opening,
            controls: [control; 2],
            adjudication: AdjudicationRules {
                draw: Some(DRAW),
                resign: Some(RESIGN),
                max_moves: Some(MOST_MOVES),
            },
            stop,
        };
        Ok(play_game([white, black], &rules))
    }
}

/// The positions of a game that teach something: those that were thought
/// about, where nobody is in check, the best move neither captures nor
/// promotes, and the score is not that of a won game.
fn records(game: &FinishedGame) -> Vec<PackedPosition> {
    let mut replayed = Game::from_position(game.start);
    let mut records = Vec::new();
    for (ply, (played, judgement)) in game.moves.iter().zip(&game.judgements).enumerate() {
        let position = replayed.position();
        if let Some(Judgement::Centipawns(score)) = *judgement
            && score.abs() < DECIDED
            && !position.in_check()
            && !position.is_noisy(played.mv)
        {
            let ply = ply.min(usize::from(u16::MAX)) as u16;
            records.extend(PackedPosition::pack(position, score as i16, ply, game.result));
        }
        replayed.play(played.mv);
    }
    records
}
