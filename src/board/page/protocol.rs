//! Requests from the page and replies to it, as JSON objects.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::page::endings::{Endgame, Known, ProvenResult};
use crate::page::exercise::{Continuation, Judgement, Task};
use crate::page::game_tree::{Node, NodeId, Verdict};
use crate::page::openings::{BookShown, MoveStatistics};
use crate::page::pgn_tree::NotesShown;
use crate::page::shown::{Lines, MatchView, PointShown, PositionShown, WatchedGame};
use crate::page::store::{Listed, SaveFailure, Unreadable};
use crate::page::training::{
    Counts, Day, Due, Grade, Graded, Item, Overview, Results, TrainingChoice, TrainingExercise,
};
use qirkat_analysis::casual::{GameEnding, TimeControl};
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::Variant;

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Request {
    // Open a game; without an id the last one, or a new one.
    Open { id: Option<String> },
    List,
    ListMore,
    Save,
    Forget { id: String },
    New(NewGame),
    // Make a move at a node, by its points or in SAN.
    Move { node: NodeId, text: String },
    Goto { node: NodeId },
    // Take back, up to the user's last move.
    TakeBack,
    Hint,
    Resign,
    OfferDraw,
    Pause { on: bool },
    BreakOff,
    // Analyse the shown position, or the threat: the other side's best move if it were its turn.
    Analyse { on: bool, threat: Option<bool> },
    Values { node: NodeId },
    Point { node: NodeId, point: String },
    Known { node: NodeId },
    Book { node: NodeId },
    // Search every position of the main line briefly, for the graph.
    Sweep,
    // The resources of an analysis; `hash` is in megabytes.
    Settings { lines: usize, threads: usize, hash: usize },
    // Save preferences. Only the page knows their meaning.
    SavePreferences { preferences: Map<String, Value> },
    Comment { node: NodeId, text: String },
    // Replace the arrows and circles at a node: each as in PGN, `Ge2e4` or `Rd5`. The page numbers
    // these requests.
    SetShapes { number: u32, node: NodeId, shapes: Vec<String> },
    Mark { node: NodeId, nags: Vec<u8> },
    Promote { node: NodeId },
    Remove { node: NodeId },
    CheckFen { game: Variant, fen: String },
    Import { pgn: String },
    OpenImported { index: usize },
    Export,
    ExportKept { id: String },
    Review(ReviewRequest),
    Exercise(ExerciseRequest),
    Train(TrainRequest),
    Ponder { on: bool },
    Watch { on: bool },
    OpenWatched { game: WatchedGame },
    // Count the games of a file, which comes in chunks.
    LoadOpenings { name: String },
    OpeningsChunk { text: String, last: bool },
    ForgetOpenings,
    // Let a friend on another device play one side of the game, or look on.
    Share { seat: Seat },
    EndLink { seat: Seat },
    Links,
    // Answer what the friend has offered or asked for.
    Answer { offer: Offer, accept: bool },
}

/// What a link allows: to play one side, or to look on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Seat {
    White,
    Black,
    Watch,
}

impl Seat {
    pub fn side(self) -> Option<Color> {
        match self {
            Seat::White => Some(Color::White),
            Seat::Black => Some(Color::Black),
            Seat::Watch => None,
        }
    }
}

/// All that a friend's link allows.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum GuestRequest {
    Goto { node: NodeId },
    Point { node: NodeId, point: String },
    Move { node: NodeId, text: String },
    TakeBack,
    OfferDraw,
    Resign,
    Answer { offer: Offer, accept: bool },
}

/// What one player of a game between friends has offered or asked the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Offer {
    Draw,
    TakeBack,
}

/// The time is in milliseconds per move.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ReviewRequest {
    Begin { time: u32 },
    Stop,
}

/// Requests about exercises. Replies carry the request's number.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ExerciseRequest {
    Endings,
    NewEnding { number: u32, ending: String },
    // Show the best move; known only in endgames.
    Best { number: u32, task: Task },
    SetUp { number: u32, task: Task },
    // Try a move, by its points or in SAN.
    Try { number: u32, task: Task, text: String },
}

/// Requests about training. The page knows the user's local day.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum TrainRequest {
    Due { today: Day },
    // `others`: count mistakes of games not played here, too.
    Overview { today: Day, others: bool },
    Puzzles { game: Variant },
    Results,
    Next { today: Day, want: TrainingChoice, after: Option<Item> },
    Grade { today: Day, item: Item, grade: Grade },
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    pub game: Variant,
    pub fen: Option<String>,
    /// Whether people play White and Black; none to analyse.
    pub people: Option<[bool; 2]>,
    /// Full strength if not given.
    pub elo: Option<u32>,
    /// Milliseconds per engine move without clocks.
    pub think: Option<u32>,
    pub clock: Option<TimeControl>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "say", rename_all = "kebab-case")]
pub(crate) enum Reply {
    Hello(Box<Hello>),
    // The moves of the game, each after its parent, and the number of the last `SetShapes` in them.
    Tree { nodes: Vec<TreeNode>, drawn: u32 },
    // The node shown, and the state of the play.
    State(Box<State>),
    Lines(Box<Lines>),
    // A search's result; for a sweep, positions done and in all.
    Verdict { node: NodeId, verdict: Verdict, progress: Option<[usize; 2]> },
    // The worth of each piece, in centipawns for its side.
    Values { node: NodeId, values: BTreeMap<String, i32> },
    Known(Known),
    Book(BookShown),
    Point(PointShown),
    Refused { reason: String },
    Hint { points: Vec<String>, san: String },
    Note { text: String },
    Error { text: String },
    // Part of the list of games, the latest first, and the files that could not be read.
    Games { games: Vec<Listed>, unreadable: Vec<Unreadable>, left: usize },
    Forgotten { id: String },
    // Something could not be saved yet; none when all is saved.
    Unsaved { trouble: Option<SaveFailure> },
    Imported { games: Vec<String>, faults: Vec<String> },
    // Whether a FEN is valid, and its fault, or what was corrected.
    FenChecked { asked: String, fen: Option<String>, text: Option<String> },
    Exported { pgn: String, fen: String },
    // None if the game cannot be read.
    KeptExported { id: String, pgn: Option<String> },
    Review { kept: Option<Value> },
    // A review's progress; none when there is no review.
    Reviewing { progress: Option<[usize; 2]> },
    Due(Due),
    Training(Box<Overview>),
    Puzzles(Counts),
    // Empty until all games are read; `left` are still to be read.
    Results { results: BTreeMap<Variant, Results>, left: usize },
    Posed { posed: TrainingExercise, left: usize },
    Graded(Graded),
    Endings { endings: &'static [Endgame] },
    EndingPosition { number: u32, game: Variant, fen: String },
    // The value of an endgame or of a move in it; the position or judgement follows.
    EndingAnswer { number: u32, truth: Option<ProvenResult>, best: Option<ProvenResult> },
    EndingHint { number: u32, text: String, san: String },
    Exercise { number: u32, position: Box<PositionShown> },
    Tried(Box<JudgedMove>),
    TakenOver,
    Match { view: Box<MatchView> },
    OpeningsWanted { games: u64 },
    // The moves played from the shown position; none when there is no file any more.
    Openings { here: Option<Box<OpeningMovesReply>> },
    // The links to the game, and whether only this machine reaches them.
    Links { links: Vec<LinkShown>, local: bool },
    // To friends: nobody has the game open.
    Away,
}

/// A link as the owner of the game sees it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LinkShown {
    pub seat: Seat,
    pub address: String,
    pub code: Option<QrCode>,
}

/// A QR code as the path of an SVG in which each module is one unit.
#[derive(Clone, Debug, Serialize)]
pub struct QrCode {
    pub size: u32,
    pub path: String,
}

/// Sends a reply to the page; returns whether the page accepts it.
pub type Replies = Box<dyn FnMut(String) -> bool + Send>;

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Hello {
    pub elo: [u32; 2],
    pub threads: usize,
    /// The largest hash table, in megabytes.
    pub hash: usize,
    /// Whether the session can do two things at once: ponder, or count a file of games.
    pub background: bool,
    /// The file name of a match that can be watched.
    pub watch: Option<String>,
    /// Whether friends can be invited.
    pub invites: bool,
    /// What the link of a friend allows.
    pub seat: Option<Seat>,
    pub preferences: Map<String, Value>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct OpeningMovesReply {
    pub node: NodeId,
    pub file: String,
    pub games: u64,
    pub faults: u64,
    pub plies: u8,
    pub is_full: bool,
    pub moves: Vec<MoveStatistics>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct JudgedMove {
    pub number: u32,
    pub judgement: Judgement,
    /// The move in SAN, or why it was refused.
    pub text: String,
    /// The move by its points; none if refused.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    pub position: Option<PositionShown>,
    pub answer: Option<Continuation>,
    /// The expected points lost (a win is 1, a draw ½), in percent.
    pub loss: u32,
    /// Moves to mate for the side that made it; negative if it is mated.
    pub mate: Option<i16>,
}

impl JudgedMove {
    /// A try that is illegal or cannot be judged, and why.
    pub fn refused(number: u32, text: String) -> JudgedMove {
        let judgement = Judgement::Refused;
        let (mv, position, answer, mate) = (None, None, None, None);
        JudgedMove { number, judgement, text, mv, position, answer, loss: 0, mate }
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct TreeNode {
    id: NodeId,
    parent: Option<NodeId>,
    san: String,
    /// Plies since the beginning of move 1, by the move number: 1 after White's first move.
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
    pub fn of((id, node): (NodeId, &Node)) -> TreeNode {
        let number = u32::from(node.position.fullmove_number());
        let black = u32::from(node.position.side_to_move() == Color::Black);
        TreeNode {
            id,
            parent: node.parent,
            san: node.san.clone(),
            ply: 2 * number.saturating_sub(1) + black,
            children: node.children.clone(),
            comment: node.annotation.comment.clone(),
            noted: NotesShown::of(&node.annotation.notes, !node.position.side_to_move()),
            nags: node.annotation.nags.clone(),
            verdict: node.annotation.verdict,
        }
    }

    /// The move alone, and the clock.
    pub fn without_notes(mut self) -> TreeNode {
        self.comment.clear();
        self.nags.clear();
        self.verdict = None;
        self.noted.hide_all_but_clocks();
        self
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct State {
    pub id: String,
    pub game: Variant,
    pub node: NodeId,
    pub position: PositionShown,
    pub start: String,
    pub play: Option<PlayState>,
    pub analysing: bool,
    pub threat: bool,
    pub sweeping: bool,
    pub players: [Option<String>; 2],
    /// How the game ended, if it was not played here.
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
    /// The node of the last move played.
    pub last: NodeId,
    /// Milliseconds left to White and Black, with clocks.
    pub left: Option<[u32; 2]>,
    /// The side whose clock runs.
    pub running: Option<&'static str>,
    pub paused: bool,
    pub thinking: bool,
    pub pondering: bool,
    pub result: Option<&'static str>,
    pub reason: Option<String>,
    /// For White and Black, whether the one who plays it on another device is connected; none if
    /// it is played on this one, or by the engine.
    pub friends: [Option<bool>; 2],
    /// What waits for an answer, and the side that offers it.
    pub offer: Option<(Offer, &'static str)>,
}
