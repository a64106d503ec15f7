use qirkat_rules::pgn::{Notation, PgnError, PgnGame, PgnReader, ReadGame};
use qirkat_rules::variant::AnyMove;
use qirkat_testing::effort;

fn read(text: &str) -> Vec<Result<ReadGame, PgnError>> {
    PgnReader::new(text.as_bytes()).collect()
}

fn only(text: &str) -> PgnGame {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|error| panic!("{text}: {error}")).game
}

fn line_of(game: &PgnGame) -> String {
    let moves: Vec<AnyMove> = game.moves.iter().map(|played| played.mv).collect();
    game.start.san_line(&moves).join(" ")
}

fn summary(text: &str) -> Vec<String> {
    let describe = |game: Result<ReadGame, PgnError>| match game {
        Ok(read) => format!("{} {}", line_of(&read.game), read.game.result),
        Err(error) => error.to_string(),
    };
    read(text).into_iter().map(describe).collect()
}

#[test]
fn many_move_spellings_are_read() {
    for text in [
        "1. b3 b7 2. Nc3 Nc7 *",
        "1.b3 b7 2.Nc3 Nc7 *",
        "b3 b7 Nc3 Nc7 *",
        "1. b2b3 1... b8b7 2 b1c3 b9c7 *",
        "1. b2-b3 b8-b7 2. Nb1-c3! Nb9c7?! *",
        "1.\tb3\r\nb7 {x} 2. Nc3 ; 2. d3\r\nNc7 *\u{1a}",
        "1. b3 $1 (1. d4 (1. c4 {)} b6) d7) 1... b7 2.Nc3\n% Nd7 1-0\nNc7 *",
        "\u{feff}[Event \"a\"]\r[White \"b\"]\r1. b3 b7 2. Nc3 Nc7 *",
        "1.\u{a0}b3\u{a0}b7\u{2003}2.\u{200b}Nc3\u{3000}Nc7\u{202f}*",
        "1. b3 ch b7++ 2. Nc3 dbl ch Nc7mate 1 - 0",
        "1. b3ch b7 mate 2. Nb1c3 Nc7 dis. ch. 1/2 - 1/2",
        "1. b3 b7 2. Nc3 Nc7 0\u{2013}1",
    ] {
        assert_eq!(line_of(&only(text)), "b3 b7 Nc3 Nc7", "{text}");
    }
}

#[test]
fn castlings_are_distinguished() {
    let fen = "[FEN \"r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1\"]\n";
    for (text, line) in [
        ("O-O O-O-O", "O-O O-O-O"),
        ("0-0-0 0-0", "O-O-O O-O"),
        ("Ke1h1 Ke9b9", "O-O O-O-O"),
        ("e1b1 e9h9", "O-O-O O-O"),
    ] {
        assert_eq!(line_of(&only(&format!("{fen}{text} *"))), line, "{text}");
    }
}

#[test]
fn kingside_notation_may_mean_the_only_legal_castling() {
    let fen = "[FEN \"r3k4/9/9/9/9/9/9/2P6/R3K4 w Qq - 0 1\"]\n";
    assert_eq!(line_of(&only(&format!("{fen}O-O O-O+ *"))), "O-O-O O-O-O");
    let fault = "game 1, line 2: move 2. O-O: not a legal move here";
    assert_eq!(summary(&format!("{fen}1. O-O O-O 2. O-O *")), [fault]);
}

#[test]
fn escapes_in_tags_are_read() {
    let game = only(r#"[Event "a \"b\" \\ c:\d"] [White ""] *"#);
    assert_eq!(game.tag("Event"), Some(r#"a "b" \ c:\d"#));
    assert_eq!(game.tag("White"), Some(""));
    assert_eq!(game.tag("Black"), None);
}

fn written_moves(text: &str) -> Vec<String> {
    let moves = |game: Result<ReadGame, PgnError>| {
        let written = game.unwrap_or_else(|error| panic!("{text}: {error}")).game.to_string();
        let moves = written.split_once("]\n\n").expect("tags and moves").1;
        assert_eq!(only(&written).to_string(), written, "{text}");
        moves.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    read(text).into_iter().map(moves).collect()
}

#[test]
fn games_of_the_table_are_read() {
    let lines = include_str!("../../data/pgn_read.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<String> = line
            .split(" => ")
            .map(|field| field.replace("\\n", "\n").replace("\\r", "\r"))
            .collect();
        let [text, written, faults @ ..] = &fields[..] else { panic!("two fields: {line}") };
        if let Some(fault) = written.strip_prefix("! ") {
            let next = format!("{text}\n\n[Event \"next\"]\n\n1. d4 *\n");
            assert_eq!(summary(&next), [&format!("game 1, {fault}"), "d4 *"], "{text}");
            continue;
        }
        assert_eq!(written_moves(text).join(" // "), *written, "{text}");
        let unread: Vec<String> = read(text)
            .into_iter()
            .flat_map(|game| game.expect("a game").unread)
            .map(|fault| fault.to_string())
            .collect();
        let faults: Vec<&str> = faults.iter().flat_map(|faults| faults.split(" & ")).collect();
        let is_told = unread.iter().zip(&faults).all(|(told, fault)| told.ends_with(fault));
        assert!(unread.len() == faults.len() && is_told, "{line}: {unread:?}");
    }
}

#[test]
fn move_decorations_are_read() {
    const PASSING: &str = "[FEN \"4k4/9/9/9/9/9/9/9/4K4 w - - 0 1\"]";
    const BOTH: &str = "[FEN \"4k4/P5p2/9/7P1/9/9/9/9/4K4 b - - 0 1\"]\n1... g6 ";
    assert_eq!(written_moves(&format!("{PASSING} Kd1 *")), ["1. Kd1 *"]);
    for capture in ["hxg7 e.p.", "hxg7 ep", "hxg7e.p.", "hxg7ep", "hxg7 e.p", "h6xg7 e.p.!?"] {
        let nags = if capture.ends_with("!?") { " $5" } else { "" };
        let text = format!("{BOTH}{capture} Ke8 *");
        assert_eq!(written_moves(&text), [format!("1... g6 2. hxg7{nags} Ke8 *")], "{text}");
    }
    for promotion in ["a9(A)", "a9/A", "a9=A", "a8a9(A)", "a9(A)+", "a9(A)!", "a9/A+ ", "a9(A) +"] {
        let nags = if promotion.ends_with('!') { " $1" } else { "" };
        let text = format!("{BOTH}{promotion} Ke8 *");
        assert_eq!(written_moves(&text), [format!("1... g6 2. a9=A{nags} Ke8 *")], "{text}");
    }
    for (sign, nag) in [
        ("±", 16),
        ("∓", 17),
        ("+-", 18),
        ("-+", 19),
        ("+\u{2212}", 18),
        ("+/-", 16),
        ("+=", 14),
        ("+/=", 14),
        ("⩱", 15),
        ("=", 10),
        ("∞", 13),
        ("=/∞", 44),
        ("□", 7),
        ("‼", 3),
        ("N", 146),
        ("∆", 140),
    ] {
        for blank in ["", " "] {
            if sign == "N" && blank.is_empty() {
                continue;
            }
            let text = format!("1. e4{blank}{sign} e6 (1... d6{blank}{sign}) 2. d4 *");
            let written = format!("1. e4 ${nag} e6 (1... d6 ${nag}) 2. d4 *");
            assert_eq!(written_moves(&text), [written], "{text}");
        }
    }
    assert_eq!(written_moves(&format!("{BOTH}h6:g7 D Ke8 *")), ["1... g6 2. hxg7 $220 Ke8 *"]);
    let alquerque = "[Variant \"Alquerque\"] [FEN \"5/3m1/2M2/5/5 w - - 0 1\"]";
    assert_eq!(written_moves(&format!("{alquerque} c3xe5 1 - 0")), ["1. c3e5 1-0"]);
    assert_eq!(written_moves(&format!("{alquerque} c3:e5 *")), ["1. c3e5 *"]);
    let latin = b"1.\xa0e4\xa0e6\xa0*";
    let game = PgnReader::new(&latin[..]).next().expect("a game").expect("a sound one").game;
    assert_eq!(line_of(&game), "e4 e6");
    let latin = b"1. e4 \xb1 e6 \xbd-\xbd";
    let game = PgnReader::new(&latin[..]).next().expect("a game").expect("a sound one").game;
    assert!(game.to_string().ends_with("1. e4 $16 e6 1/2-1/2\n\n"), "{game}");
    let castling = "[FEN \"4k4/9/9/9/9/9/9/9/R3K3R w KQ - 0 1\"] O\u{2013}O+- Ke8 h1\u{2013}h2 *";
    assert_eq!(written_moves(castling), ["1. O-O $18 Ke8 2. Kh2 *"]);
}

#[test]
fn null_moves_are_written() {
    let game = only("1. e4 (1. -- e6) *");
    let lan = game.written_in(Notation::Lan).to_string();
    assert!(lan.contains("1. e2e4 (1. -- e8e6) *"), "{lan}");
    assert_eq!(game.moves[0].variations[0][0].mv.to_string(), "0000");
}

#[test]
fn comments_after_the_result_belong_to_the_game() {
    let mut games = PgnReader::new(&b"1. e4 1-0 {a}\n\n{b}\n\n1. d4 *"[..]);
    let first = games.next().expect("a game").expect("a sound one");
    assert_eq!((games.offset(), first.last_line), (9, 1));
    assert_eq!(games.text(), b"1. e4 1-0 {a}");
    assert!(games.next().is_some_and(|read| read.is_ok_and(|read| read.line == 5)));
    assert_eq!(games.text(), b"{b}\n\n1. d4 *");
    assert!(games.next().is_none());
}

#[test]
fn stray_text_is_kept() {
    let fault = "game 1, line 1: tag is not of the form [Name \"value\"]";
    assert_eq!(summary("[White Ann]"), [fault]);
    let twice = only("[Site \"a\"]\n[Site \"b\"]\n1. e4 *");
    assert_eq!(twice.tag("Site"), Some("a"));
    assert_eq!(summary("1. e4 1-0 Ann won\n1. d4 *"), ["e4 1-0", "d4 *"]);
    assert_eq!(summary("1. e4 1-0\n[White Ann]\n[Site \"x\"]\n1. d4 *"), ["e4 1-0", "d4 *"]);
}

/// As `cat a b` produces from files with byte order marks.
#[test]
fn byte_order_marks_between_games_are_skipped() {
    for joined in ["*\n\u{feff}", "*\u{feff}", "1-0\u{feff}", "{x\n\u{feff}", "* {x}\u{feff}"] {
        let text = format!("\u{feff}[Event \"a\"]\n\n1. e4 {joined}[Event \"b\"]\n\n1. d4 *\n");
        let last = read(&text).pop().expect("games").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((last.game.tag("Event"), last.number), (Some("b"), 2), "{text}");
    }
    let hidden = "\u{feff}% 1. d4\n1. e4 *";
    assert_eq!(summary(hidden), ["e4 *"]);
    // Characters that begin with the same byte are kept.
    assert_eq!(only("1. e4 {\n\u{ff01}} *").moves[0].comment.as_deref(), Some("\u{ff01}"));
}

#[test]
fn variations_may_be_deep() {
    for depth in [17, 1000] {
        let deep = format!("1. e4 {} {} *", "(1. d4 ".repeat(depth), ")".repeat(depth));
        let games = read(&deep);
        let [Ok(game)] = &games[..] else { panic!("{games:?}") };
        assert_eq!(game.game.to_string().matches('(').count(), depth);
        assert_eq!(game.unread.len(), 1);
    }
    let fault = "game 1, line 1: variation is not closed";
    assert_eq!(summary("1. e4 (1. d4 *"), [fault]);
}

#[test]
fn results_and_missing_results_end_games() {
    for (text, expected) in [
        ("1. e4 1-0 1. d4 1/2-1/2", vec!["e4 1-0", "d4 1/2-1/2"]),
        ("1. e4\n[Event \"\"]\n1. d4 0-1", vec!["e4 *", "d4 0-1"]),
        ("[Event \"a\"][Result \"1-0\"]\n[Event \"b\"]1. d4 *", vec![" 1-0", "d4 *"]),
        ("[Result \"0-1\"] 1. e4", vec!["e4 0-1"]),
        ("", vec![]),
        ("; nothing\n {at all} ", vec![]),
    ] {
        assert_eq!(summary(text), expected, "{text}");
    }
}

/// The standard requires Latin-1, current programs write UTF-8, and a file may mix both.
#[test]
fn utf8_and_latin1_are_decoded() {
    let latin =
        b"[White \"J\xfcrgen\"]\n[Black \"J\xc3\xbcrgen\"]\n\n1. e4 {sch\xf6n \xe2\x80\x93} *";
    let game = PgnReader::new(&latin[..]).next().expect("a game").expect("a sound one").game;
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("J\u{fc}rgen"), Some("J\u{fc}rgen")));
    let comment = game.moves[0].comment.as_deref().expect("a comment");
    assert!(comment.starts_with("sch\u{f6}n"), "{comment}");
    let wide: Vec<u8> = "[Event \"x\"]".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let read = PgnReader::new(&[b"\xFF\xFE", &wide[..]].concat()[..]).next().expect("an error");
    assert!(read.is_err_and(|error| error.to_string() == "the text is UTF-16; save it as UTF-8"));
}

#[test]
fn all_line_endings_are_counted() {
    for end in ["\n", "\r\n", "\r"] {
        let text = ["[Event \"a\"]", "", "1. e4 e6", "2. d4 {", "} d7", "*"].join(end);
        let read = read(&text).remove(0).expect("a game");
        assert_eq!(read.move_lines, [3, 3, 4, 5]);
        assert_eq!((read.number, read.line, read.last_line), (1, 1, 6));
    }
}

#[test]
fn huge_inputs_are_read_in_linear_time() {
    // Recursion would overflow the stack, and a quadratic algorithm take a minute.
    let many = effort([20_000, 200_000, 1_000_000]);
    for junk in ["(", "()", "{", "1. ", "e4 ", "[", "\"", "x", "$", "* ", "{} "] {
        let text = format!("1. e4 {}\n", junk.repeat(many));
        assert!(read(&text).len() <= many + 1);
    }
    let text = format!("1. e4 {}e6 *", "{abc} ".repeat(1_000_000));
    assert_eq!(summary(&text), ["game 1, line 1: game is too long"]);
}

#[test]
fn texts_of_games_are_available() {
    let parts = [
        "[Event \"a\"]\r\n\r\n1. e4 Ke5 {illegal}  (1... e6) *",
        "[Event \"b\"]\n1. e4 ; no result",
        "[Event \"c\"]\n[Event \"never closed\n\n1. e4 {(] *",
        "[Event \"d\"]\n\n1. e4 *",
        "1. zz\n% hidden\n2. e4 1-0",
        "1. e4 {open",
    ];
    let text = format!("; a file\n{}\n\n", parts.join("\n{between} "));
    let mut games = PgnReader::new(text.as_bytes());
    let mut texts = Vec::new();
    while games.next().is_some() {
        texts.push(String::from_utf8_lossy(games.text()).into_owned());
    }
    assert_eq!(texts.len(), 6, "{texts:?}");
    // This includes the words before a game.
    for (number, (text, part)) in texts.iter().zip(parts).enumerate() {
        let before = if number == 0 { "; a file\n" } else { "" };
        let text = text.strip_prefix(before).expect("the words before");
        assert!(text.starts_with(part) && text.trim_start_matches(part).len() < 12, "{text}");
    }
}
