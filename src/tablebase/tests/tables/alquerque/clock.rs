//! Table values with plies on the clock, against a slow search by the rules.

use std::collections::HashMap;

use qirkat_game::{KnownResult, Rules, Tablebase};
use qirkat_rules::alquerque::{Position, State};
use qirkat_tablebase::TableResult;
use qirkat_tablebase::alquerque::MenTables;
use qirkat_testing::effort;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::positions::{FOUR_MEN, random_position, read};

/// The plies to the end counting the clock, and whether they win; none for a draw.
type Value = Option<(bool, u16)>;

/// Examines all moves up to the 100th ply, or to a jump or step forward, which restarts the clock.
fn slow(position: &Position, known: &mut HashMap<(State, u16), Value>) -> Value {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Some((false, 0));
    }
    let clock = position.halfmove_clock();
    if clock >= 100 {
        return None;
    }
    if clock == 0 {
        return FOUR_MEN.distance(position).map(|plies| (plies % 2 == 1, plies.into()));
    }
    if let Some(value) = known.get(&(position.state(), clock)) {
        return *value;
    }
    let values: Vec<Value> = moves.into_iter().map(|mv| slow(&position.after(mv), known)).collect();
    let wins = values.iter().flatten().filter(|(wins, _)| !wins).map(|(_, plies)| plies + 1);
    let value = match wins.min() {
        Some(plies) => Some((true, plies)),
        None if values.contains(&None) => None,
        None => values.iter().flatten().map(|(_, plies)| plies + 1).max().map(|it| (false, it)),
    };
    known.insert((position.state(), clock), value);
    value
}

#[test]
fn table_values_include_the_clock() {
    let tables = MenTables::with_embedded();
    let mut rng = StdRng::seed_from_u64(17);
    let (mut changed, mut longer) = (0, 0);
    for count in 0..effort([300, 3_000, 30_000]) {
        let fresh = random_position(&mut rng, 3 + count % 2);
        // Mostly near 100.
        let clock = 100 - rng.random_range(0..40) * rng.random_range(0..40) / 40;
        let text = fresh.fen().replace(" 0 1", &format!(" {clock} 200"));
        let position = read(&text);
        assert_eq!(position.halfmove_clock(), clock, "{text}");
        let expected = slow(&position, &mut HashMap::new());
        let plain = FOUR_MEN.distance(&position).map(|plies| (plies % 2 == 1, u16::from(plies)));
        let result = match (expected, plain) {
            (Some((true, _)), _) => TableResult::Win,
            (Some((false, _)), _) => TableResult::Loss,
            (None, Some((true, _))) => TableResult::CursedWin,
            (None, Some((false, _))) => TableResult::BlessedLoss,
            (None, None) => TableResult::Draw,
        };
        let value = tables.value(&position).expect("sound").expect("few men");
        let plies = expected.or(plain).map(|(_, plies)| plies);
        assert_eq!((value.result, value.dtm), (result, plies), "{text}");
        let known = match expected {
            Some((true, plies)) => KnownResult::Win(Some(plies)),
            Some((false, plies)) => KnownResult::Loss(Some(plies)),
            None => KnownResult::Draw,
        };
        let found = tables.known(&position);
        assert!(found.is_none_or(|found| found == known), "{text}: {found:?}");
        changed += usize::from(expected.is_none() && plain.is_some());
        longer += usize::from(expected.is_some() && expected != plain);
    }
    // The clock changes some results, and some distances only.
    assert!(changed > 20, "{changed} {longer}");
    assert!(longer > 0, "{changed} {longer}");
}
