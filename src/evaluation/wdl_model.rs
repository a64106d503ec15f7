//! The win-draw-loss (WDL) model: converts scores to chances.

use num_traits::Float;
use qirkat_game::score::Score;
use qirkat_rules::variant::Variant;

/// Two logistic curves, with the form and the names `a` and `b` of Stockfish: P(win) = 1 / (1 +
/// exp((a - x) / b)), P(loss) is the same for -x, and the rest is P(draw).
///
/// In Stockfish both depend on material. Here they are constants for each game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// The score in centipawns at which half of the games are won.
    pub a: f64,
    /// The increase in centipawns that multiplies the odds of a win by e.
    pub b: f64,
}

impl WdlModel {
    /// The model of a game, fitted by `qirkat tune wdl` to self-play games. See
    /// `docs/records/chances.md` for the games and the quality of fit.
    pub const fn fitted(variant: Variant) -> WdlModel {
        match variant {
            Variant::Chesquerque => WdlModel { a: 93.2, b: 88.1 },
            Variant::Masonic => WdlModel { a: 56.2, b: 102.5 },
            Variant::Alquerque => WdlModel { a: 581.9, b: 270.6 },
        }
    }

    /// The probability of a win, from 0 to 1, for a score in centipawns.
    pub fn win(&self, centipawns: f64) -> f64 {
        sigmoid((centipawns - self.a) / self.b)
    }

    /// The chances of a score: certain for mates and tablebase results.
    pub fn chances(&self, score: Score) -> Chances {
        if !score.is_mate() && !score.is_tablebase() {
            self.chances_at(f64::from(score.value()))
        } else if score > Score::DRAW {
            Chances::WON
        } else {
            Chances::WON.flipped()
        }
    }

    pub fn chances_at(&self, centipawns: f64) -> Chances {
        Chances { win: self.win(centipawns), loss: self.win(-centipawns) }
    }
}

/// The logistic sigmoid 1 / (1 + exp(-x)), which turns a score into a probability of winning. Zero
/// gives one half, and adding 1 to `x` multiplies the odds by e.
#[inline]
pub fn sigmoid<F: Float>(x: F) -> F {
    F::one() / (F::one() + (-x).exp())
}

/// The side to move's chances, as probabilities that sum to 1; [`WdlModel`] computes them.
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
    pub win: f64,
    pub loss: f64,
}

impl Chances {
    pub const WON: Chances = Chances { win: 1.0, loss: 0.0 };
    pub const DRAWN: Chances = Chances { win: 0.0, loss: 0.0 };

    pub fn draw(self) -> f64 {
        1.0 - self.win - self.loss
    }

    /// The expected points: 1 for a win, a half for a draw.
    pub fn expected(self) -> f64 {
        // This form is exactly one half for equal chances.
        0.5 + (self.win - self.loss) / 2.0
    }

    #[must_use]
    pub fn flipped(self) -> Chances {
        Chances { win: self.loss, loss: self.win }
    }

    /// Wins, draws and losses per thousand games; they sum to 1000.
    pub fn permille(self) -> [u32; 3] {
        let [win, loss] = [self.win, self.loss].map(|share| (1000.0 * share).round() as u32);
        // Both may have been rounded up.
        let loss = loss.min(1000_u32.saturating_sub(win));
        [win, 1000 - win.min(1000) - loss, loss]
    }
}
