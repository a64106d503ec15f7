//! What a side sees of the board.

use crate::position::{Color, PerPoint, Piece, PieceKind, Point};

/// One thing that a side can see: a kind of man, its own or the enemy's, on a
/// point as seen from its side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Input(u16);

impl Input {
    /// How many there are.
    pub const COUNT: usize = Self::KINDS * Point::COUNT;

    /// Kinds of men, the own ones and the enemy's.
    pub const KINDS: usize = 2 * PieceKind::COUNT;

    /// Its place in tables of [`Input::COUNT`]: for each kind of man all points,
    /// as the side sees them.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a side sees the board: its own first rank below, and its own king
/// never on the right half. Nothing in the rules tells left from right,
/// castling included, so nothing is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    color: Color,
    mirrored: bool,
}

impl View {
    /// The view of a side whose king stands there.
    #[inline]
    pub const fn of(color: Color, king: Point) -> View {
        View { color, mirrored: king.file() > Point::FILES / 2 }
    }

    /// The same with left and right exchanged.
    #[must_use]
    pub const fn mirrored(self) -> View {
        View { mirrored: !self.mirrored, ..self }
    }

    /// How the side sees a man on a point.
    #[inline]
    pub fn input(self, man: Piece, point: Point) -> Input {
        let side = usize::from(man.color != self.color);
        let seen = SEEN[self.color.index()][usize::from(self.mirrored)][point];
        let kind = side * PieceKind::COUNT + man.kind.index();
        Input((kind * Point::COUNT + usize::from(seen)) as u16)
    }
}

/// The index of each point as a side sees it, as it is and mirrored.
static SEEN: [[PerPoint<u8>; 2]; 2] = [
    [seen(Color::White, false), seen(Color::White, true)],
    [seen(Color::Black, false), seen(Color::Black, true)],
];

const fn seen(color: Color, mirrored: bool) -> PerPoint<u8> {
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

    fn input(color: Color, king: &str, letter: char, point: &str) -> Input {
        let at = |text| Point::parse(text).expect("a point");
        View::of(color, at(king)).input(Piece::from_letter(letter).expect("a man"), at(point))
    }

    #[test]
    fn sides_see_alike_what_is_alike_to_them() {
        let seen = input(Color::White, "e1", 'N', "c3");
        assert_eq!(seen, input(Color::White, "a1", 'N', "c3"));
        assert_eq!(seen, input(Color::White, "f1", 'N', "g3"), "mirrored by the king");
        assert_eq!(seen, input(Color::Black, "e9", 'n', "c7"), "from the other side");
        assert_eq!(seen, input(Color::Black, "i9", 'n', "g7"), "both");
        assert_ne!(seen, input(Color::White, "e1", 'n', "c3"), "not the own man");
        assert_ne!(seen, input(Color::White, "e1", 'N', "g3"), "another point");
    }

    #[test]
    fn each_man_on_each_point_is_another_input() {
        for color in Color::ALL {
            let view = View::of(color, Point::new(8, 0));
            let mut found: Vec<usize> = Color::ALL
                .into_iter()
                .flat_map(|side| PieceKind::ALL.map(|kind| Piece { color: side, kind }))
                .flat_map(|man| Point::all().map(move |point| view.input(man, point).index()))
                .collect();
            found.sort_unstable();
            assert_eq!(found, (0..Input::COUNT).collect::<Vec<_>>());
        }
    }
}
