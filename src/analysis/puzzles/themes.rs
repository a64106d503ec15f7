//! Themes: what a solution does, named by what the board shows.

use super::miner::Goal;
use crate::review::{Line, Phase};
use qirkat_engine::SearchLine;
use qirkat_game::{Rules, Searchable};
use qirkat_rules::chess::{Geometry, Kind, MoveOf, Position, SquareSet};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition, Member};
use qirkat_rules::{alquerque, chesquerque, masonic};

/// Moves of the solver, the first among them, that themes are looked for in.
const MOVES_LOOKED_AT: usize = 3;
/// A sacrifice gives up at least so many centipawns.
const SACRIFICE: i32 = 150;

/// The themes of a solution, which is the first move of a line: its goal first, then how, and the
/// phase of the game.
pub(super) fn themes(game: &AnyGame, line: &SearchLine, goal: Goal) -> Vec<String> {
    let mut themes = vec![match (goal, game.position()) {
        (Goal::Mate(moves), _) => format!("mate-{moves}"),
        (Goal::Win, _) => "win".to_owned(),
        (Goal::Save, AnyPosition::Alquerque(_)) => "last-safe-step".to_owned(),
        (Goal::Save, _) => "defence".to_owned(),
    }];
    let mut add = |theme: &str| themes.push(theme.to_owned());
    let whole = Line { game, moves: &line.moves, score: line.score, is_drawn: line.is_drawn };
    if !matches!(goal, Goal::Mate(_)) && whole.forks() {
        add("fork");
    }
    match game.position() {
        AnyPosition::Chesquerque(position) => {
            chess_themes(position, &own::<chesquerque::Position>(&line.moves), &mut add);
        }
        AnyPosition::Masonic(position) => {
            chess_themes(position, &own::<masonic::Position>(&line.moves), &mut add);
        }
        AnyPosition::Alquerque(position) => {
            draughts_themes(position, &own::<alquerque::Position>(&line.moves), &mut add);
        }
    }
    add(match Phase::of(game.position()) {
        Phase::Opening => "opening",
        Phase::Middlegame => "middle-game",
        Phase::Endgame => "ending",
    });
    themes
}

fn chess_themes<G: Geometry>(position: &Position<G>, line: &[MoveOf<G>], add: &mut impl FnMut(&str))
where
    Position<G>: Searchable<Move = MoveOf<G>>,
{
    let Some(&first) = line.first() else { return };
    let after = position.after(first);
    let checkers = after.checkers();
    let behind = checkers & !G::Bitboard::of(first.to);
    if behind.any() && !position.is_castling(first) {
        add(if checkers.more_than_one() { "double-check" } else { "discovered-check" });
    }
    let pins: Vec<G::Square> =
        after.pinned().into_iter().filter(|&pinned| is_used(&after, pinned, line)).collect();
    if !pins.is_empty() {
        add("pin");
    }
    let opens_leg = behind.into_iter().any(|by| has_leg(&after, by));
    if opens_leg || pins.iter().any(|&pinned| is_on_leg(&after, pinned)) {
        add("leg");
    }
    if own_moves(line).any(|mv| mv.promotion.is_some()) {
        add("promotion");
    }
    if !position.see_ge(first, -SACRIFICE) {
        add("sacrifice");
    }
    if !position.is_noisy(first) && checkers.is_empty() {
        add("quiet");
    }
}

/// Whether a pin helps the solver: the pinned piece cannot take the one that moved, or is taken.
fn is_used<G: Geometry>(after: &Position<G>, pinned: G::Square, line: &[MoveOf<G>]) -> bool
where
    Position<G>: Searchable<Move = MoveOf<G>>,
{
    let Some(first) = line.first() else { return false };
    let may_take = after.legal_moves().iter().any(|mv| mv.from == pinned && mv.to == first.to);
    let is_taken = own_moves(line).skip(1).any(|mv| mv.to == pinned)
        && line.iter().skip(1).step_by(2).take(MOVES_LOOKED_AT).all(|mv| mv.from != pinned);
    is_taken || !may_take && after.attackers(first.to).contains(pinned)
}

/// Whether a piece that gives check does so over a leg, as knights of Chesquerque do.
fn has_leg<G: Geometry>(after: &Position<G>, by: G::Square) -> bool {
    let king = after.king(after.side_to_move());
    after.kind_on(by).is_some_and(|kind| kind.name() == "knight") && G::between(king, by).any()
}

/// Whether a pinned piece of the side to move stands on the leg of a knight.
fn is_on_leg<G: Geometry>(after: &Position<G>, pinned: G::Square) -> bool {
    let king = after.king(after.side_to_move());
    let enemies = after.of_color(!after.side_to_move());
    enemies.into_iter().any(|by| {
        has_leg(after, by)
            && G::between(king, by).contains(pinned)
            && attacks_over(after, king, by, pinned)
    })
}

/// Whether a piece would attack a square if another were not between.
fn attacks_over<G: Geometry>(
    position: &Position<G>,
    square: G::Square,
    by: G::Square,
    between: G::Square,
) -> bool {
    let free = position.occupied() & !G::Bitboard::of(between);
    position.kind_on(by).is_some_and(|kind| G::attacks(kind, by, free).contains(square))
}

fn draughts_themes(
    position: &alquerque::Position,
    line: &[alquerque::Move],
    add: &mut impl FnMut(&str),
) {
    let Some(first) = line.first() else { return };
    if own_moves(line).any(|mv| mv.jumps() > 1) {
        add("chain");
    }
    let is_answered_by_jump = position.after(*first).can_jump();
    if !first.is_jump() {
        add(if is_answered_by_jump { "sacrifice" } else { "quiet" });
    }
}

/// A line of moves as those of this game.
fn own<G: Member>(line: &[AnyMove]) -> Vec<G::Move> {
    line.iter().map_while(|&mv| G::own_move(mv)).collect()
}

/// The first moves of the side that begins a line.
fn own_moves<M: Copy>(line: &[M]) -> impl Iterator<Item = M> + '_ {
    line.iter().copied().step_by(2).take(MOVES_LOOKED_AT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_game::distance::Depth;
    use qirkat_game::score::Score;
    use qirkat_rules::variant::Variant;

    #[test]
    fn themes_are_read_off_the_board() {
        use Variant::{Alquerque, Chesquerque, Masonic};
        for (variant, fen, line, goal, told) in [
            (
                Chesquerque,
                "4k4/9/9/9/9/9/R8/1R7/4K4 w - - 0 1",
                "b2b8 e9d9 a3a9",
                Goal::Mate(2),
                "mate-2 quiet ending",
            ),
            (
                Chesquerque,
                "4k4/9/9/9/R7b/9/9/9/K8 w - - 0 1",
                "a5e5 e9d9 e5i5",
                Goal::Win,
                "win fork ending",
            ),
            (
                Chesquerque,
                "9/2P6/9/9/k8/9/9/9/K8 w - - 0 1",
                "c8c9q a5a4 c9c5",
                Goal::Win,
                "win promotion ending",
            ),
            // The bishop leaves the rook's file, and the knight's leg.
            (
                Chesquerque,
                "4k4/1q7/9/9/4B4/9/9/9/K3R4 w - - 0 1",
                "e5b8",
                Goal::Win,
                "win discovered-check ending",
            ),
            (
                Chesquerque,
                "4k4/3N5/1q1N5/9/9/9/9/9/K8 w - - 0 1",
                "d8b7",
                Goal::Win,
                "win discovered-check leg ending",
            ),
            // The queen stands on the leg of the knight that looks at its king.
            (
                Chesquerque,
                "4k4/3q5/3N4p/5B3/9/9/9/9/K8 w - - 0 1",
                "a1a2 i7i6 f6d8",
                Goal::Win,
                "win pin leg quiet ending",
            ),
            (
                Masonic,
                "4k3/8/8/8/R6b/8/8/4K3 w - - 0 1",
                "a4g4 e8d8 g4h4",
                Goal::Win,
                "win sacrifice ending",
            ),
            (
                Alquerque,
                "5/5/1m1m1/5/M3M w - - 0 1",
                "a1b1",
                Goal::Save,
                "last-safe-step quiet ending",
            ),
        ] {
            let game = AnyGame::from_position(variant.read_fen(fen).expect(fen).position);
            let mut at = game.clone();
            let moves = line.split(' ').map(|text| {
                let mv = at.position().read_move(text).expect(text);
                at.play(mv);
                mv
            });
            let line = SearchLine::new(Depth(5), Score::centipawns(500), moves.collect());
            assert_eq!(themes(&game, &line, goal).join(" "), told, "{fen}");
        }
    }
}
