//! The marks on the board.

use std::collections::HashMap;

use super::super::move_input;
use super::super::piece_letters::pieces;
use super::super::session::Session;
use qirkat_analysis::casual::points_of;

/// A mark on a point. Where several would be, the first counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    /// A point of the move that is being put in.
    Chosen,
    /// An empty point where it can go on.
    Target,
    /// The same, with a piece that would be taken.
    Capture,
    /// A point of the move that was given as a hint.
    Hint,
    Check,
    /// A point of the last move.
    LastMove,
}

impl Mark {
    /// The brackets at both sides of a marked point, so that it is seen without colours.
    pub fn brackets(self) -> Option<[&'static str; 2]> {
        match self {
            Mark::Chosen => Some(["[", "]"]),
            Mark::Target => None,
            Mark::Capture => Some(["(", ")"]),
            Mark::Hint => Some(["{", "}"]),
            Mark::Check => Some(["!", "!"]),
            Mark::LastMove => Some(["<", ">"]),
        }
    }
}

/// The marks of the game as it stands, while this text is being put in.
pub(super) fn marks(session: &Session, input: &str) -> HashMap<String, Mark> {
    let game = session.game();
    let position = game.position();
    let taken: Vec<String> = pieces(position).into_iter().map(|piece| piece.point()).collect();
    let mut marks = HashMap::new();
    if let Some(last) = game.state().moves().last() {
        let (points, _) = points_of(*last);
        let ends = points.first().into_iter().chain(points.last());
        marks.extend(ends.map(|point| (point.clone(), Mark::LastMove)));
    }
    if let Some(king) = position.king_to_move().filter(|_| position.in_check()) {
        marks.insert(king, Mark::Check);
    }
    if let Some(hint) = session.hint() {
        marks.extend(points_of(hint).0.into_iter().map(|point| (point, Mark::Hint)));
    }
    if game.ending().is_none() && !game.is_engines_turn() {
        for point in move_input::targets(position, input) {
            let mark = if taken.contains(&point) { Mark::Capture } else { Mark::Target };
            marks.insert(point, mark);
        }
        let chosen = move_input::points_in(position, input);
        marks.extend(chosen.into_iter().map(|point| (point, Mark::Chosen)));
    }
    marks
}
