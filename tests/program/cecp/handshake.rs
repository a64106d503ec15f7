use super::engine::Engine;
use qirkat_testing::games::{Game, START};

fn features(line: &str) -> Vec<(String, String)> {
    let mut rest = line.strip_prefix("feature ").expect("a feature line").trim();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=').expect("NAME=VALUE");
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').expect("a closing quote"),
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        found.push((name.to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    found
}

fn greeted_by(greeting: &[u8]) -> Vec<(String, String)> {
    let mut engine = Engine::silent();
    engine.inject(greeting);
    let lines = engine.until("done=1", |line| line.contains("done=1"));
    engine.silently("accepted setboard\naccepted done\nrejected debug\nnew\nrandom");
    drop(engine);
    lines.iter().flat_map(|line| features(line)).collect()
}

fn values<'a>(features: &'a [(String, String)], name: &str) -> Vec<&'a str> {
    features.iter().filter(|(other, _)| other == name).map(|(_, value)| value.as_str()).collect()
}

#[test]
fn features_are_as_a_gui_needs_them() {
    let told = greeted_by(b"xboard\nprotover 2\n");
    let wanted = "feature setboard=1 usermove=1 ping=1 colors=0 san=0 sigint=0 sigterm=0 reuse=1 \
                  analyze=1 playother=1 time=1 draw=1 debug=1 memory=1 smp=1 exclude=1 \
                  highlight=1 variants=chesquerque";
    for (name, value) in features(wanted) {
        assert_eq!(values(&told, &name), [value], "{name}");
    }
    assert_eq!(values(&told, "done"), ["0", "1"]);
    assert_eq!(told.first().map(|(name, _)| name.as_str()), Some("done"));
    assert!(matches!(values(&told, "myname")[..], [name] if !name.is_empty()));
    // XBoard shows the options in its menu.
    let options = values(&told, "option");
    let expected = [
        "Clear Hash -button",
        "MultiPV -spin 1 1 974",
        "Move Overhead -spin 20 0 5000",
        "Skill Level -spin 20 0 20",
        "UCI_LimitStrength -check 0",
        "UCI_Elo -spin 2550 500 2550",
        "EvalFile -file <embedded>",
        "TablePath -file <embedded>",
        "OwnBook -check 0",
        "BookFile -file <embedded>",
        "BookDepth -spin 255 0 255",
        "BookVariety -spin 0 0 1000",
        "Resign -check 0",
    ];
    assert_eq!(options, expected);
}

#[test]
fn other_forms_of_the_handshake_are_accepted() {
    let greetings: [&[u8]; 6] = [
        b"xboard\r\nprotover 2\r\n",
        b"\n\n  \nxboard\nprotover 2\n",
        b"protover 2\n",
        b"xboard\n\nprotover 3\n",
        b"xboard\nprotover 4\n",
        b"  xboard \n\tprotover  2 \n",
    ];
    let usual = greeted_by(b"xboard\nprotover 2\n");
    for greeting in greetings {
        assert_eq!(greeted_by(greeting), usual, "{}", greeting.escape_ascii());
    }
}

#[test]
fn protocol_version_1_can_play() {
    let mut engine = Engine::silent();
    engine.say("xboard\nnew\nrandom\nlevel 40 5 0\neasy\nsd 2");
    let mut game = Game::start();
    engine.plays(&mut game, "e2e4");
    engine.expect_position(&game);
}

#[test]
fn variant_is_answered_by_setup() {
    let mut engine = Engine::silent();
    engine.say("xboard\nprotover 2");
    engine.until("done=1", |line| line.contains("done=1"));
    engine.silently("new\nrandom");
    for _ in 0..2 {
        let setup = engine.only_answer("variant chesquerque");
        assert_eq!(setup, format!("setup (PNBRQ..AKpnbrq..ak) 9x9+0_capablanca {START}"));
        engine.silently("level 40 5 0\npost\nhard\neasy\nnopost\nforce");
        engine.expect_position(&Game::start());
        engine.silently("new");
    }
    for other in ["normal", "capablanca", "Xyzzy", "chesquerque2"] {
        let told = engine.only_answer(&format!("variant {other}"));
        assert!(told.starts_with("Error ("), "{told}");
    }
    engine.expect_position(&Game::start());
}

#[test]
fn informative_commands_have_no_answer() {
    let mut engine = Engine::greeted();
    engine.silently("accepted setboard\nrejected highlight\nname A. N. Other\nrating 2600 1500");
    engine.silently("time 30000\npost\nnopost\nhover e4\nresult * {not yet}\n?\nforce\n?");
    engine.expect_position(&Game::start());
}
