//! Lines of a search as JSON, for programs.

use serde::Serialize;

use qirkat_engine::{SearchLine, line_chances};
use qirkat_game::Outcome;
use qirkat_game::score::Score;
use qirkat_rules::variant::{AnyGame, AnyPosition};
use qirkat_search::Bound;

/// A line of search for programs. Scores are those of the side to move.
#[derive(Serialize)]
pub(super) struct JsonLine {
    depth: i16,
    seldepth: u16,
    multipv: usize,
    #[serde(flatten)]
    score: JsonScore,
    /// Probabilities to win, draw and lose, in permille.
    wdl: [u32; 3],
    nodes: u64,
    nps: u64,
    /// Whether a score that is not exact is a lower or an upper bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    hashfull: u32,
    time_ms: u128,
    pv: Vec<String>,
    san: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct JsonScore {
    /// Centipawns for the side to move; absent for a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Moves to mate, negative when the side to move is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i16>,
}

impl From<Score> for JsonScore {
    fn from(score: Score) -> JsonScore {
        let mate = score.moves_to_mate();
        JsonScore { cp: mate.is_none().then(|| score.value()), mate }
    }
}

impl JsonLine {
    /// A line found in this position.
    pub fn of(position: &AnyPosition, line: &SearchLine) -> JsonLine {
        JsonLine {
            depth: line.depth.0,
            seldepth: line.selective_depth.0,
            multipv: line.rank,
            score: line.score.into(),
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
    pub threat: Option<JsonLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impossible: Option<String>,
}

/// A position of an EPD file for programs.
#[derive(Serialize)]
pub(super) struct JsonPosition {
    pub fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(flatten)]
    pub analysis: Analysis,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Analysis {
    Line(Box<JsonLine>),
    Finished(Finished),
}
