//! The rules of Alquerque: fixed counts, a table of special cases, texts, and
//! what holds for every position.

mod counts;
mod endings;
mod illegal_moves;
mod properties;
mod reference_agrees;
mod slow;
mod texts;
mod walks;

use qirkat_rules::alquerque::Position;

/// Reads a FEN that is known to be right.
fn read(fen: &str) -> Position {
    match Position::from_fen(fen) {
        Ok(parsed) => parsed.position,
        Err(error) => panic!("{fen}: {error}"),
    }
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
}
