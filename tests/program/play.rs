//! `qirkat play` from outside, in lines: as a pipe, a script or a screen reader meets it.
//! What its screen shows is tested where it is drawn.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::files::folder;
use crate::run::{good_output, qirkat, text};

/// Plays with these lines for input. Games that nobody saves go to this folder.
fn play(arguments: &[&str], input: &str, home: &TempDir) -> Output {
    let mut command = command(arguments, home);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the binary runs");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("an end")
}

fn command(arguments: &[&str], home: &TempDir) -> Command {
    let mut command = qirkat([&["play", "--hash", "1"], arguments].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env("XDG_DATA_HOME", home.path()).env("HOME", home.path()).current_dir(home.path());
    command
}

/// Plays what has to go well, without a word on stderr.
fn good(arguments: &[&str], input: &str) -> (String, TempDir) {
    let home = folder();
    (good_output(&play(arguments, input, &home), &arguments), home)
}

/// Fails unless these words come one after the other.
fn expect(output: &str, words: &[&str]) {
    let mut rest = output;
    for word in words {
        let Some(place) = rest.find(word) else {
            panic!("no {word:?} where it belongs in {output}")
        };
        rest = &rest[place + word.len()..];
    }
}

#[test]
fn the_engine_plays_all_games_through_a_pipe() {
    for (game, title, mv, written) in [
        ("chesquerque", "Chesquerque", "e4", "1. e4\n"),
        ("masonic", "Masonic chess", "e2e3", "1. "),
        ("alquerque", "Alquerque", "d3-c3", "1. d3c3\n"),
    ] {
        let arguments = ["--game", game, "--level", "0", "--pgn", "games.pgn"];
        let (output, home) = good(&arguments, &format!("{mv}\nresign\nquit\n"));
        let against = format!("{title}, you play White against Qirkat (level 0).");
        let end = ["Qirkat: 1...", "The game is over: White resigns, 0-1."];
        expect(&output, &[&against, written, end[0], end[1], "The game was added to games.pgn."]);
        let check = qirkat(["pgn", "check", "games.pgn"]).current_dir(home.path()).output();
        assert_eq!(text(&check.expect("the binary runs").stdout), "1 game, 0 faults\n");
    }
}

#[test]
fn illegal_moves_are_explained_in_every_game() {
    for (game, moves) in [
        (
            "chesquerque",
            [("c1e3", "The way is blocked on d2."), ("Nc3", "The way is blocked on b2.")],
        ),
        ("masonic", [("e8e5", "It is White's turn"), ("x", "`x` is not a move")]),
        ("alquerque", [("a1b1", "A man stands on b1."), ("d3d9", "`d9` is not a point")]),
    ] {
        for (mv, reason) in moves {
            let (output, _) = good(&["--side", "both", "--game", game], &format!("{mv}\n"));
            expect(&output, &["two players at one board", reason]);
            assert!(!output.contains("1. "), "{output}");
        }
    }
}

#[test]
fn moves_are_taken_back_boards_drawn_and_hints_given() {
    let lines = "e4\ne6\nback\nback\nback\nflip\n\nhint\nmoves e2\npieces\nclock\nhelp\n";
    let (output, _) = good(&["--side", "both"], lines);
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
    let fen = "4k4/9/4K4/9/9/9/9/9/R8 w - - 0 1";
    let lines = "a1a9\nback\nRa9\nreview\nsave mate.pgn\nquit\n";
    let (output, home) = good(&["--side", "both", "--fen", fen], lines);
    let words = [
        "1. Ra9#\nThe game is over: White mates, 1-0.\n",
        "Took back a move.",
        "Review\nGame 1: White player - Black player, 1-0, Chesquerque, 1 ply\n",
        "The game was added to mate.pgn.\n",
    ];
    expect(&output, &words);
    let saved = fs::read_to_string(home.path().join("mate.pgn")).expect("a file");
    assert!(saved.contains("[Termination \"normal\"]\n[Reason \"White mates\"]"), "{saved}");
    assert!(saved.contains("1. Ra9# 1-0"), "{saved}");
    assert!(!output.contains("The game is kept"), "it was saved: {output}");
}

#[test]
fn a_game_that_is_broken_off_is_kept() {
    for lines in ["e4\ne6\n", "e4\ne6\nquit\n", "e4\ne6\nnew\nquit\n", "e4\ne6"] {
        let (output, home) = good(&["--side", "both"], lines);
        expect(&output, &["1...e6\n", "The game is kept in "]);
        let kept = home.path().join("qirkat").join("play").join("unsaved.pgn");
        let kept = fs::read_to_string(kept).expect("a file");
        assert!(kept.ends_with("1. e4 e6 *\n\n"), "{kept}");
    }
    // Where the file that was named takes nothing, the game is not lost.
    let (output, home) = good(&["--side", "both", "--pgn", "/dev/full"], "e4\n");
    expect(&output, &["1. e4\nNot saved to /dev/full: No space left", "The game is kept in "]);
    assert!(home.path().join("qirkat").join("play").join("unsaved.pgn").exists());
    // Where there is nothing to keep, nothing is kept.
    let (output, home) = good(&["--side", "both"], "");
    assert!(!output.contains("kept") && !home.path().join("qirkat").exists(), "{output}");
}

/// A game that was saved goes on with its players, strength and clocks, in another run or
/// in place of another game.
#[test]
fn saved_games_go_on() {
    let home = folder();
    let said =
        |arguments: &[&str], input: &str| good_output(&play(arguments, input, &home), &arguments);
    let begun = ["--level", "0", "--tc", "5+3", "--pgn", "games.pgn"];
    said(&begun, "e4\nquit\n");
    let goes_on =
        ["Chesquerque, you play White against Qirkat (level 0).", "It goes on after 1..."];
    let output = said(&["--load", "games.pgn"], "clock\nback\nsave games.pgn\n");
    expect(&output, &[goes_on[0], goes_on[1], "White 5:00, Black ", "Took back two moves."]);
    let output = said(&["--side", "both"], "d4\nload games.pgn\nhint\nresign\nsave end.pgn\n");
    expect(&output, &["1. d4", "The game is kept in", goes_on[0], goes_on[1], "Hint: ", "0-1"]);
    let saved = fs::read_to_string(home.path().join("end.pgn")).expect("a file");
    for words in
        ["[Black \"Qirkat (level 0)\"]", "[TimeControl \"300+3\"]", "1. e4 {[%clk 0:05:00]}"]
    {
        assert!(saved.contains(words), "no {words} in {saved}");
    }
    let output = said(&["--load", "end.pgn", "--number", "1", "--side", "black"], "e6\n");
    expect(&output, &["you play Black", "The game is over: White resigns, 0-1."]);
    for (arguments, complaint) in [
        (vec!["--load", "end.pgn"], "end.pgn: 1 game, none unfinished; --number N takes one"),
        (vec!["--load", "end.pgn", "--number", "2"], "end.pgn has 1 game, not 2"),
        (vec!["--load", "nowhere.pgn"], "nowhere.pgn: No such file"),
        (vec!["--load", "."], ".: no regular file"),
        (vec!["--load", "end.pgn", "--game", "masonic"], "cannot be used with"),
        (vec!["--number", "2"], "--load"),
    ] {
        let output = play(&arguments, "", &home);
        let complaints = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(complaints.contains(complaint) && complaints.lines().count() == 1, "{complaints}");
    }
    let output = said(&["--side", "both"], "e4\nload end.pgn\ne6\n");
    expect(&output, &["1. e4", "none unfinished", "1...e6"]);
}

/// A hint tells what the move does, where the board bears it out.
#[test]
fn hints_tell_why() {
    for (game, fen, told) in [
        ("chesquerque", "4k4/9/9/9/n8/9/9/9/R3K4 w - - 0 1", "Hint: Rxa5 wins a knight."),
        ("chesquerque", "4k4/9/4K4/9/9/9/9/9/R8 w - - 0 1", "Hint: Ra9# is mate."),
        ("alquerque", "5/1m3/2M2/5/5 w - - 0 1", "Hint: c3a5 wins the game at once."),
    ] {
        let (output, _) = good(&["--side", "both", "--game", game, "--fen", fen], "hint\n");
        expect(&output, &[told]);
    }
}

#[test]
fn whatever_comes_it_ends_in_good_order() {
    let garbage =
        format!("{}\n\u{0}\u{1b}[2J\n  \ne4 e6\n\u{1F600}\nlevel 99\n", "x".repeat(1 << 17));
    let (output, _) = good(&["--side", "both"], &garbage);
    expect(&output, &["is not a move", "A number from 0 to 20 has to follow."]);
    assert!(!output.contains('\u{1b}') && !output.contains('\u{0}'), "{output}");
    let home = folder();
    fs::write(home.path().join("other.nnue"), "not a network").expect("a file");
    fs::write(home.path().join("binary"), "QIRKDATA\0\0").expect("a file");
    for (arguments, complaint) in [
        (["--eval-file", "other.nnue"], "--eval-file: other.nnue: "),
        (["--eval-file", "nowhere.nnue"], "--eval-file: nowhere.nnue: "),
        (["--level", "21"], "--level"),
        (["--elo", "100"], "--elo"),
        (["--tc", "x"], "not a time such as 5+3"),
        (["--fen", "9/9"], "--fen"),
        (
            ["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
            "(it looks like Masonic chess: try --game masonic)",
        ),
        (["--fen", "5/5/5/5/5 w - - 0 1"], "(it looks like Alquerque: try --game alquerque)"),
        (["--game", "chess"], "not a game played here"),
        (["--pgn", "nowhere/x.pgn"], "there is no such folder"),
        (["--pgn", "."], "is a folder"),
        (["--pgn", "/proc/x.pgn"], "--pgn: /proc/x.pgn: "),
        (["--pgn", "binary"], "--pgn: binary: not a text"),
    ] {
        let output = play(&arguments, "", &home);
        let complaints = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(complaints.contains(complaint) && complaints.lines().count() == 1, "{complaints}");
    }
}

/// Ctrl-C while it waits for a line, which never comes.
#[test]
fn ctrl_c_leaves_and_keeps_the_game() {
    use std::io::{BufRead, BufReader, Read};
    let home = folder();
    let mut child =
        command(&["--side", "both"], &home).stdin(Stdio::piped()).spawn().expect("the binary runs");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(b"e4\n").expect("it reads");
    let mut output = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut line = String::new();
    while line != "1. e4\n" {
        line.clear();
        assert!(output.read_line(&mut line).expect("text") > 0, "it has ended");
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("text");
    assert!(rest.contains("The game is kept in "), "{rest}");
}

/// With a file for the games, each stands there with every move, once, however the program ends.
#[test]
fn a_kill_loses_no_move() {
    use std::io::{BufRead, BufReader};
    let home = folder();
    fs::write(home.path().join("games.pgn"), "1. d4 *\n").expect("a file");
    for (lines, last, moves) in [
        ("e4\ne6\nback\nd6\n", "1...d6\n", "1. e4 d6 *"),
        ("e4\nnew\nd4\n", "1. d4\n", "1. d4 *"),
        ("e4\nresign\n", "The game was added to games.pgn.\n", "1. e4 1-0"),
    ] {
        let mut started = command(&["--side", "both", "--pgn", "games.pgn"], &home);
        let mut child = started.stdin(Stdio::piped()).spawn().expect("the binary runs");
        let mut stdin = child.stdin.take().expect("stdin is piped");
        stdin.write_all(lines.as_bytes()).expect("it reads");
        let mut output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut line = String::new();
        while line != last {
            line.clear();
            assert!(output.read_line(&mut line).expect("text") > 0, "it has ended");
        }
        child.kill().expect("it runs");
        child.wait().expect("an end");
        let saved = fs::read_to_string(home.path().join("games.pgn")).expect("a file");
        assert!(saved.ends_with(&format!("{moves}\n\n")), "{saved}");
    }
    let saved = fs::read_to_string(home.path().join("games.pgn")).expect("a file");
    assert_eq!(saved.matches("[Event ").count(), 4, "{saved}");
}
