//! What changed from one iteration of a search to the next.

use qirkat_engine::SearchLine;
use qirkat_game::score::Score;
use qirkat_rules::variant::{AnyMove, AnyPosition};

/// A fall of the score by so many centipawns is told.
const FALL: i32 = 30;
/// Changes that are shown: the last ones.
const SHOWN: usize = 5;

/// The best move and its score as they were, and what has changed since the start.
#[derive(Default)]
pub(super) struct Changes {
    best: Option<(AnyMove, Score)>,
    texts: Vec<String>,
}

impl Changes {
    /// Takes note of the best line of an iteration.
    pub fn note(&mut self, position: &AnyPosition, line: &SearchLine) {
        let Some(&mv) = line.moves.first().filter(|_| line.rank == 1) else { return };
        let score = line.score;
        if let Some((before, old)) = self.best.replace((mv, score)) {
            let from_to = format!("{} to {}", score_text(old), score_text(score));
            if before != mv {
                let (before, now) = (position.san(before), position.san(mv));
                self.add(line, format!("best move {before} -> {now}, {from_to}"));
            } else if old - score >= FALL {
                self.add(line, format!("{} falls from {from_to}", position.san(mv)));
            }
        }
    }

    fn add(&mut self, line: &SearchLine, what: String) {
        self.texts.push(format!("depth {}: {what}", line.depth.0));
    }

    /// The last changes, the latest at the end.
    pub fn last(&self) -> &[String] {
        &self.texts[self.texts.len().saturating_sub(SHOWN)..]
    }
}

/// Pawns with a sign, or moves to mate.
pub(super) fn score_text(score: Score) -> String {
    match score.moves_to_mate() {
        Some(moves) if moves > 0 => format!("#{moves}"),
        Some(moves) => format!("#-{}", moves.unsigned_abs()),
        None => format!("{:+.2}", f64::from(score.value()) / 100.0),
    }
}
