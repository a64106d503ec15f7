//! A reviewed game.

use super::mark::Mark;
use super::phase::Phase;
use qirkat_evaluation::Chances;
use qirkat_game::distance::Depth;
use qirkat_game::score::Score;
use qirkat_game::{Color, Rules};
use qirkat_rules::pgn::MoveNumber;
use qirkat_rules::variant::{AnyMove, AnyPosition};

#[derive(Clone, PartialEq, Debug)]
pub struct RatedLine {
    /// The moves, all legal, the first in the position that the line belongs to.
    pub moves: Vec<AnyMove>,
    /// The score for the side that makes the first of them.
    pub score: Score,
    /// The chances that go with the score, for the same side.
    pub chances: Chances,
    /// How deep it was searched.
    pub depth: Depth,
}

/// A move of a game with what was found about it. Scores and chances are those of the
/// side that made it.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview {
    pub position: AnyPosition,
    pub played: AnyMove,
    /// The line that it led to: it begins with the move, and the best replies follow.
    pub line: RatedLine,
    /// The best other move and what would have followed; none if there was no other.
    pub alternative: Option<RatedLine>,
    /// Expected points that the move lost, from 0 to 1.
    pub loss: f64,
    /// Its mark, if it lost enough for one.
    pub mark: Option<Mark>,
    /// Whether it was the one move that did not lose much; taking back does not count.
    pub is_only_move: bool,
    /// Whether a won game was let slip.
    pub missed_win: bool,
    pub phase: Phase,
    /// The reason, in whole sentences.
    pub reason: Option<String>,
}

impl MoveReview {
    /// Who made it.
    pub fn mover(&self) -> Color {
        self.position.side_to_move()
    }

    /// Its number, as in `12.` and `12...`.
    pub fn number(&self) -> MoveNumber {
        MoveNumber::of(&self.position)
    }

    /// The best line there was: that of the move itself, or the other.
    pub fn best(&self) -> &RatedLine {
        match &self.alternative {
            Some(other) if other.score > self.line.score => other,
            _ => &self.line,
        }
    }

    /// The score after the move from White's view.
    pub fn white_score(&self) -> Score {
        match self.mover() {
            Color::White => self.line.score,
            Color::Black => -self.line.score,
        }
    }

    /// The chances after the move from White's view.
    pub fn white_chances(&self) -> Chances {
        for_white(self.line.chances, self.mover())
    }

    /// White's chances before the move, with best play.
    pub fn white_chances_before(&self) -> Chances {
        for_white(self.best().chances, self.mover())
    }

    /// Whether there is something to read about it.
    pub fn is_remarkable(&self) -> bool {
        self.mark.is_some() || self.is_only_move || self.reason.is_some()
    }
}

fn for_white(chances: Chances, mover: Color) -> Chances {
    match mover {
        Color::White => chances,
        Color::Black => chances.flipped(),
    }
}

/// A game with its moves reviewed, from some move on to the end.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameReview {
    /// Moves before the first that is reviewed: none unless the review was broken off,
    /// since it begins at the end of the game.
    pub unreviewed: usize,
    pub moves: Vec<MoveReview>,
}

impl GameReview {
    pub fn is_complete(&self) -> bool {
        self.unreviewed == 0
    }

    /// White's expected points before the first reviewed move and after each.
    pub fn white_expectations(&self) -> Vec<f64> {
        let first = self.moves.first().map(MoveReview::white_chances_before);
        let after = self.moves.iter().map(MoveReview::white_chances);
        first.into_iter().chain(after).map(Chances::expected).collect()
    }
}
