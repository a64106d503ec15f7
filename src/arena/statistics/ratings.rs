//! A rating list over the games of many players, by the Bradley-Terry model (Zermelo, 1929; Bradley
//! and Terry, 1952): the expected score is the logistic curve of the rating difference, and a draw
//! is half a point. Maximum-likelihood ratings make every player's expected points equal the points
//! scored, as in Ordo; Newton's method finds them (D. R. Hunter, "MM algorithms for generalized
//! Bradley-Terry models", Annals of Statistics 32, 2004, proves when they exist and are unique).
//!
//! The model's own standard errors would be too large with draws, and ignore pairs. So errors come
//! from the observed variance by pair (the sandwich estimator: H. White, "Maximum likelihood
//! estimation of misspecified models", Econometrica 50, 1982), which for two players equals the
//! error of their Elo by pairs.

use std::f64::consts::LN_10;

use qirkat_evaluation::sigmoid;

use crate::statistics::estimate::{EloEstimate, Z_95};

/// The ratings of players, by number, in Elo.
#[derive(Clone, Debug, Default)]
pub struct Ratings {
    list: Vec<Option<EloEstimate>>,
    /// Each player's row in the covariances; none without a finite rating.
    rows: Vec<Option<usize>>,
    /// Of the finite ratings, in Elo².
    covariances: Matrix,
}

impl Ratings {
    /// The rating relative to the average. It is infinite for a player who won or lost every game,
    /// or every game that remains when such players are removed; and `None` where the games do not
    /// tell: for players without games, or if one group won every game against the others.
    pub fn get(&self, player: usize) -> Option<EloEstimate> {
        self.list.get(player).copied().flatten()
    }

    /// How much stronger a player is than another; `None` if the games do not tell.
    pub fn difference(&self, one: usize, other: usize) -> Option<EloEstimate> {
        let value = self.get(one)?.value - self.get(other)?.value;
        let error = match (self.rows[one], self.rows[other]) {
            (Some(one), Some(other)) => {
                let of = |row: usize, column: usize| self.covariances[row][column];
                let variance = of(one, one) + of(other, other) - 2.0 * of(one, other);
                Z_95 * variance.max(0.0).sqrt()
            }
            _ => f64::INFINITY,
        };
        // Two players who won all their games cannot be compared.
        (!value.is_nan()).then_some(EloEstimate { value, error })
    }
}

/// Rates this many players by their games.
pub fn ratings(players: usize, rated_results: &[RatedResult]) -> Ratings {
    let mut list = vec![None; players];
    let mut rows = vec![None; players];
    let mut players_left: Vec<usize> = (0..players).collect();
    let mut results: Vec<RatedResult> =
        rated_results.iter().filter(|result| result.count > 0.0).copied().collect();
    // Players with an infinite rating are removed with their games; others may then become infinite.
    loop {
        let extremes = extremes(&players_left, &results);
        if extremes.is_empty() {
            break;
        }
        for &(player, value) in &extremes {
            list[player] = Some(EloEstimate { value, error: f64::INFINITY });
        }
        let is_out = |player| extremes.iter().any(|&(extreme, _)| extreme == player);
        players_left.retain(|&player| !is_out(player));
        results.retain(|result| !is_out(result.first) && !is_out(result.second));
    }
    players_left.retain(|player| results.iter().any(|it| [it.first, it.second].contains(player)));
    let index = |player| players_left.iter().position(|&left| left == player);
    let numbered = |result: &RatedResult| {
        Some(RatedResult { first: index(result.first)?, second: index(result.second)?, ..*result })
    };
    let rated_results = results.iter().filter_map(numbered).collect();
    let model = Model { players: players_left.len(), rated_results };
    let Some((found, covariances)) = model.solve() else {
        return Ratings { list, rows, covariances: Matrix::new() };
    };
    for (row, (&player, value)) in players_left.iter().zip(found).enumerate() {
        let error = Z_95 * covariances[row][row].max(0.0).sqrt();
        list[player] = Some(EloEstimate { value, error });
        rows[player] = Some(row);
    }
    Ratings { list, rows, covariances }
}

/// Players who scored all points or none, with their infinite ratings.
fn extremes(players: &[usize], results: &[RatedResult]) -> Vec<(usize, f64)> {
    let mut extremes = Vec::new();
    for &player in players {
        let (mut games, mut points) = (0.0, 0.0);
        for result in results {
            if [result.first, result.second].contains(&player) {
                games += result.count * result.games;
                points += if result.first == player { result.won() } else { result.lost() };
            }
        }
        if games > 0.0 && points == 0.0 {
            extremes.push((player, f64::NEG_INFINITY));
        } else if games > 0.0 && points == games {
            extremes.push((player, f64::INFINITY));
        }
    }
    extremes
}

const ELO_PER_UNIT: f64 = 400.0 / LN_10;
/// Limit for Newton's method, which takes about ten steps.
const MAX_STEPS: usize = 200;
/// Ratings have converged when they change less than this.
const TOLERANCE: f64 = 1e-10;

/// Players by index among those with a finite rating.
struct Model {
    pub players: usize,
    pub rated_results: Vec<RatedResult>,
}

impl Model {
    /// The ratings in Elo, around the average, and their covariances in Elo²; `None` if the games
    /// do not connect the players.
    pub fn solve(&self) -> Option<(Vec<f64>, Matrix)> {
        if self.players < 2 || !self.is_connected() {
            return None;
        }
        let ratings = self.most_likely()?;
        let inverse = self.inverse_information(&ratings)?;
        let spread = self.spread(&ratings);
        let half: Matrix = inverse.iter().map(|row| times(&spread, row)).collect();
        let unit = ELO_PER_UNIT.powi(2);
        let covariances =
            half.iter().map(|row| inverse.iter().map(|column| unit * dot(row, column)).collect());
        let values = ratings.iter().map(|rating| ELO_PER_UNIT * rating).collect();
        Some((values, covariances.collect()))
    }

    fn most_likely(&self) -> Option<Vec<f64>> {
        let mut ratings = vec![0.0; self.players];
        for _ in 0..MAX_STEPS {
            let mut step = times(&self.inverse_information(&ratings)?, &self.slope(&ratings));
            let so_far = self.log_likelihood(&ratings);
            let moved = |step: &[f64]| -> Vec<f64> {
                ratings.iter().zip(step).map(|(rating, step)| rating + step).collect()
            };
            let size = |step: &[f64]| step.iter().map(|step| step.abs()).fold(0.0, f64::max);
            // Far from the maximum a step may overshoot.
            while self.log_likelihood(&moved(&step)) < so_far && size(&step) > TOLERANCE {
                step.iter_mut().for_each(|step| *step /= 2.0);
            }
            ratings = moved(&step);
            if size(&step) <= TOLERANCE {
                break;
            }
        }
        Some(ratings)
    }

    /// Whether the graph of scores is strongly connected, so that every player has scored against
    /// every other, directly or indirectly: only then ratings exist and are unique (L. R. Ford,
    /// "Solution of a ranking problem from binary comparisons", 1957).
    fn is_connected(&self) -> bool {
        [false, true].into_iter().all(|reversed| {
            let mut reached = vec![false; self.players];
            reached[0] = true;
            let mut waiting = vec![0];
            while let Some(player) = waiting.pop() {
                for result in &self.rated_results {
                    for (from, to, points) in [
                        (result.first, result.second, result.won()),
                        (result.second, result.first, result.lost()),
                    ] {
                        let (from, to) = if reversed { (to, from) } else { (from, to) };
                        if from == player && points > 0.0 && !reached[to] {
                            reached[to] = true;
                            waiting.push(to);
                        }
                    }
                }
            }
            reached.into_iter().all(|reached| reached)
        })
    }

    fn expected(result: &RatedResult, ratings: &[f64]) -> f64 {
        sigmoid(ratings[result.first] - ratings[result.second])
    }

    fn log_likelihood(&self, ratings: &[f64]) -> f64 {
        let of_result = |result: &RatedResult| {
            let expected = Self::expected(result, ratings);
            result.won() * expected.ln() + result.lost() * (1.0 - expected).ln()
        };
        self.rated_results.iter().map(of_result).sum()
    }

    /// The gradient of the log-likelihood: points scored minus points expected.
    fn slope(&self, ratings: &[f64]) -> Vec<f64> {
        let mut slope = vec![0.0; self.players];
        for result in &self.rated_results {
            let surplus =
                result.count * (result.points - result.games * Self::expected(result, ratings));
            slope[result.first] += surplus;
            slope[result.second] -= surplus;
        }
        slope
    }

    /// The inverse of the Fisher information, for ratings that sum to zero.
    fn inverse_information(&self, ratings: &[f64]) -> Option<Matrix> {
        let mut information = self.sum_of(|result| {
            let expected = Self::expected(result, ratings);
            result.count * result.games * expected * (1.0 - expected)
        });
        // The matrix is singular, because a common offset of all ratings changes nothing: with a
        // constant added it can be inverted.
        let common = 1.0 / self.players as f64;
        information.iter_mut().flatten().for_each(|value| *value += common);
        let mut inverse = inverse(information)?;
        inverse.iter_mut().flatten().for_each(|value| *value -= common);
        Some(inverse)
    }

    /// The squared residuals of the results: the middle of the sandwich estimator.
    fn spread(&self, ratings: &[f64]) -> Matrix {
        self.sum_of(|result| {
            result.count * (result.points - result.games * Self::expected(result, ratings)).powi(2)
        })
    }

    /// Sums a value of each result over rating differences.
    fn sum_of(&self, value: impl Fn(&RatedResult) -> f64) -> Matrix {
        let mut sum = vec![vec![0.0; self.players]; self.players];
        for result in &self.rated_results {
            let value = value(result);
            sum[result.first][result.first] += value;
            sum[result.second][result.second] += value;
            sum[result.first][result.second] -= value;
            sum[result.second][result.first] -= value;
        }
        sum
    }
}

type Matrix = Vec<Vec<f64>>;

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn times(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, vector)).collect()
}

/// The inverse of a symmetric positive definite matrix; `None` for others. Gauss-Jordan elimination
/// in place, which needs no pivoting here (G. Golub, C. Van Loan, "Matrix Computations", section
/// 4.2).
fn inverse(mut matrix: Matrix) -> Option<Matrix> {
    for index in 0..matrix.len() {
        let pivot = std::mem::replace(&mut matrix[index][index], 1.0);
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        let mut row = std::mem::take(&mut matrix[index]);
        row.iter_mut().for_each(|value| *value /= pivot);
        for other in matrix.iter_mut().filter(|other| !other.is_empty()) {
            let factor = std::mem::take(&mut other[index]);
            for (value, of_row) in other.iter_mut().zip(&row) {
                *value -= factor * of_row;
            }
        }
        matrix[index] = row;
    }
    Some(matrix)
}

/// The score of two players in a pair or a single game. Equal results are counted together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatedResult {
    pub first: usize,
    pub second: usize,
    pub games: f64,
    /// The first player's points in these games.
    pub points: f64,
    /// How many such results there were.
    pub count: f64,
}

impl RatedResult {
    pub(super) fn won(&self) -> f64 {
        self.count * self.points
    }

    pub(super) fn lost(&self) -> f64 {
        self.count * (self.games - self.points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::estimate::{Estimate, PairCounts};

    /// Single games without draws, from a table of who won how often against whom.
    fn games<const N: usize>(wins: [[u32; N]; N]) -> Vec<RatedResult> {
        let mut games = Vec::new();
        for (first, row) in wins.iter().enumerate() {
            for (second, &count) in row.iter().enumerate() {
                // The one half counted in one, the other game by game.
                let won = |count| RatedResult { first, second, games: 1.0, points: 1.0, count };
                games.push(won(f64::from(count / 2)));
                games.extend((count / 2..count).map(|_| won(1.0)));
            }
        }
        games
    }

    fn known(ratings: &Ratings) -> Vec<EloEstimate> {
        ratings.list.iter().map(|one| one.expect("a rating")).collect()
    }

    /// A. Agresti, "Categorical Data Analysis" (2002), table 10.10: American League baseball of
    /// 1987, and the estimates that go with it, relative to the last team, as the R package
    /// BradleyTerry2 gives them with their standard errors.
    #[test]
    fn a_textbook_example_is_solved() {
        let ratings = ratings(
            7,
            &games([
                [0, 7, 9, 7, 7, 9, 11],
                [6, 0, 7, 5, 11, 9, 9],
                [4, 6, 0, 7, 7, 8, 12],
                [6, 8, 6, 0, 6, 7, 10],
                [6, 2, 6, 7, 0, 7, 12],
                [4, 4, 5, 6, 6, 0, 6],
                [2, 4, 1, 3, 1, 7, 0],
            ]),
        );
        let list = known(&ratings);
        let expected = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0];
        for (estimate, expected) in list.iter().zip(expected) {
            let difference = (estimate.value - list[6].value) / ELO_PER_UNIT;
            assert!((difference - expected).abs() < 5e-5, "{difference}, not {expected}");
        }
        assert!(list.iter().map(|one| one.value).sum::<f64>().abs() < 1e-6);
        // Between two teams it gives 0.31 to 0.35, and from the average it is about 1/√2 of that.
        for estimate in &list {
            let error = estimate.error / Z_95 / ELO_PER_UNIT;
            assert!((0.19..0.26).contains(&error), "{error}");
        }
        for player in 0..6 {
            let difference = ratings.difference(player, 6).expect("a difference");
            assert!((difference.value - list[player].value + list[6].value).abs() < 1e-9);
            let error = difference.error / Z_95 / ELO_PER_UNIT;
            assert!((0.28..0.37).contains(&error), "{error}");
        }
    }

    #[test]
    fn two_players_get_their_elo_by_pairs() {
        let counts = [14, 70, 200, 95, 21];
        let rated_results: Vec<RatedResult> = (0u8..)
            .zip(counts)
            .map(|(halves, count)| RatedResult {
                first: 0,
                second: 1,
                games: 2.0,
                points: f64::from(halves) / 2.0,
                count: count as f64,
            })
            .collect();
        let ratings = ratings(2, &rated_results);
        let list = known(&ratings);
        let estimate = Estimate::from_pairs(&PairCounts(counts)).expect("pairs").elo;
        assert!((list[0].value - list[1].value - estimate.value).abs() < 1e-6);
        // Of half the difference.
        assert!((2.0 * list[0].error - estimate.error).abs() < 0.05);
        let difference = ratings.difference(0, 1).expect("a difference");
        assert!((difference.error - 2.0 * list[0].error).abs() < 1e-6);
    }

    #[test]
    fn who_cannot_be_compared_has_no_rating_or_an_infinite_one() {
        let values = |ratings: &Ratings| -> Vec<Option<f64>> {
            ratings.list.iter().map(|one| one.map(|one| one.value.round())).collect()
        };
        let infinite = f64::INFINITY;
        for (wins, expected) in [
            // Nobody has played.
            ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], [None; 3]),
            // The first lost everything, the others are even.
            ([[0, 0, 0], [1, 0, 1], [1, 1, 0]], [Some(-infinite), Some(0.0), Some(0.0)]),
            // Each won against all below.
            ([[0, 1, 1], [0, 0, 1], [0, 0, 0]], [Some(infinite), None, Some(-infinite)]),
            // The last met nobody.
            ([[0, 3, 0], [1, 0, 0], [0, 0, 0]], [Some(95.0), Some(-95.0), None]),
        ] {
            assert_eq!(values(&ratings(3, &games(wins))), expected, "{wins:?}");
        }
        // Two groups, of which one always beats the other.
        let groups = [[0, 1, 1, 1], [1, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 0]];
        assert_eq!(values(&ratings(4, &games(groups))), [None; 4]);
    }
}
