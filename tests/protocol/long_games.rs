use std::time::Duration;

use crate::engine::Engine;
use crate::limits::keeps;
use qirkat_testing::effort;
use qirkat_testing::games::{Game, Random};

#[test]
fn games_of_any_length_are_accepted() {
    const STEP: usize = 25;
    let mut engine = Engine::shared();
    let mut random = Random::seeded(10);
    let mut game = Game::start();
    for plies in (STEP..=2_500).step_by(STEP) {
        game = game.wander(&mut random, STEP);
        assert_eq!(game.plies(), plies, "the walk does not end early");
        if plies.is_multiple_of(STEP * effort([12, 1, 1])) && (plies <= 1_200 || plies > 2_400) {
            engine.search(&game, "go nodes 60");
        }
    }
    engine.silently(&game.command());
    assert_eq!(engine.fen(), game.fen());
    assert_eq!(engine.moves(), game.legal());
    engine.search(&game, "go depth 2");
    keeps("movetime 50 after 2500 plies", Duration::from_millis(50), || {
        engine.silently(&game.command());
        engine.begin_raw("go movetime 50");
        engine.finish(&game).took
    });
}
