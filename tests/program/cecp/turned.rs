//! Moves as the other side makes them.

/// The same moves with the ranks turned round, as [`qirkat_testing::games::mirrored`]
/// turns a position.
pub fn turned(moves: &str) -> String {
    let turn = |letter: char| match letter.to_digit(10) {
        Some(rank) => char::from_digit(10 - rank, 10).expect("a rank"),
        None => letter,
    };
    moves.chars().map(turn).collect()
}
