//! A game with its variations.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use qirkat_engine::SearchLine;
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::{AnyGame, AnyMove, AnyPosition};

/// The number of a node, never reused.
pub(crate) type NodeId = u32;

pub(crate) const ROOT: NodeId = 0;

const MAX_NODES: usize = 6000;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a game and its variations hold at most {MAX_NODES} moves")]
pub(crate) struct TreeFull;

#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// None for the root.
    pub parent: Option<NodeId>,
    /// None for the root.
    pub mv: Option<AnyMove>,
    pub san: String,
    pub position: AnyPosition,
    /// Its children, the main line first.
    pub children: Vec<NodeId>,
    pub annotation: Annotation,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Annotation {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// The parts of its comment that are not words, as they were written: a clock, a score, arrows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

impl Node {
    fn of(position: AnyPosition) -> Node {
        Node {
            parent: None,
            mv: None,
            san: String::new(),
            position,
            children: Vec::new(),
            annotation: Annotation::default(),
        }
    }
}

/// A game with its variations. The first child of each node is the main line.
#[derive(Clone, Debug)]
pub(crate) struct GameTree {
    nodes: BTreeMap<NodeId, Node>,
    next: NodeId,
}

impl GameTree {
    pub fn new(start: AnyPosition) -> GameTree {
        GameTree { nodes: BTreeMap::from([(ROOT, Node::of(start))]), next: ROOT + 1 }
    }

    pub fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(&id)
    }

    pub fn position(&self, id: NodeId) -> Option<AnyPosition> {
        self.get(id).map(|node| node.position)
    }

    pub fn get_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(&id)
    }

    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().map(|(&id, node)| (id, node))
    }

    /// Finds or adds the child of a node by a legal or null move.
    pub fn add(&mut self, parent: NodeId, mv: AnyMove) -> Result<NodeId, TreeFull> {
        let leads_to = |&child: &NodeId| self.get(child).is_some_and(|node| node.mv == Some(mv));
        let known = self.children(parent).find(leads_to);
        if let Some(child) = known {
            return Ok(child);
        }
        if self.nodes.len() >= MAX_NODES {
            return Err(TreeFull);
        }
        let id = self.next;
        let Some(before) = self.nodes.get_mut(&parent) else { return Ok(parent) };
        before.children.push(id);
        let node = Node {
            parent: Some(parent),
            mv: Some(mv),
            san: before.position.san(mv),
            ..Node::of(before.position.after_or_null(mv).unwrap_or(before.position))
        };
        self.next += 1;
        self.nodes.insert(id, node);
        Ok(id)
    }

    fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.get(id).into_iter().flat_map(|node| node.children.iter().copied())
    }

    pub fn line_to(&self, id: NodeId) -> impl Iterator<Item = &Node> {
        let before = |node: &&Node| node.parent.and_then(|parent| self.get(parent));
        let back = std::iter::successors(self.get(id), before);
        let mut line: Vec<&Node> = back.filter(|node| node.mv.is_some()).collect();
        line.reverse();
        line.into_iter()
    }

    /// The game up to a node, with earlier positions back to the last null move.
    pub fn game_at(&self, id: NodeId) -> AnyGame {
        let mut moves = Vec::new();
        let mut node = self.get(id);
        let mut start = node.map_or_else(Rules::start, |at| at.position);
        while let Some(at) = node {
            start = at.position;
            let Some(mv) = at.mv.filter(|mv| !mv.is_null()) else { break };
            moves.push(mv);
            node = at.parent.and_then(|parent| self.get(parent));
        }
        let mut game = AnyGame::from_position(start);
        for mv in moves.into_iter().rev() {
            game.play(mv);
        }
        game
    }

    /// All nodes in preorder, the main line first.
    pub fn in_order(&self) -> Vec<NodeId> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut open = vec![ROOT];
        while let Some(id) = open.pop() {
            order.push(id);
            if let Some(node) = self.get(id) {
                open.extend(node.children.iter().rev());
            }
        }
        order
    }

    pub fn main_line_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.children(id).next(), |&at| self.children(at).next())
    }

    pub fn end_of_main_line(&self) -> NodeId {
        self.main_line_from(ROOT).last().unwrap_or(ROOT)
    }

    /// Makes the line to a node the main line, from the start.
    pub fn promote(&mut self, id: NodeId) {
        let mut child = id;
        while let Some(parent) = self.get(child).and_then(|node| node.parent) {
            if let Some(node) = self.nodes.get_mut(&parent)
                && let Some(index) = node.children.iter().position(|&known| known == child)
            {
                node.children[..=index].rotate_right(1);
            }
            child = parent;
        }
    }

    /// Removes a node and its subtree, and returns its parent; the root stays.
    pub fn remove(&mut self, id: NodeId) -> NodeId {
        let Some(parent) = self.get(id).and_then(|node| node.parent) else { return ROOT };
        if let Some(node) = self.nodes.get_mut(&parent) {
            node.children.retain(|&child| child != id);
        }
        let mut doomed = vec![id];
        while let Some(next) = doomed.pop() {
            if let Some(node) = self.nodes.remove(&next) {
                doomed.extend(node.children);
            }
        }
        parent
    }
}

/// The score of a position for White, and its search depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Verdict {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// Moves to mate, negative if White is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i16>,
    pub depth: i16,
}

impl Verdict {
    pub fn of(line: &SearchLine, to_move: Color) -> Verdict {
        let score = if to_move == Color::White { line.score } else { -line.score };
        let mate = score.moves_to_mate();
        Verdict { cp: mate.is_none().then(|| score.value()), mate, depth: line.depth.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qirkat_rules::variant::Variant;

    fn grown(lines: &[&str]) -> GameTree {
        let mut tree = GameTree::new(Variant::Chesquerque.start());
        for line in lines {
            let mut at = ROOT;
            for text in line.split(' ') {
                let position = tree.get(at).expect("a node").position;
                at = tree.add(at, position.read_move(text).expect(text)).expect("room");
            }
        }
        tree
    }

    fn main_line(tree: &GameTree) -> String {
        let sans: Vec<_> =
            tree.main_line_from(ROOT).filter_map(|id| Some(tree.get(id)?.san.as_str())).collect();
        sans.join(" ")
    }

    #[test]
    fn lines_share_what_they_have_in_common() {
        let tree = grown(&["e4 e6 d3", "e4 d6", "e4 e6 b3"]);
        assert_eq!(tree.nodes().count(), 1 + 5);
        assert_eq!(main_line(&tree), "e4 e6 d3");
        assert_eq!(tree.game_at(tree.end_of_main_line()).moves().len(), 3);
    }

    #[test]
    fn a_game_begins_anew_behind_a_null_move() {
        let mut tree = grown(&["e4"]);
        let e4 = tree.end_of_main_line();
        let null = tree.add(e4, AnyMove::null(Variant::default())).expect("room");
        let passed = tree.get(null).expect("a node").clone();
        assert_eq!((passed.san.as_str(), passed.position.side_to_move()), ("--", Color::White));
        let d3 = tree.add(null, passed.position.read_move("d3").expect("legal")).expect("room");
        let game = tree.game_at(d3);
        assert_eq!((game.start(), game.moves().len()), (&passed.position, 1));
        assert!(tree.game_at(null).moves().is_empty());
    }

    #[test]
    fn promoting_and_removing_keep_the_rest() {
        let mut tree = grown(&["e4 e6 d3", "e4 d6 b3", "c4"]);
        let side = tree.nodes().find(|(_, node)| node.san == "b3").map(|(id, _)| id);
        tree.promote(side.expect("a variation"));
        assert_eq!(main_line(&tree), "e4 d6 b3");
        let reply = tree.nodes().find(|(_, node)| node.san == "d6").map(|(id, _)| id);
        let before = tree.remove(reply.expect("a variation"));
        assert_eq!(tree.get(before).map(|node| node.san.as_str()), Some("e4"));
        assert_eq!(main_line(&tree), "e4 e6 d3");
        assert_eq!(tree.nodes().count(), 1 + 4);
        assert_eq!(tree.remove(ROOT), ROOT);
        assert_eq!(tree.nodes().count(), 1 + 4);
    }
}
