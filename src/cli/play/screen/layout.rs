//! The layout of the screen, and texts at places of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::board_drawing::BoardDrawing;
use qirkat_rules::variant::Variant;

/// The place of everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    pub drawing: BoardDrawing,
    /// The line on top.
    pub title: Rect,
    pub board: Rect,
    /// Players, clocks and moves.
    pub panel: Rect,
    pub message: Rect,
    pub input: Rect,
    pub keys: Rect,
}

/// Columns and rows without which there is no room.
pub(super) const LEAST_WIDTH: u16 = 80;
pub(super) const LEAST_HEIGHT: u16 = 24;
/// Rows of a page that are not its text.
pub(super) const PAGE_FRAME: u16 = 2;
/// Rows besides those of the board.
const TITLE_ROWS: u16 = 1;
const MESSAGE_ROWS: u16 = 2;
const OTHER_ROWS: u16 = TITLE_ROWS + MESSAGE_ROWS + 2;
/// Columns before the board, and between it and the panel.
const GAP: u16 = 1;
/// Columns of the panel, at least and at most.
const LEAST_PANEL: u16 = 36;
const MOST_PANEL: u16 = 48;

impl Layout {
    /// Where everything is in an area of the terminal; nothing when it is too small.
    pub fn of(area: Rect, variant: Variant, flipped: bool, unicode: bool) -> Option<Layout> {
        if area.width < LEAST_WIDTH || area.height < LEAST_HEIGHT {
            return None;
        }
        let drawing = |scale| BoardDrawing { variant, scale, flipped, unicode };
        let rows = area.height - OTHER_ROWS;
        let fits = |scale: &u16| {
            let drawing = drawing(*scale);
            drawing.height() <= rows && drawing.width() + 3 * GAP + LEAST_PANEL <= area.width
        };
        let scales = BoardDrawing::LEAST_SCALE..=BoardDrawing::MOST_SCALE;
        let drawing = drawing(scales.rev().find(fits).unwrap_or(BoardDrawing::LEAST_SCALE));
        let row = |from_bottom: u16, height: u16| {
            Rect::new(area.x, area.bottom() - from_bottom, area.width, height)
        };
        let top = area.y + TITLE_ROWS;
        let board = Rect::new(area.x + GAP, top, drawing.width(), drawing.height());
        let left = board.right() + 2 * GAP;
        Some(Layout {
            drawing,
            title: Rect::new(area.x, area.y, area.width, TITLE_ROWS),
            board,
            panel: Rect::new(left, top, (area.right() - left).min(MOST_PANEL), rows),
            message: row(2 + MESSAGE_ROWS, MESSAGE_ROWS),
            input: row(2, 1),
            keys: row(1, 1),
        })
    }
}

/// Writes a text at a place of an area, as far as there is room.
pub(super) fn put(
    buffer: &mut Buffer,
    area: Rect,
    column: u16,
    row: u16,
    text: &str,
    style: Style,
) {
    let place = Rect::new(area.x.saturating_add(column), area.y.saturating_add(row), 1, 1);
    if column < area.width && row < area.height && place.intersects(buffer.area) {
        let room = usize::from(area.width - column);
        buffer.set_stringn(place.x, place.y, text, room, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_room_and_nothing_overlaps() {
        for variant in Variant::ALL {
            for (width, height) in [(80, 24), (81, 25), (120, 40), (300, 90), (80, 200)] {
                let area = Rect::new(0, 0, width, height);
                let layout = Layout::of(area, variant, false, true).expect("room");
                let Layout { title, board, panel, message, input, keys, .. } = layout;
                let all = [title, board, panel, message, input, keys];
                for (index, one) in all.iter().enumerate() {
                    assert_eq!(one.intersection(area), *one, "{layout:?}");
                    assert!(all[index + 1..].iter().all(|other| !one.intersects(*other)));
                }
                assert!(panel.width >= LEAST_PANEL && panel.height >= 18, "{layout:?}");
            }
            for (width, height) in [(79, 24), (80, 23), (0, 0), (1, 1)] {
                let area = Rect::new(0, 0, width, height);
                assert_eq!(Layout::of(area, variant, false, true), None);
            }
        }
    }

    #[test]
    fn larger_terminals_have_larger_boards() {
        let scale = |width, height| {
            let area = Rect::new(0, 0, width, height);
            Layout::of(area, Variant::Chesquerque, false, true).map(|layout| layout.drawing.scale)
        };
        assert_eq!(scale(80, 24), Some(2));
        assert_eq!(scale(100, 32), Some(3));
        assert_eq!(scale(120, 40), Some(4));
    }
}
