//! A rating list over all games of many players, however they are paired: the ratings of
//! [`bradley_terry`](super::bradley_terry), infinite ones aside.

use super::bradley_terry::{Encounter, Model};
use super::estimate::EloEstimate;

/// The rating of each player, in Elo around the average of those who have one.
/// It is infinite for a player who won, or lost, every game; there is none where the
/// games do not connect the players, as for those without games.
pub fn ratings(players: usize, encounters: &[Encounter]) -> Vec<Option<EloEstimate>> {
    let mut list = vec![None; players];
    let mut field: Vec<usize> = (0..players).collect();
    let mut among: Vec<Encounter> =
        encounters.iter().filter(|one| one.count > 0.0).copied().collect();
    // Players with an infinite rating are left out, and so are their games; others may
    // then have one among themselves.
    loop {
        let extremes = extremes(&field, &among);
        if extremes.is_empty() {
            break;
        }
        for &(player, value) in &extremes {
            list[player] = Some(EloEstimate { value, error: f64::INFINITY });
        }
        let is_out = |player| extremes.iter().any(|&(one, _)| one == player);
        field.retain(|&player| !is_out(player));
        among.retain(|one| !is_out(one.first) && !is_out(one.second));
    }
    field.retain(|&player| among.iter().any(|one| one.first == player || one.second == player));
    let place = |player| field.iter().position(|&one| one == player);
    let numbered: Vec<Encounter> = among
        .iter()
        .filter_map(|one| {
            Some(Encounter { first: place(one.first)?, second: place(one.second)?, ..*one })
        })
        .collect();
    let model = Model { players: field.len(), encounters: numbered };
    if let Some(found) = model.solve() {
        for (&player, estimate) in field.iter().zip(found) {
            list[player] = Some(estimate);
        }
    }
    list
}

/// The players who have scored all points or none, with their infinite rating.
fn extremes(field: &[usize], among: &[Encounter]) -> Vec<(usize, f64)> {
    let mut extremes = Vec::new();
    for &player in field {
        let (mut games, mut points) = (0.0, 0.0);
        for one in among {
            if one.first == player || one.second == player {
                games += one.count * one.games;
                points += if one.first == player { one.won() } else { one.lost() };
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

#[cfg(test)]
mod tests {
    use super::super::bradley_terry::ELO_PER_UNIT;
    use super::super::estimate::Z_95;
    use super::*;
    use crate::statistics::{Estimate, PairCounts};

    /// Single games without draws, from a table of who won how often against
    /// whom.
    fn games<const N: usize>(wins: [[u32; N]; N]) -> Vec<Encounter> {
        let mut games = Vec::new();
        for (first, row) in wins.iter().enumerate() {
            for (second, &count) in row.iter().enumerate() {
                // The one half counted in one, the other game by game.
                let won = |count| Encounter { first, second, games: 1.0, points: 1.0, count };
                games.push(won(f64::from(count / 2)));
                games.extend((count / 2..count).map(|_| won(1.0)));
            }
        }
        games
    }

    fn known(list: &[Option<EloEstimate>]) -> Vec<EloEstimate> {
        list.iter().map(|one| one.expect("a rating")).collect()
    }

    /// A. Agresti, "Categorical Data Analysis" (2002), table 10.10: American
    /// League baseball of 1987, and the estimates that go with it, relative to
    /// the last team, as the R package BradleyTerry2 gives them with their
    /// standard errors.
    #[test]
    fn a_textbook_example_is_solved() {
        let list = known(&ratings(
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
        ));
        let expected = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0];
        for (estimate, expected) in list.iter().zip(expected) {
            let difference = (estimate.value - list[6].value) / ELO_PER_UNIT;
            assert!((difference - expected).abs() < 5e-5, "{difference}, not {expected}");
        }
        assert!(list.iter().map(|one| one.value).sum::<f64>().abs() < 1e-6);
        // Between two teams it gives 0.31 to 0.35, and from the average it is
        // about 1/√2 of that.
        for estimate in list {
            let error = estimate.error / Z_95 / ELO_PER_UNIT;
            assert!((0.19..0.26).contains(&error), "{error}");
        }
    }

    #[test]
    fn two_players_get_their_elo_by_pairs() {
        let counts = [14, 70, 200, 95, 21];
        let encounters: Vec<Encounter> = (0u8..)
            .zip(counts)
            .map(|(halves, count)| Encounter {
                first: 0,
                second: 1,
                games: 2.0,
                points: f64::from(halves) / 2.0,
                count: count as f64,
            })
            .collect();
        let list = known(&ratings(2, &encounters));
        let estimate = Estimate::from_pairs(&PairCounts(counts)).expect("pairs").elo;
        assert!((list[0].value - list[1].value - estimate.value).abs() < 1e-6);
        // Of half the difference.
        assert!((2.0 * list[0].error - estimate.error).abs() < 0.05);
    }

    #[test]
    fn who_cannot_be_compared_has_no_rating_or_an_infinite_one() {
        let values = |list: &[Option<EloEstimate>]| -> Vec<Option<f64>> {
            list.iter().map(|one| one.map(|one| one.value.round())).collect()
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
