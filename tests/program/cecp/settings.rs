//! `memory`, `cores`, `option`, and time controls: `level`, `st`, `sd`, `time` and `otim`. Only
//! checks that moves come, not how the time is used.

use super::engine::Engine;
use qirkat_testing::effort;
use qirkat_testing::games::Game;

/// Each allows moves within a few seconds.
const GOOD_TIMES: [&str; 10] = [
    "level 40 0:02 0\ntime 200\notim 200",
    "level 0 0:02 0",
    "level 0 0 1",
    "level 1 0:01 0",
    "level 40 5 0\ntime 100\notim 30000",
    "level 0 2 12\ntime 50\notim 12000",
    "level 40 25+5 0\ntime 100\notim 100",
    "level 0 5 0\ntime -50\notim -10",
    "level 0 5 0.1\ntime 50\notim 50",
    "st 1\nsd 3",
];

/// Reported in one line that quotes the command.
const BAD: [&str; 15] = [
    "memory",
    "memory abc",
    "cores",
    "option",
    "option Nonsense=1",
    "option MultiPV=abc",
    "option Resign=7",
    "option Resign",
    "level",
    "level 40 5",
    "level -1 5 0",
    "st",
    "st abc",
    "sd -1",
    "time abc",
];

/// Values out of range: clamped or refused, with at most one line.
const OUTSIDE: [&str; 12] = [
    "memory 0",
    "cores 0",
    "option MultiPV=99999999999999999999",
    "option Move Overhead=-1",
    "st 0",
    "time 0",
    "time 999999999999999999999",
    "level 0 99999999999999 99999999999",
    "st nan",
    "level 0 5 inf",
    "level 0 1:2:3 0",
    "level 1 2 3 4 5 6",
];

#[test]
fn good_values_are_taken() {
    let mut engine = Engine::greeted();
    for lines in [
        "memory 1\nmemory 64\ncores 2\noption Clear Hash",
        "option MultiPV=3\noption Move Overhead=100",
        "option Skill Level=0\noption UCI_LimitStrength=1\noption UCI_Elo=500\noption Resign=1",
    ] {
        engine.silently(lines);
        engine.moves_on(&mut Game::start().moves("e2e4"), "new\nsd 2\nusermove e2e4");
    }
    // Also during a game.
    let mut game = Game::start();
    engine.silently("option Clear Hash\nnew\nsd 2");
    for (line, text) in [("memory 2", "e2e4"), ("cores 2", "d2d3"), ("cores 1\nmemory 8", "b2b3")] {
        engine.silently(line);
        engine.plays(&mut game, text);
        engine.expect_position(&game);
    }
}

#[test]
fn bad_values_are_reported() {
    let mut engine = Engine::greeted();
    for line in BAD.iter().chain(&OUTSIDE) {
        engine.silently("new\nst 1\nsd 2");
        let said = engine.answer(line);
        let is_error = |told: &String| told.starts_with("Error (");
        if BAD.contains(line) {
            let is_told = |told| is_error(told) && told.ends_with(&format!(": {line}"));
            assert!(said.len() == 1 && is_told(&said[0]), "{line}: {said:?}");
        } else {
            let is_told = |told| is_error(told) || told.starts_with("# ");
            assert!(said.len() <= 1 && said.iter().all(is_told), "{line}: {said:?}");
            let is_time =
                ["st ", "sd ", "time ", "level "].iter().any(|word| line.starts_with(word));
            assert!(said.len() == 1 || is_time, "{line} is told");
        }
        let mut game = Game::start().moves("e2e4");
        engine.moves_on(&mut game, "usermove e2e4\n?");
    }
}

#[test]
fn every_kind_of_time_control_is_played() {
    let mut engine = Engine::greeted();
    for line in GOOD_TIMES.into_iter().step_by(effort([2, 1, 1])) {
        engine.silently(&format!("new\n{line}"));
        let mut game = Game::start();
        engine.plays(&mut game, "e2e4");
        // The second move only shows that there is one.
        game.play("d2d3");
        engine.moves_on(&mut game, "usermove d2d3\n?");
        engine.expect_position(&game);
    }
    // A whole game's time is not used for one move: the engine's last `time` counts.
    engine.silently("new\nlevel 0 60 0");
    let mut game = Game::start().moves("e2e4");
    engine.moves_on(&mut game, "time 100\notim 360000\nusermove e2e4");
}
