//! Which small sets of pieces can never mate, by trying every position, and that all others can.
//! `Position::is_dead` must agree exactly.
//!
//! In Chesquerque five or more pieces can mate too: of three pieces besides the kings one can be
//! captured so that the other two are not just a knight on each side, and every other set of four
//! pieces can mate. In Masonic chess every piece can mate, and superfluous ones can be captured.

use qirkat_game::{Color, GameHistory, Outcome, Rules};
use qirkat_rules::chesquerque::{self, Chesquerque, PieceKind::*};
use qirkat_rules::chess::{self, Geometry, Kind, Move, MoveOf, Position, Square};
use qirkat_rules::masonic::Masonic;

use qirkat_testing::effort;

type Piece<G> = chess::Piece<<G as Geometry>::Kind>;
type Placed<G> = Vec<(Piece<G>, <G as Geometry>::Square)>;

/// Ordered pairs of points for two kings that are not joined by a line: 208
/// lines join neighbours, 144 along files and ranks and 64 diagonal.
const KINGS_APART: usize = 81 * 80 - 2 * 208;
/// The same in Masonic chess, where 252 pairs of cells are neighbours.
const MASONIC_KINGS_APART: usize = 64 * 63 - 2 * 252;

/// Plies played to reach each mate, to prove that it is reachable.
const PLIES_BEFORE_MATE: usize = 4;

fn assert_bare_kings_are_dead<G: Geometry>(kings_apart: usize) {
    for side in Color::ALL {
        let all = placements::<G>(&kings::<G>()).filter_map(|pieces| position::<G>(&pieces, side));
        assert_eq!(all.map(assert_dead::<G>).count(), kings_apart, "{side:?} to move");
    }
}

#[test]
fn bare_kings_never_mate() {
    assert_bare_kings_are_dead::<Chesquerque>(KINGS_APART);
    assert_bare_kings_are_dead::<Masonic>(MASONIC_KINGS_APART);
}

#[test]
fn a_lone_knight_never_mates() {
    let owners: &[Color] = effort([&[Color::White], &Color::ALL, &Color::ALL]);
    for &owner in owners {
        let pieces = [&kings::<Chesquerque>()[..], &[piece(owner, Knight)]].concat();
        let all = |side| {
            let all = placements::<Chesquerque>(&pieces);
            let all = all.filter_map(move |pieces| position::<Chesquerque>(&pieces, side));
            all.map(assert_dead)
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
    let winners: &[Color] = effort([&[Color::White], &Color::ALL, &Color::ALL]);
    for &winner in winners {
        let knights = [piece(winner, Knight), piece(!winner, Knight)];
        let checks = checks::<Chesquerque>(&knights, effort([31, 1, 1]));
        let tried = checks.map(assert_dead).count();
        assert!(tried > 10_000, "{tried}");
    }
}

#[test]
fn every_other_small_set_can_mate() {
    let kinds = chesquerque::PieceKind::ALL.into_iter().filter(|&kind| kind != King);
    let mut sets = 0;
    for one in kinds.clone() {
        if one != Knight {
            assert_can_mate::<Chesquerque>(one, None);
            sets += 1;
        }
        for other in kinds.clone().filter(|&other| other <= one) {
            for color in Color::ALL {
                if (one, other, color) != (Knight, Knight, Color::Black) {
                    assert_can_mate::<Chesquerque>(one, Some(piece(color, other)));
                    sets += 1;
                }
            }
        }
    }
    assert_eq!(sets, 5 + 21 + 20);
    for &kind in <Masonic as Geometry>::Kind::ALL.iter().filter(|&&kind| kind != Kind::KING) {
        assert_can_mate::<Masonic>(kind, None);
    }
}

#[test]
fn more_knights_can_mate() {
    for fen in [
        "8n/9/9/9/9/9/2N6/2N6/k1K6 b - - 0 1",
        "7nn/9/9/9/9/9/2N6/2N6/k1K6 b - - 0 1",
        "9/9/9/9/9/8N/2N6/2N6/k1K6 b - - 0 1",
    ] {
        let position = Position::<Chesquerque>::from_fen(fen).expect(fen).position;
        let mated = Some(Outcome::Checkmate(Color::White));
        assert_eq!(position.outcome(&GameHistory::new()), mated, "{fen}");
        assert!(!position.is_dead(), "{fen}");
    }
}

/// Finds a mate by a white piece with perhaps another piece, which is not stronger, and plays it.
fn assert_can_mate<G: Geometry>(kind: G::Kind, other: Option<Piece<G>>) {
    // Pawns alone cannot mate (against a pawn there are two mates, but only a capture leads there),
    // so one of them promotes to a queen on the last ply.
    let promotes = kind == G::Kind::PAWN && other.is_none_or(|other| other.kind == kind);
    let mating_piece = piece(Color::White, if promotes { G::Kind::PROMOTIONS[0] } else { kind });
    let pieces: Vec<Piece<G>> = [mating_piece].into_iter().chain(other).collect();
    let mut mates = checks::<G>(&pieces, 1).filter(|position| !position.has_legal_moves());
    let line = mates.find_map(|mate| {
        let mut moves = Vec::new();
        let start = take_back(&mate, PLIES_BEFORE_MATE, promotes, &mut moves)?;
        Some((start, moves))
    });
    let Some((mut position, moves)) = line else { panic!("{pieces:?} have no mate") };
    assert_eq!(moves.len(), PLIES_BEFORE_MATE, "{pieces:?}");
    for mv in moves {
        assert!(!position.is_dead(), "{pieces:?}: {position}");
        assert_eq!(position.outcome(&GameHistory::new()), None, "{pieces:?}: {position}");
        assert!(position.is_legal(mv), "{pieces:?}: {mv} in {position}");
        position.make(mv);
    }
    assert!(!position.is_dead(), "{pieces:?}: {position}");
    let mated = Outcome::Checkmate(!position.side_to_move());
    assert_eq!(position.outcome(&GameHistory::new()), Some(mated), "{pieces:?}: {position}");
}

/// Every position of the kings, a checking piece and perhaps one more, which is placed last: it may
/// block a check, but never opens one. Of the first three only one placement in `stride` is tried.
fn checks<G: Geometry>(pieces: &[Piece<G>], stride: usize) -> impl Iterator<Item = Position<G>> {
    let (checker, other) = (pieces[0], pieces[1..].to_vec());
    let side = !checker.color;
    let first = [&kings::<G>()[..], &[checker]].concat();
    let checks = placements::<G>(&first).step_by(stride).filter(move |pieces| {
        position::<G>(pieces, side).is_some_and(|position| position.in_check())
    });
    checks.flat_map(move |placed| {
        placements::<G>(&other).filter_map(move |other| {
            position::<G>(&[&placed[..], &other].concat(), side).filter(Position::in_check)
        })
    })
}

/// Takes back `plies` plies without captures. The moves that lead forward again are added to
/// `moves`.
fn take_back<G: Geometry>(
    position: &Position<G>,
    plies: usize,
    by_promotion: bool,
    moves: &mut Vec<MoveOf<G>>,
) -> Option<Position<G>> {
    if plies == 0 {
        return Some(*position);
    }
    predecessors(position, by_promotion).find_map(|(earlier, mv)| {
        let start = take_back(&earlier, plies - 1, false, moves)?;
        moves.push(mv);
        Some(start)
    })
}

fn predecessors<G: Geometry>(
    after: &Position<G>,
    by_promotion: bool,
) -> impl Iterator<Item = (Position<G>, MoveOf<G>)> {
    let mover = !after.side_to_move();
    let last_moves = after.of_color(mover).into_iter().flat_map(move |to| {
        let promotion = after.kind_on(to).filter(|_| by_promotion);
        let squares = (0..G::Square::COUNT).filter_map(G::Square::from_index);
        squares.map(move |from| Move { from, to, promotion })
    });
    last_moves.filter_map(move |mv| {
        let pieces: Placed<G> = after
            .occupied()
            .into_iter()
            .filter_map(|square| Some((after.piece_on(square)?, square)))
            .map(|(standing, square)| match mv.promotion {
                _ if square != mv.to => (standing, square),
                None => (standing, mv.from),
                Some(_) => (piece(mover, G::Kind::PAWN), mv.from),
            })
            .collect();
        let before = position::<G>(&pieces, mover)?;
        (before.is_legal(mv) && before.after(mv).key() == after.key()).then_some((before, mv))
    })
}

fn kings<G: Geometry>() -> [Piece<G>; 2] {
    [Color::Black, Color::White].map(|color| piece(color, G::Kind::KING))
}

fn piece<K>(color: Color, kind: K) -> chess::Piece<K> {
    chess::Piece { color, kind }
}

/// Puts pieces on all squares in all ways, from the last one backwards, which finds promotions
/// early. [`position`] rejects several pieces on one square.
fn placements<G: Geometry>(pieces: &[Piece<G>]) -> impl Iterator<Item = Placed<G>> + use<G> {
    let pieces = pieces.to_vec();
    let ways = G::Square::COUNT.pow(pieces.len() as u32);
    (0..ways).rev().map(move |mut way| {
        let next = |&piece| {
            let square = G::Square::from_index(way % G::Square::COUNT)?;
            way /= G::Square::COUNT;
            Some((piece, square))
        };
        pieces.iter().filter_map(next).collect()
    })
}

fn position<G: Geometry>(pieces: &[(Piece<G>, G::Square)], side: Color) -> Option<Position<G>> {
    let (files, ranks) = (usize::from(G::Square::FILES), G::Square::RANKS);
    let mut board = vec![b'1'; usize::from(ranks) * (files + 1) - 1];
    board.iter_mut().skip(files).step_by(files + 1).for_each(|letter| *letter = b'/');
    for &(piece, square) in pieces {
        let row = usize::from(ranks - 1 - square.rank());
        let letter = &mut board[row * (files + 1) + usize::from(square.file())];
        if *letter != b'1' {
            return None;
        }
        *letter = piece.letter() as u8;
    }
    board.extend_from_slice(if side == Color::White { b" w - -" } else { b" b - -" });
    Some(Position::from_fen(str::from_utf8(&board).ok()?).ok()?.position)
}

fn assert_dead<G: Geometry>(position: Position<G>) -> Position<G> {
    let mated = matches!(position.outcome(&GameHistory::new()), Some(Outcome::Checkmate(_)));
    assert!(!mated, "{position} is mate");
    assert!(position.is_dead(), "{position}");
    position
}
