//! The win-draw-loss model (WDL): how likely a score is to win, draw and lose.

use crate::score::Score;
use crate::sigmoid::sigmoid;

/// The probabilities to win, draw and lose, in permille; together 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Wdl {
    /// Permille of games won.
    pub win: u32,
    /// Permille of games drawn.
    pub draw: u32,
    /// Permille of games lost.
    pub loss: u32,
}

impl Wdl {
    /// A draw for certain.
    pub const DRAW: Wdl = Wdl { win: 0, draw: 1000, loss: 0 };
}

/// Two logistic curves, the form and the names `a` and `b` that Stockfish uses:
/// P(win) = 1 / (1 + exp((a - x) / b)). P(loss) is the same of -x, and the rest is
/// drawn.
///
/// Stockfish lets both depend on material. Here they are constants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// The score in centipawns at which half of the games are won.
    pub a: f64,
    /// The centipawns beyond it that multiply the odds of a win by e.
    pub b: f64,
}

impl WdlModel {
    /// Fitted by `qirkat tune wdl` to 81 931 scores from 576 games of the
    /// network of round 5 at 1+0.01.
    pub const FITTED: WdlModel = WdlModel { a: 113.8, b: 100.0 };

    /// The probability to win, from 0 to 1, with a score in centipawns. The
    /// probability to lose is that of the other side to win.
    pub fn win(&self, centipawns: f64) -> f64 {
        sigmoid((centipawns - self.a) / self.b)
    }
}

/// The probabilities that go with a score, by [`WdlModel::FITTED`].
///
/// ```
/// use qirkat::Score;
/// use qirkat::evaluation::{Wdl, wdl};
///
/// let Wdl { win, draw, loss } = wdl(Score::centipawns(60));
/// assert!(win > loss && win + draw + loss == 1000);
/// ```
pub fn wdl(score: Score) -> Wdl {
    let win =
        |centipawns: i32| (1000.0 * WdlModel::FITTED.win(f64::from(centipawns))).round() as u32;
    let (win, loss) = match score.plies_to_mate() {
        Some(plies) if plies > 0 => (1000, 0),
        Some(_) => (0, 1000),
        None => (win(score.value()), win(-score.value())),
    };
    Wdl { win, draw: 1000 - win - loss, loss }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up() {
        for centipawns in [-31_000, -900, -150, -1, 0, 1, 150, 400, 31_000] {
            let Wdl { win, draw, loss } = wdl(Score::centipawns(centipawns));
            assert_eq!(win + draw + loss, 1000, "{centipawns}");
        }
    }
}
