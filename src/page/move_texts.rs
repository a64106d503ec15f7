//! Moves as texts by their points, and back.

use qirkat_rules::variant::{AnyMove, AnyPosition};

/// The texts of moves.
pub(super) fn texts_of(moves: &[AnyMove]) -> Vec<String> {
    moves.iter().map(|mv| mv.to_string()).collect()
}

/// The moves that follow each other from a position, up to the first that is not legal.
pub(super) fn read_moves(position: &AnyPosition, texts: &[String]) -> Vec<AnyMove> {
    let mut at = *position;
    let moves = texts.iter().map_while(|text| {
        let mv = at.read_move(text).ok()?;
        at = at.play(mv);
        Some(mv)
    });
    moves.collect()
}
