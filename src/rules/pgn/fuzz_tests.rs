//! Fuzz tests: games survive writing and reading, and the reader survives any text.

use proptest::prelude::*;
use proptest::strategy::Union;

use crate::variant::{AnyMove, AnyPosition, Variant};
use qirkat_game::{GameResult, Rules};
use qirkat_testing::texts_like;

use super::notation::Notation;
use super::pgn_game::{PgnGame, PgnMove};
use super::pgn_reader::PgnReader;

/// Starting positions, the usual one where there is no FEN.
const STARTS: [(Variant, Option<&str>); 9] = [
    (Variant::Chesquerque, None),
    (Variant::Chesquerque, Some("r3k3r/ppppppppp/9/9/9/9/9/PPPPPPPPP/R3K3R b KQkq - 3 17")),
    (Variant::Chesquerque, Some("4k4/P7P/9/9/9/9/9/p7p/4K4 w - - 0 1")),
    (
        Variant::Chesquerque,
        Some("rnbqkabnr/ppp1ppppp/9/9/3p5/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 9"),
    ),
    (Variant::Masonic, None),
    (Variant::Masonic, Some("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 3 17")),
    (Variant::Masonic, Some("4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1")),
    (Variant::Alquerque, None),
    (Variant::Alquerque, Some("m1m1m/5/2M2/5/M1M1M b - - 7 20")),
];
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

fn tag_value() -> impl Strategy<Value = String> {
    prop_oneof![texts_like(r"\PC{0,40}"), texts_like(r#"["\\a \]\[]{0,9}"#)]
}

fn comment() -> impl Strategy<Value = Option<String>> {
    let word = [r"[^\pC\pZ]{1,12}", "%[a-z]*", r"\[Event", r#""x"\]"#, "[x]{90}"];
    let word = Union::new(word.map(texts_like));
    let text = prop::collection::vec(word, 1..30).prop_map(|words| words.join(" "));
    prop_oneof![3 => Just(None), 1 => text.prop_map(Some)]
}

fn game() -> impl Strategy<Value = PgnGame> {
    game_in(Notation::San)
}

/// A game as the reader gives it: all tags of the export format, in order.
fn game_in(notation: Notation) -> impl Strategy<Value = PgnGame> {
    let tags = prop::collection::vec(tag_value(), ROSTER.len() + 1);
    let nags = prop::collection::vec(any::<u8>(), 0..3);
    let moves = prop::collection::vec((any::<prop::sample::Index>(), nags, comment()), 0..120);
    let start = prop::sample::select(&STARTS);
    let result = prop::sample::select(&GameResult::ALL);
    (tags, start, comment(), moves, result).prop_map(
        move |(values, start, comment, choices, result)| {
            let (variant, fen) = start;
            let start = fen.map_or_else(
                || variant.start(),
                |fen| variant.read_fen(fen).expect("a position").position,
            );
            let mut game = PgnGame { result, ..PgnGame::from_position(start) };
            for (name, value) in ROSTER.into_iter().zip(&values) {
                game.set_tag(name, value);
            }
            game.set_tag("Result", result.text());
            game.set_tag("Variant", variant.title());
            if start != variant.start() || notation == Notation::Lan {
                game.set_tag("SetUp", "1");
                game.set_tag("FEN", start.fen());
            }
            game.set_tag("Termination", &values[ROSTER.len()]);
            game.opening_comment = comment;
            game.moves = random_moves(start, choices);
            game
        },
    )
}

fn games_in_a_notation() -> impl Strategy<Value = (Notation, Vec<PgnGame>)> {
    let games = |notation| (Just(notation), prop::collection::vec(game_in(notation), 0..4));
    Union::new(Notation::ALL.map(games))
}

fn random_moves(
    mut position: AnyPosition,
    choices: Vec<(prop::sample::Index, Vec<u8>, Option<String>)>,
) -> Vec<PgnMove> {
    let mut moves = Vec::new();
    for (choice, nags, comment) in choices {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = *choice.get(&legal);
        position = position.after(mv);
        moves.push(PgnMove { nags, comment, ..PgnMove::from(mv) });
    }
    moves
}

/// A game with variations, some of them inside others.
fn game_with_variations() -> impl Strategy<Value = PgnGame> {
    let nags = prop::collection::vec(any::<u8>(), 0..3);
    let line = prop::collection::vec((any::<prop::sample::Index>(), nags, comment()), 1..8);
    let lines = prop::collection::vec((any::<prop::sample::Index>(), line), 0..8);
    (game(), lines).prop_map(|(mut game, lines)| {
        for (place, choices) in lines {
            add_variation(&mut game.moves, game.start, place, choices);
        }
        game
    })
}

/// Adds a variation in the place of a move, or in the last variation of that.
fn add_variation(
    moves: &mut [PgnMove],
    start: AnyPosition,
    place: prop::sample::Index,
    choices: Vec<(prop::sample::Index, Vec<u8>, Option<String>)>,
) {
    if moves.is_empty() {
        return;
    }
    let place_here = place.index(moves.len());
    let after = |position: AnyPosition, played: &PgnMove| position.behind(played.mv);
    let before = moves[..place_here].iter().try_fold(start, after).expect("possible moves");
    let played = &mut moves[place_here];
    match played.variations.last_mut() {
        Some(inner) if inner.len() > 1 => add_variation(inner, before, place, choices),
        _ => played.variations.push(with_null_move(before, random_moves(before, choices))),
    }
}

/// The same line behind a null move, where that is possible and the line says so.
fn with_null_move(start: AnyPosition, mut line: Vec<PgnMove>) -> Vec<PgnMove> {
    let null = PgnMove::from(AnyMove::null(start.variant()));
    let passed = start.passed().ok().filter(|_| line.len().is_multiple_of(2));
    if let Some(reply) = passed.and_then(|passed| passed.legal_moves().first().copied()) {
        line = vec![null, PgnMove::from(reply)];
    }
    line
}

/// Texts of which PGN is made, and some like them.
const SCRAPS: &str = concat!(
    "[Event \"|[|]|\"|\\|\n|\r\n|\r|{|}|(|)|;|%|$1|1.|...|e4| e6 |Nc3|O-O|*|1-0|1/2-1/2|",
    "!?| |[FEN \"9/9\"]\n|[Event \"x\"]\n|[Variant \"x\"]|\u{feff}|<|$300|±|+-| N |--|",
    "½-½| e.p.|(A)|\n\n|{said}|{said}|; said\n| won |[White Ann]\n|[Result \"said\"]\n|",
    "\u{a0}|1 - 0",
);

/// Text that looks like PGN here and there.
fn scraps() -> impl Strategy<Value = Vec<u8>> {
    let known = SCRAPS.split('|').collect::<Vec<_>>();
    let scrap = prop_oneof![
        prop::sample::select(known).prop_map(|text| text.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..6),
    ];
    prop::collection::vec(scrap, 0..60).prop_map(|scraps| scraps.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn games_survive_writing_and_reading((notation, games) in games_in_a_notation()) {
        let text: String = games.iter().map(|game| game.written_in(notation).to_string()).collect();
        let read: Result<Vec<_>, _> = PgnReader::new(text.as_bytes()).collect();
        let read = read.map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        let read: Vec<PgnGame> = read.into_iter().map(|read| read.game).collect();
        prop_assert_eq!(read, games);
    }

    #[test]
    fn variations_survive_writing_and_reading(game in game_with_variations()) {
        let text = game.to_string();
        let read = PgnReader::new(text.as_bytes()).next();
        let read = read.expect("a game").map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&read.unread, &[]);
        prop_assert_eq!(read.game, game);
    }

    #[test]
    fn a_game_cut_off_spoils_no_other(first in game(), second in game(), at in any::<prop::sample::Index>()) {
        let text = first.to_string();
        let cut: String = text.chars().take(at.index(text.chars().count())).collect();
        let text = format!("{cut}\n{second}");
        let last = PgnReader::new(text.as_bytes()).last();
        let read = last.expect("a game").map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(read.game, second);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(5_000) })]

    /// Each comment is found again, in a game or in the text of one that is faulty.
    #[test]
    fn no_comment_is_lost(text in scraps()) {
        // Lines of `%` are to be passed over.
        let text = String::from_utf8_lossy(&text).replace('%', "");
        let mut parts = text.split("said");
        let mut text = parts.next().unwrap_or_default().to_owned();
        let mut said = Vec::new();
        for part in parts {
            said.push(format!("said{}.", said.len()));
            text.extend([said.last().map(String::as_str), Some(part)].into_iter().flatten());
        }
        let (mut games, mut kept) = (PgnReader::new(text.as_bytes()), String::new());
        while let Some(game) = games.next() {
            match game {
                Ok(read) => kept.push_str(&read.game.to_string()),
                Err(_) => kept.push_str(&String::from_utf8_lossy(games.text())),
            }
        }
        for said in said {
            prop_assert!(kept.is_empty() || kept.contains(&said), "{said}\n{text}\n-> {kept}");
        }
    }

    #[test]
    fn anything_is_read_without_panic(text in scraps()) {
        for game in PgnReader::new(text.as_slice()) {
            prop_assert!(game.is_err() || game.is_ok_and(|read| read.game.final_game().history().len() == read.game.moves.len()));
        }
        for game in PgnReader::new(text.as_slice()) {
            match game {
                Ok(read) => {
                    prop_assert_eq!(read.game.moves.len(), read.move_lines.len());
                    prop_assert_eq!(read.game.final_game().history().len(), read.game.moves.len());
                    // A comment behind `;` may hold braces, which change when written.
                    let written = read.game.to_string();
                    let again = PgnReader::new(written.as_bytes()).next();
                    prop_assert!(matches!(again, Some(Ok(again)) if again.game.to_string() == written));
                }
                Err(error) => prop_assert!(!error.to_string().contains('\n')),
            }
        }
    }
}
