//! The lines of thinking output.

use qirkat_testing::games::{Game, find};

/// From here on a score is a mate.
const MATE: i64 = 100_000;

/// One line of thinking: `ply score time nodes moves`.
#[derive(Debug)]
pub struct Thinking {
    pub ply: u32,
    pub score: i64,
    /// In hundredths of a second.
    pub time: u64,
    pub nodes: u64,
    pub moves: Vec<String>,
}

impl Thinking {
    pub fn parse(line: &str) -> Option<Thinking> {
        let mut words = line.split(' ');
        let mut number = || words.next()?.parse::<i64>().ok();
        let (ply, score, time, nodes) = (number()?, number()?, number()?, number()?);
        let moves = words.collect::<Vec<_>>().join(" ");
        let moves = moves.trim_end_matches(['?', '!']);
        Some(Thinking {
            ply: ply.try_into().ok()?,
            score,
            time: time.try_into().ok()?,
            nodes: nodes.try_into().ok()?,
            moves: moves.split_whitespace().map(str::to_owned).collect(),
        })
    }

    /// Whether the line can be played from where the game stands.
    pub fn fits(&self, game: &Game) -> bool {
        let mut position = game.current().clone();
        self.moves.iter().all(|text| {
            let found = find(&position, text);
            if let Some(found) = found {
                position = position.play(found);
            }
            found.is_some()
        })
    }

    /// The moves to the mate this score promises, negative for being mated.
    pub fn mate(&self) -> Option<i64> {
        match self.score {
            score if score >= MATE => Some(score - MATE),
            score if score <= -MATE => Some(score + MATE),
            _ => None,
        }
    }
}
