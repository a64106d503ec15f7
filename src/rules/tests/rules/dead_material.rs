//! Which small sets of pieces can never mate, by trying every position, and that all others can.
//! `Position::is_dead` must agree exactly.
//!
//! Five or more pieces can mate too: of three pieces besides the kings one can be captured so that
//! the other two are not just a knight on each side, and every other set of four pieces can mate.

use PieceKind::*;
use qirkat_game::Rules;
use qirkat_rules::chesquerque::{
    Color, GameHistory, Move, Outcome, Piece, PieceKind, Point, Position,
};

use qirkat_testing::effort;

/// The kinds besides the king, weakest first.
const KINDS: [PieceKind; 6] = [Pawn, Knight, Bishop, Rook, Archbishop, Queen];

/// Ordered pairs of points for two kings that are not joined by a line: 208
/// lines join neighbours, 144 along files and ranks and 64 diagonal.
const KINGS_APART: usize = 81 * 80 - 2 * 208;

/// Plies played to reach each mate, to prove that it is reachable.
const PLIES_BEFORE_MATE: usize = 4;

#[test]
fn bare_kings_never_mate() {
    for side in Color::ALL {
        let all = placements(&KINGS).filter_map(|pieces| position(&pieces, side));
        assert_eq!(all.map(assert_dead).count(), KINGS_APART, "{side:?} to move");
    }
}

#[test]
fn a_lone_knight_never_mates() {
    let owners: &[Color] = effort([&[Color::White], &Color::ALL, &Color::ALL]);
    for &owner in owners {
        let pieces = [KINGS[0], KINGS[1], piece(owner, Knight)];
        let all = |side| {
            placements(&pieces).filter_map(move |pieces| position(&pieces, side)).map(assert_dead)
        };
        let (mut enemy_to_move, mut checks) = (0, 0);
        for position in all(!owner) {
            enemy_to_move += 1;
            checks += usize::from(position.in_check());
        }
        assert_eq!(enemy_to_move, KINGS_APART * 79);
        // When the knight checks, its owner cannot be the side to move.
        assert!(checks > 0);
        assert_eq!(all(owner).count(), enemy_to_move - checks);
    }
}

/// A mate is a check by the knight, so only checks are tried. Captures lead to the sets above, so
/// no side can ever mate.
#[test]
fn a_knight_on_either_side_never_mates() {
    let maters: &[Color] = effort([&[Color::White], &Color::ALL, &Color::ALL]);
    for &mater in maters {
        let mut tried = 0;
        let checks = checks(piece(mater, Knight), Some(piece(!mater, Knight)));
        for checked in checks.step_by(effort([10, 1, 1])) {
            assert_dead(checked);
            tried += 1;
        }
        assert!(tried > 0);
    }
}

/// The pieces besides the kings.
#[derive(Clone, Copy, Debug)]
enum SmallSet {
    One(PieceKind),
    Allies(PieceKind, PieceKind),
    Rivals(PieceKind, PieceKind),
}

#[test]
fn every_other_small_set_can_mate() {
    let up_to = |one| KINDS.into_iter().filter(move |&other| other <= one);
    let pairs = || KINDS.into_iter().flat_map(|one| up_to(one).map(move |other| (one, other)));
    let singles = KINDS.into_iter().filter(|&kind| kind != Knight).map(SmallSet::One);
    let allies = pairs().map(|(one, other)| SmallSet::Allies(one, other));
    let rivals = pairs().filter(|&pair| pair != (Knight, Knight));
    let rivals = rivals.map(|(one, other)| SmallSet::Rivals(one, other));
    let sets: Vec<SmallSet> = singles.chain(allies).chain(rivals).collect();
    assert_eq!(sets.len(), 5 + 21 + 20);
    sets.into_iter().for_each(assert_can_mate);
}

#[test]
fn more_knights_can_mate() {
    for fen in [
        "8n/9/9/9/9/9/2N6/2N6/k1K6 b - - 0 1",
        "7nn/9/9/9/9/9/2N6/2N6/k1K6 b - - 0 1",
        "9/9/9/9/9/8N/2N6/2N6/k1K6 b - - 0 1",
    ] {
        let position = Position::from_fen(fen).expect(fen).position;
        let mated = Some(Outcome::Checkmate(Color::White));
        assert_eq!(position.outcome(&GameHistory::new()), mated, "{fen}");
        assert!(!position.is_dead(), "{fen}");
    }
}

/// Finds a mate that can arise with these pieces, and plays it.
fn assert_can_mate(set: SmallSet) {
    let line = mates(set).find_map(|mate| {
        let mut moves = Vec::new();
        let start = take_back(&mate, PLIES_BEFORE_MATE, needs_promotion(set), &mut moves)?;
        Some((start, moves))
    });
    let Some((mut position, moves)) = line else { panic!("{set:?} has no mate") };
    assert_eq!(moves.len(), PLIES_BEFORE_MATE, "{set:?}");
    for mv in moves {
        assert!(!position.is_dead(), "{set:?}: {position}");
        assert_eq!(position.outcome(&GameHistory::new()), None, "{set:?}: {position}");
        assert!(position.is_legal(mv), "{set:?}: {mv} in {position}");
        position.make(mv);
    }
    assert!(!position.is_dead(), "{set:?}: {position}");
    let mated = Outcome::Checkmate(!position.side_to_move());
    assert_eq!(position.outcome(&GameHistory::new()), Some(mated), "{set:?}: {position}");
}

/// Pawns alone cannot mate (against a pawn there are two mates, but only a capture leads there), so
/// one of them promotes to a queen on the last ply.
fn needs_promotion(set: SmallSet) -> bool {
    matches!(set, SmallSet::One(Pawn) | SmallSet::Allies(Pawn, Pawn) | SmallSet::Rivals(Pawn, Pawn))
}

/// Positions in which White mates with a set, the stronger piece giving check.
fn mates(set: SmallSet) -> impl Iterator<Item = Position> {
    let checking = |kind| piece(Color::White, if needs_promotion(set) { Queen } else { kind });
    let checks = match set {
        SmallSet::One(kind) => checks(checking(kind), None),
        SmallSet::Allies(one, other) => checks(checking(one), Some(piece(Color::White, other))),
        SmallSet::Rivals(one, other) => checks(checking(one), Some(piece(Color::Black, other))),
    };
    checks.filter(|position| !position.has_legal_moves())
}

/// Every position of the kings, a checking piece and perhaps one more, which is placed last: it may
/// block a check, but never opens one.
fn checks(checker: Piece, other: Option<Piece>) -> Box<dyn Iterator<Item = Position>> {
    let side = !checker.color;
    let checks = placements(&[KINGS[0], KINGS[1], checker])
        .filter(move |pieces| position(pieces, side).is_some_and(|position| position.in_check()));
    let Some(other) = other else {
        return Box::new(checks.filter_map(move |pieces| position(&pieces, side)));
    };
    let fourth = move |pieces: Vec<(Piece, Point)>| {
        Point::all().rev().filter_map(move |point| {
            let pieces = [pieces[0], pieces[1], pieces[2], (other, point)];
            position(&pieces, side).filter(Position::in_check)
        })
    };
    Box::new(checks.flat_map(fourth))
}

/// Takes back `plies` plies without captures. The moves that lead forward again are added to
/// `moves`.
fn take_back(
    position: &Position,
    plies: usize,
    by_promotion: bool,
    moves: &mut Vec<Move>,
) -> Option<Position> {
    if plies == 0 {
        return Some(*position);
    }
    predecessors(position, by_promotion).find_map(|(earlier, mv)| {
        let start = take_back(&earlier, plies - 1, false, moves)?;
        moves.push(mv);
        Some(start)
    })
}

/// Positions one ply earlier, and the moves made there.
fn predecessors(
    after: &Position,
    by_promotion: bool,
) -> impl Iterator<Item = (Position, Move)> + use<> {
    let after = *after;
    let mover = !after.side_to_move();
    let last_moves = after.of_color(mover).into_iter().flat_map(move |to| {
        let kind = after.kind_on(to).filter(|_| by_promotion);
        Point::all().map(move |from| Move { from, to, promotion: kind })
    });
    last_moves.filter_map(move |mv| {
        let pieces: Vec<(Piece, Point)> = after
            .occupied()
            .into_iter()
            .filter_map(|point| Some((after.piece_on(point)?, point)))
            .map(|(standing, point)| match mv.promotion {
                _ if point != mv.to => (standing, point),
                None => (standing, mv.from),
                Some(_) => (piece(mover, Pawn), mv.from),
            })
            .collect();
        let before = position(&pieces, mover)?;
        (before.is_legal(mv) && before.after(mv).key() == after.key()).then_some((before, mv))
    })
}

const KINGS: [Piece; 2] = [piece(Color::Black, King), piece(Color::White, King)];

const fn piece(color: Color, kind: PieceKind) -> Piece {
    Piece { color, kind }
}

/// Puts pieces on all points in all ways, from `i9` backwards, which finds promotions early.
/// [`position`] rejects several pieces on one point.
fn placements(pieces: &[Piece]) -> impl Iterator<Item = Vec<(Piece, Point)>> + use<> {
    let pieces = pieces.to_vec();
    let ways = Point::COUNT.pow(pieces.len() as u32);
    (0..ways).rev().map(move |mut way| {
        let next = |&piece| {
            let point = Point::from_index(way % Point::COUNT)?;
            way /= Point::COUNT;
            Some((piece, point))
        };
        pieces.iter().filter_map(next).collect()
    })
}

fn position(pieces: &[(Piece, Point)], side: Color) -> Option<Position> {
    const RANK: &str = "111111111";
    let mut board = [RANK; 9].join("/").into_bytes();
    for &(piece, point) in pieces {
        let row = usize::from(Point::RANKS - 1 - point.rank());
        let letter = &mut board[row * (RANK.len() + 1) + usize::from(point.file())];
        if *letter != b'1' {
            return None;
        }
        *letter = piece.letter() as u8;
    }
    board.extend_from_slice(if side == Color::White { b" w - -" } else { b" b - -" });
    let parsed = Position::from_fen(std::str::from_utf8(&board).ok()?).ok()?;
    Some(parsed.position)
}

fn assert_dead(position: Position) -> Position {
    let mated = matches!(position.outcome(&GameHistory::new()), Some(Outcome::Checkmate(_)));
    assert!(!mated, "{position} is mate");
    assert!(position.is_dead(), "{position}");
    position
}
