//! Draws the board with characters, at several sizes and from either side, and locates its points.
//! It knows no terminal colours.

use qirkat_rules::picture::{LineStyle, Picture};
use qirkat_rules::variant::{AnyPosition, Place, Variant};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BoardDrawing {
    pub variant: Variant,
    /// Rows per rank, at least [`BoardDrawing::MIN_SCALE`]; files are twice as many columns
    /// apart.
    pub scale: u16,
    pub flipped: bool,
    pub unicode: bool,
}

impl BoardDrawing {
    pub const MIN_SCALE: u16 = 2;
    pub const MAX_SCALE: u16 = 4;

    /// Width in columns. On a lined board a piece may reach a column beyond the rightmost file.
    pub fn width(&self) -> u16 {
        let rows = self.rows(|_, _| None);
        let columns = rows.iter().map(|row| row.chars().count()).max().unwrap_or_default() as u16;
        if self.variant == Variant::Masonic { columns } else { columns + 1 }
    }

    pub fn height(&self) -> u16 {
        self.rows(|_, _| None).len() as u16
    }

    fn picture<'a>(&self, letter: impl Fn(u8, u8) -> Option<char> + 'a) -> Picture<'a> {
        let &BoardDrawing { variant, scale, flipped, unicode } = self;
        let style = LineStyle { scale: scale as u8, flipped, unicode };
        Picture::new(variant, letter).with_style(style)
    }

    /// Column and row of a point, by file and rank from 0.
    pub fn spot(&self, file: u8, rank: u8) -> (u16, u16) {
        let (column, row) = self.picture(|_, _| None).spot(file, rank);
        (column as u16, row as u16)
    }

    pub fn points(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let size = self.variant.board_size();
        (0..size).flat_map(move |rank| (0..size).map(move |file| (file, rank)))
    }

    /// The point near a column and row, if any is near enough.
    pub fn point_at(&self, column: u16, row: u16) -> Option<(u8, u8)> {
        let near = |&(file, rank): &(u8, u8)| {
            let (at_column, at_row) = self.spot(file, rank);
            // A terminal cell is about twice as high as wide.
            let rows = self.scale.div_ceil(2);
            column.abs_diff(at_column) < self.scale && row.abs_diff(at_row) < rows
        };
        self.points().find(near)
    }

    /// The rows of the board with these letters.
    pub fn rows(&self, letter: impl Fn(u8, u8) -> Option<char>) -> Vec<String> {
        let text = self.picture(letter).to_string();
        text.lines().filter(|row| !row.is_empty()).map(str::to_owned).collect()
    }

    /// The board with its pieces as text, without trailing spaces.
    pub fn text(&self, position: &AnyPosition) -> String {
        let pieces = position.pieces();
        let on = |file, rank| pieces.iter().find(|(place, _)| *place == Place { file, rank });
        let rows = self.rows(|file, rank| on(file, rank).map(|(_, letter)| *letter));
        rows.iter().map(|row| format!("{}\n", row.trim_end())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawings() -> impl Iterator<Item = BoardDrawing> {
        let scales = BoardDrawing::MIN_SCALE..=BoardDrawing::MAX_SCALE;
        Variant::ALL.into_iter().flat_map(move |variant| {
            scales.clone().flat_map(move |scale| {
                [(false, false), (true, false), (false, true), (true, true)]
                    .map(|(flipped, unicode)| BoardDrawing { variant, scale, flipped, unicode })
            })
        })
    }

    #[test]
    fn every_point_is_found_where_it_is_drawn() {
        for drawing in drawings() {
            for (file, rank) in drawing.points() {
                let (column, row) = drawing.spot(file, rank);
                assert!(column + 1 < drawing.width() && row < drawing.height(), "{drawing:?}");
                for column in column - 1..=column + 1 {
                    assert_eq!(drawing.point_at(column, row), Some((file, rank)), "{drawing:?}");
                }
            }
            assert_eq!(drawing.point_at(0, 0), None);
            assert_eq!(drawing.point_at(u16::MAX, u16::MAX), None);
        }
    }

    #[test]
    fn drawings_keep_within_their_size_and_letters() {
        for drawing in drawings() {
            let text = drawing.text(&drawing.variant.start());
            let (width, height) = (usize::from(drawing.width()), usize::from(drawing.height()));
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
            assert_eq!(text.lines().count(), height, "{text}");
            assert_eq!(text.is_ascii(), !drawing.unicode, "{text}");
        }
    }

    #[test]
    fn a_flipped_board_has_black_below() {
        let drawing =
            BoardDrawing { variant: Variant::Alquerque, scale: 2, flipped: true, unicode: false };
        let text = drawing.text(&Variant::Alquerque.start());
        assert!(text.starts_with(" 1  M---M---M---M---M\n    | \\ | / | \\ | / |\n"), "{text}");
        assert!(text.ends_with("\n    e   d   c   b   a\n"), "{text}");
    }
}
