//! Fuzz tests: the readers of commands survive any line.

use proptest::prelude::*;

use super::go_command::GoCommand;
use super::position_command;
use super::uci_command::Command;
use crate::Settings;
use qirkat_game::Rules;
use qirkat_rules::variant::Variant;
use qirkat_testing::{ANY, texts_like};

/// Words that make sense somewhere, some that nearly do, and any others.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "uci",
            "isready",
            "go",
            "position",
            "startpos",
            "fen",
            "moves",
            "setoption",
            "name",
            "value",
            "debug",
            "on",
            "register",
            "later",
            "depth",
            "nodes",
            "mate",
            "movetime",
            "wtime",
            "btime",
            "winc",
            "binc",
            "movestogo",
            "infinite",
            "ponder",
            "searchmoves",
            "perft",
            "stop",
            "quit",
            "e2e4",
            "a8a9q",
            "0000",
            "i9i1",
            "w",
            "b",
            "-",
            "KQkq",
            "Hash",
            "Clear",
            "999",
            "-1",
            "99999999999999999999",
            "0",
            "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR",
        ])
        .prop_map(str::to_owned),
        texts_like("[a-i][1-9][a-i][1-9][qrbna]?"),
        texts_like("-?[0-9]{1,30}"),
        texts_like(r"\PC{0,12}"),
        texts_like(ANY),
    ]
}

fn line() -> impl Strategy<Value = String> {
    let blank = prop::sample::select(vec![" ", "  ", "\t", "\r", "\u{b}"]);
    prop::collection::vec((word(), blank), 0..14)
        .prop_map(|words| words.into_iter().map(|(word, blank)| word + blank).collect::<String>())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4_000) })]

    #[test]
    fn lines_are_read_without_panic(line in line()) {
        match Command::read(&line) {
            Command::Go(words) => { GoCommand::read(&words); }
            Command::Position(words) => { let _ = position_command::read(&words, Variant::Chesquerque); }
            _ => {}
        }
    }

    #[test]
    fn go_always_leads_to_sound_limits(words in prop::collection::vec(word(), 0..12)) {
        let position = Variant::Chesquerque.start();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let go = GoCommand::read(&words);
        let (moves, limits, notices) = go.root_and_limits(&position, &Settings::default());
        prop_assert!(moves.iter().all(|&mv| position.is_legal(mv)));
        prop_assert!(limits.time.soft <= limits.time.hard || limits.time.hard.is_none());
        prop_assert!(notices.iter().all(|notice| !notice.contains('\n')));
    }

    #[test]
    fn accepted_positions_are_legal_games(
        variant in prop::sample::select(&Variant::ALL),
        words in prop::collection::vec(word(), 0..12),
    ) {
        let words: Vec<&str> = ["startpos", "moves"].into_iter()
            .chain(words.iter().map(String::as_str))
            .collect();
        if let Ok((game, _)) = position_command::read(&words, variant) {
            let fen = game.position().fen();
            let reread = variant.read_fen(&fen).expect("own FENs are read").position;
            prop_assert_eq!(&reread, game.position());
        }
    }
}
