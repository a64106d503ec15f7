//! Random small positions with likely mates: a king at the edge of the board, a few strong pieces
//! against it, and sometimes one that defends it.

use qirkat_rules::fen::placement_text;
use qirkat_rules::variant::{AnyPosition, Variant};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

pub fn random_positions(
    variant: Variant,
    seed: u64,
    count: usize,
    strong_to_move: bool,
) -> Vec<AnyPosition> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let fen = random_fen(variant, &mut rng, strong_to_move);
        // Invalid ones mostly have a king that could be captured.
        positions.extend(variant.read_fen(&fen).ok().map(|parsed| parsed.position));
    }
    positions
}

fn random_fen(variant: Variant, rng: &mut StdRng, strong_to_move: bool) -> String {
    let size = usize::from(variant.board_size());
    let mut board = vec![vec![None; size]; size];
    let strong: &[char] = match variant {
        Variant::Chesquerque => &['Q', 'R', 'A', 'B', 'N', 'P'],
        _ => &['Q', 'R', 'B', 'N', 'P'],
    };
    // The king to be mated is on the last rank.
    let file = rng.random_range(0..size);
    board[size - 1][file] = Some('k');
    let mut pieces = vec!['K'];
    for _ in 0..rng.random_range(2..=3) {
        pieces.extend(strong.choose(rng));
    }
    for _ in 0..rng.random_range(0..=2) {
        pieces.extend(strong.choose(rng).map(|letter| letter.to_ascii_lowercase()));
    }
    for piece in pieces {
        let (rank, file) = (rng.random_range(0..size), rng.random_range(0..size));
        if board[rank][file].is_none() {
            board[rank][file] = Some(piece);
        }
    }
    let letter = |file: u8, rank: u8| board[usize::from(rank)][usize::from(file)];
    let placement = placement_text([size as u8; 2], letter);
    format!("{placement} {} - - 0 1", if strong_to_move { "w" } else { "b" })
}
