//! Lines of a search as JSON, for programs.

use serde::Serialize;

use qirkat_engine::{SearchLine, line_chances};
use qirkat_game::Outcome;
use qirkat_rules::variant::{AnyGame, AnyPosition, CannotPass};
use qirkat_search::Bound;

/// A line of search for programs. Scores are those of the side to move.
#[derive(Serialize)]
pub(super) struct JsonLine {
    depth: i16,
    seldepth: u16,
    multipv: usize,
    /// Centipawns for the side to move; absent for a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Moves to mate, negative when the side to move is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i16>,
    /// Probabilities to win, draw and lose, in permille.
    wdl: [u32; 3],
    nodes: u64,
    nps: u64,
    /// What a score that is not exact says: it is at least or at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    hashfull: u32,
    time_ms: u128,
    pv: Vec<String>,
    san: Vec<String>,
}

impl JsonLine {
    /// A line found in this position.
    pub fn of(position: &AnyPosition, line: &SearchLine) -> JsonLine {
        let mate = line.score.moves_to_mate();
        JsonLine {
            depth: line.depth.0,
            seldepth: line.selective_depth.0,
            multipv: line.rank,
            cp: if mate.is_none() { Some(line.score.value()) } else { None },
            mate,
            wdl: line_chances(position.variant(), line).permille(),
            bound: match line.bound {
                Bound::Exact => None,
                Bound::Lower => Some("lower"),
                Bound::Upper => Some("upper"),
            },
            nodes: line.nodes,
            nps: line.nodes_per_second(),
            hashfull: line.hashfull,
            time_ms: line.time.as_millis(),
            pv: line.moves.iter().map(|mv| mv.to_string()).collect(),
            san: position.san_line(&line.moves),
        }
    }
}

/// A game without moves for programs.
#[derive(Serialize)]
pub(super) struct Finished {
    outcome: String,
}

impl Finished {
    /// How it has ended.
    pub fn of(game: &AnyGame) -> Finished {
        let outcome = match game.outcome() {
            Some(Outcome::Draw(reason)) => reason.to_string(),
            Some(won) => won.to_string().to_lowercase(),
            None => "undecided".to_owned(),
        };
        Finished { outcome }
    }
}

/// The threat for programs: a line of the other side, or why there is none.
#[derive(Serialize)]
pub(super) struct JsonThreat {
    threat: Option<JsonLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    impossible: Option<String>,
}

impl JsonThreat {
    /// A line found after a pass.
    pub fn line(position: &AnyPosition, line: &SearchLine) -> JsonThreat {
        JsonThreat { threat: Some(JsonLine::of(position, line)), impossible: None }
    }

    /// Why nobody can pass.
    pub fn impossible(why: CannotPass) -> JsonThreat {
        JsonThreat { threat: None, impossible: Some(why.to_string()) }
    }
}

/// A position of an EPD file for programs.
#[derive(Serialize)]
pub(super) struct JsonPosition {
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(flatten)]
    found: JsonFound,
}

/// What was found in it.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum JsonFound {
    Line(Box<JsonLine>),
    Finished(Finished),
}

impl JsonPosition {
    /// A position with its name and what was found.
    pub fn new(position: &AnyPosition, id: Option<String>, found: JsonFound) -> JsonPosition {
        JsonPosition { fen: position.fen(), id, found }
    }
}
