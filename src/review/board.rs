//! Questions about a single move or position, for any game.

use super::material::{kind_name, value};
use crate::game::{Game, MoveFilter, Rules};
use crate::variant::{AnyMove, AnyPosition, Variant};
use crate::{chesquerque, masonic};

/// The least that counts as winning material, in centipawns: a bit less than a pawn.
pub(super) const LEAST_GAIN: i32 = 80;

/// Whether material can be counted here: the side to move neither has to respond to a
/// threat nor can win something by an exchange.
pub(super) fn is_quiet(position: &AnyPosition) -> bool {
    match position {
        AnyPosition::Chesquerque(position) => is_quiet_in(position),
        AnyPosition::Masonic(position) => is_quiet_in(position),
        AnyPosition::Alquerque(position) => is_quiet_in(position),
    }
}

fn is_quiet_in<G: Game>(position: &G) -> bool {
    let mut noisy = position.moves(MoveFilter::Noisy).into_iter();
    !position.must_respond() && !noisy.any(|mv| position.see_ge(mv, LEAST_GAIN))
}

/// Whether a move takes back where the move before it took something.
pub(super) fn is_recapture(
    before: &AnyPosition,
    last: AnyMove,
    position: &AnyPosition,
    mv: AnyMove,
) -> bool {
    match (before, last, position, mv) {
        (
            AnyPosition::Chesquerque(before),
            AnyMove::Chesquerque(last),
            AnyPosition::Chesquerque(position),
            AnyMove::Chesquerque(mv),
        ) => takes_back(before, last, position, mv),
        (
            AnyPosition::Masonic(before),
            AnyMove::Masonic(last),
            AnyPosition::Masonic(position),
            AnyMove::Masonic(mv),
        ) => takes_back(before, last, position, mv),
        (
            AnyPosition::Alquerque(before),
            AnyMove::Alquerque(last),
            AnyPosition::Alquerque(position),
            AnyMove::Alquerque(mv),
        ) => takes_back(before, last, position, mv),
        _ => false,
    }
}

fn takes_back<G: Game>(before: &G, last: G::Move, position: &G, mv: G::Move) -> bool {
    before.is_noisy(last) && position.is_noisy(mv) && position.is_recapture(mv, last)
}

/// The names of the enemy pieces that a piece has come to attack by the last move, if
/// they are two or more and each of them is in danger: a king, a dearer piece, or one
/// that nobody defends.
pub(super) fn forked(after: &AnyPosition, mv: AnyMove) -> Vec<&'static str> {
    let kinds: Vec<usize> = match (after, mv) {
        (AnyPosition::Chesquerque(after), AnyMove::Chesquerque(mv)) => {
            forked_on_points(after, mv.to)
        }
        (AnyPosition::Masonic(after), AnyMove::Masonic(mv)) => forked_on_cells(after, mv.to),
        _ => Vec::new(),
    };
    let mut kinds = kinds;
    kinds.sort_by_key(|&kind| std::cmp::Reverse(kind));
    if kinds.len() < 2 {
        return Vec::new();
    }
    kinds.into_iter().map(|kind| kind_name(after.variant(), kind)).collect()
}

fn forked_on_points(after: &chesquerque::Position, by: chesquerque::Point) -> Vec<usize> {
    let enemies = after.of_color(after.side_to_move());
    let Some(attacker) = after.kind_on(by) else { return Vec::new() };
    enemies
        .into_iter()
        .filter(|&point| after.attackers(point).contains(by))
        .filter_map(|point| Some((point, after.kind_on(point)?)))
        .filter(|&(point, kind)| {
            let undefended = (after.attackers(point) & enemies).is_empty();
            is_in_danger(Variant::Chesquerque, kind.index(), attacker.index(), undefended)
                || kind == chesquerque::PieceKind::King
        })
        .map(|(_, kind)| kind.index())
        .collect()
}

fn forked_on_cells(after: &masonic::Position, by: masonic::Cell) -> Vec<usize> {
    let enemies = after.of_color(after.side_to_move());
    let Some(attacker) = after.kind_on(by) else { return Vec::new() };
    enemies
        .into_iter()
        .filter(|&cell| after.attackers(cell, after.occupied()).contains(by))
        .filter_map(|cell| Some((cell, after.kind_on(cell)?)))
        .filter(|&(cell, kind)| {
            let undefended = (after.attackers(cell, after.occupied()) & enemies).is_empty();
            is_in_danger(Variant::Masonic, kind.index(), attacker.index(), undefended)
                || kind == masonic::PieceKind::King
        })
        .map(|(_, kind)| kind.index())
        .collect()
}

/// Whether an attack by a piece of some kind threatens to win something.
fn is_in_danger(variant: Variant, kind: usize, attacker: usize, undefended: bool) -> bool {
    undefended && kind > 0 || value(variant, kind) > value(variant, attacker) + LEAST_GAIN
}

/// Whether a move goes on with the piece of an earlier move of the same side.
pub(super) fn is_same_piece(earlier: AnyMove, mv: AnyMove) -> bool {
    match (earlier, mv) {
        (AnyMove::Chesquerque(earlier), AnyMove::Chesquerque(mv)) => earlier.to == mv.from,
        (AnyMove::Masonic(earlier), AnyMove::Masonic(mv)) => earlier.to == mv.from,
        (AnyMove::Alquerque(earlier), AnyMove::Alquerque(mv)) => earlier.to() == mv.from(),
        _ => false,
    }
}

/// Whether there is another move than this.
pub(super) fn has_choice(position: &AnyPosition) -> bool {
    position.count_legal_moves() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(variant: Variant, fen: &str) -> AnyPosition {
        variant.read_fen(fen).expect(fen).position
    }

    #[test]
    fn exchanges_must_be_over_before_material_is_counted() {
        for (variant, fen, quiet) in [
            (
                Variant::Chesquerque,
                "rnbqkabnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w KQkq - 0 1",
                true,
            ),
            // The pawn on a5 is free for the rook.
            (Variant::Chesquerque, "4k4/9/9/9/p8/9/9/9/R3K4 w - - 0 1", false),
            // Check.
            (Variant::Chesquerque, "4k4/9/9/9/4r4/9/9/9/4K4 w - - 0 1", false),
            (Variant::Alquerque, "mmmmm/mmmmm/mm1MM/MMMMM/MMMMM w - - 0 1", true),
        ] {
            assert_eq!(is_quiet(&position(variant, fen)), quiet, "{fen}");
        }
    }

    /// The rook comes to e5, a plain point's neighbour of nothing but king and bishop.
    #[test]
    fn forks_are_seen() {
        let before = position(Variant::Chesquerque, "4k4/9/9/9/R7b/9/9/9/K8 w - - 0 1");
        let mv = before.read_move("a5e5").expect("a legal move");
        assert_eq!(forked(&before.play(mv), mv), ["king", "bishop"]);
        // A defended bishop is no target for a rook.
        let before = position(Variant::Chesquerque, "4k4/9/9/8r/R7b/9/9/9/K8 w - - 0 1");
        let mv = before.read_move("a5e5").expect("a legal move");
        assert!(forked(&before.play(mv), mv).is_empty());
        let before = position(Variant::Masonic, "4k3/8/8/8/R6b/8/8/4K3 w - - 0 1");
        let mv = before.read_move("a4g4").expect("a legal move");
        assert_eq!(forked(&before.play(mv), mv), ["king", "bishop"], "along the cant too");
    }

    #[test]
    fn taking_back_is_told_from_taking() {
        let before = position(Variant::Chesquerque, "4k4/9/9/r8/p8/9/9/9/R3K4 w - - 0 1");
        let takes = before.read_move("a1a5").expect("a legal move");
        let after = before.play(takes);
        let back = after.read_move("a6a5").expect("a legal move");
        let other = after.read_move("e9e8").expect("a legal move");
        assert!(is_recapture(&before, takes, &after, back));
        assert!(!is_recapture(&before, takes, &after, other));
    }
}
