//! The words of a `go` in any order and combination, good and bad.

use crate::engine::Engine;
use crate::limits::{PROMPTLY, keeps};
use qirkat_testing::effort;
use qirkat_testing::games::{Game, Random};

/// An unknown word or a missing value never swallows the keyword after it.
#[test]
fn unknown_words_do_not_swallow_keywords() {
    let mut engine = Engine::shared();
    let short = [
        "go foo depth 1",
        "go foo 12 depth 1 bar 99999999999999999999",
        "go depth depth 1",
        "go movetime depth 1",
        "go wtime btime winc binc movestogo depth 1",
        "go depth abc movetime 30",
        "go nodes x movetime x depth 1",
        "go movestogo wtime 40 btime 40",
        "go searchmoves e2e4 depth 1",
        "go wtime 40 foo btime 40 bar",
        "  go \t depth\t 1  ",
    ];
    for go in short {
        keeps(go, PROMPTLY, || engine.search(&Game::start(), go).took);
    }
    for go in ["go depth infinite", "go foo infinite depth 1", "go movetime infinite"] {
        let game = Game::start();
        engine.begin(&game, go);
        engine.still_searching(std::time::Duration::from_millis(60));
        engine.stop(&game);
    }
}

/// Whatever is wrong with a `go`, and however often, one short line tells it
/// all, and the answer comes.
#[test]
fn endless_nonsense_is_told_shortly() {
    let times = effort([20_000, 100_000, 100_000]);
    let mut engine = Engine::shared();
    let words = [
        "foo ",
        "x ",
        "nonsense-of-a-length-that-nobody-would-type-by-hand ",
        "depth x ",
        "movestogo movetime many ",
        "searchmoves nowhere ",
    ];
    for word in words {
        for limit in ["", "depth 1"] {
            let go = format!("go {}{limit}", word.repeat(times));
            keeps(&format!("go {word}... {limit}"), PROMPTLY, || {
                let answer = engine.search(&Game::start(), &go);
                let [told] = &answer.notices[..] else {
                    panic!("{word} is told in one line, not in {}", answer.notices.len());
                };
                assert!("info string ".len() + told.len() < 300, "{word}: {told}");
                answer.took
            });
        }
    }
}

/// Depth survives whatever stands around it.
#[test]
fn depth_counts_among_the_others() {
    let mut engine = Engine::shared();
    let gos = [
        "go depth 2 wtime 600000 btime 600000 winc 1000 binc 1000 movestogo 40",
        "go wtime 600000 btime 600000 depth 2",
        "go movetime 600000 nodes 100000000 depth 2",
        "go nodes 100000000 depth 2 movetime 600000",
        "go depth 2 mate 5",
        "go searchmoves e2e4 d2d4 depth 2",
    ];
    for go in gos {
        let answer = engine.search(&Game::start(), go);
        assert_eq!(answer.depth(), 2, "{go}");
    }
}

/// One random parameter, and whether it alone makes for a prompt answer.
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

/// Every parameter in random combination and order, with numbers small, huge,
/// negative, missing and wrong: one legal answer each, none early, none late.
#[test]
fn any_combination_is_answered_once() {
    const NAMES: &str = "depth nodes movetime wtime btime winc binc movestogo mate searchmoves foo";
    let mut engine = Engine::shared();
    let mut random = Random::seeded(2);
    let (mut waited, mut prompt) = (0, 0);
    for _ in 0..150 {
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
    assert!(waited > 20 && prompt > 20, "the mix holds both kinds: {waited} {prompt}");
}
