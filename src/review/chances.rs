//! What a score is worth in points.

use crate::evaluation::WdlModel;
use crate::score::Score;

/// The chances of the side to move, as probabilities that add up to 1.
///
/// They come from [`WdlModel::FITTED`], which was fitted to games of Chesquerque. The
/// other games take it too, as long as no model is fitted to them.
///
/// ```
/// use qirkat::Score;
/// use qirkat::review::Chances;
///
/// let ahead = Chances::of(Score::centipawns(150));
/// assert!(ahead.win > 0.5 && ahead.expected() > 0.75);
/// assert!((ahead.expected() + ahead.flipped().expected() - 1.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// The probability to win.
    pub win: f64,
    /// The probability to lose.
    pub loss: f64,
}

impl Chances {
    /// A draw for certain.
    pub const DRAWN: Chances = Chances { win: 0.0, loss: 0.0 };

    /// The chances that go with a score.
    pub fn of(score: Score) -> Chances {
        match score.plies_to_mate() {
            Some(plies) if plies > 0 => Chances { win: 1.0, loss: 0.0 },
            Some(_) => Chances { win: 0.0, loss: 1.0 },
            None => {
                let centipawns = f64::from(score.value());
                let win = |centipawns| WdlModel::FITTED.win(centipawns);
                Chances { win: win(centipawns), loss: win(-centipawns) }
            }
        }
    }

    /// The probability of a draw.
    pub fn draw(self) -> f64 {
        1.0 - self.win - self.loss
    }

    /// The points to be expected: 1 for a win, a half for a draw.
    pub fn expected(self) -> f64 {
        (1.0 + self.win - self.loss) / 2.0
    }

    /// The same for the other side.
    #[must_use]
    pub fn flipped(self) -> Chances {
        Chances { win: self.loss, loss: self.win }
    }

    /// Wins, draws and losses in a thousand games; together 1000.
    pub fn permille(self) -> [u32; 3] {
        let [win, loss] = [self.win, self.loss].map(|share| (1000.0 * share).round() as u32);
        [win, 1000_u32.saturating_sub(win + loss), loss]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::Ply;

    #[test]
    fn chances_add_up_and_rise_with_the_score() {
        let mut before = -1.0;
        let mates = [Score::mated_at(Ply(4)), Score::mating_at(Ply(3))];
        let scores = (-1200..=1200).step_by(50).map(Score::centipawns);
        for score in mates[..1].iter().copied().chain(scores).chain(mates[1..].iter().copied()) {
            let chances = Chances::of(score);
            assert_eq!(chances.permille().iter().sum::<u32>(), 1000, "{score}");
            assert!(chances.expected() > before, "{score}");
            before = chances.expected();
        }
        assert_eq!(Chances::of(Score::DRAW).expected(), 0.5);
        assert_eq!(Chances::DRAWN.permille(), [0, 1000, 0]);
    }
}
