//! Positions as random games reach them.

use qirkat_game::{MoveFilter, Searchable};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// The positions of a random game from the start. It captures often enough to empty the
/// board: `noisy_share` is how often a capture or promotion is preferred.
pub fn walk<G: Searchable>(seed: u64, plies: usize, noisy_share: f64) -> Vec<G> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut positions = vec![G::start()];
    while positions.len() < plies {
        let position = positions[positions.len() - 1];
        let moves = position.legal_moves();
        let noisy = position.moves(MoveFilter::Noisy);
        let chosen = if rng.random_bool(noisy_share) { noisy.choose(&mut rng) } else { None };
        let Some(&mv) = chosen.or_else(|| moves.choose(&mut rng)) else { break };
        positions.push(position.after(mv));
    }
    positions
}
