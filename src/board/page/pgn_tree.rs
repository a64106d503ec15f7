//! A tree of moves out of PGN, and PGN out of a tree.

use std::collections::HashSet;

use super::game_tree::{GameTree, Node, NodeId, ROOT, TreeFull};
use super::move_notes::{comment_of, notes_and_words};
use qirkat_rules::pgn::{DEEPEST_VARIATION, PgnGame, PgnMove};

/// The moves of a game with their variations, comments and marks.
///
/// # Errors
/// When there are too many.
pub(crate) fn tree_of(game: &PgnGame) -> Result<GameTree, TreeFull> {
    let mut tree = GameTree::new(game.start);
    add_line(&mut tree, ROOT, &game.moves)?;
    if let (Some(comment), Some(root)) = (&game.opening_comment, tree.get_mut(ROOT)) {
        say(root, comment);
    }
    Ok(tree)
}

/// A tree as a game without tags.
pub(crate) fn pgn_of(tree: &GameTree) -> PgnGame {
    let Some(root) = tree.get(ROOT) else { return PgnGame::default() };
    PgnGame {
        opening_comment: said(root),
        moves: moves_behind(tree, ROOT, DEEPEST_VARIATION),
        ..PgnGame::from_position(root.position)
    }
}

/// Adds moves with their variations behind a node: first the moves, since the first
/// child of a node is its main line.
fn add_line(tree: &mut GameTree, from: NodeId, moves: &[PgnMove]) -> Result<(), TreeFull> {
    let mut before = Vec::with_capacity(moves.len());
    let mut at = from;
    for played in moves {
        before.push(at);
        at = tree.add(at, played.mv)?;
        if let Some(node) = tree.get_mut(at) {
            // A variation may begin like the line that it belongs to.
            say(node, played.comment.as_deref().unwrap_or_default());
            let new = played.nags.iter().filter(|nag| !node.nags.contains(nag)).copied();
            let new: Vec<u8> = new.collect();
            node.nags.extend(new);
        }
    }
    for (&before, played) in before.iter().zip(moves) {
        for variation in &played.variations {
            add_line(tree, before, variation)?;
        }
    }
    Ok(())
}

/// Adds what is said to what was said already.
fn say(node: &mut Node, more: &str) {
    let (notes, words) = notes_and_words(more);
    if !node.comment.is_empty() && !words.is_empty() {
        node.comment.push(' ');
    }
    node.comment.push_str(&words);
    let mut known: HashSet<String> = node.notes.iter().cloned().collect();
    node.notes.extend(notes.into_iter().filter(|note| known.insert(note.clone())));
}

/// The moves behind a node along its main line, each with the others in its place down
/// to a depth.
fn moves_behind(tree: &GameTree, from: NodeId, depth: usize) -> Vec<PgnMove> {
    let mut moves = Vec::new();
    let mut at = tree.get(from);
    while let Some((first, others)) = at.and_then(|node| node.children.split_first()) {
        at = tree.get(*first);
        let Some(mut played) = at.and_then(pgn_move) else { break };
        let others = if depth > 0 { others } else { &[] };
        for &other in others {
            let mut variation: Vec<PgnMove> =
                tree.get(other).and_then(pgn_move).into_iter().collect();
            variation.extend(moves_behind(tree, other, depth - 1));
            played.variations.push(variation);
        }
        moves.push(played);
    }
    moves
}

/// The move to a node, with what is said of it.
fn pgn_move(node: &Node) -> Option<PgnMove> {
    let (nags, comment) = (node.nags.clone(), said(node));
    Some(PgnMove { mv: node.mv?, nags, comment, variations: Vec::new() })
}

/// The comment on a node, if there is one.
fn said(node: &Node) -> Option<String> {
    Some(comment_of(&node.notes, &node.comment)).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::pgn::PgnReader;
    use qirkat_rules::variant::Variant;

    fn game(text: &str) -> PgnGame {
        let read = PgnReader::new(text.as_bytes()).next();
        read.expect("a game").expect("a good one").game
    }

    #[test]
    fn variations_comments_and_marks_survive_the_tree() {
        for text in [
            "1. e4 e6 2. d3 *",
            "{first} 1. e4 $1 {bold} (1. d4 $5 d7 {calm} (1... e6 2. e4) 2. b3) (1. c4) 1... e6 *",
            "1. e4 {[%clk 0:01:02] +0.26/2 0.001s, fine} 1... e6 {book} 2. d3 {[%cal Ge2e4]} *",
            "1. e4 e6 (1... d6 2. d3 (2. b3 b7) 2... d5) 2. d3 $1 $14 *",
            "1. e4 e6 (1... -- {a threat} 2. d4 (2. --) 2... --) 2. d3 *",
        ] {
            let read = game(text);
            let again = pgn_of(&tree_of(&read).expect("room"));
            assert_eq!(again.to_string(), read.to_string(), "{text}");
        }
    }

    #[test]
    fn a_variation_that_begins_like_its_line_becomes_one_with_it() {
        let read = game("1. e4 {here} (1. e4 $1 {and there} e6 (1... d6)) 1... d7 *");
        let text = pgn_of(&tree_of(&read).expect("room")).to_string();
        let moves = "1. e4 $1 {here and there} 1... d7 (1... e6) (1... d6) *";
        assert!(text.ends_with(&format!("\n\n{moves}\n\n")), "{text}");
    }

    /// A tree may be deeper than people go; nothing overflows.
    #[test]
    fn variations_within_variations_end_somewhere() {
        let fen = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1";
        let start = Variant::default().read_fen(fen).expect("a position").position;
        let mut tree = GameTree::new(start);
        let mut at = ROOT;
        for _ in 0..2000 {
            let position = tree.get(at).expect("a node").position;
            // Pieces that go to and fro, and another move first each time.
            let moves = ["e1d1", "e9d9", "e8d8", "a1b1", "b1a1", "e9e8", "e8e9"];
            let mut legal = moves.iter().filter_map(|text| position.read_move(text).ok());
            let first = legal.next().expect("a move");
            let second = legal.next_back().expect("another");
            tree.add(at, first).expect("room");
            at = tree.add(at, second).expect("room");
        }
        let game = pgn_of(&tree);
        assert!(game.to_string().len() > 100);
    }
}
