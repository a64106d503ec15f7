use std::collections::HashSet;

use crate::engine::Engine;
use qirkat_testing::effort;
use qirkat_testing::games::{Game, MIDDLE};

#[test]
fn a_weak_player_searches_little_and_varies() {
    let mut engine = Engine::shared();
    let game = Game::from_fen(MIDDLE);
    for weak in [
        "setoption name Skill Level value 0",
        "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 0",
    ] {
        engine.say(weak);
        engine.sync();
        let mut played = HashSet::new();
        for _ in 0..effort([12, 30, 30]) {
            let answer = engine.search(&game, "go nodes 20000");
            assert!(answer.last().nodes.is_some_and(|nodes| nodes < 500), "{weak}");
            played.insert(answer.best.clone());
        }
        assert!(played.len() > 1, "{weak}: always {played:?}");
        engine.say("setoption name Skill Level value 20");
        engine.say("setoption name UCI_LimitStrength value false");
        engine.sync();
        let answer = engine.search(&game, "go nodes 20000");
        assert!(answer.last().nodes.is_some_and(|nodes| nodes > 2000), "{weak}");
    }
}

#[test]
fn higher_levels_search_more_nodes() {
    let mut engine = Engine::shared();
    let mut last = 0;
    for level in [0, 5, 10, 15] {
        engine.silently(&format!("setoption name Skill Level value {level}"));
        let answer = engine.search(&Game::start(), "go movetime 10000");
        let nodes = answer.last().nodes.unwrap_or(0);
        assert!(nodes > last, "level {level}: {nodes} nodes after {last}");
        last = nodes;
    }
}
