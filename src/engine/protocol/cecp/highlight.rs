//! Marks on the points where a lifted piece may go.

use qirkat_game::Rules;
use qirkat_rules::chesquerque::{Move, Point, Position};
use qirkat_rules::chess::board_text;

/// The pieces that a pawn may become, in the order in which XBoard offers it.
const PROMOTION_CHOICE: &str = "QRBNA";

/// XBoard's letter for a point without a mark that may be tried.
const TRANSPARENT: char = 'T';

/// The answer to `lift`: where the piece on a point may go, as a board of
/// colours, and what it may become there.
///
/// Yellow is a quiet move, red a capture (en passant too), magenta a
/// promotion. All other points are transparent: they look empty, but XBoard
/// sends a move there anyway, and the player learns why it is illegal.
/// Without a letter it would refuse the move by itself, with no reason given.
pub(super) fn highlight(position: &Position, from: Point) -> String {
    let moves: Vec<Move> =
        position.legal_moves().into_iter().filter(|mv| mv.from == from).collect();
    let mark = |point| {
        let Some(mv) = moves.iter().find(|mv| mv.to == point) else { return Some(TRANSPARENT) };
        Some(if mv.promotion.is_some() {
            'M'
        } else if position.captured(*mv).is_some() {
            'R'
        } else {
            'Y'
        })
    };
    let mut text = format!("highlight {}", board_text(mark));
    if moves.iter().any(|mv| mv.promotion.is_some()) {
        text.push_str("\nchoice ");
        text.push_str(PROMOTION_CHOICE);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Empty points, counted by digits, as they are written.
    fn transparent(board: &str) -> String {
        let spelled = |letter: char| match letter.to_digit(10) {
            Some(count) => TRANSPARENT.to_string().repeat(count as usize),
            None => letter.to_string(),
        };
        board.chars().map(spelled).collect()
    }

    #[test]
    fn marks_stand_where_the_piece_may_go() {
        for (fen, from, expected) in [
            (qirkat_rules::chesquerque::START_FEN, "e2", "highlight 9/9/9/9/9/4Y4/4Y4/9/9"),
            (qirkat_rules::chesquerque::START_FEN, "a1", "highlight 9/9/9/9/9/9/9/9/9"),
            (qirkat_rules::chesquerque::START_FEN, "e5", "highlight 9/9/9/9/9/9/9/9/9"),
            (qirkat_rules::chesquerque::START_FEN, "e8", "highlight 9/9/9/9/9/9/9/9/9"),
            (
                "1n5k1/P8/9/9/9/9/9/9/4K4 w - - 0 1",
                "a8",
                "highlight M8/9/9/9/9/9/9/9/9\nchoice QRBNA",
            ),
            ("4k4/9/7p1/5Pp2/9/9/9/9/4K4 w - g7 0 1", "f6", "highlight 9/9/5YR2/9/9/9/9/9/9"),
            ("4k4/9/9/9/9/9/9/9/R3K3R w KQ - 0 1", "e1", "highlight 9/9/9/9/9/9/9/3YYY3/1Y1Y1Y1Y1"),
        ] {
            let position = Position::from_fen(fen).expect(fen).position;
            let from = Point::parse(from).expect(from);
            let marked = highlight(&position, from);
            let (board, choice) = marked.split_once('\n').unwrap_or((&marked, ""));
            let (expected, expected_choice) = expected.split_once('\n').unwrap_or((expected, ""));
            assert_eq!(board, transparent(expected), "{fen}");
            assert_eq!(choice, expected_choice, "{fen}");
        }
    }
}
