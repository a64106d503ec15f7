//! How well a player played, as a percentage.

use super::game_review::{GameReview, MoveReview};
use super::mark::Mark;
use super::phase::Phase;
use qirkat_game::Color;

/// How well somebody played some moves.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Accuracy {
    /// From 0 to 100; none where nothing was at stake or nobody had a choice.
    pub percent: Option<f64>,
    pub moves: usize,
    /// Expected points given away in all. By what one side gave away more than the
    /// other over a whole game, the chances have moved, whatever the percentages say.
    pub given_away: f64,
    /// Moves with each [`Mark`], by its place in [`Mark::ALL`].
    pub marks: [usize; Mark::ALL.len()],
}

/// How well a player played, in all and by phase.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct PlayerAccuracy {
    pub game: Accuracy,
    /// Each phase, in the order of [`Phase::ALL`].
    pub phases: [Accuracy; Phase::ALL.len()],
}

/// A move's chances in per cent may sway by this much without anything being at stake.
const CALM: f64 = 2.0;
/// Expected points this near to 0 and 1 are decided: moves that keep them so show
/// nothing.
const DECIDED: f64 = 0.02;
/// Bounds of a move's weight.
const WEIGHTS: (f64, f64) = (0.5, 12.0);

/// The accuracy of a move by the points in a hundred that it loses: 100 for none, and
/// about 64 for ten. The formula is lichess' (`AccuracyPercent` of lila), fitted there
/// to what players felt.
pub(super) fn of_move(lost: f64) -> f64 {
    (103.1668 * (-0.04354 * lost).exp() - 3.1669).clamp(0.0, 100.0)
}

impl PlayerAccuracy {
    /// How well a side played.
    pub fn of(review: &GameReview, color: Color) -> PlayerAccuracy {
        let rated = rate(review);
        let of = |fits: &dyn Fn(&MoveReview) -> bool| {
            let moves: Vec<Rated<'_>> = rated
                .iter()
                .filter(|rated| rated.review.mover() == color && fits(rated.review))
                .copied()
                .collect();
            accuracy(&moves)
        };
        PlayerAccuracy {
            game: of(&|_| true),
            phases: Phase::ALL.map(|phase| of(&move |review| review.phase == phase)),
        }
    }
}

/// A move with what it counts.
#[derive(Clone, Copy)]
struct Rated<'a> {
    review: &'a MoveReview,
    /// How much the chances swayed around it, in points of a hundred.
    volatility: f64,
}

/// Lichess weighs each move by the standard deviation of the chances in a window of
/// moves around it, so that a mistake in a sharp moment counts for more.
fn rate(review: &GameReview) -> Vec<Rated<'_>> {
    let percents: Vec<f64> =
        review.white_expectations().iter().map(|expected| 100.0 * expected).collect();
    let width = (percents.len() / 10).clamp(2, 8).min(percents.len());
    let last_start = percents.len() - width;
    let windows = (0..review.moves.len()).map(|ply| {
        let start = (ply + 1).saturating_sub(width / 2).min(last_start);
        deviation(&percents[start..start + width])
    });
    review
        .moves
        .iter()
        .zip(windows)
        .map(|(review, volatility)| Rated { review, volatility })
        .collect()
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

fn accuracy(moves: &[Rated<'_>]) -> Accuracy {
    let mut marks = [0; Mark::ALL.len()];
    for mark in moves.iter().filter_map(|rated| rated.review.mark) {
        marks[mark as usize] += 1;
    }
    Accuracy {
        percent: percent(moves),
        moves: moves.len(),
        given_away: moves.iter().fold(0.0, |sum, rated| sum + rated.review.loss),
        marks,
    }
}

/// The mean of the weighted mean and the harmonic mean, as on lichess. Two things are
/// different: moves without a choice and in decided positions do not count, and where
/// nothing was ever at stake there is no percentage instead of 100.
fn percent(moves: &[Rated<'_>]) -> Option<f64> {
    let counted: Vec<&Rated<'_>> = moves.iter().filter(|rated| counts(rated.review)).collect();
    let was_calm = |rated: &&Rated<'_>| rated.volatility < CALM && rated.review.loss == 0.0;
    if counted.is_empty() || counted.iter().all(was_calm) {
        return None;
    }
    let (mut weights, mut weighted, mut inverses) = (0.0, 0.0, 0.0);
    for rated in &counted {
        let accuracy = of_move(100.0 * rated.review.loss);
        let weight = rated.volatility.clamp(WEIGHTS.0, WEIGHTS.1);
        weights += weight;
        weighted += weight * accuracy;
        inverses += 1.0 / accuracy.max(1.0);
    }
    let harmonic = counted.len() as f64 / inverses;
    Some((weighted / weights + harmonic) / 2.0)
}

fn counts(review: &MoveReview) -> bool {
    let Some(other) = &review.alternative else { return false };
    let (best, worst) =
        if other.score > review.line.score { (other, &review.line) } else { (&review.line, other) };
    best.chances.expected() > DECIDED && worst.chances.expected() < 1.0 - DECIDED
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::game_review::RatedLine;
    use qirkat_evaluation::{Chances, WdlModel};
    use qirkat_game::Rules;
    use qirkat_game::distance::Depth;
    use qirkat_game::score::Score;
    use qirkat_rules::variant::Variant;

    fn chances_of(score: Score) -> Chances {
        WdlModel::fitted(Variant::Chesquerque).chances(score)
    }

    /// A game whose scores after each move, from White's view, are these; each side
    /// could have kept the score before.
    fn game(scores: &[i32]) -> GameReview {
        let fen = "4k4/9/9/9/9/9/9/R8/4K4 w - - 0 1";
        let mut position = Variant::Chesquerque.read_fen(fen).expect(fen).position;
        let mut before = 0;
        let mut moves = Vec::new();
        for (ply, &after) in scores.iter().enumerate() {
            let text = ["e1d1", "e9d9", "d1e1", "d9e9"][ply % 4];
            let played = position.read_move(text).expect(text);
            let sign = if ply % 2 == 0 { 1 } else { -1 };
            let rated = |centipawns: i32| {
                let score = Score::centipawns(sign * centipawns);
                let (chances, depth) = (chances_of(score), Depth(9));
                RatedLine { moves: vec![played], score, chances, depth }
            };
            let (line, other) = (rated(after), rated(before));
            let loss = (other.chances.expected() - line.chances.expected()).max(0.0);
            moves.push(MoveReview {
                position,
                played,
                line,
                alternative: Some(other),
                loss,
                mark: Mark::of_loss(loss),
                is_only_move: false,
                missed_win: false,
                phase: Phase::of(&position),
                reason: None,
            });
            position = position.after(played);
            before = after;
        }
        GameReview { unreviewed: 0, moves }
    }

    fn of(scores: &[i32]) -> [Accuracy; 2] {
        let review = game(scores);
        Color::ALL.map(|color| PlayerAccuracy::of(&review, color).game)
    }

    #[test]
    fn a_move_that_loses_nothing_is_perfect() {
        assert_eq!(of_move(0.0), 99.9999);
        let mut before = 101.0;
        for lost in 0..=100 {
            let accuracy = of_move(f64::from(lost));
            assert!((0.0..=100.0).contains(&accuracy) && accuracy <= before, "{lost}");
            before = accuracy;
        }
        assert_eq!(of_move(100.0), 0.0);
    }

    /// Lichess says 100 there.
    #[test]
    fn a_dead_game_has_no_accuracy() {
        let [white, black] = of(&[0; 40]);
        assert_eq!((white.percent, black.percent), (None, None));
        assert_eq!((white.moves, white.given_away), (20, 0.0));
    }

    #[test]
    fn who_errs_is_less_accurate_and_gives_away_more() {
        let mut scores = vec![10; 30];
        scores[15..].fill(400);
        let [white, black] = of(&scores);
        assert!(white.percent > black.percent, "{white:?} {black:?}");
        assert!(black.given_away > white.given_away + 0.3, "{white:?} {black:?}");
        assert_eq!(black.marks, [0, 0, 1]);
    }

    /// The points that the sides give away add up to what the chances moved.
    #[test]
    fn points_given_away_add_up() {
        let scores = [0, 60, -50, 200, 180, 420, -300, -900];
        let [white, black] = of(&scores);
        let end = chances_of(Score::centipawns(-900)).expected();
        let gained: f64 = 0.5 + black.given_away - white.given_away;
        assert!(gained >= end - 1e-9, "{gained} {end}");
    }

    #[test]
    fn no_moves_have_no_accuracy() {
        let review = GameReview::default();
        assert_eq!(PlayerAccuracy::of(&review, Color::White), PlayerAccuracy::default());
        let short = game(&[700]);
        assert!(PlayerAccuracy::of(&short, Color::Black).game.percent.is_none());
    }
}
