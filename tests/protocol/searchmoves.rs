//! `searchmoves`.

use crate::engine::Engine;
use qirkat_testing::games::{CROWDED, Game};

/// Only the given moves are searched, wherever the list stands; limits after it count.
#[test]
fn only_the_given_moves_are_searched() {
    let mut engine = Engine::shared();
    let game = Game::start();
    // The parameters of `go`, the allowed moves, and the depth.
    let cases = [
        ("searchmoves a2a3 depth 3", "a2a3", 3),
        ("searchmoves i2i4 a2a3 depth 2 movetime 60000", "i2i4 a2a3", 2),
        ("movetime 60000 searchmoves i2i3 i2i3 nodes 1000000 depth 2", "i2i3", 2),
        ("searchmoves e2e5 a2a3 foo depth 2", "a2a3", 2),
        ("depth 1 searchmoves a2a3 b2b3 c2c3 d2d3 e2e3", "a2a3 b2b3 c2c3 d2d3 e2e3", 1),
    ];
    for (words, allowed, depth) in cases {
        let answer = engine.search(&game, &format!("go {words}"));
        assert_eq!(answer.depth(), depth, "{words}");
        for info in answer.infos.iter().filter(|info| info.is_line()) {
            assert!(allowed.split(' ').any(|text| text == info.pv[0]), "{words}: {:?}", info.pv);
        }
    }
}

/// The list does not apply to the next `go`.
#[test]
fn the_list_applies_to_one_search() {
    let mut engine = Engine::shared();
    let game = Game::from_fen(CROWDED);
    let free = engine.search(&game, "go depth 1").best;
    let other = game.legal().into_iter().find(|text| *text != free).expect("there are more");
    engine.silently("ucinewgame");
    let forced = engine.search(&game, &format!("go searchmoves {other} depth 1")).best;
    assert_eq!(forced, other);
    engine.silently("ucinewgame");
    assert_eq!(engine.search(&game, "go depth 1").best, free);
}

/// A list without a legal move is reported once, and all moves are searched.
#[test]
fn no_legal_move_in_the_list_means_all() {
    let mut engine = Engine::shared();
    let game = Game::start();
    for words in ["e2e5", "e9e8 foo", "a1a2 e7e5 0000", "E2-E4", "i9i10"] {
        let answer = engine.search(&game, &format!("go searchmoves {words} depth 2"));
        assert_eq!(answer.notices.len(), 1, "{words}: {:?}", answer.notices);
        assert_eq!(answer.depth(), 2, "{words}");
    }
}
