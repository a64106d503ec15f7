//! Known moves, compared with tables in memory that have one more man than the files: five, or four
//! in the default run.

use qirkat_game::{Color, GameState, Rules};
use qirkat_rules::alquerque::{Move, Position};
use qirkat_tablebase::alquerque::MenTables;
use qirkat_tablebase::{KnownMove, TableResult};
use qirkat_testing::effort;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::super::files::build_in;
use super::positions::{FIVE_MEN, FOUR_MEN, random_position};

/// The men of the larger tables.
fn most_men() -> usize {
    effort([4, 5, 5])
}

/// The built-in tables, or those of one man fewer.
fn tables() -> MenTables {
    let mut tables = MenTables::with_embedded();
    if most_men() == 4 {
        let folder = tempfile::tempdir().expect("a folder");
        build_in::<Position>(folder.path(), &["2v1"]);
        tables = MenTables::new();
        tables.add_folder(folder.path()).expect("read");
    }
    tables
}

/// The larger tables agree on a move, or have no more plies where it is a bound.
fn assert_holds(position: &Position, known: &KnownMove<Move>) {
    let larger = if most_men() == 5 { &FIVE_MEN } else { &FOUR_MEN };
    let (result, plies) = match larger.distance(&position.after(known.mv)) {
        None => (TableResult::Draw, None),
        Some(plies) if plies % 2 == 0 => (TableResult::Win, Some(u16::from(plies) + 1)),
        Some(plies) => (TableResult::Loss, Some(u16::from(plies) + 1)),
    };
    assert_eq!(known.result, result, "{position} {}", known.mv);
    let holds = if known.is_bound { known.plies >= plies } else { known.plies == plies };
    assert!(holds, "{position} {}: {:?} plies, {plies:?}", known.mv, known.plies);
}

#[test]
fn known_moves_agree_with_larger_tables() {
    let tables = tables();
    let mut rng = StdRng::seed_from_u64(5);
    let (mut known, mut unknown, mut mixed) = (0, 0, 0);
    for count in 0..effort([400, 4_000, 40_000]) {
        let position = random_position(&mut rng, most_men() - count % 3);
        let moves = tables.known_moves(&position).expect("sound");
        assert_eq!(moves.known.len() + moves.unknown.len(), position.legal_moves().len());
        for found in &moves.known {
            assert_holds(&position, found);
        }
        let results: Vec<TableResult> = moves.known.iter().map(|found| found.result).collect();
        assert!(results.is_sorted_by(|one, other| one >= other), "{position}");
        if let Some(probe) = tables.probe(&position).expect("sound") {
            assert!(moves.unknown.is_empty(), "{position}");
            assert_eq!(
                moves.known.first().map(|best| best.plies),
                probe.moves.first().map(|best| best.value.dtm)
            );
        }
        known += moves.known.len();
        unknown += moves.unknown.len();
        mixed += usize::from(!moves.known.is_empty() && !moves.unknown.is_empty());
    }
    assert!(known > 500 && unknown > 200 && mixed > 0, "{known} {unknown} {mixed}");
}

/// In games by the certificate White's move wins, all of Black's lose, and the plies decrease. With
/// few men the tables in memory confirm that.
#[test]
fn a_certificate_values_the_moves_of_both_sides() {
    let tables = MenTables::with_embedded();
    let mut rng = StdRng::seed_from_u64(8);
    let mut checked = 0;
    for _ in 0..effort([20, 200, 2_000]) {
        let mut game: GameState<Position> = GameState::default();
        let mut most = u16::MAX;
        while game.outcome().is_none() {
            let position = *game.position();
            let moves = tables.known_moves(&position).expect("sound");
            let white = position.side_to_move() == Color::White;
            let best = moves.known[0];
            assert_eq!(best.result, if white { TableResult::Win } else { TableResult::Loss });
            assert!(white || moves.unknown.is_empty(), "{position}");
            let plies = best.plies.expect("a distance");
            assert!(plies < most, "{position}: {plies} plies");
            if position.occupied().len() as usize <= most_men() {
                for found in &moves.known {
                    assert_holds(&position, found);
                    checked += 1;
                }
            }
            most = plies;
            let mv = if white { best.mv } else { moves.known.choose(&mut rng).expect("a move").mv };
            game.play(mv);
        }
    }
    assert!(checked > 20, "{checked}");
}
