//! Tables of distances against the slow solver, and facts that were once found.

use qirkat_rules::alquerque::{Position, State};
use qirkat_tablebase::alquerque::{DistanceTables, MenMaterial};
use qirkat_testing::effort;
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::positions::{FIVE_MEN, FOUR_MEN, fen, point_name, random_position, read};
use super::slow::Position as Slow;
use super::slow_tables::SlowTables;

/// Positions of four men whose graphs are solved, by [`effort`].
const POSITIONS: [usize; 3] = [12, 2_000, 20_000];

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
    let [lost, won, drawn] = compare(&FOUR_MEN, roots.into_iter());
    // Nothing is drawn yet.
    assert_eq!((lost, won, drawn), (120_514, 133_704, 0));
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
    assert!(counts.iter().all(|&count| count > 50), "lost, won, drawn: {counts:?}");
}

/// From two men on: the positions with one side to move where both sides have men, and the most
/// plies to the end.
const FACTS: [(u64, u16); 4] = [(2_852, 30), (91_262, 31), (1_456_000, 50), (15_018_444, 60)];

/// Every position of so many men is asked once, by its state.
#[test]
fn the_longest_games() {
    let most_men = effort([4, 5, 5]);
    let tables = if most_men == 5 { &*FIVE_MEN } else { &*FOUR_MEN };
    for (men, fact) in (2..=most_men).zip(FACTS) {
        let mut found = (0, 0);
        add_states(0, 0, men, &mut |position| {
            if MenMaterial::of(&position).is_some() {
                found.0 += 1;
                found.1 = found.1.max(tables.distance(&position).map_or(0, u16::from));
            }
        });
        let mut counted = (0, 0);
        for material in MenMaterial::all(men) {
            let [more, fewer] = material.sides();
            let statistics = tables.statistics(material).expect("solved");
            let sides = if more == fewer { 1 } else { 2 };
            for side in &statistics.sides[..sides] {
                counted.0 += side.wins + side.draws + side.losses;
                let longest = [side.longest_win, side.longest_loss];
                counted.1 =
                    longest.into_iter().flatten().fold(counted.1, |most, it| most.max(it.0));
            }
        }
        assert_eq!(counted, found, "{men} men");
        assert_eq!(found, fact, "{men} men");
    }
    assert_eq!(tables.men(), most_men);
}

/// The positions with so many men from this point on, White to move. A step forbidden to a side
/// that has to jump anyway makes no other position.
fn add_states(men: u64, from: u32, more: usize, sink: &mut impl FnMut(Position)) {
    if more > 0 {
        for point in from..25 {
            add_states(men | 1 << point, point + 1, more - 1, sink);
            add_states(men | 1 << (25 + point), point + 1, more - 1, sink);
        }
        return;
    }
    let steps = |at: u32| {
        let points = (0..25).filter(move |point| men >> (at + point) & 1 != 0);
        std::iter::once(0).chain(points.flat_map(|point| [2 * point + 1, 2 * point + 2]))
    };
    for white in steps(0) {
        for black in steps(25) {
            let state = State(men | u64::from(white) << 50 | u64::from(black) << 56);
            let same = |position: &Position| white == 0 || !position.can_jump();
            state.position().filter(same).into_iter().for_each(&mut *sink);
        }
    }
}
