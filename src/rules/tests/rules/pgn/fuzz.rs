use qirkat_game::{GameResult, Rules};
use qirkat_rules::pgn::{Notation, PgnGame, PgnMove, PgnReader};
use qirkat_rules::variant::{AnyMove, AnyPosition, Variant};
use qirkat_testing::effort;
use qirkat_testing::games::Random;

/// Starting positions; the standard one if the FEN is empty.
const STARTS: [(Variant, &str); 9] = [
    (Variant::Chesquerque, ""),
    (Variant::Chesquerque, "r3k3r/ppppppppp/9/9/9/9/9/PPPPPPPPP/R3K3R b KQkq - 3 17"),
    (Variant::Chesquerque, "4k4/P7P/9/9/9/9/9/p7p/4K4 w - - 0 1"),
    (Variant::Chesquerque, "rnbqkabnr/ppp1ppppp/9/9/3p5/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 9"),
    (Variant::Masonic, ""),
    (Variant::Masonic, "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 3 17"),
    (Variant::Masonic, "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1"),
    (Variant::Alquerque, ""),
    (Variant::Alquerque, "m1m1m/5/2M2/5/M1M1M b - - 7 20"),
];
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];
const WORDS: &str = concat!(
    "a|good|\u{e9}\u{df}\u{4e2d}|%|%clk|[Event|\"x\"]|\\|\\\"|[%eval 0.3,1]|{|}|;|(|)|1-0|$7|e4|",
    "\u{1f600}|!?|\u{bd}|xxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
);

fn words(random: &mut Random, most: usize) -> String {
    let (known, count) = (WORDS.split('|').collect::<Vec<_>>(), random.below(most));
    (0..count).map(|_| *random.pick(&known)).collect::<Vec<_>>().join(" ")
}

fn comment(random: &mut Random) -> Option<String> {
    Some(words(random, 30)).filter(|text| random.chance(25) && !text.is_empty())
}

fn annotated(mv: AnyMove, random: &mut Random) -> PgnMove {
    let nags = (0..random.below(3)).map(|_| random.number() as u8).collect();
    PgnMove { nags, comment: comment(random), ..PgnMove::from(mv) }
}

fn line(mut position: AnyPosition, plies: usize, random: &mut Random) -> Vec<PgnMove> {
    let mut moves = Vec::new();
    while moves.len() < plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = *random.pick(&legal);
        position = position.after(mv);
        moves.push(annotated(mv, random));
    }
    moves
}

/// A game as the reader returns it: with all tags of the export format, in order.
fn game(notation: Notation, random: &mut Random) -> PgnGame {
    let &(variant, fen) = random.pick(&STARTS);
    let start = match fen {
        "" => variant.start(),
        fen => variant.read_fen(fen).expect("a position").position,
    };
    let result = *random.pick(&GameResult::ALL);
    let mut game = PgnGame { result, ..PgnGame::from_position(start) };
    for name in ROSTER {
        game.set_tag(name, words(random, 9));
    }
    game.set_tag("Result", result.text());
    game.set_tag("Variant", variant.title());
    if !fen.is_empty() || notation == Notation::Lan {
        game.set_tag("SetUp", "1");
        game.set_tag("FEN", start.fen());
    }
    game.set_tag("Termination", words(random, 9));
    game.opening_comment = comment(random);
    let plies = random.below(120);
    game.moves = line(start, plies, random);
    game
}

/// Adds a variation to a move, or to the last variation of one.
fn add_variation(moves: &mut [PgnMove], start: AnyPosition, random: &mut Random) {
    if moves.is_empty() {
        return;
    }
    let index = random.below(moves.len());
    let after = |position: AnyPosition, played: &PgnMove| position.after_or_null(played.mv);
    let before = moves[..index].iter().try_fold(start, after).expect("possible moves");
    let played = &mut moves[index];
    if let Some(inner) = played.variations.last_mut().filter(|inner| inner.len() > 1) {
        return add_variation(inner, before, random);
    }
    let null = AnyMove::null(start.variant());
    let mut variation = match before.after_null_move() {
        Ok(passed) if random.chance(30) => {
            [vec![annotated(null, random)], line(passed, 2, random)].concat()
        }
        _ => {
            let plies = 1 + random.below(8);
            line(before, plies, random)
        }
    };
    if let Some(first) = variation.first_mut() {
        first.starting_comment = comment(random);
    }
    played.variations.push(variation);
}

#[test]
fn games_survive_a_round_trip() {
    for seed in 0..effort([60, 500, 5_000]) {
        let random = &mut Random::seeded(seed);
        let notation = *random.pick(&Notation::ALL);
        let mut games: Vec<PgnGame> =
            (0..random.below(4)).map(|_| game(notation, random)).collect();
        for game in &mut games {
            (0..random.below(8)).for_each(|_| add_variation(&mut game.moves, game.start, random));
        }
        let text: String = games.iter().map(|game| game.written_in(notation).to_string()).collect();
        let read = PgnReader::new(text.as_bytes()).map(|read| {
            let read = read.unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
            assert_eq!(read.unread, [], "{seed}");
            read.game
        });
        assert_eq!(read.collect::<Vec<_>>(), games, "{seed}");
    }
}

#[test]
fn a_truncated_game_does_not_affect_others() {
    for seed in 0..effort([60, 500, 5_000]) {
        let random = &mut Random::seeded(seed);
        let [first, second] = [(); 2].map(|()| game(Notation::San, random));
        let letters: Vec<char> = first.to_string().chars().collect();
        let cut: String = letters[..random.below(letters.len())].iter().collect();
        let text = format!("{cut}\n{second}");
        let last = PgnReader::new(text.as_bytes()).last().expect("a game");
        let read = last.unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
        assert_eq!(read.game, second, "{seed}");
    }
}

/// Fragments of PGN, and texts similar to them.
const FRAGMENTS: &str = concat!(
    "[Event \"|[|]|\"|\\|\n|\r\n|\r|{|}|(|)|;|%|$1|1.|...|e4| e6 |Nc3|O-O|*|1-0|1/2-1/2|",
    "!?| |[FEN \"9/9\"]\n|[Event \"x\"]\n|[Variant \"x\"]|\u{feff}|<|$300|±|+-| N |--|",
    "½-½| e.p.|(A)|\n\n|{said}|{said}|; said\n| won |[White Ann]\n|[Result \"said\"]\n|",
    "\u{a0}|1 - 0",
);

fn pgn_like_text(random: &mut Random) -> Vec<u8> {
    let known: Vec<&str> = FRAGMENTS.split('|').collect();
    let mut pgn_like_text = Vec::new();
    for _ in 0..random.below(60) {
        match random.below(2) {
            0 => pgn_like_text.extend_from_slice(random.pick(&known).as_bytes()),
            _ => pgn_like_text.extend((0..random.below(6)).map(|_| random.number() as u8)),
        }
    }
    pgn_like_text
}

/// Each comment is found again, in a game or in the text of a faulty one.
#[test]
fn no_comment_is_lost() {
    for seed in 0..effort([600, 5_000, 50_000]) {
        // Lines that start with `%` are skipped.
        let pgn_like_text = pgn_like_text(&mut Random::seeded(seed));
        let text = String::from_utf8_lossy(&pgn_like_text).replace('%', "");
        let parts: Vec<&str> = text.split("said").collect();
        let numbered =
            parts.iter().enumerate().map(|(number, part)| format!("{part}said{number}."));
        let text: String = numbered.collect();
        let text = text.strip_suffix(&format!("said{}.", parts.len() - 1)).expect("a number");
        let (mut games, mut kept) = (PgnReader::new(text.as_bytes()), String::new());
        while let Some(game) = games.next() {
            match game {
                Ok(read) => kept.push_str(&read.game.to_string()),
                Err(_) => kept.push_str(&String::from_utf8_lossy(games.text())),
            }
        }
        for said in (0..parts.len() - 1).map(|number| format!("said{number}.")) {
            assert!(kept.is_empty() || kept.contains(&said), "{said}\n{text}\n-> {kept}");
        }
    }
}

#[test]
fn any_bytes_are_read_without_panic() {
    for seed in 0..effort([600, 5_000, 50_000]) {
        for game in PgnReader::new(pgn_like_text(&mut Random::seeded(seed)).as_slice()) {
            match game {
                Ok(read) => {
                    assert_eq!(read.game.moves.len(), read.move_lines.len());
                    assert_eq!(read.game.final_game().history().len(), read.game.moves.len());
                    // A comment after `;` may contain braces, which are changed when written.
                    let written = read.game.to_string();
                    let again = PgnReader::new(written.as_bytes()).next().expect("a game");
                    assert_eq!(again.expect("a sound one").game.to_string(), written);
                }
                Err(error) => assert!(!error.to_string().contains('\n')),
            }
        }
    }
}
