//! FEN: what is refused and why, what is corrected, and that everything
//! accepted is written so that it reads back equal.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use qirkat_game::Rules;
use qirkat_rules::chesquerque::{Position, START_FEN};

use qirkat_testing::{ANY, texts_like};

/// Fields of a valid FEN. The first tables replace one of them.
const FIELDS: [&str; 6] = ["r3k3r/9/9/9/9/9/9/9/R3K3R", "w", "KQkq", "-", "0", "1"];

/// Boards and what is wrong with them.
const BAD_BOARDS: &[(&str, &str)] = &[
    ("/", "board: 2 ranks instead of 9"),
    ("4k4", "board: 1 rank instead of 9"),
    ("4k4/9/9/9/9/9/9/4K4", "board: 8 ranks instead of 9"),
    ("4k4/9/9/9/9/9/9/9/9/4K4", "board: 10 ranks instead of 9"),
    ("4k4/9/9/9/9/9/9/9/4K4/", "board: 10 ranks instead of 9"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "board: 8 ranks instead of 9"),
    ("4k4//9/9/9/9/9/9/4K4", "board: rank 8 has 0 points instead of 9"),
    ("/////9///", "board: rank 9 has 0 points instead of 9"),
    ("4k4/k/9/9/9/9/9/9/4K4", "board: rank 8 has 1 point instead of 9"),
    ("4k3/9/9/9/9/9/9/9/4K4", "board: rank 9 has 8 points instead of 9"),
    ("4k4/9/9/9/9/9/9/9/4K5", "board: rank 1 has 10 points instead of 9"),
    ("4k4/9/9/9/8/9/9/9/4K4", "board: rank 5 has 8 points instead of 9"),
    ("4k4/9/9/9/91/9/9/9/4K4", "board: rank 5 has 10 points instead of 9"),
    ("4k4/9/9/9/99999999/9/9/9/4K4", "board: rank 5 has 72 points instead of 9"),
    ("4k4/9/9/pppppppppp/9/9/9/9/4K4", "board: rank 6 has 10 points instead of 9"),
    ("4k4/9/9/45p/9/9/9/9/4K4", "board: rank 6 has 10 points instead of 9"),
    ("4k4/0/9/9/9/9/9/9/4K4", "board: unknown letter `0` in rank 8"),
    ("4k4/9/9/9/9/9/9/9/4K40", "board: unknown letter `0` in rank 1"),
    ("4k4/9/9/9/4x4/9/9/9/4K4", "board: unknown letter `x` in rank 5"),
    ("4k4/9/9/9/4-4/9/9/9/4K4", "board: unknown letter `-` in rank 5"),
    ("4k4/9/9/9/4♘4/9/9/9/4K4", "board: unknown letter `\\u{2658}` in rank 5"),
    ("4k4/9/9/9/4\u{0}4/9/9/9/4K4", "board: unknown letter `\\u{0}` in rank 5"),
    ("4k4/9/9/9/4\u{a0}4/9/9/9/4K4", "board: unknown letter `\\u{a0}` in rank 5"),
    ("4k4/9/9/9/４9/9/9/9/4K4", "board: unknown letter `\\u{ff14}` in rank 5"),
    ("9/9/9/9/9/9/9/9/9", "board: White has 0 kings instead of 1"),
    ("4k4/9/9/9/9/9/9/9/9", "board: White has 0 kings instead of 1"),
    ("9/9/9/9/9/9/9/9/4K4", "board: Black has 0 kings instead of 1"),
    ("4k4/9/9/9/9/9/9/9/3KK4", "board: White has 2 kings instead of 1"),
    ("kkkkkkkkk/9/9/9/9/9/9/9/4K4", "board: Black has 9 kings instead of 1"),
    ("P3k4/9/9/9/9/9/9/9/4K4", "board: pawn on a9, on the first or last rank"),
    ("4k3p/9/9/9/9/9/9/9/4K4", "board: pawn on i9, on the first or last rank"),
    ("4k4/9/9/9/9/9/9/9/P3K4", "board: pawn on a1, on the first or last rank"),
    ("4k3P/9/9/9/9/9/9/9/4K3p", "board: pawn on i1, on the first or last rank"),
];

/// Other fields: number, text, what is wrong.
const BAD_FIELDS: &[(usize, &str, &str)] = &[
    (1, "W", "side to move: `W` is neither `w` nor `b`"),
    (1, "white", "side to move: `white` is neither `w` nor `b`"),
    (1, "-", "side to move: `-` is neither `w` nor `b`"),
    (1, "wb", "side to move: `wb` is neither `w` nor `b`"),
    (1, "\u{7}", "side to move: `\\u{7}` is neither `w` nor `b`"),
    (2, "KK", "castling: `KK` is neither `-` nor made of `KQkq`"),
    (2, "KQkqK", "castling: `KQkqK` is neither `-` nor made of `KQkq`"),
    (2, "K-", "castling: `K-` is neither `-` nor made of `KQkq`"),
    (2, "--", "castling: `--` is neither `-` nor made of `KQkq`"),
    (2, "AIai", "castling: `AIai` is neither `-` nor made of `KQkq`"),
    (2, "0", "castling: `0` is neither `-` nor made of `KQkq`"),
    (2, "K,Q", "castling: `K,Q` is neither `-` nor made of `KQkq`"),
    (3, "e", "en passant: `e` is neither `-` nor a point"),
    (3, "j7", "en passant: `j7` is neither `-` nor a point"),
    (3, "e0", "en passant: `e0` is neither `-` nor a point"),
    (3, "E7", "en passant: `E7` is neither `-` nor a point"),
    (3, "e7e", "en passant: `e7e` is neither `-` nor a point"),
    (3, "--", "en passant: `--` is neither `-` nor a point"),
    (3, "é", "en passant: `\\u{e9}` is neither `-` nor a point"),
    (3, "e7", "en passant: no pawn can just have passed over e7"),
    (3, "i9", "en passant: no pawn can just have passed over i9"),
    (4, "-", "halfmove clock: `-` is not a number from 0 to 9999"),
    (4, "-1", "halfmove clock: `-1` is not a number from 0 to 9999"),
    (4, "+1", "halfmove clock: `+1` is not a number from 0 to 9999"),
    (4, "1.5", "halfmove clock: `1.5` is not a number from 0 to 9999"),
    (4, "10000", "halfmove clock: `10000` is not a number from 0 to 9999"),
    (4, "65536", "halfmove clock: `65536` is not a number from 0 to 9999"),
    (4, "x", "halfmove clock: `x` is not a number from 0 to 9999"),
    (4, "３", "halfmove clock: `\\u{ff13}` is not a number from 0 to 9999"),
    (5, "-", "fullmove number: `-` is not a number from 0 to 9999"),
    (5, "1e3", "fullmove number: `1e3` is not a number from 0 to 9999"),
    (5, "10000", "fullmove number: `10000` is not a number from 0 to 9999"),
    (
        5,
        "99999999999999999999999999",
        "fullmove number: `999999999999999999999999...` is not a number from 0 to 9999",
    ),
    (5, "1 2", "FEN has more than six fields: unexpected `2`"),
    (5, "1 moves e2e4", "FEN has more than six fields: unexpected `moves`"),
];

/// Whole FENs and what is wrong with them.
const BAD_FENS: &[(&str, &str)] = &[
    ("", "FEN is empty"),
    (" \t\r\n", "FEN is empty"),
    ("startpos", "board: 1 rank instead of 9"),
    ("4k4/9/9/9/9/9/9/9/4K4", "FEN field `side to move` is missing"),
    ("4k4/9/9/9/9/9/9/9/4K4 w", "FEN field `castling` is missing"),
    ("4k4/9/9/9/9/9/9/9/4K4 b -", "FEN field `en passant` is missing"),
    // Without a castling field, the en-passant field is taken for it.
    ("4k4/9/9/9/9/9/9/9/4K4 w e3 0 1", "castling: `e3` is neither `-` nor made of `KQkq`"),
    ("4k4/9/9/9/9/9/9/9/4R3K w - -", "side to move: Black is in check, but it is not its turn"),
    ("4k4/9/9/9/9/9/4n4/9/3K5 b - -", "side to move: White is in check, but it is not its turn"),
    ("9/9/9/9/3kK4/9/9/9/9 w - -", "side to move: Black is in check, but it is not its turn"),
    // The pawn on the plain point e4 gives check straight ahead.
    ("9/9/9/9/4k4/4P4/9/9/4K4 w - -", "side to move: Black is in check, but it is not its turn"),
    // Passed over in the wrong direction, on the wrong rank, without a pawn,
    // with a piece in the way, and by a pawn of the side to move.
    ("4k4/9/9/3Pp4/9/9/9/9/4K4 b - e7", "en passant: no pawn can just have passed over e7"),
    ("4k4/9/9/9/3Pp4/9/9/9/4K4 w - e6", "en passant: no pawn can just have passed over e6"),
    ("4k4/9/9/3Pb4/9/9/9/9/4K4 w - e7", "en passant: no pawn can just have passed over e7"),
    ("4k4/9/4n4/3Pp4/9/9/9/9/4K4 w - e7", "en passant: no pawn can just have passed over e7"),
    ("4k4/4p4/9/3Pp4/9/9/9/9/4K4 w - e7", "en passant: no pawn can just have passed over e7"),
    ("4k4/9/9/3PP4/9/9/9/9/4K4 w - e7", "en passant: no pawn can just have passed over e7"),
];

fn with_field(number: usize, text: &str) -> String {
    let mut fields = FIELDS;
    fields[number] = text;
    fields.join(" ")
}

#[test]
fn malformed_fens_are_refused_with_field_and_place() {
    let boards = BAD_BOARDS.iter().map(|&(text, error)| (with_field(0, text), error));
    let fields = BAD_FIELDS.iter().map(|&(number, text, error)| (with_field(number, text), error));
    let whole = BAD_FENS.iter().map(|&(fen, error)| (fen.to_owned(), error));
    for (fen, expected) in boards.chain(fields).chain(whole) {
        match Position::from_fen(&fen) {
            Ok(parsed) => panic!("{fen:?} was read as {}", parsed.position),
            Err(error) => assert_eq!(error.to_string(), expected, "{fen:?}"),
        }
    }
    assert!(Position::from_fen(&FIELDS.join(" ")).is_ok());
}

/// Texts, the FENs that are written for them, and the notices given.
const ACCEPTED: &[(&str, &str, Option<&str>)] = &[
    (START_FEN, START_FEN, None),
    // Clocks: missing, with zeros in front, as high as they go.
    ("4k4/9/9/9/9/9/9/9/4K4 w - -", "4k4/9/9/9/9/9/9/9/4K4 w - - 0 1", None),
    ("4k4/9/9/9/9/9/9/9/4K4 b - - 7", "4k4/9/9/9/9/9/9/9/4K4 b - - 7 1", None),
    ("4k4/9/9/9/9/9/9/9/4K4 b - - 007 0012", "4k4/9/9/9/9/9/9/9/4K4 b - - 7 12", None),
    ("4k4/9/9/9/9/9/9/9/4K4 w - - 3 0", "4k4/9/9/9/9/9/9/9/4K4 w - - 3 1", None),
    ("4k4/9/9/9/9/9/9/9/4K4 w - - 9999 9999", "4k4/9/9/9/9/9/9/9/4K4 w - - 9999 9999", None),
    // Blanks and runs cut in pieces.
    ("  4k4/9/9/9/9/9/9/9/4K4\tw  -\n- 0 1\r\n", "4k4/9/9/9/9/9/9/9/4K4 w - - 0 1", None),
    ("4k13/45/111111111/9/9/9/9/72/4K31 w - -", "4k4/9/9/9/9/9/9/9/4K4 w - - 0 1", None),
    // Castling letters in any order, and some of them.
    ("r3k3r/9/9/9/9/9/9/9/R3K3R w qkQK - 0 1", "r3k3r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1", None),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R b kK - 0 1", "r3k3r/9/9/9/9/9/9/9/R3K3R b Kk - 0 1", None),
    ("r3k3r/9/9/9/9/9/9/9/R3K3R b qQ - 0 1", "r3k3r/9/9/9/9/9/9/9/R3K3R b Qq - 0 1", None),
    // Rights without their rook, without their king, with an enemy's rook.
    (
        "r3k3r/9/9/9/9/9/9/9/4K3R w KQkq - 0 1",
        "r3k3r/9/9/9/9/9/9/9/4K3R w Kkq - 0 1",
        Some("castling: `Q` dropped, king or rook is not at home"),
    ),
    (
        "r4k2r/9/9/9/9/9/9/9/R3K3R w KQkq - 0 1",
        "r4k2r/9/9/9/9/9/9/9/R3K3R w KQ - 0 1",
        Some("castling: `kq` dropped, king or rook is not at home"),
    ),
    (
        "4k4/9/9/9/9/9/9/4K4/9 b qkQK - 0 1",
        "4k4/9/9/9/9/9/9/4K4/9 b - - 0 1",
        Some("castling: `qkQK` dropped, king or rook is not at home"),
    ),
    (
        "4k3q/9/9/9/9/9/9/9/r2NKN2R b KQkq - 0 1",
        "4k3q/9/9/9/9/9/9/9/r2NKN2R b K - 0 1",
        Some("castling: `Qkq` dropped, king or rook is not at home"),
    ),
    // En passant that stays: captors to both sides, either side to move.
    ("4k4/9/9/3PpP3/9/9/9/9/4K4 w - e7 0 1", "4k4/9/9/3PpP3/9/9/9/9/4K4 w - e7 0 1", None),
    ("4k4/9/9/9/9/1pP6/9/9/4K4 b - c3 0 9", "4k4/9/9/9/9/1pP6/9/9/4K4 b - c3 0 9", None),
    // En passant dropped: nobody near, the pawn's own start on a diagonal
    // point, the captor pinned, the captor uncovering its king.
    ("4k4/9/9/4p4/9/9/9/9/4K4 w - e7 0 1", "4k4/9/9/4p4/9/9/9/9/4K4 w - - 0 1", None),
    ("4k4/9/9/2PpP4/9/9/9/9/4K4 w - d7 0 1", "4k4/9/9/2PpP4/9/9/9/9/4K4 w - - 0 1", None),
    ("3rk4/9/9/3Pp4/9/9/9/9/3K5 w - e7 0 1", "3rk4/9/9/3Pp4/9/9/9/9/3K5 w - - 0 1", None),
    ("4k4/9/9/K2Pp3r/9/9/9/9/9 w - e7 0 1", "4k4/9/9/K2Pp3r/9/9/9/9/9 w - - 0 1", None),
];

#[test]
fn oddities_are_put_right() {
    for &(fen, written, expected) in ACCEPTED {
        let parsed = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(parsed.position.fen(), written, "{fen}");
        let notice = parsed.notice.map(|notice| notice.to_string());
        assert_eq!(notice.as_deref(), expected, "{fen}");
        assert_reads_back(&parsed.position);
    }
}

/// The FEN of a position gives the same position and no notice.
fn assert_reads_back(position: &Position) {
    let fen = position.fen();
    let again = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again.position, *position, "{fen}");
    assert_eq!(again.notice, None, "{fen}");
}

/// Valid FENs of all sorts, their empty points one by one, so that a change
/// of one letter may leave ranks as long as they were.
fn fens() -> impl Strategy<Value = String> {
    let table = include_str!("../data/special_positions.txt").lines();
    let fens = table.filter_map(|line| line.split(';').next()).filter(|fen| fen.contains('/'));
    select(fens.map(str::trim).map(spread).collect::<Vec<_>>())
}

fn spread(fen: &str) -> String {
    let (board, rest) = fen.split_at(fen.find(' ').unwrap_or(fen.len()));
    let runs = board.chars().map(|letter| match letter.to_digit(10) {
        Some(run) => "1".repeat(run as usize),
        None => letter.to_string(),
    });
    runs.collect::<String>() + rest
}

/// Boards with a king on either side and other pieces anywhere they may stand.
fn scattered_pieces() -> impl Strategy<Value = String> {
    let letters: Vec<char> = "1111111111111111qrbnappQRBNAPP".chars().collect();
    let pieces = prop::collection::vec(select(letters), 81);
    let en_passant = prop_oneof![4 => texts_like("-"), 1 => texts_like("[aceg][37]")];
    let rest = (texts_like("[wb]"), texts_like("-|[KQkq]"), en_passant);
    (pieces, 0..81_usize, 1..81_usize, rest).prop_map(|(mut pieces, white, further, rest)| {
        for pawn in (0..9).chain(72..81) {
            pieces[pawn] = if matches!(pieces[pawn], 'p' | 'P') { '1' } else { pieces[pawn] };
        }
        pieces[white] = 'K';
        pieces[(white + further) % 81] = 'k';
        let ranks: Vec<String> = pieces.chunks(9).map(|rank| rank.iter().collect()).collect();
        let (side, castling, en_passant) = rest;
        format!("{} {side} {castling} {en_passant}", ranks.join("/"))
    })
}

/// A change to a text: which character, what comes there (of the letters FEN
/// is made of, or any), how many characters are lost.
type Edit = (prop::sample::Index, Option<char>, usize);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let letter = prop_oneof![
        12 => texts_like("[qrbnapQRBNAP1]").prop_map(|text| text.chars().next()),
        3 => texts_like(r"[kKw1-9/ \-]").prop_map(|text| text.chars().next()),
        1 => any::<Option<char>>(),
    ];
    let lost = select(vec![1, 1, 1, 1, 0, 2]);
    prop::collection::vec((any::<prop::sample::Index>(), letter, lost), 1..4)
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (place, letter, lost) in edits {
        let start = place.index(chars.len() + 1);
        let end = (start + lost).min(chars.len());
        chars.splice(start..end, *letter);
    }
    chars.into_iter().collect()
}

/// Errors go into one line of a protocol or a terminal.
fn assert_printable(error: &impl ToString) {
    let message = error.to_string();
    assert!(message.chars().all(|letter| !letter.is_control()), "{message:?}");
    assert!((1..=300).contains(&message.len()), "{message:?}");
}

fn assert_refused_or_sound(fen: &str) {
    match Position::from_fen(fen) {
        Err(error) => assert_printable(&error),
        Ok(parsed) => {
            let position = parsed.position;
            assert_reads_back(&position);
            let moves = position.legal_moves();
            assert_eq!(position.count_legal_moves(), moves.len() as u64, "{position}");
            let captures = moves.iter().filter(|&&mv| position.is_en_passant(mv)).count();
            assert_eq!(position.en_passant().is_some(), captures > 0, "{position}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(81),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_refused_or_sound(text in texts_like(ANY)) {
        assert_refused_or_sound(&text);
    }

    #[test]
    fn scattered_pieces_are_refused_or_sound(fen in scattered_pieces()) {
        assert_refused_or_sound(&fen);
    }

    #[test]
    fn edited_fens_are_refused_or_sound(fen in fens(), edits in edits()) {
        assert_refused_or_sound(&edited(&fen, &edits));
    }
}
