//! Chances to win, draw and lose.

use crate::score::Score;

/// Chances in thousandths to win, draw and lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chances {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

impl Chances {
    /// Nothing but a draw can happen.
    pub const DRAW: Chances = Chances { win: 0, draw: 1000, loss: 0 };
}

/// How chances follow from scores: two logistic curves set apart, the form that
/// Stockfish uses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChanceModel {
    /// The centipawns with which half of the games are won.
    pub even: f64,
    /// How many more make the odds of a win e to one.
    pub slope: f64,
}

impl ChanceModel {
    /// Fitted by `qirkat tune chances` to 576 games of the network of round 5 at
    /// 1+0.01, 81 931 scores.
    pub const FITTED: ChanceModel = ChanceModel { even: 113.8, slope: 100.0 };

    /// The chance to win, from 0 to 1, with a score in centipawns. That to
    /// lose is the other side's chance to win.
    pub fn win(&self, centipawns: f64) -> f64 {
        1.0 / (1.0 + ((self.even - centipawns) / self.slope).exp())
    }
}

/// Chances that go with a score.
pub fn chances(score: Score) -> Chances {
    let win =
        |centipawns: i32| (1000.0 * ChanceModel::FITTED.win(f64::from(centipawns))).round() as u32;
    let (win, loss) = match score.plies_to_mate() {
        Some(plies) if plies > 0 => (1000, 0),
        Some(_) => (0, 1000),
        None => (win(score.value()), win(-score.value())),
    };
    Chances { win, draw: 1000 - win - loss, loss }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up() {
        for centipawns in [-31_000, -900, -150, -1, 0, 1, 150, 400, 31_000] {
            let Chances { win, draw, loss } = chances(Score::centipawns(centipawns));
            assert_eq!(win + draw + loss, 1000, "{centipawns}");
        }
    }
}
