//! What the page is told.

use std::collections::BTreeMap;

use serde::Serialize;

use super::game_tree::{GameTree, Node, NodeId};
use super::lines::Lines;
use super::store::Listed;
use super::verdict::Verdict;
use crate::casual::points_of;
use crate::game::{Color, Outcome, Rules};
use crate::variant::{AnyMove, AnyPosition, Variant};

/// A message to the page, one JSON object.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "say", rename_all = "kebab-case")]
pub(super) enum Reply {
    /// What the engine may be asked for.
    Hello {
        /// The program's version.
        version: &'static str,
        /// Least and greatest Elo.
        elo: [u32; 2],
        /// Threads that a search may have.
        threads: usize,
        /// Megabytes that a table may have.
        hash: usize,
        /// What the user prefers, as it was kept.
        preferences: serde_json::Map<String, serde_json::Value>,
    },
    /// The moves of the game with their variations.
    Tree {
        /// Nodes, each behind the one before it.
        nodes: Vec<TreeNode>,
    },
    /// Where one looks, and how the play stands.
    State(Box<State>),
    /// Lines of a search.
    Lines(Box<Lines>),
    /// What a search has found of one node.
    Verdict {
        /// Which.
        node: NodeId,
        /// What.
        verdict: Verdict,
        /// Positions done and in all, of a search through the game.
        #[serde(skip_serializing_if = "Option::is_none")]
        progress: Option<[usize; 2]>,
    },
    /// What each piece is worth, in centipawns of its side.
    Values {
        /// Where.
        node: NodeId,
        /// By the names of the points.
        values: BTreeMap<String, i32>,
    },
    /// A move was refused.
    Refused {
        /// Why.
        reason: String,
    },
    /// A good move.
    Hint {
        /// The points it visits.
        points: Vec<String>,
        /// As people write it.
        san: String,
    },
    /// Something to be shown in passing.
    Note {
        /// What.
        text: String,
    },
    /// Something has gone wrong.
    Error {
        /// What.
        text: String,
    },
    /// The games that are kept.
    Games {
        /// The last one first.
        games: Vec<Listed>,
    },
    /// Games that were read.
    Imported {
        /// What can be said of each.
        games: Vec<String>,
        /// What was wrong with others.
        faults: Vec<String>,
    },
    /// Whether a FEN is a position.
    Checked {
        /// The FEN that was asked about.
        asked: String,
        /// As it is written.
        fen: Option<String>,
        /// What is wrong with it, or was put right.
        text: Option<String>,
    },
    /// The game written down.
    Written {
        /// In PGN.
        pgn: String,
        /// The position that is looked at.
        fen: String,
    },
    /// Another tab has opened the game.
    TakenOver,
}

/// A node of the tree.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TreeNode {
    id: NodeId,
    parent: Option<NodeId>,
    san: String,
    /// Plies since White's first move by the number of the move.
    ply: u32,
    children: Vec<NodeId>,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
}

impl TreeNode {
    fn of(id: NodeId, node: &Node) -> TreeNode {
        let number = u32::from(node.position.fullmove_number());
        let black = u32::from(node.position.side_to_move() == Color::Black);
        TreeNode {
            id,
            parent: node.parent,
            san: node.san.clone(),
            ply: 2 * number.saturating_sub(1) + black,
            children: node.children.clone(),
            comment: node.comment.clone(),
            nags: node.nags.clone(),
            verdict: node.verdict,
        }
    }
}

impl Reply {
    /// All of a tree.
    pub fn tree(tree: &GameTree) -> Reply {
        Reply::Tree { nodes: tree.nodes().map(|(id, node)| TreeNode::of(id, node)).collect() }
    }
}

/// Where one looks, and how the play stands.
#[derive(Clone, Debug, Serialize)]
pub(super) struct State {
    /// The game's name.
    pub id: String,
    /// Which game it is.
    pub game: Variant,
    /// The node.
    pub node: NodeId,
    /// The position there.
    pub position: Shown,
    /// The play, if there is one.
    pub play: Option<PlayState>,
    /// Whether a search analyses.
    pub analysing: bool,
    /// Whether it looks for threats.
    pub threat: bool,
    /// Whether every position is looked at, for the graph.
    pub sweeping: bool,
    /// Tags that it came with.
    pub tags: Vec<(String, String)>,
}

/// A position.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Shown {
    /// All of it.
    pub fen: String,
    /// Whose turn it is.
    pub turn: &'static str,
    /// The points of the last move.
    pub last: Vec<String>,
    /// The point of a king in check.
    pub check: Option<String>,
    /// The legal moves; none when the game is over.
    pub legal: Vec<ShownMove>,
    /// How the game has ended, if the rules have ended it.
    pub outcome: Option<String>,
}

/// A move.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ShownMove {
    text: String,
    points: Vec<String>,
    capture: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    promotion: Option<char>,
}

/// How the play stands.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PlayState {
    /// Whether people play White and Black.
    pub people: [bool; 2],
    /// The engine's strength.
    pub elo: Option<u32>,
    /// The last node of the game.
    pub last: NodeId,
    /// Milliseconds left of White and Black, with clocks.
    pub left: Option<[u32; 2]>,
    /// Whose clock runs.
    pub running: Option<&'static str>,
    /// Whether somebody has asked for a pause.
    pub paused: bool,
    /// Whether the engine thinks about its move.
    pub thinking: bool,
    /// The result, when it is over.
    pub result: Option<&'static str>,
    /// Why it is over.
    pub reason: Option<String>,
}

/// The word for a side.
pub(super) const fn side_word(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

impl Shown {
    /// A position with the move that led to it.
    pub fn of(position: &AnyPosition, last: Option<AnyMove>, outcome: Option<Outcome>) -> Shown {
        let moves = if outcome.is_some() { Vec::new() } else { position.legal_moves() };
        let shown = |mv: AnyMove| {
            let (points, promotion) = points_of(mv);
            ShownMove { text: mv.to_string(), points, capture: position.captures(mv), promotion }
        };
        Shown {
            fen: position.fen(),
            turn: side_word(position.side_to_move()),
            last: last.map_or_else(Vec::new, |mv| points_of(mv).0),
            check: position.king_to_move().filter(|_| position.in_check()),
            legal: moves.into_iter().map(shown).collect(),
            outcome: outcome.map(|outcome| outcome.to_string()),
        }
    }
}
