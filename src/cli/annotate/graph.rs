//! A graph of a game for the terminal: White's chances from move to move.

use qirkat_analysis::review::{GameReview, Mark, MoveReview};
use qirkat_game::Color;

const ROWS: usize = 8;
/// Columns of the scale at its left.
const SCALE: usize = 7;
/// Plies are drawn wider than one column up to this width.
const WIDEST_PLY: usize = 3;
/// Columns by the eighths to which they are filled.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Draws White's expected points: full columns are won for White, empty ones for Black.
/// The worst mark of each column stands above for White and below for Black.
pub(crate) fn text(review: &GameReview, width: usize, unicode: bool) -> String {
    let expected = review.white_expectations();
    let room = width.saturating_sub(SCALE + 1).max(1);
    let wide = (room / expected.len().max(1)).clamp(1, WIDEST_PLY);
    let columns = (expected.len() * wide).min(room);
    // Which of the points belong to a column: at least one.
    let span = |column: usize| {
        let start = column * expected.len() / columns.max(1);
        let end = (column + 1) * expected.len() / columns.max(1);
        start..end.max(start + 1).min(expected.len())
    };
    let heights: Vec<f64> = (0..columns)
        .map(|column| {
            let values = &expected[span(column)];
            values.iter().sum::<f64>() / values.len().max(1) as f64
        })
        .collect();
    let marks = |color: Color| -> String {
        let marks = (0..columns).map(|column| {
            let is_first = column == 0 || span(column) != span(column - 1);
            if is_first { worst_mark(review, span(column), color) } else { ' ' }
        });
        marks.collect()
    };
    let mut text = marked("White", &marks(Color::White));
    for row in (0..ROWS).rev() {
        let scale = match row {
            _ if row == ROWS - 1 => "100 %",
            _ if row == ROWS / 2 => "50 %",
            0 => "0 %",
            _ => "",
        };
        let cells: String = heights.iter().map(|&height| cell(height, row, unicode)).collect();
        text.push_str(format!("{scale:>width$} {cells}", width = SCALE - 1).trim_end());
        text.push('\n');
    }
    text.push_str(&marked("Black", &marks(Color::Black)));
    text.push_str(&numbers(review, columns, expected.len()));
    text
}

fn marked(name: &str, marks: &str) -> String {
    format!("{}\n", format!("{name:>width$} {marks}", width = SCALE - 1).trim_end())
}

fn cell(height: f64, row: usize, unicode: bool) -> &'static str {
    let filled = height * ROWS as f64 - row as f64;
    if unicode {
        EIGHTHS[(filled * 8.0).round().clamp(0.0, 8.0) as usize]
    } else if filled >= 0.5 {
        "#"
    } else {
        " "
    }
}

/// The letter of the worst move that a side made within some points of the graph; the
/// point behind a move is the one after it.
fn worst_mark(review: &GameReview, points: std::ops::Range<usize>, color: Color) -> char {
    let moves = points.filter_map(|point| review.moves.get(point.checked_sub(1)?));
    let worst = moves.filter(|review| review.mover() == color).filter_map(|review| review.mark);
    match worst.max() {
        Some(Mark::Blunder) => 'B',
        Some(Mark::Mistake) => 'm',
        Some(Mark::Inaccuracy) => 'i',
        None => ' ',
    }
}

/// The numbers of moves below the graph, as many as have room.
fn numbers(review: &GameReview, columns: usize, points: usize) -> String {
    let mut line = " ".repeat(SCALE);
    for column in 0..columns {
        let (start, end) = (column * points / columns, (column + 1) * points / columns);
        let moves =
            (start..end.max(start + 1)).filter_map(|point| review.moves.get(point.checked_sub(1)?));
        let is_told = |review: &&MoveReview| {
            let is_round = review.position.fullmove_number().is_multiple_of(10);
            line.len() == SCALE || is_round && review.mover() == Color::White
        };
        let place = SCALE + column;
        let has_room = line.len() == SCALE || line.len() + 2 <= place;
        if let Some(told) = moves.into_iter().find(is_told).filter(|_| has_room) {
            line.push_str(&" ".repeat(place - line.len()));
            line.push_str(&told.position.fullmove_number().to_string());
        }
    }
    format!("{}\n", line.trim_end())
}
