//! Enemy men under attack.

use super::board::{Attacks, Board};
use super::features::Block;
use super::sink::Sink;
use crate::position::{Color, PieceKind};

/// Kinds that attack and are attacked: all but the king, whose dangers are
/// counted elsewhere.
const KINDS: usize = PieceKind::COUNT - 1;

pub(super) fn count<S: Sink>(
    board: &Board,
    color: Color,
    own_attacks: &Attacks,
    enemy_attacks: &Attacks,
    own: &mut S,
) {
    let prey = board.position.of_color(!color) & !board.king(!color).bit();
    for attacker in 0..KINDS {
        for point in own_attacks.by_kind[attacker] & prey {
            if let Some(kind) = board.position.kind_on(point) {
                own.add(Block::Threat.at(attacker * KINDS + kind.index()), 1);
            }
        }
    }
    for point in prey & own_attacks.all() & !enemy_attacks.all() {
        if let Some(kind) = board.position.kind_on(point) {
            own.add(Block::Hanging.at(kind.index()), 1);
        }
    }
}
