//! Tables of distances against the slow solver, and facts that were once found.

use qirkat_rules::alquerque::Position;
use qirkat_solver::DistanceTables;
use qirkat_testing::effort;
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::positions::{FIVE_MEN, FOUR_MEN, fen, point_name, random_position, read};
use super::slow::Position as Slow;
use super::slow_tables::SlowTables;

/// Positions of four men whose graphs are solved, by [`effort`].
const POSITIONS: [usize; 3] = [200, 2_000, 20_000];

fn slow(position: &Position) -> Slow {
    Slow::from_fen(&position.fen()).expect("a canonical FEN")
}

fn compare(tables: &DistanceTables, roots: impl Iterator<Item = Slow>) -> [usize; 3] {
    let mut counts = [0; 3];
    for (position, distance) in SlowTables::new(roots).all() {
        let text = position.to_fen();
        let found = tables.distance(&read(&text)).map(u32::from);
        assert_eq!(found, distance, "{text}");
        counts[distance.map_or(2, |distance| distance as usize % 2)] += 1;
    }
    counts
}

#[test]
fn all_positions_of_up_to_three_men() {
    let mut roots = Vec::new();
    let mut board = ['1'; 25];
    add_boards(&mut board, 0, 3, &mut roots);
    let counts = compare(&FOUR_MEN, roots.into_iter());
    println!("lost, won, drawn: {counts:?}");
}

/// All boards with so many men more from this point on, with all steps forbidden and none.
fn add_boards(board: &mut [char; 25], from: usize, men: usize, roots: &mut Vec<Slow>) {
    if men == 0 || from == 25 {
        add_positions(board, roots);
        return;
    }
    add_boards(board, from + 1, men, roots);
    for man in ['M', 'm'] {
        board[from] = man;
        add_boards(board, from + 1, men - 1, roots);
        board[from] = '1';
    }
}

fn add_positions(board: &[char; 25], roots: &mut Vec<Slow>) {
    let steps = |man: char| -> Vec<String> {
        let pairs = (0..24).filter(|at| at % 5 != 4).flat_map(|at| [(at, at + 1), (at + 1, at)]);
        let steps = pairs.filter(|&(from, to)| board[from] == man && board[to] == '1');
        let texts = steps.map(|(from, to)| point_name(from) + &point_name(to));
        std::iter::once("-".to_owned()).chain(texts).collect()
    };
    let [white, black] = [steps('M'), steps('m')];
    for white in &white {
        for black in &black {
            for (side, steps) in [('w', [&**white, black]), ('b', [&**black, white])] {
                let text = fen(|point| board[point], side, steps);
                roots.push(Slow::from_fen(&text).expect("a FEN"));
            }
        }
    }
}

#[test]
fn some_positions_of_four_men_and_all_that_they_lead_to() {
    let mut rng = StdRng::seed_from_u64(7);
    let roots = (0..effort(POSITIONS)).map(|_| slow(&random_position(&mut rng, 4)));
    let counts = compare(&FOUR_MEN, roots);
    println!("lost, won, drawn: {counts:?}");
}

#[test]
fn facts() {
    println!("{} {}", FOUR_MEN.positions(), FIVE_MEN.positions());
}
