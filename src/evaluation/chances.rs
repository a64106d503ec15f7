//! Chances to win, draw and lose.

/// The chances of the side to move, as probabilities that add up to 1. Those of a score
/// come from a [`WdlModel`](super::WdlModel).
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
    use super::*;

    #[test]
    fn permille_add_up() {
        for (win, loss) in [(0.0, 0.0), (1.0, 0.0), (0.3333, 0.3333), (0.0005, 0.9995)] {
            let chances = Chances { win, loss };
            assert_eq!(chances.permille().iter().sum::<u32>(), 1000, "{chances:?}");
        }
        assert_eq!(Chances::DRAWN.permille(), [0, 1000, 0]);
    }
}
