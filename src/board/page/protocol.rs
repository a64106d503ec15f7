//! Requests, what the page may ask for, and replies, what it is told: JSON objects.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::page::endings::{Ending, Known, Truth};
use crate::page::exercise::{Answer, Judgement, Task};
use crate::page::game_tree::{GameTree, Node, NodeId, Verdict};
use crate::page::openings::MoveStatistics;
use crate::page::pgn_tree::NotesShown;
use crate::page::shown::{Lines, PointShown, Shown};
use crate::page::store::{Listed, Trouble, Unreadable};
use crate::page::training::{
    Counts, Day, Due, Grade, Graded, Item, Overview, TrainingChoice, TrainingExercise,
};
use crate::page::watched_match::{MatchView, WatchedGame};
use qirkat_analysis::casual::{Ending as GameEnding, TimeRule};
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::Variant;

/// A message from the page, one JSON object.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Request {
    // Open a game; without a name the last one, or a new one.
    Open { id: Option<String> },
    List,
    ListMore,
    Save,
    Forget { id: String },
    New(NewGame),
    // Make a move at a node, as the board or as a person writes it.
    Move { node: NodeId, text: String },
    Goto { node: NodeId },
    // Take back, up to one's own last move.
    TakeBack,
    Hint,
    Resign,
    OfferDraw,
    Pause { on: bool },
    BreakOff,
    // Analyse where one looks, or what the other side would play if it had the move.
    Analyse { on: bool, threat: Option<bool> },
    Values { node: NodeId },
    Point { node: NodeId, point: String },
    Known { node: NodeId },
    // Search every position of the main line for a moment, for the graph.
    Sweep,
    // The resources of an analysis; `hash` is megabytes.
    Settings { lines: usize, threads: usize, hash: usize },
    // Keep what the user prefers. Only the page knows what it means.
    Prefer { preferences: Map<String, Value> },
    Comment { node: NodeId, text: String },
    // Draw arrows and circles at a node, in place of those there: each as in PGN, `Ge2e4` or `Rd5`.
    Draw { node: NodeId, shapes: Vec<String> },
    // Mark a move by the numbers of PGN.
    Mark { node: NodeId, nags: Vec<u8> },
    // Make a variation the main line.
    Promote { node: NodeId },
    Remove { node: NodeId },
    Check { game: Variant, fen: String },
    Import { pgn: String },
    Pick { index: usize },
    Export,
    ExportKept { id: String },
    Review(ReviewRequest),
    Exercise(ExerciseRequest),
    Train(TrainRequest),
    // Let the engine think about the reply that it expects, or not.
    Ponder { on: bool },
    // Tell of the match that can be watched from now on, or no more.
    Watch { on: bool },
    OpenWatched { game: WatchedGame },
    // Count what was played in a file, which comes in pieces.
    LoadOpenings { name: String },
    // The piece of the file that was asked for.
    OpeningsPiece { text: String, last: bool },
    ForgetOpenings,
}

/// The time is milliseconds for each move.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ReviewRequest {
    Begin { time: u32 },
    Stop,
}

/// The requests of the page about exercises. Replies bear the number of the request.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ExerciseRequest {
    Endings,
    Draw { number: u32, ending: String },
    // Tell the best move; only endings have one that is known.
    Best { number: u32, task: Task },
    SetUp { number: u32, task: Task },
    // Try a move, as the board or as a person writes it.
    Try { number: u32, task: Task, text: String },
}

/// The requests of the page about training. It knows which day it is where the user lives.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum TrainRequest {
    Due { today: Day },
    // Mistakes of games that were not played here may count, too.
    Overview { today: Day, others: bool },
    Puzzles { game: Variant },
    Next { today: Day, want: TrainingChoice, after: Option<Item> },
    Grade { today: Day, item: Item, grade: Grade },
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    pub game: Variant,
    pub fen: Option<String>,
    pub people: Option<[bool; 2]>,
    /// How strong the engine plays; as it can when not given.
    pub elo: Option<u32>,
    /// Milliseconds for each move of the engine without clocks.
    pub think: Option<u32>,
    pub clock: Option<TimeRule>,
}

/// A message to the page, one JSON object.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "say", rename_all = "kebab-case")]
pub(crate) enum Reply {
    Hello(Box<Hello>),
    // The moves of the game, each behind the one before it.
    Tree { nodes: Vec<TreeNode> },
    // Where one looks, and how the play stands.
    State(Box<State>),
    Lines(Box<Lines>),
    // What a search has found; of one through the game, how many positions are done and in all.
    Verdict { node: NodeId, verdict: Verdict, progress: Option<[usize; 2]> },
    // The worth of each piece, in centipawns of its side.
    Values { node: NodeId, values: BTreeMap<String, i32> },
    Known(Known),
    Point(PointShown),
    Refused { reason: String },
    Hint { points: Vec<String>, san: String },
    Note { text: String },
    Error { text: String },
    // A piece of the list of games, the last one first, and what could not be read between them.
    Games { games: Vec<Listed>, unreadable: Vec<Unreadable>, left: usize },
    Forgotten { id: String },
    // Something could not be saved yet; nothing when all is saved.
    Unsaved { trouble: Option<Trouble> },
    Imported { games: Vec<String>, faults: Vec<String> },
    // Whether a FEN is one, and the fault in it, or what was put right.
    Checked { asked: String, fen: Option<String>, text: Option<String> },
    Written { pgn: String, fen: String },
    // Nothing where the game cannot be read.
    KeptWritten { id: String, pgn: Option<String> },
    Review { kept: Option<Value> },
    // How far a review has come; nothing when none goes on.
    Reviewing { progress: Option<[usize; 2]> },
    Due(Due),
    Training(Box<Overview>),
    Puzzles(Counts),
    Posed { posed: TrainingExercise, left: usize },
    Graded(Graded),
    Endings { endings: &'static [Ending] },
    EndingDrawn { number: u32, game: Variant, fen: String },
    // What an ending, or a move in it, is worth; what else is told of it follows.
    EndingTold { number: u32, truth: Option<Truth>, best: Option<Truth> },
    EndingHint { number: u32, text: String, san: String },
    Exercise { number: u32, position: Box<Shown> },
    Tried(Box<Tried>),
    TakenOver,
    Match { view: Box<MatchView> },
    // The next piece of the file of openings is wanted.
    OpeningsWanted { games: u64 },
    // The moves that were played where one looks; nothing when there is no file any more.
    Openings { here: Option<Box<OpeningsHere>> },
}

/// The greeting: what the engine may be asked for.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Hello {
    pub version: &'static str,
    pub elo: [u32; 2],
    pub threads: usize,
    /// Megabytes that a table may have.
    pub hash: usize,
    /// Whether the engine can do more than one thing at a time: think on the user's
    /// time, count a file of games.
    pub background: bool,
    /// The name of the file of a match that can be watched.
    pub watch: Option<String>,
    pub preferences: Map<String, Value>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct OpeningsHere {
    pub node: NodeId,
    pub file: String,
    pub games: u64,
    pub faults: u64,
    pub plies: u8,
    pub is_full: bool,
    /// The moves, the most frequent first.
    pub moves: Vec<MoveStatistics>,
}

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
    pub answer: Option<Answer>,
    /// How much of a win it gives away, in percent.
    pub loss: u32,
    /// Moves to mate for the side that made it; negative when it is mated.
    pub mate: Option<i16>,
}

impl Tried {
    /// A try that is not legal or cannot be judged, and why.
    pub fn refused(number: u32, text: String) -> Tried {
        let judgement = Judgement::Refused;
        let (mv, position, answer, mate) = (None, None, None, None);
        Tried { number, judgement, text, mv, position, answer, loss: 0, mate }
    }
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

#[derive(Clone, Debug, Serialize)]
pub(crate) struct State {
    pub id: String,
    pub game: Variant,
    pub node: NodeId,
    pub position: Shown,
    pub start: String,
    pub play: Option<PlayState>,
    pub analysing: bool,
    pub threat: bool,
    pub sweeping: bool,
    pub players: [Option<String>; 2],
    /// How it ended, if it was not played here.
    pub ending: Option<EndingShown>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct EndingShown {
    pub node: NodeId,
    #[serde(flatten)]
    pub ending: GameEnding,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct PlayState {
    /// Whether people play White and Black.
    pub people: [bool; 2],
    pub elo: Option<u32>,
    pub last: NodeId,
    /// Milliseconds left of White and Black, with clocks.
    pub left: Option<[u32; 2]>,
    pub running: Option<&'static str>,
    pub paused: bool,
    pub thinking: bool,
    pub pondering: bool,
    pub result: Option<&'static str>,
    pub reason: Option<String>,
}
