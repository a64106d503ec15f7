//! Pawn structure, passed pawns, and the king's pawn shelter and storm.
//!
//! A pawn's points alternate between plain and diagonal ones. From a plain
//! point it takes what stands straight ahead, so no enemy piece blocks it there,
//! and no pawn ever attacks it there.

use super::board::{Attacks, Board};
use super::geometry::{adjacent_files, distance, front_span, passed_mask, relative_rank};
use super::sink::Sink;
use super::terms::Block;
use qirkat_rules::chesquerque::{Bitboard, Color, PieceKind, Point};

/// Ranks on which a pawn can stand.
const PAWN_RANKS: usize = Point::RANKS as usize - 2;

pub(super) fn count<S: Sink>(board: &Board, color: Color, enemy_attacks: &Attacks, own: &mut S) {
    let pawns = board.of(color, PieceKind::Pawn);
    let enemy_pawns = board.of(!color, PieceKind::Pawn);
    own.add(Block::SupportedPawn.at(0), (pawns & board.pawn_attacks(color)).len() as i32);
    own.add(Block::Phalanx.at(0), (pawns & pawns.east()).len() as i32);
    for pawn in pawns {
        own.add_piece(color, PieceKind::Pawn, pawn);
        if (pawns & adjacent_files(pawn)).is_empty() {
            own.add(Block::IsolatedPawn.at(0), 1);
        }
        if (pawns & front_span(color, pawn)).any() {
            own.add(Block::DoubledPawn.at(0), 1);
        } else if (enemy_pawns & passed_mask(color, pawn)).is_empty() {
            count_passed(board, color, pawn, enemy_attacks, own);
        }
    }
}

fn count_passed<S: Sink>(
    board: &Board,
    color: Color,
    pawn: Point,
    enemy_attacks: &Attacks,
    own: &mut S,
) {
    let rank = relative_rank(color, pawn);
    let place = rank - 1;
    let on_diagonal = usize::from(pawn.is_diagonal());
    own.add(Block::Passed.at(on_diagonal * PAWN_RANKS + place), 1);

    let next = pawn.bit().forward(color);
    let in_the_way =
        if pawn.is_diagonal() { board.occupied } else { board.position.of_color(color) };
    if (next & in_the_way).any() {
        own.add(Block::PassedBlocked.at(place), 1);
    }
    if (next & enemy_attacks.all()).is_empty() {
        own.add(Block::PassedSafe.at(place), 1);
    }
    if board.pawn_attacks(color).contains(pawn) {
        own.add(Block::PassedSupported.at(place), 1);
    }
    let target = next.lsb().unwrap_or(pawn);
    let advance = rank as i32;
    own.add(Block::PassedOwnKing.at(0), advance * distance(board.king(color), target));
    own.add(Block::PassedEnemyKing.at(0), advance * distance(board.king(!color), target));
}

/// Pawns near a king count as its shelter, enemy pawns before it as a storm.
pub(super) fn count_shelter<S: Sink>(board: &Board, color: Color, own: &mut S) {
    let pawns = board.of(color, PieceKind::Pawn);
    let enemy_pawns = board.of(!color, PieceKind::Pawn);
    let king = board.king(color);
    let king_ring = board.king_ring(color);
    let second = king_ring.forward(color) & !king_ring;
    let third = second.forward(color);

    let add = |own: &mut S, feature, set: Bitboard| own.add_danger(feature, set.len() as i32);
    add(own, Block::ShelterPawn.at(0), pawns & king_ring & Bitboard::PLAIN);
    add(own, Block::ShelterPawn.at(1), pawns & king_ring & Bitboard::DIAGONAL);
    add(own, Block::ShelterPawn.at(2), pawns & second);
    add(own, Block::StormPawn.at(0), enemy_pawns & king_ring);
    add(own, Block::StormPawn.at(1), enemy_pawns & second);
    add(own, Block::StormPawn.at(2), enemy_pawns & third);
    let ahead = front_span(color, king);
    own.add_danger(Block::OpenKingFile.at(0), i32::from((ahead & pawns).is_empty()));
    own.add_danger(Block::OpenKingFile.at(1), i32::from((ahead & enemy_pawns).is_empty()));
}
