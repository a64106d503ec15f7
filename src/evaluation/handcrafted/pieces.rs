//! Knights to queens: piece-square values, mobility, and attacks on the enemy king
//! ring.

use super::board::{Attacks, Board};
use super::geometry::front_span;
use super::sink::Sink;
use super::terms::Block;
use qirkat_rules::chesquerque::{Bitboard, Color, PieceKind, piece_attacks};

/// The first points of mobility count extra: a piece should be able to move at all.
const FIRST_POINTS: i32 = 4;

/// Counts for the pieces' owner, and for the king they threaten.
#[inline]
pub(super) fn count<S: Sink>(board: &Board, color: Color, own: &mut S, enemy: &mut S) -> Attacks {
    use PieceKind::*;
    let pawns = board.pawn_attacks(color);
    let mut attacks = Attacks { by_kind: [Bitboard::EMPTY; PieceKind::COUNT], without_king: pawns };
    attacks.by_kind[Pawn.index()] = pawns;
    attacks.by_kind[King.index()] = piece_attacks(King, board.king(color), board.occupied);
    // One call for each kind, so that each is compiled with its own attacks.
    count_kind(board, color, Knight, &mut attacks, own, enemy);
    count_kind(board, color, Bishop, &mut attacks, own, enemy);
    count_kind(board, color, Rook, &mut attacks, own, enemy);
    count_kind(board, color, Archbishop, &mut attacks, own, enemy);
    count_kind(board, color, Queen, &mut attacks, own, enemy);

    if board.of(color, Bishop).more_than_one() {
        own.add(Block::BishopPair.at(0), 1);
    }
    count_rook_files(board, color, own);
    attacks
}

#[inline(always)]
fn count_kind<S: Sink>(
    board: &Board,
    color: Color,
    kind: PieceKind,
    attacks: &mut Attacks,
    own: &mut S,
    enemy: &mut S,
) {
    let pieces = board.of(color, kind);
    let among_pieces = kind.index() - PieceKind::Knight.index();
    let open = !(board.position.of_color(color) | board.pawn_attacks(!color));
    let king_ring = board.king_ring(!color);
    let mut together = Bitboard::EMPTY;
    for point in pieces {
        own.add_piece(color, kind, point);
        let attacked = piece_attacks(kind, point, board.occupied);
        together |= attacked;
        let mobility = (attacked & open).len() as i32;
        let row = 2 * among_pieces + usize::from(point.is_diagonal());
        own.add(Block::Mobility.at(row), mobility);
        own.add(Block::FirstMobility.at(row), mobility.min(FIRST_POINTS));
        let near_king = (attacked & king_ring).len() as i32;
        enemy.add_danger(Block::KingRingAttacker.at(among_pieces), near_king.min(1));
        enemy.add_danger(Block::KingRingAttack.at(0), near_king);
    }
    attacks.by_kind[kind.index()] = together;
    attacks.without_king |= together;
}

/// Rooks with no pawn ahead, or only enemy pawns.
fn count_rook_files<S: Sink>(board: &Board, color: Color, own: &mut S) {
    let pawns = board.position.of_kind(PieceKind::Pawn);
    let own_pawns = pawns & board.position.of_color(color);
    for rook in board.of(color, PieceKind::Rook) {
        let ahead = front_span(color, rook);
        if (ahead & own_pawns).is_empty() {
            own.add(Block::RookFile.at(usize::from((ahead & pawns).any())), 1);
        }
    }
}
