use crate::engine::Engine;
use qirkat_testing::games::{CROWDED, Game};

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
