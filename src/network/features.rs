//! The input features: a piece on a point, as a perspective sees it.

use crate::chesquerque::{Color, PerPoint, Piece, PieceKind, Point};

/// A piece-square feature: a kind of piece, own or enemy, on a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature(u16);

impl Feature {
    /// How many there are.
    pub const COUNT: usize = Self::PIECES * Point::COUNT;

    /// Kinds of pieces, own and enemy.
    pub const PIECES: usize = 2 * PieceKind::COUNT;

    /// Its place in tables of [`Feature::COUNT`]: piece by piece, each with all
    /// points.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// From whose side the board is seen: its own first rank at the bottom and its own
/// king on files a to e (horizontal mirroring). The rules are the same to the left
/// and to the right, castling included, so mirroring loses nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    mirrored: bool,
}

impl Perspective {
    /// The perspective of a side with its king on this point.
    #[inline]
    pub const fn of(color: Color, king: Point) -> Perspective {
        Perspective { color, mirrored: king.file() > Point::FILES / 2 }
    }

    /// The same with left and right exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Perspective {
        Perspective { mirrored: !self.mirrored, ..self }
    }

    /// The feature that a piece on a point is.
    #[inline]
    pub fn feature(self, piece: Piece, point: Point) -> Feature {
        let side = usize::from(piece.color != self.color);
        let relative_point = RELATIVE_POINT[self.color.index()][usize::from(self.mirrored)][point];
        let kind = side * PieceKind::COUNT + piece.kind.index();
        Feature((kind * Point::COUNT + usize::from(relative_point)) as u16)
    }
}

/// The index of each point in a perspective, by color and mirroring.
static RELATIVE_POINT: [[PerPoint<u8>; 2]; 2] = [
    [relative_points(Color::White, false), relative_points(Color::White, true)],
    [relative_points(Color::Black, false), relative_points(Color::Black, true)],
];

const fn relative_points(color: Color, mirrored: bool) -> PerPoint<u8> {
    let mut table = PerPoint([0; Point::COUNT]);
    let mut index = 0;
    while let Some(point) = Point::from_index(index) {
        let file = if mirrored { Point::FILES - 1 - point.file() } else { point.file() };
        let point = Point::new(file, point.rank());
        let point = if matches!(color, Color::Black) { point.flipped() } else { point };
        table.0[index] = point.index() as u8;
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feature(color: Color, king: &str, letter: char, point: &str) -> Feature {
        let at = |text| Point::parse(text).expect("a point");
        let piece = Piece::from_letter(letter).expect("a piece");
        Perspective::of(color, at(king)).feature(piece, at(point))
    }

    #[test]
    fn perspectives_are_symmetrical() {
        let expected = feature(Color::White, "e1", 'N', "c3");
        assert_eq!(expected, feature(Color::White, "a1", 'N', "c3"));
        assert_eq!(expected, feature(Color::White, "f1", 'N', "g3"), "mirrored by the king");
        assert_eq!(expected, feature(Color::Black, "e9", 'n', "c7"), "from the other side");
        assert_eq!(expected, feature(Color::Black, "i9", 'n', "g7"), "both");
        assert_ne!(expected, feature(Color::White, "e1", 'n', "c3"), "an enemy piece");
        assert_ne!(expected, feature(Color::White, "e1", 'N', "g3"), "another point");
    }

    #[test]
    fn each_piece_on_each_point_is_another_feature() {
        for color in Color::ALL {
            let perspective = Perspective::of(color, Point::new(8, 0));
            let feature = |piece, point| perspective.feature(piece, point).index();
            let mut found: Vec<usize> = Color::ALL
                .into_iter()
                .flat_map(|side| PieceKind::ALL.map(|kind| Piece { color: side, kind }))
                .flat_map(|piece| Point::all().map(move |point| feature(piece, point)))
                .collect();
            found.sort_unstable();
            assert_eq!(found, (0..Feature::COUNT).collect::<Vec<_>>());
        }
    }
}
