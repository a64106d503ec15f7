//! Requests: what the page may ask for.

use serde::Deserialize;

use super::exercise::Task;
use super::game_tree::NodeId;
use super::training::{Day, Grade, Item, Want};
use super::watched_match::WatchedGame;
use qirkat_analysis::casual::TimeRule;
use qirkat_rules::variant::Variant;

/// A message from the page, one JSON object.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Request {
    /// Open a game; without a name the last one, or a new one.
    Open {
        id: Option<String>,
    },
    /// List the games that are kept.
    List,
    ListMore,
    /// Try again to save what could not be saved.
    Save,
    /// Throw a game away.
    Forget {
        id: String,
    },
    /// Begin to play or, with nobody playing, to analyse.
    New(NewGame),
    /// Make a move at a node, as the board or as a person writes it.
    Move {
        node: NodeId,
        text: String,
    },
    /// Look at a node.
    Goto {
        node: NodeId,
    },
    /// Take back, up to one's own last move.
    TakeBack,
    /// Which move would be good?
    Hint,
    /// Give up.
    Resign,
    OfferDraw,
    /// Let the clocks stand still, or run.
    Pause {
        /// Whether they stand still.
        on: bool,
    },
    /// End the play without a result, to analyse.
    BreakOff,
    /// Analyse where one looks, or stop.
    Analyse {
        on: bool,
        /// Whether to show the threat instead: the best move of the other side if it had the move.
        #[serde(default)]
        threat: bool,
    },
    /// Tell each piece's worth, by the network.
    Values {
        node: NodeId,
    },
    /// Tell what attacks a point, and where the piece on it may go.
    Point {
        node: NodeId,
        /// The point's name.
        point: String,
    },
    /// Tell what is known for certain of each move.
    Known {
        node: NodeId,
    },
    /// Search every position of the main line for a moment, for the graph.
    Sweep,
    /// How to analyse from now on.
    Settings {
        lines: usize,
        threads: usize,
        /// Megabytes of the table.
        hash: usize,
    },
    /// Keep what the user prefers. Only the page knows what it means.
    Prefer {
        preferences: serde_json::Map<String, serde_json::Value>,
    },
    /// Say something of a node.
    Comment {
        node: NodeId,
        text: String,
    },
    /// Draw arrows and circles at a node, in place of those there.
    Draw {
        node: NodeId,
        /// Each as in PGN: `Ge2e4`, `Rd5`.
        shapes: Vec<String>,
    },
    /// Mark a move's worth.
    Mark {
        /// The node that it leads to.
        node: NodeId,
        /// The marks by their numbers in PGN.
        nags: Vec<u8>,
    },
    /// Make a variation the main line.
    Promote {
        node: NodeId,
    },
    /// Delete a move and what follows.
    Remove {
        node: NodeId,
    },
    Check {
        game: Variant,
        fen: String,
    },
    /// Read games in PGN.
    Import {
        pgn: String,
    },
    /// Open one of the games that were read.
    Pick {
        /// Counted from 0.
        index: usize,
    },
    /// Write the game down.
    Export,
    /// Write a game down that is kept.
    ExportKept {
        id: String,
    },
    Review(ReviewRequest),
    Exercise(ExerciseRequest),
    Train(TrainRequest),
    /// Let the engine think about the reply that it expects, or not.
    Ponder {
        on: bool,
    },
    /// Tell of the match that can be watched from now on, or no more.
    Watch {
        on: bool,
    },
    /// Open a game of that match.
    OpenWatched {
        game: WatchedGame,
    },
    /// Count what was played in a file, which comes in pieces.
    LoadOpenings {
        name: String,
    },
    /// The piece of the file that was asked for.
    OpeningsPiece {
        text: String,
        last: bool,
    },
    /// Look into that file no more.
    ForgetOpenings,
}

/// The requests of the page about reviews.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ReviewRequest {
    /// Review the main line.
    Begin {
        /// Milliseconds for each move.
        time: u32,
    },
    /// Break it off.
    Stop,
}

/// The requests of the page about exercises. Replies bear the number of the request.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ExerciseRequest {
    /// Which endings are there to practise?
    Endings,
    /// Draw a position of an ending by chance.
    Draw {
        number: u32,
        /// The ending's name.
        ending: String,
    },
    /// Tell the best move; only endings have one that is known.
    Best { number: u32, task: Task },
    /// Tell the position.
    SetUp { number: u32, task: Task },
    /// Judge a move.
    Try {
        number: u32,
        task: Task,
        /// The move, as the board or as a person writes it.
        text: String,
    },
}

/// The requests of the page about training. It knows which day it is where the user lives.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum TrainRequest {
    /// How much comes again today?
    Due { today: Day },
    Overview {
        today: Day,
        /// Whether mistakes of games that were not played here count.
        others: bool,
    },
    /// Which puzzles does a game have?
    Puzzles { game: Variant },
    /// Pose the next position.
    Next { today: Day, want: Want, after: Option<Item> },
    /// Note how a position went.
    Grade { today: Day, item: Item, grade: Grade },
}

/// How a new game is to be played.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    pub game: Variant,
    /// Where it starts, if not as usual.
    pub fen: Option<String>,
    /// Who plays; nobody, to analyse.
    pub people: Option<[bool; 2]>,
    /// How strong the engine plays; as it can when not given.
    pub elo: Option<u32>,
    /// Milliseconds for each move of the engine without clocks.
    pub think: Option<u32>,
    pub clock: Option<TimeRule>,
}
