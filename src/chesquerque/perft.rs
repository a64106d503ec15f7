//! Perft: how many move sequences of a given length there are, the standard
//! test and yardstick of a move generator.

use super::{MoveFilter, MoveList, Position};

/// Counts the move sequences of `depth` plies, the last ply in bulk.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        _ => {
            let mut moves = MoveList::new();
            position.add_moves(MoveFilter::All, &mut moves);
            let below = |&mv| {
                let mut next = *position;
                next.make(mv);
                perft(&next, depth - 1)
            };
            moves.iter().map(below).sum()
        }
    }
}

/// The same, making every move of the last ply too: a measure of
/// [`Position::play`].
pub fn perft_unbulked(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = MoveList::new();
    position.add_moves(MoveFilter::All, &mut moves);
    let below = |&mv| {
        let mut next = *position;
        next.make(mv);
        perft_unbulked(&next, depth - 1)
    };
    moves.iter().map(below).sum()
}
