//! Proofs agree with tables of one more man.

use qirkat_game::Rules;
use qirkat_problem::solver::{DistanceTables, Prover, ProverError, verify, winning_strategy};
use qirkat_rules::alquerque::Color;
use qirkat_testing::effort;
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::positions::{FIVE_MEN, FOUR_MEN, random_position};

/// Positions, by [`effort`].
const POSITIONS: [usize; 3] = [400, 1_000, 100_000];
const MEGABYTES: usize = 16;

#[test]
fn proofs_agree_with_larger_tables() {
    // Tables of five men take ten seconds.
    let men = effort([4, 5, 5]);
    let fewer = DistanceTables::new(men - 1);
    let more = if men == 4 { &FOUR_MEN } else { &FIVE_MEN };
    let mut rng = StdRng::seed_from_u64(11);
    let (mut wins, mut draws, mut missed, mut stopped, mut longer) = (0, 0, 0, 0, 0);
    for _ in 0..effort(POSITIONS) {
        let position = random_position(&mut rng, men);
        let distance = more.distance(&position);
        draws += usize::from(distance.is_none());
        for side in Color::ALL {
            let is_won = distance
                .is_some_and(|distance| (distance % 2 == 1) == (position.side_to_move() == side));
            let prover = Prover::new(&fewer, side, MEGABYTES).expect("memory");
            // Without a win, the search can take millions of nodes.
            let most_nodes = if is_won { 200_000 } else { 10_000 };
            let is_proved = match prover.prove(&position, &|it| it.nodes() < most_nodes) {
                Err(ProverError::Stopped) => {
                    stopped += 1;
                    false
                }
                answer => answer.expect("memory"),
            };
            assert!(is_won || !is_proved, "{position}: {side} is said to win");
            missed += usize::from(is_won && !is_proved);
            let (Some(distance), true) = (distance, is_proved) else { continue };
            let certificate = winning_strategy(&prover, &position).expect("a proof");
            let verified = verify(&certificate).unwrap_or_else(|error| panic!("{error}"));
            assert!(verified.plies >= distance.into(), "{position}");
            longer += usize::from(verified.plies > distance.into());
            wins += 1;
        }
    }
    // A missing proof refutes nothing, but is very rare here.
    assert!(missed <= wins / 500, "{missed} of {wins} wins are missed");
    assert!(wins > effort(POSITIONS) / 2, "{wins} wins");
    assert!(draws > 0 && stopped > 0 && longer > 0, "{draws} {stopped} {longer}");
}
