use crate::engine::Engine;
use crate::limits::{PROMPTLY, WATCH, keeps};
use qirkat_testing::effort;
use qirkat_testing::games::{CROWDED, Game, MIDDLE, ONLY_MOVE, Random, START};

/// Numbers too large for any machine word.
const HUGE: &str = "99999999999999999999";

/// `depth N` searches exactly N plies, whatever the other parameters; 0 means 1. A limit too large
/// for a number is no limit: the other one counts. An unknown word or a missing value never
/// swallows the next keyword.
#[test]
fn depth_limits_are_exact() {
    let mut engine = Engine::shared();
    for fen in [START, MIDDLE] {
        for (go, reached) in [("go depth 1", 1), ("go depth 4", 4), ("go depth 0", 1)] {
            assert_eq!(engine.search(&Game::from_fen(fen), go).depth(), reached, "{go} in {fen}");
        }
    }
    for go in [
        "go depth 2 wtime 600000 btime 600000 winc 1000 binc 1000 movestogo 40",
        "go movetime 600000 nodes 100000000 depth 2",
        "go searchmoves e2e4 d2d4 depth 2",
        "go depth 2 movetime 99999999999999999999",
        "go depth 2 wtime 99999999999999999999 winc 99999999999999999999",
        "go foo 12 depth 2 bar 99999999999999999999",
        "go wtime btime winc binc movestogo depth 2",
        "go nodes x movetime x depth 2",
        "  go \t depth\t 2  ",
    ] {
        assert_eq!(engine.search(&Game::start(), go).depth(), 2, "{go}");
    }
    for depth in ["300", "4294967296", "4294967297", "18446744073709551616", HUGE] {
        let answer = engine.search(&Game::start(), &format!("go depth {depth} nodes 3000"));
        assert!(answer.depth() > 1, "go depth {depth} is more than one");
    }
}

#[test]
fn node_limits_are_exact() {
    let mut engine = Engine::shared();
    for fen in [START, MIDDLE, CROWDED] {
        let game = Game::from_fen(fen);
        for nodes in [1, 2, 50, 100, 1_000, 20_000] {
            let answer = engine.search(&game, &format!("go nodes {nodes}"));
            for told in answer.infos.iter().filter_map(|info| info.nodes) {
                assert!(told <= nodes, "go nodes {nodes} took {told} in {fen}");
            }
        }
    }
}

#[test]
fn garbage_without_a_limit_is_reported_and_answered() {
    let mut engine = Engine::shared();
    let long = "x depth x movestogo movetime many searchmoves nowhere ".repeat(2_000);
    let limits = [
        &long,
        "foo",
        "depth abc",
        "depth 3x",
        "nodes many",
        "wtime abc btime def winc ghi",
        "depth \u{0663}",
        "movestogo 5 foo",
    ];
    // A forced move is played at once, unless the words are read as a search that waits for `stop`.
    let start = Game::start();
    let forced = Game::from_fen(ONLY_MOVE);
    for (game, limit) in [(&start, "foo")].into_iter().chain(limits.map(|limit| (&forced, limit))) {
        let go = format!("go {limit}");
        keeps(limit.get(..80).unwrap_or(limit), PROMPTLY, || {
            let answer = engine.search(game, &go);
            assert_eq!(answer.notices.len(), 1, "{limit}: {:?}", answer.notices);
            assert!(answer.notices[0].len() < 280, "{:?}", answer.notices);
            answer.took
        });
    }
}

#[test]
fn searches_without_a_limit_wait_for_stop() {
    let mut engine = Engine::shared();
    let game = Game::start();
    for go in [
        "go",
        "go depth infinite",
        "go foo infinite depth 1",
        "go depth 300",
        "go nodes 99999999999999999999",
        "go wtime 99999999999999999999 btime 99999999999999999999",
    ] {
        engine.begin(&game, go);
        engine.still_searching(effort([WATCH / 3, WATCH, WATCH]));
        engine.stop(&game);
        assert_eq!(engine.sync(), [""; 0], "{go} is answered once");
    }
}

/// One random parameter, and whether it alone leads to a prompt answer.
fn parameter(random: &mut Random, name: &str) -> (String, bool) {
    match name {
        "infinite" | "ponder" => (name.to_owned(), false),
        "searchmoves" => {
            let moves = ["e2e4 a2a3", "e2e4", "", "e2e5", "foo d2d3"];
            (format!("searchmoves {}", random.pick(&moves)), false)
        }
        "foo" => (random.pick(&["foo", "12", "e2e4", "-", "value"]).to_string(), false),
        _ => {
            let small = match name {
                "depth" => 1 + random.below(2),
                "nodes" => 1 + random.below(2000),
                "movetime" => 1 + random.below(30),
                "movestogo" => 1 + random.below(40),
                "mate" => 1 + random.below(3),
                _ => 1 + random.below(100),
            };
            let small = small.to_string();
            let huge = "99999999999999999999";
            let values = [small.as_str(), small.as_str(), huge, "-7", "", "abc", "0x1f", "1e9"];
            let value = *random.pick(&values);
            let prompt = value == small && matches!(name, "depth" | "nodes" | "movetime");
            (format!("{name} {value}"), prompt)
        }
    }
}

#[test]
fn any_combination_is_answered_once() {
    const NAMES: &str = "depth nodes movetime wtime btime winc binc movestogo mate searchmoves foo";
    let mut engine = Engine::shared();
    let mut random = Random::seeded(2);
    let (mut waited, mut prompt) = (0, 0);
    for _ in 0..effort([100, 150, 150]) {
        let mut names: Vec<&str> = NAMES.split(' ').collect();
        random.shuffle(&mut names);
        names.truncate(1 + random.below(6));
        for waiting in ["infinite", "ponder"] {
            if random.chance(15) {
                names.insert(random.below(names.len() + 1), waiting);
            }
        }
        let parameters: Vec<(String, bool)> =
            names.iter().map(|name| parameter(&mut random, name)).collect();
        let texts: Vec<&str> = parameters.iter().map(|(text, _)| text.as_str()).collect();
        let go = format!("go {}", texts.join(" "));
        let game = if random.chance(50) { Game::start() } else { Game::start().moves("e2e4") };

        let waits = names.contains(&"infinite") || names.contains(&"ponder");
        let short = parameters.iter().any(|(_, prompt)| *prompt);
        if waits {
            waited += 1;
            engine.begin(&game, &go);
            engine.still_searching(std::time::Duration::from_millis(30));
            if names.contains(&"ponder") && random.chance(50) {
                engine.say("ponderhit");
            }
            engine.stop(&game);
        } else if short {
            prompt += 1;
            keeps(&go, PROMPTLY, || engine.search(&game, &go).took);
        } else {
            engine.begin(&game, &go);
            engine.say("stop");
            engine.finish(&game);
        }
        let more = engine.sync();
        assert!(more.is_empty(), "{go} is answered once, then: {more:?}");
    }
    assert!(waited > 10 && prompt > 10, "the mix holds both kinds: {waited} {prompt}");
}
