//! Writes texts into an area of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

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
