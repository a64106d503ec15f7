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

/// Where half of the games are won, and how steeply chances rise there, in
/// centipawns.
const EVEN_CHANCE: f64 = 150.0;
const CHANCE_SLOPE: f64 = 100.0;

/// Chances that go with a score: two logistic curves set apart, the form that
/// Stockfish uses. The two numbers are a first guess, not fitted to games.
pub fn chances(score: Score) -> Chances {
    let win = |centipawns: f64| {
        (1000.0 / (1.0 + ((EVEN_CHANCE - centipawns) / CHANCE_SLOPE).exp())).round() as u32
    };
    let (win, loss) = match score.plies_to_mate() {
        Some(plies) if plies > 0 => (1000, 0),
        Some(_) => (0, 1000),
        None => (win(f64::from(score.value())), win(f64::from(-score.value()))),
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
