//! What is proved with tables of four men is what tables of five say.

use qirkat_rules::alquerque::Color;
use qirkat_solver::{Certificate, Prover, verify};
use qirkat_testing::effort;
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::positions::{FIVE_MEN, FOUR_MEN, random_position};

/// Positions of five men, by [`effort`].
const POSITIONS: [usize; 3] = [300, 3_000, 100_000];
const MEGABYTES: usize = 4;

#[test]
fn proofs_agree_with_tables_of_one_man_more() {
    let mut rng = StdRng::seed_from_u64(11);
    let (mut wins, mut draws, mut missed, mut longer) = (0, 0, 0, 0);
    for _ in 0..effort(POSITIONS) {
        let position = random_position(&mut rng, 5);
        let distance = FIVE_MEN.distance(&position);
        draws += usize::from(distance.is_none());
        for side in Color::ALL {
            let is_won = distance
                .is_some_and(|distance| (distance % 2 == 1) == (position.side_to_move() == side));
            let mut prover = Prover::new(&FOUR_MEN, side, MEGABYTES).expect("memory");
            let is_proved = prover.prove(&position, &mut |_| true).expect("memory");
            assert!(is_won || !is_proved, "{position}: {side} is said to win");
            missed += usize::from(is_won && !is_proved);
            let (Some(distance), true) = (distance, is_proved) else { continue };
            let certificate = Certificate::new(&prover, &position).expect("a proof");
            let verified = verify(&certificate).unwrap_or_else(|error| panic!("{error}"));
            assert!(verified.plies >= distance.into(), "{position}");
            longer += usize::from(verified.plies > distance.into());
            wins += 1;
        }
    }
    println!("{wins} wins, {draws} draws, {missed} missed, {longer} longer");
}
