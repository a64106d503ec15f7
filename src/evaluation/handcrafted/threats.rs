//! Threats: enemy pieces under attack.

use super::board::{Attacks, Board};
use super::sink::Sink;
use super::terms::Block;
use qirkat_rules::chesquerque::{Color, PieceKind};

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
    let captured = board.position.of_color(!color) & !board.king(!color).bit();
    for attacker in 0..KINDS {
        for point in own_attacks.by_kind[attacker] & captured {
            if let Some(kind) = board.position.kind_on(point) {
                own.add(Block::Threat.at(attacker * KINDS + kind.index()), 1);
            }
        }
    }
    for point in captured & own_attacks.all() & !enemy_attacks.all() {
        if let Some(kind) = board.position.kind_on(point) {
            own.add(Block::Hanging.at(kind.index()), 1);
        }
    }
}
