//! Perft: how many move sequences of a given length there are, the standard
//! test and yardstick of a move generator.

use super::rules::Rules;

/// Counts the move sequences of `depth` plies, the last ply in bulk.
pub fn perft<P: Rules>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        _ => position.legal_moves().iter().map(|&mv| perft(&position.after(mv), depth - 1)).sum(),
    }
}

/// The same, making every move of the last ply too: a measure of
/// [`Rules::make`].
pub fn perft_unbulked<P: Rules>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let below = |&mv: &P::Move| perft_unbulked(&position.after(mv), depth - 1);
    position.legal_moves().iter().map(below).sum()
}
