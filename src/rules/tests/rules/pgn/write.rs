use qirkat_game::Rules;
use qirkat_rules::pgn::{
    EngineNote, GameResult, Notation, PgnGame, PgnMove, command_value, split_comment,
};
use qirkat_rules::variant::{AnyGame, AnyPosition, Variant};

fn game(moves: &[(&str, &str)], start: AnyPosition) -> PgnGame {
    let mut record = PgnGame::from_position(start);
    let mut game = AnyGame::from_position(start);
    for &(san, comment) in moves {
        let mv = game.position().parse_san(san).expect("a legal move");
        let comment = Some(comment.to_owned()).filter(|text| !text.is_empty());
        record.moves.push(PgnMove { comment, ..PgnMove::from(mv) });
        game.play(mv);
    }
    record
}

#[test]
fn games_are_written_in_export_format() {
    let moves = [("b3", "+0.31/12 0.5s"), ("b7", ""), ("Nc3", "a {brace}"), ("Nc7", "")];
    let mut record = game(&moves, Variant::Chesquerque.start());
    record.result = GameResult::WhiteWins;
    record.set_tag("Termination", r#"a "good" \ one"#);
    record.set_tag("Black", "Qirkat");
    record.set_tag("Result", "nonsense");
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "Qirkat"]
[Result "1-0"]
[Variant "Chesquerque"]
[Termination "a \"good\" \\ one"]

1. b3 {+0.31/12 0.5s} 1... b7 2. Nc3 ; a {brace}
2... Nc7 1-0

"#;
    assert_eq!(record.to_string(), expected);
}

#[test]
fn commands_are_not_wrapped() {
    for length in 1..80 {
        let comment = format!("{} [%wdl 1 2 3] so [%clk 0:01:02 x]good", "x".repeat(length));
        let text = game(&[("e4", &comment)], Variant::Chesquerque.start()).to_string();
        assert!(text.contains("[%wdl 1 2 3]") && text.contains("[%clk 0:01:02 x]good"), "{text}");
    }
    let long = format!("[%x {}", "y ".repeat(100));
    let text = game(&[("e4", &long)], Variant::Chesquerque.start()).to_string();
    assert!(text.lines().all(|line| line.len() < 80), "{text}");
}

#[test]
fn variations_follow_the_move_they_replace() {
    let start = Variant::Chesquerque.start();
    let line = |moves: &[&str], from: &AnyPosition| -> Vec<PgnMove> {
        let mut position = *from;
        let mut line = Vec::new();
        for san in moves {
            let mv = position.parse_san(san).expect(san);
            position = position.after(mv);
            line.push(PgnMove::from(mv));
        }
        line
    };
    let mut record = game(&[("b3", ""), ("b7", "solid"), ("Nc3", "")], start);
    record.moves[0].nags = vec![6];
    let mut other = line(&["e4", "e6", "d3"], &start);
    other[1].variations = vec![line(&["d7"], &start.after(other[0].mv))];
    record.moves[0].variations = vec![other, line(&["d4"], &start)];
    let after = start.after(record.moves[0].mv);
    record.moves[1].variations = vec![line(&["e6"], &after)];
    let text = record.to_string();
    let moves = "1. b3 $6 (1. e4 e6 (1... d7) 2. d3) (1. d4) 1... b7 {solid} (1... e6) 2. Nc3 *";
    assert!(text.ends_with(&format!("\n\n{moves}\n\n")), "{text}");
}

#[test]
fn games_may_begin_with_black() {
    let fen = "r3k3r/9/9/9/9/9/9/9/R3K3R b KQkq - 3 17";
    let start = Variant::Chesquerque.read_fen(fen).expect("a position").position;
    let text = game(&[("O-O-O", ""), ("O-O", "")], start).to_string();
    assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n")), "{text}");
    assert!(text.ends_with("\n\n17... O-O-O 18. O-O *\n\n"), "{text}");
}

#[test]
fn long_algebraic_names_both_points() {
    for (fen, moves, expected) in [
        ("4k4/P5p2/9/9/9/9/9/9/R3K3R w KQ - 0 1", "O-O Ke8 a9=A", "1. e1h1 e9e8 2. a8a9a *"),
        ("4k4/9/9/9/9/9/9/9/R3K4 w Q - 0 1", "O-O-O", "1. e1b1 *"),
        ("4k4/6p2/9/7P1/9/9/9/9/R3K4 b Q - 0 1", "g6 hxg7 Ke8", "1... g8g6 2. h6g7 e9e8 *"),
    ] {
        let start = Variant::Chesquerque.read_fen(fen).expect(fen).position;
        let moves: Vec<(&str, &str)> = moves.split(' ').map(|san| (san, "")).collect();
        let text = game(&moves, start).written_in(Notation::Lan).to_string();
        assert!(text.ends_with(&format!("\n\n{expected}\n\n")), "{text}");
    }
}

#[test]
fn lines_are_wrapped_safely() {
    let comment = "word %nothing [Event \"x\"] ".repeat(20);
    let record = game(&[("e4", &comment), ("e6", &"x".repeat(100))], Variant::Chesquerque.start());
    let text = record.to_string();
    let moves = text.split("\n\n").nth(1).expect("moves");
    assert!(moves.lines().count() > 5);
    for line in moves.lines() {
        assert!(!line.starts_with(['%', '[']), "{line}");
        assert!(line.len() < 80 + 20 || !line.contains(' '), "{line}");
    }
}

#[test]
fn comments_are_split() {
    for (comment, commands, words) in [
        ("", vec![], ""),
        ("+0.31/12 0.5s", vec![], "+0.31/12 0.5s"),
        ("[%clk 0:01:02] good", vec!["[%clk 0:01:02]"], "good"),
        ("so [%clk 1:0]  [%wdl 1][%emt 5] on", vec!["[%clk 1:0]", "[%wdl 1]", "[%emt 5]"], "so on"),
        ("[%evaluation x] [% open", vec!["[%evaluation x]"], "[% open"),
    ] {
        assert_eq!(split_comment(comment), (commands, words.to_owned()), "{comment}");
    }
    assert_eq!(command_value("[%clk 0:01:02]", "clk"), Some("0:01:02"));
    assert_eq!(command_value("[%evaluation x]", "eval"), None);
}

#[test]
fn engine_notes_are_recognised() {
    for (words, text, score, depth, rest) in [
        ("book", "book", None, 0, ""),
        ("+0.26/2 0.001s", "+0.26/2 0.001s", Some("+0.26"), 2, ""),
        (
            "0.00/14 1.2s, n=99, sd=20, White mates",
            "0.00/14 1.2s, n=99, sd=20",
            Some("0.00"),
            14,
            "White mates",
        ),
        ("-M4/9", "-M4/9", Some("-M4"), 9, ""),
        ("0.001s", "0.001s", None, 0, ""),
        ("book, good", "book", None, 0, "good"),
    ] {
        let note = EngineNote { text, score, depth };
        assert_eq!(EngineNote::read(words), Some((note, rest)), "{words}");
    }
    for words in ["", "book move", "good", "1/2", "+0.26/2 0.5s good", "a/b", "+/3", "1-0", "infs"]
    {
        assert_eq!(EngineNote::read(words), None, "{words}");
    }
}
