//! The moves with which games begin.

use std::str::FromStr;

use qirkat_notation::pgn::{PgnError, PgnGame, PgnReader};
use qirkat_rules::variant::Variant;

/// The first moves from the usual start, in each game that has them.
#[derive(Clone, Debug)]
pub(super) struct OpeningMoves {
    /// A game begins like one of these.
    lines: Vec<PgnGame>,
}

impl OpeningMoves {
    /// Whether a game begins with these moves.
    pub fn begin(&self, game: &PgnGame) -> bool {
        self.lines.iter().any(|line| {
            line.start == game.start
                && line.moves.len() <= game.moves.len()
                && line.moves.iter().zip(&game.moves).all(|(a, b)| a.mv == b.mv)
        })
    }
}

impl FromStr for OpeningMoves {
    type Err = String;

    fn from_str(text: &str) -> Result<OpeningMoves, String> {
        let (mut lines, mut faults) = (Vec::new(), Vec::new());
        for variant in Variant::ALL {
            match line(variant, text) {
                Ok(line) => lines.push(line),
                Err(fault) => faults.push(fault),
            }
        }
        // What is wrong in Chesquerque, the first of them.
        match faults.into_iter().next() {
            Some(fault) if lines.is_empty() => Err(fault),
            _ => Ok(OpeningMoves { lines }),
        }
    }
}

fn line(variant: Variant, text: &str) -> Result<PgnGame, String> {
    let text = format!("[Variant \"{}\"] {text}", variant.title());
    let mut games = PgnReader::new(text.as_bytes());
    match (games.next(), games.next()) {
        (Some(Err(PgnError::Game { fault, .. })), _) => Err(fault.to_string()),
        (Some(Ok(read)), None) if !read.game.moves.is_empty() => Ok(read.game),
        _ => Err("not moves such as `e4 e6`".to_owned()),
    }
}
