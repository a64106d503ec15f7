//! King safety.

use super::board::{Attacks, Board};
use super::pawns;
use super::sink::Sink;
use super::terms::Block;
use qirkat_rules::chesquerque::{Color, PieceKind, piece_attacks};

/// More flight points than this count as this many.
const MOST_ESCAPES: u32 = 4;

/// Pieces that give check, in the order of their features.
const CHECKERS: [PieceKind; 5] = [
    PieceKind::Knight,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Archbishop,
    PieceKind::Queen,
];

pub(super) fn count<S: Sink>(
    board: &Board,
    color: Color,
    own_attacks: &Attacks,
    enemy_attacks: &Attacks,
    own: &mut S,
) {
    let king = board.king(color);
    let own_pieces = board.position.of_color(color);
    let enemy_pieces = board.position.of_color(!color);
    own.add_piece(color, PieceKind::King, king);

    own.add_danger(Block::DangerBase.at(0), 1);
    let queens = board.of(!color, PieceKind::Queen);
    own.add_danger(Block::DangerBase.at(1), i32::from(queens.any()));

    let attacked = enemy_attacks.all();
    let weak = board.king_ring(color) & attacked & !own_attacks.without_king;
    own.add_danger(Block::WeakKingRing.at(0), weak.len() as i32);

    let escapes = own_attacks.by_kind[PieceKind::King.index()] & !own_pieces & !attacked;
    let escapes = escapes.len().min(MOST_ESCAPES);
    own.add_danger(Block::KingEscape.at(escapes as usize), 1);

    // A piece gives check from where the same piece on the king's point would
    // attack: all pieces but pawns move both ways.
    let safe = !enemy_pieces & !own_attacks.all();
    for (index, kind) in CHECKERS.into_iter().enumerate() {
        let reached = enemy_attacks.by_kind[kind.index()] & safe;
        if reached.any() {
            let checks = reached & piece_attacks(kind, king, board.occupied);
            own.add_danger(Block::SafeCheck.at(index), checks.len() as i32);
        }
    }
    pawns::count_shelter(board, color, own);
}
