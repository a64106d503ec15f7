//! The win-draw-loss model (WDL): how likely a score is to win, draw and lose.

use num_traits::Float;
use qirkat_game::score::Score;
use qirkat_rules::variant::Variant;

/// Two logistic curves, the form and the names `a` and `b` that Stockfish uses:
/// P(win) = 1 / (1 + exp((a - x) / b)). P(loss) is the same of -x, and the rest is
/// drawn.
///
/// Stockfish lets both depend on material. Here they are constants, of each game its own.
///
/// ```
/// use qirkat_game::score::Score;
/// use qirkat_evaluation::WdlModel;
/// use qirkat_rules::variant::Variant;
///
/// let chances = WdlModel::fitted(Variant::Chesquerque).chances(Score::centipawns(60));
/// assert!(chances.win > chances.loss);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// The score in centipawns at which half of the games are won.
    pub a: f64,
    /// The centipawns beyond it that multiply the odds of a win by e.
    pub b: f64,
}

impl WdlModel {
    /// The model of a game, fitted by `qirkat tune wdl` to games of the engine against
    /// itself. `docs/records/chances.md` tells to which, and how well the models hold.
    pub const fn fitted(variant: Variant) -> WdlModel {
        match variant {
            Variant::Chesquerque => WdlModel { a: 93.2, b: 88.1 },
            Variant::Masonic => WdlModel { a: 56.2, b: 102.5 },
            Variant::Alquerque => WdlModel { a: 581.9, b: 270.6 },
        }
    }

    /// The probability to win, from 0 to 1, with a score in centipawns. The
    /// probability to lose is that of the other side to win.
    pub fn win(&self, centipawns: f64) -> f64 {
        sigmoid((centipawns - self.a) / self.b)
    }

    /// The chances that go with a score: certain for mates and for what endgame tables know.
    pub fn chances(&self, score: Score) -> Chances {
        if !score.is_mate() && !score.is_table() {
            self.chances_at(f64::from(score.value()))
        } else if score > Score::DRAW {
            Chances::WON
        } else {
            Chances::WON.flipped()
        }
    }

    /// The chances that go with a score in centipawns.
    pub fn chances_at(&self, centipawns: f64) -> Chances {
        Chances { win: self.win(centipawns), loss: self.win(-centipawns) }
    }
}

/// The logistic sigmoid, which turns a score into a probability to win:
/// 1 / (1 + exp(-x)). An `x` of zero is a probability of one half, and one more
/// multiplies the odds by e.
#[inline]
pub fn sigmoid<F: Float>(x: F) -> F {
    F::one() / (F::one() + (-x).exp())
}

/// The chances of the side to move, as probabilities that add up to 1. Those of a score
/// come from a [`WdlModel`].
///
/// ```
/// use qirkat_game::score::Score;
/// use qirkat_evaluation::WdlModel;
/// use qirkat_rules::variant::Variant;
///
/// let ahead = WdlModel::fitted(Variant::Chesquerque).chances(Score::centipawns(150));
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
    /// A win for certain.
    pub const WON: Chances = Chances { win: 1.0, loss: 0.0 };
    /// A draw for certain.
    pub const DRAWN: Chances = Chances { win: 0.0, loss: 0.0 };

    /// The probability of a draw.
    pub fn draw(self) -> f64 {
        1.0 - self.win - self.loss
    }

    /// The points to be expected: 1 for a win, a half for a draw.
    pub fn expected(self) -> f64 {
        // Exactly a half where both are alike.
        0.5 + (self.win - self.loss) / 2.0
    }

    /// The same for the other side.
    #[must_use]
    pub fn flipped(self) -> Chances {
        Chances { win: self.loss, loss: self.win }
    }

    /// Wins, draws and losses in a thousand games; together 1000.
    pub fn permille(self) -> [u32; 3] {
        let [win, loss] = [self.win, self.loss].map(|share| (1000.0 * share).round() as u32);
        // Both may have been rounded up.
        let loss = loss.min(1000_u32.saturating_sub(win));
        [win, 1000 - win.min(1000) - loss, loss]
    }
}

#[cfg(test)]
mod tests {
    use qirkat_game::distance::Ply;

    use super::*;

    #[test]
    fn chances_add_up_and_rise_with_the_score() {
        let mated = [Score::mated_at(Ply(4))];
        let mating = [Score::mating_at(Ply(3))];
        for variant in Variant::ALL {
            let model = WdlModel::fitted(variant);
            let mut before = -1.0;
            let scores = (-1200..=1200).step_by(50).map(Score::centipawns);
            for score in mated.into_iter().chain(scores).chain(mating) {
                let chances = model.chances(score);
                assert_eq!(chances.permille().iter().sum::<u32>(), 1000, "{variant}: {score}");
                assert!(chances.expected() > before, "{variant}: {score}");
                before = chances.expected();
            }
            assert_eq!(model.chances(Score::DRAW).expected(), 0.5, "{variant}");
        }
    }

    #[test]
    fn permille_add_up() {
        for (win, loss) in [(0.0, 0.0), (1.0, 0.0), (0.3333, 0.3333), (0.0005, 0.9995)] {
            let chances = Chances { win, loss };
            assert_eq!(chances.permille().iter().sum::<u32>(), 1000, "{chances:?}");
        }
        assert_eq!(Chances::DRAWN.permille(), [0, 1000, 0]);
    }
}
