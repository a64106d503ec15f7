//! Positions as random games reach them.

use qirkat::chesquerque::{Move, Position};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// Positions of random games that capture often enough to empty the board:
/// `noisy_share` is how often a capture or promotion is preferred.
pub fn walk(seed: u64, plies: usize, noisy_share: f64) -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut positions = vec![Position::start()];
    while positions.len() < plies {
        let position = positions[positions.len() - 1];
        let moves = position.legal_moves();
        let noisy: Vec<Move> = moves.iter().copied().filter(|&mv| position.is_noisy(mv)).collect();
        let chosen = if rng.random_bool(noisy_share) { noisy.choose(&mut rng) } else { None };
        let Some(&mv) = chosen.or_else(|| moves.choose(&mut rng)) else { break };
        positions.push(position.play(mv));
    }
    positions
}
