//! The solver's results with small tables agree with larger tables and with a slow search by the
//! rules, with any game history, and after an interruption.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use qirkat_game::{Color, DRAWING_PLIES, GameState, Rules};
use qirkat_problem::solver::{
    Checkpoint, CheckpointError, DistanceTables, GameValue, ProverError, SolveError, Solver,
};
use qirkat_rules::alquerque::Position;
use qirkat_system::machine::thread_pool;
use qirkat_testing::effort;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::positions::{DRAWN, FOUR_MEN, random_position, read};

const MEGABYTES: usize = 16;

fn solver(tables: &DistanceTables) -> Solver<'_> {
    Solver { tables, megabytes: MEGABYTES, threads: 1, certifies_tables: true }
}

fn winner(value: &GameValue) -> Option<Color> {
    match value {
        GameValue::Won { winner, .. } => Some(*winner),
        GameValue::Drawn { .. } | GameValue::Open => None,
    }
}

fn table_winner(tables: &DistanceTables, position: &Position) -> Option<Color> {
    let side = position.side_to_move();
    tables.distance(position).map(|plies| if plies % 2 == 1 { side } else { !side })
}

#[test]
fn results_agree_with_larger_tables() {
    let fewer = DistanceTables::new(2);
    let mut rng = StdRng::seed_from_u64(21);
    let mut wins = 0;
    for threads in [1, 2] {
        let solver = Solver { threads, ..solver(&fewer) };
        let pool = thread_pool(threads).expect("threads");
        for _ in 0..effort([60, 300, 10_000]) {
            let position = random_position(&mut rng, 3);
            let game = GameState::from_position(position);
            let value = pool.install(|| solver.solve(&game, None, &|_| true));
            let value = value.unwrap_or_else(|error| panic!("{position}: {error}"));
            assert_eq!(winner(&value), table_winner(&FOUR_MEN, &position), "{position}");
            assert_ne!(value, GameValue::Open, "{position}");
            wins += usize::from(winner(&value).is_some());
        }
    }
    assert!(wins > 20, "{wins} wins");
    let fewer = DistanceTables::new(3);
    for fen in DRAWN {
        let value = solver(&fewer).solve(&GameState::from_position(read(fen)), None, &|_| true);
        assert!(matches!(value, Ok(GameValue::Drawn { certificate: Some(_) })), "{fen}");
        assert_eq!(FOUR_MEN.distance(&read(fen)), None, "{fen}");
    }
}

/// The winner by the rules, counting the clock and repetitions. Tables answer where the clock
/// restarts.
fn slow_winner(game: &GameState<Position>) -> Option<Color> {
    let position = game.position();
    let side = position.side_to_move();
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Some(!side);
    }
    if game.outcome().is_some() {
        return None;
    }
    let mut best = Some(!side);
    for mv in moves {
        let mut next = game.clone();
        next.play(mv);
        let is_fresh = next.position().halfmove_clock() == 0;
        let after =
            if is_fresh { table_winner(&FOUR_MEN, next.position()) } else { slow_winner(&next) };
        match after {
            Some(winner) if winner == side => return Some(side),
            None => best = None,
            Some(_) => {}
        }
    }
    best
}

#[test]
fn the_clock_can_save_the_losing_side() {
    let tables = DistanceTables::new(3);
    let mut rng = StdRng::seed_from_u64(22);
    let (mut won, mut saved) = (0, 0);
    for _ in 0..effort([150, 1_000, 30_000]) {
        let men = rng.random_range(2..=4);
        let fresh = random_position(&mut rng, men);
        let clock = rng.random_range(90..DRAWING_PLIES);
        let position = read(&fresh.to_string().replace(" 0 1", &format!(" {clock} 80")));
        assert_eq!(position.halfmove_clock(), clock);
        let game = GameState::from_position(position);
        let right = slow_winner(&game);
        // It reports only what it can certify; draws are not tested here.
        let solver = Solver { certifies_tables: false, ..solver(&tables) };
        let most = AtomicU64::new(0);
        let solved = solver.solve(&game, None, &|_| most.fetch_add(1, Ordering::Relaxed) < 4);
        let value = match solved {
            Err(SolveError::Prover(ProverError::Stopped)) if right.is_none() => continue,
            solved => solved.unwrap_or_else(|error| panic!("{position}: {error}")),
        };
        assert_eq!(winner(&value), right, "{position}");
        won += usize::from(right.is_some());
        saved += usize::from(right.is_none() && table_winner(&FOUR_MEN, &fresh).is_some());
    }
    assert!(won > 20 && saved > 2, "{won} won, {saved} saved by the clock");
}

#[test]
fn earlier_repetitions_count() {
    let mut rng = StdRng::seed_from_u64(23);
    let (mut games, mut won, mut saved) = (0, 0, 0);
    while games < effort([12, 100, 2_000]) {
        let position = random_position(&mut rng, 4);
        let fen = position.to_string().replace(" 0 1", " 78 80");
        let Some(game) = step_to_and_fro(&read(&fen), &mut rng) else { continue };
        games += 1;
        let right = slow_winner(&game);
        let solver = Solver { certifies_tables: false, ..solver(&FOUR_MEN) };
        let value = solver.solve(&game, None, &|_| true).expect("an answer");
        let position = game.position();
        assert_eq!(winner(&value), right, "{fen} {:?}", game.moves());
        won += usize::from(right.is_some());
        saved += usize::from(right != table_winner(&FOUR_MEN, position));
    }
    assert!(won > 0 && saved > 0, "{won} won, {saved} saved by the past");
}

fn step_to_and_fro(start: &Position, rng: &mut StdRng) -> Option<GameState<Position>> {
    let mut game = GameState::from_position(*start);
    let mut steps: Vec<String> = Vec::new();
    for ply in 0..16 {
        let position = game.position();
        // Each step is undone two moves later, and then everything repeats.
        let text = match steps.get(usize::wrapping_sub(ply, 4)) {
            Some(step) => format!("{}{}", &step[2..], &step[..2]),
            None => {
                let moves = position.legal_moves();
                let on_ranks =
                    moves.into_iter().filter(|&mv| position.after(mv).halfmove_clock() > 0);
                let on_ranks: Vec<String> = on_ranks.map(|mv| mv.to_string()).collect();
                on_ranks.get(rng.random_range(0..on_ranks.len().max(1)))?.clone()
            }
        };
        game.play_text(&text).ok()?;
        if game.position().halfmove_clock() == 0 || game.outcome().is_some() {
            return None;
        }
        steps.push(text);
    }
    Some(game)
}

#[test]
fn an_interrupted_proof_resumes() {
    let solver = solver(&FOUR_MEN);
    let game = GameState::from_position(read(LONG));
    // Calls come at regular intervals, so their number measures the work.
    let questions = AtomicU64::new(0);
    let ask = || questions.fetch_add(1, Ordering::Relaxed);
    let whole = solver.solve(&game, None, &|_| {
        ask();
        true
    });
    let whole = whole.expect("a proof");
    let all = questions.swap(0, Ordering::Relaxed);
    assert!(all >= 10, "{all} questions");

    let checkpoint = Mutex::new(Vec::new());
    let broken_off = solver.solve(&game, None, &|progress| {
        *checkpoint.lock().unwrap_or_else(PoisonError::into_inner) = progress.checkpoint();
        ask() < all / 3 * 2
    });
    assert_eq!(broken_off, Err(SolveError::Prover(ProverError::Stopped)));
    let bytes = checkpoint.into_inner().unwrap_or_else(PoisonError::into_inner);
    let read_again = Checkpoint::read(&bytes).expect("a checkpoint");
    questions.store(0, Ordering::Relaxed);
    let rest = solver.solve(&game, Some(&read_again), &|_| {
        ask();
        true
    });
    assert_eq!(winner(&rest.expect("a proof")), winner(&whole));
    let rest = questions.swap(0, Ordering::Relaxed);
    assert!(rest <= all / 2, "{rest} of {all} questions are left");

    // It resumes only the same proof.
    let other = GameState::from_position(random_position(&mut StdRng::seed_from_u64(1), 6));
    let refused = |solver: &Solver<'_>, game| solver.solve(game, Some(&read_again), &|_| true);
    assert_eq!(refused(&solver, &other), Err(CheckpointError::Position.into()));
    let fewer = Solver { tables: &DistanceTables::new(2), ..solver };
    assert_eq!(refused(&fewer, &game), Err(CheckpointError::Men(4).into()));
    for end in [0, 7, 12, 20, bytes.len() / 2, bytes.len() - 1] {
        assert!(Checkpoint::read(&bytes[..end]).is_err(), "{end} bytes");
    }
    for at in (0..bytes.len()).step_by(bytes.len() / 50) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert!(Checkpoint::read(&damaged).is_err(), "byte {at}");
    }
}

/// Ten men; takes about 45,000 nodes.
const LONG: &str = "m2M1/1m2M/M2M1/2mmM/3M1 b - e4d4 0 1";
