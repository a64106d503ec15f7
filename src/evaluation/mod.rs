//! What a position is worth without looking ahead. The search knows nothing
//! of it but [`evaluate`] and [`EXCHANGE_VALUES`], so that a network can take
//! its place.

mod values;

use crate::position::{Color, ExchangeValues, PieceKind, Point, Position};
use crate::score::Score;
use values::{KING_SHELTER, MATERIAL, PHASE_WEIGHT, PLACEMENT, TEMPO, WHOLE_PHASE};

/// Worth of the men in exchanges, in centipawns. Nothing is worth a king.
pub const EXCHANGE_VALUES: ExchangeValues = ExchangeValues(MATERIAL);

/// The parts of an evaluation for one side, in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideTerms {
    /// Worth of the men.
    pub material: i32,
    /// Worth of where they stand, by point and kind of point.
    pub placement: i32,
    /// What the king gains at home while the enemy has pieces.
    pub king_shelter: i32,
}

impl SideTerms {
    /// All parts together.
    pub fn total(self) -> i32 {
        self.material + self.placement + self.king_shelter
    }

    fn of(position: &Position, color: Color) -> SideTerms {
        let mut terms = SideTerms::default();
        for kind in PieceKind::ALL {
            let men = position.of(color, kind);
            if kind != PieceKind::King {
                terms.material += MATERIAL[kind.index()] * men.len() as i32;
            }
            for point in men {
                terms.placement += PLACEMENT[kind.index()][seen_by(color, point)];
            }
        }
        let king = seen_by(color, position.king(color));
        terms.king_shelter =
            KING_SHELTER[usize::from(king.rank())] * phase(position, !color) / WHOLE_PHASE;
        terms
    }
}

/// A point as a side sees it, its own first rank below.
fn seen_by(color: Color, point: Point) -> Point {
    match color {
        Color::White => point,
        Color::Black => point.flipped(),
    }
}

/// How much a side has left to attack a king with, up to [`WHOLE_PHASE`].
fn phase(position: &Position, color: Color) -> i32 {
    let weight =
        |kind: PieceKind| PHASE_WEIGHT[kind.index()] * position.of(color, kind).len() as i32;
    PieceKind::ALL.into_iter().map(weight).sum::<i32>().min(WHOLE_PHASE)
}

/// The terms of White and of Black.
pub fn terms(position: &Position) -> [SideTerms; 2] {
    Color::ALL.map(|color| SideTerms::of(position, color))
}

/// The worth of a position to the side to move.
pub fn evaluate(position: &Position) -> Score {
    let [white, black] = terms(position).map(SideTerms::total);
    let balance = match position.side_to_move() {
        Color::White => white - black,
        Color::Black => black - white,
    };
    Score::centipawns(balance + TEMPO)
}

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
    fn both_sides_are_seen_alike() {
        for (fen, flipped) in [
            (
                "rnbqkabnr/ppppppppp/9/9/4P4/9/9/PPPP1PPPP/RNBQKABNR b KQkq - 0 1",
                "rnbqkabnr/pppp1pppp/9/9/4p4/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
            ),
            ("4k4/9/2a6/9/9/9/9/3R5/4K4 w - - 0 1", "4k4/3r5/9/9/9/9/2A6/9/4K4 b - - 0 1"),
        ] {
            let score = |fen| evaluate(&Position::from_fen(fen).expect("a valid FEN").position);
            assert_eq!(score(fen), score(flipped), "{fen}");
        }
    }

    #[test]
    fn chances_add_up() {
        for centipawns in [-31_000, -900, -150, -1, 0, 1, 150, 400, 31_000] {
            let Chances { win, draw, loss } = chances(Score::centipawns(centipawns));
            assert_eq!(win + draw + loss, 1000, "{centipawns}");
        }
    }
}
