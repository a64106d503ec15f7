use crate::answer::Answer;
use crate::engine::{Engine, Room};
use qirkat_testing::games::{CROWDED, Game, MIDDLE};

const LIMITS: [&str; 3] = ["go depth 4", "go nodes 8000", "go nodes 3333 depth 30"];

/// A series of searches, each with the tables of the previous ones.
fn series(engine: &mut Engine) -> Vec<Vec<String>> {
    let mut prints = Vec::new();
    for game in [
        Game::start(),
        Game::from_fen(MIDDLE),
        Game::from_fen(CROWDED),
        Game::start().moves("e2e4 e8e6 e1e2 e9e8 e2e1"),
    ] {
        for limit in LIMITS {
            prints.push(Answer::fingerprint(&engine.search(&game, limit)));
        }
    }
    prints
}

/// With one thread and no time limits two processes give the same lines, though one has a busy
/// neighbour; and after `ucinewgame` the engine is as fresh as a new process.
#[test]
fn results_do_not_depend_on_time_or_on_earlier_games() {
    let room = Room::shared();
    let mut first = room.engine();
    let expected = series(&mut first);

    let mut neighbour = room.engine();
    neighbour.begin(&Game::start(), "go infinite");
    let mut second = room.engine();
    assert_eq!(series(&mut second), expected, "a second process");
    neighbour.stop(&Game::start());

    first.search(&Game::from_fen(MIDDLE), "go movetime 300");
    first.silently("ucinewgame");
    assert_eq!(series(&mut first), expected, "after ucinewgame");
}

#[test]
fn options_set_back_leave_no_trace() {
    let mut engine = Engine::shared();
    let game = Game::from_fen(MIDDLE);
    let expected = engine.search(&game, "go depth 4").fingerprint();
    for (there, back) in [
        ("setoption name MultiPV value 3", "setoption name MultiPV value 1"),
        ("setoption name Threads value 2", "setoption name Threads value 1"),
        ("setoption name UCI_AnalyseMode value true", "setoption name UCI_AnalyseMode value false"),
    ] {
        engine.silently(there);
        engine.search(&game, "go depth 2");
        engine.silently(back);
        engine.silently("ucinewgame");
        assert_eq!(engine.search(&game, "go depth 4").fingerprint(), expected, "{there}");
    }
}

/// Where nodes count as time, a game is the same whatever the clocks are after its first move, and
/// its time is used up.
#[test]
fn nodes_count_as_time() {
    let play = |engine: &mut Engine, clocks: [u32; 3]| -> Vec<(Option<u64>, Vec<String>)> {
        let game = Game::from_fen(MIDDLE);
        let answers = clocks
            .map(|ms| engine.search(&game, &format!("go wtime {ms} btime {ms} winc 10 binc 10")));
        let nodes = |answer: &Answer| answer.infos.iter().filter_map(|info| info.nodes).max();
        answers.iter().map(|answer| (nodes(answer), answer.fingerprint())).collect()
    };
    let mut engine = Engine::shared();
    engine.silently("setoption name nodestime value 20");
    let expected = play(&mut engine, [5000, 4000, 3000]);
    // A fifth of a second of 5000 ms and more, and not more than half of it.
    assert!(expected.iter().all(|(nodes, _)| (Some(500)..Some(50_000)).contains(nodes)));
    engine.silently("ucinewgame");
    assert_eq!(play(&mut engine, [5000, 1, 1_000_000]), expected);
    let fixed = engine.search(&Game::start(), "go movetime 100");
    let told = fixed.infos.iter().filter_map(|info| info.nodes).max();
    assert!(told.is_some_and(|nodes| (1000..=2600).contains(&nodes)), "{told:?}");
}
