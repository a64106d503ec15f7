//! Lines of a search, as the page shows them.

use serde::Serialize;

use super::game_tree::NodeId;
use qirkat_analysis::casual::points_of;
use qirkat_engine::{SearchLine, line_chances};
use qirkat_game::{Color, Rules};
use qirkat_rules::variant::AnyPosition;
use qirkat_search::Bound;

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Lines {
    pub node: NodeId,
    /// Whether the other side has the move, to see what it threatens.
    pub threat: bool,
    /// The best one first.
    pub lines: Vec<Line>,
    /// Positions searched.
    pub nodes: u64,
    /// Positions in a second.
    pub nps: u64,
    /// Part of the table in use, in thousandths.
    pub hashfull: u32,
    /// Plies searched, and looked ahead at most.
    pub depth: [u16; 2],
    /// Whether the search goes on.
    pub running: bool,
}

/// A line of search. Scores are White's.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Line {
    /// Its place, from 1.
    pub rank: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i16>,
    /// Permille of wins of White, draws and losses.
    wdl: [u32; 3],
    /// `>` or `<` where the score is only a bound for the side to move.
    bound: &'static str,
    depth: i16,
    /// The points of the first move.
    points: Vec<String>,
    san: Vec<String>,
    /// The board behind each move, the first field of its FEN.
    boards: Vec<String>,
}

/// Moves of a line that are shown.
const MAX_SHOWN: usize = 24;

impl Line {
    /// A line found in a position.
    pub fn of(line: &SearchLine, position: &AnyPosition) -> Line {
        let white = position.side_to_move() == Color::White;
        let sign: i16 = if white { 1 } else { -1 };
        let chances = line_chances(position.variant(), line);
        let mate = line.score.moves_to_mate();
        let moves = &line.moves[..line.moves.len().min(MAX_SHOWN)];
        let mut at = *position;
        let mut boards = Vec::new();
        for &mv in moves {
            if !at.is_legal(mv) {
                break;
            }
            at = at.after(mv);
            boards.push(at.fen().split(' ').next().unwrap_or_default().to_owned());
        }
        Line {
            rank: line.rank,
            cp: if mate.is_none() { Some(i32::from(sign) * line.score.value()) } else { None },
            mate: mate.map(|moves| sign * moves),
            wdl: if white { chances } else { chances.flipped() }.permille(),
            bound: match line.bound {
                Bound::Exact => "",
                Bound::Lower => ">",
                Bound::Upper => "<",
            },
            depth: line.depth.0,
            points: moves.first().map_or_else(Vec::new, |&mv| points_of(mv).0),
            san: position.san_line(moves),
            boards,
        }
    }
}
