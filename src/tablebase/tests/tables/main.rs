//! Endgame tables: against a slow solver that works forwards, and as files.
#![allow(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod alquerque;
mod files;
mod generator;
mod known_facts;
mod noise;
mod slow;

// These modules are private, so they are compiled again for the tests of their internals.
#[macro_use]
#[path = "../../embedded.rs"]
mod embedded;
#[allow(dead_code, unfulfilled_lint_expectations, reason = "the tests look at some of it")]
#[path = "../../chess_game.rs"]
mod chess_game;
#[allow(dead_code, reason = "the tests look at some of it")]
#[path = "../../chess_material.rs"]
mod chess_material;
#[allow(dead_code, reason = "the tests look at some of it")]
#[path = "../../generator/moves.rs"]
mod moves;

use qirkat_rules::chess::Kind;
use qirkat_rules::{chesquerque, masonic};
use qirkat_tablebase::{ChessTableGame, TableResult, Tables};
use qirkat_testing::effort;

use slow::SlowTable;

/// One in this many positions is compared.
fn stride() -> usize {
    effort([211, 13, 1])
}

fn assert_agrees<G: ChessTableGame>(slow: &SlowTable<G>) {
    let tables = Tables::<G>::with_embedded();
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

/// Compares the tables of one piece, or at least the one with the `longest` mate. A pawn needs the
/// tables of its promotions.
fn tables_agree<G: ChessTableGame>(longest: G::Kind) {
    let solve = |&kind: &G::Kind| SlowTable::<G>::solve(kind, &[]);
    if effort([true, false, false]) {
        return assert_agrees(&solve(&longest));
    }
    let promoted: Vec<SlowTable<G>> = G::Kind::PROMOTIONS.iter().map(solve).collect();
    promoted.iter().for_each(assert_agrees);
    assert_agrees(&SlowTable::solve(G::Kind::PAWN, &promoted));
}

/// A bishop has the longest mates, and a knight has none.
#[test]
fn tables_of_chesquerque_agree_with_a_slow_solver() {
    tables_agree::<chesquerque::Position>(chesquerque::PieceKind::Bishop);
}

/// In Masonic chess a knight mates, and has the longest mates.
#[test]
fn tables_of_masonic_chess_agree_with_a_slow_solver() {
    tables_agree::<masonic::Position>(masonic::PieceKind::Knight);
}
