//! The board with pieces and marks.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::board_drawing::BoardDrawing;
use super::super::piece_letters::{PieceLetter, pieces};
use super::app::App;
use super::layout::put;
use super::marks::{Mark, marks};
use super::theme::Theme;
use qirkat_rules::variant::Place;

pub(super) fn draw(buffer: &mut Buffer, area: Rect, drawing: &BoardDrawing, app: &App) {
    let theme = app.theme();
    for (row, text) in (0..).zip(drawing.rows(|_, _| None)) {
        put(buffer, area, 0, row, &text, theme.lines());
    }
    let session = app.session();
    let marks = marks(session, app.input().text());
    let pieces = pieces(session.game().position());
    for (file, rank) in drawing.points() {
        let piece = pieces.iter().find(|piece| (piece.file, piece.rank) == (file, rank));
        let mark = marks.get(&Place { file, rank }.to_string()).copied();
        let spot = drawing.spot(file, rank);
        match piece {
            Some(piece) => draw_piece(buffer, area, spot, *piece, mark, theme),
            None => draw_empty(buffer, area, spot, mark, theme),
        }
    }
}

/// A piece, as wide as three columns where there are colours or a mark.
fn draw_piece(
    buffer: &mut Buffer,
    area: Rect,
    (column, row): (u16, u16),
    piece: PieceLetter,
    mark: Option<Mark>,
    theme: Theme,
) {
    let style = theme.piece(piece.color());
    let style = mark.map_or(style, |mark| theme.marked(mark, style));
    let letter = theme.letter(piece.letter);
    let text = match mark.and_then(Mark::brackets) {
        Some([left, right]) => format!("{left}{letter}{right}"),
        None if theme.colors => format!(" {letter} "),
        None => return put(buffer, area, column, row, &letter.to_string(), style),
    };
    put(buffer, area, column - 1, row, &text, style);
}

/// A mark on a point where nothing stands.
fn draw_empty(
    buffer: &mut Buffer,
    area: Rect,
    (column, row): (u16, u16),
    mark: Option<Mark>,
    theme: Theme,
) {
    let Some(mark) = mark else { return };
    let style = theme.marked(mark, Style::new());
    match mark.brackets() {
        None => put(buffer, area, column, row, theme.target(), style),
        Some([left, right]) => {
            put(buffer, area, column - 1, row, left, style);
            put(buffer, area, column + 1, row, right, style);
        }
    }
}
