//! What must hold for the positions of `suite/tactics.epd`. The mates are proved by the tests of
//! `qirkat-problem`.

use std::collections::HashSet;

use qirkat_analysis::suite::{TACTICS, TestPosition, read_suite};
use qirkat_evaluation::Evaluation;
use qirkat_game::{Rules, Searchable as _};
use qirkat_rules::chesquerque::{Game, Move, Position};
use qirkat_rules::variant::{Variant, VariantGame};
use qirkat_search::{SearchLimits, Searcher};
use qirkat_testing::effort;

/// The nodes that a second is enough for on a slow machine.
const NODES_FOR_MATES_IN_3: u64 = 500_000;

fn problems() -> Vec<TestPosition> {
    read_suite(TACTICS.as_bytes(), "tactics.epd", Variant::Chesquerque).expect("a good suite")
}

fn position_of(problem: &TestPosition) -> &Position {
    Position::own_position(&problem.position).expect("a position of Chesquerque")
}

fn best_moves(problem: &TestPosition) -> Vec<Move> {
    problem.best.iter().filter_map(|&mv| Position::own_move(mv)).collect()
}

#[test]
fn the_suite_is_whole() {
    let problems = problems();
    let mut keys = HashSet::new();
    for problem in &problems {
        let id = &problem.id;
        assert!(keys.insert(position_of(problem).key()), "{id}: there twice");
        assert!(position_of(problem).legal_moves().len() > problem.best.len(), "{id}: no choice");
        match problem.mate {
            Some(moves) => assert_eq!(problem.class(), format!("mate-{moves}"), "{id}"),
            None => assert_eq!(problem.class(), "win", "{id}"),
        }
    }
    let count = |mate| problems.iter().filter(|problem| problem.mate == mate).count();
    for moves in 2..=6 {
        assert!(count(Some(moves)) >= 15, "too few mates in {moves}");
    }
    assert!(count(None) >= 35, "too few wins of material");
}

#[test]
fn wins_of_material_are_no_plain_captures() {
    for problem in problems().iter().filter(|problem| problem.mate.is_none()) {
        let id = &problem.id;
        let [best] = best_moves(problem)[..] else { panic!("{id}: one move wins") };
        let position = position_of(problem);
        let capture = position.captured(best).is_some();
        let plain = capture && position.see_ge(best, 1);
        assert!(!plain, "{id}: {best} wins at sight");
        assert!(problem.comment.is_some(), "{id}: wins what?");
    }
}

fn solves(problem: &TestPosition, limits: &SearchLimits) -> bool {
    let game = Game::from_position(*position_of(problem));
    let result = Searcher::<Evaluation>::new().expect("a searcher").search(&game, limits);
    let is_best = result.best.is_some_and(|best| best_moves(problem).contains(&best));
    is_best && result.score.moves_to_mate() == problem.mate.map(|moves| moves as i16)
}

#[test]
fn the_search_finds_short_mates() {
    for (moves, limits) in
        [(2, SearchLimits::depth(6)), (3, SearchLimits::nodes(NODES_FOR_MATES_IN_3))]
    {
        let mates = problems().into_iter().filter(|problem| problem.mate == Some(moves));
        for problem in mates.take(effort([4, usize::MAX, usize::MAX])) {
            assert!(solves(&problem, &limits), "{}", problem.id);
        }
    }
}
