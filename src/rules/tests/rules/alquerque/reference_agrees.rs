//! The rules compared with a slow generator written independently, from their text alone.

use std::collections::{HashMap, HashSet};

use super::slow::{End, Identity, Position as Slow};
use qirkat_game::Rules;
use qirkat_rules::alquerque::{DrawReason, Game, Move, MoveFilter, Outcome, Position};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::super::tables::sorted;
use super::walks::walk;
use qirkat_testing::effort;

/// Walks compared, by [`effort`], and the minimum of positions in each set of them.
const WALKS: [u64; 3] = [400, 2_400, 30_000];
const POSITIONS_PER_WALK: usize = 20;
const PLIES_PER_WALK: usize = 160;

/// The events that occurred in the walks, to ensure that all are covered.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    forbidden_steps: usize,
    losses: usize,
    repetitions: usize,
    clock_draws: usize,
    long_jumps: usize,
}

#[test]
fn random_walks_agree_with_the_reference() {
    let walks = effort(WALKS);
    let mut seen = Seen::default();
    (0..walks).for_each(|seed| compare_along_a_walk(seed, &mut seen));
    println!("{seen:?}");
    let walks = walks as usize;
    assert!(seen.positions >= walks * POSITIONS_PER_WALK, "{seen:?}");
    assert!(seen.forbidden_steps > walks && seen.losses > walks / 20, "{seen:?}");
    assert!(seen.repetitions > walks / 20 && seen.clock_draws > walks / 100, "{seen:?}");
    assert!(seen.long_jumps > walks / 5, "{seen:?}");
}

/// Plays random moves and compares everything in each position. Every other walk prefers sideways
/// moves, and among them repetitions.
fn compare_along_a_walk(seed: u64, seen: &mut Seen) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut game = Game::from_position(walk(seed, 1)[0]);
    let mut slow = Slow::from_fen(&game.position().fen()).expect("a canonical FEN");
    let mut stood: HashMap<Identity, usize> = HashMap::new();
    let mut keys = HashSet::new();
    for _ in 0..PLIES_PER_WALK {
        let position = *game.position();
        let times = stood.entry(slow.identity()).or_default();
        *times += 1;
        compare(&position, &slow);
        compare_endings(&game, &slow, *times, seen);
        let moves = position.legal_moves();
        seen.positions += 1;
        seen.forbidden_steps +=
            usize::from(position.forbidden_step(position.side_to_move()).is_some());
        seen.long_jumps += usize::from(moves.iter().any(|mv| mv.jumps() > 2));

        let sideways: Vec<Move> = moves.iter().copied().filter(is_sideways_step).collect();
        let has_stood = |mv: Move| keys.contains(&position.after(mv).key());
        let again: Vec<Move> = sideways.iter().copied().filter(|&mv| has_stood(mv)).collect();
        let prefers_sideways = seed.is_multiple_of(2) && rng.random_bool(0.97);
        let chosen = if prefers_sideways {
            again.choose(&mut rng).or_else(|| sideways.choose(&mut rng))
        } else {
            None
        };
        let Some(&mv) = chosen.or_else(|| moves.choose(&mut rng)) else { break };
        keys.insert(position.key());
        game.play(mv);
        slow = slow.play(&mv.to_string()).expect("the same moves are legal");
    }
}

fn is_sideways_step(mv: &Move) -> bool {
    !mv.is_jump() && mv.first_direction().is_sideways()
}

fn compare(position: &Position, slow: &Slow) {
    let fen = slow.to_fen();
    assert_eq!(position.fen(), fen);
    let expected = sorted(slow.legal_moves());
    let moves = position.legal_moves();
    assert_eq!(sorted(&moves), expected, "{fen}");
    assert_eq!(position.count_legal_moves(), expected.len() as u64, "{fen}");
    // A step has two points; steps are legal only without a jump.
    let jumps = moves.iter().any(|mv| mv.is_jump());
    for (filter, wanted) in [(MoveFilter::Noisy, jumps), (MoveFilter::Quiet, !jumps)] {
        assert_eq!(position.moves(filter), if wanted { moves.clone() } else { vec![] }, "{fen}");
    }
}

fn compare_endings(game: &Game, slow: &Slow, times: usize, seen: &mut Seen) {
    let (is_lost, is_drawn) = match slow.end() {
        Some(End::Loss) => (true, false),
        Some(End::HundredPlies) => (false, true),
        None => (false, false),
    };
    let fen = slow.to_fen();
    match game.outcome() {
        Some(Outcome::Blocked(winner) | Outcome::NoPieces(winner)) => {
            assert!(is_lost, "{fen}");
            assert_eq!(winner, !game.position().side_to_move(), "{fen}");
            seen.losses += 1;
        }
        Some(Outcome::Draw(DrawReason::HundredPlies)) => {
            assert!(is_drawn, "{fen}");
            seen.clock_draws += 1;
        }
        Some(Outcome::Draw(DrawReason::Repetition)) => {
            assert!(!is_lost && !is_drawn && times >= 3, "{fen} occurs {times} times");
            seen.repetitions += 1;
        }
        Some(other) => panic!("{fen}: {other}"),
        None => {
            assert!(!is_lost && !is_drawn, "{fen}");
            assert!(times < 3, "{fen} occurs {times} times");
        }
    }
}
