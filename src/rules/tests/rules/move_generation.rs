//! The move generator against fixed counts, a table of special cases, and a
//! slow generator that was written from the rules alone, another way.

use qirkat_game::{Rules, Searchable, perft, perft_unbulked};
use qirkat_rules::chesquerque::{
    Bitboard, GameHistory, Move, MoveFilter, PIECE_VALUES, PackedMove, PieceKind, Point, Position,
    START_FEN,
};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use qirkat_testing::effort;
use qirkat_testing::reference::RefPosition;

/// Positions with their perft counts from depth 1.
const COUNTS: &[(&str, &[u64])] = &[
    (START_FEN, &[18, 324, 6_746, 140_011, 3_331_202, 78_754_786]),
    (
        "r3k3r/pp2b1ppp/2n1q1a2/2pp1p3/4P1N2/2PB1P3/1P1Q1AP1P/P2N5/R3K3R w KQkq - 0 1",
        &[44, 2_098, 93_662, 4_428_990, 201_495_053],
    ),
    (
        "4k4/1P5P1/2n3r2/3b1a3/4q4/2R1Q4/1N1B1A3/1p5p1/4K4 w - - 0 1",
        &[46, 2_607, 113_073, 6_448_277, 288_734_061],
    ),
    // Two checks that one interposition parries.
    ("1n7/b1b3r2/3k1p1p1/p2Ppr3/1pP1PnP1p/B7P/P5P2/2Q3BA1/1N3KR2 b - - 0 1", &[33, 893]),
];

#[test]
fn perft_counts_are_right() {
    for &(fen, counts) in COUNTS {
        let position = read(fen);
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth), count, "{fen} at depth {depth}");
        }
        assert_eq!(perft_unbulked(&position, 2), counts[1], "{fen} move by move");
    }
}

/// Each line of the table: FEN; perft 1, 2, 3; moves that must (`+`) and must
/// not (`-`) be there; what the position is about.
#[test]
fn special_positions_are_right() {
    let table = include_str!("../data/special_positions.txt");
    let mut positions = 0;
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [fen, one, two, three, moves, reason] = fields[..] else {
            panic!("six fields expected in: {line}");
        };
        let position = read(fen);
        for (depth, count) in [(1, one), (2, two), (3, three)] {
            let counted = perft(&position, depth).to_string();
            assert_eq!(counted, count, "{fen} at depth {depth}: {reason}");
        }
        let legal: Vec<String> = position.legal_moves().iter().map(|mv| mv.to_string()).collect();
        for token in moves.split_whitespace() {
            let (wanted, text) = token.split_at(1);
            assert_eq!(legal.iter().any(|mv| mv == text), wanted == "+", "{fen} {token}: {reason}");
        }
        positions += 1;
    }
    assert!(positions >= 200, "only {positions} positions in the table");
}

/// Walks compared with the slow generator, by [`effort`], and the positions that each set
/// of them holds at least.
const WALKS: [u64; 3] = [140, 1_400, 50_000];
const POSITIONS_PER_WALK: usize = 70;
const PLIES_PER_WALK: usize = 120;

#[test]
fn random_walks_agree_with_the_reference() {
    let walks = effort(WALKS);
    let compared: usize = (0..walks).map(compare_along_a_walk).sum();
    assert!(compared >= walks as usize * POSITIONS_PER_WALK, "only {compared} positions compared");
}

/// Plays random moves and compares everything in each position on the way.
/// Every other walk starts from a special position instead of the usual one.
fn compare_along_a_walk(seed: u64) -> usize {
    let mut rng = StdRng::seed_from_u64(seed);
    let table: Vec<&str> = include_str!("../data/special_positions.txt").lines().collect();
    let start = match (seed % 2, table.choose(&mut rng).and_then(|line| line.split(';').next())) {
        (1, Some(fen)) if fen.contains('/') => fen.trim(),
        _ => START_FEN,
    };
    let mut position = read(start);
    let mut slow = RefPosition::from_fen(start).expect("the reference reads every valid FEN");
    let mut history = GameHistory::new();
    for ply in 0..PLIES_PER_WALK {
        compare(&position, &slow, &mut rng);
        let slow_moves = slow.legal_moves();
        // Captures every now and then, or the board never empties.
        let captures: Vec<_> = slow_moves.iter().filter(|&&mv| slow.is_capture(mv)).collect();
        let chosen = match captures.choose(&mut rng) {
            Some(&&capture) if rng.random_bool(0.3) => Some(capture),
            _ => slow_moves.choose(&mut rng).copied(),
        };
        let Some(chosen) = chosen else { return ply + 1 };
        let mv = Move::parse(&chosen.to_string()).expect("move text is read back");
        history.push(&position);
        position.make(mv);
        slow = slow.play(chosen);
    }
    PLIES_PER_WALK
}

/// Attackers of the king's point and of another, checks, and in some positions
/// pins, which take the slow generator long.
fn compare_attacks(position: &Position, slow: &RefPosition, rng: &mut StdRng) {
    let indices = |set: Bitboard| set.into_iter().map(Point::index).collect::<Vec<_>>();
    let king = position.king(position.side_to_move());
    let any = Point::from_index(rng.random_range(0..Point::COUNT)).expect("there are 81");
    for point in [king, any] {
        let expected = slow.attackers(point.index());
        assert_eq!(indices(position.attackers(point)), expected, "{point} in {position}");
    }
    assert_eq!(indices(position.checkers()), slow.checkers(), "{position}");
    if rng.random_bool(0.1) {
        assert_eq!(indices(position.pinned()), slow.pinned(), "{position}");
    }
}

fn compare(position: &Position, slow: &RefPosition, rng: &mut StdRng) {
    let fen = slow.to_fen();
    assert_eq!(position.fen(), fen);
    let reread = read(&fen);
    assert_eq!(&reread, position, "{fen} read back, key included");
    assert_eq!(position.in_check(), slow.in_check(), "{fen}");
    compare_attacks(position, slow, rng);

    let slow_moves = slow.legal_moves();
    let moves = position.legal_moves();
    let texts = |moves: &[Move]| sorted(moves.iter().map(|mv| mv.to_string()));
    let expected = sorted(slow_moves.iter().map(|mv| mv.to_string()));
    assert_eq!(texts(&moves), expected, "{fen}");
    assert_eq!(position.count_legal_moves(), expected.len() as u64, "{fen}");

    // The two halves of the filter part the moves by what they do.
    let noisy = slow_moves
        .iter()
        .filter(|&&mv| slow.is_capture(mv) || mv.promotion.is_some())
        .map(|mv| mv.to_string());
    assert_eq!(texts(&position.moves(MoveFilter::Noisy)), sorted(noisy), "{fen}");
    let quiet = slow_moves
        .iter()
        .filter(|&&mv| !slow.is_capture(mv) && mv.promotion.is_none())
        .map(|mv| mv.to_string());
    assert_eq!(texts(&position.moves(MoveFilter::Quiet)), sorted(quiet), "{fen}");

    for &slow_move in &slow_moves {
        let mv = Move::parse(&slow_move.to_string()).expect("move text is read back");
        assert!(position.is_legal(mv), "{fen} {mv}");
        assert_eq!(Move::unpack(mv.pack()), Some(mv), "{mv}");
        assert_eq!(position.gives_check(mv), slow.play(slow_move).in_check(), "{fen} {mv}");
    }
    compare_exchanges(position, slow, rng);

    // Any number a hash table may hold is legal just when it is listed.
    for _ in 0..40 {
        if let Some(mv) = Move::unpack(PackedMove(rng.random())) {
            assert_eq!(position.is_legal(mv), moves.contains(&mv), "{fen} {mv}");
        }
    }
    // The same with random targets for pieces that are there.
    for point in position.of_color(position.side_to_move()) {
        for promotion in [None, Some(PieceKind::Queen)] {
            if let Some(to) = Point::from_index(rng.random_range(0..81)) {
                let mv = Move { from: point, to, promotion };
                assert_eq!(position.is_legal(mv), moves.contains(&mv), "{fen} {mv}");
            }
        }
    }
}

fn compare_exchanges(position: &Position, slow: &RefPosition, rng: &mut StdRng) {
    let value =
        |letter| PieceKind::from_letter(letter).map_or(0, |kind| PIECE_VALUES[kind.index()]);
    let slow_moves = slow.legal_moves();
    let quiet = slow_moves.choose(rng).copied();
    let captures = slow_moves.iter().copied().filter(|&mv| slow.is_capture(mv));
    for slow_move in captures.chain(quiet) {
        let mv = Move::parse(&slow_move.to_string()).expect("move text is read back");
        let worth = slow.exchange(slow_move, &value);
        let margin = rng.random_range(1..300);
        for (least, wins) in
            [(worth, true), (worth + 1, false), (worth - margin, true), (worth + margin, false)]
        {
            let found = position.see_ge(mv, least);
            assert_eq!(found, wins, "{} {mv} {least}", position.fen());
        }
    }
}

#[test]
fn san_is_read_back_along_random_games() {
    let mut rng = StdRng::seed_from_u64(81);
    for _ in 0..60 {
        let mut position = Position::start();
        for _ in 0..150 {
            let moves = position.legal_moves();
            let Some(&mv) = moves.choose(&mut rng) else { break };
            let sans = sorted(moves.iter().map(|&mv| position.san(mv)));
            for pair in sans.windows(2) {
                assert_ne!(pair[0], pair[1], "two moves look alike in {}", position.fen());
            }
            for &mv in &moves {
                let san = position.san(mv);
                assert_eq!(position.parse_san(&san), Ok(mv), "{san} in {}", position.fen());
            }
            position.make(mv);
        }
    }
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
}

fn read(fen: &str) -> Position {
    match Position::from_fen(fen) {
        Ok(parsed) => parsed.position,
        Err(error) => panic!("{fen}: {error}"),
    }
}
