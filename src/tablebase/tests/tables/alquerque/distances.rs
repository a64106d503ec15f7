//! Distance tables against the slow solver, and known facts.

use std::collections::HashMap;

use qirkat_rules::alquerque::{Position, State};
use qirkat_tablebase::alquerque::{DistanceTables, MenMaterial};
use qirkat_testing::effort;
use rand::SeedableRng;
use rand::rngs::StdRng;

use super::super::slow::{Next, Value, sweep};
use super::positions::{FIVE_MEN, FOUR_MEN, random_position, read};
use super::slow::Position as Slow;

/// Positions of four men whose graphs are solved, by [`effort`].
const POSITIONS: [usize; 3] = [2, 700, 20_000];

fn slow(position: &Position) -> Slow {
    Slow::from_fen(&position.fen()).expect("a canonical FEN")
}

fn compare(tables: &DistanceTables, roots: impl Iterator<Item = Slow>) -> [usize; 3] {
    let mut counts = [0; 3];
    for (position, value) in solve(roots) {
        let text = position.to_fen();
        let (distance, result) = match value {
            Value::Loss { dtm, .. } => (Some(dtm), 0),
            Value::Win { dtm, .. } => (Some(dtm), 1),
            Value::Draw => (None, 2),
        };
        assert_eq!(tables.distance(&read(&text)).map(u16::from), distance, "{text}");
        counts[result] += 1;
    }
    counts
}

/// All positions reachable from these with the slow generator, and their values.
fn solve(roots: impl Iterator<Item = Slow>) -> impl Iterator<Item = (Slow, Value)> {
    let mut positions: Vec<Slow> = Vec::new();
    let mut numbers = HashMap::new();
    let mut number = |position: Slow, positions: &mut Vec<Slow>| -> u32 {
        *numbers.entry(position.identity()).or_insert_with(|| {
            positions.push(position);
            positions.len() as u32 - 1
        })
    };
    for root in roots {
        number(root, &mut positions);
    }
    let mut moves = Vec::new();
    while let Some(position) = positions.get(moves.len()).cloned() {
        let next = position.successors().into_iter();
        let next: Vec<Next> = next.map(|it| Next::Quiet(number(it, &mut positions))).collect();
        moves.push(Some((next.is_empty(), next)));
    }
    let values = sweep(&moves, false);
    positions.into_iter().zip(values)
}

/// The number of lost, won and drawn positions, with up to two men and with up to three.
const FEW_MEN: [[usize; 3]; 2] = [[5_056, 5_306, 0], [120_514, 133_704, 0]];

#[test]
fn all_positions_with_few_men_agree() {
    let most_men = effort([2, 2, 3]);
    let mut roots = Vec::new();
    for men in 0..=most_men {
        add_states(0, 0, men, &mut |position, _| {
            roots.extend([position, position.flipped()].map(|it| slow(&it)));
        });
    }
    assert_eq!(compare(&FOUR_MEN, roots.into_iter()), FEW_MEN[most_men - 2]);
}

#[test]
fn positions_with_four_men_and_their_successors_agree() {
    let mut rng = StdRng::seed_from_u64(7);
    let drawn = slow(&read("5/MM3/5/mm3/5 w - - 0 1"));
    let roots = (0..effort(POSITIONS)).map(|_| slow(&random_position(&mut rng, 4))).chain([drawn]);
    let counts = compare(&FOUR_MEN, roots);
    assert!(counts.iter().all(|&count| count > 50), "lost, won, drawn: {counts:?}");
}

/// From two men on: the positions with one side to move where both sides have men, and the most
/// plies to the end.
const FACTS: [(u64, u16); 4] = [(2_852, 30), (91_262, 31), (1_456_000, 50), (15_018_444, 60)];

/// Each position with this many men is looked up once, by its state.
#[test]
fn the_longest_distances_are_as_known() {
    let most_men = effort([4, 5, 5]);
    let tables = if most_men == 5 { &*FIVE_MEN } else { &*FOUR_MEN };
    for (men, fact) in (2..=most_men).zip(FACTS) {
        let mut found = (0, 0);
        add_states(0, 0, men, &mut |position, is_double| {
            if !is_double && MenMaterial::of(&position).is_some() {
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

/// The positions with these men and `more` from this point on, White to move. The flag marks
/// duplicates: a step forbidden to a side that has to jump makes no other position.
fn add_states(men: u64, from: u32, more: usize, sink: &mut impl FnMut(Position, bool)) {
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
            if let Some(position) = state.position() {
                sink(position, white != 0 && position.can_jump());
            }
        }
    }
}
