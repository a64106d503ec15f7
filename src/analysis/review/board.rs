//! Questions about a single move or position, for any game.

use super::material::{counted, kind_name, value};
use qirkat_game::{MoveFilter, Rules, Searchable};
use qirkat_rules::chesquerque::Chesquerque;
use qirkat_rules::chess::{Geometry, Kind, MoveOf, Position, SquareSet};
use qirkat_rules::masonic::Masonic;
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Member, Variant};
use qirkat_rules::{alquerque, chesquerque, masonic};

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

fn is_quiet_in<G: Searchable>(position: &G) -> bool {
    let mut noisy = position.moves(MoveFilter::Noisy).into_iter();
    !position.must_respond() && !noisy.any(|mv| position.see_ge(mv, LEAST_GAIN))
}

/// Whether a move is for anybody to see: it takes back, wins material at once, or is one of
/// two replies to a threat.
pub(crate) fn is_plain(game: &AnyGame, mv: AnyMove) -> bool {
    match mv {
        AnyMove::Chesquerque(mv) => is_plain_in::<chesquerque::Position>(game, mv),
        AnyMove::Masonic(mv) => is_plain_in::<masonic::Position>(game, mv),
        AnyMove::Alquerque(mv) => is_plain_in::<alquerque::Position>(game, mv),
    }
}

fn is_plain_in<G: Member>(game: &AnyGame, mv: G::Move) -> bool {
    let Some(position) = G::own_position(game.position()) else { return false };
    if position.must_respond() && position.count_legal_moves() <= 2 {
        return true;
    }
    position.is_noisy(mv)
        && (position.see_ge(mv, LEAST_GAIN)
            || last_capture::<G>(game).is_some_and(|last| position.is_recapture(mv, last)))
}

/// Whether a line begins by taking back: that was to be expected.
pub(super) fn takes_back(game: &AnyGame, line: &[AnyMove]) -> bool {
    fn takes_back_in<G: Member>(game: &AnyGame, mv: G::Move) -> bool {
        let position = G::own_position(game.position());
        position.zip(last_capture::<G>(game)).is_some_and(|(position, last)| {
            position.is_noisy(mv) && position.is_recapture(mv, last)
        })
    }
    match line.first() {
        Some(&AnyMove::Chesquerque(mv)) => takes_back_in::<chesquerque::Position>(game, mv),
        Some(&AnyMove::Masonic(mv)) => takes_back_in::<masonic::Position>(game, mv),
        Some(&AnyMove::Alquerque(mv)) => takes_back_in::<alquerque::Position>(game, mv),
        None => false,
    }
}

/// The last move of a game, if it took something.
fn last_capture<G: Member>(game: &AnyGame) -> Option<G::Move> {
    let last = G::own_move(*game.moves().last()?)?;
    let mut before = game.clone();
    before.undo();
    G::own_position(before.position())?.is_noisy(last).then_some(last)
}

/// The enemy pieces that a piece has come to attack by the last move, as in `king and rook`,
/// if there are two or more and each of them is in danger.
pub(super) fn forked(after: &AnyPosition, mv: AnyMove) -> Option<String> {
    let mut names = in_danger(after, mv);
    if names.len() < 2 {
        return None;
    }
    names.dedup();
    let (last, others) = names.split_last().filter(|(_, others)| !others.is_empty())?;
    Some(format!("{} and {last}", others.join(", ")))
}

/// The enemy piece, other than the king, that a piece has come to attack by the last move,
/// if it is the only one in danger.
pub(super) fn attacked(after: &AnyPosition, mv: AnyMove) -> Option<&'static str> {
    match in_danger(after, mv)[..] {
        [name] if !after.in_check() => Some(name),
        _ => None,
    }
}

/// The names of the enemy pieces that a piece has come to attack by the last move and that
/// are in danger: a king, a dearer piece, or one that nobody defends. The dearest come first.
fn in_danger(after: &AnyPosition, mv: AnyMove) -> Vec<&'static str> {
    let mut kinds: Vec<usize> = match (after, mv) {
        (AnyPosition::Chesquerque(after), AnyMove::Chesquerque(mv)) => {
            in_danger_in(after, Variant::Chesquerque, mv.to)
        }
        (AnyPosition::Masonic(after), AnyMove::Masonic(mv)) => {
            in_danger_in(after, Variant::Masonic, mv.to)
        }
        _ => Vec::new(),
    };
    kinds.sort_by_key(|&kind| std::cmp::Reverse(kind));
    kinds.into_iter().map(|kind| kind_name(after.variant(), kind)).collect()
}

fn in_danger_in<G: Geometry>(after: &Position<G>, variant: Variant, by: G::Square) -> Vec<usize> {
    let enemies = after.of_color(after.side_to_move());
    let Some(attacker) = after.kind_on(by) else { return Vec::new() };
    enemies
        .into_iter()
        .filter(|&square| after.attackers(square).contains(by))
        .filter_map(|square| Some((square, after.kind_on(square)?)))
        .filter(|&(square, kind)| {
            let undefended = (after.attackers(square) & enemies).is_empty();
            is_in_danger(variant, kind.index(), attacker.index(), undefended)
                || kind == G::Kind::KING
        })
        .map(|(_, kind)| kind.index())
        .collect()
}

/// Whether an attack by a piece of some kind threatens to win something.
fn is_in_danger(variant: Variant, kind: usize, attacker: usize, undefended: bool) -> bool {
    undefended && kind > 0 || value(variant, kind) > value(variant, attacker) + LEAST_GAIN
}

/// The capture of a move that is not taken for it at once, as in `takes the knight`; of jumps
/// only those of several men, since a jump is compulsory.
pub(super) fn takes(position: &AnyPosition, mv: AnyMove) -> Option<String> {
    let kind = match (position, mv) {
        (AnyPosition::Chesquerque(position), AnyMove::Chesquerque(mv)) => taken(position, mv),
        (AnyPosition::Masonic(position), AnyMove::Masonic(mv)) => taken(position, mv),
        (_, AnyMove::Alquerque(mv)) if mv.jumps() > 1 => {
            return Some(format!(
                "jumps {}",
                counted(mv.jumps() as i32, kind_name(Variant::Alquerque, 0))
            ));
        }
        _ => None,
    };
    kind.map(|kind| format!("takes the {kind}"))
}

fn taken<G: Geometry>(position: &Position<G>, mv: MoveOf<G>) -> Option<&'static str> {
    let captured = position.captured(mv)?;
    position.see_ge(mv, LEAST_GAIN).then(|| captured.name())
}

/// The care of a move for the safety of the moving side, as in `takes the knight out of
/// danger`.
pub(super) fn care(position: &AnyPosition, mv: AnyMove) -> Option<String> {
    match mv {
        AnyMove::Chesquerque(mv) => care_in::<Chesquerque>(position, mv),
        AnyMove::Masonic(mv) => care_in::<Masonic>(position, mv),
        AnyMove::Alquerque(_) => None,
    }
}

fn care_in<G: Geometry>(any: &AnyPosition, mv: MoveOf<G>) -> Option<String>
where
    Position<G>: Member<Move = MoveOf<G>>,
{
    let position = Position::<G>::own_position(any)?;
    if position.is_castling(mv) {
        return Some("brings the king into safety".to_owned());
    }
    let passed = any.passed().ok()?;
    let is_saved = can_be_won(Position::own_position(&passed)?, mv.from)
        && !can_be_won(&position.after(mv), mv.to);
    let kind = position.kind_on(mv.from).filter(|_| is_saved)?;
    Some(format!("takes the {} out of danger", kind.name()))
}

/// Whether the side to move wins material by a capture on this square.
fn can_be_won<G: Geometry>(position: &Position<G>, on: G::Square) -> bool {
    let mut noisy = position.moves(MoveFilter::Noisy).into_iter();
    noisy.any(|mv| mv.to == on && position.see_ge(mv, LEAST_GAIN))
}

/// Whether a move forfeits the right to castle that was left, without castling.
pub(super) fn forfeits_castling(position: &AnyPosition, mv: AnyMove) -> bool {
    match (position, mv) {
        (AnyPosition::Chesquerque(position), AnyMove::Chesquerque(mv)) => forfeits(position, mv),
        (AnyPosition::Masonic(position), AnyMove::Masonic(mv)) => forfeits(position, mv),
        _ => false,
    }
}

fn forfeits<G: Geometry>(position: &Position<G>, mv: MoveOf<G>) -> bool {
    let mover = position.side_to_move();
    position.castling().has_any(mover)
        && !position.after(mv).castling().has_any(mover)
        && !position.is_castling(mv)
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
        assert_eq!(forked(&before.after(mv), mv).as_deref(), Some("king and bishop"));
        // A defended bishop is no target for a rook.
        let before = position(Variant::Chesquerque, "4k4/9/9/8r/R7b/9/9/9/K8 w - - 0 1");
        let mv = before.read_move("a5e5").expect("a legal move");
        assert_eq!(forked(&before.after(mv), mv), None);
        let before = position(Variant::Masonic, "4k3/8/8/8/R6b/8/8/4K3 w - - 0 1");
        let mv = before.read_move("a4g4").expect("a legal move");
        let fork = forked(&before.after(mv), mv);
        assert_eq!(fork.as_deref(), Some("king and bishop"), "along the cant too");
    }

    #[test]
    fn plain_moves_are_told_from_others() {
        let fen = "4k4/9/9/r8/p8/9/9/9/R3K4 w - - 0 1";
        let mut game = AnyGame::from_position(position(Variant::Chesquerque, fen));
        let is_plain = |game: &AnyGame, text: &str| {
            is_plain(game, game.position().read_move(text).expect("a legal move"))
        };
        // A rook for a pawn is no plain capture, but taking back is, and so is a free rook.
        assert!(!is_plain(&game, "a1a5") && !is_plain(&game, "e1e2"));
        let takes = game.position().read_move("a1a5").expect("a legal move");
        game.play(takes);
        assert!(is_plain(&game, "a6a5") && !is_plain(&game, "e9e8"));
        let free = position(Variant::Chesquerque, "4k4/9/9/9/r8/9/9/9/R3K4 w - - 0 1");
        assert!(is_plain(&AnyGame::from_position(free), "a1a5"));
    }

    #[test]
    fn care_is_seen() {
        let attacked = position(Variant::Chesquerque, "r3k4/9/9/9/9/9/9/N8/4K4 w - - 0 1");
        let mv = |text: &str| attacked.read_move(text).expect("a legal move");
        let text = care(&attacked, mv("a2c3"));
        assert_eq!(text.as_deref(), Some("takes the knight out of danger"));
        assert_eq!(care(&attacked, mv("e1e2")), None);
        let home = position(Variant::Chesquerque, "4k4/9/9/9/9/9/9/9/R3K4 w Q - 0 1");
        let mv = |text: &str| home.read_move(text).expect("a legal move");
        assert!(forfeits_castling(&home, mv("e1e2")) && !forfeits_castling(&home, mv("e1b1")));
        assert_eq!(care(&home, mv("e1b1")).as_deref(), Some("brings the king into safety"));
    }
}
