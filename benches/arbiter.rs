//! What a move costs in a match of two engines that hardly think: start of the
//! question to the next question, engine and pipes included, so an upper bound
//! of what the arbiter adds. Two games at a time.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use qirkat::evaluation::Evaluation;
use qirkat_arena::{
    AdjudicationRules, Contestant, EngineSetup, OpeningBook, OpeningCache, OpeningPolicy, Outcomes,
    Pairings, Program, RandomOpenings, Schedule, ScheduledGame, Supervision, TimeControl,
    Tournament, TournamentKind,
};

const CONCURRENCY: usize = 2;
const GAMES: usize = 100;
const OPENING_PLIES: usize = 8;
/// What the arbiter may add to a move.
const PROMISE: Duration = Duration::from_millis(2);

/// A schedule that is played to its end.
struct Whole(Schedule);

impl Pairings for Whole {
    fn games(&self, outcomes: &Outcomes) -> Vec<ScheduledGame> {
        self.0.games(outcomes)
    }

    fn is_needed(&self, _: &ScheduledGame, _: &Outcomes) -> bool {
        true
    }
}

fn main() {
    let contestant = |name: &str| Contestant {
        name: name.to_owned(),
        setup: EngineSetup {
            program: Program { command: env!("CARGO_BIN_EXE_qirkat").into(), ..Program::default() },
            ..EngineSetup::default()
        },
        control: TimeControl { depth: Some(1), ..TimeControl::default() },
    };
    let openings = RandomOpenings {
        plies: OPENING_PLIES,
        balance: 100,
        nodes: 500,
        evaluation: Evaluation::Material.into(),
        seed: 1,
        cache: OpeningCache::default(),
    };
    let tournament = Tournament {
        contestants: vec![contestant("one"), contestant("two")],
        openings: OpeningBook::Random(openings),
        adjudication: AdjudicationRules::default(),
        tablebases: None,
        concurrency: CONCURRENCY,
        supervision: Supervision::default(),
        wait: Duration::ZERO,
    };
    let schedule = Schedule {
        players: 2,
        kind: TournamentKind::RoundRobin,
        rounds: 1,
        games_per_meeting: GAMES,
        seeds: 1,
        swaps: true,
        reversed: false,
        policy: OpeningPolicy::Default,
    };
    let mut moves = 0;
    let start = Instant::now();
    let played = tournament.run(
        &Whole(schedule),
        Outcomes::default(),
        &Arc::new(AtomicBool::new(false)),
        &mut |_, game| {
            moves += game.moves.len() - OPENING_PLIES;
            true
        },
    );
    let time = start.elapsed() * CONCURRENCY as u32;
    match played {
        Ok(()) => println!(
            "{GAMES} games, {moves} moves: {:.3} ms a move (promise: less than {} ms)",
            time.as_secs_f64() * 1e3 / moves as f64,
            PROMISE.as_millis()
        ),
        Err(error) => eprintln!("{error}"),
    }
}
