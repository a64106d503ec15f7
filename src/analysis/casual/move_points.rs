//! The points that a move visits, for code that draws it.

use qirkat_rules::variant::AnyMove;

/// The points that a move visits, by its text: pairs of a letter and a digit. A
/// letter behind them is what a pawn becomes.
pub fn points_of(mv: AnyMove) -> (Vec<String>, Option<char>) {
    let text = mv.to_string();
    let letters: Vec<char> = text.chars().collect();
    let pairs = letters.chunks_exact(2);
    let promotion = pairs.remainder().first().copied();
    (pairs.map(|pair| pair.iter().collect()).collect(), promotion)
}
