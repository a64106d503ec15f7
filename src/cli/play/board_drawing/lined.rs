//! Lined boards: points joined along files and ranks, and slantwise where file + rank is
//! even.

use super::grid::{Grid, corner};
use super::{BoardDrawing, INDENT};

fn is_diagonal(file: u8, rank: u8) -> bool {
    (file + rank).is_multiple_of(2)
}

/// Steps from the first to the last point of a line.
fn steps(drawing: &BoardDrawing) -> u16 {
    u16::from(drawing.variant.board_size()) - 1
}

pub(super) fn width(drawing: &BoardDrawing) -> u16 {
    INDENT + 2 * drawing.scale * steps(drawing) + 2
}

/// The points and lines, and a row for the letters of the files.
pub(super) fn height(drawing: &BoardDrawing) -> u16 {
    drawing.scale * steps(drawing) + 2
}

pub(super) fn spot(drawing: &BoardDrawing, file: u8, rank: u8) -> (u16, u16) {
    let from_left = u16::from(drawing.turned(file));
    let from_bottom = u16::from(drawing.turned(rank));
    let from_top = steps(drawing).saturating_sub(from_bottom);
    (INDENT + 2 * drawing.scale * from_left, drawing.scale * from_top)
}

pub(super) fn grid(drawing: &BoardDrawing) -> Grid {
    let mut grid = Grid::new(width(drawing), height(drawing));
    let size = drawing.variant.board_size();
    for (file, rank) in drawing.points() {
        if file + 1 < size {
            draw_along(drawing, &mut grid, (file, rank), (file + 1, rank));
        }
        if rank + 1 < size {
            draw_along(drawing, &mut grid, (file, rank), (file, rank + 1));
        }
        if file + 1 < size && rank + 1 < size {
            draw_slanting(drawing, &mut grid, file, rank);
        }
    }
    for (file, rank) in drawing.points() {
        let (column, row) = spot(drawing, file, rank);
        grid.set(column, row, empty_point(drawing, file, rank));
    }
    for number in 0..size {
        let (_, row) = spot(drawing, 0, number);
        grid.set(1, row, char::from(b'1' + number));
        let (column, _) = spot(drawing, number, 0);
        grid.set(column, height(drawing) - 1, char::from(b'a' + number));
    }
    grid
}

/// A line along a rank or a file, without its ends.
fn draw_along(drawing: &BoardDrawing, grid: &mut Grid, from: (u8, u8), to: (u8, u8)) {
    let (x1, y1) = spot(drawing, from.0, from.1);
    let (x2, y2) = spot(drawing, to.0, to.1);
    let [level, upright] = if drawing.unicode { ['─', '│'] } else { ['-', '|'] };
    for column in x1.min(x2) + 1..x1.max(x2) {
        grid.set(column, y1, level);
    }
    for row in y1.min(y2) + 1..y1.max(y2) {
        grid.set(x1, row, upright);
    }
}

/// The line across the cell whose lower left point this is, seen from White's side. It is
/// the same one from the other side: a half turn keeps slants.
fn draw_slanting(drawing: &BoardDrawing, grid: &mut Grid, file: u8, rank: u8) {
    let (x1, y1) = spot(drawing, file, rank);
    let (x2, y2) = spot(drawing, file + 1, rank + 1);
    let (left, top) = (x1.min(x2), y1.min(y2));
    let rises = is_diagonal(file, rank);
    let line = match (drawing.unicode, rises) {
        (true, true) => '╱',
        (true, false) => '╲',
        (false, true) => '/',
        (false, false) => '\\',
    };
    for step in 1..drawing.scale {
        let along = if rises { 2 * (drawing.scale - step) } else { 2 * step };
        grid.set(left + along, top + step, line);
    }
}

/// Diagonal points differ from plain points also where nothing stands on them.
fn empty_point(drawing: &BoardDrawing, file: u8, rank: u8) -> char {
    match (drawing.unicode, is_diagonal(file, rank)) {
        (true, true) => '•',
        (true, false) => {
            let last = drawing.variant.board_size() - 1;
            let (from_left, from_bottom) = (drawing.turned(file), drawing.turned(rank));
            corner(from_bottom < last, from_bottom > 0, from_left > 0, from_left < last)
        }
        (false, true) => '*',
        (false, false) => '+',
    }
}
