//! Replies: what the page is told.

use std::collections::BTreeMap;

use serde::Serialize;

use super::endings::Ending;
use super::exercise::{Answer, Judgement};
use super::game_tree::Verdict;
use super::game_tree::{GameTree, Node, NodeId};
use super::known::{Known, Truth};
use super::lines::Lines;
use super::move_notes::NotesShown;
use super::openings::MoveStatistics;
use super::point::PointShown;
use super::shown::Shown;
use super::store::{Listed, Trouble, Unreadable};
use super::training::{Counts, Due, Graded, Overview, Posed};
use super::watched_match::MatchView;
use qirkat_analysis::casual::Ending as GameEnding;
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::Variant;

/// A message to the page, one JSON object.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "say", rename_all = "kebab-case")]
pub(crate) enum Reply {
    /// The greeting: what the engine may be asked for.
    Hello {
        /// The program's version.
        version: &'static str,
        /// Least and greatest Elo.
        elo: [u32; 2],
        /// Threads that a search may have.
        threads: usize,
        /// Megabytes that a table may have.
        hash: usize,
        /// Whether the engine can do more than one thing at a time: think on the user's
        /// time, count a file of games.
        background: bool,
        /// The name of the file of a match that can be watched.
        watch: Option<String>,
        /// The user's preferences, as they were kept.
        preferences: serde_json::Map<String, serde_json::Value>,
    },
    /// The moves of the game with their variations.
    Tree {
        /// Nodes, each behind the one before it.
        nodes: Vec<TreeNode>,
    },
    /// Where one looks, and how the play stands.
    State(Box<State>),
    Lines(Box<Lines>),
    /// The verdict of a search on one node.
    Verdict {
        node: NodeId,
        verdict: Verdict,
        /// Positions done and in all, of a search through the game.
        #[serde(skip_serializing_if = "Option::is_none")]
        progress: Option<[usize; 2]>,
    },
    /// The worth of each piece, in centipawns of its side.
    Values {
        node: NodeId,
        /// By the names of the points.
        values: BTreeMap<String, i32>,
    },
    /// What is known for certain of each move.
    Known(Known),
    /// What is to be told of a point.
    Point {
        node: NodeId,
        /// The point's name.
        point: String,
        /// What attacks it, and where its piece may go.
        #[serde(flatten)]
        shown: PointShown,
    },
    Refused {
        reason: String,
    },
    /// A good move.
    Hint {
        points: Vec<String>,
        /// As people write it.
        san: String,
    },
    /// Something to be shown in passing.
    Note {
        text: String,
    },
    /// Something has gone wrong.
    Error {
        text: String,
    },
    /// Games that are kept, a piece of the list.
    Games {
        /// The last one first.
        games: Vec<Listed>,
        /// Files between them that cannot be read.
        unreadable: Vec<Unreadable>,
        /// How many are still to come.
        left: usize,
    },
    /// A game is thrown away.
    Forgotten {
        id: String,
    },
    /// Something could not be saved yet; nothing when all is saved.
    Unsaved {
        trouble: Option<Trouble>,
    },
    /// Games that were read.
    Imported {
        games: Vec<String>,
        faults: Vec<String>,
    },
    /// Whether a FEN is a position.
    Checked {
        /// The FEN that was asked about.
        asked: String,
        fen: Option<String>,
        /// The fault in it, or what was put right.
        text: Option<String>,
    },
    /// The game written down.
    Written {
        pgn: String,
        /// The position that is looked at.
        fen: String,
    },
    /// A game written down that is kept.
    KeptWritten {
        id: String,
        /// In PGN; nothing where it cannot be read.
        pgn: Option<String>,
    },
    /// The review of the game, if there is one.
    Review {
        /// The review and the annotated game, as they are kept.
        kept: Option<serde_json::Value>,
    },
    /// How far a review has come; nothing when none goes on.
    Reviewing {
        /// Moves done and in all.
        progress: Option<[usize; 2]>,
    },
    /// How much comes again today.
    Due(Due),
    Training(Box<Overview>),
    /// The puzzles of a game, counted.
    Puzzles {
        game: Variant,
        #[serde(flatten)]
        counts: Counts,
    },
    /// A position to train.
    Posed {
        posed: Posed,
        /// How many there are with it.
        left: usize,
    },
    /// What comes of a try.
    Graded(Graded),
    /// The endings that can be practised.
    Endings {
        /// The ladder, the easiest of each game first.
        endings: &'static [Ending],
    },
    /// A position of an ending, by chance.
    EndingDrawn {
        number: u32,
        game: Variant,
        fen: String,
    },
    /// The truth of an ending, or of a move in it; what else is told of it follows.
    EndingTold {
        number: u32,
        /// That of the position, or of the move.
        truth: Option<Truth>,
        best: Option<Truth>,
    },
    /// The best move of an ending.
    EndingHint {
        number: u32,
        text: String,
        /// As people write it.
        san: String,
    },
    Exercise {
        number: u32,
        position: Box<Shown>,
    },
    /// The outcome of a try in an exercise.
    Tried(Box<Tried>),
    /// Another tab has opened the game.
    TakenOver,
    Match {
        view: Box<MatchView>,
    },
    /// The next piece of the file of openings is wanted.
    OpeningsWanted {
        /// Games counted so far.
        games: u64,
    },
    /// The moves that were played where one looks; nothing when there is no file any more.
    Openings {
        here: Option<Box<OpeningsHere>>,
    },
}

/// The moves that were played in a position, in a file of games.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OpeningsHere {
    pub node: NodeId,
    pub file: String,
    pub games: u64,
    /// Games that could not be read.
    pub faults: u64,
    /// Plies counted of each game.
    pub plies: u8,
    /// Whether some positions did not fit.
    pub is_full: bool,
    /// The moves, the most frequent first.
    pub moves: Vec<MoveStatistics>,
}

/// The outcome of a try in an exercise.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Tried {
    pub number: u32,
    pub judgement: Judgement,
    /// The move as people write it, or why it is refused.
    pub text: String,
    /// The move by its points; nothing if it is refused.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    pub position: Option<Shown>,
    /// The moves that follow.
    pub answer: Option<Answer>,
    /// How much of a win it gives away, in percent.
    pub loss: u32,
    /// Moves to mate for the side that made it; negative when it is mated.
    pub mate: Option<i16>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct TreeNode {
    id: NodeId,
    parent: Option<NodeId>,
    san: String,
    /// Plies since White's first move by the number of the move.
    ply: u32,
    children: Vec<NodeId>,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(flatten)]
    noted: NotesShown,
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
            noted: NotesShown::of(&node.notes, !node.position.side_to_move()),
            nags: node.nags.clone(),
            verdict: node.verdict,
        }
    }
}

impl Reply {
    pub fn tree(tree: &GameTree) -> Reply {
        Reply::Tree { nodes: tree.nodes().map(|(id, node)| TreeNode::of(id, node)).collect() }
    }
}

/// Where one looks, and how the play stands.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct State {
    /// The game's name.
    pub id: String,
    pub game: Variant,
    pub node: NodeId,
    pub position: Shown,
    /// The FEN of the first position.
    pub start: String,
    pub play: Option<PlayState>,
    pub analysing: bool,
    pub threat: bool,
    /// Whether every position is looked at, for the graph.
    pub sweeping: bool,
    /// The names of White and Black that it came with.
    pub players: [Option<String>; 2],
    /// How it ended, if it was not played here.
    pub ending: Option<EndingShown>,
}

/// How a game ended that was not played here.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EndingShown {
    /// The last node of its main line.
    pub node: NodeId,
    /// The result and, as far as that is known, the reason.
    #[serde(flatten)]
    pub ending: GameEnding,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct PlayState {
    /// Whether people play White and Black.
    pub people: [bool; 2],
    /// The engine's strength.
    pub elo: Option<u32>,
    /// The last node of the game.
    pub last: NodeId,
    /// Milliseconds left of White and Black, with clocks.
    pub left: Option<[u32; 2]>,
    pub running: Option<&'static str>,
    /// Whether somebody has asked for a pause.
    pub paused: bool,
    /// Whether the engine thinks about its move.
    pub thinking: bool,
    /// Whether it thinks about the reply that it expects.
    pub pondering: bool,
    /// The result, when it is over.
    pub result: Option<&'static str>,
    /// Why it is over.
    pub reason: Option<String>,
}
