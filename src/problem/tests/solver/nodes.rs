use std::collections::HashSet;

use qirkat_game::{GameState, Rules};
use qirkat_rules::alquerque::{Position, START_FEN};

use super::few_men::read;
use super::node::{Node, PlayedPositions};

#[test]
fn repeated_positions_are_in_the_past() {
    let mut game: GameState<Position> = GameState::from_position(read("m3m/5/5/5/M3M w - - 4 9"));
    let past = PlayedPositions::of(&game);
    assert_eq!((past.halfmove_clock(), past.has_repeated()), (4, false));
    let circle = ["a1b1", "a5b5", "e1d1", "e5d5", "b1a1", "b5a5", "d1e1", "d5e5"];
    for mv in circle.iter().chain(&circle) {
        game.play_text(mv).expect("legal");
    }
    let past = PlayedPositions::of(&game);
    // The first position had no forbidden steps, the second only one side's.
    assert_eq!(past.to_bytes().len(), 2 + 8 * (circle.len() - 1));
    assert_eq!((past.halfmove_clock(), past.has_repeated()), (20, true));
    let root = past.node(game.position());
    game.play_text("a1b1").expect("legal");
    let once = root.after(game.position());
    game.play_text("a5b5").expect("legal");
    let third = once.after(game.position());
    assert_eq!([root, once, third].map(|node| past.ends_at(node)), [false, false, true]);
    assert!(!past.ends_at(third.refreshed()));
}

#[test]
fn nodes_and_keys_are_unique() {
    let root = read(START_FEN);
    let mut positions = HashSet::new();
    let (mut nodes, mut keys) = (HashSet::new(), HashSet::new());
    let mut waiting = vec![(root, Node::fresh(root.state()), 9)];
    while let Some((position, node, depth)) = waiting.pop() {
        positions.insert((position.state(), position.halfmove_clock()));
        nodes.insert(node);
        keys.insert(node.key().0);
        if depth > 0 {
            let next = position.legal_moves().into_iter().map(|mv| position.after(mv));
            waiting.extend(next.map(|next| (next, node.after(&next), depth - 1)));
        }
    }
    assert!(positions.len() > 1_000, "{} positions", positions.len());
    assert_eq!((nodes.len(), keys.len()), (positions.len(), positions.len()));
}
