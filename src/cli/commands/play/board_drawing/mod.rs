//! The board drawn with characters, at several sizes, from either side: the lines alone,
//! and where each point is among them. It knows neither pieces nor colours.

mod bricks;

use super::move_input::pieces;
use qirkat_rules::lined_board::{LineStyle, LinedBoard};
use qirkat_rules::variant::{AnyPosition, Variant};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BoardDrawing {
    pub variant: Variant,
    /// Rows from one rank to the next, from [`BoardDrawing::LEAST_SCALE`] on; from one
    /// file to the next there are twice as many columns.
    pub scale: u16,
    pub flipped: bool,
    pub unicode: bool,
}

impl BoardDrawing {
    pub const LEAST_SCALE: u16 = 2;
    pub const MOST_SCALE: u16 = 4;

    /// Columns that it takes. A piece may be a column wider than its point.
    pub fn width(&self) -> u16 {
        match self.variant {
            Variant::Masonic => bricks::width(self),
            // The last point and a column for a wide piece.
            _ => self.spot(self.last(), 0).0.max(self.spot(0, 0).0) + 2,
        }
    }

    /// Rows that it takes: on lined boards those of the points, and one for the letters of
    /// the files.
    pub fn height(&self) -> u16 {
        match self.variant {
            Variant::Masonic => bricks::height(self),
            _ => self.scale * u16::from(self.last()) + 2,
        }
    }

    /// Column and row of a point, by its file and rank counted from 0.
    pub fn spot(&self, file: u8, rank: u8) -> (u16, u16) {
        match self.variant {
            Variant::Masonic => bricks::spot(self, file, rank),
            _ => {
                let (column, row) = self.lined(|_, _| None).spot(file, rank);
                (column as u16, row as u16)
            }
        }
    }

    /// The lined board in this style, with these letters on its points.
    fn lined<'a>(&self, letter: impl Fn(u8, u8) -> Option<char> + 'a) -> LinedBoard<'a> {
        let &BoardDrawing { variant, scale, flipped, unicode } = self;
        let style = LineStyle { scale: scale as u8, flipped, unicode };
        LinedBoard::new(variant.board_size(), variant.board_size(), letter).with_style(style)
    }

    fn last(&self) -> u8 {
        self.variant.board_size() - 1
    }

    pub fn points(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let size = self.variant.board_size();
        (0..size).flat_map(move |rank| (0..size).map(move |file| (file, rank)))
    }

    /// The point that is meant by a column and a row: one that is near enough.
    pub fn point_at(&self, column: u16, row: u16) -> Option<(u8, u8)> {
        let near = |&(file, rank): &(u8, u8)| {
            let (at_column, at_row) = self.spot(file, rank);
            // A cell of the terminal is about twice as high as it is wide.
            let rows = self.scale.div_ceil(2);
            column.abs_diff(at_column) < self.scale && row.abs_diff(at_row) < rows
        };
        self.points().find(near)
    }

    /// The rows of the board, with these letters on its points.
    pub fn rows(&self, letter: impl Fn(u8, u8) -> Option<char>) -> Vec<String> {
        match self.variant {
            Variant::Masonic => bricks::rows(self, letter),
            _ => {
                let text = self.lined(letter).to_string();
                text.lines().filter(|row| !row.is_empty()).map(str::to_owned).collect()
            }
        }
    }

    /// The board with the letters of the pieces, as text without spaces at the ends of lines.
    pub fn text(&self, position: &AnyPosition) -> String {
        let pieces = pieces(position);
        let on = |file, rank| pieces.iter().find(|piece| (piece.file, piece.rank) == (file, rank));
        let rows = self.rows(|file, rank| Some(on(file, rank)?.letter));
        rows.iter().map(|row| format!("{}\n", row.trim_end())).collect()
    }

    /// Files or ranks, seen from the other side where the board is flipped.
    fn turned(&self, number: u8) -> u8 {
        if self.flipped { self.last() - number } else { number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawings() -> impl Iterator<Item = BoardDrawing> {
        let scales = BoardDrawing::LEAST_SCALE..=BoardDrawing::MOST_SCALE;
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

    /// The smallest drawing is the one of the position's own picture.
    #[test]
    fn plain_drawings_are_those_of_other_commands() {
        for variant in Variant::ALL {
            let drawing = BoardDrawing { variant, scale: 2, flipped: false, unicode: false };
            let start = variant.start();
            let lines = |text: &str| -> Vec<String> {
                let lines = text.lines().filter(|line| !line.trim().is_empty());
                lines.map(|line| line.trim_end().to_owned()).collect()
            };
            assert_eq!(lines(&drawing.text(&start)), lines(&start.picture()), "{variant}");
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
