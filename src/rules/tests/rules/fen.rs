//! FEN of every game: what is rejected and why, what is corrected, and that every accepted FEN is
//! written so that it reads back equal.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use qirkat_game::Rules;
use qirkat_rules::chesquerque::Chesquerque;
use qirkat_rules::chess::{Geometry, Kind, Position, Square, SquareSet};
use qirkat_rules::masonic::{self, Masonic};
use qirkat_rules::variant::{AnyPosition, Variant};
use qirkat_testing::{ANY, effort, texts_like};

use super::tables::{CHESQUERQUE, MASONIC, fens, lines};

fn variant(name: &str) -> Variant {
    name.parse().expect("a game")
}

fn assert_rejected(variant: Variant, fen: &str, expected: &str) {
    match variant.read_fen(fen) {
        Ok(parsed) => panic!("{fen:?} was read as {}", parsed.position),
        Err(error) => assert_eq!(error.to_string(), expected, "{fen:?}"),
    }
}

#[test]
fn malformed_fens_are_reported_with_field_and_location() {
    for fields in lines(include_str!("../data/bad_fens.txt")) {
        let [game, fen, error] = fields[..] else { panic!("three fields: {fields:?}") };
        assert_rejected(variant(game), fen, error);
    }
    for game in Variant::ALL {
        for blank in ["", " \t\r\n"] {
            assert_rejected(game, blank, "FEN is empty");
        }
    }
    for (letter, shown) in [('\0', "\\u{0}"), ('\u{a0}', "\\u{a0}"), ('\u{7}', "\\u{7}")] {
        let fen = format!("4k4/9/9/9/4{letter}4/9/9/9/4K4 w - - 0 1");
        let error = format!("board: unknown letter `{shown}` in rank 5");
        assert_rejected(Variant::Chesquerque, &fen, &error);
    }
}

#[test]
fn valid_fens_are_read_and_corrected() {
    for fields in lines(include_str!("../data/good_fens.txt")) {
        let [game, fen, written, ref notice @ ..] = fields[..] else { panic!("{fields:?}") };
        let spaced = format!("  {}\r\n", fen.replace(' ', "\t \n"));
        for fen in [fen, &spaced] {
            let parsed =
                variant(game).read_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(parsed.position.fen(), written, "{fen}");
            let found = parsed.notice.map(|notice| notice.to_string());
            assert_eq!(found.as_deref(), notice.first().copied(), "{fen}");
            assert_reads_back(&parsed.position);
        }
    }
}

/// The cells that a double step can pass are `b3` to `h3` and `a6` to `g6`, each by two pawns.
#[test]
fn masonic_chess_has_fourteen_en_passant_cells() {
    let passed = |board: &str, side: &str| -> String {
        let fields =
            ('a'..='h').flat_map(|file| ('1'..='8').map(move |rank| format!("{file}{rank}")));
        let read = |field: &String| {
            masonic::Position::from_fen(&format!("{board} {side} - {field}")).is_ok()
        };
        fields.filter(read).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(passed("4k3/8/8/8/PPPPPPPP/8/8/K7", "b"), "b3 c3 d3 e3 f3 g3 h3");
    assert_eq!(passed("4k3/8/8/pppppppp/8/8/8/4K3", "w"), "a6 b6 c6 d6 e6 f6 g6");
}

/// The FEN of a position gives the same position and no notice.
fn assert_reads_back(position: &AnyPosition) {
    let fen = position.fen();
    let again = position.variant().read_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again.position, *position, "{fen}");
    assert_eq!(again.notice, None, "{fen}");
}

/// Valid FENs of all kinds with empty squares written one by one, so that edits of one letter may
/// keep rank lengths.
fn fens_without_runs(table: &'static str) -> impl Strategy<Value = String> {
    select(fens(table).map(spread).collect::<Vec<_>>())
}

fn spread(fen: &str) -> String {
    let (board, rest) = fen.split_at(fen.find(' ').unwrap_or(fen.len()));
    let runs = board.chars().map(|letter| match letter.to_digit(10) {
        Some(run) => "1".repeat(run as usize),
        None => letter.to_string(),
    });
    runs.collect::<String>() + rest
}

/// Boards with one king of each color and other pieces wherever they are valid.
fn random_boards<G: Geometry>() -> impl Strategy<Value = String> {
    let (files, squares) = (usize::from(G::Square::FILES), G::Square::COUNT);
    let mut letters = vec!['1'; 16];
    for letter in
        G::Kind::ALL.iter().filter(|&&kind| kind != G::Kind::KING).map(|kind| kind.letter())
    {
        letters.extend([letter, letter.to_ascii_uppercase()]);
    }
    letters.extend(['p', 'P']);
    let pieces = prop::collection::vec(select(letters), squares);
    let passed = format!("[a-i][3{}]", G::Square::RANKS - 2);
    let en_passant = prop_oneof![4 => texts_like("-"), 1 => texts_like(&passed)];
    let rest = (texts_like("[wb]"), texts_like("-|[KQkq]"), en_passant);
    (pieces, 0..squares, 1..squares, rest).prop_map(move |(mut pieces, white, further, rest)| {
        for pawn in (0..files).chain(squares - files..squares) {
            pieces[pawn] = if matches!(pieces[pawn], 'p' | 'P') { '1' } else { pieces[pawn] };
        }
        pieces[white] = 'K';
        pieces[(white + further) % squares] = 'k';
        let ranks: Vec<String> = pieces.chunks(files).map(|rank| rank.iter().collect()).collect();
        let (side, castling, en_passant) = rest;
        format!("{} {side} {castling} {en_passant}", ranks.join("/"))
    })
}

/// An edit of a text: the position, the character inserted there (from FEN's alphabet, or any), and
/// the number of characters removed.
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
    for (start, letter, lost) in edits {
        let start = start.index(chars.len() + 1);
        let end = (start + lost).min(chars.len());
        chars.splice(start..end, *letter);
    }
    chars.into_iter().collect()
}

/// Errors must fit into one line of a protocol or a terminal.
fn assert_printable(error: &impl ToString) {
    let message = error.to_string();
    assert!(message.chars().all(|letter| !letter.is_control()), "{message:?}");
    assert!((1..=300).contains(&message.len()), "{message:?}");
}

fn assert_rejected_or_valid<G: Geometry>(fen: &str)
where
    Position<G>: Into<AnyPosition>,
{
    match Position::<G>::from_fen(fen) {
        Err(error) => assert_printable(&error),
        Ok(parsed) => {
            let position = parsed.position;
            assert_reads_back(&position.into());
            let moves = position.legal_moves();
            assert_eq!(position.count_legal_moves(), moves.len() as u64, "{position}");
            let captures = moves.iter().filter(|&&mv| position.is_en_passant(mv)).count();
            assert_eq!(position.en_passant().is_some(), captures > 0, "{position}");
            let any: AnyPosition = position.into();
            assert_eq!(any.pieces().len(), position.occupied().len() as usize, "{position}");
            // Coordinates are written below and beside the board.
            let picture = any.picture();
            let shown = picture.lines().filter(|line| line.starts_with(" ") && line[1..2] != *" ");
            let shown = shown.flat_map(str::chars).filter(char::is_ascii_alphabetic).count();
            assert_eq!(shown, any.pieces().len(), "{picture}");
        }
    }
}

/// Any text that is not a move is answered in one line.
fn assert_read_or_one_line_error(text: &str) {
    for variant in Variant::ALL {
        variant.start().read_move(text).err().iter().for_each(assert_printable);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: effort([500, 4_000, 40_000]),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(81),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_is_rejected_or_valid(text in texts_like(ANY)) {
        assert_rejected_or_valid::<Chesquerque>(&text);
        assert_rejected_or_valid::<Masonic>(&text);
        assert_read_or_one_line_error(&text);
    }

    #[test]
    fn any_short_text_is_a_move_or_rejected(text in texts_like("[KQRBNAO0a-i1-9x=qrbnk+#-]{0,7}")) {
        assert_read_or_one_line_error(&text);
    }

    #[test]
    fn random_boards_are_rejected_or_valid(
        fen in random_boards::<Chesquerque>(),
        masonic in random_boards::<Masonic>(),
    ) {
        assert_rejected_or_valid::<Chesquerque>(&fen);
        assert_rejected_or_valid::<Masonic>(&masonic);
    }

    #[test]
    fn edited_fens_are_rejected_or_valid(
        fen in fens_without_runs(CHESQUERQUE),
        masonic in fens_without_runs(MASONIC),
        edits in edits(),
    ) {
        assert_rejected_or_valid::<Chesquerque>(&edited(&fen, &edits));
        assert_rejected_or_valid::<Masonic>(&edited(&masonic, &edits));
    }
}
