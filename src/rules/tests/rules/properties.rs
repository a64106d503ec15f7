//! Properties of every position: symmetries of the board, keys that depend only on the position,
//! repetition and the end of the game.

use std::collections::HashMap;

use DrawReason::*;
use Outcome::{Checkmate, Draw};
use qirkat_game::{ReadMove, Rules, Searchable, perft};
use qirkat_rules::chesquerque::{
    Color, DrawReason, Game, GameHistory, Move, Outcome, Piece, PieceKind, Point, Position,
    START_FEN,
};
use qirkat_rules::chess::EnPassant;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use qirkat_testing::games::mirrored as with_colors_exchanged;
use qirkat_testing::{effort, walk as random_walk};

use super::tables::{CHESQUERQUE, fens, read as read_any};

const WALKS: u64 = 60;
const PLIES_PER_WALK: usize = 100;

fn walk(seed: u64) -> Vec<Position> {
    random_walk(seed, PLIES_PER_WALK, 0.3)
}

fn read(fen: &str) -> Position {
    read_any(fen)
}

fn identity(position: &Position) -> [String; 4] {
    let fen = position.fen();
    let mut fields = fen.split(' ').map(str::to_owned);
    std::array::from_fn(|_| fields.next().expect("a FEN has six fields"))
}

fn transformed(fields: [String; 4], clocks: &Position) -> Position {
    let (plies, moves) = (clocks.halfmove_clock(), clocks.fullmove_number());
    read(&format!("{} {plies} {moves}", fields.join(" ")))
}

fn mirrored(position: &Position) -> Position {
    let [board, side, _, en_passant] = identity(position);
    let ranks: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    let point = Point::parse(&en_passant).map(|point| {
        let file = Point::FILES - 1 - point.file();
        Point::new(file, point.rank()).to_string()
    });
    let en_passant = point.unwrap_or(en_passant);
    transformed([ranks.join("/"), side, "-".to_owned(), en_passant], position)
}

/// Swaps files and ranks, which affects only pawns and castling.
fn transposed(position: &Position) -> Position {
    let mut board = [['1'; 9]; 9];
    for point in position.occupied() {
        if let Some(piece) = position.piece_on(point) {
            let row = usize::from(Point::RANKS - 1 - point.file());
            board[row][usize::from(point.rank())] = piece.letter();
        }
    }
    let ranks: Vec<String> = board.iter().map(|rank| rank.iter().collect()).collect();
    let [_, side, _, _] = identity(position);
    transformed([ranks.join("/"), side, "-".to_owned(), "-".to_owned()], position)
}

fn positions() -> impl Iterator<Item = Position> {
    (0..WALKS).flat_map(walk).chain(fens(CHESQUERQUE).map(read))
}

fn assert_alike(one: &Position, other: &Position) {
    assert_eq!(perft(one, 2), perft(other, 2), "{one} and {other}");
    assert_eq!(one.in_check(), other.in_check(), "{one} and {other}");
    let ended = |position: &Position| position.outcome(&GameHistory::new()).is_some();
    assert_eq!(ended(one), ended(other), "{one} and {other}");
}

#[test]
fn swapping_colors_changes_nothing() {
    let mut en_passant = 0;
    for position in positions() {
        let exchanged = read(&with_colors_exchanged(&position.fen()));
        assert_eq!(exchanged, position.flipped());
        assert_alike(&position, &exchanged);
        let flipped = position.en_passant().map(|target| EnPassant {
            passed: target.passed.flipped(),
            pawn: target.pawn.flipped(),
        });
        assert_eq!(exchanged.en_passant(), flipped);
        assert_eq!(exchanged.flipped().key(), position.key(), "{position}");
        en_passant += usize::from(position.en_passant().is_some());
    }
    assert!(en_passant > 20, "only {en_passant} positions with en passant");
}

#[test]
fn mirroring_changes_only_castling() {
    for position in positions() {
        let [board, side, _, en_passant] = identity(&position);
        let plain = transformed([board, side, "-".to_owned(), en_passant], &position);
        assert_alike(&plain, &mirrored(&plain));
    }
}

#[test]
fn swapping_files_and_ranks_changes_only_pawns_and_castling() {
    let mut turns = 0;
    for bare in positions().filter_map(|position| without_pawns(&position)) {
        assert_alike(&bare, &transposed(&bare));
        turns += 1;
    }
    assert!(turns > 1_000, "only {turns} positions transposed");
}

/// The position without pawns and castling, unless that leaves the wrong king in check.
fn without_pawns(position: &Position) -> Option<Position> {
    let [board, side, _, _] = identity(position);
    let board = board.replace(['p', 'P'], "1");
    let parsed = Position::from_fen(&format!("{board} {side} - -")).ok()?;
    Some(parsed.position)
}

fn played(position: Position, text: &str) -> Position {
    let mv = Move::parse(text).filter(|&mv| position.is_legal(mv));
    position.after(mv.unwrap_or_else(|| panic!("{text} is not legal in {position}")))
}

/// All lines of three plies from various positions: keys are equal exactly if positions are.
#[test]
fn keys_are_unique() {
    let (mut keys, mut identities) = (HashMap::new(), HashMap::new());
    let mut transpositions = 0;
    for start in positions().step_by(effort([1_600, 400, 400])) {
        for position in descendants(&start, 3) {
            let (identity, key) = (identity(&position), position.key());
            let known = keys.insert(identity.clone(), key);
            assert!(known.is_none_or(|known| known == key), "{position}");
            let namesake = identities.insert(key, identity.clone());
            assert!(namesake.is_none_or(|namesake| namesake == identity), "{position}");
            transpositions += usize::from(known.is_some());
        }
    }
    assert!(transpositions > effort([250, 1_000, 1_000]), "only {transpositions} transpositions");
}

fn descendants(position: &Position, plies: u32) -> Vec<Position> {
    let mut all = vec![*position];
    if plies > 0 {
        for mv in position.legal_moves() {
            all.extend(descendants(&position.after(mv), plies - 1));
        }
    }
    all
}

#[test]
fn side_castling_and_en_passant_change_the_key() {
    let mut keys = HashMap::new();
    let rights = ["-", "K", "Q", "k", "q", "KQ", "Kk", "Kq", "Qk", "Qq", "kq"];
    let more_rights = ["KQk", "KQq", "Kkq", "Qkq", "KQkq"];
    for castling in rights.into_iter().chain(more_rights) {
        for rest in ["w - -", "w - c7", "w - e7", "w - g7", "b - -"] {
            let [side, _, en_passant] = rest.split(' ').collect::<Vec<_>>()[..] else {
                panic!("{rest} has three fields");
            };
            let board = "r3k3r/9/9/1PpPpPpP1/9/9/9/9/R3K3R";
            let fen = format!("{board} {side} {castling} {en_passant}");
            assert_eq!(keys.insert(read(&fen).key(), fen.clone()), None, "{fen}");
        }
    }
}

/// A game: FEN, its first moves, the moves that White and Black then repeat, and the ply of the
/// third occurrence of a position.
type Shuffle = (&'static str, &'static [&'static str], [&'static str; 2], usize);

const SHUFFLES: &[Shuffle] = &[
    ("4k4/9/9/9/9/9/9/9/R3K4 w - -", &[], ["a1b1 b1a1", "e9e8 e8e9"], 8),
    ("r3k4/9/9/9/9/9/9/9/4K4 b - -", &[], ["e1e2 e2e1", "a9b9 b9a9"], 8),
    // With its castling right the first position was different.
    ("4k4/9/9/9/9/9/9/9/R3K4 w Q -", &[], ["a1b1 b1a1", "e9e8 e8e9"], 9),
    ("4k4/9/9/9/9/9/9/9/R3K3R w KQ -", &[], ["a1b1 b1a1", "e9e8 e8e9"], 9),
    // Black's first move loses its castling right, so two positions differ.
    ("r3k4/9/9/9/9/9/9/9/4K4 w q -", &[], ["e1e2 e2e1", "a9b9 b9a9"], 10),
    // Neither king nor rook moves, so the rights stay.
    ("r3k4/9/9/6n2/9/9/9/9/4KN3 w q -", &[], ["f1g3 g3f1", "g6f8 f8g6"], 8),
    // The same after a double step, capturable en passant, not capturable, and only by a pinned pawn.
    ("4k4/4p4/9/3P5/9/9/9/9/4K4 b - -", &["e8e6"], ["e1d1 d1e1", "e9d9 d9e9"], 10),
    ("4k4/4p4/9/4P4/9/9/9/9/4K4 b - -", &["e8e7"], ["e1d1 d1e1", "e9d9 d9e9"], 9),
    ("4k4/4p4/9/2P6/9/9/9/9/4K4 b - -", &["e8e6"], ["e1d1 d1e1", "e9d9 d9e9"], 9),
    ("3rk4/4p4/9/3P5/9/9/9/9/3K5 b - -", &["e8e6"], ["d1d2 d2d1", "e9f9 f9e9"], 9),
    // On ply 5 the board is as at first, but Black is to move.
    ("4k4/9/9/9/9/9/9/9/R3K4 w - -", &[], ["e1d1 d1d2 d2e1", "e9e8 e8e9"], 24),
    // The position right after a capture counts as the first occurrence.
    ("4k4/9/9/9/9/9/9/p8/R3K4 w - -", &["a1a2"], ["a2b2 b2a2", "e9e8 e8e9"], 9),
];

#[test]
fn threefold_repetition_ends_the_game() {
    for &(fen, first, shuffles, expected) in SHUFFLES {
        let cycles = shuffles.map(|moves| moves.split(' ').cycle());
        let [mut white, mut black] = cycles;
        let (mut position, mut history) = (read(fen), GameHistory::new());
        for ply in 1..=expected {
            let next = match (first.get(ply - 1), position.side_to_move()) {
                (Some(text), _) => text,
                (None, Color::White) => white.next().expect("a cycle has no end"),
                (None, Color::Black) => black.next().expect("a cycle has no end"),
            };
            history.push(&position);
            position = played(position, next);
            let outcome = (ply == expected).then_some(Draw(Repetition));
            assert_eq!(position.outcome(&history), outcome, "{fen} on ply {ply}: {position}");
        }
        assert_eq!(history.len(), expected);
        history.pop();
        assert!(!history.is_threefold(&position), "{fen}");
    }
}

const OUTCOMES: &[(&str, Option<Outcome>)] = &[
    (START_FEN, None),
    ("4k4/9/9/9/9/9/9/9/R3K4 w - - 99 80", None),
    ("4k4/9/9/9/9/9/9/9/R3K4 w - - 100 80", Some(Draw(HundredPlies))),
    ("4k4/9/9/9/9/9/9/9/R3K4 w - - 101 80", Some(Draw(HundredPlies))),
    ("4k4/9/9/9/9/9/9/9/4K4 w - - 0 80", Some(Draw(InsufficientMaterial))),
    ("4k4/9/9/9/9/9/9/9/3NK4 b - - 0 80", Some(Draw(InsufficientMaterial))),
    ("4k4/9/9/9/9/9/9/9/3BK4 b - - 0 80", None),
    // Mate takes precedence, then stalemate.
    ("9/9/9/9/9/9/9/1Q7/k1K6 b - - 0 80", Some(Checkmate(Color::White))),
    ("9/9/9/9/9/9/9/1Q7/k1K6 b - - 100 80", Some(Checkmate(Color::White))),
    ("9/9/9/9/9/9/9/1q7/K1k6 w - - 150 80", Some(Checkmate(Color::Black))),
    ("9/9/9/9/9/9/9/2Q6/k1K6 b - - 0 80", Some(Draw(Stalemate))),
    ("9/9/9/9/9/9/9/2Q6/k1K6 b - - 100 80", Some(Draw(Stalemate))),
];

#[test]
fn outcomes_have_the_right_precedence() {
    for &(fen, expected) in OUTCOMES {
        assert_eq!(read(fen).outcome(&GameHistory::new()), expected, "{fen}");
    }
}

/// FEN, a move, the clock and the outcome after it.
const CLOCKS: &[(&str, &str, u16, Option<Outcome>)] = &[
    ("4k4/9/9/9/9/9/9/9/R3K4 w - - 98 80", "a1a2", 99, None),
    ("4k4/9/9/9/9/9/9/9/R3K4 w - - 99 80", "a1a2", 100, Some(Draw(HundredPlies))),
    ("4k4/9/9/9/9/9/9/9/R3K4 w Q - 99 80", "e1b1", 100, Some(Draw(HundredPlies))),
    ("4k4/9/9/9/9/9/9/P8/R3K4 w - - 99 80", "a2a3", 0, None),
    ("4k4/9/9/9/9/9/9/P8/R3K4 w - - 99 80", "a2a4", 0, None),
    ("4k4/9/9/9/9/9/9/p8/R3K4 w - - 99 80", "a1a2", 0, None),
    ("4k4/9/9/3Pp4/9/9/9/9/4K4 w - e7 99 80", "d6e7", 0, None),
    ("9/P7k/9/9/9/9/9/9/4K4 w - - 99 80", "a8a9b", 0, None),
    ("9/P7k/9/9/9/9/9/9/4K4 w - - 99 80", "a8a9n", 0, Some(Draw(InsufficientMaterial))),
    ("9/9/9/9/1Q7/9/9/9/k1K6 w - - 99 80", "b5b2", 100, Some(Checkmate(Color::White))),
    ("9/9/9/9/2Q6/9/9/9/k1K6 w - - 99 80", "c5c2", 100, Some(Draw(Stalemate))),
];

#[test]
fn the_clock_counts_reversible_plies() {
    for &(fen, text, clock, outcome) in CLOCKS {
        let position = played(read(fen), text);
        assert_eq!(position.halfmove_clock(), clock, "{fen} {text}");
        assert_eq!(position.is_drawn_by_100_plies(), clock >= 100, "{fen} {text}");
        assert_eq!(position.outcome(&GameHistory::new()), outcome, "{fen} {text}");
    }
}

/// `key_after` is exact for moves that change neither castling rights nor en passant.
#[test]
fn predicted_keys_are_correct() {
    let mut compared = 0;
    for position in (0..WALKS).flat_map(walk) {
        for mv in position.legal_moves() {
            let next = position.after(mv);
            let is_simple = position.castling() == next.castling()
                && position.en_passant().is_none()
                && next.en_passant().is_none();
            if is_simple {
                assert_eq!(position.key_after(mv), Some(next.key()), "{} {mv}", position.fen());
                compared += 1;
            }
        }
    }
    assert!(compared > 100 * WALKS, "only {compared} moves compared");
}

/// A walk played as one game and undone move by move: positions, histories and outcomes are
/// restored, and positions survive a round trip through text.
#[test]
fn undo_restores_every_position() {
    for seed in 0..WALKS / 4 {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut game = Game::default();
        let mut before = Vec::new();
        while before.len() < PLIES_PER_WALK {
            let Some(&mv) = game.position().legal_moves().choose(&mut rng) else { break };
            before.push(game.clone());
            assert_eq!(game.play_text(&mv.to_string()), Ok(mv));
            assert_eq!(game.position().to_string().parse(), Ok(*game.position()));
        }
        assert_eq!(game.moves().len(), before.len());
        while let Some(expected) = before.pop() {
            let mv = game.undo().expect("a move for each position before");
            assert_eq!(game, expected);
            assert_eq!(game.outcome(), expected.outcome());
            assert_eq!(game.position().try_play(mv), Ok(expected.position().after(mv)));
        }
        assert_eq!((game.undo(), &game), (None, &Game::default()));
    }
}

#[test]
fn illegal_moves_leave_the_game_unchanged() {
    let mut game = Game::default();
    let before = game.clone();
    for from in Point::all() {
        for to in Point::all() {
            let mv = Move::new(from, to);
            if !game.position().is_legal(mv) {
                assert_eq!(game.try_play(mv).err(), game.position().why_illegal(mv));
                assert!(game.play_text(&mv.to_string()).is_err(), "{mv}");
                assert_eq!(game, before, "{mv}");
            }
        }
    }
}

#[test]
fn points_pieces_and_sides_survive_a_round_trip() {
    for point in Point::all() {
        assert_eq!(point.to_string().parse(), Ok(point));
    }
    for color in Color::ALL {
        assert_eq!(color.to_string().parse(), Ok(color));
        for kind in PieceKind::ALL {
            let piece = Piece { color, kind };
            assert_eq!(piece.to_string().parse(), Ok(piece));
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
    }
    for text in ["", "e", "j1", "a0", "e10", "e5 ", "\u{e9}5"] {
        assert!(text.parse::<Point>().is_err(), "{text}");
    }
    for text in ["", "x", "qq", "1"] {
        assert!(text.parse::<Piece>().is_err() && text.parse::<PieceKind>().is_err(), "{text}");
    }
    assert!(["", "W", "white"].iter().all(|text| text.parse::<Color>().is_err()));
}
