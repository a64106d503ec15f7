use crate::run::{Ended, Folder};

fn said(arguments: &str) -> String {
    Folder::new().good(&format!("xboard --print {arguments}"))
}

#[test]
fn engine_options_are_passed_on() {
    assert!(!said("").contains("-firstOptions"));
    let both = said("--skill 3 --eval-file <none> --threads 2");
    assert!(both.contains("-firstOptions 'Skill Level=3,EvalFile=<none>'"), "{both}");
    assert!(both.contains("-smpCores 2"), "{both}");

    // In a game against itself both sides have these options.
    let itself = said("--skill 3 --match");
    assert!(itself.contains("-secondOptions 'Skill Level=3'"), "{itself}");
    let other = said("--skill 3 --match other");
    assert!(other.contains("-firstOptions") && !other.contains("-secondOptions"), "{other}");
}

#[test]
fn thinking_is_hidden_from_players_only() {
    for (arguments, hidden) in
        [("", true), ("--play black", true), ("--analyse", false), ("--match", false)]
    {
        let said = said(arguments);
        assert!(said.contains(&format!("-hideThinkingFromHuman {hidden}")), "{said}");
    }
}

#[test]
fn games_are_converted_for_xboard() {
    let folder = Folder::with([("source.pgn", "1. e4 e6 *\n1. Kf5 *\n1. b3 b7 1-0\n")]);
    let copy = folder.path("qirkat/xboard/games/source.pgn");
    for (more, moves, told) in [
        ("", &["1. e2e4 e8e6 *", "1. b2b3 b8b7 1-0"][..], "-gameListX"),
        ("--game 3", &["1. b2b3 b8b7 1-0"], "-loadGameIndex 1"),
    ] {
        let Ended { out, err, .. } = folder.run(&format!("xboard --print source.pgn {more}"));
        assert!(out.contains("-ncp") && out.contains(told), "{out}");
        assert!(out.contains(&format!("-loadGameFile {}", copy.display())), "{out}");
        assert_eq!(err.contains("game 2, line 2: move 1. Kf5"), more.is_empty(), "{err}");
        let copied = std::fs::read_to_string(&copy).expect("the games");
        let found: Vec<&str> = copied.lines().filter(|line| line.starts_with("1. ")).collect();
        assert_eq!(found, moves);
    }
    for game in ["2", "4"] {
        folder.ends(2, &format!("xboard --print source.pgn --game {game}"));
    }
}
