//! Endgame tables: against a slow solver that goes forwards, and as files.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod files;
mod known_facts;
mod short_mates;
mod slow;

use slow::SlowTable;

use qirkat_rules::chesquerque::{PieceKind, Position};
use qirkat_rules::masonic;
use qirkat_tablebase::{TableGame, TableResult, Tables};
use qirkat_testing::effort;

/// Every so many positions are compared.
fn stride() -> usize {
    effort([211, 13, 1])
}

fn assert_agrees<G: TableGame>(slow: &SlowTable<G>) {
    let tables = Tables::<G>::embedded();
    let mut compared = 0;
    for index in (0..slow.len()).step_by(stride()) {
        let Some(position) = slow.position(index) else { continue };
        let value = tables.value(&position).expect("sound").expect("three pieces");
        let (result, dtm, dtz) = match slow.value(index) {
            slow::Value::Win { dtm, dtz } => (TableResult::Win, Some(dtm), Some(dtz)),
            slow::Value::Loss { dtm, dtz } => (TableResult::Loss, Some(dtm), Some(dtz)),
            slow::Value::Draw => (TableResult::Draw, None, None),
        };
        assert_eq!((value.result, value.dtm, value.dtz), (result, dtm, dtz), "{position}");
        compared += 1;
    }
    assert!(compared > slow.len() / stride() / 2);
}

/// A bishop has the longest way, and a knight none.
#[test]
fn tables_of_one_piece_agree_with_a_slow_solver() {
    let kinds: &[PieceKind] = effort([
        &[PieceKind::Bishop],
        &[
            PieceKind::Queen,
            PieceKind::Archbishop,
            PieceKind::Rook,
            PieceKind::Bishop,
            PieceKind::Knight,
        ],
        &[
            PieceKind::Queen,
            PieceKind::Archbishop,
            PieceKind::Rook,
            PieceKind::Bishop,
            PieceKind::Knight,
        ],
    ]);
    for &kind in kinds {
        assert_agrees(&SlowTable::<Position>::solve(kind, &[]));
    }
}

/// A pawn needs the tables of all that it can become.
#[test]
fn the_table_of_a_pawn_agrees_with_a_slow_solver() {
    if effort([false, true, true]) {
        let promoted = PieceKind::PROMOTIONS.map(|kind| SlowTable::<Position>::solve(kind, &[]));
        assert_agrees(&SlowTable::solve(PieceKind::Pawn, &promoted));
    }
}

/// In Masonic chess a knight mates, and has the longest way.
#[test]
fn tables_of_masonic_chess_agree_with_a_slow_solver() {
    use masonic::PieceKind::{Bishop, Knight, Queen, Rook};
    let kinds: &[masonic::PieceKind] =
        effort([&[Knight], &[Queen, Rook, Bishop, Knight], &[Queen, Rook, Bishop, Knight]]);
    let slow: Vec<SlowTable<masonic::Position>> =
        kinds.iter().map(|&kind| SlowTable::solve(kind, &[])).collect();
    slow.iter().for_each(assert_agrees);
    if effort([false, true, true]) {
        assert_agrees(&SlowTable::solve(masonic::PieceKind::Pawn, &slow));
    }
}
