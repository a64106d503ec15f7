//! The board of Masonic chess: cells like bricks, every other rank shifted by half a cell.
//!
//! Along a rank everything is counted in half cells from the left end of the board, so
//! that the corners of all cells are whole numbers.

use super::BoardDrawing;

/// Columns before the first cell, with the numbers of the ranks.
const INDENT: u16 = 4;

/// Half cells of the whole board, and of a rank.
const HALVES: u16 = 17;
const HALVES_OF_RANK: u16 = 16;
const RANKS: u8 = 8;
/// Rows before the first rank: the letters of the files, and the border.
const HEAD: u16 = 2;

/// Where a cell begins, in half cells from the left.
fn left_half(drawing: &BoardDrawing, file: u8, rank: u8) -> u16 {
    let half = 2 * u16::from(file) + u16::from(rank % 2);
    if drawing.flipped { HALVES - 2 - half } else { half }
}

fn from_top(drawing: &BoardDrawing, rank: u8) -> u16 {
    u16::from(RANKS - 1 - drawing.turned(rank))
}

/// The rank that is this many ranks from the top.
fn rank_at(drawing: &BoardDrawing, from_top: u16) -> Option<u8> {
    (0..RANKS).find(|&rank| self::from_top(drawing, rank) == from_top)
}

pub(crate) fn width(drawing: &BoardDrawing) -> u16 {
    INDENT + HALVES * drawing.scale + 1
}

pub(crate) fn height(drawing: &BoardDrawing) -> u16 {
    HEAD + drawing.scale * u16::from(RANKS) + 1
}

pub(crate) fn spot(drawing: &BoardDrawing, file: u8, rank: u8) -> (u16, u16) {
    let scale = drawing.scale;
    let column = INDENT + scale * (left_half(drawing, file, rank) + 1);
    (column, HEAD + scale * from_top(drawing, rank) + (scale - 1) / 2)
}

/// Characters in rows and columns. Outside nothing is drawn.
struct Grid(Vec<Vec<char>>);

impl Grid {
    fn set(&mut self, column: u16, row: u16, letter: char) {
        let cells = self.0.get_mut(usize::from(row));
        if let Some(cell) = cells.and_then(|row| row.get_mut(usize::from(column))) {
            *cell = letter;
        }
    }
}

/// The rows of the board, with these letters in its cells.
pub(crate) fn rows(drawing: &BoardDrawing, letter: impl Fn(u8, u8) -> Option<char>) -> Vec<String> {
    let mut grid = Grid(vec![vec![' '; width(drawing).into()]; height(drawing).into()]);
    let upright = if drawing.unicode { '│' } else { '|' };
    for joint in 0..=u16::from(RANKS) {
        draw_joint(drawing, &mut grid, joint);
    }
    for rank in 0..RANKS {
        let first = borders(drawing, rank).0;
        for row in 0..drawing.scale - 1 {
            let row = HEAD + drawing.scale * from_top(drawing, rank) + row;
            for border in (0..=HALVES_OF_RANK).step_by(2) {
                grid.set(INDENT + drawing.scale * (first + border), row, upright);
            }
        }
        grid.set(1, spot(drawing, 0, rank).1, char::from(b'1' + rank));
    }
    let letters = [(0, 0), (u16::from(RANKS) - 1, height(drawing) - 1)];
    for (from_top, row) in letters {
        for file in 0..drawing.variant.board_size() {
            if let Some(rank) = rank_at(drawing, from_top) {
                grid.set(spot(drawing, file, rank).0, row, char::from(b'a' + file));
            }
        }
    }
    for (file, rank) in drawing.points() {
        if let Some(letter) = letter(file, rank) {
            let (column, row) = spot(drawing, file, rank);
            grid.set(column, row, letter);
        }
    }
    grid.0.into_iter().map(|row| row.into_iter().collect()).collect()
}

/// The half cells at which a rank begins and ends.
fn borders(drawing: &BoardDrawing, rank: u8) -> (u16, u16) {
    let ends = [0, RANKS - 1].map(|file| left_half(drawing, file, rank));
    let first = ends[0].min(ends[1]);
    (first, first + HALVES_OF_RANK)
}

/// The line between two ranks, or above the first or below the last.
fn draw_joint(drawing: &BoardDrawing, grid: &mut Grid, joint: u16) {
    let above = joint.checked_sub(1).and_then(|rank| rank_at(drawing, rank));
    let below = rank_at(drawing, joint);
    let neighbours = || above.iter().chain(&below).map(|&rank| borders(drawing, rank));
    let first = neighbours().map(|(first, _)| first).min().unwrap_or(0);
    let last = neighbours().map(|(_, last)| last).max().unwrap_or(HALVES);
    let is_border = |rank: Option<u8>, half: u16| {
        rank.map(|rank| borders(drawing, rank)).is_some_and(|(first, last)| {
            (first..=last).contains(&half) && (half - first).is_multiple_of(2)
        })
    };
    let row = HEAD - 1 + drawing.scale * joint;
    for column in drawing.scale * first..=drawing.scale * last {
        grid.set(INDENT + column, row, if drawing.unicode { '─' } else { '-' });
    }
    for half in first..=last {
        let (up, down) = (is_border(above, half), is_border(below, half));
        let letter = if drawing.unicode {
            corner(up, down, half > first, half < last)
        } else if up || down {
            '+'
        } else {
            '-'
        };
        grid.set(INDENT + drawing.scale * half, row, letter);
    }
}

/// The character where lines meet that lead up, down, left and right.
fn corner(up: bool, down: bool, left: bool, right: bool) -> char {
    match (up, down, left, right) {
        (true, true, true, true) => '┼',
        (true, true, false, true) => '├',
        (true, true, true, false) => '┤',
        (true, false, true, true) => '┴',
        (false, true, true, true) => '┬',
        (true, false, false, true) => '└',
        (true, false, true, false) => '┘',
        (false, true, false, true) => '┌',
        (false, true, true, false) => '┐',
        _ => '─',
    }
}
