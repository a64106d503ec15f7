//! Masonic chess: the move generator against fixed counts, a table of special
//! cases, and a slow generator that was written from the rules alone, another
//! way; and what must hold for any position.

mod dead_material;
mod fen;
mod slow;

use std::collections::{HashMap, HashSet};

use qirkat_game::{
    self, GameState, ReadMove, Rules, Searchable as _, Terminal, perft, perft_unbulked,
};
use qirkat_rules::masonic::{
    Cell, Color, DrawReason, GameHistory, MAX_MOVES, Move, MoveFilter, Outcome, PIECE_VALUES,
    PackedMove, PieceKind, Position, START_FEN, piece_attacks,
};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use slow::{End, Position as RefPosition};

use qirkat_testing::effort;

const POSITIONS: &str = include_str!("../../data/masonic_positions.txt");

/// Positions with their perft counts from depth 1.
const COUNTS: &[(&str, &[u64])] =
    &[(START_FEN, &[35, 1_225, 44_260, 1_595_054, 60_348_329]), (CROWDED_QUEENS, &[297])];

/// The most moves known.
const CROWDED_QUEENS: &str = "QQQQQQNk/Q6N/Q5QQ/Q6Q/Q6Q/KQ5Q/Q6Q/QQQQQQQQ w - - 0 1";

fn read(fen: &str) -> Position {
    match Position::from_fen(fen) {
        Ok(parsed) => parsed.position,
        Err(error) => panic!("{fen}: {error}"),
    }
}

fn sorted(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.into_iter().collect();
    texts.sort();
    texts
}

fn texts(moves: &[Move]) -> Vec<String> {
    sorted(moves.iter().map(|mv| mv.to_string()))
}

#[test]
fn perft_counts_are_right() {
    for &(fen, counts) in COUNTS {
        let position = read(fen);
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth), count, "{fen} at depth {depth}");
        }
        assert_eq!(perft_unbulked(&position, 2), perft(&position, 2), "{fen} move by move");
    }
}

/// Each line of the table: FEN; perft from depth 1; the number of moves (`=`), moves
/// that must (`+`) and must not (`-`) be there; what the position is about.
#[test]
fn special_positions_are_right() {
    let mut positions = 0;
    for line in POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [fen, counts @ .., moves, reason] = &fields[..] else {
            panic!("at least three fields expected in: {line}");
        };
        let position = read(fen);
        for (depth, count) in (1..).zip(counts) {
            let counted = perft(&position, depth).to_string();
            assert_eq!(&counted, count, "{fen} at depth {depth}: {reason}");
        }
        let legal = texts(&position.legal_moves());
        for token in moves.split_whitespace() {
            let (wanted, text) = token.split_at(1);
            match wanted {
                "=" => assert_eq!(legal.len().to_string(), text, "{fen}: {reason}"),
                _ => {
                    let is_there = legal.iter().any(|mv| mv == text);
                    assert_eq!(is_there, wanted == "+", "{fen} {token}: {reason}");
                }
            }
        }
        positions += 1;
    }
    assert!(positions >= 92, "only {positions} positions in the table");
}

/// Walks compared with the slow generator, by [`effort`], and the positions that each set
/// of them holds at least.
const WALKS: [u64; 3] = [60, 1_000, 20_000];
const POSITIONS_PER_WALK: usize = 50;
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
    let table: Vec<&str> = POSITIONS.lines().filter(|line| line.contains('/')).collect();
    let start = match (seed % 2, table.choose(&mut rng).and_then(|line| line.split(';').next())) {
        (1, Some(fen)) => fen.trim(),
        _ => START_FEN,
    };
    let mut position = read(start);
    let mut slow = RefPosition::from_fen(start).expect("the reference reads every valid FEN");
    let mut history = GameHistory::new();
    let mut seen = HashMap::new();
    let mut keys = HashMap::new();
    for ply in 0..PLIES_PER_WALK {
        compare(&position, &slow, &mut rng);
        // Equal keys mean equal positions, the pawn of the double step included.
        let identity = slow.identity();
        assert_eq!(keys.entry(identity.clone()).or_insert(position.key()), &position.key());
        let times = seen.entry(identity).and_modify(|times| *times += 1).or_insert(1);
        assert_eq!(history.is_threefold(&position), *times >= 3, "{position}");
        compare_ends(&position, &slow, &history);

        let moves = position.legal_moves();
        // Captures every now and then, or the board never empties, and pawns,
        // or hardly any en passant comes up.
        let noisy: Vec<Move> = moves.iter().copied().filter(|&mv| position.is_noisy(mv)).collect();
        let is_pawns = |mv: &Move| position.kind_on(mv.from) == Some(PieceKind::Pawn);
        let pawns: Vec<Move> = moves.iter().copied().filter(is_pawns).collect();
        let chosen = match rng.random_range(0..10) {
            0..2 => noisy.choose(&mut rng),
            2..5 => pawns.choose(&mut rng),
            _ => None,
        };
        let Some(&mv) = chosen.or_else(|| moves.choose(&mut rng)) else { return ply + 1 };
        history.push(&position);
        position.make(mv);
        slow = slow.play(&mv.to_string()).expect("the reference knows every legal move");
    }
    PLIES_PER_WALK
}

fn compare(position: &Position, slow: &RefPosition, rng: &mut StdRng) {
    let fen = slow.to_fen();
    assert_eq!(position.fen(), fen);
    assert_eq!(position.in_check(), slow.in_check(), "{fen}");
    let reread = read(&fen);
    assert_eq!(RefPosition::from_fen(&fen).as_ref().map(RefPosition::to_fen), Ok(fen.clone()));
    if position.en_passant() == reread.en_passant() {
        assert_eq!(&reread, position, "{fen} read back, key included");
    } else {
        // The field does not say which of two pawns made the double step.
        let meant = (position.en_passant(), reread.en_passant());
        let (Some(actual), Some(other)) = meant else { panic!("{fen}: {meant:?}") };
        assert!(actual.passed == other.passed && other.pawn < actual.pawn, "{fen}");
        assert_ne!(position.key(), reread.key(), "{fen}");
    }

    let moves = position.legal_moves();
    assert_eq!(texts(&moves), sorted(slow.legal_moves()), "{fen}");
    assert_eq!(position.count_legal_moves(), moves.len() as u64, "{fen}");
    assert_eq!(position.has_legal_moves(), !moves.is_empty(), "{fen}");
    // The two halves of the filter part the moves by what they do.
    for (filter, noisy) in [(MoveFilter::Noisy, true), (MoveFilter::Quiet, false)] {
        let wanted = moves.iter().filter(|&&mv| is_noisy(position, mv) == noisy);
        let wanted = sorted(wanted.map(|mv| mv.to_string()));
        assert_eq!(texts(&position.moves(filter)), wanted, "{fen} {filter:?}");
    }
    for &mv in &moves {
        assert!(position.is_legal(mv), "{fen} {mv}");
        assert_eq!(position.is_noisy(mv), is_noisy(position, mv), "{fen} {mv}");
        assert_eq!(position.why_illegal(mv), None, "{fen} {mv}");
        assert_eq!(Move::unpack(mv.pack()), Some(mv), "{mv}");
        assert_eq!(position.gives_check(mv), position.after(mv).in_check(), "{fen} {mv}");
    }
    let quiet = moves.choose(rng).copied();
    let captures = moves.iter().copied().filter(|&mv| position.captured(mv).is_some());
    for mv in captures.chain(quiet).collect::<Vec<_>>() {
        compare_exchange(position, mv, rng);
    }
    compare_random_moves(position, &moves, rng);
}

/// Whether a legal move captures or promotes: fewer pieces stand after it, or
/// a piece of another kind.
fn is_noisy(position: &Position, mv: Move) -> bool {
    let next = position.after(mv);
    next.occupied().len() < position.occupied().len()
        || next.kind_on(mv.to) != position.kind_on(mv.from)
}

fn compare_ends(position: &Position, slow: &RefPosition, history: &GameHistory) {
    let bare_kings = position.occupied().len() == 2;
    let expected = match slow.end() {
        Some(End::Mate) => Some(Outcome::Checkmate(!position.side_to_move())),
        Some(End::Stalemate) => Some(Outcome::Draw(DrawReason::Stalemate)),
        _ if bare_kings => Some(Outcome::Draw(DrawReason::InsufficientMaterial)),
        Some(End::HundredPlies) => Some(Outcome::Draw(DrawReason::HundredPlies)),
        None if history.is_threefold(position) => Some(Outcome::Draw(DrawReason::Repetition)),
        None => None,
    };
    assert_eq!(position.outcome(history), expected, "{position}");
    let without_moves = if position.in_check() { Terminal::Lost } else { Terminal::Drawn };
    assert_eq!(position.without_moves(), without_moves, "{position}");
}

/// Any number a hash table may hold is legal just when it is listed, and has a
/// reason against it otherwise.
fn compare_random_moves(position: &Position, moves: &[Move], rng: &mut StdRng) {
    let from_table = (0..40).filter_map(|_| Move::unpack(PackedMove(rng.random())));
    let mut tried: Vec<Move> = from_table.collect();
    for from in position.of_color(position.side_to_move()) {
        for promotion in [None, Some(PieceKind::Queen), Some(PieceKind::King)] {
            let to = Cell::from_index(rng.random_range(0..Cell::COUNT)).expect("a cell");
            tried.push(Move { from, to, promotion });
        }
    }
    for mv in tried {
        let is_listed = moves.contains(&mv);
        assert_eq!(position.is_legal(mv), is_listed, "{position} {mv}");
        assert_eq!(position.why_illegal(mv).is_none(), is_listed, "{position} {mv}");
    }
}

/// Exchanges by plain search: every capture on the cell with the cheapest
/// piece, or none.
fn compare_exchange(position: &Position, mv: Move, rng: &mut StdRng) {
    let worth = exchange(position, mv);
    let margin = rng.random_range(1..300);
    for (least, wins) in
        [(worth, true), (worth + 1, false), (worth - margin, true), (worth + margin, false)]
    {
        assert_eq!(position.see_ge(mv, least), wins, "{position} {mv} {least}");
    }
}

fn exchange(position: &Position, mv: Move) -> i32 {
    let value = |kind: PieceKind| PIECE_VALUES[kind.index()];
    let Some(mover) = position.kind_on(mv.from).filter(|_| !position.is_castling(mv)) else {
        return 0;
    };
    let mut board: HashMap<Cell, (Color, PieceKind)> = position
        .occupied()
        .into_iter()
        .filter_map(|cell| Some((cell, position.piece_on(cell)?)))
        .map(|(cell, piece)| (cell, (piece.color, piece.kind)))
        .collect();
    let captured = position.captured(mv).map_or(0, value);
    if let Some(target) = position.en_passant().filter(|_| position.is_en_passant(mv)) {
        board.remove(&target.pawn);
    }
    board.remove(&mv.from);
    board.insert(mv.to, (position.side_to_move(), mover));
    captured - best_recapture(&board, mv.to, !position.side_to_move()).max(0)
}

/// The most that `side` wins by capturing on `cell`; a king does not step into
/// an attack.
fn best_recapture(board: &HashMap<Cell, (Color, PieceKind)>, cell: Cell, side: Color) -> i32 {
    let attackers = |side| attackers(board, cell, side);
    let Some((kind, from)) = attackers(side).into_iter().min() else { return 0 };
    let mut after = board.clone();
    after.remove(&from);
    let victim = after.insert(cell, (side, kind)).map_or(0, |(_, kind)| PIECE_VALUES[kind.index()]);
    if kind == PieceKind::King && !self::attackers(&after, cell, !side).is_empty() {
        return 0;
    }
    victim - best_recapture(&after, cell, !side).max(0)
}

fn attackers(
    board: &HashMap<Cell, (Color, PieceKind)>,
    cell: Cell,
    side: Color,
) -> Vec<(PieceKind, Cell)> {
    let occupied = board.keys().copied().collect();
    let ahead = if side == Color::White { 1 } else { -1 };
    let attacks = |kind, from: Cell| match kind {
        PieceKind::Pawn => [-3, 3].into_iter().any(|x| from.offset(x, ahead) == Some(cell)),
        _ => piece_attacks(kind, from, occupied).contains(cell),
    };
    let own = board.iter().filter(|(_, (color, _))| *color == side);
    own.map(|(&from, &(_, kind))| (kind, from))
        .filter(|&(kind, from)| attacks(kind, from))
        .collect()
}

/// Positions of random games and special ones.
fn positions() -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(64);
    let fens = POSITIONS.lines().filter_map(|line| line.split(';').next());
    let mut positions: Vec<Position> = fens.filter(|fen| fen.contains('/')).map(read).collect();
    for _ in 0..60 {
        let mut position = Position::start();
        for _ in 0..100 {
            let Some(&mv) = position.legal_moves().choose(&mut rng) else { break };
            position.make(mv);
            positions.push(position);
        }
    }
    positions
}

#[test]
fn half_a_turn_with_colors_exchanged_changes_nothing_but_castling() {
    let mut en_passant = 0;
    for position in positions() {
        let turned = position.flipped();
        assert_eq!(read(&turned.fen()).fen(), turned.fen());
        let there_and_back = turned.flipped();
        assert_eq!(turned.in_check(), position.in_check(), "{position}");
        assert_eq!(perft(&there_and_back, 2), perft(&turned, 2), "{position}");
        if position.castling().is_empty() {
            assert_eq!(there_and_back, position);
        }
        assert_eq!(position.castling_lost_by_flipping(), position.castling());
        en_passant += usize::from(turned.en_passant().is_some());
    }
    assert!(en_passant > 20, "only {en_passant} positions with en passant");
}

#[test]
fn algebraic_notation_is_read_back() {
    for position in positions() {
        let moves = position.legal_moves();
        let sans: HashSet<String> = moves.iter().map(|&mv| position.san(mv)).collect();
        assert_eq!(sans.len(), moves.len(), "two moves look alike in {position}");
        for &mv in &moves {
            let san = position.san(mv);
            assert_eq!(position.parse_san(&san), Ok(mv), "{san} in {position}");
            assert_eq!(position.read_move(&mv.to_string()), Ok(mv), "{mv} in {position}");
        }
    }
}

#[test]
fn algebraic_notation_follows_the_orthodox_conventions() {
    for (fen, mv, san) in [
        (START_FEN, "e2f4", "ef4"),
        (START_FEN, "h2h3", "hh3"),
        (START_FEN, "a2b4", "ab4"),
        (START_FEN, "g1f3", "Nf3"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2f4", "f4"),
        ("4k3/8/8/8/8/3p2p1/4P3/4K3 w - - 0 1", "e2g3", "exg3"),
        ("4k3/8/8/8/3pPP2/8/8/4K3 b - f3 0 1", "d4f3", "dxf3"),
        ("4k3/8/8/8/4pP2/8/8/4K3 b - - 0 1", "e4f3", "f3"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
        ("1k6/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O+"),
        ("6k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O+"),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"),
        ("7k/8/8/8/8/8/8/N3K1N1 w - - 0 1", "a1c2", "Nc2"),
        ("7k/8/8/2N5/8/2N5/8/4K3 w - - 0 1", "c3e4", "N3e4"),
        ("7k/8/8/2N5/8/2N4N/8/4K3 w - - 0 1", "c3e4", "Nc3e4"),
    ] {
        let position = read(fen);
        let mv = position.read_move(mv).unwrap_or_else(|error| panic!("{fen} {mv}: {error}"));
        assert_eq!(position.san(mv), san, "{fen}");
    }
    for (text, error) in [
        ("f4", "`f4` could mean several moves"),
        (
            "f5",
            "a pawn steps forward to either of the two cells that touch it, and captures diagonally",
        ),
        ("Af4", "`Af4` is not a move in algebraic notation"),
        ("", "`` is not a move in algebraic notation"),
        ("O-O", "castling needs empty cells between king and rook, and f1 is taken"),
        ("e2e4", "a pawn goes two steps only from where it started, on one cant over empty cells"),
    ] {
        let found = Position::start().read_move(text).map_err(|error| error.to_string());
        assert_eq!(found, Err(error.to_owned()));
    }
}

#[test]
fn the_pawn_of_the_double_step_is_part_of_the_position() {
    // White's e2-f4 and f2-e4 both pass f3, and both pawns end side by side.
    let before = [
        ("4k3/8/8/8/3pP3/8/4P3/4K3 w - - 0 1", "e2f4", "f4"),
        ("4k3/8/8/8/3p1P2/8/5P2/4K3 w - - 0 1", "f2e4", "e4"),
    ];
    let after = before.map(|(fen, mv, pawn)| {
        let position = read(fen);
        let next = position.after(position.read_move(mv).expect("a legal move"));
        let target = next.en_passant().expect("a capture is legal");
        assert_eq!(
            (target.passed.to_string(), target.pawn.to_string()),
            ("f3".into(), pawn.into())
        );
        next
    });
    assert_eq!(after[0].fen(), after[1].fen());
    assert_ne!(after[0].key(), after[1].key());
    assert_eq!(read(&after[0].fen()).en_passant(), after[1].en_passant());
    let taken = after.map(|position| {
        let mv = position.read_move("d4f3").expect("en passant is legal");
        position.after(mv).fen()
    });
    assert_eq!(taken[0], "4k3/8/8/8/4P3/5p2/8/4K3 w - - 0 2");
    assert_eq!(taken[1], "4k3/8/8/8/5P2/5p2/8/4K3 w - - 0 2");
}

#[test]
fn hundreds_of_moves_overflow_nothing() {
    let position = read(CROWDED_QUEENS);
    let moves = position.legal_moves();
    assert!(moves.len() > usize::from(u8::MAX) && moves.len() < MAX_MOVES);
    assert_eq!(position.count_legal_moves(), moves.len() as u64);
    assert_eq!(moves.iter().collect::<HashSet<_>>().len(), moves.len());
    assert!(moves.iter().all(|&mv| position.is_legal(mv)));
    // Boards that no game can reach are read too.
    let full = format!("{}/K6k", ["QQQQQQQQ"; 7].join("/"));
    let crowded = format!("{full} w - - 0 1").replacen("Q", "1", 3);
    assert!(Position::from_fen(&crowded).is_err(), "the side that waits is in check");
}

#[test]
fn the_third_time_draws_and_mate_comes_before() {
    let mut state = GameState::<Position>::default();
    for round in 0..2 {
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            assert_eq!(state.outcome(), None, "round {round} before {text}");
            let mv = state.position().read_move(text).expect("a legal move");
            state.play(mv);
        }
    }
    assert_eq!(state.outcome(), Some(Outcome::Draw(DrawReason::Repetition)));

    for (fen, outcome) in [
        ("k7/1Q6/2K5/8/8/8/8/8 b - - 100 80", Some(Outcome::Checkmate(Color::White))),
        ("k7/8/1KR5/8/8/8/8/8 b - - 100 80", Some(Outcome::Draw(DrawReason::Stalemate))),
        ("k7/8/2KR4/8/8/8/8/8 b - - 100 80", Some(Outcome::Draw(DrawReason::HundredPlies))),
        ("k7/8/2KR4/8/8/8/8/8 b - - 99 80", None),
        ("k7/8/2K5/8/8/8/8/8 b - - 0 80", Some(Outcome::Draw(DrawReason::InsufficientMaterial))),
        ("k7/8/2KN4/8/8/8/8/8 b - - 0 80", None),
    ] {
        assert_eq!(read(fen).outcome(&GameHistory::new()), outcome, "{fen}");
    }
}

#[test]
fn passing_is_for_who_has_pieces() {
    for (fen, may_pass) in [
        (START_FEN, true),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1", true),
    ] {
        let position = read(fen);
        let passed = qirkat_game::Searchable::null_move(&position);
        assert_eq!(passed.is_some(), may_pass, "{fen}");
        if let Some(passed) = passed {
            assert_eq!(read(&passed.fen()), passed);
            assert_ne!(passed.side_to_move(), position.side_to_move());
        }
    }
}

#[test]
fn reasons_fit() {
    for (fen, text, reason) in [
        (START_FEN, "e5e6", "no piece stands on e5"),
        (START_FEN, "e7e6", "it is White's turn, and the pawn on e7 is Black's"),
        (START_FEN, "a1a2", "your own pawn stands on a2"),
        (
            START_FEN,
            "c1c3",
            "a bishop moves diagonally any distance, or one step along its rank or a cant",
        ),
        (START_FEN, "a1c5", "the way is blocked on a2"),
        (
            START_FEN,
            "e2e5",
            "a pawn steps forward to either of the two cells that touch it, and captures diagonally",
        ),
        (
            START_FEN,
            "e2e4",
            "a pawn goes two steps only from where it started, on one cant over empty cells",
        ),
        (START_FEN, "e2g3", "a pawn moves diagonally only to capture, and nothing stands on g3"),
        (START_FEN, "e1g1", "castling needs empty cells between king and rook, and f1 is taken"),
        (
            START_FEN,
            "g1g3",
            "a knight leaps one step along a rank or cant, then one diagonally outward",
        ),
        (START_FEN, "f2f3q", "only a pawn that reaches the last rank is promoted"),
        (
            "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1",
            "e2e3",
            "a pawn captures diagonally only, and e3 is taken",
        ),
        (
            "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1",
            "e2d4",
            "a pawn goes two steps only from where it started, on one cant over empty cells",
        ),
        (
            "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1",
            "e3f5",
            "a pawn goes two steps only from where it started, on one cant over empty cells",
        ),
        (
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "a7a8",
            "a pawn on the last rank becomes a queen, rook, bishop or knight: add q, r, b or n",
        ),
        (
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "a7a8k",
            "a pawn on the last rank becomes a queen, rook, bishop or knight: add q, r, b or n",
        ),
        ("4k3/8/8/8/8/6r1/8/4K3 w - - 0 1", "e1f1", "the king would be in check on f1"),
        (
            "4k2r/8/8/8/8/5N2/8/4K3 w - - 0 1",
            "f3h3",
            "a knight leaps one step along a rank or cant, then one diagonally outward",
        ),
        ("4k2r/8/8/8/8/5N2/8/4K3 w - - 0 1", "f3c4", "it would leave the king in check"),
        ("4k2r/8/8/8/8/8/8/N3K3 w - - 0 1", "a1c2", "the king is in check, and this does not help"),
        (
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            "e1g1",
            "the king or that rook has moved, so castling is over",
        ),
        ("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "castling leads over f1, which is attacked"),
        ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "e1c1", "a king in check cannot castle"),
    ] {
        let position = read(fen);
        let found = position.read_move(text).map_err(|error| error.to_string());
        assert_eq!(found, Err(reason.to_owned()), "{fen} {text}");
    }
}

#[test]
fn every_move_is_legal_or_has_a_reason() {
    for position in positions().into_iter().step_by(50) {
        for from in Cell::all() {
            for to in Cell::all() {
                for promotion in [None, Some(PieceKind::Queen), Some(PieceKind::Pawn)] {
                    let mv = Move { from, to, promotion };
                    let is_legal = position.is_legal(mv);
                    assert_eq!(position.why_illegal(mv).is_none(), is_legal, "{position} {mv}");
                }
            }
        }
    }
}
