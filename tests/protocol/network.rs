use std::fs;
use std::path::Path;

use crate::engine::{Engine, Room};
use qirkat_testing::games::{Game, MIDDLE};

/// The embedded network as a file.
const NETWORK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-config/qirkat.net");

fn eval(engine: &mut Engine) -> String {
    engine.say("eval");
    engine.sync().join("\n")
}

fn choose(engine: &mut Engine, name: &str) {
    engine.silently(&format!("setoption name EvalFile value {name}"));
}

#[test]
fn networks_are_selected_by_name() {
    let mut engine = Engine::shared();
    let game = Game::from_fen(MIDDLE);
    engine.say(&game.command());
    let embedded = eval(&mut engine);
    assert!(embedded.contains("Network "), "{embedded}");
    let answer = engine.search(&game, "go depth 8");
    let nodes = |answer: &crate::answer::Answer| answer.last_lines()[0].nodes;

    choose(&mut engine, "<none>");
    let by_hand = eval(&mut engine);
    assert!(!by_hand.contains("Network "), "{by_hand}");
    let other = engine.search(&game, "go depth 8");
    assert_ne!(nodes(&answer), nodes(&other), "another judgement, another search");

    for name in [NETWORK, "<embedded>", "<empty>", ""] {
        choose(&mut engine, "<none>");
        choose(&mut engine, name);
        assert_eq!(eval(&mut engine), embedded, "{name}");
        engine.silently("ucinewgame");
        let again = engine.search(&game, "go depth 8");
        assert_eq!(nodes(&answer), nodes(&again), "{name}");
    }
}

#[test]
fn other_files_are_refused() {
    let room = Room::shared();
    let mut engine = room.engine();
    let folder = tempfile::tempdir().expect("a folder for the test");
    let whole = fs::read(NETWORK).expect("the network is there");
    let mut changed = whole.clone();
    changed[5000] ^= 0x55;
    let files = [
        ("text", b"this is no network, but it is longer than its header".to_vec()),
        ("short", whole[..whole.len() - 1].to_vec()),
        ("row", changed),
    ];
    let before = eval(&mut engine);
    let mut refuse = |path: &Path| {
        let path = path.to_str().expect("a plain path");
        let said = engine.notice(&format!("setoption name EvalFile value {path}"));
        assert!(said.contains(path), "{said}");
        assert_eq!(eval(&mut engine), before, "{path}");
    };
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("room on the disk");
        refuse(&path);
    }
    refuse(folder.path());
    refuse(&folder.path().join("missing"));
    refuse(Path::new("/dev/zero"));
    engine.search(&Game::start(), "go depth 3");
}
