//! Self-play: games of the engine against itself, as training data.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use thiserror::Error;

use qirkat_arena::{
    AdjudicationRules, Choice, DrawRule, EngineFault, FinishedGame, GameRules, OpeningBook,
    OpeningCache, OpeningError, Player, RandomOpenings, ResignRule, SearchPlayer, TimeControl,
    Turn, play_game,
};
use qirkat_evaluation::AnyEvaluation;
use qirkat_game::Color;
use qirkat_search::{ResourceError, on_search_threads};
use qirkat_tablebase::AllTables;

use crate::dataset::DatasetError;
use crate::dataset::block::Block;
use crate::dataset::block_file::DatasetWriter;

pub struct SelfPlay {
    /// Nodes for each move: a soft limit, exceeded to finish an iteration.
    pub nodes: u64,
    /// The minimum and maximum of random opening plies.
    pub plies: (usize, usize),
    /// The largest absolute score of an opening in a quick search, in centipawns.
    pub balance: i32,
    /// Positions wanted, including those already in the file.
    pub positions: u64,
    /// The seed of all games, combined with their numbers.
    pub seed: u64,
    pub threads: usize,
    pub evaluation: AnyEvaluation,
    pub tablebases: Option<AllTables>,
}

#[derive(Debug, Error)]
pub enum SelfPlayError {
    #[error(transparent)]
    Engine(#[from] ResourceError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error(transparent)]
    Dataset(#[from] DatasetError),
}

/// Hash size of a game, small since searches are short.
const HASH_MEGABYTES: usize = 2;
/// Nodes to judge an opening: enough for so wide a balance, and not much of a game's work.
const BALANCE_NODES: u64 = 300;
/// Positions per block: a few seconds' work of a thread. A power cut can lose no more of its work.
const POSITIONS_PER_BLOCK: u64 = 4_096;

const DRAW: DrawRule = DrawRule { after_moves: 50, moves_in_a_row: 6, score: 8 };
const RESIGN: ResignRule = ResignRule { moves_in_a_row: 3, score: 1_500, two_sided: true };
const MAX_MOVES: u32 = 200;

impl SelfPlay {
    /// Plays until there are enough positions or `stop` is set. Finished games are written in any
    /// case. `on_progress` is called after each game with the positions and games so far, including
    /// those already in the file and those not yet written.
    pub fn run(
        &self,
        writer: &mut DatasetWriter,
        stop: &AtomicBool,
        on_progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<(), SelfPlayError> {
        let books = self.books();
        let next_game = AtomicU64::new(writer.next_game);
        let positions = AtomicU64::new(writer.blocks.positions);
        let games = AtomicU64::new(writer.blocks.games);
        let writer = Mutex::new(writer);
        // Set when a thread fails, so that the others end too.
        let failed = AtomicBool::new(false);
        let is_over = || {
            stop.load(Ordering::Relaxed)
                || failed.load(Ordering::Relaxed)
                || positions.load(Ordering::Relaxed) >= self.positions
        };
        let write = |block: &mut Block| -> Result<(), SelfPlayError> {
            writer.lock().unwrap_or_else(PoisonError::into_inner).write(block)?;
            *block = Block::of_games();
            Ok(())
        };
        let play_games = |block: &mut Block| {
            let mut player = SearchPlayer::new(self.evaluation.clone(), HASH_MEGABYTES)?;
            player.soft_nodes = Some(self.nodes);
            let player = RefCell::new(player);
            while !is_over() {
                let number = next_game.fetch_add(1, Ordering::Relaxed);
                let book = &books[number as usize % books.len()];
                let Some(game) = self.play(book, number, &player, stop)? else { break };
                let found = block.add_game(&game, number) as u64;
                let stored = u64::from(found > 0);
                if block.count() >= POSITIONS_PER_BLOCK {
                    write(block)?;
                }
                on_progress(
                    positions.fetch_add(found, Ordering::Relaxed) + found,
                    games.fetch_add(stored, Ordering::Relaxed) + stored,
                );
            }
            Ok(())
        };
        on_search_threads(self.threads, || {
            let mut block = Block::of_games();
            let mut outcome = play_games(&mut block);
            if block.games > 0 {
                outcome = outcome.and(write(&mut block));
            }
            failed.fetch_or(outcome.is_err(), Ordering::Relaxed);
            outcome
        })
    }

    fn books(&self) -> Vec<OpeningBook> {
        let (fewest, most) = self.plies;
        let book = |plies| {
            OpeningBook::Random(RandomOpenings {
                plies,
                balance: self.balance,
                nodes: BALANCE_NODES,
                evaluation: self.evaluation.clone(),
                seed: self.seed,
                cache: OpeningCache::default(),
            })
        };
        (fewest..=most.max(fewest)).map(book).collect()
    }

    fn play(
        &self,
        book: &OpeningBook,
        number: u64,
        player: &RefCell<SearchPlayer>,
        stop: &AtomicBool,
    ) -> Result<Option<FinishedGame>, SelfPlayError> {
        let opening = book.opening(number as usize)?;
        let rules = GameRules {
            adjudication: AdjudicationRules {
                draw: Some(DRAW),
                resign: Some(RESIGN),
                max_moves: Some(MAX_MOVES),
            },
            tablebases: self.tablebases.as_ref(),
            ..GameRules::plain(&opening, [TimeControl::default(); 2], stop)
        };
        Ok(play_game([&mut BothSides(player), &mut BothSides(player)], &rules))
    }
}

/// One side of a game in which both share the transposition table and the histories: less memory to
/// clear and to keep in the cache, and each search begins with what the one before has found.
struct BothSides<'a>(&'a RefCell<SearchPlayer>);

impl Player for BothSides<'_> {
    fn start_game(
        &mut self,
        own: Color,
        turn: &Turn<'_>,
    ) -> Result<Option<EngineFault>, EngineFault> {
        match own {
            Color::White => self.0.borrow_mut().start_game(own, turn),
            Color::Black => Ok(None),
        }
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, EngineFault> {
        self.0.borrow_mut().choose(turn)
    }

    fn end_game(&mut self, _: Color, _: Option<&FinishedGame>) {}
}
