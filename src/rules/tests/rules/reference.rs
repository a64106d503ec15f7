//! Chess games compared with slow generators written independently from the rules.

use std::collections::HashMap;

use qirkat_game::{
    Color, DrawReason, GameHistory, MoveFilter, Outcome, PackedMove, ReadMove, Rules, Searchable,
    Terminal,
};
use qirkat_rules::chess::{Geometry, Kind, Move, MoveOf, Position, Square, SquareSet};
use qirkat_testing::effort;
use qirkat_testing::reference::RefPosition;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::tables::{fens, read, sorted};

const PLIES_PER_WALK: usize = 120;

/// Compares this many walks, by [`effort`], which must have enough positions on average.
pub fn compare_walks<G: Geometry>(
    walks: [u64; 3],
    positions_per_walk: usize,
    table: &str,
    more: impl Fn(&Position<G>, &RefPosition, &mut StdRng),
) {
    let walks = effort(walks);
    let compared: usize = (0..walks).map(|seed| compare_along_a_walk(seed, table, &more)).sum();
    assert!(compared >= walks as usize * positions_per_walk, "only {compared} positions compared");
}

/// Plays random moves and compares everything, and `more`, in each position; returns their number.
/// Every other walk starts from a position of the table instead of the standard one.
fn compare_along_a_walk<G: Geometry>(
    seed: u64,
    table: &str,
    more: impl Fn(&Position<G>, &RefPosition, &mut StdRng),
) -> usize {
    let mut rng = StdRng::seed_from_u64(seed);
    let special: Vec<&str> = fens(table).collect();
    let special = special.choose(&mut rng).filter(|_| !seed.is_multiple_of(2));
    let start = special.copied().unwrap_or(G::START_FEN);
    let mut position: Position<G> = read(start);
    let mut slow = slow_at(start);
    let mut history = GameHistory::new();
    let mut seen = HashMap::new();
    let mut keys = HashMap::new();
    for ply in 0..PLIES_PER_WALK {
        let moves = position.legal_moves();
        compare(&position, &slow, &moves, &mut rng);
        more(&position, &slow, &mut rng);
        // Equal keys mean equal positions, including the pawn that made the double step.
        let identity = slow.identity();
        assert_eq!(keys.entry(identity).or_insert(position.key()), &position.key());
        let times = seen.entry(identity).and_modify(|times| *times += 1).or_insert(1);
        assert_eq!(history.is_threefold(&position), *times >= 3, "{position}");
        compare_ends(&position, moves.is_empty(), &history);

        // Captures and pawn moves are preferred now and then: otherwise the board never empties and
        // en passant is rare.
        let noisy: Vec<_> = moves.iter().filter(|&&mv| position.is_noisy(mv)).collect();
        let is_pawns = |mv: &&MoveOf<G>| position.kind_on(mv.from) == Some(G::Kind::PAWN);
        let pawns: Vec<_> = moves.iter().filter(is_pawns).collect();
        let chosen = match rng.random_range(0..10) {
            0..2 => noisy.choose(&mut rng).copied(),
            2..5 => pawns.choose(&mut rng).copied(),
            _ => None,
        };
        let Some(&mv) = chosen.or_else(|| moves.choose(&mut rng)) else { return ply + 1 };
        history.push(&position);
        position.make(mv);
        let text = mv.to_string();
        let mut known = slow.legal_moves().into_iter();
        slow = slow.play(known.find(|known| known.to_string() == text).expect("a legal move"));
    }
    PLIES_PER_WALK
}

fn slow_at(fen: &str) -> RefPosition {
    RefPosition::from_fen(fen).expect("the reference reads every valid FEN")
}

fn compare<G: Geometry>(
    position: &Position<G>,
    slow: &RefPosition,
    moves: &[MoveOf<G>],
    rng: &mut StdRng,
) {
    let fen = slow.to_fen();
    assert_eq!(position.fen(), fen);
    assert_eq!(position.in_check(), slow.in_check(), "{fen}");
    assert_eq!(slow_at(&fen).to_fen(), fen);
    let reread: Position<G> = read(&fen);
    if position.en_passant() == reread.en_passant() {
        assert_eq!(&reread, position, "{fen} read back, key included");
    } else {
        // In Masonic chess the field does not identify which of two pawns made the double step.
        let meant = (position.en_passant(), reread.en_passant());
        let (Some(actual), Some(other)) = meant else { panic!("{fen}: {meant:?}") };
        assert!(actual.passed == other.passed && other.pawn < actual.pawn, "{fen}");
        assert_ne!(position.key(), reread.key(), "{fen}");
    }

    assert_eq!(sorted(moves), sorted(slow.legal_moves()), "{fen}");
    assert_eq!(position.count_legal_moves(), moves.len() as u64, "{fen}");
    assert_eq!(position.has_legal_moves(), !moves.is_empty(), "{fen}");
    // The two filters partition the moves.
    for (filter, noisy) in [(MoveFilter::Noisy, true), (MoveFilter::Quiet, false)] {
        let wanted = moves.iter().filter(|&&mv| is_noisy(position, mv) == noisy);
        assert_eq!(sorted(position.moves(filter)), sorted(wanted), "{fen} {filter:?}");
    }
    for &mv in moves {
        assert!(position.is_legal(mv), "{fen} {mv}");
        assert_eq!(position.is_noisy(mv), is_noisy(position, mv), "{fen} {mv}");
        assert_eq!(position.why_illegal(mv), None, "{fen} {mv}");
        assert_eq!(Move::unpack(mv.pack()), Some(mv), "{mv}");
        assert_eq!(position.gives_check(mv), position.after(mv).in_check(), "{fen} {mv}");
    }
    let quiet = moves.choose(rng).copied();
    let captures = moves.iter().copied().filter(|&mv| position.captured(mv).is_some());
    for mv in captures.chain(quiet) {
        compare_exchange(position, mv, rng);
    }
    compare_random_moves(position, moves, rng);
}

/// Whether a legal move captures or promotes: it leaves fewer pieces, or changes a piece's kind.
fn is_noisy<G: Geometry>(position: &Position<G>, mv: MoveOf<G>) -> bool {
    let next = position.after(mv);
    next.occupied().len() < position.occupied().len()
        || next.kind_on(mv.to) != position.kind_on(mv.from)
}

fn compare_ends<G: Geometry>(position: &Position<G>, is_over: bool, history: &GameHistory) {
    let expected = match (is_over, position.in_check()) {
        (true, true) => Some(Outcome::Checkmate(!position.side_to_move())),
        (true, false) => Some(Outcome::Draw(DrawReason::Stalemate)),
        _ if position.is_dead() => Some(Outcome::Draw(DrawReason::InsufficientMaterial)),
        _ if position.halfmove_clock() >= 100 => Some(Outcome::Draw(DrawReason::HundredPlies)),
        _ if history.is_threefold(position) => Some(Outcome::Draw(DrawReason::Repetition)),
        _ => None,
    };
    assert_eq!(position.outcome(history), expected, "{position}");
    let without_moves = if position.in_check() { Terminal::Lost } else { Terminal::Drawn };
    assert_eq!(position.without_moves(), without_moves, "{position}");
}

/// Any number from a hash table unpacks to a legal move exactly if that is listed, and otherwise
/// has a reason; so does any random move of an existing piece.
fn compare_random_moves<G: Geometry>(
    position: &Position<G>,
    moves: &[MoveOf<G>],
    rng: &mut StdRng,
) {
    let from_table = (0..40).filter_map(|_| Move::unpack(PackedMove(rng.random())));
    let mut tried: Vec<MoveOf<G>> = from_table.collect();
    for from in position.of_color(position.side_to_move()) {
        for promotion in [None, Some(G::Kind::PROMOTIONS[0]), Some(G::Kind::KING)] {
            let to = G::Square::from_index(rng.random_range(0..G::Square::COUNT));
            tried.push(Move { from, to: to.expect("a square"), promotion });
        }
    }
    for mv in tried {
        let is_listed = moves.contains(&mv);
        assert_eq!(position.is_legal(mv), is_listed, "{position} {mv}");
        assert_eq!(position.why_illegal(mv).is_none(), is_listed, "{position} {mv}");
    }
}

/// Static exchange evaluation by plain search: every capture on the square with the least valuable
/// piece, or none.
fn compare_exchange<G: Geometry>(position: &Position<G>, mv: MoveOf<G>, rng: &mut StdRng) {
    let worth = exchange(position, mv);
    let margin = rng.random_range(1..300);
    for (least, wins) in
        [(worth, true), (worth + 1, false), (worth - margin, true), (worth + margin, false)]
    {
        assert_eq!(position.see_ge(mv, least), wins, "{position} {mv} {least}");
    }
}

type Board<G> = HashMap<<G as Geometry>::Square, (Color, <G as Geometry>::Kind)>;

fn exchange<G: Geometry>(position: &Position<G>, mv: MoveOf<G>) -> i32 {
    let Some(mover) = position.kind_on(mv.from).filter(|_| !position.is_castling(mv)) else {
        return 0;
    };
    let mut board: Board<G> = position
        .occupied()
        .into_iter()
        .filter_map(|square| Some((square, position.piece_on(square)?)))
        .map(|(square, piece)| (square, (piece.color, piece.kind)))
        .collect();
    let captured = position.captured(mv).map_or(0, |kind| G::PIECE_VALUES[kind.index()]);
    if let Some(target) = position.en_passant().filter(|_| position.is_en_passant(mv)) {
        board.remove(&target.pawn);
    }
    board.remove(&mv.from);
    board.insert(mv.to, (position.side_to_move(), mover));
    captured - best_recapture::<G>(&board, mv.to, !position.side_to_move()).max(0)
}

/// The most that `side` wins by capturing on `square`; a king may not move into an attack.
fn best_recapture<G: Geometry>(board: &Board<G>, square: G::Square, side: Color) -> i32 {
    let Some((kind, from)) = attackers::<G>(board, square, side).into_iter().min() else {
        return 0;
    };
    let mut after = board.clone();
    after.remove(&from);
    let victim = after.insert(square, (side, kind));
    let victim = victim.map_or(0, |(_, kind)| G::PIECE_VALUES[kind.index()]);
    if kind == G::Kind::KING && !attackers::<G>(&after, square, !side).is_empty() {
        return 0;
    }
    victim - best_recapture::<G>(&after, square, !side).max(0)
}

fn attackers<G: Geometry>(
    board: &Board<G>,
    square: G::Square,
    side: Color,
) -> Vec<(G::Kind, G::Square)> {
    let occupied = board.keys().copied().collect();
    let own = board.iter().filter(|(_, (color, _))| *color == side);
    own.map(|(&from, &(_, kind))| (kind, from))
        .filter(|&(kind, from)| match kind == G::Kind::PAWN {
            true => G::pawn_sources(side, square).contains(from),
            false => G::attacks(kind, from, occupied).contains(square),
        })
        .collect()
}
