//! `qirkat xboard` without XBoard itself.

use std::process::Output;

use crate::run::qirkat;

fn print(arguments: &[&str]) -> Output {
    let cache = tempfile::tempdir().expect("a folder for the test");
    qirkat(["xboard", "--print"])
        .args(arguments)
        .env("XDG_CACHE_HOME", cache.path())
        .output()
        .expect("the binary starts")
}

fn said(arguments: &[&str]) -> String {
    let output = print(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn engine_options_are_passed_on() {
    assert!(!said(&[]).contains("-firstOptions"));
    let both = said(&["--skill", "3", "--eval-file", "<none>", "--threads", "2"]);
    assert!(both.contains("-firstOptions 'Skill Level=3,EvalFile=<none>'"), "{both}");
    assert!(both.contains("-smpCores 2"), "{both}");

    // In a game against itself both sides have these options.
    let itself = said(&["--skill", "3", "--match"]);
    assert!(itself.contains("-secondOptions 'Skill Level=3'"), "{itself}");
    let other = said(&["--skill", "3", "--match", "other"]);
    assert!(other.contains("-firstOptions") && !other.contains("-secondOptions"), "{other}");

    let refused = print(&["--eval-file", "/no/such/file"]);
    assert_eq!(refused.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(errors.contains("--eval-file") && errors.contains("/no/such/file"), "{errors}");
}

#[test]
fn thinking_is_hidden_from_players_only() {
    for (arguments, hidden) in [
        (&[][..], "true"),
        (&["--play", "black"], "true"),
        (&["--analyse"], "false"),
        (&["--match"], "false"),
    ] {
        let said = said(arguments);
        assert!(said.contains(&format!("-hideThinkingFromHuman {hidden}")), "{said}");
    }
}

/// An option without effect is an error.
#[test]
fn contradictions_are_refused() {
    for arguments in [
        &["--match", "--play", "black"][..],
        &["--match", "--analyse"],
        &["--analyse", "--play", "white"],
        &["--analyse", "--skill", "20"],
        &["--analyse", "--time", "10+5"],
        &["--analyse", "--pgn", "games.pgn"],
        &["--games", "2"],
        &["--game", "2"],
        &["games.pgn", "--match"],
        &["games.pgn", "--analyse"],
        &["games.pgn", "--play", "white"],
        &["games.pgn", "--skill", "3"],
        &["games.pgn", "--time", "3"],
        &["games.pgn", "--threads", "1"],
        &["games.pgn", "--hash", "64"],
        &["games.pgn", "--eval-file", "<none>"],
        &["games.pgn", "--pgn", "more.pgn"],
    ] {
        let refused = print(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert!(errors.starts_with("qirkat: the "), "{arguments:?}: {errors}");
    }
}

#[test]
fn games_are_converted_for_xboard() {
    let cache = tempfile::tempdir().expect("a folder for the test");
    let source = cache.path().join("source.pgn");
    std::fs::write(&source, "1. e4 e6 *\n1. Kf5 *\n1. b3 b7 1-0\n").expect("room on the disk");
    let copy = cache.path().join("qirkat/xboard/games/source.pgn");
    for (more, moves, told) in [
        (&[][..], &["1. e2e4 e8e6 *", "1. b2b3 b8b7 1-0"][..], "-gameListX"),
        (&["--game", "3"], &["1. b2b3 b8b7 1-0"], "-loadGameIndex 1"),
    ] {
        let output = qirkat(["xboard", "--print"])
            .arg(&source)
            .args(more)
            .env("XDG_CACHE_HOME", cache.path())
            .output()
            .expect("the binary starts");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("-ncp") && said.contains(told), "{said}");
        assert!(said.contains(&format!("-loadGameFile {}", copy.display())), "{said}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("game 2, line 2: move 1. Kf5"), "{errors}");
        let copied = std::fs::read_to_string(&copy).expect("the games");
        let found: Vec<&str> = copied.lines().filter(|line| line.starts_with("1. ")).collect();
        assert_eq!(found, moves);
    }
    for game in ["2", "4"] {
        let refused = print(&[source.to_str().expect("a path in UTF-8"), "--game", game]);
        assert_eq!(refused.status.code(), Some(2), "{game}");
    }
}
