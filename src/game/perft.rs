//! Perft ("performance test"): how many move sequences of a given length there are, the
//! standard test and benchmark of a move generator.

use super::rules::Rules;

/// Counts the move sequences of `depth` plies. Moves of the last ply are counted in bulk,
/// without making them.
///
/// ```
/// use qirkat::{Position, perft};
///
/// assert_eq!(perft(&Position::default(), 3), 6_746);
/// ```
pub fn perft<P: Rules>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        _ => sum_over_moves(position, |next| perft(next, depth - 1)),
    }
}

/// The same, making every move of the last ply too: a measure of
/// [`Rules::make`].
pub fn perft_unbulked<P: Rules>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    sum_over_moves(position, |next| perft_unbulked(next, depth - 1))
}

/// Copies and makes in two steps: a position that [`Rules::after`] returns is
/// moved once more, which costs an eighth of the whole.
#[inline]
fn sum_over_moves<P: Rules>(position: &P, count: impl Fn(&P) -> u64) -> u64 {
    let mut sum = 0;
    for mv in position.legal_moves() {
        let mut next = *position;
        next.make(mv);
        sum += count(&next);
    }
    sum
}
