//! `qirkat play` from outside, as a pipe, a script or a screen reader uses it. What its screen
//! shows is tested with the code that draws it.

use crate::run::{Ended, Folder, Running};

const UNSAVED: &str = "qirkat/play/unsaved.pgn";

fn good(folder: &Folder, arguments: &str, input: &str) -> String {
    let Ended { out, err, code } = folder.fed(&format!("play --hash 1 {arguments}"), input);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{arguments}\n{out}");
    out
}

fn begun(folder: &Folder, more: &str, lines: &str, last: &str) -> Running {
    let mut running = folder.start(&format!("play --hash 1 --side both {more}"));
    running.feed(lines);
    running.wait_for(last);
    running
}

/// Panics unless these texts occur in this order.
fn expect(output: &str, words: &[&str]) {
    let mut rest = output;
    for word in words {
        let found = rest.split_once(word);
        rest = found.unwrap_or_else(|| panic!("no {word:?} where it belongs in {output}")).1;
    }
}

#[test]
fn the_engine_plays_all_games_through_a_pipe() {
    for (game, title, mv, written) in [
        ("chesquerque", "Chesquerque", "e4", "1. e4\n"),
        ("masonic", "Masonic chess", "e2e3", "1. "),
        ("alquerque", "Alquerque", "d3-c3", "1. d3c3\n"),
    ] {
        let folder = Folder::new();
        let line = format!("--game {game} --level 0 --pgn games.pgn");
        let output = good(&folder, &line, &format!("{mv}\nresign\nquit\n"));
        let against = format!("{title}, you play White against Qirkat (level 0).");
        let end = ["Qirkat: 1...", "The game is over: White resigns, 0-1."];
        expect(&output, &[&against, written, end[0], end[1], "The game was added to games.pgn."]);
        assert_eq!(folder.good("pgn check games.pgn"), "1 game, 0 faults\n");
    }
}

#[test]
fn illegal_moves_are_explained_in_every_game() {
    let folder = Folder::new();
    for (game, moves, reasons) in [
        (
            "chesquerque",
            "c1e3\nNc3\n",
            ["The path is blocked on d2.", "The path is blocked on b2."],
        ),
        ("masonic", "e8e5\nx\n", ["It is White's turn", "`x` is not a move"]),
        ("alquerque", "a1b1\nd3d9\n", ["A man stands on b1.", "`d9` is not a point"]),
    ] {
        let output = good(&folder, &format!("--side both --game {game}"), moves);
        expect(&output, &["two players at one board", reasons[0], reasons[1]]);
        assert!(!output.contains("1. "), "{output}");
    }
}

#[test]
fn moves_are_taken_back_boards_drawn_and_hints_given() {
    let lines = "e4\ne6\nback\nback\nback\nflip\n\nhint\nmoves e2\npieces\nclock\nhelp\n";
    let output = good(&Folder::new(), "--side both", lines);
    let words = [
        " 9  r---n---b---q---k---a---b---n---r\n",
        "1. e4\n1...e6\nTook back a move.\nTook back a move.\n",
        "There is no move of yours to take back.\n",
        " 1  R---N---B---A---K---Q---B---N---R\n",
        "    i   h   g   f   e   d   c   b   a\n",
        "Hint: ",
        "2 legal: e3 e4\n",
        "White: king e1, queen d1, rook a1 i1, archbishop f1,",
        "There are no clocks.\n",
        "take back your last move",
    ];
    expect(&output, &words);
    assert!(output.is_ascii(), "{output}");
}

#[test]
fn whole_games_are_played_saved_and_reviewed() {
    let folder = Folder::new();
    let line = "--side both --fen '4k4/9/4K4/9/9/9/9/9/R8 w - - 0 1'";
    let output = good(&folder, line, "a1a9\nback\nRa9\nreview\nsave mate.pgn\nquit\n");
    let words = [
        "1. Ra9#\nThe game is over: White mates, 1-0.\n",
        "Took back a move.",
        "Review\nGame 1: White player - Black player, 1-0, Chesquerque, 1 ply\n",
        "The game was added to mate.pgn.\n",
    ];
    expect(&output, &words);
    let saved = folder.read("mate.pgn");
    assert!(saved.contains("[Termination \"normal\"]\n[Reason \"White mates\"]"), "{saved}");
    assert!(saved.contains("1. Ra9# 1-0"), "{saved}");
    assert!(!output.contains("The game is kept"), "it was saved: {output}");
}

#[test]
fn an_interrupted_game_is_kept() {
    for (more, lines, words, kept) in [
        ("", "e4\ne6\n", "1...e6\n", "1. e4 e6 *\n\n"),
        ("", "e4\ne6\nquit\n", "1...e6\n", "1. e4 e6 *\n\n"),
        ("", "e4\ne6\nnew\nquit\n", "1...e6\n", "1. e4 e6 *\n\n"),
        ("", "e4\ne6", "1...e6\n", "1. e4 e6 *\n\n"),
        // If the given file cannot be written, the game is not lost.
        ("--pgn /dev/full", "e4\n", "1. e4\nNot saved to /dev/full: No space left", "1. e4 *\n\n"),
    ] {
        let folder = Folder::new();
        let output = good(&folder, &format!("--side both {more}"), lines);
        expect(&output, &[words, "The game is saved in "]);
        assert!(folder.read(UNSAVED).ends_with(kept), "{}", folder.read(UNSAVED));
    }
    // A game without moves is not kept.
    let folder = Folder::new();
    let output = good(&folder, "--side both", "");
    assert!(!output.contains("kept") && !folder.has("qirkat"), "{output}");
    // Ctrl-C while it waits for input.
    let ended = begun(&folder, "", "e4\n", "1. e4\n").interrupt();
    assert_eq!(ended.code, Some(130));
    assert!(ended.out.contains("The game is saved in "), "{}", ended.out);
}

#[test]
fn saved_games_are_resumed() {
    let folder = Folder::new();
    good(&folder, "--level 0 --tc 5+3 --pgn games.pgn", "e4\nquit\n");
    let goes_on =
        ["Chesquerque, you play White against Qirkat (level 0).", "It continues after 1..."];
    let output = good(&folder, "--load games.pgn", "clock\nback\nsave games.pgn\n");
    expect(&output, &[goes_on[0], goes_on[1], "White 5:00, Black ", "Took back two moves."]);
    let lines = "d4\nload games.pgn\nhint\nresign\nsave end.pgn\n";
    let output = good(&folder, "--side both", lines);
    expect(&output, &["1. d4", "The game is saved in", goes_on[0], goes_on[1], "Hint: ", "0-1"]);
    let saved = folder.read("end.pgn");
    for words in
        ["[Black \"Qirkat (level 0)\"]", "[TimeControl \"300+3\"]", "1. e4 {[%clk 0:05:00]}"]
    {
        assert!(saved.contains(words), "no {words} in {saved}");
    }
    let output = good(&folder, "--load end.pgn --number 1 --side black", "e6\n");
    expect(&output, &["you play Black", "The game is over: White resigns, 0-1."]);
    folder.refuse_all(
        "play --hash 1",
        &[
            ("--load end.pgn", "end.pgn: 1 game, none unfinished; --number N takes one"),
            ("--load end.pgn --number 2", "end.pgn has 1 game, not 2"),
            ("--load nowhere.pgn", "nowhere.pgn: No such file"),
            ("--load .", ".: not a regular file"),
            ("--load end.pgn --game masonic", "cannot be used with"),
            ("--number 2", "--load"),
        ],
    );
    let output = good(&folder, "--side both", "e4\nload end.pgn\ne6\n");
    expect(&output, &["1. e4", "none unfinished", "1...e6"]);
}

#[test]
fn hints_explain_the_move() {
    for (line, told) in [
        ("--fen '4k4/9/9/9/n8/9/9/9/R3K4 w - - 0 1'", "Hint: Rxa5 wins a knight."),
        ("--fen '4k4/9/4K4/9/9/9/9/9/R8 w - - 0 1'", "Hint: Ra9# is mate."),
        ("--game alquerque --fen '5/1m3/2M2/5/5 w - - 0 1'", "Hint: c3a5 wins the game at once."),
    ] {
        expect(&good(&Folder::new(), &format!("--side both {line}"), "hint\n"), &[told]);
    }
}

#[test]
fn any_input_ends_cleanly() {
    let garbage =
        format!("{}\n\u{0}\u{1b}[2J\n  \ne4 e6\n\u{1F600}\nlevel 99\n", "x".repeat(1 << 17));
    let output = good(&Folder::new(), "--side both", &garbage);
    expect(&output, &["is not a move", "A number from 0 to 20 must follow."]);
    assert!(!output.contains('\u{1b}') && !output.contains('\u{0}'), "{output}");
}

#[test]
fn a_kill_loses_no_move() {
    let folder = Folder::with([("games.pgn", "1. d4 *\n")]);
    for (lines, last, moves) in [
        ("e4\ne6\nback\nd6\n", "1...d6\n", "1. e4 d6 *"),
        ("e4\nnew\nd4\n", "1. d4\n", "1. d4 *"),
        ("e4\nresign\n", "The game was added to games.pgn.\n", "1. e4 1-0"),
    ] {
        begun(&folder, "--pgn games.pgn", lines, last).kill();
        let saved = folder.read("games.pgn");
        assert!(saved.ends_with(&format!("{moves}\n\n")), "{saved}");
    }
    assert_eq!(folder.read("games.pgn").matches("[Event ").count(), 4);
}
